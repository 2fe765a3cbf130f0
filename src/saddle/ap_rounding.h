// ap_rounding.h: how small a gradient can be asked for in double precision (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ROUNDING_H
#define AP_ROUNDING_H

#include "attnpath.h"

AP_CHECKED ap_status ap_rounding(double *gradnorm, double *gradrel,  // output: what rounding of the point does to them
                                 ap_point *beside,                   // scratch, from ap_point_take
                                 const ap_point *point,              // from ap_action_gradient
                                 const ap_problem *p, ap_work *work, ap_error *err);

#endif
