// test_ap_adapt.c: the step that the warm-up finds, and the trajectory that it chooses
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { dim = 5 };

static const double start[dim] = {0.3, -0.2, 0.1, 0.05, -0.4};

// Dual averaging: acceptance near 0.8, where the cap of the step allows it to be so low.
static void test_acceptance(double precision, bool dense, uint64_t seed) {
    const double all[dim] = {precision, 0.3 * precision, 1.0, 2.0, precision};
    const fixture_normal t = fixture_independent(dim, all);
    const size_t warmup = 400, draws = 1000;
    fixture_chain r;
    fixture_begin_normal(&r, &t, dense, start, seed);
    for (size_t k = 0; k < warmup + draws; k++) (void)fixture_next(&r, warmup);
    const double acceptance = r.chain.tuning.acceptance / (double)draws;
    CHECK(acceptance > 0.6 && acceptance < (dense ? 1.0 : 0.98));
    CHECK_NEAR(r.chain.tuning.accepted / (double)draws, acceptance, fixture_far * sqrt(0.25 / (double)draws));
    CHECK(r.chain.tuning.diverged == 0.0);
    const double step = r.chain.tuning.step;  // stability: h^2 times the largest curvature below 4
    if (!dense) CHECK(step < 2.0 / sqrt(precision) && step > 0.1 / sqrt(precision));
}

// The choice of a trajectory, followed from outside: they take turns, and the one kept is worth the most,
// 1 / (cost |tau|), tau_i = (1 + rho_i) / (1 - rho_i), with rho_i >= -0.8 from the squared changes of the entries of U
// and of the log density; but the first, unless another is better by a quarter. The cost is in gradients: those taken,
// the momenta drawn, and one for the draw itself.
static void test_arms(const double *precision, uint64_t seed) {
    enum { from = 90, to = 540, warmup = 600, seen = 4 };
    const fixture_normal t = fixture_independent(dim, precision);
    fixture_chain r;
    fixture_begin_normal(&r, &t, false, start, seed);
    double last[seen] = {0.0}, jump[seen][ap_arms] = {{0.0}}, tries[ap_arms] = {0.0}, cost[ap_arms] = {0.0};
    tally moments[seen] = {{0}};
    bool in_turn = true;
    for (size_t k = 1; k <= warmup; k++) {
        const size_t arm = (size_t)r.chain.tuning.arm;
        const ap_outcome out = fixture_next(&r, warmup);
        if (k <= from || k > to) continue;
        in_turn = in_turn && arm == (k - from - 1) % ap_arms;
        const double *x = r.chain.at.z;
        double psi = r.chain.at.psi, now[seen] = {x[0] * x[0], x[0] * x[1], x[1] * x[1], 0.0};
        for (size_t i = 0; i < dim; i++) psi += 0.5 * x[i] * x[i];
        now[3] = psi;
        for (size_t i = 0; i < seen; i++) {
            tally_add(&moments[i], now[i]);
            if (k > from + 1) jump[i][arm] += (now[i] - last[i]) * (now[i] - last[i]);
            last[i] = now[i];
        }
        if (k == from + 1) continue;
        tries[arm]++;
        cost[arm] += 1.0 + (double)out.gradients + 0.3 * (arm < 4 ? 1.0 : (double)out.gradients);
    }
    CHECK(in_turn);
    size_t best = 0;
    double most = 0.0;
    for (size_t arm = 0; arm < ap_arms; arm++) {
        CHECK(r.chain.tuning.tries[arm] == tries[arm]);
        CHECK_NEAR(r.chain.tuning.cost[arm], cost[arm], 1e-12 * cost[arm]);
        double square = 0.0;
        for (size_t i = 0; i < seen; i++) {
            const double rho = 1.0 - 0.5 * jump[i][arm] / tries[arm] / (moments[i].square / moments[i].n);
            const double tau = (1.0 + rho) / (1.0 - rho);
            square += rho < -0.8 ? 1.0 / 81.0 : tau * tau;
        }
        const double worth = (arm == 0 ? 1.25 : 1.0) / (sqrt(square) * cost[arm] / tries[arm]);
        if (worth > most) best = arm;
        most = fmax(most, worth);
    }
    CHECK(r.chain.tuning.arm == (double)best);
    const ap_move move = ap_chain_move(&r.chain);
    const double length = move.step * (double)move.steps;
    const double lengths[ap_arms] = {1.6, 0.8, 1.2, 2.4, 1.6, 2.4};
    CHECK_NEAR(length, lengths[best], 1e-12);  // the step is shortened, so that whole ones make it
    CHECK(move.friction == (best < 4 ? 0.0 : 1.0));
}

int main(void) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        test_acceptance(10.0, false, seed);
        test_acceptance(1000.0, false, seed);
        test_acceptance(1000.0, true, seed);
    }
    for (uint64_t seed = 1; seed <= 12; seed++) test_arms((const double[dim]){30.0, 10.0, 3.0, 1.0, 1.0}, seed);
    test_arms((const double[dim]){100.0, 0.2, 3.0, 1.0, 1.0}, 7);
    test_arms((const double[dim]){1.0, 1.5, 3.0, 1.0, 0.5}, 8);
    return check_report("test_ap_adapt");
}
