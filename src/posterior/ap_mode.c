// ap_mode.c: the mode of a target and its curvature there
// SPDX-License-Identifier: BSD-3-Clause
//
//   phi (x) = psi (x) + |x|^2 / 2,   mode: grad phi = 0,   H = V' (I + psi'') V
//
// The saddle point of the theory is such a mode too, but in other coordinates, and it exists only where no order
// parameter is singular. This mode is in the sampler's own coordinates, and exists at all widths.
//
// Search: L-BFGS (Nocedal 1980) with pairs of steps s and changes of the gradient y. The direction is d = B grad phi,
// B from the pairs, and a step is halved and more until phi falls by 1e-4 of the slope's prediction. It ends where the
// next step promises less than `close`, in units of the log density: a draw lies dim/2 of these units from the mode.
//
// Curvature: psi'' v by a difference of two gradients. Where rank = dim, v runs through the coordinates. Otherwise it
// runs through a Krylov space from a random direction, orthogonalised twice against all before (Lanczos). It finds
// the curvatures far from the prior's, 1, first, at both ends; other directions keep the prior's.
// Eigenvalues of H below `flattest` are replaced by it: they occur away from a minimum, or where the third derivative
// counts.
// Cost: one evaluation a direction, about one a step of the search: 45 for 126 unknowns of 16 paths.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

static const double close = 0.02;    // to the mode, in units of the log density
static const double longest = 3.0;   // step, against a prior that is standard normal
static const double flattest = 0.1;  // eigenvalue that is believed: a variance of ten times the prior's
static const double apart = 1e-4;    // of the two gradients: third derivatives against rounding
enum { tries = 20, head = 2 };

size_t ap_mode_state(size_t dim) { return ap_plus(head, ap_times(dim, 2 * ap_mode_pairs + 1)); }

void ap_mode_lay(ap_mode *m, double *state, size_t dim, size_t rank) {
    *m = (ap_mode){.stage = state, .count = state + 1, .S = state + head, .places = 1.0, .dim = dim, .rank = rank};
    m->Y = m->S + dim * ap_mode_pairs;
    m->g = m->Y + dim * ap_mode_pairs;
}

ap_stage ap_mode_stage(const ap_mode *m) {
    return *m->stage == AP_SEARCHING ? AP_SEARCHING : *m->stage == AP_PROBING ? AP_PROBING : AP_KNOWN;
}

static size_t counted(const ap_mode *m, double most) {
    return *m->count >= 0.0 && *m->count < most ? (size_t)*m->count : 0;
}

// ---- search ---------------------------------------------------------------------------------------------------------

static double phi_of(const ap_place *at, size_t n) { return at->psi + 0.5 * ap_dot(n, at->z, at->z); }

// d := B g, B from the last pairs (ap_core.h); without pairs a step of length 1 at most.
static void direction(double *d, const ap_mode *m, const double *g, size_t pairs) {
    const size_t n = m->dim, kept = pairs < ap_mode_pairs ? pairs : ap_mode_pairs;
    double rate[ap_mode_pairs] = {0.0}, scale = 1.0 / fmax(1.0, sqrt(ap_dot(n, g, g)));
    ap_lbfgs known = {.n = n, .room = ap_mode_pairs, .used = kept, .count = kept, .s = m->S, .y = m->Y, .rate = rate};
    known.first = (pairs - kept) % ap_mode_pairs;
    if (kept > 0) {
        const size_t last = n * ((pairs - 1) % ap_mode_pairs);
        scale = ap_dot(n, m->S + last, m->Y + last) / ap_dot(n, m->Y + last, m->Y + last);
    }
    memcpy(d, g, n * sizeof(double));
    ap_lbfgs_before(d, &known);
    for (size_t j = 0; j < n; j++) d[j] *= scale;
    ap_lbfgs_after(d, &known);
}

// Where the step leads: next is evaluated there. AP_STALLED if it leads nowhere.
static ap_status line_search(ap_place *next, size_t *cost, const ap_place *at, const double *d, double slope,
                             const ap_target *t, const ap_metric *plain, ap_work *work, ap_error *err) {
    const size_t n = t->dim;
    double step = fmin(1.0, longest / sqrt(ap_dot(n, d, d)));
    const double before = phi_of(at, n);
    for (size_t k = 0; k < tries; k++, step *= 0.4) {
        for (size_t j = 0; j < n; j++) next->z[j] = at->z[j] - step * d[j];
        const ap_status status = ap_target_evaluate(next, t, plain, work, err);
        if (status < 0 && !ap_target_survives(status)) return status;
        ++*cost;
        if (status == AP_OK && phi_of(next, n) <= before - 1e-4 * step * slope) return AP_OK;
    }
    return AP_STALLED;
}

// The pair of the step from `at` to `next`, unless the curvature along it is negative.
static void remember(ap_mode *m, const ap_place *at, const ap_place *next, size_t pairs) {
    const size_t n = m->dim;
    double *s = m->S + n * (pairs % ap_mode_pairs), *y = m->Y + n * (pairs % ap_mode_pairs);
    for (size_t j = 0; j < n; j++) {
        s[j] = next->z[j] - at->z[j];
        y[j] = next->grad[j] - at->grad[j] + s[j];
    }
    if (ap_dot(n, s, y) > 1e-10 * ap_dot(n, y, y)) {
        *m->count = (double)pairs + 1.0;
    } else {
        *m->count = 0.0;  // the slot may have held a pair, which is gone: begin anew
    }
}

