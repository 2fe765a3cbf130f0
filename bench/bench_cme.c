// bench_cme.c: path inputs of cme heads against the floor of their Cholesky factorisations
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_cme [quick]
//
// One layer of two heads, mean readout, exponential kernel, N0 = 32 features, G = 32 rows of queries and keys, random
// tokens. Every example and head requires the factorisation of a kernel matrix [T x T]. Times are per example and head,
// the median of rounds in which ap_paths takes turns with
//
//   Cholesky   ap_potrf alone, on the same matrices, which are restored outside of the measured time
//   bare       the same, and the bare calls for the kernel matrix and k (K, Q): products with Q and K (chunks of
//              examples together), dsyrk, dgemm, exponentials (those of ap_exp.c, and in brackets libm's)

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network/ap_network.h"
#include "problem.h"

enum { N0 = 32, G = 32, H = 2 };

typedef struct setting {
    size_t T, P;
    double *X, *Q, *K, *Xi;
    double *keys, *queries;  // [G x T x P x H]
    double *matrices;        // [T x T x P x H], lower triangles of G + lambda I
    double *F, *C;           // [T x T]
    ap_heads heads;
    size_t counts[1];
    double width[2], variance[3];
    ap_net net;
    ap_tokens x;
    ap_work work;
} setting;

static void make(setting *s, size_t T, size_t P) {
    *s = (setting){.T = T, .P = P, .counts = {H}, .width = {100, 100}, .variance = {1, 1, 1}};
    s->X = doubles(N0 * T * P);
    s->Q = doubles(G * N0 * H);
    s->K = doubles(G * N0 * H);
    s->Xi = doubles(N0 * P * H);
    s->keys = doubles(G * T * P * H);
    s->queries = doubles(G * T * P * H);
    s->matrices = doubles(T * T * P * H);
    s->F = doubles(T * T);
    s->C = doubles(T * T);
    normal(s->X, N0 * T * P, 1);
    normal(s->Q, G * N0 * H, 2);
    normal(s->K, G * N0 * H, 3);
    for (size_t i = 0; i < G * N0 * H; i++) {  // keys and queries of norm G^(1/4): scores of size 1
        s->Q[i] *= pow(G, -0.25) / sqrt(N0);
        s->K[i] *= pow(G, -0.25) / sqrt(N0);
    }
    s->heads = (ap_heads){.G = G, .Q = s->Q, .K = s->K, .rule = {.kind = AP_CME, .bandwidth = 1.0, .ridge = 1e-3}};
    s->x = (ap_tokens){.N0 = N0, .T = T, .P = P, .X = s->X};
    s->net = (ap_net){.L = 1,
                      .H = s->counts,
                      .heads = &s->heads,
                      .read = AP_READ_MEAN,
                      .width = s->width,
                      .variance = s->variance,
                      .temperature = 1.0};
    s->work = arena();
    const double scale = 1.0 / sqrt(G);
    for (size_t h = 0; h < H; h++) {
        double *k = s->keys + G * T * P * h;
        ap_gemm('N', 'N', G, T * P, N0, 1.0, s->K + G * N0 * h, G, s->X, N0, 0.0, k, G);
        ap_gemm('N', 'N', G, T * P, N0, 1.0, s->Q + G * N0 * h, G, s->X, N0, 0.0, s->queries + G * T * P * h, G);
        for (size_t p = 0; p < P; p++) {
            double *A = s->matrices + T * T * (p + P * h);
            ap_syrk('T', T, G, scale, k + G * T * p, G, 0.0, A, T);
            for (size_t j = 0; j < T; j++)
                for (size_t i = j; i < T; i++) A[i + T * j] = exp(A[i + T * j]) + (i == j ? s->heads.rule.ridge : 0.0);
        }
    }
}

static void free_all(setting *s) {
    double *const all[] = {s->X, s->Q, s->K, s->Xi, s->keys, s->queries, s->matrices, s->F, s->C};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    ap_work_close(&s->work);
}

static void paths(setting *s) {
    ap_error err = {AP_OK, ""};
    must(ap_paths(s->Xi, &s->net, &s->x, NULL, NULL, &s->work, &err), &err);
}

static double cholesky(setting *s) {
    double time = 0.0;
    for (size_t p = 0; p < s->P * H; p++) {
        memcpy(s->F, s->matrices + s->T * s->T * p, s->T * s->T * sizeof *s->F);
        const double start = seconds();
        must_be(ap_potrf(s->T, s->F, s->T) == 0, "dpotrf");
        time += seconds() - start;
    }
    return time;
}

static void libm_exp(double *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = exp(x[i]);
}

static double rest(setting *s, void (*exponential)(double *, size_t)) {
    const size_t T = s->T, chunk = ap_attention_chunk(&s->x);
    const double scale = 1.0 / sqrt(G), start = seconds();
    for (size_t p = 0; p < s->P; p += chunk) {
        const size_t count = s->P - p < chunk ? s->P - p : chunk;
        for (size_t h = 0; h < H; h++) {
            double *k = s->keys + G * T * (p + s->P * h), *q = s->queries + G * T * (p + s->P * h);
            ap_gemm('N', 'N', G, T * count, N0, 1.0, s->K + G * N0 * h, G, s->X + N0 * T * p, N0, 0.0, k, G);
            ap_gemm('N', 'N', G, T * count, N0, 1.0, s->Q + G * N0 * h, G, s->X + N0 * T * p, N0, 0.0, q, G);
            for (size_t i = 0; i < count; i++) {
                ap_syrk('T', T, G, scale, k + G * T * i, G, 0.0, s->F, T);
                for (size_t j = 0; j < T; j++) exponential(s->F + j * (T + 1), T - j);
                ap_gemm('T', 'N', T, T, G, scale, k + G * T * i, G, q + G * T * i, G, 0.0, s->C, T);
                exponential(s->C, T * T);
            }
        }
    }
    return seconds() - start;
}

static void row(size_t T, size_t P) {
    setting s;
    make(&s, T, P);
    double start = seconds();
    paths(&s);
    const size_t n = rounds(3.0 * (seconds() - start), 3.0);
    double times[301], floors[301], bare[301], libm[301];
    for (size_t i = 0; i < n; i++) {
        start = seconds();
        paths(&s);
        times[i] = seconds() - start;
        floors[i] = cholesky(&s);
        bare[i] = floors[i] + rest(&s, ap_exp);
        libm[i] = floors[i] + rest(&s, libm_exp);
    }
    const double each = 1e6 / (double)(P * H), time = median(times, n), least = median(floors, n);
    const double sum = median(bare, n), slow = median(libm, n);
    printf("| %zu | %zu | %.3g | %.3g | %.2f | %.3g (%.3g) | %.2f (%.2f) |\n", T, P, each * time, each * least,
           time / least, each * sum, each * slow, time / sum, time / slow);
    fflush(stdout);
    free_all(&s);
}

int main(int count, char **args) {
    must_be(count == 1 || (count == 2 && strcmp(args[1], "quick") == 0), "usage: bench_cme [quick]");
    puts("| tokens | examples | path inputs (us) | Cholesky (us) | ratio | bare calls (us) | ratio |");
    puts("|--:|--:|--:|--:|--:|--:|--:|");
    row(48, count > 1 ? 50 : 200);
    row(128, count > 1 ? 20 : 60);
    row(512, count > 1 ? 4 : 12);
    return 0;
}
