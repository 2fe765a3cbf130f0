// ap_hessian.c: the smallest eigenvalue of the action's Hessian, the certificate of a saddle-point solution
// SPDX-License-Identifier: BSD-3-Clause
//
// Products with the Hessian are exact (ap_product.c) and cost 4 P^3 flops each, so they must be few. The random-probe
// curvature of ap_curvature.c is a close approximation H~, shifted where it is indefinite. Davidson's method
// (J. Comput. Phys. 17, 1975) starts from H~'s lowest eigenvector, found by inverse iteration, and adds (H~ - s)^{-1} r
// to its basis: r is the residual of the lowest Ritz pair, s lies just below that eigenvector's value.
// The Ritz value is an upper bound at any time; the iteration ends when |r| <= 1e-4 of it, which puts an eigenvalue
// within that distance, and in practice within its square over the gap. After 40 products without that: AP_LIMIT. A
// dense eigensolver on H~ would save a product or two, but its 9 n^3 flops outweigh an evaluation from 30 paths on.

#include <math.h>
#include <string.h>

#include "base/ap_blas.h"
#include "saddle/ap_certificate.h"
#include "base/ap_core.h"
#include "saddle/ap_curvature.h"
#include "saddle/ap_model.h"
#include "network/ap_order.h"
#include "saddle/ap_product.h"
#include "base/ap_spd.h"

enum { probes = 8, most_products = 40, inverse_steps = 12, most_shifts = 60 };

typedef struct approximation {  // H~ + shift I in orthonormal coordinates, over max(N)
    double *energy, *logdet,
        *g;              // [pairs x pairs] curvature of y' A^{-1} y, of log det A with its sign reversed; [pairs]
    double *factor;      // [n x n] lower Cholesky factor
    double shift, size;  // size: largest diagonal entry without the shift
} approximation;

typedef struct basis {        // Davidson's subspace, k columns at most
    size_t k, count;          // count: columns so far
    double *V, *HV;           // [n x k] orthonormal; its image
    double *small, *vectors;  // [k x k] upper triangle of V' H V by rows; eigenvectors, one after another
    double *theta, *h;        // [4 k] eigenvalues, increasing, and scratch; [k]
} basis;

typedef struct search {
    ap_product H;
    approximation m;
    basis s;
    double *r;  // [n] residual
    ap_work *work;
    ap_error *err;
} search;

static ap_status take(search *t, const ap_problem *p, const ap_point *point) {
    ap_work *work = t->work;
    const ap_status status = ap_product_take(&t->H, p, point, work, t->err);
    if (status < 0) return status;
    const size_t n = t->H.n, q = p->kernel->pairs, k = n < most_products ? n : most_products;
    t->s.k = k;
    t->s.h = ap_take(work, k);
    t->s.V = ap_take_matrix(work, n, k);
    t->s.HV = ap_take_matrix(work, n, k);
    t->s.small = ap_take_matrix(work, k, k);
    t->s.vectors = ap_take_matrix(work, k, k);
    t->s.theta = ap_take_matrix(work, 4, k);
    t->m.factor = ap_take_matrix(work, n, n);
    t->m.energy = ap_take_matrix(work, q, q);
    t->m.logdet = ap_take_matrix(work, q, q);
    t->m.g = ap_take(work, q);
    t->r = ap_take(work, n);
    return t->r == NULL ? ap_not_taken(work, t->err, "ap_hessian_smallest") : AP_OK;
}

static ap_status factorise(search *t) {
    approximation *m = &t->m;
    const size_t n = t->H.n, q = t->H.p->kernel->pairs;
    const double scale = 1.0 / ap_net_maxwidth(t->H.p->net);
    m->size = 0.0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            const double energy = i < q && j < q ? m->energy[i + q * j] - m->logdet[i + q * j] : 0.0;
            m->factor[i + n * j] = (t->H.entropy[i + n * j] + energy) * t->H.scale[i] * t->H.scale[j] * scale;
        }
        m->size = fmax(m->size, fabs(m->factor[j + n * j]));
        m->factor[j + n * j] += m->shift;
    }
    return ap_spd_chol(m->factor, n, "the Hessian's approximation", t->err);
}

