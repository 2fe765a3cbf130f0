// test_ap_langevin.c: the posterior of the weights as a target, with V_0 sampled and with V_0 integrated out
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { shapes = 5 };

// Heads 2 | 2, 3 | 2, 3, 2; widths of the fixture for L = 1, 2, 3, then two where U_1 is singular.
static void make(setting *s, size_t which, double memory) {
    static const double narrow[3] = {2.0, 3.0, 1.0}, thin[4] = {4.0, 1.0, 2.0, 3.0};
    fixture_make(&s->f, which < 3 ? which + 1 : which - 1, false, memory > 0.0 ? 40 : 7, 2, 5, 140 + which);
    if (which >= 3) fixture_widths(&s->f, which == 3 ? narrow : thin);
    setting_prepare(s, memory);
    CHECK((s->kernel.packed != NULL) == (memory > 0.0));
}

typedef struct weights {  // z, and the weights with their variances: V_0 and the others
    size_t upper, input, N;
    double *z, *V0, *V, *u, *U;
} weights;

static weights weights_make(const fixture *f, uint64_t seed) {
    const ap_net *net = &f->net;
    weights w = {.N = (size_t)f->width[0], .upper = ap_weights_upper(net)};
    w.input = w.N * f->N0;
    w.z = fixture_numbers(w.input + w.upper, 1.5, &seed);
    w.V0 = check_room(w.input);
    w.V = check_room(w.upper);
    w.u = check_room(w.N * f->paths);
    w.U = check_room(f->paths * f->paths);
    for (size_t i = 0; i < w.input; i++) w.V0[i] = sqrt(f->variance[0]) * w.z[i];
    fixture_colour(w.V, net, w.z + w.input);
    fixture_partial(w.u, net, w.V, 1);
    fixture_overlaps(w.U, w.u, w.N, f->paths);
    return w;
}

static ap_target langevin(const ap_problem *p, bool input) {
    return input ? ap_langevin_every_target(p) : ap_langevin_upper_target(p);
}

// psi = |f - y|^2 / (2T), every output from its paths; or E(U_1)/2, U_1 = u'u / N. At T = 0.05 psi is up to 1e3: the
// tolerance of 1e-12 is 1e4 roundings, for sums of 1e3 terms.
static void test_definition(size_t which, bool input, double memory) {
    setting s;
    make(&s, which, memory);
    const fixture *f = &s.f;
    const ap_target t = langevin(&s.p, input);
    weights w = weights_make(f, 150 + which);
    const double *x = input ? w.z : w.z + w.input;
    double *g = check_room(t.dim), *U = check_room(t.chain), out[5], psi, want = 0.0;
    CHECK(t.dim == w.upper + (input ? w.input : 0));
    CHECK(t.paths == f->paths && t.self == &s.p);
    CHECK_STATUS(t.evaluate(&psi, g, &t, x, &work, &err), AP_OK);
    if (input) {
        fixture_outputs(out, &f->net, f->N0, f->Xi, f->P, w.V0, w.u);
        for (size_t mu = 0; mu < f->P; mu++) want += (out[mu] - f->y[mu]) * (out[mu] - f->y[mu]) / (2.0 * 0.05);
    } else {
        want = 0.5 * fixture_energy(f, w.U);
    }
    CHECK_NEAR(psi, want, 1e-12 * (1.0 + fabs(want)));
    CHECK_STATUS(t.order(U, &t, x, &work, &err), AP_OK);
    CHECK_ARRAYS(U, w.U, f->paths * f->paths, 1e-12);
    for (size_t b = 0; b < f->paths; b++)
        for (size_t a = 0; a < b; a++) CHECK_NEAR(U[a + f->paths * b], U[b + f->paths * a], 0.0);
    for (size_t l = 2; l <= f->net.L + 1; l++) {
        const size_t n = ap_net_paths(&f->net, l), N = (size_t)f->width[l - 1];
        double *u = fixture_numbers(N * n + n * n, 0.0, &(uint64_t){1});
        fixture_partial(u, &f->net, w.V, l);
        fixture_overlaps(u + N * n, u, N, n);
        CHECK_ARRAYS(U + ap_params_at(&f->net, l), u + N * n, n * n, 1e-12);
    }
    CHECK(work.used == 0);
    fixture_check_gradient(&t, x, 1e-2 / sqrt((double)t.dim), 151);
}

