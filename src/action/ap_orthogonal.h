// ap_orthogonal.h: the factor of A without squaring the path inputs (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ORTHOGONAL_H
#define AP_ORTHOGONAL_H

#include "action/ap_kernel.h"
#include "base/ap_core.h"

AP_CHECKED ap_status ap_orthogonal_factor(double *F,                // output: [P x P] lower factor of K(U) + T I
                                          const ap_kernel *kernel,  // of one output
                                          const ap_root *root,      // of U, lower
                                          double temperature, ap_work *work, ap_error *err);
// G := dE/dU_1 from the factor and the path inputs, whether kernels are stored or not.
AP_CHECKED ap_status ap_orthogonal_gradient(double *G, const ap_kernel *kernel, const double *F, const double *b,
                                            size_t m, ap_work *work, ap_error *err);

#endif
