// ap_factors_action.c: the action in nested factors, and its first and second derivative
// SPDX-License-Identifier: BSD-3-Clause
//
// The coordinates are those of ap_factors.c: R_l = (I (x) R_{l+1}) B_l, B_l with orthogonal columns, the longest first,
// and B_l := B_l T_l, T_l = exp (delta / 2) + l, delta diagonal, l strictly lower.
//
// S and its derivatives by delta and l: |B_l T_l|^2 = sum_j |b_j|^2 exp (delta_j) + sum_{i>j} |b_i|^2 l_ij^2 has a
// diagonal second derivative. That of the energy, with R_1 := R_1 M, M = C_1 (C_2 (..) T_2) T_1,
// C_l (X) = B_l^{-1} (I (x) X) B_l, X_a the derivative of M by the a-th coordinate, g = R_1' (dE/dU_1) R_1 and h the
// energy's second derivative by the coordinates of D = M M' - 1, is
//
//   h (D_a, D_b) + 2 tr (X_a' g X_b) + 2 tr (g X_ab)
//
// where X_ab = X_b m_a in the layer of the lower one. In h the second derivative of log det A is exact where that takes
// no more products than the search allows, P^2 for each pair of coordinates, and estimated otherwise (ap_curvature.c).
// With few vectors for many pairs the estimate may be so far off that a step gains but a part of what is left: the
// search allows more whenever one gains less than the model promises. With the first number alone 5 problems of
// bench_brutal's seed 7101 end at 200 steps that take 45 to 81 so.

#include "saddle/ap_saddle.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- factors --------------------------------------------------------------------------------------------------------

// A := (I (x) X) A, X [below x below]; or with 'T' (I (x) X') A
void ap_factors_act(char t, double *A, const double *X, const ap_member *u, double *scratch) {
    memcpy(scratch, A, u->n * u->n * sizeof(double));
    if (t == 'N')
        ap_params_factor(A, 1.0, X, u->below, scratch, u->n, u);
    else
        ap_params_factor_back(A, NULL, 1.0, scratch, X, u->below, NULL, u->n, u);
}

// The columns of B become orthogonal by turns Q from the right (Hestenes), and the longest comes first.
static void orthogonalise(double *B, double *Q, size_t n) {
    bool turned = true;
    ap_spd_identity(Q, n);
    for (int sweep = 0; turned && sweep < ap_factors_jacobi_sweeps; sweep++) {
        turned = false;
        for (size_t j = 1; j < n; j++)
            for (size_t i = 0; i < j; i++) {
                double *x = B + n * i, *y = B + n * j;
                const double xx = ap_dot(n, x, x), yy = ap_dot(n, y, y), xy = ap_dot(n, x, y);
                const bool apart = fabs(xy) > ap_factors_turned * DBL_EPSILON * sqrt(xx * yy);
                if (!apart && xx >= yy) continue;
                const double zeta = (yy - xx) / (2.0 * xy);
                double tan = 1.0 / (fabs(zeta) + sqrt(1.0 + zeta * zeta)), cos, sin;
                if (zeta < 0.0) tan = -tan;
                cos = apart ? 1.0 / sqrt(1.0 + tan * tan) : 1.0;
                sin = apart ? -tan * cos : 0.0;
                if (xx + (apart ? -tan * xy : 0.0) < yy + (apart ? tan * xy : 0.0)) {  // the longer one first
                    const double c = cos;
                    cos = -sin;
                    sin = c;
                }
                ap_rot(n, x, y, cos, sin);
                ap_rot(n, Q + n * i, Q + n * j, cos, sin);
                turned = turned || apart;
            }
    }
}

