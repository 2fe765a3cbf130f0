// test_ap_rounding.c: error of the gradient from rounding of its point
// SPDX-License-Identifier: BSD-3-Clause

#include <float.h>

#include "fixture.h"

// The change is linear in the rounding error: at U_1 with entries of size 1, of condition `condition` in its frame, a
// change of an entry by sqrt (n) eps changes the framed gradient by less than the metric length n eps condition times
// the gradient's own derivative, which in these problems is below 1e3 widths; and by more than 0. It does not explain a
// large gradient.
static void test_size(size_t L) {
    setting s, t;
    double gradnorm = NAN, gradrel = NAN;
    setting_make(&s, L, 8, 1e9);
    setting_make(&t, L, 8, 1e9);
    setting_derive(&s);
    const size_t order = ap_params_length(&s.f.net) - 1;
    for (size_t i = 0; i < order; i++) t.point.order[i] = NAN;
    CHECK_STATUS(ap_rounding(&gradnorm, &gradrel, &t.point, &s.point, &s.p, &s.work, &err), AP_OK);
    for (size_t i = 0; i < order; i++) {
        const double d = fabs(t.point.order[i] - s.point.order[i]);
        CHECK(d > 0.0 && d < 1e-13);
    }
    CHECK(gradrel > DBL_EPSILON && gradrel < 1e-10 && gradnorm > 0.0 && gradnorm < 1e-10);
    CHECK(s.point.gradrel > 1e6 * gradrel);
    const double before = gradrel;
    CHECK_STATUS(ap_rounding(&gradnorm, &gradrel, &t.point, &s.point, &s.p, &s.work, &err), AP_OK);
    CHECK(gradrel == before);  // the same matrices every time
}

// A U_1 that rounding makes indefinite is refused.
static void test_singular(void) {
    setting s, t;
    double gradnorm = NAN, gradrel = NAN;
    setting_make(&s, 1, 8, 1e9);
    setting_make(&t, 1, 8, 1e9);
    for (size_t i = 0; i < 4; i++) s.point.order[i] = 1.0;
    s.point.order[3] += DBL_EPSILON;
    CHECK_STATUS(ap_rounding(&gradnorm, &gradrel, &t.point, &s.point, &s.p, &s.work, &err), AP_ENOTSPD);
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) test_size(L);
    test_singular();
    setting s, t;
    double gradnorm, gradrel;
    setting_make(&s, 2, 3, 1e9);
    setting_make(&t, 2, 3, 1e9);
    setting_derive(&s);
    CHECK_WORKSPACE(ap_rounding(&gradnorm, &gradrel, &t.point, &s.point, &s.p, &work, &err));
    return check_report("test_ap_rounding");
}
