// test_ap_certificate_products.c: the smallest eigenvalue by products alone against that of ap_certificate.c
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// At solutions, for 1 to 4 layers: its tolerance is 1e-3, that of ap_certificate.c 1e-4.
static void test_solutions(size_t L, size_t P, double memory) {
    setting s;
    setting_signs(&s, L, P, memory);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
    double got = NAN, want = NAN, doubt;
    size_t products = 0;
    CHECK_STATUS(ap_hessian_smallest(&want, &doubt, &products, &s.p, &s.point, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_certificate_products(&got, &doubt, &products, &s.p, &s.point, &s.work, &err), AP_OK);
    CHECK(products >= 1 && products <= 6);
    CHECK_NEAR(got, want, 1.1e-3 * fabs(want));
}

// Away from solutions, where the Hessian may be indefinite: a certified value is near, and a bound is never below.
static void test_elsewhere(void) {
    size_t negative = 0, sure = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        setting s;
        setting_elsewhere(&s, seed);
        double got = NAN, want = NAN, doubt;
        size_t products;
        CHECK_STATUS(ap_hessian_smallest(&want, &doubt, &products, &s.p, &s.point, &s.work, &err), AP_OK);
        const ap_status status = ap_certificate_products(&got, &doubt, &products, &s.p, &s.point, &s.work, &err);
        CHECK(status == AP_OK || status == AP_LIMIT);
        if (status == AP_OK) CHECK_NEAR(got, want, 2e-3 * fabs(want));
        CHECK(got >= want - 1e-3 * fabs(want));
        sure += status == AP_OK;
        negative += want < 0.0;
    }
    CHECK(negative >= 4 && sure >= 18);
}

static void test_rest(double memory) {
    setting s;
    double least, doubt;
    size_t products;
    int asked;
    setting_make(&s, 2, 3, memory);
    setting_derive(&s);
    CHECK_WORKSPACE(ap_certificate_products(&least, &doubt, &products, &s.p, &s.point, &work, &err));
    setting_stop(&s, &asked);
    CHECK_STATUS(ap_certificate_products(&least, &doubt, &products, &s.p, &s.point, &s.work, &err), AP_INTERRUPTED);
    CHECK(asked == 1);
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        test_solutions(L, 15, 1e9);
        test_solutions(L, 40, 0.0);
    }
    test_elsewhere();
    test_rest(0.0);
    test_rest(1e9);
    return check_report("test_ap_certificate_products");
}
