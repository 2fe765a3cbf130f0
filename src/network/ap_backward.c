// ap_backward.c: from derivatives by the path inputs to those by attention and its parameters
// SPDX-License-Identifier: BSD-3-Clause
//
// D [N0 x P x Pi] is the derivative of a number S with respect to the path inputs. This file traverses the chain of
// ap_paths.c in reverse, with one more branch where a layer has a skip connection, and weights (ap_network.h):
//
//   a_{L+1} = e,   a_l (:, (h,pi)) = Omega^{l,h} a_{l+1} (:, pi),   Xi (:, mu, :) = x_mu a_1                     (T3)
//   g_1 = x_mu' D (:, mu, :),   g_{l+1} (:, pi) = sum_h Omega^{l,h}' g_l (:, (h,pi))
//   dS/dOmega^{l,h} = sum_pi g_l (:, (h,pi)) a_{l+1} (:, pi)'
//
// from there by the adjoint of the head's rule (ap_rule.c, ap_cme.c) to left and right factors of the scores, and so to
// W, or Q and K, and to the logarithms of bandwidth and ridge. ap_backward_heads, for sampled heads (ap_learned.c),
// leaves out these two, which take a logarithm for each weight of attention.
// Where every token is read out, the stacks of ap_tokens.c are traversed instead, of layer l from its branches b,
//
//   g_L (b) = D,   dS/dOmega^{l,b} = w_b z_{l-1}' g_l (b),   g_{l-1} = sum_b w_b g_l (b) Omega^{l,b}'
//
// Cost: that of ap_paths once more, and once again to have its maps, unless it has kept them (ap_paths_keep). Sums over
// examples are made in a fixed number of slots, so that they do not depend on how many threads there are.

#include <string.h>

#include "network/ap_network.h"

enum { slots_wanted = 8 };  // partial sums of theta

typedef struct job {
    double *const *maps;  // [L] results, or NULL
    double *theta;        // [parameters x slots], or NULL
    const double *D;
    double *kept;  // by ap_paths_keep, or NULL
    const ap_net *net;
    const ap_tokens *x;
    const double *const *A;
    bool numbers;         // whether derivatives by bandwidth and ridge are wanted
    const size_t *start;  // of ap_tokens.c
    size_t slots, parameters, chunks;
} job;

typedef struct chain {  // one chunk of examples
    ap_chunk c;
    double *g, *next;      // [T x Pi_l x chunk]; of all tokens [N0 B_1 .. B_l x T x chunk]
    double *slope;         // [T x T] dS/dOmega of one map
    double *left, *right;  // [d x T x chunk] derivatives by the factors of the scores of one head
    double *room;          // of the rule's adjoint
} chain;

// ---- where things lie -----------------------------------------------------------------------------------------------

static size_t head_size(const ap_heads *heads, size_t N0) {  // of W, or of Q; K is as large
    return ap_times(heads->W != NULL ? N0 : heads->G, N0);
}

// Where the parameters of a layer begin in theta; of layer L + 1, bandwidth and ridge.
static size_t layer_at(const ap_net *net, size_t N0, size_t layer) {
    size_t at = 0;
    for (size_t l = 0; l + 1 < layer; l++) {
        const size_t matrices = net->heads[l].W != NULL ? 1 : 2;
        at = ap_plus(at, ap_times(ap_times(matrices, net->H[l]), head_size(&net->heads[l], N0)));
    }
    return at;
}

size_t ap_backward_parameters(const ap_net *net, size_t N0) { return ap_plus(layer_at(net, N0, net->L + 1), 2); }

// The chunk has its memory from `kept`, or its own.
static ap_status take(chain *c, const job *j, size_t part, ap_work *work, ap_error *err) {
    const size_t T = j->x->T, rows = j->start != NULL ? ap_times(j->x->N0, T) : T;
    c->c = ap_chunk_of(j->net, j->x, j->A, j->theta == NULL ? AP_KEEP_MAPS : AP_KEEP_FACTORS);
    const size_t size = ap_chunk_size(&c->c), most = j->theta == NULL ? 0 : c->c.most;
    const ap_status status = ap_attention_take(&c->c.scores, j->net, j->x, work, err);
    if (status < 0) return status;
    double *memory = j->kept != NULL ? j->kept + size * part : ap_take(work, size);
    AP_TAKE_EACH(work, ap_times(rows, ap_times(ap_net_paths(j->net, 1), c->c.most)), &c->g, &c->next);
    c->slope = ap_take_matrix(work, T, T);
    AP_TAKE_EACH(work, ap_times(ap_times(ap_attention_inner(j->net, j->x->N0), T), most), &c->left, &c->right);
    c->room = ap_take(work, j->theta == NULL ? 0 : ap_rule_room(j->net, T, true));
    if (c->room == NULL) return ap_not_taken(work, err, "ap_backward");
    ap_chunk_at(&c->c, part, memory);
    return AP_OK;
}

