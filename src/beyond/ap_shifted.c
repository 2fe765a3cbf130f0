// ap_shifted.c: A (U_1 + x_i) z_i = e_i for many i, from the inverse of A (U_1)
// SPDX-License-Identifier: BSD-3-Clause
//
// Each example that is left out has order parameters of its own (T24), hence a matrix A_i = A + K(x_i) of its own. P
// factors would cost P^4 / 3. Conjugate gradients preconditioned by A^{-1}, started from z_i = A^{-1} e_i, need
// products K(x_i) p alone, because A A^{-1} r = r, and these are matrix products for many i at once:
//
//   K(x_i) p = scale sum_a Xi_a' (sum_b x_i(a,b) Xi_b p)                  4 N0 P Pi + 2 N0 Pi^2 flops
//
// If U_1 = F F' and U_1 + x = F Q F', the
// eigenvalues of A^{-1} A_i lie between the smallest and the largest of Q and 1, whatever T and P are: a few steps.
//
// Wanted are c_i = e_i' A_i^{-1} e_i and b_i = y' A_i^{-1} e_i. With the residual r of z_i these are e_i' z_i and
// y' z_i plus r' A_i^{-1} e_i and r' A_i^{-1} y; z_i and A^{-1} y in the place of the last two solutions leave an
// error that is quadratic in that of z_i for c_i, and nearly so for b_i. Steps end when rho = r' A^{-1} r, about the
// square of the error in the norm of A_i, is so small that without r' A^{-1} y the mean y_i - b_i / c_i would be off by
// `enough` of its standard deviation c_i^{-1/2}:  sqrt (rho max (1, y' A^{-1} y)) <= enough sqrt (c_i).
// They are not the conjugate gradients of ap_krylov.c: these systems go side by side, each with a map of its own, start
// from what is known, and never multiply by A, for A p follows from A A^{-1} r = r as p does from A^{-1} r.
//
// A group of examples is C columns for each, (i,c) with c fastest, that share x_i. Where predictions without the group
// are computed, A_i z = y is one more system (more for labels that share one U), with e_i replaced by y, and
//
//   V = z_y - sum_i z_i beta_i,   beta = c^{-1} b,   0 in the group's own places, so that f_{-i}(x) = k(x)' V     (T37)
//
// It is wanted itself, not a product with it: its steps end at sqrt (rho) <= enough / 100.

#include "beyond/ap_beyond.h"

#include <math.h>
#include <string.h>

static const double enough = 1e-4;

enum { most_steps = 200 };

typedef struct columns {  // m systems side by side
    size_t m;
    const double **right;  // [m] y's column, or NULL: e_i
    size_t *row, *group;   // [m] i, and which x
    double *z, *r, *s;     // [P x m] solution, residual, A^{-1} r
    double *p, *Ap;        // [P x m] direction, A times it
    double *q;             // [P x m] K(x_i) p
    double *rho;           // [m] r' A^{-1} r
} columns;

static ap_status take_columns(columns *t, size_t P, size_t m, ap_work *work, ap_error *err) {
    t->m = m;
    t->right = (const double **)(void *)ap_take(work, m);
    t->row = (size_t *)(void *)ap_take(work, m);
    t->group = (size_t *)(void *)ap_take(work, m);
    AP_TAKE_EACH(work, ap_times(P, m), &t->z, &t->r, &t->s, &t->p, &t->Ap, &t->q);
    t->rho = ap_take(work, m);
    return t->rho == NULL ? ap_not_taken(work, err, "ap_shifted") : AP_OK;
}

// q_i := K(x_i) v_i
static ap_status apply(double *q, const double *v, const columns *t, const ap_kernel *k, const double *x, ap_work *work,
                       ap_error *err) {
    const size_t N0 = k->N0, paths = k->paths, m = t->m, cells = N0 * m, mark = work->used;
    double *Y = ap_take_matrix(work, cells, paths), *T = ap_take_matrix(work, cells, paths);
    ap_status status = T == NULL ? ap_not_taken(work, err, "ap_shifted") : AP_OK;
    if (status < 0) goto done;
    ap_kernel_gather(Y, k, k->scale, v, m);
    for (size_t i = 0; i < m; i++)
        ap_gemm('N', 'N', N0, paths, paths, 1.0, Y + N0 * i, cells, x + paths * paths * t->group[i], paths, 0.0,
                T + N0 * i, cells);
    ap_kernel_scatter(q, k, 1.0, T, m);
done:
    work->used = mark;
    return status;
}

