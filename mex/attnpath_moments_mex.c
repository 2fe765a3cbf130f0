// attnpath_moments_mex.c: more examples into their moments (T20)
// SPDX-License-Identifier: BSD-3-Clause
//
// sums = attnpath_moments_mex (form, sums, Xi, y)
//
// form 'square' or 'factor'; y P x C; sums n x n from the call before, n = N0 Pi + C, or [] at first.

#include <string.h>

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("moments", nrhs == 4 && nlhs <= 1, "sums = attnpath_moments_mex (form, sums, Xi, y)");
    size_t size[3] = {0, 0, 0};
    const double *Xi = ap_mex_array("Xi", prhs[2], 3, size);
    const ap_inputs x = {.N0 = size[0], .P = size[1], .Xi = Xi};
    size_t labels[2] = {x.P, 0};
    const double *y = ap_mex_array("y", prhs[3], 2, labels);
    ap_moments m = {.form = ap_mex_form("form", prhs[0]), .N0 = x.N0, .paths = size[2], .outputs = labels[1]};
    ap_mex_check(ap_moments_check(&m, &ap_mex_err));

    const size_t n = x.N0 * m.paths + labels[1];
    m.sums = ap_mex_put(&plhs[0], 2, (size_t[]){n, n});
    if (!ap_mex_absent(prhs[1]))
        memcpy(m.sums, ap_mex_array("sums", prhs[1], 2, (size_t[]){n, n}), n * n * sizeof *m.sums);
    ap_work *work = ap_mex_work(ap_moments_size(&m));
    ap_mex_threads(0, 2.0 * (double)ap_moments_size(&m) * (double)x.P);
    ap_mex_check(ap_moments_add(&m, &x, y, work, &ap_mex_err));
    ap_mex_finite("the sum", plhs[0]);
}
