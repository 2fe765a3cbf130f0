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

// The hidden lengths: their types in a prototype, ones in a call.
#ifdef AP_MATLAB
#define LEN(...)
#else
#define LEN(...) , __VA_ARGS__
#endif

typedef const char *word;  // what a routine reads
typedef const bint *dim;
typedef const double *in;

void F(dgemm)(word, word, dim, dim, dim, in, in, dim, in, dim, in, double *, dim LEN(size_t, size_t));
void F(sgemm)(word, word, dim, dim, dim, const float *, const float *, dim, const float *, dim, const float *, float *,
              dim LEN(size_t, size_t));
void F(dsymm)(word, word, dim, dim, in, in, dim, in, dim, in, double *, dim LEN(size_t, size_t));
void F(dsyrk)(word, word, dim, dim, in, in, dim, in, double *, dim LEN(size_t, size_t));
void F(dgemv)(word, dim, dim, in, in, dim, in, dim, in, double *, dim LEN(size_t));
void F(dsymv)(word, dim, in, in, dim, in, dim, in, double *, dim LEN(size_t));
void F(dtrsm)(word, word, word, word, dim, dim, in, in, dim, double *, dim LEN(size_t, size_t, size_t, size_t));
void F(dtrsv)(word, word, word, dim, in, dim, double *, dim LEN(size_t, size_t, size_t));
void F(dtrmm)(word, word, word, word, dim, dim, in, in, dim, double *, dim LEN(size_t, size_t, size_t, size_t));
double F(ddot)(dim, in, dim, in, dim);
void F(drot)(dim, double *, dim, double *, dim, in, in);
void F(daxpy)(dim, in, in, dim, double *, dim);
bint F(idamax)(const int64_t *, in, const int64_t *);
void F(dpotrf)(word, dim, double *, dim, bint *LEN(size_t));
void F(dpotri)(word, dim, double *, dim, bint *LEN(size_t));
void F(dlauum)(word, dim, double *, dim, bint *LEN(size_t));
void F(dtrtri)(word, word, dim, double *, dim, bint *LEN(size_t, size_t));
void F(dsygst)(dim, word, dim, double *, dim, in, dim, bint *LEN(size_t));
void F(dpstrf)(word, dim, double *, dim, bint *, bint *, in, double *, bint *LEN(size_t));
void F(dsyev)(word, word, dim, double *, dim, double *, double *, dim, bint *LEN(size_t, size_t));
void F(dsyevd)(word, word, dim, double *, dim, double *, double *, dim, bint *, dim, bint *LEN(size_t, size_t));
void F(dgeqp3)(dim, dim, double *, dim, bint *, double *, double *, dim, bint *);
void F(dgeqrf)(dim, dim, double *, dim, double *, double *, dim, bint *);
void F(dorgqr)(dim, dim, dim, double *, dim, in, double *, dim, bint *);

#define COUNT(n) (&(const bint){(bint)(n)})
#define LEAD(ld) (&(const bint){(bint)((ld) == 0 ? 1 : (ld))})  // BLAS refuses a leading dimension of 0
#define ONE COUNT(1)

enum { most_part = 1 << 30 };

// Callers have refused matrices whose counts do not fit. Where one has not, the result begins with NaN, and no call is
// made. counts: all of them, joined by |, for BINT_MAX is 1 in all its bits
static bool refused(size_t counts, double *result) {
    if (ap_blas_fits(counts)) return false;
    *result = NAN;
    return true;
}

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
    F(dgemm)(&ta, &tb, COUNT(m), COUNT(n), COUNT(k), &alpha, A, LEAD(lda), B, LEAD(ldb), &beta, C, LEAD(ldc) LEN(1, 1));
}