// ---- one head -------------------------------------------------------------------------------------------------------

static void keep_slope(const chain *c, const job *j, size_t layer, size_t h, size_t k) {
    const size_t T = j->x->T, mu = c->c.first + k;
    double *map = j->maps[layer - 1] + T * T * (h + j->net->H[layer - 1] * mu);
    const bool single = ap_read_single(j->net, layer);
    if (single) memset(map, 0, T * T * sizeof(double));
    memcpy(map + (single ? T * ap_read_token(j->net, j->x, mu) : 0), c->slope, (single ? T : T * T) * sizeof(double));
}

// Derivatives by the factors of one map's scores, into those of the chunk; theta += those by bandwidth and ridge.
static ap_status adjoin(double *theta, chain *c, const job *j, size_t layer, size_t h, size_t k, ap_error *err) {
    const ap_scores *s = &c->c.scores;
    ap_adjoint out = {.left = s->left_of != s->left ? NULL : c->left + s->d * j->x->T * k,
                      .right = c->right + s->d * s->queries * k,
                      .room = c->room,
                      .numbers = j->numbers};
    const ap_status status = ap_attention_adjoint(&out, c->slope, ap_chunk_map(&c->c, layer, h, k), s, k, err);
    double *numbers = theta + layer_at(j->net, j->x->N0, j->net->L + 1);
    if (status < 0) return status;
    numbers[0] += out.bandwidth;
    numbers[1] += out.ridge;
    return AP_OK;
}

// theta += the derivatives with respect to the matrices of one head, through all maps of the chunk.
static void add_matrices(double *theta, const chain *c, const job *j, size_t layer, size_t h) {
    const ap_scores *s = &c->c.scores;
    const ap_heads *heads = &j->net->heads[layer - 1];
    const size_t N0 = j->x->N0, G = heads->G, each = head_size(heads, N0), columns = s->queries * s->count;
    const double *tokens = j->x->X + N0 * j->x->T * s->first, *right = c->right;
    double *at = theta + layer_at(j->net, N0, layer) + each * h, *keys = at + each * j->net->H[layer - 1];
    if (s->folded) {
        ap_gemm('N', 'T', G, N0, columns, 1.0, s->left, G, right, N0, 1.0, keys, G);
        ap_gemm('N', 'N', G, columns, N0, 1.0, heads->K + each * h, G, right, N0, 0.0, c->left, G);
        right = c->left;
    } else if (heads->W == NULL) {
        ap_gemm('N', 'T', G, N0, j->x->T * s->count, 1.0, c->left, G, tokens, N0, 1.0, keys, G);
    }
    const size_t d = heads->W != NULL ? N0 : G;
    ap_gemm('N', 'T', d, N0, columns, 1.0, right, d, s->asked, N0, 1.0, at, d);
}

// ---- a readout of one token, or of the mean: upwards ----------------------------------------------------------------

// g of the heads' branches gets their weights; and next, where the layer has a skip connection, what that branch gives.
static void ascend_weights(chain *c, const job *j, size_t layer) {
    const size_t some = j->x->T * ap_net_paths(j->net, layer + 1), all = j->x->T * ap_net_paths(j->net, layer);
    const size_t skipped = some * ap_net_skipping(j->net, layer);
    const double skip = ap_branch_weight(j->net, layer, 0);
    for (size_t k = 0; ap_branch_weighs(j->net, layer) && k < c->c.count; k++) {
        double *g = c->g + all * k;
        for (size_t i = 0; i < skipped; i++) c->next[some * k + i] = skip * g[i];
        ap_branch_weigh_heads(g + skipped, j->net, layer, some);
    }
}

