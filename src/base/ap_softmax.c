// ap_softmax.c: softmax of one column of scores
// SPDX-License-Identifier: BSD-3-Clause
//
//   exp (score_s - top) / sum_r exp (score_r - top),   top the largest score
//
// The theory computes attention once, in double precision. Training computes it at every step, in single precision: its
// sums and maxima are taken in lanes, because one addition after the other would wait for the one before.

#include "base/ap_core.h"

#include <math.h>

enum { lanes = 16 };

bool ap_softmax(double *score, size_t n) {
    double top = score[0], least = score[0], sum = 0.0;
    for (size_t s = 1; s < n; s++) {
        top = score[s] > top ? score[s] : top;
        least = score[s] < least ? score[s] : least;
    }
    for (size_t s = 0; s < n; s++) score[s] -= top;
    if (top - least <= ap_exp_near)
        ap_exp(score, n);
    else
        for (size_t s = 0; s < n; s++) score[s] = exp(score[s]);
    for (size_t s = 0; s < n; s++) sum += score[s];
    for (size_t s = 0; s < n; s++) score[s] /= sum;
    return isfinite(sum);
}

static float sum_of(const float *x, size_t n) {
    float part[lanes] = {0}, all = 0;
    for (; n >= lanes; n -= lanes, x += lanes)
        for (size_t i = 0; i < lanes; i++) part[i] += x[i];
    for (size_t i = 0; i < n; i++) part[i] += x[i];
    for (size_t i = 0; i < lanes; i++) all += part[i];
    return all;
}

static float largest_of(const float *x, size_t n) {
    float part[lanes], most = x[0];
    for (size_t i = 0; i < lanes; i++) part[i] = x[0];
    for (; n >= lanes; n -= lanes, x += lanes)
        for (size_t i = 0; i < lanes; i++) part[i] = x[i] > part[i] ? x[i] : part[i];
    for (size_t i = 0; i < n; i++) part[i] = x[i] > part[i] ? x[i] : part[i];
    for (size_t i = 0; i < lanes; i++) most = part[i] > most ? part[i] : most;
    return most;
}

bool ap_softmax_single(float *score, size_t n) {
    const float top = largest_of(score, n);
    for (size_t s = 0; s < n; s++) score[s] -= top;
    ap_exp_single(score, n);
    const float sum = sum_of(score, n), share = 1 / sum;
    for (size_t s = 0; s < n; s++) score[s] *= share;
    return isfinite(sum);
}
