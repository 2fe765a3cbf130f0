// test_ap_sample.c: draws of the posterior by three methods: bookkeeping (their law: sample.tst)
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { methods = 3, probes = 3 };
static const ap_method all_methods[methods] = {AP_COLLAPSED, AP_LANGEVIN, AP_LANGEVIN_ALL};

typedef struct experiment {  // a posterior, a chain in it, and where its draws go
    setting s;
    ap_sampler sampler;
    size_t state_size, room, paths, weights;
    double *Xi2, *state;
    ap_draws out;
    ap_work work;
} experiment;

// Once the network is as it should be.
static void prepare(experiment *e, ap_method method, size_t warmup, size_t thin, double memory) {
    setting_prepare(&e->s, memory);
    uint64_t seed = 210;
    e->paths = e->s.f.paths;
    e->Xi2 = fixture_numbers(e->s.f.N0 * probes * e->paths, 1.5, &seed);
    e->sampler = (ap_sampler){.problem = &e->s.p, .method = method, .warmup = warmup, .thin = thin};
    e->sampler.probes = (ap_inputs){.N0 = e->s.f.N0, .P = probes, .Xi = e->Xi2};
    e->sampler.weights = true;
    CHECK_STATUS(ap_sample_check(&e->sampler, &err), AP_OK);
    e->state_size = ap_sample_state(&e->sampler);
    e->weights = ap_sample_weights(&e->s.f.net, e->s.f.N0);
    e->work = check_work();
    e->state = check_doubles(e->state_size);
    e->room = 0;
    e->out = (ap_draws){0};
}

static void make(experiment *e, ap_method method, size_t warmup, size_t thin) {
    fixture_make(&e->s.f, 2, false, 20, 2, 6, 220);  // widths 5, 8, 11; heads 2, 3
    prepare(e, method, warmup, thin, 0.0);
}

static void begin(experiment *e, size_t room, bool weights, uint64_t seed, uint64_t chain) {
    e->room = room;
    e->out = (ap_draws){.room = room,
                        .U = check_doubles(e->paths * e->paths * room),
                        .f = check_doubles(probes * room),
                        .logpost = check_doubles(room),
                        .hamiltonian = check_doubles(room),
                        .weights = weights ? check_doubles(e->weights * room) : NULL};
    for (size_t i = 0; i < e->state_size; i++) e->state[i] = -1e9;  // all of it must be written
    CHECK_STATUS(ap_sample_start(e->state, &e->sampler, seed, chain, &e->work, &err), AP_OK);
    CHECK(e->work.used == 0);
}

static ap_draws behind(const experiment *e, size_t done) {  // the room behind so many draws
    ap_draws next = e->out;
    next.count = 0;
    next.room -= done;
    next.U += e->paths * e->paths * done;
    next.f += probes * done;
    next.logpost += done;
    next.hamiltonian += done;
    if (next.weights != NULL) next.weights += e->weights * done;
    return next;
}

// The next trajectories, their draws behind those there are.
static void go(experiment *e, size_t trajectories) {
    ap_draws next = behind(e, e->out.count);
    const size_t expected = ap_sample_draws(e->state, &e->sampler, trajectories);
    CHECK_STATUS(ap_sample_run(&next, e->state, &e->sampler, trajectories, &e->work, &err), AP_OK);
    CHECK(e->work.used == 0);
    CHECK(next.count == expected);
    e->out.count += next.count;
    CHECK(e->out.count <= e->room);
}

static bool same(const double *a, const double *b, size_t n) { return memcmp(a, b, n * sizeof *a) == 0; }

static void check_same(const experiment *a, const experiment *b, size_t draws, size_t chains) {
    CHECK(same(a->out.U, b->out.U, a->paths * a->paths * draws));
    CHECK(same(a->out.f, b->out.f, probes * draws));
    CHECK(same(a->out.logpost, b->out.logpost, draws));
    CHECK(same(a->out.hamiltonian, b->out.hamiltonian, draws));
    CHECK(same(a->out.weights, b->out.weights, a->weights * draws));
    CHECK(same(a->state, b->state, a->state_size * chains));
}

