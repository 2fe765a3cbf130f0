// ap_hessian.c: the smallest eigenvalue of the action's Hessian, the certificate of a saddle-point solution
// SPDX-License-Identifier: BSD-3-Clause
//
// The Hessian of S/max(N) is over all symmetric perturbations of U_1..U_L in the Frobenius inner product, u_a
// eliminated: n coordinates, those of ap_curvature.h with off-diagonal entries scaled by sqrt (2). Its product with a
// direction x is exact: the entropy's part is a matrix, the energy's is, with K = K(x_1), w = A^{-1} K b,
//
//   d^2 E [x] = contraction of  - A^{-1} K A^{-1} + b w' + w b'                      4 P^3 flops, K and a contraction
//
// A^{-1} K A^{-1} is F^{-T} (F^{-1} K F^{-T}) F^{-1} by triangular solves with A = F F': an inverse, used twice, would
// lose the square of A's condition.
// Products are few because the random-probe curvature of ap_curvature.c is a close approximation H~, shifted where it
// is indefinite. Davidson's method (J. Comput. Phys. 17, 1975) starts from H~'s lowest eigenvector (inverse iteration)
// and adds (H~ - s)^{-1} r to its basis, r the residual of the lowest Ritz pair, s just below that eigenvector's value.
// The Ritz value is an upper bound at any time; the iteration ends when |r| <= 1e-4 of it, which puts an eigenvalue
// within that distance, and in practice within its square over the gap. After 40 products without that: AP_LIMIT. A
// dense eigensolver on H~ would save a product or two, but its 9 n^3 flops outweigh an evaluation from 30 paths on.

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_curvature.h"
#include "ap_spd.h"

enum { probes = 8, most_products = 40, inverse_steps = 12, most_shifts = 60 };

typedef struct product {
    const ap_problem *p;
    const ap_point *point;
    ap_work *work;
    ap_error *err;
    size_t n;
    double *base;                // [n x n] lower: the entropy's Hessian
    double *K;                   // [P x P]
    double *w, *scale, *x, *xi;  // [P], [n] coordinates per orthonormal coordinate, [n], [order]
} product;

static size_t most(size_t n) { return n < most_products ? n : most_products; }

size_t ap_hessian_worksize(const ap_problem *p) {
    const size_t n = ap_curvature_count(p->net), P = p->kernel->P, q = p->kernel->pairs, k = most(n);
    const size_t square = ap_times(n, n), matrices = ap_plus(ap_times(2, square), ap_times(P, P));
    const size_t vectors = ap_plus(ap_plus(ap_times(3, n), P), ap_net_order(p->net));
    const size_t basis = ap_plus(ap_times(2, ap_times(n, k)), ap_plus(ap_times(2, ap_times(k, k)), 5 * k));
    const size_t model = ap_plus(ap_times(2, ap_times(q, q)), q), energy = ap_curvature_energysize(p, probes);
    const size_t kernel = ap_kernel_worksize(p->kernel), curvature = ap_curvature_worksize(p->net);
    const size_t inner = energy > kernel ? energy : kernel;
    return ap_plus(ap_plus(ap_plus(matrices, vectors), ap_plus(basis, model)), inner > curvature ? inner : curvature);
}

// The entropy's Hessian in plain coordinates: along the retraction, less what the retraction's bend adds.
static ap_status entropy_hessian(product *t) {
    const ap_net *net = t->p->net;
    const ap_status status = ap_curvature_entropy(t->base, net, t->point, NULL, t->work, t->err);
    for (size_t l = 1, at = 0, first = 0; status == AP_OK && l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        double *corner = t->base + first + t->n * first;
        ap_curvature_add(corner, t->n, m, -1.0, t->point->grad + at, t->point->inverse + at);
        if (l == 1) ap_curvature_add(corner, t->n, m, 1.0, t->point->G, t->point->inverse);
        at += m * m;
        first += m * (m + 1) / 2;
    }
    return status;
}

