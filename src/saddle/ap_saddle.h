// ap_saddle.h: the minimum of the action, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SADDLE_H
#define AP_SADDLE_H

#include "action/ap_action.h"

// ---- constants of the search, each with its reason ------------------------------------------------------------------

enum {
    // ap_solve.c
    ap_solve_patience = 60,         // steps after which nested factors take over; ordinary problems take 5 to 20
    ap_solve_steps_near = 30,       // of those where they go on from here, before they restart
    ap_solve_most_cuts = 30,        // of a step, the least of them by a half: 1e-9 of it is left
    ap_solve_many_cuts = 8,         // after so many a step counts as none
    ap_solve_many_capped = 2,       // steps in a row at the reach, before it grows: one may be chance
    ap_solve_most_doublings = 100,  // of the scale: 30 decades
    // ap_dense.c, ap_iterative.c
    ap_dense_most_shifts = 60,         // doublings: from the least over 18 decades
    ap_iterative_most_products = 200,  // of a step, which is then what was found
    ap_iterative_probes_more = 2,      // of those of the matrix: a product reads the inputs once, 8 cost 1.1 times 4
    ap_iterative_probes_most = 4,      // times these, once the vectors have led astray
    ap_iterative_power_steps = 20,     // for the largest eigenvalue of a d_l, which need not be exact
    ap_iterative_changes = 8,          // of the gradient that correct H's inverse
    ap_iterative_directions = 64,      // that correct the preconditioner of an exact H,
    ap_iterative_recorded = 32,        // of one search
    // ap_model.c
    ap_model_few = 40,                 // paths up to which a matrix is a matter of milliseconds, and kept in any case
    ap_model_vectors = 8,              // random vectors of the map
    ap_model_products_of_a_step = 11,  // of the map, about
    // nested factors
    ap_factors_most_paths = 64,     // three matrices of 2100 rows, 106 MB
    ap_factors_bounds_first = 10,   // steps of the bound: they find the scale of labels, and are slow after that
    ap_factors_bound_sweeps = 10,   // over the layers, for the bound's minimum
    ap_factors_most_shifts = 40,    // tries of the shift of one step
    ap_factors_most_cuts = 40,      // of the radius by a quarter, before the search has stalled
    ap_factors_jacobi_sweeps = 30,  // over all pairs of columns; it ends where none is turned
    // ap_rounding.c, ap_factors_rounding.c
    ap_rounding_draws = 3,  // of rounding, the largest of which counts: a strict demand
    ap_most_idle = 3        // steps without progress, at the floor of rounding, after which a search has stalled
};

static const double ap_solve_far = 100.0;        // gradrel above which nested factors start at once from the GP point
static const double ap_dense_near = 0.2;         // full step, in the metric, below which estimates stay: flat, .1 to .5
static const double ap_dense_tail = 0.03;        // the same for all of H
static const double ap_dense_first_shift = 2.0;  // of an indefinite H; later ones begin at an eighth of the last
static const double ap_dense_least_shift = 1e-6;  // and double
static const double ap_iterative_tail = 0.1;      // full step below which a probed H stays
static const double ap_iterative_rough = 0.1;     // accuracy far from the solution
static const double ap_iterative_fine = 0.01;     // and near it: what the vectors are good for
static const double ap_iterative_longest = 3.0;   // eigenvalue of a step
static const double ap_iterative_growth = 4.0;    // of the radius of a direction that bends down, over the last step
static const double ap_iterative_close = 0.3;     // longest step after which an exact H takes the place of a sketch
static const double ap_iterative_nearby = 1.0;    // .. after which the search before is of use, and accuracy too
static const double ap_iterative_loose = 0.03;    // accuracy then, at first; 0.1 takes an evaluation more
static const double ap_iterative_sharp = 1e-3;    // and near the solution
static const double ap_iterative_enough = 0.3;    // of the tolerance, that a step aims at
static const double ap_factors_dear = 5e8;        // products that the exact curvature of log det A may take
// Of a product through the inputs: fitted to solves with matrix and map on either side of the crossing: P = 500,
// N0 = 192 at 49 paths, P = 100, N0 = 48 at about 30.
static const double ap_model_thin = 530.0;
// At 2 (C = 10, 22 paths, P = 100) and 9 (C = 5, 12 paths) exact products save evaluations and time, at 22 (C = 3,
// 8 paths) evaluations alone, and from 160 on (4 paths; P = 600) a few of them for several times the time.
static const double ap_model_worth = 12.0;
// gradnorm has the unit of 1/U and hides narrow layers behind wide ones: it is no measure where U is large or widths
// differ much. A search therefore continues until its next step is below this many tolerances as well: a length
// without units, about the relative error of U. At ordinary scales gradnorm decides.
static const double ap_ahead_most = 100.0;
// Longest next step of a search that ends by rounding: U is accurate to about a thousandth. It is measured in the
// metric, in nested factors relative to these.
static const double ap_close = 1e-3;

