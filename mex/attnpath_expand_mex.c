// attnpath_expand_mex.c: a solution to the next order in 1/N (T30)-(T32)
// SPDX-License-Identifier: BSD-3-Clause
//
// next = attnpath_expand_mex (net, data, order, display)
// U = attnpath_expand_mex (net, data, order, h, shift, random)
//
// next: struct of h [n x n], step and rest [1 x n], shift [n x 1], order, sd, gauge (cells as order), ua, ua_sd,
// rounding. U: draws of U_1. random: struct of count, seed and stream.

#include "ap_mexutil.h"

typedef struct watched {
    ap_mex_progress p;
    ap_kernel *kernel;
} watched;

typedef struct task {
    const ap_net *net;
    ap_problem problem;
    ap_point point;
    size_t n;
    ap_work *work;
} task;

static bool lines_done(void *context, size_t done) {
    watched *w = context;
    ap_mex_progress *p = &w->p;
    if (done > 0) return ap_mex_draws_done(p, done);
    w->kernel->stop = ap_mex_stop;  // which all threads ask
    (void)ap_mex_watch(p);
    p->before = p->pace.passed;  // what the lines themselves took
    return ap_mex_interrupted();
}

static mxArray *expand(task *t, ap_kernel *kernel, bool display) {
    const size_t n = t->n, length = ap_order_length(t->net);
    mxArray *h, *step, *rest, *shift, *cell[3];
    ap_expanded x = {.h = ap_mex_put(&h, 2, (size_t[]){n, n}),
                     .step = ap_mex_put(&step, 2, (size_t[]){1, n}),
                     .rest = ap_mex_put(&rest, 2, (size_t[]){1, n}),
                     .shift = ap_mex_put(&shift, 2, (size_t[]){n, 1}),
                     .beta = ap_mex_take(t->work, n),
                     .mean = ap_mex_take(t->work, length),
                     .sd = ap_mex_take(t->work, length),
                     .gauge = ap_mex_take(t->work, length)};
    watched w = {.p = {.pace = ap_mex_pace_begin(), .name = display ? "expand" : NULL, .draws = n, .what = "lines"}};
    w.kernel = kernel;
    kernel->stop = ap_mex_watch;
    kernel->context = &w.p;
    const ap_team team = ap_mex_team();
    AP_MEX_BLAS_THREADS(ap_mex_flops(t->problem.kernel, n),
                        ap_expand(&x, &t->problem, &t->point, &team, lines_done, &w, t->work, &ap_mex_err));
    ap_mex_finite("the shift of the mean", shift);
    ap_mex_put_order(&cell[0], t->net, x.mean);
    ap_mex_put_order(&cell[1], t->net, x.sd);
    ap_mex_put_order(&cell[2], t->net, x.gauge);
    const ap_mex_named fields[] = {{"h", h},
                                   {"step", step},
                                   {"rest", rest},
                                   {"shift", shift},
                                   {"order", cell[0]},
                                   {"sd", cell[1]},
                                   {"gauge", cell[2]},
                                   {"ua", mxCreateDoubleScalar(x.mean[length - 1])},
                                   {"ua_sd", mxCreateDoubleScalar(x.sd[length - 1])},
                                   {"rounding", mxCreateDoubleScalar(ap_expand_rounding(&t->problem, &t->point))}};
    return ap_mex_struct(10, fields);
}

static mxArray *draws(task *t, const mxArray *args[]) {
    const size_t paths = ap_net_paths(t->net, 1);
    const double *h = ap_mex_array("h", args[0], 2, (size_t[]){t->n, t->n});
    const double *shift = ap_mex_array("shift", args[1], 2, (size_t[]){t->n, 1});
    const size_t count = ap_mex_count(AP_MEX_FIELD("random.count", args[2]), 1, 1000000);
    const uint64_t seed[] = {ap_mex_seed(AP_MEX_FIELD("random.seed", args[2])),
                             ap_mex_count(AP_MEX_FIELD("random.stream", args[2]), 0, 4503599627370496)};
    mxArray *out;
    double *U = ap_mex_put(&out, 3, (size_t[]){paths, paths, count});
    AP_MEX_BLAS_THREADS(0.0, ap_expand_draws(U, &t->problem, &t->point, h, shift, count, seed, t->work, &ap_mex_err));
    ap_mex_finite("a draw of U", out);
    return out;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(
        "expand", (nrhs == 4 || nrhs == 6) && nlhs <= 1,
        "next = attnpath_expand_mex (net, data, order, display), U = attnpath_expand_mex (net, data, order, h, "
        "shift, random)");
    ap_mex_training t;
    ap_mex_problem(&t, prhs[0], prhs[1], 0.0);
    task now = {.net = &t.net, .problem = t.problem};
    const bool display = nrhs == 4 && ap_mex_flag("display", prhs[3]);
    now.n = ap_expand_unknowns(&now.problem);
    now.work = ap_mex_work(nrhs == 4 ? ap_hessian_size(&now.problem) : ap_action_size(&now.problem));
    ap_mex_point(&now.point, &now.problem, t.gradrel, prhs[2], now.work);
    plhs[0] = nrhs == 4 ? expand(&now, &t.kernel, display) : draws(&now, prhs + 3);
}
