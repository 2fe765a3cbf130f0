// attnpath_predict_mex.c: predictor mean and variance (T10)
// SPDX-License-Identifier: BSD-3-Clause
//
// [mu, s2] = attnpath_predict_mex (net, Xi, y, U, Xi2)

#include "ap_mexutil.h"

static const char stem[] = "predict";

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 5 && nlhs <= 2, "[mu, s2] = attnpath_predict_mex (net, Xi, y, U, Xi2)");
    size_t N0, P, P2;
    const ap_net net = ap_mex_net(stem, prhs[0], &N0);
    const double *Xi = ap_mex_inputs(stem, "Xi", prhs[1], &net, &N0, &P);
    const double *y = ap_mex_labels(stem, prhs[2], P);
    const double *U = ap_mex_semidefinite(stem, "U", prhs[3], ap_net_paths(&net, 1));
    const double *Xi2 = ap_mex_inputs(stem, "Xi2", prhs[4], &net, &N0, &P2);

    double *mu = ap_mex_put(stem, &plhs[0], 2, (size_t[]){P2, 1});
    double *s2 = nlhs > 1 ? ap_mex_put(stem, &plhs[1], 2, (size_t[]){P2, 1}) : NULL;
    ap_work work = ap_mex_work(stem, ap_predict_worksize(&net, N0, P));

    ap_error err = {0};
    ap_mex_check(stem, ap_predict(mu, s2, &net, N0, Xi, P, y, U, Xi2, P2, &work, &err), &err);
    ap_mex_finite(stem, "the mean", plhs[0]);
    if (nlhs > 1) ap_mex_finite(stem, "the variance", plhs[1]);
}
