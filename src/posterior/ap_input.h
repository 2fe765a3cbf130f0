// ap_input.h: the layer below all paths: outputs from effective weights, and exact draws of the input weights
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_INPUT_H
#define AP_INPUT_H

#include "action/ap_kernel.h"
#include "base/ap_core.h"

void ap_input_output(double *f,                                                // output: [P x C] network outputs (T4)
                     const ap_net *net, const ap_inputs *x, const double *W);  // [N0 x Pi] effective weights, where the
                                                                               // inputs have a basis within it
void ap_input_backward(double *dW,  // output: [N0 x Pi] the transposed map, applied to df [P x C]
                       const ap_net *net, const ap_inputs *x, const double *df);
ap_inputs ap_input_training(const ap_problem *p);  // the training set's path inputs

AP_CHECKED ap_status ap_input_draw(double *Z,  // output: [features x m] input weights in the frame of R
                                   double *W,  // output: [features x Pi] effective weights
                                   const ap_problem *p, const ap_root *root,  // R [Pi x m], R R' = U_1
                                   const double *U,                           // [Pi x Pi] R R'
                                   const ap_fit *known,                       // at U, or NULL: it is made here
                                   ap_rng *rng, ap_work *work, ap_error *err);

#endif
