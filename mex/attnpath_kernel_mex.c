// attnpath_kernel_mex.c: combined kernel (T6), without temperature
// SPDX-License-Identifier: BSD-3-Clause
//
// K = attnpath_kernel_mex (net, Xi, Xi2, U)

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("kernel", nrhs == 4 && nlhs <= 1, "K = attnpath_kernel_mex (net, Xi, Xi2, U)");
    size_t N0;
    ap_mex_training t = {.net = ap_mex_net(prhs[0], &N0)};
    const ap_inputs x = ap_mex_inputs("Xi", prhs[1], &t.net, N0);
    const ap_inputs x2 = ap_mex_inputs("Xi2", prhs[2], &t.net, x.N0);
    const size_t paths = ap_net_paths(&t.net, 1), rows = mxGetM(prhs[3]);
    ap_mex_outputs(&t, rows > 0 && rows % paths == 0 ? rows / paths : 1, false);
    const size_t n = ap_net_paths(&t.net, 1);
    const double *U = ap_mex_array("U", prhs[3], 2, (size_t[]){n, n});

    double *K = ap_mex_put(&plhs[0], 2, (size_t[]){ap_times(x.P, t.outputs), ap_times(x2.P, t.outputs)});

    ap_mex_threads(0, 2.0 * (double)x.P * (double)x2.P * (double)x.N0 * (double)paths);
    ap_mex_check(ap_kernel_cross(K, &t.net, &x, &x2, U, ap_mex_work(0), &ap_mex_err));
    ap_mex_finite("the kernel", plhs[0]);
}
