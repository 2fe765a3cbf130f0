// bench_tokens.c: path inputs of all tokens against bare products, and against one readout token at a time
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_tokens [quick]
//
// Layers of four heads with queries and keys, G = 32 rows, softmax, random tokens of N0 = 64 features. Processor time
// per example, the median of rounds in which ap_paths with AP_READ_ALL takes turns with
//
//   bare       products with Q and K (chunks of examples together), scores, softmax, and one product for each head with
//              the stack of all partial paths before it, the last one with its results in the order that this gives
//   one by one ap_paths with AP_READ_TOKEN, for each of the T tokens
//   lower      of both what comes before the maps of the last layer meet anything: maps of the lower layers, and their
//              products with what meets them

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network/ap_network.h"
#include "problem.h"

enum { N0 = 64, G = 32, H = 4, layers = 3 };

typedef struct setting {
    size_t L, T, P, paths;
    double *X, *Q, *K, *Xi;   // [G x N0 x H x L]
    double *left, *right;     // [G x T x chunk]
    double *omega, *z, *out;  // [T x T], [N0 Pi x T]
    ap_heads heads[layers];
    size_t counts[layers];
    double width[layers + 1], variance[layers + 2];
    ap_net net;
    ap_tokens x;
    ap_work work;
} setting;

static void make(setting *s, size_t L, size_t T, size_t P) {
    *s = (setting){.L = L, .T = T, .P = P, .paths = 1, .work = arena()};
    for (size_t l = 0; l < L; l++) s->paths *= H;
    s->X = doubles(N0 * T * P);
    s->Q = doubles(G * N0 * H * L);
    s->K = doubles(G * N0 * H * L);
    s->Xi = doubles(N0 * T * P * s->paths);
    normal(s->X, N0 * T * P, 1);
    normal(s->Q, G * N0 * H * L, 2);
    normal(s->K, G * N0 * H * L, 3);
    for (size_t l = 0; l < L; l++) {
        s->heads[l] = (ap_heads){.G = G, .Q = s->Q + G * N0 * H * l, .K = s->K + G * N0 * H * l};
        s->heads[l].rule = (ap_rule){.kind = AP_SOFTMAX, .bandwidth = N0, .ridge = 1.0};
        s->counts[l] = H;
    }
    for (size_t l = 0; l < L + 2; l++) s->variance[l] = s->width[l < L ? l : L] = 1.0;
    s->x = (ap_tokens){.N0 = N0, .T = T, .P = P, .X = s->X};
    s->net = (ap_net){.L = L, .H = s->counts, .heads = s->heads, .width = s->width, .variance = s->variance};
    s->left = doubles(G * T * ap_attention_chunk(&s->x));
    s->right = doubles(G * T * ap_attention_chunk(&s->x));
    s->omega = doubles(T * T);
    s->z = doubles(N0 * T * s->paths);
    s->out = doubles(N0 * T * s->paths);
}

