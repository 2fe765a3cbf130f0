// test_ap_chain.c: a chain's state, its warm-up and what the warm-up finds
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { dim = 5, entries = dim * dim };

// ---- targets of the tests -------------------------------------------------------------------------------------------

// M = C^{-1}, C_ij = s_i s_j (0.95 off the diagonal): condition 1e5 and more.
static const double scale[dim] = {1.0, 0.1, 0.5, 0.02, 0.7};

static double covariance(size_t i, size_t j) { return scale[i] * scale[j] * (i == j ? 1.0 : 0.95); }

static fixture_normal correlated(void) {
    fixture_normal t = {.dim = dim};
    double C[entries];
    for (size_t i = 0; i < entries; i++) {
        C[i] = covariance(i % dim, i / dim);
        t.M[i] = i % (dim + 1) == 0 ? 1.0 : 0.0;
    }
    (void)fixture_eliminate(C, dim, t.M, dim);
    return t;
}

// The same with a surrogate: another such density, which it follows, while the first accepts or rejects.
typedef struct approximated {
    fixture_normal own, surrogate;  // own comes first: such a target is a normal too
} approximated;

static double learned[4];  // where the surrogate is fitted

static ap_status surrogate_learn(double *surrogate, const ap_target *target, const double *U, ap_work *work,
                                 ap_error *err) {
    surrogate[0] = 1.0;
    memcpy(learned, U, sizeof learned);
    return AP_OK;
}

static ap_status surrogate_evaluate(double *psi, double *grad, const ap_target *target, const double *x, ap_work *work,
                                    ap_error *err) {
    return fixture_normal_at(psi, grad, &((const approximated *)target->self)->surrogate, x, work, err);
}

static ap_status surrogate_exact(double *psi, const ap_target *target, const double *x, ap_work *work, ap_error *err) {
    double grad[dim];
    return fixture_normal_psi(psi, grad, target, x, work, err);
}

static ap_status surrogate_follow(ap_target *moves, const ap_target *target, const double *surrogate,
                                  const double *turn, double *room, ap_error *err) {
    *moves = *target;
    moves->evaluate = surrogate_evaluate;
    moves->exact = surrogate_exact;
    return AP_OK;
}

static const double start[dim] = {0.3, -0.2, 0.1, 0.05, -0.4};

// ---- state ----------------------------------------------------------------------------------------------------------

// After the warm-up only these change: the count, the sums over what came after, the random numbers and the position.
static void test_frozen(bool dense) {
    const fixture_normal t = correlated();
    const size_t warmup = 150;
    fixture_chain r;
    fixture_begin_normal(&r, &t, dense, start, 4);
    for (size_t k = 0; k < warmup; k++) (void)fixture_next(&r, warmup);
    CHECK(r.chain.tuning.acceptance == 0.0 && r.chain.tuning.accepted == 0.0 && r.chain.tuning.diverged == 0.0);
    ap_chain_close(&r.chain);
    double *before = check_copy(r.state, r.size), acceptance = 0.0, accepted = 0.0;
    const ap_tuning then = r.chain.tuning;
    for (size_t k = 0; k < 100; k++) {
        const ap_outcome out = fixture_next(&r, warmup);
        acceptance += out.acceptance;
        accepted += out.accepted;
    }
    ap_tuning now = r.chain.tuning;
    CHECK(now.done == 250.0);
    CHECK_NEAR(now.acceptance, acceptance, 0.0);
    CHECK_NEAR(now.accepted, accepted, 0.0);
    now.done = then.done;
    now.acceptance = now.accepted = 0.0;
    CHECK(memcmp(&now, &then, sizeof now) == 0);
    ap_chain_close(&r.chain);
    const size_t rest = ap_lines(sizeof(ap_tuning) / sizeof(double) + ap_rng_words) + dim;
    CHECK(memcmp(before + rest, r.state + rest, (r.size - rest) * sizeof(double)) == 0);
    CHECK(memcmp(before + rest - dim, r.state + rest - dim, dim * sizeof(double)) != 0);
}

