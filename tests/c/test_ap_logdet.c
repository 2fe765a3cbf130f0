// test_ap_logdet.c: the evidence by random probes against the one with the Hessian as a matrix
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static void setup(setting *s, size_t L) {
    setting_make(s, L, 9, 0.0);
    for (size_t l = 0; l <= L; l++) s->f.width[l] *= 10.0;
    CHECK_STATUS(ap_solve(&s->point, &s->progress, &s->p, &s->settings, &s->work, &err), AP_OK);
}

// 400 probes: five standard errors, each of some hundredths. The quadrature has an error of at most 3e-3: 1e-3 for each
// probe, and half of it. The dense value has H at a point with a gradient of 1e-8.
static void test_mean(size_t L) {
    setting s;
    double want, got, se;
    setup(&s, L);
    CHECK_STATUS(ap_evidence_laplace(&want, &s.p, &s.point, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_evidence_many(&got, &se, &s.p, &s.point, 400, 5, &s.work, &err), AP_OK);
    CHECK(se > 1e-6 && se < 0.1);
    CHECK_NEAR(got, want, 5.0 * se + 3e-3);
}

// One unknown: every probe is exact, and two probes agree.
static void test_scalar(void) {
    setting s = {0};
    double want, got, se;
    fixture_make(&s.f, 1, true, 12, 2, 5, 8);
    setting_prepare(&s, 0.0);
    CHECK_STATUS(ap_solve(&s.point, &s.progress, &s.p, &s.settings, &s.work, &err), AP_OK);
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
    setup(&s, 2);
    for (size_t mu = 0; mu < s.f.P; mu++) s.f.y[mu] *= 30.0;  // far from the solution of these labels
    for (size_t i = 0; i < ap_order_length(&s.f.net); i++) s.point.order[i] *= 1e-3;
    setting_derive(&s);
    CHECK_STATUS(ap_evidence_many(&logp, &se, &s.p, &s.point, 2, 0, &s.work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "no minimum");
}

int main(void) {
    test_scalar();
    for (size_t L = 1; L <= 3; L++) test_mean(L);
    test_refusals();
    setting s;
    setup(&s, 2);
    double logp, se;
    CHECK_WORKSPACE(ap_evidence_many(&logp, &se, &s.p, &s.point, 2, 0, &work, &err));
    return check_report("test_ap_logdet");
}