static void free_all(setting *s) {
    double *const all[] = {s->X, s->Q, s->K, s->Xi, s->left, s->right, s->omega, s->z, s->out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    ap_work_close(&s->work);
}

static double paths(setting *s, ap_read read) {
    ap_error err = {AP_OK, ""};
    const double start = processor_seconds();
    s->net.read = read;
    for (s->net.token = 0; s->net.token < (read == AP_READ_ALL ? 1 : s->T); s->net.token++)
        must(ap_paths(s->Xi, &s->net, &s->x, NULL, NULL, &s->work, &err), &err);
    return processor_seconds() - start;
}

// Passes over all chunks without path inputs, less what the maps of the last layer take.
static double lower(setting *s, ap_read read) {
    ap_error err = {AP_OK, ""};
    double sum = 0.0;
    s->net.read = read;
    for (s->net.token = 0; s->net.token < (read == AP_READ_ALL ? 1 : s->T); s->net.token++) {
        const size_t mark = s->work.used;
        ap_chunk c = ap_chunk_of(&s->net, &s->x, NULL, AP_KEEP_NOTHING);
        double *memory = ap_take(&s->work, ap_chunk_size(&c));
        const size_t *start = ap_tokens_starts(&s->x, &s->work);
        const double *omega;
        must(ap_attention_take(&c.scores, c.net, c.x, &s->work, &err), &err);
        for (size_t part = 0; part * c.most < s->P; part++) {
            ap_chunk_at(&c, part, memory);
            const double begin = processor_seconds();
            must(read == AP_READ_ALL ? ap_tokens_up(NULL, &c, start, &err) : ap_paths_down(NULL, &c, &err), &err);
            const double end = processor_seconds();
            for (size_t h = 0; h < H; h++) {
                ap_chunk_head(&c, s->L, h, true);
                for (size_t k = 0; k < c.count; k++) must(ap_chunk_make_map(&omega, &c, s->L, h, k, &err), &err);
            }
            sum += end - begin - (processor_seconds() - end);
        }
        s->work.used = mark;
    }
    return sum;
}

static double bare(setting *s) {
    const size_t T = s->T, chunk = ap_attention_chunk(&s->x);
    const double scale = 1.0 / (sqrt(G) * N0), start = processor_seconds();
    for (size_t p = 0; p < s->P; p += chunk) {
        const size_t count = s->P - p < chunk ? s->P - p : chunk;
        for (size_t l = 0, rows = N0; l < s->L; l++, rows *= H)
            for (size_t h = 0; h < H; h++) {
                const size_t head = G * N0 * (h + H * l);
                ap_gemm('N', 'N', G, T * count, N0, 1.0, s->K + head, G, s->X + N0 * T * p, N0, 0.0, s->left, G);
                ap_gemm('N', 'N', G, T * count, N0, 1.0, s->Q + head, G, s->X + N0 * T * p, N0, 0.0, s->right, G);
                for (size_t k = 0; k < count; k++) {
                    ap_gemm('T', 'N', T, T, G, scale, s->left + G * T * k, G, s->right + G * T * k, G, 0.0, s->omega,
                            T);
                    must_be(ap_softmax(s->omega, T, T, T, false) == T, "softmax");
                    double *out = l + 1 < s->L ? s->out : s->Xi + N0 * T * s->paths * (p + k) + rows * T * h;
                    ap_gemm('N', 'N', rows, T, T, 1.0, s->z, rows, s->omega, T, 0.0, out, rows);
                }
            }
    }
    return processor_seconds() - start;
}

static void row(size_t L, size_t T, size_t P) {
    setting s;
    make(&s, L, T, P);
    normal(s.z, N0 * T * s.paths, 4);
    const size_t n = rounds(3.0 * paths(&s, AP_READ_TOKEN), 6.0);
    double all[301], floors[301], singles[301], low[301], lows[301];
    for (size_t i = 0; i < n; i++) {
        all[i] = paths(&s, AP_READ_ALL);
        floors[i] = bare(&s);
        singles[i] = paths(&s, AP_READ_TOKEN);
        low[i] = lower(&s, AP_READ_ALL);
        lows[i] = lower(&s, AP_READ_TOKEN);
    }
    const double each = 1e6 / (double)P, time = median(all, n), least = median(floors, n), one = median(singles, n);
    printf("| %zu | %zu | %zu | %zu | %.3g | %.3g | %.2f | %.3g | %.1f |", L, T, P, s.paths, each * time, each * least,
           time / least, each * one, one / time);
    const double few = median(low, n), many = median(lows, n);
    if (L > 1) printf(" %.3g | %.3g | %.1f | %.1f |\n", each * few, each * many, many / few, (double)T / 3.0);
    if (L == 1) puts(" | | | |");
    fflush(stdout);
    free_all(&s);
}

int main(int count, char **args) {
    must_be(count == 1 || (count == 2 && strcmp(args[1], "quick") == 0), "usage: bench_tokens [quick]");
    puts(
        "| layers | tokens T | examples | paths | all tokens (us) | bare (us) | ratio | one by one (us) | ratio | "
        "lower "
        "layers (us) | one by one (us) | ratio | T/3 |");
    puts("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    row(1, 31, count > 1 ? 50 : 200);
    row(2, 31, count > 1 ? 20 : 100);
    row(2, 128, count > 1 ? 4 : 12);
    row(3, 31, count > 1 ? 10 : 40);
    return 0;
}
