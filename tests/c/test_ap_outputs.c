// test_ap_outputs.c: several outputs against an equivalent problem of one output
// SPDX-License-Identifier: BSD-3-Clause
//
// The equivalent problem has P C examples (mu,c) and paths (pi,c), with zero-padded path inputs xi^pi_mu delta_cc', and
// C times as large a sigma_0^2 (kernels are divided by Pi, not Pi C). The core treats it as one output; only the scalar
// on top of the chain is fixed at 1.

#include "beyond/ap_beyond.h"

#include "fixture.h"

typedef struct pair {  // a problem of C outputs, and its equivalent of one
    fixture f;
    size_t C, H[fixture_layers + 1];
    double width[fixture_layers + 2], variance[fixture_layers + 3], wide[fixture_layers + 3];
    ap_net chain, flat;
    ap_kernel kernel, expanded;
    ap_problem p, witness;
    double *y, *Xi, *store, *order;
    ap_work work;
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
    uint64_t seed = 7 + L + 10 * C;
    fixture_make(&t->f, L, false, 6, 3, P, 5 * L + P);
    t->C = C;
    ap_net_outputs(&t->chain, &t->f.net, C, t->H, t->width, t->variance);
    t->chain.temperature = 0.2;
    t->flat = t->chain;
    memcpy(t->wide, t->variance, sizeof t->wide);
    t->wide[0] *= (double)C;
    t->flat.variance = t->wide;
    t->flat.outputs = 0;
    t->y = fixture_numbers(P * C, 1.0, &seed);
    t->Xi = expand(t->f.Xi, t->f.N0, P, t->f.paths, C);
    const ap_inputs x = fixture_inputs(&t->f), all = {.N0 = t->f.N0, .P = P * C, .Xi = t->Xi};
    CHECK_STATUS(ap_kernel_plan(&t->kernel, &t->chain, &x, memory, &err), AP_OK);
    CHECK_STATUS(ap_kernel_plan(&t->expanded, &t->flat, &all, 0.0, &err), AP_OK);
    t->work = check_work();
    if (memory > 0.0) t->kernel.storage = ap_kernel_outputs_blocks.size(&t->kernel);  // stored in any case
    t->store = check_room(t->kernel.storage + 1);
    CHECK_STATUS(ap_kernel_build(&t->kernel, t->store, &t->work, &err), AP_OK);
    t->p = (ap_problem){.net = &t->chain, .kernel = &t->kernel, .y = t->y};
    t->witness = (ap_problem){.net = &t->chain, .kernel = &t->expanded, .y = t->y};
    t->order = fixture_numbers(ap_order_length(&t->chain), 1.0, &seed);
    fixture_order(t->order, &t->chain, &seed);
}

// |got - want| divided by the largest |want|
static double apart(const double *got, const double *want, size_t n) {
    double worst = 0.0, size = 1e-300;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(got[i] - want[i]));
        size = fmax(size, fabs(want[i]));
    }
    return worst / size;
}

static double apart_lower(double *got, double *want, size_t n) {
    ap_spd_mirror(got, n);
    ap_spd_mirror(want, n);
    return apart(got, want, n * n);
}

static void test_chain(void) {
    pair t;
    make(&t, 2, 4, 3, 0.0);
    CHECK((ap_net_outputs_count(&t.chain)) == (3));
    CHECK((ap_net_inputs(&t.chain)) == (t.f.paths));
    CHECK((ap_net_paths(&t.chain, 1)) == (3 * t.f.paths));
    CHECK((ap_net_paths(&t.chain, 3)) == (3));
    CHECK((ap_net_outputs_count(&t.f.net)) == (1));
    CHECK((ap_net_inputs(&t.f.net)) == (t.f.paths));
    CHECK((t.kernel.P) == (12));
    CHECK((t.kernel.examples) == (4));
    CHECK_NEAR(ap_net_maxwidth(&t.chain), ap_net_maxwidth(&t.f.net), 0.0);
}

