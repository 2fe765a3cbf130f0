// test_ap_starts.c: several starts, of which the lowest minimum is kept
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { many = 12 };

typedef struct multi {
    setting s;
    ap_start each[many];
    ap_starts starts;
} multi;

// Heads H, path inputs that differ by a third of their size from path to path, labels of that size: with heads 1 1 4
// and large labels, which one difference or another explains, there are several minima.
static void make(multi *t, size_t L, const size_t *H, double labels, size_t wanted) {
    uint64_t seed = 3;
    setting *s = &t->s;
    fixture_make(&s->f, L, false, 10, 2, 15, seed);
    memcpy(s->f.H, H, L * sizeof *H);
    s->f.paths = ap_net_paths(&s->f.net, 1);
    const double *base = fixture_numbers(150, 1.5, &seed);
    s->f.Xi = fixture_numbers(150 * s->f.paths, 1.5, &seed);
    for (size_t a = 0; a < s->f.paths; a++)
        for (size_t i = 0; i < 150; i++) s->f.Xi[i + 150 * a] = base[i] + s->f.Xi[i + 150 * a] / 3.0;
    for (size_t l = 0; l <= L; l++) s->f.width[l] = 20.0 + 3.0 * (double)l;
    s->f.order = check_zeros(ap_params_length(&s->f.net), sizeof *s->f.order);
    setting_prepare(s, 1e9);
    for (size_t mu = 0; mu < 15; mu++) s->f.y[mu] *= labels;
    ap_params_gp(s->point.order, &s->f.net);
    t->starts = (ap_starts){.wanted = wanted, .seed = 5, .each = t->each};
}

static ap_status solve(multi *t) {
    setting *s = &t->s;
    return ap_solve_lowest(&s->point, &s->progress, &t->starts, &s->p, &s->settings, &s->work, &err);
}

static const size_t deep[] = {1, 1, 4}, wide[] = {2, 2, 2};

// Every start is a search of its own, from where ap_starts_draw says; the lowest is kept, and its point is a minimum.
static void test_each(double labels) {
    multi t, one;
    make(&t, 3, deep, labels, many);
    make(&one, 3, deep, labels, 1);
    CHECK_STATUS(solve(&t), AP_OK);
    CHECK(t.starts.made == many && t.s.work.used > 0);
    size_t evaluations = 0, reached = 0, higher = 0;
    double lowest = INFINITY;
    for (size_t k = 0; k < many; k++) {
        setting *s = &one.s;
        if (k > 0) CHECK_STATUS(ap_starts_draw(s->point.order, &s->p, k, 5, &s->work, &err), AP_OK);
        CHECK_STATUS(setting_solve(s, &err), AP_OK);
        CHECK_NEAR(t.each[k].action, s->point.action, 0.0);  // the same bits
        CHECK_NEAR(t.each[k].gradnorm, s->point.gradnorm, 0.0);
        CHECK(t.each[k].converged);
        evaluations += s->progress.evaluations;
        lowest = fmin(lowest, s->point.action);
    }
    CHECK(t.s.progress.evaluations == evaluations);
    CHECK_NEAR(t.s.point.action, lowest, 2e-3);  // no start is kept for a difference that rounding may have made
    CHECK(t.s.point.action == t.each[t.starts.best].action);
    for (size_t k = 0; k < many; k++) {
        if (t.each[k].action < lowest + 1e-2)
            reached++;
        else
            higher++;
    }
    CHECK(t.starts.reached == reached && t.starts.higher == higher);
    CHECK((higher > 0) == (labels > 10.0));
    const double action = t.s.point.action;
    setting_derive(&t.s);
    CHECK(t.s.point.gradnorm <= 1.01e-8);
    CHECK_NEAR(t.s.point.action, action, 1e-12 * fabs(action));
}

// The order parameters of a start: of the first U_l = r^{(L+1-l)/L} times the GP point's, of the others positive
// definite, of that mean, different from seed to seed, and the same whenever they are drawn.
static void test_draw(unsigned skips) {
    enum { draws = 4000 };
    multi t;
    fixture_skips = skips;
    make(&t, 3, skips > 0 ? wide : deep, 30.0, 1);
    fixture_skips = 0;
    setting *s = &t.s;
    const ap_net *net = &s->f.net;
    const size_t chain = ap_params_length(net), at = ap_params_at(net, 2), n = s->f.paths;
    double *gp = check_room(chain), *U = s->point.order, *first = check_room(chain);
    ap_params_gp(gp, net);
    CHECK_STATUS(ap_starts_draw(U, &s->p, 1, 0, &s->work, &err), AP_OK);
    const double r = U[n * n - 1] / gp[n * n - 1];
    for (size_t i = 0; i < at; i++) CHECK_NEAR(U[i], r * gp[i], 1e-12 * r * gp[0]);
    if (skips == 0) CHECK_NEAR(U[at], pow(r, 2.0 / 3.0) * gp[at], 1e-12 * r * gp[at]);
    CHECK(r > 3.0 * ap_dot(15, s->f.y, s->f.y) / 15.0 / ap_solution_diagonal(&s->p));
    tally *mean = check_zeros(n * n, sizeof *mean);
    for (size_t k = 2; k < draws; k++) {
        CHECK_STATUS(ap_starts_draw(U, &s->p, k, 9, &s->work, &err), AP_OK);
        double trace = 0.0;
        for (size_t i = 0; i < n; i++) trace += U[i + n * i] / gp[i + n * i] / (double)n;
        for (size_t i = 0; i < n * n; i++) tally_add(&mean[i], U[i] / trace);
        if (k < 10) CHECK_STATUS(ap_action_value(&s->point, &s->p, &s->work, &err), AP_OK);
        if (k == 2) memcpy(first, U, chain * sizeof *U);
    }
    for (size_t i = 0; i < n * n; i++) CHECK_MEAN(&mean[i], gp[i]);
    CHECK_STATUS(ap_starts_draw(U, &s->p, 2, 8, &s->work, &err), AP_OK);
    CHECK(U[0] != first[0]);
    CHECK_STATUS(ap_starts_draw(U, &s->p, 2, 9, &s->work, &err), AP_OK);
    CHECK(memcmp(U, first, at * sizeof *U) == 0);
    CHECK(isfinite(r));
}

