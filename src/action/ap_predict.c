// ap_predict.c: mean and variance of the Bayesian predictor
// SPDX-License-Identifier: BSD-3-Clause
//
//   <f(x)> = k' A^{-1} y,    Var f(x) = kappa - k' A^{-1} k                                              (T10)
//
// with A = K(U) + T I over the training set, k(mu) = K(x, x_mu), kappa = K(x, x). With A = F F' the variance is
// kappa - |F^{-1} k|^2. For C outputs k has a column per output, the mean one value, and the variance is C x C; outputs
// that share one U have one variance (ap_energy.c). The factor F is made once, for any number of calls with test
// examples; where A has no digits left, and U is definite, by reflections (ap_orthogonal.c). Test examples are taken in
// blocks, so that memory does not grow with their number.
// Where the path inputs of the training set are held in a basis of their span (ap_span.c), those of a test example meet
// them by their part within it; kappa counts the rest as well.
// Cost: the fit 2 P^2 N0 Pi + P^3/3 flops (ap_energy.c); 2 P N0 Pi + P^2 a test example.

#include <float.h>
#include <math.h>
#include <string.h>

#include "action/ap_action.h"

enum { block = 128 };
static const double most_noise = 1e-6;  // of predictions

// Why there is no factor: the sentence names the smallest eigenvalue of K.
static ap_status explain(double *K, const ap_problem *p, const double *U, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, mark = work->used;
    ap_status status = ap_kernel_combine(K, p->kernel, U, NULL, work, err);
    double *w = ap_take_matrix(work, 4, P);
    if (status == AP_OK && w == NULL) status = ap_not_taken(work, err, "ap_predict_fit");
    if (status == AP_OK) status = ap_spd_eigen('N', w, K, P, "the kernel K(U)", w + P, err);
    if (status == AP_OK)
        status = ap_fail(err, AP_ENOTSPD,
                         "the kernel K(U) + T I is not positive definite: K's smallest eigenvalue is %g, T is %g", w[0],
                         p->net->temperature);
    work->used = mark;
    return status;
}

// Has the factor no digits to lose? Predictions, relative to the labels, are off by eps times the condition of A.
static bool is_fine(const ap_fit *fit, size_t P) {
    return DBL_EPSILON * ap_spd_condition(fit->largest, fit->F, P) <= most_noise;
}

// The fit by reflections, where U has a Cholesky factor; as it was where it has none.
static ap_status reflect(ap_fit *fit, ap_status status, const ap_problem *p, const double *U, ap_work *work,
                         ap_error *err) {
    const size_t m = p->kernel->paths, mark = work->used;
    double *R = ap_take_matrix(work, m, m);
    if (R == NULL) return ap_not_taken(work, err, "ap_predict_fit");
    memcpy(R, U, m * m * sizeof(double));
    const ap_root root = {.R = R, .columns = m, .lower = true, .reflect = true};
    if (ap_spd_chol(R, m, "U", err) == AP_OK) status = ap_fit_make(fit, p, U, &root, work, err);
    work->used = mark;
    return status;
}

ap_status ap_predict_fit(ap_fit *fit, const ap_problem *p, const double *U, ap_work *work, ap_error *err) {
    ap_status status = ap_fit_make(fit, p, U, NULL, work, err);
    if (status == AP_ENOTSPD || (status == AP_OK && !is_fine(fit, p->kernel->P)))
        status = reflect(fit, status, p, U, work, err);
    return status == AP_ENOTSPD ? explain(fit->F, p, U, work, err) : status;
}

// k := K (T18) between the training set and output d of some test inputs x [N0 x count x inputs], [P x count]; kappa
// [C x C x count] gets the row of d where it is wanted.
static void cross_kernel(double *k, double *kappa, const ap_kernel *kernel, const double *U, const double *x,
                         size_t count, size_t d, double *Y, double *inside) {
    const size_t N0 = kernel->features, cells = N0 * count, C = kernel->outputs;
    ap_kernel_weigh(Y, kernel, kernel->scale, U, d, x, count);
    ap_kernel_scatter(k, kernel, 1.0, ap_kernel_inside(inside, kernel, Y, count * kernel->paths), count);
    for (size_t i = 0; kappa != NULL && i < count; i++)
        for (size_t c = 0; c < C; c++) {
            double sum = 0.0;
            for (size_t a = 0; a < kernel->inputs; a++)
                sum += ap_dot(N0, x + cells * a + N0 * i, Y + cells * (C * a + c) + N0 * i);
            kappa[c + C * (d + C * i)] = sum;
        }
}

// s2 := kappa - k' A^{-1} k of every test input, k [P x count x C] having been through the factor.
static void subtract(double *s2, const double *k, size_t P, size_t count, size_t C) {
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; d < C; d++)
            for (size_t c = 0; c <= d; c++) {
                double *here = s2 + C * C * i;
                const double v = here[c + C * d] - ap_dot(P, k + P * (i + count * c), k + P * (i + count * d));
                here[c + C * d] = here[d + C * c] = c == d && v < 0.0 ? 0.0 : v;  // rounding can cross zero
            }
}

ap_status ap_predict(double *mu, double *s2, const ap_problem *p, const ap_fit *fit, const double *U,
                     const ap_inputs *x2, ap_work *work, ap_error *err) {
    const ap_kernel *kernel = p->kernel;
    const size_t N0 = kernel->features, P = kernel->P, P2 = x2->P, C = kernel->outputs, m = ap_problem_columns(p);
    const size_t most = (block + C - 1) / C, mark = work->used;
    if (!ap_blas_fits(ap_times(N0, most)))
        return ap_fail(err, AP_ESIZE, "%zu features are more than BLAS can count", N0);
    double *k = ap_take_matrix(work, P, most * C), *Y = ap_take_matrix(work, ap_times(N0, most), kernel->paths);
    double *x = ap_take_matrix(work, ap_times(N0, most), kernel->inputs);
    double *inside = ap_take(work, ap_kernel_inside_size(kernel, ap_times(most, kernel->paths)));
    ap_status status = inside == NULL ? ap_not_taken(work, err, "ap_predict") : AP_OK;
    for (size_t first = 0; status == AP_OK && first < P2; first += most) {
        const size_t count = P2 - first < most ? P2 - first : most, cells = N0 * count;
        status = ap_kernel_stops(kernel) ? AP_INTERRUPTED : AP_OK;
        if (status != AP_OK) break;
        double *spread = s2 == NULL ? NULL : s2 + C * C * first;
        for (size_t a = 0; a < kernel->inputs; a++)  // the block's path inputs side by side
            memcpy(x + cells * a, x2->Xi + N0 * (first + P2 * a), cells * sizeof(double));
        for (size_t d = 0; d < C; d++) {
            double *kd = k + P * count * d;
            cross_kernel(kd, spread, kernel, U, x, count, d, Y, inside);
            for (size_t column = 0; column < m; column++)
                ap_gemv('T', P, count, sqrt((double)m), kd, P, fit->b + P * column, 0.0,
                        mu + first + P2 * (d + column));
        }
        if (s2 == NULL) continue;
        ap_trsm('L', 'N', P, count * C, 1.0, fit->F, P, k, P);
        subtract(spread, k, P, count, C);
    }
    work->used = mark;
    return status;
}
