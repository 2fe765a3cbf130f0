// ap_certificate_products.c: the smallest eigenvalue of the action's Hessian by products alone
// SPDX-License-Identifier: BSD-3-Clause
//
// For many paths, where those of ap_certificate.c would not fit. H is the Hessian of S/max(N) along straight lines, in
// orthonormal coordinates, as there. Two maps with vectors stand for it, forms of that of ap_hessian_operator.c:
//
//   exact      H v, about two evaluations, so few of them
//   probed     H~ v, the labels exactly and the log-determinant by random probes, a tenth of an evaluation
//
// V holds the orthonormal vectors of which exact images are known. With E V = H V - H~ V the map
//
//   H^ = H~ + E V V' + V (E V)' - V (V' E V) V'
//
// is right on them. Davidson's method (ap_krylov.c) finds the lowest eigenvector of H^, preconditioned by the layers'
// own forms. Its part outside of V is the next vector to join, which is Davidson's method again, for H. The lowest Ritz
// value of H in V is an upper bound at any time. With its residual below 1e-3 of it an eigenvalue is that near. Several
// outputs may have two lowest eigenvalues that nearly agree, and a vector with little of the first ends at the second:
// the search for that of H^ then takes twelve products at least. With one, 3 of 174 random problems with rotated
// outputs ended so; with twelve one of the three, which ap_certificate.c takes now, and none of 1400 others. The budget
// is a number of products, the usual cost of a solve. If it ends first, AP_LIMIT means that the value is no more than a
// bound.

#include "saddle/ap_saddle.h"

#include <math.h>
#include <string.h>

typedef struct search {
    const ap_problem *p;
    size_t n, chain, taken;    // unknowns, numbers in the chain, products with H~
    ap_hessian_operator H;     // in its probed form
    ap_energy_hessian energy;  // exactly, in the coordinates of U_1
    ap_davidson_space exact, probed;
    double *EV;         // [n x ap_products_most_exact]
    double *scale;      // [n] coordinates per orthonormal coordinate
    double *D, *M, *X;  // [chain]
    double *v;          // [n]
    ap_work *work;
    ap_error *err;
} search;

static ap_status take_search(search *t) {
    ap_work *work = t->work;
    ap_status status = ap_hessian_operator_take(&t->H, t->p, AP_STAYING, ap_products_probes, work, t->err);
    if (status == AP_OK) status = ap_energy_hessian_take(&t->energy, t->p, false, work, t->err);
    if (status == AP_OK) status = ap_davidson_space_take(&t->exact, t->n, ap_products_most_exact, work, t->err);
    if (status == AP_OK) status = ap_davidson_space_take(&t->probed, t->n, ap_products_columns, work, t->err);
    if (status < 0) return status;
    t->EV = ap_take_matrix(work, t->n, ap_products_most_exact);
    t->scale = ap_take(work, t->n);
    AP_TAKE_EACH(work, t->chain, &t->D, &t->M, &t->X);
    t->v = ap_take(work, t->n);
    return t->v == NULL ? ap_not_taken(work, t->err, "ap_certificate_products") : AP_OK;
}

static ap_status make(search *t, const ap_point *point) {
    ap_status status = ap_hessian_operator_make(&t->H, point, AP_LINES, t->err);
    if (status == AP_OK) status = ap_energy_hessian_make(&t->energy, point, NULL, t->err);
    ap_params_scale(t->scale, t->p->net);
    return status;
}

// X := the matrices x_l of v, D := F_l^{-1} x_l F_l^{-T}
static void enter(search *t, const double *v) {
    for (size_t i = 0; i < t->n; i++) t->v[i] = t->scale[i] * v[i];
    ap_params_matrices(t->X, t->p->net, t->v);
    memcpy(t->D, t->X, t->chain * sizeof(double));
    AP_FREE_MEMBERS (u, t->p->net) ap_spd_divide('N', t->D + u.at, t->H.entropy.F + u.at, u.n);
    ap_params_copy_tied(t->D, t->p->net);
}

// Hv := F_l^{-T} M_l F_l^{-1}, in layer 1 plus G, over max(N)
static void leave(double *Hv, search *t, const double *G) {
    AP_FREE_MEMBERS (u, t->p->net) {
        ap_spd_divide('T', t->M + u.at, t->H.entropy.F + u.at, u.n);
        for (size_t i = 0; u.layer == 1 && G != NULL && i < u.n * u.n; i++) t->M[i] += G[i];
    }
    ap_params_derivative(Hv, t->p->net, t->M);
    for (size_t i = 0; i < t->n; i++) Hv[i] *= t->scale[i] / ap_net_maxwidth(t->p->net);
}

// Hv := H~ v
static ap_status probed(double *Hv, search *t, const double *v) {
    enter(t, v);
    const ap_status status = ap_hessian_operator_apply(t->M, &t->H, t->D, t->work, t->err);
    if (status == AP_OK) leave(Hv, t, NULL);
    t->taken++;
    return status;
}

