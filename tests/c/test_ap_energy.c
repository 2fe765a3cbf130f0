// test_ap_energy.c: the energy (T7) against elimination, closed forms and the action's energy
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static ap_fit answer_make(const setting *s) {
    ap_fit a = {.F = check_room(s->f.P * s->f.P), .b = check_room(s->f.P)};
    return a;
}

static ap_status ask(ap_fit *a, const setting *s, const double *U, const double *R, ap_error *err) {
    const ap_root root = {.R = R, .columns = s->f.paths, .lower = true};
    const ap_status status = ap_energy(a, &s->p, U, R == NULL ? NULL : &root, &work, err);
    CHECK(work.used == 0);
    return status;
}

// F F' = A, A b = y, E as in (T7). The condition of A is below 1e4 in these tests: 1e-11 is 1e4 eps and some.
static void check_answer(const ap_fit *a, const setting *s, const double *U) {
    const size_t P = s->f.P;
    double *A = check_room(P * P), gap = 0.0, left = 0.0;
    fixture_kernel(A, &s->f, U);
    for (size_t i = 0; i < P; i++) A[i + P * i] += s->f.net.temperature;
    for (size_t i = 0; i < P; i++) {
        double row = -s->f.y[i];
        for (size_t j = 0; j < P; j++) {
            double entry = -A[i + P * j];
            for (size_t k = 0; k <= j && j <= i; k++) entry += a->F[i + P * k] * a->F[j + P * k];
            if (j <= i) gap = fmax(gap, fabs(entry));
            row += A[i + P * j] * a->b[j];
        }
        left = fmax(left, fabs(row));
    }
    CHECK_NEAR(gap, 0.0, 1e-12);
    CHECK_NEAR(left, 0.0, 1e-11);
    const double E = fixture_energy(&s->f, U);
    CHECK_NEAR(a->energy, E, 1e-11 * (1.0 + fabs(E)));
    CHECK(a->noise > 0.0 && a->noise < 1e-8 * (1.0 + fabs(E)));
}

static void test_definition(size_t L, size_t P, double memory) {
    setting s;
    setting_make(&s, L, P, memory);
    CHECK((s.kernel.packed != NULL) == (memory > 0));
    ap_fit a = answer_make(&s);
    const size_t n = s.f.paths;
    double *R = check_copy(s.f.order, n * n);
    CHECK_STATUS(ap_spd_chol(R, n, "U", &err), AP_OK);
    CHECK_STATUS(ask(&a, &s, s.f.order, NULL, &err), AP_OK);
    check_answer(&a, &s, s.f.order);
    const double without = a.energy;
    CHECK_STATUS(ask(&a, &s, s.f.order, R, &err), AP_OK);  // the same by another algorithm
    check_answer(&a, &s, s.f.order);
    CHECK_NEAR(a.energy, without, 1e-11 * (1.0 + fabs(without)));
    CHECK_STATUS(ap_action_value(&s.point, &s.p, &s.work, &err), AP_OK);
    CHECK(s.point.fit.energy == a.energy);  // the action takes its energy from here, with a factor
    CHECK_ARRAYS(s.point.fit.b, a.b, P, 0.0);
}

// Path inputs along one axis each: K = c I, c = U sigma_0^2 s^2 / N0, so E = P log (c + T) + |y|^2 / (c + T). And
// U = 0: c = 0.
static void test_closed_form(void) {
    enum { P = 7 };
    setting s;
    fixture_make(&s.f, 1, true, P, 2, P, 3);
    memset(s.f.Xi, 0, P * P * sizeof(double));
    for (size_t mu = 0; mu < P; mu++) s.f.Xi[mu + P * mu] = 1.7;
    setting_prepare(&s, 0.0);
    ap_fit a = answer_make(&s);
    double y2 = 0.0;
    for (size_t mu = 0; mu < P; mu++) y2 += s.f.y[mu] * s.f.y[mu];
    for (int zero = 0; zero < 2; zero++) {
        const double U = zero ? 0.0 : 2.3, A = U * s.f.variance[0] * 1.7 * 1.7 / P + s.f.net.temperature;
        const double E = P * log(A) + y2 / A;
        CHECK_STATUS(ask(&a, &s, &U, NULL, &err), AP_OK);
        CHECK_NEAR(a.energy, E, 1e-14 * (P * fabs(log(A)) + y2 / A) * P);  // P terms, a few roundings each
    }
}

