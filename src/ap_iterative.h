// ap_iterative.h: the curvature of the action held as a linear map (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ITERATIVE_H
#define AP_ITERATIVE_H

#include "ap_bend.h"
#include "ap_sketch.h"

enum { ap_iterative_secants = 8 };

typedef struct ap_iterative {
    ap_bend bend;
    ap_sketch sketch;
    double *D, *M;             // [chain] a direction as matrices; what the map makes of it
    double *r, *z, *step, *q;  // [n] residual, preconditioned residual, direction, its product
    double *s, *y;             // [n x secants] steps since H was taken, the last column free; changes of the gradient
    size_t secants;            // so many
    double accuracy;           // of the next solution, relative to its right-hand side
    double radius;             // of the next step, where a direction bends down
    bool turns;                // H is that along the curves of the chart
    bool definite, met;        // no direction bent down: in the last search, in any before
} ap_iterative;

extern const struct ap_model_how ap_iterative_how;

#endif
