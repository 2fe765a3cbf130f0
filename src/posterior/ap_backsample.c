// ap_backsample.c: full weights from a draw of the order parameters
// SPDX-License-Identifier: BSD-3-Clause
//
// Given the Bartlett factors B_l and R_l of ap_bartlett.c, which fix U_l = R_l R_l', the weights are Gaussian under
// linear constraints (section 6). With Q_l [N_l x m_l] independent Haar-distributed frames,
//
//   a      = sigma_a B_{L+1} Q_{L+1}
//   u^{(l)} = sqrt (N_l) Q_l R_l'
//   V_l^h  = Z + Q_{l+1} (sigma_l B_{l,h} Q_l' - Q_{l+1}' Z),   Z a prior draw of V_l^h, B_{l,h} rows of head h
//   V_0    = Z + Q_1 (Z_0' - Q_1' Z),                           Z_0 = V_0' Q_1 given the labels (ap_input_weights.c)
//
// Where layer l has a skip connection u^{(l+1)} is the leading columns of u^{(l)}, and Q_{l+1} those of Q_l: one frame
// for each free member of the chain, of which those in it use the first m columns.
// So V_l^h' Q_{l+1} = sigma_l Q_l B_{l,h}' and V_0' Q_1 = Z_0 hold to rounding: no inverse of B'B is formed, and
// a singular U_l (N_l < Pi_l) is no special case. Cost: the normals of Z and 4 m flops a weight.

#include "posterior/ap_posterior.h"

#include <math.h>

// V := Z + Q (C - Q' Z), Z in V on entry; V [N x n], Q [N x m], C [m x n] is used up.
static void constrain(double *V, const double *Q, double *C, size_t N, size_t n, size_t m) {
    ap_gemm('T', 'N', m, n, N, -1.0, Q, N, V, N, 1.0, C, m);
    ap_gemm('N', 'N', N, n, m, 1.0, Q, N, C, m, 1.0, V, N);
}

static void prior_weights(double *V, size_t count, double variance, ap_rng *rng) {
    const double sigma = sqrt(variance);
    ap_rng_normals(V, count, rng);
    for (size_t i = 0; i < count; i++) V[i] *= sigma;
}

// V_l given the frames above and at its layer; B [q_l x m_l], C [m_{l+1} x N_l] scratch.
static void draw_layer(double *V, const ap_net *net, size_t l, const double *Q_above, const double *Q, const double *B,
                       double *C, ap_rng *rng) {
    const size_t heads = net->H[l - 1], N = ap_weights_width(net, l), Nup = ap_weights_width(net, l + 1);
    const size_t m = ap_bartlett_rank(net, l), above = ap_bartlett_rank(net, l + 1);
    prior_weights(V, Nup * N * heads, net->variance[l], rng);
    for (size_t h = 0; h < heads; h++) {
        ap_gemm('N', 'T', above, N, m, sqrt(net->variance[l]), B + h * above, heads * above, Q, N, 0.0, C, above);
        constrain(V + Nup * N * h, Q_above, C, Nup, N, above);
    }
}

// V_0 given the frame of its layer; C [m_1 x N0] scratch.
static void draw_input(double *V, const ap_net *net, size_t N0, const double *Q, const double *Z0, double *C,
                       ap_rng *rng) {
    const size_t N = ap_weights_width(net, 1), m = ap_bartlett_rank(net, 1);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < N0; j++) C[i + m * j] = Z0[j + N0 * i];
    prior_weights(V, N * N0, net->variance[0], rng);
    constrain(V, Q, C, N, N0, m);
}

static void draw_readout(double *a, const ap_net *net, const double *Q, double B, size_t N) {
    for (size_t i = 0; i < N; i++) a[i] = sqrt(net->variance[net->L + 1]) * B * Q[i];
}

ap_status ap_backsample(double *weights, const ap_net *net, size_t N0, const double *x, const double *turn,
                        const double *Z0, ap_rng *rng, ap_work *work, ap_error *err) {
    const size_t mark = work->used, first = ap_weights_width(net, 1) * N0;
    const ap_bartlett_sizes size = ap_bartlett_size(net);
    double *B = ap_take(work, size.B), *R = ap_take(work, size.R);
    ap_status status = R == NULL ? ap_not_taken(work, err, "ap_backsample") : AP_OK;
    if (R != NULL) ap_bartlett_factors(B, R, net, x, turn);
    double *Q_above = NULL;
    size_t at = first + ap_weights_upper(net), at_B = 0;  // walks down from the end, as B does from L+1
    for (size_t l = net->L + 1; status == AP_OK && l >= 1; l--) {
        const size_t N = ap_weights_width(net, l), m = ap_bartlett_rank(net, l);
        const size_t above = l <= net->L ? ap_bartlett_rank(net, l + 1) : 1;
        const bool holds = ap_params_member(net, l).tied > 0;  // then Q_{l+1} is the first columns of this one
        const size_t columns = ap_bartlett_rank(net, ap_params_owner(net, l));
        double *Q = holds ? Q_above : ap_take_matrix(work, N, columns);
        double *C = ap_take_matrix(work, above, N);
        status = Q == NULL || C == NULL ? ap_not_taken(work, err, "ap_backsample") : AP_OK;
        const bool fixed = l == net->L + 1 && ap_params_fixed(net);  // u^{(L+1)} = 1 is its own frame
        if (status == AP_OK && !fixed && !holds) status = ap_rng_frame(Q, N, columns, rng, work, err);
        if (status < 0) break;
        if (fixed) Q[0] = 1.0;
        at -= ap_weights_layer(net, l);
        if (l <= net->L)
            draw_layer(weights + at, net, l, Q_above, Q, B + at_B, C, rng);
        else if (!fixed)
            draw_readout(weights + at, net, Q, B[at_B], N);
        at_B += l <= net->L ? net->H[l - 1] * above * m : 1;
        Q_above = Q;
    }
    double *C = ap_take_matrix(work, ap_bartlett_rank(net, 1), N0);
    if (status == AP_OK && C == NULL) status = ap_not_taken(work, err, "ap_backsample");
    if (status == AP_OK) draw_input(weights, net, N0, Q_above, Z0, C, rng);
    work->used = mark;
    return status;
}
