// ap_langevin.h: the posterior over weights as targets of the sampler
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_LANGEVIN_H
#define AP_LANGEVIN_H

#include "posterior/ap_target.h"

ap_target ap_langevin_upper_target(const ap_problem *p);  // V_0 is integrated out
ap_target ap_langevin_every_target(const ap_problem *p);  // V_0 moves too
void ap_langevin_effective(double *W,                     // output: [N0 x Pi] effective weights (T4)
                           const ap_net *net, size_t N0,
                           const double *z0,  // [N_1 x N0] whitened V_0
                           const double *u);  // [N_1 x Pi] u^{(1)}

#endif
