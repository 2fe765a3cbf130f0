// ap_walk.h: the next trajectory of a Markov chain (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_WALK_H
#define AP_WALK_H

#include "posterior/ap_chain.h"

// One trajectory more of a chain that is open (ap_chain_open), of which the first `warmup` are its warm-up. There a
// unit of the head start, or of a probing of the curvature, may take the place of a trajectory (ap_headstart.h).
AP_CHECKED ap_status ap_walk(ap_chain *chain, ap_outcome *outcome, const ap_target *target, size_t warmup,
                             bool (*stop)(void *context), void *context, ap_work *work, ap_error *err);

#endif
