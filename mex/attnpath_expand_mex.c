// attnpath_expand_mex.c: a solution to the next order in 1/N (T30)-(T32)
// SPDX-License-Identifier: BSD-3-Clause
//
// lines = attnpath_expand_mex (net, data, order, 'lines')
// [bend, cubic, rest] = attnpath_expand_mex (net, data, order, 'follow', h, step, still, action)
// next = attnpath_expand_mex (net, data, order, 'order', h, beta, g, g_beta)
// U = attnpath_expand_mex (net, data, order, 'draws', h, shift, random)
//
// lines: struct of h [n x n], beta and step [1 x n], still [n x 1], action, rounding. 'follow' takes h and step of some
// lines, and evaluates nothing where they meet. next: struct of
// order, sd, gauge (cells as order), ua, ua_sd, shift [n x 1]. random: struct of count, seed and stream.

#include "ap_mexutil.h"

typedef struct task {
    const ap_net *net;
    ap_problem problem;
    ap_point point;
    size_t n;
    ap_work *work;
} task;

static void lines(mxArray *out[3], task *t, const mxArray *args[]) {
    (void)args;
    mxArray *h, *beta, *step, *still;
    double *lines = ap_mex_put(&h, 2, (size_t[]){t->n, t->n});
    double *forms = ap_mex_put(&beta, 2, (size_t[]){1, t->n});
    double *moves = ap_mex_put(&step, 2, (size_t[]){1, t->n});
    double *slope = ap_mex_put(&still, 2, (size_t[]){t->n, 1});
    AP_MEX_SUITED(ap_mex_flops(t->problem.kernel, t->n),
                  ap_expand_lines(lines, forms, moves, &t->problem, &t->point, t->work, &ap_mex_err));
    // Here and for draws there are no large products: 0
    AP_MEX_SUITED(0.0, ap_expand_still(slope, &t->problem, &t->point, t->work, &ap_mex_err));
    const ap_mex_named fields[] = {{"h", h},
                                   {"beta", beta},
                                   {"step", step},
                                   {"still", still},
                                   {"action", mxCreateDoubleScalar(t->point.action)},
                                   {"rounding", mxCreateDoubleScalar(ap_expand_rounding(&t->problem, &t->point))}};
    out[0] = ap_mex_struct(6, fields);
}

static void follow(mxArray *out[3], task *t, const mxArray *args[]) {
    size_t size[] = {t->n, 0};
    ap_expansion x = {.h = ap_mex_array("h", args[0], 2, size)};
    x.count = size[1];
    x.step = ap_mex_array("step", args[1], 2, (size_t[]){1, size[1]});
    x.still = ap_mex_array("still", args[2], 2, (size_t[]){t->n, 1});
    const double action = ap_mex_number("action", args[3], -1e300, 1e300);
    double *bend = ap_mex_put(&out[0], 2, size);
    double *cubic = ap_mex_put(&out[1], 2, (size_t[]){1, size[1]});
    double *rest = ap_mex_put(&out[2], 2, (size_t[]){1, size[1]});
    const ap_team team = ap_mex_team();
    ap_mex_check(ap_expand_return(&t->point, &t->problem, action, &ap_mex_err));
    ap_mex_check(ap_expand_follow(bend, cubic, rest, &t->problem, &t->point, &x, &team, t->work, &ap_mex_err));
    ap_mex_finite("a second difference", out[0]);
}

