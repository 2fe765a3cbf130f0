// ap_blas.c: Fortran prototypes, integer width, and the thin typed wrappers of ap_core.h
// SPDX-License-Identifier: BSD-3-Clause
//
// Integer width: MATLAB's BLAS takes 64-bit integers, Octave's whatever it was configured with (the Makefile sets
// AP_BLAS_INT64 when that is 8). Character arguments carry a hidden length under the gfortran convention, none in
// MATLAB.

#include "base/ap_core.h"

#include <math.h>
#include <stdint.h>

#if defined(AP_BLAS_INT64) || defined(AP_MATLAB)
typedef int64_t bint;
#else
typedef int32_t bint;
#endif

#define BINT_MAX ((size_t)(sizeof(bint) == 4 ? INT32_MAX : INT64_MAX))

#if defined(AP_MATLAB) && defined(_WIN32)
#define F(name) name
#else
#define F(name) name##_
#endif

#ifdef AP_MATLAB
#define LEN1
#define LEN2
#define LEN3
#define LEN4
#define ONE1
#define ONE2
#define ONE3
#define ONE4
#else
#define LEN1 , size_t
#define LEN2 , size_t, size_t
#define LEN3 , size_t, size_t, size_t
#define LEN4 , size_t, size_t, size_t, size_t
#define ONE1 , (size_t)1
#define ONE2 , (size_t)1, (size_t)1
#define ONE3 , (size_t)1, (size_t)1, (size_t)1
#define ONE4 , (size_t)1, (size_t)1, (size_t)1, (size_t)1
#endif

void F(dgemm)(const char *, const char *, const bint *, const bint *, const bint *, const double *, const double *,
              const bint *, const double *, const bint *, const double *, double *, const bint *LEN2);
void F(sgemm)(const char *, const char *, const bint *, const bint *, const bint *, const float *, const float *,
              const bint *, const float *, const bint *, const float *, float *, const bint *LEN2);
void F(dsymm)(const char *, const char *, const bint *, const bint *, const double *, const double *, const bint *,
              const double *, const bint *, const double *, double *, const bint *LEN2);
void F(dsyrk)(const char *, const char *, const bint *, const bint *, const double *, const double *, const bint *,
              const double *, double *, const bint *LEN2);
void F(dgemv)(const char *, const bint *, const bint *, const double *, const double *, const bint *, const double *,
              const bint *, const double *, double *, const bint *LEN1);
void F(dsymv)(const char *, const bint *, const double *, const double *, const bint *, const double *, const bint *,
              const double *, double *, const bint *LEN1);
void F(dtrsm)(const char *, const char *, const char *, const char *, const bint *, const bint *, const double *,
              const double *, const bint *, double *, const bint *LEN4);
void F(dtrsv)(const char *, const char *, const char *, const bint *, const double *, const bint *, double *,
              const bint *LEN3);
void F(dtrmm)(const char *, const char *, const char *, const char *, const bint *, const bint *, const double *,
              const double *, const bint *, double *, const bint *LEN4);
double F(ddot)(const bint *, const double *, const bint *, const double *, const bint *);
void F(drot)(const bint *, double *, const bint *, double *, const bint *, const double *, const double *);
void F(daxpy)(const bint *, const double *, const double *, const bint *, double *, const bint *);
bint F(idamax)(const int64_t *, const double *, const int64_t *);
void F(dpotrf)(const char *, const bint *, double *, const bint *, bint *LEN1);
void F(dpotri)(const char *, const bint *, double *, const bint *, bint *LEN1);
void F(dlauum)(const char *, const bint *, double *, const bint *, bint *LEN1);
void F(dtrtri)(const char *, const char *, const bint *, double *, const bint *, bint *LEN2);
void F(dsygst)(const bint *, const char *, const bint *, double *, const bint *, const double *, const bint *,
               bint *LEN1);
