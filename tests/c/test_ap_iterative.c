// test_ap_iterative.c: the search with the curvature as a linear map finds the saddle point of that with a matrix
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static ap_status solve(setting *s, const ap_model_ops *how, ap_error *err) {
    return ap_solve_by(&s->point, &s->progress, &s->p, &s->settings, how, &s->work, err);
}

// From the GP point, and from far above and below it, to 1e-12: both solutions agree to 1e-7 of the largest entry.
static void test_same(size_t L, size_t P, double memory, const ap_model_ops *how) {
    setting s;
    setting_signs(&s, L, P, memory);
    s.settings.tolerance = 1e-11;
    const size_t order = ap_params_length(&s.f.net);
    CHECK(solve(&s, &ap_dense_ops, &err) >= 0 && s.point.gradrel < 1e-8);
    const double *want = check_copy(s.point.order, order), size = check_largest(want, order);
    for (int start = 0; start < 3; start++) {
        ap_params_gp(s.point.order, &s.f.net);
        for (size_t i = 0; i < order; i++) s.point.order[i] *= start == 0 ? 1.0 : start == 1 ? 1e3 : 1e-3;
        CHECK(solve(&s, how, &err) >= 0 && s.point.gradrel < 1e-8);
        CHECK_ARRAYS(s.point.order, want, order, 1e-7 * size);
        CHECK(start > 0 || s.progress.evaluations <= 20);  // 7 to 14 at present
    }
}

// H d is v: the minimiser of the model, to the tolerance `fine`, against the matrix with the same probes. With more
// probes than examples both are exact.
static void test_step(size_t L, const ap_model_ops *how) {
    setting s;
    ap_model model, other;
    const size_t P = 12;
    setting_signs(&s, L, P, 0.0);
    CHECK_STATUS(solve(&s, &ap_dense_ops, &err), AP_OK);
    for (size_t i = 0; i + 1 < ap_params_length(&s.f.net); i++) s.point.order[i] *= 1.0 + 1e-3;
    setting_derive(&s);
    ap_settings settings = s.settings;
    settings.probes = P;
    CHECK_STATUS(ap_model_take(&model, &s.p, &settings, how, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_model_take(&other, &s.p, &settings, &ap_dense_ops, &s.work, &err), AP_OK);
    const size_t n = model.n;
    double *v = check_room(n), *d = check_room(n), *want = check_room(n), length[2];
    ap_step first = {.length = 1e-3, .fraction = 1.0, .s = v, .y = v};
    other.dense.met = true;  // enforces probes
    CHECK_STATUS(model.how->update(&model, &s.point, &first, &s.work, &err), AP_OK);
    CHECK_STATUS(other.how->update(&other, &s.point, &first, &s.work, &err), AP_OK);
    ap_frame_gradient(v, &other.frame, &s.point);
    CHECK_STATUS(model.how->minimise(d, &model, v, &s.work, &err), AP_OK);
    CHECK_STATUS(other.how->minimise(want, &other, v, &s.work, &err), AP_OK);
    CHECK(model.iterative.definite && other.dense.definite);
    const double size = ap_frame_length(want, &s.f.net);
    for (size_t i = 0; i < n; i++) d[i] -= want[i];
    CHECK(ap_frame_length(d, &s.f.net) <= 0.1 * size);  // 0.01 in the preconditioner's norm
    CHECK_STATUS(model.how->predicted_step(&length[0], &model, v, &s.work, &err), AP_OK);
    CHECK_STATUS(other.how->predicted_step(&length[1], &other, v, &s.work, &err), AP_OK);
    CHECK_NEAR(length[0], length[1], 0.3 * length[1]);
}

// Labels far larger than the prior's outputs: the first model has negative curvature, which the search follows.
static void test_down(void) {
    setting s;
    ap_model model;
    setting_signs(&s, 2, 12, 0.0);
    for (size_t i = 0; i < s.f.N0 * s.f.P * s.f.paths; i++) s.f.Xi[i] *= 0.1;
    s.f.net.temperature = 0.01;
    setting_derive(&s);
    const size_t mark = s.work.used;
    CHECK_STATUS(ap_model_take(&model, &s.p, &s.settings, &ap_iterative_ops, &s.work, &err), AP_OK);
    double *v = check_room(model.n), *d = check_room(model.n), length;
    const ap_step none = {.fraction = 0.0};
    CHECK_STATUS(model.how->update(&model, &s.point, &none, &s.work, &err), AP_OK);
    ap_frame_gradient(v, &model.frame, &s.point);
    CHECK_STATUS(model.how->minimise(d, &model, v, &s.work, &err), AP_OK);
    CHECK(!model.iterative.definite && ap_dot(model.n, v, d) < 0.0);
    CHECK_STATUS(model.how->predicted_step(&length, &model, v, &s.work, &err), AP_OK);
    CHECK(isinf(length));
    s.work.used = mark;
    CHECK_STATUS(solve(&s, &ap_iterative_ops, &err), AP_OK);  // one of several minima, not that of the matrix
    CHECK(s.point.gradrel <= 1e-6);
}

// Products may take long: a search can be interrupted at each of them, and keeps its current point.
static void test_interrupted(const ap_model_ops *how) {
    setting s;
    setting_signs(&s, 2, 15, 1e9);
    if (how == &ap_iterative_exact_ops) s.settings.probes = 0;  // few vectors: H is exact from the beginning
    size_t calls = 0;
    for (ap_status status = AP_INTERRUPTED; status == AP_INTERRUPTED && calls < 1000; calls++) {
        int left = (int)calls;
        ap_params_gp(s.point.order, &s.f.net);
        s.kernel.stop = fixture_after;
        s.kernel.context = &left;
        status = solve(&s, how, &err);
        CHECK(status == (left < 0 ? AP_INTERRUPTED : AP_OK));
        CHECK((s.progress.iterations > 0) || calls < 12);
        CHECK_NEAR(s.progress.action, s.point.action, 0.0);
        CHECK_NEAR(s.progress.gradnorm, s.point.gradnorm, 0.0);
        const double action = s.point.action;
        s.kernel.stop = NULL;
        CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
        CHECK_NEAR(s.point.action, action, 0.0);
    }
    CHECK(calls > 2 * s.progress.evaluations && calls < 1000);
}

static void test_workspace(double memory, const ap_model_ops *how) {
    setting s;
    setting_signs(&s, 2, 3, memory);
    s.how = how;
    setting_check_workspace(&s);
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        test_same(L, 15, 1e9, &ap_iterative_ops);
        test_same(L, 40, 0.0, &ap_iterative_ops);
        test_same(L, 15, 1e9, &ap_iterative_exact_ops);
        test_same(L, 40, 0.0, &ap_iterative_exact_ops);
        test_step(L, &ap_iterative_ops);
        test_step(L, &ap_iterative_exact_ops);
    }
    test_down();
    test_interrupted(&ap_iterative_ops);
    test_interrupted(&ap_iterative_exact_ops);
    for (int stored = 0; stored < 2; stored++) {
        test_workspace(stored ? 1e9 : 0.0, &ap_iterative_ops);
        test_workspace(stored ? 1e9 : 0.0, &ap_iterative_exact_ops);
    }
    return check_report("test_ap_iterative");
}
