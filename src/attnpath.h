// attnpath.h: the public face of the C core
// SPDX-License-Identifier: BSD-3-Clause
//
// attnpath computes the Bayesian theory of deep multi-head self-attention of
//   [TMIS24] Tiberi, Mignacco, Irie, Sompolinsky, NeurIPS 2024, arXiv:2405.15926.
// Equations T1..T16 are numbered in doc/theory.md. Arrays are column-major, examples last, indices from 0.
//
//   paper           C            Octave            shape               meaning
//   -------------   ----------   ---------------   -----------------   ---------------------------------------------
//   P               P                              count               training examples
//   T               T                              count               tokens of an example
//   N_0             N0                             count               features of a token
//   L, H_l          L, H[l-1]    net.L, net.H      count               layers; heads of layer l
//   x_mu            X            X                 [N0 x T x P]        tokens
//   Omega^{l,h}     A[l-1]       A{l}              [T x T x H_l x P]   attention, columns (queries) sum to 1   (T1)
//   gamma           bandwidth    net.bandwidth     scalar > 0          scores of softmax and cme are divided by it
//   lambda          ridge        net.ridge         scalar > 0          ridge of cme, whose columns sum freely     (T16)
//   pi              pi                             0..Pi-1             a path (h_1..h_L), h_1 slowest
//   Pi_l            paths (l)                      count               H_l H_{l+1} ... H_L; Pi = Pi_1, Pi_{L+1} = 1
//   xi^pi_mu        Xi           paths.Xi          [N0 x P x Pi]       path inputs                             (T3)
//   C_{pi,pi'}      C            C                 [P x P x Pi x Pi]   path-path kernels                       (T5)
//   K(U)            K            K                 [P x P]             combined kernel                         (T6)
//   y               y            y                 [P]                 labels
//   N_1..N_L, N_a   width        net.width         [L+1]               widths
//   sigma^2         variance     net.variance      [L+2]               prior variances, input .. readout
//   T (Gibbs)       temperature  net.temperature   scalar              variance of the label noise
//   U_l             order        order{l}          [Pi_l x Pi_l] SPD   order parameters; in C U_1..U_L end to end
//   u_a             ua           sol.ua            scalar > 0          readout order parameter
//   S, E            action ...   sol.action ...    scalar              action, energy, entropy               (T7, T8)
//   dS/dU_l         grad         grad{l}           [Pi_l x Pi_l]       gradient, symmetric                     (T9)
//
// Rules that every function keeps: nothing is printed, nothing is allocated, no state outlives a call. Scratch memory
// comes from the caller as an ap_work, whose size ap_<stem>_worksize gives. What can fail returns an ap_status:
// 0 done, > 0 done with a remark, < 0 failed, the sentence being in *err (err may be NULL). Counts must fit the
// integers of the BLAS in use; what could exceed them is refused with AP_ESIZE.

#ifndef ATTNPATH_H
#define ATTNPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define AP_CHECKED __attribute__((warn_unused_result))
#define AP_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define AP_CHECKED
#define AP_PRINTF(f, a)
#endif

// ---- status, messages, scratch memory (ap_status.c) -----------------------------------------------------------------

typedef enum ap_status {
    AP_OK = 0,
    AP_LIMIT = 1,        // iteration limit reached before the tolerance
    AP_STALLED = 2,      // no further descent in double precision
    AP_INTERRUPTED = 3,  // the caller's monitor asked to stop
    AP_EINPUT = -1,      // a value out of its range
    AP_ESIZE = -2,       // a size beyond what BLAS integers or memory can address
    AP_EMEMORY = -3,     // the workspace handed in is too small
    AP_ENOTSPD = -4,     // a matrix that must be positive definite is not
    AP_ENONFINITE = -5,  // NaN or Inf where a finite number is needed
    AP_ELAPACK = -6      // LAPACK reports a failure that should not happen
} ap_status;

typedef struct ap_error {
    ap_status status;
    char text[256];  // one sentence with the offending value, no full stop
} ap_error;

const char *ap_status_name(ap_status status);  // short camelCase word, used in error identifiers
ap_status ap_fail(ap_error *err, ap_status status, const char *format, ...) AP_PRINTF(3, 4);

