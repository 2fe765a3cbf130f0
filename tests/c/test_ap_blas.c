// test_ap_blas.c: the linked BLAS has the expected integers, and every wrapper passes its arguments in order
// SPDX-License-Identifier: BSD-3-Clause
//
// Each wrapper is compared with a triple loop on shapes of unequal sizes, with leading dimensions larger than the
// matrix, and with NaN in the part that must not be read. The products have at most 7 terms of size 1, hence 7
// roundings of 2.2e-16, and as many in the loop: 1e-14 is three times their sum. Triangular solves divide by diagonals
// of at least 3 with off-diagonals below 1, with errors of the same size.

#include "base/ap_core.h"

#include "check.h"

enum { m = 5, n = 4, k = 7, ld = 9, room = ld * 8 };

static const double tolerance = 1e-14;
static uint64_t seed = 1;

// Entry (i,j) of A or of its transpose; of a lower triangle A: as a symmetric matrix, as it is, its transpose.
static double entry(const double *A, char op, size_t i, size_t j) {
    const size_t r = op == 'T' || op == 'U' || (op == 'S' && i < j) ? j : i, c = r == i ? j : i;
    return (op == 'L' || op == 'U') && r < c ? 0.0 : A[r + c * ld];
}

// want := alpha op (A) op (B) + beta want, [rows x columns]
static void product(double *want, double alpha, const double *A, char a, const double *B, char b, double beta,
                    size_t rows, size_t inner, size_t columns) {
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            double sum = 0.0;
            for (size_t s = 0; s < inner; s++) sum += entry(A, a, i, s) * entry(B, b, s, j);
            want[i + j * ld] = alpha * sum + beta * want[i + j * ld];
        }
}

static void random_lower(double *A, size_t order) {  // the strict upper triangle is NaN, the diagonal large
    check_fill(A, room, &seed);
    for (size_t j = 0; j < order; j++) {
        for (size_t i = 0; i < j; i++) A[i + j * ld] = NAN;
        A[j + j * ld] = 3.0 + fabs(A[j + j * ld]);
    }
}

static void test_integer(void) {
    CHECK(ap_blas_integer() == 4 || ap_blas_integer() == 8);
    CHECK(ap_blas_selftest());
    CHECK(ap_blas_fits(0));
    CHECK(ap_blas_fits(INT32_MAX));
    CHECK(ap_blas_fits((size_t)INT32_MAX + 1) == (ap_blas_integer() == 8));
    CHECK(!ap_blas_fits(SIZE_MAX));
    double A[4] = {1.0, 2.0, 0.0, 1.0};  // indefinite in its second minor: an info of wrong integer size would not be 2
    CHECK(ap_potrf(2, A, 2) == 2);
}

static void test_gemm(void) {
    double A[room], B[room], C[room], want[room];
    for (int which = 0; which < 4; which++) {
        const char ta = which & 1 ? 'T' : 'N', tb = which & 2 ? 'T' : 'N';
        check_fill(A, room, &seed);
        check_fill(B, room, &seed);
        check_fill(C, room, &seed);
        memcpy(want, C, sizeof C);
        product(want, 0.5, A, ta, B, tb, -2.0, m, k, n);
        ap_gemm(ta, tb, m, n, k, 0.5, A, ld, B, ld, -2.0, C, ld);
        CHECK_ARRAYS(C, want, room, tolerance);
    }
    check_fill(C, room, &seed);
    memcpy(want, C, sizeof C);
    ap_gemm('N', 'N', 0, n, k, 1.0, A, 0, B, ld, 0.0, C, 0);  // empty: BLAS would refuse a leading dimension of 0
    CHECK_ARRAYS(C, want, room, 0.0);
}

static void test_symm(void) {
    double A[room], B[room], C[room], want[room];
    for (int right = 0; right < 2; right++) {
        const size_t order = right ? n : m;
        random_lower(A, order);
        check_fill(B, room, &seed);
        check_fill(C, room, &seed);
        memcpy(want, C, sizeof C);
        if (right)
            product(want, 0.5, B, 'N', A, 'S', -2.0, m, n, n);
        else
            product(want, 0.5, A, 'S', B, 'N', -2.0, m, m, n);
        ap_symm(right ? 'R' : 'L', m, n, 0.5, A, ld, B, ld, -2.0, C, ld);
        CHECK_ARRAYS(C, want, room, 5 * tolerance);  // entries of A reach 4
    }
}

