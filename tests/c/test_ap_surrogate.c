// test_ap_surrogate.c: the surrogate of a sampler: its energy against that of all examples, and chains that use it
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// 70 examples, which with 4 features span at most 8 or 24 directions. If all of these have eigenvalues above the
// surrogate's bound, the surrogate omits only a constant. With small features (1/100 of the others) it omits some.
enum { examples = 70, features = 4 };

static void make(setting *s, size_t L, double memory, double temperature, double small) {
    fixture_make(&s->f, L, false, features, 2, examples, 50 + L);
    s->f.net.temperature = temperature;
    for (size_t i = 0; i < examples * s->f.paths; i++)
        for (size_t j = features / 2; j < features; j++) s->f.Xi[j + features * i] *= small;
    setting_prepare(s, memory);
}

typedef struct learned {
    double *state, *room;
    ap_surrogate *surrogate;
    ap_work work;
} learned;

static learned learn(const setting *s, const double *U, size_t dim) {
    uint64_t seed = 3;
    learned l = {.work = check_work()};
    l.state = fixture_numbers(ap_surrogate_state(&s->p), 1e9, &seed);
    l.room = fixture_numbers(ap_surrogate_room(&s->p, dim), 1e9, &seed);
    CHECK_STATUS(ap_surrogate_learn(l.state, &s->p, U, &l.work, &err), AP_OK);
    if (l.state[0] > 0.0) CHECK_STATUS(ap_surrogate_lay(&l.surrogate, l.room, &s->p, dim, l.state, &err), AP_OK);
    CHECK(l.work.used == 0);
    return l;
}

// The surrogate's energy and its derivative with respect to U.
static double energy_of(learned *l, double *G, const double *U) {
    const size_t square = l->surrogate->whole.kernel->paths * l->surrogate->whole.kernel->paths;
    double energy = 0.0;
    CHECK_STATUS(ap_energy_gradient(&energy, G, &l->surrogate->few, U, NULL, &l->work, &err), AP_OK);
    for (size_t i = 0; i < square; i++) {
        energy += l->surrogate->slope[i] * U[i];
        G[i] += l->surrogate->slope[i];
    }
    return energy;
}

// If no direction is omitted, the two energies differ by a constant, up to rounding. Otherwise they have equal
// derivatives at U*, and the difference is of second order: at U* + h D it decreases by a factor of four when h is
// halved.
static void test_energy(size_t L, double memory, double small) {
    setting s;
    make(&s, L, memory, 0.05, small);
    const size_t paths = s.f.paths, square = paths * paths;
    uint64_t seed = 9;
    double *U = check_room(square), *D = check_room(square), *G = check_room(square);
    double *g = check_room(square), rest[3], energy = 0.0;
    const double *at = s.f.order;
    learned l = learn(&s, at, 1);
    const double k = l.state[0];
    CHECK(k > 0.0 && k <= (double)(features * paths + 1));
    if (small < 1.0) CHECK(k < (double)(features * paths + 1));
    CHECK_STATUS(ap_energy_gradient(&energy, G, &s.p, at, NULL, &l.work, &err), AP_OK);
    const double constant = energy - energy_of(&l, g, at);
    const double largest = check_largest(G, square);
    CHECK_ARRAYS(g, G, square, 1e-9 * largest);  // condition 1e4, P of them added up
    if (small == 1.0) CHECK_NEAR(check_largest(l.surrogate->slope, square), 0.0, 1e-9 * largest);
    for (size_t b = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++) D[a + paths * b] = D[b + paths * a] = check_random(&seed);
    double h = 0.1;
    for (size_t n = 0; n < 3; n++, h *= 0.5) {
        for (size_t i = 0; i < square; i++) U[i] = at[i] + h * D[i];
        for (size_t a = 0; a < paths; a++) U[a + paths * a] += h * (double)paths;  // definite
        CHECK_STATUS(ap_energy_gradient(&energy, G, &s.p, U, NULL, &l.work, &err), AP_OK);
        rest[n] = energy - energy_of(&l, g, U) - constant;
        if (small == 1.0) CHECK_NEAR(rest[n], 0.0, 1e-9);
    }
    if (small < 1.0) CHECK(fabs(rest[0]) > 1e-8);
    if (small < 1.0) CHECK_NEAR(log2(rest[0] / rest[1]), 2.0, 0.4);
    if (small < 1.0) CHECK_NEAR(log2(rest[1] / rest[2]), 2.0, 0.2);
}

