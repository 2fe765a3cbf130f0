// ap_pairs.h: symmetric matrices as vectors (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// A symmetric matrix A [n x n] has n (n+1)/2 coordinates, its entries a <= b; pair (a, b) is number b (b+1)/2 + a. An
// entry off the diagonal stands for two of the matrix. So, with a weight of 1 for a = b and of 2 for a < b,
//
//   <A, B> = tr (A B) = sum_pairs weight A_ab B_ab,      d f / d A_ab (both entries moved) = weight (df/dA)_ab.

#ifndef AP_PAIRS_H
#define AP_PAIRS_H

#include <stddef.h>

size_t ap_pairs_count(size_t n);             // n (n+1)/2, SIZE_MAX on overflow
size_t ap_pairs_number(size_t a, size_t b);  // of the pair of a and b, in either order

// v [pairs] := entries of the symmetric A, those off the diagonal times `off`: 1 for its coordinates, 2 for a
// derivative by them. And back: A, both triangles, from v; off = 1 from coordinates, 1/2 from derivatives.
void ap_pairs_pack(double *v, const double *A, size_t n, double off);
void ap_pairs_unpack(double *A, const double *v, size_t n, double off);
// The lower triangle of A, column after column in `packed`: K and D_p as they are stored.
void ap_pairs_lower(double *A, const double *packed, size_t n);
void ap_pairs_weights(double *w, size_t n);  // [pairs] 1 for a = b, 2 for a < b

#endif
