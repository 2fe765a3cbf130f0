// ap_action.c: the action of the order parameters and its gradient
// SPDX-License-Identifier: BSD-3-Clause
//
//   S = S_entropy + E,   E = log det A + y' A^{-1} y,   A = K(U_1) + T I                                    (T7)
//   dS/dU_1 = d S_entropy/dU_1 + G,   G_ab = 1/Pi sum M C_ab,   M = A^{-1} - b b',   b = A^{-1} y           (T9)
//
// A point is first given its value, with everything that the value needs anyway (Cholesky factors of A and of each
// U_l), and only then, if it is wanted, its gradient: a line search drops a poor point for a third of the price.
// `noise`, what rounding may add to the action, is the sum of the entropy's and the energy's.
// Cost: K and G (ap_kernel.c), P^3/3 for the factor and, when the kernels are stored, 2 P^3/3 for the inverse.

#include <math.h>

#include "ap_spd.h"

size_t ap_point_size(const ap_problem *p) {
    const size_t order = ap_net_order(p->net), paths = p->kernel->paths, P = p->kernel->P;
    return ap_plus(ap_plus(ap_times(4, order), ap_times(paths, paths)), ap_times(P, ap_plus(P, 1)));
}

ap_status ap_point_take(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err) {
    const size_t order = ap_net_order(p->net), paths = p->kernel->paths, P = p->kernel->P;
    const size_t mark = work->used;
    *point = (ap_point){0};
    double *block = ap_take(work, ap_point_size(p));
    if (block == NULL) {
        work->used = mark;
        return ap_no_memory(err, "ap_point_take");
    }
    point->order = block;
    point->chol = point->order + order;
    point->inverse = point->chol + order;
    point->grad = point->inverse + order;
    point->G = point->grad + order;
    point->F = point->G + paths * paths;
    point->b = point->F + P * P;
    return AP_OK;
}

size_t ap_action_worksize(const ap_problem *p) {
    const size_t kernel = ap_energy_worksize(p), entropy = ap_entropy_worksize(p->net);
    const size_t relative = ap_times(2, ap_times(p->kernel->paths, p->kernel->paths));
    const size_t larger = kernel > entropy ? kernel : entropy;
    return larger > relative ? larger : relative;
}

ap_status ap_action_value(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err) {
    double noise = 0.0;
    ap_status status = ap_entropy(point, p->net, err);
    if (status < 0) return status;
    status = ap_energy(&point->energy, &noise, point->F, point->b, p, point->order, point->chol, work, err);
    if (status < 0) return status;
    point->action = point->entropy + point->energy;
    point->noise += noise;
    if (!isfinite(point->action)) return ap_fail(err, AP_ENONFINITE, "the action is not finite");
    return AP_OK;
}

// gradrel: in the frame in which U_l is the identity, a unit of S per unit of d_l is N_l.
static ap_status relative_gradient(ap_point *point, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t most = ap_net_paths(net, 1), mark = work->used;
    double *framed = ap_take(work, most * most), *scratch = ap_take(work, most * most), largest = 0.0;
    if (scratch == NULL) {
        work->used = mark;
        return ap_no_memory(err, "ap_action_gradient");
    }
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t n = ap_net_paths(net, l);
        ap_spd_congruence(framed, point->grad + at, point->chol + at, n, scratch);
        for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(framed[i]) / net->width[l - 1]);
        at += n * n;
    }
    point->gradrel = largest;
    work->used = mark;
    return AP_OK;
}

ap_status ap_action_gradient(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err) {
    const size_t cells = p->kernel->paths * p->kernel->paths, order = ap_net_order(p->net);
    ap_status status = ap_kernel_gradient(point->G, p->kernel, point->F, point->b, work, err);
    if (status < 0) return status;
    status = ap_entropy_gradient(point, p->net, work, err);
    if (status < 0) return status;
    for (size_t i = 0; i < cells; i++) point->grad[i] += point->G[i];
    double largest = 0.0;
    for (size_t i = 0; i < order; i++) {
        if (!isfinite(point->grad[i])) return ap_fail(err, AP_ENONFINITE, "the gradient of the action is not finite");
        largest = fmax(largest, fabs(point->grad[i]));
    }
    point->gradnorm = largest / ap_net_maxwidth(p->net);
    return relative_gradient(point, p->net, work, err);
}
