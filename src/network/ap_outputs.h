// ap_outputs.h: the kernel of several outputs and its derivatives (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// What ap_kernel.c has for one output; its functions hand over to these where kernel->outputs > 1.

#ifndef AP_OUTPUTS_H
#define AP_OUTPUTS_H

#include "base/ap_core.h"

// Doubles of stored kernels, 0 where they would not pay within `memory` bytes; and all that there can be.
size_t ap_outputs_storage(const ap_kernel *k, double memory);
size_t ap_outputs_stored(const ap_kernel *k);
void ap_outputs_build(ap_kernel *k, size_t a, size_t b, size_t pair);  // the kernel of inputs a <= b into the store

AP_CHECKED ap_status ap_outputs_combine(double *K,  // output: [P x P] lower triangle of K(U)
                                        const ap_kernel *k, const double *U, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_outputs_contract(double *G,  // output: [Pi x Pi], as ap_kernel_contract
                                         const ap_kernel *k,
                                         const double *M,  // [P x P] symmetric, lower triangle
                                         ap_work *work, ap_error *err);

#endif
