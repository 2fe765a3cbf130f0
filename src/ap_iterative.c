// ap_iterative.c: the curvature of the action held as a linear map
// SPDX-License-Identifier: BSD-3-Clause
//
// The same H as that of ap_dense.c, in the same coordinates of d, but known by its products alone (ap_bend.c for the
// entropy, ap_sketch.c for the energy): with n = Pi^2/2 unknowns a matrix takes n^2 numbers and n^3/3 flops, a product
// about 4 P N0 Pi flops a probe, a hundredth of an evaluation. Newton's step comes from conjugate gradients,
// preconditioned by the layers' own forms (at a saddle point the metric, N_1, in layer 1):
//
//   accuracy  the residual in the preconditioner's norm falls by a factor that tightens as the steps get shorter, but
//             not below what the probes are good for, unless a step has been cut: then stiff directions are to blame
//   down      a direction of negative curvature ends the search: the step goes along it to a radius (Steihaug 1983),
//             the longest step or a few times the last one. Once H has been definite, the probes are to blame, and
//             there are four times as many from then on.
//   longest   no eigenvalue of a d_l exceeds `longest`: of many paths the radius, sqrt (Pi), would let one direction
//             grow by its square, and Newton's method comes back from there by a factor of two a step
//   tail      below `tail` H stays, in its frame, and the gradients met since correct it: limited-memory BFGS
//             (Nocedal 1980) around its inverse

#include "ap_iterative.h"

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_core.h"
#include "ap_model.h"
#include "ap_order.h"

static const double tail = 0.1;     // metric length of a full step below which H is kept
static const double rough = 0.1;    // accuracy far from the solution
static const double fine = 0.01;    // accuracy near it
static const double longest = 3.0;  // of the eigenvalues of a step
static const double growth = 4.0;   // most, of the radius of a direction that bends down, over the last step

// Twice the probes of the matrix: a product reads the path inputs whatever their number, and 8 cost a tenth more than
// 4.
enum { most_products = 200, probes_more = 2, probes_most = 4, power_steps = 20 };

static ap_status take(ap_model *m, size_t probes, ap_work *work, ap_error *err) {
    const size_t n = m->n, chain = ap_order_length(m->p->net);
    ap_iterative *t = &m->iterative;
    ap_status status = ap_bend_take(&t->bend, m->p->net, work, err);
    if (status == AP_OK) status = ap_sketch_take(&t->sketch, m->p, probes_most * probes_more * probes, work, err);
    if (status < 0) return status;
    t->D = ap_take(work, chain);
    t->M = ap_take(work, chain);
    t->r = ap_take(work, n);
    t->z = ap_take(work, n);
    t->step = ap_take(work, n);
    t->q = ap_take(work, n);
    t->s = ap_take_matrix(work, n, ap_iterative_secants + 1);
    t->y = ap_take_matrix(work, n, ap_iterative_secants);
    t->secants = 0;
    t->definite = t->met = false;
    if (t->sketch.room > probes_more * probes) t->sketch.probes = probes_more * probes;
    return t->y == NULL ? ap_not_taken(work, err, "ap_iterative") : AP_OK;
}

// q := H x
static void product(double *q, ap_model *m, const double *x) {
    ap_iterative *t = &m->iterative;
    ap_order_matrices(t->D, m->p->net, x);
    ap_bend_apply(t->M, &t->bend, t->D);
    ap_sketch_add(t->M, &t->sketch, t->D);
    for (size_t l = 1; l <= m->p->net->L && t->turns; l++) {
        const size_t at = ap_order_at(m->p->net, l);
        ap_chart_add(t->M + at, &m->chart, l, t->D + at);
    }
    ap_order_derivative(q, m->p->net, t->M);
}

// z := (the layers' own forms)^{-1} r, from a derivative to coordinates
static void precondition(double *z, ap_model *m, const double *r) {
    ap_iterative *t = &m->iterative;
    ap_order_gradient(t->M, m->p->net, r);
    ap_bend_solve(t->M, &t->bend);
    ap_order_coordinates(z, m->p->net, t->M);
}

static void keep_secant(ap_model *m, const ap_step *last) {
    ap_iterative *t = &m->iterative;
    const size_t n = m->n;
    const double sy = ap_dot(n, last->s, last->y);
    if (!(sy > 0.0)) return;
    if (t->secants == ap_iterative_secants) {
        memmove(t->s, t->s + n, n * (ap_iterative_secants - 1) * sizeof(double));
        memmove(t->y, t->y + n, n * (ap_iterative_secants - 1) * sizeof(double));
        t->secants--;
    }
    memcpy(t->s + n * t->secants, last->s, n * sizeof(double));
    memcpy(t->y + n * t->secants, last->y, n * sizeof(double));
    t->secants++;
}

