// ap_collapsed.h: the chain of Bartlett factors behind the order parameters of a finite network
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_COLLAPSED_H
#define AP_COLLAPSED_H

#include "ap_target.h"

typedef struct ap_collapsed_sizes {
    size_t B, R;     // doubles in all B_l, and in all R_l
    size_t largest;  // in the largest B_l
} ap_collapsed_sizes;

size_t ap_collapsed_dim(const ap_net *net);                 // number of coordinates
size_t ap_collapsed_rank(const ap_net *net, size_t layer);  // m_l, the rank of U_l, layer = 1..L+1
ap_collapsed_sizes ap_collapsed_size(const ap_net *net);
void ap_collapsed_factors(double *B,  // output: B_{L+1}, B_L, .., B_1 end to end; B_l [q_l x m_l]
                          double *R,  // output: R_{L+1}, R_L, .., R_1 end to end; R_l [Pi_l x m_l]
                          const ap_net *net, const double *x);
void ap_collapsed_prior(double *x, const ap_net *net, ap_rng *rng);  // output: coordinates drawn from the prior
ap_target ap_collapsed_target(const ap_problem *p);

#endif
