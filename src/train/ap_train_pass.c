// ap_train_pass.c: outputs of a network in training, and their derivatives
// SPDX-License-Identifier: BSD-3-Clause
//
// The network is that of ap_train.c. By (T4) tokens meet only phi = (M^1 .., M^L, w), in
//   f = sum_pi w_pi' x a_pi,   a_{L+1} = e,   a_{(h,pi)} = Omega^{l,h} a_pi,   w_pi = V_0' V_1^{h_1}' .. a / sqrt (Pi)
// (with s_l in the place of V_l^h' / sqrt (H_l), and I of Omega, where a path skips layer l)
// so that a gradient is a pass over tokens in terms of phi alone, which is small, and a fold of dphi into the weights,
// which does not see tokens. For C outputs a is [N_a x C], and w and all u have a column for each path and output, the
// output fastest; the chains a_pi are those of one output, and so is the price of attention. Where tokens span only r
// of their N0 dimensions (equal channels, smooth positions) they come as coordinates in an orthonormal basis
// B [N0 x r], x = B xi, and Q B, K B, V_0 B stand for Q, K, V_0: exact, and up to (N0 / r)^2 times cheaper. A
// token-by-token pass takes N^2 H products a token; these take H r^2:
//   2 n (2 H r^2 + 2 H r T) flops a layer for n tokens, all in matrix products

#include "train/ap_train.h"

#include <math.h>
#include <string.h>

enum { columns_wanted = 384 };  // tokens at a time; 192 to 768 are equally fast
enum { lanes = 16 };            // a loop of so many compilers turn into vector instructions, a plain sum they may not

// ---- sizes ----------------------------------------------------------------------------------------------------------

static size_t heads(const ap_trainer *t, size_t layer) { return t->net->H[layer - 1]; }

static size_t width(const ap_trainer *t, size_t layer) { return ap_weights_width(t->net, layer); }

// Columns of u^{(layer)}: paths from this layer on, of all outputs
size_t ap_train_columns(const ap_trainer *t, size_t layer) { return ap_times(t->C, ap_net_paths(t->net, layer)); }

size_t ap_train_readout(const ap_trainer *t) { return ap_times(width(t, t->net->L + 1), t->C); }  // numbers in a

size_t ap_train_chunk(const ap_trainer *t) { return (columns_wanted + t->T - 1) / t->T; }

static size_t all_heads(const ap_trainer *t) {
    size_t sum = 0;
    for (size_t l = 1; l <= t->net->L; l++) sum = ap_plus(sum, heads(t, l));
    return sum;
}

size_t ap_train_widest(const ap_trainer *t) {
    size_t most = 0;
    for (size_t l = 1; l <= t->net->L; l++)
        if (heads(t, l) > most) most = heads(t, l);
    return most;
}

static size_t chains(const ap_trainer *t) {  // columns of a_1 .. a_{L+1}
    size_t sum = 0;
    AP_MEMBERS (u, t->net) sum = ap_plus(sum, u.n);
    return sum;
}

static size_t matrices(const ap_trainer *t) { return ap_times(all_heads(t), ap_times(t->rank, t->rank)); }

static size_t fronts(const ap_trainer *t, size_t numbers) {  // in Q, K and V_0, of which a token has so many
    return ap_times(ap_plus(ap_times(ap_times(2, t->G), all_heads(t)), width(t, 1)), numbers);
}

size_t ap_train_parameters(const ap_trainer *t) {
    const size_t values = ap_weights_upper(t->net) - width(t, t->net->L + 1);  // without a, of one output there
    return ap_plus(fronts(t, t->N0), ap_plus(values, ap_train_readout(t)));
}

size_t ap_train_folded(const ap_trainer *t) { return ap_plus(matrices(t), ap_times(t->rank, ap_train_columns(t, 1))); }

size_t ap_train_partial(const ap_trainer *t) { return ap_times(t->C, ap_weights_partial(t->net)); }

