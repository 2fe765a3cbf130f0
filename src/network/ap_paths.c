// ap_paths.c: path inputs, the tokens averaged along each attention path
// SPDX-License-Identifier: BSD-3-Clause
//
//   xi^pi_mu = x_mu Omega^{1,h_1}_mu Omega^{2,h_2}_mu ... Omega^{L,h_L}_mu e         [N0]                          (T3)
//
// The chain is started at the readout vector e and goes down from the top layer, so that it meets vectors only:
//
//   a_{L+1} = e,   a_l (:, (h,pi)) = Omega^{l,h} a_{l+1} (:, pi),   Xi (:, mu, :) = x_mu a_1
//
// with a_l [T x Pi_l]. A layer with a skip connection of gain s_l has one more branch, the first, and is weighted so
// that (T4) to (T6) keep their form (T27), H'_l = H_l + 1:
//
//   a_l (:, (0,pi)) = sqrt (H'_l) s_l a_{l+1} (:, pi),   and its heads' share is times sqrt (H'_l / H_l)
//
// A head's share is times its own prior scale sigma_{l,h} / sigma_l besides (T34), with or without a skip connection.
// A readout of one token needs one query of the top layer. Cost for P examples:
// 2 P T^2 sum_l Pi_l + 2 P N0 T Pi flops, and the scores (ap_attention.c); never a product of two T x T matrices.
// Unless they are kept for the way back, maps live only for one example and one head, those of 'cme' heads not even
// there (ap_cme.c). Chunks of examples (ap_chunk.c) are the parts of a job that a team of threads may share. Where
// every token is read out: ap_tokens.c.

#include "network/ap_network.h"

#include <string.h>

typedef struct job {
    double *Xi, *kept;
    const ap_net *net;
    const ap_tokens *x;
    const double *const *A;
    const size_t *start;  // of ap_tokens.c
} job;

// The readout vectors e of examples first .. first+count-1: [T x count] for the mean, [1 x count] ones for one token.
static ap_status readout(double *e, const ap_net *net, const ap_tokens *x, size_t first, size_t count, ap_error *err) {
    for (size_t k = 0; k < count; k++) {
        const size_t length = ap_token_length(x, first + k);
        if (net->read == AP_READ_MEAN) {
            for (size_t t = 0; t < x->T; t++) e[t + x->T * k] = t < length ? 1.0 / (double)length : 0.0;
        } else {
            e[k] = 1.0;
            const size_t token = ap_read_token(net, x, first + k);
            if (token >= length)
                return ap_fail(err, AP_EINPUT, "the readout token is %zu but example %zu has %zu tokens", token + 1,
                               first + k + 1, length);
        }
    }
    return AP_OK;
}

// Branch 0 of a layer with a skip connection: below [T x up] := weight above, of which a single row may be all there
// is.
static void pass_by(double *below, const double *above, double weight, size_t T, size_t up, size_t token, bool single) {
    memset(below, 0, T * up * sizeof(double));
    for (size_t i = 0; !single && i < T * up; i++) below[i] = weight * above[i];
    for (size_t k = 0; single && k < up; k++) below[token + T * k] = weight * above[k];
}

// The branches of the heads in below [T x Pi_layer x count] are multiplied by their weights. Where `layer` has a skip
// connection its branch is filled, from above [T x Pi_{layer+1} x count], or [1 x ..] of one token. The examples are
// first .. first+count-1.
static void weigh(double *below, const double *above, const ap_net *net, const ap_tokens *x, size_t layer, size_t first,
                  size_t count, bool single) {
    const size_t T = x->T, up = ap_net_paths(net, layer + 1), down = ap_net_paths(net, layer);
    const size_t some = T * up, skips = ap_net_skipping(net, layer);
    for (size_t k = 0; ap_branch_weighs(net, layer) && k < count; k++, below += T * down) {
        const size_t token = single ? ap_read_token(net, x, first + k) : 0;
        ap_branch_weigh_heads(below + some * skips, net, layer, some);
        if (skips > 0)
            pass_by(below, above + (single ? 1 : T) * up * k, ap_branch_weight(net, layer, 0), T, up, token, single);
    }
}