// Orthogonal columns in every layer, and R_l
void ap_factors_straighten(ap_factor_search *s, ap_factors *f) {
    const ap_net *net = s->p->net;
    double *Q = s->one;
    AP_MEMBERS_DOWN (u, net) {
        double *B = f->B + u.at, *R = f->R + u.at;
        if (u.layer < s->last) ap_factors_act('T', B, Q, &u, s->two);
        orthogonalise(B, Q, u.n);
        memcpy(R, B, u.n * u.n * sizeof(double));
        if (u.layer < s->last) ap_factors_act('N', R, R + u.n * u.n, &u, s->two);
    }
}

ap_status ap_factors_from_order(ap_factor_search *s, ap_factors *f, const double *order) {
    AP_MEMBERS_DOWN (u, s->p->net) {
        double *B = f->B + u.at;
        memcpy(f->R + u.at, order + u.at, u.n * u.n * sizeof(double));
        const ap_status status = ap_spd_chol(f->R + u.at, u.n, "U of the order parameters", s->err);
        if (status < 0) return status;
        ap_spd_clear_upper(f->R + u.at, u.n);
        memcpy(B, f->R + u.at, u.n * u.n * sizeof(double));
        for (size_t h = 0; u.layer < s->last && h < u.branches; h++)
            ap_trsm('L', 'N', u.below, u.n, 1.0, f->R + u.at + u.n * u.n, u.below, B + h * u.below, u.n);
    }
    ap_factors_straighten(s, f);
    return AP_OK;
}

// ---- the action and its derivatives ---------------------------------------------------------------------------------

double ap_factors_squares(const ap_factors *f, const ap_member *u, size_t j) {
    const double *b = f->B + u->at + u->n * j;
    return ap_dot(u->n, b, b);
}

ap_status ap_factors_fit(ap_factor_search *s, ap_factors *f) {
    const ap_root root = {.R = s->unit, .columns = s->p->kernel->paths, .lower = true, .reflect = true};
    const ap_status status = ap_energy(&f->fit, &s->mixed, s->unit, &root, s->work, s->err);
    if (status < 0) return status;
    f->height = f->entropy + f->fit.u_dependent;
    f->noise += f->fit.noise;
    return isfinite(f->height) ? AP_OK : ap_fail(s->err, AP_ENONFINITE, "the action is not finite");
}

void ap_factors_mix(ap_factor_search *s, const ap_factors *f) {
    const ap_kernel *k = s->p->kernel;
    const size_t cells = k->N0 * k->P, n = k->paths;
    ap_gemm('N', 'N', cells, n, n, 1.0, k->Xi, cells, f->R, n, 0.0, s->Y, cells);
}

ap_status ap_factors_value(ap_factor_search *s, ap_factors *f) {
    double size = 0.0;
    f->entropy = 0.0;
    AP_MEMBERS (u, s->p->net) {
        for (size_t j = 0; j < u.n; j++) {
            const double bb = ap_factors_squares(f, &u, j);
            f->entropy += u.width * (bb / u.variance - log(bb));
            size += u.width * (bb / u.variance + fabs(log(bb)));
        }
    }
    f->noise = DBL_EPSILON * size;
    ap_factors_mix(s, f);
    return ap_factors_fit(s, f);
}

ap_status ap_factors_derive(ap_factor_search *s, ap_factors *f) {
    return ap_fit_gradient(f->G, &f->fit, &s->mixed, s->work, s->err);
}

// A := Sigma^{-2} B' A, for B with orthogonal columns: B^{-1} A
void ap_factors_solve(double *A, const ap_factors *f, const ap_member *u, double *scratch) {
    const size_t n = u->n;
    memcpy(scratch, A, n * n * sizeof(double));
    ap_gemm('T', 'N', n, n, n, 1.0, f->B + u->at, n, scratch, n, 0.0, A, n);
    for (size_t i = 0; i < n; i++) {
        const double bb = ap_factors_squares(f, u, i);
        for (size_t j = 0; j < n; j++) A[i + n * j] /= bb;
    }
}