size_t ap_train_seen(const ap_trainer *t) { return fronts(t, t->rank); }

// Floats share the arena of doubles.
float *ap_train_take(ap_work *work, size_t count) { return (float *)(void *)ap_take(work, count / 2 + count % 2); }

// ---- from weights to what tokens meet, and back ---------------------------------------------------------------------

// What the tokens see of Q, K and V_0, in the order of theta: those times the basis; with `op` 'T' its adjoint.
static void project(float *to, const ap_trainer *t, char op, const float *from) {
    const size_t columns = op == 'N' ? t->rank : t->N0, inner = op == 'N' ? t->N0 : t->rank;
    if (t->basis == NULL) memcpy(to, from, fronts(t, t->N0) * sizeof *to);
    for (size_t k = 0; t->basis != NULL && k <= 2 * all_heads(t); k++) {
        const size_t rows = k < 2 * all_heads(t) ? t->G : width(t, 1);
        ap_sgemm('N', op, rows, columns, inner, 1, from, rows, t->basis, t->N0, 0, to, rows);
        from += rows * inner;
        to += rows * columns;
    }
}

// M^{l}_h = K_h' Q_h / sqrt (G), stacked [H_l r x r] layer by layer; u^{(L+1)} = a, u^{(l)}_h = V_l^h' u^{(l+1)} /
// sqrt (H_l), and before them s_l u^{(l+1)} of a skip connection, each [N_l x Pi_l C], from layer 1 up; w = V_0'
// u^{(1)} [r x Pi C].
void ap_train_unfold(float *phi, float *u, float *seen, const ap_trainer *t, const float *theta) {
    const ap_net *net = t->net;
    const size_t r = t->rank, block = t->G * r;
    const float *Q = seen;
    project(seen, t, 'N', theta);
    for (size_t l = 1; l <= net->L; l++) {
        const size_t H = heads(t, l);
        const float *K = Q + block * H, scale = (float)(1.0 / sqrt((double)t->G));
        for (size_t h = 0; h < H; h++)
            ap_sgemm('T', 'N', r, r, t->G, scale, K + block * h, t->G, Q + block * h, t->G, 0, phi + r * h, H * r);
        phi += H * r * r;
        Q = K + block * H;
    }
    const float *V = theta + ap_train_parameters(t) - ap_train_readout(t);
    float *next = u + ap_train_partial(t) - ap_train_readout(t);
    memcpy(next, V, ap_train_readout(t) * sizeof *V);  // a
    for (size_t l = net->L; l >= 1; l--) {
        const ap_member v = ap_params_member(net, l);
        const size_t N = width(t, l), above = width(t, l + 1);
        const float scale = (float)(1.0 / sqrt((double)heads(t, l))), gain = (float)(ap_net_skip(net, l));
        const float *head = V - above * N * heads(t, l);
        float *here = next - N * v.n * t->C;
        V = head;
        for (size_t i = 0; i < N * v.tied * t->C; i++) here[i] = gain * next[i];
        AP_HEADS (path, &v) {
            ap_sgemm('T', 'N', N, v.below * t->C, above, scale, head, above, next, above, 0, here + N * path * t->C, N);
            head += above * N;
        }
        next = here;
    }
    ap_sgemm('T', 'N', r, ap_train_columns(t, 1), width(t, 1), 1, Q, width(t, 1), next, width(t, 1), 0, phi, r);
}

