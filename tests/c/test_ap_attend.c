// test_ap_attend.c: one head applied without a network, against its definition (T16)
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { d = head_d, n = head_n, dv = head_dv, many = head_most };

static double kernel(const ap_rule *rule, const double *x, const double *y) {
    const double dot = ap_dot(d, x, y) / rule->bandwidth;
    const double apart = (ap_dot(d, x, x) + ap_dot(d, y, y)) / rule->bandwidth - 2.0 * dot;
    if (rule->kind != AP_CME || rule->kernel == AP_KERNEL_EXPONENTIAL) return exp(dot);
    return rule->kernel == AP_KERNEL_GAUSSIAN ? exp(-0.5 * apart) : dot;
}

// k (x, y) of the rule, over the keys' sum or, of the conditional mean, times (G + lambda I)^{-1}
static void define(double *Omega, const fixture_head *t) {
    double G[n * n];
    for (size_t q = 0; q < many; q++) {
        double *column = Omega + n * q, sum = 0.0;
        size_t best = 0;
        for (size_t s = 0; s < n; s++) sum += column[s] = kernel(&t->rule, t->K + d * s, t->Q + d * q);
        for (size_t s = 0; s < n; s++) best = column[s] > column[best] ? s : best;
        for (size_t s = 0; s < n && t->rule.kind == AP_SOFTMAX; s++) column[s] /= sum;
        for (size_t s = 0; s < n && t->rule.kind == AP_HARDMAX; s++) column[s] = s == best ? 1.0 : 0.0;
    }
    if (t->rule.kind != AP_CME) return;
    for (size_t i = 0; i < n * n; i++)
        G[i] = kernel(&t->rule, t->K + d * (i % n), t->K + d * (i / n)) + (i % (n + 1) == 0 ? t->rule.ridge : 0.0);
    (void)fixture_eliminate(G, n, Omega, many);
}

// With and without Omega, which takes another way where a rule has one; fewer queries than values, more, and many.
static void test_definition(ap_rule_kind kind, ap_kernel_kind how) {
    static const size_t queries[] = {1, 4, many};
    static fixture_head t;
    double *Omega = check_room(n * many), want[dv];
    fixture_head_make(&t, kind, how);
    define(Omega, &t);
    for (int k = 0; k < 6; k++) {
        const size_t m = queries[k / 2];
        memset(t.out, 0xff, sizeof t.out);
        if (m < many) CHECK_WORKSPACE(fixture_head_attend(&t, k % 2 == 1, m));
        CHECK_STATUS(fixture_head_attend(&t, k % 2 == 1, m), AP_OK);
        for (size_t q = 0; q < m; q++) {
            for (size_t v = 0; v < dv; v++) {
                want[v] = 0.0;
                for (size_t s = 0; s < n; s++) want[v] += t.V[v + dv * s] * Omega[s + n * q];
            }
            CHECK_ARRAYS(t.out + dv * q, want, dv, 1e-11);  // G + lambda I has a condition of 1e3
        }
        if (k % 2 == 1) CHECK_ARRAYS(t.Omega, Omega, n * m, 1e-11);
        CHECK(work.used == 0);
    }
}

static void test_refusals(void) {
    static fixture_head t;
    size_t *const sizes[] = {&t.keys.d, &t.keys.n, &t.keys.dv};
    for (int k = 0; k <= 3; k++) {
        fixture_head_make(&t, AP_SOFTMAX, AP_KERNEL_EXPONENTIAL);
        if (k < 3) *sizes[k] = 0;
        CHECK_STATUS(fixture_head_attend(&t, false, k < 3), AP_EINPUT);
        CHECK_TEXT(err.text, "none may be 0");
    }
    t.keys.n = (size_t)1 << 40;
    CHECK_STATUS(fixture_head_attend(&t, false, 1), AP_ESIZE);
    t.keys.n = n;
    t.Q[d * 2] = NAN;
    CHECK_STATUS(fixture_head_attend(&t, false, 4), AP_ENONFINITE);
    CHECK_TEXT(err.text, "query 3");
    t.rule.bandwidth = -1.0;
    CHECK_STATUS(fixture_head_attend(&t, false, 1), AP_EINPUT);
}

int main(void) {
    test_definition(AP_SOFTMAX, AP_KERNEL_EXPONENTIAL);
    test_definition(AP_HARDMAX, AP_KERNEL_EXPONENTIAL);
    test_definition(AP_CME, AP_KERNEL_EXPONENTIAL);
    test_definition(AP_CME, AP_KERNEL_GAUSSIAN);
    test_definition(AP_CME, AP_KERNEL_LINEAR);
    test_refusals();
    return check_report("test_ap_attend");
}
