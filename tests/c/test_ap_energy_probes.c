// test_ap_energy_probes.c: the linear map against the matrix and against differences of gradients
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { most = 12 };  // paths of the fixture

typedef struct view {
    setting s;
    ap_energy_probes random;
    size_t q, m;
    double *x, d[most * most], X[most * most], M[most * most];  // coordinates of d, d, R d R', the image of d
} view;

static void view_make(view *t, size_t L, size_t P, size_t probes, double memory) {
    uint64_t seed = 30 + L;
    setting_make(&t->s, L, P, memory);
    setting_derive(&t->s);
    CHECK_STATUS(ap_energy_probes_take(&t->random, &t->s.p, L % 2 == 1, probes, &t->s.work, &err), AP_OK);
    ap_energy_probes_make(&t->random, &t->s.point, t->s.point.chol);
    t->q = t->s.kernel.pairs;
    t->m = t->s.f.paths;
    t->x = fixture_numbers(t->q, 1.0, &seed);
    ap_pairs_unpack(t->d, t->x, t->m, 1.0);
    memcpy(t->X, t->d, sizeof t->X);
    ap_spd_multiply('N', t->X, t->s.point.chol, t->m);
    memset(t->M, 0, sizeof t->M);
    ap_energy_probes_add(t->M, &t->random, t->d);
}

// R' (the matrices with derivatives E x) R with E of ap_curvature.c and the same probes. Both sum the same products in
// another order; A's condition, about 1e3, enters twice.
static void test_matrix(size_t L, size_t P, size_t probes, double memory) {
    view t;
    view_make(&t, L, P, probes, memory);
    const size_t q = t.q;
    double *quadratic = check_room(q * q), *logdet = check_doubles(q * q);
    double *g = check_room(q), *v = check_room(q), W[most * most], want[most * most], S[most * most];
    CHECK_STATUS(ap_curvature_energy(quadratic, g, logdet, probes, &t.s.p, &t.s.point, &t.s.work, &err), AP_OK);
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) quadratic[i + q * j] -= probes > 0 ? logdet[i + q * j] : g[i] * g[j] / (double)P;
    ap_pairs_pack(t.x, t.X, t.m, 1.0);
    ap_symv(q, 1.0, quadratic, q, t.x, 0.0, v);
    ap_pairs_unpack(W, v, t.m, 0.5);
    ap_spd_congruence(want, W, t.s.point.chol, t.m, S);
    const double size = check_largest(want, t.m * t.m);
    CHECK(size > 1e-3);
    CHECK_ARRAYS(t.M, want, t.m * t.m, 1e-10 * size);
}

// With as many probes as examples it is the derivative of R' G R, G moved along X: central differences, order 2.
static void test_exact(size_t L, size_t P, double memory) {
    view t;
    view_make(&t, L, P, P, memory);
    const size_t m = t.m;
    double F[most * most], G[2][most * most], want[most * most], S[most * most], worst[2] = {0.0}, size = 0.0;
    memcpy(F, t.s.point.chol, m * m * sizeof(double));
    for (size_t step = 0; step < 2; step++) {
        const double h = step == 0 ? 2e-3 : 1e-3;
        for (size_t side = 0; side < 2; side++) {
            for (size_t i = 0; i < m * m; i++) t.s.point.order[i] = t.s.f.order[i] + (side ? -h : h) * t.X[i];
            setting_derive(&t.s);
            memcpy(G[side], t.s.point.G, m * m * sizeof(double));
        }
        for (size_t i = 0; i < m * m; i++) G[0][i] = (G[0][i] - G[1][i]) / (2.0 * h);
        ap_spd_congruence(want, G[0], F, m, S);
        worst[step] = check_apart(want, t.M, m * m);
        size = fmax(size, check_largest(want, m * m));
    }
    CHECK(worst[1] < 1e-2 * size);
    CHECK_NEAR(log2(worst[0] / worst[1]), 2.0, 0.2);
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        const double memory = L % 2 ? 0.0 : 1e9;
        test_matrix(L, 20, 0, memory);
        test_matrix(L, 20, 3, memory);
        test_matrix(L, 9, 9, memory);
        test_exact(L, 9, memory);
    }
    return check_report("test_ap_energy_probes");
}
