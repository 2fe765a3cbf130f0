// ap_saddle.h: the minimum of the action, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SADDLE_H
#define AP_SADDLE_H

#include "action/ap_action.h"

// ---- constants of the folder, each with its unit, and with its reason where one was measured ------------------------
//
// Each comment stands by itself. P, N0, Pi, N_l, C and S are those of attnpath.h, and words mean
//
//   search          of a saddle point, the whole; those of conjugate gradients, of a shift or inside are called so
//   nested factors  U_l by the B_l of ap_factors.c, where hard problems are searched on
//   GP point        U at infinite width, where searches begin
//   length          of a step x, in the affine-invariant metric |F^{-1} x F^{-T}|, U = F F': 1 is a change of U by
//                   about itself
//   longest step    that the line search of ap_solve.c allows; it cuts steps. Nested factors have a radius instead,
//                   which is a trust region's, and cuts of the radius
//   gradnorm        gradient of S over max (N); gradrel: relative to U, without a unit (ap_point)
//   noise           of S: what rounding may add to it (ap_point); eps is 2.2e-16
//   matrix, map     the two ways of holding the Hessian, ap_dense.c and ap_iterative.c
//   product         of the Hessian and a vector, exact or with an estimate
//   estimate        of the Hessian, by random vectors for log det A; more of them are closer to it and cost more each
//   indefinite      where the Hessian, or an estimate of it, has a negative eigenvalue; a shift, added to its diagonal,
//                   makes it definite
//   over            divided by
//
// Numbers without a measurement, here or in the head of the file that uses them, are choices that nothing has tested.

enum {
    // ap_solve.c
    ap_solve_probes = 4,       // random vectors of the estimate in one step: table in ap_solve.c
    ap_solve_patience = 60,    // steps after which a search goes on in nested factors; ordinary problems take 5 to 20
    ap_solve_steps_near = 30,  // steps in nested factors from the point reached, before they begin at the GP point
    ap_solve_most_cuts = 30,   // cuts of one step, each to a half or less, before the line search gives up
    ap_solve_many_cuts = 8,    // cuts from which on a step counts as no progress
    // Steps in a row that were as long as allowed, as one may be by chance; the next such one switches to the curves
    // of ap_triangular.c, and those after it make the longest step longer.
    ap_solve_many_capped = 2,
    ap_solve_most_doublings = 100,  // doublings of the scale of the first point: 30 decades
    ap_most_shifts = 60,            // doublings of a shift before its search gives up: 18 decades
    // Idle steps, without progress and with a gain below ap_solve_lost noises or with many cuts; one more, and the
    // search has stalled.
    ap_most_idle = 3,
    ap_rounding_draws = 3,  // random signs of rounding errors that are tried, of which the largest effect counts
    // ap_iterative.c
    // Products in one step; the step is then what conjugate gradients have found by then.
    ap_iterative_most_products = 200,
    ap_iterative_probes_more = 2,   // factor of a step's random vectors for a map: 8 cost 1.1 times what 4 do
    ap_iterative_probes_most = 4,   // factor on top of that one once an estimate that was definite comes out indefinite
    ap_iterative_power_steps = 20,  // steps of the power method for a largest eigenvalue, which need not be exact
    ap_iterative_changes = 8,       // last changes of the gradient that correct the inverse of an estimate
    // Last directions of conjugate gradients that correct the preconditioner of an exact Hessian.
    ap_iterative_directions = 64,
    ap_iterative_recorded = 32,  // directions of one step that are recorded for that correction; the others are lost
    // ap_model.c
    ap_model_few = 40,  // paths up to which the Hessian of one output is a matrix in any case: it takes milliseconds
    ap_model_vectors = ap_solve_probes * ap_iterative_probes_more,  // random vectors of a map, for its price
    ap_model_products_of_a_step = 11,  // products with a map that a step takes, about, for its price
    // ap_curvature.c, ap_frame.c
    ap_curvature_batch = 8,  // random vectors that are worked on together: more take memory, and no less time
    ap_frame_panel = 32,     // columns of a Hessian that are worked on together: more take memory, and no less time
    // ap_dense.c
    ap_dense_for_outputs = 2,  // factor of the random vectors' number for several outputs: saves an evaluation in 7
    ap_dense_more = 4,         // factor of the random vectors' number each time an estimate comes out indefinite
    // nested factors
    ap_factors_most_paths = 64,  // paths up to which nested factors are used: three matrices of 2100 rows, 106 MB
    // Steps that minimise a bound of S from above, before Newton's: they find the scale of U.
    ap_factors_bounds_first = 10,
    ap_factors_bound_sweeps = 10,   // passes through the layers for the minimum of one bound
    ap_factors_least_probes = 8,    // random vectors at least, also where ap_factors_dear pays for fewer
    ap_factors_most_shifts = 40,    // shifts that are tried for one step
    ap_factors_most_cuts = 40,      // cuts of the radius in one step before the search has stalled
    ap_factors_jacobi_sweeps = 30,  // passes that turn pairs of columns, at most: it ends where none is turned
    // ap_certificate.c: a product takes 4 P^3 flops
    ap_certificate_probes = 8,  // random vectors of the estimate that proposes where to look; fewer take more products
    ap_certificate_most_products = 40,  // exact products after which the value is only a bound
    ap_certificate_least = 2,           // exact products at least
    ap_certificate_for_outputs = 4,     // exact products at least, of several outputs: fewer missed a poor start
    ap_certificate_inverse_steps = 12,  // steps of inverse iteration for the first vector, which need not be exact
    // ap_certificate_products.c: all products together take about as long as a search does
    ap_products_probes = 16,        // random vectors of the estimate: more than a search's, as exact products cost more
    ap_products_most_exact = 6,     // exact products after which the value is only a bound
    ap_products_most_probed = 120,  // products with the estimate, in all, a tenth of an evaluation each
    ap_products_for_outputs = 12,   // products with the estimate at least, for several outputs
    ap_products_columns = 24,       // vectors that the inner search holds: more take memory, fewer more products
    ap_products_kept = 6            // vectors that are left when the inner search is full: fewer lose what was found
};

