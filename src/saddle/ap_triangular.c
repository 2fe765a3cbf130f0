// ap_triangular.c: curves through the cone that turn eigenvectors, for curved valleys
// SPDX-License-Identifier: BSD-3-Clause
//
// With large labels U becomes nearly singular: few eigenvalues explain the data, and the action hardly depends on the
// others, while a turn of the large ones is stiff. Geodesics cannot turn: along U^{1/2} exp (d) U^{1/2} a large
// eigenvector that leans towards a small one grows by cosh, and the valley of the action is curved at an angle of about
// sqrt (small / large). In the eigenvectors of F' F = Q Lambda Q', the largest first, triangular factors turn it
// freely:
//
//   U (d) = F Q T T' Q' F',    T = exp (delta / 2) + l,    Q' d Q = delta + l + l',   delta diagonal, l strictly lower
//
// for l adds small directions to the columns of large ones and nothing else, log det U is linear in d, and every d
// stays in the cone. (Bartlett's factors of the samplers are such coordinates, in a fixed order of paths.) The curve
// starts along x = F d F', so that Newton's step is the same but for the bend, to second order
//
//   T T' = 1 + d + delta^2/2 + (delta l' + l delta)/2 + l l' + ..,
//
// which adds to the second derivative along straight lines, with g = Q' F' (dS/dU) F Q,
//
//   sum_j g_jj delta_j^2 + 2 sum_{i>j} g_ij l_ij delta_j + 2 sum_j sum_{i,k>j} g_ik l_ij l_kj.

#include "saddle/ap_saddle.h"

#include <math.h>
#include <string.h>

ap_status ap_triangular_take(ap_triangular *t, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t chain = ap_params_length(net), paths = ap_net_paths(net, 1), more = ap_times(paths, ap_plus(paths, 4));
    *t = (ap_triangular){.net = net};
    AP_TAKE_EACH(work, chain, &t->Q, &t->g);
    AP_TAKE_EACH(work, more, &t->one, &t->two, &t->three);
    return t->three == NULL ? ap_not_taken(work, err, "ap_triangular") : AP_OK;
}

// Q := eigenvectors of F' F, the largest first; w, scratch [4 n]
static ap_status eigenvectors(double *Q, const double *F, size_t n, double *w, ap_error *err) {
    ap_gemm('T', 'N', n, n, n, 1.0, F, n, F, n, 0.0, Q, n);
    const ap_status status = ap_spd_eigen('V', w, Q, n, "F'F", w + n, err);
    if (status < 0) return status;
    ap_spd_reverse(Q, n);
    return AP_OK;
}

// B := Q' A Q, or with 'N' Q A Q'; work [n x n]
static void turn(char t, double *B, const double *A, const double *Q, size_t n, double *work) {
    ap_gemm('N', t == 'T' ? 'N' : 'T', n, n, n, 1.0, A, n, Q, n, 0.0, work, n);
    ap_gemm(t, 'N', n, n, n, 1.0, Q, n, work, n, 0.0, B, n);
}

ap_status ap_triangular_make(ap_triangular *t, const ap_point *point, ap_error *err) {
    AP_FREE_MEMBERS (u, t->net) {
        const double *F = point->chol + u.at;
        const ap_status status = eigenvectors(t->Q + u.at, F, u.n, t->one, err);
        if (status < 0) return status;
        ap_spd_congruence(t->one, point->grad + u.at, F, u.n, t->two);
        turn('T', t->g + u.at, t->one, t->Q + u.at, u.n, t->two);
    }
    return AP_OK;
}

void ap_triangular_retract(double *U, ap_triangular *t, const ap_member *u, const double *F, const double *d) {
    const size_t n = u->n;
    double *T = t->one, *R = t->two;
    turn('T', T, d, t->Q + u->at, n, t->two);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++) T[i + n * j] = 0.0;
        T[j + n * j] = exp(0.5 * T[j + n * j]);
    }
    ap_gemm('N', 'N', n, n, n, 1.0, t->Q + u->at, n, T, n, 0.0, R, n);
    ap_trmm('L', 'N', n, n, 1.0, F, n, R, n);
    ap_gemm('N', 'T', n, n, n, 1.0, R, n, R, n, 0.0, U, n);
    ap_spd_symmetrise(U, n);
}

// B := half the derivative by the entries of the symmetric e of the form of the bend; l, gl [n x n] scratch, gl may be
// B
static void bend(double *B, const double *g, const double *e, size_t n, double *l, double *gl) {
    memcpy(l, e, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i <= j; i++) l[i + n * j] = 0.0;
    ap_gemm('N', 'N', n, n, n, 1.0, g, n, l, n, 0.0, gl, n);
    for (size_t j = 0; j < n; j++) {
        double sum = g[j + n * j] * e[j + n * j];
        for (size_t i = j + 1; i < n; i++) {
            sum += g[i + n * j] * e[i + n * j];
            B[i + n * j] = B[j + n * i] = 0.5 * g[i + n * j] * e[j + n * j] + gl[i + n * j];
        }
        B[j + n * j] = sum;
    }
}

void ap_triangular_add(double *M, ap_triangular *t, const ap_member *u, const double *d) {
    const double *Q = t->Q + u->at;
    const size_t n = u->n;
    turn('T', t->one, d, Q, n, t->two);
    bend(t->three, t->g + u->at, t->one, n, t->two, t->three);
    turn('N', t->one, t->three, Q, n, t->two);
    ap_axpy(n * n, 1.0, t->one, M);
}

void ap_triangular_matrix(double *H, ap_triangular *t, size_t n, double *d, double *M) {
    AP_FREE_MEMBERS (u, t->net) {
        const size_t m = u.n;
        double *corner = H + u.first + n * u.first;
        turn('N', d, t->g + u.at, t->Q + u.at, m, t->one);
        ap_spd_identity(M, m);
        ap_curvature_add(corner, n, m, -1.0, d, M);  // the bend of the retraction
        memset(d, 0, m * m * sizeof(double));
        for (size_t b = 0, col = 0; b < m; b++)
            for (size_t a = 0; a <= b; a++, col++) {
                d[a + m * b] = d[b + m * a] = 1.0;
                memset(M, 0, m * m * sizeof(double));
                ap_triangular_add(M, t, &u, d);
                d[a + m * b] = d[b + m * a] = 0.0;
                for (size_t j = b, row = col; j < m; j++)
                    for (size_t i = j == b ? a : 0; i <= j; i++, row++)
                        corner[row + n * col] += (i == j ? 1.0 : 2.0) * M[i + m * j];
            }
    }
}
