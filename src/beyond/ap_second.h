// ap_second.h: the second derivative of the action as a matrix, exactly (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SECOND_H
#define AP_SECOND_H

#include "attnpath.h"

AP_CHECKED ap_status ap_second_energy(double *E,  // output: [pairs x pairs] lower, d^2 E / dU_p dU_q
                                      const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_second_action(double *H,  // output: [n x n] lower, along the retraction, in the point's frame
                                      const ap_problem *p,
                                      const ap_point *point,  // from ap_action_gradient
                                      ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_second_factor(double *H, size_t n, ap_error *err);  // its lower factor, in place
ap_status ap_second_no_minimum(ap_error *err);  // AP_ENOTSPD, which ap_second_factor returns too, and its sentence

#endif
