// ap_order.h: the chain of order parameters (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// U_1, .., U_L and the readout's U_{L+1} = u_a are one chain: they lie end to end, U_l [Pi_l x Pi_l], Pi_{L+1} = 1. The
// last one is eliminated in closed form (ap_entropy.c), so that the unknowns of a search are the first L; their
// coordinates, those of ap_pairs.h, lie end to end as well. With several outputs (ap_net_outputs) the last one is fixed
// at 1 instead, and the one before it is the readout's.
//
// Where layer l has a skip connection (T26), U_{l+1} is the leading block of U_l, and no unknown of its own: a member
// that is not free lies in the leading block of its lead, the next free one underneath. Its coordinates are the first
// of its lead's, for ap_pairs.h numbers column by column. Its place in the chain is a copy (ap_order_spread), and what
// is a derivative by it is added to its lead's leading block (ap_order_collect). A loop over the free members is
//
//   for (size_t l = 1; l <= net->L; l = ap_order_next(net, l))

#ifndef AP_ORDER_H
#define AP_ORDER_H

#include "attnpath.h"

bool ap_order_fixed(const ap_net *net);                 // U_{L+1} is 1, neither random nor eliminated
bool ap_order_eliminated(const ap_net *net);            // u_a is: it is free, and not fixed
size_t ap_order_next(const ap_net *net, size_t layer);  // the next free member, L+1 if none of U_1..U_L is left
size_t ap_order_lead(const ap_net *net, size_t layer);  // the lead of U_layer; layer itself: it is free
size_t ap_order_last(const ap_net *net);                // L, or L+1 where u_a is not free

typedef struct ap_member {   // U_l of the chain
    size_t n;                // Pi_l
    size_t at;               // where it begins in the chain; the next one begins at + n n
    size_t first, pairs;     // where its coordinates begin, and how many they are
    size_t lead;             // the free member in whose leading block it lies: l itself if it is free
    size_t branches, below;  // of layer l, and Pi_{l+1} = n / branches; 1 and 1 for the last
    size_t skip;             // how many of them, the first ones, are no heads: 1 or 0
    double width;            // N_l, of the last N_a
    double variance;         // sigma_l^2, of the last sigma_a^2
} ap_member;

ap_member ap_order_member(const ap_net *net, size_t layer);              // layer = 1..L+1
size_t ap_order_unknowns(const ap_net *net);                             // coordinates of the free members of U_1..U_L
double ap_order_gp_entry(const ap_net *net, size_t layer, size_t path);  // one of those on the diagonals of ap_order_gp

double ap_order_top_trace(const ap_net *net, const double *x);              // tr x_L of a chain x
double ap_order_readout_curvature(const ap_net *net, const double *order);  // d^2 S / d (log u_a)^2, u_a eliminated

void ap_order_spread(double *x, const ap_net *net);   // members that are not free := leading blocks of their leads
void ap_order_collect(double *g, const ap_net *net);  // leading blocks of leads += members that are not free, then 0
void ap_order_clear(double *g, const ap_net *net);    // members that are not free := 0

// Between symmetric perturbations of U_1..U_L [chain] and their coordinates [unknowns], u_a's place untouched if it is
// free. Members that are not free are filled by ap_order_matrices, and otherwise neither read nor written.
void ap_order_derivative(double *v, const ap_net *net, const double *grad);  // v := derivative by the coordinates
void ap_order_matrices(double *x, const ap_net *net, const double *v);       // x_l := the matrices with coordinates v
void ap_order_gradient(double *grad, const ap_net *net, const double *v);    // the matrices with these derivatives
void ap_order_coordinates(double *v, const ap_net *net, const double *x);    // v := coordinates of the matrices x_l
void ap_order_scale(double *s,
                    const ap_net *net);  // coordinates per orthonormal one: 1, or 1/sqrt (2) off the diagonal

// Over the heads of a layer: its skip connection is none.
void ap_order_ptr(double *M,                                // output: [below x below] sum of U's diagonal blocks
                  const double *U, const ap_member *u);     // [n x n]
void ap_order_repeat(double *A,                             // output: [n x n] Y in these blocks, else 0
                     const double *Y, const ap_member *u);  // [below x below]

#endif
