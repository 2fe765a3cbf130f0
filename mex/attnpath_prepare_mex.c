// attnpath_prepare_mex.c: a training set made ready, once for all calls that follow
// SPDX-License-Identifier: BSD-3-Clause
//
// data = attnpath_prepare_mex (net, Xi, y, settings)
// data = attnpath_prepare_mex (net, moments, [], settings)
//
// moments: struct with form, sums, P and, where there are several, outputs, from attnpath_moments_mex
// settings: struct of
//   memory       bytes that stored kernels may take
//   store        true: they are stored now
//   reduce       true: few examples may stand for many (ap_moments.c)
//   evaluations  of the energy that are expected; they decide whether path inputs come in a basis of their span
//                (ap_span.c), 0 for never
//   threads      of BLAS, 0 for as many as suit the work
//   shared       true: several outputs share one U
//   of           marks of the network that Xi belong to, compared with those of net, or []
// data: struct of Xi, basis, y, P, rest, store, the examples as ap_problem has them, P of them in all, and their stored
// kernels; N0, features of a token; and rounding (ap_moments_rounding). Where Xi and y are those given they are [], and
// the caller puts them in. basis is [] where Xi are the path inputs themselves.
//
// A gateway that is called once does the same itself, for data of Xi, y and settings.

#include <string.h>

#include "ap_mexutil.h"

static mxArray *copy(const double *from, const mxArray *given, size_t rank, const size_t *size) {
    mxArray *out;
    if (from == NULL || (mxIsDouble(given) && from == mxGetPr(given))) return mxCreateDoubleMatrix(0, 0, mxREAL);
    double *to = ap_mex_put(&out, rank, size);
    memcpy(to, from, mxGetNumberOfElements(out) * sizeof *to);
    return out;
}

static mxArray *build(const ap_mex_training *t, ap_work *work) {
    ap_kernel kernel;
    mxArray *out;
    ap_mex_check(ap_kernel_plan(&kernel, &t->net, &t->x, t->plan.store ? t->plan.use.memory : 0.0, &ap_mex_err));
    kernel.stop = ap_mex_stop;
    double *storage = ap_mex_put(&out, 2, (size_t[]){kernel.storage, kernel.storage > 0});
    ap_mex_threads(t->plan.threads, ap_mex_flops(&kernel, 0));
    ap_mex_check(ap_kernel_build(&kernel, storage, work, &ap_mex_err));
    return out;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("prepare", nrhs == 4 && nlhs <= 1, "data = attnpath_prepare_mex (net, Xi or moments, y, settings)");
    const ap_mex_training t = ap_mex_prepare(prhs[0], prhs[1], prhs[2], prhs[3]);
    const ap_inputs *x = &t.x;
    const ap_mex_named fields[] = {{"store", build(&t, ap_mex_work(0))},
                                   {"Xi", copy(x->Xi, prhs[1], 3, (size_t[]){x->N0, x->P, ap_net_inputs(&t.net)})},
                                   {"basis", copy(x->basis, prhs[1], 2, (size_t[]){t.x.features, x->N0})},
                                   {"y", copy(t.y, prhs[2], 2, (size_t[]){x->P, t.outputs})},
                                   {"P", mxCreateDoubleScalar((double)(x->P + t.null_examples))},
                                   {"rest", mxCreateDoubleScalar(t.rest)},
                                   {"N0", mxCreateDoubleScalar((double)t.x.features)},
                                   {"rounding", mxCreateDoubleScalar(t.rounding)}};
    plhs[0] = ap_mex_struct(8, fields);
}
