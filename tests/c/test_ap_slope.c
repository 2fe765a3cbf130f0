// test_ap_slope.c: derivatives of the energy by path inputs and order parameters against differences
// SPDX-License-Identifier: BSD-3-Clause
//
// Differences with h = 1e-5: truncation of about h^2 and rounding of about 1e-11, both in units of the largest.

#include "fixture.h"

static double energy_at(setting *s) {
    CHECK_STATUS(ap_action_value(&s->point, &s->p, &s->work, &err), AP_OK);
    return s->point.fit.energy;
}

static double difference(setting *s, double *one, double *other) {  // by both at once, if they are two
    double value[2];
    for (int side = 0; side < 2; side++) {
        const double h = side == 0 ? 1e-5 : -1e-5;
        *one += h;
        if (other != one) *other += h;
        value[side] = energy_at(s);
        *one -= h;
        if (other != one) *other -= h;
    }
    return (value[0] - value[1]) / 2e-5;
}

static void test_differences(setting *s) {
    const size_t count = s->f.N0 * s->f.P * s->f.paths, n = s->kernel.paths, P = s->kernel.P;
    double *slope = check_room(count), *G = check_room(n * n), *M = check_room(P * P), *U = s->point.order;
    (void)energy_at(s);
    CHECK_STATUS(ap_fit_residual(M, &s->point.fit, &s->p, &err), AP_OK);
    CHECK_STATUS(ap_kernel_slope(slope, G, &s->kernel, U, M, &s->work, &err), AP_OK);
    const double size = check_largest(slope, count), most = check_largest(G, n * n);
    CHECK(size > 1e-2 && most > 1e-2);
    for (size_t i = 0; i < count; i += 5) CHECK_NEAR(slope[i], difference(s, s->f.Xi + i, s->f.Xi + i), 1e-6 * size);
    for (size_t b = 0; b < n; b += 2)
        for (size_t a = 0; a <= b; a++)
            CHECK_NEAR(a == b ? G[a + n * a] : G[a + n * b] + G[b + n * a], difference(s, U + a + n * b, U + b + n * a),
                       1e-6 * most);
    CHECK_WORKSPACE(ap_kernel_slope(slope, NULL, &s->kernel, U, M, &work, &err));
}

int main(void) {
    for (size_t C = 1; C <= 3; C++) {
        setting s;
        fixture_make(&s.f, 2, false, 5, 2, 7, 30);
        s.f.net.temperature = 0.3;
        setting_for(&s, C, 0.0);
        test_differences(&s);
    }
    return check_report("test_ap_slope");
}
