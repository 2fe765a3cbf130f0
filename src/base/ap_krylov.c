// ap_krylov.c: estimates for a symmetric map from its products with vectors
// SPDX-License-Identifier: BSD-3-Clause
//
// conjugate gradients   H d = r, preconditioned (Hestenes, Stiefel 1952)
// Davidson              the lowest eigenvector (J. Comput. Phys. 17, 1975): Rayleigh and Ritz in a subspace V. Its
//                       residual r = (H - theta) x, improved by the user, extends V. theta is an upper bound, and an
//                       eigenvalue lies within |r| of it
// Lanczos               k steps from z make a tridiagonal matrix. Its eigenvalues theta_j, and the squared first
//                       components tau_j of its eigenvectors, are Gauss' rule for
//                       z' log H z = |z|^2 sum_j tau_j log theta_j (Golub, Welsch 1969; Ubaru, Chen, Saad 2017)
//
// Bases are orthogonalised twice against all before. Cost: a product a step, and 4 n k flops for k vectors.

#include "base/ap_core.h"

#include <math.h>
#include <string.h>

double ap_krylov_project(double *x, const double *V, size_t n, size_t k, double *c, double *h) {
    for (int pass = 0; k > 0 && pass < 2; pass++) {
        ap_gemv('T', n, k, 1.0, V, n, x, 0.0, h);
        ap_gemv('N', n, k, -1.0, V, n, h, 1.0, x);
        for (size_t i = 0; c != NULL && i < k; i++) c[i] += h[i];
    }
    return sqrt(ap_dot(n, x, x));
}

bool ap_krylov_orthonormalise(double *x, const double *V, size_t n, size_t k, double *h) {
    const double before = sqrt(ap_dot(n, x, x)), length = ap_krylov_project(x, V, n, k, NULL, h);
    for (size_t i = 0; i < n; i++) x[i] /= length;
    return length > 1e-12 * before && isfinite(1.0 / length);
}

// ---- H d = r by conjugate gradients ---------------------------------------------------------------------------------

ap_status ap_krylov_vectors_take(ap_krylov_vectors *t, size_t n, ap_work *work, ap_error *err) {
    *t = (ap_krylov_vectors){.n = n};
    AP_TAKE_EACH(work, n, &t->z, &t->p, &t->q);
    return t->q == NULL ? ap_not_taken(work, err, "ap_krylov") : AP_OK;
}

ap_status ap_krylov_solve(double *d, ap_krylov_vectors *t, const ap_krylov_cg *how, double *r) {
    const size_t n = t->n;
    memset(d, 0, n * sizeof(double));
    how->precondition(t->z, how->self, r);
    memcpy(t->p, t->z, n * sizeof(double));
    double rz = ap_dot(n, r, t->z);
    const double least = how->accuracy * how->accuracy * rz;
    t->definite = true;
    for (size_t k = 0; k < how->most && rz > least; k++) {
        const ap_status status = how->apply(t->q, how->self, t->p);
        if (status != AP_OK) return status;
        const double bends = ap_dot(n, t->p, t->q);
        t->definite = bends > 0.0;
        if (!t->definite) return AP_OK;
        ap_axpy(n, rz / bends, t->p, d);
        if (how->enough != NULL && how->enough(how->self, k, d, t->p, t->q)) return AP_OK;
        ap_axpy(n, -rz / bends, t->q, r);
        how->precondition(t->z, how->self, r);
        const double before = rz;
        rz = ap_dot(n, r, t->z);
        for (size_t i = 0; i < n; i++) t->p[i] = t->z[i] + rz / before * t->p[i];
    }
    return AP_OK;
}

// ---- the lowest eigenvector by Davidson's method --------------------------------------------------------------------

ap_status ap_davidson_space_take(ap_davidson_space *s, size_t n, size_t k, ap_work *work, ap_error *err) {
    *s = (ap_davidson_space){.n = n, .k = k < n ? k : n};
    AP_TAKE_EACH(work, ap_times(n, s->k), &s->V, &s->HV);
    AP_TAKE_EACH(work, ap_times(s->k, s->k), &s->small, &s->vectors);
    s->theta = ap_take_matrix(work, 4, s->k);
    AP_TAKE_EACH(work, n, &s->x, &s->r);
    s->h = ap_take(work, s->k);
    return s->h == NULL ? ap_not_taken(work, err, "ap_krylov") : AP_OK;
}

// The last column has joined, with its image: a row and a column of V' H V.
static void join(ap_davidson_space *s) {
    const size_t n = s->n, last = s->count++;
    for (size_t j = 0; j <= last; j++) {
        s->small[last + s->k * j] = ap_dot(n, s->V + n * j, s->HV + n * last);
        if (j < last) s->small[j + s->k * last] = ap_dot(n, s->V + n * last, s->HV + n * j);
    }
}

