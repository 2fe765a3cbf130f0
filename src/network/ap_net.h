// ap_net.h: what the core asks of a network, beyond attnpath.h (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_NET_H
#define AP_NET_H

#include "attnpath.h"

double ap_net_maxwidth(const ap_net *net);                // max (N_1..N_a), the scale of gradnorm
size_t ap_net_skipping(const ap_net *net, size_t layer);  // branches of the layer that are no heads, the first: 1 or 0

#endif
