// ap_surrogate.c: a smaller problem whose energy is close to that of many examples
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the temperature exceeds most eigenvalues of the kernel, few directions of the examples decide how the energy
// depends on U. Let the columns of Q [P x k] be the eigenvectors of K(U*) with eigenvalues above `rho` T, and the
// labels' part outside of these, of length one. Then
//
//   E(U) ~ log det (Q' A Q) + y' Q (Q' A Q)^{-1} Q' y + sum L U,    L = the rest's derivative at U*             (T36)
//
// is the energy of k examples with path inputs Xi_a Q and labels Q' y, and a linear term that makes the derivative at
// U* that of E. The neglected terms are of second order in U - U* and in the omitted eigenvalues over T. A sampler
// moves by the surrogate's derivatives and accepts by E (ap_trajectory.c), which takes no derivative of all examples.
// Measured on the one-shot task (N = 10, T = 0.5; P = 200 and 600), U* the mean of 20 places: k = 85 and 230, and from
// one place to the next psi - psi_surrogate changes by 0.2 and 0.6, by mean square 0.04 and 0.4. At U* the mode, or
// with eigenvectors of the prior's K, it is more than twice that: U is that far from the prior.
// Without a surrogate, up to as many examples, only the fits are kept: outputs at a place need the fit of its energy, a
// third of a gradient.
// Cost: 2 N0 P k Pi flops to lay it; to learn it K(U*), an eigenvalue problem of P rows and a derivative of E.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

// Heuristic. Where more than half of the eigenvalues exceed rho T the surrogate has half of the directions; there is
// none if another one exceeds `coarsest` T. At larger widths U differs less from U*, and the acceptance corrects the
// error. rho: with 0.2 a tenth more is rejected at P = 600, with 0.1 a step costs a half more. least: below it calls
// dominate the cost; largest: above it the eigenvalue problem takes minutes.
static const double rho = 0.14, coarsest = 0.5;
enum { least = 64, largest = 2048 };

static size_t most_examples(const ap_problem *p) {  // examples of a surrogate
    const size_t P = p->kernel->P;
    const bool one = p->kernel->outputs == 1 && ap_problem_columns(p) == 1;
    return one && P >= least && P <= largest ? P / 2 : 0;
}

size_t ap_surrogate_state(const ap_problem *p) {
    const size_t k = most_examples(p), paths = p->kernel->paths;
    return k == 0 ? 0 : 1 + paths * paths + ap_times(p->kernel->P, k);
}

// A surrogate of k examples without its arrays, and `few` without its kernel.
static ap_surrogate shape_of(const ap_problem *p, size_t k) {
    ap_surrogate g = {.whole = *p, .few = {.net = p->net}, .kernel = *p->kernel};
    g.kernel.P = g.kernel.examples = k;
    ap_kernel_bare(&g.kernel);
    g.kernel.low_accuracy = true;  // of what moves a chain rounding costs nothing: the target accepts or rejects
    return g;
}

static void *carve(double *room, size_t *used, size_t bytes) {
    return ap_carve(room, used, ap_lines((bytes + sizeof(double) - 1) / sizeof(double)));
}

// The surrogate and its arrays in `room`, without a kernel of `few` until it lies somewhere; returns the doubles of
// room, which may be NULL.
static size_t lay(ap_surrogate **surrogate, double *room, const ap_problem *p, size_t k, size_t dim) {
    size_t used = 0;
    ap_surrogate *g = *surrogate = carve(room, &used, sizeof *g), shape = shape_of(p, k);
    ap_surrogate_fits *fits = shape.fits = carve(room, &used, sizeof *fits), two = {.held = 0};
    shape.dim = dim;
    for (size_t i = 0; i < 2; i++) {
        two.x[i] = carve(room, &used, ap_times(dim, sizeof(double)));
        two.fit[i].F = carve(room, &used, ap_times(ap_fit_size(p), sizeof(double)));
        if (room != NULL) two.fit[i].b = two.fit[i].F + p->kernel->P * p->kernel->P;
    }
    shape.few.y = shape.y = carve(room, &used, ap_times(k, sizeof(double)));
    shape.Xi = carve(room, &used, ap_times(ap_times(k, p->kernel->N0), ap_times(p->kernel->paths, sizeof(double))));
    shape.kernel.Xi = shape.Xi;
    if (room == NULL) return used;
    *g = shape;
    *fits = two;
    return used;
}

size_t ap_surrogate_room(const ap_problem *p, size_t dim) {
    ap_surrogate *none;
    return p->kernel->P > largest ? 0 : lay(&none, NULL, p, most_examples(p), dim);
}

