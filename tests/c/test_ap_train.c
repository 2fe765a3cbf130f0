// test_ap_train.c: the start of a training, Adam, and steps
// SPDX-License-Identifier: BSD-3-Clause

#include "trainer.h"

// All weights are within their bound and reach it; another seed gives other weights
static void test_start(void) {
    fixture f;
    make(&f, 2, 3, AP_READ_LAST, false, 3, 1);
    float *theta = rounded(f.theta, f.n), *other = rounded(f.theta, f.n);
    ap_train_start(theta, &f.t, 3);
    ap_train_start(other, &f.t, 3);
    CHECK(memcmp(theta, other, f.n * sizeof *theta) == 0);
    ap_train_start(other, &f.t, 4);
    CHECK(theta[0] != other[0] && theta[f.n - 1] != other[f.n - 1]);
    const size_t N0 = f.t.N0, G = f.t.G, N = (size_t)f.width[0], N2 = (size_t)f.width[1], N3 = (size_t)f.width[2];
    const size_t count[] = {2 * G * N0 * (f.H[0] + f.H[1]) + N * N0, N2 * N * f.H[0], N3 * N2 * f.H[1], 3 * N3};
    const size_t fan[] = {N0, N, N2, N3};
    const float *at = theta;
    for (size_t k = 0; k < 4; k++) {
        float largest = 0.0f;
        for (size_t i = 0; i < count[k]; i++) largest = fmaxf(largest, fabsf(at[i]));
        bool above = false, below = false;
        for (size_t i = 0; i < count[k]; i++) {
            above = above || at[i] > 0.0f;
            below = below || at[i] < 0.0f;
        }
        CHECK(above && below);
        CHECK(largest <= 1.0f / sqrtf((float)fan[k]) * 1.000001f);
        CHECK(largest >= 0.5f / sqrtf((float)fan[k]));
        at += count[k];
    }
    CHECK((size_t)(at - theta) == f.n);
}

// Adam by its definition in double, three steps; moments and weights to float rounding
static void test_adam(void) {
    enum { n = 5 };
    uint64_t state = 5;
    double theta[n], m[n] = {0}, v[n] = {0}, grad[n];
    check_fill(theta, n, &state);
    float *t = rounded(theta, n), M[n] = {0}, V[n] = {0};
    for (int step = 1; step <= 3; step++) {
        check_fill(grad, n, &state);
        grad[0] = 2e-8;  // of the size of the constant in Adam's denominator
        theta[0] = step == 1 ? 0.0 : theta[0];
        if (step == 1) t[0] = 0.0f;
        float *g = rounded(grad, n);
        ap_train_adam(t, M, V, n, g, step, 0.01, 0.1);
        for (size_t i = 0; i < n; i++) {
            const double d = grad[i] + 0.1 * theta[i];
            m[i] = 0.9 * m[i] + 0.1 * d;
            v[i] = 0.999 * v[i] + 0.001 * d * d;
            theta[i] -= 0.01 * m[i] / (1.0 - pow(0.9, step)) / (sqrt(v[i] / (1.0 - pow(0.999, step))) + 1e-8);
        }
    }
    for (size_t i = 0; i < n; i++) {
        CHECK_NEAR((double)t[i], theta[i], 1e-6);
        CHECK_NEAR((double)M[i], m[i], 1e-6);
        CHECK_NEAR((double)V[i], v[i], 1e-7);
    }
}

static ap_status run_step(single *s) {
    double loss;
    const ap_train_state state = {s->phi, s->dphi, s->out};
    const ap_train_batch batch = {s->X, s->y, s->f->P};
    const ap_train_pace pace = {.number = 1.0, .rate = 0.01, .decay = 0.0};
    return ap_train_step(&state, &loss, &s->f->t, &batch, &pace, NULL, &work, &err);
}

// A step is Adam's along the gradient of the batch, with equal bits for any team; a failed step changes nothing.
static void test_step(size_t C) {
    enum { P = 10 };  // not a multiple of the parts
    fixture f;
    make(&f, 2, C, AP_READ_MEAN, false, 3, P);
    const ap_team teams[3] = {
        {.threads = 3, .run = check_backwards}, {.threads = 1, .run = check_backwards}, {.threads = 1}};
    float *X = rounded(f.X, f.t.N0 * f.t.T * P), *y = rounded(f.y, f.t.C * P), *first = NULL;
    double loss = 0.0, *grad = check_doubles(f.n);
    for (int k = 0; k < 3; k++) {
        float *theta = rounded(f.theta, f.n), *m = check_zeros(f.n, sizeof *m), *v = check_zeros(f.n, sizeof *v);
        const ap_train_state now = {theta, m, v};
        const ap_train_batch batch = {X, y, P};
        ap_train_pace pace = {.number = 1.0, .rate = 0.01, .decay = 0.1};
        CHECK_STATUS(ap_train_step(&now, &loss, &f.t, &batch, &pace, &teams[k], &work, &err), AP_OK);
        CHECK_NEAR(loss, loss_of(&f, f.theta), 1e-5 * (1.0 + loss));
        for (size_t i = 0; i < f.n; i++)  // the first moment is a tenth of the gradient, with the decay's share
            grad[i] = 10.0 * (double)m[i] - 0.1 * f.theta[i];
        if (k == 0) check_gradient(&f, grad, true);
        if (first == NULL) first = rounded(f.theta, f.n), memcpy(first, theta, f.n * sizeof *theta);
        CHECK(memcmp(first, theta, f.n * sizeof *theta) == 0);
        float *before = rounded(f.theta, f.n);
        memcpy(before, theta, f.n * sizeof *theta);
        for (size_t i = 0; i < f.t.N0 * f.t.T; i++) X[i] = INFINITY;  // the first example
        pace.number = 2.0;
        CHECK_STATUS(ap_train_step(&now, &loss, &f.t, &batch, &pace, &teams[k], &work, &err), AP_ENONFINITE);
        CHECK(memcmp(before, theta, f.n * sizeof *theta) == 0 && work.used == 0);
        for (size_t i = 0; i < f.t.N0 * f.t.T; i++) X[i] = (float)f.X[i];
    }
    single s = {&f, rounded(f.theta, f.n), rounded(f.theta, f.n), X, y, rounded(f.theta, f.n)};
    for (size_t i = 0; i < f.n; i++) s.dphi[i] = s.out[i] = 0.0f;
    CHECK_WORKSPACE(run_step(&s));
}

static void test_refusals(void) {
    fixture f;
    make(&f, 2, 1, AP_READ_TOKEN, false, 3, 1);
    const struct {
        size_t *at, value;
        ap_status status;
    } bad[] = {{&f.net.token, 3, AP_EINPUT},
               {&f.t.G, 0, AP_EINPUT},
               {&f.t.G, SIZE_MAX / 4, AP_ESIZE},
               {&f.t.T, 0, AP_EINPUT},
               {&f.H[0], 0, AP_EINPUT}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const size_t kept = *bad[k].at;
        *bad[k].at = bad[k].value;
        CHECK_STATUS(ap_train_check(&f.t, &err), bad[k].status);
        if (k == 0) CHECK_TEXT(err.text, "token 4");
        *bad[k].at = kept;
    }
    f.net.read = AP_READ_ALL;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "not all of them");
    f.net.read = AP_READ_TOKEN;
    f.width[1] = 2.5;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "2.5");
    f.width[1] = 3;
    f.t.N0 = f.t.rank = 0;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
}

int main(void) {
    test_start();
    test_adam();
    test_step(1);
    test_step(3);
    test_refusals();
    return check_report("test_ap_train");
}
