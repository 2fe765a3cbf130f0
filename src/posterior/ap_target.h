// ap_target.h: what the samplers sample, and one trajectory of it
// SPDX-License-Identifier: BSD-3-Clause
//
// A target is the density exp (-psi (x) - |x|^2 / 2) of x: what the data add to coordinates in which the prior is
// close to standard normal. A chain moves in z, from which x follows by a linear map (ap_metric.h), and a metric that
// suits the posterior makes it close to standard normal in z:
//   psi_z (z) = psi (x) + |x|^2 / 2 - |z|^2 / 2,   grad psi_z = (dx/dz)' (grad psi + x) - z.
// A way of sampling (a row of the table in ap_sample.c) is a function that makes such a target of a problem.

#ifndef AP_TARGET_H
#define AP_TARGET_H

#include "posterior/ap_metric.h"

typedef struct ap_target {
    size_t dim;        // numbers in x
    size_t paths;      // Pi
    size_t chain;      // numbers in U_1 .. U_L, u_a
    size_t metric;     // directions along which warm-up learns a metric, up to dim; 0: the prior's scale is kept
    bool head_start;   // of these the metric and the start come from the posterior's mode (ap_mode.h)
    double refresh;    // what drawing all momenta costs, in evaluations
    double settle;     // what accepting and recording a place costs, in evaluations, less 1
    const void *self;  // what the functions below belong to: an ap_problem
    ap_status (*evaluate)(double *psi, double *grad, const void *self, const double *x, ap_work *work, ap_error *err);
    // Output: U_1 .. U_L, u_a end to end [chain], as in ap_order.h.
    ap_status (*order)(double *order, const void *self, const double *x, ap_work *work, ap_error *err);
    void (*start)(double *x, const void *self, ap_rng *rng);  // output: coordinates drawn from the prior
    // Output: effective weights W [N0 x Pi] of the position x, at which the order parameter is U, and all weights
    // (ap_weights.h) unless that is NULL; what x leaves open is drawn, exactly, given it and the labels.
    ap_status (*draw)(double *W, double *weights, const void *self, const double *x, const double *U, ap_rng *rng,
                      ap_work *work, ap_error *err);
    // A guide is a density close to the target and cheaper, learned at an order parameter: trajectories follow it, and
    // the target accepts or rejects. `learn` writes a guide, whose first number is 0 where it would not be cheaper.
    // `follow` makes the target that trajectories follow: that of the guide, or, where this is NULL, the target itself,
    // which is evaluated faster with memory in `room`.
    size_t guide, room;  // doubles that a chain keeps of it, and that it takes in use; 0: there is none
    ap_status (*learn)(double *guide, const void *self, const double *U, ap_work *work, ap_error *err);
    ap_status (*follow)(struct ap_target *guided, const struct ap_target *target, const double *guide,
                        const double *turn, double *room, ap_error *err);
    // Coordinates in which a mode looks simple, where the target has them: doubles that say which, and those of a mode.
    size_t turn;
    ap_status (*turn_rows)(double *turn, double *x, const void *self, ap_work *work, ap_error *err);  // x: in/out
    // psi of the target itself, where `evaluate` gives that of a guide. NULL: `evaluate` gives the target's own.
    ap_status (*exact)(double *psi, const void *self, const double *x, ap_work *work, ap_error *err);
} ap_target;

typedef struct ap_place {  // where a chain is
    double *z, *grad;      // [dim]; gradient of psi_z
    double psi;            // psi_z
    double gap;            // what the target's own psi is above that, where a guide evaluates; else 0
} ap_place;

typedef struct ap_move {  // one trajectory
    double step;          // in units of z over momentum; 0 < step
    size_t steps;         // >= 1
    double friction;      // gamma of (T13); 0: Hamiltonian dynamics
} ap_move;

typedef struct ap_outcome {
    double hamiltonian;  // at the start: psi_z + |z|^2/2 + |p|^2/2
    double error;        // of the energy, over the whole trajectory; infinite if it was given up
    double integration;  // the part of it that the steps made; the rest is what a guide misses
    double acceptance;   // min (1, exp (-error))
    bool accepted, diverged;
    size_t gradients;  // evaluations taken
} ap_outcome;

bool ap_target_survives(ap_status status);             // what an evaluation may say and only the place be rejected for
AP_CHECKED ap_status ap_target_evaluate(ap_place *at,  // in: z; out: grad, psi
                                        const ap_target *target, const ap_metric *metric, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_target_gap(ap_place *at,  // in: evaluated; out: gap
                                   const ap_target *target, const ap_metric *metric, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_trajectory(ap_place *at,  // in: evaluated; out: the next place, evaluated
                                   ap_outcome *outcome, const ap_target *target, const ap_metric *metric,
                                   const ap_move *move, ap_rng *rng, bool (*stop)(void *context), void *context,
                                   ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_integrate(double *error,  // in/out: energy error so far
                                  ap_place *at, double *p, const ap_target *target, const ap_metric *metric,
                                  double step, ap_work *work, ap_error *err);  // one reversible step of (z, p)

#endif