// The adjoint of unfold; du has the shape of u, dseen that of seen, which is what unfold left there: both scratch.
void ap_train_fold(float *grad, float *du, float *dseen, const ap_trainer *t, const float *theta, const float *u,
                   const float *seen, const float *dphi) {
    const ap_net *net = t->net;
    const size_t r = t->rank, G = t->G, block = G * r, paths = ap_train_columns(t, 1), front = fronts(t, t->N0);
    const float *Q = seen, scale = (float)(1.0 / sqrt((double)G));
    float *dQ = dseen;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t H = heads(t, l);
        for (size_t h = 0; h < H; h++) {
            const float *dM = dphi + r * h;
            ap_sgemm('N', 'N', G, r, r, scale, Q + block * (H + h), G, dM, H * r, 0, dQ + block * h, G);
            ap_sgemm('N', 'T', G, r, r, scale, Q + block * h, G, dM, H * r, 0, dQ + block * (H + h), G);
        }
        Q += 2 * block * H;
        dQ += 2 * block * H;
        dphi += H * r * r;
    }
    ap_sgemm('N', 'T', width(t, 1), r, paths, 1, u, width(t, 1), dphi, r, 0, dQ, width(t, 1));
    ap_sgemm('N', 'N', width(t, 1), paths, r, 1, Q, width(t, 1), dphi, r, 0, du, width(t, 1));
    project(grad, t, 'T', dseen);
    theta += front;
    grad += front;
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member v = ap_params_member(net, l);
        const size_t N = width(t, l), above = width(t, l + 1), below = v.below * t->C, whole = N * v.n * t->C;
        const float *next = u + whole, gain = (float)(ap_net_skip(net, l));
        const float split = (float)(1.0 / sqrt((double)heads(t, l)));
        float *dnext = du + whole;
        for (size_t i = 0; i < N * v.tied * t->C; i++) dnext[i] = gain * du[i];
        AP_HEADS (path, &v) {
            const float *dhere = du + N * path * t->C;
            ap_sgemm('N', 'T', above, N, below, split, next, above, dhere, N, 0, grad, above);
            ap_sgemm('N', 'N', above, below, N, split, theta, above, dhere, N, path > 0 ? 1.0f : 0.0f, dnext, above);
            theta += above * N;
            grad += above * N;
        }
        u = next;
        du = dnext;
    }
    memcpy(grad, du, ap_train_readout(t) * sizeof *du);
}

typedef struct memory {  // for a chunk of examples, n tokens together
    float *scores;       // [H r x n] M x for all heads of a layer; then its derivative
    float *maps;         // [T x H_l x n] Omega of every layer, head by head for each query
    float *down, *up;    // [n x Pi_l] the chains a_l and their derivatives, from layer 1 up to L + 1
    float *dmap;         // [T x H T] derivative by the maps of one example and layer
    float *w;            // [n x Pi C] x' w; then the chains times the derivative by f
} memory;

static bool take_memory(memory *r, const ap_trainer *t, size_t n, ap_work *work) {
    r->scores = ap_train_take(work, ap_times(ap_times(ap_train_widest(t), t->rank), n));
    r->maps = ap_train_take(work, ap_times(ap_times(t->T, all_heads(t)), n));
    r->down = ap_train_take(work, ap_times(chains(t), n));
    r->up = ap_train_take(work, ap_times(chains(t), n));
    r->dmap = ap_train_take(work, ap_times(ap_times(t->T, ap_train_widest(t)), t->T));
    r->w = ap_train_take(work, ap_times(ap_train_columns(t, 1), n));
    return r->w != NULL;
}

// In lanes: products added one after the other would wait for each other
static float dot(const float *x, const float *y, size_t n) {
    float part[lanes] = {0}, all = 0;
    for (; n >= lanes; n -= lanes, x += lanes, y += lanes)
        for (size_t i = 0; i < lanes; i++) part[i] += x[i] * y[i];
    for (size_t i = 0; i < n; i++) part[i] += x[i] * y[i];
    for (size_t i = 0; i < lanes; i++) all += part[i];
    return all;
}

// Softmax of the keys that a query sees, 0 for the others
static bool turn(float *score, size_t seen, size_t T) {
    for (size_t s = seen; s < T; s++) score[s] = 0;
    return ap_softmax_single(score, seen);
}