static void test_refusals(void) {
    const fixture_normal t = correlated();
    fixture_chain r;
    const size_t rng = sizeof(ap_tuning) / sizeof(double);
    const struct {
        size_t at;
        double value;
        ap_status status;
    } bad[] = {{1, -1.0, AP_EINPUT},       {1, 0.0, AP_EINPUT},       {1, NAN, AP_EINPUT},   {1, INFINITY, AP_EINPUT},
               {2, 7.0, AP_EINPUT},        {2, 6.0, AP_EINPUT},       {2, -1.0, AP_EINPUT},  {2, NAN, AP_EINPUT},
               {2, 2.5, AP_EINPUT},        {2, 1e300, AP_EINPUT},     {rng, 0.5, AP_EINPUT}, {rng + 3, -1.0, AP_EINPUT},
               {rng + 10, 5.0, AP_EINPUT}, {rng + 6, NAN, AP_EINPUT}, {0, NAN, AP_EINPUT},   {0, -1.0, AP_EINPUT},
               {0, 2.5, AP_EINPUT},        {0, INFINITY, AP_EINPUT}};
    for (int dense = 0; dense < 2; dense++) {
        fixture_begin_normal(&r, &t, dense == 1, start, 5);
        ap_chain_close(&r.chain);
        double *copy = check_room(r.size);
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
            memcpy(copy, r.state, r.size * sizeof *copy);
            copy[bad[k].at] = bad[k].value;
            r.work.used = 0;
            CHECK_STATUS(ap_chain_open(&r.chain, copy, &r.target, &r.work, &err), bad[k].status);
        }
        // a tiny step is a step, but no trajectory of more steps than can be counted
        memcpy(copy, r.state, r.size * sizeof *copy);
        copy[1] = 1e-300;
        r.work.used = 0;
        CHECK_STATUS(ap_chain_open(&r.chain, copy, &r.target, &r.work, &err), AP_OK);
        CHECK(ap_chain_move(&r.chain).steps >= 1 && ap_chain_move(&r.chain).steps < 1000000);
        r.chain.tuning.arm = 1e300;  // nor does it look beyond its table
        CHECK(ap_chain_move(&r.chain).steps >= 1);
        double x[dim];
        memcpy(x, start, sizeof x);
        x[3] = INFINITY;
        const ap_rng stream = ap_rng_start(1, 1);
        CHECK_STATUS(ap_chain_start(copy, &r.target, x, &stream, &err), AP_ENONFINITE);
        CHECK_TEXT(err.text, "coordinate 4");
    }
    const fixture_normal wall = {.dim = dim,
                                 .only = (const double[dim]){9.0, 9.0, 9.0, 9.0, 9.0}};  // the target refuses the start
    const ap_target target = fixture_normal_target(&wall, 0);
    double *state = check_room(ap_chain_state(&target));
    ap_chain chain;
    const ap_rng stream = ap_rng_start(1, 1);
    CHECK_STATUS(ap_chain_start(state, &target, start, &stream, &err), AP_OK);
    CHECK_STATUS(ap_chain_open(&chain, state, &target, &work, &err), AP_ENOTSPD);
}

// ---- warm-up --------------------------------------------------------------------------------------------------------

// Any length of warm-up ends with a step and a trajectory that can be used; none at all leaves them as they were.
static void test_short(void) {
    const fixture_normal t = correlated();
    for (size_t warmup = 0; warmup <= 60; warmup++)
        for (int dense = 0; dense < 2; dense++) {
            fixture_chain r;
            fixture_begin_normal(&r, &t, dense == 1, start, warmup + 1);
            for (size_t k = 0; k < warmup + 3; k++) (void)fixture_next(&r, warmup);
            const ap_move move = ap_chain_move(&r.chain);
            CHECK(move.step > 0.0 && move.step <= 1.5 * (1 + 1e-15) && move.steps >= 1);
            CHECK(isfinite(r.chain.at.psi));
            if (warmup == 0) CHECK(move.step == 0.1 && move.friction == 0.0);
        }
}

// The positions of so many draws have the moments of `correlated`.
static void check_moments(fixture_chain *r, size_t warmup, size_t draws) {
    double *seen = check_room(draws * (dim + entries)), x[dim];
    for (size_t k = 0; k < draws; k++) {
        (void)fixture_next(r, warmup);
        ap_metric_position(x, &r->chain.metric, dim, r->chain.at.z);
        double *row = seen + (dim + entries) * k;
        for (size_t i = 0; i < dim; i++) {
            row[i] = x[i];
            for (size_t j = 0; j < dim; j++) row[dim + i + dim * j] = x[i] * x[j];
        }
    }
    for (size_t i = 0; i < dim + entries; i++) {
        const tally mean = tally_batches(seen + i, draws, dim + entries);
        CHECK_MEAN(&mean, i < dim ? 0.0 : covariance((i - dim) % dim, (i - dim) / dim));
    }
}

