// test_ap_gradient.c: derivatives of the action with respect to all parameters except U against differences at fixed U
// SPDX-License-Identifier: BSD-3-Clause
//
// Central differences of step h in a logarithm have errors of h^2/6 times the third derivative, here a few times the
// first, and of eps |S| / h: with h = 1e-4 and |S| below 1e3, 1e-8 and 2e-9. The tolerance is 1e-6 of the scale.

#include "attnpath_beyond.h"
#include "fixture.h"

static const double h = 1e-4, tolerance = 1e-6;

static double value_at(fixture *f, bool entropy) {  // the action at fixed U, or the entropy at the GP point
    const ap_inputs x = fixture_inputs(f);
    ap_kernel kernel;
    ap_point point;
    CHECK_STATUS(ap_kernel_plan(&kernel, &f->net, &x, 0.0, &err), AP_OK);
    const ap_problem p = {.net = &f->net, .kernel = &kernel, .y = f->y};
    CHECK_STATUS(ap_kernel_build(&kernel, NULL, &work, &err), AP_OK);
    CHECK_STATUS(ap_point_take(&point, &p, &work, &err), AP_OK);
    memcpy(point.order, f->order, ap_params_at(&f->net, f->net.L + 1) * sizeof(double));
    if (entropy) ap_params_gp(point.order, &f->net);
    CHECK_STATUS(ap_action_value(&point, &p, &work, &err), AP_OK);
    return entropy ? point.entropy : point.action;
}

static double difference(fixture *f, double *number, bool entropy) {  // with respect to the logarithm of a number
    const double kept = *number;
    *number = kept * exp(h);
    const double above = value_at(f, entropy);
    *number = kept * exp(-h);
    const double below = value_at(f, entropy);
    *number = kept;
    return (above - below) / (2.0 * h);
}

static void compare(fixture *f, const ap_gradient *g) {
    const size_t N0 = f->N0, P = f->P;
    double scale = 1.0, along = 0.0;
    CHECK_NEAR(g->temperature, difference(f, &f->net.temperature, false), tolerance * (1.0 + fabs(g->temperature)));
    for (size_t l = 0; l < f->net.L + 2; l++) {
        const double want = difference(f, &f->variance[l], false) - difference(f, &f->variance[l], true);
        CHECK_NEAR(g->variance[l], want, tolerance * (10.0 + fabs(want)));
    }
    for (size_t p = 0; p < f->paths; p++) {
        double want = 0.0;
        for (size_t i = N0 * P * p; i < N0 * P * (p + 1); i++) want += g->inputs[i] * f->Xi[i];
        CHECK_NEAR(g->paths[p], want, 1e-10 * (1.0 + fabs(want)));  // a factor of its inputs is that of each number
        scale += fabs(want);
    }
    for (size_t i = 0; i < N0 * P * f->paths; i += 7) along += g->inputs[i] * f->Xi[i];
    double *kept = check_copy(f->Xi, N0 * P * f->paths), value[2];
    for (int sign = 0; sign < 2; sign++) {
        for (size_t i = 0; i < N0 * P * f->paths; i += 7) f->Xi[i] = kept[i] * (sign == 0 ? 1.0 + h : 1.0 - h);
        value[sign] = value_at(f, false);
    }
    memcpy(f->Xi, kept, N0 * P * f->paths * sizeof *kept);
    CHECK_NEAR(along, (value[0] - value[1]) / (2.0 * h), tolerance * scale);
}

static void test_differences(size_t L) {
    setting s;
    fixture_make(&s.f, L, false, 3, 2, 6, 40 + L);
    s.f.net.temperature = 0.3;
    setting_prepare(&s, 0.0);
    setting_derive(&s);
    double variance[fixture_layers + 2], paths[12];
    ap_gradient g = {.variance = variance, .paths = paths, .inputs = check_doubles(3 * 6 * s.f.paths)};
    CHECK_WORKSPACE(ap_gradient_make(&g, &s.p, &s.point, &work, &err));
    CHECK_STATUS(ap_gradient_make(&g, &s.p, &s.point, &s.work, &err), AP_OK);
    compare(&s.f, &g);
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) test_differences(L);
    return check_report("test_ap_gradient");
}
