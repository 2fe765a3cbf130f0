// ap_core.h: what the modules of the core share with each other, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause
//
// Memory is described once, by the takes themselves. A function notes work->used on entry, takes what it needs and
// restores the note on its one way out. From a stack that only counts (ap_counting) every take returns NULL. A function
// that got NULL takes its status from ap_not_taken: AP_EMEMORY, or AP_OK if the stack counts. In the latter case it
// touches no array, calls those functions that take memory after it, and returns: the peak of the count is then what
// the function needs. After several takes in a row it is enough to look at the last.

#ifndef AP_CORE_H
#define AP_CORE_H

#include "attnpath.h"

static const double ap_log_two_pi = 1.8378770664093454836;  // of the density of a Gaussian

// ---- status, memory, threads (ap_status.c, ap_work.c, ap_team.c) ----------------------------------------------------

ap_status ap_fail(ap_error *err, ap_status status, const char *format, ...) AP_PRINTF(3, 4);  // returns status

ap_work ap_counting(void);     // a stack that only counts
size_t ap_lines(size_t size);  // doubles of whole cache lines that hold so many: what ap_take takes
double *ap_take_matrix(ap_work *work, size_t m, size_t n);                   // m n doubles
ap_status ap_not_taken(const ap_work *work, ap_error *err, const char *by);  // AP_EMEMORY with its sentence, or AP_OK
// So much must be there, although it is not taken now: what a call may need, or not, depending on numbers.
ap_status ap_reserve(ap_work *work, size_t size, ap_error *err, const char *by);
// Doubles that the call needs. A call that refuses its input needs none: it fails in the same way when it runs.
size_t ap_counted(const ap_work *work, ap_status status);
size_t ap_shares(size_t size, size_t threads);               // doubles for so many stacks of that size,
ap_work ap_share(double *base, size_t size, size_t thread);  // and one of them: on cache lines of its own

size_t ap_team_threads(const ap_team *team, size_t parts);  // that will run for so many parts
ap_status ap_team_run(const ap_team *team, ap_part part, void *job, size_t parts, ap_error *err);

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
double ap_rng_gamma(double shape, ap_rng *rng);         // shape > 0 (else NaN), unit scale
double ap_rng_chi(double degrees, ap_rng *rng);         // root of chi-square, degrees > 0 (else NaN)
AP_CHECKED ap_status ap_rng_frame(double *Q,            // output: [n x m] orthonormal columns, Haar-distributed, m <= n
                                  size_t n, size_t m, ap_rng *rng, ap_work *work, ap_error *err);

enum { ap_rng_words = 11 };  // the state as doubles: key, counter, out, used
void ap_rng_save(double words[ap_rng_words], const ap_rng *rng);
AP_CHECKED ap_status ap_rng_load(ap_rng *rng, const double words[ap_rng_words], ap_error *err);

// ---- network (ap_net.c) ---------------------------------------------------------------------------------------------

double ap_net_maxwidth(const ap_net *net);                // max (N_1..N_a), the scale of gradnorm
size_t ap_net_skipping(const ap_net *net, size_t layer);  // branches of the layer that are no heads, the first: 1 or 0

// ---- kernel of a training set (ap_kernel.c) -------------------------------------------------------------------------

typedef struct ap_root {  // U = R R', for what is cheaper from R: less the fewer columns it has
    const double *R;      // [Pi x columns]
    size_t columns;
    bool lower;    // R is the lower Cholesky factor, [Pi x Pi]: its upper triangle is not read
    bool reflect;  // where A has no digits left its factor may come from reflections (ap_orthogonal.c)
} ap_root;