// The dense metric of a Gaussian is its covariance: F F' to the sampling error of the last window, which has more than
// a fifth of the warm-up, shrunk by dim / (dim + draws) off the diagonal. Then all directions are one, and the step is
// limited by nothing but its cap; and the positions have the density's moments.
static void test_metric(void) {
    const fixture_normal t = correlated();
    const size_t warmup = 4000, draws = 20000;
    fixture_chain r, plain;
    fixture_begin_normal(&r, &t, true, start, 7);
    fixture_begin_normal(&plain, &t, false, start, 7);
    for (size_t k = 0; k < warmup; k++) (void)fixture_next(&r, warmup);
    for (size_t k = 0; k < 400; k++) (void)fixture_next(&plain, 400);
    const double last = 800.0;  // draws in the last window, at least
    for (size_t j = 0; j < dim; j++)
        for (size_t i = 0; i < dim; i++) {
            double FF = 0.0;
            for (size_t k = 0; k < dim; k++) FF += r.chain.F[i + dim * k] * r.chain.F[j + dim * k];
            const double size = scale[i] * scale[j];
            CHECK_NEAR(FF, covariance(i, j), size * (fixture_far * sqrt(2.0 / last) + 5.0 / last) + 1e-6);
            if (i < j) CHECK(r.chain.F[i + dim * j] == 0.0);
        }
    CHECK(r.chain.tuning.step > 0.79);      // at its cap of 1.5, whole steps make 0.8 or 1.2 of it
    CHECK(plain.chain.tuning.step < 0.05);  // 0.02 is the smallest scale
    check_moments(&r, warmup, draws);
    CHECK(r.chain.tuning.acceptance / (double)draws > 0.6);
}

static ap_target surrogate_target(const approximated *both) {
    ap_target target = fixture_normal_target(&both->own, dim);
    target.head_start = true;
    target.surrogate = 1;
    target.learn = surrogate_learn;
    target.follow = surrogate_follow;
    return target;
}

// The mean of the places, and that of their U, at which the surrogate is fitted
static void test_means(void) {
    enum { places = 8 };
    const approximated both = {.own = correlated(), .surrogate = correlated()};
    const ap_target target = surrogate_target(&both);
    double mean[dim] = {0.0}, order[4] = {0.0}, U[4], x[dim];
    uint64_t seed = 3;
    fixture_chain r;
    fixture_begin(&r, &target, start, 15);
    for (int k = 1; k <= places; k++) {
        check_fill(r.chain.at.z, dim, &seed);
        ap_metric_position(x, &r.chain.metric, dim, r.chain.at.z);
        CHECK_STATUS(fixture_normal_order(U, &target, x, &work, &err), AP_OK);
        ap_axpy(dim, 1.0 / places, r.chain.at.z, mean);
        ap_axpy(4, 1.0 / places, U, order);
        ap_adapt_place(&r.chain, dim);
        if (k == places) CHECK_ARRAYS(r.chain.mean, mean, dim, 1e-14);
        CHECK_STATUS(ap_adapt_surrogate(&r.chain, &target, k == places, &r.work, &err), AP_OK);
    }
    CHECK_ARRAYS(learned, order, 4, 1e-14);
}

// A surrogate of another width everywhere, by the factor: the moments are those of the density itself, also where the
// chain is opened anew. One that is far off is given up in the warm-up.
static void test_surrogate(double factor, bool kept, bool reopened) {
    const size_t warmup = 400, draws = 20000;
    approximated both = {.own = correlated(), .surrogate = correlated()};
    for (size_t i = 0; i < entries; i++) both.surrogate.M[i] *= factor;
    const ap_target target = surrogate_target(&both);
    fixture_chain r;
    fixture_begin(&r, &target, start, 13);
    for (size_t k = 0; k < warmup; k++) {
        (void)fixture_next(&r, warmup);
        if (reopened) fixture_reopen(&r);
    }
    CHECK((r.chain.surrogate[0] == 1.0) == kept && (r.chain.moves.exact != NULL) == kept);
    check_moments(&r, warmup, draws);
    const double acceptance = r.chain.tuning.acceptance / (double)draws;
    CHECK_NEAR(r.chain.tuning.accepted / (double)draws, acceptance, fixture_far * sqrt(0.25 / (double)draws));
    if (kept) CHECK(acceptance < 0.99);  // though steps are exact where the density is normal
    if (reopened) {
        fixture_chain other;
        fixture_begin(&other, &target, start, 13);
        for (size_t k = 0; k < warmup + draws; k++) (void)fixture_next(&other, warmup);
        CHECK(memcmp(r.chain.at.z, other.chain.at.z, dim * sizeof(double)) == 0);
        CHECK(r.chain.at.surrogate_error == other.chain.at.surrogate_error);
    }
}

