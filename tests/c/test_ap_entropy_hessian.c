// test_ap_entropy_hessian.c: the linear map against the matrix, against differences, against its inverse
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { most = 36 * 36 };  // numbers of U_1

typedef struct view {
    setting s;
    ap_entropy_hessian entropy;
    size_t n, chain;
    double *x, *d, *M;  // coordinates, their matrices, images under the map
} view;

static void view_make(view *t, size_t L, double retraction) {
    uint64_t seed = 20 + L;
    setting_make(&t->s, L, 5, 0.0);
    setting_derive(&t->s);
    CHECK_STATUS(ap_entropy_hessian_take(&t->entropy, &t->s.f.net, &t->s.work, &err), AP_OK);
    CHECK_STATUS(ap_entropy_hessian_make(&t->entropy, &t->s.point, retraction, &err), AP_OK);
    t->n = ap_params_unknowns(&t->s.f.net);
    t->chain = ap_params_length(&t->s.f.net);
    t->x = fixture_numbers(t->n, 1.0, &seed);
    t->d = fixture_numbers(t->chain, 1.0, &seed);
    t->M = fixture_numbers(t->chain, 1.0, &seed);
    ap_params_matrices(t->d, &t->s.f.net, t->x);
}

// H d with the matrix of ap_curvature.c in the same frame. Both sum the same few hundred products in another order: a
// relative error of 1e-15 a term.
static void test_matrix(size_t L) {
    view t;
    view_make(&t, L, 1.0);
    const size_t n = t.n, paths = t.s.f.paths;
    double *H = check_room(n * n), *want = check_room(n), *got = check_room(n);
    double A[most], I[most], scratch[most];
    CHECK_STATUS(ap_curvature_entropy(H, &t.s.f.net, &t.s.point, t.s.point.chol, &t.s.work, &err), AP_OK);
    ap_spd_congruence(A, t.s.point.G, t.s.point.chol, paths, scratch);
    ap_spd_identity(I, paths);
    ap_curvature_add(H, n, paths, 1.0, A, I);
    ap_symv(n, 1.0, H, n, t.x, 0.0, want);
    ap_entropy_hessian_apply(t.M, &t.entropy, t.d);
    ap_params_derivative(got, &t.s.f.net, t.M);
    const double size = check_largest(want, n);
    CHECK(size > 1.0);
    CHECK_ARRAYS(got, want, n, 1e-12 * size);
}

// Along straight lines: F' (difference of the entropy's gradients) F, central, error c h^2 with observed order 2.
static void test_straight(size_t L) {
    view t;
    view_make(&t, L, 0.0);
    const ap_net *net = &t.s.f.net;
    double *here = check_room(t.chain), *x = check_room(t.chain), *g = check_doubles(2 * t.chain);
    double *F = check_room(t.chain), worst[2] = {0.0}, size = 0.0, framed[most], scratch[most];
    memcpy(here, t.s.point.order, t.chain * sizeof *here);
    memcpy(F, t.s.point.chol, t.chain * sizeof *F);
    memcpy(x, t.d, t.chain * sizeof *x);
    ap_entropy_hessian_apply(t.M, &t.entropy, t.d);
    for (size_t l = 1; l <= L; l = ap_params_next(net, l)) {
        const ap_member u = ap_params_member(net, l);
        ap_spd_multiply('N', x + u.at, F + u.at, u.n);
    }
    for (size_t step = 0; step < 2; step++) {
        const double h = step == 0 ? 2e-3 : 1e-3;
        for (size_t side = 0; side < 2; side++) {
            for (size_t i = 0; i + 1 < t.chain; i++) t.s.point.order[i] = here[i] + (side ? -h : h) * x[i];
            CHECK_STATUS(ap_entropy(&t.s.point, net, &err), AP_OK);
            CHECK_STATUS(ap_entropy_gradient(&t.s.point, net, &t.s.work, &err), AP_OK);
            memcpy(g + t.chain * side, t.s.point.grad, t.chain * sizeof *g);
        }
        for (size_t i = 0; i < t.chain; i++) g[i] = (g[i] - g[t.chain + i]) / (2.0 * h);
        for (size_t l = 1; l <= L; l = ap_params_next(net, l)) {
            const ap_member u = ap_params_member(net, l);
            ap_spd_congruence(framed, g + u.at, F + u.at, u.n, scratch);
            worst[step] = fmax(worst[step], check_apart(framed, t.M + u.at, u.n * u.n));
            size = fmax(size, check_largest(framed, u.n * u.n));
        }
    }
    CHECK(worst[1] < 1e-3 * size);
    CHECK_NEAR(log2(worst[0] / worst[1]), 2.0, 0.2);
}

