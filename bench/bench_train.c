// bench_train.c: one step of gradient descent against the floor of its matrix products
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_train WIDTH...
//
// The network of theory.md section 10: 192 features, 48 tokens, two layers of four heads, 128 keys, batches of 128
// sequences, random tokens. A step is what attnpath_train_mex does with a batch, on one thread: unfold, pass, fold, Adam.
// The floor is ap_sgemm called with the shapes of the products that the pass cannot do without, on arrays of the same
// sizes, chunk by chunk and in turns with the step. For each layer of H heads and n tokens of a chunk, forward M x and
// x' (M x), and as much again backward:
//
//   [H N0 x N0] [N0 x n],   [T x N0] [N0 x H T] a sequence,   [N0 x T] [T x H T] a sequence,   [H N0 x n] [n x N0]
//
// and for queries and keys K' Q and its two derivatives, for value weights those of the chain (T4). Everything else -
// softmax, chains along the paths, Adam, memory - is above the floor. The last column is that floor written for the
// network as it is usually programmed: V z for every token, forward and twice backward, and Q x, K x.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ap_blas.h"
#include "problem.h"

enum { N0 = 192, T = 48, L = 2, H = 4, G = 128, BATCH = 128, CHUNK = 8, PATHS = 16, ROUNDS = 9 };

static float *singles(size_t n) {
    float *x = malloc(n * sizeof *x);
    must_be(x != NULL, "memory");
    for (size_t i = 0; i < n; i++) x[i] = (float)((double)(i * 2654435761u % 10007u) / 10007.0 - 0.5);
    return x;
}

typedef struct arrays {
    float *theta, *m, *v, *grad, *phi, *dphi, *u, *du, *X, *y, *f;
    float *scores, *map;
    ap_work work;
} arrays;

static void step(arrays *a, const ap_trainer *t, double number) {
    ap_error err = {0};
    const size_t n = ap_train_parameters(t);
    ap_train_unfold(a->phi, a->u, NULL, t, a->theta);
    memset(a->dphi, 0, ap_train_folded(t) * sizeof *a->dphi);
    must(ap_train_pass(a->dphi, a->f, t, a->phi, a->X, a->y, BATCH, 1.0f / BATCH, &a->work, &err), &err);
    ap_train_fold(a->grad, a->du, NULL, t, a->theta, a->u, NULL, a->dphi);
    ap_train_adam(a->theta, a->m, a->v, n, a->grad, number, 3e-4, 5e-5);
}

static void tokens_floor(arrays *a) {
    for (size_t first = 0; first < BATCH; first += CHUNK) {
        const size_t n = T * CHUNK;
        const float *X = a->X + N0 * T * first;
        for (size_t l = 0; l < L; l++) {
            ap_sgemm('N', 'N', H * N0, n, N0, 1, a->phi, H * N0, X, N0, 0, a->scores, H * N0);
            for (size_t p = 0; p < CHUNK; p++)
                ap_sgemm('T', 'N', T, H * T, N0, 1, X + N0 * T * p, N0, a->scores + N0 * H * T * p, N0, 0, a->map, T);
            for (size_t p = 0; p < CHUNK; p++)
                ap_sgemm('N', 'N', N0, H * T, T, 1, X + N0 * T * p, N0, a->map, T, 0, a->scores + N0 * H * T * p, N0);
            ap_sgemm('N', 'T', H * N0, N0, n, 1, a->scores, H * N0, X, N0, 0, a->dphi, H * N0);
        }
    }
}

