// test_ap_prior.c: draws from the prior have the GP point as their mean, in every way of sampling
// SPDX-License-Identifier: BSD-3-Clause
//
// E U_l over the prior is the GP point at any width (theory.md sections 4 and 17): the overlaps of u^{(l)} are means of
// products of weights. Seeds are fixed; a correct program fails five standard errors once in two million comparisons.

#include "fixture.h"

enum { draws = 5000, most = 3 };

typedef struct shape {
    size_t L;
    unsigned skips;  // bit l - 1: layer l has a skip connection, which makes widths l and l + 1 equal
    double width[4];
    size_t C;
} shape;

// Heads 2 | 2, 3 | 2, 3, 2; narrow widths, where degrees of freedom are few, and widths above the paths
static const shape shapes[] = {{1, 0, {4, 6}, 1},       {1, 1, {5, 5}, 1},       {2, 1, {7, 7, 4}, 1},
                               {2, 2, {9, 6, 6}, 1},    {2, 3, {5, 5, 5}, 1},    {2, 3, {14, 14, 14}, 1},
                               {3, 5, {8, 8, 6, 6}, 1}, {3, 2, {6, 4, 4, 3}, 1}, {1, 1, {6, 6}, 2},
                               {2, 1, {12, 12, 7}, 2},  {2, 0, {5, 3, 4}, 2},    {2, 2, {9, 8, 8}, 3}};

static void make(setting *s, const shape *v, uint64_t seed) {
    fixture_skips = v->skips;
    fixture_make(&s->f, v->L, false, 2, 2, 3, seed);
    fixture_skips = 0;
    fixture_widths(&s->f, v->width);
    setting_for(s, v->C, 0.0);
}

static void check_far(const tally *t, double want) { CHECK_NEAR(t->mean, want, 5.0 * tally_error(t) + 1e-12); }

static void test_order(const ap_target *target, const ap_net *net, uint64_t seed) {
    const size_t chain = ap_params_length(net);
    double *x = check_room(target->dim), *U = check_room(chain), *gp = check_room(chain);
    tally *t = check_zeros(chain, sizeof *t);
    ap_rng rng = ap_rng_start(seed, 0);
    ap_params_gp(gp, net);
    for (size_t k = 0; k < draws; k++) {
        target->start(x, target, &rng);
        if (target->order(U, target, x, &work, &err) != AP_OK) break;
        for (size_t i = 0; i < chain; i++) tally_add(&t[i], U[i]);
    }
    CHECK(t[0].n == draws);
    for (size_t i = 0; i < chain; i++) check_far(&t[i], gp[i]);
}

// Weights drawn back from order parameters of the prior: their order parameters are the same, and so the mean is; each
// weight has its prior's variance.
static void test_weights(const ap_problem *p, uint64_t seed) {
    const ap_net *net = p->net;
    const size_t N0 = 2, N = ap_weights_width(net, 1), upper = ap_weights_upper(net), chain = ap_params_length(net),
                 m = ap_bartlett_rank(net, 1);
    const ap_target collapsed = ap_collapsed_target(p), langevin = ap_langevin_upper_target(p);
    double *x = check_room(collapsed.dim), *Z = check_room(N0 * m), *w = check_room(N * N0 + upper),
           *U = check_room(chain), *V = check_room(chain);
    tally *t = check_zeros(N * N0 + upper, sizeof *t);
    ap_rng rng = ap_rng_start(seed, 1);
    double worst = 0.0;
    for (size_t k = 0; k < draws; k++) {
        collapsed.start(x, &collapsed, &rng);
        for (size_t i = 0; i < N0 * m; i++) Z[i] = sqrt(net->variance[0]) * ap_rng_normal(&rng);
        if (ap_backsample(w, net, N0, x, NULL, Z, &rng, &work, &err) != AP_OK) break;
        size_t at = 0;
        for (; at < N * N0; at++) tally_add(&t[at], w[at] * w[at] / net->variance[0]);
        for (size_t l = 1; l <= net->L + 1; l++)
            for (size_t i = ap_weights_layer(net, l); i > 0; i--, at++) {
                w[at] /= sqrt(net->variance[l]);
                tally_add(&t[at], w[at] * w[at]);
            }
        if (k >= 10) continue;
        CHECK_STATUS(collapsed.order(U, &collapsed, x, &work, &err), AP_OK);
        CHECK_STATUS(langevin.order(V, &langevin, w + N * N0, &work, &err), AP_OK);
        for (size_t i = 0; i < chain; i++) worst = fmax(worst, fabs(U[i] - V[i]) / check_largest(U, chain));
    }
    CHECK(worst < 1e-11);
    CHECK(t[0].n == draws);
    for (size_t i = 0; i < N * N0 + upper; i++) check_far(&t[i], 1.0);
}

int main(void) {
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        setting s;
        make(&s, &shapes[k], 300 + k);
        const ap_target ways[most] = {ap_collapsed_target(&s.p), ap_langevin_upper_target(&s.p),
                                      ap_langevin_every_target(&s.p)};
        for (size_t i = 0; i < most; i++) test_order(&ways[i], s.p.net, 300 + 10 * k + i);
        test_weights(&s.p, 300 + k);
    }
    return check_report("test_ap_prior");
}
