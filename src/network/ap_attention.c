// ap_attention.c: attention maps from tokens and heads
// SPDX-License-Identifier: BSD-3-Clause
//
//   score (s,t) = x_s' W x_t                         bilinear head, unscaled
//               = (K x_s)' (Q x_t) / sqrt (G)        query/key head
//
// A single query, that of the readout, meets x_s' (K' Q x_t) instead, where the rule takes nothing but scores: the keys
// of all tokens are not made.
// Here are the factors, K x_s and Q x_t. Scores, and attention from them, are made in ap_rule.c, and in training in
// ap_train_pass.c. Cost for P examples and H heads: 2 P T H (N0^2 + N0 T) flops in matrix products.

#include "network/ap_network.h"

#include <math.h>
#include <string.h>

size_t ap_attention_chunk(const ap_tokens *x) {
    const size_t chunk = (ap_columns_wanted + x->T - 1) / x->T;
    return chunk < x->P ? chunk : x->P;
}

size_t ap_token_length(const ap_tokens *x, size_t mu) { return x->length == NULL ? x->T : x->length[mu]; }

size_t ap_read_token(const ap_net *net, const ap_tokens *x, size_t mu) {
    return net->read == AP_READ_LAST ? ap_token_length(x, mu) - 1 : net->token;
}

bool ap_read_single(const ap_net *net, size_t layer) {
    return layer == net->L && net->read != AP_READ_MEAN && net->read != AP_READ_ALL;
}

size_t ap_attention_inner(const ap_net *net, size_t N0) {
    size_t inner = N0;
    for (size_t l = 0; net->heads != NULL && l < net->L; l++)
        if (net->heads[l].G > inner) inner = net->heads[l].G;
    return inner;
}

ap_status ap_attention_known(const ap_net *net, const double *const *A, ap_error *err) {
    if (A != NULL || net->heads != NULL) return AP_OK;
    return ap_fail(err, AP_EINPUT, "the network has no heads of its own: give attention maps");
}

ap_status ap_attention_fits(const ap_net *net, const ap_tokens *x, ap_error *err) {
    if (x->N0 == 0 || x->T == 0 || x->P == 0)
        return ap_fail(err, AP_EINPUT, "%zu features, %zu tokens, %zu examples: none may be 0", x->N0, x->T, x->P);
    if (!ap_blas_fits(ap_attention_inner(net, x->N0)) || !ap_blas_fits(ap_times(x->T, ap_attention_chunk(x))))
        return ap_fail(err, AP_ESIZE, "%zu features, %zu tokens are more than BLAS can count", x->N0, x->T);
    return AP_OK;
}

ap_status ap_attention_take(ap_scores *s, const ap_net *net, const ap_tokens *x, ap_work *work, ap_error *err) {
    const size_t chunk = ap_attention_chunk(x), inner = ap_attention_inner(net, x->N0);
    *s = (ap_scores){.net = net, .x = x, .scratch = ap_take(work, ap_rule_room(net, x->T, false))};
    AP_TAKE_EACH(work, ap_times(ap_times(inner, x->T), chunk), &s->left, &s->right);
    s->gather = ap_take_matrix(work, x->N0, chunk);
    return s->gather == NULL ? ap_not_taken(work, err, "ap_attention") : AP_OK;
}

void ap_attention_at(ap_scores *s, size_t layer, size_t head, size_t first, size_t count, bool single) {
    const ap_heads *heads = &s->net->heads[layer - 1];
    const bool bilinear = heads->W != NULL;
    const size_t N0 = s->x->N0, T = s->x->T;
    const double *tokens = s->x->X + N0 * T * first;
    s->layer = layer;
    s->head = head;
    s->first = first;
    s->count = count;
    s->single = single;
    s->queries = single ? 1 : T;
    s->asked = single ? s->gather : tokens;
    s->folded = single && !bilinear && !ap_rule_of(&heads->rule)->needs_pairs;
    s->d = bilinear || s->folded ? N0 : heads->G;
    s->scale = ap_rule_scale(&heads->rule, bilinear ? 1.0 : 1.0 / sqrt((double)heads->G));
    s->left_of = bilinear || s->folded ? tokens : s->left;
    for (size_t k = 0; single && k < count; k++)
        memcpy(s->gather + N0 * k, tokens + N0 * (T * k + ap_read_token(s->net, s->x, first + k)), N0 * sizeof(double));
}