static void weights_floor(arrays *a, size_t N) {
    for (size_t h = 0; h < L * H; h++) {
        ap_sgemm('T', 'N', N0, N0, G, 1, a->theta, G, a->theta + G * N0, G, 0, a->phi, N0);
        ap_sgemm('N', 'N', G, N0, N0, 1, a->theta, G, a->phi, N0, 0, a->grad, G);
        ap_sgemm('N', 'T', G, N0, N0, 1, a->theta, G, a->phi, N0, 0, a->grad, G);
    }
    for (size_t l = 0; l < L; l++)
        for (size_t h = 0; h < H; h++) {
            const size_t below = l == 0 ? H : 1;
            const float *V = a->theta + N * N * (h + H * l);
            ap_sgemm('T', 'N', N, below, N, 1, V, N, a->u, N, 0, a->du, N);
            ap_sgemm('N', 'T', N, N, below, 1, a->u, N, a->u, N, 0, a->grad + N * N * (h + H * l), N);
            ap_sgemm('N', 'N', N, below, N, 1, V, N, a->u, N, 0, a->du, N);
        }
    ap_sgemm('T', 'N', N0, PATHS, N, 1, a->theta, N, a->u, N, 0, a->phi, N0);
    ap_sgemm('N', 'T', N, N0, PATHS, 1, a->u, N, a->phi, N0, 0, a->grad, N);
    ap_sgemm('N', 'N', N, PATHS, N0, 1, a->theta, N, a->phi, N0, 0, a->du, N);
}

static void run(size_t N) {
    const size_t heads[L] = {H, H};
    const double width[L + 1] = {(double)N, (double)N, (double)N}, variance[L + 2] = {1, 1, 1, 1};
    const ap_net net = {.L = L, .H = heads, .read = AP_READ_MEAN, .width = width, .variance = variance, .bandwidth = 1, .ridge = 1};
    const ap_trainer t = {.net = &net, .N0 = N0, .T = T, .G = G, .rank = N0};
    ap_error err = {0};
    must(ap_train_check(&t, &err), &err);
    const size_t n = ap_train_parameters(&t), size = ap_train_worksize(&t);
    arrays a = {singles(n),
                singles(n),
                singles(n),
                singles(n),
                singles(ap_train_folded(&t)),
                singles(ap_train_folded(&t)),
                singles(ap_train_partial(&t)),
                singles(ap_train_partial(&t)),
                singles(N0 * T * BATCH),
                singles(BATCH),
                singles(BATCH),
                singles(H * N0 * T * CHUNK),
                singles(T * H * T),
                {doubles(size), size, 0}};
    ap_train_start(a.theta, &t, 1);
    memset(a.m, 0, n * sizeof *a.m);
    memset(a.v, 0, n * sizeof *a.v);
    double whole[ROUNDS], tokens[ROUNDS], weights[ROUNDS], ratio[ROUNDS], adam[ROUNDS];
    step(&a, &t, 1);
    for (size_t r = 0; r < ROUNDS; r++) {
        const double t0 = seconds();
        step(&a, &t, (double)(r + 2));
        const double t1 = seconds();
        tokens_floor(&a);
        const double t2 = seconds();
        weights_floor(&a, N);
        const double t3 = seconds();
        ap_train_adam(a.theta, a.m, a.v, n, a.grad, (double)(r + 3), 0.0, 0.0);
        adam[r] = seconds() - t3;
        whole[r] = t1 - t0;
        tokens[r] = t2 - t1;
        weights[r] = t3 - t2;
        ratio[r] = whole[r] / (tokens[r] + weights[r]);
    }
    const double tokenwise =
        3.0 * 2.0 * BATCH * T * (double)(N * N * H * L + N * N0) + 2.0 * 2.0 * BATCH * T * (double)(2 * G * N0 * H * L);
    const double ours = 2.0 * 2.0 * BATCH * T * (double)((N0 * N0 + N0 * T) * H * L);
    printf("| %zu | %.2f | %.0f | %.0f | %.0f | %.0f | %.2f | %.0f | %.0f |\n", N, (double)n * 1e-6,
           1e3 * median(whole, ROUNDS), 1e3 * median(tokens, ROUNDS), 1e3 * median(weights, ROUNDS),
           1e3 * median(adam, ROUNDS), median(ratio, ROUNDS), ours * 1e-9, tokenwise * 1e-9);
    float *all[] = {a.theta, a.m, a.v, a.grad, a.phi, a.dphi, a.u, a.du, a.X, a.y, a.f, a.scores, a.map};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free(a.work.base);
}

int main(int argc, char **argv) {
    printf(
        "| N | parameters (millions) | step (ms) | floor: tokens (ms) | floor: weights (ms) | Adam alone (ms) "
        "| step over floor | GFlop a step | GFlop token by token |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int k = 1; k < argc; k++) run((size_t)strtoul(argv[k], NULL, 10));
    return 0;
}
