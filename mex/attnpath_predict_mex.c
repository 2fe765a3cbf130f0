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

static ap_fit fit_in(double *array, size_t P) {  // as the host keeps it: F, and b behind it
    return (ap_fit){.F = array, .b = array + P * P};
}

static void make_fit(ap_fit *fit, const ap_mex_training *t, const double *U, ap_work *work) {
    ap_mex_threads(0, ap_mex_flops(&t->kernel, 0));
    ap_mex_check(ap_predict_fit(fit, &t->problem, U, work, &ap_mex_err));
}

static void predict(mxArray *plhs[], const ap_mex_training *t, const double *U, const mxArray *Xi2, const mxArray *fits,
                    bool spread, ap_work *work) {
    const size_t P = t->kernel.P, C = t->outputs, blocks = t->shared ? 1 : C;
    const ap_inputs x2 = ap_mex_inputs("X.Xi", Xi2, &t->net, t->features);
    ap_fit fit = {0};
    if (ap_mex_absent(fits)) {
        ap_mex_check(ap_fit_take(&fit, &t->problem, work, &ap_mex_err));
        make_fit(&fit, t, U, work);
    } else {  // which is only read
        size_t size[] = {P, P + ap_problem_columns(&t->problem)};
        fit = fit_in((double *)ap_mex_array("fit", fits, 2, size), P);
    }
    double *mu = ap_mex_put(&plhs[0], 2, (size_t[]){x2.P, C}), *s2 = NULL;
    if (spread && blocks == 1) s2 = ap_mex_put(&plhs[1], 2, (size_t[]){x2.P, 1});
    if (spread && blocks > 1) s2 = ap_mex_put(&plhs[1], 3, (size_t[]){C, C, x2.P});
    const double together = x2.P < 128 ? (double)x2.P : 128.0, rows = (double)P;  // as ap_predict.c takes them
    ap_mex_threads(0, together * rows * (rows + 2.0 * (double)t->kernel.N0 * (double)t->kernel.inputs));
    ap_mex_check(ap_predict(mu, s2, &t->problem, &fit, U, &x2, work, &ap_mex_err));
    ap_mex_finite("the mean", plhs[0]);
    if (spread) ap_mex_finite("the variance", plhs[1]);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("predict", (nrhs == 3 && nlhs <= 1) || (nrhs == 5 && nlhs <= 2),
                 "[mu, s2] = attnpath_predict_mex (net, data, U, Xi2, fit), fit = attnpath_predict_mex (net, data, U)");
    const ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    const size_t P = t->kernel.P;
    const double *U = ap_mex_array("U", prhs[2], 2, (size_t[]){t->kernel.paths, t->kernel.paths});
    ap_work *work = ap_mex_work(ap_fit_size(&t->problem));
    if (nrhs == 5) {
        predict(plhs, t, U, prhs[3], prhs[4], nlhs > 1, work);
    } else {
        ap_fit fit = fit_in(ap_mex_put(&plhs[0], 2, (size_t[]){P, P + ap_problem_columns(&t->problem)}), P);
        make_fit(&fit, t, U, work);
    }
}
