// test_ap_evidence.c: the terms of (T25) besides the Hessian of ap_hessian.c, and its refusals
// SPDX-License-Identifier: BSD-3-Clause

#include "attnpath_beyond.h"
#include "fixture.h"

// One layer of one head: U and u_a are scalars, and (T25) is explicit.
static void test_scalar(void) {
    setting s;
    double logp;
    setting_scalar(&s, 5, 8);
    CHECK_STATUS(ap_evidence_laplace(&logp, &s.p, &s.point, &s.work, &err), AP_OK);
    const double N = s.f.width[0], Na = s.f.width[1], v = s.f.variance[1], va = s.f.variance[2];
    const double U = s.point.order[0], u = s.point.order[1], gp = v * va, h = 1e-3;
    double E[3];
    for (int k = -1; k <= 1; k++) {
        const double moved = U * exp(k * h);
        E[k + 1] = fixture_energy(&s.f, &moved);
    }
    // S = Na (u/va - log u) + N (U / (v u) - log U + log u) + E(U), second derivatives by log U and log u
    const double ratio = N * U / (v * u), bend = (E[0] - 2.0 * E[1] + E[2]) / (h * h);
    const double H = (ratio + bend) * (Na * u / va + ratio) - ratio * ratio;
    const double H0 = N * (Na + N) - N * N;
    const double S = Na * (u / va - log(u)) + N * (U / (v * u) - log(U) + log(u)) + E[1];
    const double S0 = Na * (1.0 - log(va)) + N * (1.0 - log(gp) + log(va));
    CHECK_NEAR(logp, -0.5 * (S - S0 + log(H / H0) + 5.0 * log(2.0 * acos(-1.0))), 1e-5);  // differences: h^2
}

static void test_refusals(void) {
    setting s;
    double logp;
    setting_minimum(&s, 2, 9, 10.0, 0.0);
    s.f.width[0] = 5.5;  // Pi_1 is 6
    CHECK_STATUS(ap_evidence_laplace(&logp, &s.p, &s.point, &s.work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "width 5.5");
    s.f.width[0] = 6.0;
    s.f.width[1] = 2.0;  // Pi_2 is 3
    CHECK_STATUS(ap_evidence_laplace(&logp, &s.p, &s.point, &s.work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "layer 2");
    setting_minimum(&s, 2, 9, 10.0, 0.0);
    setting_leave(&s);
    CHECK_STATUS(ap_evidence_laplace(&logp, &s.p, &s.point, &s.work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "no minimum");
}

int main(void) {
    test_scalar();
    test_refusals();
    setting s;
    setting_minimum(&s, 2, 9, 10.0, 0.0);
    double logp;
    CHECK_WORKSPACE(ap_evidence_laplace(&logp, &s.p, &s.point, &work, &err));
    return check_report("test_ap_evidence");
}
