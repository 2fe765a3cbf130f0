// ap_action.h: the action at given order parameters, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ACTION_H
#define AP_ACTION_H

#include "network/ap_network.h"

// ---- K(U) and its derivatives for one training set, and the ways of having them (ap_kernel.c) -----------------------

typedef struct ap_root {  // U = R R', for products that are cheaper from R, by its number of columns
    const double *R;      // [Pi x columns]
    size_t columns;
    bool lower;    // R is the lower Cholesky factor, [Pi x Pi]: its upper triangle is not read
    bool reflect;  // where A has no digits left its factor may come from reflections (ap_orthogonal.c)
} ap_root;

// K [P x P] lower := K(U), U [Pi x Pi] symmetric, which need not be definite; root: of U, or NULL
AP_CHECKED ap_status ap_kernel_combine(double *K, const ap_kernel *kernel, const double *U, const ap_root *root,
                                       ap_work *work, ap_error *err);
// G [Pi x Pi] := sum_{mu,nu} M(mu,nu) C(mu,nu) / Pi, M [P x P] symmetric, both triangles
AP_CHECKED ap_status ap_kernel_contract(double *G, const ap_kernel *kernel, const double *M, ap_work *work,
                                        ap_error *err);
// G [Pi x Pi] := dE/dU_1 (T9), from the lower Cholesky factor F of A = K + T I and b [P x m], mostly one column
AP_CHECKED ap_status ap_kernel_gradient(double *G, const ap_kernel *kernel, const double *F, const double *b, size_t m,
                                        ap_work *work, ap_error *err);
// Through the path inputs, with (a,c) an input and an output of U_1's indices: Y_(a,c) := alpha Xi_a Z_c, [N0 x m x Pi]
// from [P x m], and the other way, Z_c := alpha sum_a Xi_a' Y_(a,c).
void ap_kernel_gather(double *Y, const ap_kernel *kernel, double alpha, const double *Z, size_t m);
void ap_kernel_scatter(double *Z, const ap_kernel *kernel, double alpha, const double *Y, size_t m);
// Y_(a,c) := alpha sum_b U_(a,c),(b,d) x_b, [features x m x Pi], of m other examples x [features x m x inputs].
// ap_kernel_scatter makes columns of K of it, those between the training set and output d of the m.
void ap_kernel_weigh(double *Y, const ap_kernel *kernel, double alpha, const double *U, size_t d, const double *x,
                     size_t m);
// Of so many evaluations, and of building, at the speed of matrix products: an estimate for choices
double ap_kernel_flops(const ap_kernel *kernel, double count);
size_t ap_kernel_scratch(const ap_kernel *kernel);                    // doubles that a gradient takes, about
ap_inputs ap_kernel_examples(const ap_kernel *kernel);                // the path inputs of its examples
const double *ap_kernel_input(const ap_kernel *kernel, size_t path);  // [N0 x examples] those of a row of U_1
size_t ap_kernel_row(const ap_kernel *kernel, size_t path);           // the first row of A that these are in
void ap_kernel_bare(ap_kernel *kernel);         // nothing is stored from now on: K is computed from Xi
bool ap_kernel_stops(const ap_kernel *kernel);  // the caller interrupts the work: AP_INTERRUPTED
// W [features x m] in the coordinates of the path inputs: in V, ap_kernel_inside_size doubles, or W itself where they
// have no basis. And the other way: W := beta W + alpha times V [N0 x m]
const double *ap_kernel_inside(double *V, const ap_kernel *kernel, const double *W, size_t m);
size_t ap_kernel_inside_size(const ap_kernel *kernel, size_t m);
void ap_kernel_outside(double *W, const ap_kernel *kernel, double alpha, const double *V, size_t m, double beta);
size_t ap_inputs_features(const ap_inputs *x);  // of a token
// V [P x pairs x m] := (dK/dU_pair) Z, Z [P x m]
AP_CHECKED ap_status ap_kernel_apply(double *V, const ap_kernel *kernel, const double *Z, size_t m, ap_work *work,
                                     ap_error *err);

// ---- ways -----------------------------------------------------------------------------------------------------------
//
// Each way is a table of functions, and a row of the list in ap_kernel.c, which chooses by cost and by memory. The rest
// of the core calls the functions above that are named like the entries. They require that stored kernels have been
// built, call the entry of the table, and restore the mark of `work`.

typedef struct ap_kernel_ops {
    // Doubles that are stored, and the kernels of inputs 0 .. b with input b into them; both NULL where nothing is.
    size_t (*size)(const ap_kernel *k);
    ap_status (*build)(ap_kernel *k, size_t b, ap_work *work, ap_error *err);
    // K := K(U), lower triangle.
    ap_status (*combine)(double *K, const ap_kernel *k, const double *U, const ap_root *root, ap_work *work,
                         ap_error *err);
    // G := sum_{mu,nu} M(mu,nu) C(mu,nu) / Pi. Stored kernels read no more of M than its lower triangle, and so do all
    // of several outputs.
    ap_status (*contract)(double *G, const ap_kernel *k, const double *M, ap_work *work, ap_error *err);
    // G := dE/dU_1 from the factor of A and m columns of b; NULL: the contraction of A^{-1} - sum b b'.
    ap_status (*gradient)(double *G, const ap_kernel *k, const double *F, const double *b, size_t m, ap_work *work,
                          ap_error *err);
    // V := (dK/dU_pair) z for m columns z; NULL: through the path inputs.
    ap_status (*apply)(double *V, const ap_kernel *k, const double *Z, size_t m, ap_work *work, ap_error *err);
} ap_kernel_ops;

