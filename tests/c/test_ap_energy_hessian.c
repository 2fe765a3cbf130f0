// test_ap_energy_hessian.c: the energy's exact curvature against the estimate with as many vectors as examples
// SPDX-License-Identifier: BSD-3-Clause
//
// test_ap_energy_probes.c compares the latter with the matrix and with differences of gradients. With several outputs
// the paths and examples of ap_energy_probes.c are those of the expanded problem.

#include "fixture.h"

enum { most = 24 };  // paths of the fixture times outputs

// Sums of the same products in another order; A's condition, below 1e4, enters twice.
static void compare_way(bool fast, const ap_problem *p, const ap_point *point, ap_work *work) {
    ap_energy_hessian exact;
    ap_energy_probes random;
    uint64_t seed = 5;
    double d[most * most], M[most * most] = {0.0}, want[most * most] = {0.0}, size = 0.0;
    const size_t m = p->kernel->paths, P = p->kernel->P;
    CHECK(m <= most);
    check_fill(d, m * m, &seed);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++) d[i + m * j] = d[j + m * i];
    CHECK_STATUS(ap_energy_hessian_take(&exact, p, fast, work, &err), AP_OK);
    CHECK_STATUS(ap_energy_hessian_make(&exact, point, point->chol, &err), AP_OK);
    CHECK_STATUS(ap_energy_hessian_add(M, &exact, d, work, &err), AP_OK);
    CHECK_STATUS(ap_energy_probes_take(&random, p, P, work, &err), AP_OK);
    ap_energy_probes_make(&random, point, point->chol);
    ap_energy_probes_add(want, &random, d);
    for (size_t i = 0; i < m * m; i++) size = fmax(size, fabs(want[i]));
    CHECK(size > 1e-3);
    CHECK_ARRAYS(M, want, m * m, 1e-9 * size);
    for (size_t i = 0; i < m * m; i++) want[i] = 2.0 * M[i];
    CHECK_STATUS(ap_energy_hessian_add(M, &exact, d, work, &err),
                 AP_OK);  // the function adds its result, also in a second call
    CHECK_ARRAYS(M, want, m * m, 1e-13 * size);
}

static void compare(const ap_problem *p, const ap_point *point, ap_work *work) {
    compare_way(false, p, point, work);
    compare_way(true, p, point, work);
}

static void test_one_output(size_t L, double memory) {
    setting s;
    setting_make(&s, L, 15, memory);
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_action_gradient(&s.point, &s.p, &s.work, &err), AP_OK);
    compare(&s.p, &s.point, &s.work);
}

static void test_outputs(size_t L, size_t C, double memory) {
    fixture f;
    ap_net chain;
    ap_kernel kernel;
    ap_point point;
    size_t H[fixture_layers + 1];
    double width[fixture_layers + 2], variance[fixture_layers + 3];
    uint64_t seed = 2;
    fixture_make(&f, L, false, 6, 3, 8, 5 * L);
    ap_net_outputs(&chain, &f.net, C, H, width, variance);
    chain.temperature = 0.2;
    const ap_inputs x = fixture_inputs(&f);
    CHECK_STATUS(ap_kernel_plan(&kernel, &chain, &x, memory, &err), AP_OK);
    kernel.storage = memory > 0.0 ? ap_kernel_outputs_blocks.size(&kernel) : 0;
    double *y = fixture_numbers(8 * C, 1.0, &seed), *store = check_room(kernel.storage + 1);
    const ap_problem p = {.net = &chain, .kernel = &kernel, .y = y};
    CHECK_STATUS(ap_kernel_build(&kernel, store, &work, &err), AP_OK);
    CHECK_STATUS(ap_point_take(&point, &p, &work, &err), AP_OK);
    fixture_order(point.order, &chain, &seed);
    CHECK_STATUS(ap_action_value(&point, &p, &work, &err), AP_OK);
    CHECK_STATUS(ap_action_gradient(&point, &p, &work, &err), AP_OK);
    compare(&p, &point, &work);
}

int main(void) {
    for (int stored = 0; stored < 2; stored++)
        for (size_t L = 1; L <= 3; L++) {
            test_one_output(L, stored ? 1e9 : 0.0);
            if (L < 3) test_outputs(L, 2, stored ? 1e9 : 0.0);
            if (L < 3) test_outputs(L, 3, stored ? 1e9 : 0.0);
        }
    return check_report("test_ap_energy_hessian");
}