// ---- second derivatives of the action (ap_curvature.c) --------------------------------------------------------------
//
// Symmetric perturbations of U_1..U_L have n coordinates, those of ap_order.c; the first `pairs` of them belong to U_1.

void ap_curvature_add(double *H, size_t n, size_t paths, double alpha,  // H += alpha tr (A x B x), lower
                      const double *A, const double *B);                // [paths x paths] symmetric

AP_CHECKED ap_status ap_curvature_entropy(double *H,  // output: [n x n] lower, entropy along the retraction
                                          const ap_net *net, const ap_point *point,
                                          const double *frame,  // [chain] the point's Cholesky factors: coordinates of
                                                                // d_l, x_l = F_l d_l F_l'; NULL: those of x_l
                                          ap_work *work, ap_error *err);

// H += E, and tr (G x U_1^{-1} x), the retraction's contribution to the energy's: all in the frame F of U_1.
void ap_curvature_join(double *H, size_t n, const double *E,  // [n x n], [pairs x pairs] lower
                       const ap_point *point, const double *F, size_t paths, double *scratch);  // [2 paths paths]

void ap_curvature_probes(double *Z,                   // output: [P x count] of all probes, number first and on
                         size_t first, size_t count,  // random signs, or, with P probes, sqrt (P) times unit vectors
                         size_t P, size_t probes);

AP_CHECKED ap_status
ap_curvature_energy(double *quadratic,  // output: [pairs x pairs] lower, 2 v_p . v_q, curvature of y' A^{-1} y
                    double *g,          // output: [pairs] tr W_p, the log-determinant's gradient
                    double *logdet,     // output: [pairs x pairs] lower, estimate of tr (W_p W_q),
                                        // untouched without probes
                    size_t probes,      // random vectors; 0: none; P: exact
                    const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);

// ---- perturbations of the order parameters in a frame where the metric is the identity (ap_frame.c) -----------------

typedef struct ap_frame {
    const ap_net *net;
    double *F;  // [chain] lower Cholesky factors of the point where the frame was taken: x_l = F_l d_l F_l'
    double *matrix, *square;  // [chain], [Pi x Pi] scratch
} ap_frame;

AP_CHECKED ap_status ap_frame_take(ap_frame *frame, const ap_net *net, ap_work *work, ap_error *err);
void ap_frame_move(ap_frame *frame, const ap_point *point);  // the frame of this point from now on
void ap_frame_gradient(double *v,  // output: [unknowns] derivative of S by the coordinates of d at any point
                       ap_frame *frame, const ap_point *point);
double ap_frame_matrices(double *x,  // output: [chain] the matrices x_l of d; returns their metric length at the point
                         ap_frame *frame, const double *d, const ap_point *point);
