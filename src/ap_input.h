// ap_input.h: the layer below all paths: outputs from effective weights, and exact draws of the input weights
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_INPUT_H
#define AP_INPUT_H

#include "attnpath.h"

void ap_input_output(double *f,                                                 // output: [P] network outputs (T4)
                     const ap_net *net, size_t N0, const double *Xi, size_t P,  // Xi [N0 x P x Pi]
                     const double *W);                                          // [N0 x Pi] effective weights
void ap_input_backward(double *dW,  // output: [N0 x Pi] the transposed map, applied to df [P]
                       const ap_net *net, size_t N0, const double *Xi, size_t P, const double *df);

size_t ap_input_worksize(const ap_problem *p);
AP_CHECKED ap_status ap_input_draw(double *Z,  // output: [N0 x m] input weights in the frame of R
                                   double *W,  // output: [N0 x Pi] effective weights
                                   const ap_problem *p, const double *R, size_t m,  // [Pi x m], R R' = U_1
                                   const double *F,  // [P x P] lower Cholesky factor of K(U_1) + T I
                                   ap_rng *rng, ap_work *work, ap_error *err);

#endif
