// attnpath.h: the public face of the C core
// SPDX-License-Identifier: BSD-3-Clause
//
// attnpath computes the Bayesian theory of deep multi-head self-attention of
//   [TMIS24] Tiberi, Mignacco, Irie, Sompolinsky, NeurIPS 2024, arXiv:2405.15926.
// Equations T1..T39 are numbered in doc/theory.md. Arrays are column-major, examples last, indices from 0.
//
//   paper           C            Octave            shape               meaning
//   -------------   ----------   ---------------   -----------------   ---------------------------------------------
//   P               P                              count               training examples
//   T               T                              count               tokens of an example
//   N_0             N0                             count               features of a token
//   L, H_l          L, H[l-1]    net.L, net.H      count               layers; heads of layer l
//   s_l             skip[l-1]    net.skip          [L]                 gains of skip connections, 0 for none (T26)
//   sigma_{l,h}     headscale    net.headscale     [H_1 + .. + H_L]    prior scales of heads, over sigma_l       (T34)
//   x_mu            X            X                 [N0 x T x P]        tokens
//   Omega^{l,h}     A[l-1]       A{l}              [T x T x H_l x P]   attention, columns (queries) sum to 1   (T1)
//   gamma           bandwidth    net.bandwidth     scalar > 0          scores of softmax and cme are divided by it
//   lambda          ridge        net.ridge         scalar > 0          ridge of cme, whose columns sum freely     (T16)
//   pi              pi                             0..Pi-1             a path (h_1..h_L), h_1 slowest; where layer l
//                                                                      has a skip connection, that is its first branch
//   Pi_l            paths (l)                      count               branches of layers l..L multiplied; Pi = Pi_1,
//                                                                      Pi_{L+1} = 1; branches are heads and the skip
//   xi^pi_mu        Xi           paths.Xi          [N0 x P x Pi]       path inputs                             (T3)
//   C_{pi,pi'}      C            C                 [P x P x Pi x Pi]   path-path kernels                       (T5)
//   K(U)            K            K                 [P x P]             combined kernel                         (T6)
//   y               y            y                 [P]                 labels; of C outputs P x C            (T18)
//   N_1..N_L, N_a   width        net.width         [L+1]               widths
//   sigma^2         variance     net.variance      [L+2]               prior variances, input .. readout
//   T (Gibbs)       temperature  net.temperature   scalar              variance of the label noise
//   U_l             order        order{l}          [Pi_l x Pi_l] SPD   order parameters; in C one chain with u_a
//   u_a             order        sol.ua            scalar > 0          readout order parameter, U_{L+1} of the chain
//   S, E            action ...   sol.action ...    scalar              action, energy, entropy               (T7, T8)
//   dS/dU_l         grad         grad{l}           [Pi_l x Pi_l]       gradient, symmetric                     (T9)
//
// Several outputs (T17)-(T19): paths and examples carry an output index each, (pi,c) with c fastest and (mu,c) with mu
// fastest, so that vec Y is the labels' array as it is. The readout is one more layer of C heads above all others,
// under a scalar U_{L+2} = 1 that is fixed: ap_net_outputs makes such a chain of a network. There Pi_l is Pi_l C, P
// stands for P C wherever a matrix A or its labels are meant, and order{L+1} is the readout's C x C matrix.
//
// Users of the core (the gateways, other programs) need this file, and attnpath_beyond.h for what corrects or
// differentiates a solution, attnpath_sample.h for draws from the exact posterior, attnpath_train.h for training. The
// modules of the core share more with each other: a header for each folder.
//
// Rules that every function keeps:
//   - outputs come first; above a declaration, `A [n x m] := ..` names the size of an output and what it becomes;
//   - nothing is printed, nothing is allocated, no state outlives a call;
//   - what can fail returns an ap_status: 0 done, > 0 done with a remark, < 0 failed, the sentence being in *err, which
//     may be NULL;
//   - scratch memory comes from the caller as an ap_work, an arena whose blocks the caller lends when they are needed;
//   - counts must fit the integers of the BLAS in use; what could exceed them is refused with AP_ESIZE.

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