double ap_frame_inner(const double *d, const double *e, const ap_net *net);  // sum_l tr (d_l e_l)
double ap_frame_length(const double *d, const ap_net *net);  // metric length of d where the frame was taken
AP_CHECKED ap_status ap_frame_geodesic(double *U,            // output: [n x n] F exp (d) F'
                                       double *d,            // [n x n] symmetric, destroyed
                                       const double *F,      // [n x n] lower
                                       size_t n,
                                       double *work,  // [n (n + 4)]
                                       ap_error *err);
void ap_frame_retract(double *U,        // output: [n x n] F (one I + d + d^2/2) F'
                      double one,       // 1, or 0 for the change of F F' alone
                      const double *d,  // [n x n] symmetric
                      const double *F, size_t n);

// E := T' E T: the curvature E [pairs x pairs] of U_1, in its lower triangle, from coordinates of x_1 to those of d_1.
enum { ap_frame_beside = 32 };
void ap_frame_form(double *E, const double *F,      // [paths x paths] lower Cholesky factor of U_1
                   size_t paths, double *scratch);  // [paths x paths x ap_frame_beside]

// ---- curves through the cone that turn eigenvectors, for curved valleys (ap_triangular.c) ---------------------------

typedef struct ap_triangular {
    const ap_net *net;
    double *Q, *g;              // [chain] eigenvectors of F_l' F_l, largest first; Q_l' F_l' (dS/dU_l) F_l Q_l
    double *one, *two, *three;  // [Pi x Pi] and some rows of scratch
} ap_triangular;

