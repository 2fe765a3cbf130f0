// test_ap_exp.c: exponentials of many numbers against the library's, one by one
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"
#include "check.h"

static void test_double(void) {
    enum { most = 70 };
    double x[most], wide[most], plain[most];
    uint64_t seed = 9;
    for (size_t n = 0; n < most; n++) {
        for (size_t i = 0; i < most; i++) x[i] = ap_exp_near * check_random(&seed) * (i % 2 ? 1.0 : 1e-3);
        if (n > 3) x[0] = ap_exp_near, x[1] = -ap_exp_near, x[2] = 0.0, x[3] = -0.0;
        memcpy(wide, x, sizeof x);
        memcpy(plain, x, sizeof x);
        ap_exp(wide, n);
        ap_exp_plain(plain, n);
        CHECK(memcmp(wide, plain, sizeof wide) == 0);  // entries behind are unchanged
        CHECK(memcmp(wide + n, x + n, (most - n) * sizeof *x) == 0);
        for (size_t i = 0; i < n; i++) wide[i] /= exp(x[i]), plain[i] = 1.0;
        CHECK_ARRAYS(wide, plain, n, 5e-16);
    }
    x[0] = x[1] = 0.0;
    ap_exp(x, 2);
    CHECK(x[0] == 1.0 && x[1] == 1.0);
    for (int i = -1000; i <= 1000; i++) {  // r is at the ends of its range
        x[0] = x[1] = (i + 0.5) * log(2.0) * 1.0000000001;
        x[1] = (i + 0.5) * log(2.0) * 0.9999999999;
        const double want[2] = {exp(x[0]), exp(x[1])};
        ap_exp(x, 2);
        if (!(fabs(x[0] / want[0] - 1.0) < 5e-16 && fabs(x[1] / want[1] - 1.0) < 5e-16)) CHECK_NEAR(x[0], want[0], 0.0);
    }
}

// Error of r^2 (c_0 + ..) 1e-8, and a few roundings of 6e-8; the smallest value below -87; NaN remains NaN.
static void test_single(void) {
    enum { most = 50 };
    float x[most], got[most];
    uint64_t seed = 10;
    for (size_t n = 1; n < most; n++) {
        for (size_t i = 0; i < most; i++) x[i] = (float)(-43.5 + 43.5 * check_random(&seed));
        x[0] = 0.0f;
        memcpy(got, x, sizeof x);
        ap_exp_single(got, n);
        CHECK(memcmp(got + n, x + n, (most - n) * sizeof *x) == 0);
        double worst = 0.0;
        for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs((double)got[i] / exp((double)x[i]) - 1.0));
        CHECK_NEAR(worst, 0.0, 3e-7);
        CHECK(got[0] == 1.0f);
    }
    float ends[3] = {-87.0f, -1000.0f, NAN};
    ap_exp_single(ends, 3);
    CHECK(ends[0] == ends[1] && ends[0] > 0.0f && isnan(ends[2]));
}

int main(void) {
    test_double();
    test_single();
    return check_report("test_ap_exp");
}