extern const ap_kernel_ops ap_kernel_inputs;          // nothing stored                           (ap_kernel_inputs.c)
extern const ap_kernel_ops ap_kernel_packed;          // triangles                                (ap_kernel_stored.c)
extern const ap_kernel_ops ap_kernel_square;          // triangles, and the same unpacked         (ap_kernel_stored.c)
extern const ap_kernel_ops ap_kernel_outputs_inputs;  // of several outputs: nothing stored       (ap_kernel_outputs.c)
extern const ap_kernel_ops ap_kernel_outputs_blocks;  // of several outputs: whole path kernels   (ap_kernel_outputs.c)

// ---- the factor of A without squaring the path inputs (ap_orthogonal.c) ---------------------------------------------

// F [P x P] := lower factor of K(U) + T I, of one output; root: of U, lower
AP_CHECKED ap_status ap_orthogonal_factor(double *F, const ap_kernel *kernel, const ap_root *root, double temperature,
                                          ap_work *work, ap_error *err);

// ---- the energy at given order parameters (ap_energy.c) -------------------------------------------------------------

double ap_problem_squares(const ap_problem *p);  // of all labels, also in rows without path inputs

// A factored, and b, of a fit from ap_fit_take; or of one with K(U) in F, lower triangle
AP_CHECKED ap_status ap_fit_make(ap_fit *fit, const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                                 ap_error *err);
AP_CHECKED ap_status ap_fit_combined(ap_fit *fit, const ap_problem *p, ap_error *err);
// G [Pi x Pi] := dE/dU_1 (T9), of a fit from ap_energy or ap_fit_make
AP_CHECKED ap_status ap_fit_gradient(double *G, const ap_fit *fit, const ap_problem *p, ap_work *work, ap_error *err);
// A fit, from ap_fit_take, with E (T7); U [Pi x Pi] symmetric positive semidefinite, root: of U, or NULL
AP_CHECKED ap_status ap_energy(ap_fit *fit, const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                               ap_error *err);
// energy := E, G [Pi x Pi] := dE/dU_1 (T9)
AP_CHECKED ap_status ap_energy_gradient(double *energy, double *G, const ap_problem *p, const double *U,
                                        const ap_root *root, ap_work *work, ap_error *err);

// ---- its derivatives by path inputs, at any order parameters (ap_slope.c) -------------------------------------------

// M [P x P] := A^{-1} - b b', both triangles
AP_CHECKED ap_status ap_fit_residual(double *M, const ap_fit *fit, const ap_problem *p, ap_error *err);
// slope [N0 x examples x inputs] := dE/dxi at fixed U (T33), of path inputs without a basis; G [Pi x Pi] := dE/dU_1, or
// NULL
AP_CHECKED ap_status ap_kernel_slope(double *slope, double *G, const ap_kernel *kernel, const double *U,
                                     const double *M, ap_work *work, ap_error *err);

// ---- energy and derivatives where features are fewer than examples (ap_dual.c) --------------------------------------

bool ap_dual_pays(const ap_problem *p, const ap_root *root);
// energy := E, slope as above, dR [Pi x columns of R] := dE/dR, or NULL; of problems without null examples
AP_CHECKED ap_status ap_dual_energy(double *energy, double *slope, double *dR, const ap_problem *p, const ap_root *root,
                                    ap_work *work, ap_error *err);

// ---- the entropy of order parameters (ap_entropy.c) -----------------------------------------------------------------

// From U_1..U_L of order: u_a, chol, inverse, entropy (T8), noise
AP_CHECKED ap_status ap_entropy(ap_point *point, const ap_net *net, ap_error *err);
// gp := the GP limit, where the entropy is least; no gradient. work keeps its memory
AP_CHECKED ap_status ap_entropy_gp(ap_point *gp, const ap_net *net, ap_work *work, ap_error *err);
// From what ap_entropy left: the entropy's grad
AP_CHECKED ap_status ap_entropy_gradient(ap_point *point, const ap_net *net, ap_work *work, ap_error *err);

// ---- a point (ap_action.c) ------------------------------------------------------------------------------------------

// largest := that of |F_l' (grad_l) F_l| / N_l over the free members, grad [chain], U_l = F_l F_l' the point's: in the
// frame in which U_l is the identity, a unit of S per unit of d_l is N_l
AP_CHECKED ap_status ap_relative_gradient(double *largest, const double *grad, const ap_point *point, const ap_net *net,
                                          ap_work *work, ap_error *err);
size_t ap_point_size(const ap_problem *p);  // doubles that ap_point_take takes
// its arrays, in so many doubles, which it returns; at may be NULL
size_t ap_point_lay(ap_point *point, double *at, const ap_problem *p);
// point := the last point of a search, in its own memory, where the last one may be already
void ap_point_hand_over(ap_point *point, const ap_point *last, const ap_problem *p);

// ---- the fits of several draws of U at once (ap_draws.c) ------------------------------------------------------------

enum { ap_draws_most = 16 };
size_t ap_draws_group(const ap_problem *p);  // draws that are fitted together, at most ap_draws_most
// fits of `count` draws, which it takes; kernels stored as triangles take one product
AP_CHECKED ap_status ap_draws_fits(ap_fit *fits, const ap_problem *p, const double *U, size_t count, ap_work *work,
                                   ap_error *err);

#endif