// No surrogate: too few examples, outputs that share one U, or a temperature below most eigenvalues.
static void test_none(void) {
    setting s;
    fixture_make(&s.f, 1, false, 60, 2, examples, 51);  // 120 directions: the kernel has full rank
    s.f.net.temperature = 1e-6;
    setting_prepare(&s, 0.0);
    learned l = learn(&s, s.f.order, 1);
    CHECK(l.state[0] == 0.0 && l.surrogate == NULL);
    const double bad[] = {0.0, -1.0, 0.5, NAN, INFINITY, examples / 2 + 1};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        l.state[0] = bad[i];
        CHECK_STATUS(ap_surrogate_lay(&l.surrogate, l.room, &s.p, 1, l.state, &err), AP_EINPUT);
        CHECK_TEXT(err.text, "more than 35");
    }
    s.p.label_columns = 2;
    CHECK(ap_surrogate_state(&s.p) == 0);
    fixture_make(&s.f, 1, false, features, 2, 63, 51);
    setting_prepare(&s, 0.0);
    CHECK(ap_surrogate_state(&s.p) == 0 && ap_collapsed_target(&s.p).surrogate == 0);
}

// Between the two: more than half of the eigenvalues are relevant, and the surrogate has half of the directions, unless
// the first omitted one exceeds half of the temperature.
static void test_half(double over, double wanted) {
    setting s;
    double K[examples * examples], w[4 * examples];
    fixture_make(&s.f, 1, false, 60, 2, examples, 51);
    fixture_kernel(K, &s.f, s.f.order);
    CHECK(ap_syev('N', examples, K, examples, w, w + examples));
    s.f.net.temperature = w[examples / 2] / over;  // the 35th largest of 70
    setting_prepare(&s, 0.0);
    learned l = learn(&s, s.f.order, 1);
    CHECK(l.state[0] == wanted);
}

// The surrogate target: its psi and gradient are consistent, `exact` is psi of the target itself, and a draw from a
// cached fit equals that from a new fit.
static void test_target(size_t L, double memory) {
    setting s;
    make(&s, L, memory, 0.05, 0.01);
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim, paths = target.paths, N0 = s.f.N0;
    uint64_t seed = 5;
    ap_target follows;
    learned l = learn(&s, s.f.order, n);
    double *x = fixture_numbers(3 * n, 1.0, &seed), *g = check_room(n), *U = check_room(target.chain);
    double *W = check_room(2 * N0 * paths), psi = 0.0, own = 0.0;
    CHECK_STATUS(target.follow(&follows, &target, l.state, NULL, l.room, &err), AP_OK);
    fixture_check_gradient(&follows, x, 3.2e-2 / sqrt((double)n), 4);
    for (size_t k = 0; k < 3; k++) {
        CHECK_STATUS(target.evaluate(&psi, g, &target, x + n * k, &l.work, &err), AP_OK);
        CHECK_STATUS(follows.exact(&own, &follows, x + n * k, &l.work, &err), AP_OK);
        CHECK(own == psi);
        if (k == 0) CHECK(ap_surrogate_fit(follows.follows, x) != NULL);  // from here on it is cached
    }
    for (size_t k = 0; k < 3; k++) {
        ap_rng rng = ap_rng_start(1, 2), again = rng;
        CHECK((ap_surrogate_fit(follows.follows, x + n * k) != NULL) == (k != 1));
        CHECK_STATUS(target.order(U, &target, x + n * k, &l.work, &err), AP_OK);
        CHECK_STATUS(target.draw(W, NULL, &target, x + n * k, U, &rng, &l.work, &err), AP_OK);
        CHECK_STATUS(follows.draw(W + N0 * paths, NULL, &follows, x + n * k, U, &again, &l.work, &err), AP_OK);
        CHECK(memcmp(W, W + N0 * paths, N0 * paths * sizeof *W) == 0);
    }
}

// Without a surrogate the target itself is used, with equal bits, and a cached fit is kept while other positions are
// evaluated.
static void test_kept(size_t L, double memory) {
    setting s;
    make(&s, L, memory, 0.05, 0.01);
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim, paths = target.paths, drawn = s.f.N0 * paths;
    uint64_t seed = 5;
    ap_target kept;
    learned l = learn(&s, s.f.order, n);
    double *x = fixture_numbers(3 * n, 1.0, &seed), *g = check_room(2 * n);
    double *U = check_room(target.chain + 2 * drawn), *W = U + target.chain, psi[2];
    CHECK_STATUS(target.follow(&kept, &target, NULL, NULL, l.room, &err), AP_OK);
    CHECK(kept.exact == NULL && kept.record_cost == target.record_cost);
    for (size_t k = 0; k < 3; k++) {
        ap_rng rng = ap_rng_start(1, 2), again = rng;
        CHECK_STATUS(target.evaluate(psi, g, &target, x + n * k, &l.work, &err), AP_OK);
        CHECK_STATUS(kept.evaluate(psi + 1, g + n, &kept, x + n * k, &l.work, &err), AP_OK);
        CHECK(psi[0] == psi[1] && memcmp(g, g + n, n * sizeof *g) == 0);
        CHECK_STATUS(target.order(U, &target, x, &l.work, &err), AP_OK);
        CHECK(ap_surrogate_fit(kept.follows, x) != NULL);  // always of the first position
        CHECK_STATUS(target.draw(W, NULL, &target, x, U, &rng, &l.work, &err), AP_OK);
        CHECK_STATUS(kept.draw(W + drawn, NULL, &kept, x, U, &again, &l.work, &err), AP_OK);
        CHECK(memcmp(W, W + drawn, drawn * sizeof *W) == 0);
    }
    CHECK(ap_surrogate_fit(kept.follows, x + n) == NULL && ap_surrogate_fit(kept.follows, x + 2 * n) != NULL);
}