ap_status ap_surrogate_lay(ap_surrogate **surrogate, double *room, const ap_problem *p, size_t dim, const double *state,
                           ap_error *err) {
    const size_t P = p->kernel->P, N0 = p->kernel->N0, paths = p->kernel->paths, most = most_examples(p);
    if (state != NULL && !(state[0] >= 1.0 && state[0] <= (double)most && state[0] == floor(state[0])))
        return ap_fail(err, AP_EINPUT, "this is no state of a chain: a surrogate of %g examples, more than %zu",
                       state[0], most);
    const size_t k = state == NULL ? 0 : (size_t)state[0];
    (void)lay(surrogate, room, p, k, dim);
    if (state == NULL) return AP_OK;
    ap_surrogate *g = *surrogate;
    const double *Q = state + 1 + paths * paths;
    g->few.kernel = &g->kernel;
    g->slope = state + 1;
    ap_gemv('T', P, k, 1.0, Q, P, p->y, 0.0, g->y);
    for (size_t a = 0; a < paths; a++)
        ap_gemm('N', 'N', N0, k, P, 1.0, p->kernel->Xi + N0 * P * a, N0, Q, P, 0.0, g->Xi + N0 * k * a, N0);
    return AP_OK;
}

// Q's columns from the eigenvectors V of the eigenvalues w, increasing; returns their number, 0 where they are too many
static size_t choose(double *Q, const double *V, const double *w, const ap_problem *p) {
    const size_t P = p->kernel->P, most = most_examples(p);
    const double T = p->net->temperature;
    size_t k = 0;
    while (k < P && w[P - 1 - k] > rho * T) k++;
    if (k + 1 > most) k = most - 1;
    if (w[P - 1 - k] > coarsest * T) return 0;
    memcpy(Q, V + P * (P - k), P * k * sizeof(double));
    double *r = Q + P * k;
    memcpy(r, p->y, P * sizeof(double));
    for (size_t turn = 0; turn < 2; turn++)  // once more for rounding
        for (size_t j = 0; j < k; j++) ap_axpy(P, -ap_dot(P, Q + P * j, r), Q + P * j, r);
    const double norm = sqrt(ap_dot(P, r, r));
    if (!(norm * norm > 1e-12 * ap_dot(P, p->y, p->y))) return k;
    for (size_t i = 0; i < P; i++) r[i] /= norm;
    return k + 1;
}

ap_status ap_surrogate_learn(double *state, const ap_problem *p, const double *U, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, paths = p->kernel->paths, square = paths * paths, mark = work->used;
    double energy = 0.0, *room = ap_take(work, ap_surrogate_room(p, 0)), *g = ap_take_matrix(work, paths, paths);
    double *K = ap_take_matrix(work, P, P), *w = ap_take(work, ap_times(4, P));
    ap_surrogate *surrogate = NULL;
    ap_status status = w == NULL ? ap_not_taken(work, err, "ap_surrogate_learn") : AP_OK;
    if (status == AP_OK) status = ap_kernel_combine(K, p->kernel, U, NULL, work, err);
    if (status < 0) goto done;
    state[0] = ap_syev('V', P, K, P, w, w + P) ? (double)choose(state + 1 + square, K, w, p) : 0.0;
    if (state[0] == 0.0) goto done;
    status = ap_energy_gradient(&energy, state + 1, p, U, NULL, work, err);
    if (status == AP_OK) status = ap_surrogate_lay(&surrogate, room, p, 0, state, err);
    if (status == AP_OK) status = ap_energy_gradient(&energy, g, &surrogate->few, U, NULL, work, err);
    if (status == AP_OK) ap_axpy(square, -1.0, g, state + 1);
done:
    work->used = mark;
    return status;
}

ap_status ap_surrogate_energy(const ap_fit **fit, const ap_surrogate *g, const double *x, const double *U,
                              const ap_root *root, ap_work *work, ap_error *err) {
    ap_surrogate_fits *f = g->fits;
    const size_t next = 1 - f->held;
    f->known[next] = false;
    const ap_status status = ap_energy(&f->fit[next], &g->whole, U, root, work, err);
    if (status < 0) return status;
    memcpy(f->x[next], x, g->dim * sizeof(double));
    f->known[next] = true;
    *fit = &f->fit[next];
    return AP_OK;
}

const ap_fit *ap_surrogate_fit(const ap_surrogate *g, const double *x) {
    ap_surrogate_fits *f = g->fits;
    for (size_t i = 0; i < 2; i++)
        if (f->known[i] && memcmp(f->x[i], x, g->dim * sizeof(double)) == 0) {
            f->held = i;
            return &f->fit[i];
        }
    return NULL;
}
