// ap_orthogonal.c: the factor of A without squaring the path inputs
// SPDX-License-Identifier: BSD-3-Clause
//
//   A = Phi' Phi + T I = B' B,   B = [ Phi ; sqrt (T) I ],   Phi = sqrt (scale) (Xi R)',   U_1 = R R'
//   B = Q F'                     Q orthonormal columns, F the Cholesky factor of A, but for signs
//
// The Cholesky factor of a computed A is that of A + dA, |dA| about eps |A|: with an eigenvalue of A below eps |A|
// nothing is left of it. Householder's factor of B is that of B + dB, |dB| about eps |B|, and loses the root of that:
// eps sqrt (|A| / T) instead of eps |A| / T.
//
//   log det A      is off by  2 tr (A^{-1} B' dB),  at most  2 |B A^{-1}| |dB| = 2 |F^{-1}| |dB|,  Frobenius norms
//   y' A^{-1} y    is off by  2 b' B' dB b,         at most  2 |B b| |dB| |b|,   b = A^{-1} y,  |B b|^2 = y' A^{-1} y
//
// The path inputs are mixed one path at a time and rotated in blocks of about P rows onto the triangle so far, so that
// memory is that of two or three matrices A, whatever the number of paths. The rows of sqrt (T) I come last.
// The gradient (T9) then takes the way of the path inputs, Z_a = F^{-1} Xi_a': stored kernels would need A^{-1}.
// Cost: about 4 P^2 N0 Pi flops, four times the squares': for where these have no digits left.

#include "action/ap_action.h"

#include <math.h>
#include <string.h>

typedef struct stack {  // rows to be rotated onto a triangle
    size_t P, height;   // rows: P of the triangle, the others below it
    double *W;          // [height x P]
    double *tau, *scratch;
} stack;

static ap_status rotate(stack *t, ap_error *err) {
    const bool done = ap_geqrf(t->height, t->P, t->W, t->height, t->tau, t->scratch);
    for (size_t j = 0; j < t->P; j++)  // where the reflectors are
        memset(t->W + j + 1 + t->height * j, 0, (t->height - j - 1) * sizeof(double));
    return done ? AP_OK : ap_fail(err, AP_ELAPACK, "dgeqrf refused its arguments");
}

// Rows of path a, in place number `slot` below the triangle; Y [N0 x P] scratch
static void put_path(stack *t, const ap_kernel *k, const ap_root *root, size_t a, size_t slot, double *Y) {
    const size_t N0 = k->N0, P = k->P, cells = N0 * P, paths = k->paths;
    ap_gemv('N', cells, paths - a, sqrt(k->scale), k->Xi + cells * a, cells, root->R + a + paths * a, 0.0, Y);
    for (size_t mu = 0; mu < P; mu++) memcpy(t->W + P + N0 * slot + t->height * mu, Y + N0 * mu, N0 * sizeof(double));
}

// F := the triangle's transpose, its diagonal positive
static ap_status take_factor(double *F, const stack *t, ap_error *err) {
    const size_t P = t->P;
    for (size_t i = 0; i < P; i++) {
        const double *row = t->W + i, sign = row[t->height * i] < 0.0 ? -1.0 : 1.0;
        for (size_t j = i; j < P; j++) F[j + P * i] = sign * row[t->height * j];
        if (!isfinite(F[i + P * i])) return ap_fail(err, AP_ENONFINITE, "the kernel K(U) is not finite");
        if (!(F[i + P * i] > 0.0))
            return ap_fail(err, AP_ENOTSPD, "the kernel K(U) + T I is singular: pivot %zu of %zu", i + 1, P);
    }
    return AP_OK;
}

ap_status ap_orthogonal_factor(double *F, const ap_kernel *k, const ap_root *root, double temperature, ap_work *work,
                               ap_error *err) {
    const size_t P = k->P, N0 = k->N0, mark = work->used;
    const size_t per = N0 > 0 ? (P + N0 - 1) / N0 : 1;  // paths in a block
    stack t = {.P = P, .height = ap_plus(P, ap_times(per, N0))};
    t.W = ap_take_matrix(work, t.height, P);
    t.tau = ap_take(work, P);
    t.scratch = ap_take_matrix(work, ap_qr_panel, P);
    double *Y = ap_take_matrix(work, N0, P);
    ap_status status = Y == NULL ? ap_not_taken(work, err, "ap_orthogonal_factor") : AP_OK;
    for (size_t j = 0; status == AP_OK && j < P; j++) memset(t.W + t.height * j, 0, t.height * sizeof(double));
    for (size_t a = 0; status == AP_OK && a < k->paths; a += per) {
        for (size_t slot = 0; slot < per && a + slot < k->paths; slot++) put_path(&t, k, root, a + slot, slot, Y);
        status = rotate(&t, err);
    }
    for (size_t mu = 0; status == AP_OK && mu < P; mu++) t.W[P + mu + t.height * mu] = sqrt(temperature);
    if (status == AP_OK) status = rotate(&t, err);
    if (status == AP_OK) status = take_factor(F, &t, err);
    work->used = mark;
    return status;
}
