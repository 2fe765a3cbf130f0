// ap_iterative.h: the curvature of the action held as a linear map (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ITERATIVE_H
#define AP_ITERATIVE_H

#include "base/ap_krylov.h"
#include "base/ap_secants.h"
#include "saddle/ap_product.h"

typedef struct ap_iterative {
    bool sharpens;  // H is exact near the solution
    bool exact;     // it is now: so is the form of H in use
    ap_product H;
    double *D, *M;                // [chain] a direction as matrices; what the map makes of it
    double *b, *r, *d;            // [n] right-hand side, residual, solution
    ap_krylov_vectors gradients;  // what conjugate gradients keep
    ap_secants secants;           // what corrects H's inverse, or, where H is exact, the preconditioner
    double accuracy;              // of the next solution, relative to its right-hand side
    double radius;                // of the next step, where a direction bends down
    bool turns;                   // H is that along the curves of the chart
    bool definite, met;           // no direction bent down: in the last search, in any before
} ap_iterative;

extern const struct ap_model_how ap_iterative_how;        // with random vectors
extern const struct ap_model_how ap_iterative_exact_how;  // with exact products

#endif