void ap_attention_factors(ap_scores *s, size_t layer, size_t head, size_t first, size_t count, bool single) {
    ap_attention_at(s, layer, head, first, count, single);
    const ap_heads *heads = &s->net->heads[layer - 1];
    const size_t N0 = s->x->N0, T = s->x->T, G = heads->G, h = head - 1, columns = s->queries * count;
    const double *tokens = s->x->X + N0 * T * first, *asked = s->asked;
    if (heads->W != NULL) {
        ap_gemm('N', 'N', N0, columns, N0, 1.0, heads->W + N0 * N0 * h, N0, asked, N0, 0.0, s->right, N0);
    } else if (s->folded) {
        ap_gemm('N', 'N', G, columns, N0, 1.0, heads->Q + G * N0 * h, G, asked, N0, 0.0, s->left, G);
        ap_gemm('T', 'N', N0, columns, G, 1.0, heads->K + G * N0 * h, G, s->left, G, 0.0, s->right, N0);
    } else {
        ap_gemm('N', 'N', G, columns, N0, 1.0, heads->Q + G * N0 * h, G, asked, N0, 0.0, s->right, G);
        ap_gemm('N', 'N', G, T * count, N0, 1.0, heads->K + G * N0 * h, G, tokens, N0, 0.0, s->left, G);
    }
}

// What the queries of example first + k meet. A single causal query sees the keys up to its own token.
static ap_head_keys keys_of(const ap_scores *s, size_t k) {
    const size_t mu = s->first + k, length = ap_token_length(s->x, mu), token = ap_read_token(s->net, s->x, mu);
    const bool single = s->single, causal = s->net->causal;
    return (ap_head_keys){.rule = &s->net->heads[s->layer - 1].rule,
                          .scale = s->scale,
                          .causal = causal && !single,
                          .d = s->d,
                          .rows = s->x->T,
                          .n = single && causal ? token + 1 : length,
                          .queries = single ? 1 : length,
                          .K = s->left_of + s->d * s->x->T * k,
                          .example = mu + 1,
                          .layer = s->layer,
                          .head = s->head,
                          .query = single ? token + 1 : 1};
}

ap_status ap_attention_map(double *omega, const ap_scores *s, size_t k, ap_error *err) {
    const ap_head_keys c = keys_of(s, k);
    const ap_rule_row *row = ap_rule_of(c.rule);
    const ap_status status = row->prepare == NULL ? AP_OK : row->prepare(s->scratch, &c, err);
    if (status < 0) return status;
    return row->weights(omega, s->scratch, &c, s->right + s->d * s->queries * k, s->queries, err);
}

ap_status ap_attention_apply(double *below, double *omega, const ap_scores *s, size_t k, const double *above, size_t up,
                             ap_error *err) {
    const ap_head_keys c = keys_of(s, k);
    const ap_rule_row *row = ap_rule_of(c.rule);
    const size_t T = s->x->T, m = s->queries;
    const double *Q = s->right + s->d * m * k;
    ap_status status = row->prepare == NULL ? AP_OK : row->prepare(s->scratch, &c, err);
    if (status < 0) return status;
    if (row->apply != NULL) return row->apply(below, omega, s->scratch, &c, Q, m, above, up, err);
    status = row->weights(omega, s->scratch, &c, Q, m, err);
    if (status == AP_OK) ap_gemm('N', 'N', T, up, m, 1.0, omega, T, above, m, 0.0, below, T);
    return status;
}

ap_status ap_attention_adjoint(ap_adjoint *out, double *slope, const double *omega, const ap_scores *s, size_t k,
                               ap_error *err) {
    const ap_head_keys c = keys_of(s, k);
    const ap_rule_row *row = ap_rule_of(c.rule);
    const double *Q = s->right + s->d * s->queries * k;
    ap_status status = row->prepare == NULL ? AP_OK : row->prepare(s->scratch, &c, err);
    if (status == AP_OK) status = row->adjoint(out, slope, omega, s->scratch, &c, Q, s->queries, err);
    return status;
}

ap_status ap_attention(double *A, const ap_net *net, size_t layer, const ap_tokens *x, ap_work *work, ap_error *err) {
    const size_t T = x->T, P = x->P, H = net->H[layer - 1], mark = work->used;
    ap_scores s;
    ap_status status = ap_attention_fits(net, x, err);
    if (status < 0) return status;
    const size_t chunk = ap_attention_chunk(x);
    status = ap_attention_take(&s, net, x, work, err);
    for (size_t first = 0; status == AP_OK && first < P; first += chunk) {
        const size_t count = P - first < chunk ? P - first : chunk;
        for (size_t h = 0; status == AP_OK && h < H; h++) {
            ap_attention_factors(&s, layer, h + 1, first, count, false);
            for (size_t k = 0; status == AP_OK && k < count; k++)
                status = ap_attention_map(A + T * T * (h + H * (first + k)), &s, k, err);
        }
    }
    work->used = mark;
    return status;
}
