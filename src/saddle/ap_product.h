// ap_product.h: products with the Hessian of the action at a point (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// One map for all that needs the Hessian H, in the frame x_l = F_l d_l F_l', U_l = F_l F_l': the search
// (ap_iterative.c), its certificate (ap_certificate_many.c), the determinant (ap_logdet.c). It is the second derivative
// of S
//
//   along the retraction      U (d) = F (1 + d + d^2/2) F', and so to second order along geodesics, or
//   along straight lines      U (d) = F (1 + d) F'
//
// at a point, u_a eliminated. The entropy's share is that of ap_bend.c, which also has an approximate inverse of H and
// its root. The energy's share comes in three forms, each a table ap_product_how.

#ifndef AP_PRODUCT_H
#define AP_PRODUCT_H

#include "saddle/ap_bend.h"
#include "saddle/ap_exact.h"
#include "saddle/ap_sketch.h"

typedef struct ap_product ap_product;

typedef struct ap_product_how {  // a form of the energy's share, in the frame bend.F
    ap_status (*take)(ap_product *t, size_t probes, ap_work *work, ap_error *err);
    ap_status (*make)(ap_product *t, const ap_point *point, ap_error *err);
    ap_status (*add)(double *M, ap_product *t, const double *d, ap_work *work,
                     ap_error *err);  // M_1 := M_1 + its share
} ap_product_how;

extern const ap_product_how ap_product_sketched;  // labels exactly, log det A by random vectors: a hundredth of an
                                                  // evaluation
extern const ap_product_how ap_product_inverted;  // exact, with an inverse: two or three evaluations
extern const ap_product_how ap_product_solved;    // exact, by solves: three or four. The point must stay as it is

struct ap_product {
    const ap_problem *p;
    const ap_product_how *how;  // the form in use, of those that were taken
    ap_bend bend;
    ap_exact exact;    // of the exact forms
    ap_sketch sketch;  // of the other; sketch.probes, up to sketch.room, may change before ap_product_make
};

typedef enum ap_along { AP_LINES, AP_RETRACTION } ap_along;

AP_CHECKED ap_status ap_product_take(ap_product *t, const ap_problem *p, const ap_product_how *how,  // the form in use
                                     size_t probes,  // random vectors, for the one that has them
                                     ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_product_make(ap_product *t, const ap_point *point, ap_along along, ap_error *err);
AP_CHECKED ap_status ap_product_apply(double *M,  // output: [chain] symmetric, half the derivative of d' H d by the
                                                  // matrices d_l
                                      ap_product *t, const double *d,  // [chain] symmetric
                                      ap_work *work, ap_error *err);

#endif
