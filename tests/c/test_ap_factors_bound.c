// test_ap_factors_bound.c: steps that minimise a bound of the action
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// The bound touches the action at the point and lies above it elsewhere: a step to its minimum lowers the action, from
// any point, and at a saddle point of the action there is none to take. Twelve of them close most
// of the gap, with labels of any size.
static void test_steps(size_t L, double labels) {
    setting s;
    uint64_t seed = 3;
    ap_factor_search n;
    setting_signs(&s, L, 8, 0.0);
    for (size_t mu = 0; mu < s.f.P; mu++) s.f.y[mu] *= labels;
    fixture_order(s.point.order, &s.f.net, &seed);
    fixture_factors(&n, &s);
    const double first = n.now.height;
    for (int k = 0; k < 12; k++) {
        CHECK_STATUS(ap_factors_bound(&n), AP_OK);
        CHECK_STATUS(ap_factors_value(&n, &n.trial), AP_OK);
        CHECK(n.trial.height <= n.now.height + 1e-9 * (1.0 + fabs(n.now.height)));
        const ap_factors swap = n.now;
        n.now = n.trial;
        n.trial = swap;
        CHECK_STATUS(ap_factors_derive(&n, &n.now), AP_OK);
    }
    ap_params_gp(s.point.order, &s.f.net);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
    const double least = s.point.entropy + s.point.fit.u_dependent;
    CHECK(n.now.height >= least - 1e-9 * (1.0 + fabs(least)));
    CHECK(n.now.height - least <= 0.05 * (first - least));
    fixture_factors(&n, &s);
    CHECK_STATUS(ap_factors_bound(&n), AP_OK);
    CHECK_STATUS(ap_factors_value(&n, &n.trial), AP_OK);
    CHECK_NEAR(n.trial.height, n.now.height, 1e-9 * (1.0 + fabs(least)));
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) {
        test_steps(L, 1.0);
        test_steps(L, 1e4);
    }
    return check_report("test_ap_factors_bound");
}
