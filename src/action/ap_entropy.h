// ap_entropy.h: the entropy of order parameters (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ENTROPY_H
#define AP_ENTROPY_H

#include "attnpath.h"

AP_CHECKED ap_status ap_entropy(ap_point *point,  // in: U_1..U_L of order; out: u_a, chol, inverse, entropy (T8), noise
                                const ap_net *net, ap_error *err);
AP_CHECKED ap_status ap_entropy_gp(ap_point *gp,  // output: the GP limit, where the entropy is least; no gradient
                                   const ap_net *net, ap_work *work, ap_error *err);  // which keeps its memory
AP_CHECKED ap_status ap_entropy_gradient(ap_point *point,  // in: what ap_entropy left; out: the entropy's grad
                                         const ap_net *net, ap_work *work, ap_error *err);

#endif
