// attnpath_attend_mex.c: one attention head applied (section 11)
// SPDX-License-Identifier: BSD-3-Clause
//
// [out, Omega] = attnpath_attend_mex (q, K, V, settings)

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("attend", nrhs == 4 && nlhs <= 2, "[out, Omega] = attnpath_attend_mex (q, K, V, settings)");
    size_t keys[2] = {0, 0};
    const double *K = ap_mex_array("K", prhs[1], 2, keys);
    size_t queries[2] = {keys[0], 0}, values[2] = {0, keys[1]};
    const double *q = ap_mex_array("q", prhs[0], 2, queries), *V = ap_mex_array("V", prhs[2], 2, values);
    const ap_keys k = {.d = keys[0], .n = keys[1], .dv = values[0], .K = K, .V = V};
    const ap_rule rule = ap_mex_rule("settings", prhs[3]);

    const size_t m = queries[1];
    double *out = ap_mex_put(&plhs[0], 2, (size_t[]){k.dv, m});
    double *Omega = nlhs > 1 ? ap_mex_put(&plhs[1], 2, (size_t[]){k.n, m}) : NULL;

    const double n = (double)k.n, together = m < 512 ? (double)m : 512.0;  // queries, as the core takes them
    const double factor = rule.kind == AP_CME ? n * n * n / 3.0 : 0.0;
    ap_mex_threads(0, factor + 2.0 * n * together * (double)(k.d + k.dv));
    ap_mex_check(ap_attend(out, Omega, &rule, &k, q, m, ap_mex_work(0), &ap_mex_err));
    ap_mex_finite("an estimate", plhs[0]);
}
