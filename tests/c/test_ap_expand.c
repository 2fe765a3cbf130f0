// test_ap_expand.c: (T30)-(T32) against their definitions
// SPDX-License-Identifier: BSD-3-Clause

#include "beyond/ap_beyond.h"
#include "fixture.h"

typedef struct expansion {
    setting s;
    size_t n;
    double *h, *beta, *step, *second, *cubic, *rest;
} expansion;

// A minimum, and its lines.
static void expand(expansion *t, size_t L, double memory) {
    setting_make(&t->s, L, 9, memory);
    for (size_t l = 0; l <= L; l++) t->s.f.width[l] = 40.0 + 5.0 * (double)l;
    t->s.settings.tolerance = 1e-11;
    CHECK_STATUS(setting_solve(&t->s, &err), AP_OK);
    setting_derive(&t->s);
    const size_t n = t->n = ap_expand_unknowns(&t->s.p);
    t->h = check_doubles(n * n);
    t->second = check_doubles(n * n);
    t->beta = check_doubles(n);
    t->step = check_doubles(n);
    t->cubic = check_doubles(n);
    t->rest = check_doubles(n);
    CHECK_STATUS(ap_expand_lines(t->h, t->beta, t->step, &t->s.p, &t->s.point, &t->s.work, &err), AP_OK);
}

static ap_expansion lines_of(const expansion *t, size_t first, size_t count) {
    return (ap_expansion){.count = count, .h = t->h + t->n * first, .step = t->step + first};
}

static ap_status follow(expansion *t, const ap_team *team) {
    const ap_expansion x = lines_of(t, 0, t->n);
    return ap_expand_follow(t->second, t->cubic, t->rest, &t->s.p, &t->s.point, &x, team, &t->s.work, &err);
}

static ap_expanded results(const expansion *t, double *out) {  // out: mean, sd, gauge, shift
    const size_t order = ap_params_length(&t->s.f.net);
    return (ap_expanded){.h = t->h,
                         .beta = t->beta,
                         .step = t->step,
                         .rest = t->rest,
                         .mean = out,
                         .sd = out + order,
                         .gauge = out + 2 * order,
                         .shift = out + 3 * order};
}

// log J of the coordinates: [n tr d^2 - (tr d)^2] / 24 of each order parameter.
static double jacobian(const ap_net *net, const double *h) {
    double sum = 0.0;
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_params_member(net, l);
        const double *d = h + u.first;
        double square = 0.0, trace = 0.0;
        for (size_t b = 0, k = 0; b < u.n; b++)
            for (size_t a = 0; a <= b; a++, k++) {
                square += (a < b ? 2.0 : 1.0) * d[k] * d[k];
                if (a == b) trace += d[k];
            }
        sum += ((double)u.n * square - trace * trace) / 24.0;
    }
    return sum;
}

// h' H h is the identity, and log J is diagonal.
static void test_lines(size_t L) {
    expansion t;
    expand(&t, L, 1e9);
    const size_t n = t.n;
    double *H = check_doubles(n * n), *sum = check_doubles(n);
    CHECK_STATUS(ap_hessian_action(H, &t.s.p, &t.s.point, &t.s.work, &err), AP_OK);
    ap_spd_mirror(H, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double form = 0.0;
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n; b++) form += t.h[a + n * i] * H[a + n * b] * t.h[b + n * j];
            CHECK_NEAR(form, i == j ? 1.0 : 0.0, 1e-9);  // n cond (H) eps, with a condition below 1e4
            for (size_t a = 0; a < n; a++) sum[a] = t.h[a + n * i] + t.h[a + n * j];
            const double cross =
                jacobian(&t.s.f.net, sum) - jacobian(&t.s.f.net, t.h + n * i) - jacobian(&t.s.f.net, t.h + n * j);
            CHECK_NEAR(0.5 * cross, i == j ? t.beta[i] : 0.0, 1e-12);
        }
    for (size_t k = 0; k < n; k++) CHECK(t.step[k] > 0.0 && t.step[k] <= 0.1);
}

