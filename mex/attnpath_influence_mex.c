// attnpath_influence_mex.c: what would change had examples, or groups of them, not been there (T37)
// SPDX-License-Identifier: BSD-3-Clause
//
// [dU, logp, seen, V] = attnpath_influence_mex (net, data, order, groups)
// [dU, logp, seen, V] = attnpath_influence_mex (net, data, U, groups)
//
// groups [P x 1] has the number of each example's group, 1 .. n, none of which is empty. Of a cell of order parameters
// dU is Pi x Pi x n (Pi C x Pi C x n), of U, where nothing moves, it is empty. logp and seen are n x 1, (T24) and (T23).
// V, P x labels x n, has the f = k' V of the others; without a fourth output it is not computed.

#include <math.h>

#include "ap_mexutil.h"

static const char stem[] = "influence";

static bool watch(void *context) {
    (void)context;
    return ap_mex_interrupted();
}

// Examples sorted by group.
static ap_groups sorted(const mxArray *arg, size_t P) {
    const double *g = ap_mex_array(stem, "groups", arg, 2, (size_t[]){P, 1});
    size_t n = 0;
    for (size_t i = 0; i < P; i++) {
        if (!(g[i] >= 1.0 && g[i] <= (double)P) || g[i] != floor(g[i]))
            ap_mex_fail(stem, "badValue", "groups must be integers from 1 to %zu, not %g", P, g[i]);
        if ((size_t)g[i] > n) n = (size_t)g[i];
    }
    size_t *begin = mxCalloc(n + 2, sizeof *begin), *member = mxCalloc(P, sizeof *member);
    for (size_t i = 0; i < P; i++) begin[(size_t)g[i] + 1]++;
    for (size_t j = 2; j <= n + 1; j++) {
        if (begin[j] == 0) ap_mex_fail(stem, "badValue", "no example is in group %zu of %zu", j - 1, n);
        begin[j] += begin[j - 1];
    }
    for (size_t i = 0; i < P; i++) member[begin[(size_t)g[i]]++] = i;  // begin is one group ahead, and catches up
    return (ap_groups){.n = n, .member = member, .begin = begin};
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 4 && nlhs <= 4,
                 "[dU, logp, seen, V] = attnpath_influence_mex (net, data, order, groups)");
    const ap_mex_training t = ap_mex_training_set(stem, prhs[0], prhs[1]);
    ap_kernel kernel;
    const ap_problem problem = ap_mex_problem(stem, &t, &kernel, 0.0);
    kernel.stop = watch;
    const bool moves = mxIsCell(prhs[2]);
    const ap_groups groups = sorted(prhs[3], t.x.P);
    const size_t n = groups.n, m = moves ? kernel.paths : 0, P = t.x.P, labels = nlhs > 3 ? t.outputs : 0;
    mxArray *out[4];
    double *x = ap_mex_put(stem, &out[0], 3, (size_t[]){m, m, moves ? n : 0});
    ap_left left = {.logp = ap_mex_put(stem, &out[1], 2, (size_t[]){n, 1}),
                    .seen = ap_mex_put(stem, &out[2], 2, (size_t[]){n, 1}),
                    .x = moves ? x : NULL};
    double *V = ap_mex_put(stem, &out[3], 3, (size_t[]){P, labels, n});
    if (labels > 0) left.V = V;
    ap_work *work = ap_mex_work(stem, ap_loo_size(&problem));
    ap_error err = {0};
    if (moves) {
        ap_point point;
        ap_mex_point(stem, &point, &problem, t.gradrel, prhs[2], work);
        AP_MEX_SUITED(stem, ap_mex_flops(&kernel, ap_expand_unknowns(&problem)), &err,
                      ap_loo_groups(&left, &problem, &groups, &point, work, &err));
    } else {
        const double *U = ap_mex_semidefinite(stem, "U", prhs[2], kernel.paths);
        AP_MEX_SUITED(stem, ap_mex_flops(&kernel, 0), &err,
                      ap_loo_groups_fixed(&left, &problem, &groups, U, work, &err));
    }
    static const char *const names[] = {"the change of U", "the log density", "the log density at U", "the mean"};
    for (int i = 0; i < 4; i++) ap_mex_finite(stem, names[i], out[i]);
    for (int i = 0; i < 4 && (i == 0 || i < nlhs); i++) plhs[i] = out[i];
}
