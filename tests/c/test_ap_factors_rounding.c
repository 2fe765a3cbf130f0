// test_ap_factors_rounding.c: where a search in nested factors ends
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// A tolerance that no search can reach: the search ends at the solution, where steps are as short as rounding errors.
static void test_floor(size_t L) {
    setting s;
    setting_signs(&s, L, 12, 1e9);
    const size_t order = ap_params_length(&s.f.net);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
    double *first = check_copy(s.point.order, order);
    s.settings.tolerance = 1e-20;
    s.progress = (ap_progress){0};
    CHECK_STATUS(ap_factors_search(&s.point, &s.progress, &s.p, &s.settings, true, &s.work, &err), AP_ROUNDED);
    CHECK(s.progress.factor_steps < 20 && s.point.gradnorm > s.settings.tolerance && s.point.gradnorm <= 1e-8);
    CHECK_ARRAYS(s.point.order, first, order, 1e-6);
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) test_floor(L);
    return check_report("test_ap_factors_rounding");
}
