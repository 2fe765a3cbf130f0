// bench_train.c: one step of gradient descent against the floor of its matrix products
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_train WIDTH...
//
// The network of theory.md section 10: 192 features, 48 tokens, two layers of four heads, 128 keys, batches of 128
// sequences, random tokens; once with tokens that span r = 192 dimensions, once with r = 89, as in the one-shot task. A
// step is ap_train_step, one part of the batch after another: unfold, pass, fold, Adam. The floor is ap_sgemm with the
// shapes of the products that a step requires, on arrays of the same sizes, chunk by chunk and in turns with the step.
// For each layer of H heads and n tokens of a chunk these are M x and x' (M x) forward, and as many backward:
//
//   [H r x r] [r x n],   [T x r] [r x H T] a sequence,   [r x T] [T x H T] a sequence,   [H r x n] [n x r]
//
// and for queries and keys K' Q and its two derivatives, for value weights those of the chain (T4), with a basis Q B,
// K B, V_0 B and their adjoints. The floor excludes everything else: softmax, chains along the paths, Adam, memory. The
// last column counts the usual implementation of the network: V z for every token, forward and twice backward, and
// Q x, K x forward and once backward.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/ap_train.h"
#include "problem.h"

enum { N0 = 192, SPAN = 89, T = 48, L = 2, H = 4, G = 128, BATCH = 128, CHUNK = 8, PATHS = 16, ROUNDS = 9 };

static float *singles(size_t n) {
    float *x = malloc(n * sizeof *x);
    must_be(x != NULL, "memory");
    for (size_t i = 0; i < n; i++) x[i] = (float)((double)(i * 2654435761u % 10007u) / 10007.0 - 0.5);
    return x;
}

typedef struct arrays {
    float *theta, *m, *v, *X, *y;                                     // of the step
    float *phi, *dphi, *u, *du, *seen, *dseen, *grad, *scores, *map;  // of the floor; grad also of Adam alone
    ap_work work;
} arrays;

static void step(arrays *a, const ap_trainer *t, double number) {
    ap_error err = {0};
    double loss;
    const ap_train_state state = {a->theta, a->m, a->v};
    const ap_train_batch batch = {a->X, a->y, BATCH};
    const ap_train_pace pace = {.number = number, .rate = 3e-4, .decay = 5e-5};
    must(ap_train_step(&state, &loss, t, &batch, &pace, NULL, &a->work, &err), &err);
}

static void tokens_floor(arrays *a, size_t r) {
    for (size_t first = 0; first < BATCH; first += CHUNK) {
        const size_t n = T * CHUNK;
        const float *X = a->X + r * T * first;
        for (size_t l = 0; l < L; l++) {
            ap_sgemm('N', 'N', H * r, n, r, 1, a->phi, H * r, X, r, 0, a->scores, H * r);
            for (size_t p = 0; p < CHUNK; p++)
                ap_sgemm('T', 'N', T, H * T, r, 1, X + r * T * p, r, a->scores + r * H * T * p, r, 0, a->map, T);
            for (size_t p = 0; p < CHUNK; p++)
                ap_sgemm('N', 'N', r, H * T, T, 1, X + r * T * p, r, a->map, T, 0, a->scores + r * H * T * p, r);
            ap_sgemm('N', 'T', H * r, r, n, 1, a->scores, H * r, X, r, 0, a->dphi, H * r);
        }
    }
}

static void weights_floor(arrays *a, size_t N, size_t r) {
    const bool basis = r < N0;
    for (size_t h = 0; h < L * H; h++) {
        for (int k = 0; k < 2 * basis; k++) {
            ap_sgemm('N', 'N', G, r, N0, 1, a->theta, G, a->X, N0, 0, a->seen, G);
            ap_sgemm('N', 'T', G, N0, r, 1, a->seen, G, a->X, N0, 0, a->grad, G);
        }
        ap_sgemm('T', 'N', r, r, G, 1, a->theta, G, a->theta + G * r, G, 0, a->phi, r);
        ap_sgemm('N', 'N', G, r, r, 1, a->theta, G, a->phi, r, 0, a->grad, G);
        ap_sgemm('N', 'T', G, r, r, 1, a->theta, G, a->phi, r, 0, a->grad, G);
    }
    for (size_t l = 0; l < L; l++)
        for (size_t h = 0; h < H; h++) {
            const size_t below = l == 0 ? H : 1;
            const float *V = a->theta + N * N * (h + H * l);
            ap_sgemm('T', 'N', N, below, N, 1, V, N, a->u, N, 0, a->du, N);
            ap_sgemm('N', 'T', N, N, below, 1, a->u, N, a->u, N, 0, a->grad + N * N * (h + H * l), N);
            ap_sgemm('N', 'N', N, below, N, 1, V, N, a->u, N, 0, a->du, N);
        }
    if (basis) {
        ap_sgemm('N', 'N', N, r, N0, 1, a->theta, N, a->X, N0, 0, a->seen, N);
        ap_sgemm('N', 'T', N, N0, r, 1, a->seen, N, a->X, N0, 0, a->grad, N);
    }
    ap_sgemm('T', 'N', r, PATHS, N, 1, a->theta, N, a->u, N, 0, a->phi, r);
    ap_sgemm('N', 'T', N, r, PATHS, 1, a->u, N, a->phi, r, 0, a->grad, N);
    ap_sgemm('N', 'N', N, PATHS, r, 1, a->theta, N, a->u, r, 0, a->du, N);
}

