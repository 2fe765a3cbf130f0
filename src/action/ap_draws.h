// ap_draws.h: the fits of several draws of U at once (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_DRAWS_H
#define AP_DRAWS_H

#include "attnpath.h"

enum { ap_draws_most = 16 };
size_t ap_draws_group(const ap_problem *p);  // draws that are fitted together, at most ap_draws_most
// Of `count` draws, of what is stored as triangles with one product.
AP_CHECKED ap_status ap_draws_fits(ap_fit *fits,  // output, from ap_fit_take
                                   const ap_problem *p, const double *U, size_t count, ap_work *work, ap_error *err);

#endif
