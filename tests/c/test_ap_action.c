// test_ap_action.c: action and gradient (T7-T9) for 1 to 4 layers: definition, finite differences
// SPDX-License-Identifier: BSD-3-Clause

#include <float.h>

#include "fixture.h"

// Central differences of the value along a random symmetric direction: error c h^2 + eps |S| / h. While the first term
// dominates, halving h must divide the error by 4 (observed order 2).
static void test_gradient(size_t L, double memory) {
    setting s;
    setting_make(&s, L, 8, memory);
    const size_t order = ap_params_length(&s.f.net);
    setting_derive(&s);
    CHECK((s.kernel.packed != NULL) == (memory > 0));
    CHECK(s.point.action == s.point.entropy + s.point.fit.energy);  // each by its definition in its own test
    uint64_t seed = 77;
    double *D = fixture_numbers(order, 1.0, &seed), error[2];
    for (size_t l = 1, at = 0; l <= L; l++) {
        const size_t n = ap_net_paths(&s.f.net, l);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < j; i++) {
                D[at + i + n * j] = D[at + j + n * i];
                CHECK_NEAR(s.point.grad[at + i + n * j], s.point.grad[at + j + n * i], 1e-10);
            }
        at += n * n;
    }
    const double slope = ap_dot(order, s.point.grad, D), largest = check_largest(s.point.grad, order);
    CHECK_NEAR(s.point.gradnorm, largest / ap_net_maxwidth(&s.f.net), 1e-15 * largest);
    for (size_t k = 0; k < 2; k++) {
        const double h = k == 0 ? 2e-3 : 1e-3;
        double S[2];
        for (size_t side = 0; side < 2; side++) {
            for (size_t i = 0; i < order; i++) s.point.order[i] = s.f.order[i] + (side == 0 ? h : -h) * D[i];
            CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
            S[side] = s.point.action;
        }
        error[k] = fabs((S[0] - S[1]) / (2 * h) - slope);
    }
    CHECK(error[1] < 1e-2 * fabs(slope) + 1e-6);
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
}

// Examples in another order: S is the same up to rounding. `noise` must bound the difference, here for kernels from
// well conditioned to singular except for T.
static void test_noise(void) {
    for (int k = 0; k < 5; k++) {
        setting s;
        fixture_make(&s.f, 2, false, 3, 2, 30, 5);  // rank 3 Pi = 18 of 30
        s.f.net.temperature = pow(10.0, -2.0 * k);
        setting_prepare(&s, 0.0);
        CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
        const double S = s.point.action, noise = s.point.noise;
        double apart = 0.0;
        for (size_t turn = 0; turn < 29; turn++) {  // the first example moves to the end, repeatedly
            for (size_t a = 0; a < s.f.paths; a++) {
                double *x = s.f.Xi + 3 * 30 * a, first[3];
                memcpy(first, x, sizeof first);
                memmove(x, x + 3, 29 * sizeof first);
                memcpy(x + 3 * 29, first, sizeof first);
            }
            const double y = s.f.y[0];
            memmove(s.f.y, s.f.y + 1, 29 * sizeof y);
            s.f.y[29] = y;
            CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
            apart = fmax(apart, fabs(s.point.action - S));
        }
        CHECK(apart <= 2.0 * noise);                               // each of the two may have this error
        CHECK(noise <= 1e4 * fmax(apart, DBL_EPSILON * fabs(S)));  // at T = 1 some BLAS give the same S 30 times
        CHECK(k == 0 || apart > 0.0);
    }
}

static void test_refusals(void) {
    setting s;
    setting_make(&s, 2, 8, 0.0);
    s.point.order[0] = -1.0;
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "U_1");
    s.point.order[0] = NAN;
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_ENONFINITE);
    memcpy(s.point.order, s.f.order, ap_params_length(&s.f.net) * sizeof(double));
    s.f.y[0] = INFINITY;
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_ENONFINITE);
    s.f.y[0] = 1.0;
    s.f.net.temperature = 0.0;
    memset(s.f.Xi, 0, s.f.N0 * s.f.P * s.f.paths * sizeof(double));
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "K(U) + T I");
    s.f.net.temperature = 1.0;
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
    s.point.fit.b[0] = INFINITY;  // as if an earlier stage had overflowed
    CHECK_STATUS(ap_action_gradient(&s.point, &s.p, &s.work, &err), AP_ENONFINITE);
}

static ap_status run_take(const ap_problem *p) {
    ap_point point;
    const ap_status status = ap_point_take(&point, p, &work, &err);
    work.used = 0;
    return status;
}

static void test_workspace(double memory) {
    setting w;
    setting_make(&w, 3, 3, memory);
    CHECK_WORKSPACE(ap_action_value(&w.point, &w.p, &work, &err));
    CHECK_WORKSPACE(ap_action_gradient(&w.point, &w.p, &work, &err));
    CHECK_WORKSPACE(run_take(&w.p));
}

// gradrel is the largest entry of F' G F / N over all order parameters; in the scaled case that of the top one.
static void test_relative(size_t L) {
    setting s;
    setting_make(&s, L, 8, 1e9);
    const size_t order = ap_params_length(&s.f.net);
    for (size_t wide = 1; wide <= L; wide++) {
        double largest = 0.0, own = 0.0;
        memcpy(s.point.order, s.f.order, order * sizeof(double));
        const ap_member w = ap_params_member(&s.f.net, wide);
        for (size_t i = 0; i < w.n * w.n; i++) s.point.order[w.at + i] *= 100.0;
        setting_derive(&s);
        for (size_t l = 1; l <= L; l++) {
            const ap_member u = ap_params_member(&s.f.net, l);
            const double *F = s.point.chol + u.at, *G = s.point.grad + u.at;
            for (size_t i = 0; i < u.n; i++)
                for (size_t j = 0; j < u.n; j++) {
                    double entry = 0.0;
                    for (size_t a = i; a < u.n; a++)
                        for (size_t b = j; b < u.n; b++) entry += F[a + u.n * i] * G[a + u.n * b] * F[b + u.n * j];
                    largest = fmax(largest, fabs(entry) / u.width);
                    if (l == wide) own = fmax(own, fabs(entry) / u.width);
                }
        }
        CHECK(wide < L || own == largest);
        CHECK_NEAR(s.point.gradrel, largest, 1e-11 * largest);
    }
}

int main(void) {
    for (size_t L = 1; L <= 4; L++)
        for (size_t stored = 0; stored < 2; stored++) test_gradient(L, stored ? 1e9 : 0.0);
    for (size_t L = 1; L <= 4; L++) test_relative(L);
    test_noise();
    test_refusals();
    test_workspace(0.0);
    test_workspace(1e9);
    return check_report("test_ap_action");
}
