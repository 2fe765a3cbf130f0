// ap_certificate.c: the smallest eigenvalue of the action's Hessian, the certificate of a saddle-point solution
// SPDX-License-Identifier: BSD-3-Clause
//
// The Hessian H of S/max(N) is over all symmetric perturbations of U_1..U_L in the Frobenius inner product, along
// straight lines, u_a eliminated: n coordinates, those of ap_params.c with off-diagonal entries scaled by sqrt (2).
// Here the entropy's share is a matrix. The energy's has exact products (ap_energy_hessian.c), which cost 4 P^3 flops
// each, so they must be few. The random-probe curvature of ap_curvature.c is a close approximation H~, shifted if
// indefinite. Davidson's method (ap_krylov.c) starts from H~'s lowest eigenvector, found by inverse iteration, and adds
// (H~ - s)^{-1} r to its space: r is the residual of the lowest Ritz pair, s lies just below that eigenvector's value.
// The Ritz value is an upper bound at any time; the iteration ends when |r| <= 1e-4 of it, which puts an eigenvalue
// within that distance, and in practice within its square over the gap. Several outputs may have two lowest eigenvalues
// that nearly agree, and a start with little of the lowest eigenvector ends at the next: the space then has H~'s second
// eigenvector as well, and at least four products. After 40 products without that: AP_LIMIT. `doubt` is a margin times
// the sum of what the next product would take from the value, |r| where H~ had to be shifted, and the larger of two
// measures of rounding: the asymmetry of V'HV, and the first-order change of x'Hx by an error of eps |K (x)| in K (x),
// by the rounding of the entropy's terms, and by that of the gradient where rounding ended the search. A smaller value
// has no certain sign in double precision. A dense eigensolver on H~ would save a product or two, but its 9 n^3 flops
// outweigh an evaluation from 30 paths on.
//
// Many paths, whose matrices would not fit, have ap_certificate_products.c. It gives the same values for all sizes, and
// would double the time of the shortest calls, 7 ms: so there are two. On the Markov task (P = 100, 4 paths; a whole
// search takes 3e7 instructions) and a one-shot task (P = 600, 16 paths),
//
//                                    by matrix    by products
//   instructions, N = 10                1.28e7         3.76e7
//   instructions, N = 100               1.00e7         4.91e7
//   ms, N = 10 and 100             1.5 and 1.3    7.8 and 4.3
//   doubles, 4 paths                     4.2e4          7.5e4
//   doubles, 16 paths                   1.44e6         0.75e6
//
// Signs were compared with the definition in 80 digits, 240 problems down to T = 1e-12: none is wrong, one is
// below its doubt (studies/certificate).

#include <float.h>
#include <math.h>
#include <string.h>

#include "saddle/ap_saddle.h"

typedef struct approximation {  // H~ + shift I in orthonormal coordinates, over max(N)
    // [pairs x pairs] curvature of y' A^{-1} y, of log det A with its sign reversed; [pairs]
    double *energy, *logdet, *g;
    double *factor;      // [n x n] lower Cholesky factor
    double shift, size;  // size: largest diagonal entry without the shift
    bool second;         // its second eigenvector joins the space next
} approximation;

typedef struct search {
    const ap_problem *p;
    const ap_point *point;
    size_t n;         // unknowns
    double *entropy;  // [n x n] lower: the entropy's Hessian, in the coordinates of ap_params.c
    double *scale;    // [n] those coordinates per orthonormal coordinate: 1, or 1 / sqrt (2) off the diagonal
    double *x, *X;    // [n], [chain] scratch
    ap_energy_hessian energy;
    approximation m;
    ap_davidson_space space;
    ap_work *work;
    ap_error *err;
} search;

static ap_status take_search(search *t) {
    ap_work *work = t->work;
    const size_t n = t->n, q = t->p->kernel->pairs;
    ap_status status = ap_energy_hessian_take(&t->energy, t->p, false, work, t->err);
    if (status == AP_OK) status = ap_davidson_space_take(&t->space, n, ap_certificate_most_products, work, t->err);
    if (status < 0) return status;
    t->entropy = ap_take_matrix(work, n, n);
    AP_TAKE_EACH(work, n, &t->scale, &t->x);
    t->X = ap_take(work, ap_params_length(t->p->net));
    t->m.factor = ap_take_matrix(work, n, n);
    AP_TAKE_EACH(work, ap_times(q, q), &t->m.energy, &t->m.logdet);
    t->m.g = ap_take(work, q);
    return t->m.g == NULL ? ap_not_taken(work, t->err, "ap_hessian_smallest") : AP_OK;
}

