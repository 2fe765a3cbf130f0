// ap_energy.c: the energy of the order parameter U_1, and the factor that everything else is made from
// SPDX-License-Identifier: BSD-3-Clause
//
//   E = log det A + y' A^{-1} y,   A = K(U_1) + T I                                                         (T7)
//
// Some examples have no path inputs (ap_moments.c): there are `null_examples` of them, and the squares of their labels
// sum to `rest`. Their kernel is 0, and they add null_examples log T + rest/T.
// Examples may have noise of their own, T t_mu: path inputs and labels are then those over sqrt (t_mu), and with
// `lognoise`, the sum of log t over the rows of A, E is that of A = K + T diag (t) (T35).
// Several outputs: coupled ones (T18) are a problem of P C rows like any other, for only the kernel uses blocks
// (ap_kernel_outputs.c). Outputs that share one U have one A for m columns of labels; with S over m (theory.md section
// 12) y y' is their mean Y Y' / m, so that y stands for the columns of Y / sqrt (m), and sums over them.
// -E/2 is, up to a constant, the log likelihood of the labels given U_1 (T12): the action adds its entropy to E, the
// samplers their prior. What is computed on the way, the factor of A and b = A^{-1} y, is an ap_fit and is kept: the
// gradient dE/dU_1 follows from it by ap_kernel_gradient, the curvature and the predictor as well.
// Rounding: the factor is that of A + dA, |dA| about eps |A|, so log det A is off by tr (A^{-1} dA) and y' A^{-1} y by
// b' dA b, which for a nearly singular A is far more than eps times the value. `noise` adds these up, with diagonal
// entries for norms: an estimate, for stopping rules.
// Where they come to more than `most_noise`, reflections recompute F without squaring (ap_orthogonal.c): its
// rounding goes with the root of the condition. y' A^{-1} y is then the square of F^{-1} y.
// Cost: K(U_1) (ap_kernel.c) and P^3/3 flops; with the gradient ap_kernel_gradient's as well.

#include "action/ap_action.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double most_noise = 1e-6;  // of the action, whose unit is that of a log likelihood

size_t ap_problem_columns(const ap_problem *p) { return p->label_columns > 1 ? p->label_columns : 1; }

size_t ap_problem_outputs(const ap_problem *p) { return ap_problem_columns(p) * p->kernel->outputs; }

size_t ap_problem_rows(const ap_problem *p) { return ap_plus(p->kernel->P, p->null_examples); }

double ap_problem_squares(const ap_problem *p) {
    const size_t m = ap_problem_columns(p);
    return ap_dot(p->kernel->P * m, p->y, p->y) + (double)m * p->null_sumsq;
}

size_t ap_fit_size(const ap_problem *p) {
    const size_t P = p->kernel->P;
    return ap_times(P, ap_plus(P, ap_problem_columns(p)));
}

ap_status ap_fit_take(ap_fit *fit, const ap_problem *p, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P;
    *fit = (ap_fit){.F = ap_take(work, ap_fit_size(p))};  // one array holds both
    if (fit->F == NULL) return ap_not_taken(work, err, "ap_fit_take");
    fit->b = fit->F + P * P;
    return AP_OK;
}

// F, which holds K, := the Cholesky factor of A; AP_ENOTSPD where it has none.
static ap_status factor(ap_fit *fit, const ap_problem *p, ap_error *err) {
    const size_t P = p->kernel->P;
    for (size_t mu = 0; mu < P; mu++) fit->F[mu + P * mu] += p->net->temperature;
    fit->from_qr = false;
    fit->largest = ap_spd_largest(fit->F, P);
    const ap_status status = ap_spd_chol(fit->F, P, "the kernel K(U) + T I", err);
    if (status == AP_ENOTSPD)
        return ap_fail(err, status,
                       "the kernel K(U) + T I with T = %g is not positive definite in double precision: raise the "
                       "temperature, or remove examples that repeat others",
                       p->net->temperature);
    return status;
}

// b and y' A^{-1} y from F
static void labels(ap_fit *fit, const ap_problem *p) {
    const size_t P = p->kernel->P, m = ap_problem_columns(p);
    double *b = fit->b;
    memcpy(b, p->y, P * m * sizeof(double));
    for (size_t i = 0; m > 1 && i < P * m; i++) b[i] /= sqrt((double)m);
    ap_trsm('L', 'N', P, m, 1.0, fit->F, P, b, P);
    if (fit->from_qr) fit->squares = ap_dot(P * m, b, b);
    ap_trsm('L', 'T', P, m, 1.0, fit->F, P, b, P);
    if (!fit->from_qr) fit->squares = ap_dot(P * m, p->y, b) / sqrt((double)m);
}

