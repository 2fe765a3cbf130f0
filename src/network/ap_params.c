// ap_params.c: the chain of order parameters
// SPDX-License-Identifier: BSD-3-Clause
//
//   Pi_l = H'_l H'_{l+1} .. H'_L,  Pi_{L+1} = 1     partial paths from layer l to the readout, H' heads and the skip
//   (ptr_l U_l)(p,p') = sum_h U_l ((h,p),(h,p')),  tr (Y ptr_l U_l) = tr ((I_{H_l} (x) Y) U_l)
//
// the sum over heads, I with zeros for the skip connection.

#include "network/ap_network.h"

#include <math.h>
#include <string.h>

bool ap_params_fixed(const ap_net *net) { return net->outputs > 1; }

// U_layer lies in U_{layer-1}.
static bool lies_below(const ap_net *net, size_t layer) { return layer > 1 && ap_net_skip(net, layer - 1) > 0.0; }

bool ap_params_eliminated(const ap_net *net) { return !ap_params_fixed(net) && !lies_below(net, net->L + 1); }

size_t ap_params_next(const ap_net *net, size_t layer) {
    do layer++;
    while (layer <= net->L && lies_below(net, layer));
    return layer;
}

size_t ap_params_owner(const ap_net *net, size_t layer) {
    while (lies_below(net, layer)) layer--;
    return layer;
}

size_t ap_params_last(const ap_net *net) { return net->L + (lies_below(net, net->L + 1) ? 1 : 0); }

ap_member ap_params_member(const ap_net *net, size_t layer) {
    const size_t owner = ap_params_owner(net, layer);
    size_t at = 0, first = 0, n = 0;
    if (layer == 0 || layer > net->L + 1) return (ap_member){.layer = layer};
    for (size_t l = 1; l < layer; l++) {
        n = ap_net_paths(net, l);
        at = ap_plus(at, ap_times(n, n));
        if (l < owner && !lies_below(net, l)) first = ap_plus(first, ap_pairs_count(n));
    }
    n = ap_net_paths(net, layer);
    const size_t branches = layer <= net->L ? ap_net_branches(net, layer) : 1;
    return (ap_member){.layer = layer,
                       .n = n,
                       .at = at,
                       .first = first,
                       .pairs = ap_pairs_count(n),
                       .owner = owner,
                       .branches = branches,
                       .below = n / branches,
                       .tied = layer <= net->L && lies_below(net, layer + 1) ? n / branches : 0,
                       .width = net->width[layer - 1],
                       .variance = net->variance[layer],
                       .pull = layer > 1 ? net->width[layer - 2] * (double)ap_net_branches(net, layer - 1) : 0.0};
}

size_t ap_params_at(const ap_net *net, size_t layer) { return ap_params_member(net, layer).at; }

size_t ap_params_length(const ap_net *net) { return ap_plus(ap_params_at(net, net->L + 1), 1); }

size_t ap_params_unknowns(const ap_net *net) {
    const ap_member last = ap_params_member(net, ap_params_owner(net, net->L));
    return ap_plus(last.first, last.pairs);
}

double ap_params_top_trace(const ap_net *net, const double *x) {
    const ap_member top = ap_params_member(net, net->L);
    double trace = 0.0;
    for (size_t i = 0; i < top.n; i++) trace += x[top.at + i * (top.n + 1)];
    return trace;
}

// N_a u_a / sigma_a^2 + N_L tr U_L / (sigma_L^2 u_a)
double ap_params_readout_curvature(const ap_net *net, const double *order) {
    const ap_member top = ap_params_member(net, net->L), readout = ap_params_member(net, net->L + 1);
    const double ua = order[readout.at], weight = top.width / top.variance;
    return readout.width * ua / readout.variance + weight * ap_params_top_trace(net, order) / ua;
}

double ap_params_gp_entry(const ap_net *net, size_t layer, size_t path) {
    double value = net->variance[net->L + 1];
    for (size_t l = layer; l <= net->L; l++) {
        const ap_member u = ap_params_member(net, l);
        if (path >= u.tied) value *= u.variance;
        path = u.below > 0 ? path % u.below : 0;  // a network that was checked has a path
    }
    return value;
}

void ap_params_gp(double *order, const ap_net *net) {
    AP_MEMBERS (u, net) {
        memset(order + u.at, 0, u.n * u.n * sizeof(double));
        for (size_t a = 0; a < u.n; a++) order[u.at + a * (u.n + 1)] = ap_params_gp_entry(net, u.layer, a);
    }
}