// ---- chains ---------------------------------------------------------------------------------------------------------

typedef struct run {
    setting s;
    ap_sampler sampler;
    double *state, *U, *f, *logpost, *hamiltonian;
    size_t draws;
} run;

static void run_make(run *r, double small, size_t warmup, size_t draws) {
    uint64_t seed = 6;
    make(&r->s, 2, 0.0, 0.05, small);
    const size_t square = r->s.f.paths * r->s.f.paths;
    r->draws = draws;
    r->sampler = (ap_sampler){.problem = &r->s.p, .warmup = warmup, .thin = 1, .probes = fixture_inputs(&r->s.f)};
    r->state = fixture_numbers(ap_sample_state(&r->sampler), 1e9, &seed);
    r->U = check_room((square + examples + 2) * draws);
    r->f = r->U + square * draws;
    r->logpost = r->f + examples * draws;
    r->hamiltonian = r->logpost + draws;
}

static ap_status run_from(run *r, size_t first, size_t trajectories) {
    const size_t square = r->s.f.paths * r->s.f.paths;
    ap_draws out = {.room = r->draws - first,
                    .U = r->U + square * first,
                    .f = r->f + examples * first,
                    .logpost = r->logpost + first,
                    .hamiltonian = r->hamiltonian + first};
    return ap_sample_run(&out, r->state, &r->sampler, trajectories, &work, &err);
}

static ap_status start_and_go(run *r) {
    const ap_status status = ap_sample_start(r->state, &r->sampler, 1, 2, &work, &err);
    return status == AP_OK ? run_from(r, 0, r->sampler.warmup + r->draws) : status;
}

static double surrogate_of(const run *r) {  // examples of the current surrogate, at the end of a chain's state
    const ap_target target = ap_collapsed_target(&r->s.p);
    return r->state[ap_chain_state(&target) - target.surrogate];
}

// In one run, and reopened after every unit and trajectory: equal bits, independent of caches.
static void test_reopen(double small) {
    enum { warmup = 90, draws = 15 };
    run a, b;
    run_make(&a, small, warmup, draws);
    run_make(&b, small, warmup, draws);
    CHECK_STATUS(start_and_go(&a), AP_OK);
    CHECK_STATUS(ap_sample_start(b.state, &b.sampler, 1, 2, &work, &err), AP_OK);
    for (size_t k = 0; k < warmup + draws; k++) CHECK_STATUS(run_from(&b, k < warmup ? 0 : k - warmup, 1), AP_OK);
    CHECK(memcmp(a.state, b.state, ap_sample_state(&a.sampler) * sizeof *a.state) == 0);
    const size_t numbers = (a.s.f.paths * a.s.f.paths + examples + 2) * draws;
    CHECK(memcmp(a.U, b.U, numbers * sizeof *a.U) == 0);
    CHECK(surrogate_of(&a) > 1.0);
}

static void test_workspace(void) {
    run r;
    run_make(&r, 0.01, 60, 3);
    CHECK_WORKSPACE(start_and_go(&r));
}

int main(void) {
    for (int stored = 0; stored < 2; stored++)
        for (size_t L = 1; L <= 2; L++) {
            test_energy(L, stored ? 1e9 : 0.0, 1.0);
            test_energy(L, stored ? 1e9 : 0.0, 0.01);
            test_target(L, stored ? 1e9 : 0.0);
            test_kept(L, stored ? 1e9 : 0.0);
        }
    test_none();
    test_half(0.3, examples / 2);
    test_half(0.49, examples / 2);
    test_half(0.51, 0.0);
    test_reopen(1.0);
    test_reopen(0.01);
    test_workspace();
    return check_report("test_ap_surrogate");
}