// ---- status and messages (ap_status.c) ------------------------------------------------------------------------------

typedef enum ap_status {
    AP_OK = 0,
    AP_LIMIT = 1,        // iteration limit reached before the tolerance
    AP_STALLED = 2,      // no further descent in double precision
    AP_INTERRUPTED = 3,  // stop or monitor of the caller returned true
    AP_ROUNDED = 4,      // no further descent, and the gradient is within what rounding of the point does to it
    AP_EINPUT = -1,      // a value out of its range
    AP_ESIZE = -2,       // a size beyond what BLAS integers or memory can address
    AP_EMEMORY = -3,     // the host has no more memory, or it may not be held
    AP_ENOTSPD = -4,     // a matrix that must be positive definite is not
    AP_ENONFINITE = -5,  // NaN or Inf where a finite number is needed
    AP_ELAPACK = -6      // LAPACK reports a failure that should not happen
} ap_status;

typedef struct ap_error {
    ap_status status;
    char text[256];  // one sentence with the offending value, no full stop
} ap_error;

const char *ap_status_name(ap_status status);  // short camelCase word, used in error identifiers

bool ap_blas_selftest(void);  // the BLAS that was linked uses integers of the width assumed at compile time (ap_blas.c)

// ---- scratch memory (ap_work.c) -------------------------------------------------------------------------------------

typedef struct ap_block ap_block;

typedef struct ap_work {           // an arena
    void *(*alloc)(size_t bytes);  // lends a block, or NULL, as malloc does
    void (*release)(void *block);  // takes it back
    size_t limit;                  // doubles that may be held
    bool guard_each_take;          // a block for each take, so that a sanitizer sees what overruns it
    size_t held, peak;             // doubles of all blocks; the most that they were
    size_t used;                   // doubles taken; a function restores it before it returns
    ap_block *first, *here;        // blocks; that of the last take
} ap_work;                         // at first .alloc, .release and .limit

double *ap_take(ap_work *work, size_t count);  // NULL if it, or a take before it, was refused
void ap_work_trim(ap_work *work);              // gives back blocks that hold nothing
void ap_work_close(ap_work *work);             // gives all blocks back
void ap_work_refused(ap_error *err, const ap_work *work, const char *by);  // output: the sentence of AP_EMEMORY
size_t ap_times(size_t a, size_t b);                                       // a b, or SIZE_MAX on overflow
size_t ap_plus(size_t a, size_t b);                                        // a + b, or SIZE_MAX on overflow

// ---- threads, lent by the host (ap_team.c) --------------------------------------------------------------------------

// One of several equal parts of a job. Parts may run side by side, each on its own memory: `thread` counts from 0.
typedef ap_status (*ap_part)(void *job, size_t part, size_t thread, ap_error *err);

typedef struct ap_team {
    size_t threads;  // that may run side by side, >= 1
    ap_status (*run)(ap_part part, void *job, size_t parts, size_t threads, ap_error *err);  // as without one
} ap_team;  // a NULL team: the parts run one after another

// ---- the network (ap_net.c, ap_rule.c) ------------------------------------------------------------------------------

typedef enum ap_rule_kind { AP_SOFTMAX, AP_HARDMAX, AP_CME, ap_rules } ap_rule_kind;  // rows of the table in ap_rule.c
typedef enum ap_kernel_kind { AP_KERNEL_EXPONENTIAL, AP_KERNEL_GAUSSIAN, AP_KERNEL_LINEAR } ap_kernel_kind;
typedef enum ap_read { AP_READ_TOKEN, AP_READ_LAST, AP_READ_MEAN, AP_READ_ALL } ap_read;  // ALL: one by one (T38)

typedef struct ap_rule {  // how heads turn scores into attention
    ap_rule_kind kind;
    double bandwidth;       // > 0; scores are divided by it, but for hardmax
    ap_kernel_kind kernel;  // of AP_CME
    double ridge;           // > 0, of AP_CME
} ap_rule;

typedef struct ap_heads {  // the heads of one layer
    size_t G;              // rows of Q and K; 0 for bilinear heads
    const double *W;       // [N0 x N0 x H] score of key s for query t is x_s' W x_t
    const double *Q, *K;   // [G x N0 x H]  score is (K x_s)'(Q x_t) / sqrt(G)
    ap_rule rule;
} ap_heads;