// ---- bookkeeping ----------------------------------------------------------------------------------------------------

// In one go, and in pieces of 1 and of 7: the same draws and the same state, bit for bit.
static void test_pieces(ap_method method) {
    static const size_t piece[] = {1, 7, 40};
    enum { all = 100, draws = 20 };  // floor ((100 - 40) / 3)
    experiment whole, cut;
    make(&whole, method, 40, 3);
    begin(&whole, draws, true, 5, 2);
    go(&whole, all);
    CHECK(whole.out.count == draws);
    for (size_t k = 0; k < sizeof piece / sizeof piece[0]; k++) {
        make(&cut, method, 40, 3);
        begin(&cut, draws, true, 5, 2);
        for (size_t done = 0; done < all; done += piece[k]) go(&cut, all - done < piece[k] ? all - done : piece[k]);
        CHECK(cut.out.count == draws);
        check_same(&cut, &whole, draws, 1);
    }
}

// What is asked for beside U changes neither U nor the chain, only where its second stream of random numbers stands.
static void test_asked(ap_method method) {
    enum { draws = 30 };
    experiment plain, e;
    make(&plain, method, 20, 1);
    plain.sampler.probes.P = 0;
    begin(&plain, draws, false, 6, 0);
    go(&plain, 20 + draws);
    for (int k = 1; k < 4; k++) {
        make(&e, method, 20, 1);
        e.sampler.probes.P = k & 1 ? probes : 0;
        e.sampler.weights = k > 1;
        begin(&e, draws, k > 1, 6, 0);
        if (e.sampler.probes.P == 0) {  // then nobody may want to write there
            e.out.f = NULL;
            e.sampler.probes.Xi = NULL;
        }
        go(&e, 20 + draws);
        CHECK(same(e.out.U, plain.out.U, e.paths * e.paths * draws));
        CHECK(same(e.out.logpost, plain.out.logpost, draws));
        CHECK(same(e.out.hamiltonian, plain.out.hamiltonian, draws));
        CHECK(same(e.state, plain.state, e.state_size - ap_rng_words));
        CHECK((k & 1) == 0 || e.out.f[0] != 0.0);
    }
}

// Every third trajectory, counted from the end of the warm-up.
static void test_thin(ap_method method) {
    experiment all, third;
    make(&all, method, 20, 1);
    make(&third, method, 20, 3);
    begin(&all, 31, false, 7, 0);
    begin(&third, 10, false, 7, 0);
    go(&all, 51);
    go(&third, 51);
    CHECK(all.out.count == 31 && third.out.count == 10);
    const size_t n = all.paths * all.paths;
    for (size_t k = 0; k < 10; k++) {
        CHECK(same(third.out.U + n * k, all.out.U + n * (3 * k + 2), n));
        CHECK(third.out.logpost[k] == all.out.logpost[3 * k + 2]);
        CHECK(third.out.hamiltonian[k] == all.out.hamiltonian[3 * k + 2]);
    }
}

// Other seed or other chain: other start, other draws. And no two of the streams of moves and draws are the same.
static void test_streams(ap_method method) {
    static const uint64_t seed[] = {1, 1, 2, UINT64_C(1) << 40}, chain[] = {0, 1, 0, 0};
    const size_t moves = sizeof(ap_tuning) / sizeof(double);
    experiment e[4];
    ap_rng rng[8];
    for (size_t k = 0; k < 4; k++) {
        make(&e[k], method, 5, 1);
        begin(&e[k], 3, false, seed[k], chain[k]);
        CHECK_STATUS(ap_rng_load(&rng[2 * k], e[k].state + moves, &err), AP_OK);
        CHECK_STATUS(ap_rng_load(&rng[2 * k + 1], e[k].state + e[k].state_size - ap_rng_words, &err), AP_OK);
        for (size_t j = 0; j < 2 * k + 2; j++)
            for (size_t i = 0; i < j; i++)
                CHECK(memcmp(rng[i].key, rng[j].key, sizeof rng[i].key) != 0 ||
                      memcmp(rng[i].counter + 2, rng[j].counter + 2, 2 * sizeof rng[i].counter[0]) != 0);
        go(&e[k], 8);
        for (size_t j = 0; j < k; j++) {
            CHECK(e[j].out.U[0] != e[k].out.U[0]);
            CHECK(e[j].out.f[0] != e[k].out.f[0]);
        }
    }
}

