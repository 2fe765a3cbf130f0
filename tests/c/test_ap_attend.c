// test_ap_attend.c: one head applied without a network, against its definition (T16)
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { d = 3, n = 6, dv = 2, many = 530 };  // queries for more than one product

typedef struct head {
    ap_rule rule;
    ap_keys keys;
    double K[d * n], V[dv * n], Q[d * many], out[dv * many], Omega[n * many];
} head;

static void make(head *t, ap_rule_kind kind) {
    uint64_t seed = 7;
    *t = (head){.rule = {.kind = kind, .bandwidth = 0.7, .ridge = 0.2}, .keys = {.d = d, .n = n, .dv = dv}};
    check_fill(t->K, d * n, &seed);
    check_fill(t->V, dv * n, &seed);
    check_fill(t->Q, d * many, &seed);
    t->keys.K = t->K;
    t->keys.V = t->V;
}

// k (x, y) of the rule, over the keys' sum or, of the conditional mean, times (G + lambda I)^{-1}
static double kernel(const double *x, const double *y) { return exp(ap_dot(d, x, y) / 0.7); }

static void define(double *Omega, const head *t) {
    double G[n * n];
    for (size_t q = 0; q < many; q++) {
        double *column = Omega + n * q, sum = 0.0;
        size_t best = 0;
        for (size_t s = 0; s < n; s++) sum += column[s] = kernel(t->K + d * s, t->Q + d * q);
        for (size_t s = 0; s < n; s++) best = column[s] > column[best] ? s : best;
        for (size_t s = 0; s < n && t->rule.kind == AP_SOFTMAX; s++) column[s] /= sum;
        for (size_t s = 0; s < n && t->rule.kind == AP_HARDMAX; s++) column[s] = s == best ? 1.0 : 0.0;
    }
    if (t->rule.kind != AP_CME) return;
    for (size_t i = 0; i < n * n; i++)
        G[i] = kernel(t->K + d * (i % n), t->K + d * (i / n)) + (i % (n + 1) == 0 ? t->rule.ridge : 0.0);
    (void)fixture_eliminate(G, n, Omega, many);
}

// With and without Omega, which takes another way where a rule has one; few queries and many.
static void test_definition(ap_rule_kind kind) {
    head t;
    double *Omega = check_room(n * many), want[dv];
    make(&t, kind);
    define(Omega, &t);
    for (size_t m = 1; m <= many; m += many - 1)
        for (int asked = 0; asked < 2; asked++) {
            memset(t.out, 0xff, sizeof t.out);
            CHECK_STATUS(ap_attend(t.out, asked ? t.Omega : NULL, &t.rule, &t.keys, t.Q, m, &work, &err), AP_OK);
            for (size_t q = 0; q < m; q++) {
                for (size_t v = 0; v < dv; v++) {
                    want[v] = 0.0;
                    for (size_t s = 0; s < n; s++) want[v] += t.V[v + dv * s] * Omega[s + n * q];
                }
                CHECK_ARRAYS(t.out + dv * q, want, dv, 1e-11);  // G + lambda I has a condition of 1e3
            }
            if (asked) CHECK_ARRAYS(t.Omega, Omega, n * m, 1e-11);
            CHECK(work.used == 0);
        }
}

static void test_refusals(void) {
    head t;
    make(&t, AP_SOFTMAX);
    for (int k = 0; k < 3; k++) {
        ap_keys keys = t.keys;
        *(size_t *[]){&keys.d, &keys.n, &keys.dv}[k] = 0;
        CHECK_STATUS(ap_attend(t.out, NULL, &t.rule, &keys, t.Q, 1, &work, &err), AP_EINPUT);
    }
    CHECK_STATUS(ap_attend(t.out, NULL, &t.rule, &t.keys, t.Q, 0, &work, &err), AP_EINPUT);
    t.keys.n = (size_t)1 << 40;
    CHECK_STATUS(ap_attend(t.out, NULL, &t.rule, &t.keys, t.Q, 1, &work, &err), AP_ESIZE);
    t.keys.n = n;
    CHECK_WORKSPACE(ap_attend(t.out, NULL, &t.rule, &t.keys, t.Q, 4, &work, &err));
    t.Q[d * 2] = NAN;
    CHECK_STATUS(ap_attend(t.out, NULL, &t.rule, &t.keys, t.Q, 4, &work, &err), AP_ENONFINITE);
    CHECK_TEXT(err.text, "query 3");
    t.rule.bandwidth = -1.0;
    CHECK_STATUS(ap_attend(t.out, NULL, &t.rule, &t.keys, t.Q, 1, &work, &err), AP_EINPUT);
}

int main(void) {
    test_definition(AP_SOFTMAX);
    test_definition(AP_HARDMAX);
    test_definition(AP_CME);
    test_refusals();
    return check_report("test_ap_attend");
}
