// ap_predict.c: mean and variance of the Bayesian predictor
// SPDX-License-Identifier: BSD-3-Clause
//
//   <f(x)> = k' A^{-1} y,    Var f(x) = kappa - k' A^{-1} k                                              (T10)
//
// with A = K(U) + T I over the training set, k(mu) = K(x, x_mu), kappa = K(x, x). With A = F F' the variance is
// kappa - |F^{-1} k|^2. Test examples are taken in blocks, so that memory does not grow with their number. Cost:
// 2 P^2 N0 Pi + P^3/3 flops once, 2 P N0 Pi + P^2 a test example.

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_spd.h"

enum { block = 128 };

size_t ap_predict_worksize(const ap_net *net, size_t N0, size_t P) {
    const size_t paths = ap_net_paths(net, 1);
    const size_t train = ap_kernel_cross_worksize(net, N0, P);
    const size_t test = ap_plus(ap_times(2, ap_times(ap_times(N0, block), paths)), ap_times(P, block));
    const size_t failure = ap_times(4, P);
    const size_t inner = train > test ? (train > failure ? train : failure) : (test > failure ? test : failure);
    return ap_plus(ap_plus(ap_times(P, P), P), inner);
}

// F := Cholesky factor of K(U) + T I; if there is none, the sentence names the smallest eigenvalue.
static ap_status factor(double *F, const ap_net *net, size_t N0, const double *Xi, size_t P, const double *U,
                        ap_work *work, ap_error *err) {
    ap_status status = ap_kernel_cross(F, net, N0, Xi, P, Xi, P, U, work, err);
    if (status < 0) return status;
    for (size_t mu = 0; mu < P; mu++) F[mu + P * mu] += net->temperature;
    status = ap_spd_chol(F, P, "the kernel K(U) + T I", err);
    if (status != AP_ENOTSPD) return status;
    status = ap_kernel_cross(F, net, N0, Xi, P, Xi, P, U, work, err);
    if (status < 0) return status;
    for (size_t i = 0; i < P * P; i++)
        if (!isfinite(F[i])) return ap_fail(err, AP_ENONFINITE, "the kernel K(U) is not finite");
    double smallest = 0.0, *w = ap_take(work, 4 * P);
    if (w == NULL) return ap_no_memory(err, "ap_predict");
    status = ap_spd_smallest(&smallest, F, P, w, w + P, err);
    if (status < 0) return status;
    return ap_fail(err, AP_ENOTSPD,
                   "the kernel K(U) + T I is not positive definite: K's smallest eigenvalue is %g, T is %g", smallest,
                   net->temperature);
}

ap_status ap_predict(double *mu, double *s2, const ap_net *net, size_t N0, const double *Xi, size_t P, const double *y,
                     const double *U, const double *Xi2, size_t P2, ap_work *work, ap_error *err) {
    const size_t paths = ap_net_paths(net, 1), mark = work->used;
    const double scale = net->variance[0] / ((double)N0 * (double)paths);
    if (!ap_blas_fits(ap_times(N0, block)))
        return ap_fail(err, AP_ESIZE, "%zu features are more than BLAS can count", N0);
    double *F = ap_take(work, P * P), *b = ap_take(work, P);
    ap_status status = b == NULL ? ap_no_memory(err, "ap_predict") : factor(F, net, N0, Xi, P, U, work, err);
    if (status < 0) goto done;
    memcpy(b, y, P * sizeof(double));
    ap_spd_solve(F, P, b, 1);
    double *k = ap_take(work, P * block), *Y = ap_take(work, N0 * block * paths);
    double *x = ap_take(work, N0 * block * paths);
    if (x == NULL) {
        status = ap_no_memory(err, "ap_predict");
        goto done;
    }
    for (size_t first = 0; first < P2; first += block) {
        const size_t count = P2 - first < block ? P2 - first : block, cells = N0 * count;
        for (size_t a = 0; a < paths; a++)  // the block's path inputs side by side
            memcpy(x + cells * a, Xi2 + N0 * (first + P2 * a), cells * sizeof(double));
        ap_gemm('N', 'N', cells, paths, paths, scale, x, cells, U, paths, 0.0, Y, cells);
        for (size_t a = 0; a < paths; a++)
            ap_gemm('T', 'N', P, count, N0, 1.0, Xi + N0 * P * a, N0, Y + cells * a, N0, a == 0 ? 0.0 : 1.0, k, P);
        ap_gemv('T', P, count, 1.0, k, P, b, 0.0, mu + first);
        if (s2 == NULL) continue;
        ap_trsm('L', 'N', P, count, 1.0, F, P, k, P);
        for (size_t i = 0; i < count; i++) {
            double kappa = 0.0;
            for (size_t a = 0; a < paths; a++) kappa += ap_dot(N0, x + cells * a + N0 * i, Y + cells * a + N0 * i);
            const double variance = kappa - ap_dot(P, k + P * i, k + P * i);
            s2[first + i] = variance < 0.0 ? 0.0 : variance;  // rounding can cross zero
        }
    }
done:
    work->used = mark;
    return status;
}
