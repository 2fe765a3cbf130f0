// attnpath_mark_mex.c: marks of what path inputs of a network depend on
// SPDX-License-Identifier: BSD-3-Clause
//
// mark = attnpath_mark_mex (net)      1 x 4 integers: of net.H, of the readout, of the rule of the heads, with causal,
//                                     and of their weights. The last two are 0 where the network has no heads

#include "ap_mexutil.h"

static const char stem[] = "mark";

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 1 && nlhs <= 1, "mark = attnpath_mark_mex (net)");
    size_t N0;
    const ap_net net = ap_mex_net(stem, prhs[0], &N0);
    ap_net_mark(ap_mex_put(stem, &plhs[0], 2, (size_t[]){1, ap_net_marks}), &net, N0);
}
