// test_ap_params.c: the chain of order parameters: places by hand, and each pair of maps as adjoints of each other
// SPDX-License-Identifier: BSD-3-Clause
//
// <B x, y> = <x, B' y> for random x and y, of sums of some hundred products: 1e-12 of their size.

#include "fixture.h"

static void check_adjoint(size_t n, const double *Bx, const double *y, size_t m, const double *x, const double *By) {
    CHECK_NEAR(ap_dot(n, Bx, y), ap_dot(m, x, By), 1e-12 * sqrt(ap_dot(n, Bx, Bx) * ap_dot(n, y, y)));
}

static void symmetric(double *x, const ap_net *net, uint64_t *seed) {
    AP_MEMBERS (u, net) {
        memcpy(x + u.at, fixture_numbers(u.n * u.n, 1.0, seed), u.n * u.n * sizeof *x);
        ap_spd_symmetrise(x + u.at, u.n);
    }
}

// U_1 [12 x 12] and U_2 [4 x 4] of 2 heads and a skip connection below 3 heads and one; then u_a
static void test_places(void) {
    fixture f;
    fixture_skips = 3;
    fixture_make(&f, 2, false, 2, 2, 2, 1);
    const ap_member one = ap_params_member(&f.net, 1), two = ap_params_member(&f.net, 2),
                    last = ap_params_member(&f.net, 3);
    CHECK(one.n == 12 && one.at == 0 && one.branches == 3 && one.below == 4 && one.tied == 4 && one.owner == 1);
    CHECK(two.n == 4 && two.at == 144 && two.branches == 4 && two.below == 1 && two.tied == 1 && two.owner == 1);
    CHECK(last.n == 1 && last.at == 160 && last.branches == 1 && last.below == 1 && last.tied == 0 && last.owner == 1);
    CHECK(one.first == 0 && one.pairs == 78 && ap_params_unknowns(&f.net) == 78 && ap_params_length(&f.net) == 161);
    CHECK(ap_params_next(&f.net, 1) == 3 && !ap_params_eliminated(&f.net) && !ap_params_fixed(&f.net));
    f.skip[0] = 0.0;
    CHECK(ap_params_member(&f.net, 1).n == 8 && ap_params_next(&f.net, 1) == 2 && ap_params_owner(&f.net, 3) == 2);
    CHECK(ap_params_unknowns(&f.net) == 36 + 10 && ap_params_last(&f.net) == 3);
    fixture_skips = 0;
}

// Matrices, and coordinates, of all members are contiguous. The GP point, each entry a product of its layers'
// variances; the trace of U_L; and with it the second derivative by log u_a of
// N_a u_a / sigma_a^2 + N_L tr U_L / (sigma_L^2 u_a), whatever is linear in log u_a
static void test_point(size_t L) {
    fixture f;
    fixture_make(&f, L, false, 2, 2, 2, 1);
    double *order = check_room(ap_params_length(&f.net)), trace = 0.0;
    ap_params_gp(order, &f.net);
    size_t at = 0, first = 0;
    AP_MEMBERS (u, &f.net) {
        double entry = f.variance[L + 1];
        CHECK(u.n == ap_net_paths(&f.net, u.layer) && u.at == at && u.first == first &&
              ap_params_at(&f.net, u.layer) == at);
        CHECK(u.width == f.width[u.layer - 1] && u.variance == f.variance[u.layer] && u.branches * u.below == u.n);
        at += u.n * u.n;
        first += u.pairs;
        for (size_t l = u.layer; l <= L; l++) entry *= f.variance[l];
        for (size_t i = 0; i < u.n * u.n; i++)
            CHECK_NEAR(order[u.at + i], i % (u.n + 1) == 0 ? entry : 0.0, 1e-15 * entry);
        if (u.layer == L)
            for (size_t i = 0; i < u.n; i++) trace += order[u.at + i * (u.n + 1)] *= 1.0 + (double)i;
    }
    CHECK(ap_params_length(&f.net) == at && ap_params_unknowns(&f.net) == first - 1);
    double *ua = order + ap_params_at(&f.net, L + 1);
    CHECK_NEAR(ap_params_top_trace(&f.net, order), trace, 1e-14 * trace);
    *ua = 0.7;
    const double own = f.width[L] * *ua / f.variance[L + 1], top = f.width[L - 1] * trace / (f.variance[L] * *ua);
    CHECK_NEAR(ap_params_readout_curvature(&f.net, order), own + top, 1e-14 * (own + top));
}

