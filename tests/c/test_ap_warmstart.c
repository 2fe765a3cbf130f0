// test_ap_warmstart.c: chains that begin at the mode
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { most = 12 };

// A chain whose rows are turned takes the mean of the curvature at further places, here of one matrix: F F' = M^{-1}.
static ap_status stay(double *turn, double *x, const ap_target *target, ap_work *work, ap_error *err) { return AP_OK; }

static void test_turned(void) {
    enum { n = most, warmup = 800 };
    fixture_normal t = fixture_eigenvalues(n, fixture_spread, 4, 85);
    ap_target target = fixture_head_start(&t, n);
    const double x[most] = {2.0, -1.0, 1.5};
    double C[n * n], inverse[n * n];
    target.turn = 1;
    target.turn_rows = stay;
    fixture_chain r;
    fixture_begin(&r, &target, x, 12);
    double at[5] = {0.0}, before[n], here[n];
    for (size_t k = 0; k < warmup; k++) {
        ap_metric_position(before, &r.chain.metric, n, r.chain.at.z);
        (void)fixture_next(&r, warmup);
        if (at[(int)r.chain.turn[0]] != 0.0) continue;
        at[(int)r.chain.turn[0]] = (double)k;
        ap_metric_position(here, &r.chain.metric, n, r.chain.at.z);
        if (r.chain.turn[0] > 1.0)
            CHECK_ARRAYS(here, before, n, 1e-12);  // in the new metric the chain stands where it was
    }
    CHECK(r.chain.turn[0] == 4.0);  // three places, at equal distances
    CHECK(at[3] - at[2] > warmup / 20.0);
    CHECK_NEAR(at[4] - at[3], at[3] - at[2], 2.0);
    fixture_outer(C, r.chain.F, n, n);
    ap_spd_identity(inverse, n);
    (void)fixture_eliminate(t.M, n, inverse, n);
    CHECK_ARRAYS(C, inverse, n * n, 1e-6);
}

// Starts of a normal density: (x - mode)' M (x - mode) has the mean 2 dim, twice that of draws.
static void test_apart(size_t rank) {
    enum { chains = 300 };
    const fixture_normal t = fixture_eigenvalues(most, fixture_spread, 4, 81);
    const ap_target target = fixture_head_start(&t, rank);
    const double prior[most] = {1.0, 1.0, -1.0};
    double M[most * most], mode[most];
    memcpy(M, t.M, sizeof M);
    memcpy(mode, t.b, sizeof mode);
    (void)fixture_eliminate(M, most, mode, 1);
    tally form = {0};
    for (uint64_t seed = 1; seed <= chains; seed++) {
        double x[most], sum = 0.0;
        fixture_chain r;
        fixture_begin(&r, &target, prior, seed);
        while (*r.chain.length == 0.0) (void)fixture_next(&r, 200);
        ap_metric_position(x, &r.chain.metric, most, r.chain.at.z);
        for (size_t i = 0; i < most; i++)
            for (size_t j = 0; j < most; j++) sum += (x[i] - mode[i]) * t.M[i + most * j] * (x[j] - mode[j]);
        tally_add(&form, sum);
    }
    // the mode is found to 0.1 in units of |.|^2 / 2
    CHECK_NEAR(form.mean, 2.0 * most, fixture_far * tally_error(&form) + 0.2);
}

// Two separated wells: chains remain in the well where they begin, and R-hat, which compares the variance of their
// means with that within them, detects it. With one well the same chains agree.
static double rhat_of(double well) {
    enum { chains = 4, draws = 200, warmup = 200 };
    fixture_normal t = {.dim = 2, .M = {1.0, 0.0, 0.0, 1.0}, .well = well};
    if (!(well > 0.0)) t.M[0] = 30.0;
    const ap_target target = fixture_head_start(&t, 2);
    tally mean = {0}, within = {0};
    for (uint64_t seed = 0; seed < chains; seed++) {
        const double x[2] = {seed % 2 == 0 ? 1.0 : -1.0, 0.5};
        tally one = {0};
        fixture_chain r;
        fixture_begin(&r, &target, x, 7 + seed);
        for (size_t k = 0; k < warmup + draws; k++) {
            double at[2];
            (void)fixture_next(&r, warmup);
            ap_metric_position(at, &r.chain.metric, 2, r.chain.at.z);
            if (k >= warmup) tally_add(&one, at[0]);
        }
        if (well > 0.0) CHECK(one.mean * x[0] > 0.0);
        tally_add(&mean, one.mean);
        tally_add(&within, one.square / (draws - 1.0));
    }
    return sqrt(1.0 + mean.square / (chains - 1.0) / within.mean);
}

// A warm-up of any length, also one too short for a search of the mode, ends with a valid step.
static void test_short(void) {
    const fixture_normal t = fixture_eigenvalues(most, fixture_spread, 4, 82);
    for (size_t warmup = 0; warmup <= 80; warmup++)
        for (size_t rank = 4; rank <= most; rank += 8) {
            const ap_target target = fixture_head_start(&t, rank);
            const double x[most] = {0.5};
            fixture_chain r;
            fixture_begin(&r, &target, x, warmup + 1);
            for (size_t k = 0; k < warmup + 3; k++) (void)fixture_next(&r, warmup);
            CHECK(r.chain.tuning.done == (double)(warmup + 3));
            CHECK((*r.chain.length > 0.0) == (10 * (15 * warmup / 100) >= rank));
            CHECK(r.chain.tuning.step > 0.0 && r.chain.tuning.step < 2.5);
            CHECK(isfinite(r.chain.at.psi));
            const double length = ap_chain_arms[(size_t)r.chain.tuning.arm].length;
            const double steps = length / r.chain.tuning.step, adapted = length / exp(r.chain.tuning.step_mean) - 0.1;
            if (*r.chain.length > 0.0) CHECK(steps < 1.5 || (steps > adapted - 1e-9 && steps < adapted + 1.0));
        }
}

int main(void) {
    test_turned();
    test_apart(most);
    test_apart(5);
    CHECK(rhat_of(3.0) > 2.0);
    CHECK(rhat_of(0.0) < 1.1);
    test_short();
    return check_report("test_ap_warmstart");
}