static void ascend(chain *c, const job *j, size_t layer, size_t h, size_t k) {
    const size_t T = j->x->T, queries = ap_read_single(j->net, layer) ? 1 : T, skips = ap_net_skipping(j->net, layer);
    const size_t up = ap_net_paths(j->net, layer + 1), down = ap_net_paths(j->net, layer);
    const double *g = c->g + T * (down * k + up * (skips + h));
    const double *above = ap_chunk_vectors(&c->c, layer + 1) + queries * up * k;
    if (layer < j->net->L)
        ap_gemm('T', 'N', T, up, T, 1.0, ap_chunk_map(&c->c, layer, h, k), T, g, T, h + skips > 0 ? 1.0 : 0.0,
                c->next + T * up * k, T);
    ap_gemm('N', 'T', T, queries, up, 1.0, g, T, above, queries, 0.0, c->slope, T);
}

static void begin_ascent(chain *c, const job *j) {
    const size_t N0 = j->x->N0, T = j->x->T, paths = ap_net_paths(j->net, 1);
    for (size_t k = 0, mu = c->c.first; k < c->c.count; k++, mu++)
        ap_gemm('T', 'N', T, paths, N0, 1.0, j->x->X + N0 * T * mu, N0, j->D + N0 * mu, N0 * j->x->P, 0.0,
                c->g + T * paths * k, T);
}

// ---- all tokens: downwards ------------------------------------------------------------------------------------------

// g := D of the examples, in the order of the last layer's stack.
static void stack_slopes(chain *c, const job *j) {
    const size_t N0 = j->x->N0, T = j->x->T, paths = ap_net_paths(j->net, 1), P = j->start[j->x->P];
    memset(c->g, 0, N0 * paths * T * c->c.count * sizeof(double));
    for (size_t p = 0; p < paths; p++) {
        const double *D = j->D + N0 * P * ap_tokens_path(j->net, p);
        for (size_t k = 0, mu = c->c.first; k < c->c.count; k++, mu++)
            for (size_t at = j->start[mu], t = 0; t < j->start[mu + 1] - at; t++)
                memcpy(c->g + N0 * (p + paths * (t + T * k)), D + N0 * (at + t), N0 * sizeof(double));
    }
}

static void unstack_skip(chain *c, const job *j, size_t layer) {
    const size_t T = j->x->T, rows = j->x->N0 * ap_net_below(j->net, layer - 1);
    const size_t all = rows * ap_net_branches(j->net, layer);
    const ap_branch skip = {.rows = rows, .columns = T, .T = T, .weight = ap_tokens_weight(j->net, layer, 0)};
    for (size_t k = 0; ap_net_skipping(j->net, layer) > 0 && layer > 1 && k < c->c.count; k++)
        ap_tokens_branch(c->next + rows * T * k, rows, c->g + all * T * k, all, &skip);
}

static void unstack(chain *c, const job *j, size_t layer, size_t h, size_t k) {
    const size_t T = j->x->T, rows = j->x->N0 * ap_net_below(j->net, layer - 1);
    const size_t all = rows * ap_net_branches(j->net, layer), branch = ap_net_skipping(j->net, layer) + h;
    const double weight = ap_tokens_weight(j->net, layer, branch), *g = c->g + all * T * k + rows * branch;
    const double *z =
        (layer == 1 ? j->x->X + rows * T * c->c.first : ap_chunk_vectors(&c->c, layer - 1)) + rows * T * k;
    if (layer > 1)
        ap_gemm('N', 'T', rows, T, T, weight, g, all, ap_chunk_map(&c->c, layer, h, k), T, branch > 0 ? 1.0 : 0.0,
                c->next + rows * T * k, rows);
    ap_gemm('T', 'N', T, T, rows, weight, z, rows, g, all, 0.0, c->slope, T);
}

// ---- the whole ------------------------------------------------------------------------------------------------------

