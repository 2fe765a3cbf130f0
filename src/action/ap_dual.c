// ap_dual.c: the energy and its derivatives where there are fewer features than examples
// SPDX-License-Identifier: BSD-3-Clause
//
// With U = R R', K = Phi' Phi of the features Phi [n x rows of A], n = N0 columns of R, and its squares are as well
// made of B = Phi Phi' + T I [n x n], as in (T21):
//
//   w = B^{-1} Phi y,   b = A^{-1} y = (y - Phi' w)/T,   E = (rows - n) log T + log det B + T b'b + w'w
//   dE/dPhi = 2 Phi M = 2 (B^{-1} Phi - w b'),   M of (T9)
//
// and, Phi being sqrt (s) xi^a R_ak, dE/dxi^a and dE/dR_ak follow. E is a sum of what is positive, and has its least
// value at w: its rounding is that of B alone.
// Features are (i,k), i slowest least, rows of A (mu,c) as everywhere. Cost: 3 n^2 rows + n^3/3 flops, and 6 n Pi rows,
// where the form of examples takes rows^3 + 2 n rows^2.

#include <math.h>
#include <string.h>

#include "action/ap_action.h"

typedef struct dual {
    const ap_kernel *k;
    const ap_root *root;
    size_t n;           // features
    double *Phi, *V;    // [n x rows]; B^{-1} Phi, and then Phi M
    double *B, *w, *b;  // [n x n] its factor, [n x m], [rows x m]
    double *Y, *R;      // [N0 P x columns], [Pi x columns]: those of one output
} dual;

bool ap_dual_pays(const ap_problem *p, const ap_root *root) {
    return p->kernel->basis == NULL && p->net->temperature > 0.0 &&
           ap_times(p->kernel->N0, root->columns) < p->kernel->P;
}

static ap_status take(dual *d, const ap_problem *p, const ap_root *root, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t n = ap_times(k->N0, root->columns), m = ap_problem_columns(p);
    *d = (dual){.k = k, .root = root, .n = n};
    AP_TAKE_EACH(work, ap_times(n, k->P), &d->Phi, &d->V);
    d->B = ap_take_matrix(work, n, n);
    d->w = ap_take_matrix(work, n, m);
    d->b = ap_take_matrix(work, k->P, m);
    d->Y = ap_take_matrix(work, n, k->examples);
    d->R = ap_take_matrix(work, k->inputs, root->columns);
    return d->R == NULL ? ap_not_taken(work, err, "ap_dual") : AP_OK;
}

// R := the rows of one output, times sqrt (s)
static void take_root(const dual *d, size_t c) {
    const size_t C = d->k->outputs;
    for (size_t k = 0; k < d->root->columns; k++)
        for (size_t a = 0; a < d->k->inputs; a++)
            d->R[a + d->k->inputs * k] = sqrt(d->k->scale) * d->root->R[C * a + c + d->k->paths * k];
}

// Between Y [N0 x P x columns] and the columns of one output of Phi [N0 x columns x P x C]
static void turn(double *Y, double *Phi, const dual *d, size_t c, bool back) {
    const size_t N0 = d->k->N0, P = d->k->examples;
    for (size_t k = 0; k < d->root->columns; k++)
        for (size_t mu = 0; mu < P; mu++) {
            double *one = Y + N0 * (mu + P * k), *other = Phi + N0 * k + d->n * (mu + P * c);
            if (back)
                memcpy(one, other, N0 * sizeof(double));
            else
                memcpy(other, one, N0 * sizeof(double));
        }
}

static ap_status solve(double *energy, dual *d, const ap_problem *p, ap_error *err) {
    const size_t n = d->n, rows = d->k->P, m = ap_problem_columns(p);
    const double T = p->net->temperature;
    ap_syrk('N', n, rows, 1.0, d->Phi, n, 0.0, d->B, n);
    for (size_t i = 0; i < n; i++) d->B[i + n * i] += T;
    const ap_status status = ap_spd_chol(d->B, n, "the kernel K(U) + T I", err);
    if (status < 0) return status;
    memcpy(d->b, p->y, rows * m * sizeof(double));
    for (size_t i = 0; m > 1 && i < rows * m; i++) d->b[i] /= sqrt((double)m);
    ap_gemm('N', 'N', n, m, rows, 1.0, d->Phi, n, d->b, rows, 0.0, d->w, n);
    ap_spd_solve(d->B, n, d->w, m);
    ap_gemm('T', 'N', rows, m, n, -1.0 / T, d->Phi, n, d->w, n, 1.0 / T, d->b, rows);
    *energy = (double)(rows - n) * log(T) + ap_spd_logdet(d->B, n) + p->lognoise;
    *energy += T * ap_dot(rows * m, d->b, d->b) + ap_dot(n * m, d->w, d->w);
    memcpy(d->V, d->Phi, n * rows * sizeof(double));
    ap_spd_solve(d->B, n, d->V, rows);
    ap_gemm('N', 'T', n, rows, m, -1.0, d->w, n, d->b, rows, 1.0, d->V, n);
    return AP_OK;
}

ap_status ap_dual_energy(double *energy, double *slope, double *dR, const ap_problem *p, const ap_root *root,
                         ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t cells = k->N0 * k->examples, columns = root->columns, inputs = k->inputs, mark = work->used;
    dual d;
    ap_status status = take(&d, p, root, work, err);
    for (size_t c = 0; status == AP_OK && c < k->outputs; c++) {
        take_root(&d, c);
        ap_gemm('N', 'N', cells, columns, inputs, 1.0, k->Xi, cells, d.R, inputs, 0.0, d.Y, cells);
        turn(d.Y, d.Phi, &d, c, false);
    }
    if (status == AP_OK) status = solve(energy, &d, p, err);
    for (size_t c = 0; status == AP_OK && c < k->outputs; c++) {
        take_root(&d, c);
        turn(d.Y, d.V, &d, c, true);
        ap_gemm('N', 'T', cells, inputs, columns, 2.0, d.Y, cells, d.R, inputs, c > 0 ? 1.0 : 0.0, slope, cells);
        if (dR == NULL) continue;
        ap_gemm('T', 'N', inputs, columns, cells, 2.0 * sqrt(k->scale), k->Xi, cells, d.Y, cells, 0.0, d.R, inputs);
        for (size_t j = 0; j < columns; j++)
            for (size_t a = 0; a < inputs; a++) dR[k->outputs * a + c + k->paths * j] = d.R[a + inputs * j];
    }
    if (status == AP_OK && !isfinite(*energy)) status = ap_fail(err, AP_ENONFINITE, "the energy is not finite");
    work->used = mark;
    return status;
}