// sum_i |c_i| (|F'| |b|)_i, c = F' b: what relative changes of F's entries do to c' c
static double triangle(const double *F, const double *b, size_t P) {
    double sum = 0.0;
    for (size_t i = 0; i < P; i++) {
        double c = 0.0, size = 0.0;
        for (size_t j = i; j < P; j++) {
            const double term = F[j + P * i] * b[j];
            c += term;
            size += fabs(term);
        }
        sum += fabs(c) * size;
    }
    return sum;
}

// What rounding of F may add to log det A and to y' A^{-1} y; see the top, and ap_orthogonal.c. A
// column that is turned P times is off by sqrt (P) eps/2 of itself, the solution by a triangle of P rows once more, and
// both sums have a factor of 2. The rows of sqrt (T) I keep their own scale, as F does: so |Phi b|
// stands with |A|, and `triangle` for the rest of B b.
static double rounding(const ap_fit *fit, const ap_problem *p) {
    const size_t P = p->kernel->P, m = ap_problem_columns(p);
    const double condition = ap_spd_condition(fit->largest, fit->F, P), bb = ap_dot(P * m, fit->b, fit->b);
    if (!fit->from_qr) return condition + fit->largest * bb;
    double own = 0.0;
    for (size_t c = 0; c < m; c++) own += triangle(fit->F, fit->b + P * c, P);
    const double inputs = fmax(fit->squares - p->net->temperature * bb, 0.0);  // |Phi b|^2
    return 2.0 * sqrt((double)P) * (sqrt(condition) + own + sqrt(inputs * fit->largest * bb));
}

ap_status ap_fit_make(ap_fit *fit, const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                      ap_error *err) {
    const bool can = root != NULL && root->reflect && p->kernel->outputs == 1 && p->net->temperature > 0.0;
    if (p->null_examples > 0 && !(p->net->temperature > 0.0))
        return ap_fail(err, AP_ENOTSPD,
                       "the kernel K(U) + T I with T = 0 is not positive definite: %zu examples are more than their "
                       "%zu independent path inputs; raise the temperature",
                       ap_problem_rows(p), p->kernel->P);
    ap_status status = ap_kernel_combine(fit->F, p->kernel, U, root, work, err);
    if (status == AP_OK) status = factor(fit, p, err);
    if (status < 0 && !(can && status == AP_ENOTSPD)) return status;
    if (status == AP_OK) labels(fit, p);
    if (!can) return status;
    if (status == AP_OK && DBL_EPSILON * rounding(fit, p) <= most_noise) return AP_OK;
    fit->from_qr = true;
    status = ap_orthogonal_factor(fit->F, p->kernel, root, p->net->temperature, work, err);
    if (status == AP_OK) labels(fit, p);
    return status;
}

ap_status ap_fit_combined(ap_fit *fit, const ap_problem *p, ap_error *err) {
    const ap_status status = factor(fit, p, err);
    if (status == AP_OK) labels(fit, p);
    return status;
}

ap_status ap_energy(ap_fit *fit, const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                    ap_error *err) {
    const ap_status status = ap_fit_make(fit, p, U, root, work, err);
    if (status < 0) return status;
    fit->energy = fit->u_dependent = ap_spd_logdet(fit->F, p->kernel->P) + fit->squares;
    fit->noise = DBL_EPSILON * (fabs(fit->u_dependent) + rounding(fit, p));
    if (p->null_examples > 0) fit->energy += (double)p->null_examples * log(p->net->temperature);
    if (p->null_sumsq > 0.0 && p->net->temperature > 0.0) fit->energy += p->null_sumsq / p->net->temperature;
    fit->energy += p->lognoise;
    if (!isfinite(fit->energy)) return ap_fail(err, AP_ENONFINITE, "the energy is not finite");
    return AP_OK;
}

// The gradient by U_1 of the energy whose fit this is: of a factor from reflections by way of the path inputs, also
// where kernels are stored (ap_orthogonal.c).
ap_status ap_fit_gradient(double *G, const ap_fit *fit, const ap_problem *p, ap_work *work, ap_error *err) {
    ap_kernel kernel = *p->kernel;
    if (fit->from_qr) ap_kernel_bare(&kernel);
    return ap_kernel_gradient(G, &kernel, fit->F, fit->b, ap_problem_columns(p), work, err);
}

ap_status ap_energy_gradient(double *energy, double *G, const ap_problem *p, const double *U, const ap_root *root,
                             ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    ap_fit fit;
    ap_status status = ap_fit_take(&fit, p, work, err);
    if (status == AP_OK) status = ap_energy(&fit, p, U, root, work, err);
    if (status == AP_OK) status = ap_fit_gradient(G, &fit, p, work, err);
    if (status == AP_OK) *energy = fit.energy;
    work->used = mark;
    return status;
}