static void test_facts(ap_method method) {
    experiment e;
    make(&e, method, 60, 2);
    begin(&e, 20, false, 8, 0);
    ap_sample_facts facts = ap_sample_look(e.state, &e.sampler);
    CHECK(facts.done == 0.0 && isnan(facts.acceptance) && isnan(facts.moved) && facts.divergences == 0.0);
    CHECK(facts.step == 0.1 && facts.steps == 16.0 && facts.friction == 0.0);
    go(&e, 60);
    facts = ap_sample_look(e.state, &e.sampler);
    CHECK(facts.done == 60.0 && isnan(facts.acceptance) && e.out.count == 0);
    const double step = facts.step;
    go(&e, 40);
    facts = ap_sample_look(e.state, &e.sampler);
    CHECK(facts.done == 100.0 && e.out.count == 20 && facts.step == step && facts.steps >= 1.0);
    CHECK(facts.acceptance > 0.0 && facts.acceptance <= 1.0);
    CHECK(facts.moved * 40.0 == floor(facts.moved * 40.0) && facts.moved > 0.0 && facts.moved <= 1.0);
    e.state[2] = 1e9;  // a trajectory that there is not: looking must not go beyond the table
    e.state[1] = NAN;
    CHECK(ap_sample_look(e.state, &e.sampler).steps >= 1.0);
}

// A draw is of one piece: its weights have its U, its outputs and its log posterior density.
static void test_consistent(ap_method method) {
    enum { draws = 40 };
    experiment e;
    make(&e, method, 60, 1);
    begin(&e, draws, true, 9, 0);
    go(&e, 60 + draws);
    const fixture *f = &e.s.f;
    const size_t N = (size_t)f->width[0], n = e.paths * e.paths, P = f->P;
    double *u = check_doubles(N * e.paths), *U = check_doubles(n), out[6];
    tally kinetic = {0};
    size_t moved =
        method == AP_COLLAPSED ? 1 + 6 + 20 : e.weights - (method == AP_LANGEVIN ? N * f->N0 : 0);  // U_1 has rank 5
    for (size_t k = 0; k < draws; k++) {
        const double *V0 = e.out.weights + e.weights * k, *at = V0 + N * f->N0;
        fixture_partial(u, &f->net, at, 1);
        fixture_overlaps(U, u, N, e.paths);
        CHECK_ARRAYS(e.out.U + n * k, U, n, 1e-11);
        fixture_outputs(out, &f->net, f->N0, e.Xi2, probes, V0, u);
        CHECK_ARRAYS(e.out.f + probes * k, out, probes, 1e-11);
        fixture_outputs(out, &f->net, f->N0, f->Xi, P, V0, u);
        double want = 0.0;
        for (size_t i = 0; method == AP_LANGEVIN_ALL && i < N * f->N0; i++)
            want -= V0[i] * V0[i] / (2.0 * f->variance[0]);
        for (size_t l = 1; l <= 3; l++)
            for (size_t i = ap_weights_layer(&f->net, l); i > 0; i--, at++) want -= *at * *at / (2.0 * f->variance[l]);
        for (size_t mu = 0; method == AP_LANGEVIN_ALL && mu < P; mu++)
            want -= (out[mu] - f->y[mu]) * (out[mu] - f->y[mu]) / (2.0 * f->net.temperature);
        if (method == AP_LANGEVIN) want -= 0.5 * fixture_energy(f, U);
        if (method != AP_COLLAPSED) CHECK_NEAR(e.out.logpost[k], want, 1e-12 * fabs(want));
        if (k > 0) tally_add(&kinetic, e.out.hamiltonian[k] + e.out.logpost[k - 1]);
    }
    CHECK_NEAR(kinetic.mean, 0.5 * (double)moved, fixture_far * sqrt(0.5 * (double)moved / (draws - 1)));  // |p|^2/2
}