// x := the lowest Ritz vector, r := its residual.
static ap_status ritz(ap_davidson_space *s, ap_error *err) {
    const size_t n = s->n, count = s->count;
    for (size_t j = 0; j < count; j++)
        for (size_t i = j; i < count; i++) s->vectors[i + count * j] = s->small[i + s->k * j];
    const ap_status status = ap_spd_eigen('V', s->theta, s->vectors, count, "Ritz values", s->theta + s->k, err);
    if (status < 0) return status;
    ap_gemv('N', n, count, 1.0, s->V, n, s->vectors, 0.0, s->x);
    ap_gemv('N', n, count, 1.0, s->HV, n, s->vectors, 0.0, s->r);
    ap_axpy(n, -s->theta[0], s->x, s->r);
    s->residual_norm = sqrt(ap_dot(n, s->r, s->r));
    s->asymmetry = 0.0;
    for (size_t j = 0; j < count; j++)
        for (size_t i = j + 1; i < count; i++) {
            const double apart = s->small[i + s->k * j] - s->small[j + s->k * i];
            s->asymmetry = fmax(s->asymmetry, fabs(s->vectors[i] * s->vectors[j] * apart));
        }
    return AP_OK;
}

// The Ritz vectors of the `kept` lowest values take the place of all columns.
static void restart(ap_davidson_space *s, size_t kept) {
    const size_t n = s->n, count = s->count, few = count < kept ? count : kept;
    for (int image = 0; image < 2; image++) {
        double *A = image ? s->HV : s->V;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < count; j++) s->h[j] = A[i + n * j];
            for (size_t j = 0; j < few; j++) A[i + n * j] = ap_dot(count, s->h, s->vectors + count * j);
        }
    }
    for (s->count = 0; s->count < few;) join(s);
}

ap_status ap_krylov_lowest(ap_davidson_space *s, const ap_krylov_davidson *how, ap_error *err) {
    const size_t n = s->n;
    s->count = 0;
    s->residual_norm = INFINITY;
    if (!ap_krylov_orthonormalise(s->x, NULL, n, 0, NULL)) return AP_STALLED;
    memcpy(s->V, s->x, n * sizeof(double));
    for (;;) {
        double *next = s->V + n * s->count;
        ap_status status = how->apply(s->HV + n * s->count, how->self, next);
        if (status != AP_OK) return status;
        join(s);
        status = ritz(s, err);
        if (status < 0) return status;
        const double small = fmax(how->close * fabs(s->theta[0]), how->floor);
        if (s->count == n || (s->count >= how->least && s->residual_norm <= small)) return AP_OK;
        if (s->count == s->k && how->kept == 0) return AP_LIMIT;
        if (s->count == s->k) restart(s, how->kept);
        next = s->V + n * s->count;
        memcpy(next, s->r, n * sizeof(double));
        status = how->expand(next, how->self, s->x);
        if (status != AP_OK) return status;
        if (!ap_krylov_orthonormalise(next, s->V, n, s->count, s->h)) return AP_STALLED;
    }
}

// ---- z' log H z by Lanczos' method ----------------------------------------------------------------------------------

ap_status ap_krylov_lanczos_take(ap_krylov_lanczos *t, size_t n, size_t most, ap_work *work, ap_error *err) {
    *t = (ap_krylov_lanczos){.n = n, .most = most};
    t->V = ap_take_matrix(work, n, most + 1);
    t->T = ap_take_matrix(work, most, most);
    t->theta = ap_take_matrix(work, most, 4);
    t->h = ap_take(work, most + 1);
    AP_TAKE_EACH(work, most, &t->diagonal, &t->subdiagonal);
    return t->subdiagonal == NULL ? ap_not_taken(work, err, "ap_krylov") : AP_OK;
}

// *value := Gauss' rule of k steps for v' log H v, |v| = 1.
static ap_status rule(double *value, ap_krylov_lanczos *t, size_t k, ap_error *err) {
    memset(t->T, 0, k * k * sizeof(double));
    for (size_t j = 0; j < k; j++) {
        t->T[j + k * j] = t->diagonal[j];
        if (j > 0) t->T[j + k * (j - 1)] = t->T[j - 1 + k * j] = t->subdiagonal[j - 1];
    }
    const ap_status status = ap_spd_eigen('V', t->theta, t->T, k, "Ritz values", t->theta + t->most, err);
    if (status < 0) return status;
    if (!(t->theta[0] > 0.0)) return ap_fail(err, AP_ENOTSPD, "a map has the eigenvalue %g", t->theta[0]);
    *value = 0.0;
    for (size_t j = 0; j < k; j++) *value += t->T[k * j] * t->T[k * j] * log(t->theta[j]);
    return AP_OK;
}

ap_status ap_krylov_log(double *value, ap_krylov_lanczos *t, ap_krylov_map apply, void *self, double squares,
                        double enough, ap_error *err) {
    const size_t n = t->n;
    double before = INFINITY, length = sqrt(ap_dot(n, t->V, t->V));
    for (size_t i = 0; i < n; i++) t->V[i] /= length;
    for (size_t k = 0;; k++) {
        double *next = t->V + n * (k + 1), here = 0.0;
        ap_status status = apply(next, self, t->V + n * k);
        if (status != AP_OK) return status;
        t->diagonal[k] = ap_dot(n, t->V + n * k, next);
        t->subdiagonal[k] = length = ap_krylov_project(next, t->V, n, k + 1, NULL, t->h);
        status = rule(&here, t, k + 1, err);
        if (status < 0) return status;
        *value = squares * here;
        if (k > 0 && fabs(*value - before) <= enough) return AP_OK;
        if (k + 1 == t->most || (double)(k + 1) >= squares || !(length > 1e-12 * t->theta[k])) return AP_OK;
        before = *value;
        for (size_t i = 0; i < n; i++) next[i] /= length;
    }
}
