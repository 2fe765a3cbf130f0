// ap_product.h: exact products with the Hessian of the action (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_PRODUCT_H
#define AP_PRODUCT_H

#include "attnpath.h"

typedef struct ap_product {  // the Hessian at one point, as a linear map
    const ap_problem *p;
    const ap_point *point;
    size_t n;               // unknowns
    double *entropy;        // [n x n] lower: the entropy's Hessian, in the coordinates of ap_order.h
    double *scale;          // [n] those coordinates per orthonormal coordinate: 1, or 1 / sqrt (2) off the diagonal
    double *K, *w, *x, *X;  // [P x P], [P x m], [n], [chain] scratch
} ap_product;

AP_CHECKED ap_status ap_product_take(ap_product *t, const ap_problem *p, const ap_point *point, ap_work *work,
                                     ap_error *err);
AP_CHECKED ap_status ap_product_make(ap_product *t, ap_work *work, ap_error *err);  // before it is applied
AP_CHECKED ap_status ap_product_apply(double *Hv,  // output: [n] Hessian of S/max(N) times v, orthonormal coordinates
                                      ap_product *t, const double *v, ap_work *work, ap_error *err);

AP_CHECKED ap_status ap_product_energy(double *X,  // in: [Pi x Pi] x_1; out: the energy's Hessian times it
                                       const ap_problem *p, const ap_fit *fit, double *K,
                                       double *w,  // [P x P], [P x m] scratch
                                       ap_work *work, ap_error *err);

#endif
