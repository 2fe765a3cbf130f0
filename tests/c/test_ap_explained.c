// test_ap_explained.c: labels without what no path input explains have the same energy at every U
// SPDX-License-Identifier: BSD-3-Clause

#include "attnpath_beyond.h"
#include "fixture.h"

// Path inputs that all paths share, of 3 features: 8 examples have 5 directions that no kernel meets.
static void make(setting *s, size_t C, size_t shared, bool equal, double labels) {
    uint64_t seed = 11;
    fixture_make(&s->f, 2, false, 3, 2, 8, 21);
    for (size_t a = 1; equal && a < s->f.paths; a++) memcpy(s->f.Xi + 24 * a, s->f.Xi, 24 * sizeof(double));
    setting_for(s, C, 0.0);
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
    double *y = check_room(8 * columns), *z = check_room(8 * columns), *G = check_room(n * n), rest = NAN, yy = 0.0;
    setting_derive(&s);
    const double energy = s.point.fit.energy;
    memcpy(G, s.point.G, n * n * sizeof *G);
    const double *b = check_copy(s.point.fit.b, 8 * columns);
    CHECK_STATUS(ap_explained(y, z, &rest, &s.p, &s.work, &err), AP_OK);
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
    CHECK_STATUS(ap_explained(again, z, &more, &s.p, &s.work, &err), AP_OK);
    CHECK_ARRAYS(again, y, 8 * columns, 1e-14 * check_largest(y, 8 * columns));
    CHECK_NEAR(more, rest, 1e-12 * rest);
}

// Examples left out, groups of them, effective weights without them, and derivatives by path inputs: of the labels in
// two parts they are those of the whole labels. Condition numbers of A are below 1e4; (T24) iterates to 1e-4.
static void test_answers(size_t C, size_t shared, bool moves) {
    setting s;
    make(&s, C, shared, true, 2.0);
    s.p.null_sumsq = 0.0;
    ap_params_gp(s.point.order, s.p.net);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
    const size_t columns = C * shared, n = 4, m = s.kernel.inputs, pi = s.kernel.paths;
    const size_t member[] = {3, 0, 1, 2, 4, 7, 6, 5}, begin[] = {0, 2, 3, 5, 8};
    const ap_groups groups = {.n = n, .member = member, .begin = begin};
    double *y = check_room(8 * columns), *z = check_room(8 * columns), logp[2][4], weight[] = {1.0, -2.0, 0.5, 1.0};
    double variance[5], paths[12], temperature[2], *mu[2], *W[2], *inputs[2], *s2 = check_room(8 * C * C);
    const double *U = check_copy(s.point.order, pi * pi);
    for (int k = 0; k < 2; k++) {
        mu[k] = check_room(8 * columns), W[k] = check_room(3 * shared * n * pi), inputs[k] = check_room(24 * m);
        const ap_loo_result out = {.mu = mu[k], .s2 = s2, .logp = logp[k], .W = W[k], .weight = weight};
        const ap_many one = {.U = U, .count = 1};
        CHECK_STATUS(moves ? ap_loo_corrected(&out, &s.p, &groups, &s.point, &s.work, &err)
                           : ap_loo_draws(&out, &s.p, &groups, &one, NULL, &s.work, &err),
                     AP_OK);
        ap_gradient g = {.variance = variance, .paths = paths, .inputs = inputs[k]};
        CHECK_STATUS(ap_gradient_make(&g, &s.p, &s.point, &s.work, &err), AP_OK);
        temperature[k] = g.temperature;
        if (k == 0) CHECK_STATUS(ap_explained(y, z, &s.p.null_sumsq, &s.p, &s.work, &err), AP_OK);
        s.p.y = y;
        s.p.apart = z;
        setting_derive(&s);
    }
    const double tolerance = moves ? 1e-4 : 1e-9;
    CHECK_ARRAYS(mu[1], mu[0], 8 * columns, tolerance);
    CHECK_ARRAYS(logp[1], logp[0], n, 10.0 * tolerance * check_largest(logp[0], n));
    CHECK_ARRAYS(W[1], W[0], 3 * shared * n * pi, tolerance * check_largest(W[0], 3 * shared * n * pi));
    CHECK_ARRAYS(inputs[1], inputs[0], 24 * m, 1e-9 * check_largest(inputs[0], 24 * m));
    CHECK_NEAR(temperature[1], temperature[0], 1e-9 * fabs(temperature[0]));
    CHECK(check_largest(z, 8 * columns) > 1.0);
}

