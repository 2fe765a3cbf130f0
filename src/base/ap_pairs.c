// ap_pairs.c: symmetric matrices as vectors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"

#include <string.h>

size_t ap_pairs_count(size_t n) { return ap_times(n, ap_plus(n, 1)) / 2; }

size_t ap_pairs_number(size_t a, size_t b) { return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b; }

void ap_pairs_pack(double *v, const double *A, size_t n, double off) {
    for (size_t b = 0; b < n; b++) {
        for (size_t a = 0; a < b; a++) *v++ = off * A[a + n * b];
        *v++ = A[b + n * b];
    }
}

void ap_pairs_unpack(double *A, const double *v, size_t n, double off) {
    for (size_t b = 0; b < n; b++) {
        for (size_t a = 0; a < b; a++) A[a + n * b] = A[b + n * a] = off * *v++;
        A[b + n * b] = *v++;
    }
}

void ap_pairs_lower(double *A, const double *packed, size_t n) {
    for (size_t j = 0; j < n; packed += n - j, j++) memcpy(A + j + n * j, packed, (n - j) * sizeof(double));
}

void ap_pairs_weights(double *w, size_t n) {
    for (size_t b = 0; b < n; b++) {
        for (size_t a = 0; a < b; a++) *w++ = 2.0;
        *w++ = 1.0;
    }
}
