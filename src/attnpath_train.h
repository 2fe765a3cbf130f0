// attnpath_train.h: training by gradient descent, beside attnpath.h, whose rules hold here too (ap_train.c)
// SPDX-License-Identifier: BSD-3-Clause
//
// Weights theta: Q_1 [G x N0 x H_1], K_1, .., Q_L, K_L, then V_0, V_1 .. V_L, a [N_a x C], each as it multiplies the
// layer below. Labels and outputs are [C x P] here, example by example, because they come batch by batch.

#ifndef ATTNPATH_TRAIN_H
#define ATTNPATH_TRAIN_H

#include "attnpath.h"

typedef struct ap_trainer {
    const ap_net *net;   // its shape, readout and causality; the rest must be valid, and does not count
    size_t N0, T;        // features, tokens of an example
    size_t G;            // rows of every Q and K
    size_t rank;         // r, numbers that a token comes as: N0 without a basis
    const float *basis;  // [N0 x r] orthonormal columns that span all tokens, or NULL
    size_t C;            // outputs
} ap_trainer;

AP_CHECKED ap_status ap_train_check(const ap_trainer *t, ap_error *err);  // before anything else
size_t ap_train_parameters(const ap_trainer *t);                          // numbers in theta
void ap_train_start(float *theta, const ap_trainer *t, uint64_t seed);    // uniform in +-1 / sqrt (fan-in)

typedef struct ap_train_state {
    float *theta, *m, *v;  // [parameters] weights and Adam's two moments
} ap_train_state;

typedef struct ap_train_batch {
    const float *X, *y;  // [r x T x P], [C x P]
    size_t P;
} ap_train_batch;

typedef struct ap_train_pace {
    double number, rate, decay;  // of the step, from 1; of learning; ridge
} ap_train_pace;

size_t ap_train_size(const ap_trainer *t, size_t P);  // doubles that a step takes, about
// The arrays of state change only where it returns AP_OK. loss := mean over the batch of the sum over outputs of
// (f - y)^2, before the step
AP_CHECKED ap_status ap_train_step(const ap_train_state *state, double *loss, const ap_trainer *t,
                                   const ap_train_batch *batch, const ap_train_pace *pace, const ap_team *team,
                                   ap_work *work, ap_error *err);

#endif
