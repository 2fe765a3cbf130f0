// test_ap_lbfgs.c: an inverse corrected by pairs
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"

#include "check.h"

enum { n = 7, room = 4 };

static double A[n * n];  // the matrix: symmetric, with diagonal 3 and smaller entries off it

static ap_lbfgs fresh(size_t most) {
    ap_lbfgs t;
    work = check_work();
    CHECK_STATUS(ap_lbfgs_take(&t, n, most, &work, &err), AP_OK);
    ap_lbfgs_clear(&t);
    return t;
}

// d := the corrected inverse times b, from B = I / 2
static void apply(double *d, ap_lbfgs *t, const double *b) {
    double c[n];
    memcpy(c, b, sizeof c);
    ap_lbfgs_before(c, t);
    for (size_t i = 0; i < n; i++) d[i] = 0.5 * c[i];
    ap_lbfgs_after(d, t);
}

static void product(double *y, const double *s) { ap_symv(n, 1.0, A, n, s, 0.0, y); }

// Without pairs it is B; with one pair, y is mapped to s; stored but unused pairs have no effect.
static void test_one(void) {
    ap_lbfgs t = fresh(room);
    uint64_t seed = 2;
    double s[n], y[n], b[n], d[n];
    check_fill(s, n, &seed);
    check_fill(b, n, &seed);
    product(y, s);
    apply(d, &t, b);
    for (size_t i = 0; i < n; i++) CHECK_NEAR(d[i], 0.5 * b[i], 0.0);
    ap_lbfgs_keep(&t, s, y);
    apply(d, &t, b);
    for (size_t i = 0; i < n; i++) CHECK_NEAR(d[i], 0.5 * b[i], 0.0);
    ap_lbfgs_use(&t, room);
    apply(d, &t, y);
    CHECK_ARRAYS(d, s, n, 1e-14);
    for (size_t i = 0; i < n; i++) y[i] = -y[i];
    ap_lbfgs_keep(&t, s, y);  // s'y < 0: impossible for a definite matrix
    CHECK((t.count) == (1));
}

// As many conjugate directions as dimensions, from unit vectors: the inverse of A.
static void test_conjugate(void) {
    ap_lbfgs t = fresh(n);
    double S[n * n] = {0.0}, Y[n * n], b[n], d[n], back[n];
    for (size_t k = 0; k < n; k++) {
        double *s = S + n * k;
        s[k] = 1.0;
        for (size_t j = 0; j < k; j++)
            ap_axpy(n, -ap_dot(n, Y + n * j, s) / ap_dot(n, Y + n * j, S + n * j), S + n * j, s);
        product(Y + n * k, s);
        ap_lbfgs_keep(&t, s, Y + n * k);
    }
    ap_lbfgs_use(&t, n);
    uint64_t seed = 4;
    check_fill(b, n, &seed);
    apply(d, &t, b);
    product(back, d);
    CHECK_ARRAYS(back, b, n, 1e-13);
}

// Only the last pairs in their order have an effect: bits are equal to those without earlier pairs.
static void test_ring(size_t most) {
    ap_lbfgs t = fresh(room);
    uint64_t seed = 9;
    double S[10 * n], Y[10 * n], b[n], d[n], want[n];
    check_fill(S, 10 * n, &seed);
    check_fill(b, n, &seed);
    for (size_t k = 0; k < 10; k++) {
        product(Y + n * k, S + n * k);
        ap_lbfgs_keep(&t, S + n * k, Y + n * k);
        if (k == 5) ap_lbfgs_use(&t, most);
    }
    ap_lbfgs_use(&t, most);
    CHECK((t.used) == (most) && (t.count) == (most));
    apply(d, &t, b);
    t = fresh(room);
    for (size_t k = 10 - most; k < 10; k++) ap_lbfgs_keep(&t, S + n * k, Y + n * k);
    ap_lbfgs_use(&t, room);
    apply(want, &t, b);
    CHECK_ARRAYS(d, want, n, 0.0);
}

int main(void) {
    uint64_t seed = 1;
    check_fill(A, n * n, &seed);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) A[j + n * i] = A[i + n * j] *= 0.3;
        A[j + n * j] = 3.0;
    }
    test_one();
    test_conjugate();
    for (size_t most = 1; most <= room; most++) test_ring(most);
    return check_report("test_ap_lbfgs");
}
