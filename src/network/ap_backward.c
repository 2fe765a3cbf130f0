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
// from there by the adjoint of the head's rule (ap_network.h) to left and right factors of the scores, and so to
// W, or Q and K, and to the logarithms of bandwidth and ridge.
// Where every token is read out, the stacks of ap_stream.c are traversed instead, of layer l from its branches b,
//
//   g_L (b) = D,   dS/dOmega^{l,b} = w_b z_{l-1}' g_l (b),   g_{l-1} = sum_b w_b g_l (b) Omega^{l,b}'
//
// Cost: that of ap_paths twice over: the maps of a chunk of examples are kept, and factors of the scores of queries and
// keys. Sums over examples are made in a fixed number of slots, so that they do not depend on how many
// threads there are.

#include <string.h>

#include "network/ap_network.h"

enum { slots_wanted = 8 };  // partial sums of theta

typedef struct job {
    double *const *maps;  // [L] outputs, or NULL
    double *theta;        // [parameters x slots], or NULL
    const double *D;
    const ap_net *net;
    const ap_tokens *x;
    const double *const *A;
    bool numbers;         // whether derivatives by bandwidth and ridge are wanted
    const size_t *start;  // of ap_stream.c
    size_t slots, parameters, chunk, chunks;
} job;

typedef struct chain {  // scratch for one chunk of examples
    ap_scores scores;
    double *omega;         // the maps of the chunk, layer by layer, where they are not brought
    double *a;             // a_1 .. a_{L+1}, end to end; of all tokens z_1 .. z_{L-1}
    double *g, *next;      // [T x Pi_l x chunk]; of all tokens [N0 B_1 .. B_l x T x chunk]
    double *slope;         // [T x T] dS/dOmega of one map
    double *left, *right;  // [d x T x chunk] derivatives by the factors of the scores of one head
    double *room;          // of the rule's adjoint
    double *kept;          // factors of the scores of all heads with queries and keys
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

static size_t vectors_at(const job *j, size_t layer) {  // where a_layer begins
    size_t at = 0;
    for (size_t l = 1; l < layer; l++) at = ap_plus(at, ap_times(j->x->T, ap_net_paths(j->net, l)));
    return ap_times(at, j->chunk);
}

static size_t stacks_at(const job *j, size_t layer) {  // where z_layer begins
    size_t at = 0;
    for (size_t l = 1; l < layer; l++) at = ap_plus(at, ap_stream_count(j->net, l));
    return ap_times(at, ap_times(ap_times(j->x->N0, j->x->T), j->chunk));
}

static size_t maps_at(const job *j, size_t layer) {  // where the maps of a layer begin
    size_t heads = 0;
    for (size_t l = 1; l < layer; l++) heads = ap_plus(heads, j->net->H[l - 1]);
    return ap_times(ap_times(j->x->T, j->x->T), ap_times(heads, j->chunk));
}

// The map of head h of example first + k; of a single query its column alone.
static const double *map_of(const chain *c, const job *j, size_t layer, size_t h, size_t first, size_t k) {
    const size_t T = j->x->T, H = j->net->H[layer - 1];
    if (j->A == NULL) return c->omega + maps_at(j, layer) + T * T * (h + H * k);
    const double *omega = j->A[layer - 1] + T * T * (h + H * (first + k));
    return ap_read_single(j->net, layer) ? omega + T * ap_read_token(j->net, j->x, first + k) : omega;
}

// Factors of the scores of queries and keys stay for the way back, those of each head in a place of its own.
static void place_factors(chain *c, const job *j, size_t layer, size_t h) {
    if (j->theta == NULL || j->net->heads[layer - 1].W != NULL) return;
    const size_t each = ap_attention_inner(j->net, j->x->N0) * j->x->T * j->chunk;
    size_t head = h;
    for (size_t l = 1; l < layer; l++) head += j->net->H[l - 1];
    c->scores.left = c->kept + 2 * each * head;
    c->scores.right = c->scores.left + each;
}

static size_t kept_factors(const job *j) {
    size_t heads = 0, pairs = 0;
    for (size_t l = 0; j->theta != NULL && l < j->net->L; l++) {
        heads = ap_plus(heads, j->net->H[l]);
        if (j->net->heads[l].W == NULL) pairs = heads;
    }
    const size_t each = ap_times(ap_attention_inner(j->net, j->x->N0), ap_times(j->x->T, j->chunk));
    return ap_times(ap_times(2, pairs), each);
}

static ap_status take(chain *c, const job *j, ap_work *work, ap_error *err) {
    const bool all = j->net->read == AP_READ_ALL;
    const size_t T = j->x->T, rows = all ? ap_times(j->x->N0, T) : T;
    const size_t paths = ap_times(rows, ap_times(ap_net_paths(j->net, 1), j->chunk));
    const size_t d = ap_attention_inner(j->net, j->x->N0);
    const ap_status status = ap_attention_take(&c->scores, j->net, j->x, work, err);
    if (status < 0) return status;
    c->omega = ap_take(work, j->A == NULL ? maps_at(j, j->net->L + 1) : 0);
    c->a = ap_take(work, all ? stacks_at(j, j->net->L) : vectors_at(j, j->net->L + 2));
    AP_TAKE_EACH(work, paths, &c->g, &c->next);
    c->slope = ap_take_matrix(work, T, T);
    AP_TAKE_EACH(work, ap_times(ap_times(d, T), j->theta == NULL ? 0 : j->chunk), &c->left, &c->right);
    c->room = ap_take(work, j->theta == NULL ? 0 : ap_rule_room(j->net, T, true));
    c->kept = ap_take(work, kept_factors(j));
    return c->kept == NULL ? ap_not_taken(work, err, "ap_backward") : AP_OK;
}

// ---- forwards: the maps, and what meets them ------------------------------------------------------------------------

static ap_status descend(chain *c, const job *j, size_t layer, size_t first, size_t count, ap_error *err) {
    const bool single = ap_read_single(j->net, layer);
    const size_t T = j->x->T, H = j->net->H[layer - 1], queries = single ? 1 : T;
    const size_t up = ap_net_paths(j->net, layer + 1), skips = ap_net_skipping(j->net, layer), branches = skips + H;
    const double *above = c->a + vectors_at(j, layer + 1);
    double *below = c->a + vectors_at(j, layer);
    for (size_t h = 0; h < H; h++) {
        if (j->A == NULL) {
            place_factors(c, j, layer, h);
            ap_attention_factors(&c->scores, layer, h + 1, first, count, single);
        }
        for (size_t k = 0; k < count; k++) {
            if (j->A == NULL) {
                double *omega = c->omega + maps_at(j, layer) + T * T * (h + H * k);
                const ap_status status = ap_attention_map(omega, &c->scores, k, err);
                if (status < 0) return status;
            }
            ap_gemm('N', 'N', T, up, queries, 1.0, map_of(c, j, layer, h, first, k), T, above + queries * up * k,
                    queries, 0.0, below + T * up * (skips + h + branches * k), T);
        }
    }
    ap_paths_weigh(below, above, j->net, j->x, layer, first, count, single);
    return AP_OK;
}

// ---- backwards ------------------------------------------------------------------------------------------------------

static void keep_slope(const chain *c, const job *j, size_t layer, size_t h, size_t mu, size_t queries) {
    const size_t T = j->x->T, H = j->net->H[layer - 1];
    double *map = j->maps[layer - 1] + T * T * (h + H * mu);
    if (queries == T && !ap_read_single(j->net, layer)) {
        memcpy(map, c->slope, T * T * sizeof(double));
        return;
    }
    memset(map, 0, T * T * sizeof(double));
    memcpy(map + T * ap_read_token(j->net, j->x, mu), c->slope, T * sizeof(double));
}

// Derivatives by the factors of one map's scores, into those of the chunk; theta += those by bandwidth and ridge.
static ap_status adjoin(double *theta, chain *c, const job *j, size_t layer, size_t h, size_t k, ap_error *err) {
    const ap_scores *s = &c->scores;
    const bool bilinear = j->net->heads[layer - 1].W != NULL;
    ap_adjoint out = {.left = bilinear ? NULL : c->left + s->d * j->x->T * k,
                      .right = c->right + s->d * s->queries * k,
                      .room = c->room,
                      .numbers = j->numbers};
    const ap_status status = ap_attention_adjoint(&out, c->slope, map_of(c, j, layer, h, s->first, k), s, k, err);
    double *numbers = theta + layer_at(j->net, j->x->N0, j->net->L + 1);
    if (status < 0) return status;
    numbers[0] += out.bandwidth;
    numbers[1] += out.ridge;
    return AP_OK;
}

// theta += the derivatives with respect to the matrices of one head, through all maps of the chunk.
static void add_matrices(double *theta, const chain *c, const job *j, size_t layer, size_t h) {
    const ap_scores *s = &c->scores;
    const ap_heads *heads = &j->net->heads[layer - 1];
    const size_t N0 = j->x->N0, T = j->x->T, each = head_size(heads, N0), H = j->net->H[layer - 1];
    const double *tokens = j->x->X + N0 * T * s->first;
    double *at = theta + layer_at(j->net, N0, layer);
    ap_gemm('N', 'T', s->d, N0, s->queries * s->count, 1.0, c->right, s->d, s->asked, N0, 1.0, at + each * h, s->d);
    if (heads->W == NULL)
        ap_gemm('N', 'T', s->d, N0, T * s->count, 1.0, c->left, s->d, tokens, N0, 1.0, at + each * (H + h), s->d);
}

// What the adjoint of this head needs: factors of scores that the way down has kept, or none of a bilinear head.
static void prepare(chain *c, const job *j, size_t layer, size_t h, size_t first, size_t count, bool single) {
    place_factors(c, j, layer, h);
    ap_attention_at(&c->scores, layer, h + 1, first, count, single);
}

// g of the heads' branches gets their weights; and next, where the layer has a skip connection, what that branch gives.
static void ascend_weights(chain *c, const job *j, size_t layer, size_t count) {
    const size_t H = j->net->H[layer - 1], some = j->x->T * ap_net_paths(j->net, layer + 1);
    const size_t skipped = some * ap_net_skipping(j->net, layer), all = skipped + some * H;
    const double skip = ap_branch_weight(j->net, layer, 0);
    for (size_t k = 0; ap_branch_weighs(j->net, layer) && k < count; k++) {
        double *g = c->g + all * k, *heads = g + skipped;
        for (size_t i = 0; i < skipped; i++) c->next[some * k + i] = skip * g[i];
        for (size_t h = 0; h < H; h++) {
            const double weight = ap_branch_weight(j->net, layer, h + 1);
            for (size_t i = 0; i < some; i++) heads[some * h + i] *= weight;
        }
    }
}

static ap_status ascend(double *theta, chain *c, const job *j, size_t layer, size_t first, size_t count,
                        ap_error *err) {
    const bool single = ap_read_single(j->net, layer), last = layer == j->net->L;
    const size_t T = j->x->T, H = j->net->H[layer - 1], queries = single ? 1 : T;
    const size_t up = ap_net_paths(j->net, layer + 1), skips = ap_net_skipping(j->net, layer), branches = skips + H;
    ap_status status = AP_OK;
    ascend_weights(c, j, layer, count);
    for (size_t h = 0; h < H; h++) {
        if (theta != NULL) prepare(c, j, layer, h, first, count, single);
        for (size_t k = 0; status == AP_OK && k < count; k++) {
            const double *g = c->g + T * up * (skips + h + branches * k);
            const double *above = c->a + vectors_at(j, layer + 1) + queries * up * k;
            if (!last)
                ap_gemm('T', 'N', T, up, T, 1.0, map_of(c, j, layer, h, first, k), T, g, T, h + skips > 0 ? 1.0 : 0.0,
                        c->next + T * up * k, T);
            ap_gemm('N', 'T', T, queries, up, 1.0, g, T, above, queries, 0.0, c->slope, T);
            if (j->maps != NULL) keep_slope(c, j, layer, h, first + k, queries);
            if (theta != NULL) status = adjoin(theta, c, j, layer, h, k, err);
        }
        if (theta != NULL && status == AP_OK) add_matrices(theta, c, j, layer, h);
    }
    double *swap = c->g;
    c->g = c->next;
    c->next = swap;
    return status;
}

// ---- where every token is read out ----------------------------------------------------------------------------------

// Makes the maps of a layer, where they are not brought, and z_layer, but for the last layer.
static ap_status stack(chain *c, const job *j, size_t layer, size_t first, size_t count, ap_error *err) {
    const ap_net *net = j->net;
    const size_t T = j->x->T, H = net->H[layer - 1], skips = ap_net_skipping(net, layer);
    const size_t rows = j->x->N0 * ap_stream_count(net, layer - 1), all = rows * (skips + H);
    for (size_t b = 0; b < skips + H; b++) {
        const bool skip = b < skips;
        if (!skip && j->A == NULL) {
            place_factors(c, j, layer, b - skips);
            ap_attention_factors(&c->scores, layer, b - skips + 1, first, count, false);
        }
        for (size_t k = 0; k < count; k++) {
            const double *z =
                layer == 1 ? j->x->X + rows * T * (first + k) : c->a + stacks_at(j, layer - 1) + rows * T * k;
            ap_branch branch = {.rows = rows, .columns = T, .T = T, .weight = ap_stream_weight(net, layer, b)};
            if (!skip && j->A == NULL) {
                double *omega = c->omega + maps_at(j, layer) + T * T * (b - skips + H * k);
                const ap_status status = ap_attention_map(omega, &c->scores, k, err);
                if (status < 0) return status;
            }
            if (!skip) branch.omega = map_of(c, j, layer, b - skips, first, k);
            if (layer < net->L)
                ap_stream_branch(c->a + stacks_at(j, layer) + all * T * k + rows * b, all, z, rows, &branch);
        }
    }
    return AP_OK;
}

// g := D of the examples, in the order of the last layer's stack.
static void stack_slopes(chain *c, const job *j, size_t first, size_t count) {
    const size_t N0 = j->x->N0, T = j->x->T, paths = ap_net_paths(j->net, 1), P = j->start[j->x->P];
    memset(c->g, 0, N0 * paths * T * count * sizeof(double));
    for (size_t p = 0; p < paths; p++) {
        const double *D = j->D + N0 * P * ap_stream_path(j->net, p);
        for (size_t k = 0; k < count; k++)
            for (size_t at = j->start[first + k], t = 0; t < j->start[first + k + 1] - at; t++)
                memcpy(c->g + N0 * (p + paths * (t + T * k)), D + N0 * (at + t), N0 * sizeof(double));
    }
}

// next := g_{layer-1}, and what this layer's maps give.
static ap_status unstack(double *theta, chain *c, const job *j, size_t layer, size_t first, size_t count,
                         ap_error *err) {
    const ap_net *net = j->net;
    const size_t T = j->x->T, H = net->H[layer - 1], skips = ap_net_skipping(net, layer);
    const size_t rows = j->x->N0 * ap_stream_count(net, layer - 1), all = rows * (skips + H);
    ap_status status = AP_OK;
    for (size_t k = 0; skips > 0 && layer > 1 && k < count; k++) {
        const ap_branch skip = {.rows = rows, .columns = T, .T = T, .weight = ap_stream_weight(net, layer, 0)};
        ap_stream_branch(c->next + rows * T * k, rows, c->g + all * T * k, all, &skip);
    }
    for (size_t h = 0; h < H; h++) {
        const double weight = ap_stream_weight(net, layer, skips + h);
        if (theta != NULL) prepare(c, j, layer, h, first, count, false);
        for (size_t k = 0; status == AP_OK && k < count; k++) {
            const double *g = c->g + all * T * k + rows * (skips + h), *omega = map_of(c, j, layer, h, first, k);
            const double *z =
                layer == 1 ? j->x->X + rows * T * (first + k) : c->a + stacks_at(j, layer - 1) + rows * T * k;
            if (layer > 1)
                ap_gemm('N', 'T', rows, T, T, weight, g, all, omega, T, h + skips > 0 ? 1.0 : 0.0,
                        c->next + rows * T * k, rows);
            ap_gemm('T', 'N', T, T, rows, weight, z, rows, g, all, 0.0, c->slope, T);
            if (j->maps != NULL) keep_slope(c, j, layer, h, first + k, T);
            if (theta != NULL) status = adjoin(theta, c, j, layer, h, k, err);
        }
        if (theta != NULL && status == AP_OK) add_matrices(theta, c, j, layer, h);
    }
    double *swap = c->g;
    c->g = c->next;
    c->next = swap;
    return status;
}

static ap_status through_stacks(double *theta, chain *c, const job *j, size_t first, size_t count, ap_error *err) {
    ap_status status = AP_OK;
    for (size_t layer = 1; status == AP_OK && layer <= j->net->L; layer++)
        status = stack(c, j, layer, first, count, err);
    if (status == AP_OK) stack_slopes(c, j, first, count);
    for (size_t layer = j->net->L; status == AP_OK && layer >= 1; layer--)
        status = unstack(theta, c, j, layer, first, count, err);
    return status;
}

static ap_status some_examples(double *theta, const job *j, size_t first, size_t count, ap_work *work, ap_error *err) {
    const ap_net *net = j->net;
    const size_t N0 = j->x->N0, T = j->x->T, paths = ap_net_paths(net, 1), mark = work->used;
    chain c;
    ap_status status = take(&c, j, work, err);
    if (status < 0) goto done;
    if (j->start != NULL) {
        status = through_stacks(theta, &c, j, first, count, err);
        goto done;
    }
    status = ap_paths_readout(c.a + vectors_at(j, net->L + 1), net, j->x, first, count, err);
    for (size_t layer = net->L; status == AP_OK && layer >= 1; layer--)
        status = descend(&c, j, layer, first, count, err);
    for (size_t k = 0; status == AP_OK && k < count; k++)
        ap_gemm('T', 'N', T, paths, N0, 1.0, j->x->X + N0 * T * (first + k), N0, j->D + N0 * (first + k), N0 * j->x->P,
                0.0, c.g + T * paths * k, T);
    for (size_t layer = 1; status == AP_OK && layer <= net->L; layer++)
        status = ascend(theta, &c, j, layer, first, count, err);
done:
    work->used = mark;
    return status;
}

static ap_status part_of(void *whole, size_t part, ap_work *work, ap_error *err) {
    const job *j = whole;
    double *theta = j->theta == NULL ? NULL : j->theta + j->parameters * part;
    ap_status status = AP_OK;
    for (size_t chunk = part; status == AP_OK && chunk < j->chunks; chunk += j->slots) {
        const size_t first = j->chunk * chunk, left = j->x->P - first;
        status = some_examples(theta, j, first, left < j->chunk ? left : j->chunk, work, err);
    }
    return status;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

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
    const double *const *A = j.A;
    ap_status status = check(net, x, A, theta != NULL, err);
    if (status < 0) return status;
    j.chunk = ap_attention_chunk(x);
    j.chunks = (x->P + j.chunk - 1) / j.chunk;
    j.slots = j.chunks < slots_wanted ? j.chunks : slots_wanted;
    j.parameters = theta == NULL ? 0 : ap_backward_parameters(net, x->N0);
    double *sums = ap_take_matrix(work, j.parameters, j.slots);
    if (net->read == AP_READ_ALL) j.start = ap_stream_starts(x, work);
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

ap_status ap_backward_heads(double *theta, const double *D, const ap_net *net, const ap_tokens *x, ap_work *work,
                            ap_error *err) {
    return run((job){.D = D, .net = net, .x = x}, theta, NULL, work, err);
}
