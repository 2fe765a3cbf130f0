// ap_walk.h: the next trajectory of a Markov chain (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_WALK_H
#define AP_WALK_H

#include "posterior/ap_chain.h"

// One trajectory, or in the warm-up a unit of what takes its place; the chain is open, its warm-up of so many.
AP_CHECKED ap_status ap_walk(ap_chain *chain, ap_outcome *outcome, const ap_target *target, size_t warmup,
                             bool (*stop)(void *context), void *context, ap_work *work, ap_error *err);

#endif