typedef struct ap_work {  // a stack of doubles owned by the caller
    double *base;
    size_t size;  // doubles available
    size_t used;  // doubles taken; a function restores it before it returns
} ap_work;

double *ap_take(ap_work *work, size_t count);           // NULL if it, or a take before it, did not fit
size_t ap_times(size_t a, size_t b);                    // a b, or SIZE_MAX on overflow
size_t ap_plus(size_t a, size_t b);                     // a + b, or SIZE_MAX on overflow
ap_status ap_no_memory(ap_error *err, const char *by);  // AP_EMEMORY with its sentence

bool ap_blas_selftest(void);  // the BLAS that was linked uses integers of the width assumed at compile time (ap_blas.c)

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
size_t ap_rng_frame_worksize(size_t n, size_t m);
AP_CHECKED ap_status ap_rng_frame(double *Q,  // output: [n x m] orthonormal columns, Haar-distributed, m <= n
                                  size_t n, size_t m, ap_rng *rng, ap_work *work, ap_error *err);

enum { ap_rng_words = 11 };  // the state as doubles: key, counter, out, used
void ap_rng_save(double words[ap_rng_words], const ap_rng *rng);
AP_CHECKED ap_status ap_rng_load(ap_rng *rng, const double words[ap_rng_words], ap_error *err);

// ---- the network ----------------------------------------------------------------------------------------------------

typedef enum ap_rule { AP_SOFTMAX, AP_HARDMAX, AP_CME } ap_rule;
typedef enum ap_kernel_kind { AP_KERNEL_EXPONENTIAL, AP_KERNEL_GAUSSIAN, AP_KERNEL_LINEAR } ap_kernel_kind;
typedef enum ap_read { AP_READ_TOKEN, AP_READ_LAST, AP_READ_MEAN } ap_read;

typedef struct ap_heads {  // the heads of one layer, bilinear or query/key; neither: attention is brought by the user
    size_t G;              // rows of Q and K; 0 for bilinear heads
    const double *W;       // [N0 x N0 x H] score of key s for query t is x_s' W x_t
    const double *Q, *K;   // [G x N0 x H]  score is (K x_s)'(Q x_t) / sqrt(G)
} ap_heads;

typedef struct ap_net {
    size_t L;
    const size_t *H;         // [L]
    const ap_heads *heads;   // [L], or NULL when attention is brought by the user
    ap_rule rule;            // from scores to attention
    double bandwidth;        // > 0; scores are divided by it, but for hardmax
    ap_kernel_kind kernel;   // of AP_CME
    double ridge;            // > 0, of AP_CME
    bool causal;             // query t sees keys s <= t only
    ap_read read;            // readout vector e
    size_t token;            // its token for AP_READ_TOKEN
    const double *width;     // [L+1]
    const double *variance;  // [L+2]
    double temperature;      // >= 0
} ap_net;

typedef struct ap_tokens {
    size_t N0, T, P;
    const double *X;       // [N0 x T x P], zero-padded where an example is shorter than T
    const size_t *length;  // [P] in 1..T, or NULL: all are T
} ap_tokens;

size_t ap_net_paths(const ap_net *net, size_t layer);  // Pi_layer, layer = 1..L+1; SIZE_MAX on overflow
size_t ap_net_order(const ap_net *net);                // doubles in U_1..U_L end to end
double ap_net_maxwidth(const ap_net *net);             // max (N_1..N_a), the scale of gradnorm
void ap_net_gp(double *order, const ap_net *net);      // GP limit: U_l = sigma_a^2 sigma_L^2 .. sigma_l^2 I (section 4)
void ap_net_ptr(double *M,  // output: [below x below] partial trace over the slowest index, below = Pi_{l+1}
                const double *U, size_t heads, size_t below);  // [heads below x heads below]
AP_CHECKED ap_status ap_net_check(const ap_net *net, ap_error *err);
// Of these only the rule, with its bandwidth and ridge, and that the heads are such as it takes.
AP_CHECKED ap_status ap_net_check_rule(const ap_net *net, ap_error *err);

// ---- attention and paths (ap_attention.c, ap_paths.c) ---------------------------------------------------------------

size_t ap_attention_worksize(const ap_net *net, const ap_tokens *x);
AP_CHECKED ap_status ap_attention(double *A,  // output: [T x T x H_layer x P] maps of one layer (T1)
                                  const ap_net *net, size_t layer, const ap_tokens *x, ap_work *work, ap_error *err);

