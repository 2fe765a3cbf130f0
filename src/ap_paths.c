// ap_paths.c: path inputs, the tokens averaged along each attention path
// SPDX-License-Identifier: BSD-3-Clause
//
//   xi^pi_mu = x_mu Omega^{1,h_1}_mu Omega^{2,h_2}_mu ... Omega^{L,h_L}_mu e         [N0]                          (T3)
//
// The chain is started at the readout vector e and goes down from the top layer, so that it meets vectors only:
//
//   a_{L+1} = e,   a_l (:, (h,pi)) = Omega^{l,h} a_{l+1} (:, pi),   Xi (:, mu, :) = x_mu a_1
//
// with a_l [T x Pi_l]. A readout of one token asks the top layer for that one query. Cost for P examples:
// 2 P T^2 sum_l Pi_l + 2 P N0 T Pi flops, and the scores (ap_attention.c); never a product of two T x T matrices.
// The maps live only for one example and one head, those of 'cme' heads not even there (ap_cme.c).

#include <string.h>

#include "ap_attention.h"
#include "ap_blas.h"

typedef struct chain {  // scratch for one chunk of examples
    double *left, *right, *gather, *room, *omega;
    double *above, *below;  // [T x Pi_{l+1} x chunk], [T x Pi_l x chunk]
} chain;

static size_t paths_below(const ap_net *net, const ap_tokens *x) {
    return ap_times(ap_times(x->T, ap_net_paths(net, 1)), ap_attention_chunk(x));
}

size_t ap_paths_worksize(const ap_net *net, const ap_tokens *x) {
    const size_t factors = ap_attention_worksize(net, x);
    const size_t vectors = ap_times(2, paths_below(net, x));
    const size_t gather = ap_times(x->N0, ap_attention_chunk(x));
    return ap_plus(ap_plus(factors, vectors), ap_plus(gather, ap_times(x->T, x->T)));
}

static ap_status chain_take(chain *c, const ap_net *net, const ap_tokens *x, ap_work *work, ap_error *err) {
    const size_t block = ap_attention_block(net, x);
    c->left = ap_take(work, block);
    c->right = ap_take(work, block);
    c->gather = ap_take(work, x->N0 * ap_attention_chunk(x));
    c->room = ap_take(work, ap_attention_room(net, x));
    c->omega = ap_take(work, x->T * x->T);
    c->above = ap_take(work, paths_below(net, x));
    c->below = ap_take(work, paths_below(net, x));
    return c->below == NULL ? ap_no_memory(err, "ap_paths") : AP_OK;
}

// The readout vectors e of a chunk: [T x count] for the mean, [1 x count] ones for a single token.
static ap_status readout(double *e, const ap_net *net, const ap_tokens *x, size_t mu0, size_t count, ap_error *err) {
    for (size_t k = 0; k < count; k++) {
        const size_t length = ap_token_length(x, mu0 + k);
        if (net->read == AP_READ_MEAN) {
            for (size_t t = 0; t < x->T; t++) e[t + x->T * k] = t < length ? 1.0 / (double)length : 0.0;
        } else {
            e[k] = 1.0;
            const size_t token = ap_read_token(net, x, mu0 + k);
            if (token >= length)
                return ap_fail(err, AP_EINPUT, "the readout token is %zu but example %zu has %zu tokens", token + 1,
                               mu0 + k + 1, length);
        }
    }
    return AP_OK;
}

// below = the maps of one layer applied to above; single: only the query that is read out has a row in above.
static ap_status descend(chain *c, const ap_net *net, size_t layer, const ap_tokens *x, const double *A, size_t mu0,
                         size_t count, bool single, ap_error *err) {
    const size_t T = x->T, H = net->H[layer - 1], queries = single ? 1 : T;
    const size_t up = ap_net_paths(net, layer + 1), down = H * up;
    for (size_t h = 0; h < H; h++) {
        ap_scores scores;
        if (A == NULL)
            ap_attention_factors(&scores, net, layer, h, x, mu0, count, single, c->left, c->right, c->gather, c->room);
        for (size_t k = 0; k < count; k++) {
            const double *above = c->above + queries * up * k;
            double *below = c->below + T * (down * k + up * h);
            if (A == NULL) {
                const ap_status status = ap_attention_apply(below, c->omega, net, &scores, x, mu0, k, above, up, err);
                if (status < 0) return status;
            } else {
                const double *omega = A + T * T * (h + H * (mu0 + k));
                if (single) omega += T * ap_read_token(net, x, mu0 + k);
                ap_gemm('N', 'N', T, up, queries, 1.0, omega, T, above, queries, 0.0, below, T);
            }
        }
    }
    return AP_OK;
}

size_t ap_paths_chunk(const ap_tokens *x) { return ap_attention_chunk(x); }

ap_status ap_paths(double *Xi, const ap_net *net, const ap_tokens *x, const double *const *A, ap_work *work,
                   ap_error *err) {
    return ap_paths_part(Xi, net, x, A, 0, x->P, work, err);
}

ap_status ap_paths_part(double *Xi, const ap_net *net, const ap_tokens *x, const double *const *A, size_t first,
                        size_t total, ap_work *work, ap_error *err) {
    const size_t N0 = x->N0, T = x->T, P = x->P, paths = ap_net_paths(net, 1), chunk = ap_attention_chunk(x);
    const size_t mark = work->used;
    if (!ap_blas_fits(ap_times(N0, P)) || !ap_blas_fits(ap_times(T, chunk)) || !ap_blas_fits(paths) ||
        !ap_blas_fits(ap_attention_inner(net, N0)))
        return ap_fail(err, AP_ESIZE, "%zu features x %zu examples x %zu paths are more than BLAS can count", N0, P,
                       paths);
    if (A == NULL && net->heads == NULL)
        return ap_fail(err, AP_EINPUT, "the network has no heads of its own: bring attention maps");
    chain c = {0};
    ap_status status = chain_take(&c, net, x, work, err);
    for (size_t mu0 = first; status == AP_OK && mu0 < first + total; mu0 += chunk) {
        const size_t count = first + total - mu0 < chunk ? first + total - mu0 : chunk;
        status = readout(c.above, net, x, mu0, count, err);
        for (size_t layer = net->L; status == AP_OK && layer >= 1; layer--) {
            const bool single = layer == net->L && net->read != AP_READ_MEAN;
            status = descend(&c, net, layer, x, A == NULL ? NULL : A[layer - 1], mu0, count, single, err);
            double *swap = c.above;
            c.above = c.below;
            c.below = swap;
        }
        for (size_t k = 0; status == AP_OK && k < count; k++)
            ap_gemm('N', 'N', N0, paths, T, 1.0, x->X + N0 * T * (mu0 + k), N0, c.above + T * paths * k, T, 0.0,
                    Xi + N0 * (mu0 + k), N0 * P);
    }
    work->used = mark;
    return status;
}
