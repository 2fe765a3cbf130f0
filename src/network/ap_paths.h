// ap_paths.h: where the chain of attention begins (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_PATHS_H
#define AP_PATHS_H

#include "attnpath.h"

// The readout vectors e of examples first .. first+count-1: [T x count] for the mean, [1 x count] ones for one token.
AP_CHECKED ap_status ap_paths_readout(double *e, const ap_net *net, const ap_tokens *x, size_t first, size_t count,
                                      ap_error *err);

// The branches of the heads in below [T x Pi_layer x count] are multiplied by their weights. Where `layer` has a skip
// connection its branch is filled, from above [T x Pi_{layer+1} x count], or [1 x ..] of one token. The examples are
// first .. first+count-1.
void ap_paths_weigh(double *below, const double *above, const ap_net *net, const ap_tokens *x, size_t layer,
                    size_t first, size_t count, bool single);
bool ap_paths_weighs(const ap_net *net, size_t layer);  // or are all its branches as the maps make them?
double ap_paths_weight(const ap_net *net, size_t layer, size_t branch);  // in path inputs; 0: the skip, heads from 1

#endif
