// ap_energy_hessian.c: the energy's second derivative, exactly, as a linear map
// SPDX-License-Identifier: BSD-3-Clause
//
// The form that ap_energy_probes.c estimates with random vectors: along x, with A = F F', b = A^{-1} y, K = K(x),
//
//   2 |F^{-1} K b|^2 - |F^{-1} K F^{-T}|^2,      half its derivative by x the contraction of
//   - A^{-1} K A^{-1} + b w' + w b',             w = A^{-1} K b
//
// either in the coordinates of U_1, or in the frame x = R d R'. A^{-1} K A^{-1} can be had in two ways:
//
//   solves    F^{-T} (F^{-1} K F^{-T}) F^{-1} by triangular solves, 4 P^3 flops: the certificate's, the evidence's
//   inverse   the same by LAPACK's dsygst, from one triangle and with the inverse of F: 2 P^3 flops, at two thirds of
//             the speed of matrix products. That squares the condition of F, which a search can bear
//
// The solves leave both products symmetric but for rounding, about eps |K| / T and eps |K| / T^2. A contraction reads
// one triangle of terms that must cancel. So both products are made symmetric, which leaves eps^2 |K|^2 / T^2.
//
// K and a contraction are as much again: a product takes as long as two or three evaluations, and ten times the
// flops of eight random vectors, but in larger matrices. A search that has it needs no more than half the evaluations
// if the vectors are few compared with the unknowns.

#include "saddle/ap_saddle.h"

#include <float.h>
#include <math.h>
#include <string.h>

ap_status ap_energy_hessian_take(ap_energy_hessian *t, const ap_problem *p, bool fast, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, paths = p->kernel->paths, m = ap_problem_columns(p);
    *t = (ap_energy_hessian){.p = p, .fast = fast};
    if (fast) {
        t->own = ap_take_matrix(work, P, P);
        t->labels = ap_take_matrix(work, P, m);
        t->inverse = ap_take_matrix(work, P, P);
    }
    t->K = ap_take_matrix(work, P, P);
    t->w = ap_take_matrix(work, P, m);
    t->X = ap_take_matrix(work, paths, paths);
    return t->X == NULL ? ap_not_taken(work, err, "ap_energy_hessian") : AP_OK;
}

ap_status ap_energy_hessian_make(ap_energy_hessian *t, const ap_point *point, const double *R, ap_error *err) {
    const size_t P = t->p->kernel->P;
    t->R = R;
    t->F = point->fit.F;
    t->b = point->fit.b;
    if (!t->fast) return AP_OK;
    memcpy(t->own, t->F, P * P * sizeof(double));
    memcpy(t->labels, t->b, P * ap_problem_columns(t->p) * sizeof(double));
    memcpy(t->inverse, t->F, P * P * sizeof(double));
    t->F = t->own;
    t->b = t->labels;
    return ap_spd_invert_factor(t->inverse, P, P)
               ? AP_OK
               : ap_fail(err, AP_ENOTSPD, "the Cholesky factor of A has a zero pivot");
}

// K := A^{-1} K A^{-1}, from lower to lower
static ap_status sandwich(ap_energy_hessian *t, ap_error *err) {
    const size_t P = t->p->kernel->P;
    if (!t->fast) {
        ap_spd_divide('N', t->K, t->F, P);
        ap_spd_symmetrise(t->K, P);
        ap_spd_divide('T', t->K, t->F, P);
        ap_spd_symmetrise(t->K, P);
    } else if (!ap_sygst('N', P, t->K, P, t->F, P) || !ap_sygst('T', P, t->K, P, t->inverse, P)) {
        return ap_fail(err, AP_ELAPACK, "dsygst refuses a matrix of order %zu", P);
    }
    return AP_OK;
}

static double norm(const double *a, size_t count) { return sqrt(ap_dot(count, a, a)); }

// K := - A^{-1} K A^{-1} + b w' + w b', lower
static ap_status second_derivative(ap_energy_hessian *t, ap_error *err) {
    const size_t P = t->p->kernel->P, m = ap_problem_columns(t->p);
    for (size_t c = 0; c < m; c++) ap_symv(P, 1.0, t->K, P, t->b + P * c, 0.0, t->w + P * c);
    ap_spd_solve(t->F, P, t->w, m);
    if (!t->fast) ap_spd_mirror(t->K, P);
    const double size = t->fast ? 0.0 : DBL_EPSILON * norm(t->K, P * P);
    const ap_status status = sandwich(t, err);
    if (!t->fast) {
        double slope = 2.0 * norm(t->K, P * P);
        for (size_t c = 0; c < m * P; c += P) slope += 4.0 * norm(t->b + c, P) * norm(t->w + c, P);
        t->noise = fmax(t->noise, size * slope);
    }
    for (size_t j = 0; status == AP_OK && j < P; j++)
        for (size_t i = j; i < P; i++) {
            double labels = 0.0;
            for (size_t c = 0; c < m * P; c += P) labels += t->b[i + c] * t->w[j + c] + t->w[i + c] * t->b[j + c];
            t->K[i + P * j] = labels - t->K[i + P * j];
        }
    return status;
}

ap_status ap_energy_hessian_energy(double *X, ap_energy_hessian *t, ap_work *work, ap_error *err) {
    ap_status status = ap_kernel_combine(t->K, t->p->kernel, X, NULL, work, err);
    if (status == AP_OK) status = second_derivative(t, err);
    if (status == AP_OK) status = ap_kernel_contract(X, t->p->kernel, t->K, work, err);
    return status;
}

ap_status ap_energy_hessian_add(double *M, ap_energy_hessian *t, const double *d, ap_work *work, ap_error *err) {
    const size_t paths = t->p->kernel->paths;
    memcpy(t->X, d, paths * paths * sizeof(double));
    ap_spd_multiply('N', t->X, t->R, paths);
    const ap_status status = ap_energy_hessian_energy(t->X, t, work, err);
    if (status < 0) return status;
    ap_spd_multiply('T', t->X, t->R, paths);
    for (size_t j = 0; j < paths; j++)
        for (size_t i = 0; i < paths; i++) M[i + paths * j] += 0.5 * (t->X[i + paths * j] + t->X[j + paths * i]);
    return AP_OK;
}
