// test_ap_factors_action.c: derivatives of the action in nested factors
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// The gradient with respect to T_l against differences of the action, at a point where no layer's gradient vanishes.
static void test_gradient(size_t L) {
    setting s;
    uint64_t seed = 3;
    setting_signs(&s, L, 8, 0.0);
    const size_t chain = ap_params_length(&s.f.net);
    ap_factor_search n;
    fixture_order(s.point.order, &s.f.net, &seed);
    fixture_factors(&n, &s);
    ap_factors_gradient(&n, &n.now);
    for (size_t l = 1, a = 0; l <= L + 1; l++) {
        const ap_member u = ap_params_member(&s.f.net, l);
        for (size_t i = 0; i < u.n; i++)
            for (size_t j = 0; j <= i; j++, a++) {
                const double h = 1e-5;
                double height[2];
                for (int side = 0; side < 2; side++) {
                    const double t = side == 0 ? -h : h;
                    double *B = n.trial.B + u.at;
                    memcpy(n.trial.B, n.now.B, chain * sizeof *B);
                    ap_axpy(u.n, i == j ? expm1(0.5 * t) : t, n.now.B + u.at + u.n * i, B + u.n * j);
                    ap_factors_straighten(&n, &n.trial);
                    CHECK_STATUS(ap_factors_value(&n, &n.trial), AP_OK);
                    height[side] = n.trial.height;
                }
                const double slope = n.v[a] * sqrt(n.D[a]);
                CHECK_NEAR((height[1] - height[0]) / (2.0 * h), slope, 1e-5 * fmax(1.0, fabs(slope)));
            }
    }
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) test_gradient(L);
    return check_report("test_ap_factors_action");
}
