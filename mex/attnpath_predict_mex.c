// attnpath_predict_mex.c: predictor mean and variance (T10)
// SPDX-License-Identifier: BSD-3-Clause
//
// fit = attnpath_predict_mex (net, data, U)
// [mu, s2] = attnpath_predict_mex (net, data, U, Xi2, fit)
//
// For C outputs U is Pi C x Pi C, or Pi x Pi if, by data, they share one. mu is P2 x C, and s2 is C x C x P2,
// or P2 x 1 where outputs share U.
//
// fit is what the training set alone decides: it serves any number of calls with the same net, data and U. It is
// P x (P+1), for C outputs P C x (P C + 1), or P x (P + C) where they share U. With [] it is made here and not kept.

#include "ap_mexutil.h"

static void predict(mxArray *plhs[], const ap_mex_training *t, const ap_fit *fit, const double *U, const ap_inputs *x2,
                    bool spread, ap_work *work) {
    const size_t C = t->outputs;
    double *mu = ap_mex_put(&plhs[0], 2, (size_t[]){x2->P, C}), *s2 = NULL;
    if (spread && t->kernel.outputs == 1) s2 = ap_mex_put(&plhs[1], 2, (size_t[]){x2->P, 1});
    if (spread && t->kernel.outputs > 1) s2 = ap_mex_put(&plhs[1], 3, (size_t[]){C, C, x2->P});
    // Examples together as ap_predict.c takes them
    const double together = x2->P < 128 ? (double)x2->P : 128.0, rows = (double)t->kernel.P;
    ap_mex_threads(0, together * rows * (rows + 2.0 * (double)t->kernel.N0 * (double)t->kernel.inputs));
    ap_mex_check(ap_predict(mu, s2, &t->problem, fit, U, x2, work, &ap_mex_err));
    ap_mex_finite("the mean", plhs[0]);
    if (spread) ap_mex_finite("the variance", plhs[1]);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("predict", (nrhs == 3 && nlhs <= 1) || (nrhs == 5 && nlhs <= 2),
                 "[mu, s2] = attnpath_predict_mex (net, data, U, Xi2, fit), fit = attnpath_predict_mex (net, data, U)");
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    const bool predicts = nrhs == 5, known = predicts && !ap_mex_absent(prhs[4]);
    const double *U = ap_mex_array("U", prhs[2], 2, (size_t[]){t->kernel.paths, t->kernel.paths});
    ap_inputs x2 = {0};
    if (predicts) x2 = ap_mex_inputs("X.Xi", prhs[3], &t->net, t->x.features);
    ap_work *work = ap_mex_work(ap_fit_size(&t->problem));
    ap_fit fit = {0};
    if (predicts && !known) {
        ap_mex_check(ap_fit_take(&fit, &t->problem, work, &ap_mex_err));
    } else {  // as the host keeps it: F, and b behind it. One that comes in is only read
        size_t P = t->kernel.P, size[] = {P, P + ap_problem_columns(&t->problem)};
        fit.F = known ? (double *)ap_mex_array("fit", prhs[4], 2, size) : ap_mex_put(&plhs[0], 2, size);
        fit.b = fit.F + P * P;
    }
    if (!known) {
        ap_mex_explain(t, work);
        ap_mex_threads(0, ap_mex_flops(&t->kernel, 0));
        ap_mex_check(ap_predict_fit(&fit, &t->problem, U, work, &ap_mex_err));
    }
    if (predicts) predict(plhs, t, &fit, U, &x2, nlhs > 1, work);
}
