// test_ap_factors.c: hard problems, one of each kind: no minimum, a valley, rounding; and ordinary problems
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// Ordinary problems have one solution, by any search. From a nearby point Newton's steps double the digits: a missing
// term of the second derivative would need many steps.
static void test_ordinary(size_t L, size_t P, double memory) {
    setting s;
    setting_signs(&s, L, P, memory);
    const size_t order = ap_params_length(&s.f.net);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
    CHECK(s.progress.factor_steps == 0);
    double *first = check_copy(s.point.order, order);
    const double action = s.point.action;
    for (int near = 0; near < 2; near++) {
        ap_params_gp(s.point.order, &s.f.net);
        for (size_t i = 0; near && i < order; i++) s.point.order[i] = first[i] * 1.05;
        s.progress = (ap_progress){0};
        CHECK_STATUS(ap_factors_search(&s.point, &s.progress, &s.p, &s.settings, near, &s.work, &err), AP_OK);
        CHECK(s.progress.iterations == s.progress.factor_steps && s.progress.factor_steps <= (near ? 5 : 40));
        CHECK_ARRAYS(s.point.order, first, order, 1e-6);
        CHECK_NEAR(s.point.action, action, 1e-10 * fabs(action));
        CHECK(s.point.gradnorm <= 1e-8);
    }
}

// Labels of 10^6 in units of 1/c: U is c^2 times that at c = 1.
static void hard(setting *s, double c) {
    setting_signs(s, 2, 21, 1e9);
    for (size_t mu = 0; mu < s->f.P; mu++) s->f.y[mu] = 1e6 * c * cos((double)(mu * mu));
    s->f.net.temperature = 1e-4 * c * c;
    s->f.variance[3] *= c * c;
    ap_params_gp(s->point.order, &s->f.net);
}

static ap_status nested(setting *s, ap_error *err) {
    s->progress = (ap_progress){0};
    return ap_factors_search(&s->point, &s->progress, &s->p, &s->settings, false, &s->work, err);
}

// The search by U_l finds the same from a start with the labels' scale.
static double test_valley(void) {
    setting s;
    hard(&s, 1.0);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
    CHECK(s.progress.factor_steps == 0 && s.progress.iterations <= 60 && s.point.gradrel <= 1e-6);
    const double action = s.point.action;
    ap_params_gp(s.point.order, &s.f.net);
    CHECK_STATUS(nested(&s, &err), AP_OK);
    CHECK(s.progress.factor_steps <= 40 && s.point.gradrel <= 1e-6);
    CHECK_NEAR(s.point.action, action, 1e-10 * fabs(action));
    const double U = s.point.order[0], reached = s.point.action;
    setting_derive(&s);  // afresh
    CHECK(s.point.gradnorm <= 1e-8);
    CHECK_NEAR(s.point.action, reached, 1e-10 * fabs(reached));
    return U;
}

// In small units the gradient at a nearly singular U cannot reach the tolerance, which is below its rounding error. The
// solution is that of the valley nevertheless.
static void test_rounding(double U) {
    const double c = 1e-9;
    setting s;
    hard(&s, c);
    CHECK_STATUS(nested(&s, &err), AP_ROUNDED);
    CHECK(s.point.gradnorm > 1e-8 && s.point.gradrel <= 1e-6 && s.point.rounding > 0.0);
    CHECK_NEAR(s.point.order[0] / (c * c), U, 1e-6 * U);
}

// With 30 paths and 64 examples the curvature of log det A is estimated at first, from 36 vectors. With these alone the
// search does not end in 120 steps.
static void test_estimate(void) {
    setting s;
    uint64_t seed = 1237;
    fixture_make(&s.f, 2, false, 1, 2, 64, 16);
    s.f.H[0] = 6;
    s.f.H[1] = 5;
    s.f.paths = 30;
    s.f.Xi = fixture_numbers(64 * 30, 1.5, &seed);
    s.f.order = check_doubles(30 * 30 + 5 * 5 + 1);
    for (size_t mu = 0; mu < s.f.P; mu++) s.f.y[mu] *= 180.0;
    s.f.net.temperature = 1e-5;
    fixture_widths(&s.f, (const double[]){4.0, 1.0, 7.0});
    setting_prepare(&s, 0.0);
    ap_params_gp(s.point.order, &s.f.net);
    CHECK_STATUS(nested(&s, &err), AP_OK);
    CHECK(s.progress.factor_steps <= 30);
}

// At T = 0 with zero labels only log det K remains: with one path, and more examples than units, the action decreases
// by P - N_1 for each unit of log u_1 without bound. No search may return AP_OK. With any T > 0 there is a minimum.
static void test_no_minimum(void) {
    setting s;
    const size_t P = 12;
    fixture_make(&s.f, 1, true, 40, 2, P, 3);
    s.f.width[0] = 3.0;
    for (size_t mu = 0; mu < P; mu++) s.f.y[mu] = 0.0;
    s.f.net.temperature = 0.0;
    setting_prepare(&s, 1e9);
    CHECK(!ap_factors_can(&s.p));
    double action = 0.0;
    for (int k = 0; k < 6; k++) {
        s.point.order[0] = pow(1e-6, k + 6);
        CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
        if (k > 0) CHECK_NEAR(s.point.action - action, ((double)P - s.f.width[0]) * log(1e-6), 1e-6);
        action = s.point.action;
    }
    ap_params_gp(s.point.order, &s.f.net);
    const ap_status status = setting_solve(&s, &err);
    CHECK(status < 0 || !ap_has_converged(status, &s.point, &s.settings));
    CHECK_TEXT(err.text, "temperature 0");
    s.f.net.temperature = 1e-6;
    CHECK(ap_factors_can(&s.p));
    ap_params_gp(s.point.order, &s.f.net);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
}

// The monitor is called before each factor; one step may have many factors.
static void test_stop(void) {
    setting s;
    int asked;
    setting_signs(&s, 2, 12, 0.0);
    setting_stop(&s, &asked);
    CHECK_STATUS(nested(&s, &err), AP_INTERRUPTED);
    CHECK(asked == 1);
    ap_params_gp(s.point.order, &s.f.net);
    CHECK_STATUS(setting_solve(&s, &err), AP_INTERRUPTED);
    CHECK(asked == 2 && s.progress.iterations == 0);
}

static ap_status run(setting *w) {
    ap_params_gp(w->point.order, &w->f.net);
    w->progress = (ap_progress){0};
    return ap_factors_search(&w->point, &w->progress, &w->p, &w->settings, false, &work, &err);
}

int main(void) {
    test_stop();
    for (size_t L = 1; L <= 3; L++) test_ordinary(L, 12, L == 2 ? 0.0 : 1e9);
    test_rounding(test_valley());
    test_estimate();
    test_no_minimum();
    setting w;
    setting_signs(&w, 2, 5, 1e9);
    w.settings.max_iterations = 3;
    CHECK_WORKSPACE(run(&w));
    return check_report("test_ap_factors");
}