static bool attend(float *maps, float *scores, const ap_trainer *t, size_t H, const float *M, const float *X,
                   size_t examples) {
    const size_t r = t->rank, T = t->T, columns = H * T;
    bool finite = true;
    ap_sgemm('N', 'N', H * r, T * examples, r, 1, M, H * r, X, r, 0, scores, H * r);
    for (size_t p = 0; p < examples; p++) {
        float *map = maps + T * columns * p;
        ap_sgemm('T', 'N', T, columns, r, 1, X + r * T * p, r, scores + r * columns * p, r, 0, map, T);
        for (size_t j = 0; j < columns; j++) finite = turn(map + T * j, t->net->causal ? j / H + 1 : T, T) && finite;
    }
    return finite;
}

static void read_out(float *e, const ap_trainer *t, size_t examples) {
    const size_t T = t->T, token = t->net->read == AP_READ_LAST ? T - 1 : t->net->token;
    for (size_t i = 0; i < T * examples; i++)
        e[i] = t->net->read == AP_READ_MEAN ? (float)(1.0 / (double)T) : (float)(i % T == token ? 1.0 : 0.0);
}

// a_l = Omega_{l,h} a_{l+1}, or (back) its transpose added up over the heads; a skip connection passes a_{l+1} on
static void chain(float *here, float *next, const ap_trainer *t, size_t layer, const float *maps, size_t examples,
                  bool back) {
    const ap_member u = ap_params_member(t->net, layer);
    const size_t T = t->T, H = heads(t, layer), n = T * examples;
    if (u.tied > 0) memcpy(back ? next : here, back ? here : next, n * u.tied * sizeof *here);
    for (size_t p = 0; p < examples; p++) {
        const float *map = maps + T * H * T * p;
        AP_HEADS (path, &u) {
            float *from = here + n * path + T * p, *to = next + T * p;
            if (back)
                ap_sgemm('T', 'N', T, u.below, T, 1, map, T * H, from, n, path > 0 ? 1.0f : 0.0f, to, n);
            else
                ap_sgemm('N', 'N', T, u.below, T, 1, map, T * H, to, n, 0, from, n);
            map += T;
        }
    }
}

// Derivative by the scores of a layer, then by M x, added to that by M
static void learn(float *dM, memory *m, const ap_trainer *t, size_t layer, const float *maps, const float *dhere,
                  const float *next, const float *X, size_t examples) {
    const ap_member u = ap_params_member(t->net, layer);
    const size_t r = t->rank, T = t->T, H = heads(t, layer), n = T * examples;
    for (size_t p = 0; p < examples; p++) {
        const float *map = maps + T * H * T * p;
        float *dmap = m->dmap;
        AP_HEADS (path, &u) {
            ap_sgemm('N', 'T', T, T, u.below, 1, dhere + n * path + T * p, n, next + T * p, n, 0, dmap, T * H);
            dmap += T;
        }
        for (size_t j = 0; j < H * T; j++) {
            const float *omega = map + T * j;
            float *d = m->dmap + T * j;
            const float mean = dot(omega, d, T);
            for (size_t s = 0; s < T; s++) d[s] = omega[s] * (d[s] - mean);
        }
        ap_sgemm('N', 'N', r, H * T, T, 1, X + r * T * p, r, m->dmap, T, 0, m->scores + r * H * T * p, r);
    }
    ap_sgemm('N', 'T', H * r, r, n, 1, m->scores, H * r, X, r, 1, dM, H * r);
}

// f [C x examples] from x' w [n x Pi C] and the chains [n x Pi]
static void answer(float *f, const memory *m, const ap_trainer *t, size_t examples) {
    const size_t T = t->T, n = T * examples, paths = ap_net_paths(t->net, 1), C = t->C;
    for (size_t p = 0; p < examples; p++)
        for (size_t c = 0; c < C; c++) {
            double sum = 0.0;
            for (size_t k = 0; k < paths; k++)
                for (size_t s = T * p; s < T * (p + 1); s++)
                    sum += (double)(m->w[s + n * (C * k + c)] * m->down[s + n * k]);
            f[c + C * p] = (float)sum;
        }
}

