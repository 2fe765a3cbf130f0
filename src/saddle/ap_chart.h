// ap_chart.h: curves through the cone that turn eigenvectors, for curved valleys (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_CHART_H
#define AP_CHART_H

#include "attnpath.h"

typedef struct ap_chart {
    const ap_net *net;
    double *Q, *g;              // [chain] eigenvectors of F_l' F_l, largest first; Q_l' F_l' (dS/dU_l) F_l Q_l
    double *one, *two, *three;  // [Pi x Pi] and some rows of scratch
} ap_chart;

AP_CHECKED ap_status ap_chart_take(ap_chart *t, const ap_net *net, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_chart_make(ap_chart *t, const ap_point *point, ap_error *err);  // at this point, in its frame
void ap_chart_retract(double *U,                               // output: [Pi_l x Pi_l] U_l at the end of the curve
                      ap_chart *t, size_t l, const double *F,  // the point's Cholesky factor
                      const double *d);                        // [Pi_l x Pi_l] symmetric, x_l = F d F'
void ap_chart_add(double *M,  // in and out: [Pi_l x Pi_l] half the derivative by d_l of what the curves' bend adds to
                              // the second derivative of S along straight lines
                  ap_chart *t, size_t l, const double *d);
void ap_chart_matrix(double *H,  // in and out: [n x n] lower, second derivative along the retraction, along the curves
                     ap_chart *t, size_t n, double *d, double *M);  // [Pi x Pi] scratch

#endif