static ap_status update(ap_model *m, const ap_point *point, const ap_step *last, ap_work *work, ap_error *err) {
    ap_iterative *t = &m->iterative;
    if (work->counts) return AP_OK;
    t->radius = last->fraction > 0.0 ? fmin(m->radius, growth * last->length * last->fraction) : m->radius;
    t->accuracy = fmax(fine, fmin(rough, last->length));
    if (last->fraction < 1.0) t->accuracy = t->met ? fine / 10.0 : rough;
    if (t->definite && last->fraction >= 1.0 && last->length < tail && t->turns == m->turns) {
        keep_secant(m, last);
        return AP_OK;
    }
    t->secants = 0;
    if (t->met && !t->definite) t->sketch.probes = t->sketch.room;
    ap_frame_move(&m->frame, point);
    t->turns = m->turns;
    ap_status status = ap_bend_make(&t->bend, point, t->turns ? 0.0 : 1.0, err);
    if (status == AP_OK && t->turns) status = ap_chart_make(&m->chart, point, err);
    if (status == AP_OK) ap_sketch_make(&t->sketch, point, t->bend.F);
    return status;
}

// d := d + tau p, tau > 0, of the length of the radius
static void reach(double *d, ap_model *m, const double *p) {
    const double dd = ap_frame_inner(d, d, m->p->net), dp = ap_frame_inner(d, p, m->p->net);
    const double pp = ap_frame_inner(p, p, m->p->net), room = m->iterative.radius * m->iterative.radius - dd;
    if (room > 0.0) ap_axpy(m->n, room / (dp + sqrt(dp * dp + pp * room)), p, d);
}

// d := H^{-1} b by conjugate gradients, or as much of it as was found before a direction bent down. b is overwritten.
static void conjugate_gradients(double *d, ap_model *m, double *b, double accuracy) {
    ap_iterative *t = &m->iterative;
    const size_t n = m->n;
    memset(d, 0, n * sizeof(double));
    precondition(t->z, m, b);
    memcpy(t->step, t->z, n * sizeof(double));
    double rz = ap_dot(n, b, t->z);
    const double enough = accuracy * accuracy * rz;
    t->definite = true;
    for (size_t k = 0; k < most_products && rz > enough; k++) {
        product(t->q, m, t->step);
        const double bends = ap_dot(n, t->step, t->q);
        if (!(bends > 0.0)) {
            t->definite = false;
            reach(d, m, t->step);
            return;
        }
        ap_axpy(n, rz / bends, t->step, d);
        if (ap_frame_length(d, m->p->net) > m->radius) return;
        ap_axpy(n, -rz / bends, t->q, b);
        precondition(t->z, m, b);
        const double before = rz;
        rz = ap_dot(n, b, t->z);
        for (size_t i = 0; i < n; i++) t->step[i] = t->z[i] + rz / before * t->step[i];
    }
}

// d := - (H corrected by the secants)^{-1} v, the two loops of limited-memory BFGS.
static void solve(double *d, ap_model *m, const double *v, double accuracy) {
    ap_iterative *t = &m->iterative;
    const size_t n = m->n;
    double alpha[ap_iterative_secants] = {0.0}, *b = t->r;
    for (size_t i = 0; i < n; i++) b[i] = -v[i];
    for (size_t k = t->secants; k-- > 0;) {
        const double *s = t->s + n * k, *y = t->y + n * k;
        alpha[k] = ap_dot(n, s, b) / ap_dot(n, s, y);
        ap_axpy(n, -alpha[k], y, b);
    }
    conjugate_gradients(d, m, b, accuracy);
    for (size_t k = 0; k < t->secants; k++) {
        const double *s = t->s + n * k, *y = t->y + n * k;
        ap_axpy(n, alpha[k] - ap_dot(n, y, d) / ap_dot(n, s, y), s, d);
    }
}

// The largest eigenvalue of the symmetric D [n x n] in size, by the power method; v, w [n]
static double largest(const double *D, size_t n, double *v, double *w) {
    double size = 0.0;
    for (size_t i = 0; i < n; i++) v[i] = sin((double)(i + 1));
    for (int k = 0; k < power_steps; k++) {
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
    ap_order_matrices(t->D, m->p->net, d);
    for (size_t l = 1; l <= m->p->net->L; l++) {
        const ap_member u = ap_order_member(m->p->net, l);
        most = fmax(most, largest(t->D + u.at, u.n, t->z, t->q));
    }
    for (size_t i = 0; i < m->n && most > longest; i++) d[i] *= longest / most;
}

static ap_status minimise(double *d, ap_model *m, const double *v, ap_work *work, ap_error *err) {
    (void)err;
    ap_iterative *t = &m->iterative;
    if (work->counts) return AP_OK;
    solve(d, m, v, t->accuracy);
    limit(d, m);
    t->met = t->met || t->definite;
    return AP_OK;
}

static ap_status ahead(double *length, ap_model *m, const double *v, ap_work *work, ap_error *err) {
    ap_iterative *t = &m->iterative;
    (void)err;
    *length = INFINITY;
    if (work->counts || !t->definite) return AP_OK;
    double *d = t->s + m->n * ap_iterative_secants;  // one column more
    solve(d, m, v, rough);
    if (t->definite) *length = ap_frame_length(d, m->p->net);
    return AP_OK;
}

const ap_model_how ap_iterative_how = {.take = take, .update = update, .minimise = minimise, .ahead = ahead};