// Kernels, contractions and products: sums of at most N0 Pi C terms of order one.
static void test_kernels(size_t L, size_t P, size_t C, double memory) {
    pair t;
    make(&t, L, P, C, memory);
    const size_t n = t.kernel.P, q = t.kernel.paths, m = 3;
    uint64_t seed = 3;
    double *K = fixture_numbers(n * n, 1.0, &seed), *W = fixture_numbers(n * n, 1.0, &seed);
    double *G = fixture_numbers(q * q, 1.0, &seed), *want = fixture_numbers(q * q, 1.0, &seed);
    double *Z = fixture_numbers(n * m, 1.0, &seed), *M = fixture_numbers(n * n, 1.0, &seed);
    const size_t images = n * t.kernel.pairs * m;
    double *V = fixture_numbers(images, 1.0, &seed), *V0 = fixture_numbers(images, 1.0, &seed);
    ap_spd_mirror(M, n);
    CHECK_STATUS(ap_kernel_combine(K, &t.kernel, t.order, NULL, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_kernel_combine(W, &t.expanded, t.order, NULL, &t.work, &err), AP_OK);
    CHECK(apart_lower(K, W, n) < 1e-13);
    CHECK_STATUS(ap_kernel_contract(G, &t.kernel, M, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_kernel_contract(want, &t.expanded, M, &t.work, &err), AP_OK);
    CHECK(apart(G, want, q * q) < 1e-12);
    CHECK_STATUS(ap_kernel_apply(V, &t.kernel, Z, m, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_kernel_apply(V0, &t.expanded, Z, m, &t.work, &err), AP_OK);
    CHECK(apart(V, V0, images) < 1e-13);
}

static void evaluate(ap_point *point, pair *t, const ap_problem *p) {
    CHECK_STATUS(ap_point_take(point, p, &t->work, &err), AP_OK);
    memcpy(point->order, t->order, ap_order_length(&t->chain) * sizeof(double));
    CHECK_STATUS(ap_action_value(point, p, &t->work, &err), AP_OK);
    CHECK_STATUS(ap_action_gradient(point, p, &t->work, &err), AP_OK);
}

// Action, gradient, Hessian, its smallest eigenvalue, and the quadratic models of both kinds. cond A is below 1e4.
static void test_action(size_t L, size_t P, size_t C, double memory) {
    pair t;
    ap_point here, there;
    make(&t, L, P, C, memory);
    evaluate(&here, &t, &t.p);
    evaluate(&there, &t, &t.witness);
    const size_t n = ap_order_unknowns(&t.chain), chain = ap_order_length(&t.chain);
    CHECK_NEAR(here.action, there.action, 1e-11 * fabs(there.action));
    CHECK_NEAR(here.order[chain - 1], 1.0, 0.0);
    CHECK(apart(here.grad, there.grad, chain) < 1e-10);
    CHECK_NEAR(here.gradnorm, there.gradnorm, 1e-10 * there.gradnorm);
    double *H = check_room(n * n), *H0 = check_room(n * n);
    CHECK_STATUS(ap_hessian_action(H, &t.p, &here, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_hessian_action(H0, &t.witness, &there, &t.work, &err), AP_OK);
    CHECK(apart_lower(H, H0, n) < 1e-10);
    size_t products = 0;
    double least = 0.0, least0 = 0.0, doubt;
    CHECK(ap_hessian_smallest(&least, &doubt, &products, &t.p, &here, &t.work, &err) >= 0);
    CHECK(ap_hessian_smallest(&least0, &doubt, &products, &t.witness, &there, &t.work, &err) >= 0);
    CHECK_NEAR(least, least0, 1e-3 * fabs(least0));
}

static bool solve(ap_point *point, pair *t, const ap_problem *p, const struct ap_model_ops *how, size_t *evaluations) {
    ap_progress progress;
    ap_settings settings = ap_settings_default();
    settings.how = how;
    if (p == &t->witness && how == &ap_dense_ops) settings.probes *= 2;  // as the matrix does for several outputs
    CHECK_STATUS(ap_point_take(point, p, &t->work, &err), AP_OK);
    ap_order_gp(point->order, &t->chain);
    const ap_status status = ap_solve(point, &progress, p, &settings, &t->work, &err);
    *evaluations = progress.evaluations;
    return status == AP_OK || status == AP_STALLED;
}

static void test_solve(size_t L, size_t P, size_t C, const struct ap_model_ops *how) {
    pair t;
    ap_point here, there;
    size_t steps = 0, steps0 = 0;
    make(&t, L, P, C, 1e9);
    CHECK(solve(&here, &t, &t.p, how, &steps));
    CHECK(solve(&there, &t, &t.witness, how, &steps0));
    CHECK(here.gradnorm < 1e-8);
    CHECK(apart(here.order, there.order, ap_order_length(&t.chain)) < 1e-5);  // 100 tolerances
    CHECK((steps) == (steps0));
    double logp = 0.0, logp0 = 0.0;
    const ap_status status = ap_evidence_laplace(&logp, &t.p, &here, &t.work, &err);
    const ap_status status0 = ap_evidence_laplace(&logp0, &t.witness, &there, &t.work, &err);
    CHECK(((size_t)(status == AP_OK)) == ((size_t)(status0 == AP_OK)));
    if (status == AP_OK) CHECK_NEAR(logp, logp0, 1e-8 * fabs(logp0));
}

// Mean and covariance, over more than one block of test inputs.
static void test_predict(size_t P, size_t C) {
    pair t;
    ap_fit fit, fit0;
    make(&t, 2, P, C, 0.0);
    const size_t P2 = 150, N0 = t.f.N0;
    uint64_t seed = 11;
    double *x = fixture_numbers(N0 * P2 * t.f.paths, 1.0, &seed), *all = expand(x, N0, P2, t.f.paths, C);
    double *mu = check_room(4 * P2 * C), *mu0 = mu + P2 * C, *s20 = mu + 2 * P2 * C;
    double *s2 = check_room(P2 * C * C);
    const ap_inputs x2 = {.N0 = N0, .P = P2, .Xi = x}, wide = {.N0 = N0, .P = P2 * C, .Xi = all};
    CHECK_STATUS(ap_fit_take(&fit, &t.p, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_fit_take(&fit0, &t.witness, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_predict_fit(&fit, &t.p, t.order, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_predict_fit(&fit0, &t.witness, t.order, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_predict(mu, s2, &t.p, &fit, t.order, &x2, &t.work, &err), AP_OK);
    CHECK_STATUS(ap_predict(mu0, s20, &t.witness, &fit0, t.order, &wide, &t.work, &err), AP_OK);
    CHECK(apart(mu, mu0, P2 * C) < 1e-11);
    double worst = 0.0;
    for (size_t i = 0; i < P2; i++)
        for (size_t c = 0; c < C; c++) worst = fmax(worst, fabs(s2[c + C * c + C * C * i] - s20[i + P2 * c]));
    CHECK_NEAR(worst, 0.0, 1e-11);
    CHECK_STATUS(ap_predict(mu0, NULL, &t.p, &fit, t.order, &x2, &t.work, &err), AP_OK);
    CHECK_ARRAYS(mu0, mu, P2 * C, 0.0);
}

static void test_workspace(double memory) {
    pair t;
    make(&t, 1, 5, 2, memory);
    double *K = check_doubles(t.kernel.P * t.kernel.P), *G = check_doubles(t.kernel.paths * t.kernel.paths);
    CHECK_WORKSPACE(ap_kernel_combine(K, &t.kernel, t.order, NULL, &work, &err));
    CHECK_WORKSPACE(ap_kernel_contract(G, &t.kernel, K, &work, &err));
}

// A stored form of the wrong size is refused.
static void test_adopt(void) {
    pair t;
    make(&t, 1, 5, 2, 1e9);
    CHECK_STATUS(ap_kernel_adopt(&t.kernel, t.store, 25 * 3, &err), AP_OK);
    CHECK_STATUS(ap_kernel_adopt(&t.kernel, t.store, 7, &err), AP_EINPUT);
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
    test_predict(9, 2);
    test_predict(9, 3);
    test_workspace(0.0);
    test_workspace(1e9);
    test_adopt();
    return check_report("test_ap_outputs");
}
