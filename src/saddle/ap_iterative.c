// ap_iterative.c: the curvature of the action held as a linear map
// SPDX-License-Identifier: BSD-3-Clause
//
// The same H as that of ap_dense.c, in the same coordinates of d, but known by its products alone: n = Pi^2/2 unknowns
// would make a matrix of n^2 numbers and n^3/3 flops to factor. It is the map of ap_hessian_operator.c, in one of two
// forms:
//
//   probed    random vectors for log det A: a product takes some 4 P N0 Pi flops a vector, a hundredth of an evaluation
//   inverted  exact: a product takes two or three evaluations. With several outputs the unknowns may be as many as the
//             vectors' numbers, and then the estimate has no more than their size: exact, half the steps are enough.
//             Where the unknowns are fewer, H is exact near the solution, or once the vectors have led astray
//
// Evaluations and times with probed and exact products over probed, of coupled outputs with labels of 0.3 noise:
//
//   C, P, paths of U_1          N = 10, T = 0.1       N = 100, T = 0.1      N = 3, T = 0.01, labels times 3
//   4, 40, 64                   11    9    1.41       6    5    1.43        221 (stalls)    43    0.12
//   6, 40, 120                  12    9    1.11       6    5    1.25         85             60    0.44
//   2, 80, 32                   13   10    1.69       6    5    1.48         41             30    1.05
//
// What they are for is narrow networks. Products by solves in the place of the inverse take 1.1 to 1.4 times as long.
//
// Newton's step comes from conjugate gradients, preconditioned by the layers' own forms (at a saddle point the metric,
// N_1, in layer 1):
//
//   accuracy  the residual in the preconditioner's norm falls by a factor that tightens as the steps get shorter, but
//             not below the accuracy of the vectors, unless a step has been cut: stiff directions are then the cause.
//             With an exact H it falls further, but only until the gradient is below the tolerance
//   down      a direction of negative curvature ends the search: the step goes along it to a radius (Steihaug 1983),
//             the longest step or a few times the last one. Once H has been definite, the vectors are to blame, and
//             there are four times as many from then on
//   longest   no eigenvalue of a d_l exceeds `longest`: of many paths the radius, sqrt (Pi), would let one direction
//             grow by its square, and Newton's method comes back from there by a factor of two a step
//   tail      below `tail` a probed H stays, in its frame, and the gradients met since correct its inverse: limited-
//             memory BFGS (Nocedal 1980)
//   again     an exact H is always that of the point, but not far from the one before: the directions of the searches
//             before, with their products, correct the preconditioner in the same way (Morales, Nocedal 2000), which
//             spares half the products (C = 5, N = 10: 87 for 177)

#include "saddle/ap_saddle.h"

#include <math.h>
#include <string.h>

static ap_status take_map(ap_model *m, size_t probes, ap_work *work, ap_error *err) {
    const bool sharpens = m->how == &ap_iterative_exact_ops;
    const size_t n = m->n, chain = ap_params_length(m->p->net), most = sharpens ? 1 : ap_iterative_probes_most;
    ap_iterative *t = &m->iterative;
    *t = (ap_iterative){.sharpens = sharpens,
                        .exact = sharpens && n > ap_iterative_probes_more * probes * m->p->kernel->P};
    ap_status status =
        ap_hessian_operator_take(&t->H, m->p, AP_PROBED, most * ap_iterative_probes_more * probes, work, err);
    if (status == AP_OK && sharpens) status = ap_energy_hessian_take(&t->H.exact, m->p, true, work, err);
    if (status == AP_OK)
        status =
            ap_lbfgs_take(&t->secants, n,
                          sharpens ? ap_iterative_directions + ap_iterative_recorded : ap_iterative_changes, work, err);
    if (status == AP_OK) status = ap_krylov_vectors_take(&t->gradients, n, work, err);
    if (status < 0) return status;
    AP_TAKE_EACH(work, chain, &t->D, &t->M);
    AP_TAKE_EACH(work, n, &t->b, &t->r, &t->d);
    if (t->H.random.room > ap_iterative_probes_more * probes) t->H.random.probes = ap_iterative_probes_more * probes;
    return t->d == NULL ? ap_not_taken(work, err, "ap_iterative") : AP_OK;
}

