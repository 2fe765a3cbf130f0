// test_ap_outputs.c: several outputs against an equivalent problem of one output
// SPDX-License-Identifier: BSD-3-Clause
//
// The equivalent problem has P C examples (mu,c) and paths (pi,c), with zero-padded path inputs xi^pi_mu delta_cc', and
// C times as large a sigma_0^2 (kernels are divided by Pi, not Pi C). The core treats it as one output; only the scalar
// on top of the chain is fixed at 1.

#include "beyond/ap_beyond.h"

#include "fixture.h"

typedef struct pair {  // a problem of C outputs, and its equivalent of one
    setting s;
    double wide[fixture_layers + 3], *Xi;
    ap_net flat;
    ap_kernel expanded;
    ap_problem witness;
} pair;

static double *expand(const double *Xi, size_t N0, size_t P, size_t inputs, size_t C) {
    const size_t rows = P * C;
    double *all = check_doubles(N0 * rows * inputs * C);
    for (size_t a = 0; a < inputs; a++)
        for (size_t c = 0; c < C; c++)
            memcpy(all + N0 * (P * c + rows * (C * a + c)), Xi + N0 * P * a, N0 * P * sizeof *all);
    return all;
}

static void make(pair *t, size_t L, size_t P, size_t C, double memory) {
    setting *s = &t->s;
    fixture_make(&s->f, L, false, 6, 3, P, 5 * L + P);
    s->f.net.temperature = 0.2;
    setting_outputs(s, C, memory);
    t->flat = s->chain;
    memcpy(t->wide, s->variance, sizeof t->wide);
    t->wide[0] *= (double)C;
    t->flat.variance = t->wide;
    t->flat.outputs = 0;
    t->Xi = expand(s->f.Xi, s->f.N0, P, s->f.paths, C);
    const ap_inputs all = {.N0 = s->f.N0, .P = P * C, .Xi = t->Xi};
    CHECK_STATUS(ap_kernel_plan(&t->expanded, &t->flat, &all, 0.0, &err), AP_OK);
    t->witness = (ap_problem){.net = &s->chain, .kernel = &t->expanded, .y = s->y};
}

// |got - want| divided by the largest |want|
static double apart(const double *got, const double *want, size_t n) {
    return check_apart(got, want, n) / fmax(1e-300, check_largest(want, n));
}

static double apart_lower(double *got, double *want, size_t n) {
    ap_spd_mirror(got, n);
    ap_spd_mirror(want, n);
    return apart(got, want, n * n);
}

static void test_chain(void) {
    pair t;
    make(&t, 2, 4, 3, 0.0);
    CHECK(ap_net_outputs_count(&t.s.chain) == 3);
    CHECK(ap_net_inputs(&t.s.chain) == t.s.f.paths);
    CHECK(ap_net_paths(&t.s.chain, 1) == 3 * t.s.f.paths);
    CHECK(ap_net_paths(&t.s.chain, 3) == 3);
    CHECK(ap_net_outputs_count(&t.s.f.net) == 1);
    CHECK(ap_net_inputs(&t.s.f.net) == t.s.f.paths);
    CHECK(t.s.kernel.P == 12);
    CHECK(t.s.kernel.examples == 4);
    CHECK_NEAR(ap_net_maxwidth(&t.s.chain), ap_net_maxwidth(&t.s.f.net), 0.0);
}

