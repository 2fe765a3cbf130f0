// ap_softmax.c: softmax of columns of scores
// SPDX-License-Identifier: BSD-3-Clause
//
//   exp (score_s - top) / sum_r exp (score_r - top),   top the largest score
//
// Sums and maxima are taken in lanes, because one addition after the other would wait for the one before, and the
// exponentials of all columns at once (2 ns a score where one after the other took 6 to 20). Training has single
// precision. A column has the first n scores, the others are padding; causal, column j has the first j + 1 of them.

#include "base/ap_core.h"

#include <math.h>
#include <string.h>

enum { lanes = 4, single_lanes = 16 };

static AP_INLINED double largest(const double *x, size_t n) {
    double part[lanes] = {x[0], x[0], x[0], x[0]};
    for (; n >= lanes; n -= lanes, x += lanes)
        for (size_t i = 0; i < lanes; i++) part[i] = x[i] > part[i] ? x[i] : part[i];
    for (size_t i = 0; i < n; i++) part[i] = x[i] > part[i] ? x[i] : part[i];
    for (size_t i = 1; i < lanes; i++) part[0] = part[i] > part[0] ? part[i] : part[0];
    return part[0];
}

static AP_INLINED double lower(double *x, double by, size_t n) {  // x := x - by; returns the least of them, or 0
    double part[lanes] = {0};
    for (; n >= lanes; n -= lanes, x += lanes)
        for (size_t i = 0; i < lanes; i++) part[i] = (x[i] -= by) < part[i] ? x[i] : part[i];
    for (size_t i = 0; i < n; i++) part[i] = (x[i] -= by) < part[i] ? x[i] : part[i];
    for (size_t i = 1; i < lanes; i++) part[0] = part[i] < part[0] ? part[i] : part[0];
    return part[0];
}

static AP_INLINED double sum_of(const double *x, const double *y, size_t n) {  // of x, or of x y
    double part[lanes] = {0};
    size_t k = 0;
    for (; k + lanes <= n; k += lanes)
        for (size_t i = 0; i < lanes; i++) part[i] += y != NULL ? x[k + i] * y[k + i] : x[k + i];
    for (size_t i = 0; k + i < n; i++) part[i] += y != NULL ? x[k + i] * y[k + i] : x[k + i];
    return (part[0] + part[1]) + (part[2] + part[3]);
}

static size_t seen(size_t j, size_t n, bool causal) { return causal && j + 1 < n ? j + 1 : n; }

static AP_INLINED bool lower_all(double *x, size_t rows, size_t m, size_t n, bool causal) {  // are all near 0?
    double least = 0.0;
    for (size_t j = 0; j < m; j++, x += rows) {
        const size_t count = seen(j, n, causal);
        const double here = lower(x, largest(x, count), count);
        memset(x + count, 0, (rows - count) * sizeof *x);
        least = here < least ? here : least;
    }
    return least >= -ap_exp_near;
}

static AP_INLINED size_t share_all(double *x, size_t rows, size_t m, size_t n, bool causal) {
    size_t bad = m;
    for (size_t j = m; j-- > 0;) {
        double *column = x + rows * j;
        const size_t count = seen(j, n, causal);
        const double sum = sum_of(column, NULL, count), share = 1.0 / sum;
        size_t s = 0;
        for (; s + lanes <= count; s += lanes)
            for (size_t i = 0; i < lanes; i++) column[s + i] *= share;
        for (; s < count; s++) column[s] *= share;
        memset(column + count, 0, (rows - count) * sizeof *x);
        if (!isfinite(sum)) bad = j;
    }
    return bad;
}

static AP_WIDE bool lower_wide(double *x, size_t rows, size_t m, size_t n, bool causal) {
    return lower_all(x, rows, m, n, causal);
}

static AP_WIDE size_t share_wide(double *x, size_t rows, size_t m, size_t n, bool causal) {
    return share_all(x, rows, m, n, causal);
}

size_t ap_softmax(double *score, size_t rows, size_t m, size_t n, bool causal) {
    if ((ap_wide() ? lower_wide : lower_all)(score, rows, m, n, causal))
        ap_exp(score, rows * m);
    else
        for (size_t i = 0; i < rows * m; i++) score[i] = exp(score[i]);
    return (ap_wide() ? share_wide : share_all)(score, rows, m, n, causal);
}

// With D less that of the largest weight: where attention is saturated, or several keys are equal, differences are
// small beside D.
static AP_INLINED void slope_of(double *D, const double *weight, size_t n) {
    const double most = largest(weight, n);
    size_t top = 0, s = 0;
    while (weight[top] != most && top + 1 < n) top++;
    (void)lower(D, D[top], n);
    const double mean = sum_of(D, weight, n);
    for (; s + lanes <= n; s += lanes)
        for (size_t i = 0; i < lanes; i++) D[s + i] = weight[s + i] * (D[s + i] - mean);
    for (; s < n; s++) D[s] = weight[s] * (D[s] - mean);
}

static AP_WIDE void slope_wide(double *D, const double *weight, size_t n) { slope_of(D, weight, n); }

void ap_softmax_slope(double *D, const double *weight, size_t rows, size_t m) {
    for (size_t j = 0; j < m; j++) (ap_wide() ? slope_wide : slope_of)(D + rows * j, weight + rows * j, rows);
}

// ---- single precision -----------------------------------------------------------------------------------------------

static float single_sum(const float *x, size_t n) {
    float part[single_lanes] = {0}, all = 0;
    for (; n >= single_lanes; n -= single_lanes, x += single_lanes)
        for (size_t i = 0; i < single_lanes; i++) part[i] += x[i];
    for (size_t i = 0; i < n; i++) part[i] += x[i];
    for (size_t i = 0; i < single_lanes; i++) all += part[i];
    return all;
}

static float single_largest(const float *x, size_t n) {
    float part[single_lanes], most = x[0];
    for (size_t i = 0; i < single_lanes; i++) part[i] = x[0];
    for (; n >= single_lanes; n -= single_lanes, x += single_lanes)
        for (size_t i = 0; i < single_lanes; i++) part[i] = x[i] > part[i] ? x[i] : part[i];
    for (size_t i = 0; i < n; i++) part[i] = x[i] > part[i] ? x[i] : part[i];
    for (size_t i = 0; i < single_lanes; i++) most = part[i] > most ? part[i] : most;
    return most;
}

bool ap_softmax_single(float *score, size_t n) {
    const float top = single_largest(score, n);
    for (size_t s = 0; s < n; s++) score[s] -= top;
    ap_exp_single(score, n);
    const float sum = single_sum(score, n), share = 1 / sum;
    for (size_t s = 0; s < n; s++) score[s] *= share;
    return isfinite(sum);
}
