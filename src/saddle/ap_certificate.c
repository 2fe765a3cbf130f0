// ap_certificate.c: the smallest eigenvalue of the action's Hessian by products alone
// SPDX-License-Identifier: BSD-3-Clause
//
// For many paths, where ap_hessian.c's matrices would not fit. H is the Hessian of S/max(N) along straight lines, in
// orthonormal coordinates, as there. Two maps with vectors stand for it:
//
//   exact    H v, about two evaluations (ap_product.c), so few of them
//   sketch   H~ v, the labels exactly and the log-determinant by random probes (ap_sketch.c), a tenth of an evaluation
//
// V holds the orthonormal vectors of which exact images are known. With E V = H V - H~ V the map
//
//   H^ = H~ + E V V' + V (E V)' - V (V' E V) V'
//
// is right on them. Davidson's method finds the lowest eigenvector of H^, preconditioned by the layers' own forms; what
// it has outside of V is the next vector to join. The lowest Ritz value of H in V is an upper bound at any time. With
// its residual below 1e-3 of it an eigenvalue is that near. The budget is counted in products: what a solve usually
// costs. Where it ends first, AP_LIMIT says that the value is no more than a bound.

#include "saddle/ap_certificate.h"

#include <math.h>
#include <string.h>

#include "saddle/ap_bend.h"
#include "base/ap_blas.h"
#include "base/ap_core.h"
#include "network/ap_order.h"
#include "base/ap_pairs.h"
#include "saddle/ap_product.h"
#include "saddle/ap_sketch.h"

enum { probes = 16, most_exact = 6, most_sketched = 120, columns = 24, kept = 6 };

static const double close = 1e-3;  // of a residual over its value

typedef struct space {        // a subspace with its image under a symmetric map
    size_t k, count;          // room, columns so far
    double *V, *HV;           // [n x k] orthonormal; its image
    double *small, *vectors;  // [k x k] V' H V, lower; eigenvectors
    double *theta;            // [4 k] eigenvalues, increasing, and scratch
} space;

typedef struct search {
    const ap_problem *p;
    const ap_point *point;
    size_t n, chain, sketched;
    ap_bend bend;
    ap_sketch sketch;
    space exact, davidson;
    double *EV;         // [n x most_exact]
    double *scale;      // [n] coordinates per orthonormal coordinate
    double *D, *M, *X;  // [chain]
    double *K, *w;      // [P x P], [P x m]
    double *v, *r, *h;  // [n], [n], [columns]
    ap_work *work;
    ap_error *err;
} search;

static void take_space(space *s, size_t n, size_t k, ap_work *work) {
    s->k = k < n ? k : n;
    s->V = ap_take_matrix(work, n, s->k);
    s->HV = ap_take_matrix(work, n, s->k);
    s->small = ap_take_matrix(work, s->k, s->k);
    s->vectors = ap_take_matrix(work, s->k, s->k);
    s->theta = ap_take_matrix(work, 4, s->k);
}

static ap_status take(search *t) {
    const size_t n = t->n, P = t->p->kernel->P;
    ap_work *work = t->work;
    ap_status status = ap_bend_take(&t->bend, t->p->net, work, t->err);
    if (status == AP_OK) status = ap_sketch_take(&t->sketch, t->p, probes, work, t->err);
    if (status < 0) return status;
    take_space(&t->exact, n, most_exact, work);
    take_space(&t->davidson, n, columns, work);
    t->EV = ap_take_matrix(work, n, most_exact);
    t->scale = ap_take(work, n);
    t->D = ap_take(work, t->chain);
    t->M = ap_take(work, t->chain);
    t->X = ap_take(work, t->chain);
    t->K = ap_take_matrix(work, P, P);
    t->w = ap_take_matrix(work, P, ap_problem_columns(t->p));
    t->v = ap_take(work, n);
    t->r = ap_take(work, n);
    t->h = ap_take(work, columns);
    return t->h == NULL ? ap_not_taken(work, t->err, "ap_certificate") : AP_OK;
}

static ap_status make(search *t) {
    const ap_status status = ap_bend_make(&t->bend, t->point, 0.0, t->err);
    if (status < 0) return status;
    ap_sketch_make(&t->sketch, t->point, t->bend.F);
    for (size_t l = 1; l <= t->p->net->L; l++) {
        const ap_member u = ap_order_member(t->p->net, l);
        double *scale = t->scale + u.first;
        ap_pairs_weights(scale, u.n);
        for (size_t k = 0; k < u.pairs; k++) scale[k] = 1.0 / sqrt(scale[k]);
    }
    return AP_OK;
}

