// test_ap_moments.c: sums over examples against their definition, and reduced sets of examples
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static ap_moments empty(const fixture *f, ap_form form) {
    ap_moments m = {.form = form, .N0 = f->N0, .paths = f->paths};
    m.sums = check_doubles(ap_moments_size(&m));
    return m;
}

static ap_status add(ap_moments *m, const fixture *f) {
    const ap_inputs x = fixture_inputs(f);
    return ap_moments_add(m, &x, f->y, &work, &err);
}

static double feature(const fixture *f, size_t mu, size_t j) {  // entry (mu, j) of B
    return j == f->N0 * f->paths ? f->y[mu] : f->Xi[j % f->N0 + f->N0 * (mu + f->P * (j / f->N0))];
}

// Entry (i, j) of B'B, from the moments.
static double kept(const ap_moments *m, size_t i, size_t j) {
    const size_t n = m->N0 * m->paths + 1;
    if (m->form == AP_SQUARE) return i >= j ? m->sums[i + n * j] : m->sums[j + n * i];
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += m->sums[k + n * i] * m->sums[k + n * j];
    return sum;
}

static void check_sums(const ap_moments *m, const fixture *f) {
    const size_t n = m->N0 * m->paths + 1;
    double gap = 0.0, largest = 0.0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t mu = 0; mu < f->P; mu++) sum += feature(f, mu, i) * feature(f, mu, j);
            largest = fmax(largest, fabs(sum));
            gap = fmax(gap, fabs(sum - kept(m, i, j)));
        }
    CHECK_NEAR(gap, 0.0, 1e-15 * (double)(f->P + n) * largest);  // P and n additions
}

// The energy of the reduced examples, with `null_examples` and `rest`, against the fixture's own.
static void check_stand_in(const ap_moments *m, const fixture *f) {
    const size_t most = ap_moments_rows(m);
    double *Xi = check_doubles(m->N0 * m->paths * most), *y = check_doubles(most), rest = -1.0;
    size_t rows = 0;
    CHECK_STATUS(ap_moments_examples(Xi, y, &rows, &rest, m, &f->net, &work, &err), AP_OK);
    CHECK(work.used == 0 && rows > 0 && rows <= most && rest >= 0.0);
    if (m->form == AP_SQUARE) CHECK_WORKSPACE(ap_moments_examples(Xi, y, &rows, &rest, m, &f->net, &work, &err));
    const ap_inputs x = {.N0 = m->N0, .P = rows, .Xi = Xi};
    ap_kernel kernel;
    CHECK_STATUS(ap_kernel_plan(&kernel, &f->net, &x, 0.0, &err), AP_OK);
    const ap_problem p = {.net = &f->net, .kernel = &kernel, .y = y, .null_examples = m->P - rows, .null_sumsq = rest};
    ap_fit fit;
    CHECK_STATUS(ap_fit_take(&fit, &p, &work, &err), AP_OK);
    CHECK_STATUS(ap_energy(&fit, &p, f->order, NULL, &work, &err), AP_OK);
    work.used = 0;
    const double E = fixture_energy(f, f->order);
    CHECK_NEAR(fit.energy, E, 1e-10 * (1.0 + fabs(E)));  // eps lambda_max / T is below 1e-12 here
}

// Parts of P examples each, P below, at and above N0 Pi.
static void test_sums(ap_form form, size_t P) {
    fixture f;
    fixture_make(&f, 2, false, 3, 2, P, 11 + P);
    ap_moments m = empty(&f, form);
    CHECK_STATUS(ap_moments_check(&m, &err), AP_OK);
    CHECK_STATUS(add(&m, &f), AP_OK);
    CHECK(m.P == P && work.used == 0);
    CHECK(form == AP_SQUARE ? ap_moments_rounding(&m, &f.net) > 0.0 : ap_moments_rounding(&m, &f.net) == 0.0);
    check_sums(&m, &f);
    check_stand_in(&m, &f);
    CHECK_STATUS(add(&m, &f), AP_OK);  // the same examples again: every sum doubles
    CHECK(m.P == 2 * P);
    ap_moments half = m;
    half.sums = check_room(ap_moments_size(&m));
    for (size_t i = 0; i < ap_moments_size(&m); i++) half.sums[i] = m.sums[i] * (form == AP_SQUARE ? 0.5 : sqrt(0.5));
    check_sums(&half, &f);
}

