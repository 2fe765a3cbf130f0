// ap_core.h: what the modules of the core share with each other, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause
//
// A function saves work->used on entry, takes its arrays and restores work->used on its one way out. After several
// takes in a row it is enough to test the last: a function that got NULL returns ap_not_taken.

#ifndef AP_CORE_H
#define AP_CORE_H

#include <stdbool.h>
#include <stddef.h>

#include "attnpath.h"

static const double ap_log_two_pi = 1.8378770664093454836;  // of the density of a Gaussian

// ---- status, memory, threads (ap_status.c, ap_work.c, ap_team.c) ----------------------------------------------------

ap_status ap_fail(ap_error *err, ap_status status, const char *format, ...) AP_PRINTF(3, 4);  // returns status
// A point that was tried is none: a search takes a shorter step. Any other failure ends it.
bool ap_is_no_point(ap_status status);

static inline ap_status ap_not_taken(const ap_work *work, ap_error *err, const char *by) {
    ap_work_refused(err, work, by);
    return AP_EMEMORY;  // here, so that tools which look for NULL see it
}
double *ap_take_matrix(ap_work *work, size_t m, size_t n);  // m n doubles
void ap_take_each(ap_work *work, size_t size, size_t count, double **const *where);
#define AP_TAKE_EACH(work, size, ...) /* so many doubles for each of &a, &b, .. */ \
    ap_take_each(work, size, sizeof((double **[]){__VA_ARGS__}) / sizeof(double **), (double **[]){__VA_ARGS__})
// The next `count` doubles of room, of which so many are used; where room is NULL they are counted alone.
double *ap_carve(double *room, size_t *used, size_t count);
size_t ap_lines(size_t size);  // doubles of whole cache lines that hold so many: what ap_take takes

size_t ap_team_threads(const ap_team *team, size_t parts);  // that will run for so many parts
// One of several equal parts of a job, with memory of its thread.
typedef ap_status (*ap_task)(void *job, size_t part, ap_work *work, ap_error *err);
ap_status ap_team_run(const ap_team *team, ap_task task, void *job, size_t parts, ap_work *work, ap_error *err);

// ---- random numbers (ap_rng.c) --------------------------------------------------------------------------------------

typedef struct ap_rng {           // Philox4x32-10, a plain value: copy it to save it
    uint32_t key[2], counter[4];  // key: the seed; counter[2..3]: the stream; counter[0..1]: blocks used so far
    uint32_t out[4];              // the current block
    uint32_t used;                // words of it already given out, 0..4
} ap_rng;

void ap_rng_block(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);  // the bare generator
ap_rng ap_rng_start(uint64_t seed, uint64_t stream);  // streams of one seed do not meet within 2^64 blocks
double ap_rng_uniform(ap_rng *rng);                   // in the open interval (0, 1)
double ap_rng_normal(ap_rng *rng);
void ap_rng_normals(double *x, size_t n, ap_rng *rng);  // output: what n calls of ap_rng_normal would give, but faster
double ap_rng_chi(double degrees, ap_rng *rng);         // root of chi-square, degrees > 0 (else NaN)
// Q [n x m] := orthonormal columns, Haar-distributed, m <= n
AP_CHECKED ap_status ap_rng_frame(double *Q, size_t n, size_t m, ap_rng *rng, ap_work *work, ap_error *err);

enum { ap_rng_words = 11 };  // the state as doubles: key, counter, out, used
void ap_rng_save(double words[ap_rng_words], const ap_rng *rng);
AP_CHECKED ap_status ap_rng_load(ap_rng *rng, const double words[ap_rng_words], ap_error *err);

// ---- the one door to BLAS and LAPACK (ap_blas.c) --------------------------------------------------------------------
//
// No other file declares a Fortran symbol or uses the width of a Fortran integer. Sizes come in as size_t; callers
// check once with ap_blas_fits, where the problem is set up, that each of them fits; a size that does not gives NaN, or
// an error of LAPACK. ap_dot, ap_axpy and ap_rot take vectors of any length. Matrices are
// column-major with a leading dimension. "lower" means that only the lower triangle is read or written.

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
// the same with eigenvectors, of a large A: several times as fast; work [ap_syevd_size (n)]
bool ap_syevd(size_t n, double *A, size_t lda, double *w, double *work);
size_t ap_syevd_size(size_t n);

