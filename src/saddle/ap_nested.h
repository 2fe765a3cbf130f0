// ap_nested.h: the saddle point of hard problems, searched in nested factors (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_NESTED_H
#define AP_NESTED_H

#include "attnpath.h"

bool ap_nested_can(const ap_problem *p);  // this search serves the network, and the size
// The reasons are those of ap_solve. A negative one: the point is none, for U_l in double precision is singular.
AP_CHECKED ap_status ap_nested(ap_point *point,        // in: U_1..U_L of order, and u_a; out: where the search ended
                               ap_progress *progress,  // in and out: what was done before counts
                               const ap_problem *p, const ap_settings *settings,
                               bool near,  // the start is near the solution; else it is cooled down to it
                               ap_work *work, ap_error *err);

#endif