// X := the matrices x_l of v, D := F_l^{-1} x_l F_l^{-T}
static void enter(search *t, const double *v) {
    for (size_t i = 0; i < t->n; i++) t->r[i] = t->scale[i] * v[i];
    ap_order_matrices(t->X, t->p->net, t->r);
    memcpy(t->D, t->X, t->chain * sizeof(double));
    for (size_t l = 1; l <= t->p->net->L; l++) {
        const ap_member u = ap_order_member(t->p->net, l);
        ap_trsm('L', 'N', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->D + u.at, u.n);
        ap_trsm('R', 'T', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->D + u.at, u.n);
    }
}

// Hv := F_l^{-T} M_l F_l^{-1}, in layer 1 plus G, over max(N)
static void leave(double *Hv, search *t, const double *G) {
    for (size_t l = 1; l <= t->p->net->L; l++) {
        const ap_member u = ap_order_member(t->p->net, l);
        ap_trsm('L', 'T', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->M + u.at, u.n);
        ap_trsm('R', 'N', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->M + u.at, u.n);
        for (size_t i = 0; l == 1 && G != NULL && i < u.n * u.n; i++) t->M[i] += G[i];
    }
    ap_order_derivative(Hv, t->p->net, t->M);
    for (size_t i = 0; i < t->n; i++) Hv[i] *= t->scale[i] / ap_net_maxwidth(t->p->net);
}

static void sketched(double *Hv, search *t, const double *v) {
    enter(t, v);
    ap_bend_apply(t->M, &t->bend, t->D);
    ap_sketch_add(t->M, &t->sketch, t->D);
    leave(Hv, t, NULL);
    t->sketched++;
}

static ap_status exact_energy(search *t) {
    return ap_product_energy(t->X, t->p, &t->point->fit, t->K, t->w, t->work, t->err);
}

static ap_status exact(double *Hv, search *t, const double *v) {
    enter(t, v);
    const ap_status status = exact_energy(t);
    if (status < 0) return status;
    ap_bend_apply(t->M, &t->bend, t->D);
    leave(Hv, t, t->X);
    return AP_OK;
}

// Hv := H^ v
static void corrected(double *Hv, search *t, const double *v) {
    const size_t n = t->n, k = t->exact.count;
    sketched(Hv, t, v);
    for (size_t i = 0; i < k; i++) {
        const double *Vi = t->exact.V + n * i, *Ei = t->EV + n * i;
        const double along = ap_dot(n, Vi, v), across = ap_dot(n, Ei, v);
        ap_axpy(n, along, Ei, Hv);
        ap_axpy(n, across, Vi, Hv);
        for (size_t j = 0; j < k; j++) ap_axpy(n, -along * ap_dot(n, t->exact.V + n * j, Ei), t->exact.V + n * j, Hv);
    }
}

// r := (the layers' own forms)^{-1} r
static void precondition(search *t, double *r) {
    for (size_t i = 0; i < t->n; i++) r[i] /= t->scale[i];
    ap_order_gradient(t->M, t->p->net, r);
    for (size_t l = 1; l <= t->p->net->L; l++) {
        const ap_member u = ap_order_member(t->p->net, l);
        ap_trmm('L', 'T', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->M + u.at, u.n);
        ap_trmm('R', 'N', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->M + u.at, u.n);
    }
    ap_bend_solve(t->M, &t->bend);
    for (size_t l = 1; l <= t->p->net->L; l++) {
        const ap_member u = ap_order_member(t->p->net, l);
        ap_trmm('L', 'N', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->M + u.at, u.n);
        ap_trmm('R', 'T', u.n, u.n, 1.0, t->bend.F + u.at, u.n, t->M + u.at, u.n);
    }
    ap_order_coordinates(r, t->p->net, t->M);
    for (size_t i = 0; i < t->n; i++) r[i] /= t->scale[i];
}

// The part of x orthogonal to the columns of V, normalised; false if nothing is left.
static bool orthonormalise(double *x, const double *V, size_t n, size_t k, double *h) {
    const double before = sqrt(ap_dot(n, x, x));
    for (int pass = 0; k > 0 && pass < 2; pass++) {
        ap_gemv('T', n, k, 1.0, V, n, x, 0.0, h);
        ap_gemv('N', n, k, -1.0, V, n, h, 1.0, x);
    }
    const double length = sqrt(ap_dot(n, x, x));
    for (size_t i = 0; i < n; i++) x[i] /= length;
    return length > 1e-12 * before && isfinite(1.0 / length);
}

