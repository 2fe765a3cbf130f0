// ap_order.h: the chain of order parameters (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// U_1, .., U_L and the readout's U_{L+1} = u_a are one chain: they lie end to end, U_l [Pi_l x Pi_l], Pi_{L+1} = 1. The
// last one is eliminated in closed form (ap_entropy.c), so that the unknowns of a search are the first L; their
// coordinates, those of ap_pairs.h, lie end to end as well. With several outputs (ap_net_outputs) the last one is fixed
// at 1 instead, and the one before it is the readout's.

#ifndef AP_ORDER_H
#define AP_ORDER_H

#include "attnpath.h"

bool ap_order_fixed(const ap_net *net);  // U_{L+1} is 1, neither random nor eliminated

typedef struct ap_member {  // U_l of the chain
    size_t n;               // Pi_l
    size_t at;              // where it begins in the chain; the next one begins at + n n
    size_t first, pairs;    // where its coordinates begin, and how many they are
    size_t heads, below;    // H_l and Pi_{l+1} = n / H_l; 1 and 1 for the last
    double width;           // N_l, of the last N_a
    double variance;        // sigma_l^2, of the last sigma_a^2
} ap_member;

ap_member ap_order_member(const ap_net *net, size_t layer);  // layer = 1..L+1
size_t ap_order_unknowns(const ap_net *net);                 // coordinates of U_1..U_L
void ap_order_gp(double *order, const ap_net *net);  // GP limit: U_l = sigma_a^2 sigma_L^2 .. sigma_l^2 I (section 4)

// Between symmetric perturbations of U_1..U_L [chain] and their coordinates [unknowns], u_a's place untouched.
void ap_order_derivative(double *v, const ap_net *net, const double *grad);  // v := derivative by the coordinates
void ap_order_matrices(double *x, const ap_net *net, const double *v);       // x_l := the matrices with coordinates v
void ap_order_gradient(double *grad, const ap_net *net, const double *v);    // the matrices with these derivatives
void ap_order_coordinates(double *v, const ap_net *net, const double *x);    // v := coordinates of the matrices x_l
void ap_order_scale(double *s,
                    const ap_net *net);  // coordinates per orthonormal one: 1, or 1/sqrt (2) off the diagonal

void ap_order_ptr(double *M,  // output: [below x below] partial trace over the slowest index, below = Pi_{l+1}
                  const double *U, size_t heads, size_t below);  // [heads below x heads below]
void ap_order_repeat(double *A,                                  // output: [heads below x heads below] I_heads (x) Y
                     const double *Y, size_t heads, size_t below);

#endif
