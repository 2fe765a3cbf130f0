// ap_model.h: the quadratic model of the action that a Newton step minimises (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_MODEL_H
#define AP_MODEL_H

#include "attnpath.h"

typedef struct ap_step {      // the last step, as the model wants to know it
    double length, fraction;  // metric length of the full step; part of it that was taken, 0 before the first
    double *s, *y;            // [n] step taken and change of the gradient it made, in the model's coordinates
} ap_step;

typedef struct ap_model {
    const ap_problem *p;
    size_t n, pairs;
    size_t probes;            // for the next estimate of log det's curvature
    double *frame;            // [order] Cholesky factors F_l of the point at which H was built: x_l = F_l d_l F_l'
    double *H, *factor;       // [n x n] lower: curvature in coordinates of d; Cholesky factor, H shifted if need be
    double *labels, *logdet;  // [pairs x pairs] lower: curvature of y' A^{-1} y; of log det A, sign reversed
    double *blocks;           // [Pi x Pi x some] scratch
    double *u, *g, *u_old, *g_old;  // [pairs] U_1 and the gradient of log det A, here and at the model before
    double *scratch, *matrix;       // [n] and [order]
    double shift;                   // of the last indefinite H
    bool definite, met;             // H needed no shift: this time, at any time before
} ap_model;

size_t ap_model_size(const ap_problem *p);  // doubles that ap_model_take takes
AP_CHECKED ap_status ap_model_take(ap_model *model, const ap_problem *p, size_t probes, ap_work *work, ap_error *err);

size_t ap_model_worksize(const ap_problem *p);
AP_CHECKED ap_status ap_model_update(ap_model *model,  // H at the point, anew or corrected by the last step
                                     const ap_point *point, const ap_step *last, ap_work *work, ap_error *err);

void ap_model_gradient(double *v,  // output: [n] gradient at a point, in the model's coordinates
                       ap_model *model, const ap_point *point);
AP_CHECKED ap_status ap_model_minimise(double *d,  // output: [n] minimiser of v'd + d'Hd/2
                                       ap_model *model, const double *v, ap_error *err);
double ap_model_ahead(ap_model *model, const double *v);  // metric length of the step from gradient v with H as it was
double ap_model_matrices(double *xi,  // output: [order] the matrices x_l of d; returns their metric length at the point
                         ap_model *model, const double *d, const ap_point *point);

#endif