// One more product with H: its image, and what H~ misses of that.
static ap_status exact(double *Hv, void *self, const double *v) {
    search *t = self;
    double *E = t->EV + t->n * t->exact.count;
    enter(t, v);
    ap_status status = ap_energy_hessian_energy(t->X, &t->energy, t->work, t->err);
    if (status < 0) return status;
    ap_entropy_hessian_apply(t->M, &t->H.entropy, t->D);
    leave(Hv, t, t->X);
    status = probed(E, t, v);
    for (size_t i = 0; i < t->n; i++) E[i] = Hv[i] - E[i];
    return status;
}

// Hv := H^ v
static ap_status corrected(double *Hv, void *self, const double *v) {
    search *t = self;
    const size_t n = t->n, k = t->exact.count;
    if (t->taken >= ap_products_most_probed) return AP_LIMIT;
    const ap_status status = probed(Hv, t, v);
    for (size_t i = 0; status == AP_OK && i < k; i++) {
        const double *Vi = t->exact.V + n * i, *Ei = t->EV + n * i;
        const double along = ap_dot(n, Vi, v), across = ap_dot(n, Ei, v);
        ap_axpy(n, along, Ei, Hv);
        ap_axpy(n, across, Vi, Hv);
        for (size_t j = 0; j < k; j++) ap_axpy(n, -along * ap_dot(n, t->exact.V + n * j, Ei), t->exact.V + n * j, Hv);
    }
    return status;
}

// r := (the layers' own forms)^{-1} r
static ap_status precondition(double *r, void *self, const double *x) {
    search *t = self;
    (void)x;
    for (size_t i = 0; i < t->n; i++) r[i] /= t->scale[i];
    ap_params_gradient(t->M, t->p->net, r);
    AP_FREE_MEMBERS (u, t->p->net) ap_spd_multiply('T', t->M + u.at, t->H.entropy.F + u.at, u.n);
    ap_entropy_hessian_solve(t->M, &t->H.entropy);
    AP_FREE_MEMBERS (u, t->p->net) ap_spd_multiply('N', t->M + u.at, t->H.entropy.F + u.at, u.n);
    ap_params_coordinates(r, t->p->net, t->M);
    for (size_t i = 0; i < t->n; i++) r[i] /= t->scale[i];
    return AP_OK;
}

// v := the lowest eigenvector of H^, as near as the budget allows, from x.
static ap_status lowest(double *v, void *self, const double *x) {
    search *t = self;
    const ap_krylov_davidson how = {.apply = corrected,
                                    .expand = precondition,
                                    .self = t,
                                    .close = ap_products_closer,
                                    .least = t->p->kernel->outputs > 1 ? ap_products_for_outputs : 0,
                                    .kept = ap_products_kept};
    if (t->taken >= ap_products_most_probed) return AP_LIMIT;
    memcpy(t->probed.x, x, t->n * sizeof(double));
    const ap_status status = ap_krylov_lowest(&t->probed, &how, t->err);
    if (status < 0 || status == AP_INTERRUPTED) return status;
    memcpy(v, t->probed.x, t->n * sizeof(double));
    return AP_OK;
}

static ap_status run(search *t) {
    const ap_krylov_davidson how = {.apply = exact, .expand = lowest, .self = t, .close = ap_products_close};
    double *start = t->exact.r;
    for (size_t i = 0; i < t->n; i++) start[i] = sin((double)(i + 1));  // orthogonal to no symmetry of the paths
    ap_status status = precondition(start, t, NULL);
    if (status == AP_OK) status = lowest(t->exact.x, t, start);
    if (status == AP_OK) status = ap_krylov_lowest(&t->exact, &how, t->err);
    return status == AP_STALLED ? AP_LIMIT : status;
}

ap_status ap_certificate_products(double *smallest, double *doubt, size_t *products, const ap_problem *p,
                                  const ap_point *point, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    search t = {.p = p, .n = ap_params_unknowns(p->net), .chain = ap_params_length(p->net), .work = work, .err = err};
    ap_status status = take_search(&t);
    if (status == AP_OK) status = make(&t, point);
    if (status == AP_OK) status = run(&t);
    if ((status == AP_OK || status == AP_LIMIT) && t.exact.count > 0) {
        *smallest = t.exact.theta[0];
        memcpy(t.probed.x, t.exact.r, t.n * sizeof(double));
        const ap_status sure = precondition(t.probed.x, &t, NULL);
        if (sure < 0) status = sure;
        enter(&t, t.exact.x);
        const double noise = t.energy.noise + ap_certificate_noise(t.D, p->net, point);
        *doubt = fmin(t.exact.residual_norm, fabs(ap_dot(t.n, t.probed.x, t.exact.r))) +
                 fmax(t.exact.asymmetry, noise / ap_net_maxwidth(p->net));
        *products = t.exact.count;
    }
    work->used = mark;
    return status;
}