static ap_status make(search *t) {
    const ap_net *net = t->p->net;
    ap_status status = ap_curvature_entropy(t->entropy, net, t->point, NULL, t->work, t->err);
    if (status < 0) return status;
    AP_FREE_MEMBERS (u, net) {  // of the others nothing is left in grad
        double *corner = t->entropy + u.first + t->n * u.first;
        // along straight lines: that along the retraction, less what the retraction's bend adds
        ap_curvature_add(corner, t->n, u.n, -1.0, t->point->grad + u.at, t->point->inverse + u.at);
        if (u.layer == 1) ap_curvature_add(corner, t->n, u.n, 1.0, t->point->G, t->point->inverse);
    }
    ap_params_scale(t->scale, net);
    return ap_energy_hessian_make(&t->energy, t->point, NULL, t->err);
}

// Hv := H v, in orthonormal coordinates
static ap_status product(double *Hv, void *self, const double *v) {
    search *t = self;
    const ap_kernel *k = t->p->kernel;
    const size_t n = t->n;
    if (ap_kernel_stops(k)) return AP_INTERRUPTED;
    for (size_t i = 0; i < n; i++) t->x[i] = t->scale[i] * v[i];
    ap_params_matrices(t->X, t->p->net, t->x);
    const ap_status status = ap_energy_hessian_energy(t->X, &t->energy, t->work, t->err);
    if (status < 0) return status;
    ap_symv(n, 1.0, t->entropy, n, t->x, 0.0, Hv);
    ap_pairs_pack(t->x, t->X, k->paths, 2.0);
    for (size_t i = 0; i < k->pairs; i++) Hv[i] += t->x[i];
    for (size_t i = 0; i < n; i++) Hv[i] *= t->scale[i] / ap_net_maxwidth(t->p->net);
    return AP_OK;
}

static ap_status factorise(search *t) {
    approximation *m = &t->m;
    const size_t n = t->n, q = t->p->kernel->pairs;
    const double scale = 1.0 / ap_net_maxwidth(t->p->net);
    m->size = 0.0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            const double energy = i < q && j < q ? m->energy[i + q * j] - m->logdet[i + q * j] : 0.0;
            m->factor[i + n * j] = (t->entropy[i + n * j] + energy) * t->scale[i] * t->scale[j] * scale;
        }
        m->size = fmax(m->size, fabs(m->factor[j + n * j]));
        m->factor[j + n * j] += m->shift;
    }
    return ap_spd_chol(m->factor, n, "the Hessian's approximation", t->err);
}

static ap_status approximate(search *t) {
    approximation *m = &t->m;
    ap_status status =
        ap_curvature_energy(m->energy, m->g, m->logdet, ap_certificate_probes, t->p, t->point, t->work, t->err);
    if (status != AP_OK) return status;
    status = factorise(t);
    for (int attempt = 0; status == AP_ENOTSPD && attempt < ap_most_shifts; attempt++) {
        if (ap_kernel_stops(t->p->kernel)) return AP_INTERRUPTED;
        m->shift = m->shift == 0.0 ? ap_certificate_first_shift * m->size : 2.0 * m->shift;
        status = factorise(t);
    }
    return status;
}

// x := the lowest eigenvector of H~ by inverse iteration; the factor is then that of H~ - s, s just below its value, or
// stays as it was if that is not definite.
static ap_status lowest(search *t) {
    approximation *m = &t->m;
    const size_t n = t->n;
    const double definite = m->shift;
    double value = 0.0, *v = t->space.x, *r = t->space.r;        // value: of H~ + shift I
    for (size_t i = 0; i < n; i++) v[i] = sin((double)(i + 1));  // orthogonal to no symmetry of the paths
    for (int step = 0; step < ap_certificate_inverse_steps; step++) {
        memcpy(r, v, n * sizeof(double));
        ap_spd_solve(m->factor, n, v, 1);
        value = 1.0 / ap_dot(n, r, v);
        if (!ap_krylov_orthonormalise(v, NULL, n, 0, NULL))
            return ap_fail(t->err, AP_ENONFINITE, "the Hessian is not finite");
    }
    m->shift -= ap_certificate_below * value;
    ap_status status = factorise(t);
    if (status == AP_ENOTSPD) {
        m->shift = definite;
        status = factorise(t);
    }
    return status;
}

