// ap_action.c: the action of the order parameters and its gradient
// SPDX-License-Identifier: BSD-3-Clause
//
//   S = S_entropy + E,   E = log det A + y' A^{-1} y,   A = K(U_1) + T I                                    (T7)
//   dS/dU_1 = d S_entropy/dU_1 + G,   G_ab = 1/Pi sum M C_ab,   M = A^{-1} - b b',   b = A^{-1} y           (T9)
//
// A point is first given its value, with everything that the value needs anyway (Cholesky factors of A and of each
// U_l), and only then, if it is wanted, its gradient: a line search drops a poor point for a third of the price.
// `noise`, the bound on rounding of the action, is the sum of the entropy's and the energy's.
// Cost: K and G (ap_kernel.c), P^3/3 for the factor and, when the kernels are stored, 2 P^3/3 for the inverse.

#include <math.h>
#include <string.h>

#include "action/ap_action.h"

size_t ap_point_lay(ap_point *point, double *at, const ap_problem *p) {
    const size_t chain = ap_lines(ap_params_length(p->net)), P = p->kernel->P, paths = p->kernel->paths;
    size_t used = 0;
    point->order = ap_carve(at, &used, chain);
    point->chol = ap_carve(at, &used, chain);
    point->inverse = ap_carve(at, &used, chain);
    point->grad = ap_carve(at, &used, chain);
    point->G = ap_carve(at, &used, ap_lines(ap_times(paths, paths)));
    point->fit.F = ap_carve(at, &used, ap_times(P, P));
    point->fit.b = ap_carve(at, &used, ap_times(P, ap_problem_columns(p)));
    return used;
}

size_t ap_point_size(const ap_problem *p) {
    ap_point none;
    return ap_point_lay(&none, NULL, p);
}

void ap_point_hand_over(ap_point *point, const ap_point *last, const ap_problem *p) {
    double *own = point->order;
    if (last->order != own) memcpy(own, last->order, ap_point_size(p) * sizeof(double));
    *point = *last;
    (void)ap_point_lay(point, own, p);
}

size_t ap_action_size(const ap_problem *p) { return ap_plus(ap_point_size(p), ap_kernel_scratch(p->kernel)); }

ap_status ap_point_take(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    double *at = ap_take(work, ap_point_size(p));
    if (at == NULL) {
        work->used = mark;
        return ap_not_taken(work, err, "ap_point_take");
    }
    *point = (ap_point){0};
    (void)ap_point_lay(point, at, p);
    return AP_OK;
}

ap_status ap_action_value(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err) {
    ap_status status = ap_entropy(point, p->net, err);
    if (status < 0) return status;
    const ap_root root = {.R = point->chol, .columns = p->kernel->paths, .lower = true, .reflect = true};
    status = ap_energy(&point->fit, p, point->order, &root, work, err);
    if (status < 0) return status;
    point->action = point->entropy + point->fit.energy;
    point->noise += point->fit.noise;
    if (!isfinite(point->action)) return ap_fail(err, AP_ENONFINITE, "the action is not finite");
    return AP_OK;
}

ap_status ap_relative_gradient(double *largest, const double *grad, const ap_point *point, const ap_net *net,
                               ap_work *work, ap_error *err) {
    const size_t most = ap_net_paths(net, 1), mark = work->used;
    double *framed = ap_take_matrix(work, most, most), *scratch = ap_take_matrix(work, most, most);
    ap_status status = scratch == NULL ? ap_not_taken(work, err, "ap_action_gradient") : AP_OK;
    if (status < 0) goto done;
    *largest = 0.0;
    AP_FREE_MEMBERS (u, net) {
        ap_spd_congruence(framed, grad + u.at, point->chol + u.at, u.n, scratch);
        for (size_t i = 0; i < u.n * u.n; i++) *largest = fmax(*largest, fabs(framed[i]) / u.width);
    }
done:
    work->used = mark;
    return status;
}

// The energy's share is added to dS/dU_1, and all entries are looked at.
static ap_status add_energy(ap_point *point, const ap_problem *p, ap_error *err) {
    const size_t cells = p->kernel->paths * p->kernel->paths, chain = ap_params_length(p->net);
    double largest = 0.0;
    for (size_t i = 0; i < cells; i++) point->grad[i] += point->G[i];
    for (size_t i = 0; i < chain; i++) {
        if (!isfinite(point->grad[i])) return ap_fail(err, AP_ENONFINITE, "the gradient of the action is not finite");
        largest = fmax(largest, fabs(point->grad[i]));
    }
    point->gradnorm = largest / ap_net_maxwidth(p->net);
    return AP_OK;
}

ap_status ap_action_gradient(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err) {
    ap_status status = ap_fit_gradient(point->G, &point->fit, p, work, err);
    if (status == AP_OK) status = ap_entropy_gradient(point, p->net, work, err);
    if (status == AP_OK) status = add_energy(point, p, err);
    if (status == AP_OK) status = ap_relative_gradient(&point->gradrel, point->grad, point, p->net, work, err);
    return status;
}