void ap_sgemm(char ta, char tb, size_t m, size_t n, size_t k, float alpha, const float *A, size_t lda, const float *B,
              size_t ldb, float beta, float *C, size_t ldc) {
    if (!ap_blas_fits(m | n | k | lda | ldb | ldc)) {
        *C = NAN;
        return;
    }
    F(sgemm)(&ta, &tb, COUNT(m), COUNT(n), COUNT(k), &alpha, A, LEAD(lda), B, LEAD(ldb), &beta, C, LEAD(ldc) LEN(1, 1));
}

void ap_symm(char side, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *B, size_t ldb,
             double beta, double *C, size_t ldc) {
    if (refused(m | n | lda | ldb | ldc, C)) return;
    F(dsymm)(&side, "L", COUNT(m), COUNT(n), &alpha, A, LEAD(lda), B, LEAD(ldb), &beta, C, LEAD(ldc) LEN(1, 1));
}

void ap_syrk(char t, size_t n, size_t k, double alpha, const double *A, size_t lda, double beta, double *C,
             size_t ldc) {
    if (refused(n | k | lda | ldc, C)) return;
    F(dsyrk)("L", &t, COUNT(n), COUNT(k), &alpha, A, LEAD(lda), &beta, C, LEAD(ldc) LEN(1, 1));
}

void ap_gemv(char t, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x, double beta,
             double *y) {
    if (refused(m | n | lda, y)) return;
    F(dgemv)(&t, COUNT(m), COUNT(n), &alpha, A, LEAD(lda), x, ONE, &beta, y, ONE LEN(1));
}

void ap_symv(size_t n, double alpha, const double *A, size_t lda, const double *x, double beta, double *y) {
    if (refused(n | lda, y)) return;
    F(dsymv)("L", COUNT(n), &alpha, A, LEAD(lda), x, ONE, &beta, y, ONE LEN(1));
}

void ap_trsm(char side, char t, size_t m, size_t n, double alpha, const double *A, size_t lda, double *B, size_t ldb) {
    if (refused(m | n | lda | ldb, B)) return;
    F(dtrsm)(&side, "L", &t, "N", COUNT(m), COUNT(n), &alpha, A, LEAD(lda), B, LEAD(ldb) LEN(1, 1, 1, 1));
}

void ap_trsv(char t, size_t n, const double *A, size_t lda, double *x) {
    if (refused(n | lda, x)) return;
    F(dtrsv)("L", &t, "N", COUNT(n), A, LEAD(lda), x, ONE LEN(1, 1, 1));
}

void ap_trmm(char side, char t, size_t m, size_t n, double alpha, const double *A, size_t lda, double *B, size_t ldb) {
    if (refused(m | n | lda | ldb, B)) return;
    F(dtrmm)(&side, "L", &t, "N", COUNT(m), COUNT(n), &alpha, A, LEAD(lda), B, LEAD(ldb) LEN(1, 1, 1, 1));
}

// Vectors may be longer than a BLAS integer counts: this much of one at a time.
#define PART(n) COUNT((n) < most_part ? (n) : most_part)

double ap_dot(size_t n, const double *x, const double *y) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i += most_part) sum += F(ddot)(PART(n - i), x + i, ONE, y + i, ONE);
    return sum;
}

void ap_rot(size_t n, double *x, double *y, double c, double s) {
    for (size_t i = 0; i < n; i += most_part) F(drot)(PART(n - i), x + i, ONE, y + i, ONE, &c, &s);
}

void ap_axpy(size_t n, double alpha, const double *x, double *y) {
    for (size_t i = 0; i < n; i += most_part) F(daxpy)(PART(n - i), &alpha, x + i, ONE, y + i, ONE);
}

// A routine that works in the place of a lower triangle: 0, the number that it gives, or n + 1 for its refusal
static size_t in_place(void (*routine)(word, dim, double *, dim, bint *LEN(size_t)), size_t n, double *A, size_t lda) {
    bint info = -1;
    if (ap_blas_fits(n | lda)) routine("L", COUNT(n), A, LEAD(lda), &info LEN(1));
    return info >= 0 ? (size_t)info : n + 1;
}

size_t ap_potrf(size_t n, double *A, size_t lda) { return in_place(F(dpotrf), n, A, lda); }

