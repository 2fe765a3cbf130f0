// ap_kernel.h: the ways of having K(U) and its derivatives (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// Each way is a table of functions, and a row of the list in ap_kernel.c, which chooses by cost and by memory. All rest
// of the core calls the functions of ap_core.h that are named like the entries; they hand over to the table, see that
// stored kernels have been built, and give back what an entry took of `work`.

#ifndef AP_KERNEL_H
#define AP_KERNEL_H

#include "base/ap_core.h"

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
