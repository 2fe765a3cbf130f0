// ap_nested_bound.h: a step that minimises a bound of the action, in nested factors (internal to ap_nested.c)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_NESTED_BOUND_H
#define AP_NESTED_BOUND_H

#include "saddle/ap_nested_action.h"

AP_CHECKED ap_status ap_nested_bound(ap_nest *s);  // trial := the minimum of the bound at the point now, by turns

#endif
