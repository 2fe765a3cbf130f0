// attnpath_paths_mex.c: path inputs (T3)
// SPDX-License-Identifier: BSD-3-Clause
//
// [Xi, mark] = attnpath_paths_mex (net, X, lengths, A)
//
// Xi: N0 x P x Pi; of a net that reads all tokens N0 x tokens x Pi, example by example, without padding
// mark: as from attnpath_mark_mex, of a network without heads where A is given

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("paths", nrhs == 4 && nlhs <= 2, "[Xi, mark] = attnpath_paths_mex (net, X, lengths, A)");
    size_t N0;
    ap_net net = ap_mex_net(prhs[0], &N0);
    const ap_tokens x = ap_mex_tokens(prhs[1], prhs[2], N0);
    const double *const *A = ap_mex_maps(prhs[3], &net, &x);
    if (net.heads == NULL && A == NULL) ap_mex_fail("noHeads", "this net has no heads: attention must be given");

    double *Xi = ap_mex_put(&plhs[0], 3, (size_t[]){x.N0, ap_paths_count(&net, &x), ap_net_paths(&net, 1)});

    ap_mex_check(ap_paths(Xi, &net, &x, A, ap_mex_team(), ap_mex_work(0), &ap_mex_err));
    ap_mex_finite("a path input", plhs[0]);
    if (A != NULL) net.heads = NULL;
    if (nlhs > 1) ap_net_mark(ap_mex_put(&plhs[1], 2, (size_t[]){1, ap_net_marks}), &net, x.N0);
}