// Kernels, contractions and products: sums of at most N0 Pi C terms of order one.
static void test_kernels(size_t L, size_t P, size_t C, double memory) {
    pair t;
    make(&t, L, P, C, memory);
    const size_t n = t.s.kernel.P, q = t.s.kernel.paths, m = 3;
    uint64_t seed = 3;
    double *K = fixture_numbers(n * n, 1.0, &seed), *W = fixture_numbers(n * n, 1.0, &seed);
    double *G = fixture_numbers(q * q, 1.0, &seed), *want = fixture_numbers(q * q, 1.0, &seed);
    double *Z = fixture_numbers(n * m, 1.0, &seed), *M = fixture_numbers(n * n, 1.0, &seed);
    const size_t images = n * t.s.kernel.pairs * m;
    double *V = fixture_numbers(images, 1.0, &seed), *V0 = fixture_numbers(images, 1.0, &seed);
    ap_spd_mirror(M, n);
    CHECK_STATUS(ap_kernel_combine(K, &t.s.kernel, t.s.point.order, NULL, &t.s.work, &err), AP_OK);
    CHECK_STATUS(ap_kernel_combine(W, &t.expanded, t.s.point.order, NULL, &t.s.work, &err), AP_OK);
    CHECK(apart_lower(K, W, n) < 1e-13);
    CHECK_STATUS(ap_kernel_contract(G, &t.s.kernel, M, &t.s.work, &err), AP_OK);
    CHECK_STATUS(ap_kernel_contract(want, &t.expanded, M, &t.s.work, &err), AP_OK);
    CHECK(apart(G, want, q * q) < 1e-12);
    CHECK_STATUS(ap_kernel_apply(V, &t.s.kernel, Z, m, &t.s.work, &err), AP_OK);
    CHECK_STATUS(ap_kernel_apply(V0, &t.expanded, Z, m, &t.s.work, &err), AP_OK);
    CHECK(apart(V, V0, images) < 1e-13);
}

static void evaluate(ap_point *point, pair *t, const ap_problem *p) {
    CHECK_STATUS(ap_point_take(point, p, &t->s.work, &err), AP_OK);
    memcpy(point->order, t->s.point.order, ap_params_length(&t->s.chain) * sizeof(double));
    CHECK_STATUS(ap_action_value(point, p, &t->s.work, &err), AP_OK);
    CHECK_STATUS(ap_action_gradient(point, p, &t->s.work, &err), AP_OK);
}

// Action, gradient, Hessian, its smallest eigenvalue, and the quadratic models of both kinds. cond A is below 1e4.
static void test_action(size_t L, size_t P, size_t C, double memory) {
    pair t;
    ap_point here, there;
    make(&t, L, P, C, memory);
    evaluate(&here, &t, &t.s.p);
    evaluate(&there, &t, &t.witness);
    const size_t n = ap_params_unknowns(&t.s.chain), chain = ap_params_length(&t.s.chain);
    CHECK_NEAR(here.action, there.action, 1e-11 * fabs(there.action));
    CHECK_NEAR(here.order[chain - 1], 1.0, 0.0);
    CHECK(apart(here.grad, there.grad, chain) < 1e-10);
    CHECK_NEAR(here.gradnorm, there.gradnorm, 1e-10 * there.gradnorm);
    double *H = check_room(n * n), *H0 = check_room(n * n);
    CHECK_STATUS(ap_hessian_action(H, &t.s.p, &here, &t.s.work, &err), AP_OK);
    CHECK_STATUS(ap_hessian_action(H0, &t.witness, &there, &t.s.work, &err), AP_OK);
    CHECK(apart_lower(H, H0, n) < 1e-10);
    const size_t inputs = t.s.f.paths, cells = t.s.f.N0 * P;
    double variance[fixture_layers + 3], share[24], *want = check_doubles(cells * inputs);
    ap_gradient g = {.variance = variance, .paths = share, .inputs = check_room(cells * inputs)}, g0 = g;
    g0.inputs = check_room(cells * inputs * C * C);
    CHECK_STATUS(ap_gradient_make(&g, &t.s.p, &here, &t.s.work, &err), AP_OK);
    CHECK_STATUS(ap_gradient_make(&g0, &t.witness, &there, &t.s.work, &err), AP_OK);
    for (size_t a = 0; a < inputs; a++)
        for (size_t c = 0; c < C; c++) ap_axpy(cells, 1.0, g0.inputs + cells * (c + C * (C * a + c)), want + cells * a);
    CHECK(apart(g.inputs, want, cells * inputs) < 1e-9);
    size_t products = 0;
    double least = 0.0, least0 = 0.0, doubt;
    CHECK(ap_hessian_smallest(&least, &doubt, &products, &t.s.p, &here, &t.s.work, &err) >= 0);
    CHECK(ap_hessian_smallest(&least0, &doubt, &products, &t.witness, &there, &t.s.work, &err) >= 0);
    CHECK_NEAR(least, least0, 1e-3 * fabs(least0));
}