static ap_status expand(double *next, void *self, const double *x) {
    search *t = self;
    if (!t->m.second) {
        ap_spd_solve(t->m.factor, t->n, next, 1);
        return AP_OK;
    }
    t->m.second = false;
    for (size_t i = 0; i < t->n; i++) next[i] = cos((double)(i + 1));
    for (int step = 0; step < ap_certificate_inverse_steps; step++) {
        if (!ap_krylov_orthonormalise(next, x, t->n, 1, t->x)) return AP_STALLED;
        ap_spd_solve(t->m.factor, t->n, next, 1);
    }
    return AP_OK;
}

static ap_status davidson(search *t) {
    const ap_krylov_davidson how = {
        .apply = product,
        .expand = expand,
        .self = t,
        .close = ap_certificate_close,
        .floor = ap_certificate_floor * t->m.size,
        .least = t->p->kernel->outputs > 1 ? ap_certificate_for_outputs : ap_certificate_least};
    const ap_status status = ap_krylov_lowest(&t->space, &how, t->err);
    return status == AP_STALLED ? AP_OK : status;  // the space holds all there is
}

// The most that rounding of the entropy's terms does to x'Hx, of x in the coordinates of ap_params.c: where order
// parameters are far from round, they cancel.
static double entropy_noise(const search *t, const double *x) {
    const size_t n = t->n;
    double sum = 0.0;
    for (size_t j = 0; j < n; j++) {
        double column = 0.5 * fabs(t->entropy[j * (n + 1)] * x[j]);
        for (size_t i = j + 1; i < n; i++) column += fabs(t->entropy[i + n * j] * x[i]);
        sum += 2.0 * column * fabs(x[j]);
    }
    return DBL_EPSILON * sum;
}

double ap_certificate_noise(const double *D, const ap_net *net, const ap_point *point) {
    double sum = 0.0;
    AP_FREE_MEMBERS (u, net) sum += u.width * ap_dot(u.n * u.n, D + u.at, D + u.at);
    return point->rounding * sum;
}

// The decrease of the value by the next product, r' (H~ - s)^{-1} r, which |r| bounds in any case; |r| itself where
// H~ - s is not definite.
static double doubt_of(search *t) {
    const ap_davidson_space *s = &t->space;
    const ap_net *net = t->p->net;
    for (size_t i = 0; i < t->n; i++) t->x[i] = t->scale[i] * s->x[i];
    ap_params_matrices(t->X, net, t->x);
    AP_FREE_MEMBERS (u, net) ap_spd_divide('N', t->X + u.at, t->point->chol + u.at, u.n);
    const double noise = t->energy.noise + entropy_noise(t, t->x) + ap_certificate_noise(t->X, net, t->point),
                 rounding = fmax(s->asymmetry, noise / ap_net_maxwidth(net));
    if (t->m.shift > 0.0) return s->residual_norm + rounding;
    memcpy(t->x, s->r, t->n * sizeof(double));
    ap_spd_solve(t->m.factor, t->n, t->x, 1);
    return fmin(s->residual_norm, fabs(ap_dot(t->n, t->x, s->r))) + rounding;
}

static ap_status dense(double *smallest, double *doubt, size_t *products, const ap_problem *p, const ap_point *point,
                       ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    search t = {.p = p, .point = point, .n = ap_params_unknowns(p->net), .work = work, .err = err};
    ap_status status = take_search(&t);
    if (status == AP_OK) status = make(&t);
    if (status == AP_OK) status = approximate(&t);
    if (status == AP_OK) status = lowest(&t);
    t.m.second = p->kernel->outputs > 1 && t.n > 1;
    if (status == AP_OK) status = davidson(&t);
    if (status == AP_OK || status == AP_LIMIT) {
        *smallest = t.space.theta[0];
        *doubt = doubt_of(&t);
        *products = t.space.count;
    }
    work->used = mark;
    return status;
}

ap_status ap_hessian_smallest(double *smallest, double *doubt, size_t *products, const ap_problem *p,
                              const ap_point *point, ap_work *work, ap_error *err) {
    *doubt = INFINITY;
    const bool small = ap_model_is_small(p) || ap_model_matrix_price(p->kernel) < ap_certificate_cheap;
    const ap_status status = (small ? dense : ap_certificate_products)(smallest, doubt, products, p, point, work, err);
    if (status == AP_OK || status == AP_LIMIT) *doubt *= ap_certificate_margin;
    return status;
}
