// ap_attention.c: attention maps from tokens and heads, and one head applied
// SPDX-License-Identifier: BSD-3-Clause
//
//   score (s,t) = x_s' W x_t                         bilinear head, unscaled
//               = (K x_s)' (Q x_t) / sqrt (G)        query/key head
//               = k'q                               a head without a network
//   Omega (s,t) = exp (score (s,t) / gamma) / sum_r exp (score (r,t) / gamma)    'softmax', the largest subtracted
//               = 1 at the largest score of column t, 0 elsewhere                'hardmax', the first of equals
//               = (G + lambda I)^{-1} k (K, q_t), over the keys that it sees       'cme', see ap_cme.c          (T16)
//
// Keys that the query may not see (padding beyond the example's length, later tokens when causal) get 0; so do whole
// columns of padded queries. Cost for P examples and H heads: 2 P T H (N0^2 + N0 T) flops in matrix products.
//
// A head without a network: out = V Omega, for as many queries at a time as make a product fast. Of 'cme' the
// estimate is V (G + lambda I)^{-1} k (K, Q), which is taken from the left where there are fewer values than queries.

#include "ap_attention.h"

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_cme.h"

enum { columns_wanted = 512 };  // a chunk's products have about this many columns: enough for full dgemm speed

size_t ap_attention_chunk(const ap_tokens *x) {
    const size_t chunk = (columns_wanted + x->T - 1) / x->T;
    return chunk < x->P ? chunk : x->P;
}

size_t ap_attention_inner(const ap_net *net, size_t N0) {
    size_t d = N0;
    for (size_t l = 0; net->heads != NULL && l < net->L; l++)
        if (net->heads[l].G > d) d = net->heads[l].G;
    return d;
}

size_t ap_token_length(const ap_tokens *x, size_t mu) { return x->length == NULL ? x->T : x->length[mu]; }

size_t ap_read_token(const ap_net *net, const ap_tokens *x, size_t mu) {
    return net->read == AP_READ_LAST ? ap_token_length(x, mu) - 1 : net->token;
}

static double scaled(const ap_net *net, double scale) {
    return net->rule == AP_HARDMAX ? scale : scale / net->bandwidth;
}

void ap_attention_factors(ap_scores *scores, const ap_net *net, size_t layer, size_t h, const ap_tokens *x, size_t mu0,
                          size_t count, bool single, double *left, double *right, double *gather, double *room) {
    const ap_heads *heads = &net->heads[layer - 1];
    const size_t N0 = x->N0, T = x->T;
    const double *tokens = x->X + N0 * T * mu0, *asked = tokens;
    scores->queries = single ? 1 : T;
    scores->layer = layer;
    scores->head = h + 1;
    scores->room = room;
    if (single) {
        for (size_t k = 0; k < count; k++)
            memcpy(gather + N0 * k, tokens + N0 * (T * k + ap_read_token(net, x, mu0 + k)), N0 * sizeof(double));
        asked = gather;
    }
    const size_t columns = scores->queries * count;
    scores->right = right;
    if (heads->W != NULL) {
        scores->d = N0;
        scores->scale = scaled(net, 1.0);
        scores->left = tokens;
        ap_gemm('N', 'N', N0, columns, N0, 1.0, heads->W + N0 * N0 * h, N0, asked, N0, 0.0, right, N0);
    } else {
        const size_t G = heads->G;
        scores->d = G;
        scores->scale = scaled(net, 1.0 / sqrt((double)G));
        scores->left = left;
        ap_gemm('N', 'N', G, columns, N0, 1.0, heads->Q + G * N0 * h, G, asked, N0, 0.0, right, G);
        ap_gemm('N', 'N', G, T * count, N0, 1.0, heads->K + G * N0 * h, G, tokens, N0, 0.0, left, G);
    }
}

static bool softmax(double *score, size_t n) {
    double top = score[0], sum = 0.0;
    for (size_t s = 1; s < n; s++) top = fmax(top, score[s]);
    for (size_t s = 0; s < n; s++) sum += score[s] = exp(score[s] - top);
    for (size_t s = 0; s < n; s++) score[s] /= sum;
    return isfinite(sum);
}

static bool hardmax(double *score, size_t n) {
    size_t best = 0;
    bool finite = true;
    for (size_t s = 0; s < n; s++) {
        finite = finite && isfinite(score[s]);
        if (score[s] > score[best]) best = s;
    }
    for (size_t s = 0; s < n; s++) score[s] = s == best ? 1.0 : 0.0;
    return finite;
}

// The keys that example mu0 + k holds: all those that its only query sees, or all of its own.
static ap_cme keys_of(const ap_net *net, const ap_scores *scores, const ap_tokens *x, size_t mu0, size_t k) {
    const size_t length = ap_token_length(x, mu0 + k), token = ap_read_token(net, x, mu0 + k);
    const bool single = scores->queries < x->T;
    return (ap_cme){.kernel = net->kernel,
                    .scale = scores->scale,
                    .ridge = net->ridge,
                    .causal = net->causal && !single,
                    .d = scores->d,
                    .n = single && net->causal ? token + 1 : length,
                    .K = scores->left + scores->d * x->T * k,
                    .example = mu0 + k + 1,
                    .layer = scores->layer,
                    .head = scores->head};
}

