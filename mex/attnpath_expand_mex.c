// attnpath_expand_mex.c: a solution to the next order in 1/N (T30)-(T32)
// SPDX-License-Identifier: BSD-3-Clause
//
// next = attnpath_expand_mex (net, data, order, display)
// U = attnpath_expand_mex (net, data, order, h, shift, random)
//
// next: struct of h [n x n], step and rest [1 x n], shift [n x 1], order, sd, gauge (cells as order), ua, ua_sd,
// rounding. U: draws of U_1. random: struct of count, seed and stream.

#include "ap_mexutil.h"
#include "attnpath_beyond.h"

static bool lines_done(void *context, size_t done) {
    ap_mex_training *t = context;
    if (done > 0) return ap_mex_draws_done(&t->progress, done);
    t->kernel.stop = ap_mex_stop;  // which all threads ask
    (void)ap_mex_watch(&t->progress);
    t->progress.before = t->progress.passed;  // what the lines themselves took
    return ap_mex_interrupted();
}

static mxArray *expand(ap_mex_training *t, const ap_point *point, ap_work *work) {
    const ap_problem *p = &t->problem;
    const size_t n = ap_expand_unknowns(p), length = ap_params_length(&t->net);
    ap_expanded x = {.beta = ap_mex_take(work, n),
                     .mean = ap_mex_take(work, length),
                     .sd = ap_mex_take(work, length),
                     .gauge = ap_mex_take(work, length)};
    mxArray *h = ap_mex_new(&x.h, 2, (size_t[]){n, n}), *shift = ap_mex_new(&x.shift, 2, (size_t[]){n, 1});
    mxArray *step = ap_mex_new(&x.step, 2, (size_t[]){1, n}), *rest = ap_mex_new(&x.rest, 2, (size_t[]){1, n});
    t->progress.draws = n;
    t->progress.what = "lines";
    t->kernel.stop = ap_mex_watch;
    ap_mex_threads(0, ap_mex_flops(&t->kernel, n));
    ap_mex_check(ap_expand(&x, p, point, ap_mex_team(), lines_done, t, work, &ap_mex_err));
    ap_mex_finite("the shift of the mean", shift);
    const ap_mex_named fields[] = {{"h", h},
                                   {"step", step},
                                   {"rest", rest},
                                   {"shift", shift},
                                   {"order", ap_mex_new_order(&t->net, x.mean)},
                                   {"sd", ap_mex_new_order(&t->net, x.sd)},
                                   {"gauge", ap_mex_new_order(&t->net, x.gauge)},
                                   {"ua", mxCreateDoubleScalar(x.mean[length - 1])},
                                   {"ua_sd", mxCreateDoubleScalar(x.sd[length - 1])},
                                   {"rounding", mxCreateDoubleScalar(ap_expand_rounding(p, point))}};
    return ap_mex_struct(10, fields);
}

static mxArray *draws(const ap_mex_training *t, const ap_point *point, const mxArray *args[], ap_work *work) {
    const size_t paths = ap_net_paths(&t->net, 1), n = ap_expand_unknowns(&t->problem);
    const double *h = ap_mex_array("h", args[0], 2, (size_t[]){n, n});
    const double *shift = ap_mex_array("shift", args[1], 2, (size_t[]){n, 1});
    const size_t count = ap_mex_count(AP_MEX_FIELD("random.count", args[2]), 1, 1000000);
    const uint64_t seed[] = {ap_mex_count(AP_MEX_FIELD("random.seed", args[2]), 0, AP_MEX_SEED),
                             ap_mex_count(AP_MEX_FIELD("random.stream", args[2]), 0, AP_MEX_EXACT)};
    double *U;
    mxArray *out = ap_mex_new(&U, 3, (size_t[]){paths, paths, count});
    ap_mex_threads(0, 0.0);
    ap_mex_check(ap_expand_draws(U, &t->problem, point, h, shift, count, seed, work, &ap_mex_err));
    ap_mex_finite("a draw of U", out);
    return out;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("expand", (nrhs == 4 || nrhs == 6) && nlhs <= 1,
                 "next = attnpath_expand_mex (net, data, order, display), "
                 "U = attnpath_expand_mex (net, data, order, h, shift, random)");
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    if (nrhs == 4 && ap_mex_flag("display", prhs[3])) t->progress.name = "expand";
    ap_work *work = ap_mex_work(nrhs == 4 ? ap_hessian_size(&t->problem) : ap_action_size(&t->problem));
    const ap_point point = ap_mex_point(t, prhs[2], work);
    plhs[0] = nrhs == 4 ? expand(t, &point, work) : draws(t, &point, prhs + 3, work);
}