// next := g of the layer that follows on the way back, and what this layer's maps give.
static ap_status back(double *theta, chain *c, const job *j, size_t layer, ap_error *err) {
    ap_status status = AP_OK;
    (j->start != NULL ? unstack_skip : ascend_weights)(c, j, layer);
    for (size_t h = 0; h < j->net->H[layer - 1]; h++) {
        if (theta != NULL) ap_chunk_head(&c->c, layer, h, false);
        for (size_t k = 0; status == AP_OK && k < c->c.count; k++) {
            (j->start != NULL ? unstack : ascend)(c, j, layer, h, k);
            if (j->maps != NULL) keep_slope(c, j, layer, h, k);
            if (theta != NULL) status = adjoin(theta, c, j, layer, h, k, err);
        }
        if (theta != NULL && status == AP_OK) add_matrices(theta, c, j, layer, h);
    }
    double *swap = c->g;
    c->g = c->next;
    c->next = swap;
    return status;
}

static ap_status some_examples(double *theta, const job *j, size_t part, ap_work *work, ap_error *err) {
    const size_t L = j->net->L, mark = work->used;
    chain c;
    ap_status status = take(&c, j, part, work, err);
    if (status == AP_OK && j->kept == NULL)
        status = j->start != NULL ? ap_tokens_up(NULL, &c.c, j->start, err) : ap_paths_down(NULL, &c.c, err);
    if (status == AP_OK) (j->start != NULL ? stack_slopes : begin_ascent)(&c, j);
    for (size_t i = 1; status == AP_OK && i <= L; i++)
        status = back(theta, &c, j, j->start != NULL ? L + 1 - i : i, err);
    work->used = mark;
    return status;
}

static ap_status part_of(void *whole, size_t part, ap_work *work, ap_error *err) {
    const job *j = whole;
    double *theta = j->theta == NULL ? NULL : j->theta + j->parameters * part;
    ap_status status = AP_OK;
    for (size_t chunk = part; status == AP_OK && chunk < j->chunks; chunk += j->slots)
        status = some_examples(theta, j, chunk, work, err);
    return status;
}

static ap_status check(const ap_net *net, const ap_tokens *x, const double *const *A, bool theta, ap_error *err) {
    const ap_status status = ap_attention_known(net, A, err);
    if (status < 0) return status;
    if (theta && A != NULL) return ap_fail(err, AP_EINPUT, "maps of your own have no heads");
    for (size_t l = 0; theta && l < net->L; l++)
        if (ap_rule_of(&net->heads[l].rule)->adjoint == NULL)
            return ap_fail(err, AP_EINPUT, "attention %s of layer %zu has no derivative",
                           ap_rule_name(net->heads[l].rule.kind), l + 1);
    return ap_attention_fits(net, x, err);
}

static ap_status run(job j, double *theta, const ap_team *team, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    const ap_net *net = j.net;
    const ap_tokens *x = j.x;
    ap_status status = check(net, x, j.A, theta != NULL, err);
    if (status < 0) return status;
    const size_t chunk = ap_chunk_most(net, x);
    j.chunks = (x->P + chunk - 1) / chunk;
    j.slots = j.chunks < slots_wanted ? j.chunks : slots_wanted;
    j.parameters = theta == NULL ? 0 : ap_backward_parameters(net, x->N0);
    double *sums = ap_take_matrix(work, j.parameters, j.slots);
    if (net->read == AP_READ_ALL) j.start = ap_tokens_starts(x, work);
    if (sums == NULL || (net->read == AP_READ_ALL && j.start == NULL)) status = ap_not_taken(work, err, "ap_backward");
    if (status == AP_OK && theta != NULL) j.theta = memset(sums, 0, j.parameters * j.slots * sizeof(double));
    if (status == AP_OK) status = ap_team_run(team, part_of, &j, j.slots, work, err);
    if (status == AP_OK && theta != NULL) memcpy(theta, sums, j.parameters * sizeof(double));
    for (size_t k = 1; status == AP_OK && k < j.slots; k++) ap_axpy(j.parameters, 1.0, sums + j.parameters * k, theta);
    work->used = mark;
    return status;
}

ap_status ap_backward(double *const *maps, double *theta, const double *D, const ap_net *net, const ap_tokens *x,
                      const double *const *A, const ap_team *team, ap_work *work, ap_error *err) {
    return run((job){.maps = maps, .D = D, .net = net, .x = x, .A = A, .numbers = true}, theta, team, work, err);
}

ap_status ap_backward_heads(double *theta, const double *D, double *kept, const ap_net *net, const ap_tokens *x,
                            ap_work *work, ap_error *err) {
    return run((job){.D = D, .kept = kept, .net = net, .x = x}, theta, NULL, work, err);
}
