// attnpath_loo_mex.c: predictions of examples, and weights for other inputs, without them (T23), (T24), (T37)
// SPDX-License-Identifier: BSD-3-Clause
//
// [mu, s2, logp, W, dU, seen] = attnpath_loo_mex (net, data, U, groups, weight, display)
// [mu, s2, logp, W, dU, seen] = attnpath_loo_mex (net, data, order, groups, weight, display)
//
// U, Pi x Pi x draws: at each of these, which have seen all examples (T23). order, a cell {U_1, .., U_L}: at what the
// order parameters would be without the group (T24). The examples of data must be those themselves: not reduced.
// groups [P x 1] has the number of each example's group, 1 .. n, none of which is empty; []: each alone. mu,
// P x C x draws, and s2, C x C x P x draws, or P x draws if C = 1 or, by data, outputs share one U, are of each
// example, or empty where there are both groups and weight.
// logp is n x draws. weight, n x draws (of order n x 1), or []: W, N0 x m x n x Pi C', m = 1 and C' = C for coupled
// outputs, otherwise m = C and C' = 1, are effective weights of the mean of f without each group, as of
// attnpath_draws_mex, summed over the draws by weight. Of order dU, Pi x Pi x n, is what U_1 moves by, and seen, n x 1,
// logp at U_1 itself; of U they are empty. display: progress is printed as that of attnpath_loo, 1, of
// attnpath_influence, 2, or not at all, 0.

#include "ap_mexutil.h"
#include "attnpath_beyond.h"

static const char *const names[] = {NULL, "loo", "influence"};

// Examples sorted by group.
static ap_groups sorted(const mxArray *arg, size_t P) {
    if (ap_mex_absent(arg)) return (ap_groups){.n = P};
    const double *g = ap_mex_array("groups", arg, 2, (size_t[]){P, 1});
    size_t n = 0;
    for (size_t i = 0; i < P; i++) {
        const size_t at = ap_mex_as_count("groups", g[i], 1, (double)P);
        if (at > n) n = at;
    }
    size_t *begin = mxCalloc(n + 2, sizeof *begin), *member = mxCalloc(P, sizeof *member);
    for (size_t i = 0; i < P; i++) begin[(size_t)g[i] + 1]++;
    for (size_t j = 2; j <= n + 1; j++) {
        if (begin[j] == 0) ap_mex_fail("badValue", "no example is in group %zu of %zu", j - 1, n);
        begin[j] += begin[j - 1];
    }
    for (size_t i = 0; i < P; i++) member[begin[(size_t)g[i]]++] = i;  // begin is one group ahead, and catches up
    return (ap_groups){.n = n, .member = member, .begin = begin};
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("loo", nrhs == 6 && nlhs <= 6,
                 "[mu, s2, logp, W, dU, seen] = attnpath_loo_mex (net, data, U or order, groups, weight, display)");
    ap_mex_advise("fewer paths (attnpath_prune) or fewer examples need less");  // moments are refused
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    const bool moves = mxIsCell(prhs[2]), alone = ap_mex_absent(prhs[3]), weighs = !ap_mex_absent(prhs[4]);
    t->progress.name = names[ap_mex_count("display", prhs[5], 0, 2)];
    ap_many draws = {.monitor = ap_mex_draws_done, .context = &t->progress};
    size_t size[] = {t->kernel.paths, t->kernel.paths, moves ? 1 : 0};
    if (moves)
        t->kernel.stop = ap_mex_watch;
    else
        draws.U = ap_mex_array("U", prhs[2], 3, size);
    t->progress.draws = draws.count = size[2];
    const ap_groups groups = sorted(prhs[3], t->x.P);
    const size_t S = draws.count, P = alone || !weighs ? t->x.P : 0, C = t->outputs, n = groups.n;
    const double *weight = weighs ? ap_mex_array("weight", prhs[4], 2, (size_t[]){n, S}) : NULL;
    if (weighs) t->progress.what = "draws, for the predictions";
    const size_t m = moves && nlhs > 4 ? t->kernel.paths : 0;
    mxArray *out[6];
    ap_loo_result left = {
        .mu = ap_mex_put(&out[0], 3, (size_t[]){P, C, S}),
        .s2 = t->kernel.outputs > 1 ? ap_mex_put(&out[1], 4, (size_t[]){C, C, P, S})
                                    : ap_mex_put(&out[1], 2, (size_t[]){P, S}),
        .logp = ap_mex_put(&out[2], 2, (size_t[]){n, S}),
        .W = ap_mex_put(&out[3], 4,
                        (size_t[]){t->x.features, ap_problem_columns(&t->problem), weighs ? n : 0, t->kernel.paths}),
        .weight = weight,
        .x = ap_mex_put(&out[4], 3, (size_t[]){m, m, n}),
        .seen = ap_mex_put(&out[5], 2, (size_t[]){moves ? n : 0, 1})};
    if (P == 0) left.mu = left.s2 = NULL;
    if (!weighs) left.W = NULL;
    if (nlhs <= 2) left.logp = NULL;
    if (m == 0) left.x = NULL;
    if (!moves || nlhs <= 5) left.seen = NULL;
    ap_work *work = ap_mex_work(moves ? ap_loo_size(&t->problem) : ap_action_size(&t->problem));
    if (moves) {
        const ap_point point = ap_mex_point(t, prhs[2], work);
        ap_mex_threads(0, ap_mex_flops(&t->kernel, ap_expand_unknowns(&t->problem)));
        ap_mex_check(ap_loo_corrected(&left, &t->problem, &groups, &point, work, &ap_mex_err));
    } else {
        ap_mex_explain(t, work);
        ap_mex_threads(draws.count > 1, ap_mex_flops(&t->kernel, 0));  // of many draws the team has the threads
        ap_mex_check(ap_loo_draws(&left, &t->problem, &groups, &draws, ap_mex_team(), work, &ap_mex_err));
    }
    static const char *const what[] = {"the mean",       "the variance",    "the log density",
                                       "the prediction", "the change of U", "the log density at U"};
    for (int i = 0; i < 6; i++) ap_mex_finite(what[i], out[i]);
    ap_mex_give(plhs, nlhs, out);
}
