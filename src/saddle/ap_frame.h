// ap_frame.h: perturbations of the order parameters in a frame where the metric is the identity (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_FRAME_H
#define AP_FRAME_H

#include "attnpath.h"

typedef struct ap_frame {
    const ap_net *net;
    double *F;  // [chain] lower Cholesky factors of the point where the frame was taken: x_l = F_l d_l F_l'
    double *matrix, *square;  // [chain], [Pi x Pi] scratch
} ap_frame;

AP_CHECKED ap_status ap_frame_take(ap_frame *frame, const ap_net *net, ap_work *work, ap_error *err);
void ap_frame_move(ap_frame *frame, const ap_point *point);  // the frame of this point from now on
void ap_frame_gradient(double *v,  // output: [unknowns] derivative of S by the coordinates of d at any point
                       ap_frame *frame, const ap_point *point);
double ap_frame_matrices(double *x,  // output: [chain] the matrices x_l of d; returns their metric length at the point
                         ap_frame *frame, const double *d, const ap_point *point);
double ap_frame_inner(const double *d, const double *e, const ap_net *net);  // sum_l tr (d_l e_l)
double ap_frame_length(const double *d, const ap_net *net);  // metric length of d where the frame was taken
AP_CHECKED ap_status ap_frame_geodesic(double *U,            // output: [n x n] F exp (d) F'
                                       double *d,            // [n x n] symmetric, destroyed
                                       const double *F,      // [n x n] lower
                                       size_t n,
                                       double *work,  // [n (n + 4)]
                                       ap_error *err);
void ap_frame_retract(double *U,        // output: [n x n] F (one I + d + d^2/2) F'
                      double one,       // 1, or 0 for what it adds to F F'
                      const double *d,  // [n x n] symmetric
                      const double *F, size_t n);

// E := T' E T: the curvature E [pairs x pairs] of U_1, in its lower triangle, from coordinates of x_1 to those of d_1.
enum { ap_frame_beside = 32 };
void ap_frame_form(double *E, const double *F,      // [paths x paths] lower Cholesky factor of U_1
                   size_t paths, double *scratch);  // [paths x paths x ap_frame_beside]

#endif
