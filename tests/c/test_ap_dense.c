// test_ap_dense.c: the corrections of a curvature that is kept make it take the last step to the gradient's change
// SPDX-License-Identifier: BSD-3-Clause
//
// The secant equation B s = y, to 1e-10 of y: B is corrected by products of a few hundred terms.

#include "fixture.h"

static void check_secant(const double *B, const double *s, const double *y, size_t n) {
    double *Bs = check_doubles(n);
    ap_symv(n, 1.0, B, n, s, 0.0, Bs);
    CHECK_ARRAYS(Bs, y, n, 1e-10 * check_largest(y, n));
}

static void test_secants(size_t L, double memory) {
    setting s;
    setting_minimum(&s, L, 20, 1.0, memory);
    ap_model m;
    CHECK_STATUS(ap_model_take(&m, &s.p, &s.settings, &ap_dense_ops, &s.work, &err), AP_OK);
    const size_t n = m.n;
    uint64_t seed = 600 + L;
    double *d = check_room(n), *v = fixture_numbers(n, 1.0, &seed), *y = check_doubles(n);
    ap_step last = {.y = y};
    CHECK_STATUS(m.how->update(&m, &s.point, &last, &s.work, &err), AP_OK);
    CHECK_STATUS(m.how->minimise(d, &m, v, &s.work, &err), AP_OK);
    CHECK(m.dense.definite);
    last.fraction = 1.0;
    last.length = 0.01;            // the tail
    for (int k = 0; k < 2; k++) {  // twice: a pair of the step before is another one
        last.s = fixture_numbers(n, 1.0, &seed);
        ap_symv(n, 1.3, m.dense.H, n, last.s, 0.0, y);
        CHECK_STATUS(m.how->update(&m, &s.point, &last, &s.work, &err), AP_OK);
        check_secant(m.dense.H, last.s, y, n);
    }
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) test_secants(L, L % 2 ? 1e9 : 0.0);
    return check_report("test_ap_dense");
}
