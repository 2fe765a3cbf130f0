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
// The maps live only for one example and one head, those of 'cme' heads not even there (ap_cme.c). Chunks of examples
// are the parts of a job that a team of threads may share. Where every token is read out: ap_stream.c.

#include "network/ap_network.h"

#include <string.h>

typedef struct chain {  // scratch for one chunk of examples
    ap_scores scores;
    double *omega;          // [T x T]
    double *above, *below;  // [T x Pi_{l+1} x chunk], [T x Pi_l x chunk]
} chain;

typedef struct job {
    double *Xi;
    const ap_net *net;
    const ap_tokens *x;
    const double *const *A;
} job;

static ap_status take(chain *c, const job *j, ap_work *work, ap_error *err) {
    const size_t T = j->x->T, most = ap_times(T, ap_times(ap_net_paths(j->net, 1), ap_attention_chunk(j->x)));
    const ap_status status = ap_attention_take(&c->scores, j->net, j->x, work, err);
    if (status < 0) return status;
    c->omega = ap_take_matrix(work, T, T);
    AP_TAKE_EACH(work, most, &c->above, &c->below);
    return c->below == NULL ? ap_not_taken(work, err, "ap_paths") : AP_OK;
}

ap_status ap_paths_readout(double *e, const ap_net *net, const ap_tokens *x, size_t first, size_t count,
                           ap_error *err) {
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

void ap_paths_weigh(double *below, const double *above, const ap_net *net, const ap_tokens *x, size_t layer,
                    size_t first, size_t count, bool single) {
    const size_t T = x->T, up = ap_net_paths(net, layer + 1), down = ap_net_paths(net, layer);
    const size_t some = T * up, skips = ap_net_skipping(net, layer);
    for (size_t k = 0; ap_branch_weighs(net, layer) && k < count; k++, below += T * down) {
        const size_t token = single ? ap_read_token(net, x, first + k) : 0;
        for (size_t h = 1; h <= net->H[layer - 1]; h++) {
            const double weight = ap_branch_weight(net, layer, h);
            double *head = below + some * (skips + h - 1);
            for (size_t i = 0; i < some; i++) head[i] *= weight;
        }
        if (skips > 0)
            pass_by(below, above + (single ? 1 : T) * up * k, ap_branch_weight(net, layer, 0), T, up, token, single);
    }
}

// below = the maps of one layer applied to above; single: only the query that is read out has a row in above.
static ap_status descend(chain *c, const job *j, size_t layer, size_t first, size_t count, bool single, ap_error *err) {
    const ap_net *net = j->net;
    const double *A = j->A == NULL ? NULL : j->A[layer - 1];
    const size_t T = j->x->T, H = net->H[layer - 1], queries = single ? 1 : T;
    const size_t up = ap_net_paths(net, layer + 1), down = ap_net_paths(net, layer),
                 skips = ap_net_skipping(net, layer);
    for (size_t h = 0; h < H; h++) {
        if (A == NULL) ap_attention_factors(&c->scores, layer, h + 1, first, count, single);
        for (size_t k = 0; k < count; k++) {
            const double *above = c->above + queries * up * k;
            double *below = c->below + T * (down * k + up * (skips + h));
            if (A == NULL) {
                const ap_status status = ap_attention_apply(below, c->omega, &c->scores, k, above, up, err);
                if (status < 0) return status;
            } else {
                const double *omega = A + T * T * (h + H * (first + k));
                if (single) omega += T * ap_read_token(net, j->x, first + k);
                ap_gemm('N', 'N', T, up, queries, 1.0, omega, T, above, queries, 0.0, below, T);
            }
        }
    }
    ap_paths_weigh(c->below, c->above, net, j->x, layer, first, count, single);
    return AP_OK;
}

static ap_status some_examples(void *whole, size_t part, ap_work *work, ap_error *err) {
    const job *j = whole;
    const ap_net *net = j->net;
    const size_t chunk = ap_attention_chunk(j->x), first = chunk * part, left = j->x->P - first;
    const size_t count = left < chunk ? left : chunk;
    const size_t N0 = j->x->N0, T = j->x->T, paths = ap_net_paths(net, 1), mark = work->used;
    chain c;
    ap_status status = take(&c, j, work, err);
    if (status < 0) goto done;
    status = ap_paths_readout(c.above, net, j->x, first, count, err);
    for (size_t layer = net->L; status == AP_OK && layer >= 1; layer--) {
        status = descend(&c, j, layer, first, count, ap_read_single(net, layer), err);
        double *swap = c.above;
        c.above = c.below;
        c.below = swap;
    }
    for (size_t k = 0; status == AP_OK && k < count; k++)
        ap_gemm('N', 'N', N0, paths, T, 1.0, j->x->X + N0 * T * (first + k), N0, c.above + T * paths * k, T, 0.0,
                j->Xi + N0 * (first + k), N0 * j->x->P);
done:
    work->used = mark;
    return status;
}

static ap_status check(const ap_net *net, const ap_tokens *x, const double *const *A, ap_error *err) {
    const size_t paths = ap_net_paths(net, 1);
    const size_t count = ap_paths_count(net, x), rows = ap_times(x->N0, paths);  // a stack of ap_stream.c
    if (!ap_blas_fits(ap_times(x->N0, count)) || !ap_blas_fits(net->read == AP_READ_ALL ? rows : paths))
        return ap_fail(err, AP_ESIZE, "%zu features x %zu examples x %zu paths are more than BLAS can count", x->N0,
                       count, paths);
    const ap_status status = ap_attention_known(net, A, err);
    return status == AP_OK ? ap_attention_fits(net, x, err) : status;
}

ap_status ap_paths(double *Xi, const ap_net *net, const ap_tokens *x, const double *const *A, const ap_team *team,
                   ap_work *work, ap_error *err) {
    job j = {.Xi = Xi, .net = net, .x = x, .A = A};
    const ap_status status = check(net, x, A, err);
    if (status < 0) return status;
    if (net->read == AP_READ_ALL) return ap_stream_paths(Xi, net, x, A, team, work, err);
    const size_t chunk = ap_attention_chunk(x);
    return ap_team_run(team, some_examples, &j, (x->P + chunk - 1) / chunk, work, err);
}