// ap_solve.c
// Length over sqrt (Pi) of the longest step at first (step_limit of ap_settings) and of one by conjugate gradients.
// Along the retraction longer ones bend back.
static const double ap_solve_step = 1.0;
static const double ap_solve_growth = 4.0;  // factor by which the longest step grows: some valleys are 1000 steps long
static const double ap_solve_descent = 1e-4;  // least part of the promised decrease with which a step is taken (Armijo)
static const double ap_solve_shortest = 0.1;  // least factor by which one cut shortens a step
static const double ap_solve_longest = 0.5;   // largest factor by which one cut shortens a step
static const double ap_solve_slack = 4.0;     // noises by which the action may rise in a step
static const double ap_solve_most_slack = 1e-8;  // most that the action may rise in a step, over 1 + |S|
static const double ap_solve_lost = 10.0;        // noises below which a difference of actions is no information
static const double ap_solve_progress = 0.5;     // factor below the least gradrel, or length, so far that is progress
// gradrel of a point that is far from any solution: nested factors then begin at the GP point. And the first step of a
// search makes all U_l larger where the gradient at its start would change U of the narrowest layer by more than this
// times itself.
static const double ap_solve_far = 100.0;
// Largest length of the next step, over the tolerance, with which a search whose gradnorm is within the tolerance
// ends. gradnorm alone is no measure: it has the unit of 1/U and hides narrow layers behind wide ones.
static const double ap_ahead_most = 100.0;
// Largest length of the next step with which rounding may end a search: above it, the search has stalled.
static const double ap_close = 1e-3;
// ap_model.c
// Price of a step with a map over P N0 Pi, in flops as the matrix does them, at a third to a quarter of whose speed
// the map works. Larger, and the matrix serves more paths. Fitted to solves with both on either side of the crossing
// (P = 500, N0 = 192: 49 paths; P = 100, N0 = 48: about 30).
static const double ap_model_thin = 530.0;
// Price of an exact product over that of one with the estimate, times 8 P, the numbers in the estimate's vectors, over
// the unknowns, up to which exact products are used. At 2 (C = 10, 22 paths, P = 100) and 9 (C = 5, 12 paths) they
// save evaluations and time, at 22 (C = 3, 8 paths) evaluations alone; at 160 and more (4 paths; P = 600) they take
// several times as long.
static const double ap_model_worth = 12.0;
// ap_dense.c
static const double ap_dense_near = 0.2;      // length of a step below which log det's curvature is kept; .1 to .5 do
static const double ap_dense_tail = 0.03;     // length of a step below which all of the Hessian is kept
static const double ap_dense_secant = 1e-12;  // least curvature along a step, over the Hessian's, that is not rounding
static const double ap_dense_first_shift = 2.0;   // first shift, in units of N_l, a layer's own
static const double ap_dense_next_shift = 0.125;  // fraction of the shift of the step before with which one begins
static const double ap_dense_least_shift = 1e-6;  // least shift with which a step begins, in units of N_l
// ap_entropy_hessian.c
// Least curvature that its approximate inverse divides by, in units of N_l: less is met far away.
static const double ap_entropy_least = 0.1;
// ap_iterative.c: relative residuals are those at which conjugate gradients end
static const double ap_iterative_tail = 0.1;   // length of a step below which an estimate is kept
static const double ap_iterative_rough = 0.1;  // relative residual far from the solution: less costs products
// Least relative residual with an estimate, which is no more exact; between this and rough it is the length of the
// last step.
static const double ap_iterative_fine = 0.01;
static const double ap_iterative_stiff = 1e-3;   // relative residual with an estimate after a step that was cut
static const double ap_iterative_longest = 3.0;  // largest eigenvalue of F^{-1} x F^{-T}: U grows by exp (3) at most
static const double ap_iterative_growth = 4.0;   // factor of the last step that limits one along negative curvature
// Length of the last step at which, and below which, exact products are taken.
static const double ap_iterative_close = 0.3;
static const double ap_iterative_nearby = 1.0;  // length of the last step up to which its directions are used again
// Largest relative residual of an exact Hessian, after a step no longer than nearby: 0.1 costs an evaluation.
static const double ap_iterative_loose = 0.03;
// Least relative residual of an exact Hessian; between this and loose it is the length of the last step.
static const double ap_iterative_sharp = 1e-3;
// gradnorm over the tolerance below which a step with an exact Hessian need not aim.
static const double ap_iterative_enough = 0.3;
// nested factors
// Multiplications for the curvature of log det A in a step (P pairs^2 a random vector) at first, 0.1 to 0.5 s, and at
// most, some ten seconds.
static const double ap_factors_dear = 5e8, ap_factors_dearest = 3e10;
static const double ap_factors_more = 4.0;  // factor of dear, up to dearest, after each trial that was refused, or poor
static const double ap_factors_turned = 2.0;         // cosine of two columns that counts as 0, in eps
static const double ap_factors_first_shift = 1e-3;   // first shift, where the entropy's curvature is 1
static const double ap_factors_least_shift = 1e-12;  // shift below which a smaller one is not sought
static const double ap_factors_raise = 10.0;         // factor of the shift while the step is too long, or there is none
static const double ap_factors_lower = 0.1;          // factor of the shift while all steps have been short enough
static const double ap_factors_filled = 0.5;  // fraction of the radius at which a step is as long as it should be
// Ratio of a shift too large to one too small at which the search for it ends.
static const double ap_factors_pinned = 1.2;
static const double ap_factors_small = 4.0;  // noises below which a promised decrease is no measure of a step
static const double ap_factors_slack = 8.0;  // noises by which the action may rise where the promised decrease is small
static const double ap_factors_descent = 0.05;  // part of the promised decrease with which a step is taken, at least
static const double ap_factors_poor = 0.25;     // part of the promised decrease below which the radius is halved
static const double ap_factors_good = 0.7;      // part of the promised decrease above which the radius grows
static const double ap_factors_used = 0.4;      // fraction of the radius that a step must fill for the radius to grow
static const double ap_factors_growth = 4.0;    // factor by which the radius grows
static const double ap_factors_halved = 0.5;    // factor of the radius after a poor step
static const double ap_factors_cut = 0.25;      // fraction of a step that was refused which is the next radius
// ap_solve_parts.c
// gradnorm of the small problems, in single directions of the labels, from which a search of coupled outputs begins,
// unless the tolerance is larger.
static const double ap_parts_tolerance = 1e-3;
static const double ap_parts_least = 1e-12;  // eigenvalue of Y'Y, over the largest: a direction with less has no labels
// Mean square by which a combination of the columns of labels may miss 1, and relative difference of the lengths of
// their rows: those of classes, up to rounding, and not numbers that come near.
static const double ap_parts_rounding = 1e-12;
// ap_explained.c
static const double ap_explained_noise = 1e-3;  // change of the action by rounding of large labels that is tolerated
// ap_starts.c
// Norm of U_1, over that at the GP point, from which on other starts are made. Of the problems whose lowest minimum one
// search misses, the least had 2.2.
static const double ap_starts_grown = 2.0;
// Least factor on q = y'y / (P k), k the mean diagonal of the GP point's kernel, or on 1 where q is smaller, by which
// a random start makes U_1 larger than the GP point: see bench_minima.c.
static const double ap_starts_least = 10.0;
static const double ap_starts_most = 3000.0;  // largest such factor on q, or on 1
static const double ap_starts_apart = 1e-3;   // difference of S of two minima at least: twice that of log posteriors
// ap_certificate.c
// Factor of what is known of the error of the smallest eigenvalue, in both certificates: larger, and more signs are
// undecided. Rounding that keeps the projected Hessian symmetric is not seen: at T = 1e-12 of the Markov task (P = 200)
// a value that is 0.0034 at higher temperatures came out as -0.456, with a doubt of 0.249 before this factor.
static const double ap_certificate_margin = 4.0;
static const double ap_certificate_cheap = 1e8;  // flops up to which it is by matrix in any case: some 50 ms
// Residual over the eigenvalue at the end; the error is about the residual's square over the gap to the next one.
static const double ap_certificate_close = 1e-4;
static const double ap_certificate_floor = 1e-13;  // residual over the largest entry of the Hessian that is rounding
static const double ap_certificate_first_shift = 1e-3;  // first shift of an indefinite estimate, over its largest entry
static const double ap_certificate_below = 0.9;  // shift over the estimate's lowest eigenvalue: at 1 it is singular
// ap_certificate_products.c
static const double ap_products_close = 1e-3;  // residual over the eigenvalue at the end: a matrix is more exact
// Residual over the eigenvalue at the end of the inner search, whose map is the estimate.
static const double ap_products_closer = 3e-4;