// ---- failures -------------------------------------------------------------------------------------------------------

// A run that does not end well leaves the state as it was, and the next one goes on as if it had not been.
static void test_unchanged(ap_method method) {
    experiment e, want;
    make(&e, method, 30, 1);
    make(&want, method, 30, 1);
    begin(&e, 40, false, 10, 0);
    begin(&want, 40, false, 10, 0);
    go(&e, 20);
    double *before = check_copy(e.state, e.state_size);
    int steps = 25;  // there are 30 trajectories
    e.sampler.stop = fixture_after;
    e.sampler.context = &steps;
    ap_draws lost = e.out;
    CHECK_STATUS(ap_sample_run(&lost, e.state, &e.sampler, 30, &e.work, &err), AP_INTERRUPTED);
    CHECK(steps < 0 && e.work.used == 0);
    CHECK(same(e.state, before, e.state_size));
    e.sampler.stop = NULL;
    go(&e, 30);
    go(&want, 50);
    CHECK(same(e.state, want.state, e.state_size));
    CHECK(same(e.out.f, want.out.f, probes * 20));

    lost = e.out;  // no room for the draws that it will make
    lost.count = 0;
    lost.room = 1;
    memcpy(before, e.state, e.state_size * sizeof *before);
    CHECK(ap_sample_draws(e.state, &e.sampler, 2) == 2);
    CHECK_STATUS(ap_sample_run(&lost, e.state, &e.sampler, 2, &e.work, &err), AP_EMEMORY);
    CHECK(lost.count <= 1 && e.work.used == 0);
    CHECK(same(e.state, before, e.state_size));

    // what ap_chain_open refuses (test_ap_chain), of each part one; and the second stream, and a place
    const size_t rng = sizeof(ap_tuning) / sizeof(double), z = ap_lines(rng + ap_rng_words),
                 tail = e.state_size - ap_rng_words;
    const struct {
        size_t at;
        double value;
        ap_status status;
    } bad[] = {{1, NAN, AP_EINPUT},         {rng, 0.5, AP_EINPUT},   {tail, 0.5, AP_EINPUT},
               {tail + 10, 5.0, AP_EINPUT}, {z, NAN, AP_ENONFINITE}, {z, INFINITY, AP_ENONFINITE}};
    memcpy(before, e.state, e.state_size * sizeof *before);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        memcpy(e.state, before, e.state_size * sizeof *before);
        e.state[bad[k].at] = bad[k].value;
        lost = e.out;
        lost.count = 0;
        CHECK_STATUS(ap_sample_run(&lost, e.state, &e.sampler, 3, &e.work, &err), bad[k].status);
        CHECK(lost.count == 0 && e.work.used == 0);
        (void)ap_sample_draws(e.state, &e.sampler, 3);  // some number, without harm
    }
}

static void test_check(void) {
    experiment e;
    make(&e, AP_COLLAPSED, 1, 1);
    for (size_t k = 0; k < methods; k++) {
        e.sampler.method = all_methods[k];
        CHECK_STATUS(ap_sample_check(&e.sampler, &err), AP_OK);
        e.s.f.net.temperature = 0.0;
        CHECK_STATUS(ap_sample_check(&e.sampler, &err), AP_EINPUT);
        CHECK_TEXT(err.text, "temperature is 0");
        e.s.f.net.temperature = NAN;
        CHECK_STATUS(ap_sample_check(&e.sampler, &err), AP_EINPUT);
        e.s.f.net.temperature = 0.05;
        e.s.f.width[1] = 7.5;
        CHECK_STATUS(ap_sample_check(&e.sampler, &err), AP_EINPUT);
        CHECK_TEXT(err.text, "width 2 is 7.5");
        e.s.f.width[1] = 8.0;
        e.s.f.width[0] = 2e8;  // the order parameters do not mind, six paths fit, but 2e8 x 20 weights do not
        e.sampler.weights = false;
        const ap_status beyond = ap_blas_integer() == 4 ? AP_ESIZE : AP_OK;
        CHECK_STATUS(ap_sample_check(&e.sampler, &err), k == 0 ? AP_OK : beyond);
        e.sampler.weights = true;
        CHECK_STATUS(ap_sample_check(&e.sampler, &err), beyond);
        e.s.f.width[0] = 5.0;
        e.sampler.probes.P = SIZE_MAX / 2;
        CHECK_STATUS(ap_sample_check(&e.sampler, &err), AP_ESIZE);
        e.sampler.probes.P = probes;
    }
}

