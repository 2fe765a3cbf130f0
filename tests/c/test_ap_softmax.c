// test_ap_softmax.c: softmax of columns and its derivative, by their definitions
// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of at most 40 numbers below 1: rounding below 1e-14; exponentials are exact to two units.

#include "fixture.h"

enum { most = 40, m = 7 };

static size_t seen_by(size_t j, size_t n, bool causal) { return causal && j + 1 < n ? j + 1 : n; }

static void define(double *weight, const double *score, size_t rows, size_t n, bool causal) {
    for (size_t j = 0; j < m; j++) {
        const size_t seen = seen_by(j, n, causal);
        double top = score[rows * j], sum = 0.0;
        for (size_t s = 1; s < seen; s++) top = fmax(top, score[s + rows * j]);
        for (size_t s = 0; s < seen; s++) sum += exp(score[s + rows * j] - top);
        for (size_t s = 0; s < rows; s++) weight[s + rows * j] = s < seen ? exp(score[s + rows * j] - top) / sum : 0.0;
    }
}

// Rows below and above the lanes; scores far apart, for which ap_exp is not used; what is not seen is not read.
static void test_columns(size_t rows, size_t n, bool causal, double size) {
    double score[most * m], want[most * m], D[most * m], slope[most * m];
    uint64_t seed = 10 * rows + n;
    check_fill(score, rows * m, &seed);
    check_fill(D, rows * m, &seed);
    for (size_t i = 0; i < rows * m; i++) score[i] = i % rows < seen_by(i / rows, n, causal) ? size * score[i] : NAN;
    define(want, score, rows, n, causal);
    CHECK(ap_softmax(score, rows, m, n, causal) == m);
    CHECK_ARRAYS(score, want, rows * m, 1e-14);
    for (size_t j = 0; j < m; j++) {
        const double mean = ap_dot(rows, want + rows * j, D + rows * j);
        for (size_t s = 0; s < rows; s++) slope[s + rows * j] = want[s + rows * j] * (D[s + rows * j] - mean);
    }
    ap_softmax_slope(D, score, rows, m);
    CHECK_ARRAYS(D, slope, rows * m, 1e-14);
}

static void test_single(size_t n, double size) {
    double wide[most * m] = {0.0}, want[most * m];
    float score[most];
    uint64_t seed = n;
    check_fill(wide, n, &seed);
    for (size_t s = 0; s < n; s++) wide[s] = (double)(score[s] = (float)(size * wide[s]));
    for (size_t j = 1; j < m; j++) memcpy(wide + n * j, wide, n * sizeof *wide);
    define(want, wide, n, n, false);
    CHECK(ap_softmax_single(score, n));
    for (size_t s = 0; s < n; s++) CHECK_NEAR((double)score[s], want[s], 1e-6);
    score[n / 2] = NAN;
    CHECK(!ap_softmax_single(score, n));
}

// Scores that are not finite: the first of their columns is named.
static void test_refusals(void) {
    double score[9 * m] = {0.0};
    score[2 + 9 * 3] = NAN;
    score[1 + 9 * 5] = INFINITY;
    CHECK(ap_softmax(score, 9, m, 9, false) == 3);
}

// All weight on one key: the derivative is exactly 0, however large those by the weights are.
static void test_saturated(void) {
    double score[3] = {1e4, 0.0, -1e4}, D[3] = {1e300, -1e300, 1.0};
    CHECK(ap_softmax(score, 3, 1, 3, false) == 1);
    ap_softmax_slope(D, score, 3, 1);
    CHECK(score[0] == 1.0 && D[0] == 0.0 && D[1] == 0.0 && D[2] == 0.0);
}

int main(void) {
    for (size_t rows = 1; rows <= most; rows += rows < 10 ? 1 : 7)
        for (size_t n = 1; n <= rows; n += 3)
            for (int causal = 0; causal < 2; causal++) {
                test_columns(rows, n, causal == 1, 3.0);
                test_columns(rows, n, causal == 1, 900.0);
            }
    for (size_t n = 1; n <= most; n += 3) {
        test_single(n, 4.0);
        test_single(n, 300.0);
    }
    test_refusals();
    test_saturated();
    return check_report("test_ap_softmax");
}
