// test_ap_solution.c: properties of a solution, against explicit kernels, entropies and labels
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { examples = 9, outputs = 3 };

static void make(setting *t, size_t C, bool shared, double memory) {  // C outputs: coupled, or sharing one U
    uint64_t seed = 3;
    fixture_make(&t->f, 2, false, 11, 2, examples, 7);
    if (C > 1 && !shared)
        setting_outputs(t, C, memory);
    else
        setting_prepare(t, memory);
    t->p.y = t->y = fixture_numbers(examples * outputs, 1.0, &seed);
    t->p.null_examples = 4 * t->kernel.outputs;
    t->p.null_sumsq = 1.5;
    if (shared) {
        t->p.label_columns = C;
        CHECK_STATUS(ap_point_take(&t->point, &t->p, &t->work, &err), AP_OK);
        memcpy(t->point.order, t->f.order, ap_params_length(&t->f.net) * sizeof(double));
    }
    CHECK_STATUS(ap_action_value(&t->point, &t->p, &t->work, &err), AP_OK);
}

// sum over columns y of y' K(U) y, and the trace of K(U)
static double through(double *trace, setting *t, const double *U) {
    const size_t P = t->kernel.P;
    double sum = 0.0, *K = check_room(P * P);
    CHECK_STATUS(ap_kernel_combine(K, &t->kernel, U, NULL, &t->work, &err), AP_OK);
    *trace = 0.0;
    for (size_t i = 0; i < P; i++) *trace += K[i + P * i];
    for (size_t c = 0; c < ap_problem_columns(&t->p); c++)
        for (size_t i = 0; i < P; i++)
            for (size_t j = 0; j < P; j++) sum += t->y[i + P * c] * K[i > j ? i + P * j : j + P * i] * t->y[j + P * c];
    return sum;
}

// Sums of some 1e3 terms: 1e-12 of the value.
static void test_definitions(size_t C, bool shared, double memory) {
    setting t;
    ap_solution s;
    const ap_settings settings = ap_settings_default();
    make(&t, C, shared, memory);
    const ap_net *net = t.p.net;
    const size_t chain = ap_params_length(net), columns = ap_problem_columns(&t.p);
    CHECK_STATUS(ap_solution_of(&s, AP_OK, &settings, &t.p, &t.point, &t.work, &err), AP_OK);
    double *gp = check_room(chain), trace, entropy = 0.0, labels = 1.5 * (double)columns;
    ap_params_gp(gp, net);
    (void)through(&trace, &t, gp);
    const double total = (double)(examples + 4);
    CHECK_NEAR(s.diagonal, trace / (total * (double)t.kernel.outputs), 1e-12 * s.diagonal);
    for (size_t i = 0; i < t.kernel.P * columns; i++) labels += t.y[i] * t.y[i];
    CHECK_NEAR(s.labels, labels / (total * (double)(columns * t.kernel.outputs)), 1e-12 * s.labels);
    const double yKy = through(&trace, &t, t.point.order);
    CHECK_NEAR(s.reach, yKy / (net->temperature * labels), 1e-12 * s.reach);
    for (size_t l = 1; l <= net->L + 1 - (t.kernel.outputs > 1); l++)
        entropy += net->width[l - 1] * (double)ap_net_paths(net, l) * (1.0 - log(net->variance[l]));
    const double each =
        0.5 * (entropy - t.point.action) - 0.5 * total * (double)t.kernel.outputs * log(2.0 * acos(-1.0));
    CHECK_NEAR(s.evidence, (double)columns * each, 1e-12 * fabs(s.evidence));
    CHECK_NEAR(s.action, (double)columns * t.point.action, 0.0);
    CHECK_NEAR(s.energy + s.entropy, s.action, 1e-14 * (fabs(s.energy) + fabs(s.entropy)));
}

static void test_converged(void) {
    const ap_settings settings = ap_settings_default();
    const ap_point near = {.gradrel = 1e-9}, far = {.gradrel = 1e-7}, nowhere = {.gradrel = NAN};
    CHECK(ap_has_converged(AP_OK, &far, &settings) && ap_has_converged(AP_ROUNDED, &far, &settings));
    CHECK(ap_has_converged(AP_STALLED, &near, &settings) && !ap_has_converged(AP_STALLED, &far, &settings));
    CHECK(!ap_has_converged(AP_STALLED, &nowhere, &settings));
    CHECK(!ap_has_converged(AP_LIMIT, &near, &settings) && !ap_has_converged(AP_INTERRUPTED, &near, &settings));
    CHECK(!ap_has_converged(AP_ENOTSPD, &near, &settings));
}

static void test_nothing_to_reach(void) {
    setting t;
    ap_solution s;
    const ap_settings settings = ap_settings_default();
    make(&t, 1, false, 0.0);
    t.p.null_sumsq = 0.0;
    memset(t.y, 0, examples * sizeof *t.y);
    CHECK_STATUS(ap_solution_of(&s, AP_LIMIT, &settings, &t.p, &t.point, &t.work, &err), AP_OK);
    CHECK(isinf(s.reach) && !s.converged);
}

static void test_workspace(size_t C, bool shared) {
    setting t;
    ap_solution s;
    const ap_settings settings = ap_settings_default();
    make(&t, C, shared, 0.0);
    CHECK_WORKSPACE(ap_solution_of(&s, AP_OK, &settings, &t.p, &t.point, &work, &err));
}

int main(void) {
    test_definitions(1, false, 0.0);
    test_definitions(1, false, 1e9);
    test_definitions(outputs, false, 1e9);
    test_definitions(outputs, true, 1e9);
    test_converged();
    test_nothing_to_reach();
    test_workspace(1, false);
    test_workspace(outputs, false);
    test_workspace(outputs, true);
    return check_report("test_ap_solution");
}
