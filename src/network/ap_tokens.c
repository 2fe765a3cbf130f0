// ap_tokens.c: path inputs where every token is read out
// SPDX-License-Identifier: BSD-3-Clause
//
//   xi^pi_{mu t} = x_mu Omega^{1,h_1}_mu Omega^{2,h_2}_mu ... Omega^{L,h_L}_mu e_t                                (T38)
//
// for all tokens t of an example. With e_1 .. e_T the chain of ap_paths.c would meet T columns where it met one, and
// T x T x Pi numbers an example. From the other end it meets the N0 rows of the tokens:
//
//   z_0 = x_mu,   z_l (h_1..h_l) = w_{l,h_l} z_{l-1} (h_1..h_{l-1}) Omega^{l,h_l},   Xi (:, (mu,.), pi) = z_L (pi)
//
// with w of ap_branch_weight, and I for Omega on the branch of a skip connection. The z_l of all partial paths are
// stacked, [N0 B_1 .. B_l x T] for B branches a layer, the branch of layer l slowest, so that a head is one product of
// matrices; the last layer writes to Xi. Cost for P examples: 2 P N0 T^2 sum_l B_1 .. B_l flops and the scores
// (ap_attention.c), where the chain takes 2 P T^3 (Pi_1 + .. + Pi_{L-1}) + 2 P N0 T^2 Pi. The maps of one head of one
// example are held at a time, and [N0 x T x Pi / B_L] numbers of a chunk of examples.

#include "network/ap_network.h"

#include <math.h>

bool ap_branch_weighs(const ap_net *net, size_t layer) {
    return ap_net_skip(net, layer) > 0.0 || net->headscale != NULL;
}

double ap_branch_weight(const ap_net *net, size_t layer, size_t branch) {
    const double gain = ap_net_skip(net, layer), H = (double)net->H[layer - 1];
    if (branch == 0) return sqrt(H + 1.0) * gain;
    const double scale = ap_net_head_scale(net, layer, branch);
    return gain == 0.0 ? scale : scale * sqrt((H + 1.0) / H);
}

void ap_branch_weigh_heads(double *heads, const ap_net *net, size_t layer, size_t some) {
    for (size_t h = 1; h <= net->H[layer - 1]; h++, heads += some) {
        const double weight = ap_branch_weight(net, layer, h);
        for (size_t i = 0; i < some; i++) heads[i] *= weight;
    }
}

size_t ap_paths_count(const ap_net *net, const ap_tokens *x) {
    if (net->read != AP_READ_ALL) return x->P;
    if (x->length == NULL) return ap_times(x->T, x->P);
    size_t count = 0;
    for (size_t mu = 0; mu < x->P; mu++) count += x->length[mu];
    return count;
}

const size_t *ap_tokens_starts(const ap_tokens *x, ap_work *work) {
    size_t *start = (size_t *)(void *)ap_take(work, ap_plus(x->P, 1));
    if (start == NULL) return NULL;
    start[0] = 0;
    for (size_t mu = 0; mu < x->P; mu++) start[mu + 1] = start[mu] + ap_token_length(x, mu);
    return start;
}

size_t ap_tokens_path(const ap_net *net, size_t place) {
    size_t path = 0;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t branches = ap_net_branches(net, l);
        path = path * branches + place % branches;
        place /= branches;
    }
    return path;
}

double ap_tokens_weight(const ap_net *net, size_t layer, size_t place) {
    return ap_branch_weight(net, layer, place + 1 - ap_net_skipping(net, layer));
}

void ap_tokens_branch(double *to, size_t ldto, const double *from, size_t ldfrom, const ap_branch *b) {
    if (b->omega != NULL) {
        ap_gemm('N', 'N', b->rows, b->columns, b->T, b->weight, from, ldfrom, b->omega, b->T, 0.0, to, ldto);
        return;
    }
    for (size_t t = 0; t < b->columns; t++)
        for (size_t i = 0; i < b->rows; i++) to[i + ldto * t] = b->weight * from[i + ldfrom * t];
}

// One branch of example k of the chunk, into the stack of its layer, or from the last layer into Xi.
static void put(double *Xi, const ap_chunk *c, const size_t *start, size_t layer, size_t branch, size_t k,
                const double *omega) {
    const ap_net *net = c->net;
    const size_t N0 = c->x->N0, T = c->x->T, above = ap_net_below(net, layer - 1), rows = N0 * above;
    const size_t mu = c->first + k;
    const double *z = layer == 1 ? c->x->X + N0 * T * mu : ap_chunk_vectors(c, layer - 1) + rows * T * k;
    ap_branch b = {.rows = rows, .columns = T, .T = T, .weight = ap_tokens_weight(net, layer, branch), .omega = omega};
    if (layer < net->L) {
        const size_t all = rows * ap_net_branches(net, layer);
        ap_tokens_branch(ap_chunk_vectors(c, layer) + all * T * k + rows * branch, all, z, rows, &b);
        return;
    }
    b.rows = N0;
    b.columns = ap_token_length(c->x, mu);
    for (size_t p = 0; Xi != NULL && p < above; p++) {
        double *out = Xi + N0 * (start[mu] + start[c->x->P] * ap_tokens_path(net, p + above * branch));
        ap_tokens_branch(out, N0, z + N0 * p, rows, &b);
    }
}

ap_status ap_tokens_up(double *Xi, ap_chunk *c, const size_t *start, ap_error *err) {
    for (size_t layer = 1; layer <= c->net->L; layer++) {
        const size_t skips = ap_net_skipping(c->net, layer);
        for (size_t k = 0; skips > 0 && k < c->count; k++) put(Xi, c, start, layer, 0, k, NULL);
        for (size_t h = 0; h < c->net->H[layer - 1]; h++) {
            ap_chunk_head(c, layer, h, true);
            for (size_t k = 0; k < c->count; k++) {
                const double *omega;
                const ap_status status = ap_chunk_make_map(&omega, c, layer, h, k, err);
                if (status < 0) return status;
                put(Xi, c, start, layer, skips + h, k, omega);
            }
        }
    }
    return AP_OK;
}
