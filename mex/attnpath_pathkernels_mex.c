// attnpath_pathkernels_mex.c: path-path kernels (T5)
// SPDX-License-Identifier: BSD-3-Clause
//
// C = attnpath_pathkernels_mex (net, Xi, Xi2)

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("pathkernels", nrhs == 3 && nlhs <= 1, "C = attnpath_pathkernels_mex (net, Xi, Xi2)");
    size_t N0;
    const ap_net net = ap_mex_net(prhs[0], &N0);
    const ap_inputs x = ap_mex_inputs("Xi", prhs[1], &net, N0);
    const ap_inputs x2 = ap_mex_inputs("Xi2", prhs[2], &net, x.N0);

    const size_t paths = ap_net_paths(&net, 1);
    double *C = ap_mex_put(&plhs[0], 4, (size_t[]){x.P, x2.P, paths, paths});

    ap_mex_threads(0, 2.0 * (double)x.P * (double)x2.P * (double)x.N0);  // of one pair
    ap_mex_check(ap_pathkernels(C, &net, &x, &x2, &ap_mex_err));
    ap_mex_finite("a path-path kernel", plhs[0]);
}
