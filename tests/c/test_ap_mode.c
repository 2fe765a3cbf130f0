// test_ap_mode.c: the mode of a target, its curvature, and chains that begin there
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { most = 12 };

// ---- targets of the tests -------------------------------------------------------------------------------------------

static ap_target target_of(const fixture_normal *t, size_t rank) {
    ap_target target = fixture_normal_target(t, rank);
    target.head_start = true;
    return target;
}

// M = I + sum over the first eigenvalues of (lambda - 1) q q', q orthonormal.
static fixture_normal with_eigenvalues(size_t n, const double *lambda, size_t count, uint64_t seed) {
    fixture_normal t = {.dim = n};
    double *Q = check_room(n * count);
    ap_rng rng = ap_rng_start(seed, 0);
    CHECK_STATUS(ap_rng_frame(Q, n, count, &rng, &work, &err), AP_OK);
    for (size_t j = 0; j < n; j++) {
        t.b[j] = check_random(&seed);
        for (size_t i = 0; i < n; i++) {
            t.M[i + n * j] = i == j ? 1.0 : 0.0;
            for (size_t a = 0; a < count; a++) t.M[i + n * j] += (lambda[a] - 1.0) * Q[i + n * a] * Q[j + n * a];
        }
    }
    return t;
}

// ---- the mode and the curvature, step by step -----------------------------------------------------------------------

typedef struct search {  // a search and its results, with memory
    ap_target target;
    ap_mode mode;
    ap_place at;
    ap_work work;
    double *state, *z, *grad, *V, *H;
    size_t cost;
} search;

static void search_make(search *w, const ap_target *target, const double *x) {
    const ap_metric plain = {.F = NULL};
    const size_t n = target->dim, k = target->metric;
    *w = (search){.target = *target, .work = check_work()};
    w->state = check_doubles(ap_mode_state(n));
    w->z = check_room(2 * n);
    w->H = check_room(k * (n + k));
    w->V = w->H + k * k;
    if (k == n) ap_spd_identity(w->V, n);
    memcpy(w->z, x, n * sizeof *x);
    w->at = (ap_place){.z = w->z, .grad = w->z + n};
    ap_mode_lay(&w->mode, w->state, n, k);
    w->mode.H = w->H;
    w->mode.V = k < n ? w->V : NULL;
    CHECK_STATUS(ap_target_evaluate(&w->at, target, &plain, &w->work, &err), AP_OK);
}

static void search_run(search *w) {
    const ap_metric plain = {.F = NULL};
    ap_status status = AP_OK;
    for (size_t steps = 0; steps < 500 && status == AP_OK && ap_mode_stage(&w->mode) == AP_SEARCHING; steps++) {
        size_t cost = 0;
        status = ap_mode_search(&w->mode, &w->at, &cost, &w->target, &plain, &w->work, &err);
        w->cost += cost;
    }
    CHECK(status == AP_OK && w->work.used == 0);
    CHECK(ap_mode_stage(&w->mode) == AP_PROBING);
}

static void search_probe(search *w) {
    const ap_metric plain = {.F = NULL};
    ap_rng rng = ap_rng_start(3, 0);
    ap_status status = AP_OK;
    size_t count = 0;
    for (; count < 2 * w->target.metric && status == AP_OK && ap_mode_stage(&w->mode) == AP_PROBING; count++)
        status = ap_mode_probe(&w->mode, &w->at, &w->target, &plain, &rng, &w->work, &err);
    CHECK(status == AP_OK && w->work.used == 0);
    CHECK(ap_mode_stage(&w->mode) == AP_KNOWN && count == w->target.metric);
}

static double phi_of(const search *w) {
    double phi = w->at.psi;
    for (size_t i = 0; i < w->target.dim; i++) phi += 0.5 * w->z[i] * w->z[i];
    return phi;
}

// From a distant point phi decreases to its minimum -b' M^{-1} b / 2 within 0.1; a draw lies dim/2 = 6 above it.
static void test_search(const fixture_normal *t) {
    uint64_t seed = 50;
    const ap_target target = target_of(t, t->dim);
    double *x = fixture_numbers(t->dim, 5.0, &seed), M[most * most], b[most], least = 0.0;
    search w;
    search_make(&w, &target, x);
    const double start = phi_of(&w);
    search_run(&w);
    memcpy(M, t->M, sizeof M);
    memcpy(b, t->b, sizeof b);
    (void)fixture_eliminate(M, t->dim, b, 1);
    for (size_t i = 0; i < t->dim; i++) least -= 0.5 * b[i] * t->b[i];
    CHECK(start - least > 10.0 && phi_of(&w) - least < 0.1 && phi_of(&w) - least > -1e-10);
    CHECK(w.cost < 100);
    CHECK_ARRAYS(w.mode.g, w.at.grad, t->dim, 0.0);
}

