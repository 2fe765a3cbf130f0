// ap_order.c: the chain of order parameters
// SPDX-License-Identifier: BSD-3-Clause
//
//   Pi_l = H_l H_{l+1} .. H_L,  Pi_{L+1} = 1                      partial paths from layer l to the readout
//   U_l  = (sigma_a^2 sigma_L^2 .. sigma_l^2) I                   GP limit of the order parameters (section 4)
//   (ptr_l U_l)(p,p') = sum_h U_l ((h,p),(h,p')),  tr (Y ptr_l U_l) = tr ((I_{H_l} (x) Y) U_l)

#include "network/ap_order.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/ap_pairs.h"

bool ap_order_fixed(const ap_net *net) { return net->outputs > 1; }

ap_member ap_order_member(const ap_net *net, size_t layer) {
    size_t at = 0, first = 0, n = 0;
    for (size_t l = 1; l < layer; l++) {
        n = ap_net_paths(net, l);
        at = ap_plus(at, ap_times(n, n));
        first = ap_plus(first, ap_pairs_count(n));
    }
    n = ap_net_paths(net, layer);
    const size_t heads = layer <= net->L ? net->H[layer - 1] : 1;
    return (ap_member){.n = n,
                       .at = at,
                       .first = first,
                       .pairs = ap_pairs_count(n),
                       .heads = heads,
                       .below = n / heads,
                       .width = net->width[layer - 1],
                       .variance = net->variance[layer]};
}

size_t ap_order_at(const ap_net *net, size_t layer) { return ap_order_member(net, layer).at; }

size_t ap_order_length(const ap_net *net) { return ap_plus(ap_order_at(net, net->L + 1), 1); }

size_t ap_order_unknowns(const ap_net *net) { return ap_order_member(net, net->L + 1).first; }

void ap_order_gp(double *order, const ap_net *net) {
    for (size_t l = 1; l <= net->L + 1; l++) {
        const size_t n = ap_net_paths(net, l);
        double value = net->variance[net->L + 1];
        for (size_t k = l; k <= net->L; k++) value *= net->variance[k];
        for (size_t i = 0; i < n * n; i++) order[i] = i % (n + 1) == 0 ? value : 0.0;
        order += n * n;
    }
}

// Coordinates of all matrices, entries off the diagonal times `off` (ap_pairs.h), and back.
static void pack(double *v, const ap_net *net, const double *x, double off) {
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_order_member(net, l);
        ap_pairs_pack(v + u.first, x + u.at, u.n, off);
    }
}

static void unpack(double *x, const ap_net *net, const double *v, double off) {
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_order_member(net, l);
        ap_pairs_unpack(x + u.at, v + u.first, u.n, off);
    }
}

void ap_order_derivative(double *v, const ap_net *net, const double *grad) { pack(v, net, grad, 2.0); }

void ap_order_gradient(double *grad, const ap_net *net, const double *v) { unpack(grad, net, v, 0.5); }

void ap_order_coordinates(double *v, const ap_net *net, const double *x) { pack(v, net, x, 1.0); }

void ap_order_matrices(double *x, const ap_net *net, const double *v) { unpack(x, net, v, 1.0); }

void ap_order_scale(double *s, const ap_net *net) {
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_order_member(net, l);
        ap_pairs_weights(s + u.first, u.n);
    }
    const size_t n = ap_order_unknowns(net);
    for (size_t k = 0; k < n; k++) s[k] = 1.0 / sqrt(s[k]);
}

void ap_order_ptr(double *M, const double *U, size_t heads, size_t below) {
    const size_t n = heads * below;
    for (size_t j = 0; j < below; j++)
        for (size_t i = 0; i < below; i++) {
            double sum = 0.0;
            for (size_t h = 0; h < heads; h++) sum += U[(h * below + i) + n * (h * below + j)];
            M[i + below * j] = sum;
        }
}

void ap_order_repeat(double *A, const double *Y, size_t heads, size_t below) {
    const size_t n = heads * below;
    memset(A, 0, n * n * sizeof(double));
    for (size_t h = 0; h < heads; h++)
        for (size_t j = 0; j < below; j++)
            memcpy(A + h * below + n * (h * below + j), Y + below * j, below * sizeof(double));
}
