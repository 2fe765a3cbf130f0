// test_ap_explained.c: labels without what no path input explains have the same energy at every U
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// Path inputs that all paths share, of 3 features: 8 examples have 5 directions that no kernel meets.
static void make(setting *s, size_t C, size_t shared, bool equal, double labels) {
    uint64_t seed = 11;
    fixture_make(&s->f, 2, false, 3, 2, 8, 21);
    for (size_t a = 1; equal && a < s->f.paths; a++) memcpy(s->f.Xi + 24 * a, s->f.Xi, 24 * sizeof(double));
    if (C > 1)
        setting_outputs(s, C, 0.0);
    else
        setting_prepare(s, 0.0);
    double *y = fixture_numbers(8 * C * shared, labels, &seed);
    s->p.y = y;
    s->p.label_columns = shared > 1 ? shared : 0;
    s->p.null_sumsq = 3.0;
    CHECK_STATUS(ap_point_take(&s->point, &s->p, &s->work, &err), AP_OK);
    fixture_order(s->point.order, s->p.net, &seed);
}

static void test_energy(size_t C, size_t shared) {
    setting s;
    make(&s, C, shared, true, 2.0);
    const size_t columns = C * shared, n = s.kernel.paths;
    double *y = check_room(8 * columns), *G = check_room(n * n), rest = NAN, yy = 0.0;
    setting_derive(&s);
    const double energy = s.point.fit.energy;
    memcpy(G, s.point.G, n * n * sizeof *G);
    const double *b = check_copy(s.point.fit.b, 8 * columns);
    CHECK_STATUS(ap_explained(y, &rest, &s.p, &s.work, &err), AP_OK);
    for (size_t c = 0; c < columns; c++)  // what is left out meets no path input, and what stays is of their span
        for (size_t i = 0; i < 3; i++) {
            double left = 0.0;
            for (size_t mu = 0; mu < 8; mu++) left += (s.p.y[mu + 8 * c] - y[mu + 8 * c]) * s.f.Xi[i + 3 * mu];
            CHECK_NEAR(left, 0.0, 1e-12);
        }
    for (size_t i = 0; i < 8 * columns; i++) yy += s.p.y[i] * s.p.y[i] - y[i] * y[i];
    CHECK_NEAR(rest, 3.0 + yy / (double)shared, 1e-12 * rest);
    CHECK(rest > 4.0);
    s.p.y = y;
    s.p.null_sumsq = rest;
    setting_derive(&s);
    CHECK_NEAR(s.point.fit.energy, energy, 1e-11 * fabs(energy));
    CHECK_ARRAYS(s.point.G, G, n * n, 1e-9 * check_largest(G, n * n));
    CHECK(check_apart(s.point.fit.b, b, 8 * columns) > 1e-3);  // b does change
    double *again = check_room(8 * columns), more = NAN;
    CHECK_STATUS(ap_explained(again, &more, &s.p, &s.work, &err), AP_OK);
    CHECK_ARRAYS(again, y, 8 * columns, 1e-14 * check_largest(y, 8 * columns));
    CHECK_NEAR(more, rest, 1e-12 * rest);
}

// Where path inputs span all examples nothing changes, to the bit; labels of ordinary size do not matter.
static void test_unchanged(void) {
    setting s;
    make(&s, 1, 1, false, 2.0);
    double y[8], rest = NAN;
    CHECK_STATUS(ap_explained(y, &rest, &s.p, &s.work, &err), AP_OK);
    CHECK(memcmp(y, s.p.y, sizeof y) == 0 && rest == 3.0);
    CHECK(!ap_explained_matters(&s.p));
    make(&s, 1, 1, false, 1e5);
    CHECK(ap_explained_matters(&s.p));
    s.f.net.temperature = 0.0;
    CHECK(!ap_explained_matters(&s.p));
    make(&s, 1, 1, true, 2.0);
    CHECK_WORKSPACE(ap_explained(y, &rest, &s.p, &work, &err));
}

// Two coupled outputs of size 10^5, which equal paths explain in part: the search converges without that part alone.
static void test_search(void) {
    setting s;
    make(&s, 2, 1, true, 1e5);
    double *y = check_room(16), rest = NAN;
    ap_params_gp(s.point.order, s.p.net);
    (void)setting_solve(&s, &err);
    const double before = s.point.gradrel;
    CHECK_STATUS(ap_explained(y, &rest, &s.p, &s.work, &err), AP_OK);
    s.p.y = y;
    s.p.null_sumsq = rest;
    ap_params_gp(s.point.order, s.p.net);
    const ap_status status = setting_solve(&s, &err);
    CHECK(ap_has_converged(status, &s.point, &s.settings));
    CHECK(s.point.gradrel < 1e-3 * before);
}

int main(void) {
    test_energy(1, 1);
    test_energy(3, 1);
    test_energy(1, 2);
    test_unchanged();
    test_search();
    return check_report("test_ap_explained");
}
