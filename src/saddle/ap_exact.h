// ap_exact.h: how the energy bends along a direction, exactly, as a linear map (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_EXACT_H
#define AP_EXACT_H

#include "attnpath.h"

typedef struct ap_exact {
    const ap_problem *p;
    bool fast;                       // with the inverse of F
    const double *R;                 // [Pi x Pi] the frame, lower triangular: x_1 = R d_1 R'; NULL: there is none
    const double *F, *b;             // [P x P] factor of A, [P x m] A^{-1} y: the point's, or if fast copies
    double *own, *labels, *inverse;  // these copies, and the inverse of F
    double *w, *K, *X;               // [P x m], [P x P], [Pi x Pi] scratch
} ap_exact;

AP_CHECKED ap_status ap_exact_take(ap_exact *t, const ap_problem *p, bool fast, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_exact_make(ap_exact *t, const ap_point *point,  // must stay as it is, unless fast
                                   const double *R,                     // kept, not copied
                                   ap_error *err);
AP_CHECKED ap_status
ap_exact_energy(double *X,  // in: [Pi x Pi] x_1; out: half the derivative of the form by it, G-like
                ap_exact *t, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_exact_add(double *M,  // in and out: [Pi x Pi] symmetric, half the derivative of the form by d_1
                                  ap_exact *t, const double *d, ap_work *work, ap_error *err);

#endif
