// ap_weights.h: weights of a network and what its paths make of them, for the samplers
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_WEIGHTS_H
#define AP_WEIGHTS_H

#include "attnpath.h"

// What lies where in a set of weights, V_0, V_1 .. V_L, a end to end: layer 0 is V_0, layer L+1 is a.

size_t ap_weights_width(const ap_net *net, size_t layer);                 // N_layer, layer = 1..L+1 (N_a)
size_t ap_weights_layer(const ap_net *net, size_t layer);                 // numbers in V_layer; in a for layer = L+1
size_t ap_weights_upper(const ap_net *net);                               // numbers in V_1, .., V_L, a
size_t ap_weights_partial(const ap_net *net);                             // numbers in u^{(1)}, .., u^{(L)}, a
AP_CHECKED ap_status ap_weights_check(const ap_net *net, ap_error *err);  // whole widths below 1e9
AP_CHECKED ap_status ap_weights_countable(const ap_net *net, size_t N0, ap_error *err);  // a layer's weights fit BLAS

void ap_weights_forward(double *u,  // output: [partial] u^{(1)} [N_1 x Pi_1], .., u^{(L)} [N_L x Pi_L], a
                        const ap_net *net, const double *z);  // [upper] whitened V_1, .., V_L, a
void ap_weights_backward(double *grad,                        // output: [upper] derivative by z
                         double *g,  // [partial] in: derivative by u^{(1)}; out: by all u^{(l)}
                         const ap_net *net, const double *z, const double *u);

#endif
