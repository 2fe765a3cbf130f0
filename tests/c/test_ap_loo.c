// test_ap_loo.c: leave-one-out (T23), (T24) against explicit omission
// SPDX-License-Identifier: BSD-3-Clause

#include "beyond/ap_beyond.h"

#include "fixture.h"

static ap_status corrected(double *mu, double *s2, const ap_problem *p, const ap_point *point, ap_work *work,
                           ap_error *err) {
    return ap_loo_corrected(&(ap_loo_result){.mu = mu, .s2 = s2}, p, &(ap_groups){.n = p->kernel->examples}, point,
                            work, err);
}

static ap_status fixed(double *mu, double *s2, const ap_problem *p, const double *U, ap_work *work, ap_error *err) {
    return ap_loo_draws(&(ap_loo_result){.mu = mu, .s2 = s2}, p, &(ap_groups){.n = p->kernel->examples},
                        &(ap_many){.U = U, .count = 1}, NULL, work, err);
}

// The fixture without its example i.
static fixture without(const fixture *f, size_t i) {
    fixture g = *f;
    const size_t N0 = f->N0;
    g.P = f->P - 1;
    g.Xi = check_room(N0 * g.P * f->paths);
    g.y = check_room(g.P);
    for (size_t mu = 0; mu < g.P; mu++) {
        const size_t from = mu < i ? mu : mu + 1;
        g.y[mu] = f->y[from];
        for (size_t a = 0; a < f->paths; a++)
            memcpy(g.Xi + N0 * (mu + g.P * a), f->Xi + N0 * (from + f->P * a), N0 * sizeof *g.Xi);
    }
    return g;
}

// Mean and variance of the example i from all others at U, by (T10).
static void left_out(double *mu, double *s2, const fixture *f, const double *U, size_t i) {
    setting s = {.f = without(f, i)};
    setting_prepare(&s, 0.0);
    double *one = check_room(f->N0 * f->paths);
    for (size_t a = 0; a < f->paths; a++) memcpy(one + f->N0 * a, f->Xi + f->N0 * (i + f->P * a), f->N0 * sizeof *one);
    const ap_inputs test = {.N0 = f->N0, .P = 1, .Xi = one};
    CHECK_STATUS(setting_predict(mu, s2, &s, U, &test), AP_OK);
}

static void test_fixed(size_t L, size_t P) {
    setting s;
    setting_make(&s, L, P, 0.0);
    double *mu = check_room(P), *s2 = check_room(P), m, v;
    CHECK_STATUS(fixed(mu, s2, &s.p, s.f.order, &s.work, &err), AP_OK);
    for (size_t i = 0; i < P; i++) {
        left_out(&m, &v, &s.f, s.f.order, i);
        CHECK_NEAR(mu[i], m, 1e-10);  // cond A below 1e4
        CHECK_NEAR(s2[i], v, 1e-10);
    }
}

// New solutions without each example: the error of (T24) divided by that of (T23) decreases with the width as 1/N.
static void test_corrected(size_t L) {
    enum { P = 12 };
    double left[2], seen[2];
    for (size_t k = 0; k < 2; k++) {
        setting s, r;
        double mu[P], s2[P], mu0[P], s20[P], m, v;
        setting_make(&s, L, P, 1e9);
        for (size_t l = 0; l <= L; l++) s.f.width[l] *= k == 0 ? 20.0 : 80.0;
        CHECK_STATUS(setting_solve(&s, &err), AP_OK);
        CHECK_STATUS(fixed(mu0, s20, &s.p, s.point.order, &s.work, &err), AP_OK);
        CHECK_STATUS(corrected(mu, s2, &s.p, &s.point, &s.work, &err), AP_OK);
        left[k] = seen[k] = 0.0;
        for (size_t i = 0; i < P; i++) {
            r = (setting){.f = without(&s.f, i)};
            setting_prepare(&r, 0.0);
            CHECK_STATUS(setting_solve(&r, &err), AP_OK);
            left_out(&m, &v, &s.f, r.point.order, i);
            left[k] = fmax(left[k], fabs(mu[i] - m) + fabs(s2[i] - v));
            seen[k] = fmax(seen[k], fabs(mu0[i] - m) + fabs(s20[i] - v));
        }
    }
    CHECK(left[0] < 0.2 * seen[0]);
    CHECK_NEAR(log2(seen[0] / seen[1]) / 2.0, 1.0, 0.15);  // 1/N
    CHECK_NEAR(log2(left[0] / left[1]) / 2.0, 2.0, 0.3);   // 1/N^2
}

// Kernels with and without a store give the same numbers, also in parts of batches.
static void test_ways(void) {
    enum { P = 70 };
    setting stored, inputs;
    double mu[P], s2[P], mu_want[P], s2_want[P];
    setting_minimum(&stored, 2, P, 1.0, 1e9);
    setting_minimum(&inputs, 2, P, 1.0, 0.0);
    CHECK_STATUS(corrected(mu_want, s2_want, &stored.p, &stored.point, &stored.work, &err), AP_OK);
    CHECK_STATUS(corrected(mu, s2, &inputs.p, &inputs.point, &inputs.work, &err), AP_OK);
    CHECK_ARRAYS(mu, mu_want, P, 1e-7);  // both solved U to 1e-8
    CHECK_ARRAYS(s2, s2_want, P, 1e-7);
}