// ---- workspace ------------------------------------------------------------------------------------------------------

static void test_workspace(ap_method method, double memory, size_t P) {
    for (int k = 0; k < 4; k++) {
        experiment e;
        fixture_make(&e.s.f, 2, false, memory > 0.0 ? 40 : 4, 2, P, 240);
        if (k == 3) e.s.f.width[0] = 2.0;
        prepare(&e, method, 26, 1, memory);
        e.sampler.probes.P = k & 1 ? probes : 0;
        begin(&e, 2, k > 1, 12, 0);
        const double *start = check_copy(e.state, e.state_size);
        CHECK_WORKSPACE((e.out.count = 0, memcpy(e.state, start, e.state_size * sizeof *start),
                         ap_sample_run(&e.out, e.state, &e.sampler, 28, &work, &err)));
        if (k == 0) CHECK_WORKSPACE(ap_sample_start(e.state, &e.sampler, 12, 0, &work, &err));
    }
}

// Chains side by side, on a team that takes them in any order, are the chains one by one.
static void test_chains(ap_method method) {
    enum { chains = 3, draws = 6 };
    const ap_team teams[2] = {{.threads = 2, .run = check_backwards}, {.threads = 1}};
    const uint64_t seed = 9;
    experiment way[3];  // two teams, and by hand
    for (int k = 0; k < 3; k++) {
        experiment *e = &way[k];
        make(e, method, 10, 1);
        begin(e, chains * draws, true, seed, 0);
        e->state = check_doubles(e->state_size * chains);
        for (size_t c = 0; k == 2 && c < chains; c++) {
            double *own = e->state + e->state_size * c;
            ap_draws one = behind(e, draws * c);
            CHECK_STATUS(ap_sample_start(own, &e->sampler, seed, c, &e->work, &err), AP_OK);
            CHECK_STATUS(ap_sample_run(&one, own, &e->sampler, 16, &e->work, &err), AP_OK);
        }
        if (k == 2) continue;
        ap_draws *out = &e->out;
        ap_work none = {0};
        out->room = draws;
        CHECK_STATUS(ap_sample_chains(out, e->state, &e->sampler, chains, 4, &seed, &teams[k], &work, &err), AP_OK);
        CHECK_STATUS(ap_sample_chains(out, e->state, &e->sampler, chains, 12, NULL, &teams[k], &work, &err), AP_OK);
        CHECK(work.used == 0);
        CHECK_STATUS(ap_sample_chains(out, e->state, &e->sampler, chains, 1, NULL, &teams[k], &none, &err), AP_EMEMORY);
    }
    check_same(&way[0], &way[2], chains * draws, chains);
    check_same(&way[1], &way[2], chains * draws, chains);
}

int main(void) {
    for (size_t k = 0; k < methods; k++) {
        test_pieces(all_methods[k]);
        test_chains(all_methods[k]);
        test_asked(all_methods[k]);
        test_thin(all_methods[k]);
        test_streams(all_methods[k]);
        test_facts(all_methods[k]);
        test_consistent(all_methods[k]);
        test_unchanged(all_methods[k]);
        test_workspace(all_methods[k], 0.0, 2);  // moving takes the most
        test_workspace(all_methods[k], 1e9, 2);
        test_workspace(all_methods[k], 0.0, 30);  // drawing the outputs does
    }
    test_check();
    return check_report("test_ap_sample");
}
