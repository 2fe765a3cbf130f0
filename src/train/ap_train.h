// ap_train.h: the parts of a training step (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// A step: unfold; pass over the batch, in parts that may run side by side; fold; adam. Tokens depend on theta through
// phi; u are the partial effective weights.

#ifndef AP_TRAIN_H
#define AP_TRAIN_H

#include "attnpath_train.h"
#include "posterior/ap_posterior.h"

size_t ap_train_columns(const ap_trainer *t, size_t layer);  // of u^{(layer)}: paths from it on, of all outputs
size_t ap_train_readout(const ap_trainer *t);                // numbers in a
size_t ap_train_widest(const ap_trainer *t);                 // heads of the layer that has most
size_t ap_train_chunk(const ap_trainer *t);                  // examples at a time
float *ap_train_take(ap_work *work, size_t count);           // floats share the arena of doubles
size_t ap_train_folded(const ap_trainer *t);                 // numbers in phi
size_t ap_train_partial(const ap_trainer *t);                // in u
size_t ap_train_seen(const ap_trainer *t);                   // in Q B, K B, V_0 B
// phi [folded], u [partial], seen [seen] := of theta
void ap_train_unfold(float *phi, float *u, float *seen, const ap_trainer *t, const float *theta);
// dphi [folded] += the derivative, f [C x P] := outputs; dphi, and with it the batch's y, may be NULL. weight: of an
// example in the loss, weight sum (f - y)^2
AP_CHECKED ap_status ap_train_pass(float *dphi, float *f, const ap_trainer *t, const float *phi,
                                   const ap_train_batch *batch, float weight, ap_work *work, ap_error *err);
// grad [parameters] := derivative by theta; du [partial], dseen [seen] workspace
void ap_train_fold(float *grad, float *du, float *dseen, const ap_trainer *t, const float *theta, const float *u,
                   const float *seen, const float *dphi);
// theta, m, v [n], weights and moments, after a step of this number, from 1
void ap_train_adam(float *restrict theta, float *restrict m, float *restrict v, size_t n, const float *restrict grad,
                   double step, double rate, double decay);

#endif
