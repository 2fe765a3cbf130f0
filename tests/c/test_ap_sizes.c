// test_ap_sizes.c: predicted memory of a job, which gateways request before it, against its peak
// SPDX-License-Identifier: BSD-3-Clause

#include "attnpath_beyond.h"
#include "fixture.h"

// Heads 2 and 3, and typical widths; C > 1 outputs, coupled or not. Memory as in a host.
static void make(setting *j, size_t L, size_t N0, size_t P, size_t C, bool shared, double memory) {
    uint64_t seed = 3;
    fixture_make(&j->f, L, false, N0, 2, P, 7 + L);
    for (size_t l = 0; l <= L; l++) j->f.width[l] = 200.0;
    j->f.net.temperature = 0.3;
    setting_columns(j, C, shared, memory, &seed);
    CHECK((j->kernel.storage > 0) == (memory > 0.0));
    j->work = (ap_work){.alloc = malloc, .release = free, .limit = SIZE_MAX};
}

static void begin(setting *j) {
    ap_work_close(&j->work);
    j->work.peak = 0;
    CHECK_STATUS(ap_point_take(&j->point, &j->p, &j->work, &err), AP_OK);
    ap_params_gp(j->point.order, j->p.net);
}

static void derive(setting *j) {
    begin(j);
    setting_derive(j);
}

static void compare(setting *j, size_t about, const char *what, int line) {
    const double ratio = (double)j->work.peak / (double)about;
    if (!check_count(ratio > 0.75 && ratio < 1.25, __FILE__, line, what)) printf("    the peak is %.3f of it\n", ratio);
    ap_work_close(&j->work);
}

#define COMPARE(about) compare(&j, (about), #about, __LINE__)

static void test_point(size_t L, size_t N0, size_t P, size_t C, bool shared, double memory) {
    double smallest, doubt, logp;
    size_t products;
    setting j;
    make(&j, L, N0, P, C, shared, memory);
    derive(&j);
    COMPARE(ap_action_size(&j.p));
    begin(&j);
    j.settings.max_iterations = 3;
    CHECK(setting_solve(&j, &err) >= 0);
    ap_work_trim(&j.work);
    CHECK(ap_hessian_smallest(&smallest, &doubt, &products, &j.p, &j.point, &j.work, &err) >= 0);
    COMPARE(ap_solve_size(&j.p));
    derive(&j);
    ap_work_trim(&j.work);
    CHECK_STATUS(ap_evidence_laplace(&logp, &j.p, &j.point, &j.work, &err), AP_OK);
    COMPARE(ap_hessian_size(&j.p));
    derive(&j);
    ap_work_trim(&j.work);
    double *mu = check_room(P * C), *s2 = check_room(P * C * C);
    CHECK_STATUS(
        ap_loo_corrected(&(ap_loo_result){.mu = mu, .s2 = s2}, &j.p, &(ap_groups){.n = P}, &j.point, &j.work, &err),
        AP_OK);
    COMPARE(ap_loo_size(&j.p));
}

// One start and two, and as many as it takes: with large labels, and a layer of one head underneath several paths, ten.
// At lower temperatures reflections (ap_orthogonal.c) take two more matrices, which nobody can know before.
static void test_starts(size_t wanted) {
    ap_start each[ap_starts_many];
    ap_starts starts = {.wanted = wanted, .each = each};
    setting j;
    make(&j, 3, 10, 300, 1, false, 0.0);
    memcpy(j.f.H, (size_t[]){1, 1, 3}, 3 * sizeof *j.f.H);
    j.f.paths = ap_net_paths(&j.f.net, 1);
    j.f.net.temperature = 10.0;
    setting_prepare(&j, 0.0);
    j.work = (ap_work){.alloc = malloc, .release = free, .limit = SIZE_MAX};
    for (size_t mu = 0; mu < 300; mu++) j.f.y[mu] *= wanted == 0 ? 30.0 : 1.0;
    begin(&j);
    j.settings.max_iterations = 3;
    CHECK(ap_solve_lowest(&j.point, &j.progress, &starts, &j.p, &j.settings, &j.work, &err) >= 0);
    CHECK(starts.made == (wanted == 0 ? ap_starts_many : wanted));
    COMPARE(ap_starts_size(&j.p, wanted));
}

static void test_sample(ap_method method, size_t L, size_t N0, size_t P) {
    setting j;
    make(&j, L, N0, P, 1, false, 0.0);
    const ap_sampler s = {.problem = &j.p, .method = method, .warmup = 1000, .thin = 1};
    ap_draws none = {0};
    CHECK_STATUS(ap_sample_check(&s, &err), AP_OK);
    double *state = check_room(ap_sample_state(&s));
    CHECK_STATUS(ap_sample_start(state, &s, 1, 0, &j.work, &err), AP_OK);
    CHECK_STATUS(ap_sample_run(&none, state, &s, 2, &j.work, &err), AP_OK);
    COMPARE(ap_sample_size(&s));
}

int main(void) {
    test_point(1, 20, 500, 1, false, 0.0);
    test_starts(0);
    test_starts(1);
    test_starts(2);
    if (check_thorough()) {
        test_point(2, 100, 500, 1, false, 0.0);
        test_point(2, 100, 500, 1, false, 1e9);
        test_point(1, 400, 500, 1, false, 0.0);
        test_point(3, 40, 500, 1, false, 0.0);
        test_point(1, 40, 200, 3, false, 0.0);
        test_point(1, 40, 200, 3, false, 1e9);
        test_point(2, 40, 500, 3, true, 0.0);
        test_sample(AP_LANGEVIN, 1, 20, 500);
        test_sample(AP_LANGEVIN, 2, 100, 500);
        test_sample(AP_COLLAPSED, 1, 20, 500);
        test_sample(AP_COLLAPSED, 2, 100, 500);
    }
    return check_report("test_ap_sizes");
}
