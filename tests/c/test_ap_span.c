// test_ap_span.c: a basis of the span of the path inputs, and all computations in it
// SPDX-License-Identifier: BSD-3-Clause

#include <float.h>

#include "fixture.h"

enum { P2 = 4 };

// Path inputs := B C + noise, B [N0 x r] random: they span r of N0 dimensions, except for the noise.
static void make_thin(fixture *f, size_t L, size_t N0, size_t r, size_t P, double noise, uint64_t seed) {
    fixture_make(f, L, false, N0, 2, P, seed);
    const size_t cells = P * f->paths;
    uint64_t state = seed + 1;
    double *B = fixture_numbers(N0 * r, 1.0, &state), *C = fixture_numbers(r * cells, 1.0, &state);
    for (size_t c = 0; c < cells; c++)
        for (size_t i = 0; i < N0; i++) {
            double sum = noise * f->Xi[i + N0 * c];
            for (size_t k = 0; k < r; k++) sum += B[i + N0 * k] * C[k + r * c];
            f->Xi[i + N0 * c] = sum;
        }
}

static size_t find(double *basis, const fixture *f, size_t most, double tolerance) {
    const ap_inputs x = fixture_inputs(f);
    ap_work work = check_work();
    size_t rank = 77;
    CHECK_STATUS(ap_span_find(basis, &rank, &x, f->paths, most, tolerance, &work, &err), AP_OK);
    CHECK(work.used == 0);
    return rank;
}

// Orthonormal columns, and the squares of the cells outside of the span, divided by all squares.
static double outside(const double *basis, size_t rank, const fixture *f) {
    const size_t N0 = f->N0, cells = f->P * f->paths;
    double gap = 0.0, left = 0.0, all = 0.0;
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < rank; i++)
            gap = fmax(gap, fabs(ap_dot(N0, basis + N0 * i, basis + N0 * j) - (i == j ? 1.0 : 0.0)));
    CHECK_NEAR(gap, 0.0, 1e-14 * (double)N0);
    double *x = check_doubles(N0);
    for (size_t c = 0; c < cells; c++) {
        memcpy(x, f->Xi + N0 * c, N0 * sizeof *x);
        all += ap_dot(N0, x, x);
        for (size_t k = 0; k < rank; k++) ap_axpy(N0, -ap_dot(N0, x, basis + N0 * k), basis + N0 * k, x);
        left += ap_dot(N0, x, x);
    }
    return left / all;
}

static void test_rank(size_t N0, size_t r, size_t P, double noise, double tolerance, size_t want) {
    fixture f;
    make_thin(&f, 2, N0, r, P, noise, 300 + r);
    double *basis = check_doubles(N0 * N0);
    CHECK(find(basis, &f, N0 - 1, tolerance) == want);
    if (want > 0) CHECK(outside(basis, want, &f) <= tolerance);
    if (want > 1) {
        CHECK(outside(basis, want - 1, &f) > tolerance);  // none of them is superfluous
        CHECK(find(basis, &f, want - 1, tolerance) == 0);
        CHECK(find(basis, &f, want, tolerance) == want);
    }
}

// A direction of one cell only: it is not among the first cells, so that the certificate must detect it.
static void test_one_cell(void) {
    for (size_t odd = 0; odd < 300; odd += 7) {
        fixture f;
        make_thin(&f, 2, 12, 4, 50, 0.0, 310);  // 300 cells, 24 of them first
        for (size_t i = 0; i < f.N0; i++) f.Xi[i + f.N0 * odd] += i == 3 ? 0.5 : 0.0;
        double *basis = check_doubles(f.N0 * f.N0);
        CHECK(find(basis, &f, 11, 4.0 * DBL_EPSILON) == 5);
        CHECK(outside(basis, 5, &f) < 1e-28);
        for (size_t i = 0; i < f.N0; i++) f.Xi[i + f.N0 * odd] -= i == 3 ? 0.5 - 3e-6 : 0.0;
        CHECK(find(basis, &f, 11, 4.0 * DBL_EPSILON) != 4);  // 2e-15 of all squares: included
    }
}

static void test_nothing(void) {
    fixture f;
    make_thin(&f, 1, 6, 2, 9, 0.0, 320);
    double *basis = check_doubles(36);
    memset(f.Xi, 0, f.N0 * f.P * f.paths * sizeof *f.Xi);
    CHECK(find(basis, &f, 5, 4.0 * DBL_EPSILON) == 0);
}

// ---- equal numbers with and without a basis -------------------------------------------------------------------------

typedef struct pair {
    setting all, thin;  // one problem: original path inputs, and path inputs in a basis
    double *basis, *Xi, *Xi2;
    size_t rank;
    ap_inputs x2;
} pair;

