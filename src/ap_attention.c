// ap_attention.c: attention maps from tokens and heads
// SPDX-License-Identifier: BSD-3-Clause
//
//   score (s,t) = x_s' W x_t                         bilinear head, unscaled
//               = (K x_s)' (Q x_t) / sqrt (G)        query/key head
//   Omega (s,t) = exp (score (s,t)) / sum_r exp (score (r,t))        'softmax', the column's largest score subtracted
//               = 1 at the largest score of column t, 0 elsewhere    'hardmax', the first of equals
//
// Keys that the query may not see (padding beyond the example's length, later tokens when causal) get 0; so do whole
// columns of padded queries. Cost for P examples and H heads: 2 P T H (N0^2 + N0 T) flops in matrix products.

#include "ap_attention.h"

#include <math.h>
#include <string.h>

#include "ap_blas.h"

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

void ap_attention_factors(ap_scores *scores, const ap_net *net, size_t layer, size_t h, const ap_tokens *x, size_t mu0,
                          size_t count, bool single, double *left, double *right, double *gather) {
    const ap_heads *heads = &net->heads[layer - 1];
    const size_t N0 = x->N0, T = x->T;
    const double *tokens = x->X + N0 * T * mu0, *asked = tokens;
    scores->queries = single ? 1 : T;
    if (single) {
        for (size_t k = 0; k < count; k++)
            memcpy(gather + N0 * k, tokens + N0 * (T * k + ap_read_token(net, x, mu0 + k)), N0 * sizeof(double));
        asked = gather;
    }
    const size_t columns = scores->queries * count;
    scores->right = right;
    if (heads->W != NULL) {
        scores->d = N0;
        scores->scale = 1.0;
        scores->left = tokens;
        ap_gemm('N', 'N', N0, columns, N0, 1.0, heads->W + N0 * N0 * h, N0, asked, N0, 0.0, right, N0);
    } else {
        const size_t G = heads->G;
        scores->d = G;
        scores->scale = 1.0 / sqrt((double)G);
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

ap_status ap_attention_map(double *omega, const ap_net *net, const ap_scores *scores, const ap_tokens *x, size_t mu0,
                           size_t k, ap_error *err) {
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

size_t ap_attention_worksize(const ap_net *net, const ap_tokens *x) {
    const size_t d = ap_attention_inner(net, x->N0);
    return ap_times(ap_times(2 * d, x->T), ap_attention_chunk(x));
}

ap_status ap_attention(double *A, const ap_net *net, size_t layer, const ap_tokens *x, ap_work *work, ap_error *err) {
    const size_t T = x->T, P = x->P, H = net->H[layer - 1], chunk = ap_attention_chunk(x);
    const size_t block = ap_attention_inner(net, x->N0) * T * chunk, mark = work->used;
    ap_status status = AP_OK;
    if (!ap_blas_fits(ap_attention_inner(net, x->N0)) || !ap_blas_fits(ap_times(T, chunk)))
        return ap_fail(err, AP_ESIZE, "%zu features, %zu tokens are more than BLAS can count", x->N0, T);
    double *left = ap_take(work, block), *right = ap_take(work, block);
    if (left == NULL || right == NULL) {
        status = ap_no_memory(err, "ap_attention");
        goto done;
    }
    for (size_t mu0 = 0; mu0 < P; mu0 += chunk) {
        const size_t count = P - mu0 < chunk ? P - mu0 : chunk;
        for (size_t h = 0; h < H; h++) {
            ap_scores scores;
            ap_attention_factors(&scores, net, layer, h, x, mu0, count, false, left, right, NULL);
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