// The variance of an entry of U_l = F exp (d) F' to first order: 2 J H^{-1} J', J its derivatives with respect to d.
static void test_spread(size_t L) {
    expansion t;
    expand(&t, L, 1e9);
    const size_t n = t.n, order = ap_params_length(&t.s.f.net);
    double *H = check_doubles(n * n), *A = check_doubles(n * n), *J = check_doubles(n), *x = check_doubles(n),
           *out = check_doubles(3 * order);
    const ap_expansion all = {.count = n, .h = t.h, .beta = t.beta, .g = t.rest, .g_beta = t.rest};
    CHECK_STATUS(ap_expand_order(out, out + order, out + 2 * order, x, &t.s.p, &t.s.point, &all, &t.s.work, &err),
                 AP_OK);
    CHECK_STATUS(ap_hessian_action(H, &t.s.p, &t.s.point, &t.s.work, &err), AP_OK);
    ap_spd_mirror(H, n);
    for (size_t l = 1; l <= L; l++) {
        const ap_member u = ap_params_member(&t.s.f.net, l);
        const double *F = t.s.point.chol + u.at;
        for (size_t i = 0; i < u.n; i++)
            for (size_t j = 0; j <= i; j++) {
                memset(J, 0, n * sizeof *J);
                for (size_t b = 0, k = u.first; b < u.n; b++)
                    for (size_t a = 0; a <= b; a++, k++) {
                        if (a <= i && b <= j) J[k] += F[i + u.n * a] * F[j + u.n * b];
                        if (a < b && b <= i && a <= j) J[k] += F[i + u.n * b] * F[j + u.n * a];
                    }
                memcpy(A, H, n * n * sizeof *A);
                memcpy(x, J, n * sizeof *x);
                (void)fixture_eliminate(A, n, x, 1);
                const double want = sqrt(2.0 * ap_dot(n, J, x));
                CHECK_NEAR(out[order + u.at + i + u.n * j], want, 1e-9 * want);
            }
    }
}

// Second derivatives d^2 grad S / de^2 along each line agree with those by steps ten times as long, whose truncation,
// 1/12 d^2, is 1e-3 of the largest. (expand.tst compares their sum, the gradient of log det H, with ref_expand.m.)
static void test_bends(size_t L) {
    expansion t;
    expand(&t, L, 0.0);
    const size_t n = t.n;
    double *g = check_doubles(n), *more = check_doubles(n);
    CHECK_STATUS(follow(&t, NULL), AP_OK);
    for (size_t k = 0; k < n; k++) ap_axpy(n, 1.0, t.second + n * k, g);
    for (size_t k = 0; k < n; k++) {
        CHECK_NEAR(t.cubic[k], ap_dot(n, t.h + n * k, t.second + n * k), 1e-12);
        CHECK(fabs(t.rest[k]) < 0.3);  // N is forty and more: small against the parabola's 1
        t.step[k] = fmin(0.1, 10.0 * t.step[k]);
    }
    CHECK_STATUS(follow(&t, NULL), AP_OK);
    for (size_t k = 0; k < n; k++) ap_axpy(n, 1.0, t.second + n * k, more);
    CHECK_ARRAYS(more, g, n, 1e-3 * check_largest(g, n));
}

// The rule for steps: doubling or halving a step changes a second derivative by at most the bound of the rule, d^2/12
// at 2 d, on the scale of its third derivatives, and rounding is below it. The factor 10 is for higher derivatives.
static void test_steps(void) {
    expansion t;
    expand(&t, 2, 1e9);
    const size_t n = t.n;
    double *at[3];
    for (int k = 0; k < 3; k++) {
        CHECK_STATUS(follow(&t, NULL), AP_OK);
        at[k] = check_copy(t.second, n * n);
        for (size_t i = 0; i < n; i++) t.step[i] *= k == 0 ? 2.0 : 0.25;
    }
    const double largest = check_largest(at[0], n * n);
    const double bound = 10.0 * 4.0 * ap_expand_rounding(&t.s.p, &t.s.point) * largest;
    CHECK(bound < 1e-3 * largest);
    CHECK_ARRAYS(at[1], at[0], n * n, bound);
    CHECK_ARRAYS(at[2], at[0], n * n, bound);
}

// Equal bits for any team, in any order, and for lines in two calls.
static void test_team(void) {
    expansion t;
    expand(&t, 2, 1e9);
    const ap_team team = {.threads = 3, .run = check_backwards};
    const size_t n = t.n;
    CHECK_STATUS(follow(&t, NULL), AP_OK);
    double *want = check_copy(t.second, n * n);
    CHECK_STATUS(follow(&t, &team), AP_OK);
    CHECK(memcmp(want, t.second, n * n * sizeof(double)) == 0);
    const ap_expansion some = lines_of(&t, 2, n - 2);
    CHECK_STATUS(ap_expand_follow(t.second, t.cubic, t.rest, &t.s.p, &t.s.point, &some, NULL, &t.s.work, &err), AP_OK);
    CHECK(memcmp(want + n * 2, t.second, n * (n - 2) * sizeof(double)) == 0);
}

static bool enough(void *context, size_t done) {
    size_t *most = context;
    return done >= *most;
}

