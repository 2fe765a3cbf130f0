// ap_certificate_many.h: the smallest eigenvalue of the action's Hessian by products alone (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_CERTIFICATE_MANY_H
#define AP_CERTIFICATE_MANY_H

#include "attnpath.h"

AP_CHECKED ap_status ap_certificate_many(double *smallest,  // output: as ap_hessian_smallest, to 1e-3
                                         double *doubt,     // output: how far off it may be, without the margin
                                         size_t *products,  // output: exact products taken
                                         const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);

#endif