typedef struct ap_net {
    size_t L;
    const size_t *H;          // [L]
    const double *skip;       // [L] gains s_l of skip connections, 0 for none (T26); NULL: no layer has one
    const double *headscale;  // [H_1 + .. + H_L] prior scales sigma_{l,h} / sigma_l (T34); NULL: all are 1
    const ap_heads *heads;    // [L], or NULL when attention is brought by the user
    bool causal;              // query t sees keys s <= t only
    ap_read read;             // readout vector e
    size_t token;             // its token for AP_READ_TOKEN
    const double *width;      // [L+1]
    const double *variance;   // [L+2]
    double temperature;       // >= 0
    size_t outputs;           // C > 1: layer L is the readout of C outputs, from ap_net_outputs; 0 or 1: one output
} ap_net;

size_t ap_net_paths(const ap_net *net, size_t layer);  // Pi_layer, layer = 1..L+1; SIZE_MAX on overflow
size_t ap_net_outputs_count(const ap_net *net);        // C >= 1
size_t ap_net_inputs(const ap_net *net);               // path inputs of an example: Pi_1 / C
// The chain of a network with C > 1 outputs, one layer more; what is computed of attention is not in it. H [L+1],
// width [L+2], variance [L+3] live as long as the chain.
void ap_net_outputs(ap_net *chain, const ap_net *net, size_t C, size_t *H, double *width, double *variance);
AP_CHECKED ap_status ap_net_check(const ap_net *net, ap_error *err);  // ranges of all its numbers

enum { ap_net_marks = 4 };  // of H, readout, the rule and the weights of the heads, both 0 where there are none
void ap_net_mark(double mark[ap_net_marks], const ap_net *net, size_t N0);  // output: integers, see ap_mark.c

const char *ap_rule_name(ap_rule_kind kind);                             // 'softmax', ..
AP_CHECKED ap_status ap_rule_check(const ap_rule *rule, ap_error *err);  // ranges of its numbers

// ---- attention and path inputs (ap_attention.c, ap_attend.c, ap_paths.c, ap_backward.c) -----------------------------

typedef struct ap_tokens {
    size_t N0, T, P;
    const double *X;       // [N0 x T x P], zero-padded where an example is shorter than T
    const size_t *length;  // [P] in 1..T, or NULL: all are T
} ap_tokens;

// A [T x T x H_layer x P] := maps of one layer (T1)
AP_CHECKED ap_status ap_attention(double *A, const ap_net *net, size_t layer, const ap_tokens *x, ap_work *work,
                                  ap_error *err);

typedef struct ap_keys {  // one head's keys and values, without a network
    size_t d, n, dv;      // features of a key, keys, features of a value
    const double *K, *V;  // [d x n], [dv x n]
} ap_keys;

// out [dv x m] := V Omega, Omega [n x m], or NULL, := attention (T16) of queries Q [d x m], with scores k'q / bandwidth
AP_CHECKED ap_status ap_attend(double *out, double *Omega, const ap_rule *rule, const ap_keys *keys, const double *Q,
                               size_t m, ap_work *work, ap_error *err);

typedef struct ap_inputs {  // path inputs of some examples (T3): all that the theory sees of them
    size_t N0, P;
    const double *Xi;     // [N0 x P x Pi]
    const double *basis;  // NULL, or orthonormal columns [features x N0]: the path inputs are basis Xi (ap_span.c)
    size_t features;      // of a token, where there is a basis
} ap_inputs;

size_t ap_paths_count(const ap_net *net, const ap_tokens *x);  // P; where all tokens are read out, how many they are
// Xi [N0 x ap_paths_count x Pi] := path inputs (T3), of all tokens example by example; A [L]: maps brought by the user,
// or NULL: from the heads
AP_CHECKED ap_status ap_paths(double *Xi, const ap_net *net, const ap_tokens *x, const double *const *A,
                              const ap_team *team, ap_work *work, ap_error *err);