// Hv = Hessian of S/max(N) times v, orthonormal coordinates.
static ap_status apply(product *t, double *Hv, const double *v) {
    const ap_problem *p = t->p;
    const size_t n = t->n, P = p->kernel->P, paths = p->kernel->paths;
    const double *b = t->point->b, *F = t->point->F;
    for (size_t i = 0; i < n; i++) t->x[i] = t->scale[i] * v[i];
    ap_curvature_matrices(t->xi, p->net, t->x);
    ap_status status = ap_kernel_combine(t->K, p->kernel, t->xi, NULL, t->work, t->err);
    if (status < 0) return status;
    ap_symv(P, 1.0, t->K, P, b, 0.0, t->w);
    ap_spd_solve(t->point->F, P, t->w, 1);
    ap_spd_mirror(t->K, P);
    ap_trsm('L', 'N', P, P, -1.0, F, P, t->K, P);
    ap_trsm('R', 'T', P, P, 1.0, F, P, t->K, P);
    ap_trsm('L', 'T', P, P, 1.0, F, P, t->K, P);
    ap_trsm('R', 'N', P, P, 1.0, F, P, t->K, P);
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < P; i++) t->K[i + P * j] += b[i] * t->w[j] + t->w[i] * b[j];
    status = ap_kernel_contract(t->xi, p->kernel, t->K, t->work, t->err);
    if (status < 0) return status;
    ap_symv(n, 1.0, t->base, n, t->x, 0.0, Hv);
    for (size_t c = 0, k = 0; c < paths; c++)
        for (size_t a = 0; a <= c; a++, k++) Hv[k] += (a == c ? 1.0 : 2.0) * t->xi[a + paths * c];
    for (size_t i = 0; i < n; i++) Hv[i] *= t->scale[i] / ap_net_maxwidth(p->net);
    return AP_OK;
}

typedef struct approximation {    // H~ + shift I in orthonormal coordinates, over max(N)
    double *labels, *logdet, *g;  // [pairs x pairs], [pairs x pairs], [pairs]
    double *factor;               // [n x n] lower Cholesky factor
    double shift, size;           // size: largest diagonal entry without the shift
} approximation;

static ap_status factorise(approximation *m, const product *t) {
    const size_t n = t->n, q = t->p->kernel->pairs;
    const double scale = 1.0 / ap_net_maxwidth(t->p->net);
    m->size = 0.0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            const double energy = i < q && j < q ? m->labels[i + q * j] - m->logdet[i + q * j] : 0.0;
            m->factor[i + n * j] = (t->base[i + n * j] + energy) * t->scale[i] * t->scale[j] * scale;
        }
        m->size = fmax(m->size, fabs(m->factor[j + n * j]));
        m->factor[j + n * j] += m->shift;
    }
    return ap_spd_chol(m->factor, n, "the Hessian's approximation", t->err);
}

static ap_status approximate(approximation *m, product *t) {
    ap_status status = ap_curvature_energy(m->labels, m->g, m->logdet, probes, t->p, t->point, t->work, t->err);
    if (status < 0) return status;
    status = factorise(m, t);
    for (int attempt = 0; status == AP_ENOTSPD && attempt < most_shifts; attempt++) {
        m->shift = m->shift == 0.0 ? 1e-3 * m->size : 2.0 * m->shift;
        status = factorise(m, t);
    }
    return status;
}

// The part of t orthogonal to the first k columns of V, normalised; false if nothing is left.
static bool orthonormalise(double *t, const double *V, size_t n, size_t k, double *h) {
    for (int pass = 0; k > 0 && pass < 2; pass++) {
        ap_gemv('T', n, k, 1.0, V, n, t, 0.0, h);
        ap_gemv('N', n, k, -1.0, V, n, h, 1.0, t);
    }
    const double length = sqrt(ap_dot(n, t, t));
    for (size_t i = 0; i < n; i++) t[i] /= length;
    return isfinite(1.0 / length);
}

// v := the lowest eigenvector of H~ by inverse iteration; the factor is then that of H~ - s, s just below its value, or
// stays as it was if that is not definite. r [n] is scratch.
static ap_status lowest(double *v, approximation *m, const product *t, double *r) {
    const size_t n = t->n;
    const double definite = m->shift;
    double value = 0.0;                                          // of H~ + shift I
    for (size_t i = 0; i < n; i++) v[i] = sin((double)(i + 1));  // orthogonal to no symmetry of the paths
    for (int step = 0; step < inverse_steps; step++) {
        memcpy(r, v, n * sizeof(double));
        ap_spd_solve(m->factor, n, v, 1);
        value = 1.0 / ap_dot(n, r, v);
        if (!orthonormalise(v, NULL, n, 0, NULL)) return ap_fail(t->err, AP_ENONFINITE, "the Hessian is not finite");
    }
    m->shift -= 0.9 * value;
    ap_status status = factorise(m, t);
    if (status == AP_ENOTSPD) {
        m->shift = definite;
        status = factorise(m, t);
    }
    return status;
}

typedef struct basis {        // Davidson's subspace, k columns at most
    size_t k, count;          // count: columns so far
    double *V, *HV;           // [n x k] orthonormal; its image
    double *small, *vectors;  // [k x k] upper triangle of V' H V by rows; eigenvectors, one after another
    double *theta, *h;        // [4 k] eigenvalues, increasing, and scratch; [k]
} basis;

