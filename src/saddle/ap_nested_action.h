// ap_nested_action.h: the action in nested factors (internal to ap_nested.c)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_NESTED_ACTION_H
#define AP_NESTED_ACTION_H

#include "base/ap_core.h"
#include "network/ap_order.h"

typedef struct ap_factors {
    double *B, *R;  // [chain] B_l with orthogonal columns, R_l
    double *G;      // [Pi x Pi] R_1' (dE/dU_1) R_1
    ap_fit fit;
    double entropy, height, noise;
} ap_factors;

typedef struct ap_nest {
    const ap_problem *p;
    const ap_settings *settings;
    ap_work *work;
    ap_error *err;
    ap_net net;         // at the temperature of now
    ap_kernel kernel;   // its path inputs are those of a point, Y
    ap_problem mixed;   // of these two
    size_t last, n, q;  // L+1; coordinates of all layers, and of the first
    ap_factors now, trial;
    double *Y;                           // [N0 P x Pi] path inputs times R_1, of the point that was last evaluated
    double *unit;                        // [Pi x Pi] identity
    double *X, *gX;                      // [Pi x Pi x (n - q)] X_a of the layers above the first, and g X_a
    double *J;                           // [q x (n - q)] D_a
    double *g;                           // [chain] g_l
    double *one, *two, *three, *four;    // [Pi x Pi] scratch
    double *H, *factor;                  // [n x n] in units of the root of the metric D, as v and d
    double *energy, *logdet;             // [n x n], logdet in the place of factor
    double *v, *v_here, *d, *D;          // [n] gradient, step
    double *t;                           // [n + P m] the step in its own coordinates; m columns of b, for the bound
    double *V, *W;                       // [chain] roots of V_l in the bound's minimum, their inverses
    double *scratch;                     // [n + 4 Pi]
    double radius, gain, length;         // of the step at hand: what it promises, and its length in the metric of U
    double gradnorm, gradrel, rounding;  // as in ap_point
    double best;                         // shortest step at the floor of rounding
    bool stopped;                        // the caller wants the work to end
    int idle, steps;                     // steps there that were no shorter; steps at this temperature
} ap_nest;

void ap_nested_act(char t, double *A, const double *X, const ap_member *u, double *scratch);  // A := (I (x) X) A, or X'
AP_CHECKED ap_status ap_nested_from_order(ap_nest *s, ap_factors *f, const double *order);    // B_l, R_l of these U_l
void ap_nested_straighten(ap_nest *s, ap_factors *f);  // orthogonal columns in every layer, and R_l
double ap_nested_squares(const ap_factors *f, const ap_member *u, size_t j);  // of column j of B_l, their sum
void ap_nested_mix(ap_nest *s, const ap_factors *f);                          // Y, the path inputs times R_1
AP_CHECKED ap_status ap_nested_fit(ap_nest *s, ap_factors *f);     // of the labels at Y, and with it the height of S
AP_CHECKED ap_status ap_nested_value(ap_nest *s, ap_factors *f);   // entropy, Y, fit, height and noise
AP_CHECKED ap_status ap_nested_derive(ap_nest *s, ap_factors *f);  // G, after value
void ap_nested_solve(double *A, const ap_factors *f, const ap_member *u, double *scratch);  // A := B_l^{-1} A
void ap_nested_carry(double *X, ap_nest *s, const ap_factors *f, const ap_member *u);  // X := C_l (X), smaller on entry
double ap_nested_length(ap_nest *s, const ap_factors *f, const double *t);  // metric length of the change of all U_l
void ap_nested_gradient(ap_nest *s, const ap_factors *f);                   // v, D and g_l, after derive
AP_CHECKED ap_status ap_nested_model(ap_nest *s);                           // v, D and H of the point now

#endif