// The last column has joined, with its image: x := the lowest Ritz vector, r := its residual.
static ap_status ritz(space *s, double *x, double *r, size_t n, ap_error *err) {
    const size_t count = s->count;
    for (size_t j = 0; j < count; j++)
        for (size_t i = j; i < count; i++) s->vectors[i + count * j] = ap_dot(n, s->V + n * i, s->HV + n * j);
    if (!ap_syev('V', count, s->vectors, count, s->theta, s->theta + s->k))
        return ap_fail(err, AP_ELAPACK, "dsyev did not converge (order %zu)", count);
    ap_gemv('N', n, count, 1.0, s->V, n, s->vectors, 0.0, x);
    ap_gemv('N', n, count, 1.0, s->HV, n, s->vectors, 0.0, r);
    ap_axpy(n, -s->theta[0], x, r);
    return AP_OK;
}

// The Ritz vectors of the `kept` lowest values take the place of all columns.
static void restart(space *s, size_t n, double *row) {
    const size_t count = s->count, few = count < kept ? count : kept;
    for (int image = 0; image < 2; image++) {
        double *A = image ? s->HV : s->V;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < count; j++) row[j] = A[i + n * j];
            for (size_t j = 0; j < few; j++) A[i + n * j] = ap_dot(count, row, s->vectors + count * j);
        }
    }
    s->count = few;
}

// v := the lowest eigenvector of H^, from v, to a residual of `enough` of its value.
static ap_status lowest(search *t, double enough) {
    space *s = &t->davidson;
    const size_t n = t->n;
    bool fresh = orthonormalise(t->v, NULL, n, 0, t->h);
    s->count = 0;
    while (fresh && t->sketched < most_sketched) {
        double *next = s->V + n * s->count;
        if (t->p->kernel->stop != NULL && t->p->kernel->stop(t->p->kernel->context)) return AP_INTERRUPTED;
        memcpy(next, t->v, n * sizeof(double));
        corrected(s->HV + n * s->count, t, next);
        s->count++;
        const ap_status status = ritz(s, t->v, t->r, n, t->err);
        if (status < 0) return status;
        const double miss = sqrt(ap_dot(n, t->r, t->r));
        if (miss <= enough * fabs(s->theta[0]) || s->count == n) break;
        if (s->count == s->k) restart(s, n, t->h);
        memcpy(t->X, t->v, n * sizeof(double));  // it fits: n <= chain
        precondition(t, t->r);
        memcpy(t->v, t->r, n * sizeof(double));
        fresh = orthonormalise(t->v, s->V, n, s->count, t->h);
        if (!fresh || t->sketched == most_sketched) memcpy(t->v, t->X, n * sizeof(double));
    }
    return AP_OK;
}

static ap_status run(search *t) {
    space *s = &t->exact;
    const size_t n = t->n;
    for (size_t i = 0; i < n; i++) t->v[i] = sin((double)(i + 1));  // orthogonal to no symmetry of the paths
    precondition(t, t->v);
    for (;;) {
        ap_status status = lowest(t, 0.3 * close);
        if (status != AP_OK) return status;
        if (!orthonormalise(t->v, s->V, n, s->count, t->h)) return AP_LIMIT;
        double *next = s->V + n * s->count, *image = s->HV + n * s->count, *E = t->EV + n * s->count;
        memcpy(next, t->v, n * sizeof(double));
        status = exact(image, t, next);
        if (status < 0) return status;
        sketched(E, t, next);
        for (size_t i = 0; i < n; i++) E[i] = image[i] - E[i];
        s->count++;
        status = ritz(s, t->v, t->r, n, t->err);
        if (status < 0) return status;
        if (s->count == n || sqrt(ap_dot(n, t->r, t->r)) <= close * fabs(s->theta[0])) return AP_OK;
        if (s->count == s->k || t->sketched >= most_sketched) return AP_LIMIT;
    }
}

ap_status ap_certificate(double *smallest, size_t *products, const ap_problem *p, const ap_point *point, ap_work *work,
                         ap_error *err) {
    const size_t mark = work->used;
    search t = {.p = p,
                .point = point,
                .n = ap_order_unknowns(p->net),
                .chain = ap_order_length(p->net),
                .work = work,
                .err = err};
    ap_status status = take(&t);
    if (status == AP_OK && work->counts) {
        status = exact_energy(&t);
    } else if (status == AP_OK) {
        status = make(&t);
        if (status == AP_OK) status = run(&t);
        if ((status == AP_OK || status == AP_LIMIT) && t.exact.count > 0) {
            *smallest = t.exact.theta[0];
            *products = t.exact.count;
        }
    }
    work->used = mark;
    return status;
}
