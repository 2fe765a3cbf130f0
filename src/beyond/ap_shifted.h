// ap_shifted.h: A (U_1 + x_i) z_i = e_i for many i, from the inverse of A (U_1) (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SHIFTED_H
#define AP_SHIFTED_H

#include "attnpath.h"

enum { ap_shifted_most = 64 };  // columns at a time, C an example

typedef struct ap_shifts {  // of the examples first .. first + m - 1
    const double *x;        // [Pi x Pi x m] symmetric; U_1 + x_i semidefinite
    size_t first, m;        // C m <= ap_shifted_most, or m = 1
} ap_shifts;

AP_CHECKED ap_status ap_shifted_solve(double *b, double *c,  // output: [m] y' z_i and e_i' z_i; for C
                                                             // outputs [C x m] and [C x C x m]; of labels [P x k] that
                                                             // share one U, over sqrt (k), [k x m] and [m]
                                      const ap_problem *p,
                                      const ap_fit *fit,      // at U_1
                                      const double *inverse,  // [P x P] of A (U_1)
                                      const ap_shifts *shifts, ap_work *work, ap_error *err);

#endif