static void test_refusals(void) {
    setting s;
    double mu[9], s2[9];
    setting_make(&s, 2, 9, 0.0);
    for (size_t l = 0; l <= 2; l++) s.f.width[l] = 0.01;  // y' A^{-1} y is not convex if noise dominates
    s.f.net.temperature = 1.0;
    setting_leave(&s);
    CHECK_STATUS(corrected(mu, s2, &s.p, &s.point, &s.work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "no minimum");
    s.p.null_examples = 3;
    CHECK_STATUS(corrected(mu, s2, &s.p, &s.point, &s.work, &err), AP_EINPUT);
    CHECK_STATUS(fixed(mu, s2, &s.p, s.point.order, &s.work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "12 examples");
}

static bool stop(void *context) { return ++*(int *)context > 1; }

static void test_interrupt(void) {
    setting s;
    double mu[9], s2[9];
    int asked = 0;
    setting_minimum(&s, 2, 9, 1.0, 0.0);
    s.kernel.stop = stop;
    s.kernel.context = &asked;
    const size_t used = s.work.used;
    CHECK_STATUS(corrected(mu, s2, &s.p, &s.point, &s.work, &err), AP_INTERRUPTED);
    CHECK(asked == 2 && s.work.used == used);
}

// Groups, and two equal columns of labels that share one U: twice the log density of one, and at the U_1 that has seen
// them that of a draw at U.
static void test_groups(void) {
    enum { P = 9, n = 4 };
    setting s;
    const size_t member[P] = {3, 0, 1, 2, 4, 8, 7, 6, 5}, begin[n + 1] = {0, 2, 3, 5, 9};
    const ap_groups groups = {.n = n, .member = member, .begin = begin};
    double y[2 * P], logp[2][n], seen[2][n], at_U[n];
    setting_minimum(&s, 2, P, 1.0, 1e9);
    memcpy(y, s.f.y, P * sizeof *y);
    memcpy(y + P, s.f.y, P * sizeof *y);
    for (int k = 0; k < 2; k++) {
        const ap_loo_result out = {.logp = logp[k], .seen = seen[k]};
        CHECK_STATUS(ap_loo_corrected(&out, &s.p, &groups, &s.point, &s.work, &err), AP_OK);
        if (k == 0)
            CHECK_STATUS(ap_loo_draws(&(ap_loo_result){.logp = at_U}, &s.p, &groups,
                                      &(ap_many){.U = s.point.order, .count = 1}, NULL, &s.work, &err),
                         AP_OK);
        s.p.y = y;
        s.p.label_columns = 2;
        if (k == 0) {
            const double *order = s.point.order;
            CHECK_STATUS(ap_point_take(&s.point, &s.p, &s.work, &err), AP_OK);
            memcpy(s.point.order, order, ap_params_length(&s.f.net) * sizeof *order);
            CHECK_STATUS(setting_solve(&s, &err), AP_OK);
        }
    }
    CHECK_ARRAYS(seen[0], at_U, n, 1e-10);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(logp[1][i], 2.0 * logp[0][i], 1e-6);
        CHECK_NEAR(seen[1][i], 2.0 * seen[0][i], 1e-6);
    }
}

// Means and variances of a group's examples from the other groups, by (T10), and a group of one as one example alone.
static void test_group_means(void) {
    enum { P = 9, n = 3 };
    setting s;
    const size_t member[P] = {3, 5, 8, 1, 0, 2, 4, 6, 7}, begin[n + 1] = {0, 3, 4, 9};
    const ap_groups groups = {.n = n, .member = member, .begin = begin};
    double mu[P], s2[P], alone[P], spread[P], m, v;
    setting_make(&s, 2, P, 0.0);
    CHECK_STATUS(ap_loo_draws(&(ap_loo_result){.mu = mu, .s2 = s2}, &s.p, &groups,
                              &(ap_many){.U = s.f.order, .count = 1}, NULL, &s.work, &err),
                 AP_OK);
    CHECK_STATUS(fixed(alone, spread, &s.p, s.f.order, &s.work, &err), AP_OK);
    CHECK(mu[1] == alone[1] && s2[1] == spread[1]);
    for (size_t i = 0; i < 3; i++) {  // the first group's example i, all others of it taken out before
        fixture f = s.f;
        size_t at = member[i];
        for (size_t k = 3; k-- > 0;)
            if (k != i) {
                f = without(&f, member[k]);
                if (member[k] < at) at--;
            }
        left_out(&m, &v, &f, s.f.order, at);
        CHECK_NEAR(mu[member[i]], m, 1e-10);
        CHECK_NEAR(s2[member[i]], v, 1e-10);
    }
}

// Many draws agree with single ones, and end when the monitor stops them.
static void test_draws(void) {
    enum { P = 9, S = 40 };
    setting s;
    setting_minimum(&s, 2, P, 1.0, 1e9);
    const size_t cells = s.kernel.paths * s.kernel.paths;
    double mu[P * S], s2[P * S], one[P], spread[P], *U = check_room(cells * S);
    for (size_t i = 0; i < cells * S; i++) U[i] = (1.0 + (double)(i / cells)) * s.point.order[i % cells];
    const ap_loo_result out = {.mu = mu, .s2 = s2};
    size_t enough = S;
    ap_many draws = {.U = U, .count = S};
    CHECK_STATUS(ap_loo_draws(&out, &s.p, &(ap_groups){.n = P}, &draws, NULL, &s.work, &err), AP_OK);
    for (size_t k = 0; k < S; k++) {
        CHECK_STATUS(fixed(one, spread, &s.p, U + cells * k, &s.work, &err), AP_OK);
        CHECK_ARRAYS(mu + P * k, one, P, 1e-10);
        CHECK_ARRAYS(s2 + P * k, spread, P, 1e-10 * (double)(k + 1));
    }
    draws.monitor = fixture_enough, draws.context = &enough;
    const size_t used = s.work.used;
    CHECK_STATUS(ap_loo_draws(&out, &s.p, &(ap_groups){.n = P}, &draws, NULL, &s.work, &err), AP_INTERRUPTED);
    CHECK(s.work.used == used);
}

// The weights give k' V at each example's own path inputs: of a group that is left out, mu without it. With weights of
// draws they are the sum, the same for a team of any size.
static void test_weights(void) {
    enum { P = 9, S = 40 };
    setting s;
    setting_minimum(&s, 2, P, 1.0, 1e9);
    const size_t n = s.kernel.paths, N0 = s.f.N0, cells = n * n, count = N0 * P * n;
    double mu[P * S], s2[P * S], want[P] = {0}, one[P], weight[P * S], *U = check_room(cells * S);
    double *W = check_room(count), *side = check_room(count);
    uint64_t seed = 5;
    const ap_team team = {.threads = 3, .run = check_backwards};
    for (size_t i = 0; i < cells * S; i++) U[i] = (1.0 + (double)(i / cells)) * s.point.order[i % cells];
    check_fill(weight, P * S, &seed);
    for (size_t i = 0; i < P; i++) one[i] = 1.0;
    for (int moves = 0; moves < 2; moves++) {
        const ap_loo_result out = {.mu = mu, .s2 = s2, .W = W, .weight = moves ? one : weight};
        const ap_groups groups = {.n = P};
        const ap_many draws = {.U = U, .count = S};
        CHECK_STATUS(moves ? ap_loo_corrected(&out, &s.p, &groups, &s.point, &s.work, &err)
                           : ap_loo_draws(&out, &s.p, &groups, &draws, NULL, &s.work, &err),
                     AP_OK);
        for (size_t i = 0; i < P; i++) {
            double f = 0.0;
            for (size_t a = 0; a < n; a++) f += ap_dot(N0, s.f.Xi + N0 * (i + P * a), W + N0 * (i + P * a));
            want[i] = 0.0;
            for (size_t k = 0; k < (moves ? 1 : S); k++) want[i] += out.weight[i + P * k] * mu[i + P * k];
            CHECK_NEAR(f, want[i], moves ? 1e-4 : 1e-9);  // (T24) solves to 1e-4 of its shift (ap_shifted.c)
        }
        memcpy(side, W, count * sizeof *W);
        if (!moves) CHECK_STATUS(ap_loo_draws(&out, &s.p, &groups, &draws, &team, &s.work, &err), AP_OK);
        CHECK(memcmp(side, W, count * sizeof *W) == 0);
    }
}

static void test_workspace(double memory) {
    setting s;
    double mu[9], s2[9], logp[3], weight[3] = {1.0, 1.0, 1.0};
    setting_minimum(&s, 2, 9, 1.0, memory);
    const ap_groups groups = {.n = 3, .member = (size_t[]){3, 0, 1, 2, 4, 8, 7, 6, 5}, .begin = (size_t[]){0, 2, 3, 9}};
    const ap_many one = {.U = s.point.order, .count = 1};
    const ap_loo_result left = {.logp = logp, .W = check_room(s.f.N0 * 3 * s.f.paths), .weight = weight};
    CHECK_WORKSPACE(corrected(mu, s2, &s.p, &s.point, &work, &err));
    CHECK_WORKSPACE(ap_loo_draws(&left, &s.p, &groups, &one, NULL, &work, &err));
    CHECK_WORKSPACE(fixed(mu, s2, &s.p, s.point.order, &work, &err));  // the message for a missing factor needs more
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) {
        test_fixed(L, 9);
        test_corrected(L);
    }
    test_ways();
    test_refusals();
    test_interrupt();
    test_draws();
    test_groups();
    test_weights();
    test_group_means();
    test_workspace(0.0);
    test_workspace(1e9);
    return check_report("test_ap_loo");
}