// At a point without a gradient it ends at once.
static void test_there(void) {
    const fixture_normal t = {.dim = 2, .M = {1.0, 0.0, 0.0, 1.0}};
    const ap_target target = target_of(&t, 2);
    search w;
    search_make(&w, &target, (const double[]){0.0, 0.0});
    search_run(&w);
    CHECK(w.cost == 0 && w.z[0] == 0.0 && w.z[1] == 0.0);
}

// H = V' M V, V orthonormal. Differences of a linear gradient of size 1e3 at a distance of 1e-4 have errors of 1e-9.
static void test_curvature(const fixture_normal *t, size_t rank) {
    const size_t n = t->dim;
    const ap_target target = target_of(t, rank);
    const double x[most] = {0.3, -0.1};
    search w;
    search_make(&w, &target, x);
    ap_mode_accept(&w.mode, &w.at);
    search_probe(&w);
    for (size_t a = 0; a < rank; a++)
        for (size_t c = 0; c <= a; c++) {
            double want = 0.0, dot = 0.0;
            for (size_t i = 0; i < n; i++) {
                dot += w.V[i + n * a] * w.V[i + n * c];
                for (size_t j = 0; j < n; j++) want += w.V[i + n * a] * t->M[i + n * j] * w.V[j + n * c];
            }
            CHECK_NEAR(dot, a == c ? 1.0 : 0.0, 1e-13);
            CHECK_NEAR(w.H[c + rank * a], want, 1e-7);
        }
}

// F F' = H^{-1}, with eigenvalues of at least 0.1. Here the Krylov space contains all eigenvectors with other
// eigenvalues than 1, so that V (F F' - I) V' + I = M^{-1}.
static void test_factor(const double *lambda, size_t count, size_t rank) {
    const size_t n = most;
    const fixture_normal t = with_eigenvalues(n, lambda, count, 60);
    double floored[most];
    for (size_t i = 0; i < count; i++) floored[i] = fmax(lambda[i], 0.1);
    fixture_normal want = with_eigenvalues(n, floored, count, 60);
    const ap_target target = target_of(&t, rank);
    const double x[most] = {0.0};
    search w;
    search_make(&w, &target, x);
    ap_mode_accept(&w.mode, &w.at);
    search_probe(&w);
    double *F = check_room(rank * rank), C[most * most], inverse[most * most];
    CHECK_STATUS(ap_mode_factor(F, &w.mode, &w.work, &err), AP_OK);
    CHECK(w.work.used == 0);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            C[i + n * j] = i == j ? 1.0 : 0.0;
            inverse[i + n * j] = i == j ? 1.0 : 0.0;
            for (size_t a = 0; a < rank; a++)
                for (size_t c = 0; c < rank; c++) {
                    double FF = a == c ? -1.0 : 0.0;
                    for (size_t l = 0; l < rank; l++) FF += F[a + rank * l] * F[c + rank * l];
                    C[i + n * j] += w.V[i + n * a] * FF * w.V[j + n * c];
                }
        }
    (void)fixture_eliminate(want.M, n, inverse, n);
    CHECK_ARRAYS(C, inverse, n * n, 1e-6);  // variances of up to 10, curvature to 1e-8
}

// A target that fails everywhere except at the start: no step, and the prior's curvature.
static void test_walled(size_t rank) {
    const double lambda[1] = {5.0}, x[most] = {0.5, 0.25};
    fixture_normal t = with_eigenvalues(most, lambda, 1, 70);
    t.only = x;
    const ap_target target = target_of(&t, rank);
    search w;
    search_make(&w, &target, x);
    search_run(&w);
    CHECK_ARRAYS(w.z, x, most, 0.0);
    search_probe(&w);
    for (size_t a = 0; a < rank; a++)
        for (size_t c = 0; c <= a; c++) CHECK(w.H[c + rank * a] == (a == c ? 1.0 : 0.0));
}

// Order parameters of all kinds of widths, also singular ones: the predicted decrease by the final gradient is small.
static void test_collapsed(const double *width) {
    setting s;
    fixture_make(&s.f, 2, false, 7, 2, 5, 71);
    fixture_widths(&s.f, width);
    setting_prepare(&s, 0.0);
    ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim;
    CHECK(target.metric == n && target.head_start);
    double *x = check_room(n), *F = check_room(n * n), promise = 0.0;
    ap_rng rng = ap_rng_start(72, 0);
    target.start(x, &target, &rng);
    search w;
    search_make(&w, &target, x);
    const double start = phi_of(&w);
    search_run(&w);
    search_probe(&w);
    CHECK(phi_of(&w) < start);
    CHECK_STATUS(ap_mode_factor(F, &w.mode, &w.work, &err), AP_OK);
    for (size_t j = 0; j < n; j++) {  // |F' grad phi|^2 / 2
        double sum = 0.0;
        for (size_t i = j; i < n; i++) sum += F[i + n * j] * (w.at.grad[i] + w.z[i]);
        promise += 0.5 * sum * sum;
    }
    CHECK(promise < 0.2);
}

