// test_ap_triangular.c: curves that rotate eigenvectors: start, stay in the cone, curvature of the action along them
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

typedef struct view {
    setting s;
    ap_model model;  // a matrix, along the curves, all curvature exact
    size_t n, chain;
    double *x, *d, *U, *F;  // coordinates, their matrices; a point of the curve; the factors at its start
} view;

static void view_make(view *t, size_t L) {
    uint64_t seed = 60 + L;
    setting_make(&t->s, L, 6, 0.0);
    setting_derive(&t->s);
    ap_settings settings = ap_settings_default();
    settings.probes = 6;
    CHECK_STATUS(ap_model_take(&t->model, &t->s.p, &settings, &ap_dense_ops, &t->s.work, &err), AP_OK);
    t->model.turns = t->model.dense.met = true;
    const ap_step full = {.fraction = 1.0, .length = 1.0};
    CHECK_STATUS(t->model.how->update(&t->model, &t->s.point, &full, &t->s.work, &err), AP_OK);
    t->n = ap_params_unknowns(&t->s.f.net);
    t->chain = ap_params_length(&t->s.f.net);
    t->x = fixture_numbers(t->n, 0.5, &seed);
    t->d = fixture_numbers(t->chain, 1.0, &seed);
    t->U = fixture_numbers(t->chain, 1.0, &seed);
    t->F = check_room(t->chain);
    memcpy(t->F, t->s.point.chol, t->chain * sizeof *t->F);
    ap_params_matrices(t->d, &t->s.f.net, t->x);
}

static void go(view *t, double time) {  // U := the point of the curve at that time
    double d[144];
    for (size_t l = 1; l <= t->s.f.net.L; l++) {
        const ap_member u = ap_params_member(&t->s.f.net, l);
        for (size_t i = 0; i < u.n * u.n; i++) d[i] = time * t->d[u.at + i];
        ap_triangular_retract(t->U + u.at, &t->model.curves, &u, t->F + u.at, d);
    }
}

// At time 0 the curve is at U; its points at h and -h differ by 2 h F d F' up to c h^3; det U is det F' F exp (h tr d).
static void test_start(size_t L) {
    view t;
    view_make(&t, L);
    double error[2], x[144], *plus = check_room(t.chain);
    go(&t, 0.0);
    CHECK_ARRAYS(t.U, t.s.point.order, t.chain - 1, 1e-13);
    for (size_t step = 0; step < 2; step++) {
        const double h = step == 0 ? 2e-2 : 1e-2;
        go(&t, h);
        memcpy(plus, t.U, t.chain * sizeof *plus);
        go(&t, -h);
        error[step] = 0.0;
        for (size_t l = 1; l <= L; l++) {
            const ap_member u = ap_params_member(&t.s.f.net, l);
            memcpy(x, t.d + u.at, u.n * u.n * sizeof(double));
            ap_spd_multiply('N', x, t.F + u.at, u.n);
            for (size_t i = 0; i < u.n * u.n; i++)
                error[step] = fmax(error[step], fabs((plus[u.at + i] - t.U[u.at + i]) / (2.0 * h) - x[i]));
        }
    }
    CHECK(error[1] < 1e-3);
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    go(&t, 2.0);  // far from the start, but in the cone
    for (size_t l = 1; l <= L; l++) {
        const ap_member u = ap_params_member(&t.s.f.net, l);
        double trace = 0.0;
        for (size_t i = 0; i < u.n; i++) trace += t.d[u.at + i * (u.n + 1)];
        CHECK_STATUS(ap_spd_chol(t.U + u.at, u.n, "U", &err), AP_OK);
        CHECK_NEAR(ap_spd_logdet(t.U + u.at, u.n), ap_spd_logdet(t.F + u.at, u.n) + 2.0 * trace, 1e-9);
    }
}

// d' H d of the model along the curves is the second derivative of S there: central differences, error c h^2, order 2.
static void test_bend(size_t L) {
    view t;
    view_make(&t, L);
    const double middle = t.s.point.action;
    double *Hx = check_room(t.n), error[2];
    ap_symv(t.n, 1.0, t.model.dense.H, t.n, t.x, 0.0, Hx);
    const double want = ap_dot(t.n, t.x, Hx);
    for (size_t step = 0; step < 2; step++) {
        const double h = step == 0 ? 2e-2 : 1e-2;
        double sum = -2.0 * middle;
        for (int side = -1; side <= 1; side += 2) {
            go(&t, side * h);
            memcpy(t.s.point.order, t.U, (t.chain - 1) * sizeof *t.U);
            CHECK_STATUS(ap_action_value(&t.s.point, &t.s.p, &t.s.work, &err), AP_OK);
            sum += t.s.point.action;
        }
        error[step] = fabs(sum / (h * h) - want);
    }
    CHECK(error[1] < 1e-2 * fabs(want));
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.2);
}

// The map and the matrix: ap_triangular_matrix adds the map minus the retraction's curvature term to a zero matrix.
static void test_map(size_t L) {
    view t;
    view_make(&t, L);
    const size_t n = t.n;
    double *H = check_doubles(n * n), *want = check_room(n), *got = check_room(n);
    double one[144], two[144], g[144], *M = check_doubles(t.chain);
    ap_triangular_matrix(H, &t.model.curves, n, one, two);
    ap_symv(n, 1.0, H, n, t.x, 0.0, want);
    for (size_t l = 1; l <= L; l++) {
        const ap_member u = ap_params_member(&t.s.f.net, l);
        const double *d = t.d + u.at;
        ap_triangular_add(M + u.at, &t.model.curves, &u, d);
        ap_spd_congruence(g, t.s.point.grad + u.at, t.F + u.at, u.n, one);
        ap_gemm('N', 'N', u.n, u.n, u.n, 1.0, g, u.n, d, u.n, 0.0, one, u.n);
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i < u.n; i++) M[u.at + i + u.n * j] -= 0.5 * (one[i + u.n * j] + one[j + u.n * i]);
    }
    ap_params_derivative(got, &t.s.f.net, M);
    const double size = check_largest(want, n);
    CHECK(size > 0.1);
    CHECK_ARRAYS(got, want, n, 1e-12 * size);
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        test_start(L);
        test_bend(L);
        test_map(L);
    }
    return check_report("test_ap_triangular");
}
