// test_ap_shifted.c: solves with shifted kernels against elimination
// SPDX-License-Identifier: BSD-3-Clause

#include "beyond/ap_beyond.h"
#include "fixture.h"

// A (U + x_i) z_i = e_i by elimination. The error of b is at most 1e-4 times c^{1/2}, that of c its square times the
// condition of A^{-1} A (U + x_i), below 4 here.
static void test_shifted(double memory) {
    enum { P = 15, m = 5, first = 7 };
    setting s;
    setting_make(&s, 2, P, memory);
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
    const size_t n = s.f.paths;
    double inverse[P * P], b[m], c[m], V[P * m], A[P * P], U[36], *x = check_room(n * n * m);
    uint64_t seed = 9;
    CHECK_STATUS(ap_spd_inverse(inverse, s.point.fit.F, P, &err), AP_OK);
    for (size_t i = 0; i < m; i++) {
        check_fill(x + n * n * i, n * n, &seed);
        for (size_t k = 0; k < n * n; k++) x[k + n * n * i] *= 0.03;
        ap_spd_symmetrise(x + n * n * i, n);
    }
    memset(x, 0, n * n * sizeof *x);  // the first is not shifted
    const ap_groups groups = {.n = P};
    const ap_shifts shifts = {.x = x, .groups = &groups, .first = first, .m = m, .columns = m, .ldc = 1};
    CHECK_STATUS(ap_shifted_solve(b, c, V, &s.p, &s.point.fit, inverse, &shifts, &s.work, &err), AP_OK);
    for (size_t i = 0; i < m; i++) {
        double z[P] = {0}, want = 0.0;
        for (size_t k = 0; k < n * n; k++) U[k] = s.point.order[k] + x[k + n * n * i];
        fixture_kernel(A, &s.f, U);
        for (size_t k = 0; k < P; k++) A[k + P * k] += s.f.net.temperature;
        z[first + i] = 1.0;
        (void)fixture_eliminate(A, P, z, 1);
        for (size_t k = 0; k < P; k++) want += s.f.y[k] * z[k];
        const double tolerance = i == 0 ? 1e-11 : 1e-4;
        CHECK_NEAR(b[i], want, tolerance * sqrt(z[first + i]));
        CHECK_NEAR(c[i], z[first + i], fmax(4.0 * tolerance * tolerance, 1e-11) * z[first + i]);
        fixture_kernel(A, &s.f, U);  // V: labels of the other examples in their rows
        for (size_t k = 0; k < P; k++) {
            double product = s.f.net.temperature * V[k + P * i];
            for (size_t l = 0; l < P; l++) product += A[k + P * l] * V[l + P * i];
            if (k != first + i) CHECK_NEAR(product, s.f.y[k], 1e-4);
        }
        CHECK(V[first + i + P * i] == 0.0);
    }
}

int main(void) {
    test_shifted(0.0);
    test_shifted(1e9);
    return check_report("test_ap_shifted");
}
