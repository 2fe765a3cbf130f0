// ap_kernel.h: K(U) and its derivatives for one training set, and the ways of having them (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_KERNEL_H
#define AP_KERNEL_H

#include "base/ap_core.h"

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
size_t ap_kernel_scratch(const ap_kernel *kernel);  // doubles that a gradient takes, about
bool ap_kernel_unpacked(const ap_kernel *kernel);   // whether the plan has `square`
bool ap_kernel_stops(const ap_kernel *kernel);      // the caller wants the work to end: AP_INTERRUPTED
// W [features x m] in the coordinates of the path inputs: in V [N0 x m], or W itself where they have no basis.
const double *ap_kernel_inside(double *V, const ap_kernel *kernel, const double *W, size_t m);
AP_CHECKED ap_status ap_kernel_apply(double *V,  // output: [P x pairs x m] (dK/dU_pair) z
                                     const ap_kernel *kernel, const double *Z, size_t m,  // [P x m]
                                     ap_work *work, ap_error *err);

// ---- ways -----------------------------------------------------------------------------------------------------------
//
// Each way is a table of functions, and a row of the list in ap_kernel.c, which chooses by cost and by memory. All rest
// of the core calls the functions above that are named like the entries; they hand over to the table, see that stored
// kernels have been built, and give back what an entry took of `work`.

typedef struct ap_kernel_how {
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
} ap_kernel_how;

extern const ap_kernel_how ap_kernel_inputs;          // nothing stored                           (ap_kernel_inputs.c)
extern const ap_kernel_how ap_kernel_packed;          // triangles                                (ap_kernel_stored.c)
extern const ap_kernel_how ap_kernel_square;          // triangles, and the same unpacked         (ap_kernel_stored.c)
extern const ap_kernel_how ap_kernel_outputs_inputs;  // of several outputs: nothing stored       (ap_kernel_outputs.c)
extern const ap_kernel_how ap_kernel_outputs_blocks;  // of several outputs: whole path kernels   (ap_kernel_outputs.c)

#endif
