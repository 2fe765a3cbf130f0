// ap_dense.h: the curvature of the action held as a matrix (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_DENSE_H
#define AP_DENSE_H

#include "attnpath.h"

typedef struct ap_dense {
    size_t pairs;             // unknowns of U_1, to which the energy's curvature belongs
    size_t probes;            // for the next estimate of log det's curvature
    double *H, *factor;       // [n x n] lower: curvature in coordinates of d; Cholesky factor, H shifted if need be
    double *energy, *logdet;  // [pairs x pairs] lower: the energy's curvature; the log-determinant's, sign reversed
    double *blocks;           // [Pi x Pi x some] scratch
    double *u, *g, *u_old, *g_old;  // [pairs] U_1 and the gradient of log det A, here and at the model before
    double *scratch;                // [n]
    double shift;                   // of the last indefinite H
    bool framed;                    // energy was made in coordinates of d, and logdet is of no further use
    bool turns;                     // H is that along the curves of the chart
    bool definite, met;             // H needed no shift: this time, at any time before
} ap_dense;

extern const struct ap_model_how ap_dense_how;

#endif