void F(dpstrf)(const char *, const bint *, double *, const bint *, bint *, bint *, const double *, double *,
               bint *LEN1);
void F(dsyev)(const char *, const char *, const bint *, double *, const bint *, double *, double *, const bint *,
              bint *LEN2);
void F(dsyevd)(const char *, const char *, const bint *, double *, const bint *, double *, double *, const bint *,
               bint *, const bint *, bint *LEN2);
void F(dgeqp3)(const bint *, const bint *, double *, const bint *, bint *, double *, double *, const bint *, bint *);
void F(dgeqrf)(const bint *, const bint *, double *, const bint *, double *, double *, const bint *, bint *);
void F(dorgqr)(const bint *, const bint *, const bint *, double *, const bint *, const double *, double *, const bint *,
               bint *);

static const bint one = 1;

enum { most_part = 1 << 30 };

// Callers have refused matrices whose counts do not fit. Where one has not, the result begins with NaN, and no call is
// made. counts: all of them, joined by |, for BINT_MAX is 1 in all its bits
static bool refused(size_t counts, double *result) {
    if (ap_blas_fits(counts)) return false;
    *result = NAN;
    return true;
}

static bint lead(size_t ld) { return (bint)(ld == 0 ? 1 : ld); }  // BLAS refuses a leading dimension of 0

bool ap_blas_fits(size_t n) { return n <= BINT_MAX; }

int ap_blas_integer(void) { return (int)sizeof(bint); }

bool ap_blas_selftest(void) {
    // A count whose low half is 2 and whose high half makes the whole negative: a library with 32-bit integers sees
    // two elements and answers 2, one with 64-bit integers sees none and answers 0.
    const int64_t count = INT64_MIN + 2, step = 1;
    const double x[2] = {1.0, 3.0};
    return (F(idamax)(&count, x, &step) == 2) == (sizeof(bint) == 4);
}

void ap_gemm(char ta, char tb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda, const double *B,
             size_t ldb, double beta, double *C, size_t ldc) {
    if (refused(m | n | k | lda | ldb | ldc, C)) return;
    const bint bm = (bint)m, bn = (bint)n, bk = (bint)k, la = lead(lda), lb = lead(ldb), lc = lead(ldc);
    F(dgemm)(&ta, &tb, &bm, &bn, &bk, &alpha, A, &la, B, &lb, &beta, C, &lc ONE2);
}

void ap_sgemm(char ta, char tb, size_t m, size_t n, size_t k, float alpha, const float *A, size_t lda, const float *B,
              size_t ldb, float beta, float *C, size_t ldc) {
    if (!ap_blas_fits(m | n | k | lda | ldb | ldc)) {
        *C = NAN;
        return;
    }
    const bint bm = (bint)m, bn = (bint)n, bk = (bint)k, la = lead(lda), lb = lead(ldb), lc = lead(ldc);
    F(sgemm)(&ta, &tb, &bm, &bn, &bk, &alpha, A, &la, B, &lb, &beta, C, &lc ONE2);
}

void ap_symm(char side, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *B, size_t ldb,
             double beta, double *C, size_t ldc) {
    if (refused(m | n | lda | ldb | ldc, C)) return;
    const bint bm = (bint)m, bn = (bint)n, la = lead(lda), lb = lead(ldb), lc = lead(ldc);
    F(dsymm)(&side, "L", &bm, &bn, &alpha, A, &la, B, &lb, &beta, C, &lc ONE2);
}

void ap_syrk(char t, size_t n, size_t k, double alpha, const double *A, size_t lda, double beta, double *C,
             size_t ldc) {
    if (refused(n | k | lda | ldc, C)) return;
    const bint bn = (bint)n, bk = (bint)k, la = lead(lda), lc = lead(ldc);
    F(dsyrk)("L", &t, &bn, &bk, &alpha, A, &la, &beta, C, &lc ONE2);
}

