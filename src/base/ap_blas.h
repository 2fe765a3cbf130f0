// ap_blas.h: the one door to BLAS and LAPACK
// SPDX-License-Identifier: BSD-3-Clause
//
// No other file declares a Fortran symbol or knows the width of a Fortran integer. Sizes come in as size_t; callers
// check once with ap_blas_fits, where the problem is set up, that each of them fits; what is missed makes NaN, or a
// routine of LAPACK that refuses. ap_dot, ap_axpy and ap_rot take vectors of any length. Matrices are
// column-major with a leading dimension. "lower" means that only the lower triangle is read or written.

#ifndef AP_BLAS_H
#define AP_BLAS_H

#include <stdbool.h>
#include <stddef.h>

bool ap_blas_fits(size_t n);  // n can be passed to BLAS as a dimension
int ap_blas_integer(void);    // bytes of the Fortran integer assumed at compile time: 4 or 8

// C = alpha op(A) op(B) + beta C, C [m x n], inner dimension k; ta, tb 'N' or 'T'
void ap_gemm(char ta, char tb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda, const double *B,
             size_t ldb, double beta, double *C, size_t ldc);
void ap_sgemm(char ta, char tb, size_t m, size_t n, size_t k, float alpha, const float *A, size_t lda, const float *B,
              size_t ldb, float beta, float *C, size_t ldc);  // the same in single precision
// C = alpha A B + beta C with A [m x m] symmetric, lower; or (side 'R') C = alpha B A + beta C, A [n x n]
void ap_symm(char side, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *B, size_t ldb,
             double beta, double *C, size_t ldc);
// lower C = alpha op(A) op(A)' + beta C, C [n x n]; t 'N': A is [n x k], 'T': A is [k x n]
void ap_syrk(char t, size_t n, size_t k, double alpha, const double *A, size_t lda, double beta, double *C, size_t ldc);
// y = alpha op(A) x + beta y, A [m x n]
void ap_gemv(char t, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x, double beta,
             double *y);
// y = alpha A x + beta y, A [n x n] symmetric, lower
void ap_symv(size_t n, double alpha, const double *A, size_t lda, const double *x, double beta, double *y);
// B = alpha op(F)^{-1} B (side 'L') or alpha B op(F)^{-1} (side 'R'), F lower triangular, B [m x n]
void ap_trsm(char side, char t, size_t m, size_t n, double alpha, const double *F, size_t ldf, double *B, size_t ldb);
void ap_trsv(char t, size_t n, const double *F, size_t ldf, double *x);  // x = op(F)^{-1} x, F lower triangular
// B = alpha op(F) B or alpha B op(F), F lower triangular
void ap_trmm(char side, char t, size_t m, size_t n, double alpha, const double *F, size_t ldf, double *B, size_t ldb);
double ap_dot(size_t n, const double *x, const double *y);
void ap_rot(size_t n, double *x, double *y, double c, double s);  // (x, y) := (c x + s y, c y - s x)
void ap_axpy(size_t n, double alpha, const double *x, double *y);

// 0, or the order of the leading minor that is not positive (n + 1 if LAPACK refuses its arguments)
size_t ap_potrf(size_t n, double *A, size_t lda);
// the inverse, lower, from the lower Cholesky factor; 0 or the index of a zero pivot
size_t ap_potri(size_t n, double *A, size_t lda);
// F'F, lower, from F lower triangular, in its place; false if LAPACK refuses its arguments
bool ap_lauum(size_t n, double *F, size_t ldf);
// F := F^{-1}, lower triangular; false if a pivot is zero
bool ap_trtri(size_t n, double *F, size_t ldf);
// A := F^{-1} A F^{-T} (t 'N') or F' A F (t 'T'), A symmetric, lower, F lower triangular: n^3 flops, half of what
// triangular solves take; false if LAPACK refuses its arguments
bool ap_sygst(char t, size_t n, double *A, size_t lda, const double *F, size_t ldf);
// Cholesky with complete pivoting, lower: rows and columns of A reordered by pivot [n] (from 0) are L L', L [n x rank]
// in A's lower triangle, up to a rest whose diagonal is at most `tolerance`. work [3n]; false if LAPACK refuses
bool ap_pstrf(size_t n, double *A, size_t lda, size_t *pivot, size_t *rank, double tolerance, double *work);
// eigenvalues w, increasing, of A (lower); 'V' overwrites A with eigenvectors; work [3n]; false if not converged
bool ap_syev(char job, size_t n, double *A, size_t lda, double *w, double *work);

enum { ap_qr_panel = 32 };  // doubles of workspace a column: LAPACK works on that many columns at a time
// A [m x n] = Q R, 1 <= n <= m: R in the upper triangle, Q as reflectors below it and in tau [n]; work [ap_qr_panel n];
// false if LAPACK refuses its arguments
bool ap_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work);
// the same with columns taken by their norms, column j of R being number pivot[j] of A; work [(ap_qr_panel + 1) n]
bool ap_geqp3(size_t m, size_t n, double *A, size_t lda, size_t *pivot, double *tau, double *work);
// the n orthonormal columns of Q, in place of what ap_geqrf left
bool ap_orgqr(size_t m, size_t n, double *A, size_t lda, const double *tau, double *work);

#endif
