// ap_energy.c: the energy of the order parameter U_1, and the factor that everything else is made from
// SPDX-License-Identifier: BSD-3-Clause
//
//   E = log det A + y' A^{-1} y,   A = K(U_1) + T I                                                         (T7)
//
// Examples without path inputs (ap_moments.c), `hidden` many with labels whose squares sum to `rest`, have the kernel 0
// and add hidden log T + rest/T.
// Several outputs: coupled ones (T18) are a problem of P C rows like any other, for the kernel knows of blocks alone
// (ap_outputs.c). Outputs that share one U have one A for m columns of labels; with S over m (theory.md section 12)
// y y' is their mean Y Y' / m, so that y stands for the columns of Y / sqrt (m), and sums over them.
// -E/2 is, up to a constant, the log likelihood of the labels given U_1 (T12): the action adds its entropy to E, the
// samplers their prior. What is computed on the way, the factor of A and b = A^{-1} y, is an ap_fit and is kept: the
// gradient dE/dU_1 follows from it by ap_kernel_gradient, the curvature and the predictor as well.
// Rounding: the factor is that of A + dA, |dA| about eps |A|, so log det A is off by tr (A^{-1} dA) and y' A^{-1} y by
// b' dA b, which for a nearly singular A is far more than eps times the value. `noise` adds these up, with diagonal
// entries for norms: an estimate, for stopping rules.
// Cost: K(U_1) (ap_kernel.c) and P^3/3 flops; with the gradient ap_kernel_gradient's as well.

#include <float.h>
#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_spd.h"

size_t ap_problem_columns(const ap_problem *p) { return p->shared > 1 ? p->shared : 1; }

size_t ap_fit_size(const ap_problem *p) {
    ap_work count = ap_counting();
    ap_fit fit;
    return ap_counted(&count, ap_fit_take(&fit, p, &count, NULL));
}

ap_status ap_fit_take(ap_fit *fit, const ap_problem *p, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P;
    *fit = (ap_fit){.F = ap_take_matrix(work, P, P)};
    fit->b = ap_take_matrix(work, P, ap_problem_columns(p));  // behind F: one array [P x (P+1)] holds both
    return fit->b == NULL ? ap_not_taken(work, err, "ap_fit_take") : AP_OK;
}

ap_status ap_fit_make(ap_fit *fit, const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                      ap_error *err) {
    const size_t P = p->kernel->P;
    double *F = fit->F, *b = fit->b;
    if (p->hidden > 0 && !(p->net->temperature > 0.0))
        return ap_fail(err, AP_ENOTSPD,
                       "the kernel K(U) + T I with T = 0 is not positive definite: %zu examples are more than their "
                       "%zu independent path inputs; raise the temperature",
                       P + p->hidden, P);
    ap_status status = ap_kernel_combine(F, p->kernel, U, root, work, err);
    if (status < 0 || work->counts) return status;
    for (size_t mu = 0; mu < P; mu++) F[mu + P * mu] += p->net->temperature;
    fit->largest = ap_spd_largest(F, P);
    status = ap_spd_chol(F, P, "the kernel K(U) + T I", err);
    if (status == AP_ENOTSPD)
        return ap_fail(err, status,
                       "the kernel K(U) + T I with T = %g is not positive definite in double precision: raise the "
                       "temperature, or remove examples that repeat others",
                       p->net->temperature);
    if (status < 0) return status;
    const size_t m = ap_problem_columns(p);
    memcpy(b, p->y, P * m * sizeof(double));
    for (size_t i = 0; m > 1 && i < P * m; i++) b[i] /= sqrt((double)m);
    ap_spd_solve(F, P, b, m);
    return AP_OK;
}

ap_status ap_energy(ap_fit *fit, const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                    ap_error *err) {
    const size_t P = p->kernel->P, m = ap_problem_columns(p);
    const double *F = fit->F, *b = fit->b;
    const ap_status status = ap_fit_make(fit, p, U, root, work, err);
    if (status < 0 || work->counts) return status;
    fit->energy = ap_spd_logdet(F, P) + ap_dot(P * m, p->y, b) / sqrt((double)m);
    if (p->hidden > 0) fit->energy += (double)p->hidden * log(p->net->temperature) + p->rest / p->net->temperature;
    if (!isfinite(fit->energy)) return ap_fail(err, AP_ENONFINITE, "the energy is not finite");
    fit->noise =
        DBL_EPSILON * (fabs(fit->energy) + ap_spd_condition(fit->largest, F, P) + fit->largest * ap_dot(P * m, b, b));
    return AP_OK;
}

ap_status ap_energy_gradient(double *energy, double *G, const ap_problem *p, const double *U, const ap_root *root,
                             ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    ap_fit fit;
    ap_status status = ap_fit_take(&fit, p, work, err);
    if (status == AP_OK) status = ap_energy(&fit, p, U, root, work, err);
    if (status == AP_OK) status = ap_kernel_gradient(G, p->kernel, fit.F, fit.b, ap_problem_columns(p), work, err);
    if (status == AP_OK) *energy = fit.energy;
    work->used = mark;
    return status;
}