// Derivatives of a number by the maps [L] of [T x T x H_l x P], by the heads and by the logarithms of bandwidth and
// ridge, from those by the path inputs, D [N0 x ap_paths_count x Pi]. theta holds W, or Q and K, of each layer, then
// the two logarithms. maps and theta may be NULL; there is no theta of maps that are brought, nor of hardmax.
size_t ap_backward_parameters(const ap_net *net, size_t N0);  // numbers in theta
AP_CHECKED ap_status ap_backward(double *const *maps, double *theta, const double *D, const ap_net *net,
                                 const ap_tokens *x, const double *const *A, const ap_team *team, ap_work *work,
                                 ap_error *err);

// ---- kernels (ap_kernel.c) ------------------------------------------------------------------------------------------

// C [P x P2 x Pi x Pi] := (T5)
AP_CHECKED ap_status ap_pathkernels(double *C, const ap_net *net, const ap_inputs *x, const ap_inputs *x2,
                                    ap_error *err);
// K [P x P2] := (T6), [P C x P2 C] (T18), without temperature; U [Pi x Pi] symmetric
AP_CHECKED ap_status ap_kernel_cross(double *K, const ap_net *net, const ap_inputs *x, const ap_inputs *x2,
                                     const double *U, ap_work *work, ap_error *err);

typedef struct ap_kernel {        // K(U) and its derivatives for one training set; see the cost model in ap_kernel.c
    size_t N0, P, paths, pairs;   // P rows of A; pairs = Pi (Pi+1)/2, numbered as in ap_core.h
    size_t outputs;               // C: P is C times the examples, paths is C times the path inputs
    size_t examples, inputs;      // P / C, paths / C
    size_t features;              // of a token: N0, or more where the path inputs are held in a basis
    double scale;                 // sigma_0^2 / (features inputs)
    const double *Xi;             // [N0 x examples x inputs]
    const double *basis;          // [features x N0], or NULL
    size_t way;                   // in which they are had: its place in the list of ap_kernel.c
    double *packed;               // [P (P+1)/2 x pairs] symmetrised path kernels; NULL where storage is 0. For
                                  // several outputs see ap_kernel_outputs.c
    double *square;               // [P x P x pairs] the same unpacked, kept when it fits the cache, or NULL
    size_t storage;               // doubles that ap_kernel_build requires; 0: computed from Xi
    bool low_accuracy;            // gradients may be rounded more roughly, for speed: they move a sampler and no more
    bool (*stop)(void *context);  // called now and then by all functions that take long. If it returns true they
    void *context;                // return AP_INTERRUPTED, and what they make is undefined, except for the point that
                                  // a search has reached. NULL after ap_kernel_plan
} ap_kernel;

// Everything but the stored kernels; memory: bytes that they may take, 0: none are stored
AP_CHECKED ap_status ap_kernel_plan(ap_kernel *kernel, const ap_net *net, const ap_inputs *x, double memory,
                                    ap_error *err);
// A planned kernel with its stored kernels; storage [kernel->storage] lives as long as the kernel
AP_CHECKED ap_status ap_kernel_build(ap_kernel *kernel, double *storage, ap_work *work, ap_error *err);
// The same from what ap_kernel_build made of the same examples, `size` doubles
AP_CHECKED ap_status ap_kernel_adopt(ap_kernel *kernel, double *storage, size_t size, ap_error *err);

// ---- moments: any number of examples in one matrix (ap_moments.c) ---------------------------------------------------

typedef enum ap_form { AP_SQUARE, AP_FACTOR, ap_forms } ap_form;

typedef struct ap_moments {  // of B = [Phi y] [P x n], n = N0 Pi + C: an example's path inputs end to end, its C labels
    ap_form form;
    size_t N0, paths, outputs;  // of the network as it is, without outputs; C, 0 for 1
    size_t P;                   // examples in all
    double *sums;  // [n x n] B'B, lower triangle, or the upper triangular R of B = Q R, zeros below        (T20)
} ap_moments;

