// ap_mode.h: the mode of a target and its curvature there, a few evaluations at a time (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// All that is known between two calls is in doubles that the caller keeps, as a chain keeps its state.

#ifndef AP_MODE_H
#define AP_MODE_H

#include "posterior/ap_target.h"

enum { ap_mode_pairs = 10 };  // steps that the search remembers

typedef enum ap_stage { AP_SEARCHING, AP_PROBING, AP_KNOWN } ap_stage;

typedef struct ap_mode {
    double *stage;  // an ap_stage
    double *count;  // searching: pairs kept so far; probing: directions probed so far
    double *S, *Y;  // [dim x pairs] the last steps, and the changes of the gradient along them
    double *g;      // [dim] derivative of psi at the mode
    double *V;      // [dim x rank] directions, made one by one; NULL: the coordinates themselves
    double *H;      // [rank x rank] V' (I + psi'') V
    double places;  // whose curvatures H is the sum of, without V, the one that is being probed included
    size_t dim, rank;
} ap_mode;

size_t ap_mode_state(size_t dim);                                      // doubles for stage, count, S, Y, g
void ap_mode_lay(ap_mode *m, double *state, size_t dim, size_t rank);  // .. laid over them; V and H are the caller's
ap_stage ap_mode_stage(const ap_mode *m);                              // whatever the doubles hold
// One step of the search; at its end the stage becomes AP_PROBING. `plain` is a metric that leaves z = x: what a chain
// has before the mode is known, so that it finds the same bits when it is opened again.
AP_CHECKED ap_status ap_mode_search(ap_mode *m, ap_place *at,  // in: evaluated; out: the next place, evaluated
                                    size_t *cost,              // output: evaluations taken
                                    const ap_target *target, const ap_metric *plain, ap_work *work, ap_error *err);
void ap_mode_restart(ap_mode *m);                     // searches anew, in other coordinates
void ap_mode_accept(ap_mode *m, const ap_place *at);  // ends a search: this is the mode
// One more direction, one evaluation; after the last the stage is AP_KNOWN.
AP_CHECKED ap_status ap_mode_probe(ap_mode *m, const ap_place *at, const ap_target *target, const ap_metric *plain,
                                   ap_rng *rng, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_mode_factor(double *F,  // output: [rank x rank] lower factor of H^{-1}, zeros above
                                    const ap_mode *m, ap_work *work, ap_error *err);

#endif
