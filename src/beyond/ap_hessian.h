// ap_hessian.h: the second derivative of the action as a matrix, exactly (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_HESSIAN_H
#define AP_HESSIAN_H

#include "attnpath.h"

AP_CHECKED ap_status ap_hessian_energy(double *E,  // output: [pairs x pairs] lower, d^2 E / dU_p dU_q
                                       const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_hessian_action(double *H,  // output: [n x n] lower, along the retraction, in the point's frame
                                       const ap_problem *p,
                                       const ap_point *point,  // from ap_action_gradient
                                       ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_hessian_factor(double *H, size_t n, ap_error *err);  // its lower factor, in place
ap_status ap_hessian_no_minimum(ap_error *err);  // AP_ENOTSPD, which ap_hessian_factor returns too, and its sentence

#endif
