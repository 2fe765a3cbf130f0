// ap_collapsed.h: the exact posterior of the order parameters of a finite network, a target of the sampler
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_COLLAPSED_H
#define AP_COLLAPSED_H

#include "posterior/ap_target.h"

ap_target ap_collapsed_target(const ap_problem *p);

#endif
