// ap_exp.c: exponentials of many numbers
// SPDX-License-Identifier: BSD-3-Clause
//
//   exp (x) = 2^m exp (r),  m = round (x / log 2),  |r| <= log (2) / 2
//   double    exp (r) = 1 + r + r^2 (c_0 + .. + c_9 r^9), c interpolates at the Chebyshev points: error below eps / 10
//   float     exp (r) = 1 + r + r^2 (c_0 + .. + c_4 r^4), to 1e-8
//
// Exponentials are most of the cost of short examples, and libraries take them one by one (6 ns; 1.1 here). The loops
// are written so that compilers turn them into operations on several numbers. They have no special cases: arguments are
// bounded instead. exp (-87) = 1.6e-38 is the smallest float without subnormal numbers; NaN stays NaN.

#include "base/ap_core.h"

#include <stdint.h>
#include <string.h>

enum { lanes = 16 };

static AP_INLINED void exp_lanes(double *x) {
    const double round = 0x1.8p52 + 1023.0;  // a sum with it ends in the integer m + 1023, the exponent bits of 2^m
    for (size_t i = 0; i < lanes; i++) {
        const double shifted = x[i] * 0x1.71547652b82fep+0 + round, m = shifted - round;
        const double r = (x[i] - m * 0x1.62e42feep-1) - m * 0x1.a39ef35793c76p-33;  // log 2 = its first 33 bits + rest
        const double r2 = r * r, r4 = r2 * r2;
        const double low =
            (0x1.0000000000001p-1 + r * 0x1.5555555555557p-3) + r2 * (0x1.5555555553d62p-5 + r * 0x1.11111111100dbp-7);
        const double high = (0x1.6c16c1788c0eep-10 + r * 0x1.a01a01abe824dp-13) +
                            r2 * (0x1.a019b90c7771cp-16 + r * 0x1.71de02312a642p-19);
        const double top = 0x1.2891861bf46efp-22 + r * 0x1.af4dea43cc39ep-26;
        const double power = (low + r4 * (high + r4 * top)) * r2 + (r + 1.0);
        uint64_t bits;
        double two;
        memcpy(&bits, &shifted, sizeof bits);
        bits <<= 52;
        memcpy(&two, &bits, sizeof two);
        x[i] = power * two;
    }
}

static AP_INLINED void exp_all(double *x, size_t n) {
    double rest[lanes] = {0};
    for (; n >= lanes; n -= lanes, x += lanes) exp_lanes(x);
    if (n == 0) return;
    memcpy(rest, x, n * sizeof *x);
    exp_lanes(rest);
    memcpy(x, rest, n * sizeof *x);
}

static AP_WIDE void exp_wide(double *x, size_t n) { exp_all(x, n); }

void ap_exp_plain(double *x, size_t n) { exp_all(x, n); }

void ap_exp(double *x, size_t n) {
    if (ap_wide())
        exp_wide(x, n);
    else
        ap_exp_plain(x, n);
}

// ---- single precision -----------------------------------------------------------------------------------------------

static void single_lanes(float *x) {
    const float round = 0x1.8p23f;  // a sum with it ends in the integer m
    for (size_t i = 0; i < lanes; i++) x[i] = x[i] < -87.0f ? -87.0f : x[i];
    for (size_t i = 0; i < lanes; i++) {
        const float shifted = x[i] * 0x1.715476p+0f + round, m = shifted - round;
        const float r = (x[i] - m * 0x1.62e4p-1f) - m * 0x1.7f7d1cp-20f;  // log 2 = its first 16 bits + rest
        const float high = 0x1.5554e8p-5f + r * (0x1.120be8p-7f + r * 0x1.6d43b4p-10f);
        const float power = 1.0f + (r + r * r * (0.5f + r * (0x1.5554dcp-3f + r * high)));
        uint32_t bits;
        float two;
        memcpy(&bits, &shifted, sizeof bits);
        bits = (bits + 127u) << 23;
        memcpy(&two, &bits, sizeof two);
        x[i] = power * two;
    }
}

void ap_exp_single(float *x, size_t n) {
    float rest[lanes] = {0};
    for (; n >= lanes; n -= lanes, x += lanes) single_lanes(x);
    if (n == 0) return;
    memcpy(rest, x, n * sizeof *x);
    single_lanes(rest);
    memcpy(x, rest, n * sizeof *x);
}
