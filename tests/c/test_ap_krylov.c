// test_ap_krylov.c: conjugate gradients, Davidson and Lanczos on matrices with known eigenvalues and eigenvectors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"

#include "check.h"

enum { n = 30 };

typedef struct matrix {  // H = Q diag (values) Q', Q orthonormal
    double H[n * n], Q[n * n], values[n];
    size_t products, most;  // products so far; number after which the map returns AP_LIMIT
} matrix;

static void make(matrix *t, double lowest) {
    ap_rng rng = ap_rng_start(3, 0);
    double scaled[n * n];
    CHECK_STATUS(ap_rng_frame(t->Q, n, n, &rng, &work, &err), AP_OK);
    for (size_t j = 0; j < n; j++) t->values[j] = j == 0 ? lowest : 1.0 + (double)j / 3.0;
    for (size_t i = 0; i < n * n; i++) scaled[i] = t->Q[i] * t->values[i / n];
    ap_gemm('N', 'T', n, n, n, 1.0, scaled, n, t->Q, n, 0.0, t->H, n);
    t->products = 0;
    t->most = 1000;
}

static ap_status apply(double *y, void *self, const double *x) {
    matrix *t = self;
    if (t->products++ == t->most) return AP_LIMIT;
    ap_gemv('N', n, n, 1.0, t->H, n, x, 0.0, y);
    return AP_OK;
}

static void as_it_is(double *z, void *self, const double *r) { memcpy(z, r, n * sizeof *z); }

static bool third(void *self, size_t k, const double *d, const double *p, const double *q) {
    (void)self, (void)d, (void)p, (void)q;
    return k == 2;
}

// In exact arithmetic at most as many steps as unknowns; the condition is about 10.
static void test_solve(void) {
    static matrix t;
    ap_krylov_vectors v;
    double r[n], d[n], x[n], y[n];
    uint64_t seed = 1;
    make(&t, 1.0);
    ap_krylov_cg how = {.apply = apply, .precondition = as_it_is, .self = &t, .accuracy = 1e-12, .most = 2 * n};
    CHECK_STATUS(ap_krylov_vectors_take(&v, n, &work, &err), AP_OK);
    check_fill(x, n, &seed);
    ap_gemv('N', n, n, 1.0, t.H, n, x, 0.0, r);
    CHECK_STATUS(ap_krylov_solve(d, &v, &how, r), AP_OK);
    CHECK(v.definite && t.products <= 2 * n);
    CHECK_ARRAYS(d, x, n, 1e-10);
    how.enough = third;
    t.products = 0;
    check_fill(r, n, &seed);
    CHECK_STATUS(ap_krylov_solve(d, &v, &how, r), AP_OK);
    CHECK(t.products == 3);
    how.enough = NULL;
    make(&t, -2.0);  // a direction of negative curvature is returned to the caller
    memcpy(r, t.Q, sizeof r);
    for (size_t i = 0; i < n; i++) r[i] += 1e-3 * t.Q[i + n];
    CHECK_STATUS(ap_krylov_solve(d, &v, &how, r), AP_OK);
    CHECK(!v.definite);
    ap_gemv('N', n, n, 1.0, t.H, n, v.p, 0.0, y);
    CHECK(ap_dot(n, v.p, y) < 0.0);
    t.most = t.products = 0;
    CHECK_STATUS(ap_krylov_solve(d, &v, &how, r), AP_LIMIT);  // the status of the map ends it
}

static ap_status leave(double *next, void *self, const double *x) {
    (void)next, (void)self, (void)x;
    return AP_OK;
}

static ap_status same(double *next, void *self, const double *x) {
    memcpy(next, x, n * sizeof *next);
    return AP_OK;
}

