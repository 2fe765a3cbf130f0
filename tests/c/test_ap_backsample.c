// test_ap_backsample.c: full weights from order parameters: they reproduce them, and have the prior if those have it
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// Heads 2 | 2, 3 | 2, 3, 2: rank Pi in the first three, less in the others.
static const fixture_shape shapes[] = {{1, {5, 4}},    {2, {9, 8, 11}},      {3, {14, 7, 6, 5}}, {1, {1, 1}},
                                       {2, {2, 3, 2}}, {2, {300, 200, 150}}, {3, {9, 2, 2, 1}},  {3, {2, 5, 1, 3}}};
enum { all_shapes = sizeof shapes / sizeof shapes[0], N0 = 3 };

typedef struct draw {
    fixture f;
    size_t dim, m, N, upper;
    double *x, *Z0, *weights;
    ap_work work;
} draw;

static void draw_make(draw *d, const fixture_shape *v, uint64_t seed) {
    fixture_make(&d->f, v->L, false, N0, 2, 2, seed);
    fixture_widths(&d->f, v->width);
    d->dim = ap_bartlett_dim(&d->f.net);
    d->m = ap_bartlett_rank(&d->f.net, 1);
    d->N = (size_t)v->width[0];
    d->upper = ap_weights_upper(&d->f.net);
    d->x = fixture_numbers(d->dim, 1.5, &seed);
    d->Z0 = fixture_numbers(N0 * d->m, 1.0, &seed);
    d->weights = fixture_numbers(d->N * N0 + d->upper, 1.0, &seed);
    d->work = check_work();
}

// u^{(l)}' u^{(l)} / N_l = R_l R_l' in every layer, and the effective weights V_0' u^{(1)} / sqrt (N_1) = Z_0 R_1', to
// 1e-12 of the largest entry: sums of at most 300 terms, frames orthonormal to some eps.
static void test_constraints(const fixture_shape *v, uint64_t seed) {
    draw d;
    draw_make(&d, v, seed);
    const ap_net *net = &d.f.net;
    const ap_bartlett_sizes size = ap_bartlett_size(net);
    double *B = check_room(size.B), *R = check_room(size.R), *at = R;
    ap_bartlett_factors(B, R, net, d.x, NULL);
    ap_rng rng = ap_rng_start(190, seed);
    CHECK_STATUS(ap_backsample(d.weights, net, N0, d.x, NULL, d.Z0, &rng, &d.work, &err), AP_OK);
    CHECK(d.work.used == 0);
    const double *V = d.weights + d.N * N0;
    for (size_t l = v->L + 1; l >= 1; l--) {
        const size_t paths = ap_net_paths(net, l), m = ap_bartlett_rank(net, l), N = (size_t)v->width[l - 1];
        double *u = check_room(N * paths), *U = check_room(paths * paths);
        double *want = check_room(paths * paths);
        fixture_partial(u, net, V, l);
        fixture_overlaps(U, u, N, paths);
        fixture_outer(want, at, paths, m);
        CHECK_ARRAYS(U, want, paths * paths, 1e-12 * check_largest(want, paths * paths));
        if (l == 1) {
            double *W = check_doubles(N0 * paths), *effective = check_doubles(N0 * paths);
            for (size_t a = 0; a < paths; a++)
                for (size_t j = 0; j < N0; j++) {
                    for (size_t k = 0; k < m; k++) effective[j + N0 * a] += d.Z0[j + N0 * k] * at[a + paths * k];
                    for (size_t i = 0; i < N; i++)
                        W[j + N0 * a] += d.weights[i + N * j] * u[i + N * a] / sqrt((double)N);
                }
            CHECK_ARRAYS(W, effective, N0 * paths, 1e-12 * check_largest(effective, N0 * paths));
        }
        at += paths * m;
    }
    const double first = d.weights[0];
    CHECK_STATUS(ap_backsample(d.weights, net, N0, d.x, NULL, d.Z0, &rng, &d.work, &err), AP_OK);
    CHECK(d.weights[0] != first || d.N == 1);  // with one unit, V_0 = +-Z_0: only a sign is random
}