enum { ap_qr_panel = 32 };  // doubles of workspace a column: LAPACK works on that many columns at a time
// A [m x n] = Q R, 1 <= n <= m: R in the upper triangle, Q as reflectors below it and in tau [n]; work [ap_qr_panel n];
// false if LAPACK refuses its arguments
bool ap_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work);
// the same with columns taken by their norms, column j of R being number pivot[j] of A; work [(ap_qr_panel + 1) n]
bool ap_geqp3(size_t m, size_t n, double *A, size_t lda, size_t *pivot, double *tau, double *work);
// the n orthonormal columns of Q, in place of the factors of ap_geqrf
bool ap_orgqr(size_t m, size_t n, double *A, size_t lda, const double *tau, double *work);

// ---- algebra of symmetric positive definite matrices (ap_spd.c) -----------------------------------------------------

// In place, lower; AP_ENOTSPD with the failing pivot in *err. `name` names the matrix in the sentence.
AP_CHECKED ap_status ap_spd_chol(double *A, size_t n, const char *name, ap_error *err);
double ap_spd_logdet(const double *F, size_t n);                         // log det (F F') from the lower factor F
void ap_spd_solve(const double *F, size_t n, double *B, size_t m);       // B [n x m] becomes (F F')^{-1} B
bool ap_spd_invert_factor(double *F, size_t n, size_t ldf);              // F := F^{-1}; false if a pivot is zero
AP_CHECKED ap_status ap_spd_invert(double *F, size_t n, ap_error *err);  // F becomes (F F')^{-1}, lower triangles
AP_CHECKED ap_status ap_spd_inverse(double *Y, const double *F, size_t n, ap_error *err);   // both triangles
void ap_spd_sandwich(double *B, const double *Y, const double *M, size_t n, double *work);  // Y M Y, work [n x n]
// `largest`, A's largest diagonal entry, times the sum of 1/F_ii^2: a cheap stand-in for the condition of A = F F'.
double ap_spd_condition(double largest, const double *F, size_t n);
double ap_spd_largest(const double *A, size_t n);                                   // largest diagonal entry
void ap_spd_identity(double *A, size_t n);                                          // A := I
void ap_spd_gram(double *G, double scale, const double *A, size_t rows, size_t n);  // G := scale A' A, A [rows x n]
void ap_spd_outer(double *G, double scale, const double *A, size_t n, size_t m);    // G := scale A A', A [n x m]
void ap_spd_congruence(double *B, const double *A, const double *F, size_t n, double *work);  // F' A F, work [n x n]
// In place, F lower: X := F X F', or with t 'T' F' X F; and the other way, X := F^{-1} X F^{-T}, or F^{-T} X F^{-1}.
void ap_spd_multiply(char t, double *X, const double *F, size_t n);
void ap_spd_divide(char t, double *X, const double *F, size_t n);
void ap_spd_mirror(double *A, size_t n);       // upper triangle := lower triangle
void ap_spd_symmetrise(double *A, size_t n);   // A := (A + A') / 2, for A symmetric up to rounding
void ap_spd_clear_upper(double *F, size_t n);  // strict upper triangle := 0
// w [n] := the eigenvalues of A (lower), the least one first, and A its eigenvectors; work [3n]. `name` as above. job:
// 'V'; 'D' with work [ap_syevd_size (n)], for a large A several times as fast; 'N' for no eigenvectors, A is lost
AP_CHECKED ap_status ap_spd_eigen(char job, double *w, double *A, size_t n, const char *name, double *work,
                                  ap_error *err);
void ap_spd_reverse(double *Q, size_t n);  // the n columns in the opposite order: of eigenvectors the largest one first

// ---- symmetric matrices as vectors (ap_pairs.c) ---------------------------------------------------------------------
//
// A symmetric matrix A [n x n] has n (n+1)/2 coordinates, its entries a <= b; pair (a, b) is number b (b+1)/2 + a. An
// entry off the diagonal stands for two of the matrix. So, with a weight of 1 for a = b and of 2 for a < b,
//
//   <A, B> = tr (A B) = sum_pairs weight A_ab B_ab,      d f / d A_ab (both entries moved) = weight (df/dA)_ab.