static void test_syrk(void) {
    double A[room], C[room], want[room];
    for (int transposed = 0; transposed < 2; transposed++) {
        const char t = transposed ? 'T' : 'N';
        check_fill(A, room, &seed);
        check_fill(C, room, &seed);
        memcpy(want, C, sizeof C);
        product(want, 0.5, A, t, A, transposed ? 'N' : 'T', -2.0, n, k, n);
        for (size_t j = 0; j < n; j++) memcpy(want + j * ld, C + j * ld, j * sizeof *C);
        ap_syrk(t, n, k, 0.5, A, ld, -2.0, C, ld);
        CHECK_ARRAYS(C, want, room, tolerance);  // the upper triangle is unchanged
    }
}

static void test_vectors(void) {
    double A[room], x[room], y[room], want[room];
    for (int transposed = 0; transposed < 2; transposed++) {
        const char t = transposed ? 'T' : 'N';
        const size_t rows = transposed ? n : m, columns = transposed ? m : n;
        check_fill(A, room, &seed);
        check_fill(x, room, &seed);
        check_fill(y, room, &seed);
        memcpy(want, y, sizeof y);
        product(want, 0.5, A, t, x, 'N', -2.0, rows, columns, 1);
        ap_gemv(t, m, n, 0.5, A, ld, x, -2.0, y);
        CHECK_ARRAYS(y, want, room, tolerance);
    }
    random_lower(A, m);
    memcpy(want, y, sizeof y);
    product(want, 0.5, A, 'S', x, 'N', -2.0, m, m, 1);
    ap_symv(m, 0.5, A, ld, x, -2.0, y);
    CHECK_ARRAYS(y, want, room, 5 * tolerance);

    double sum = 0.0;
    for (size_t i = 0; i < m; i++) sum += x[i] * y[i];
    CHECK_NEAR(ap_dot(m, x, y), sum, 5 * tolerance);
    CHECK(ap_dot(0, x, y) == 0.0);
    memcpy(want, y, sizeof y);
    for (size_t i = 0; i < m; i++) want[i] += 0.5 * x[i];
    ap_axpy(m, 0.5, x, y);
    CHECK_ARRAYS(y, want, room, 5 * tolerance);
}

static void test_triangular(void) {
    double F[room], B[room], want[room], back[room];
    for (int which = 0; which < 4; which++) {
        const char side = which & 1 ? 'R' : 'L', t = which & 2 ? 'T' : 'N';
        const size_t order = side == 'R' ? n : m;
        random_lower(F, order);
        check_fill(B, room, &seed);
        memcpy(back, B, sizeof B);
        memcpy(want, B, sizeof B);
        if (side == 'R')
            product(want, 0.5, B, 'N', F, t == 'N' ? 'L' : 'U', 0.0, m, n, n);
        else
            product(want, 0.5, F, t == 'N' ? 'L' : 'U', B, 'N', 0.0, m, m, n);
        ap_trmm(side, t, m, n, 0.5, F, ld, B, ld);
        CHECK_ARRAYS(B, want, room, 5 * tolerance);
        ap_trsm(side, t, m, n, 2.0, F, ld, B, ld);  // undoes it
        CHECK_ARRAYS(B, back, room, 5 * tolerance);
        if (side == 'R') continue;
        memcpy(want, B, sizeof B);
        ap_trsv(t, m, F, ld, B);
        ap_trsm('L', t, m, 1, 1.0, F, ld, want, ld);
        CHECK_ARRAYS(B, want, room, 5 * tolerance);
    }
}

