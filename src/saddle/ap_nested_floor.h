// ap_nested_floor.h: where rounding ends a search in nested factors (internal to ap_nested.c)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_NESTED_FLOOR_H
#define AP_NESTED_FLOOR_H

#include "saddle/ap_nested_action.h"

void ap_nested_norms(ap_nest *s);                  // gradrel, in the frames R_l, and gradnorm of the point now
AP_CHECKED ap_status ap_nested_judge(ap_nest *s);  // of Newton's own step: AP_OK to go on, AP_ROUNDED, AP_STALLED

#endif