static void test_adjoints(size_t L) {
    fixture f;
    uint64_t seed = 40 + L;
    fixture_make(&f, L, false, 2, 2, 2, 1);
    const ap_net *net = &f.net;
    const size_t length = ap_params_length(net), n = ap_params_unknowns(net);
    double *x = check_room(length), *y = check_room(length), *v = check_room(n), *w = fixture_numbers(n, 1.0, &seed);
    symmetric(x, net, &seed);
    symmetric(y, net, &seed);
    double *spread = check_copy(x, length), *collected = check_copy(y, length);
    ap_params_copy_tied(spread, net);  // x of members that are not free does not count
    ap_params_sum_tied(collected, net);
    check_adjoint(length, spread, y, length, x, collected);
    ap_params_matrices(x, net, w);
    x[length - 1] = 0.0;
    AP_FREE_MEMBERS (u, net) {
        double *Y = y + u.at;
        ap_pairs_pack(v + u.first, Y, u.n, 2.0);
    }
    double *free_x = check_copy(x, length), *again = check_room(n);
    ap_params_clear(free_x, net);
    check_adjoint(length, free_x, y, n, w, v);
    ap_params_derivative(again, net, y);
    CHECK_ARRAYS(again, v, n, 1e-14 * check_largest(v, n));
    ap_params_coordinates(again, net, x);
    CHECK_ARRAYS(again, w, n, 0.0);
    ap_params_gradient(spread, net, v);
    AP_FREE_MEMBERS (u, net) CHECK_ARRAYS(spread + u.at, y + u.at, u.n * u.n, 1e-14);
}

// Sums over the heads' blocks against their repetition; a factor, with U_l = R_l R_l', against its adjoint in both
// arguments, in which it is linear
static void test_heads(size_t L) {
    fixture f;
    uint64_t seed = 60 + L;
    fixture_make(&f, L, false, 2, 2, 2, 1);
    AP_MEMBERS (u, &f.net) {
        const size_t n = u.n, below = u.below, k = below + 1, m = k + 1, heads = (u.n - u.tied) / u.below;
        double *U = fixture_numbers(n * n, 1.0, &seed), *Y = fixture_numbers(below * below, 1.0, &seed);
        double *ptr = check_room(below * below), *repeated = check_room(n * n);
        if (u.layer > L) break;
        ap_params_ptr(ptr, U, &u);
        ap_params_repeat(repeated, Y, &u);
        check_adjoint(below * below, ptr, Y, n * n, U, repeated);
        double *above = fixture_numbers(below * k, 1.0, &seed), *B = fixture_numbers(heads * k * m, 1.0, &seed);
        double *R = check_room(n * m), *of_B = check_room(n * m), *dR = fixture_numbers(n * m, 1.0, &seed);
        double *dB = check_room(heads * k * m), *d_above = check_room(below * k), *none = check_doubles(heads * k * m);
        ap_params_factor(R, 0.7, above, k, B, m, &u);
        ap_params_factor(of_B, 0.7, above, k, none, m, &u);  // what a skip connection adds
        for (size_t i = 0; i < n * m; i++) of_B[i] = R[i] - of_B[i];
        ap_params_factor_back(dB, d_above, 0.7, dR, above, k, B, m, &u);
        check_adjoint(n * m, of_B, dR, heads * k * m, B, dB);
        check_adjoint(n * m, R, dR, below * k, above, d_above);
    }
}

int main(void) {
    test_places();
    for (size_t L = 1; L <= 4; L++) test_point(L);
    for (fixture_skips = 0; fixture_skips < 8; fixture_skips++)
        for (size_t L = 1; L <= 3; L++) {
            test_adjoints(L);
            test_heads(L);
        }
    return check_report("test_ap_params");
}