void ap_mode_restart(ap_mode *m) {
    *m->stage = AP_SEARCHING;
    *m->count = 0.0;
}

void ap_mode_accept(ap_mode *m, const ap_place *at) {
    memcpy(m->g, at->grad, m->dim * sizeof(double));
    *m->stage = AP_PROBING;
    *m->count = 0.0;
}

ap_status ap_mode_search(ap_mode *m, ap_place *at, size_t *cost, const ap_target *t, const ap_metric *plain,
                         ap_work *work, ap_error *err) {
    const size_t n = t->dim, mark = work->used;
    double *z = ap_take(work, n), *grad = ap_take(work, n), *g = ap_take(work, n), *d = ap_take(work, n);
    *cost = 0;
    ap_status status = d == NULL ? ap_not_taken(work, err, "ap_mode_search") : AP_OK;
    if (status < 0) goto done;
    ap_place next = {.z = z, .grad = grad};
    const size_t pairs = counted(m, 0x1p53);
    for (size_t j = 0; j < n; j++) g[j] = at->grad[j] + at->z[j];
    direction(d, m, g, pairs);
    const double slope = ap_dot(n, g, d);
    const bool ends = !(slope > 0.0) || (pairs > 0 && 0.5 * slope < close);
    status = ends ? AP_STALLED : line_search(&next, cost, at, d, slope, t, plain, work, err);
    if (status == AP_OK) {
        remember(m, at, &next, pairs);
        memcpy(at->z, z, n * sizeof(double));
        memcpy(at->grad, grad, n * sizeof(double));
        at->psi = next.psi;
    } else if (status == AP_STALLED) {
        ap_mode_accept(m, at);
        status = AP_OK;
    }
done:
    work->used = mark;
    return status;
}

// ---- curvature ------------------------------------------------------------------------------------------------------

// The direction number j is made of v, or at random where nothing is left of v.
static void new_direction(ap_mode *m, size_t j, double *v, double norm, ap_rng *rng, double *c, double *room) {
    const size_t n = m->dim;
    for (size_t k = 0; k < tries && !(norm > 1e-6); k++) {
        ap_rng_normals(v, n, rng);
        norm = ap_krylov_project(v, m->V, n, j, c, room);
    }
    for (size_t i = 0; i < n; i++) m->V[i + n * j] = v[i] / norm;
}

// Column j of H from w = psi'' v_j, and in a Krylov space the next direction.
static void take_column(ap_mode *m, size_t j, double *w, ap_rng *rng, double *room) {
    const size_t n = m->dim, k = m->rank;
    double *column = m->H + k * j;
    if (m->V == NULL) {
        if (m->places == 1.0) memset(column, 0, n * sizeof(double));
        ap_axpy(n, 1.0, w, column);
    } else {
        memset(column, 0, k * sizeof(double));
        const double norm = ap_krylov_project(w, m->V, n, j + 1, column, room);
        if (j + 1 < k) new_direction(m, j + 1, w, norm, rng, room + k, room);
    }
    column[j] += 1.0;
}

ap_status ap_mode_probe(ap_mode *m, const ap_place *at, const ap_target *t, const ap_metric *plain, ap_rng *rng,
                        ap_work *work, ap_error *err) {
    const size_t n = t->dim, k = m->rank, mark = work->used;
    double *x = ap_take(work, n), *w = ap_take(work, n), *room = ap_take(work, ap_times(2, k));
    ap_place beside = {.z = x, .grad = w};
    ap_status status = room == NULL ? ap_not_taken(work, err, "ap_mode_probe") : AP_OK;
    if (status < 0) goto done;
    const size_t j = counted(m, (double)k);
    if (j == 0 && m->V != NULL) new_direction(m, 0, w, 0.0, rng, room + k, room);
    memcpy(x, at->z, n * sizeof(double));
    if (m->V == NULL)
        x[j] += apart;
    else
        ap_axpy(n, apart, m->V + n * j, x);
    status = ap_target_evaluate(&beside, t, plain, work, err);
    if (status < 0 && !ap_target_survives(status)) goto done;
    for (size_t i = 0; i < n; i++) w[i] = status < 0 ? 0.0 : (w[i] - m->g[i]) / apart;
    status = AP_OK;
    take_column(m, j, w, rng, room);
    *m->count = (double)j + 1.0;
    if (j + 1 == k) *m->stage = AP_KNOWN;
done:
    work->used = mark;
    return status;
}

ap_status ap_mode_factor(double *F, const ap_mode *m, ap_work *work, ap_error *err) {
    const size_t k = m->rank, mark = work->used;
    double *Q = ap_take_matrix(work, k, k), *w = ap_take(work, k), *room = ap_take(work, ap_times(3, k));
    ap_status status = room == NULL ? ap_not_taken(work, err, "ap_mode_factor") : AP_OK;
    if (status < 0) goto done;
    for (size_t j = 0; j < k; j++)  // of a Krylov space only the upper triangle was computed
        for (size_t i = 0; i <= j; i++)
            Q[j + k * i] = m->V == NULL ? 0.5 * (m->H[i + k * j] + m->H[j + k * i]) / m->places : m->H[i + k * j];
    status = ap_spd_eigen('V', w, Q, k, "the curvature at the mode", room, err);
    if (status < 0) goto done;
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < k; i++) Q[i + k * j] /= sqrt(fmax(w[j], flattest));
    ap_spd_outer(F, 1.0, Q, k, k);
    status = ap_spd_chol(F, k, "the metric at the mode", err);
    ap_spd_clear_upper(F, k);
done:
    work->used = mark;
    return status;
}
