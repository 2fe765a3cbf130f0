// test_ap_transition.c: a chain in pieces, stopped, and without memory
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { most = 12 };

// Reopened after every unit and trajectory: equal bits.
static void test_reopen(size_t rank, size_t warmup) {
    const fixture_normal t = fixture_eigenvalues(most, fixture_spread, 4, 80);
    const ap_target target = fixture_head_start(&t, rank);
    const double x[most] = {2.0, -1.0, 1.5};
    fixture_chain a, b;
    fixture_begin(&a, &target, x, 4);
    fixture_begin(&b, &target, x, 4);
    bool same = true;
    for (size_t k = 0; k < warmup + 20; k++) {
        (void)fixture_next(&a, warmup);
        (void)fixture_next(&b, warmup);
        same = same && memcmp(a.chain.at.z, b.chain.at.z, most * sizeof(double)) == 0;
        same = same && memcmp(a.chain.at.grad, b.chain.at.grad, most * sizeof(double)) == 0;
        fixture_reopen(&b);
    }
    ap_chain_close(&a.chain);
    ap_chain_close(&b.chain);
    CHECK(same);
    CHECK(memcmp(a.state, b.state, a.size * sizeof(double)) == 0);
    CHECK(*a.chain.length >= 2.0 && *a.chain.length <= floor(0.3 * (double)warmup) + 1.0);
}

static bool third(void *context) { return ++*(int *)context == 3; }

static void test_stop(void) {
    const fixture_normal t = fixture_eigenvalues(most, fixture_spread, 4, 83);
    ap_target target = fixture_head_start(&t, most);
    const double x[most] = {3.0};
    ap_outcome out;
    int asked = 0;
    fixture_chain r;
    target.stop = third;
    target.context = &asked;
    fixture_begin(&r, &target, x, 1);
    CHECK_STATUS(ap_transition(&r.chain, &out, &target, 200, &r.work, &err), AP_INTERRUPTED);
    CHECK(asked == 3 && r.chain.tuning.done == 0.0);
}

static ap_status unit(double *state, const double *before, const ap_target *target) {
    ap_chain chain;
    ap_outcome out;
    memcpy(state, before, ap_chain_state(target) * sizeof *state);
    ap_status status = ap_chain_open(&chain, state, target, &work, &err);
    if (status == AP_OK) status = ap_transition(&chain, &out, target, 55, &work, &err);
    if (status == AP_OK) ap_chain_close(&chain);
    work.used = 0;
    return status;
}

static void test_workspace(size_t rank) {  // each unit of a warm-up, and some trajectories
    const fixture_normal t = fixture_eigenvalues(most, fixture_spread, 4, 84);
    const ap_target target = fixture_head_start(&t, rank);
    const size_t size = ap_chain_state(&target);
    const double x[most] = {1.0};
    const ap_rng rng = ap_rng_start(11, 0);
    double *state = check_room(size);
    CHECK_STATUS(ap_chain_start(state, &target, x, &rng, &err), AP_OK);
    for (int k = 0; k < 60; k++) {
        const double *before = check_copy(state, size);
        CHECK_WORKSPACE(unit(state, before, &target));
        CHECK_STATUS(unit(state, before, &target), AP_OK);
    }
}

int main(void) {
    test_reopen(most, 120);
    test_reopen(5, 120);
    test_stop();
    test_workspace(most);
    test_workspace(5);
    return check_report("test_ap_transition");
}
