// ap_bartlett.h: the chain of Bartlett factors behind the order parameters of a finite network (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_BARTLETT_H
#define AP_BARTLETT_H

#include "base/ap_core.h"

typedef struct ap_bartlett_sizes {
    size_t B, R;     // doubles in all B_l, and in all R_l
    size_t largest;  // in the largest B_l
} ap_bartlett_sizes;

size_t ap_bartlett_dim(const ap_net *net);                 // number of coordinates
size_t ap_bartlett_rank(const ap_net *net, size_t layer);  // m_l, the rank of U_l, layer = 1..L+1
ap_bartlett_sizes ap_bartlett_size(const ap_net *net);
void ap_bartlett_start(double *x, const ap_net *net, ap_rng *rng);  // output: coordinates drawn from the prior
double ap_bartlett_prior(const ap_net *net, const double *x);       // psi (ap_target.h) of the prior
void ap_bartlett_prior_gradient(double *grad, const ap_net *net, const double *x);  // its derivative by the coordinates
void ap_bartlett_factors(double *B,  // output: B_{L+1}, B_L, .., B_1 end to end; B_l [q_l x m_l]
                         double *R,  // output: R_{L+1}, R_L, .., R_1 end to end; R_l [Pi_l x m_l]
                         const ap_net *net, const double *x,
                         const double *turn);  // V_{L+1}, V_L, .., V_1 end to end, V_l [q_l x q_l]; NULL: I
const double *ap_bartlett_last(const double *R, const ap_net *net);         // R_1, the last of them
void ap_bartlett_order(double *U, const double *R, const ap_net *net);      // U_1 = R_1 R_1'
void ap_bartlett_chain(double *order, const double *R, const ap_net *net);  // U_1 .. U_{L+1} end to end
void ap_bartlett_backward(double *grad,  // output: [dim] derivative by the coordinates, prior included
                          double *dR,    // [sizes.R] in: the last block, derivative by R_1; out: by all R_l
                          double *dB,    // [sizes.largest] scratch
                          const ap_net *net, const double *x, const double *turn, const double *B, const double *R);
size_t ap_bartlett_turns(const ap_net *net);         // doubles in a turn; 0: no U_l is singular, or layers have skips
AP_CHECKED ap_status ap_bartlett_turn(double *turn,  // output: of eigenvectors of this place
                                      double *x,     // in: without a turn; out: the same U with this one
                                      const ap_net *net, ap_work *work, ap_error *err);

#endif