static void pair_make(pair *t, size_t L, size_t N0, size_t r, size_t P, double noise, double memory) {
    uint64_t seed = 331;
    make_thin(&t->all.f, L, N0, r, P, noise, 330);
    t->all.f.net.temperature = 0.05;
    setting_prepare(&t->all, memory);
    make_thin(&t->thin.f, L, N0, r, P, noise, 330);
    t->thin.f.net.temperature = 0.05;
    fixture *f = &t->thin.f;
    t->basis = check_doubles(N0 * N0);
    t->rank = find(t->basis, f, N0 - 1, 4.0 * DBL_EPSILON);
    t->Xi = check_doubles(t->rank * P * f->paths);
    const ap_inputs x = fixture_inputs(f);
    ap_span_turn(t->Xi, t->basis, t->rank, &x, f->paths);
    setting_prepare(&t->thin, 0.0);
    const ap_inputs held = {.N0 = t->rank, .P = P, .Xi = t->Xi, .basis = t->basis, .features = N0};
    CHECK_STATUS(ap_kernel_plan(&t->thin.kernel, &f->net, &held, memory, &err), AP_OK);
    t->thin.storage = check_doubles(t->thin.kernel.storage);
    CHECK_STATUS(ap_kernel_build(&t->thin.kernel, t->thin.storage, &t->thin.work, &err), AP_OK);
    t->Xi2 = fixture_numbers(N0 * P2 * f->paths, 1.0, &seed);  // most of them outside the span
    t->x2 = (ap_inputs){.N0 = N0, .P = P2, .Xi = t->Xi2};
}

// The condition of A is below 1e4, and every number is a sum of some hundred terms: the relative tolerance of 1e-11
// exceeds 1e4 eps; it is 1e-9 for gradients, as between other forms of the theory.
static void check_saddle(pair *t) {
    const size_t cells = t->all.f.paths * t->all.f.paths;
    setting *both[2] = {&t->all, &t->thin};
    for (int k = 0; k < 2; k++) setting_derive(both[k]);
    CHECK_NEAR(t->thin.point.fit.energy, t->all.point.fit.energy, 1e-11 * (1.0 + fabs(t->all.point.fit.energy)));
    CHECK_ARRAYS(t->thin.point.G, t->all.point.G, cells, 1e-9 * check_largest(t->all.point.G, cells));
    for (int k = 0; k < 2; k++) {
        setting *s = both[k];
        s->settings.tolerance = 1e-10;
        const ap_status status = setting_solve(s, &err);
        CHECK(status == AP_OK || status == AP_STALLED);
    }
    CHECK_ARRAYS(t->thin.point.order, t->all.point.order, cells, 1e-7 * check_largest(t->all.point.order, cells));
}

static void check_predictor(const pair *t) {
    double mu[2][P2], s2[2][P2];
    CHECK_STATUS(setting_predict(mu[0], s2[0], &t->all, t->all.f.order, &t->x2), AP_OK);
    CHECK_STATUS(setting_predict(mu[1], s2[1], &t->thin, t->thin.f.order, &t->x2), AP_OK);
    CHECK_ARRAYS(mu[1], mu[0], P2, 1e-9 * check_largest(mu[0], P2));
    CHECK_ARRAYS(s2[1], s2[0], P2, 1e-9 * check_largest(s2[0], P2));
}

// The same random numbers give the same weights: those that the labels determine, and the others, from the prior.
static void check_draws(pair *t, size_t m, double tolerance) {
    const size_t N0 = t->all.f.N0, paths = t->all.f.paths;
    uint64_t seed = 340;
    double *R = fixture_numbers(paths * m, 1.0, &seed), *U = check_doubles(paths * paths), f[2][P2];
    double *Z[2] = {check_doubles(N0 * m), check_doubles(N0 * m)},
           *W[2] = {check_doubles(N0 * paths), check_doubles(N0 * paths)}, *prior = check_doubles(N0 * m);
    fixture_outer(U, R, paths, m);
    setting *both[2] = {&t->all, &t->thin};
    for (int k = 0; k < 2; k++) {
        ap_rng rng = ap_rng_start(341, 0);
        CHECK_STATUS(ap_input_draw(Z[k], W[k], &both[k]->p, &(ap_root){.R = R, .columns = m}, U, NULL, &rng,
                                   &both[k]->work, &err),
                     AP_OK);
        ap_input_output(f[k], &t->all.f.net, &t->x2, W[k]);
    }
    CHECK_ARRAYS(Z[1], Z[0], N0 * m, tolerance * check_largest(Z[0], N0 * m));
    CHECK_ARRAYS(W[1], W[0], N0 * paths, tolerance * check_largest(W[0], N0 * paths));
    CHECK_ARRAYS(f[1], f[0], P2, tolerance * check_largest(f[0], P2));
    ap_rng rng = ap_rng_start(341, 0);
    ap_rng_normals(prior, N0 * m, &rng);
    double moved = 0.0, *x = check_doubles(N0);
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < N0; i++) x[i] = Z[1][i + N0 * j] - sqrt(t->all.f.variance[0]) * prior[i + N0 * j];
        moved = fmax(moved, check_largest(x, N0));
        for (size_t k = 0; k < t->rank; k++) ap_axpy(N0, -ap_dot(N0, x, t->basis + N0 * k), t->basis + N0 * k, x);
        CHECK_NEAR(check_largest(x, N0), 0.0, 1e-13);  // labels do not change weights outside
    }
    CHECK(moved > 1e-3);
}