static bool solve(ap_point *point, pair *t, const ap_problem *p, const struct ap_model_ops *how, size_t *evaluations) {
    ap_progress progress;
    ap_settings settings = ap_settings_default();
    if (p == &t->witness && how == &ap_dense_ops) settings.probes *= 2;  // as the matrix does for several outputs
    CHECK_STATUS(ap_point_take(point, p, &t->s.work, &err), AP_OK);
    ap_params_gp(point->order, &t->s.chain);
    const ap_status status = ap_solve_by(point, &progress, p, &settings, how, &t->s.work, &err);
    *evaluations = progress.evaluations;
    return status == AP_OK || status == AP_STALLED;
}

static void test_solve(size_t L, size_t P, size_t C, const struct ap_model_ops *how) {
    pair t;
    ap_point here, there;
    size_t steps = 0, steps0 = 0;
    make(&t, L, P, C, 1e9);
    CHECK(solve(&here, &t, &t.s.p, how, &steps));
    CHECK(solve(&there, &t, &t.witness, how, &steps0));
    CHECK(here.gradnorm < 1e-8);
    CHECK(apart(here.order, there.order, ap_params_length(&t.s.chain)) < 1e-5);  // 100 tolerances
    CHECK(steps == steps0);
    double logp = 0.0, logp0 = 0.0;
    const ap_status status = ap_evidence_laplace(&logp, &t.s.p, &here, &t.s.work, &err);
    const ap_status status0 = ap_evidence_laplace(&logp0, &t.witness, &there, &t.s.work, &err);
    CHECK((size_t)(status == AP_OK) == (size_t)(status0 == AP_OK));
    if (status == AP_OK) CHECK_NEAR(logp, logp0, 1e-8 * fabs(logp0));
}

static void test_workspace(double memory) {
    pair t;
    make(&t, 1, 5, 2, memory);
    double *K = check_doubles(t.s.kernel.P * t.s.kernel.P), *G = check_doubles(t.s.kernel.paths * t.s.kernel.paths);
    CHECK_WORKSPACE(ap_kernel_combine(K, &t.s.kernel, t.s.point.order, NULL, &work, &err));
    CHECK_WORKSPACE(ap_kernel_contract(G, &t.s.kernel, K, &work, &err));
}

// A stored form of the wrong size is refused.
static void test_adopt(void) {
    pair t;
    make(&t, 1, 5, 2, 1e9);
    CHECK_STATUS(ap_kernel_adopt(&t.s.kernel, t.s.storage, 25 * 3, &err), AP_OK);
    CHECK_STATUS(ap_kernel_adopt(&t.s.kernel, t.s.storage, 7, &err), AP_EINPUT);
}

int main(void) {
    test_chain();
    for (size_t C = 2; C <= 3; C++)
        for (size_t L = 1; L <= 2; L++)
            for (int stored = 0; stored < 2; stored++) {
                test_kernels(L, 5, C, stored ? 1e9 : 0.0);
                test_kernels(L, 37, C, stored ? 1e9 : 0.0);  // more than one tile
                test_action(L, 8, C, stored ? 1e9 : 0.0);
            }
    test_action(3, 6, 2, 1e9);
    test_action(1, 45, 3, 0.0);  // tiles of one output, of two, and of the last
    test_action(2, 25, 3, 0.0);
    test_solve(1, 12, 2, &ap_dense_ops);
    test_solve(2, 12, 3, &ap_dense_ops);
    test_solve(2, 12, 2, &ap_iterative_ops);
    test_solve(2, 12, 2, &ap_iterative_exact_ops);
    test_workspace(0.0);
    test_workspace(1e9);
    test_adopt();
    return check_report("test_ap_outputs");
}