// X [n x n] := C_l (X), X [below x below] on entry
static void carry(double *X, ap_factor_search *s, const ap_factors *f, const ap_member *u) {
    const size_t n = u->n, m = u->below;
    memcpy(s->one, X, m * m * sizeof(double));
    memcpy(X, f->B + u->at, n * n * sizeof(double));
    ap_factors_act('N', X, s->one, u, s->two);
    ap_factors_solve(X, f, u, s->two);
}

double ap_factors_length(ap_factor_search *s, const ap_factors *f, const double *t) {
    const size_t paths = s->p->kernel->paths;
    double sum = 0.0, *X = s->three;
    memset(X, 0, paths * paths * sizeof(double));
    AP_MEMBERS_DOWN (u, s->p->net) {
        if (u.layer < s->last) carry(X, s, f, &u);
        for (size_t i = 0, a = u.first; i < u.n; i++)
            for (size_t j = 0; j <= i; j++, a++) X[i + u.n * j] += (i == j ? 0.5 : 1.0) * t[a];
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i < u.n; i++) {
                const double d = X[i + u.n * j] + X[j + u.n * i];
                sum += d * d;
            }
    }
    return sqrt(sum);
}

// g_l of all layers: g_{l+1} = ptr (B_l g_l B_l^{-1})
static void lift(ap_factor_search *s, const ap_factors *f) {
    const size_t paths = s->p->kernel->paths;
    memcpy(s->g, f->G, paths * paths * sizeof(double));
    for (size_t l = 1; l < s->last; l++) {
        const ap_member u = ap_params_member(s->p->net, l);
        const size_t n = u.n;
        memcpy(s->one, f->B + u.at, n * n * sizeof(double));
        for (size_t j = 0; j < n; j++) {
            const double bb = ap_factors_squares(f, &u, j);
            for (size_t i = 0; i < n; i++) s->one[i + n * j] /= bb;
        }
        ap_gemm('N', 'T', n, n, n, 1.0, s->one, n, s->g + u.at, n, 0.0, s->two, n);  // (g B^{-1})'
        ap_params_factor_back(NULL, s->g + u.at + n * n, 1.0, f->B + u.at, NULL, u.below, s->two, n, &u);
    }
}

// The metric D, the entropy's second derivative, and v in units of its root
void ap_factors_gradient(ap_factor_search *s, const ap_factors *f) {
    lift(s, f);
    AP_MEMBERS (u, s->p->net) {
        const double *g = s->g + u.at;
        for (size_t i = 0, a = u.first; i < u.n; i++) {
            const double size = ap_factors_squares(f, &u, i) / u.variance;
            for (size_t j = 0; j <= i; j++, a++) {  // T_ij
                s->v[a] = i == j ? g[i + u.n * i] + u.width * (size - 1.0) : 2.0 * g[j + u.n * i];
                s->D[a] = (i == j ? 1.0 : 2.0) * u.width * size;
                s->v[a] /= sqrt(s->D[a]);
            }
        }
    }
}

// Second derivatives that come from the bend of M: the coordinates a of layer l with those b above it, X_b here; and of
// layer l with itself.
static void bend(ap_factor_search *s, const ap_member *u) {
    const size_t n = u->n, cells = s->p->kernel->paths * s->p->kernel->paths;
    const double *g = s->g + u->at;
    for (size_t b = u->first + u->pairs; b < s->n; b++) {
        const double *X = s->X + cells * (b - s->q);
        double *gX = s->gX + cells * (b - s->q);
        ap_gemm('N', 'N', n, n, n, 1.0, g, n, X, n, 0.0, gX, n);
        for (size_t i = 0, a = u->first; i < n; i++)
            for (size_t j = 0; j <= i; j++, a++) {
                const double twice = (i == j ? 1.0 : 2.0) * gX[j + n * i];
                s->H[b + s->n * a] += twice;
                if (u->layer == 1) s->H[b + s->n * a] += (i == j ? 1.0 : 2.0) * gX[i + n * j];
            }
    }
    for (size_t i = 0, a = u->first; i < n; a += i + 1, i++) s->H[(a + i) * (s->n + 1)] += 0.5 * g[i + n * i];
}