// The lowest pair within the requested residual; with its own residuals Davidson's method is that of Krylov.
static void test_lowest(size_t columns, size_t kept, double lowest) {
    static matrix t;
    ap_davidson_space s;
    uint64_t seed = 2;
    double y[n];
    make(&t, lowest);
    ap_krylov_davidson how = {.apply = apply, .expand = leave, .self = &t, .close = 1e-8, .least = 1, .kept = kept};
    CHECK_STATUS(ap_davidson_space_take(&s, n, columns, &work, &err), AP_OK);
    check_fill(s.x, n, &seed);
    CHECK_STATUS(ap_krylov_lowest(&s, &how, &err), AP_OK);
    CHECK_NEAR(s.theta[0], lowest, 1e-12 * (double)n);  // the square of the residual, divided by the gap
    CHECK_NEAR(fabs(ap_dot(n, s.x, t.Q)), 1.0, 1e-12);
    ap_gemv('N', n, n, 1.0, t.H, n, s.x, 0.0, y);
    ap_axpy(n, -s.theta[0], s.x, y);
    CHECK_ARRAYS(s.r, y, n, 1e-12);
    for (size_t i = 0; i < s.count; i++)
        for (size_t j = 0; j <= i; j++) CHECK_NEAR(ap_dot(n, s.V + n * i, s.V + n * j), i == j ? 1.0 : 0.0, 1e-13);
}

// Ends without a converged pair.
static void test_ends(void) {
    static matrix t;
    ap_davidson_space s;
    uint64_t seed = 2;
    make(&t, 0.1);
    ap_krylov_davidson how = {.apply = apply, .expand = leave, .self = &t, .close = 1e-8, .least = 1};
    CHECK_STATUS(ap_davidson_space_take(&s, n, 4, &work, &err), AP_OK);
    check_fill(s.x, n, &seed);
    CHECK_STATUS(ap_krylov_lowest(&s, &how, &err), AP_LIMIT);  // full: a bound
    CHECK(s.count == 4 && s.theta[0] > 0.1);
    how.expand = same;
    check_fill(s.x, n, &seed);
    CHECK_STATUS(ap_krylov_lowest(&s, &how, &err), AP_STALLED);  // it returns its best pair
    CHECK(s.count == 1);
    memset(s.x, 0, n * sizeof *s.x);
    CHECK_STATUS(ap_krylov_lowest(&s, &how, &err), AP_STALLED);  // from an empty space
    check_fill(s.x, n, &seed);
    t.most = 2;
    t.products = 0;
    how.expand = leave;
    CHECK_STATUS(ap_krylov_lowest(&s, &how, &err), AP_LIMIT);  // the map's own budget
    CHECK(s.count == 2 && isfinite(s.theta[0]));
}

// z' log H z = sum_j log (values_j) (z' q_j)^2: a rule of all steps is exact, and fewer steps are near.
static void test_log(void) {
    static matrix t;
    ap_krylov_lanczos lanczos;
    double want = 0.0, got = NAN;
    make(&t, 0.5);
    CHECK_STATUS(ap_krylov_lanczos_take(&lanczos, n, n, &work, &err), AP_OK);
    for (size_t i = 0; i < n; i++) lanczos.V[i] = i % 3 ? 1.0 : -1.0;
    for (size_t j = 0; j < n; j++) want += log(t.values[j]) * pow(ap_dot(n, lanczos.V, t.Q + n * j), 2.0);
    CHECK_STATUS(ap_krylov_log(&got, &lanczos, apply, &t, (double)n, 0.0, &err), AP_OK);
    CHECK_NEAR(got, want, 1e-11 * (double)n);
    for (size_t i = 0; i < n; i++) lanczos.V[i] = i % 3 ? 1.0 : -1.0;
    t.products = 0;
    CHECK_STATUS(ap_krylov_log(&got, &lanczos, apply, &t, (double)n, 1e-3, &err), AP_OK);
    CHECK_NEAR(got, want, 1e-2);  // the last change is 1e-3, and changes decrease by a factor of at least two
    CHECK(t.products < n);
    make(&t, -0.5);
    for (size_t i = 0; i < n; i++) lanczos.V[i] = i % 3 ? 1.0 : -1.0;
    CHECK_STATUS(ap_krylov_log(&got, &lanczos, apply, &t, (double)n, 0.0, &err), AP_ENOTSPD);
}

int main(void) {
    test_solve();
    test_lowest(n, 0, 0.1);
    test_lowest(8, 3, 0.1);
    test_lowest(8, 3, -4.0);
    test_ends();
    test_log();
    return check_report("test_ap_krylov");
}