// The posterior of every weight: its density and gradient at the same weights.
static void check_every(pair *t, double tolerance) {
    const ap_target a = ap_langevin_every_target(&t->all.p), b = ap_langevin_every_target(&t->thin.p);
    uint64_t seed = 350;
    double *z = fixture_numbers(a.dim, 1.0, &seed), *g[2] = {check_doubles(a.dim), check_doubles(a.dim)}, psi[2];
    CHECK(a.dim == b.dim);
    CHECK_STATUS(a.evaluate(&psi[0], g[0], &a, z, &t->all.work, &err), AP_OK);
    CHECK_STATUS(b.evaluate(&psi[1], g[1], &b, z, &t->thin.work, &err), AP_OK);
    CHECK_NEAR(psi[1], psi[0], tolerance * fabs(psi[0]));
    CHECK_ARRAYS(g[1], g[0], a.dim, tolerance * check_largest(g[0], a.dim));
}

static void test_workspace(void) {
    pair t;
    size_t rank;
    double Z[40], W[400], mu[P2], s2[P2];
    const double U[4] = {1.0, 0.5, 0.5, 0.25}, R[2] = {1.0, 0.5};
    ap_rng rng = ap_rng_start(1, 1);
    pair_make(&t, 1, 9, 4, 5, 0.0, 0.0);
    const ap_inputs x = fixture_inputs(&t.all.f);
    const ap_root root = {.R = R, .columns = 1};
    CHECK_WORKSPACE(ap_input_draw(Z, W, &t.thin.p, &root, U, NULL, &rng, &work, &err));
    CHECK_WORKSPACE(setting_predict(mu, s2, &t.thin, t.thin.f.order, &t.x2));
    CHECK_WORKSPACE(ap_span_find(t.basis, &rank, &x, t.all.f.paths, 8, 4.0 * DBL_EPSILON, &work, &err));
}

// Noise outside is at most the root of the tolerance. Draws and predictions far outside of the span depend on it
// linearly, with errors of at most this share.
static void test_forms(size_t N0, size_t r, size_t P, double noise, double memory) {
    pair t;
    pair_make(&t, 2, N0, r, P, noise, memory);
    CHECK(t.rank == r && t.thin.kernel.N0 == r && t.thin.kernel.features == N0);
    CHECK(t.thin.kernel.scale == t.all.kernel.scale);
    check_saddle(&t);
    if (noise == 0.0) check_predictor(&t);
    check_draws(&t, 2, noise == 0.0 ? 1e-11 : 1e-6);
    check_draws(&t, 8, noise == 0.0 ? 1e-11 : 1e-6);
    check_every(&t, noise == 0.0 ? 1e-12 : 1e-7);
}

static void test_pays(void) {
    fixture f;
    fixture_make(&f, 2, false, 20, 2, 6, 360);
    ap_span_use use = {.evaluations = 15.0};
    const ap_inputs small = {.N0 = 20, .P = 6}, large = {.N0 = 200, .P = 2000};
    CHECK(ap_span_most(&f.net, &small, &use) == 0);
    const size_t few = ap_span_most(&f.net, &large, &use);
    use.evaluations = 1000.0;
    CHECK(0 < few && few < ap_span_most(&f.net, &large, &use) && ap_span_most(&f.net, &large, &use) < 200);
    use.memory = 1e12;  // the cost of an evaluation from stored kernels does not depend on N0, and a basis saves little
    CHECK(ap_span_most(&f.net, &large, &use) < few);
    use.evaluations = 0.0;
    use.memory = 0.0;
    CHECK(ap_span_most(&f.net, &large, &use) == 0);
}

int main(void) {
    const double exact = 4.0 * DBL_EPSILON, looser = 40.0 * DBL_EPSILON;
    test_rank(10, 4, 9, 0.0, exact, 4);   // 54 cells, 20 of them first
    test_rank(10, 4, 1, 0.0, exact, 4);   // 6 cells
    test_rank(10, 10, 9, 0.0, exact, 0);  // all dimensions are spanned
    test_rank(10, 9, 9, 0.0, exact, 9);
    test_rank(10, 1, 9, 0.0, exact, 1);
    test_rank(10, 4, 9, 1e-15, exact, 4);  // .. except for rounding
    test_rank(10, 4, 9, 1e-8, exact, 4);   // that of single precision
    test_rank(10, 4, 9, 1e-6, exact, 0);   // not rounding
    test_rank(10, 4, 9, 3e-8, looser, 4);
    test_one_cell();
    test_nothing();
    for (int stored = 0; stored < 2; stored++) {
        const double memory = stored ? 1e9 : 0.0;
        test_forms(14, 5, 7, 0.0, memory);   // r Pi = 30 above P
        test_forms(14, 5, 60, 0.0, memory);  // and below
        test_forms(14, 13, 20, 0.0, memory);
        test_forms(14, 5, 20, 1e-15, memory);
        test_forms(14, 5, 20, 1e-8, memory);
    }
    test_pays();
    test_workspace();
    return check_report("test_ap_span");
}