// ---- why a search ended (ap_solution.c) -----------------------------------------------------------------------------

// reason: what ap_solve or ap_solve_parts returned
bool ap_has_converged(ap_status reason, const ap_point *point, const ap_settings *settings);

// ---- second derivatives of the action (ap_curvature.c) --------------------------------------------------------------
//
// Symmetric perturbations of U_1..U_L have n coordinates, those of ap_params.c; the first `pairs` of them belong to
// U_1.

// H [n x n] += alpha tr (A x B x), lower; A, B [paths x paths] symmetric
void ap_curvature_add(double *H, size_t n, size_t paths, double alpha, const double *A, const double *B);

// H [n x n] lower := that of the entropy along the retraction. frame [chain]: the point's Cholesky factors, for
// coordinates of d_l, x_l = F_l d_l F_l'; NULL: those of x_l
AP_CHECKED ap_status ap_curvature_entropy(double *H, const ap_net *net, const ap_point *point, const double *frame,
                                          ap_work *work, ap_error *err);

// H += E [pairs x pairs], and tr (G x U_1^{-1} x), the retraction's contribution to the energy's: all lower, in the
// frame F of U_1. scratch [2 paths paths]
void ap_curvature_add_energy(double *H, size_t n, const double *E, const ap_point *point, const double *F, size_t paths,
                             double *scratch);

