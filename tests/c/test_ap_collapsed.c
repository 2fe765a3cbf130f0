// test_ap_collapsed.c: the posterior of the order parameters in Bartlett coordinates, against the Wishart chain itself
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// ---- definition -----------------------------------------------------------------------------------------------------

static void test_definition(const fixture_shape *v, size_t number) {
    setting s;
    fixture_shaped(&s, v);
    const ap_net *net = &s.f.net;
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim, paths = s.f.paths;
    uint64_t seed = 80 + number;
    double *g = fixture_numbers(n, 1.0, &seed), *U = check_room(paths * paths + target.chain), psi, first = 0.0;
    CHECK(target.paths == paths);
    for (int point = 0; point < 4; point++) {
        double *x = fixture_numbers(n, 1.5, &seed), density, xx = 0.0;
        fixture_level c[6] = {{0}};
        fixture_levels(c, &density, net, x);
        if (point == 0) {
            size_t dim = 0, B = 0, R = 0;
            for (size_t l = 1; l <= net->L + 1; l++) {
                CHECK(ap_bartlett_rank(net, l) == c[l].m);
                for (size_t j = 0; j < c[l].m; j++) dim += c[l].q - j;
                B += c[l].q * c[l].m;
                R += c[l].paths * c[l].m;
            }
            CHECK(n == dim);
            CHECK(ap_bartlett_size(net).B == B && ap_bartlett_size(net).R == R);
        }
        double *B = check_room(ap_bartlett_size(net).B), *R = check_room(ap_bartlett_size(net).R);
        ap_bartlett_factors(B, R, net, x, NULL);
        const double *at_B = B, *at_R = R;
        for (size_t l = net->L + 1; l >= 1; l--) {
            CHECK_ARRAYS(at_B, c[l].B, c[l].q * c[l].m, 1e-13);  // exp of at most 3, a few roundings
            CHECK_ARRAYS(at_R, c[l].R, c[l].paths * c[l].m, 1e-12);
            at_B += c[l].q * c[l].m;
            at_R += c[l].paths * c[l].m;
        }
        fixture_level_order(U, &c[1]);
        CHECK_STATUS(target.order(U + paths * paths, &target, x, &work, &err), AP_OK);
        for (size_t l = net->L + 1; l >= 1; l--) {  // U_1 last, for use below
            fixture_level_order(U, &c[l]);
            CHECK_ARRAYS(U + paths * paths + ap_params_at(net, l), U, c[l].paths * c[l].paths, 1e-12);
        }
        CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_OK);
        for (size_t i = 0; i < n; i++) xx += x[i] * x[i];
        const double constant = psi + 0.5 * xx - (0.5 * fixture_energy(&s.f, U) - density);
        if (point == 0) first = constant;
        CHECK_NEAR(constant, first, 1e-10);  // terms up to 1e2, and E with condition 1e4
        CHECK(work.used == 0);
    }
    double *x = fixture_numbers(n, 1.0, &seed);
    fixture_check_gradient(&target, x, 3.2e-2 / sqrt((double)n), seed);
}

// The same against the Wishart densities (T11) of u_a, U_L, .., U_1, if none is singular. The Jacobian of the map
// x -> (u_a, U_L, .., U_1), by central differences, relates them to the coordinates.
static double log_wishart(const double *U, size_t n, double N, double variance, const double *above, size_t heads) {
    const size_t m = n / heads;
    double *copy = check_room(n * n), *S = check_doubles(n * n), trace = 0.0;
    for (size_t h = 0; h < heads; h++)
        for (size_t j = 0; j < m; j++)
            for (size_t i = 0; i < m; i++) S[h * m + i + n * (h * m + j)] = variance / N * above[i + m * j];
    memcpy(copy, U, n * n * sizeof *copy);
    const double logdet_S = fixture_eliminate(S, n, copy, n);
    for (size_t i = 0; i < n; i++) trace += copy[i + n * i];
    memcpy(copy, U, n * n * sizeof *copy);
    const double logdet_U = fixture_eliminate(copy, n, NULL, 0);
    return 0.5 * (N - (double)n - 1.0) * logdet_U - 0.5 * trace - 0.5 * N * logdet_S;
}

