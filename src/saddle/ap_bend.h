// ap_bend.h: how the entropy bends along a direction, as a linear map (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_BEND_H
#define AP_BEND_H

#include "attnpath.h"

typedef struct ap_bend {
    const ap_net *net;
    double *F;                 // [chain] the frame: x_l = F_l d_l F_l'
    double *B, *C;             // [chain] (I (x) F_{l+1}^{-1}) F_l; the layer's own form tr (C_l d_l d_l)
    double *Q, *values;        // [chain], [sum of Pi_l] eigenvectors and eigenvalues of the S_l of the inverse
    double *top, factor;       // [Pi_L x Pi_L] F_L' F_L; of the form <top, d_L>^2, from eliminating u_a
    double *one, *two, *back;  // [Pi x Pi] scratch
    double *three;             // the same, of networks with skip connections
} ap_bend;

AP_CHECKED ap_status ap_bend_take(ap_bend *t, const ap_net *net, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_bend_make(ap_bend *t, const ap_point *point,
                                  double retraction,  // weight of x U^{-1} x / 2: 1, or 0 for straight lines
                                  ap_error *err);
void ap_bend_apply(double *M,  // output: [chain] symmetric, half the derivative of the form by the matrices d_l
                   ap_bend *t, const double *d);  // [chain]
void ap_bend_solve(double *M,                     // in: [chain] as apply leaves it; out: about the d that it is from
                   ap_bend *t);
void ap_bend_forth(double *M, ap_bend *t);  // M := C^{-1} M, and
void ap_bend_back(double *M, ap_bend *t);   // M := C^{-T} M, of that approximate form's own root: it is C C'
double ap_bend_logdet(const ap_bend *t);    // of C C', in orthonormal coordinates

#endif
