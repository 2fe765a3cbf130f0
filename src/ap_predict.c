// ap_predict.c: mean and variance of the Bayesian predictor
// SPDX-License-Identifier: BSD-3-Clause
//
//   <f(x)> = k' A^{-1} y,    Var f(x) = kappa - k' A^{-1} k                                              (T10)
//
// with A = K(U) + T I over the training set, k(mu) = K(x, x_mu), kappa = K(x, x). With A = F F' the variance is
// kappa - |F^{-1} k|^2. The factor F is made once, for any number of calls with test examples. These are taken in
// blocks, so that memory does not grow with their number.
// Cost: the fit 2 P^2 N0 Pi + P^3/3 flops (ap_energy.c); 2 P N0 Pi + P^2 a test example.

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_spd.h"

enum { block = 128 };

size_t ap_predict_worksize(const ap_problem *p) {
    const ap_inputs none = {.N0 = p->kernel->N0};
    ap_work count = ap_counting();
    ap_fit fit = {0};
    ap_status status = ap_predict_fit(&fit, p, NULL, &count, NULL);
    if (status == AP_OK) status = ap_predict(NULL, NULL, p, &fit, NULL, &none, &count, NULL);
    return ap_counted(&count, status);
}

// Why there is no factor: the sentence names the smallest eigenvalue of K.
static ap_status explain(double *K, const ap_problem *p, const double *U, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, mark = work->used;
    double smallest = 0.0;
    ap_status status = ap_kernel_combine(K, p->kernel, U, NULL, work, err);
    double *w = ap_take_matrix(work, 4, P);
    if (status == AP_OK && w == NULL) status = ap_not_taken(work, err, "ap_predict_fit");
    if (status < 0 || work->counts) goto done;
    for (size_t i = 0; i < P * P; i++)
        if (!isfinite(K[i])) {
            status = ap_fail(err, AP_ENONFINITE, "the kernel K(U) is not finite");
            goto done;
        }
    status = ap_spd_smallest(&smallest, K, P, w, w + P, err);
    if (status == AP_OK)
        status = ap_fail(err, AP_ENOTSPD,
                         "the kernel K(U) + T I is not positive definite: K's smallest eigenvalue is %g, T is %g",
                         smallest, p->net->temperature);
done:
    work->used = mark;
    return status;
}

ap_status ap_predict_fit(ap_fit *fit, const ap_problem *p, const double *U, ap_work *work, ap_error *err) {
    const ap_status status = ap_fit_make(fit, p, U, NULL, work, err);
    return status == AP_ENOTSPD || work->counts ? explain(fit->F, p, U, work, err) : status;
}

ap_status ap_predict(double *mu, double *s2, const ap_problem *p, const ap_fit *fit, const double *U,
                     const ap_inputs *x2, ap_work *work, ap_error *err) {
    const size_t paths = p->kernel->paths, N0 = p->kernel->N0, P = p->kernel->P, P2 = x2->P, mark = work->used;
    const double *Xi = p->kernel->Xi, *F = fit->F;
    ap_status status = AP_OK;
    if (!ap_blas_fits(ap_times(N0, block)))
        return ap_fail(err, AP_ESIZE, "%zu features are more than BLAS can count", N0);
    double *k = ap_take_matrix(work, P, block), *Y = ap_take_matrix(work, ap_times(N0, block), paths);
    double *x = ap_take_matrix(work, ap_times(N0, block), paths);
    if (x == NULL) {
        status = ap_not_taken(work, err, "ap_predict");
        goto done;
    }
    for (size_t first = 0; first < P2; first += block) {
        const size_t count = P2 - first < block ? P2 - first : block, cells = N0 * count;
        for (size_t a = 0; a < paths; a++)  // the block's path inputs side by side
            memcpy(x + cells * a, x2->Xi + N0 * (first + P2 * a), cells * sizeof(double));
        ap_gemm('N', 'N', cells, paths, paths, p->kernel->scale, x, cells, U, paths, 0.0, Y, cells);
        for (size_t a = 0; a < paths; a++)
            ap_gemm('T', 'N', P, count, N0, 1.0, Xi + N0 * P * a, N0, Y + cells * a, N0, a == 0 ? 0.0 : 1.0, k, P);
        ap_gemv('T', P, count, 1.0, k, P, fit->b, 0.0, mu + first);
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