// With coordinates from the prior and Z_0 from N(0, sigma_0^2) every weight is N(0, sigma^2), and independent of the
// others: moments, and correlations of all pairs, of values and of squares.
static void test_prior(const fixture_shape *v, uint64_t seed) {
    enum { draws = 20000 };
    draw d;
    draw_make(&d, v, seed);
    const ap_net *net = &d.f.net;
    const size_t n = d.N * N0 + d.upper;
    double *z = check_room(n), *pairs = check_doubles(n * n), *squares = check_doubles(n * n);
    tally *moment = check_zeros(4 * n, sizeof *moment);
    ap_rng rng = ap_rng_start(200, seed);
    for (size_t t = 0; t < draws; t++) {
        ap_bartlett_start(d.x, net, &rng);
        for (size_t i = 0; i < N0 * d.m; i++) d.Z0[i] = sqrt(net->variance[0]) * ap_rng_normal(&rng);
        if (ap_backsample(d.weights, net, N0, d.x, NULL, d.Z0, &rng, &d.work, &err) != AP_OK) break;
        size_t at = 0;
        for (; at < d.N * N0; at++) z[at] = d.weights[at] / sqrt(net->variance[0]);
        for (size_t l = 1; l <= v->L + 1; l++) {
            for (size_t i = ap_weights_layer(net, l); i > 0; i--, at++) z[at] = d.weights[at] / sqrt(net->variance[l]);
        }
        for (size_t i = 0; i < n; i++) {
            const double square = z[i] * z[i];
            tally_add(&moment[4 * i], z[i]);
            tally_add(&moment[4 * i + 1], square);
            tally_add(&moment[4 * i + 2], square * z[i]);
            tally_add(&moment[4 * i + 3], square * square);
            for (size_t j = 0; j < i; j++) {
                pairs[j + n * i] += z[i] * z[j];
                squares[j + n * i] += 0.5 * (square - 1.0) * (z[j] * z[j] - 1.0);
            }
        }
    }
    CHECK(moment[0].n == draws);
    static const double variance[4] = {1.0, 2.0, 15.0, 96.0};  // of z^k: E z^{2k} - (E z^k)^2
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 4; k++)
            CHECK_NEAR(moment[4 * i + k].mean, k % 2 == 0 ? 0.0 : (k == 1 ? 1.0 : 3.0),
                       fixture_far * sqrt(variance[k] / draws));
    double worst_pair = 0.0, worst_square = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            worst_pair = fmax(worst_pair, fabs(pairs[j + n * i]));
            worst_square = fmax(worst_square, fabs(squares[j + n * i]));
        }
    CHECK_NEAR(worst_pair / sqrt((double)draws), 0.0, 5.0);    // 6000 pairs: one exceeds 5 in 1 of 300 tests
    CHECK_NEAR(worst_square / sqrt((double)draws), 0.0, 6.0);  // the squares' products have heavier tails
}

static void test_workspace(const fixture_shape *v) {
    draw d;
    draw_make(&d, v, 7);
    ap_rng rng = ap_rng_start(1, 1);
    CHECK_WORKSPACE(ap_backsample(d.weights, &d.f.net, N0, d.x, NULL, d.Z0, &rng, &work, &err));
}

int main(void) {
    static const fixture_shape small = {2, {7, 4, 3}}, narrow = {2, {2, 3, 2}}, single = {1, {3, 2}};
    for (size_t k = 0; k < all_shapes; k++) test_constraints(&shapes[k], k + 1);
    test_prior(&single, 1);
    test_prior(&small, 2);
    test_prior(&narrow, 3);
    for (size_t k = 0; k < all_shapes; k++)
        if (k != 5) test_workspace(&shapes[k]);
    return check_report("test_ap_backsample");
}
