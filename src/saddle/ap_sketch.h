// ap_sketch.h: how the energy bends along a direction, as a linear map (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SKETCH_H
#define AP_SKETCH_H

#include "attnpath.h"

typedef struct ap_sketch {
    const ap_problem *p;
    const double *R;      // [Pi x Pi] the frame: x_1 = R d_1 R'
    size_t labels;        // columns of b
    size_t room, probes;  // random vectors that stand for the log-determinant: at most, in the next make
    double *F, *Z;        // [P x P] factor of A, [P x columns] the vectors: those of b first
    double *W, *Y, *V;    // [N0 x columns x Pi] Xi Z R, and scratch; [P x columns] scratch
    double *g, *T;        // [Pi x Pi] R' (d log det A / dU_1) R; scratch
} ap_sketch;

AP_CHECKED ap_status ap_sketch_take(ap_sketch *t, const ap_problem *p, size_t probes, ap_work *work, ap_error *err);
void ap_sketch_make(ap_sketch *t, const ap_point *point, const double *R);  // R is kept, not copied
void ap_sketch_add(double *M,  // in and out: [Pi x Pi] symmetric, half the derivative of the form by the matrix d_1
                   ap_sketch *t, const double *d);

#endif
