// test_ap_anneal.c: energies of particles, and moves that leave the tempered density invariant
// SPDX-License-Identifier: BSD-3-Clause

#include "attnpath_beyond.h"
#include "fixture.h"

enum { P = 6, count = 5 };

static void setup(setting *s, double *width) {
    *s = (setting){0};
    fixture_make(&s->f, 2, false, 8, 2, P, 3);
    if (width != NULL) fixture_widths(&s->f, width);
    s->f.net.temperature = 0.5;
    setting_prepare(s, 0.0);
}

static void test_prior_gradient(double *width) {
    setting s;
    setup(&s, width);
    const size_t n = ap_anneal_dim(&s.p);
    double *x = check_room(n), *g = check_room(n);
    ap_rng rng = ap_rng_start(1, 2);
    ap_bartlett_start(x, &s.f.net, &rng);
    (void)ap_bartlett_prior(g, &s.f.net, x);
    for (size_t i = 0; i < n; i++) {
        const double h = 1e-4, here = x[i];
        x[i] = here + h;
        const double up = ap_bartlett_prior(NULL, &s.f.net, x);
        x[i] = here - h;
        const double down = ap_bartlett_prior(NULL, &s.f.net, x);
        x[i] = here;
        CHECK_NEAR(g[i], (up - down) / (2.0 * h), 1e-6);  // h^2, and eps / h of numbers of order 10
    }
}

// half is E/2 at the order parameter of the coordinates, before and after a move.
static void test_energies(double *width) {
    setting s;
    setup(&s, width);
    const size_t n = ap_anneal_dim(&s.p);
    ap_anneal a = {.problem = &s.p, .beta = 0.3, .step = 0.2, .steps = 3, .seed = 4, .stream = 100};
    const ap_target t = ap_collapsed_target(&s.p);
    double *x = check_room(n * count), half[count], accepted[count],
           U[80];  // the chain of 6, 3 and 1 paths
    CHECK_STATUS(ap_anneal_start(x, half, &a, count, &s.work, &err), AP_OK);
    for (int moves = 0; moves < 3; moves++) {
        for (size_t k = 0; k < count; k++) {
            CHECK_STATUS(t.order(U, &t, x + n * k, &s.work, &err), AP_OK);
            CHECK_NEAR(half[k], 0.5 * fixture_energy(&s.f, U), 1e-9 * (1.0 + fabs(half[k])));
        }
        CHECK_STATUS(ap_anneal_move(x, half, accepted, &a, count, &s.work, &err), AP_OK);
        for (size_t k = 0; k < count; k++) CHECK(accepted[k] > 0.0 && accepted[k] <= 1.0);
        a.stream += count;
    }
}

// In one step, a wrong gradient has an energy error of first order in the step size, the right one of third order.
static void test_order(void) {
    setting s;
    setup(&s, NULL);
    const size_t n = ap_anneal_dim(&s.p);
    double *x = check_room(n * count), half[count], accepted[count];
    double error[2] = {0.0, 0.0};
    for (size_t k = 0; k < 2; k++) {
        ap_anneal a = {.problem = &s.p, .beta = 0.4, .step = k == 0 ? 0.04 : 0.02, .steps = 1, .seed = 4, .stream = 7};
        CHECK_STATUS(ap_anneal_start(x, half, &a, count, &s.work, &err), AP_OK);
        CHECK_STATUS(ap_anneal_move(x, half, accepted, &a, count, &s.work, &err), AP_OK);
        for (size_t i = 0; i < count; i++) error[k] += 1.0 - accepted[i];
    }
    CHECK(error[0] > 1e-9);  // at least one of five particles loses energy
    CHECK_NEAR(log2(error[0] / error[1]), 3.0, 0.5);
}

// At beta = 0+ the target is the prior: after moves, means of the coordinates and of E/2 are those of prior draws. At
// beta = 1 the mean of E/2 differs.
static void test_invariance(void) {
    enum { many = 4000 };
    setting s;
    setup(&s, NULL);
    const size_t n = ap_anneal_dim(&s.p);
    double *x = check_room(n * many), *half = check_room(many), *rest = check_room(many);
    tally before = {0}, after = {0};
    ap_anneal a = {.problem = &s.p, .beta = 1e-9, .step = 0.7, .steps = 2, .seed = 5, .stream = 0};
    CHECK_STATUS(ap_anneal_start(x, half, &a, many, &s.work, &err), AP_OK);
    for (size_t k = 0; k < many; k++) tally_add(&before, half[k]);
    a.stream = many;
    CHECK_STATUS(ap_anneal_move(x, half, rest, &a, many, &s.work, &err), AP_OK);
    for (size_t k = 0; k < many; k++) tally_add(&after, half[k]);
    CHECK_MEANS(&before, &after);
    a.beta = 1.0;
    for (int moves = 0; moves < 4; moves++) {
        a.stream += many;
        CHECK_STATUS(ap_anneal_move(x, half, rest, &a, many, &s.work, &err), AP_OK);
    }
    after = (tally){0};
    for (size_t k = 0; k < many; k++) tally_add(&after, half[k]);
    CHECK(after.mean < before.mean - fixture_far * tally_error(&before));
}

static void test_refusals(void) {
    setting s;
    double x[200], half[1], accepted[1];
    setup(&s, NULL);
    for (int k = 0; k < 3; k++) {
        ap_anneal a = {.problem = &s.p, .beta = k == 0 ? 0.0 : k == 1 ? 1.5 : NAN, .step = 0.1, .steps = 1};
        CHECK_STATUS(ap_anneal_move(x, half, accepted, &a, 1, &s.work, &err), AP_EINPUT);
    }
}

static ap_status run(const setting *s) {
    static double x[400], half[2], accepted[2];
    const ap_anneal a = {.problem = &s->p, .beta = 0.5, .step = 0.1, .steps = 1};
    const ap_status status = ap_anneal_start(x, half, &a, 2, &work, &err);
    return status == AP_OK ? ap_anneal_move(x, half, accepted, &a, 2, &work, &err) : status;
}

int main(void) {
    double narrow[3] = {3, 2, 4};
    test_prior_gradient(NULL);
    test_prior_gradient(narrow);
    test_energies(NULL);
    test_energies(narrow);
    test_order();
    test_invariance();
    test_refusals();
    setting s;
    setup(&s, NULL);
    CHECK_WORKSPACE(run(&s));
    return check_report("test_ap_anneal");
}
