// attnpath_attention_mex.c: attention maps (T1)
// SPDX-License-Identifier: BSD-3-Clause
//
// A = attnpath_attention_mex (net, X, lengths)

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("attention", nrhs == 3 && nlhs <= 1, "A = attnpath_attention_mex (net, X, lengths)");
    size_t N0;
    const ap_net net = ap_mex_net(prhs[0], &N0);
    if (net.heads == NULL) ap_mex_fail("noHeads", "this net has no heads, only their numbers");
    const ap_tokens x = ap_mex_tokens(prhs[1], prhs[2], N0);

    double *const *A = ap_mex_put_maps(&plhs[0], &net, &x);

    const double T = (double)x.T, tokens = T < 512.0 ? 512.0 : T;  // of an example, or of several together
    const double products = 2.0 * (double)x.N0 * ((double)x.N0 * tokens + T * T);
    for (size_t l = 0; l < net.L; l++) {
        const double factor = net.heads[l].rule.kind == AP_CME ? T * T * T / 3.0 : 0.0;
        ap_mex_threads(0, factor + products);
        ap_mex_check(ap_attention(A[l], &net, l + 1, &x, ap_mex_work(0), &ap_mex_err));
    }
}
