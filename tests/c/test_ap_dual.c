// test_ap_dual.c: energy and derivatives from fewer features than examples against those from the kernel
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// One output, C coupled ones, or C that share U; roots of as many columns as paths, or of two.
static void test_forms(size_t L, size_t C, bool shared, bool narrow, double temperature) {
    setting s;
    uint64_t seed = 10 * L + C;
    fixture_make(&s.f, L, false, 3, 2, 45, seed);
    s.f.net.temperature = temperature;
    setting_columns(&s, C, shared, 0.0, &seed);
    s.p.lognoise = 0.7;
    const ap_kernel *k = &s.kernel;
    const size_t paths = k->paths, columns = narrow ? 2 : paths, cells = 3 * 45 * k->inputs;
    double *R = fixture_numbers(paths * columns, 0.7, &seed), *U = check_room(paths * paths);
    fixture_outer(U, R, paths, columns);
    const ap_root root = {.R = R, .columns = columns};
    CHECK(ap_dual_pays(&s.p, &root));
    double energy, *slope = check_room(cells), *dR = check_room(paths * columns), *want = check_room(cells);
    double *M = check_room(k->P * k->P), *G = check_room(paths * paths), largest = 0.0;
    ap_fit fit;
    CHECK_WORKSPACE(ap_dual_energy(&energy, slope, dR, &s.p, &root, &work, &err));
    CHECK_STATUS(ap_dual_energy(&energy, slope, dR, &s.p, &root, &work, &err), AP_OK);
    CHECK_STATUS(ap_fit_take(&fit, &s.p, &work, &err), AP_OK);
    CHECK_STATUS(ap_energy(&fit, &s.p, U, &root, &work, &err), AP_OK);
    CHECK_STATUS(ap_fit_residual(M, &fit, &s.p, &err), AP_OK);
    CHECK_STATUS(ap_kernel_slope(want, G, k, U, M, &work, &err), AP_OK);
    const double allowed = 1e-14 / temperature;  // the kernel's condition
    CHECK_NEAR(energy, fit.energy, allowed * fabs(fit.energy));
    for (size_t i = 0; i < cells; i++) largest = fmax(largest, fabs(want[i]));
    CHECK_ARRAYS(slope, want, cells, allowed * largest);
    ap_gemm('N', 'N', paths, columns, paths, 2.0, G, paths, R, paths, 0.0, M, paths);
    largest = 0.0;
    for (size_t i = 0; i < paths * columns; i++) largest = fmax(largest, fabs(M[i]));
    CHECK_ARRAYS(dR, M, paths * columns, allowed * largest);
}

static void test_pays(void) {  // neither with as many features as examples, nor without a temperature
    setting s;
    fixture_make(&s.f, 1, false, 3, 2, 6, 1);
    setting_prepare(&s, 0.0);
    CHECK(!ap_dual_pays(&s.p, &(ap_root){.columns = 2}));
    CHECK(ap_dual_pays(&s.p, &(ap_root){.columns = 1}));
    s.f.net.temperature = 0.0;
    CHECK(!ap_dual_pays(&s.p, &(ap_root){.columns = 1}));
}

int main(void) {
    for (size_t L = 1; L <= 3; L++)
        for (unsigned narrow = 0; narrow < 2; narrow++) {
            test_forms(L, 1, false, narrow, 0.05);
            test_forms(L, 1, false, narrow, 1e-3);
            test_forms(L, 3, true, narrow, 0.05);
            test_forms(L, 3, false, narrow, 0.05);
        }
    test_pays();
    return check_report("test_ap_dual");
}
