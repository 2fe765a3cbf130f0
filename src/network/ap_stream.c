// ap_stream.c: path inputs where every token is read out
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
#include <string.h>

enum { stacks_wanted = 1 << 16 };  // numbers of one layer's stacks

typedef struct job {
    double *Xi;
    const ap_net *net;
    const ap_tokens *x;
    const double *const *A;
    const size_t *start;  // [P + 1] where the tokens of an example begin among all
} job;

typedef struct streams {  // scratch for one chunk of examples
    ap_scores scores;
    double *omega;         // [T x T]
    double *before, *now;  // [N0 B_1 .. B_{l-1} x T x chunk], [N0 B_1 .. B_l x T x chunk]
} streams;

bool ap_branch_weighs(const ap_net *net, size_t layer) {
    return ap_net_skip(net, layer) > 0.0 || net->headscale != NULL;
}

double ap_branch_weight(const ap_net *net, size_t layer, size_t branch) {
    const double gain = ap_net_skip(net, layer), H = (double)net->H[layer - 1];
    if (branch == 0) return sqrt(H + 1.0) * gain;
    const double scale = ap_net_head_scale(net, layer, branch);
    return gain == 0.0 ? scale : scale * sqrt((H + 1.0) / H);
}

size_t ap_paths_count(const ap_net *net, const ap_tokens *x) {
    if (net->read != AP_READ_ALL) return x->P;
    if (x->length == NULL) return ap_times(x->T, x->P);
    size_t count = 0;
    for (size_t mu = 0; mu < x->P; mu++) count += x->length[mu];
    return count;
}

const size_t *ap_stream_starts(const ap_tokens *x, ap_work *work) {
    size_t *start = (size_t *)(void *)ap_take(work, ap_plus(x->P, 1));
    if (start == NULL) return NULL;
    start[0] = 0;
    for (size_t mu = 0; mu < x->P; mu++) start[mu + 1] = start[mu] + ap_token_length(x, mu);
    return start;
}

size_t ap_stream_count(const ap_net *net, size_t layer) { return ap_net_paths(net, 1) / ap_net_paths(net, layer + 1); }

size_t ap_stream_path(const ap_net *net, size_t place) {
    size_t path = 0;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t branches = ap_net_branches(net, l);
        path = path * branches + place % branches;
        place /= branches;
    }
    return path;
}

double ap_stream_weight(const ap_net *net, size_t layer, size_t place) {
    return ap_branch_weight(net, layer, place + 1 - ap_net_skipping(net, layer));
}

void ap_stream_branch(double *to, size_t ldto, const double *from, size_t ldfrom, const ap_branch *b) {
    if (b->omega != NULL) {
        ap_gemm('N', 'N', b->rows, b->columns, b->T, b->weight, from, ldfrom, b->omega, b->T, 0.0, to, ldto);
        return;
    }
    for (size_t t = 0; t < b->columns; t++)
        for (size_t i = 0; i < b->rows; i++) to[i + ldto * t] = b->weight * from[i + ldfrom * t];
}

// Examples at a time: their stacks should stay in a cache.
static size_t chunk_of(const ap_net *net, const ap_tokens *x) {
    const size_t stack = ap_times(ap_times(x->N0, x->T), ap_stream_count(net, net->L - 1));
    const size_t fit = stacks_wanted / stack, most = ap_attention_chunk(x);
    return fit == 0 ? 1 : fit < most ? fit : most;
}

static ap_status take(streams *s, const job *j, ap_work *work, ap_error *err) {
    const size_t most = ap_times(j->x->N0, ap_times(j->x->T, chunk_of(j->net, j->x)));
    const ap_status status = ap_attention_take(&s->scores, j->net, j->x, work, err);
    if (status < 0) return status;
    s->omega = ap_take_matrix(work, j->x->T, j->x->T);
    AP_TAKE_EACH(work, ap_times(most, ap_stream_count(j->net, j->net->L - 1)), &s->before, &s->now);
    return s->now == NULL ? ap_not_taken(work, err, "ap_paths") : AP_OK;
}

// One branch, of example `mu`, number k of its chunk, into the stack of its layer, or from the last layer into Xi.
static void put(const streams *s, const job *j, size_t layer, size_t branch, size_t mu, size_t k, const double *omega) {
    const ap_net *net = j->net;
    const size_t N0 = j->x->N0, T = j->x->T, above = ap_stream_count(net, layer - 1), rows = N0 * above;
    const double *z = layer == 1 ? j->x->X + N0 * T * mu : s->before + rows * T * k;
    ap_branch b = {.rows = rows, .columns = T, .T = T, .weight = ap_stream_weight(net, layer, branch), .omega = omega};
    if (layer < net->L) {
        const size_t all = rows * ap_net_branches(net, layer);
        ap_stream_branch(s->now + all * T * k + rows * branch, all, z, rows, &b);
        return;
    }
    b.columns = ap_token_length(j->x, mu);
    ap_stream_branch(s->now, rows, z, rows, &b);
    for (size_t p = 0; p < above; p++) {
        const size_t path = ap_stream_path(net, p + above * branch);
        double *out = j->Xi + N0 * (j->start[mu] + j->start[j->x->P] * path);
        for (size_t t = 0; t < b.columns; t++) memcpy(out + N0 * t, s->now + N0 * p + rows * t, N0 * sizeof *out);
    }
}

static ap_status pass(streams *s, const job *j, size_t layer, size_t first, size_t count, ap_error *err) {
    const size_t T = j->x->T, H = j->net->H[layer - 1], skips = ap_net_skipping(j->net, layer);
    for (size_t k = 0; skips > 0 && k < count; k++) put(s, j, layer, 0, first + k, k, NULL);
    for (size_t h = 0; h < H; h++) {
        if (j->A == NULL) ap_attention_factors(&s->scores, layer, h + 1, first, count, false);
        for (size_t k = 0; k < count; k++) {
            const double *omega = s->omega;
            if (j->A != NULL) {
                omega = j->A[layer - 1] + T * T * (h + H * (first + k));
            } else {
                const ap_status status = ap_attention_map(s->omega, &s->scores, k, err);
                if (status < 0) return status;
            }
            put(s, j, layer, skips + h, first + k, k, omega);
        }
    }
    return AP_OK;
}

static ap_status some_examples(void *whole, size_t part, ap_work *work, ap_error *err) {
    const job *j = whole;
    const size_t chunk = chunk_of(j->net, j->x), first = chunk * part, left = j->x->P - first, mark = work->used;
    streams s;
    ap_status status = take(&s, j, work, err);
    for (size_t layer = 1; status == AP_OK && layer <= j->net->L; layer++) {
        status = pass(&s, j, layer, first, left < chunk ? left : chunk, err);
        double *swap = s.before;
        s.before = s.now;
        s.now = swap;
    }
    work->used = mark;
    return status;
}

ap_status ap_stream_paths(double *Xi, const ap_net *net, const ap_tokens *x, const double *const *A,
                          const ap_team *team, ap_work *work, ap_error *err) {
    const size_t mark = work->used, chunk = chunk_of(net, x);
    job j = {.Xi = Xi, .net = net, .x = x, .A = A, .start = ap_stream_starts(x, work)};
    const ap_status status = j.start == NULL
                                 ? ap_not_taken(work, err, "ap_paths")
                                 : ap_team_run(team, some_examples, &j, (x->P + chunk - 1) / chunk, work, err);
    work->used = mark;
    return status;
}
