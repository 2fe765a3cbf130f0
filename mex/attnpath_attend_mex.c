// attnpath_attend_mex.c: one attention head applied (section 11)
// SPDX-License-Identifier: BSD-3-Clause
//
// [out, Omega] = attnpath_attend_mex (q, K, V, settings)

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("attend", nrhs == 4 && nlhs <= 2, "[out, Omega] = attnpath_attend_mex (q, K, V, settings)");
    ap_mex_blas_check();
    size_t keys[2] = {0}, values[2] = {0}, queries[2] = {0};
    ap_keys k = {.K = ap_mex_array("K", prhs[1], 2, keys)};
    k.d = queries[0] = keys[0];
    k.n = values[1] = keys[1];
    const double *q = ap_mex_array("q", prhs[0], 2, queries);
    k.V = ap_mex_array("V", prhs[2], 2, values);
    k.dv = values[0];
    const ap_rule rule = ap_mex_rule("settings", prhs[3]);

    const size_t m = queries[1];
    double *out = ap_mex_put(&plhs[0], 2, (size_t[]){k.dv, m});
    double *Omega = nlhs > 1 ? ap_mex_put(&plhs[1], 2, (size_t[]){k.n, m}) : NULL;
    ap_work *work = ap_mex_work(0);

    const double n = (double)k.n, together = m < 512 ? (double)m : 512.0;  // queries, as the core takes them
    const double factor = rule.kind == AP_CME ? n * n * n / 3.0 : 0.0;
    ap_mex_threads(0, factor + 2.0 * n * together * (double)(k.d + k.dv));
    ap_mex_check(ap_attend(out, Omega, &rule, &k, q, m, work, &ap_mex_err));
    ap_mex_finite("an estimate", plhs[0]);
}