// A density that is cut off well inside its own width: after the warm start the chain begins where it bears it, and no
// draw is outside. r^2 has the mean 5/7 of the radius' square R under r^4, and exp (-r^2 / 2) takes R var / 2 off it.
static void test_ball(void) {
    const size_t warmup = 200, draws = 2000;
    fixture_normal t = fixture_independent(dim, (const double[dim]){1.0, 1.0, 1.0, 1.0, 1.0});
    ap_target target = fixture_normal_target(&t, dim);
    double *square = check_room(draws), x[dim] = {0.01, 0.0, -0.01, 0.0, 0.0};
    target.head_start = true;
    t.ball = 0.25;
    fixture_chain r;
    fixture_begin(&r, &target, x, 14);
    bool inside = true;
    for (size_t k = 0; k < warmup + draws; k++) {
        (void)fixture_next(&r, warmup);
        ap_metric_position(x, &r.chain.metric, dim, r.chain.at.z);
        inside = inside && ap_dot(dim, x, x) <= t.ball * t.ball;
        if (k >= warmup) square[k - warmup] = ap_dot(dim, x, x) / (t.ball * t.ball);
    }
    CHECK(inside);
    const tally mean = tally_batches(square, draws, 1);
    CHECK_MEAN(&mean, 5.0 / 7.0 - 0.5 * (5.0 / 9.0 - 25.0 / 49.0) * t.ball * t.ball);
}

// Each trajectory's step is off by up to a tenth. Where the density is standard normal the trajectory is a rotation of
// (z, p) by the sum of its steps, and the random numbers are one uniform for the step and then the momenta.
static void test_jitter(void) {
    const fixture_normal t = fixture_independent(dim, (const double[dim]){1.0, 1.0, 1.0, 1.0, 1.0});
    fixture_chain r;
    fixture_begin_normal(&r, &t, false, start, 12);
    double least = 2.0, most = 0.0;
    for (int k = 0; k < 200; k++) {
        ap_rng peek = r.chain.rng;
        double z[dim], p[dim], want[dim];
        const double off = 0.9 + 0.2 * ap_rng_uniform(&peek), angle = 16 * 0.1 * off;  // sixteen steps: 1.6, the first
        memcpy(z, r.chain.at.z, sizeof z);
        ap_rng_normals(p, dim, &peek);
        for (size_t i = 0; i < dim; i++) want[i] = cos(angle) * z[i] + sin(angle) * p[i];
        (void)fixture_next(&r, 0);
        CHECK_ARRAYS(r.chain.at.z, want, dim, 1e-13);
        least = fmin(least, off);
        most = fmax(most, off);
    }
    CHECK(least > 0.9 && least < 0.91 && most > 1.09 && most < 1.1);
}

// A chain that cannot move goes through its warm-up all the same; afterwards its failures are counted.
static void test_stuck(bool dense) {
    fixture_normal t = correlated();
    t.only = start;
    const size_t warmup = 200;
    fixture_chain r;
    fixture_begin_normal(&r, &t, dense, start, 8);
    bool refused = true;
    for (size_t k = 0; k < warmup + 50; k++) {
        const ap_outcome out = fixture_next(&r, warmup);
        refused = refused && out.diverged && !out.accepted && out.gradients == 1;
        fixture_reopen(&r);
    }
    CHECK(refused);
    double x[dim];
    ap_metric_position(x, &r.chain.metric, dim, r.chain.at.z);
    CHECK(memcmp(x, start, sizeof x) == 0);
    CHECK(r.chain.tuning.diverged == 50.0 && r.chain.tuning.accepted == 0.0 && r.chain.tuning.acceptance == 0.0);
    CHECK(r.chain.tuning.arm == 0.0 && r.chain.tuning.step > 0.0);
}

// A start far out, where no step is small enough at first: the trajectories must not get endless while the step falls.
static void test_stiff(void) {
    const double all[dim] = {1e10, 1e6, 1.0, 1.0, 1.0};
    const fixture_normal t = fixture_independent(dim, all);
    const size_t warmup = 300;
    fixture_chain r;
    fixture_begin_normal(&r, &t, false, start, 9);
    double gradients = 0.0;
    for (size_t k = 0; k < warmup; k++) gradients += (double)fixture_next(&r, warmup).gradients;
    CHECK(gradients < 3e6);
}

int main(void) {
    test_frozen(true);
    test_frozen(false);
    test_refusals();
    test_short();
    test_metric();
    test_jitter();
    test_ball();
    test_stuck(true);
    test_stuck(false);
    test_surrogate(1.2, true, false);
    test_surrogate(0.9, true, true);
    test_surrogate(8.0, false, false);
    test_stiff();
    test_means();
    return check_report("test_ap_chain");
}
