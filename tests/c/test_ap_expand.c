// test_ap_expand.c: means, spreads and draws of the expansion (T30)-(T32) against their definitions
// SPDX-License-Identifier: BSD-3-Clause

#include "expansion.h"

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
        CHECK_STATUS(ap_expand(&to, &t.s.p, &t.s.point, &teams[k], fixture_enough, &most, &t.s.work, &err), AP_OK);
        CHECK(memcmp(out, want, (3 * chain + n) * sizeof *out) == 0);
    }
    for (most = 0; most < n; most += 5) {
        CHECK_STATUS(ap_expand(&to, &t.s.p, &t.s.point, NULL, fixture_enough, &most, &t.s.work, &err),
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
    int asked;
    expand(&t, 2, 0.0);
    const size_t used = t.s.work.used;
    setting_stop(&t.s, &asked);
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
    for (size_t L = 1; L <= 3; L++) test_spread(L);
    test_whole();
    test_draws();
    test_refusals();
    test_workspace();
    return check_report("test_ap_expand");
}