typedef struct search {  // arguments of the functions of conjugate gradients
    ap_model *m;
    size_t room;  // directions to be kept
    ap_work *work;
    ap_error *err;
} search;

// q := H x
static ap_status product(double *q, void *self, const double *x) {
    const search *s = self;
    ap_model *m = s->m;
    ap_iterative *t = &m->iterative;
    ap_params_matrices(t->D, m->p->net, x);
    const ap_status status = ap_hessian_operator_apply(t->M, &t->H, t->D, s->work, s->err);
    if (status != AP_OK) return status;
    AP_FREE_MEMBERS (u, m->p->net)
        if (t->turns) ap_triangular_add(t->M + u.at, &m->curves, &u, t->D + u.at);
    ap_params_derivative(q, m->p->net, t->M);
    return AP_OK;
}

// z := (the layers' own forms)^{-1} r, from a derivative to coordinates; of an exact H corrected by directions known
static void precondition(double *z, void *self, const double *r) {
    ap_model *m = ((const search *)self)->m;
    ap_iterative *t = &m->iterative;
    if (t->exact) {
        memcpy(t->b, r, m->n * sizeof(double));
        ap_lbfgs_before(t->b, &t->secants);
        r = t->b;
    }
    ap_params_gradient(t->M, m->p->net, r);
    ap_entropy_hessian_solve(t->M, &t->H.entropy);
    ap_params_coordinates(z, m->p->net, t->M);
    if (t->exact) ap_lbfgs_after(z, &t->secants);
}

// A step was taken, and was no longer than that.
static bool within(const ap_step *last, double length) {
    return last->fraction > 0.0 && last->length * last->fraction <= length;
}

static bool becomes_exact(const ap_iterative *t, const ap_step *last) {
    const bool bent = t->met && !t->definite;
    return t->sharpens && (bent || within(last, ap_iterative_close));
}

// A probed H, and its frame, are kept.
static bool keeps(const ap_model *m, const ap_step *last) {
    const ap_iterative *t = &m->iterative;
    return !t->exact && t->definite && last->fraction >= 1.0 && last->length < ap_iterative_tail &&
           t->turns == m->turns;
}

static void set_accuracy(ap_model *m, const ap_point *point, const ap_step *last) {
    ap_iterative *t = &m->iterative;
    if (t->exact) {
        t->accuracy = within(last, ap_iterative_nearby)
                          ? fmax(ap_iterative_sharp, fmin(ap_iterative_loose, last->length))
                          : ap_iterative_rough;
        t->accuracy = fmax(t->accuracy, fmin(ap_iterative_loose, ap_iterative_enough * m->tolerance / point->gradnorm));
    } else {
        t->accuracy = fmax(ap_iterative_fine, fmin(ap_iterative_rough, last->length));
        if (last->fraction < 1.0) t->accuracy = t->met ? ap_iterative_stiff : ap_iterative_rough;
    }
}

static ap_status update(ap_model *m, const ap_point *point, const ap_step *last, ap_work *work, ap_error *err) {
    ap_iterative *t = &m->iterative;
    (void)work;
    if (becomes_exact(t, last)) t->exact = true;  // and it stays so
    t->radius = last->fraction > 0.0 ? fmin(m->radius, ap_iterative_growth * last->length * last->fraction) : m->radius;
    set_accuracy(m, point, last);
    if (keeps(m, last)) {
        ap_lbfgs_keep(&t->secants, last->s, last->y);
        ap_lbfgs_use(&t->secants, ap_iterative_changes);
        return AP_OK;
    }
    if (!t->exact || t->turns != m->turns || !within(last, ap_iterative_nearby)) ap_lbfgs_clear(&t->secants);
    if (t->met && !t->definite) t->H.random.probes = t->H.random.room;
    ap_frame_move(&m->frame, point);
    t->turns = m->turns;
    t->H.form = t->exact ? AP_INVERTED : AP_PROBED;
    const ap_status status = ap_hessian_operator_make(&t->H, point, t->turns ? AP_LINES : AP_RETRACTION, err);
    return status == AP_OK && t->turns ? ap_triangular_make(&m->curves, point, err) : status;
}