// 2 tr (m_a' g m_b) of the first layer
static void own_bend(ap_factor_search *s) {
    const size_t n = s->p->kernel->paths;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            for (size_t k = i; k < n; k++) {
                const size_t a = ap_pairs_number(j, i), b = ap_pairs_number(j, k);
                s->H[b + s->n * a] += 2.0 * (i == j ? 0.5 : 1.0) * (k == j ? 0.5 : 1.0) * s->g[i + n * k];
            }
}

// X_a, at the first layer in the end, and what the bend adds to H
static void upper(ap_factor_search *s, const ap_factors *f) {
    const size_t cells = s->p->kernel->paths * s->p->kernel->paths;
    AP_MEMBERS_DOWN (u, s->p->net) {
        for (size_t b = u.first + u.pairs; b < s->n; b++) carry(s->X + cells * (b - s->q), s, f, &u);
        bend(s, &u);
        if (u.layer == 1) break;
        for (size_t i = 0, a = u.first; i < u.n; i++)
            for (size_t j = 0; j <= i; j++, a++) {
                double *X = s->X + cells * (a - s->q);
                memset(X, 0, u.n * u.n * sizeof(double));
                X[i + u.n * j] = i == j ? 0.5 : 1.0;
            }
    }
}

// H += J' h J, J = (1, D_a)
static void join(ap_factor_search *s) {
    const size_t n = s->n, q = s->q, more = n - q, paths = s->p->kernel->paths, cells = paths * paths;
    for (size_t a = 0; a < more; a++) {
        const double *X = s->X + cells * a;
        for (size_t i = 0, k = 0; i < paths; i++)
            for (size_t j = 0; j <= i; j++, k++) s->J[k + q * a] = X[i + paths * j] + X[j + paths * i];
    }
    ap_spd_mirror(s->energy, q);
    for (size_t j = 0; j < q; j++) ap_axpy(q - j, 1.0, s->energy + j + q * j, s->H + j + n * j);
    double *corner = s->H + q + n * q, *hJ = s->logdet;  // [q x more], no longer needed
    ap_gemm('N', 'N', q, more, q, 1.0, s->energy, q, s->J, q, 0.0, hJ, q);
    for (size_t j = 0; j < q; j++)
        for (size_t a = 0; a < more; a++) s->H[q + a + n * j] += hJ[j + q * a];
    ap_gemm('T', 'N', more, more, q, 1.0, s->J, q, hJ, q, 1.0, corner, n);
    ap_gemm('T', 'N', more, more, cells, 2.0, s->X, cells, s->gX, cells, 1.0, corner, n);
}

// Random vectors for the second derivative of log det A; P: exact
static size_t probes(const ap_factor_search *s) {
    const double P = (double)s->p->kernel->P, q = (double)s->q, most = s->products / (P * q * q);
    return most >= P ? s->p->kernel->P : most < ap_factors_least_probes ? ap_factors_least_probes : (size_t)most;
}

ap_status ap_factors_model(ap_factor_search *s) {
    const ap_point point = {.fit = s->now.fit, .G = s->now.G};
    ap_factors_mix(s, &s->now);
    const ap_status status =
        ap_curvature_energy(s->energy, s->scratch, s->logdet, probes(s), &s->mixed, &point, s->work, s->err);
    if (status != AP_OK) return status;
    for (size_t k = 0; k < s->q * s->q; k++) s->energy[k] -= s->logdet[k];
    memset(s->H, 0, s->n * s->n * sizeof(double));
    ap_factors_gradient(s, &s->now);
    upper(s, &s->now);
    own_bend(s);
    join(s);
    for (size_t a = 0; a < s->n; a++) s->H[a + s->n * a] += s->D[a];
    for (size_t j = 0; j < s->n; j++)
        for (size_t i = j; i < s->n; i++) s->H[i + s->n * j] /= sqrt(s->D[i] * s->D[j]);
    return AP_OK;
}
