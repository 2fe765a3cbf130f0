// test_ap_kernel.c: path-path kernels, and the plan of a kernel
// SPDX-License-Identifier: BSD-3-Clause
//
// Entries are sums of at most N0 Pi^2 = 180 products below 10, or of P^2 = 484 such sums: rounding below 1e-12.

#include "fixture.h"

static fixture f;

static void setup(size_t N0, size_t P) { fixture_make(&f, 2, false, N0, 2, P, 3); }

static void test_pathkernels(void) {
    setup(5, 4);
    const size_t P2 = 3, paths = f.paths;
    double *C = check_room(f.P * P2 * paths * paths);
    double *Xi2 = check_room(f.N0 * P2 * paths), *K = check_room(f.P * P2);
    uint64_t seed = 9;
    check_fill(Xi2, f.N0 * P2 * paths, &seed);
    const ap_inputs x = fixture_inputs(&f), x2 = {.N0 = f.N0, .P = P2, .Xi = Xi2};
    CHECK_STATUS(ap_pathkernels(C, &f.net, &x, &x2, &err), AP_OK);
    CHECK_STATUS(ap_kernel_cross(K, &f.net, &x, &x2, f.order, &work, &err), AP_OK);
    double worst = 0.0, worst_K = 0.0;
    for (size_t nu = 0; nu < P2; nu++)
        for (size_t mu = 0; mu < f.P; mu++) {
            double combined = 0.0;
            for (size_t b = 0; b < paths; b++)
                for (size_t a = 0; a < paths; a++) {
                    double sum = 0.0;
                    for (size_t i = 0; i < f.N0; i++)
                        sum += f.Xi[i + f.N0 * (mu + f.P * a)] * Xi2[i + f.N0 * (nu + P2 * b)];
                    sum *= f.variance[0] / (double)f.N0;
                    worst = fmax(worst, fabs(sum - C[mu + f.P * (nu + P2 * (a + paths * b))]));
                    combined += f.order[a + paths * b] * sum / (double)paths;
                }
            worst_K = fmax(worst_K, fabs(combined - K[mu + f.P * nu]));
        }
    CHECK_NEAR(worst, 0.0, 1e-13);
    CHECK_NEAR(worst_K, 0.0, 1e-12);
    const size_t huge = (size_t)1 << 40;
    const ap_inputs long_x = {.N0 = huge, .P = f.P, .Xi = f.Xi}, long_x2 = {.N0 = huge, .P = huge, .Xi = Xi2};
    CHECK_STATUS(ap_pathkernels(C, &f.net, &long_x, &x2, &err), AP_ESIZE);
    CHECK_STATUS(ap_kernel_cross(K, &f.net, &long_x, &long_x2, f.order, &work, &err), AP_ESIZE);
    ap_work none = {0};
    CHECK_STATUS(ap_kernel_cross(K, &f.net, &x, &x2, f.order, &none, &err), AP_EMEMORY);
}

static void test_plan(void) {
    ap_kernel k;
    setup(5, 4);
    const size_t huge = (size_t)1 << 40;
    const ap_inputs x = {.N0 = 192, .P = 600, .Xi = f.Xi}, long_x = {.N0 = huge, .P = huge, .Xi = f.Xi};
    CHECK_STATUS(ap_kernel_plan(&k, &f.net, &long_x, 1e9, &err), AP_ESIZE);
    CHECK_STATUS(ap_kernel_plan(&k, &f.net, &x, 0.0, &err), AP_OK);
    CHECK(k.storage == 0);  // no memory, no store
    CHECK_STATUS(ap_kernel_plan(&k, &f.net, &x, 1e12, &err), AP_OK);
    CHECK(k.storage == k.pairs * 600 * 601 / 2);  // too large for an additional unpacked copy
    ap_work none = {0}, work = check_work();
    CHECK_STATUS(ap_kernel_build(&k, NULL, &none, &err), AP_EMEMORY);
    double nothing = 0.0;  // a plan without its build is refused
    CHECK_STATUS(ap_kernel_combine(&nothing, &k, f.order, NULL, &work, &err), AP_EINPUT);
    CHECK_STATUS(ap_kernel_contract(&nothing, &k, &nothing, &work, &err), AP_EINPUT);
    CHECK_STATUS(ap_kernel_gradient(&nothing, &k, &nothing, &nothing, 1, &work, &err), AP_EINPUT);
    CHECK_STATUS(ap_kernel_apply(&nothing, &k, &nothing, 1, &work, &err), AP_EINPUT);
}

int main(void) {
    test_pathkernels();
    test_plan();
    return check_report("test_ap_kernel");
}