// d := d + tau p, tau > 0, of the length of the radius
static void reach(double *d, ap_model *m, const double *p) {
    const double dd = ap_frame_inner(d, d, m->p->net), dp = ap_frame_inner(d, p, m->p->net);
    const double pp = ap_frame_inner(p, p, m->p->net), room = m->iterative.radius * m->iterative.radius - dd;
    if (room > 0.0) ap_axpy(m->n, room / (dp + sqrt(dp * dp + pp * room)), p, d);
}

// Some directions are kept if there is room, and the search ends where its sum is too long.
static bool seen(void *self, size_t k, const double *d, const double *p, const double *q) {
    const search *s = self;
    if (k < s->room) ap_lbfgs_keep(&s->m->iterative.secants, p, q);
    return ap_frame_length(d, s->m->p->net) > s->m->radius;
}

// d := - H^{-1} v, a probed H corrected by the gradients met, or as much of it as was found before a direction bent
// down, and along that.
static ap_status solve(double *d, ap_model *m, const double *v, double accuracy, size_t room, ap_work *work,
                       ap_error *err) {
    ap_iterative *t = &m->iterative;
    search self = {.m = m, .room = room, .work = work, .err = err};
    const ap_krylov_cg how = {.apply = product,
                              .precondition = precondition,
                              .enough = seen,
                              .self = &self,
                              .accuracy = accuracy,
                              .most = ap_iterative_most_products};
    for (size_t i = 0; i < m->n; i++) t->r[i] = -v[i];
    if (!t->exact) ap_lbfgs_before(t->r, &t->secants);
    const ap_status status = ap_krylov_solve(d, &t->gradients, &how, t->r);
    t->definite = t->gradients.definite;
    if (!t->definite) reach(d, m, t->gradients.p);
    if (!t->exact) ap_lbfgs_after(d, &t->secants);
    return status;
}

// The largest eigenvalue of the symmetric D [n x n] in size, by the power method; v, w [n]
static double largest(const double *D, size_t n, double *v, double *w) {
    double size = 0.0;
    for (size_t i = 0; i < n; i++) v[i] = sin((double)(i + 1));
    for (int k = 0; k < ap_iterative_power_steps; k++) {
        ap_symv(n, 1.0, D, n, v, 0.0, w);
        size = sqrt(ap_dot(n, w, w));
        if (!(size > 0.0)) return 0.0;
        for (size_t i = 0; i < n; i++) v[i] = w[i] / size;
    }
    return size;
}

// No eigenvalue of a d_l beyond the longest: one direction alone could otherwise use up the whole length.
static void limit(double *d, ap_model *m) {
    ap_iterative *t = &m->iterative;
    double most = 0.0;
    ap_params_matrices(t->D, m->p->net, d);
    AP_FREE_MEMBERS (u, m->p->net) most = fmax(most, largest(t->D + u.at, u.n, t->gradients.z, t->gradients.q));
    for (size_t i = 0; i < m->n && most > ap_iterative_longest; i++) d[i] *= ap_iterative_longest / most;
}

static ap_status minimise(double *d, ap_model *m, const double *v, ap_work *work, ap_error *err) {
    ap_iterative *t = &m->iterative;
    const ap_status status = solve(d, m, v, t->accuracy, t->exact ? ap_iterative_recorded : 0, work, err);
    if (status != AP_OK) return status;
    if (t->exact) ap_lbfgs_use(&t->secants, ap_iterative_directions);
    limit(d, m);
    t->met = t->met || t->definite;
    return AP_OK;
}

static ap_status ahead(double *length, ap_model *m, const double *v, ap_work *work, ap_error *err) {
    ap_iterative *t = &m->iterative;
    *length = INFINITY;
    if (!t->definite) return AP_OK;
    const ap_status status = solve(t->d, m, v, ap_iterative_rough, 0, work, err);
    if (status == AP_OK && t->definite) *length = ap_frame_length(t->d, m->p->net);
    return status;
}

const ap_model_ops ap_iterative_ops = {
    .take = take_map, .update = update, .minimise = minimise, .predicted_step = ahead};
const ap_model_ops ap_iterative_exact_ops = {
    .take = take_map, .update = update, .minimise = minimise, .predicted_step = ahead};