void ap_gemv(char t, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x, double beta,
             double *y) {
    if (refused(m | n | lda, y)) return;
    const bint bm = (bint)m, bn = (bint)n, la = lead(lda);
    F(dgemv)(&t, &bm, &bn, &alpha, A, &la, x, &one, &beta, y, &one ONE1);
}

void ap_symv(size_t n, double alpha, const double *A, size_t lda, const double *x, double beta, double *y) {
    if (refused(n | lda, y)) return;
    const bint bn = (bint)n, la = lead(lda);
    F(dsymv)("L", &bn, &alpha, A, &la, x, &one, &beta, y, &one ONE1);
}

void ap_trsm(char side, char t, size_t m, size_t n, double alpha, const double *A, size_t lda, double *B, size_t ldb) {
    if (refused(m | n | lda | ldb, B)) return;
    const bint bm = (bint)m, bn = (bint)n, la = lead(lda), lb = lead(ldb);
    F(dtrsm)(&side, "L", &t, "N", &bm, &bn, &alpha, A, &la, B, &lb ONE4);
}

void ap_trsv(char t, size_t n, const double *A, size_t lda, double *x) {
    if (refused(n | lda, x)) return;
    const bint bn = (bint)n, la = lead(lda);
    F(dtrsv)("L", &t, "N", &bn, A, &la, x, &one ONE3);
}

void ap_trmm(char side, char t, size_t m, size_t n, double alpha, const double *A, size_t lda, double *B, size_t ldb) {
    if (refused(m | n | lda | ldb, B)) return;
    const bint bm = (bint)m, bn = (bint)n, la = lead(lda), lb = lead(ldb);
    F(dtrmm)(&side, "L", &t, "N", &bm, &bn, &alpha, A, &la, B, &lb ONE4);
}

// Vectors may be longer than a BLAS integer counts: this much of one at a time.
static bint part(size_t n) { return (bint)(n < most_part ? n : most_part); }

double ap_dot(size_t n, const double *x, const double *y) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i += most_part) {
        const bint bn = part(n - i);
        sum += F(ddot)(&bn, x + i, &one, y + i, &one);
    }
    return sum;
}

void ap_rot(size_t n, double *x, double *y, double c, double s) {
    for (size_t i = 0; i < n; i += most_part) {
        const bint bn = part(n - i);
        F(drot)(&bn, x + i, &one, y + i, &one, &c, &s);
    }
}

void ap_axpy(size_t n, double alpha, const double *x, double *y) {
    for (size_t i = 0; i < n; i += most_part) {
        const bint bn = part(n - i);
        F(daxpy)(&bn, &alpha, x + i, &one, y + i, &one);
    }
}

size_t ap_potrf(size_t n, double *A, size_t lda) {
    if (!ap_blas_fits(n | lda)) return n + 1;
    const bint bn = (bint)n, la = lead(lda);
    bint info = 0;
    F(dpotrf)("L", &bn, A, &la, &info ONE1);
    return info == 0 ? 0 : info > 0 ? (size_t)info : n + 1;
}

size_t ap_potri(size_t n, double *A, size_t lda) {
    if (!ap_blas_fits(n | lda)) return n + 1;
    const bint bn = (bint)n, la = lead(lda);
    bint info = 0;
    F(dpotri)("L", &bn, A, &la, &info ONE1);
    return info == 0 ? 0 : info > 0 ? (size_t)info : n + 1;
}

bool ap_lauum(size_t n, double *A, size_t lda) {
    if (!ap_blas_fits(n | lda)) return false;
    const bint bn = (bint)n, la = lead(lda);
    bint info = 0;
    F(dlauum)("L", &bn, A, &la, &info ONE1);
    return info == 0;
}

bool ap_trtri(size_t n, double *A, size_t lda) {
    if (!ap_blas_fits(n | lda)) return false;
    const bint bn = (bint)n, la = lead(lda);
    bint info = 0;
    F(dtrtri)("L", "N", &bn, A, &la, &info ONE2);
    return info == 0;
}

