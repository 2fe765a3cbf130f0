// ap_beyond.h: corrections to the saddle point and its derivatives, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_BEYOND_H
#define AP_BEYOND_H

#include "posterior/ap_posterior.h"
#include "saddle/ap_saddle.h"

// ---- the second derivative of the action as a matrix, exactly (ap_hessian.c) ----------------------------------------

// E [pairs x pairs] lower := d^2 E / dU_p dU_q
AP_CHECKED ap_status ap_hessian_energy(double *E, const ap_problem *p, const ap_point *point, ap_work *work,
                                       ap_error *err);
// H [n x n] lower := that of the action along the retraction, in the frame of the point, from ap_action_gradient
AP_CHECKED ap_status ap_hessian_action(double *H, const ap_problem *p, const ap_point *point, ap_work *work,
                                       ap_error *err);
// H [n x n]: its lower half becomes its lower factor
AP_CHECKED ap_status ap_hessian_factor(double *H, size_t n, const ap_kernel *stops, ap_error *err);
// Where a matrix of n rows takes long the work is done by panels of so many, between which kernel->stop is asked.
static inline size_t ap_hessian_panel(size_t n) { return n <= 1024 ? n : 256; }
ap_status ap_hessian_no_minimum(ap_error *err);  // AP_ENOTSPD, which ap_hessian_factor returns too, and its sentence

// ---- A (U_1 + x_i) z_i = e_i for many i, from the inverse of A (U_1) (ap_shifted.c) ---------------------------------

enum { ap_shifted_most = 64 };  // columns at a time, C an example

// Group j is the examples member[begin[j]] .. member[begin[j+1] - 1]; without members example j alone.
static inline size_t ap_groups_begin(const ap_groups *g, size_t j) { return g->member == NULL ? j : g->begin[j]; }

// The row of A that is column i of group j, output fastest.
static inline size_t ap_groups_row(const ap_groups *g, const ap_kernel *k, size_t j, size_t i) {
    const size_t at = ap_groups_begin(g, j) + i / k->outputs;
    return (g->member == NULL ? at : g->member[at]) + k->examples * (i % k->outputs);
}

typedef struct ap_shifts {  // of the groups first .. first + m - 1
    const double *x;        // [Pi x Pi x m] symmetric; U_1 + x_i semidefinite
    const ap_groups *groups;
    size_t first, m, columns;  // columns: of all these groups together, C for each example
    size_t apart;              // leading dimension of c
} ap_shifts;

// Of a group of q columns, b [q x labels] := y' z_i, of labels that share one U over sqrt (labels), c [q x q] :=
// e_i' z_j and, unless V is NULL, V [P x labels] := A_{-i}^{-1} y_{-i}, 0 in its places. b of a group begins at labels
// times its first column, c at `apart` times that. fit: at U_1, inverse [P x P]: of A (U_1)
AP_CHECKED ap_status ap_shifted_solve(double *b, double *c, double *V, const ap_problem *p, const ap_fit *fit,
                                      const double *inverse, const ap_shifts *shifts, ap_work *work, ap_error *err);

// ---- the log determinant of the action's Hessian by products alone (ap_logdet.c) ------------------------------------

// logdet, se := of H in orthonormal coordinates of the d_l, and its standard error; the point is a minimum, from
// ap_action_gradient
AP_CHECKED ap_status ap_logdet_hessian(double *logdet, double *se, const ap_problem *p, const ap_point *point,
                                       size_t probes, uint64_t seed, ap_work *work, ap_error *err);

#endif
