// ap_logdet.h: the log determinant of the action's Hessian by products alone (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_LOGDET_H
#define AP_LOGDET_H

#include "attnpath.h"

AP_CHECKED ap_status ap_logdet_hessian(double *logdet,  // output: of H in orthonormal coordinates of the d_l
                                       double *se,      // output: its standard error
                                       const ap_problem *p,
                                       const ap_point *point,  // a minimum, from ap_action_gradient
                                       size_t probes, uint64_t seed, ap_work *work, ap_error *err);

#endif