static ap_status approximate(search *t) {
    approximation *m = &t->m;
    ap_status status = ap_curvature_energy(m->energy, m->g, m->logdet, probes, t->H.p, t->H.point, t->work, t->err);
    if (status < 0 || t->work->counts) return status;
    status = factorise(t);
    for (int attempt = 0; status == AP_ENOTSPD && attempt < most_shifts; attempt++) {
        m->shift = m->shift == 0.0 ? 1e-3 * m->size : 2.0 * m->shift;
        status = factorise(t);
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

// The first column of V := the lowest eigenvector of H~ by inverse iteration; the factor is then that of H~ - s, s just
// below its value, or stays as it was if that is not definite.
static ap_status lowest(search *t) {
    approximation *m = &t->m;
    const size_t n = t->H.n;
    const double definite = m->shift;
    double value = 0.0, *v = t->s.V, *r = t->r;                  // value: of H~ + shift I
    for (size_t i = 0; i < n; i++) v[i] = sin((double)(i + 1));  // orthogonal to no symmetry of the paths
    for (int step = 0; step < inverse_steps; step++) {
        memcpy(r, v, n * sizeof(double));
        ap_spd_solve(m->factor, n, v, 1);
        value = 1.0 / ap_dot(n, r, v);
        if (!orthonormalise(v, NULL, n, 0, NULL)) return ap_fail(t->err, AP_ENONFINITE, "the Hessian is not finite");
    }
    m->shift -= 0.9 * value;
    ap_status status = factorise(t);
    if (status == AP_ENOTSPD) {
        m->shift = definite;
        status = factorise(t);
    }
    return status;
}

// One more product, and the lowest Ritz pair: its value in theta[0], its residual in r.
static ap_status ritz(search *t) {
    basis *s = &t->s;
    const size_t n = t->H.n, k = s->k, last = s->count;
    const ap_status status = ap_product_apply(s->HV + n * last, &t->H, s->V + n * last, t->work, t->err);
    if (status < 0) return status;
    for (size_t i = 0; i <= last; i++) s->small[i * k + last] = ap_dot(n, s->V + n * i, s->HV + n * last);
    const size_t count = ++s->count;
    for (size_t j = 0; j < count; j++)
        for (size_t i = j; i < count; i++) s->vectors[i + count * j] = s->small[j * k + i];
    if (!ap_syev('V', count, s->vectors, count, s->theta, s->theta + k))
        return ap_fail(t->err, AP_ELAPACK, "dsyev did not converge (order %zu)", count);
    ap_gemv('N', n, count, 1.0, s->HV, n, s->vectors, 0.0, t->r);
    ap_gemv('N', n, count, -s->theta[0], s->V, n, s->vectors, 1.0, t->r);
    return AP_OK;
}

static ap_status davidson(search *t) {
    const ap_kernel *kernel = t->H.p->kernel;
    basis *s = &t->s;
    const size_t n = t->H.n;
    for (;;) {
        if (kernel->stop != NULL && kernel->stop(kernel->context)) return AP_INTERRUPTED;
        const ap_status status = ritz(t);
        if (status < 0) return status;
        const double miss = sqrt(ap_dot(n, t->r, t->r)), enough = fmax(1e-4 * fabs(s->theta[0]), 1e-13 * t->m.size);
        if (s->count == n || (s->count > 1 && miss <= enough)) return AP_OK;
        if (s->count == s->k) return AP_LIMIT;
        double *next = s->V + n * s->count;
        memcpy(next, t->r, n * sizeof(double));
        ap_spd_solve(t->m.factor, n, next, 1);
        if (!orthonormalise(next, s->V, n, s->count, s->h)) return AP_OK;  // the basis holds all there is
    }
}

size_t ap_hessian_worksize(const ap_problem *p) {
    ap_work count = ap_counting();
    ap_point point = {0};
    double smallest;
    size_t products;
    return ap_counted(&count, ap_hessian_smallest(&smallest, &products, p, &point, &count, NULL));
}

ap_status ap_hessian_smallest(double *smallest, size_t *products, const ap_problem *p, const ap_point *point,
                              ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    if (!ap_model_is_small(p)) return ap_certificate(smallest, products, p, point, work, err);
    search t = {.work = work, .err = err};
    ap_status status = take(&t, p, point);
    if (status == AP_OK) status = ap_product_make(&t.H, work, err);
    if (status == AP_OK) status = approximate(&t);
    if (status == AP_OK && work->counts) {
        status = ap_product_apply(NULL, &t.H, NULL, work, err);
    } else if (status == AP_OK) {
        status = lowest(&t);
        if (status == AP_OK) status = davidson(&t);
        if (status == AP_OK || status == AP_LIMIT) {
            *smallest = t.s.theta[0];
            *products = t.s.count;
        }
    }
    work->used = mark;
    return status;
}
