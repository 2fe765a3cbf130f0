// ap_beyond.h: corrections to the saddle point and its derivatives, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_BEYOND_H
#define AP_BEYOND_H

#include <math.h>

#include "attnpath_beyond.h"
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

// ---- what of the labels no path input explains (ap_explained.c) -----------------------------------------------------

// Entry i of the whole labels, and of what b = A^{-1} y lacks without that part, A^{-1} z = z / T at every U
static inline double ap_label(const ap_problem *p, size_t i) {
    return p->y[i] + (p->apart == NULL ? 0.0 : p->apart[i]);
}
static inline double ap_apart(const ap_problem *p, size_t i) {
    return p->apart == NULL ? 0.0 : p->apart[i] / p->net->temperature / sqrt((double)ap_problem_columns(p));
}

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
    size_t ldc;                // leading dimension of c
} ap_shifts;

// Of a group of q columns, b [q x labels] := y' z_i, of labels that share one U over sqrt (labels), c [q x q] :=
// e_i' z_j and, unless V is NULL, V [P x labels] := A_{-i}^{-1} y_{-i}, 0 in its places, less all of ap_apart, of which
// f is 0. b of a group begins at labels times its first column, c at ldc times that. fit: at U_1, inverse [P x P]: of
// A (U_1)
AP_CHECKED ap_status ap_shifted_solve(double *b, double *c, double *V, const ap_problem *p, const ap_fit *fit,
                                      const double *inverse, const ap_shifts *shifts, ap_work *work, ap_error *err);

// ---- the log determinant of the action's Hessian by products alone (ap_logdet.c) ------------------------------------

// logdet, se := of H in orthonormal coordinates of the d_l, and its standard error; the point is a minimum, from
// ap_action_gradient
AP_CHECKED ap_status ap_logdet_hessian(double *logdet, double *se, const ap_problem *p, const ap_point *point,
                                       size_t probes, uint64_t seed, ap_work *work, ap_error *err);

// ---- the steps of ap_expand (ap_expand_lines.c, ap_expand.c) --------------------------------------------------------
//
//   ap_expand_lines(h, beta, step, &problem, &point, ..);                  // n lines j_k, H^{-1} = sum j_k j_k'
//   ap_expand_follow(second, cubic, rest, .., &{h, step, n}, ..);   // along some lines at a time
//   g = sum_k bend_k,  g_beta = sum_k 4 beta_k bend_k
//   ap_expand_order(mean, sd, gauge, shift, .., &{h, beta, g, g_beta}, ..);
//
// n is the number of coordinates of U_1..U_L, by which j_k are the coordinates of d, U_l = F_l exp (d_l) F_l'. The
// point is a minimum, from ap_action_gradient.

typedef struct ap_expansion {  // lines through a point; what a function does not name may be NULL
    size_t count;              // of lines
    const double *h, *step;    // [n x count], [count]
    const double *beta;        // [n], of all lines, as the sums
    const double *g, *g_beta;  // [n]
} ap_expansion;

// h [n x n] := the lines, in which log J is diagonal; beta [n] := log J (j_k) of the coordinates' Jacobian, increasing;
// step [n] := e_k
AP_CHECKED ap_status ap_expand_lines(double *h, double *beta, double *step, const ap_problem *p, const ap_point *point,
                                     ap_work *work, ap_error *err);
// second [n x count] := second differences of grad S; cubic [count] := third derivative of S along the line; rest
// [count] := S at one standard deviation, where the parabola is 1, less that and the cubic term. x: count of the lines,
// their h and step
AP_CHECKED ap_status ap_expand_follow(double *second, double *cubic, double *rest, const ap_problem *p,
                                      const ap_point *point, const ap_expansion *x, const ap_team *team, ap_work *work,
                                      ap_error *err);
// mean, sd, gauge, shift := as in ap_expanded. x: of all lines h, beta, g, g_beta
AP_CHECKED ap_status ap_expand_order(double *mean, double *sd, double *gauge, double *shift, const ap_problem *p,
                                     const ap_point *point, const ap_expansion *x, ap_work *work, ap_error *err);

#endif