AP_CHECKED ap_status ap_kernel_combine(double *K,  // output: [P x P] lower triangle of K(U)
                                       const ap_kernel *kernel,
                                       const double *U,      // [Pi x Pi] symmetric, need not be definite
                                       const ap_root *root,  // of U, or NULL
                                       ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_kernel_contract(double *G,  // output: [Pi x Pi] sum_{mu,nu} M(mu,nu) C(mu,nu) / Pi
                                        const ap_kernel *kernel,
                                        const double *M,  // [P x P] symmetric, both triangles
                                        ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_kernel_gradient(double *G,  // output: [Pi x Pi] dE/dU_1 (T9)
                                        const ap_kernel *kernel,
                                        const double *F,            // [P x P] lower Cholesky factor of A = K + T I
                                        const double *b, size_t m,  // [P x m] columns of b, mostly one
                                        ap_work *work, ap_error *err);
// Through the path inputs, with (a,c) an input and an output of U_1's indices: Y_(a,c) := alpha Xi_a Z_c, [N0 x m x Pi]
// from [P x m], and the other way, Z_c := alpha sum_a Xi_a' Y_(a,c).
void ap_kernel_gather(double *Y, const ap_kernel *kernel, double alpha, const double *Z, size_t m);
void ap_kernel_scatter(double *Z, const ap_kernel *kernel, double alpha, const double *Y, size_t m);
// Y_(a,c) := alpha sum_b U_(a,c),(b,d) x_b, [features x m x Pi], of m other examples x [features x m x inputs].
// ap_kernel_scatter makes columns of K of it, those between the training set and output d of the m.
void ap_kernel_weigh(double *Y, const ap_kernel *kernel, double alpha, const double *U, size_t d, const double *x,
                     size_t m);
bool ap_kernel_unpacked(const ap_kernel *kernel);  // whether the plan has `square`
bool ap_kernel_stops(const ap_kernel *kernel);     // the caller wants the work to end: AP_INTERRUPTED
// W [features x m] in the coordinates of the path inputs: in V [N0 x m], or W itself where they have no basis.
const double *ap_kernel_inside(double *V, const ap_kernel *kernel, const double *W, size_t m);
AP_CHECKED ap_status ap_kernel_apply(double *V,  // output: [P x pairs x m] (dK/dU_pair) z
                                     const ap_kernel *kernel, const double *Z, size_t m,  // [P x m]
                                     ap_work *work, ap_error *err);

// ---- energy (ap_energy.c) -------------------------------------------------------------------------------------------

AP_CHECKED ap_status ap_fit_make(ap_fit *fit,  // in: from ap_fit_take; out: A factored, b
                                 const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                                 ap_error *err);
AP_CHECKED ap_status ap_fit_gradient(double *G,          // output: [Pi x Pi] dE/dU_1 (T9)
                                     const ap_fit *fit,  // from ap_energy, or ap_fit_make
                                     const ap_problem *p, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_energy(ap_fit *fit,  // in: from ap_fit_take; out: the same, and E (T7)
                               const ap_problem *p,
                               const double *U,      // [Pi x Pi] symmetric positive semidefinite
                               const ap_root *root,  // of U, or NULL
                               ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_energy_gradient(double *energy,  // output: E
                                        double *G,       // output: [Pi x Pi] dE/dU_1 (T9)
                                        const ap_problem *p, const double *U, const ap_root *root,  // or NULL
                                        ap_work *work, ap_error *err);

// ---- entropy (ap_entropy.c) -----------------------------------------------------------------------------------------

AP_CHECKED ap_status ap_entropy(ap_point *point,  // in: U_1..U_L of order; out: u_a, chol, inverse, entropy (T8), noise
                                const ap_net *net, ap_error *err);
AP_CHECKED ap_status ap_entropy_gp(ap_point *gp,  // output: the GP limit, where the entropy is least; no gradient
                                   const ap_net *net, ap_work *work, ap_error *err);  // which keeps its memory
AP_CHECKED ap_status ap_entropy_gradient(ap_point *point,  // in: what ap_entropy left; out: the entropy's grad
                                         const ap_net *net, ap_work *work, ap_error *err);

#endif