// One more product, and the lowest Ritz pair: its value in theta[0], its residual in r.
static ap_status ritz(basis *s, product *t, double *r) {
    const size_t n = t->n, k = s->k, last = s->count;
    const ap_status status = apply(t, s->HV + n * last, s->V + n * last);
    if (status < 0) return status;
    for (size_t i = 0; i <= last; i++) s->small[i * k + last] = ap_dot(n, s->V + n * i, s->HV + n * last);
    const size_t count = ++s->count;
    for (size_t j = 0; j < count; j++)
        for (size_t i = j; i < count; i++) s->vectors[i + count * j] = s->small[j * k + i];
    if (!ap_syev('V', count, s->vectors, count, s->theta, s->theta + k))
        return ap_fail(t->err, AP_ELAPACK, "dsyev did not converge (order %zu)", count);
    ap_gemv('N', n, count, 1.0, s->HV, n, s->vectors, 0.0, r);
    ap_gemv('N', n, count, -s->theta[0], s->V, n, s->vectors, 1.0, r);
    return AP_OK;
}

static ap_status davidson(basis *s, const approximation *m, product *t, double *r) {
    const ap_kernel *kernel = t->p->kernel;
    const size_t n = t->n;
    for (;;) {
        if (kernel->stop != NULL && kernel->stop(kernel->context)) return AP_INTERRUPTED;
        const ap_status status = ritz(s, t, r);
        if (status < 0) return status;
        const double miss = sqrt(ap_dot(n, r, r)), enough = fmax(1e-4 * fabs(s->theta[0]), 1e-13 * m->size);
        if (s->count == n || (s->count > 1 && miss <= enough)) return AP_OK;
        if (s->count == s->k) return AP_LIMIT;
        double *next = s->V + n * s->count;
        memcpy(next, r, n * sizeof(double));
        ap_spd_solve(m->factor, n, next, 1);
        if (!orthonormalise(next, s->V, n, s->count, s->h)) return AP_OK;  // the basis holds all there is
    }
}

static ap_status take(product *t, approximation *m, basis *s, double **r) {
    const size_t n = t->n, P = t->p->kernel->P, q = t->p->kernel->pairs, k = most(n);
    s->k = k;
    s->h = ap_take(t->work, k);
    s->V = ap_take(t->work, n * k);
    s->HV = ap_take(t->work, n * k);
    s->small = ap_take(t->work, k * k);
    s->vectors = ap_take(t->work, k * k);
    s->theta = ap_take(t->work, 4 * k);
    m->factor = ap_take(t->work, n * n);
    m->labels = ap_take(t->work, q * q);
    m->logdet = ap_take(t->work, q * q);
    m->g = ap_take(t->work, q);
    t->base = ap_take(t->work, n * n);
    t->K = ap_take(t->work, P * P);
    t->w = ap_take(t->work, P);
    t->scale = ap_take(t->work, n);
    t->x = ap_take(t->work, n);
    t->xi = ap_take(t->work, ap_net_order(t->p->net));
    *r = ap_take(t->work, n);
    return *r == NULL ? ap_no_memory(t->err, "ap_hessian_smallest") : AP_OK;
}

ap_status ap_hessian_smallest(double *smallest, size_t *products, const ap_problem *p, const ap_point *point,
                              ap_work *work, ap_error *err) {
    const size_t n = ap_curvature_count(p->net), mark = work->used;
    product t = {.p = p, .point = point, .work = work, .err = err, .n = n};
    approximation m = {0};
    basis s = {0};
    double *r = NULL;
    ap_status status = take(&t, &m, &s, &r);
    if (status < 0) goto done;
    for (size_t i = 0; i < n; i++) t.x[i] = 1.0;
    ap_curvature_matrices(t.xi, p->net, t.x);
    ap_curvature_vector(t.scale, p->net, t.xi);  // 1 on the diagonal, 2 off it
    for (size_t i = 0; i < n; i++) t.scale[i] = 1.0 / sqrt(t.scale[i]);
    status = entropy_hessian(&t);
    if (status == AP_OK) status = approximate(&m, &t);
    if (status == AP_OK) status = lowest(s.V, &m, &t, r);
    if (status == AP_OK) status = davidson(&s, &m, &t, r);
    if (status < 0 || status == AP_INTERRUPTED) goto done;
    *smallest = s.theta[0];
    *products = s.count;
done:
    work->used = mark;
    return status;
}
