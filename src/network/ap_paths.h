// ap_paths.h: where the chain of attention begins (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_PATHS_H
#define AP_PATHS_H

#include "attnpath.h"

// The readout vectors e of examples first .. first+count-1: [T x count] for the mean, [1 x count] ones for one token.
AP_CHECKED ap_status ap_paths_readout(double *e, const ap_net *net, const ap_tokens *x, size_t first, size_t count,
                                      ap_error *err);

#endif