AP_CHECKED ap_status ap_moments_check(const ap_moments *m, ap_error *err);  // countable sizes: before anything else
size_t ap_moments_outputs(const ap_moments *m);                             // C >= 1
size_t ap_moments_size(const ap_moments *m);                                // doubles of sums
// sums and P, zero at first, become those with these examples
AP_CHECKED ap_status ap_moments_add(ap_moments *m, const ap_inputs *x, const double *y, ap_work *work, ap_error *err);
size_t ap_moments_rows(const ap_moments *m);                         // the most examples that can stand for them
double ap_moments_rounding(const ap_moments *m, const ap_net *net);  // eps |K| / T of a square, 0 for a factor
// Xi [N0 x rows x Pi], y [rows x C], room for ap_moments_rows; rest := squares of the labels that are left out
AP_CHECKED ap_status ap_moments_examples(double *Xi, double *y, size_t *rows, double *rest, const ap_moments *m,
                                         const ap_net *net, ap_work *work, ap_error *err);
bool ap_moments_pay(const ap_net *net, const ap_inputs *x);  // is gathering a factor first cheaper than going without?

// ---- a basis of what the path inputs span (ap_span.c) ---------------------------------------------------------------

typedef struct ap_span_use {  // what the examples are for
    double evaluations;       // of the energy, about
    double memory;            // bytes that stored kernels may take
    bool few;                 // where it pays, a few examples will stand for them (ap_moments_pay)
} ap_span_use;

size_t ap_span_most(const ap_net *net, const ap_inputs *x, const ap_span_use *use);  // the largest rank that pays, or 0
double ap_span_tolerance(const ap_moments *m, size_t N0);  // of inputs as they are (NULL), or of those that stand in
// basis [N0 x most] := `rank` orthonormal columns; rank := 0 where there is none, or nothing to be gained
AP_CHECKED ap_status ap_span_find(double *basis, size_t *rank, const ap_inputs *x, size_t paths, size_t most,
                                  double tolerance, ap_work *work, ap_error *err);
// Xi [rank x P x Pi] := basis' times the path inputs
void ap_span_turn(double *Xi, const double *basis, size_t rank, const ap_inputs *x, size_t paths);

// ---- a problem, its energy and its action (ap_energy.c, ap_action.c) ------------------------------------------------

typedef struct ap_problem {  // what an energy, an action, a posterior and a predictor belong to
    const ap_net *net;
    const ap_kernel *kernel;  // built
    const double *y;          // [P] labels
    size_t null_examples;     // rows of A beyond these P that a rotation left without path inputs (ap_moments.c),
    double null_sumsq;        // and the sum of their labels' squares; of m outputs that share one U, their mean
    double lognoise;          // sum over rows of A of log t, where examples are in units of their own noise (T35)
    size_t label_columns;     // m > 1: y is [P x m], outputs that share one U (ap_energy.c); 0 or 1: one column
    const double *apart;      // as y: what was taken from the labels (ap_explained.c), squares in null_sumsq; or NULL
    bool summed;              // rows are from moments of the form square: their squares are known within eps
} ap_problem;

size_t ap_problem_columns(const ap_problem *p);  // m >= 1
size_t ap_problem_outputs(const ap_problem *p);  // of an example: C, or m
size_t ap_problem_rows(const ap_problem *p);     // of A, with those without path inputs

typedef struct ap_fit {      // A = K(U_1) + T I, factored: energy, gradient, curvature and predictor are made from it
    double *F;               // [P x P] lower Cholesky factor of A
    double *b;               // [P] A^{-1} y; of m columns that share one U [P x m] A^{-1} y / sqrt (m)
    bool from_qr;            // F comes from the path inputs by reflections, not from A (ap_orthogonal.c)
    double largest;          // diagonal entry of A
    double squares, energy;  // y' A^{-1} y; E (T7), if requested
    double u_dependent;      // E without what does not depend on U
    double noise;            // what rounding may add to that
} ap_fit;

