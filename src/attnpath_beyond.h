// attnpath_beyond.h: beyond the saddle point, beside attnpath.h, whose notation and rules hold here too
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ATTNPATH_BEYOND_H
#define ATTNPATH_BEYOND_H

#include "attnpath.h"

// ---- leave-one-out (ap_loo.c) ---------------------------------------------------------------------------------------

typedef struct ap_groups {  // examples that are left out together
    size_t n;
    const size_t *member, *begin;  // [examples in all], [n + 1]: group j is member[begin[j]] .. member[begin[j+1] - 1].
} ap_groups;                       // NULL: each of the n examples alone

typedef struct ap_loo_result {  // output: without a group (T23), (T24), (T37); NULL where not wanted
    double *mu, *s2;       // [P] mean and variance of f at each example, without its group. For C outputs [P x C] and
                           // [C x C x P], for m that share one U [P x m] and [P]
    double *logp, *seen;   // [n] log p of its labels given all others; at the U_1 that has seen them
    double *x;             // [Pi x Pi x n] what leaving it out adds to U_1
    double *W;             // [features x labels x n x paths] effective weights of the mean of f without it, as in
                           // ap_draws.c; of draws their sum, by their weights
    const double *weight;  // [n], of draws [n x count]
} ap_loo_result;

size_t ap_loo_size(const ap_problem *p);  // doubles that a point takes here, about
// The point is a minimum, from ap_action_gradient; each group is left out at a U_1 of its own (T24)
AP_CHECKED ap_status ap_loo_corrected(const ap_loo_result *out, const ap_problem *p, const ap_groups *groups,
                                      const ap_point *point, ap_work *work, ap_error *err);
// mu, s2, logp with a last dimension [count]; of each draw, which has seen the examples (T23)
AP_CHECKED ap_status ap_loo_draws(const ap_loo_result *out, const ap_problem *p, const ap_groups *groups,
                                  const ap_many *draws, const ap_team *team, ap_work *work, ap_error *err);

// ---- evidence (ap_evidence.c) -------------------------------------------------------------------------------------

size_t ap_hessian_size(const ap_problem *p);  // doubles that the Hessian at a point takes, with the point, about
// logp := log p(y) (T25) at a minimum, from ap_action_gradient; N_l >= Pi_l in every layer, otherwise AP_EINPUT
AP_CHECKED ap_status ap_evidence_laplace(double *logp, const ap_problem *p, const ap_point *point, ap_work *work,
                                         ap_error *err);
// The same for many unknowns, by probes >= 2 random vectors; se := its standard error
AP_CHECKED ap_status ap_evidence_many(double *logp, double *se, const ap_problem *p, const ap_point *point,
                                      size_t probes, uint64_t seed, ap_work *work, ap_error *err);

// ---- annealed importance sampling of the evidence (ap_anneal.c) -----------------------------------------------------

typedef struct ap_anneal {  // how particles move between prior and posterior
    const ap_problem *problem;
    double beta;            // 0 .. 1: the density is prior times exp (-beta E / 2)
    double step;            // > 0, of a trajectory, in coordinates in which the prior is close to standard normal
    size_t steps;           // >= 1
    uint64_t seed, stream;  // random numbers: particle k has stream + k
} ap_anneal;

size_t ap_anneal_dim(const ap_problem *p);  // coordinates of a particle
// x [dim x count] := prior draws, half [count] := E/2
AP_CHECKED ap_status ap_anneal_start(double *x, double *half, const ap_anneal *a, size_t count, ap_work *work,
                                     ap_error *err);
// One trajectory of each of x; half as above, acceptance [count] := with which probability the move was taken
AP_CHECKED ap_status ap_anneal_move(double *x, double *half, double *acceptance, const ap_anneal *a, size_t count,
                                    ap_work *work, ap_error *err);

// ---- derivatives by everything but U (ap_gradient.c) ----------------------------------------------------------------

typedef struct ap_gradient {  // of the action less the entropy at the GP point: -2 times those of (T10b)
    double *paths;            // [Pi] by the logarithm of a factor of each path      (T34)
    double *variance;         // [L+2] by the logarithms of sigma_0^2 .. sigma_a^2
    double *inputs;           // [N0 x P x Pi] by the path inputs (T33), or NULL: not wanted
    double temperature;       // by its logarithm
} ap_gradient;

// All of g, which comes with its arrays, at a point from ap_action_gradient; T > 0, and with inputs path inputs without
// a basis
AP_CHECKED ap_status ap_gradient_make(ap_gradient *g, const ap_problem *p, const ap_point *point, ap_work *work,
                                      ap_error *err);

// ---- to the next order in 1/N (ap_expand.c) -------------------------------------------------------------------------

size_t ap_expand_unknowns(const ap_problem *p);                         // n, coordinates of U_1..U_L
double ap_expand_rounding(const ap_problem *p, const ap_point *point);  // relative error of third derivatives by it

typedef struct ap_expanded {  // means and variances, and the n lines through the minimum by which they were found
    double *h, *beta, *step;  // [n x n], [n], [n] as ap_expand_lines makes them (ap_beyond.h)
    double *rest;             // [n] S at one standard deviation along the line, less its parabola and its cubic term
    double *shift;            // [n] mean of d, U_l = F_l exp (d_l) F_l'
    double *mean, *sd;        // [chain] of U_1..U_L, u_a (T30), (T31)
    double *gauge;            // [chain] the shift by the coordinates' Jacobian
} ap_expanded;

// monitor: called between lines with the number of those that are done; it ends the work, AP_INTERRUPTED, by returning
// true. NULL: none. The point is a minimum, from ap_action_gradient.
AP_CHECKED ap_status ap_expand(const ap_expanded *to, const ap_problem *p, const ap_point *point, const ap_team *team,
                               bool (*monitor)(void *context, size_t done), void *context, ap_work *work,
                               ap_error *err);
// U [Pi x Pi x count] := draws of U_1 along the geodesics, from the Gaussian of (T31) about the shift; seed and stream
AP_CHECKED ap_status ap_expand_draws(double *U, const ap_problem *p, const ap_point *point, const double *h,
                                     const double *shift, size_t count, const uint64_t seed[2], ap_work *work,
                                     ap_error *err);

#endif
