// attnpath_backward_mex.c: from derivatives by the path inputs to those by attention and by what makes it
// SPDX-License-Identifier: BSD-3-Clause
//
// [maps, heads, bandwidth, ridge] = attnpath_backward_mex (net, X, lengths, A, D, wanted)
//
// D, N0 x P x Pi: derivatives of a number by the path inputs. wanted, 1 x 2: are the maps wanted, are the
// heads. maps is a cell of T x T x H_l x P, heads a cell in the shape of net.heads; bandwidth and ridge are derivatives
// by their logarithms. What is not wanted is [].

#include <string.h>

#include "ap_mexutil.h"

static const double *put_matrices(mxArray **out, const double *theta, size_t rows, size_t N0, size_t H) {
    memcpy(ap_mex_put(out, 3, (size_t[]){rows, N0, H}), theta, rows * N0 * H * sizeof *theta);
    return theta + rows * N0 * H;
}

static mxArray *put_heads(const double *theta, const ap_net *net, size_t N0) {
    mxArray *out = mxCreateCellMatrix(1, (mwSize)net->L), *layer, *Q, *K;
    for (size_t l = 0; l < net->L; l++) {
        if (net->heads[l].W != NULL) {
            theta = put_matrices(&layer, theta, N0, N0, net->H[l]);
        } else {
            theta = put_matrices(&Q, theta, net->heads[l].G, N0, net->H[l]);
            theta = put_matrices(&K, theta, net->heads[l].G, N0, net->H[l]);
            layer = ap_mex_struct(2, (ap_mex_named[]){{"Q", Q}, {"K", K}});
        }
        mxSetCell(out, (mwIndex)l, layer);
    }
    return out;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("gradient", nrhs == 6 && nlhs <= 4,
                 "[maps, heads, bandwidth, ridge] = attnpath_backward_mex (net, X, lengths, A, D, wanted)");
    size_t N0;
    const ap_net net = ap_mex_net(prhs[0], &N0);
    const ap_tokens x = ap_mex_tokens(prhs[1], prhs[2], N0);
    const double *const *A = ap_mex_maps(prhs[3], &net, &x);
    const double *D = ap_mex_array("D", prhs[4], 3, (size_t[]){x.N0, ap_paths_count(&net, &x), ap_net_paths(&net, 1)});
    const double *wanted = ap_mex_array("wanted", prhs[5], 2, (size_t[]){1, 2});
    const bool heads = wanted[1] != 0.0;
    if ((A == NULL || heads) && net.heads == NULL) ap_mex_fail("noHeads", "this net has no heads");

    mxArray *out[4];
    for (int k = 0; k < 4; k++) out[k] = mxCreateDoubleMatrix(0, 0, mxREAL);
    double *const *maps = wanted[0] != 0.0 ? ap_mex_put_maps(&out[0], &net, &x) : NULL;
    const size_t parameters = heads ? ap_backward_parameters(&net, x.N0) : 0;
    ap_work *work = ap_mex_work(parameters);
    double *theta = heads ? ap_mex_take(work, parameters) : NULL;
    ap_mex_check(ap_backward(maps, theta, D, &net, &x, A, ap_mex_team(), work, &ap_mex_err));
    if (heads) {
        out[1] = put_heads(theta, &net, x.N0);
        out[2] = mxCreateDoubleScalar(theta[parameters - 2]);
        out[3] = mxCreateDoubleScalar(theta[parameters - 1]);
    }
    ap_mex_give(plhs, nlhs, out);
}