static ap_status cme_map(double *omega, const ap_net *net, const ap_scores *scores, const ap_tokens *x, size_t mu0,
                         size_t k, ap_error *err) {
    const size_t T = x->T;
    const ap_cme c = keys_of(net, scores, x, mu0, k);
    const size_t queries = scores->queries < c.n ? scores->queries : c.n;
    ap_status status = ap_cme_factor(scores->room, &c, err);
    if (status == AP_OK)
        status = ap_cme_weights(omega, T, scores->room, &c, scores->right + c.d * scores->queries * k, queries, err);
    for (size_t j = 0; j < queries; j++) memset(omega + T * j + c.n, 0, (T - c.n) * sizeof *omega);
    memset(omega + T * queries, 0, T * (scores->queries - queries) * sizeof *omega);
    return status;
}

static ap_status cme_apply(double *below, double *omega, const ap_net *net, const ap_scores *scores, const ap_tokens *x,
                           size_t mu0, size_t k, const double *above, size_t up, ap_error *err) {
    const ap_cme c = keys_of(net, scores, x, mu0, k);
    const size_t T = x->T, n = c.n, queries = scores->queries < n ? scores->queries : n;
    const double *asked = scores->right + c.d * scores->queries * k;
    ap_status status = ap_cme_factor(scores->room, &c, err);
    if (status == AP_OK)
        status = ap_cme_apply(below, T, omega, scores->room, &c, asked, queries, above, scores->queries, up, err);
    for (size_t j = 0; j < up; j++) memset(below + T * j + n, 0, (T - n) * sizeof *below);
    return status;
}

ap_status ap_attention_map(double *omega, const ap_net *net, const ap_scores *scores, const ap_tokens *x, size_t mu0,
                           size_t k, ap_error *err) {
    if (net->rule == AP_CME) return cme_map(omega, net, scores, x, mu0, k, err);
    const size_t T = x->T, d = scores->d, queries = scores->queries, length = ap_token_length(x, mu0 + k);
    ap_gemm('T', 'N', T, queries, d, scores->scale, scores->left + d * T * k, d, scores->right + d * queries * k, d,
            0.0, omega, T);
    for (size_t j = 0; j < queries; j++) {
        const size_t t = queries == T ? j : ap_read_token(net, x, mu0 + k);
        const size_t seen = t >= length ? 0 : net->causal ? t + 1 : length;
        double *column = omega + T * j;
        memset(column + seen, 0, (T - seen) * sizeof(double));
        if (seen > 0 && !(net->rule == AP_SOFTMAX ? softmax(column, seen) : hardmax(column, seen)))
            return ap_fail(err, AP_ENONFINITE, "an attention score of example %zu, query token %zu, is not finite",
                           mu0 + k + 1, t + 1);
    }
    return AP_OK;
}

ap_status ap_attention_apply(double *below, double *omega, const ap_net *net, const ap_scores *scores,
                             const ap_tokens *x, size_t mu0, size_t k, const double *above, size_t up, ap_error *err) {
    if (net->rule == AP_CME) return cme_apply(below, omega, net, scores, x, mu0, k, above, up, err);
    const size_t T = x->T, queries = scores->queries;
    const ap_status status = ap_attention_map(omega, net, scores, x, mu0, k, err);
    if (status == AP_OK) ap_gemm('N', 'N', T, up, queries, 1.0, omega, T, above, queries, 0.0, below, T);
    return status;
}

size_t ap_attention_block(const ap_net *net, const ap_tokens *x) {
    return ap_times(ap_times(ap_attention_inner(net, x->N0), x->T), ap_attention_chunk(x));
}

size_t ap_attention_room(const ap_net *net, const ap_tokens *x) {
    return net->rule == AP_CME && net->heads != NULL ? ap_cme_worksize(x->T, x->T) : 0;
}

size_t ap_attention_worksize(const ap_net *net, const ap_tokens *x) {
    return ap_plus(ap_times(2, ap_attention_block(net, x)), ap_attention_room(net, x));
}