typedef struct ap_point {  // a point of the cone of order parameters, with what is known there
    double *order;         // [chain] U_1..U_L, u_a, as laid out in ap_network.h
    double *chol;          // [chain] lower Cholesky factors of the U_l
    double *inverse;       // [chain] their inverses
    double *grad;          // [chain] dS/dU_l, u_a eliminated (T9)
    double *G;             // [Pi x Pi] the energy's share of dS/dU_1
    ap_fit fit;
    double action, entropy;  // action = entropy + fit.energy
    double gradnorm;         // max_l max |dS/dU_l| / max (N)
    double gradrel;          // max_l max |F_l' (dS/dU_l) F_l| / N_l, U_l = F_l F_l': the same without units
    double noise;            // what rounding may add to the action: differences below it mean nothing
    double rounding;         // its effect on gradrel, where a search stalled (ap_rounding.c); else 0
} ap_point;

size_t ap_params_length(const ap_net *net);            // doubles in the chain U_1..U_L, u_a, end to end
size_t ap_params_at(const ap_net *net, size_t layer);  // where U_layer begins, layer = 1..L+1: u_a is U_{L+1}
// The GP limit: U_l is diagonal, the entry of a partial path sigma_a^2 times sigma_k^2 of all its layers but those that
// it skips (sections 4 and 17 of theory.md)
void ap_params_gp(double *order, const ap_net *net);