size_t ap_pairs_count(size_t n);             // n (n+1)/2, SIZE_MAX on overflow
size_t ap_pairs_number(size_t a, size_t b);  // of the pair of a and b, in either order

// v [pairs] := entries of the symmetric A, those off the diagonal times `off`: 1 for its coordinates, 2 for a
// derivative by them. And back: A, both triangles, from v; off = 1 from coordinates, 1/2 from derivatives.
void ap_pairs_pack(double *v, const double *A, size_t n, double off);
void ap_pairs_unpack(double *A, const double *v, size_t n, double off);
// The lower triangle of A, column after column in `packed`: K and D_p as they are stored.
void ap_pairs_lower(double *A, const double *packed, size_t n);
void ap_pairs_weights(double *w, size_t n);  // [pairs] 1 for a = b, 2 for a < b

// ---- an inverse, corrected by secant pairs (ap_lbfgs.c) -----------------------------------------------------------

typedef struct ap_lbfgs {
    size_t n, room;        // numbers of a vector; most pairs at a time
    size_t first, used;    // place of the oldest pair; pairs that correct the inverse
    size_t count;          // and with those that are kept since: they correct nothing until ap_lbfgs_use
    double *s, *y, *rate;  // [n x room] steps and what the matrix makes of them; [room] scratch of the two loops
} ap_lbfgs;

AP_CHECKED ap_status ap_lbfgs_take(ap_lbfgs *t, size_t n, size_t room, ap_work *work, ap_error *err);
void ap_lbfgs_clear(ap_lbfgs *t);
void ap_lbfgs_keep(ap_lbfgs *t, const double *s, const double *y);  // where s'y > 0; the oldest may make room
void ap_lbfgs_use(ap_lbfgs *t, size_t most);                        // all that are kept, the last `most` of them
// b := what the inverse B is applied to, and after it d := the corrected inverse times b
void ap_lbfgs_before(double *b, ap_lbfgs *t);
void ap_lbfgs_after(double *d, const ap_lbfgs *t);

// ---- what can be known of a symmetric map from its products with vectors (ap_krylov.c) ------------------------------
//
// The map is a function and its context. A status other than AP_OK ends a method, and the method returns it.

typedef ap_status (*ap_krylov_map)(double *y, void *self, const double *x);  // y := H x

// x := its part orthogonal to the first k columns of V [n x .], whose norm is returned; what it had along them is added
// to c [k], which may be NULL. h [k] scratch
double ap_krylov_project(double *x, const double *V, size_t n, size_t k, double *c, double *h);
// x := that part over its norm; false if nothing is left.
bool ap_krylov_orthonormalise(double *x, const double *V, size_t n, size_t k, double *h);

// ---- H d = r by conjugate gradients ---------------------------------------------------------------------------------

typedef struct ap_krylov_vectors {  // what the method keeps
    size_t n;
    double *z, *p, *q;  // [n] scratch; where H is not definite, p is the direction that bends down
    bool definite;      // output: no direction bent down
} ap_krylov_vectors;

typedef struct ap_krylov_cg {
    ap_krylov_map apply;
    void (*precondition)(double *z, void *self, const double *r);
    // After step k along p, with q = H p: is d as much as is wanted? NULL: it never is.
    bool (*enough)(void *self, size_t k, const double *d, const double *p, const double *q);
    void *self;       // of all three
    double accuracy;  // of the residual, in the preconditioner's norm, over that of the right-hand side
    size_t most;      // products
} ap_krylov_cg;

AP_CHECKED ap_status ap_krylov_vectors_take(ap_krylov_vectors *t, size_t n, ap_work *work, ap_error *err);
// d := H^{-1} r, or what was found before a direction bent down; r becomes the residual
AP_CHECKED ap_status ap_krylov_solve(double *d, ap_krylov_vectors *t, const ap_krylov_cg *how, double *r);

// ---- the lowest eigenvector by Davidson's method --------------------------------------------------------------------