// ap_expand is its steps, in any team, and ends where the monitor asks.
static void test_whole(void) {
    expansion t;
    expand(&t, 2, 1e9);
    const size_t n = t.n, chain = ap_params_length(&t.s.f.net), used = t.s.work.used;
    double *g = check_doubles(n), *g_beta = check_doubles(n), *want = check_doubles(3 * chain + n),
           *out = check_doubles(3 * chain + n);
    CHECK_STATUS(follow(&t, NULL), AP_OK);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            g[i] += t.second[i + n * k];
            g_beta[i] += 4.0 * t.beta[k] * t.second[i + n * k];
        }
    const ap_expansion all = {.count = n, .h = t.h, .beta = t.beta, .g = g, .g_beta = g_beta};
    CHECK_STATUS(ap_expand_order(want, want + chain, want + 2 * chain, want + 3 * chain, &t.s.p, &t.s.point, &all,
                                 &t.s.work, &err),
                 AP_OK);
    const ap_team teams[] = {{.threads = 1, .run = check_backwards}, {.threads = 3, .run = check_backwards}};
    const ap_expanded to = results(&t, out);
    size_t most = n + 1;
    for (int k = 0; k < 2; k++) {
        memset(out, 0, (3 * chain + n) * sizeof *out);
        CHECK_STATUS(ap_expand(&to, &t.s.p, &t.s.point, &teams[k], enough, &most, &t.s.work, &err), AP_OK);
        CHECK(memcmp(out, want, (3 * chain + n) * sizeof *out) == 0);
    }
    for (most = 0; most < n; most += 5) {
        CHECK_STATUS(ap_expand(&to, &t.s.p, &t.s.point, NULL, enough, &most, &t.s.work, &err),
                     (most + 3) / 4 * 4 < n ? AP_INTERRUPTED : AP_OK);
        CHECK(t.s.work.used == used);
    }
}

// Draws of the Gaussian: mean and covariance of d, which is recovered by the logarithm in the point's frame; here for
// one path, U = F^2 exp (d). 20 000 draws, 4.5 standard errors.
static void test_draws(void) {
    setting s;
    setting_scalar(&s, 9, 5);
    setting_derive(&s);
    enum { count = 20000 };
    double h, beta, step, *U = check_doubles(count);
    const double shift = -0.3;
    const uint64_t seed[] = {1, 0};
    CHECK_STATUS(ap_expand_lines(&h, &beta, &step, &s.p, &s.point, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_expand_draws(U, &s.p, &s.point, &h, &shift, count, seed, &s.work, &err), AP_OK);
    tally t = {0};
    for (size_t k = 0; k < count; k++) tally_add(&t, log(U[k] / s.point.order[0]));
    CHECK_NEAR(t.mean, shift, fixture_far * tally_error(&t));
    const double variance = 2.0 * h * h;
    CHECK_NEAR(t.square / (count - 1), variance, fixture_far * variance * sqrt(2.0 / count));
    CHECK_NEAR(beta, 0.0, 0.0);  // log J of one path
}

static void test_refusals(void) {
    expansion t;
    int asked = 0;
    expand(&t, 2, 0.0);
    const size_t used = t.s.work.used;
    t.s.kernel.stop = fixture_stop;
    t.s.kernel.context = &asked;
    CHECK_STATUS(follow(&t, NULL), AP_INTERRUPTED);
    CHECK(t.s.work.used == used);
    t.s.kernel.stop = NULL;
    setting_leave(&t.s);
    CHECK_STATUS(ap_expand_lines(t.h, t.beta, t.step, &t.s.p, &t.s.point, &t.s.work, &err), AP_ENOTSPD);
    CHECK(strstr(err.text, "no minimum") != NULL);
}

static void test_workspace(void) {
    expansion t;
    expand(&t, 2, 1e9);
    const ap_problem *p = &t.s.p;
    const ap_point *at = &t.s.point;
    const size_t order = ap_params_length(p->net);
    const uint64_t seed[] = {1, 0};
    double *out = check_doubles(3 * order + t.n);
    const ap_expansion two = lines_of(&t, 0, 2),
                       all = {.count = t.n, .h = t.h, .beta = t.beta, .g = t.rest, .g_beta = t.rest};
    const ap_expanded to = results(&t, out);
    CHECK_WORKSPACE(ap_expand_lines(t.h, t.beta, t.step, p, at, &work, &err));
    CHECK_WORKSPACE(ap_expand_follow(t.second, t.cubic, t.rest, p, at, &two, NULL, &work, &err));
    CHECK_WORKSPACE(ap_expand_order(to.mean, to.sd, to.gauge, to.shift, p, at, &all, &work, &err));
    CHECK_WORKSPACE(ap_expand_draws(out, p, at, t.h, t.step, 3, seed, &work, &err));
    CHECK_WORKSPACE(ap_expand(&to, p, at, NULL, NULL, NULL, &work, &err));
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) {
        test_lines(L);
        test_bends(L);
        test_spread(L);
    }
    test_steps();
    test_team();
    test_whole();
    test_draws();
    test_refusals();
    test_workspace();
    return check_report("test_ap_expand");
}
