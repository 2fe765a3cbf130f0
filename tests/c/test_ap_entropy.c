// test_ap_entropy.c: the entropy against its definition, its gradient against differences, its minimum, its rounding
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// (T8) with u_a given, written with inverses and determinants.
static double entropy(const fixture *f, double ua) {
    const ap_net *net = &f->net;
    const size_t L = net->L;
    const double *U = f->order;
    double sum = net->width[L] * (ua / net->variance[L + 1] - log(ua));
    for (size_t l = 1; l <= L; l++) {
        const size_t n = ap_net_paths(net, l), H = net->H[l - 1], m = n / H;
        double *copy = check_copy(U, n * n), *ptr = check_doubles(m * m), *next = check_room(m * m), trace = 0.0;
        for (size_t h = 0; h < H; h++)
            for (size_t j = 0; j < m; j++)
                for (size_t i = 0; i < m; i++) ptr[i + m * j] += U[h * m + i + n * (h * m + j)];
        for (size_t i = 0; i < m * m; i++) next[i] = l == L ? ua : U[n * n + i];
        const double logdet = fixture_eliminate(next, m, ptr, m);  // ptr := U_{l+1}^{-1} ptr
        for (size_t j = 0; j < m; j++) trace += ptr[j + m * j];
        sum += net->width[l - 1] * (trace / net->variance[l] + (double)H * logdet);
        sum -= net->width[l - 1] * fixture_eliminate(copy, n, NULL, 0);
        U += n * n;
    }
    return sum;
}

static void test_definition(size_t L) {
    setting s;
    setting_make(&s, L, 2, 0.0);
    CHECK_STATUS(ap_entropy(&s.point, &s.f.net, &err), AP_OK);
    const double S = entropy(&s.f, setting_ua(&s));
    CHECK_NEAR(s.point.entropy, S, 1e-12 * (1 + fabs(S)));
    CHECK(entropy(&s.f, setting_ua(&s) * 1.001) > S && entropy(&s.f, setting_ua(&s) * 0.999) > S);  // u_a minimises
    AP_MEMBERS (u, &s.f.net) {
        double *one = check_room(u.n * u.n), *F = check_room(u.n * u.n), *I = check_doubles(u.n * u.n);
        for (size_t i = 0; i < u.n; i++) I[i + u.n * i] = 1.0;
        ap_gemm('N', 'N', u.n, u.n, u.n, 1.0, s.point.order + u.at, u.n, s.point.inverse + u.at, u.n, 0.0, one, u.n);
        CHECK_ARRAYS(one, I, u.n * u.n, 1e-11);
        fixture_outer(F, s.point.chol + u.at, u.n, u.n);
        CHECK_ARRAYS(F, s.point.order + u.at, u.n * u.n, 1e-13 * check_largest(F, u.n * u.n));
    }
}

// Central differences along a random symmetric direction of the free members, with skip connections and with two
// outputs: h = 1e-4 leaves 1e-8 of third derivatives of some hundred.
static void test_gradient(size_t L, size_t C) {
    setting s;
    uint64_t seed = 7 + L;
    setting_make(&s, L, 2, 0.0);
    if (C > 1) setting_outputs(&s, C, 0.0);
    const ap_net *net = s.p.net;
    const size_t length = ap_params_length(net);
    double *D = check_doubles(length), *here, S[2];
    AP_FREE_MEMBERS (u, net) {
        memcpy(D + u.at, fixture_numbers(u.n * u.n, 1.0, &seed), u.n * u.n * sizeof *D);
        ap_spd_symmetrise(D + u.at, u.n);
    }
    ap_params_gp(s.point.order, net);
    AP_FREE_MEMBERS (u, net)
        for (size_t i = 0; i < u.n; i++) s.point.order[u.at + i * (u.n + 1)] *= 0.5 + (double)(i + 1) / (double)u.n;
    here = check_copy(s.point.order, length);
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < length; i++) s.point.order[i] = here[i] + (side == 0 ? 1e-4 : -1e-4) * D[i];
        CHECK_STATUS(ap_entropy(&s.point, net, &err), AP_OK);
        S[side] = s.point.entropy;
    }
    memcpy(s.point.order, here, length * sizeof *here);
    CHECK_STATUS(ap_entropy(&s.point, net, &err), AP_OK);
    CHECK_STATUS(ap_entropy_gradient(&s.point, net, &s.work, &err), AP_OK);
    CHECK_NEAR(ap_dot(length, s.point.grad, D), (S[0] - S[1]) / 2e-4, 1e-5 * check_largest(s.point.grad, length));
    if (L > 1) CHECK_WORKSPACE(ap_entropy_gradient(&s.point, net, &work, &err));
}

static void test_gp_point(size_t L) {  // the entropy's minimum: its gradient vanishes there, u_a is sigma_a^2
    setting s;
    setting_make(&s, L, 2, 0.0);
    ap_params_gp(s.point.order, &s.f.net);
    CHECK_STATUS(ap_entropy(&s.point, &s.f.net, &err), AP_OK);
    CHECK_STATUS(ap_entropy_gradient(&s.point, &s.f.net, &s.work, &err), AP_OK);
    CHECK_NEAR(check_largest(s.point.grad, ap_params_length(&s.f.net)), 0.0, 1e-12);
    CHECK_NEAR(setting_ua(&s), s.f.variance[L + 1], 1e-14);
}

// log det of an ill-conditioned U_1 that is known: `noise` bounds the error, and is no more than what rounding of U
// does.
static void test_noise(void) {
    for (int k = 0; k < 5; k++) {
        setting s;
        setting_make(&s, 1, 2, 0.0);
        const double small = pow(10.0, -3.0 * k), c = 1.0 + small;  // U = c I + the exchange: c^2 - 1
        const double U[] = {c, 1.0, 1.0, c}, logdet = log(small) + log(2.0 + small);
        memcpy(s.point.order, U, sizeof U);
        CHECK_STATUS(ap_entropy(&s.point, &s.f.net, &err), AP_OK);
        const double ua = setting_ua(&s), *N = s.f.width, *v = s.f.variance;
        const double S = N[1] * (ua / v[2] - log(ua)) + N[0] * (2.0 * c / (v[1] * ua) - logdet + 2.0 * log(ua));
        CHECK(fabs(s.point.entropy - S) <= 2.0 * s.point.noise);
        CHECK(s.point.noise <= 1e-14 * N[1] * (10.0 + 10.0 / small));
    }
}

// A readout's order parameter that underflows: the message names it, not an internal matrix.
static void test_underflow(void) {
    setting s;
    setting_make(&s, 1, 4, 0.0);
    s.f.variance[2] = 1e-200;
    s.f.width[1] = 2.0;  // less than H N_1: b > 0
    for (size_t i = 0; i < s.f.paths * s.f.paths; i++) s.point.order[i] *= 1e-200;
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_ENONFINITE);
    CHECK_TEXT(err.text, "u_a is 0");
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        test_definition(L);
        test_gp_point(L);
    }
    for (fixture_skips = 0; fixture_skips < 4; fixture_skips++)
        for (size_t L = 1; L <= 3; L++) test_gradient(L, 1);
    fixture_skips = 0;
    test_gradient(1, 2);
    test_gradient(2, 2);
    test_noise();
    test_underflow();
    return check_report("test_ap_entropy");
}
