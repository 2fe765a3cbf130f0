// test_ap_sizes.c: predicted memory of a job, which gateways request before it, against its peak
// SPDX-License-Identifier: BSD-3-Clause

#include "check.h"
#include "fixture.h"

typedef struct job {
    fixture f;
    ap_kernel kernel;
    ap_problem p;
    ap_point point;
    ap_work work;
    size_t H[fixture_layers + 1], C;
    double *storage, *y, width[fixture_layers + 2], variance[fixture_layers + 3];
    ap_net chain;
} job;

// Heads 2 and 3, and typical widths; C > 1 outputs, coupled or not.
static void make(job *j, size_t L, size_t N0, size_t P, size_t C, bool shared, double memory) {
    uint64_t seed = 3;
    *j = (job){.C = C};
    fixture_make(&j->f, L, false, N0, 2, P, 7 + L);
    for (size_t l = 0; l <= L; l++) j->f.width[l] = 200.0;
    j->f.net.temperature = 0.3;
    j->chain = j->f.net;
    if (C > 1 && !shared) ap_net_outputs(&j->chain, &j->f.net, C, j->H, j->width, j->variance);
    j->y = fixture_numbers(P * C, 1.0, &seed);
    const ap_inputs x = fixture_inputs(&j->f);
    CHECK_STATUS(ap_kernel_plan(&j->kernel, &j->chain, &x, memory, &err), AP_OK);
    CHECK((j->kernel.storage > 0) == (memory > 0.0));
    j->storage = check_room(j->kernel.storage + 1);
    j->p = (ap_problem){.net = &j->chain, .kernel = &j->kernel, .y = j->y, .shared = shared ? C : 0};
    j->work = (ap_work){.more = malloc, .less = free, .limit = SIZE_MAX};
    CHECK_STATUS(ap_kernel_build(&j->kernel, j->storage, &j->work, &err), AP_OK);
}

static void begin(job *j) {
    ap_work_close(&j->work);
    j->work.peak = 0;
    CHECK_STATUS(ap_point_take(&j->point, &j->p, &j->work, &err), AP_OK);
    ap_order_gp(j->point.order, &j->chain);
}

static void derive(job *j) {
    begin(j);
    CHECK_STATUS(ap_action_value(&j->point, &j->p, &j->work, &err), AP_OK);
    CHECK_STATUS(ap_action_gradient(&j->point, &j->p, &j->work, &err), AP_OK);
}

static void compare(job *j, size_t about, const char *what, int line) {
    const double ratio = (double)j->work.peak / (double)about;
    if (!check_count(ratio > 0.75 && ratio < 1.25, __FILE__, line, what)) printf("    the peak is %.3f of it\n", ratio);
    ap_work_close(&j->work);
}

#define COMPARE(about) compare(&j, (about), #about, __LINE__)

static void test_point(size_t L, size_t N0, size_t P, size_t C, bool shared, double memory) {
    ap_progress progress;
    ap_settings settings = ap_settings_default();
    double smallest, doubt, logp;
    size_t products;
    job j;
    make(&j, L, N0, P, C, shared, memory);
    derive(&j);
    COMPARE(ap_action_size(&j.p));
    begin(&j);
    settings.max_iterations = 3;
    CHECK(ap_solve(&j.point, &progress, &j.p, &settings, &j.work, &err) >= 0);
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
    CHECK_STATUS(ap_loo_corrected(&(ap_left){.mu = mu, .s2 = s2}, &j.p, &(ap_groups){.n = P}, &j.point, &j.work, &err),
                 AP_OK);
    COMPARE(ap_loo_size(&j.p));
}

static void test_sample(ap_method method, size_t L, size_t N0, size_t P) {
    job j;
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