size_t ap_potri(size_t n, double *A, size_t lda) { return in_place(F(dpotri), n, A, lda); }

bool ap_lauum(size_t n, double *A, size_t lda) { return in_place(F(dlauum), n, A, lda) == 0; }

bool ap_trtri(size_t n, double *A, size_t lda) {
    if (!ap_blas_fits(n | lda)) return false;
    bint info = 0;
    F(dtrtri)("L", "N", COUNT(n), A, LEAD(lda), &info LEN(1, 1));
    return info == 0;
}

bool ap_sygst(char t, size_t n, double *A, size_t lda, const double *B, size_t ldb) {
    if (!ap_blas_fits(n | lda | ldb)) return false;
    bint info = 0;
    F(dsygst)(COUNT(t == 'N' ? 1 : 2), "L", COUNT(n), A, LEAD(lda), B, LEAD(ldb), &info LEN(1));
    return info == 0;
}

bool ap_pstrf(size_t n, double *A, size_t lda, size_t *pivot, size_t *rank, double tolerance, double *work) {
    if (!ap_blas_fits(n | lda)) return false;
    bint info = 0, found = 0, *order = (bint *)(void *)(work + 2 * n);
    F(dpstrf)("L", COUNT(n), A, LEAD(lda), order, &found, &tolerance, work, &info LEN(1));
    for (size_t i = 0; i < n; i++) pivot[i] = (size_t)order[i] - 1;
    *rank = (size_t)found;
    return info >= 0;
}

bool ap_syev(char job, size_t n, double *A, size_t lda, double *w, double *work) {
    if (!ap_blas_fits(3 * n | lda)) return false;
    bint info = 0;
    F(dsyev)(&job, "L", COUNT(n), A, LEAD(lda), w, work, COUNT(3 * n), &info LEN(1, 1));
    return info == 0;
}

size_t ap_syevd_size(size_t n) { return ap_plus(ap_times(2, ap_times(n, n)), ap_plus(ap_times(11, n), 4)); }

bool ap_syevd(size_t n, double *A, size_t lda, double *w, double *work) {
    const size_t doubles = ap_syevd_size(n) - 5 * n - 3;
    if (!ap_blas_fits(doubles | lda)) return ap_syev('V', n, A, lda, w, work);
    bint info = 0, *integers = (bint *)(void *)(work + doubles);
    F(dsyevd)("V", "L", COUNT(n), A, LEAD(lda), w, work, COUNT(doubles), integers, COUNT(5 * n + 3), &info LEN(1, 1));
    return info == 0;
}

bool ap_geqp3(size_t m, size_t n, double *A, size_t lda, size_t *pivot, double *tau, double *work) {
    if (!ap_blas_fits(m | ap_qr_panel * n | lda)) return false;
    bint info = 0, *order = (bint *)(void *)(work + ap_qr_panel * n);
    for (size_t j = 0; j < n; j++) order[j] = 0;  // all are free
    F(dgeqp3)(COUNT(m), COUNT(n), A, LEAD(lda), order, tau, work, COUNT(ap_qr_panel * n), &info);
    for (size_t j = 0; j < n; j++) pivot[j] = (size_t)order[j] - 1;
    return info == 0;
}

bool ap_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work) {
    if (!ap_blas_fits(m | ap_qr_panel * n | lda)) return false;
    bint info = 0;
    F(dgeqrf)(COUNT(m), COUNT(n), A, LEAD(lda), tau, work, COUNT(ap_qr_panel * n), &info);
    return info == 0;
}

bool ap_orgqr(size_t m, size_t n, double *A, size_t lda, const double *tau, double *work) {
    if (!ap_blas_fits(m | ap_qr_panel * n | lda)) return false;
    bint info = 0;
    F(dorgqr)(COUNT(m), COUNT(n), COUNT(n), A, LEAD(lda), tau, work, COUNT(ap_qr_panel * n), &info);
    return info == 0;
}
