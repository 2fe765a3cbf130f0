// ap_chain.h: one Markov chain: its state, and where it stands (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a chain is one array of doubles that the caller keeps, saves and hands back: the same state gives the
// same continuation, bit for bit, wherever it was cut. ap_chain_open lays the struct below over it.

#ifndef AP_CHAIN_H
#define AP_CHAIN_H

#include "posterior/ap_mode.h"

typedef struct ap_arm {  // a kind of trajectory, as the warm-up tries them: an angle of the normal part, gamma of (T13)
    double length, friction;
} ap_arm;

enum { ap_arms = 6 };
extern const ap_arm ap_chain_arms[ap_arms];

typedef struct ap_tuning {         // doubles only: it is copied to and from the head of the state
    double done;                   // trajectories so far, warm-up included
    double step, arm;              // in use
    double step_mean, lag, count;  // dual averaging: mean of log step, mean lag of the acceptance, updates
    double centre_step;            // towards which it draws the log step
    double window, window_end;     // draws in the metric's window; trajectory at which it closes
    double tries[ap_arms], cost[ap_arms];
    double trials;                          // draws that entered these moments
    double guide;                           // examples of the guide in use, 0 without one
    double gaps, gap;                       // trajectories in which it was judged; squares of what it missed
    double acceptance, accepted, diverged;  // sums after warm-up
} ap_tuning;

typedef struct ap_chain {
    ap_tuning tuning;
    ap_rng rng;   // of the dynamics
    ap_place at;  // z in the state, grad in the workspace
    ap_metric metric;
    double *centre, *F, *V;  // [dim], [k x k], [dim x k] of the metric, k directions, V where k < dim
    double *mean, *second;   // [k], [k x k] moments of V' z in the window
    ap_mode mode;            // where the target has a head start
    double *guide, *room;    // what is known of it, in the state and in use; NULL where the target has none
    double *turn;            // first a number: 0 while rows are not turned, then 1, and 1 more for each place at which
                             // the curvature was probed; behind it the turn. NULL where the target has no turn
    ap_target moves;         // what trajectories follow: the guide where there is one, else the target
    double *length;          // trajectories of the warm-up that went into it; until it has ended, 0
    double *jump;            // [watched x arms] sums of squared changes of the entries of U and of the log posterior
    double *seen_mean, *seen_second, *seen_last;  // [watched] their moments and last values
    double *state;
} ap_chain;

size_t ap_chain_state(const ap_target *target);  // doubles
AP_CHECKED ap_status ap_chain_start(double *state, const ap_target *target, const double *x, const ap_rng *rng,
                                    ap_error *err);
AP_CHECKED ap_status ap_chain_open(ap_chain *chain, double *state, const ap_target *target, ap_work *work,
                                   ap_error *err);  // takes memory from work that the caller gives back
void ap_chain_close(ap_chain *chain);               // writes back what is not an array
ap_move ap_chain_move(const ap_chain *chain);       // the trajectory in use, without its jitter

// What its warm-up does with it.
AP_CHECKED ap_status ap_chain_here(ap_chain *chain, ap_work *work, ap_error *err);  // evaluates the place anew
AP_CHECKED ap_status ap_chain_follow(ap_chain *chain, const ap_target *target, ap_work *work,
                                     ap_error *err);  // from here on a guide, where one is known; else the target
bool ap_chain_turned(const ap_chain *chain);          // whether it is in the coordinates of a mode
size_t ap_chain_watched(const ap_target *target);     // numbers that the choice of a trajectory looks at
// Averages of the step begin anew. `trust` in the step in use: 2 draws the next ones towards twice of it, to find out;
// 1 towards itself.
void ap_chain_restart(ap_tuning *tuning, double trust);

#endif
