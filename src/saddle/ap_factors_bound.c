// ap_factors_bound.c: a step that minimises a bound of the action, in nested factors
// SPDX-License-Identifier: BSD-3-Clause
//
// The bound is S at the point, and above it elsewhere: log det A is concave, y' A^{-1} y is the minimum over w of
// w' U_1^{-1} w + |y - Phi w|^2 / T, and so, with G = G+ - G- the two parts of (T9),
//
//   S (U) <= S_entropy (U) + tr (G+ U_1) + tr (U_1^{-1} U G- U) + const.
//
// Its minimum by one U_l is a quadratic equation's root (theory.md section 3); all U_l take turns, V_l being what
// stands between the factors of the point and those of the minimum. These steps need no line search and no radius, and
// find the scale of labels of any size in a few steps; at the end of a search they are slow.

#include "saddle/ap_saddle.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The root X of the solution V = X X' of V P V - m V - Q = 0, and its inverse W; P, Q overwritten
static ap_status quadratic(double *X, double *W, double *P, double *Q, double m, size_t n, double *w, double *scratch,
                           ap_error *err) {
    ap_status status = ap_spd_chol(P, n, "the bound of the action", err);
    if (status < 0) return status;
    ap_spd_clear_upper(P, n);
    ap_spd_congruence(X, Q, P, n, scratch);
    ap_spd_symmetrise(X, n);
    status = ap_spd_eigen('V', w, X, n, "the bound of the action", w + n, err);
    if (status < 0) return status;
    for (size_t j = 0; j < n; j++) {
        const double q = fmax(w[j], DBL_EPSILON * DBL_EPSILON * w[n - 1]), root = sqrt(m * m + 4.0 * q);
        const double z = sqrt(m > 0.0 ? 0.5 * (m + root) : 2.0 * q / (root - m));
        if (!(z > 0.0) || !isfinite(z)) return ap_fail(err, AP_ENONFINITE, "the bound of the action has no minimum");
        for (size_t i = 0; i < n; i++) {
            scratch[i + n * j] = X[i + n * j] / z;
            X[i + n * j] *= z;
        }
    }
    ap_gemm('T', 'T', n, n, n, 1.0, scratch, n, P, n, 0.0, W, n);  // z^{-1} E' L'
    ap_trsm('L', 'T', n, n, 1.0, P, n, X, n);
    return AP_OK;
}

static ap_status sweep(ap_factor_search *s, const double *plus, const double *minus) {
    ap_status status = AP_OK;
    for (size_t l = 1; status == AP_OK && l <= s->last; l++) {
        const ap_member u = ap_params_member(s->p->net, l);
        const size_t n = u.n;
        double *P = s->one, *Q = s->two, *A = s->three;
        memcpy(A, s->now.B + u.at, n * n * sizeof(double));
        if (l < s->last) ap_factors_act('N', A, s->W + u.at + n * n, &u, s->four);
        ap_spd_gram(P, u.width / u.variance, A, n, n);
        if (l == 1) {
            for (size_t i = 0; i < n * n; i++) P[i] += plus[i];
            memcpy(Q, minus, n * n * sizeof(double));
        } else {
            const ap_member d = ap_params_member(s->p->net, l - 1);
            ap_gemm('N', 'N', d.n, d.n, d.n, 1.0, s->now.B + d.at, d.n, s->V + d.at, d.n, 0.0, A, d.n);
            ap_params_factor_back(NULL, Q, d.width / d.variance, A, NULL, n, A, d.n, &d);
        }
        status = quadratic(s->V + u.at, s->W + u.at, P, Q, u.width - u.pull, n, s->scratch, s->four, s->err);
    }
    return status;
}

ap_status ap_factors_bound(ap_factor_search *s) {
    const size_t cells = s->p->kernel->paths * s->p->kernel->paths, P = s->p->kernel->P * ap_problem_columns(s->p);
    double *plus = s->energy, *minus = s->logdet;
    ap_fit without = s->now.fit;
    memset(s->t, 0, P * sizeof(double));
    without.b = s->t;
    ap_status status = ap_fit_gradient(plus, &without, &s->mixed, s->work, s->err);
    if (status < 0) return status;
    for (size_t i = 0; i < cells; i++) minus[i] = plus[i] - s->now.G[i];
    AP_MEMBERS (u, s->p->net) {
        ap_spd_identity(s->V + u.at, u.n);
        ap_spd_identity(s->W + u.at, u.n);
    }
    for (int k = 0; status == AP_OK && k < ap_factors_bound_sweeps; k++) status = sweep(s, plus, minus);
    if (status < 0) return status;
    AP_MEMBERS (u, s->p->net) {
        ap_gemm('N', 'N', u.n, u.n, u.n, 1.0, s->now.B + u.at, u.n, s->V + u.at, u.n, 0.0, s->trial.B + u.at, u.n);
        if (u.layer < s->last) ap_factors_act('N', s->trial.B + u.at, s->W + u.at + u.n * u.n, &u, s->two);
    }
    ap_factors_straighten(s, &s->trial);
    return AP_OK;
}
