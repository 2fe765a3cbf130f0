// ap_model.h: the quadratic model of the action that a Newton step minimises (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
//   S (U + x + x U^{-1} x / 2)  ~  S (U) + v' d + d' H d / 2,      d the coordinates of x in the model's frame
//
// or the same along the curves of ap_chart.h, where `turns` says so.
// How H is held is hidden behind the table ap_model_how: a search (ap_solve.c) knows the frame and these functions
// alone. There are three: a matrix (ap_dense.c), and the map of ap_product.h with estimated or with exact products
// (ap_iterative.c). Another one is another table, a member of ap_model for what it keeps, and a line in
// ap_model_how_for that chooses it.

#ifndef AP_MODEL_H
#define AP_MODEL_H

#include "saddle/ap_chart.h"
#include "saddle/ap_dense.h"
#include "saddle/ap_frame.h"
#include "saddle/ap_iterative.h"

typedef struct ap_step {      // the last step, as the model wants to know it
    double length, fraction;  // metric length of the full step; part of it that was taken, 0 before the first
    double *s, *y;            // [n] step taken and change of the gradient it made, in the model's coordinates
} ap_step;

typedef struct ap_model ap_model;
typedef struct ap_model_how ap_model_how;

struct ap_model_how {  // what a way of holding H must implement
    // Memory for H, which lives as long as the model.
    ap_status (*take)(ap_model *model, size_t probes, ap_work *work, ap_error *err);
    // H at the point, anew or corrected by the last step; the frame moves to the point if H is taken anew.
    ap_status (*update)(ap_model *model, const ap_point *point, const ap_step *last, ap_work *work, ap_error *err);
    // d := minimiser of v'd + d'Hd/2, H shifted along the metric where it is not definite.
    ap_status (*minimise)(double *d, ap_model *model, const double *v, ap_work *work, ap_error *err);
    // length := metric length of the minimiser at gradient v, with H as it was in the last minimise; infinite if that H
    // was shifted.
    ap_status (*ahead)(double *length, ap_model *model, const double *v, ap_work *work, ap_error *err);
};

struct ap_model {
    const ap_problem *p;
    const ap_model_how *how;
    size_t n;          // unknowns
    double radius;     // longest step that the search will take, in the metric
    double tolerance;  // of gradnorm, where the search will end
    bool turns;        // steps follow the curves of the chart, else the retraction
    ap_chart chart;
    ap_frame frame;
    ap_dense dense;          // what ap_dense.c keeps
    ap_iterative iterative;  // what ap_iterative.c keeps
};

bool ap_model_is_small(const ap_problem *p);  // H as a matrix is cheaper than as a map
const ap_model_how *ap_model_how_for(const ap_problem *p);

AP_CHECKED ap_status ap_model_take(ap_model *model, const ap_problem *p,
                                   const ap_settings *settings,  // what is said there about the model
                                   ap_work *work, ap_error *err);

#endif
