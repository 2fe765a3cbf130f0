// test_ap_hessian.c: the second derivative as a matrix, against differences and against products
// SPDX-License-Identifier: BSD-3-Clause

#include "beyond/ap_beyond.h"

#include "fixture.h"

static void setup(setting *s, size_t L, size_t P, double memory) {
    setting_make(s, L, P, memory);
    setting_derive(s);
}

static double entry(const double *H, size_t n, size_t i, size_t j) { return i >= j ? H[i + n * j] : H[j + n * i]; }

// tr (grad_l x_l U_l^{-1} x_l), which the retraction's curvature adds to the second derivative along straight lines.
static double bend_of(const setting *s, const double *x) {
    double sum = 0.0;
    for (size_t l = 1; l <= s->f.net.L; l = ap_params_next(&s->f.net, l)) {
        const ap_member u = ap_params_member(&s->f.net, l);
        const double *X = x + u.at, *Y = s->point.inverse + u.at, *g = s->point.grad + u.at;
        for (size_t i = 0; i < u.n; i++)
            for (size_t j = 0; j < u.n; j++)
                for (size_t a = 0; a < u.n; a++)
                    for (size_t b = 0; b < u.n; b++)
                        sum += g[i + u.n * j] * X[j + u.n * a] * Y[a + u.n * b] * X[b + u.n * i];
    }
    return sum;
}

// Exact products, along the retraction and along straight lines, against d' H d.
static void test_products(size_t L, size_t P, double memory, ap_along along) {
    setting s;
    setup(&s, L, P, memory);
    const size_t n = ap_params_unknowns(&s.f.net), chain = ap_params_length(&s.f.net);
    double *H = check_room(n * n), *x = check_room(chain), *d = check_doubles(n);
    double *D = check_doubles(chain), *M = check_doubles(chain);
    CHECK_STATUS(ap_hessian_action(H, &s.p, &s.point, &s.work, &err), AP_OK);
    ap_hessian_operator product;
    ap_frame frame;
    CHECK_STATUS(ap_hessian_operator_take(&product, &s.p, AP_SOLVED, 0, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_hessian_operator_make(&product, &s.point, along, &err), AP_OK);
    CHECK_STATUS(ap_frame_take(&frame, &s.f.net, &s.work, &err), AP_OK);
    ap_frame_move(&frame, &s.point);
    uint64_t seed = 3;
    double worst = 0.0, size = 0.0;
    for (int trial = 0; trial < 10; trial++) {
        double want = 0.0, got = 0.0;
        check_fill(d, n, &seed);
        (void)ap_frame_matrices(x, &frame, d, &s.point);
        ap_params_matrices(D, &s.f.net, d);
        CHECK_STATUS(ap_hessian_operator_apply(M, &product, D, &s.work, &err), AP_OK);
        for (size_t i = 0; i + 1 < chain; i++) got += D[i] * M[i];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) want += d[i] * entry(H, n, i, j) * d[j];
        if (along == AP_LINES) got += bend_of(&s, x);
        worst = fmax(worst, fabs(got - want));
        size = fmax(size, fabs(want));
    }
    CHECK_NEAR(worst, 0.0, 1e-10 * size);  // cond A below 1e4, U below 1e2
}

// As many probes as examples give the same matrix, for any size of the last tile.
static void test_probes(size_t P) {
    setting s;
    setup(&s, 2, P, 0.0);
    const size_t q = s.kernel.pairs;
    double *A = check_doubles(q * q), *B = check_doubles(q * q), *logdet = check_doubles(q * q);
    CHECK_STATUS(ap_hessian_energy(B, &s.p, &s.point, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_curvature_energy(A, check_room(q), logdet, P, &s.p, &s.point, &s.work, &err), AP_OK);
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) A[i + q * j] -= logdet[i + q * j];
    for (size_t j = 0; j < q; j++) CHECK_ARRAYS(B + j + q * j, A + j + q * j, q - j, 1e-10 * check_largest(A, q * q));
}

static void test_interrupt(void) {
    setting s;
    int asked;
    setup(&s, 2, 9, 0.0);
    const size_t n = ap_params_unknowns(&s.f.net);
    double *H = check_room(n * n);
    setting_stop(&s, &asked);
    const size_t used = s.work.used;
    CHECK_STATUS(ap_hessian_action(H, &s.p, &s.point, &s.work, &err), AP_INTERRUPTED);
    CHECK(s.work.used == used);
}

// By panels: F F' is the matrix; one that is not definite, or not finite, in its last panel; and the second panel ends.
static void test_panels(void) {
    enum { n = 1100 };
    int left = 100;
    const ap_kernel k = {.stop = fixture_after, .context = &left};
    uint64_t seed = 3;
    double *H = check_doubles(n * n), *F = check_doubles(n * n);
    CHECK(ap_hessian_panel(n) < n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) H[i + n * j] = i == j ? 2.0 * n : (double)((seed += i * j + 7) % 11) / 11.0;
    ap_spd_mirror(H, n);
    memcpy(F, H, n * n * sizeof *F);
    CHECK_STATUS(ap_hessian_factor(F, n, &k, &err), AP_OK);
    CHECK(left == 100 - (n + 255) / 256);
    ap_spd_clear_upper(F, n);
    double far = 0.0;
    ap_syrk('N', n, n, -1.0, F, n, 1.0, H, n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) far = fmax(far, fabs(H[i + n * j]));
    CHECK_NEAR(far, 0.0, 2.0 * n * n * 2.3e-16);  // n eps of the diagonal
    static const struct {
        double last;
        ap_status status;
        int left;
    } bad[] = {{-1.0, AP_ENOTSPD, 100}, {NAN, AP_ENONFINITE, 100}, {1.0, AP_INTERRUPTED, 1}};
    for (size_t b = 0; b < 3; b++) {
        for (size_t i = 0; i < n * n; i++) F[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
        F[n * n - 1] = bad[b].last;
        left = bad[b].left;
        CHECK_STATUS(ap_hessian_factor(F, n, &k, &err), bad[b].status);
    }
}

int main(void) {
    test_panels();
    for (fixture_skips = 0; fixture_skips < 8; fixture_skips++)
        for (size_t L = fixture_skips < 4 ? fixture_skips < 2 ? 1 : 2 : 3; L <= 3; L++) {
            test_products(L, 7, 0.0, AP_LINES);
            test_products(L, 7, 0.0, AP_RETRACTION);
            test_products(L, 7, 1e9, AP_LINES);
            test_products(L, 7, 1e9, AP_RETRACTION);
        }
    fixture_skips = 0;
    test_products(2, 100, 0.0, AP_LINES);
    test_products(2, 100, 0.0, AP_RETRACTION);
    test_probes(3);
    test_probes(65);
    test_interrupt();
    for (int memory = 0; memory < 2; memory++) {
        static double H[27 * 27];
        setting s;
        setup(&s, 2, 9, memory == 0 ? 0.0 : 1e9);
        CHECK_WORKSPACE(ap_hessian_action(H, &s.p, &s.point, &work, &err));
    }
    return check_report("test_ap_hessian");
}