static void order(mxArray *out[3], task *t, const mxArray *args[]) {
    const size_t length = ap_order_length(t->net);
    const ap_expansion x = {.count = t->n,
                            .h = ap_mex_array("h", args[0], 2, (size_t[]){t->n, t->n}),
                            .beta = ap_mex_array("beta", args[1], 2, (size_t[]){1, t->n}),
                            .g = ap_mex_array("g", args[2], 2, (size_t[]){t->n, 1}),
                            .g_beta = ap_mex_array("g_beta", args[3], 2, (size_t[]){t->n, 1})};
    mxArray *cell[3], *move;
    double *shift = ap_mex_put(&move, 2, (size_t[]){t->n, 1}), *chain[3];
    for (size_t k = 0; k < 3; k++) chain[k] = ap_mex_take(t->work, length);
    AP_MEX_SUITED(
        ap_mex_flops(t->problem.kernel, t->n),
        ap_expand_order(chain[0], chain[1], chain[2], shift, &t->problem, &t->point, &x, t->work, &ap_mex_err));
    for (size_t k = 0; k < 3; k++) ap_mex_put_order(&cell[k], t->net, chain[k]);
    const ap_mex_named fields[] = {{"order", cell[0]},
                                   {"sd", cell[1]},
                                   {"gauge", cell[2]},
                                   {"ua", mxCreateDoubleScalar(chain[0][length - 1])},
                                   {"ua_sd", mxCreateDoubleScalar(chain[1][length - 1])},
                                   {"shift", move}};
    out[0] = ap_mex_struct(6, fields);
}

static void draws(mxArray *out[3], task *t, const mxArray *args[]) {
    const size_t paths = ap_net_paths(t->net, 1);
    const double *h = ap_mex_array("h", args[0], 2, (size_t[]){t->n, t->n});
    const double *shift = ap_mex_array("shift", args[1], 2, (size_t[]){t->n, 1});
    const size_t count = ap_mex_count(AP_MEX_FIELD("random.count", args[2]), 1, 1000000);
    const uint64_t seed[] = {ap_mex_seed(AP_MEX_FIELD("random.seed", args[2])),
                             ap_mex_count(AP_MEX_FIELD("random.stream", args[2]), 0, 4503599627370496)};
    double *U = ap_mex_put(&out[0], 3, (size_t[]){paths, paths, count});
    AP_MEX_SUITED(0.0, ap_expand_draws(U, &t->problem, &t->point, h, shift, count, seed, t->work, &ap_mex_err));
    ap_mex_finite("a draw of U", out[0]);
}

typedef struct step {
    const char *word;
    int in, out;
    void (*run)(mxArray *out[3], task *t, const mxArray *args[]);
} step;

static const step steps[] = {
    {"lines", 4, 1, lines}, {"follow", 8, 3, follow}, {"order", 8, 1, order}, {"draws", 7, 1, draws}};

// The point: its fields are computed, except for lines that start there.
static void make_point(task *t, const step *s, double gradrel, const mxArray *order) {
    t->work = ap_mex_work(s->run == lines ? ap_hessian_size(&t->problem) : ap_action_size(&t->problem));
    if (s->run != follow) {
        ap_mex_point(&t->point, &t->problem, gradrel, order, t->work);
        return;
    }
    ap_mex_check(ap_point_take(&t->point, &t->problem, t->work, &ap_mex_err));
    ap_mex_order(t->point.order, order, t->net);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    const char *words[] = {steps[0].word, steps[1].word, steps[2].word, steps[3].word};
    const char *usage =
        "lines = attnpath_expand_mex (net, data, order, 'lines'), or 'follow', h, step, still, action, or 'order', h, "
        "beta, g, g_beta, or 'draws', h, shift, random";
    ap_mex_usage("expand", nrhs >= 4 && nlhs <= 3, usage);
    const step *s = &steps[ap_mex_choice("what", prhs[3], 4, words)];
    ap_mex_usage("expand", nrhs == s->in && nlhs <= s->out, usage);
    const ap_mex_training t = ap_mex_training_set(prhs[0], prhs[1]);
    ap_kernel kernel;
    task now = {.net = &t.net, .problem = ap_mex_problem(&t, &kernel, 0.0)};
    now.n = ap_expand_unknowns(&now.problem);
    make_point(&now, s, t.gradrel, prhs[2]);
    mxArray *out[3] = {NULL, NULL, NULL};
    s->run(out, &now, prhs + 4);
    ap_mex_give(plhs, nlhs, out);
}