void ap_params_copy_tied(double *x, const ap_net *net) {
    AP_MEMBERS (u, net) {
        const ap_member owner = ap_params_member(net, u.owner);
        for (size_t j = 0; u.owner < u.layer && j < u.n; j++)
            memcpy(x + u.at + u.n * j, x + owner.at + owner.n * j, u.n * sizeof(double));
    }
}

void ap_params_sum_tied(double *g, const ap_net *net) {
    AP_MEMBERS (u, net) {
        const ap_member owner = ap_params_member(net, u.owner);
        for (size_t j = 0; u.owner < u.layer && j < u.n; j++)
            for (size_t i = 0; i < u.n; i++) g[owner.at + i + owner.n * j] += g[u.at + i + u.n * j];
    }
    ap_params_clear(g, net);
}

void ap_params_clear(double *g, const ap_net *net) {
    AP_MEMBERS (u, net)
        if (u.owner < u.layer) memset(g + u.at, 0, u.n * u.n * sizeof(double));
}

// Coordinates of all matrices, entries off the diagonal times `off` (ap_core.h), and back.
static void pack(double *v, const ap_net *net, const double *x, double off) {
    AP_FREE_MEMBERS (u, net) ap_pairs_pack(v + u.first, x + u.at, u.n, off);
}

static void unpack(double *x, const ap_net *net, const double *v, double off) {
    AP_FREE_MEMBERS (u, net) ap_pairs_unpack(x + u.at, v + u.first, u.n, off);
}

void ap_params_derivative(double *v, const ap_net *net, const double *grad) { pack(v, net, grad, 2.0); }

void ap_params_gradient(double *grad, const ap_net *net, const double *v) { unpack(grad, net, v, 0.5); }

void ap_params_coordinates(double *v, const ap_net *net, const double *x) { pack(v, net, x, 1.0); }

void ap_params_matrices(double *x, const ap_net *net, const double *v) {
    unpack(x, net, v, 1.0);
    ap_params_copy_tied(x, net);
}

void ap_params_scale(double *s, const ap_net *net) {
    AP_FREE_MEMBERS (u, net) ap_pairs_weights(s + u.first, u.n);
    const size_t n = ap_params_unknowns(net);
    for (size_t k = 0; k < n; k++) s[k] = 1.0 / sqrt(s[k]);
}

void ap_params_ptr(double *M, const double *U, const ap_member *u) {
    for (size_t j = 0; j < u->below; j++)
        for (size_t i = 0; i < u->below; i++) {
            double sum = 0.0;
            AP_HEADS (row, u) sum += U[row + i + u->n * (row + j)];
            M[i + u->below * j] = sum;
        }
}

void ap_params_repeat(double *A, const double *Y, const ap_member *u) {
    memset(A, 0, u->n * u->n * sizeof(double));
    AP_HEADS (row, u)
        for (size_t j = 0; j < u->below; j++)
            memcpy(A + row + u->n * (row + j), Y + u->below * j, u->below * sizeof(double));
}

void ap_params_factor(double *R, double c, const double *above, size_t k, const double *B, size_t m,
                      const ap_member *u) {
    const size_t rows = u->below, q = (u->n - u->tied) / rows * k;
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < u->tied; i++) R[i + u->n * j] = j < k ? above[i + rows * j] : 0.0;
    AP_HEADS (row, u) {
        ap_gemm('N', 'N', rows, m, k, c, above, rows, B, q, 0.0, R + row, u->n);
        B += k;
    }
}

void ap_params_factor_back(double *dB, double *d_above, double c, const double *dR, const double *above, size_t k,
                           const double *B, size_t m, const ap_member *u) {
    const size_t rows = u->below, q = (u->n - u->tied) / rows * k;
    size_t at = 0;  // of the head in B and dB
    for (size_t j = 0; j < k && d_above != NULL; j++)
        memcpy(d_above + rows * j, dR + u->n * j, u->tied * sizeof(double));
    AP_HEADS (row, u) {
        if (dB != NULL) ap_gemm('T', 'N', k, m, rows, c, above, rows, dR + row, u->n, 0.0, dB + at, q);
        if (d_above != NULL)
            ap_gemm('N', 'T', rows, k, m, c, dR + row, u->n, B + at, q, row > 0 ? 1.0 : 0.0, d_above, rows);
        at += k;
    }
}