typedef struct ap_davidson_space {  // a subspace with its image
    size_t n, k, count;             // numbers of a vector; room for columns, columns so far
    double *V, *HV;                 // [n x k] orthonormal; its image
    double *small, *vectors;        // [k x k] V' H V; its eigenvectors
    double *theta;                  // [4 k] its eigenvalues, increasing, and scratch
    double *x, *r, *h;              // [n] lowest Ritz vector; its residual; [k] scratch
    // |r|; the largest share in theta of V' H V less its transpose, which rounding makes
    double residual_norm, asymmetry;
} ap_davidson_space;

typedef struct ap_krylov_davidson {
    ap_krylov_map apply;
    ap_krylov_map expand;  // next := from the residual, which it is at first, what shall join; x the Ritz vector
    void *self;            // of both
    double close, floor;   // of the residual: over the value, and absolutely
    size_t least;          // columns before the residual counts; 0: the first is enough
    size_t kept;           // Ritz vectors with which a full space begins again; 0: it ends
} ap_krylov_davidson;

AP_CHECKED ap_status ap_davidson_space_take(ap_davidson_space *s, size_t n, size_t k, ap_work *work, ap_error *err);
// From s->x. The value is theta[0], an upper bound at any time. AP_OK: the residual is small, or the space is the
// whole; AP_LIMIT: it is full; AP_STALLED: there is nothing to join.
AP_CHECKED ap_status ap_krylov_lowest(ap_davidson_space *s, const ap_krylov_davidson *how, ap_error *err);

// ---- z' log H z by Lanczos' method ----------------------------------------------------------------------------------

typedef struct ap_krylov_lanczos {  // what the method keeps
    size_t n, most;                 // numbers of a vector; most steps
    double *V;                      // [n x (most + 1)] orthonormal columns: z comes in the first
    double *T, *theta, *h;  // [most x most] tridiagonal matrix, its eigenvectors; [4 most] eigenvalues; [most + 1]
    double *diagonal, *subdiagonal;  // [most] of the matrix
} ap_krylov_lanczos;

AP_CHECKED ap_status ap_krylov_lanczos_take(ap_krylov_lanczos *t, size_t n, size_t most, ap_work *work, ap_error *err);
// value := to `enough`; AP_ENOTSPD where H is not definite. squares: |z|^2, the dimension of the space that H acts on
AP_CHECKED ap_status ap_krylov_log(double *value, ap_krylov_lanczos *t, ap_krylov_map apply, void *self, double squares,
                                   double enough, ap_error *err);

// ---- loops on several numbers at a time -----------------------------------------------------------------------------
//
// A loop over a fixed count of neighbours becomes operations on wide registers where a function is AP_WIDE, which is
// called if ap_wide (): the same numbers either way.

#if defined(__GNUC__) && defined(__x86_64__)
#define AP_INLINED inline __attribute__((always_inline))
#define AP_WIDE __attribute__((target("avx2")))
static inline bool ap_wide(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
#define AP_INLINED inline
#define AP_WIDE
static inline bool ap_wide(void) { return false; }
#endif

// ---- exponentials of many numbers (ap_exp.c) ------------------------------------------------------------------------

static const double ap_exp_near = 700.0;

void ap_exp(double *x, size_t n);        // x := exp (x), |x| <= ap_exp_near, to 2 units in the last place
void ap_exp_plain(double *x, size_t n);  // the same bit for bit, without wide registers
void ap_exp_single(float *x, size_t n);  // x := exp (x), x <= 0, to 1e-7 relative; below -87 it is exp (-87)

// ---- softmax of columns of scores (ap_softmax.c) --------------------------------------------------------------------

// In place, m columns, of each the first n rows, of column j no more than j + 1 where it is causal, n >= 1; 0 beyond.
// The result is m, or the number of the first column with a score that was not finite.
size_t ap_softmax(double *score, size_t rows, size_t m, size_t n, bool causal);
// D [rows x m] := derivatives by the scores from those by the weights
void ap_softmax_slope(double *D, const double *weight, size_t rows, size_t m);
bool ap_softmax_single(float *score, size_t n);  // one column; false: not finite

#endif
