// attnpath_kernel_mex.c: combined kernel (T6), without temperature
// SPDX-License-Identifier: BSD-3-Clause
//
// K = attnpath_kernel_mex (net, Xi, Xi2, U)

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("kernel", nrhs == 4 && nlhs <= 1, "K = attnpath_kernel_mex (net, Xi, Xi2, U)");
    size_t N0;
    const ap_net net = ap_mex_net(prhs[0], &N0);
    const ap_inputs x = ap_mex_inputs("Xi", prhs[1], &net, N0), x2 = ap_mex_inputs("Xi2", prhs[2], &net, x.N0);
    const size_t paths = ap_net_paths(&net, 1), rows = mxGetM(prhs[3]);
    const size_t C = rows > 0 && rows % paths == 0 ? rows / paths : 1, n = ap_times(paths, C);
    const double *U = ap_mex_array("U", prhs[3], 2, (size_t[]){n, n});
    const ap_net chain = ap_mex_chain(&net, C);

    double *K = ap_mex_put(&plhs[0], 2, (size_t[]){ap_times(x.P, C), ap_times(x2.P, C)});

    ap_mex_threads(0, 2.0 * (double)x.P * (double)x2.P * (double)x.N0 * (double)paths);
    ap_mex_check(ap_kernel_cross(K, &chain, &x, &x2, U, ap_mex_work(0), &ap_mex_err));
    ap_mex_finite("the kernel", plhs[0]);
}