// What each column is: those of a group, and y's after them if `labels` is not 0.
static void lay_out(columns *t, const ap_problem *p, const ap_shifts *shifts, size_t labels) {
    const size_t C = p->kernel->outputs;
    size_t i = 0;
    for (size_t j = 0; j < shifts->m; j++) {
        const size_t at = shifts->first + j;
        const size_t q = C * (ap_groups_begin(shifts->groups, at + 1) - ap_groups_begin(shifts->groups, at));
        for (size_t e = 0; e < q + labels; e++, i++) {
            t->right[i] = e < q ? NULL : p->y + p->kernel->P * (e - q);
            t->row[i] = e < q ? ap_groups_row(shifts->groups, p->kernel, at, e) : e - q;
            t->group[i] = j;
        }
    }
}

// z := A^{-1} e_i or A^{-1} y, r := -K(x_i) z, and the first directions.
static ap_status start(columns *t, const ap_kernel *k, const ap_fit *fit, double root, const double *inverse,
                       const double *x, ap_work *work, ap_error *err) {
    const size_t P = k->P, n = P * t->m;
    memset(t->z, 0, n * sizeof(double));
    for (size_t i = 0; i < t->m; i++) {
        const bool own = t->right[i] == NULL;
        ap_axpy(P, own ? 1.0 : root, (own ? inverse : fit->b) + P * t->row[i], t->z + P * i);
    }
    const ap_status status = apply(t->r, t->z, t, k, x, work, err);
    if (status < 0) return status;
    for (size_t i = 0; i < n; i++) t->r[i] = -t->r[i];
    ap_gemm('N', 'N', P, t->m, P, 1.0, inverse, P, t->r, P, 0.0, t->s, P);
    memcpy(t->p, t->s, n * sizeof(double));
    memcpy(t->Ap, t->r, n * sizeof(double));
    for (size_t i = 0; i < t->m; i++) t->rho[i] = ap_dot(P, t->r + P * i, t->s + P * i);
    return AP_OK;
}

// One step of every column; those that are exact stay as they are.
static ap_status step(columns *t, const ap_kernel *k, const double *inverse, const double *x, ap_work *work,
                      ap_error *err) {
    const size_t P = k->P;
    const ap_status status = apply(t->q, t->p, t, k, x, work, err);
    if (status < 0) return status;
    for (size_t i = 0; i < t->m; i++) {
        double *p = t->p + P * i, *q = t->q + P * i;
        ap_axpy(P, 1.0, t->Ap + P * i, q);
        const double bend = ap_dot(P, p, q), length = bend > 0.0 ? t->rho[i] / bend : 0.0;
        ap_axpy(P, length, p, t->z + P * i);
        ap_axpy(P, -length, q, t->r + P * i);
    }
    ap_gemm('N', 'N', P, t->m, P, 1.0, inverse, P, t->r, P, 0.0, t->s, P);
    for (size_t i = 0; i < t->m; i++) {
        const double before = t->rho[i];
        t->rho[i] = ap_dot(P, t->r + P * i, t->s + P * i);
        const double beta = before > 0.0 ? t->rho[i] / before : 0.0;
        for (size_t mu = P * i; mu < P * (i + 1); mu++) {
            t->p[mu] = t->s[mu] + beta * t->p[mu];
            t->Ap[mu] = t->r[mu] + beta * t->Ap[mu];
        }
    }
    return AP_OK;
}

static bool all_done(const columns *t, const ap_kernel *k, double size) {
    for (size_t i = 0; i < t->m; i++) {
        const bool own = t->right[i] == NULL;
        const double most = own ? t->z[t->row[i] + k->P * i] / size : 1e-4;
        if (t->rho[i] > enough * enough * most) return false;
    }
    return true;
}

