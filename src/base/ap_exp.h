// ap_exp.h: exponentials of many numbers (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_EXP_H
#define AP_EXP_H

#include <stddef.h>

static const double ap_exp_near = 700.0;

void ap_exp(double *x, size_t n);        // x := exp (x), |x| <= ap_exp_near, to 2 units in the last place
void ap_exp_plain(double *x, size_t n);  // the same bit for bit, without wide registers
void ap_exp_single(float *x, size_t n);  // x := exp (x), x <= 0, to 1e-7 relative; below -87 it is exp (-87)

#endif
