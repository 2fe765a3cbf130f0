// attnpath_predict_mex.c: predictor mean and variance (T10)
// SPDX-License-Identifier: BSD-3-Clause
//
// [mu, fit, s2] = attnpath_predict_mex (net, Xi, y, U, Xi2, fit)
//
// fit: P x (P+1), what the training set alone decides, from a call before with the same net, Xi, y and U; [] makes it.

#include <string.h>

#include "ap_mexutil.h"

static const char stem[] = "predict";

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 6 && nlhs <= 3, "[mu, fit, s2] = attnpath_predict_mex (net, Xi, y, U, Xi2, fit)");
    const ap_mex_training t = ap_mex_training_set(stem, prhs[0], prhs[1], prhs[2]);
    const double *U = ap_mex_semidefinite(stem, "U", prhs[3], ap_net_paths(&t.net, 1));
    const ap_inputs x2 = ap_mex_inputs(stem, "Xi2", prhs[4], &t.net, t.x.N0);
    const bool made = !(mxIsDouble(prhs[5]) && mxIsEmpty(prhs[5]));
    const double *before = made ? ap_mex_array(stem, "fit", prhs[5], 2, (size_t[]){t.x.P, t.x.P + 1}) : NULL;
    ap_kernel kernel;
    const ap_problem problem = ap_mex_problem(stem, &t, &kernel, 0.0);

    double *mu = ap_mex_put(stem, &plhs[0], 2, (size_t[]){x2.P, 1});
    double *s2 = nlhs > 2 ? ap_mex_put(stem, &plhs[2], 2, (size_t[]){x2.P, 1}) : NULL;
    ap_work work = ap_mex_work(stem, ap_plus(ap_fit_size(&problem), ap_predict_worksize(&problem)));

    ap_fit fit;
    ap_error err = {0};
    ap_mex_check(stem, ap_fit_take(&fit, &problem, &work, &err), &err);
    if (made)
        memcpy(fit.F, before, ap_fit_size(&problem) * sizeof *before);
    else
        ap_mex_check(stem, ap_predict_fit(&fit, &problem, U, &work, &err), &err);
    ap_mex_check(stem, ap_predict(mu, s2, &problem, &fit, U, &x2, &work, &err), &err);
    ap_mex_finite(stem, "the mean", plhs[0]);
    if (nlhs > 2) ap_mex_finite(stem, "the variance", plhs[2]);
    if (nlhs > 1) {
        double *kept = ap_mex_put(stem, &plhs[1], 2, (size_t[]){t.x.P, t.x.P + 1});
        memcpy(kept, fit.F, ap_fit_size(&problem) * sizeof *kept);
    }
}
