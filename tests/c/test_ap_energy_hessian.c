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
    double d[most * most], M[most * most] = {0.0}, want[most * most] = {0.0};
    const size_t m = p->kernel->paths, P = p->kernel->P;
    CHECK(m <= most);
    check_fill(d, m * m, &seed);
    ap_spd_mirror(d, m);
    CHECK_STATUS(ap_energy_hessian_take(&exact, p, fast, work, &err), AP_OK);
    CHECK_STATUS(ap_energy_hessian_make(&exact, point, point->chol, &err), AP_OK);
    CHECK_STATUS(ap_energy_hessian_add(M, &exact, d, work, &err), AP_OK);
    CHECK_STATUS(ap_energy_probes_take(&random, p, true, P, work, &err), AP_OK);
    ap_energy_probes_make(&random, point, point->chol);
    ap_energy_probes_add(want, &random, d);
    const double size = check_largest(want, m * m);
    CHECK(size > 1e-3);
    CHECK_ARRAYS(M, want, m * m, 1e-9 * size);
    CHECK(fast || exact.noise > 0.0);
    for (size_t i = 0; i < m * m; i++) want[i] = 2.0 * M[i];
    CHECK_STATUS(ap_energy_hessian_add(M, &exact, d, work, &err),
                 AP_OK);  // the function adds its result, also in a second call
    CHECK_ARRAYS(M, want, m * m, 1e-13 * size);
}

static void compare(setting *s) {
    setting_derive(s);
    compare_way(false, &s->p, &s->point, &s->work);
    compare_way(true, &s->p, &s->point, &s->work);
}

static void test_one_output(size_t L, double memory) {
    setting s;
    setting_make(&s, L, 15, memory);
    for (size_t mu = 0; mu < s.f.P; mu++) s.f.y[mu] *= 30.0;
    compare(&s);
}

static void test_outputs(size_t L, size_t C, double memory) {
    setting s;
    fixture_make(&s.f, L, false, 6, 3, 8, 5 * L);
    s.f.net.temperature = 0.2;
    setting_outputs(&s, C, memory);
    compare(&s);
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
