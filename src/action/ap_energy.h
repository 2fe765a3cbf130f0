// ap_energy.h: the energy at given order parameters (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ENERGY_H
#define AP_ENERGY_H

#include "action/ap_kernel.h"

AP_CHECKED ap_status ap_fit_make(ap_fit *fit,  // in: from ap_fit_take; out: A factored, b
                                 const ap_problem *p, const double *U, const ap_root *root, ap_work *work,
                                 ap_error *err);
AP_CHECKED ap_status ap_fit_combined(ap_fit *fit,  // in: K(U) in F, lower triangle; out: A factored, b
                                     const ap_problem *p, ap_error *err);
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

#endif
