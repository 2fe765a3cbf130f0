// test_ap_orthogonal.c: the factor of A by reflections against the Cholesky factor, and where that has lost all digits
// SPDX-License-Identifier: BSD-3-Clause

#include <float.h>

#include "attnpath_beyond.h"
#include "fixture.h"

// If A is well conditioned, both factors and both gradients agree: condition below 1e4, so 1e-11.
static void test_same(size_t L, size_t P, double memory) {
    setting s;
    setting_make(&s, L, P, memory);
    const size_t n = s.f.paths;
    double *F = check_room(2 * P * P), *G = check_room(3 * n * n);
    double *C = F + P * P, *H = G + n * n, *R = H + n * n;
    const ap_root root = {.R = R, .columns = n, .lower = true};
    memcpy(R, s.f.order, n * n * sizeof *R);
    CHECK_STATUS(ap_spd_chol(R, n, "U", &err), AP_OK);
    for (size_t j = 1; j < n; j++) R[n * j] = NAN;  // the upper triangle is unspecified
    fixture_kernel(C, &s.f, s.f.order);
    for (size_t i = 0; i < P; i++) C[i + P * i] += s.f.net.temperature;
    CHECK_STATUS(ap_spd_chol(C, P, "A", &err), AP_OK);
    CHECK_STATUS(ap_orthogonal_factor(F, &s.kernel, &root, s.f.net.temperature, &work, &err), AP_OK);
    CHECK(work.used == 0);
    for (size_t j = 0; j < P; j++)
        for (size_t i = j; i < P; i++) CHECK_NEAR(F[i + P * j], C[i + P * j], 1e-11);
    CHECK_STATUS(ap_kernel_gradient(H, &s.kernel, C, s.f.y, 1, &work, &err), AP_OK);
    ap_kernel bare = s.kernel;
    ap_kernel_bare(&bare);
    CHECK_STATUS(ap_kernel_gradient(G, &bare, F, s.f.y, 1, &work, &err), AP_OK);
    for (size_t i = 0; i < n * n; i++) CHECK_NEAR(G[i], H[i], 1e-11 * (1.0 + fabs(H[i])));
}

// One path and one feature: A = u phi phi' + T I has, with s = phi'phi and c = phi'y,
//   E = (P - 1) log T + log (T + u s) + (y'y - u c^2 / (T + u s)) / T,   dE/du = s / (T + u s) - c^2 / (T + u s)^2.
// At u s / T = 1e19 a Cholesky factor of A is noise. Reflections have a relative error of eps times the root, 7e-7.
// With v = T + u (s - phi_i^2), the leave-one-out mean is u phi_i (c - phi_i y_i) / v, the variance T u phi_i^2 / v.
static void test_closed_form(void) {
    enum { P = 6 };
    setting s;
    fixture_make(&s.f, 1, true, 1, 1, P, 3);
    double phiphi = 0.0, yy = 0.0, c = 0.0, F[P * P], b[P], G = NAN;
    for (size_t i = 0; i < P; i++) {
        s.f.Xi[i] = 1.0 + (double)i;
        s.f.y[i] = i % 2 ? 2.0 : -1.0;
    }
    s.f.net.temperature = 1e-6;
    s.f.variance[0] = 1.0;
    setting_prepare(&s, 0.0);
    for (size_t i = 0; i < P; i++) {
        phiphi += s.f.Xi[i] * s.f.Xi[i];
        yy += s.f.y[i] * s.f.y[i];
        c += s.f.Xi[i] * s.f.y[i];
    }
    const double T = 1e-6, u = 1e11, R = sqrt(u), whole = T + u * phiphi, lost = DBL_EPSILON * sqrt(whole / T);
    const double E = (P - 1.0) * log(T) + log(whole) + (yy - u * c * c / whole) / T;
    const ap_root root = {.R = &R, .columns = 1, .lower = true, .reflect = true};
    ap_fit fit = {.F = F, .b = b};
    CHECK_STATUS(ap_energy(&fit, &s.p, &u, &root, &work, &err), AP_OK);
    CHECK(fit.from_qr);
    CHECK_NEAR(fit.energy, E, fit.noise);
    CHECK(fit.noise < 10.0 * lost * fabs(E));
    CHECK_STATUS(ap_fit_gradient(&G, &fit, &s.p, &work, &err), AP_OK);
    const double slope = phiphi / whole - c * c / (whole * whole);
    CHECK_NEAR(G, slope, 10.0 * lost * fabs(slope));
    fit.from_qr = false;
    CHECK_STATUS(ap_predict_fit(&fit, &s.p, &u, &work, &err), AP_OK);
    CHECK(fit.from_qr);
    double mu[P], s2[P];
    CHECK_STATUS(ap_loo_draws(&(ap_loo_result){.mu = mu, .s2 = s2}, &s.p, &(ap_groups){.n = P},
                              &(ap_many){.U = &u, .count = 1}, NULL, &work, &err),
                 AP_OK);
    for (size_t i = 0; i < P; i++) {
        const double phi = s.f.Xi[i], v = T + u * (phiphi - phi * phi);
        CHECK_NEAR(mu[i], u * phi * (c - phi * s.f.y[i]) / v, 10.0 * lost * 2.0);  // labels are 2 at most
        CHECK_NEAR(s2[i], T * u * phi * phi / v, 10.0 * lost * T);
    }
    CHECK(work.used == 0);
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) {
        test_same(L, 8, 0.0);
        test_same(L, 8, 1e9);
        test_same(L, 1, 0.0);
    }
    test_same(2, 50, 0.0);  // more examples than features: blocks of several paths
    test_same(3, 90, 0.0);  // and a last one of fewer
    test_closed_form();
    setting w;
    double F[9];
    setting_make(&w, 2, 3, 0.0);
    const ap_root root = {.R = w.f.order, .columns = w.f.paths, .lower = true};
    CHECK_WORKSPACE(ap_orthogonal_factor(F, &w.kernel, &root, 0.05, &work, &err));
    return check_report("test_ap_orthogonal");
}
