// bench_draws: predictions from many draws of U against the same products in one loop
//
//   bench_draws [draws]   P = 100 of 231 features and 4 paths, and P = 600 of 65 features and 16 paths, random path
//                         inputs, 1000 test examples; one thread
//
// The loop has the operations that each draw requires: K of the training set and K between it and the test examples
// from stored path kernels, each one product of a matrix and a vector; Cholesky's factor; its solve for the labels;
// and, for variances, one triangular solve with a column for each test example. Loop and package take turns. Prints
// processor seconds for the mean alone and for mean and variance.

// SPDX-License-Identifier: BSD-3-Clause

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ap_core.h"
#include "problem.h"

enum { tests = 1000, turns = 3 };

static double processor(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void draw_orders(double *U, size_t n, size_t count) {
    double *R = doubles(n * n);
    for (size_t k = 0; k < count; k++) {
        normal(R, n * n, 100 + (unsigned)k);
        ap_spd_gram(U + n * n * k, 1.0 / (double)n, R, n, n);
    }
    free(R);
}

typedef struct loop {
    double *packed, *D, *kappa;  // of the training set; between it and the tests; of each test
    double *K, *triangle, *k, *b, *mu, *s2, *u;
} loop;

static void build(loop *l, const ap_kernel *kernel, const double *Xi2) {
    const size_t P = kernel->P, N0 = kernel->N0, n = kernel->paths, cells = P * tests;
    for (size_t b = 0; b < n; b++)
        for (size_t a = 0; a <= b; a++) {
            double *D = l->D + cells * ap_pairs_number(a, b), *kappa = l->kappa + tests * ap_pairs_number(a, b);
            const double *xa = Xi2 + N0 * tests * a, *xb = Xi2 + N0 * tests * b;
            ap_gemm('T', 'N', P, tests, N0, kernel->scale, kernel->Xi + N0 * P * a, N0, xb, N0, 0.0, D, P);
            if (a < b) ap_gemm('T', 'N', P, tests, N0, kernel->scale, kernel->Xi + N0 * P * b, N0, xa, N0, 1.0, D, P);
            for (size_t t = 0; t < tests; t++)
                kappa[t] = (a < b ? 2.0 : 1.0) * kernel->scale * ap_dot(N0, xa + N0 * t, xb + N0 * t);
        }
}

static double run_loop(loop *l, const problem *b, const double *U, size_t draws, const double *Xi2, bool spread) {
    const ap_kernel *k = &b->kernel;
    const size_t P = k->P, n = k->paths, triangle = ap_pairs_count(P), cells = P * tests;
    ap_error err = {AP_OK, ""};
    const double from = processor();
    build(l, k, Xi2);
    memset(l->mu, 0, tests * sizeof *l->mu);
    memset(l->s2, 0, tests * sizeof *l->s2);
    for (size_t i = 0; i < draws; i++) {
        ap_pairs_pack(l->u, U + n * n * i, n, 1.0);
        ap_gemv('N', triangle, k->pairs, 1.0, l->packed, triangle, l->u, 0.0, l->triangle);
        ap_pairs_lower(l->K, l->triangle, P);
        for (size_t mu = 0; mu < P; mu++) l->K[mu + P * mu] += b->net.temperature;
        must(ap_spd_chol(l->K, P, "K", &err), &err);
        memcpy(l->b, b->y, P * sizeof *l->b);
        ap_spd_solve(l->K, P, l->b, 1);
        ap_gemv('N', cells, k->pairs, 1.0, l->D, cells, l->u, 0.0, l->k);
        ap_gemv('T', P, tests, 1.0, l->k, P, l->b, 1.0, l->mu);
        if (!spread) continue;
        ap_gemv('N', tests, k->pairs, 1.0, l->kappa, tests, l->u, 1.0, l->s2);
        ap_trsm('L', 'N', P, tests, 1.0, l->K, P, l->k, P);
        for (size_t t = 0; t < tests; t++) l->s2[t] -= ap_dot(P, l->k + P * t, l->k + P * t);
    }
    return processor() - from;
}

static double run_core(double *out, const problem *b, const ap_problem *p, const ap_many *draws, const ap_inputs *x2,
                       bool spread) {
    ap_error err = {AP_OK, ""};
    ap_work work = arena();
    const double from = processor();
    if (spread)
        must(ap_draws_predict(out, out + tests, p, draws, x2, NULL, &work, &err), &err);
    else
        must(ap_draws_weights(out, p, draws, NULL, &work, &err), &err);
    (void)b;
    const double took = processor() - from;
    ap_work_close(&work);
    return took;
}

static void row(size_t P, size_t N0, size_t H, size_t count) {
    problem b = {0};
    problem_random(&b, P, N0, H, H, 1);
    problem_network(&b, 10.0, 0.1);
    problem_plan(&b, STORED, 4.0);
    problem_room(&b);
    problem_build(&b);
    const ap_kernel *k = &b.kernel;
    const size_t n = k->paths;
    double *U = doubles(n * n * count), *Xi2 = doubles(N0 * tests * n), *out = doubles(2 * tests + N0 * n);
    double took[4][turns];
    draw_orders(U, n, count);
    normal(Xi2, N0 * tests * n, 7);
    loop l = {.packed = k->packed, .D = doubles(P * tests * k->pairs), .kappa = doubles(tests * k->pairs)};
    l.K = doubles(P * P), l.triangle = doubles(ap_pairs_count(P)), l.k = doubles(P * tests), l.b = doubles(P);
    l.mu = doubles(tests), l.s2 = doubles(tests), l.u = doubles(k->pairs);
    const ap_problem p = {.net = &b.net, .kernel = k, .y = b.y};
    const ap_many draws = {.U = U, .count = count};
    const ap_inputs x2 = {.N0 = N0, .P = tests, .Xi = Xi2};
    for (size_t t = 0; t < turns; t++) {
        took[0][t] = run_loop(&l, &b, U, count, Xi2, false);
        took[1][t] = run_core(out, &b, &p, &draws, &x2, false);
        took[2][t] = run_loop(&l, &b, U, count, Xi2, true);
        took[3][t] = run_core(out, &b, &p, &draws, &x2, true);
    }
    for (size_t t = 0; t < tests; t++)
        must_be(fabs(out[t] - l.mu[t] / (double)count) < 1e-9, "bench_draws: the loop has another mean");
    double m[4];
    for (size_t i = 0; i < 4; i++) m[i] = median(took[i], turns);
    printf("| %zu | %zu | %zu | %.2f | %.2f | %.2f | %.2f | %.2f |\n", P, n, count, m[0], m[1], m[2], m[3],
           m[3] / m[2]);
    double *all[] = {U, Xi2, out, l.D, l.kappa, l.K, l.triangle, l.k, l.b, l.mu, l.s2, l.u};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    problem_free(&b);
}

int main(int count, char **word) {
    const size_t draws = count > 1 ? (size_t)strtoul(word[1], NULL, 10) : 4000;
    printf(
        "| P | paths | draws | loop, mean (s) | mean (s) | loop, with variances (s) | mean and variance (s) | ratio "
        "|\n");
    printf("|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    row(100, 231, 2, draws);
    row(600, 65, 4, draws / 20);
    return 0;
}