// Derivatives of sum (f - y)^2 weight: up := by the chains, w := by x' w
static void miss(memory *m, const ap_trainer *t, const float *f, const float *y, size_t examples, float weight) {
    const size_t T = t->T, n = T * examples, paths = ap_net_paths(t->net, 1), C = t->C;
    for (size_t k = 0; k < paths; k++)
        for (size_t p = 0; p < examples; p++)
            for (size_t c = 0; c < C; c++) {
                const float d = 2 * weight * (f[c + C * p] - y[c + C * p]), *chain = m->down + n * k;
                float *w = m->w + n * (C * k + c), *up = m->up + n * k;
                for (size_t i = T * p; i < T * (p + 1); i++) {
                    up[i] = c == 0 ? w[i] * d : up[i] + w[i] * d;
                    w[i] = chain[i] * d;
                }
            }
}

// One chunk: outputs f, and added to dphi the derivative of sum (f - y)^2 weight; dphi and y may be NULL for f alone
static bool pass_chunk(float *dphi, float *f, memory *m, const ap_trainer *t, const float *phi, const ap_train_batch *b,
                       float weight) {
    const ap_net *net = t->net;
    const float *X = b->X;
    const size_t examples = b->P, r = t->rank, T = t->T, n = T * examples, L = net->L;
    const float *w = phi + matrices(t);
    bool finite = true;
    read_out(m->down + n * (chains(t) - 1), t, examples);
    float *maps = m->maps + T * all_heads(t) * n, *next = m->down + n * (chains(t) - 1);
    const float *M = w;
    for (size_t l = L; l >= 1; l--) {
        const size_t H = heads(t, l);
        maps -= T * H * n;
        M -= H * r * r;
        finite = attend(maps, m->scores, t, H, M, X, examples) && finite;
        float *here = next - n * ap_net_paths(net, l);
        chain(here, next, t, l, maps, examples, false);
        next = here;
    }
    ap_sgemm('T', 'N', n, ap_train_columns(t, 1), r, 1, X, r, w, r, 0, m->w, n);
    answer(f, m, t, examples);
    if (dphi == NULL || b->y == NULL || !finite) return finite;
    miss(m, t, f, b->y, examples, weight);
    ap_sgemm('N', 'N', r, ap_train_columns(t, 1), n, 1, X, r, m->w, n, 1, dphi + matrices(t), r);
    const float *here = m->down;
    float *dhere = m->up, *dM = dphi;
    for (size_t l = 1; l <= L; l++) {
        const size_t step = n * ap_net_paths(net, l), H = heads(t, l);
        learn(dM, m, t, l, maps, dhere, here + step, X, examples);
        if (l < L) chain(dhere, dhere + step, t, l, maps, examples, true);
        here += step;
        dhere += step;
        dM += H * r * r;
        maps += T * H * n;
    }
    return finite;
}

ap_status ap_train_pass(float *dphi, float *f, const ap_trainer *t, const float *phi, const ap_train_batch *b,
                        float weight, ap_work *work, ap_error *err) {
    const size_t chunk = ap_train_chunk(t), mark = work->used;
    memory m;
    ap_status status = take_memory(&m, t, ap_times(t->T, chunk), work) ? AP_OK : ap_not_taken(work, err, "ap_train");
    for (size_t first = 0; status == AP_OK && first < b->P; first += chunk) {
        const size_t count = b->P - first < chunk ? b->P - first : chunk, at = t->C * first;
        const ap_train_batch part = {b->X + t->rank * t->T * first, b->y == NULL ? NULL : b->y + at, count};
        if (!pass_chunk(dphi, f + at, &m, t, phi, &part, weight))
            status = ap_fail(err, AP_ENONFINITE, "attention scores overflow: the weights have grown without bound");
    }
    work->used = mark;
    return status;
}
