// test_ap_predict.c: predictor mean and variance (T10) against Gaussian elimination
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { P = 9, P2 = 300, N0 = 20 };  // more test examples than one block holds

static void make(setting *s, double temperature) {
    fixture_make(&s->f, 2, false, N0, 2, P, 8);
    s->f.net.temperature = temperature;
    setting_prepare(s, 0.0);
}

static ap_status predict(double *mu, double *s2, const setting *s, const ap_inputs *x2) {
    return setting_predict(mu, s2, s, s->f.order, x2);
}

static void test_definition(double temperature) {
    setting s;
    make(&s, temperature);
    const fixture *f = &s.f;
    uint64_t seed = 4;
    double *Xi2 = fixture_numbers(N0 * P2 * f->paths, 1.0, &seed);
    const ap_inputs x = fixture_inputs(f), x2 = {.N0 = N0, .P = P2, .Xi = Xi2};
    double mu[P2], s2[P2], only[P2], mu_want[P2], s2_want[P2], A[P * P];
    double *K = check_room(P * P2), *own = check_room(P2 * P2), *B = check_room(P * (P2 + 1));
    fixture_kernel(A, f, f->order);
    fixture_cross(K, f, f->order, f->Xi, P, Xi2, P2);
    fixture_cross(own, f, f->order, Xi2, P2, Xi2, P2);
    for (size_t i = 0; i < P; i++) A[i + P * i] += temperature;
    memcpy(B, f->y, P * sizeof *B);
    memcpy(B + P, K, P * P2 * sizeof *B);
    (void)fixture_eliminate(A, P, B, P2 + 1);
    for (size_t t = 0; t < P2; t++) {
        mu_want[t] = ap_dot(P, K + P * t, B);
        s2_want[t] = own[t + P2 * t] - ap_dot(P, K + P * t, B + P * (t + 1));
    }
    CHECK_STATUS(predict(mu, s2, &s, &x2), AP_OK);
    CHECK_ARRAYS(mu, mu_want, P2, 1e-10);  // cond A below 1e4, n small
    CHECK_ARRAYS(s2, s2_want, P2, 1e-10);
    CHECK_STATUS(predict(only, NULL, &s, &x2), AP_OK);
    CHECK_ARRAYS(only, mu, P2, 0.0);
    int calls = 0, left = 0;
    s.kernel.stop = fixture_after;
    s.kernel.context = &left;
    for (; predict(only, NULL, &s, &x2) == AP_INTERRUPTED; left = ++calls) CHECK(left == -1);
    CHECK(calls > 2 && left >= 0);  // before the factor and each block
    s.kernel.stop = NULL;
    if (temperature == 0.0) {  // without noise the training labels are reproduced, with certainty
        CHECK_STATUS(predict(mu, s2, &s, &x), AP_OK);
        CHECK_ARRAYS(mu, f->y, P, 1e-10);
        for (size_t i = 0; i < P; i++) CHECK(s2[i] >= 0.0 && s2[i] < 1e-10);
        for (size_t a = 0; a < f->paths; a++)  // an example of zeros: K is singular, without rounding
            memset(f->Xi + N0 * (1 + P * a), 0, N0 * sizeof(double));
        CHECK_STATUS(predict(mu, s2, &s, &x2), AP_ENOTSPD);
        CHECK_TEXT(err.text, "smallest eigenvalue is");
    }
}

// Where A is singular, the message needs memory of its own.
static ap_status run(const setting *s) {
    double mu[P], s2[P];
    const ap_inputs x = fixture_inputs(&s->f);
    const ap_status status = predict(mu, s2, s, &x);
    return status == AP_ENOTSPD && s->f.net.temperature == 0.0 ? AP_OK : status;
}

// The public size is the need of both together; a fit has P x (P+1) doubles.
static void test_sizes(void) {
    setting s;
    make(&s, 0.05);
    CHECK(ap_fit_size(&s.p) == P * (P + 1));
}

// Labels whose energy overflows still have a predictor, which is linear in them.
static void test_large_labels(void) {
    setting s;
    make(&s, 0.05);
    const ap_inputs x = fixture_inputs(&s.f);
    double mu[P], large[P], s2[P];
    CHECK_STATUS(predict(mu, s2, &s, &x), AP_OK);
    for (size_t i = 0; i < P; i++) s.f.y[i] *= 0x1p600;
    CHECK_STATUS(predict(large, NULL, &s, &x), AP_OK);
    for (size_t i = 0; i < P; i++) CHECK(large[i] == mu[i] * 0x1p600);
}

static void test_workspace(void) {
    setting s;
    make(&s, 0.05);
    CHECK_WORKSPACE(run(&s));
    memset(s.f.Xi, 0, N0 * P * s.f.paths * sizeof(double));
    s.f.net.temperature = 0.0;
    CHECK_WORKSPACE(run(&s));
}

int main(void) {
    test_definition(0.05);
    test_definition(0.0);
    test_workspace();
    test_sizes();
    test_large_labels();
    return check_report("test_ap_predict");
}