AP_CHECKED ap_status ap_triangular_take(ap_triangular *t, const ap_net *net, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_triangular_make(ap_triangular *t, const ap_point *point,
                                        ap_error *err);  // at this point, in its frame
void ap_triangular_retract(double *U,                    // output: [Pi_l x Pi_l] U_l at the end of the curve
                           ap_triangular *t, size_t l, const double *F,  // the point's Cholesky factor
                           const double *d);                             // [Pi_l x Pi_l] symmetric, x_l = F d F'
void ap_triangular_add(
    double *M,  // in and out: [Pi_l x Pi_l] half the derivative by d_l of what the curves' bend adds to
                // the second derivative of S along straight lines
    ap_triangular *t, size_t l, const double *d);
void ap_triangular_matrix(
    double *H,  // in and out: [n x n] lower, second derivative along the retraction, along the curves
    ap_triangular *t, size_t n, double *d, double *M);  // [Pi x Pi] scratch

// ---- the entropy's second derivative as a linear map (ap_entropy_hessian.c) -----------------------------------------

typedef struct ap_entropy_hessian {
    const ap_net *net;
    double *F;                 // [chain] the frame: x_l = F_l d_l F_l'
    double *B, *C;             // [chain] (I (x) F_{l+1}^{-1}) F_l; the layer's own form tr (C_l d_l d_l)
    double *Q, *values;        // [chain], [sum of Pi_l] eigenvectors and eigenvalues of the S_l of the inverse
    double *top, factor;       // [Pi_L x Pi_L] F_L' F_L; of the form <top, d_L>^2, from eliminating u_a
    double *one, *two, *back;  // [Pi x Pi] scratch
    double *three;             // the same, of networks with skip connections
} ap_entropy_hessian;

AP_CHECKED ap_status ap_entropy_hessian_take(ap_entropy_hessian *t, const ap_net *net, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_entropy_hessian_make(ap_entropy_hessian *t, const ap_point *point,
                                             double retraction,  // weight of x U^{-1} x / 2: 1, or 0 for straight lines
                                             ap_error *err);
void ap_entropy_hessian_apply(
    double *M,  // output: [chain] symmetric, half the derivative of the form by the matrices d_l
    ap_entropy_hessian *t, const double *d);  // [chain]
void ap_entropy_hessian_solve(double *M,      // in: [chain] as apply leaves it; out: about the d that it is from
                              ap_entropy_hessian *t);
void ap_entropy_hessian_forth(double *M, ap_entropy_hessian *t);  // M := C^{-1} M, and
void ap_entropy_hessian_back(double *M,
                             ap_entropy_hessian *t);  // M := C^{-T} M, of that approximate form's own root: it is C C'
double ap_entropy_hessian_logdet(const ap_entropy_hessian *t);  // of C C', in orthonormal coordinates

// ---- the energy's second derivative, by random vectors, as a linear map (ap_energy_probes.c) ------------------------

typedef struct ap_energy_probes {
    const ap_problem *p;
    const double *R;      // [Pi x Pi] the frame: x_1 = R d_1 R'
    size_t labels;        // columns of b
    size_t room, probes;  // random vectors that stand for the log-determinant: at most, in the next make
    double *F, *Z;        // [P x P] factor of A, [P x columns] the vectors: those of b first
    double *W, *Y, *V;    // [N0 x columns x Pi] Xi Z R, and scratch; [P x columns] scratch
    double *g, *T;        // [Pi x Pi] R' (d log det A / dU_1) R; scratch
} ap_energy_probes;

AP_CHECKED ap_status ap_energy_probes_take(ap_energy_probes *t, const ap_problem *p, size_t probes, ap_work *work,
                                           ap_error *err);
void ap_energy_probes_make(ap_energy_probes *t, const ap_point *point, const double *R);  // R is kept, not copied
void ap_energy_probes_add(
    double *M,  // in and out: [Pi x Pi] symmetric, half the derivative of the form by the matrix d_1
    ap_energy_probes *t, const double *d);

// ---- the energy's second derivative, exactly, as a linear map (ap_energy_hessian.c) ---------------------------------

typedef struct ap_energy_hessian {
    const ap_problem *p;
    bool fast;                       // with the inverse of F
    const double *R;                 // [Pi x Pi] the frame, lower triangular: x_1 = R d_1 R'; NULL: there is none
    const double *F, *b;             // [P x P] factor of A, [P x m] A^{-1} y: the point's, or if fast copies
    double *own, *labels, *inverse;  // these copies, and the inverse of F
    double *w, *K, *X;               // [P x m], [P x P], [Pi x Pi] scratch
    double noise;                    // unless fast: the most that rounding of K (x) does to the form, over all x so far
} ap_energy_hessian;

AP_CHECKED ap_status ap_energy_hessian_take(ap_energy_hessian *t, const ap_problem *p, bool fast, ap_work *work,
                                            ap_error *err);
AP_CHECKED ap_status ap_energy_hessian_make(ap_energy_hessian *t,
                                            const ap_point *point,  // must stay as it is, unless fast
                                            const double *R,        // kept, not copied
                                            ap_error *err);
AP_CHECKED ap_status
ap_energy_hessian_energy(double *X,  // in: [Pi x Pi] x_1; out: half the derivative of the form by it, G-like
                         ap_energy_hessian *t, ap_work *work, ap_error *err);
AP_CHECKED ap_status
ap_energy_hessian_add(double *M,  // in and out: [Pi x Pi] symmetric, half the derivative of the form by d_1
                      ap_energy_hessian *t, const double *d, ap_work *work, ap_error *err);

// ---- products with the Hessian of the action at a point (ap_product.c) ----------------------------------------------
//
// One map for all that needs the Hessian H, in the frame x_l = F_l d_l F_l', U_l = F_l F_l': the search
// (ap_iterative.c), its certificate (ap_certificate_many.c), the determinant (ap_logdet.c). It is the second derivative
// of S
//
//   along the retraction      U (d) = F (1 + d + d^2/2) F', and so to second order along geodesics, or
//   along straight lines      U (d) = F (1 + d) F'
//
// at a point, u_a eliminated. The entropy's share is that of ap_entropy_hessian.c, which also has an approximate
// inverse of H and its root. The energy's share comes in three forms, each a table ap_product_ops.

typedef struct ap_product ap_product;

typedef struct ap_product_ops {  // a form of the energy's share, in the frame entropy.F
    ap_status (*take)(ap_product *t, size_t probes, ap_work *work, ap_error *err);
    ap_status (*make)(ap_product *t, const ap_point *point, ap_error *err);
    ap_status (*add)(double *M, ap_product *t, const double *d, ap_work *work,
                     ap_error *err);  // M_1 := M_1 + its share
} ap_product_ops;

extern const ap_product_ops ap_product_probed;    // labels exactly, log det A by random vectors: a hundredth of an
                                                  // evaluation
extern const ap_product_ops ap_product_inverted;  // exact, with an inverse: two or three evaluations
extern const ap_product_ops ap_product_solved;    // exact, by solves: three or four. The point must stay as it is

struct ap_product {
    const ap_problem *p;
    const ap_product_ops *how;  // the form in use, of those that were taken
    ap_entropy_hessian entropy;
    ap_energy_hessian exact;  // of the exact forms
    ap_energy_probes random;  // of the other; random.probes, up to random.room, may change before ap_product_make
};

typedef enum ap_along { AP_LINES, AP_RETRACTION } ap_along;

AP_CHECKED ap_status ap_product_take(ap_product *t, const ap_problem *p, const ap_product_ops *how,  // the form in use
                                     size_t probes,  // random vectors, for the one that has them
                                     ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_product_make(ap_product *t, const ap_point *point, ap_along along, ap_error *err);
AP_CHECKED ap_status ap_product_apply(double *M,  // output: [chain] symmetric, half the derivative of d' H d by the
                                                  // matrices d_l
                                      ap_product *t, const double *d,  // [chain] symmetric
                                      ap_work *work, ap_error *err);

// ---- the curvature of the action held as a matrix (ap_dense.c) ------------------------------------------------------

typedef struct ap_dense {
    size_t pairs;             // unknowns of U_1, to which the energy's curvature belongs
    size_t probes;            // for the next estimate of log det's curvature
    double *H, *factor;       // [n x n] lower: curvature in coordinates of d; Cholesky factor, H shifted if need be
    double *energy, *logdet;  // [pairs x pairs] lower: the energy's curvature; the log-determinant's, sign reversed
    double *blocks;           // [Pi x Pi x some] scratch
    double *u, *g, *u_old, *g_old;  // [pairs] U_1 and the gradient of log det A, here and at the model before
    double *scratch;                // [n]
    double shift;                   // of the last indefinite H
    bool framed;                    // energy was made in coordinates of d, and logdet is of no further use
    bool turns;                     // H is that along the triangular curves
    bool definite, met;             // H needed no shift: this time, at any time before
} ap_dense;

extern const struct ap_model_ops ap_dense_ops;

// ---- the curvature of the action held as a linear map (ap_iterative.c) ----------------------------------------------

typedef struct ap_iterative {
    bool sharpens;  // H is exact near the solution
    bool exact;     // it is now: so is the form of H in use
    ap_product H;
    double *D, *M;                // [chain] a direction as matrices; what the map makes of it
    double *b, *r, *d;            // [n] right-hand side, residual, solution
    ap_krylov_vectors gradients;  // what conjugate gradients keep
    ap_secants secants;           // what corrects H's inverse, or, where H is exact, the preconditioner
    double accuracy;              // of the next solution, relative to its right-hand side
    double radius;                // of the next step, where a direction bends down
    bool turns;                   // H is that along the triangular curves
    bool definite, met;           // no direction bent down: in the last search, in any before
} ap_iterative;

extern const struct ap_model_ops ap_iterative_ops;        // with random vectors
extern const struct ap_model_ops ap_iterative_exact_ops;  // with exact products

// ---- the quadratic model of the action that a Newton step minimises (ap_model.c) ------------------------------------
//
//   S (U + x + x U^{-1} x / 2)  ~  S (U) + v' d + d' H d / 2,      d the coordinates of x in the model's frame
//
// or the same along the curves of ap_triangular.c, if `turns` is set.
// How H is held is hidden behind the table ap_model_ops: a search (ap_solve.c) uses the frame and these functions
// alone. There are three: a matrix (ap_dense.c), and the map of ap_product.c with estimated or with exact products
// (ap_iterative.c). Another one is another table, a member of ap_model for what it keeps, and a line in
// ap_model_ops_for that chooses it.

typedef struct ap_step {      // the last step, as the model needs it
    double length, fraction;  // metric length of the full step; part of it that was taken, 0 before the first
    double *s, *y;            // [n] step taken and change of the gradient it made, in the model's coordinates
} ap_step;

typedef struct ap_model ap_model;
typedef struct ap_model_ops ap_model_ops;

struct ap_model_ops {  // what a way of holding H must implement
    // Memory for H, which lives as long as the model.
    ap_status (*take)(ap_model *model, size_t probes, ap_work *work, ap_error *err);
    // H at the point, recomputed or corrected by the last step; the frame moves to the point if H is recomputed.
    ap_status (*update)(ap_model *model, const ap_point *point, const ap_step *last, ap_work *work, ap_error *err);
    // d := minimiser of v'd + d'Hd/2, H shifted along the metric where it is not definite.
    ap_status (*minimise)(double *d, ap_model *model, const double *v, ap_work *work, ap_error *err);
    // length := metric length of the minimiser at gradient v, with H as it was in the last minimise; infinite if that H
    // was shifted.
    ap_status (*ahead)(double *length, ap_model *model, const double *v, ap_work *work, ap_error *err);
};

struct ap_model {
    const ap_problem *p;
    const ap_model_ops *how;
    size_t n;          // unknowns
    double radius;     // longest step that the search will take, in the metric
    double tolerance;  // of gradnorm, where the search will end
    bool turns;        // steps follow the triangular curves, else the retraction
    ap_triangular curves;
    ap_frame frame;
    ap_dense dense;          // what ap_dense.c keeps
    ap_iterative iterative;  // what ap_iterative.c keeps
};

bool ap_model_is_small(const ap_problem *p);  // H as a matrix is cheaper than as a map
const ap_model_ops *ap_model_ops_for(const ap_problem *p);

AP_CHECKED ap_status ap_model_take(ap_model *model, const ap_problem *p,
                                   const ap_settings *settings,  // with the settings of the model
                                   ap_work *work, ap_error *err);

// ---- the action in nested factors (ap_factors_action.c) -------------------------------------------------------------

typedef struct ap_factors {
    double *B, *R;  // [chain] B_l with orthogonal columns, R_l
    double *G;      // [Pi x Pi] R_1' (dE/dU_1) R_1
    ap_fit fit;
    double entropy, height, noise;
} ap_factors;

typedef struct ap_nest {
    const ap_problem *p;
    const ap_settings *settings;
    ap_work *work;
    ap_error *err;
    ap_kernel kernel;   // its path inputs are those of a point, Y
    ap_problem mixed;   // the problem with that kernel
    size_t last, n, q;  // L+1; coordinates of all layers, and of the first
    ap_factors now, trial;
    double *Y;                           // [N0 P x Pi] path inputs times R_1, of the point that was last evaluated
    double *unit;                        // [Pi x Pi] identity
    double *X, *gX;                      // [Pi x Pi x (n - q)] X_a of the layers above the first, and g X_a
    double *J;                           // [q x (n - q)] D_a
    double *g;                           // [chain] g_l
    double *one, *two, *three, *four;    // [Pi x Pi] scratch
    double *H, *factor;                  // [n x n] in units of the root of the metric D, as v and d
    double *energy, *logdet;             // [n x n], logdet in the place of factor
    double *v, *v_here, *d, *D;          // [n] gradient, step
    double *t;                           // [n + P m] the step in its own coordinates; m columns of b, for the bound
    double *V, *W;                       // [chain] roots of V_l in the bound's minimum, their inverses
    double *scratch;                     // [n + 4 Pi]
    double radius, gain, length;         // of the current step: its predicted gain, and its length in the metric of U
    double gradnorm, gradrel, rounding;  // as in ap_point
    double best;                         // shortest step at the floor of rounding
    bool stopped;                        // the caller interrupts the work
    int idle;                            // steps there that were no shorter
} ap_nest;

void ap_factors_act(char t, double *A, const double *X, const ap_member *u,
                    double *scratch);                                                        // A := (I (x) X) A, or X'
AP_CHECKED ap_status ap_factors_from_order(ap_nest *s, ap_factors *f, const double *order);  // B_l, R_l of these U_l
void ap_factors_straighten(ap_nest *s, ap_factors *f);  // orthogonal columns in every layer, and R_l
double ap_factors_squares(const ap_factors *f, const ap_member *u, size_t j);  // of column j of B_l, their sum
void ap_factors_mix(ap_nest *s, const ap_factors *f);                          // Y, the path inputs times R_1
AP_CHECKED ap_status ap_factors_fit(ap_nest *s, ap_factors *f);     // of the labels at Y, and with it the height of S
AP_CHECKED ap_status ap_factors_value(ap_nest *s, ap_factors *f);   // entropy, Y, fit, height and noise
AP_CHECKED ap_status ap_factors_derive(ap_nest *s, ap_factors *f);  // G, after value
void ap_factors_solve(double *A, const ap_factors *f, const ap_member *u, double *scratch);  // A := B_l^{-1} A
void ap_factors_carry(double *X, ap_nest *s, const ap_factors *f,
                      const ap_member *u);                                   // X := C_l (X), smaller on entry
double ap_factors_length(ap_nest *s, const ap_factors *f, const double *t);  // metric length of the change of all U_l
void ap_factors_gradient(ap_nest *s, const ap_factors *f);                   // v, D and g_l, after derive
AP_CHECKED ap_status ap_factors_model(ap_nest *s);                           // v, D and H of the point now

// ---- a step that minimises a bound of the action, in nested factors (ap_factors_bound.c) ----------------------------

AP_CHECKED ap_status ap_factors_bound(ap_nest *s);  // trial := the minimum of the bound at the point now, by turns

// ---- where rounding ends a search in nested factors (ap_factors_rounding.c) -----------------------------------------

void ap_factors_norms(ap_nest *s);                  // gradrel, in the frames R_l, and gradnorm of the point now
AP_CHECKED ap_status ap_factors_judge(ap_nest *s);  // of Newton's own step: AP_OK to go on, AP_ROUNDED, AP_STALLED

// ---- the saddle point of hard problems, searched in nested factors (ap_factors.c) -----------------------------------

bool ap_factors_can(const ap_problem *p);  // this search serves the network, and the size
// The reasons are those of ap_solve. A negative one: the point is none, for U_l in double precision is singular.
AP_CHECKED ap_status ap_factors_search(ap_point *point,  // in: U_1..U_L of order, and u_a; out: where the search ended
                                       ap_progress *progress,  // in and out: what was done before counts
                                       const ap_problem *p, const ap_settings *settings,
                                       bool near,  // the start is near the solution; else steps of the bound come first
                                       ap_work *work, ap_error *err);

// ---- the smallest eigenvalue of the action's Hessian by products alone (ap_certificate_many.c) ----------------------

AP_CHECKED ap_status ap_certificate_many(double *smallest,  // output: as ap_hessian_smallest, to 1e-3
                                         double *doubt,     // output: how far off it may be, without the margin
                                         size_t *products,  // output: exact products taken
                                         const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);

#endif