// Z [P x count] := number first and on of all probes: random signs, or, with P probes, sqrt (P) times unit vectors
void ap_curvature_probes(double *Z, size_t first, size_t count, size_t P, size_t probes);

// quadratic [pairs x pairs] lower := 2 v_p . v_q, curvature of y' A^{-1} y; g [pairs] := tr W_p, the log-determinant's
// gradient; logdet [pairs x pairs] lower := estimate of tr (W_p W_q) by so many probes, P: exact, 0: its mean
// part; or NULL
AP_CHECKED ap_status ap_curvature_energy(double *quadratic, double *g, double *logdet, size_t probes,
                                         const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);

// ---- perturbations of the order parameters in a frame where the metric is the identity (ap_frame.c) -----------------

typedef struct ap_frame {
    const ap_net *net;
    double *F;  // [chain] lower Cholesky factors of the point where the frame was taken: x_l = F_l d_l F_l'
    double *matrix, *square;  // [chain], [Pi x Pi] scratch
} ap_frame;

AP_CHECKED ap_status ap_frame_take(ap_frame *frame, const ap_net *net, ap_work *work, ap_error *err);
void ap_frame_move(ap_frame *frame, const ap_point *point);  // the frame of this point from now on
// v [unknowns] := derivative of S by the coordinates of d, at any point
void ap_frame_gradient(double *v, ap_frame *frame, const ap_point *point);
// x [chain] := the matrices x_l of d; returns their metric length at the point
double ap_frame_matrices(double *x, ap_frame *frame, const double *d, const ap_point *point);
double ap_frame_inner(const double *d, const double *e, const ap_net *net);  // sum_l tr (d_l e_l)
double ap_frame_length(const double *d, const ap_net *net);  // metric length of d where the frame was taken
// U := F exp (d) F' with d symmetric, destroyed, F lower; all [n x n], work [n (n + 4)]
AP_CHECKED ap_status ap_frame_geodesic(double *U, double *d, const double *F, size_t n, double *work, ap_error *err);
// U := F (one I + d + d^2/2) F', the same sizes; `one` is 1, or 0 for the change of F F' alone
void ap_frame_retract(double *U, double one, const double *d, const double *F, size_t n);
// E := T' E T: the curvature E [pairs x pairs] of U_1, in its lower triangle, from coordinates of x_1 to those of d_1.
// F [paths x paths] lower Cholesky factor of U_1, scratch [paths x paths x ap_frame_panel]
void ap_frame_form(double *E, const double *F, size_t paths, double *scratch);

