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

// U_1 as coordinates, and the gradient of log det A by them
static void gradient(double *u, double *g, const setting *s) {
    const size_t q = s->kernel.pairs;
    double *unused = check_room(q * q);
    CHECK_STATUS(ap_curvature_energy(unused, g, NULL, 0, &s->p, &s->point, &work, &err), AP_OK);
    ap_pairs_pack(u, s->point.order, s->kernel.paths, 1.0);
}

static void test_secants(size_t L, double memory) {
    setting s;
    setting_minimum(&s, L, 20, 1.0, memory);
    s.settings.how = &ap_dense_ops;
    ap_model m;
    CHECK_STATUS(ap_model_take(&m, &s.p, &s.settings, &s.work, &err), AP_OK);
    const size_t q = s.kernel.pairs, n = m.n;
    uint64_t seed = 600 + L;
    double *u = check_room(q), *g = check_room(q), *here = check_room(q), *now = check_room(q), *d = check_room(n),
           *v = fixture_numbers(n, 1.0, &seed), *move = fixture_numbers(n, 1.0, &seed), *y = check_doubles(n);
    ap_step last = {.s = move, .y = y};
    CHECK_STATUS(m.how->update(&m, &s.point, &last, &s.work, &err), AP_OK);
    CHECK_STATUS(m.how->minimise(d, &m, v, &s.work, &err), AP_OK);
    for (int k = 0; k < 2; k++) {  // twice: a pair of the step before is another one
        gradient(u, g, &s);
        for (size_t i = 0; i < ap_order_length(&s.f.net); i++) s.point.order[i] *= 1.0 + 0.05 * (double)(k + 1);
        s.point.order[0] *= 1.02;
        setting_derive(&s);
        gradient(here, now, &s);
        for (size_t i = 0; i < q; i++) {
            here[i] -= u[i];
            now[i] = g[i] - now[i];
        }
        last.fraction = 1.0;
        last.length = 0.1;  // near
        CHECK_STATUS(m.how->update(&m, &s.point, &last, &s.work, &err), AP_OK);
        check_secant(m.dense.logdet, here, now, q);
        CHECK_STATUS(m.how->minimise(d, &m, v, &s.work, &err), AP_OK);
        CHECK(m.dense.definite);
    }
    ap_symv(n, 1.3, m.dense.H, n, move, 0.0, y);
    last.length = 0.01;  // the tail
    CHECK_STATUS(m.how->update(&m, &s.point, &last, &s.work, &err), AP_OK);
    check_secant(m.dense.H, move, y, n);
}

int main(void) {
    for (size_t L = 1; L <= 3; L++) test_secants(L, L % 2 ? 1e9 : 0.0);
    return check_report("test_ap_dense");
}