// ---- chains that begin at the mode ----------------------------------------------------------------------------------

static const double spread[] = {30.0, 0.5, 4.0, 12.0};

// A chain whose rows are turned takes the mean of the curvature at further places, here of one matrix: F F' = M^{-1}.
static ap_status stay(double *turn, double *x, const ap_target *target, ap_work *work, ap_error *err) { return AP_OK; }

static void test_turned(void) {
    enum { n = most, warmup = 800 };
    fixture_normal t = with_eigenvalues(n, spread, 4, 85);
    ap_target target = target_of(&t, n);
    const double x[most] = {2.0, -1.0, 1.5};
    double C[n * n], inverse[n * n];
    target.turn = 1;
    target.turn_rows = stay;
    fixture_chain r;
    fixture_begin(&r, &target, x, 12);
    double at[5] = {0.0};
    for (size_t k = 0; k < warmup; k++) {
        (void)fixture_next(&r, warmup);
        if (at[(int)r.chain.turn[0]] == 0.0) at[(int)r.chain.turn[0]] = (double)k;
    }
    CHECK(r.chain.turn[0] == 4.0);  // three places, at equal distances
    CHECK(at[3] - at[2] > warmup / 20.0);
    CHECK_NEAR(at[4] - at[3], at[3] - at[2], 2.0);
    fixture_outer(C, r.chain.F, n, n);
    ap_spd_identity(inverse, n);
    (void)fixture_eliminate(t.M, n, inverse, n);
    CHECK_ARRAYS(C, inverse, n * n, 1e-6);
}

// Reopened after every unit and trajectory: equal bits.
static void test_reopen(size_t rank, size_t warmup) {
    const fixture_normal t = with_eigenvalues(most, spread, 4, 80);
    const ap_target target = target_of(&t, rank);
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

// Starts of a normal density: (x - mode)' M (x - mode) has the mean 2 dim, twice that of draws.
static void test_apart(size_t rank) {
    enum { chains = 300 };
    const fixture_normal t = with_eigenvalues(most, spread, 4, 81);
    const ap_target target = target_of(&t, rank);
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
    const ap_target target = target_of(&t, 2);
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
    const fixture_normal t = with_eigenvalues(most, spread, 4, 82);
    for (size_t warmup = 0; warmup <= 80; warmup++)
        for (size_t rank = 4; rank <= most; rank += 8) {
            const ap_target target = target_of(&t, rank);
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

static bool third(void *context) { return ++*(int *)context == 3; }

static void test_stop(void) {
    const fixture_normal t = with_eigenvalues(most, spread, 4, 83);
    ap_target target = target_of(&t, most);
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

// ---- workspace ------------------------------------------------------------------------------------------------------

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
    const fixture_normal t = with_eigenvalues(most, spread, 4, 84);
    const ap_target target = target_of(&t, rank);
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
    const double one[most] = {1.0}, steep[] = {1e3, 40.0, 7.0, 2.0, 0.3, 0.6}, flat[] = {20.0, 0.02, -3.0};
    const fixture_normal round = with_eigenvalues(most, one, 1, 90), valley = with_eigenvalues(most, steep, 6, 91);
    test_search(&round);
    test_search(&valley);
    test_there();
    for (size_t rank = 1; rank <= most; rank++) {
        test_curvature(&round, rank);
        test_curvature(&valley, rank);
    }
    for (size_t rank = 7; rank <= most; rank++) test_factor(steep, 6, rank);
    for (size_t rank = 4; rank <= most; rank++) test_factor(flat, 3, rank);
    test_walled(most);
    test_walled(5);
    test_collapsed((const double[]){6.0, 8.0, 11.0});
    test_collapsed((const double[]){2.0, 3.0, 2.0});
    test_collapsed((const double[]){3.0, 2.0, 1.0});
    test_turned();
    test_reopen(most, 120);
    test_reopen(5, 120);
    test_apart(most);
    test_apart(5);
    CHECK(rhat_of(3.0) > 2.0);
    CHECK(rhat_of(0.0) < 1.1);
    test_short();
    test_stop();
    test_workspace(most);
    test_workspace(5);
    return check_report("test_ap_mode");
}
