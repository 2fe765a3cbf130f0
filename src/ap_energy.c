// ap_energy.c: the energy of the order parameter U_1
// SPDX-License-Identifier: BSD-3-Clause
//
//   E = log det A + y' A^{-1} y,   A = K(U_1) + T I                                                         (T7)
//
// -E/2 is, up to a constant, the log likelihood of the labels given U_1 (T12): the action adds its entropy to E, the
// samplers their prior. The gradient dE/dU_1 follows from F and b by ap_kernel_gradient.
// Rounding: the factor is that of A + dA, |dA| about eps |A|, so log det A is off by tr (A^{-1} dA) and y' A^{-1} y by
// b' dA b, which for a nearly singular A is far more than eps times the value. `noise` adds these up, with diagonal
// entries for norms: an estimate, for stopping rules.
// Cost: K(U_1) (ap_kernel.c) and P^3/3 flops; with the gradient ap_kernel_gradient's as well.

#include <float.h>
#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_spd.h"

size_t ap_energy_worksize(const ap_problem *p) { return ap_kernel_worksize(p->kernel); }

ap_status ap_energy(double *energy, double *noise, double *F, double *b, const ap_problem *p, const double *U,
                    const double *R, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P;
    ap_status status = ap_kernel_combine(F, p->kernel, U, R, work, err);
    if (status < 0) return status;
    for (size_t mu = 0; mu < P; mu++) F[mu + P * mu] += p->net->temperature;
    const double largest = ap_spd_largest(F, P);
    status = ap_spd_chol(F, P, "the kernel K(U) + T I", err);
    if (status == AP_ENOTSPD)
        return ap_fail(err, status,
                       "the kernel K(U) + T I with T = %g is not positive definite in double precision: raise the "
                       "temperature, or remove examples that repeat others",
                       p->net->temperature);
    if (status < 0) return status;
    memcpy(b, p->y, P * sizeof(double));
    ap_spd_solve(F, P, b, 1);
    *energy = ap_spd_logdet(F, P) + ap_dot(P, p->y, b);
    if (!isfinite(*energy)) return ap_fail(err, AP_ENONFINITE, "the energy is not finite");
    if (noise != NULL)
        *noise = DBL_EPSILON * (fabs(*energy) + ap_spd_condition(largest, F, P) + largest * ap_dot(P, b, b));
    return AP_OK;
}

size_t ap_energy_gradient_worksize(const ap_problem *p) {
    const size_t P = p->kernel->P;
    return ap_plus(ap_times(P, ap_plus(P, 1)), ap_energy_worksize(p));
}

ap_status ap_energy_gradient(double *energy, double *G, const ap_problem *p, const double *U, ap_work *work,
                             ap_error *err) {
    const size_t P = p->kernel->P, mark = work->used;
    double *F = ap_take(work, P * P), *b = ap_take(work, P);
    ap_status status = AP_OK;
    if (b == NULL) {
        status = ap_no_memory(err, "ap_energy_gradient");
        goto done;
    }
    status = ap_energy(energy, NULL, F, b, p, U, NULL, work, err);
    if (status < 0) goto done;
    status = ap_kernel_gradient(G, p->kernel, F, b, work, err);
done:
    work->used = mark;
    return status;
}
