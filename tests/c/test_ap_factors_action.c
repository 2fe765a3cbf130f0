// test_ap_factors_action.c: derivatives of the action in nested factors
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// The height where every B_l is B_l T_l, T_l = exp (delta / 2) + l of the coordinates h t.
static double height_at(ap_factor_search *n, const double *t, double h) {
    AP_MEMBERS (u, n->p->net) {
        double *B = n->trial.B + u.at;
        memcpy(B, n->now.B + u.at, u.n * u.n * sizeof *B);
        for (size_t i = 0, a = u.first; i < u.n; i++)  // columns to the left take from those that are not changed yet
            for (size_t j = 0; j <= i; j++, a++)
                ap_axpy(u.n, i == j ? expm1(0.5 * h * t[a]) : h * t[a], n->now.B + u.at + u.n * i, B + u.n * j);
    }
    ap_factors_straighten(n, &n->trial);
    CHECK_STATUS(ap_factors_value(n, &n->trial), AP_OK);
    return n->trial.height;
}

// Both derivatives along random directions, and the first by each coordinate, against differences, at a point where no
// layer's gradient vanishes. Second differences with h = 1e-4 have errors of 1e-6 from rounding.
static void test_derivatives(size_t L) {
    setting s;
    uint64_t seed = 3;
    ap_factor_search n;
    setting_signs(&s, L, 8, 0.0);
    fixture_order(s.point.order, &s.f.net, &seed);
    fixture_factors(&n, &s);
    CHECK_STATUS(ap_factors_model(&n), AP_OK);
    double *t = check_doubles(n.n);
    for (size_t a = 0; a < n.n + 5; a++) {
        const bool one = a < n.n;
        double slope = 0.0, form = 0.0;
        for (size_t i = 0; i < n.n; i++) t[i] = one ? (double)(i == a) : check_random(&seed);
        for (size_t i = 0; i < n.n; i++) {
            slope += n.v[i] * sqrt(n.D[i]) * t[i];
            for (size_t j = 0; j < n.n; j++)
                form += n.H[i > j ? i + n.n * j : j + n.n * i] * sqrt(n.D[i] * n.D[j]) * t[i] * t[j];
        }
        const double h = 1e-4, right = height_at(&n, t, h), left = height_at(&n, t, -h), here = height_at(&n, t, 0.0);
        CHECK_NEAR((right - left) / (2.0 * h), slope, 1e-5 * fmax(1.0, fabs(slope)));
        CHECK_NEAR((right - 2.0 * here + left) / (h * h), form, 2e-5 * fmax(1.0, fabs(form)));
    }
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) test_derivatives(L);
    return check_report("test_ap_factors_action");
}
