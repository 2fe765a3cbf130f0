// ap_cme.h: attention as a kernel conditional mean, the functions of its row in ap_rule.c (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_CME_H
#define AP_CME_H

#include "network/ap_rule.h"

size_t ap_cme_scratch(size_t n, size_t m);  // doubles of `base` for n keys and up to m queries at a time
// The factor of G + lambda I, kept in base for what follows; AP_ENOTSPD where it has none.
AP_CHECKED ap_status ap_cme_factor(double *base, const ap_lookup *c, ap_error *err);
// omega [rows x m] := Omega of queries Q [d x m]
AP_CHECKED ap_status ap_cme_weights(double *omega, double *base, const ap_lookup *c, const double *Q, size_t m,
                                    ap_error *err);
// B [rows x up] := Omega a, a [m x up]; omega [n x m] workspace
AP_CHECKED ap_status ap_cme_apply(double *B, double *omega, double *base, const ap_lookup *c, const double *Q, size_t m,
                                  const double *a, size_t up, ap_error *err);
// C [n x m] := k (K, Q), and V [dv x n] := V (G + lambda I)^{-1}: V C is the estimate. Not where causal.
AP_CHECKED ap_status ap_cme_cross(double *C, double *base, const ap_lookup *c, const double *Q, size_t m,
                                  ap_error *err);
void ap_cme_values(double *V, size_t dv, const double *base, const ap_lookup *c);

// Derivatives by keys, queries and the ridge, from those by omega, D [rows x m], which is overwritten.
size_t ap_cme_adjoint_room(size_t rows, size_t m);  // doubles of out->room
AP_CHECKED ap_status ap_cme_adjoint(ap_adjoint *out, double *D, const double *omega, double *base, const ap_lookup *c,
                                    const double *Q, size_t m, ap_error *err);

#endif