// The lower triangles of u_a, U_L, .., U_1 end to end, and the log density of them all.
static void matrices(double *entries, double *density, const ap_net *net, const double *x) {
    fixture_level c[6] = {{0}};
    double unused, above[400] = {1.0}, U[400];
    fixture_levels(c, &unused, net, x);
    *density = 0.0;
    for (size_t l = net->L + 1; l >= 1; l--) {
        const size_t n = c[l].paths;
        fixture_level_order(U, &c[l]);
        *density += log_wishart(U, n, net->width[l - 1], net->variance[l], above, l > net->L ? 1 : net->H[l - 1]);
        for (size_t j = 0; j < n; j++)
            for (size_t i = j; i < n; i++) *entries++ = U[i + n * j];
        memcpy(above, U, n * n * sizeof *U);
    }
}

static void test_wishart(const fixture_shape *v, size_t number) {
    setting s;
    fixture_shaped(&s, v);
    const ap_net *net = &s.f.net;
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim;
    uint64_t seed = 90 + number;
    double *J = check_room(n * n), *side = check_room(2 * n), *g = check_room(n);
    double *U = check_room(target.chain), psi, first = 0.0;
    for (int point = 0; point < 2; point++) {
        double *x = fixture_numbers(n, 1.0, &seed), density, unused, xx = 0.0;
        const double h = 1e-4;
        for (size_t j = 0; j < n; j++) {
            const double kept = x[j];
            xx += kept * kept;
            for (int k = 0; k < 2; k++) {
                x[j] = kept + (k == 0 ? h : -h);
                matrices(side + n * k, &unused, net, x);
            }
            x[j] = kept;
            for (size_t i = 0; i < n; i++) J[i + n * j] = (side[i] - side[n + i]) / (2.0 * h);
        }
        matrices(side, &density, net, x);
        density += fixture_eliminate(J, n, NULL, 0);
        CHECK_STATUS(target.order(U, &target, x, &work, &err), AP_OK);
        CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_OK);
        const double constant = psi + 0.5 * xx - (0.5 * fixture_energy(&s.f, U) - density);
        if (point == 0) first = constant;
        CHECK_NEAR(constant, first, 1e-7 * (double)n);  // h^2 = 1e-8 times third derivatives
    }
}

// ---- failures, workspace --------------------------------------------------------------------------------------------

static void test_failures(void) {
    setting s;
    fixture_shaped(&s, &fixture_shapes[1]);
    const ap_target target = ap_collapsed_target(&s.p);
    double *x = check_doubles(target.dim), *g = check_room(target.dim), psi;
    x[0] = 1e6;  // u_a overflows
    CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_ENONFINITE);
    CHECK(work.used == 0);
    x[0] = NAN;
    CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_ENONFINITE);
    x[0] = -1e6;  // u_a = 0: the kernel is T I; only the prior density refuses it
    CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_OK);
    CHECK(psi < -1e10);  // minus |x|^2/2 = 5e11, which psi omits
}

static void test_workspace(const fixture_shape *v, double memory) {
    setting s;
    fixture_make(&s.f, v->L, false, 40, 2, 3, 2);
    fixture_widths(&s.f, v->width);
    setting_prepare(&s, memory);
    CHECK((s.kernel.packed != NULL) == (memory > 0.0));
    fixture_check_workspace(ap_collapsed_target(&s.p));
}

int main(void) {
    for (size_t k = 0; k < fixture_all_shapes; k++) test_definition(&fixture_shapes[k], k);
    for (size_t k = 0; k < fixture_full_shapes; k++) test_wishart(&fixture_shapes[k], k);
    test_failures();
    test_workspace(&fixture_shapes[1], 0.0);
    test_workspace(&fixture_shapes[5], 1e9);
    return check_report("test_ap_collapsed");
}