typedef struct ap_keys {  // one head's keys and values, without a network
    size_t d, n, dv;      // features of a key, keys, features of a value
    const double *K, *V;  // [d x n], [dv x n]
} ap_keys;

// `maps`: Omega is asked for
size_t ap_attend_worksize(const ap_net *net, const ap_keys *keys, size_t m, bool maps);
AP_CHECKED ap_status ap_attend(double *out,          // output: [dv x m] V Omega
                               double *Omega,        // output: [n x m] attention (T16), or NULL
                               const ap_net *net,    // its rule, bandwidth, kernel and ridge; the score is k'q / gamma
                               const ap_keys *keys,  //
                               const double *Q, size_t m,  // [d x m] queries
                               ap_work *work, ap_error *err);

size_t ap_paths_worksize(const ap_net *net, const ap_tokens *x);
AP_CHECKED ap_status ap_paths(double *Xi,              // output: [N0 x P x Pi] path inputs (T3)
                              const ap_net *net,       //
                              const ap_tokens *x,      //
                              const double *const *A,  // [L] maps brought by the user, or NULL: from the heads
                              ap_work *work, ap_error *err);
size_t ap_paths_chunk(const ap_tokens *x);  // examples that are worked on together
AP_CHECKED ap_status ap_paths_part(double *Xi, const ap_net *net, const ap_tokens *x, const double *const *A,
                                   size_t first, size_t total,  // these examples only: parts may run side by side
                                   ap_work *work, ap_error *err);

// ---- kernels (ap_kernel.c) ------------------------------------------------------------------------------------------

AP_CHECKED ap_status ap_pathkernels(double *C,  // output: [P x P2 x Pi x Pi] (T5)
                                    const ap_net *net, size_t N0, const double *Xi, size_t P,  // Xi [N0 x P x Pi]
                                    const double *Xi2, size_t P2, ap_error *err);

size_t ap_kernel_cross_worksize(const ap_net *net, size_t N0, size_t P2);
AP_CHECKED ap_status ap_kernel_cross(double *K,  // output: [P x P2] (T6), without temperature
                                     const ap_net *net, size_t N0, const double *Xi, size_t P,  //
                                     const double *Xi2, size_t P2,                              //
                                     const double *U,                                           // [Pi x Pi] symmetric
                                     ap_work *work, ap_error *err);

typedef struct ap_kernel {        // K(U) and its derivatives for one training set; see the cost model in ap_kernel.c
    size_t N0, P, paths, pairs;   // pairs = Pi (Pi+1)/2, pair (a <= b) has index b (b+1)/2 + a
    double scale;                 // sigma_0^2 / (N0 Pi)
    const double *Xi;             // [N0 x P x Pi]
    double *packed;               // [P (P+1)/2 x pairs] symmetrised path kernels, or NULL: computed from Xi
    double *square;               // [P x P x pairs] the same unpacked, kept when it fits the cache, or NULL
    size_t storage;               // doubles that ap_kernel_build asks for
    bool (*stop)(void *context);  // asked now and then by ap_kernel_build and ap_hessian_smallest, which end with
    void *context;                // AP_INTERRUPTED if it answers true; NULL after ap_kernel_plan
} ap_kernel;

AP_CHECKED ap_status ap_kernel_plan(ap_kernel *kernel,  // output: everything but the stored kernels
                                    const ap_net *net, size_t N0, size_t P, const double *Xi,
                                    double memory,  // bytes that stored kernels may take
                                    ap_error *err);
size_t ap_kernel_buildsize(const ap_kernel *kernel);
AP_CHECKED ap_status ap_kernel_build(ap_kernel *kernel,  // in: planned; out: with its stored kernels
                                     double *storage,    // [kernel->storage], lives as long as the kernel
                                     ap_work *work, ap_error *err);

