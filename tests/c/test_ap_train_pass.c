// test_ap_train_pass.c: outputs against a token-by-token pass, and gradients against finite differences of that
// SPDX-License-Identifier: BSD-3-Clause

#include "trainer.h"

static void test_gradient(size_t L, size_t C, ap_read read, bool causal, size_t P) {
    fixture f;
    make(&f, L, C, read, causal, 3, P);
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_OK);
    single s = in_single(&f);
    check_gradient(&f, gradient_of(&s), true);
    check_outputs(&s, 2e-5);
}

// Numbers of tokens below and above the lanes of their loops, several chunks of which the last one is shorter
static void test_single(size_t outs, bool causal, size_t T, size_t P) {
    fixture f;
    make(&f, 2, outs, AP_READ_MEAN, causal, T, P);
    const size_t C = f.t.C;
    single s = in_single(&f);
    check_gradient(&f, gradient_of(&s), false);
    check_outputs(&s, 2e-5);

    // The outputs have equal bits in parts and without derivatives
    const size_t chunk = (384 + T - 1) / T;  // columns_wanted of ap_train.c
    float *parts = rounded(f.y, C * f.P);
    const ap_train_batch one = {s.X, NULL, chunk}, rest = {s.X + f.t.N0 * f.t.T * chunk, NULL, f.P - chunk};
    CHECK_STATUS(ap_train_pass(NULL, parts, &f.t, s.phi, &one, 0.0f, &work, &err), AP_OK);
    CHECK_STATUS(ap_train_pass(NULL, parts + C * chunk, &f.t, s.phi, &rest, 0.0f, &work, &err), AP_OK);
    CHECK(memcmp(parts, s.out, C * f.P * sizeof *parts) == 0);
    CHECK_WORKSPACE(pass(&s));

    // Exponentials of scores of some hundreds overflow in single precision; softmax then has its limit
    for (size_t i = 0; i < f.t.N0 * f.t.T * f.P; i++) s.X[i] *= 12.0f;
    for (size_t i = 0; i < f.t.N0 * f.t.T * f.P; i++) f.X[i] *= 12.0;
    CHECK_STATUS(pass(&s), AP_OK);
    check_outputs(&s, 5e-3);

    // Scores beyond a float are refused, of whichever layer and head
    const size_t square = f.t.N0 * f.t.N0;
    const size_t blocks[] = {0, f.H[0] * square, f.H[0] * square + f.t.N0};
    for (size_t k = 0; k < 3; k++) {
        const float kept = s.phi[blocks[k]];
        s.phi[blocks[k]] = 3e38f;
        CHECK_STATUS(pass(&s), AP_ENONFINITE);
        s.phi[blocks[k]] = kept;
    }
    CHECK_STATUS(pass(&s), AP_OK);
}

// Tokens as coordinates in a basis: the network and its gradient are those of the tokens themselves, up to rounding,
// also in a basis that is not orthonormal.
static void test_basis(void) {
    enum { r = 3 };
    fixture f, g;
    make(&f, 2, 2, AP_READ_MEAN, false, 3, 4);
    make(&g, 2, 2, AP_READ_MEAN, false, 3, 4);
    const size_t N0 = f.t.N0, tokens = f.t.T * f.P;
    float B[5 * r];
    for (size_t i = 0; i < 5 * r; i++) B[i] = (float)f.X[i];
    g.t.basis = B;
    g.t.rank = r;
    for (size_t s = 0; s < tokens; s++)
        for (size_t i = 0; i < N0; i++) {
            f.X[i + N0 * s] = 0.0;
            for (size_t k = 0; k < r; k++) f.X[i + N0 * s] += (double)B[i + N0 * k] * g.X[k + r * s];
        }
    CHECK_STATUS(ap_train_check(&g.t, &err), AP_OK);
    single s = in_single(&g);
    check_gradient(&f, gradient_of(&s), true);
    g.t.rank = 6;
    CHECK_STATUS(ap_train_check(&g.t, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "basis of 6");
    g.t.basis = NULL;
    g.t.rank = r;
    CHECK_STATUS(ap_train_check(&g.t, &err), AP_EINPUT);
}

int main(void) {
    test_gradient(1, 1, AP_READ_LAST, false, 3);
    test_gradient(2, 1, AP_READ_MEAN, false, 2);
    if (check_thorough()) test_gradient(2, 1, AP_READ_MEAN, false, 300);  // several chunks, the last one shorter
    test_gradient(2, 1, AP_READ_TOKEN, true, 3);
    test_gradient(3, 1, AP_READ_LAST, true, 2);
    test_gradient(1, 3, AP_READ_MEAN, false, 3);  // several outputs
    if (check_thorough()) test_gradient(2, 2, AP_READ_LAST, true, 300);
    test_gradient(3, 4, AP_READ_TOKEN, false, 2);
    test_single(1, false, 3, 300);
    test_single(1, false, 19, 25);
    test_single(3, false, 19, 25);
    test_single(1, true, 37, 12);
    test_basis();
    return check_report("test_ap_train_pass");
}