// F^{-1} A F^{-T} back to A by products, F' A F by loops, the inverse of F by its product with F.
static void test_congruence(void) {
    double F[room], A[room], B[room], inverse[room], half[room] = {0.0}, want[room] = {0.0};
    random_lower(F, m);
    random_lower(A, m);
    memcpy(B, A, sizeof B);
    CHECK(ap_sygst('T', m, B, ld, F, ld));
    product(half, 1.0, F, 'U', A, 'S', 0.0, m, m, m);
    product(want, 1.0, half, 'N', F, 'L', 0.0, m, m, m);
    for (size_t j = 0; j < m; j++) CHECK_ARRAYS(B + j + j * ld, want + j + j * ld, m - j, 1e-12);  // entries reach 60
    memcpy(inverse, F, sizeof inverse);
    CHECK(ap_trtri(m, inverse, ld));
    product(want, 1.0, F, 'L', inverse, 'L', 0.0, m, m, m);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) CHECK_NEAR(want[i + j * ld], i == j ? 1.0 : 0.0, 5 * tolerance);
    product(half, 1.0, inverse, 'L', B, 'S', 0.0, m, m, m);
    product(want, 1.0, half, 'N', inverse, 'U', 0.0, m, m, m);
    CHECK(ap_sygst('N', m, B, ld, F, ld));
    for (size_t j = 0; j < m; j++) CHECK_ARRAYS(B + j + j * ld, want + j + j * ld, m - j, 1e-12);
    F[2 + 2 * ld] = 0.0;
    CHECK(!ap_trtri(m, F, ld));
}

static void test_eigen(bool divide) {
    double A[room], work[2 * m * m + 11 * m + 4], w[m], original[room];
    CHECK(ap_syevd_size(m) == sizeof work / sizeof *work);
    random_lower(A, m);
    memcpy(original, A, sizeof A);
    CHECK(divide ? ap_syevd(m, A, ld, w, work) : ap_syev('V', m, A, ld, w, work));
    double Av[room] = {0.0};
    product(Av, 1.0, original, 'S', A, 'N', 0.0, m, m, m);
    for (size_t j = 0; j < m; j++) {
        CHECK(j == 0 || w[j - 1] <= w[j]);
        ap_axpy(m, -w[j], A + j * ld, Av + j * ld);
        CHECK_NEAR(check_largest(Av + j * ld, m), 0.0, 20 * tolerance);  // backward stable: m eps |A|, |A| below 8
        CHECK_NEAR(ap_dot(m, A + j * ld, A + j * ld), 1.0, tolerance);
    }
    double only[m];
    memcpy(A, original, sizeof A);
    CHECK(ap_syev('N', m, A, ld, only, work));
    CHECK_ARRAYS(only, w, m, 20 * tolerance);
}

static void test_qr(void) {  // A [m x n], m > n: Q R = A, R upper triangular, Q'Q = I
    double A[room], original[room], R[room] = {0.0}, tau[n], work[ap_qr_panel * n];
    check_fill(A, room, &seed);
    memcpy(original, A, sizeof A);
    CHECK(ap_geqrf(m, n, A, ld, tau, work));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i <= j; i++) R[i + ld * j] = A[i + ld * j];
    CHECK(ap_orgqr(m, n, A, ld, tau, work));
    double QR[room];
    memcpy(QR, A, sizeof QR);  // rows from m on are unchanged
    product(QR, 1.0, A, 'N', R, 'N', 0.0, m, n, n);
    CHECK_ARRAYS(QR, original, room, tolerance);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) CHECK_NEAR(ap_dot(m, A + i * ld, A + j * ld), i == j ? 1.0 : 0.0, tolerance);
}

// Counts beyond the integers of BLAS, where they would wrap: the result is NaN, and nothing is read.
static void test_beyond(void) {
    const size_t most = (size_t)-1 >> 1, long_one = most + 2;  // 2 when its upper half is cut off
    double A[4] = {1.0, 2.0, 3.0, 4.0}, B[4] = {1.0, 1.0, 1.0, 1.0};
    ap_gemm('N', 'N', 2, 2, long_one, 1.0, A, 2, A, 2, 0.0, B, 2);
    CHECK(isnan(B[0]));
    B[0] = 1.0;
    ap_trsm('L', 'N', 2, long_one, 1.0, A, 2, B, 2);
    CHECK(isnan(B[0]));
    B[0] = 1.0;
    ap_gemv('T', 2, long_one, 1.0, A, 2, A, 0.0, B);
    CHECK(isnan(B[0]));
    CHECK(ap_potrf(2, A, long_one) == 3);
    CHECK(!ap_syev('N', long_one, A, 2, B, B));
}

int main(void) {
    test_integer();
    test_beyond();
    test_gemm();
    test_symm();
    test_syrk();
    test_vectors();
    test_triangular();
    test_congruence();
    test_eigen(false);
    test_eigen(true);
    test_qr();
    return check_report("test_ap_blas");
}