// Where z is 0, of an example that alone has a feature, it is so to the square of eps.
static void test_places(void) {
    setting s;
    double y[8], z[8], rest = NAN;
    make(&s, 1, 1, true, 1e8);
    for (size_t i = 2; i < 24 * s.f.paths; i += 3) s.f.Xi[i] = i % 24 == 20 ? 1.3 : 0.0;
    CHECK_STATUS(ap_explained(y, z, &rest, &s.p, &s.work, &err), AP_OK);
    CHECK(fabs(z[6]) < 1e-28 * sqrt(rest) && fabs(z[0]) > 1e-3 * sqrt(rest));
}

// A feature that is another one but for 1e-11 of it: y - z is not quite of the span, and the energy is still that of y.
static void test_nearly(void) {
    setting s;
    double y[8], z[8], rest = NAN;
    make(&s, 1, 1, true, 2.0);
    for (size_t i = 0; i < 24; i += 3) s.f.Xi[i + 2] = s.f.Xi[i] + 1e-11 * s.f.Xi[i + 2];
    for (size_t a = 1; a < s.f.paths; a++) memcpy(s.f.Xi + 24 * a, s.f.Xi, 24 * sizeof(double));
    setting_derive(&s);
    const double energy = s.point.fit.energy;
    CHECK_STATUS(ap_explained(y, z, &rest, &s.p, &s.work, &err), AP_OK);
    CHECK(fabs(ap_dot(8, y, z)) > 1e-9);
    s.p.y = y;
    s.p.null_sumsq = rest;
    setting_derive(&s);
    CHECK_NEAR(s.point.fit.energy, energy, 1e-12 * fabs(energy));
}

// Where path inputs span all examples nothing changes, to the bit; labels of ordinary size do not matter.
static void test_unchanged(void) {
    setting s;
    make(&s, 1, 1, false, 2.0);
    double y[8], z[8], rest = NAN;
    CHECK_STATUS(ap_explained(y, z, &rest, &s.p, &s.work, &err), AP_OK);
    CHECK(memcmp(y, s.p.y, sizeof y) == 0 && rest == 3.0);
    CHECK(!ap_explained_matters(&s.p));
    make(&s, 1, 1, false, 1e5);
    CHECK(ap_explained_matters(&s.p));
    s.f.net.temperature = 0.0;
    CHECK(!ap_explained_matters(&s.p));
    make(&s, 1, 1, true, 2.0);
    CHECK_WORKSPACE(ap_explained(y, z, &rest, &s.p, &work, &err));
}

// Two coupled outputs of size 10^5, which equal paths explain in part: the search converges without that part alone.
static void test_search(void) {
    setting s;
    make(&s, 2, 1, true, 1e5);
    double *y = check_room(16), *z = check_room(16), rest = NAN;
    ap_params_gp(s.point.order, s.p.net);
    (void)setting_solve(&s, &err);
    const double before = s.point.gradrel;
    CHECK_STATUS(ap_explained(y, z, &rest, &s.p, &s.work, &err), AP_OK);
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
    for (int moves = 0; moves < 2; moves++) {
        test_answers(1, 1, moves);
        test_answers(3, 1, moves);
        test_answers(1, 2, moves);
    }
    test_places();
    test_nearly();
    test_unchanged();
    test_search();
    return check_report("test_ap_explained");
}
