// ap_spd.c: algebra of symmetric positive definite matrices
// SPDX-License-Identifier: BSD-3-Clause
//
//   A = F F', F lower triangular (dpotrf)      log det A = 2 sum_i log F_ii      A^{-1} (dpotri)
//
// log det is a sum of logarithms because the determinant of a few hundred examples' kernel over- or underflows.
// Cost in flops: factor n^3/3, inverse 2n^3/3, solve 2 n^2 a column. dpotrf passes NaN through in some BLAS
// libraries, so the diagonal of the factor is looked at as well. Callers that know a remedy have a sentence of their
// own (ap_energy.c, ap_predict.c).
// The inverse of a large factor is made by halves, X_21 = -X_22 F_21 X_11, all products: OpenBLAS 0.3.21 takes 2.7 ms
// for that of 450 rows, this way it is 0.6. Up to `whole` rows, where that is a tenth of a millisecond, LAPACK does it.

#include "base/ap_core.h"

#include <math.h>
#include <string.h>

ap_status ap_spd_chol(double *A, size_t n, const char *name, ap_error *err) {
    size_t pivot = ap_potrf(n, A, n);
    for (size_t i = 0; pivot == 0 && i < n; i++)
        if (!(A[i + i * n] > 0.0) || !isfinite(A[i + i * n])) pivot = i + 1;
    if (pivot == 0) return AP_OK;
    if (pivot <= n && !isfinite(A[(pivot - 1) * (n + 1)])) return ap_fail(err, AP_ENONFINITE, "%s is not finite", name);
    return ap_fail(err, AP_ENOTSPD, "%s is not positive definite: pivot %zu of %zu", name, pivot, n);
}

double ap_spd_logdet(const double *F, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += log(F[i + i * n]);
    return 2.0 * sum;
}

void ap_spd_solve(const double *F, size_t n, double *B, size_t m) {
    ap_trsm('L', 'N', n, m, 1.0, F, n, B, n);
    ap_trsm('L', 'T', n, m, 1.0, F, n, B, n);
}

enum { whole = 128, leaf = 32 };  // rows

bool ap_spd_invert_factor(double *F, size_t n, size_t ldf) {
    if (n <= leaf) return ap_trtri(n, F, ldf);
    const size_t half = n / 2, rest = n - half;
    double *below = F + half, *last = below + half * ldf;
    if (!ap_spd_invert_factor(F, half, ldf) || !ap_spd_invert_factor(last, rest, ldf)) return false;
    ap_trmm('L', 'N', rest, half, -1.0, last, ldf, below, ldf);
    ap_trmm('R', 'N', rest, half, 1.0, F, ldf, below, ldf);
    return true;
}

ap_status ap_spd_invert(double *F, size_t n, ap_error *err) {
    const bool done = n <= whole ? ap_potri(n, F, n) == 0 : ap_spd_invert_factor(F, n, n) && ap_lauum(n, F, n);
    return done ? AP_OK : ap_fail(err, AP_ELAPACK, "a factor of %zu rows has no inverse: a pivot is zero", n);
}

ap_status ap_spd_inverse(double *Y, const double *F, size_t n, ap_error *err) {
    memcpy(Y, F, n * n * sizeof(double));
    const ap_status status = ap_spd_invert(Y, n, err);
    if (status == AP_OK) ap_spd_mirror(Y, n);
    return status;
}

void ap_spd_sandwich(double *B, const double *Y, const double *M, size_t n, double *work) {
    ap_gemm('N', 'N', n, n, n, 1.0, Y, n, M, n, 0.0, work, n);
    ap_gemm('N', 'N', n, n, n, 1.0, work, n, Y, n, 0.0, B, n);
    ap_spd_symmetrise(B, n);
}

void ap_spd_congruence(double *B, const double *A, const double *F, size_t n, double *work) {
    ap_gemm('N', 'N', n, n, n, 1.0, A, n, F, n, 0.0, work, n);
    ap_gemm('T', 'N', n, n, n, 1.0, F, n, work, n, 0.0, B, n);
}

void ap_spd_multiply(char t, double *X, const double *F, size_t n) {
    ap_trmm('L', t, n, n, 1.0, F, n, X, n);
    ap_trmm('R', t == 'T' ? 'N' : 'T', n, n, 1.0, F, n, X, n);
}

void ap_spd_divide(char t, double *X, const double *F, size_t n) {
    ap_trsm('L', t, n, n, 1.0, F, n, X, n);
    ap_trsm('R', t == 'T' ? 'N' : 'T', n, n, 1.0, F, n, X, n);
}

void ap_spd_gram(double *G, double scale, const double *A, size_t rows, size_t n) {
    ap_syrk('T', n, rows, scale, A, rows, 0.0, G, n);
    ap_spd_mirror(G, n);
}

void ap_spd_outer(double *G, double scale, const double *A, size_t n, size_t columns) {
    ap_syrk('N', n, columns, scale, A, n, 0.0, G, n);
    ap_spd_mirror(G, n);
}

double ap_spd_condition(double largest, const double *F, size_t n) {
    double inverse = 0.0;
    for (size_t i = 0; i < n; i++) inverse += 1.0 / (F[i + i * n] * F[i + i * n]);
    return largest * inverse;
}

double ap_spd_largest(const double *A, size_t n) {
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, A[i + i * n]);
    return largest;
}

void ap_spd_identity(double *A, size_t n) {
    for (size_t i = 0; i < n * n; i++) A[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
}

void ap_spd_mirror(double *A, size_t n) {
    enum { tile = 32 };  // a tile of rows and one of columns stay in the first-level cache together
    for (size_t j0 = 0; j0 < n; j0 += tile)
        for (size_t i0 = j0; i0 < n; i0 += tile)
            for (size_t j = j0; j < j0 + tile && j < n; j++)
                for (size_t i = i0 > j ? i0 : j + 1; i < i0 + tile && i < n; i++) A[j + i * n] = A[i + j * n];
}

void ap_spd_symmetrise(double *A, size_t n) {
    for (size_t j = 1; j < n; j++)
        for (size_t i = 0; i < j; i++) A[i + n * j] = A[j + n * i] = 0.5 * (A[i + n * j] + A[j + n * i]);
}

void ap_spd_clear_upper(double *F, size_t n) {
    for (size_t j = 1; j < n; j++)
        for (size_t i = 0; i < j; i++) F[i + j * n] = 0.0;
}

ap_status ap_spd_eigen(char job, double *w, double *A, size_t n, const char *name, double *work, ap_error *err) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            if (!isfinite(A[i + n * j])) return ap_fail(err, AP_ENONFINITE, "%s is not finite", name);
    if (job == 'D' ? ap_syevd(n, A, n, w, work) : ap_syev(job, n, A, n, w, work)) return AP_OK;
    return ap_fail(err, AP_ELAPACK, "the eigenvalues did not converge for %s (order %zu)", name, n);
}

void ap_spd_reverse(double *Q, size_t n) {
    for (size_t j = 0; j < n / 2; j++)
        for (size_t i = 0; i < n; i++) {
            const double swap = Q[i + n * j];
            Q[i + n * j] = Q[i + n * (n - 1 - j)];
            Q[i + n * (n - 1 - j)] = swap;
        }
}