size_t ap_kernel_worksize(const ap_kernel *kernel);  // serves combine, contract and gradient
AP_CHECKED ap_status ap_kernel_combine(double *K,    // output: [P x P] lower triangle of K(U)
                                       const ap_kernel *kernel,
                                       const double *U,  // [Pi x Pi] symmetric, need not be definite
                                       const double *R,  // [Pi x Pi] its lower Cholesky factor, or NULL
                                       ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_kernel_contract(double *G,  // output: [Pi x Pi] sum_{mu,nu} M(mu,nu) C(mu,nu) / Pi
                                        const ap_kernel *kernel,
                                        const double *M,  // [P x P] symmetric, both triangles
                                        ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_kernel_gradient(double *G,  // output: [Pi x Pi] dE/dU_1 (T9)
                                        const ap_kernel *kernel,
                                        const double *F,  // [P x P] lower Cholesky factor of A = K + T I
                                        const double *b,  // [P] A^{-1} y
                                        ap_work *work, ap_error *err);
size_t ap_kernel_applysize(const ap_kernel *kernel, size_t m);
AP_CHECKED ap_status ap_kernel_apply(double *V,  // output: [P x pairs x m] (dK/dU_pair) z
                                     const ap_kernel *kernel, const double *Z, size_t m,  // [P x m]
                                     ap_work *work, ap_error *err);

// ---- energy (ap_energy.c) -------------------------------------------------------------------------------------------

typedef struct ap_problem {  // what an energy, an action and a posterior belong to
    const ap_net *net;
    const ap_kernel *kernel;
    const double *y;  // [P]
} ap_problem;

size_t ap_energy_worksize(const ap_problem *p);
AP_CHECKED ap_status ap_energy(double *energy,  // output: E (T7)
                               double *noise,   // output: what rounding may add to it; may be NULL
                               double *F,       // output: [P x P] lower Cholesky factor of A = K(U) + T I
                               double *b,       // output: [P] A^{-1} y
                               const ap_problem *p,
                               const double *U,  // [Pi x Pi] symmetric positive semidefinite
                               const double *R,  // [Pi x Pi] its lower Cholesky factor, or NULL
                               ap_work *work, ap_error *err);

size_t ap_energy_gradient_worksize(const ap_problem *p);
AP_CHECKED ap_status ap_energy_gradient(double *energy,  // output: E
                                        double *G,       // output: [Pi x Pi] dE/dU_1 (T9)
                                        const ap_problem *p, const double *U, ap_work *work, ap_error *err);

// ---- action (ap_entropy.c, ap_action.c) -----------------------------------------------------------------------------

typedef struct ap_point {  // a point of the cone of order parameters, with what is known there
    double *order;         // [order] U_1..U_L
    double *chol;          // [order] lower Cholesky factors of the U_l
    double *inverse;       // [order] their inverses
    double *grad;          // [order] dS/dU_l, u_a eliminated (T9)
    double *G;             // [Pi x Pi] the energy's share of dS/dU_1
    double *F;             // [P x P] lower Cholesky factor of A = K(U_1) + T I
    double *b;             // [P] A^{-1} y
    double ua, action, energy, entropy;
    double gradnorm;  // max_l max |dS/dU_l| / max (N)
    double gradrel;   // max_l max |F_l' (dS/dU_l) F_l| / N_l, U_l = F_l F_l': the same without units
    double noise;     // what rounding may add to the action: differences below it mean nothing
} ap_point;

size_t ap_entropy_worksize(const ap_net *net);
AP_CHECKED ap_status ap_entropy(ap_point *point,  // in: order; out: chol, inverse, ua, entropy (T8), noise
                                const ap_net *net, ap_error *err);
AP_CHECKED ap_status ap_entropy_gradient(ap_point *point,  // in: what ap_entropy left; out: the entropy's grad
                                         const ap_net *net, ap_work *work, ap_error *err);

size_t ap_point_size(const ap_problem *p);  // doubles that ap_point_take takes
AP_CHECKED ap_status ap_point_take(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err);
size_t ap_action_worksize(const ap_problem *p);
AP_CHECKED ap_status ap_action_value(ap_point *point,  // in: order; out: all but grad, G and gradnorm (T7, T8)
                                     const ap_problem *p, ap_work *work, ap_error *err);
AP_CHECKED ap_status
ap_action_gradient(ap_point *point,  // in: what ap_action_value left; out: grad, G, gradnorm, gradrel
                   const ap_problem *p, ap_work *work, ap_error *err);

// ---- Hessian (ap_hessian.c) -----------------------------------------------------------------------------------------

size_t ap_hessian_worksize(const ap_problem *p);
AP_CHECKED ap_status ap_hessian_smallest(double *smallest,  // output: least eigenvalue of the Hessian of S/max(N), to
                                                            // 1e-4; AP_LIMIT: only an upper bound of it
                                         size_t *products,  // output: Hessian-vector products taken
                                         const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);

// ---- saddle point (ap_solve.c) --------------------------------------------------------------------------------------

typedef struct ap_progress {
    size_t iterations, evaluations;  // Newton steps; actions evaluated
    double action, gradnorm, step;   // step: length of the last one in the affine-invariant metric
} ap_progress;

typedef struct ap_settings {
    double tolerance;       // on gradnorm, and on the length of the next step over 100; 1e-8
    size_t max_iterations;  // 200
    size_t probes;          // random vectors of the log-determinant's curvature; 4
    double step_limit;      // longest step, in the affine-invariant metric over sqrt (Pi); 1
    bool (*monitor)(void *context, const ap_progress *progress);  // true: stop; may be NULL
    void *context;
} ap_settings;

ap_settings ap_settings_default(void);
size_t ap_solve_worksize(const ap_problem *p);
AP_CHECKED ap_status ap_solve(ap_point *point,  // in: from ap_point_take, order the start; out: the saddle point and
                                                // all that is known there
                              ap_progress *progress, const ap_problem *p, const ap_settings *settings, ap_work *work,
                              ap_error *err);

// ---- predictor (ap_predict.c) ---------------------------------------------------------------------------------------

size_t ap_predict_worksize(const ap_net *net, size_t N0, size_t P);
AP_CHECKED ap_status ap_predict(double *mu, double *s2,  // output: [P2] mean and variance of f (T10); s2 may be NULL
                                const ap_net *net, size_t N0, const double *Xi, size_t P, const double *y,
                                const double *U,               // [Pi x Pi] symmetric positive semidefinite
                                const double *Xi2, size_t P2,  // test path inputs
                                ap_work *work, ap_error *err);

// ---- posterior draws (ap_sample.c; with ap_collapsed.c, ap_langevin.c, ap_chain.c, ap_trajectory.c, ..) -------------

typedef enum ap_method {
    AP_COLLAPSED,    // the order parameters' own posterior                                        (T11, T12)
    AP_LANGEVIN,     // V_1 .. V_L, a by Langevin trajectories, V_0 exactly given them             (T12, T13)
    AP_LANGEVIN_ALL  // every weight by Langevin trajectories                                      (T2, T13)
} ap_method;

// The order of calls: ap_sample_check before anything else, since it is what makes the widths countable; then, with
// room for ap_sample_state doubles a chain and ap_sample_worksize of scratch,
//
//   ap_sample_start(state, &sampler, seed, chain, ..);              // chain = 0, 1, ..: streams of their own
//   draws = ap_sample_draws(state, &sampler, trajectories);         // room needed by ..
//   ap_sample_run(&out, state, &sampler, trajectories, ..);         // .. which may be called again and again
//
// The kernel of the problem must have been built. Errors: AP_EINPUT for what is out of range or no state of a chain,
// AP_ESIZE, AP_EMEMORY, and at the start of a run those of ap_energy; within a trajectory numerical failures are
// rejections, counted as divergences.

typedef struct ap_sampler {
    const ap_problem *problem;
    ap_method method;
    size_t warmup, thin;  // trajectories before the first draw counts; trajectories a draw, >= 1
    bool weights;         // whether weights will be asked for
    const double *Xi2;    // [N0 x probes x Pi] path inputs at which f is drawn; NULL where probes = 0
    size_t probes;
    bool (*stop)(void *context);  // asked at every step; may be NULL
    void *context;
} ap_sampler;

typedef struct ap_draws {  // room for the draws of one run of one chain
    size_t room;           // draws that fit, at least ap_sample_draws
    size_t count;          // in: 0; out: draws made
    double *U;             // [Pi x Pi x room] order parameter U_1
    double *f;             // [probes x room] outputs; may be NULL where probes = 0
    double *logpost;       // [room] log posterior density of what the dynamics moves, in the sampler's own coordinates
                           // and up to a constant: only differences within one run mean something
    double *hamiltonian;   // [room] total energy at the start of the draw's last trajectory
    double *weights;       // [weights x room] V_0, V_1 .. V_L, a end to end, each [N_{l+1} x N_l x H_l]; or NULL
} ap_draws;

typedef struct ap_sample_facts {
    double done, step, steps, friction;     // trajectories so far; the trajectory in use
    double acceptance, moved, divergences;  // after the warm-up: mean probability, fraction accepted, count
} ap_sample_facts;

AP_CHECKED ap_status ap_sample_check(const ap_sampler *s, ap_error *err);  // whole widths, T > 0, countable sizes
size_t ap_sample_weights(const ap_net *net, size_t N0);                    // numbers in one set of weights
size_t ap_sample_state(const ap_sampler *s);                               // doubles that are a chain's whole state
size_t ap_sample_worksize(const ap_sampler *s);
AP_CHECKED ap_status ap_sample_start(double *state,  // output: chain number `chain` at a draw from the prior
                                     const ap_sampler *s, uint64_t seed, uint64_t chain, ap_work *work, ap_error *err);
size_t ap_sample_draws(const double *state, const ap_sampler *s, size_t trajectories);  // that such a run will make
AP_CHECKED ap_status ap_sample_run(ap_draws *out, double *state,  // in/out; unchanged unless it returns AP_OK
                                   const ap_sampler *s, size_t trajectories, ap_work *work, ap_error *err);
ap_sample_facts ap_sample_look(const double *state, const ap_sampler *s);

// ---- training by gradient descent (ap_train.c) ----------------------------------------------------------------------
//
// A step: ap_train_unfold; ap_train_pass over the batch, in parts that may run side by side; ap_train_fold and
// ap_train_adam.
// Weights theta: Q_1 [G x N0 x H_1], K_1, .., Q_L, K_L, then V_0, V_1 .. V_L, a, each as it multiplies the layer below.

typedef struct ap_trainer {
    const ap_net *net;   // its shape, readout and causality; the rest must be valid, and does not count
    size_t N0, T;        // features, tokens of an example
    size_t G;            // rows of every Q and K
    size_t rank;         // r, numbers that a token comes as: N0 without a basis
    const float *basis;  // [N0 x r] orthonormal columns that span all tokens, or NULL
} ap_trainer;

AP_CHECKED ap_status ap_train_check(const ap_trainer *t, ap_error *err);  // before anything else
size_t ap_train_parameters(const ap_trainer *t);                          // numbers in theta
size_t ap_train_folded(const ap_trainer *t);                              // in phi, what the tokens see of theta
size_t ap_train_partial(const ap_trainer *t);                             // in u, the partial effective weights
size_t ap_train_seen(const ap_trainer *t);                                // in Q B, K B, V_0 B; 0 without a basis
void ap_train_start(float *theta, const ap_trainer *t, uint64_t seed);    // uniform in +-1 / sqrt (fan-in)
void ap_train_unfold(float *phi, float *u, float *seen,                   // output: [folded], [partial], [seen]
                     const ap_trainer *t, const float *theta);
size_t ap_train_worksize(const ap_trainer *t);
AP_CHECKED ap_status ap_train_pass(float *dphi,  // in/out: [folded], to which the derivative is added; may be NULL
                                   float *f,     // output: [P] the network's outputs
                                   const ap_trainer *t, const float *phi, const float *X,  // [r x T x P]
                                   const float *y, size_t P,                               // [P]; NULL where dphi is
                                   float weight,  // of an example in the loss, weight sum (f - y)^2
                                   ap_work *work, ap_error *err);
void ap_train_fold(float *grad,              // output: [parameters] derivative by theta
                   float *du, float *dseen,  // workspace: [partial], [seen]
                   const ap_trainer *t, const float *theta, const float *u, const float *seen, const float *dphi);
void ap_train_adam(float *restrict theta, float *restrict m, float *restrict v,  // in/out: [n] weights and moments
                   size_t n, const float *restrict grad, double step, double rate, double decay);  // step from 1
size_t ap_train_gradient_worksize(const ap_trainer *t, size_t P);
AP_CHECKED ap_status ap_train_gradient(double *grad, double *loss,  // of the mean of (f - y)^2, all in double
                                       const ap_trainer *t, const double *theta, const double *X,  // [r x T x P]
                                       const double *y, size_t P, ap_work *work, ap_error *err);

#endif
