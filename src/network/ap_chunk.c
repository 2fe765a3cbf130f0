// ap_chunk.c: a few examples at a time, and what their way through the layers leaves for the way back
// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors are a_1 .. a_{L+1} of ap_paths.c, [T x Pi_l] an example, or where all tokens are read out z_1 .. z_{L-1} of
// ap_tokens.c, [N0 B_1 .. B_l x T]. Where derivatives are wanted maps are kept, [T x queries] for each head and
// example, layer by layer, and where those by heads are, factors of the scores of queries and keys. Otherwise one map
// is held at a time.

#include "network/ap_network.h"

enum { stacks_wanted = 1 << 16 };  // numbers of one layer's stacks: they should stay in a cache

static bool all_read(const ap_chunk *c) { return c->net->read == AP_READ_ALL; }

static size_t queries_of(const ap_chunk *c, size_t layer) { return ap_read_single(c->net, layer) ? 1 : c->x->T; }

size_t ap_chunk_most(const ap_net *net, const ap_tokens *x) {
    const size_t most = ap_attention_chunk(x);
    if (net->read != AP_READ_ALL) return most;
    const size_t fit = stacks_wanted / ap_times(ap_times(x->N0, x->T), ap_net_below(net, net->L - 1));
    return fit == 0 ? 1 : fit < most ? fit : most;
}

static size_t vectors_at(const ap_chunk *c, size_t layer) {  // where those of a layer begin
    size_t at = 0;
    for (size_t l = 1; l < layer; l++)
        at = ap_plus(at, all_read(c) ? ap_net_below(c->net, l) : ap_net_paths(c->net, l));
    return ap_times(ap_times(at, all_read(c) ? c->x->N0 : 1), ap_times(c->x->T, c->most));
}

static size_t maps_at(const ap_chunk *c, size_t layer) {
    size_t columns = 0;
    for (size_t l = 1; l < layer; l++) columns = ap_plus(columns, ap_times(c->net->H[l - 1], queries_of(c, l)));
    return ap_times(columns, ap_times(c->x->T, c->most));
}

static size_t factor_size(const ap_chunk *c) {
    return ap_times(ap_attention_inner(c->net, c->x->N0), ap_times(c->x->T, c->most));
}

static size_t factors_at(const ap_chunk *c, size_t layer) {
    size_t heads = 0;
    for (size_t l = 1; c->keep == AP_KEEP_FACTORS && l < layer; l++)
        heads = ap_plus(heads, c->net->heads[l - 1].W == NULL ? c->net->H[l - 1] : 0);
    return ap_times(heads, ap_times(2, factor_size(c)));
}

static size_t kept_maps(const ap_chunk *c) {
    if (c->A != NULL) return 0;
    return c->keep == AP_KEEP_NOTHING ? ap_times(c->x->T, c->x->T) : maps_at(c, c->net->L + 1);
}

static size_t kept_vectors(const ap_chunk *c) { return vectors_at(c, all_read(c) ? c->net->L : c->net->L + 2); }

ap_chunk ap_chunk_of(const ap_net *net, const ap_tokens *x, const double *const *A, ap_keep keep) {
    return (ap_chunk){.net = net, .x = x, .A = A, .keep = keep, .most = ap_chunk_most(net, x)};
}

size_t ap_chunk_size(const ap_chunk *c) {
    return ap_plus(ap_plus(kept_maps(c), kept_vectors(c)), factors_at(c, c->net->L + 1));
}

void ap_chunk_at(ap_chunk *c, size_t part, double *memory) {
    const size_t left = c->x->P - c->most * part;
    c->first = c->most * part;
    c->count = left < c->most ? left : c->most;
    c->maps = memory;
    c->vectors = memory + kept_maps(c);
    c->factors = c->vectors + kept_vectors(c);
}

double *ap_chunk_vectors(const ap_chunk *c, size_t layer) { return c->vectors + vectors_at(c, layer); }

void ap_chunk_head(ap_chunk *c, size_t layer, size_t h, bool make) {
    const bool single = ap_read_single(c->net, layer);
    if (c->A != NULL) return;
    if (c->keep == AP_KEEP_FACTORS && c->net->heads[layer - 1].W == NULL) {
        c->scores.left = c->factors + factors_at(c, layer) + 2 * factor_size(c) * h;
        c->scores.right = c->scores.left + factor_size(c);
    }
    if (make)
        ap_attention_factors(&c->scores, layer, h + 1, c->first, c->count, single);
    else
        ap_attention_at(&c->scores, layer, h + 1, c->first, c->count, single);
}

static double *own_map(const ap_chunk *c, size_t layer, size_t h, size_t k) {
    if (c->keep == AP_KEEP_NOTHING) return c->maps;
    return c->maps + maps_at(c, layer) + c->x->T * queries_of(c, layer) * (h + c->net->H[layer - 1] * k);
}

const double *ap_chunk_map(const ap_chunk *c, size_t layer, size_t h, size_t k) {
    if (c->A == NULL) return own_map(c, layer, h, k);
    const size_t T = c->x->T, mu = c->first + k;
    const double *omega = c->A[layer - 1] + T * T * (h + c->net->H[layer - 1] * mu);
    return ap_read_single(c->net, layer) ? omega + T * ap_read_token(c->net, c->x, mu) : omega;
}

ap_status ap_chunk_make_map(const double **omega, const ap_chunk *c, size_t layer, size_t h, size_t k, ap_error *err) {
    *omega = ap_chunk_map(c, layer, h, k);
    return c->A == NULL ? ap_attention_map(own_map(c, layer, h, k), &c->scores, k, err) : AP_OK;
}