// Fewer examples than N0 Pi, with columns that are 0, or equal to previous columns: equal numbers of each.
static void test_dependent(ap_form form, size_t P) {
    fixture f;
    fixture_make(&f, 2, false, 3, 2, P, 21 + P);
    for (size_t i = 0; i < f.N0 * f.P * f.paths; i++) {
        if (i % f.N0 == 0) f.Xi[i] = 0.0;
        if (i >= 2 * f.N0 * f.P && i < 3 * f.N0 * f.P) f.Xi[i] = 3.0 * f.Xi[i - f.N0 * f.P];
    }
    ap_moments m = empty(&f, form);
    CHECK_STATUS(add(&m, &f), AP_OK);
    check_sums(&m, &f);
    check_stand_in(&m, &f);
}

// Path inputs that span few dimensions: a square has as many examples as dimensions.
static void test_rank(void) {
    fixture f;
    fixture_make(&f, 2, false, 3, 2, 40, 5);
    for (size_t i = 0; i < f.N0 * f.P * f.paths; i++)
        if (i % f.N0 == 2) f.Xi[i] = 2.0 * f.Xi[i - 1] - f.Xi[i - 2];
    ap_moments m = empty(&f, AP_SQUARE);
    CHECK_STATUS(add(&m, &f), AP_OK);
    double *Xi = check_doubles(m.N0 * m.paths * f.P), *y = check_doubles(f.P), rest;
    size_t rows = 0;
    CHECK_STATUS(ap_moments_examples(Xi, y, &rows, &rest, &m, &f.net, &work, &err), AP_OK);
    CHECK(rows == 2 * f.paths || rows == 2 * f.paths + 1);  // and what is left of the label
    check_stand_in(&m, &f);
    f.net.temperature = 1e-12;
    CHECK(ap_moments_rounding(&m, &f.net) > 1e-7);
    CHECK_STATUS(ap_moments_examples(Xi, y, &rows, &rest, &m, &f.net, &work, &err), AP_EINPUT);
    CHECK(strstr(err.text, "factor") != NULL);
}

static void test_refusals(void) {
    const ap_moments huge = {.N0 = SIZE_MAX / 2, .paths = 7}, none = {.N0 = 0, .paths = 7};
    CHECK_STATUS(ap_moments_check(&huge, &err), AP_ESIZE);
    CHECK_STATUS(ap_moments_check(&none, &err), AP_ESIZE);
    fixture f;
    fixture_make(&f, 1, false, 3, 2, 9, 5);
    for (int form = 0; form < ap_forms; form++) {
        ap_moments m = empty(&f, (ap_form)form);
        const ap_inputs x = fixture_inputs(&f);
        ap_work none = {0};
        CHECK_STATUS(ap_moments_add(&m, &x, f.y, &none, &err), AP_EMEMORY);
        CHECK(m.P == 0);
    }
    const ap_inputs few = {.N0 = 3, .P = 6}, many = {.N0 = 3, .P = 60};
    CHECK(!ap_moments_pay(&f.net, &few) && ap_moments_pay(&f.net, &many));
}

int main(void) {
    static const size_t P[] = {1, 5, 18, 19, 70, 700};
    for (size_t k = 0; k < sizeof P / sizeof *P; k++) {
        test_sums(AP_SQUARE, P[k]);
        test_sums(AP_FACTOR, P[k]);
        test_dependent(AP_SQUARE, P[k]);
        test_dependent(AP_FACTOR, P[k]);
    }
    test_rank();
    test_refusals();
    return check_report("test_ap_moments");
}