// ---- curves through the cone that turn eigenvectors, for curved valleys (ap_triangular.c) ---------------------------

typedef struct ap_triangular {
    const ap_net *net;
    double *Q, *g;              // [chain] eigenvectors of F_l' F_l, largest first; Q_l' F_l' (dS/dU_l) F_l Q_l
    double *one, *two, *three;  // [Pi x Pi] and some rows of scratch
} ap_triangular;

AP_CHECKED ap_status ap_triangular_take(ap_triangular *t, const ap_net *net, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_triangular_make(ap_triangular *t, const ap_point *point, ap_error *err);  // here, in its frame
// U [Pi_l x Pi_l] := U_l at the end of the curve of d, symmetric, x_l = F d F', F the point's Cholesky factor
void ap_triangular_retract(double *U, ap_triangular *t, const ap_member *u, const double *F, const double *d);
// M [Pi_l x Pi_l] += half the derivative by d_l of what the curves' bend adds to the second derivative of S along
// straight lines
void ap_triangular_add(double *M, ap_triangular *t, const ap_member *u, const double *d);
// H [n x n] lower, second derivative along the retraction, becomes that along the curves; d, M [Pi x Pi] scratch
void ap_triangular_matrix(double *H, ap_triangular *t, size_t n, double *d, double *M);

// ---- the entropy's second derivative as a linear map (ap_entropy_hessian.c) -----------------------------------------

typedef struct ap_entropy_hessian {
    const ap_net *net;
    double *F;                 // [chain] the frame: x_l = F_l d_l F_l'
    double *B, *C;             // [chain] (I (x) F_{l+1}^{-1}) F_l; the layer's own form tr (C_l d_l d_l)
    double *Q, *values;        // [chain], [n] eigenvectors and, from u.first on, eigenvalues of the S_l of the inverse
    double *top, factor;       // [Pi_L x Pi_L] F_L' F_L; of the form <top, d_L>^2, from eliminating u_a
    double *one, *two, *back;  // [Pi x Pi] scratch
} ap_entropy_hessian;

AP_CHECKED ap_status ap_entropy_hessian_take(ap_entropy_hessian *t, const ap_net *net, ap_work *work, ap_error *err);
// retraction: weight of x U^{-1} x / 2: 1, or 0 for straight lines
AP_CHECKED ap_status ap_entropy_hessian_make(ap_entropy_hessian *t, const ap_point *point, double retraction,
                                             ap_error *err);
// M [chain] symmetric := half the derivative of the form by the matrices d_l [chain]
void ap_entropy_hessian_apply(double *M, ap_entropy_hessian *t, const double *d);
// M [chain], as apply leaves it, becomes about the d that it is from: M := (C C')^{-1} M, of an approximate form
void ap_entropy_hessian_solve(double *M, ap_entropy_hessian *t);
void ap_entropy_hessian_forth(double *M, ap_entropy_hessian *t);  // M := C^{-1} M
void ap_entropy_hessian_back(double *M, ap_entropy_hessian *t);   // M := C^{-T} M
double ap_entropy_hessian_logdet(const ap_entropy_hessian *t);    // of C C', in orthonormal coordinates

// ---- the energy's second derivative, by random vectors, as a linear map (ap_energy_probes.c) ------------------------

typedef struct ap_energy_probes {
    const ap_problem *p;
    const double *R;      // [Pi x Pi] the frame: x_1 = R d_1 R'
    size_t labels;        // columns of b
    size_t room, probes;  // random vectors that stand for the log-determinant: at most, in the next make
    const double *F;      // [P x P] factor of A: the point's, or own
    double *own, *Z;      // [P x P] a copy, or NULL; [P x columns] the vectors: those of b first
    double *W, *Y, *V;    // [N0 x columns x Pi] Xi Z R, and scratch; [P x columns] scratch
    double *g, *T;        // [Pi x Pi] R' (d log det A / dU_1) R; scratch
} ap_energy_probes;

// stays: each point of a make stays as it is until the next, and its factor is not copied
AP_CHECKED ap_status ap_energy_probes_take(ap_energy_probes *t, const ap_problem *p, bool stays, size_t probes,
                                           ap_work *work, ap_error *err);
void ap_energy_probes_make(ap_energy_probes *t, const ap_point *point, const double *R);  // R is kept, not copied
// M [Pi x Pi] symmetric += half the derivative of the form by the matrix d_1
void ap_energy_probes_add(double *M, ap_energy_probes *t, const double *d);

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
// The point must stay as it is, unless fast; R is kept, not copied.
AP_CHECKED ap_status ap_energy_hessian_make(ap_energy_hessian *t, const ap_point *point, const double *R,
                                            ap_error *err);
// X [Pi x Pi], x_1, becomes half the derivative of the form by it, G-like.
AP_CHECKED ap_status ap_energy_hessian_energy(double *X, ap_energy_hessian *t, ap_work *work, ap_error *err);
// M [Pi x Pi] symmetric += half the derivative of the form by d_1
AP_CHECKED ap_status ap_energy_hessian_add(double *M, ap_energy_hessian *t, const double *d, ap_work *work,
                                           ap_error *err);

// ---- products with the Hessian of the action at a point (ap_hessian_operator.c) -------------------------------------
//
// One map for all that needs the Hessian H, in the frame x_l = F_l d_l F_l', U_l = F_l F_l': the search
// (ap_iterative.c), its certificate (ap_certificate_products.c), the determinant (ap_logdet.c). It is the second
// derivative of S
//
//   along the retraction      U (d) = F (1 + d + d^2/2) F', and so to second order along geodesics, or
//   along straight lines      U (d) = F (1 + d) F'
//
// at a point, u_a eliminated. The entropy's share is that of ap_entropy_hessian.c, which also has an approximate
// inverse of H and its root. The energy's share comes in three forms.

typedef enum ap_energy_hessian_kind {
    AP_PROBED,    // labels exactly, log det A by random vectors: a hundredth of an evaluation
    AP_STAYING,   // the same, without a copy of the factor of A. The point must stay as it is
    AP_INVERTED,  // exact, with an inverse: two or three evaluations
    AP_SOLVED     // exact, by solves: three or four. The point must stay as it is
} ap_energy_hessian_kind;

typedef struct ap_hessian_operator {
    const ap_problem *p;
    ap_energy_hessian_kind form;  // in use; another one needs memory of its own, in `exact` or `random`
    ap_entropy_hessian entropy;
    ap_energy_hessian exact;  // of the exact forms
    // Of the other; random.probes, up to random.room, may change before ap_hessian_operator_make
    ap_energy_probes random;
} ap_hessian_operator;

typedef enum ap_along { AP_LINES, AP_RETRACTION } ap_along;

// probes: random vectors, for the form that has them
AP_CHECKED ap_status ap_hessian_operator_take(ap_hessian_operator *t, const ap_problem *p, ap_energy_hessian_kind form,
                                              size_t probes, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_hessian_operator_make(ap_hessian_operator *t, const ap_point *point, ap_along along,
                                              ap_error *err);
// M [chain] symmetric := half the derivative of d' H d by the matrices d_l [chain], symmetric
AP_CHECKED ap_status ap_hessian_operator_apply(double *M, ap_hessian_operator *t, const double *d, ap_work *work,
                                               ap_error *err);

// ---- the curvature of the action held as a matrix (ap_dense.c) ------------------------------------------------------

typedef struct ap_dense {
    size_t pairs;             // unknowns of U_1, to which the energy's curvature belongs
    size_t probes;            // for the next estimate of log det's curvature
    double *H, *factor;       // [n x n] lower: curvature in coordinates of d; Cholesky factor, H shifted if need be
    double *energy, *logdet;  // [pairs x pairs] lower: the energy's curvature; the log-determinant's, sign reversed
    double *blocks;           // [Pi x Pi x some] scratch
    double *g;                // [pairs] the gradient of log det A
    double *scratch;          // [n]
    double shift;             // of the last indefinite H
    bool framed;              // energy was made in coordinates of d, and logdet is of no further use
    bool turns;               // H is that along the triangular curves
    bool definite, met;       // H needed no shift: this time, at any time before
} ap_dense;

extern const struct ap_model_ops ap_dense_ops;

// ---- the curvature of the action held as a linear map (ap_iterative.c) ----------------------------------------------

typedef struct ap_iterative {
    bool sharpens;  // H is exact near the solution
    bool exact;     // it is now: so is the form of H in use
    ap_hessian_operator H;
    double *D, *M;                // [chain] a direction as matrices; what the map makes of it
    double *b, *r, *d;            // [n] right-hand side, residual, solution
    ap_krylov_vectors gradients;  // what conjugate gradients keep
    ap_lbfgs secants;             // what corrects H's inverse, or, where H is exact, the preconditioner
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
// alone. There are three: a matrix (ap_dense.c), and the map of ap_hessian_operator.c with estimated or with exact
// products (ap_iterative.c). Another one is another table, a member of ap_model for what it keeps, and a line in
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
    ap_status (*predicted_step)(double *length, ap_model *model, const double *v, ap_work *work, ap_error *err);
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

bool ap_model_is_small(const ap_problem *p);            // H as a matrix is cheaper than as a map
double ap_model_matrix_price(const ap_kernel *kernel);  // flops of a Newton step with that matrix, beyond evaluations
const ap_model_ops *ap_model_ops_for(const ap_problem *p);

AP_CHECKED ap_status ap_model_take(ap_model *model, const ap_problem *p, const ap_settings *settings,
                                   const ap_model_ops *how, ap_work *work, ap_error *err);

// ---- searches that hold the curvature in this way; how NULL: chosen by cost (ap_solve.c, ap_solve_parts.c) --------

AP_CHECKED ap_status ap_solve_by(ap_point *point, ap_progress *progress, const ap_problem *p,
                                 const ap_settings *settings, const ap_model_ops *how, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_solve_parts_by(ap_point *point, ap_progress *progress, const ap_problem *p,
                                       const ap_settings *settings, const ap_model_ops *how, ap_work *work,
                                       ap_error *err);

// ---- the action in nested factors (ap_factors_action.c) -------------------------------------------------------------

typedef struct ap_factors {
    double *B, *R;  // [chain] B_l with orthogonal columns, R_l
    double *G;      // [Pi x Pi] R_1' (dE/dU_1) R_1
    ap_fit fit;
    double entropy, height, noise;
} ap_factors;

typedef struct ap_factor_search {
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
    double products;                     // for the curvature of log det A, at most
    double radius, gain, length;         // of the current step: its predicted gain, and its length in the metric of U
    double gradnorm, gradrel, rounding;  // as in ap_point
    double best;                         // shortest step at the floor of rounding
    bool stopped;                        // the caller interrupts the work
    int idle;                            // steps there that were no shorter
} ap_factor_search;

// A := (I (x) X) A, or with 'T' (I (x) X') A
void ap_factors_act(char t, double *A, const double *X, const ap_member *u, double *scratch);
// B_l, R_l of these U_l
AP_CHECKED ap_status ap_factors_from_order(ap_factor_search *s, ap_factors *f, const double *order);
void ap_factors_straighten(ap_factor_search *s, ap_factors *f);  // orthogonal columns in every layer, and R_l
double ap_factors_squares(const ap_factors *f, const ap_member *u, size_t j);  // of column j of B_l, their sum
void ap_factors_mix(ap_factor_search *s, const ap_factors *f);                 // Y, the path inputs times R_1
// Of the labels at Y, and with it the height of S
AP_CHECKED ap_status ap_factors_fit(ap_factor_search *s, ap_factors *f);
AP_CHECKED ap_status ap_factors_value(ap_factor_search *s, ap_factors *f);   // entropy, Y, fit, height and noise
AP_CHECKED ap_status ap_factors_derive(ap_factor_search *s, ap_factors *f);  // G, after value
void ap_factors_solve(double *A, const ap_factors *f, const ap_member *u, double *scratch);  // A := B_l^{-1} A
// Metric length of the change of all U_l
double ap_factors_length(ap_factor_search *s, const ap_factors *f, const double *t);
void ap_factors_gradient(ap_factor_search *s, const ap_factors *f);  // v, D and g_l, after derive
AP_CHECKED ap_status ap_factors_model(ap_factor_search *s);          // v, D and H of the point now

// ---- a step that minimises a bound of the action, in nested factors (ap_factors_bound.c) ----------------------------

// trial := the minimum of the bound at the point now, by turns
AP_CHECKED ap_status ap_factors_bound(ap_factor_search *s);

// ---- where rounding ends a search in nested factors (ap_factors_rounding.c) -----------------------------------------

void ap_factors_norms(ap_factor_search *s);  // gradrel, in the frames R_l, and gradnorm of the point now
// Of Newton's own step: AP_OK to go on, AP_ROUNDED, AP_STALLED
AP_CHECKED ap_status ap_factors_rounding_stop(ap_factor_search *s);

// ---- the saddle point of hard problems, searched in nested factors (ap_factors.c) -----------------------------------

bool ap_factors_can(const ap_problem *p);  // this search serves the network, and the size
// From U_1..U_L and u_a of the point's order. The reasons are those of ap_solve. A negative one: the point is none, for
// U_l in double precision is singular.
// progress: in and out, what was done before counts. near: the start is near the solution; else steps of the bound come
// first
AP_CHECKED ap_status ap_factors_search(ap_point *point, ap_progress *progress, const ap_problem *p,
                                       const ap_settings *settings, bool near, ap_work *work, ap_error *err);

// ---- what the labels are measured by (ap_solution.c), and random starts (ap_starts.c) -------------------------------

double ap_solution_diagonal(const ap_problem *p);  // mean diagonal of the kernel at the GP limit
// order := start k = 1, 2, .. of a seed
AP_CHECKED ap_status ap_starts_draw(double *order, const ap_problem *p, size_t k, uint64_t seed, ap_work *work,
                                    ap_error *err);

// ---- doubt of the smallest eigenvalue of the action's Hessian (ap_certificate.c) ------------------------------------

// What an error of the gradient does to x'Hx: it has - tr (g x U^{-1} x), and F'gF is off by point->rounding times N,
// where rounding ended the search. D [chain]: F^{-1} x F^{-T} of the free members
double ap_certificate_noise(const double *D, const ap_net *net, const ap_point *point);

// ---- the smallest eigenvalue of the action's Hessian by products alone (ap_certificate_products.c) ------------------

// As ap_hessian_smallest, to 1e-3, with a doubt without the margin; products: exact ones taken
AP_CHECKED ap_status ap_certificate_products(double *smallest, double *doubt, size_t *products, const ap_problem *p,
                                             const ap_point *point, ap_work *work, ap_error *err);

#endif