AP_CHECKED ap_status ap_point_take(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err);
size_t ap_action_size(const ap_problem *p);  // doubles that the gradient at a point takes, with the point, about
// From U_1..U_L of order: all but grad, G, gradnorm (T7, T8); and from that: grad, G, gradnorm, gradrel
AP_CHECKED ap_status ap_action_value(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_action_gradient(ap_point *point, const ap_problem *p, ap_work *work, ap_error *err);
// gradnorm, gradrel := what rounding of the point, from ap_action_gradient, does to them; beside: scratch, from
// ap_point_take
AP_CHECKED ap_status ap_rounding(double *gradnorm, double *gradrel, ap_point *beside, const ap_point *point,
                                 const ap_problem *p, ap_work *work, ap_error *err);

// ---- saddle point (ap_solve.c) and its certificate (ap_certificate.c) -----------------------------------------------

typedef struct ap_progress {
    size_t iterations, evaluations;  // Newton steps; actions evaluated
    size_t factor_steps;             // of the steps, those in nested factors (ap_factors.c)
    double action, gradnorm, step;   // step: length of the last one in the affine-invariant metric
    size_t part, parts;              // of ap_solve_parts: the small problem at hand, from 1, or 0; how many there are
    size_t start, starts;            // of ap_solve_lowest: the start at hand, from 0; how many there are at most
    size_t subproblem_evaluations;   // evaluations of all small problems
} ap_progress;

typedef struct ap_settings {
    double tolerance;       // on gradnorm, and on the length of the next step over 100; 1e-8
    size_t max_iterations;  // 200
    size_t probes;          // random vectors of the log-determinant's curvature; 4
    double step_limit;      // longest step, in the affine-invariant metric over sqrt (Pi); 1
    ap_progress begin;      // what progress begins with: 0, or that of several searches, of which this is one
    bool (*monitor)(void *context, const ap_progress *progress);  // true: stop; may be NULL
    void *context;
} ap_settings;

ap_settings ap_settings_default(void);
size_t ap_solve_size(const ap_problem *p);  // doubles that it takes, with the point, about
// From a point of ap_point_take, U_1..U_L of order the start, to the saddle point and all that is known there
AP_CHECKED ap_status ap_solve(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                              ap_work *work, ap_error *err);
// The same of C > 1 coupled outputs, from a start that small problems give (ap_solve_parts.c), or from order where
// there is none
AP_CHECKED ap_status ap_solve_parts(ap_point *point, ap_progress *progress, const ap_problem *p,
                                    const ap_settings *settings, ap_work *work, ap_error *err);
typedef struct ap_start {  // where a search ended; NaN where it failed
    double action, gradnorm;
    bool converged;
} ap_start;

enum { ap_starts_many = 10 };  // starts where several minima are likely
typedef struct ap_starts {
    size_t wanted;           // 0: as many as the problem is likely to need, see ap_starts.c
    uint64_t seed;           // of all but the first
    bool parts;              // the first is that of ap_solve_parts
    ap_start *each;          // [wanted, or ap_starts_many if that is 0]: output, the first `made` of them
    size_t made, best;       // output: the starts that were made; the one whose result is kept
    size_t reached, higher;  // output: how many converged to the same action as that one, and to a higher one
    double growth;           // output: norm of the result's U_1 over that at the GP point
} ap_starts;

size_t ap_starts_size(const ap_problem *p, size_t wanted);  // doubles that these take, with the point, about
// The lowest of several minima, from order and from random starts. progress: evaluations of all, the rest of the best
AP_CHECKED ap_status ap_solve_lowest(ap_point *point, ap_progress *progress, ap_starts *starts, const ap_problem *p,
                                     const ap_settings *settings, ap_work *work, ap_error *err);

bool ap_explained_matters(const ap_problem *p);  // rounding of labels that no path input explains (ap_explained.c)
// y, apart := the labels without that part, and that part, as many as p->y; rest := p->null_sumsq with its squares
AP_CHECKED ap_status ap_explained(double *y, double *apart, double *rest, const ap_problem *p, ap_work *work,
                                  ap_error *err);

typedef struct ap_solution {  // properties of the point at which a search ended (ap_solution.c)
    bool converged;
    double action, energy, entropy;  // of all outputs, also of those that share one U
    double noise;                    // what rounding may add to the action
    double evidence;                 // log p(y) to leading order (T10b)
    double diagonal, labels;         // mean diagonal of the GP limit's kernel, mean square of the labels
    double reach;                    // y'f / (y'y) is at most that, for the answer f on the training set
} ap_solution;

// reason: why the search ended
AP_CHECKED ap_status ap_solution_of(ap_solution *solution, ap_status reason, const ap_settings *settings,
                                    const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);

// smallest := least eigenvalue of the Hessian of S/max(N), to 1e-4, of many paths to 1e-3 (ap_certificate_products.c);
// AP_LIMIT: only an upper bound of it. doubt := how far off it may be, as far as rounding shows; products := exact
// Hessian-vector products taken
AP_CHECKED ap_status ap_hessian_smallest(double *smallest, double *doubt, size_t *products, const ap_problem *p,
                                         const ap_point *point, ap_work *work, ap_error *err);

// ---- predictor (ap_predict.c) ---------------------------------------------------------------------------------------

size_t ap_fit_size(const ap_problem *p);  // doubles that ap_fit_take takes
AP_CHECKED ap_status ap_fit_take(ap_fit *fit, const ap_problem *p, ap_work *work, ap_error *err);
// A fit at U [Pi x Pi] symmetric positive semidefinite; where A is not definite, err names K's least eigenvalue
AP_CHECKED ap_status ap_predict_fit(ap_fit *fit, const ap_problem *p, const double *U, ap_work *work, ap_error *err);
// mu, s2 := mean and variance of f (T10) at test examples x2, from the fit at U; s2 may be NULL. [P2], of C outputs
// [P2 x C] and [C x C x P2], of m that share one U [P2 x m] and [P2]
AP_CHECKED ap_status ap_predict(double *mu, double *s2, const ap_problem *p, const ap_fit *fit, const double *U,
                                const ap_inputs *x2, ap_work *work, ap_error *err);

// ---- predictor of many draws (ap_draws.c) ---------------------------------------------------------------------------

typedef struct ap_many {
    const double *U;  // [Pi x Pi x count] symmetric positive semidefinite, count >= 1
    size_t count;
    bool (*monitor)(void *context, size_t done);  // between draws, by the caller's thread: true ends the work as
    void *context;                                // AP_INTERRUPTED; may be NULL. All threads call kernel->stop
} ap_many;

// W [features x C x inputs] := effective weights, mean over the draws: the mean of f is sum_a x_a . W_a
AP_CHECKED ap_status ap_draws_weights(double *W, const ap_problem *p, const ap_many *draws, const ap_team *team,
                                      ap_work *work, ap_error *err);
// mu [P2 x C], s2 [C x C x P2] := mean and variance of f
AP_CHECKED ap_status ap_draws_predict(double *mu, double *s2, const ap_problem *p, const ap_many *draws,
                                      const ap_inputs *x2, const ap_team *team, ap_work *work, ap_error *err);

#endif