// Where the caller names no number: one search, to the bit, unless a layer has one head underneath several paths and U
// has grown: then ap_starts_many.
static void test_chosen(void) {
    multi t, r;
    for (int k = 0; k < 3; k++) {
        make(&t, 3, k == 0 ? wide : deep, k == 2 ? 60.0 : k == 0 ? 60.0 : 0.5, 0);
        make(&r, 3, k == 0 ? wide : deep, k == 2 ? 60.0 : k == 0 ? 60.0 : 0.5, 1);
        CHECK_STATUS(solve(&t), AP_OK);
        CHECK_STATUS(setting_solve(&r.s, &err), AP_OK);
        CHECK(k < 2 ? t.starts.made == 1 : t.starts.made == ap_starts_many);
        CHECK_NEAR(t.each[0].action, r.s.point.action, 0.0);
        if (k == 2) continue;
        CHECK(memcmp(t.s.point.order, r.s.point.order, ap_params_length(&t.s.f.net) * sizeof(double)) == 0);
        CHECK(t.s.progress.evaluations == r.s.progress.evaluations);
    }
    make(&t, 3, deep, 60.0, 1);
    CHECK_STATUS(solve(&t), AP_OK);
    CHECK(t.starts.made == 1);
}

// A start that fails takes no other along; one that has not converged does not win, however low it is; if all fail, the
// failure is returned.
static void test_failures(void) {
    multi t;
    make(&t, 3, deep, 60.0, 4);
    t.s.point.order[0] = -1.0;
    CHECK_STATUS(solve(&t), AP_OK);
    CHECK(isnan(t.each[0].action) && !t.each[0].converged && t.each[1].converged && t.starts.best > 0);
    CHECK(t.s.point.gradnorm <= 1e-8);
    make(&t, 3, deep, 60.0, 1);
    t.s.point.order[0] = -1.0;
    CHECK_STATUS(solve(&t), AP_ENOTSPD);
    make(&t, 3, deep, 60.0, many);
    size_t least = SIZE_MAX;
    for (size_t limit = 5; limit < 30; limit++) {  // some of the starts converge in so many steps
        make(&t, 3, deep, 60.0, many);
        t.s.settings.max_iterations = limit;
        const ap_status status = solve(&t);
        size_t converged = 0;
        for (size_t k = 0; k < many; k++) {
            converged += t.each[k].converged ? 1 : 0;
            if (t.each[k].converged)
                CHECK(t.each[t.starts.best].converged && t.s.point.action <= t.each[k].action + 2e-3);
        }
        CHECK_STATUS(status, converged > 0 ? AP_OK : AP_LIMIT);
        if (converged > 0 && converged < many) least = limit;
    }
    CHECK(least < SIZE_MAX);
    for (size_t mu = 0; mu < 15; mu++) t.s.f.y[mu] = NAN;
    CHECK_STATUS(solve(&t), AP_ENONFINITE);
}

typedef struct watched {
    size_t stop, seen, evaluations;
} watched;

static bool monitor(void *context, const ap_progress *progress) {
    watched *w = context;
    CHECK(progress->evaluations >= w->evaluations && (progress->start == 0 || progress->starts == many));
    w->evaluations = progress->evaluations;
    w->seen = progress->start;
    return progress->start == w->stop;
}

static void test_interrupts(void) {
    multi t;
    for (size_t stop = 0; stop < 3; stop++) {
        watched w = {.stop = stop};
        make(&t, 3, deep, 60.0, many);
        t.s.settings.monitor = monitor;
        t.s.settings.context = &w;
        CHECK_STATUS(solve(&t), AP_INTERRUPTED);
        CHECK(w.seen == stop && t.starts.made == (stop == 0 ? 1 : stop));
        if (stop > 0) CHECK(t.s.point.gradnorm <= 1e-8);  // the best of those that ended
    }
}

static void test_workspace(void) {
    multi t;
    make(&t, 3, deep, 60.0, 3);
    CHECK_WORKSPACE((ap_params_gp(t.s.point.order, &t.s.f.net),
                     ap_solve_lowest(&t.s.point, &t.s.progress, &t.starts, &t.s.p, &t.s.settings, &work, &err)));
}

int main(void) {
    test_each(0.5);
    test_each(60.0);
    test_draw(0);
    test_draw(1);
    test_chosen();
    test_failures();
    test_interrupts();
    test_workspace();
    return check_report("test_ap_starts");
}