// a_layer from a_{layer+1}; of a readout of one token, a_{L+1} has a single row.
static ap_status descend(ap_chunk *c, size_t layer, ap_error *err) {
    const ap_net *net = c->net;
    const bool single = ap_read_single(net, layer);
    const size_t T = c->x->T, queries = single ? 1 : T, skips = ap_net_skipping(net, layer);
    const size_t up = ap_net_paths(net, layer + 1), down = ap_net_paths(net, layer);
    const double *above = ap_chunk_vectors(c, layer + 1), *omega;
    double *below = ap_chunk_vectors(c, layer);
    for (size_t h = 0; h < net->H[layer - 1]; h++) {
        ap_chunk_head(c, layer, h, true);
        for (size_t k = 0; k < c->count; k++) {
            const double *a = above + queries * up * k;
            double *to = below + T * (down * k + up * (skips + h));
            ap_status status = AP_OK;
            if (c->A == NULL && c->keep == AP_KEEP_NOTHING)
                status = ap_attention_apply(to, c->maps, &c->scores, k, a, up, err);
            else if ((status = ap_chunk_make_map(&omega, c, layer, h, k, err)) == AP_OK)
                ap_gemm('N', 'N', T, up, queries, 1.0, omega, T, a, queries, 0.0, to, T);
            if (status < 0) return status;
        }
    }
    weigh(below, above, net, c->x, layer, c->first, c->count, single);
    return AP_OK;
}

ap_status ap_paths_down(double *Xi, ap_chunk *c, ap_error *err) {
    const size_t N0 = c->x->N0, T = c->x->T, paths = ap_net_paths(c->net, 1), L = c->net->L;
    ap_status status = readout(ap_chunk_vectors(c, L + 1), c->net, c->x, c->first, c->count, err);
    for (size_t layer = L; status == AP_OK && layer >= 1; layer--) status = descend(c, layer, err);
    for (size_t k = 0; Xi != NULL && status == AP_OK && k < c->count; k++)
        ap_gemm('N', 'N', N0, paths, T, 1.0, c->x->X + N0 * T * (c->first + k), N0,
                ap_chunk_vectors(c, 1) + T * paths * k, T, 0.0, Xi + N0 * (c->first + k), N0 * c->x->P);
    return status;
}

static ap_status some_examples(void *whole, size_t part, ap_work *work, ap_error *err) {
    const job *j = whole;
    const size_t mark = work->used;
    ap_chunk c = ap_chunk_of(j->net, j->x, j->A, j->kept == NULL ? AP_KEEP_NOTHING : AP_KEEP_FACTORS);
    const size_t size = ap_chunk_size(&c);
    double *memory = j->kept == NULL ? ap_take(work, size) : j->kept + size * part;
    ap_status status = memory == NULL ? ap_not_taken(work, err, "ap_paths") : AP_OK;
    if (status == AP_OK) status = ap_attention_take(&c.scores, j->net, j->x, work, err);
    if (status == AP_OK) {
        ap_chunk_at(&c, part, memory);
        status = j->start != NULL ? ap_tokens_up(j->Xi, &c, j->start, err) : ap_paths_down(j->Xi, &c, err);
    }
    work->used = mark;
    return status;
}

static ap_status check(const ap_net *net, const ap_tokens *x, const double *const *A, ap_error *err) {
    const size_t paths = ap_net_paths(net, 1);
    const size_t count = ap_paths_count(net, x), rows = ap_times(x->N0, paths);  // a stack of ap_tokens.c
    if (!ap_blas_fits(ap_times(x->N0, count)) || !ap_blas_fits(net->read == AP_READ_ALL ? rows : paths))
        return ap_fail(err, AP_ESIZE, "%zu features x %zu examples x %zu paths are more than BLAS can count", x->N0,
                       count, paths);
    const ap_status status = ap_attention_known(net, A, err);
    return status == AP_OK ? ap_attention_fits(net, x, err) : status;
}

size_t ap_paths_kept(const ap_net *net, const ap_tokens *x) {
    const ap_chunk c = ap_chunk_of(net, x, NULL, AP_KEEP_FACTORS);
    return ap_times(ap_chunk_size(&c), (x->P + c.most - 1) / c.most);
}

ap_status ap_paths_keep(double *Xi, double *kept, const ap_net *net, const ap_tokens *x, const double *const *A,
                        const ap_team *team, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    job j = {.Xi = Xi, .kept = kept, .net = net, .x = x, .A = A};
    ap_status status = check(net, x, A, err);
    if (status < 0) return status;
    const size_t chunk = ap_chunk_most(net, x);
    if (net->read == AP_READ_ALL) j.start = ap_tokens_starts(x, work);
    if (net->read == AP_READ_ALL && j.start == NULL) status = ap_not_taken(work, err, "ap_paths");
    if (status == AP_OK) status = ap_team_run(team, some_examples, &j, (x->P + chunk - 1) / chunk, work, err);
    work->used = mark;
    return status;
}

ap_status ap_paths(double *Xi, const ap_net *net, const ap_tokens *x, const double *const *A, const ap_team *team,
                   ap_work *work, ap_error *err) {
    return ap_paths_keep(Xi, NULL, net, x, A, team, work, err);
}