static void test_effective(size_t which) {  // w_pi = V_0' u_pi / sqrt (N_1)
    setting s;
    make(&s, which, 0.0);
    const fixture *f = &s.f;
    weights w = weights_make(f, 160 + which);
    double *W = check_room(f->N0 * f->paths);
    ap_langevin_effective(W, &f->net, f->N0, w.z, w.u);
    for (size_t a = 0; a < f->paths; a++)
        for (size_t j = 0; j < f->N0; j++) {
            double want = 0.0;
            for (size_t i = 0; i < w.N; i++) want += w.V0[i + w.N * j] * w.u[i + w.N * a] / sqrt((double)w.N);
            CHECK_NEAR(W[j + f->N0 * a], want, 1e-13);
        }
}

// With V_0 integrated out, the density of the upper weights is the marginal one: the average of
// exp (-|f - y|^2 / (2T)) over draws of V_0 is T^{P/2} exp (-E/2).
static void test_marginal(void) {
    enum { draws = 200000 };
    setting s;
    fixture_make(&s.f, 2, false, 3, 2, 2, 170);
    s.f.net.temperature = 0.5;
    setting_prepare(&s, 0.0);
    const ap_target every = langevin(&s.p, true), upper = langevin(&s.p, false);
    weights w = weights_make(&s.f, 171);
    double *g = check_room(every.dim), psi, half_energy;
    CHECK_STATUS(upper.evaluate(&half_energy, g, &upper, w.z + w.input, &work, &err), AP_OK);
    ap_rng rng = ap_rng_start(172, 0);
    tally likelihood = {0};
    for (size_t k = 0; k < draws; k++) {
        ap_rng_normals(w.z, w.input, &rng);
        if (every.evaluate(&psi, g, &every, w.z, &work, &err) != AP_OK) break;
        tally_add(&likelihood, exp(-psi));
    }
    CHECK(likelihood.n == draws);
    CHECK_MEAN(&likelihood, exp(-half_energy) * s.f.net.temperature);  // T^{P/2}, P = 2
}

static void test_failures(void) {
    setting s;
    make(&s, 1, 0.0);
    for (int input = 0; input < 2; input++) {
        const ap_target t = langevin(&s.p, input == 1);
        weights w = weights_make(&s.f, 180);
        double *x = input ? w.z : w.z + w.input, *g = check_room(t.dim), psi;
        x[t.dim - 1] = NAN;
        CHECK_STATUS(t.evaluate(&psi, g, &t, x, &work, &err), AP_ENONFINITE);
        for (size_t i = 0; i < t.dim; i++) x[i] = 1e200;
        CHECK_STATUS(t.evaluate(&psi, g, &t, x, &work, &err), AP_ENONFINITE);
        CHECK(work.used == 0);
    }
}

static void test_workspace(size_t which, bool input, double memory) {
    setting s;
    make(&s, which, memory);
    fixture_check_workspace(langevin(&s.p, input));
}

int main(void) {
    for (size_t which = 0; which < shapes; which++) {
        for (size_t k = 0; k < 4; k++) test_definition(which, k % 2 == 1, k < 2 ? 0.0 : 1e9);
        test_effective(which);
    }
    test_marginal();
    test_failures();
    for (size_t k = 0; k < 4; k++) test_workspace(1 + k, k % 2 == 1, k < 2 ? 0.0 : 1e9);
    return check_report("test_ap_langevin");
}