// b and c of the q columns from `at` on, to second order; c has the leading dimension `apart`.
static void read_off(double *b, double *c, const columns *t, const ap_problem *p, const ap_fit *fit, size_t at,
                     size_t q) {
    const size_t P = p->kernel->P, labels = ap_problem_columns(p);
    for (size_t d = 0; d < q; d++) {
        const double *z = t->z + P * (at + d), *r = t->r + P * (at + d);
        for (size_t l = 0; l < labels; l++)
            b[d + q * l] = ap_dot(P, p->y + P * l, z) / sqrt((double)labels) + ap_dot(P, fit->b + P * l, r) +
                           ap_apart(p, t->row[at + d] + P * l);
        for (size_t e = 0; e < q; e++) c[e + q * d] = z[t->row[at + e]] + ap_dot(P, t->z + P * (at + e), r);
    }
    ap_spd_symmetrise(c, q);
}

// V [P x labels] := z_y - sum_i z_i beta_i, the first q columns from `at` on those z_i. What the group's own places
// need to be 0 is beta. E [q x q], B [q x labels] workspace.
static ap_status leave_out(double *V, const columns *t, const ap_problem *p, size_t at, size_t q, double *E, double *B,
                           ap_error *err) {
    const size_t P = p->kernel->P, labels = ap_problem_columns(p);
    const double root = sqrt((double)labels);
    for (size_t d = 0; d < q; d++) {
        for (size_t e = 0; e < q; e++) E[e + q * d] = t->z[t->row[at + e] + P * (at + d)];
        for (size_t l = 0; l < labels; l++)
            B[d + q * l] = t->z[t->row[at + d] + P * (at + q + l)] + root * ap_apart(p, t->row[at + d] + P * l);
    }
    ap_spd_symmetrise(E, q);
    const ap_status status = ap_spd_chol(E, q, "a block of the inverse of K(U) + T I", err);
    if (status < 0) return status;
    ap_spd_solve(E, q, B, labels);
    memcpy(V, t->z + P * (at + q), P * labels * sizeof(double));
    ap_gemm('N', 'N', P, labels, q, -1.0, t->z + P * at, P, B, q, 1.0, V, P);
    for (size_t l = 0; l < labels; l++)
        for (size_t d = 0; d < q; d++) V[t->row[at + d] + P * l] = -root * ap_apart(p, t->row[at + d] + P * l);
    return AP_OK;
}

ap_status ap_shifted_solve(double *b, double *c, double *V, const ap_problem *p, const ap_fit *fit,
                           const double *inverse, const ap_shifts *shifts, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const double *x = shifts->x;
    const size_t first = shifts->first, m = shifts->m;
    const size_t P = k->P, labels = ap_problem_columns(p), beside = V == NULL ? 0 : labels, mark = work->used;
    const double root = sqrt((double)labels);
    columns t;
    ap_status status = take_columns(&t, P, shifts->columns + m * beside, work, err);
    double *E = ap_take_matrix(work, shifts->ldc, ap_plus(shifts->ldc, labels));
    if (status == AP_OK && E == NULL) status = ap_not_taken(work, err, "ap_shifted");
    if (status < 0) goto done;
    lay_out(&t, p, shifts, beside);
    const double size = fmax(1.0, ap_dot(P * labels, p->y, fit->b) / root);
    status = start(&t, k, fit, root, inverse, x, work, err);
    for (size_t steps = 0; status == AP_OK && !all_done(&t, k, size); steps++) {
        if (steps == most_steps)
            status = ap_fail(err, AP_ENONFINITE, "examples %zu to %zu cannot be left out: no solution in %zu steps",
                             first + 1, first + m, steps);
        else
            status = step(&t, k, inverse, x, work, err);
    }
    for (size_t j = 0, i = 0, at = 0; status == AP_OK && j < m; j++) {
        const size_t from = ap_groups_begin(shifts->groups, first + j);
        const size_t q = k->outputs * (ap_groups_begin(shifts->groups, first + j + 1) - from);
        read_off(b + labels * at, c + shifts->ldc * at, &t, p, fit, i, q);
        if (V != NULL) status = leave_out(V + P * labels * j, &t, p, i, q, E, E + shifts->ldc * shifts->ldc, err);
        at += q;
        i += q + beside;
    }
done:
    work->used = mark;
    return status;
}
