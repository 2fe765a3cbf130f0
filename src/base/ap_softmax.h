// ap_softmax.h: softmax of one column of scores (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SOFTMAX_H
#define AP_SOFTMAX_H

#include <stdbool.h>
#include <stddef.h>

// In place, n >= 1; false if a score was not finite.
bool ap_softmax(double *score, size_t n);
bool ap_softmax_single(float *score, size_t n);

#endif
