// test_ap_predict.c: predictor mean and variance (T10) against Gaussian elimination
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { P = 9, P2 = 300, N0 = 20 };  // more test examples than one block holds

static void eliminate(double *A, double *B, size_t n, size_t m) {  // B := A^{-1} B
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            if (i == k) continue;
            const double f = A[i + n * k] / A[k + n * k];
            for (size_t j = k; j < n; j++) A[i + n * j] -= f * A[k + n * j];
            for (size_t j = 0; j < m; j++) B[i + n * j] -= f * B[k + n * j];
        }
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < m; j++) B[k + n * j] /= A[k + n * k];
}

static double kernel(const fixture *f, const double *x, size_t mu, size_t n, const double *y, size_t nu, size_t m) {
    double sum = 0.0;
    for (size_t b = 0; b < f->paths; b++)
        for (size_t a = 0; a < f->paths; a++)
            for (size_t i = 0; i < N0; i++)
                sum += f->order[a + f->paths * b] * x[i + N0 * (mu + n * a)] * y[i + N0 * (nu + m * b)];
    return f->variance[0] * sum / ((double)N0 * (double)f->paths);
}

static bool stop = false;

static bool stops(void *context) { return stop; }

static ap_status predict(double *mu, double *s2, const fixture *f, const ap_inputs *x2, ap_work *work, ap_error *err) {
    const ap_inputs x = fixture_inputs(f);
    const size_t mark = work->used;
    ap_kernel kernel;
    ap_fit fit;
    const ap_problem p = {.net = &f->net, .kernel = &kernel, .y = f->y};
    ap_status status = ap_kernel_plan(&kernel, &f->net, &x, 0.0, err);
    if (status == AP_OK) status = ap_fit_take(&fit, &p, work, err);
    if (status == AP_OK) status = ap_predict_fit(&fit, &p, f->order, work, err);
    kernel.stop = stops;
    if (status == AP_OK) status = ap_predict(mu, s2, &p, &fit, f->order, x2, work, err);
    work->used = mark;
    return status;
}

static void test_definition(double temperature) {
    fixture f;
    fixture_make(&f, 2, false, N0, 2, P, 8);
    f.net.temperature = temperature;
    uint64_t seed = 4;
    double *Xi2 = fixture_numbers(N0 * P2 * f.paths, 1.0, &seed);
    const ap_inputs x = fixture_inputs(&f), x2 = {.N0 = N0, .P = P2, .Xi = Xi2};
    double mu[P2], s2[P2], only[P2], mu_want[P2], s2_want[P2];
    for (size_t t = 0; t < P2; t++) {
        double A[P * P], B[2 * P], k[P];
        for (size_t j = 0; j < P; j++) {
            for (size_t i = 0; i < P; i++)
                A[i + P * j] = kernel(&f, f.Xi, i, P, f.Xi, j, P) + (i == j ? temperature : 0);
            k[j] = kernel(&f, f.Xi, j, P, Xi2, t, P2);
            B[j] = f.y[j];
            B[P + j] = k[j];
        }
        eliminate(A, B, P, 2);
        mu_want[t] = 0.0;
        s2_want[t] = kernel(&f, Xi2, t, P2, Xi2, t, P2);
        for (size_t i = 0; i < P; i++) {
            mu_want[t] += k[i] * B[i];
            s2_want[t] -= k[i] * B[P + i];
        }
    }
    CHECK_STATUS(predict(mu, s2, &f, &x2, &work, &err), AP_OK);
    CHECK_ARRAYS(mu, mu_want, P2, 1e-10);  // cond A below 1e4, n small
    CHECK_ARRAYS(s2, s2_want, P2, 1e-10);
    CHECK_STATUS(predict(only, NULL, &f, &x2, &work, &err), AP_OK);
    CHECK_ARRAYS(only, mu, P2, 0.0);
    stop = true;
    CHECK_STATUS(predict(only, NULL, &f, &x2, &work, &err), AP_INTERRUPTED);
    stop = false;
    if (temperature == 0.0) {  // without noise the training labels are reproduced, with certainty
        CHECK_STATUS(predict(mu, s2, &f, &x, &work, &err), AP_OK);
        CHECK_ARRAYS(mu, f.y, P, 1e-10);
        for (size_t i = 0; i < P; i++) CHECK(s2[i] >= 0.0 && s2[i] < 1e-10);
        for (size_t a = 0; a < f.paths; a++)  // an example of zeros: K is singular, without rounding
            memset(f.Xi + N0 * (1 + P * a), 0, N0 * sizeof(double));
        CHECK_STATUS(predict(mu, s2, &f, &x2, &work, &err), AP_ENOTSPD);
        CHECK_TEXT(err.text, "smallest eigenvalue is");
    }
}

// Where A is singular, the message needs memory of its own.
static ap_status run(const fixture *f) {
    double mu[P], s2[P];
    const ap_inputs x = fixture_inputs(f);
    const ap_status status = predict(mu, s2, f, &x, &work, &err);
    return status == AP_ENOTSPD && f->net.temperature == 0.0 ? AP_OK : status;
}

// The public size is the need of both together; a fit has P x (P+1) doubles.
static void test_sizes(void) {
    fixture f;
    fixture_make(&f, 2, false, N0, 2, P, 8);
    const ap_inputs x = fixture_inputs(&f);
    ap_kernel kernel;
    const ap_problem p = {.net = &f.net, .kernel = &kernel, .y = f.y};
    CHECK_STATUS(ap_kernel_plan(&kernel, &f.net, &x, 0.0, &err), AP_OK);
    CHECK(ap_fit_size(&p) == P * (P + 1));
}

// Labels whose energy overflows still have a predictor, which is linear in them.
static void test_large_labels(void) {
    fixture f;
    fixture_make(&f, 2, false, N0, 2, P, 8);
    const ap_inputs x = fixture_inputs(&f);
    double mu[P], large[P], s2[P];
    CHECK_STATUS(predict(mu, s2, &f, &x, &work, &err), AP_OK);
    for (size_t i = 0; i < P; i++) f.y[i] *= 0x1p600;
    CHECK_STATUS(predict(large, NULL, &f, &x, &work, &err), AP_OK);
    for (size_t i = 0; i < P; i++) CHECK(large[i] == mu[i] * 0x1p600);
}

static void test_workspace(void) {
    fixture f;
    fixture_make(&f, 2, false, N0, 2, P, 8);
    CHECK_WORKSPACE(run(&f));
    memset(f.Xi, 0, N0 * P * f.paths * sizeof(double));
    f.net.temperature = 0.0;
    CHECK_WORKSPACE(run(&f));
}

int main(void) {
    test_definition(0.05);
    test_definition(0.0);
    test_workspace();
    test_sizes();
    test_large_labels();
    return check_report("test_ap_predict");
}