static void run(size_t N, size_t r) {
    const size_t heads[L] = {H, H};
    const double width[L + 1] = {(double)N, (double)N, (double)N}, variance[L + 2] = {1, 1, 1, 1};
    const ap_net net = {.L = L, .H = heads, .read = AP_READ_MEAN, .width = width, .variance = variance};
    float *basis = singles(N0 * r);
    const ap_trainer t = {.net = &net, .N0 = N0, .T = T, .G = G, .rank = r, .C = 1, .basis = r < N0 ? basis : NULL};
    ap_error err = {0};
    must(ap_train_check(&t, &err), &err);
    const size_t n = ap_train_parameters(&t);
    const size_t folded = ap_train_folded(&t), partial = ap_train_partial(&t), seen = (L * H * 2 * G + N) * N0;
    arrays a = {.theta = singles(n),
                .m = singles(n),
                .v = singles(n),
                .grad = singles(n),
                .phi = singles(folded),
                .dphi = singles(folded),
                .u = singles(partial),
                .du = singles(partial),
                .seen = singles(seen),
                .dseen = singles(seen),
                .X = singles(N0 * T * BATCH),
                .y = singles(BATCH),
                .scores = singles(H * N0 * T * CHUNK),
                .map = singles(T * H * T),
                .work = arena()};
    ap_train_start(a.theta, &t, 1);
    memset(a.m, 0, n * sizeof *a.m);
    memset(a.v, 0, n * sizeof *a.v);
    double whole[ROUNDS], tokens[ROUNDS], weights[ROUNDS], ratio[ROUNDS], adam[ROUNDS];
    step(&a, &t, 1);
    for (size_t k = 0; k < ROUNDS; k++) {
        const double t0 = seconds();
        step(&a, &t, (double)(k + 2));
        const double t1 = seconds();
        tokens_floor(&a, r);
        const double t2 = seconds();
        weights_floor(&a, N, r);
        const double t3 = seconds();
        ap_train_adam(a.theta, a.m, a.v, n, a.grad, (double)(k + 3), 0.0, 0.0);
        adam[k] = seconds() - t3;
        whole[k] = t1 - t0;
        tokens[k] = t2 - t1;
        weights[k] = t3 - t2;
        ratio[k] = whole[k] / (tokens[k] + weights[k]);
    }
    const double tokenwise =
        3.0 * 2.0 * BATCH * T * (double)(N * N * H * L + N * N0) + 2.0 * 2.0 * BATCH * T * (double)(2 * G * N0 * H * L);
    const double ours = 2.0 * 2.0 * BATCH * T * (double)((r * r + r * T) * H * L);
    printf("| %zu | %zu | %.2f | %.0f | %.0f | %.0f | %.0f | %.2f | %.0f | %.0f |\n", N, r, (double)n * 1e-6,
           1e3 * median(whole, ROUNDS), 1e3 * median(tokens, ROUNDS), 1e3 * median(weights, ROUNDS),
           1e3 * median(adam, ROUNDS), median(ratio, ROUNDS), ours * 1e-9, tokenwise * 1e-9);
    float *all[] = {a.theta, a.m,     a.v, a.grad, a.phi,    a.dphi, a.u,  a.du,
                    a.seen,  a.dseen, a.X, a.y,    a.scores, a.map,  basis};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    ap_work_close(&a.work);
}

int main(int argc, char **argv) {
    printf(
        "| N | r | parameters (millions) | step (ms) | floor: tokens (ms) | floor: weights (ms) | Adam alone (ms) "
        "| step over floor | GFlop a step | GFlop token by token |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int k = 1; k < argc; k++) {
        const size_t N = (size_t)strtoul(argv[k], NULL, 10);
        run(N, N0);
        run(N, SPAN);
    }
    return 0;
}
