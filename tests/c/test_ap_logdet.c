// test_ap_logdet.c: the evidence by random probes against the one with the Hessian as a matrix
// SPDX-License-Identifier: BSD-3-Clause

#include "attnpath_beyond.h"
#include "fixture.h"

// 400 probes: five standard errors, each of some hundredths. The quadrature has an error of at most 3e-3: 1e-3 for each
// probe, and half of it. The dense value has H at a point with a gradient of 1e-8.
static void test_mean(size_t L) {
    setting s;
    double want, got, se;
    setting_minimum(&s, L, 9, 10.0, 0.0);
    CHECK_STATUS(ap_evidence_laplace(&want, &s.p, &s.point, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_evidence_many(&got, &se, &s.p, &s.point, 400, 5, &s.work, &err), AP_OK);
    CHECK(se > 1e-6 && se < 0.1);
    CHECK_NEAR(got, want, 5.0 * se + 3e-3);
}

// One unknown: every probe is exact, and two probes agree.
static void test_scalar(void) {
    setting s;
    double want, got, se;
    setting_scalar(&s, 5, 8);
    CHECK_STATUS(ap_evidence_laplace(&want, &s.p, &s.point, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_evidence_many(&got, &se, &s.p, &s.point, 2, 0, &s.work, &err), AP_OK);
    CHECK_NEAR(se, 0.0, 1e-12);
    CHECK_NEAR(got, want, 1e-7);  // the remaining gradient of 1e-8, divided by the width
}

static void test_refusals(void) {
    setting s;
    double logp, se;
    setting_make(&s, 2, 9, 0.0);
    CHECK_STATUS(ap_evidence_many(&logp, &se, &s.p, &s.point, 1, 0, &s.work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "not 1");
    s.f.width[0] = 5.5;  // Pi_1 is 6
    CHECK_STATUS(ap_evidence_many(&logp, &se, &s.p, &s.point, 2, 0, &s.work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "width 5.5");
    setting_minimum(&s, 2, 9, 10.0, 0.0);
    setting_leave(&s);
    CHECK_STATUS(ap_evidence_many(&logp, &se, &s.p, &s.point, 2, 0, &s.work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "no minimum");
}

int main(void) {
    test_scalar();
    for (size_t L = 1; L <= 3; L++) test_mean(L);
    test_refusals();
    setting s;
    setting_minimum(&s, 2, 9, 10.0, 0.0);
    double logp, se;
    CHECK_WORKSPACE(ap_evidence_many(&logp, &se, &s.p, &s.point, 2, 0, &work, &err));
    return check_report("test_ap_logdet");
}
