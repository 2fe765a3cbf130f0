// test_ap_expand_lines.c: the lines of the expansion (T31), and second derivatives of the gradient along them
// SPDX-License-Identifier: BSD-3-Clause

#include "expansion.h"

// log J of the coordinates: [n tr d^2 - (tr d)^2] / 24 of each order parameter.
static double jacobian(const ap_net *net, const double *h) {
    double sum = 0.0;
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_params_member(net, l);
        const double *d = h + u.first;
        double square = 0.0, trace = 0.0;
        for (size_t b = 0, k = 0; b < u.n; b++)
            for (size_t a = 0; a <= b; a++, k++) {
                square += (a < b ? 2.0 : 1.0) * d[k] * d[k];
                if (a == b) trace += d[k];
            }
        sum += ((double)u.n * square - trace * trace) / 24.0;
    }
    return sum;
}

// h' H h is the identity, and log J is diagonal.
static void test_lines(size_t L) {
    expansion t;
    expand(&t, L, 1e9);
    const size_t n = t.n;
    double *H = check_doubles(n * n), *sum = check_doubles(n);
    CHECK_STATUS(ap_hessian_action(H, &t.s.p, &t.s.point, &t.s.work, &err), AP_OK);
    ap_spd_mirror(H, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double form = 0.0;
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n; b++) form += t.h[a + n * i] * H[a + n * b] * t.h[b + n * j];
            CHECK_NEAR(form, i == j ? 1.0 : 0.0, 1e-9);  // n cond (H) eps, with a condition below 1e4
            for (size_t a = 0; a < n; a++) sum[a] = t.h[a + n * i] + t.h[a + n * j];
            const double cross =
                jacobian(&t.s.f.net, sum) - jacobian(&t.s.f.net, t.h + n * i) - jacobian(&t.s.f.net, t.h + n * j);
            CHECK_NEAR(0.5 * cross, i == j ? t.beta[i] : 0.0, 1e-12);
        }
    for (size_t k = 0; k < n; k++) CHECK(t.step[k] > 0.0 && t.step[k] <= 0.1);
}

// Second derivatives d^2 grad S / de^2 along each line agree with those by steps ten times as long, whose truncation,
// 1/12 d^2, is 1e-3 of the largest. (expand.tst compares their sum, the gradient of log det H, with ref_expand.m.)
static void test_bends(size_t L) {
    expansion t;
    expand(&t, L, 0.0);
    const size_t n = t.n;
    double *g = check_doubles(n), *more = check_doubles(n);
    CHECK_STATUS(follow(&t, NULL), AP_OK);
    for (size_t k = 0; k < n; k++) ap_axpy(n, 1.0, t.second + n * k, g);
    for (size_t k = 0; k < n; k++) {
        CHECK_NEAR(t.cubic[k], ap_dot(n, t.h + n * k, t.second + n * k), 1e-12);
        CHECK(fabs(t.rest[k]) < 0.3);  // N is forty and more: small against the parabola's 1
        t.step[k] = fmin(0.1, 10.0 * t.step[k]);
    }
    CHECK_STATUS(follow(&t, NULL), AP_OK);
    for (size_t k = 0; k < n; k++) ap_axpy(n, 1.0, t.second + n * k, more);
    CHECK_ARRAYS(more, g, n, 1e-3 * check_largest(g, n));
}

// The rule for steps: doubling or halving a step changes a second derivative by at most the bound of the rule, d^2/12
// at 2 d, on the scale of its third derivatives, and rounding is below it. The factor 10 is for higher derivatives.
static void test_steps(void) {
    expansion t;
    expand(&t, 2, 1e9);
    const size_t n = t.n;
    double *at[3];
    for (int k = 0; k < 3; k++) {
        CHECK_STATUS(follow(&t, NULL), AP_OK);
        at[k] = check_copy(t.second, n * n);
        for (size_t i = 0; i < n; i++) t.step[i] *= k == 0 ? 2.0 : 0.25;
    }
    const double largest = check_largest(at[0], n * n);
    const double bound = 10.0 * 4.0 * ap_expand_rounding(&t.s.p, &t.s.point) * largest;
    CHECK(bound < 1e-3 * largest);
    CHECK_ARRAYS(at[1], at[0], n * n, bound);
    CHECK_ARRAYS(at[2], at[0], n * n, bound);
}

// Equal bits for any team, in any order, and for lines in two calls.
static void test_team(void) {
    expansion t;
    expand(&t, 2, 1e9);
    const ap_team team = {.threads = 3, .run = check_backwards};
    const size_t n = t.n;
    CHECK_STATUS(follow(&t, NULL), AP_OK);
    double *want = check_copy(t.second, n * n);
    CHECK_STATUS(follow(&t, &team), AP_OK);
    CHECK(memcmp(want, t.second, n * n * sizeof(double)) == 0);
    const ap_expansion some = lines_of(&t, 2, n - 2);
    CHECK_STATUS(ap_expand_follow(t.second, t.cubic, t.rest, &t.s.p, &t.s.point, &some, NULL, &t.s.work, &err), AP_OK);
    CHECK(memcmp(want + n * 2, t.second, n * (n - 2) * sizeof(double)) == 0);
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) {
        test_lines(L);
        test_bends(L);
    }
    test_steps();
    test_team();
    return check_report("test_ap_expand_lines");
}