// Without data, at the GP point and without the term of u_a, the inverse is exact.
static void test_inverse(size_t L) {
    view t;
    view_make(&t, L, 1.0);
    const ap_net *net = &t.s.f.net;
    double *back = check_doubles(t.chain), *other = check_room(t.chain);
    ap_params_matrices(back, net, t.x);
    ap_params_clear(back, net);  // order parameters that are not free are ignored
    ap_params_gp(t.s.point.order, net);
    t.s.f.net.temperature = 1e12;
    setting_derive(&t.s);
    CHECK_STATUS(ap_entropy_hessian_make(&t.entropy, &t.s.point, 1.0, &err), AP_OK);
    t.entropy.factor = 0.0;
    memcpy(other, back, t.chain * sizeof *other);
    ap_entropy_hessian_solve(other, &t.entropy);
    ap_params_copy_tied(other, net);
    ap_entropy_hessian_apply(t.M, &t.entropy, other);
    CHECK_ARRAYS(t.M, back, t.chain - 1, 1e-9 * check_largest(back, t.chain));  // the effect of the data at T = 1e12
}

// The two halves of the inverse are adjoint and their product is the inverse; the determinant is that of the inverse as
// a matrix in orthonormal coordinates. Rounding of some hundred products: 1e-12 of the size, 1e-9 of n.
static void test_halves(size_t L) {
    view t;
    view_make(&t, L, 1.0);
    const ap_net *net = &t.s.f.net;
    const size_t n = t.n, bytes = t.chain * sizeof(double);
    double *a = check_doubles(t.chain), *b = check_doubles(t.chain), *c = check_doubles(t.chain);
    double *Y = check_room(n * n), *unit = check_doubles(n), *weight = check_room(n);
    uint64_t seed = 7;
    double *x = fixture_numbers(n, 1.0, &seed);
    ap_params_matrices(a, net, t.x);
    ap_params_matrices(b, net, x);
    memcpy(c, a, bytes);
    memset(t.M, 0, bytes);
    ap_params_matrices(t.M, net, t.x);
    ap_params_clear(a, net);  // order parameters that are not free do not contribute
    ap_params_clear(b, net);
    ap_entropy_hessian_forth(c, &t.entropy);
    const double one = ap_dot(t.chain - 1, b, c);
    ap_entropy_hessian_back(b, &t.entropy);
    ap_params_clear(b, net);
    CHECK_NEAR(ap_dot(t.chain - 1, b, a), one, 1e-12 * sqrt(ap_dot(t.chain - 1, b, b) * ap_dot(t.chain - 1, a, a)));
    ap_entropy_hessian_back(c, &t.entropy);
    ap_entropy_hessian_solve(t.M, &t.entropy);
    ap_params_clear(c, net);
    ap_params_clear(t.M, net);
    CHECK_ARRAYS(c, t.M, t.chain - 1, 1e-12 * sqrt(ap_dot(t.chain - 1, t.M, t.M)));

    for (size_t l = 1; l <= L; l = ap_params_next(net, l))
        ap_pairs_weights(weight + ap_params_member(net, l).first, ap_params_member(net, l).n);
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1.0 / sqrt(weight[j]);
        ap_params_matrices(a, net, unit);
        ap_entropy_hessian_solve(a, &t.entropy);
        ap_params_coordinates(Y + n * j, net, a);
        for (size_t i = 0; i < n; i++) Y[i + n * j] *= sqrt(weight[i]);
        unit[j] = 0.0;
    }
    CHECK_STATUS(ap_spd_chol(Y, n, "the inverse", &err), AP_OK);
    CHECK_NEAR(ap_entropy_hessian_logdet(&t.entropy), -ap_spd_logdet(Y, n), 1e-9 * (double)n);
}

int main(void) {
    static const unsigned skips[] = {0, 1, 2, 3, 5, 6, 7};  // of the layers: none, some, all
    for (size_t k = 0; k < sizeof skips / sizeof *skips; k++)
        for (size_t L = 1; L <= (skips[k] == 0 ? 4 : 3); L++) {
            fixture_skips = skips[k];
            test_halves(L);
            test_matrix(L);
            test_straight(L);
            test_inverse(L);
        }
    return check_report("test_ap_entropy_hessian");
}
