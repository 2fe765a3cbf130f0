// ap_cme.h: attention as a kernel conditional mean (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_CME_H
#define AP_CME_H

#include "attnpath.h"

typedef struct ap_cme {  // what the queries of one head meet in one example
    ap_kernel_kind kernel;
    double scale, ridge;          // scale multiplies inner products and squared distances; ridge > 0
    bool causal;                  // query j sees keys 0..j only
    size_t d, n;                  // features, keys
    const double *K;              // [d x n]
    size_t example, layer, head;  // from 1, for sentences; example 0: there are none
} ap_cme;

size_t ap_cme_worksize(size_t n, size_t m);  // doubles of `room` for n keys and up to m queries at a time
// The factor of G + lambda I, kept in room for what follows; AP_ENOTSPD where it has none.
AP_CHECKED ap_status ap_cme_factor(double *room, const ap_cme *c, ap_error *err);
// C [n x m, leading dimension ldc] := k (K, Q) of queries Q [d x m]
AP_CHECKED ap_status ap_cme_cross(double *C, size_t ldc, double *room, const ap_cme *c, const double *Q, size_t m,
                                  ap_error *err);
// C := Omega of the same queries
AP_CHECKED ap_status ap_cme_weights(double *C, size_t ldc, double *room, const ap_cme *c, const double *Q, size_t m,
                                    ap_error *err);
// B [n x up, leading dimension ldb] := Omega a, a [m x up, leading dimension lda]; C [n x m] workspace
AP_CHECKED ap_status ap_cme_apply(double *B, size_t ldb, double *C, double *room, const ap_cme *c, const double *Q,
                                  size_t m, const double *a, size_t lda, size_t up, ap_error *err);
// V [dv x n] := V (G + lambda I)^{-1}, so that V k (K, Q) is the estimate; not where causal
void ap_cme_values(double *V, size_t dv, const double *room, const ap_cme *c);

void ap_cme_exp(double *x, size_t n);        // x := exp (x), |x| <= ap_cme_near, to 2 units in the last place
void ap_cme_exp_plain(double *x, size_t n);  // the same bit for bit, without wide registers
static const double ap_cme_near = 700.0;

#endif
