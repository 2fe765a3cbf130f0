// test_ap_draws.c: predictions over draws of the order parameter, against one draw after another
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { P = 9, P2 = 150, N0 = 20, N = N0 + 2, S = 37, most = 3, paths = 6 };  // several blocks, several groups

typedef struct draws_case {
    setting s;
    size_t columns, n;  // of labels; Pi of the chain
    double *U, *Xi2;
    ap_inputs x2;
} draws_case;

// C outputs, coupled or `shared` (one U); kernels stored or not; inputs in a basis or not.
static void make(draws_case *c, size_t C, size_t shared, bool store, bool basis) {
    static double columns[N * N0];
    const double memory = store ? 1e9 : 0.0;
    setting *s = &c->s;
    uint64_t seed = 5;
    c->columns = C > shared ? C : shared;
    fixture_make(&s->f, 2, false, N0, 2, P, 8);
    s->f.net.temperature = 0.3;
    setting_for(s, C, memory);
    c->n = s->kernel.paths;
    c->U = fixture_numbers(c->n * c->n * S, 0.0, &seed);
    for (size_t k = 0; k < S; k++)
        fixture_outer(c->U + c->n * c->n * k, fixture_numbers(c->n * c->n, 1.0, &seed), c->n, c->n);
    c->Xi2 = fixture_numbers(N * P2 * s->f.paths, 1.0, &seed);
    c->x2 = (ap_inputs){.N0 = basis ? N : N0, .P = P2, .Xi = c->Xi2};
    if (basis) {  // unit vectors without two of them
        ap_inputs x = fixture_inputs(&s->f);
        for (size_t i = 0; i < N0; i++) columns[(i < 7 ? i : i + 2) + N * i] = 1.0;
        x.basis = columns;
        x.features = N;
        CHECK_STATUS(ap_kernel_plan(&s->kernel, &s->f.net, &x, memory, &err), AP_OK);
        CHECK_STATUS(ap_kernel_build(&s->kernel, s->storage, &work, &err), AP_OK);
    }
    if (shared > 0) s->p.y = fixture_numbers(P * shared, 1.0, &seed);
    s->p.label_columns = shared;
}

// One draw after another; the law of total variance as two sums.
static void slowly(double *mu, double *s2, const draws_case *c) {
    const size_t C = c->columns, own = c->s.p.label_columns > 1 ? 1 : C * C;
    double *m = check_doubles(P2 * C * S), *v = check_doubles(P2 * own * S);
    for (size_t k = 0; k < S; k++) {
        const double *U = c->U + c->n * c->n * k;
        CHECK_STATUS(setting_predict(m + P2 * C * k, v + P2 * own * k, &c->s, U, &c->x2), AP_OK);
    }
    for (size_t i = 0; i < P2 * C; i++) {
        mu[i] = 0.0;
        for (size_t k = 0; k < S; k++) mu[i] += m[i + P2 * C * k] / S;
    }
    for (size_t t = 0; t < P2; t++)
        for (size_t d = 0; d < C; d++)
            for (size_t e = 0; e < C; e++) {
                double sum = 0.0;
                for (size_t k = 0; k < S; k++) {
                    const double *mk = m + P2 * C * k, *vk = v + P2 * own * k;
                    sum += own == C * C ? vk[e + C * (d + C * t)] : d == e ? vk[t] : 0.0;
                    sum += (mk[t + P2 * d] - mu[t + P2 * d]) * (mk[t + P2 * e] - mu[t + P2 * e]);
                }
                s2[e + C * (d + C * t)] = sum / S;
            }
}

static void test_definition(size_t C, size_t shared, bool store, bool basis) {
    draws_case c;
    make(&c, C, shared, store, basis);
    const ap_many draws = {.U = c.U, .count = S};
    const ap_team team = {.threads = 3, .run = check_backwards};
    const size_t columns = c.columns, features = c.x2.N0;
    static double mu[P2 * most], s2[P2 * most * most], got[P2 * most], spread[P2 * most * most],
        other[P2 * most * most];
    static double W[N * paths * most];
    slowly(mu, s2, &c);
    CHECK_STATUS(ap_draws_predict(got, spread, &c.s.p, &draws, &c.x2, NULL, &work, &err), AP_OK);
    CHECK_ARRAYS(got, mu, P2 * columns, 1e-11);  // A has a condition below 1e4, 37 draws
    CHECK_ARRAYS(spread, s2, P2 * columns * columns, 1e-11);
    CHECK_STATUS(ap_draws_predict(mu, other, &c.s.p, &draws, &c.x2, &team, &work, &err), AP_OK);
    CHECK_ARRAYS(mu, got, P2 * columns, 0.0);  // equal for any number of threads
    CHECK_ARRAYS(other, spread, P2 * columns * columns, 0.0);
    CHECK_STATUS(ap_draws_weights(W, &c.s.p, &draws, &team, &work, &err), AP_OK);
    for (size_t d = 0; d < columns; d++)
        for (size_t t = 0; t < P2; t++) {
            mu[t + P2 * d] = 0.0;
            for (size_t a = 0; a < c.s.f.paths; a++)
                for (size_t i = 0; i < features; i++)
                    mu[t + P2 * d] += c.Xi2[i + features * (t + P2 * a)] * W[i + features * (d + columns * a)];
        }
    CHECK_ARRAYS(mu, got, P2 * columns, 1e-11);
}

static bool enough(void *context, size_t done) {
    size_t *calls = context;
    return ++*calls == 2 && done > 0;
}

// The error for a draw that is not definite is that of ap_predict_fit; work stops on request.
static void test_refusals(void) {
    draws_case c;
    make(&c, 1, 0, true, false);
    size_t calls = 0;
    int asked;
    const ap_many draws = {.U = c.U, .count = S, .monitor = enough, .context = &calls};
    double W[N0 * paths], mu[P2], s2[P2];
    CHECK_STATUS(ap_draws_weights(W, &c.s.p, &draws, NULL, &work, &err), AP_INTERRUPTED);
    CHECK(calls == 2 && work.used == 0);
    setting_stop(&c.s, &asked);
    CHECK_STATUS(ap_draws_predict(mu, s2, &c.s.p, &draws, &c.x2, NULL, &work, &err), AP_INTERRUPTED);
    CHECK(calls == 2);
    c.s.kernel.stop = NULL;
    for (size_t i = 0; i < c.n * c.n; i++) c.U[i + c.n * c.n * 20] *= -1.0;
    CHECK_STATUS(ap_draws_weights(W, &c.s.p, &draws, NULL, &work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "smallest eigenvalue is -");
}

static void test_workspace(size_t C, bool store, bool basis) {
    static double W[N * paths * most], mu[P2 * most], s2[P2 * most * most];
    draws_case c;
    make(&c, C, 0, store, basis);
    const ap_many draws = {.U = c.U, .count = S};
    CHECK_WORKSPACE(ap_draws_predict(mu, s2, &c.s.p, &draws, &c.x2, NULL, &work, &err));
    CHECK_WORKSPACE(ap_draws_weights(W, &c.s.p, &draws, NULL, &work, &err));
}

int main(void) {
    for (int store = 0; store < 2; store++) {
        test_definition(1, 0, store, false);
        test_definition(1, 0, store, true);
        test_definition(1, 3, store, false);
        test_definition(2, 0, store, false);
        test_workspace(1, store, !store);
        test_workspace(2, store, false);
    }
    test_refusals();
    return check_report("test_ap_draws");
}