bool ap_sygst(char t, size_t n, double *A, size_t lda, const double *B, size_t ldb) {
    if (!ap_blas_fits(n | lda | ldb)) return false;
    const bint bn = (bint)n, la = lead(lda), lb = lead(ldb), type = t == 'N' ? 1 : 2;
    bint info = 0;
    F(dsygst)(&type, "L", &bn, A, &la, B, &lb, &info ONE1);
    return info == 0;
}

bool ap_pstrf(size_t n, double *A, size_t lda, size_t *pivot, size_t *rank, double tolerance, double *work) {
    if (!ap_blas_fits(n | lda)) return false;
    const bint bn = (bint)n, la = lead(lda);
    bint info = 0, found = 0, *order = (bint *)(void *)(work + 2 * n);
    F(dpstrf)("L", &bn, A, &la, order, &found, &tolerance, work, &info ONE1);
    for (size_t i = 0; i < n; i++) pivot[i] = (size_t)order[i] - 1;
    *rank = (size_t)found;
    return info >= 0;
}

bool ap_syev(char job, size_t n, double *A, size_t lda, double *w, double *work) {
    if (!ap_blas_fits(3 * n | lda)) return false;
    const bint bn = (bint)n, la = lead(lda), lwork = (bint)(3 * n);
    bint info = 0;
    F(dsyev)(&job, "L", &bn, A, &la, w, work, &lwork, &info ONE2);
    return info == 0;
}

size_t ap_syevd_size(size_t n) { return ap_plus(ap_times(2, ap_times(n, n)), ap_plus(ap_times(11, n), 4)); }

bool ap_syevd(size_t n, double *A, size_t lda, double *w, double *work) {
    const size_t doubles = ap_syevd_size(n) - 5 * n - 3;
    if (!ap_blas_fits(doubles | lda)) return ap_syev('V', n, A, lda, w, work);
    const bint bn = (bint)n, la = lead(lda), lwork = (bint)doubles, integers = (bint)(5 * n + 3);
    bint info = 0;
    F(dsyevd)("V", "L", &bn, A, &la, w, work, &lwork, (bint *)(void *)(work + doubles), &integers, &info ONE2);
    return info == 0;
}

bool ap_geqp3(size_t m, size_t n, double *A, size_t lda, size_t *pivot, double *tau, double *work) {
    if (!ap_blas_fits(m | ap_qr_panel * n | lda)) return false;
    const bint bm = (bint)m, bn = (bint)n, la = lead(lda), lwork = (bint)(ap_qr_panel * n);
    bint info = 0, *order = (bint *)(void *)(work + ap_qr_panel * n);
    for (size_t j = 0; j < n; j++) order[j] = 0;  // all are free
    F(dgeqp3)(&bm, &bn, A, &la, order, tau, work, &lwork, &info);
    for (size_t j = 0; j < n; j++) pivot[j] = (size_t)order[j] - 1;
    return info == 0;
}

bool ap_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work) {
    if (!ap_blas_fits(m | ap_qr_panel * n | lda)) return false;
    const bint bm = (bint)m, bn = (bint)n, la = lead(lda), lwork = (bint)(ap_qr_panel * n);
    bint info = 0;
    F(dgeqrf)(&bm, &bn, A, &la, tau, work, &lwork, &info);
    return info == 0;
}

bool ap_orgqr(size_t m, size_t n, double *A, size_t lda, const double *tau, double *work) {
    if (!ap_blas_fits(m | ap_qr_panel * n | lda)) return false;
    const bint bm = (bint)m, bn = (bint)n, la = lead(lda), lwork = (bint)(ap_qr_panel * n);
    bint info = 0;
    F(dorgqr)(&bm, &bn, &bn, A, &la, tau, work, &lwork, &info);
    return info == 0;
}