ap_status ap_attention(double *A, const ap_net *net, size_t layer, const ap_tokens *x, ap_work *work, ap_error *err) {
    const size_t T = x->T, P = x->P, H = net->H[layer - 1], chunk = ap_attention_chunk(x);
    const size_t block = ap_attention_block(net, x), mark = work->used;
    ap_status status = AP_OK;
    if (!ap_blas_fits(ap_attention_inner(net, x->N0)) || !ap_blas_fits(ap_times(T, chunk)))
        return ap_fail(err, AP_ESIZE, "%zu features, %zu tokens are more than BLAS can count", x->N0, T);
    double *room = ap_take(work, ap_attention_room(net, x));
    double *left = ap_take(work, block), *right = ap_take(work, block);
    if (right == NULL) {
        status = ap_no_memory(err, "ap_attention");
        goto done;
    }
    for (size_t mu0 = 0; mu0 < P; mu0 += chunk) {
        const size_t count = P - mu0 < chunk ? P - mu0 : chunk;
        for (size_t h = 0; h < H; h++) {
            ap_scores scores;
            ap_attention_factors(&scores, net, layer, h, x, mu0, count, false, left, right, NULL, room);
            for (size_t k = 0; k < count; k++) {
                status = ap_attention_map(A + T * T * (h + H * (mu0 + k)), net, &scores, x, mu0, k, err);
                if (status < 0) goto done;
            }
        }
    }
done:
    work->used = mark;
    return status;
}

// ---- a head without a network ---------------------------------------------------------------------------------------

static size_t queries_together(size_t m) { return m < columns_wanted ? m : columns_wanted; }

static bool from_the_left(const ap_net *net, const ap_keys *keys, size_t m, bool maps) {
    return net->rule == AP_CME && !maps && keys->dv < m;
}

size_t ap_attend_worksize(const ap_net *net, const ap_keys *keys, size_t m, bool maps) {
    const size_t n = keys->n, together = queries_together(m);
    const size_t omega = maps ? 0 : ap_times(n, together);
    const size_t room = net->rule == AP_CME ? ap_cme_worksize(n, together) : 0;
    return ap_plus(ap_plus(omega, room), from_the_left(net, keys, m, maps) ? ap_times(keys->dv, n) : 0);
}

// Columns of Omega; or, where what they are to meet has been solved for already (`solved`), of k (K, Q).
static ap_status attend_some(double *omega, double *room, const ap_net *net, const ap_cme *c, const double *Q,
                             size_t first, size_t m, bool solved, ap_error *err) {
    const size_t n = c->n, d = c->d;
    if (net->rule == AP_CME) {
        if (solved) return ap_cme_cross(omega, n, room, c, Q, m, err);
        return ap_cme_weights(omega, n, room, c, Q, m, err);
    }
    ap_gemm('T', 'N', n, m, d, c->scale, c->K, d, Q, d, 0.0, omega, n);
    for (size_t j = 0; j < m; j++)
        if (!(net->rule == AP_SOFTMAX ? softmax(omega + n * j, n) : hardmax(omega + n * j, n)))
            return ap_fail(err, AP_ENONFINITE, "an attention score of query %zu is not finite", first + j + 1);
    return AP_OK;
}

ap_status ap_attend(double *out, double *Omega, const ap_net *net, const ap_keys *keys, const double *Q, size_t m,
                    ap_work *work, ap_error *err) {
    const size_t d = keys->d, n = keys->n, dv = keys->dv, mark = work->used, together = queries_together(m);
    const bool cme = net->rule == AP_CME, solved = from_the_left(net, keys, m, Omega != NULL);
    const ap_cme c = {
        .kernel = net->kernel, .scale = scaled(net, 1.0), .ridge = net->ridge, .d = d, .n = n, .K = keys->K};
    if (d == 0 || n == 0 || dv == 0 || m == 0)
        return ap_fail(err, AP_EINPUT, "%zu features, %zu keys, %zu values, %zu queries: none may be 0", d, n, dv, m);
    if (!ap_blas_fits(d) || !ap_blas_fits(n) || !ap_blas_fits(dv))
        return ap_fail(err, AP_ESIZE, "%zu features, %zu keys are more than BLAS can count", d > dv ? d : dv, n);
    ap_status status = ap_net_check_rule(net, err);
    if (status < 0) return status;
    double *omega = Omega, *room = NULL, *V = NULL;
    if (Omega == NULL) omega = ap_take(work, n * together);
    if (cme) room = ap_take(work, ap_cme_worksize(n, together));
    if (solved) V = ap_take(work, dv * n);
    if (omega == NULL || (cme && room == NULL) || (solved && V == NULL)) {
        status = ap_no_memory(err, "ap_attend");
        goto done;
    }
    if (cme) status = ap_cme_factor(room, &c, err);
    if (status == AP_OK && solved) {
        memcpy(V, keys->V, dv * n * sizeof *V);
        ap_cme_values(V, dv, room, &c);
    }
    for (size_t first = 0; status == AP_OK && first < m; first += together) {
        const size_t count = m - first < together ? m - first : together;
        if (Omega != NULL) omega = Omega + n * first;
        status = attend_some(omega, room, net, &c, Q + d * first, first, count, solved, err);
        if (status == AP_OK)
            ap_gemm('N', 'N', dv, count, n, 1.0, solved ? V : keys->V, dv, omega, n, 0.0, out + dv * first, dv);
    }
done:
    work->used = mark;
    return status;
}
