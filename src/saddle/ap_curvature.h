// ap_curvature.h: second derivatives of the action (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// Symmetric perturbations of U_1..U_L have n coordinates, those of ap_order.h; the first `pairs` of them belong to U_1.

#ifndef AP_CURVATURE_H
#define AP_CURVATURE_H

#include "attnpath.h"

void ap_curvature_add(double *H, size_t n, size_t paths, double alpha,  // H += alpha tr (A x B x), lower
                      const double *A, const double *B);                // [paths x paths] symmetric

AP_CHECKED ap_status ap_curvature_entropy(double *H,  // output: [n x n] lower, entropy along the retraction
                                          const ap_net *net, const ap_point *point,
                                          const double *frame,  // [chain] the point's Cholesky factors: coordinates of
                                                                // d_l, x_l = F_l d_l F_l'; NULL: those of x_l
                                          ap_work *work, ap_error *err);

// H += E, and tr (G x U_1^{-1} x), what the bend of the retraction adds to the energy's: all in the frame F of U_1.
void ap_curvature_join(double *H, size_t n, const double *E,  // [n x n], [pairs x pairs] lower
                       const ap_point *point, const double *F, size_t paths, double *scratch);  // [2 paths paths]

void ap_curvature_probes(double *Z,                   // output: [P x count] of all probes, number first and on
                         size_t first, size_t count,  // random signs, or, with P probes, sqrt (P) times unit vectors
                         size_t P, size_t probes);

AP_CHECKED ap_status
ap_curvature_energy(double *quadratic,  // output: [pairs x pairs] lower, 2 v_p . v_q, curvature of y' A^{-1} y
                    double *g,          // output: [pairs] tr W_p, the log-determinant's gradient
                    double *logdet,     // output: [pairs x pairs] lower, estimate of tr (W_p W_q),
                                        // untouched without probes
                    size_t probes,      // random vectors; 0: none; P: exact
                    const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err);

#endif
