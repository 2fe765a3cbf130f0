// test_ap_mode.c: the mode of a target, and its curvature
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { most = 12 };

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
    const ap_target target = fixture_head_start(t, t->dim);
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
    const ap_target target = fixture_head_start(&t, 2);
    search w;
    search_make(&w, &target, (const double[]){0.0, 0.0});
    search_run(&w);
    CHECK(w.cost == 0 && w.z[0] == 0.0 && w.z[1] == 0.0);
}

// H = V' M V, V orthonormal. Differences of a linear gradient of size 1e3 at a distance of 1e-4 have errors of 1e-9.
static void test_curvature(const fixture_normal *t, size_t rank) {
    const size_t n = t->dim;
    const ap_target target = fixture_head_start(t, rank);
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
    const fixture_normal t = fixture_eigenvalues(n, lambda, count, 60);
    double floored[most];
    for (size_t i = 0; i < count; i++) floored[i] = fmax(lambda[i], 0.1);
    fixture_normal want = fixture_eigenvalues(n, floored, count, 60);
    const ap_target target = fixture_head_start(&t, rank);
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
    fixture_normal t = fixture_eigenvalues(most, lambda, 1, 70);
    t.only = x;
    const ap_target target = fixture_head_start(&t, rank);
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

int main(void) {
    const double one[most] = {1.0}, steep[] = {1e3, 40.0, 7.0, 2.0, 0.3, 0.6}, flat[] = {20.0, 0.02, -3.0};
    const fixture_normal round = fixture_eigenvalues(most, one, 1, 90),
                         valley = fixture_eigenvalues(most, steep, 6, 91);
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
    return check_report("test_ap_mode");
}