// A draw of a narrow network has U of rank 1, without a Cholesky factor, but A is definite for T > 0. With T = 0 and
// fewer features than examples A is singular, and the message has the value of T.
static void test_singular(double memory) {
    enum { P = 9 };
    setting s;
    fixture_make(&s.f, 2, false, 4, 2, P, 5);
    setting_prepare(&s, memory);
    ap_fit a = answer_make(&s);
    char words[64];
    double U[36], v[6] = {1.0, -0.5, 0.0, 2.0, 0.3, -1.2};
    for (size_t i = 0; i < 36; i++) U[i] = v[i % 6] * v[i / 6];
    CHECK_STATUS(ask(&a, &s, U, NULL, &err), AP_OK);
    check_answer(&a, &s, U);
    s.f.net.temperature = 0.0;
    CHECK_STATUS(ask(&a, &s, U, NULL, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "K(U) + T I with T = 0");
    s.p.null_examples = 100;
    CHECK_STATUS(ask(&a, &s, U, NULL, &err), AP_ENOTSPD);
    (void)snprintf(words, sizeof words, "%zu examples are more than their %zu", s.f.P + 100, s.f.P);
    CHECK_TEXT(err.text, words);
    s.p.null_examples = 0;
    s.f.net.temperature = 0.05;
    s.f.y[3] = INFINITY;
    CHECK_STATUS(ask(&a, &s, U, NULL, &err), AP_ENONFINITE);
    CHECK_TEXT(err.text, "energy");
    U[7] = NAN;
    CHECK_STATUS(ask(&a, &s, U, NULL, &err), AP_ENONFINITE);
    CHECK_TEXT(err.text, "kernel");
}

// Noise of each example adds the sum of its logarithms, and nothing else (T35).
static void test_own_noise(void) {
    setting s;
    setting_make(&s, 2, 6, 0.0);
    ap_fit a = answer_make(&s), b = answer_make(&s);
    CHECK_STATUS(ask(&a, &s, s.f.order, NULL, &err), AP_OK);
    s.p.lognoise = -2.5;
    CHECK_STATUS(ask(&b, &s, s.f.order, NULL, &err), AP_OK);
    CHECK(b.energy == a.energy - 2.5);
    CHECK(b.u_dependent == a.u_dependent && b.noise == a.noise);
    CHECK_ARRAYS(b.b, a.b, s.f.P, 0.0);
}

// dE/dU_1 along a random symmetric direction by central differences, of order 2; the action has the same G. Also at a
// singular U: the direction leaves the cone, but A remains definite.
static void test_gradient(size_t L, double memory, bool singular) {
    setting s;
    setting_make(&s, L, 8, memory);
    const size_t n = s.f.paths;
    uint64_t seed = 9;
    double *U = check_room(n * n), *D = fixture_numbers(n * n, 1.0, &seed), *v = fixture_numbers(n, 1.0, &seed);
    double *G = check_room(n * n), energy, slope = 0.0, error[3];
    memcpy(U, s.f.order, n * n * sizeof *U);
    for (size_t i = 0; singular && i < n * n; i++) U[i] = v[i % n] * v[i / n];
    ap_spd_mirror(D, n);
    const ap_root root = {.R = v, .columns = 1};
    CHECK_STATUS(ap_energy_gradient(&energy, G, &s.p, U, singular ? &root : NULL, &work, &err), AP_OK);
    CHECK_NEAR(energy, fixture_energy(&s.f, U), 1e-11 * (1.0 + fabs(energy)));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            slope += G[i + n * j] * D[i + n * j];
            CHECK_NEAR(G[i + n * j], G[j + n * i], 0.0);
        }
    if (!singular) {
        setting_derive(&s);
        CHECK_ARRAYS(s.point.G, G, n * n, 1e-10 * check_largest(G, n * n));  // condition 1e4, another algorithm
    }
    for (size_t k = 0; k < 3; k++) {
        const double h = ldexp(1e-3, -(int)k);
        double side[2];
        for (int right = 0; right < 2; right++) {
            for (size_t i = 0; i < n * n; i++) U[i] += (right ? 2.0 : -1.0) * h * D[i];
            side[right] = fixture_energy(&s.f, U);
        }
        for (size_t i = 0; i < n * n; i++) U[i] -= h * D[i];
        error[k] = fabs((side[1] - side[0]) / (2.0 * h) - slope);
    }
    CHECK(error[2] < 1e-3 * fabs(slope) + 1e-6);
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.1);
}

static void test_workspace(double memory) {
    setting w;
    double G[36];
    setting_make(&w, 2, 3, memory);
    ap_fit a = answer_make(&w);
    CHECK_WORKSPACE(ap_energy(&a, &w.p, w.f.order, NULL, &work, &err));
    CHECK_WORKSPACE(ap_energy_gradient(&a.energy, G, &w.p, w.f.order, NULL, &work, &err));
}

int main(void) {
    test_own_noise();
    for (size_t L = 1; L <= 4; L++) {
        test_definition(L, 8, 0.0);
        test_definition(L, 8, 1e9);
    }
    for (size_t L = 1; L <= 3; L++)
        for (int k = 0; k < 4; k++) test_gradient(L, k % 2 ? 1e9 : 0.0, k > 1);
    test_closed_form();
    test_singular(0.0);
    test_singular(1e9);
    test_workspace(0.0);
    test_workspace(1e9);
    return check_report("test_ap_energy");
}
