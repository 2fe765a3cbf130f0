// attnpath_paths_mex.c: path inputs (T3)
// SPDX-License-Identifier: BSD-3-Clause
//
// Xi = attnpath_paths_mex (net, X, lengths, A)
//
// Chunks of examples run side by side with one BLAS thread each: the result does not depend on the number of threads.

#include "ap_mexutil.h"

static const char stem[] = "paths";

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 4 && nlhs <= 1, "Xi = attnpath_paths_mex (net, X, lengths, A)");
    size_t N0;
    const ap_net net = ap_mex_net(stem, prhs[0], &N0);
    const ap_tokens x = ap_mex_tokens(stem, prhs[1], prhs[2], N0);
    const double *const *A = ap_mex_maps(stem, prhs[3], &net, &x);
    if (net.heads == NULL && A == NULL) ap_mex_fail(stem, "noHeads", "this net has no heads: attention must be given");

    double *Xi = ap_mex_put(stem, &plhs[0], 3, (size_t[]){x.N0, x.P, ap_net_paths(&net, 1)});
    const size_t chunk = ap_paths_chunk(&x), chunks = (x.P + chunk - 1) / chunk, threads = ap_mex_threads(chunks);
    const size_t size = ap_plus(ap_paths_worksize(&net, &x), 7) / 8 * 8;  // alike in the cache lines for every thread
    double *scratch = ap_mex_work(stem, ap_times(threads, size)).base;

    ap_error err = {0};
    ap_status status = AP_OK;
    const int before = ap_mex_blas_threads(1);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (size_t k = 0; k < chunks; k++) {
        const size_t first = k * chunk, total = x.P - first < chunk ? x.P - first : chunk;
        ap_work work = {.base = scratch + size * ap_mex_thread(), .size = size, .used = 0};
        ap_error own = {0};
        ap_mex_worst(&status, &err, ap_paths_part(Xi, &net, &x, A, first, total, &work, &own), &own);
    }
    (void)ap_mex_blas_threads(before);
    ap_mex_check(stem, status, &err);
    ap_mex_finite(stem, "a path input", plhs[0]);
}
