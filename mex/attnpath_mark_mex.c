// attnpath_mark_mex.c: checksums of the parts of a network in its path inputs
// SPDX-License-Identifier: BSD-3-Clause
//
// mark = attnpath_mark_mex (net, of)
//
// mark: 1 x 4 integers, of net.H, of the readout, of the rule of the heads, with causal, and of their weights. The last
// two are 0 where the network has no heads. of: such marks, of which those of another network are refused, or [].

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("mark", nrhs == 2 && nlhs <= 1, "mark = attnpath_mark_mex (net, of)");
    size_t N0;
    (void)ap_mex_marked_net(prhs[0], &N0, ap_mex_put(&plhs[0], 2, (size_t[]){1, ap_net_marks}), prhs[1]);
}
