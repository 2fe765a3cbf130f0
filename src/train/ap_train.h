// ap_train.h: the parts of a training step (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// A step: unfold; pass over the batch, in parts that may run side by side; fold; adam. Tokens depend on theta through
// phi; u are the partial effective weights.

#ifndef AP_TRAIN_H
#define AP_TRAIN_H

#include "posterior/ap_posterior.h"

size_t ap_train_folded(const ap_trainer *t);             // numbers in phi
size_t ap_train_partial(const ap_trainer *t);            // in u
size_t ap_train_seen(const ap_trainer *t);               // in Q B, K B, V_0 B; 0 without a basis
void ap_train_unfold(float *phi, float *u, float *seen,  // output: [folded], [partial], [seen]
                     const ap_trainer *t, const float *theta);
AP_CHECKED ap_status ap_train_pass(float *dphi,  // in/out: [folded], to which the derivative is added; may be NULL
                                   float *f,     // output: [C x P] the network's outputs
                                   const ap_trainer *t, const float *phi,
                                   const ap_train_batch *batch,  // y may be NULL where dphi is
                                   float weight,                 // of an example in the loss, weight sum (f - y)^2
                                   ap_work *work, ap_error *err);
void ap_train_fold(float *grad,              // output: [parameters] derivative by theta
                   float *du, float *dseen,  // workspace: [partial], [seen]
                   const ap_trainer *t, const float *theta, const float *u, const float *seen, const float *dphi);
void ap_train_adam(float *restrict theta, float *restrict m, float *restrict v,  // in/out: [n] weights and moments
                   size_t n, const float *restrict grad, double step, double rate, double decay);  // step from 1
AP_CHECKED ap_status ap_train_gradient(double *grad, double *loss,  // as ap_train_step's, all in double
                                       const ap_trainer *t, const double *theta, const double *X,  // [r x T x P]
                                       const double *y, size_t P,                                  // [C x P]
                                       ap_work *work, ap_error *err);

#endif
