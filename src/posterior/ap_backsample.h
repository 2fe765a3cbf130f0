// ap_backsample.h: full weights from a draw of the order parameters
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_BACKSAMPLE_H
#define AP_BACKSAMPLE_H

#include "base/ap_core.h"

AP_CHECKED ap_status ap_backsample(double *weights,  // output: V_0 [N_1 x N0], V_l [N_{l+1} x N_l x H_l], .., a [N_a]
                                   const ap_net *net, size_t N0,
                                   const double *x,     // [ap_bartlett_dim] coordinates of the draw
                                   const double *turn,  // of rows, as for ap_bartlett_factors
                                   const double *Z0,    // [N0 x m_1] V_0' Q_1, from ap_input_draw
                                   ap_rng *rng, ap_work *work, ap_error *err);

#endif
