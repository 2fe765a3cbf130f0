// test_ap_pairs.c: symmetric matrices as vectors
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static void symmetric(double *A, size_t n, uint64_t *seed) {
    check_fill(A, n * n, seed);
    ap_spd_mirror(A, n);
}

// Numbers and weights from their definition: <A, B> = sum of weight A_ab B_ab over the pairs.
static void test_inner_product(size_t n) {
    enum { most = 9, pairs = most * (most + 1) / 2 };
    double A[most * most], B[most * most], C[most * most], a[pairs], b[pairs], w[pairs], want = 0.0, got = 0.0;
    uint64_t seed = n;
    symmetric(A, n, &seed);
    symmetric(B, n, &seed);
    ap_pairs_pack(a, A, n, 1.0);
    ap_pairs_pack(b, B, n, 2.0);
    ap_pairs_weights(w, n);
    CHECK(ap_pairs_count(n) == n * (n + 1) / 2);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const size_t k = ap_pairs_number(i, j);
            want += A[i + n * j] * B[i + n * j];
            CHECK(k < ap_pairs_count(n) && k == ap_pairs_number(j, i));
            CHECK(a[k] == A[i + n * j] && b[k] == w[k] * B[i + n * j] && w[k] == (i == j ? 1.0 : 2.0));
        }
    for (size_t k = 0; k < ap_pairs_count(n); k++) got += a[k] * b[k];
    CHECK_NEAR(got, want, 1e-14 * (double)(n * n));
    ap_pairs_unpack(C, a, n, 1.0);
    CHECK_ARRAYS(C, A, n * n, 0.0);
    ap_pairs_unpack(C, b, n, 0.5);
    CHECK_ARRAYS(C, B, n * n, 0.0);
}

int main(void) {
    for (size_t n = 1; n <= 9; n++) test_inner_product(n);
    CHECK(ap_pairs_count(SIZE_MAX) >= SIZE_MAX / 2);  // and not small
    return check_report("test_ap_pairs");
}
