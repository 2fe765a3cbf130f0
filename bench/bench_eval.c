// bench_eval.c: one action with gradient against its floor, with and without stored kernels
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_eval floors MARKOV_FILE ONESHOT_FILE | bench_eval storage [quick] | bench_eval skips
//
// The floor of an evaluation is the time of its large matrix operations alone, on arrays of the same sizes. Both take
// turns in one process:
//
//   stored    dgemv on the packed kernels [P (P+1)/2 x pairs], dpotrf and dpotri [P], dgemv transposed
//   inputs    Pi x dsyrk [P, inner N0], dpotrf, Pi x dtrsm [N0 x P], dsyrk [Pi, inner N0 P]
//
// The floor excludes packing, copies, the product of Xi with its factor, labels and entropy. The bound is flops / speed
// of dgemm (n = 1000) + bytes of kernels read / speed of reading as many doubles (ddot), with the best speeds measured:
// factorisations of these sizes are slower than products.
//
// `storage` times evaluations from stored kernels and from inputs at each size, and the computation of the store, and
// prints the choice of ap_kernel_plan; the better form has the smaller evaluation + build / 15. Two columns give the
// constants of its cost model, in flops at dgemm speed: `stream`, the cost of an evaluation with stored kernels minus
// P^3 flops, per double streamed; and the share of dgemm speed that an evaluation from inputs reaches. A second table
// has the bare cost of streaming with dgemv, by size of the store.
//
// `skips` times, in turns, networks with equal numbers of paths, without skip connections and with one in every layer,
// on the same path inputs, in processor seconds, which depend little on other load.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "action/ap_action.h"
#include "problem.h"

// Doubles per second in repeated reads of the same `count`; the best of several, since it is a bound.
static double reading_speed(size_t count) {
    double *x = doubles(count), least = 1e300, sum = 0.0;
    normal(x, count, 1);
    const size_t n = rounds((double)count / 2e9, 0.2), half = count / 2;
    for (size_t i = 0; i < n; i++) {
        const double start = seconds();
        sum += ap_dot(half, x, x + half);
        least = fmin(least, seconds() - start);
    }
    must_be(isfinite(sum), "reading memory");
    free(x);
    return (double)(2 * half) / least;
}

// One pass of bare calls; the matrices that they overwrite are restored outside of the measured time.
static double floor_once(const problem *b, const double *A, const double *Xi, double *F, double *Z, double *small) {
    const ap_kernel *k = &b->kernel;
    const size_t P = b->P, N0 = b->N0, paths = b->paths, cells = N0 * P, triangle = P * (P + 1) / 2;
    memcpy(F, A, P * P * sizeof *F);
    if (k->packed == NULL) memcpy(Z, Xi, cells * paths * sizeof *Z);
    const double start = seconds();
    if (k->packed != NULL) {
        ap_gemv('N', triangle, k->pairs, 1.0, k->packed, triangle, small, 0.0, Z);
        must_be(ap_potrf(P, F, P) == 0, "dpotrf");
        must_be(ap_potri(P, F, P) == 0, "dpotri");
        ap_gemv('T', triangle, k->pairs, 1.0, k->packed, triangle, Z, 0.0, small);
    } else {
        double *K = small + paths * paths;
        for (size_t a = 0; a < paths; a++) ap_syrk('T', P, N0, 1.0, Xi + cells * a, N0, a == 0 ? 0.0 : 1.0, K, P);
        must_be(ap_potrf(P, F, P) == 0, "dpotrf");
        for (size_t a = 0; a < paths; a++) ap_trsm('R', 'T', N0, P, 1.0, F, P, Z + cells * a, N0);
        ap_syrk('T', paths, cells, 1.0, Z, cells, 0.0, small, paths);
    }
    return seconds() - start;
}

static void floor_row(problem *b, const char *name, storage how, double temperature, double speed) {
    ap_error err;
    problem_network(b, 100.0, temperature);
    problem_plan(b, how, 2.0);
    problem_room(b);
    problem_build(b);
    const ap_kernel *k = &b->kernel;
    const size_t P = b->P, N0 = b->N0, paths = b->paths, cells = N0 * P, triangle = P * (P + 1) / 2;
    const bool stored = k->packed != NULL;
    double *A = doubles(P * P), *F = doubles(P * P), *Z = doubles(stored ? triangle : cells * paths);
    double *small = doubles(paths * paths + P * P), times[301], bare[301];
    must(ap_kernel_combine(A, k, b->point.order, NULL, &b->work, &err), &err);
    for (size_t i = 0; i < P; i++) A[i + P * i] += temperature;
    normal(small, paths * paths + P * P, 1);
    const double start = seconds();
    problem_evaluate(b);
    const size_t n = rounds(2.0 * (seconds() - start), 2.0);
    for (size_t i = 0; i < n; i++) {
        const double before = seconds();
        problem_evaluate(b);
        times[i] = seconds() - before;
        bare[i] = floor_once(b, A, b->Xi, F, Z, small);
    }
    const double p = (double)P, c = (double)cells, q = (double)paths;
    const double flops = stored ? p * p * p : p * p * p / 3.0 + 2.0 * c * p * q + c * q * q;
    const double read = stored ? 2.0 * (double)triangle * (double)k->pairs : 0.0;
    const double bound = flops / speed + (stored ? read / reading_speed(triangle * k->pairs) : 0.0);
    const double time = median(times, n), bottom = median(bare, n);
    printf("| %s | %zu | %zu | %zu | %s | %.3g | %.3g | %.2f | %.3g | %.2f |\n", name, P, paths, N0,
           stored ? "stored" : "inputs", 1e3 * time, 1e3 * bottom, time / bottom, 1e3 * bound, time / bound);
    fflush(stdout);
    free(A);
    free(F);
    free(Z);
    free(small);
    problem_free(b);
}

static void floors(const char *markov, const char *oneshot) {
    const double speed = dgemm_speed();
    printf("At best in this run: dgemm %.1f Gflop/s, reading %.1f GB/s from memory.\n\n", 1e-9 * speed,
           8e-9 * reading_speed(1 << 25));
    puts("| problem | P | paths | N0 | kernels | evaluation (ms) | floor (ms) | ratio | bound (ms) | ratio |");
    puts("|---|--:|--:|--:|---|--:|--:|--:|--:|--:|");
    problem b;
    problem_read(&b, markov);
    floor_row(&b, "Markov", AS_PLANNED, 0.01, speed);
    free(b.Xi);
    free(b.y);
    problem_read(&b, oneshot);
    floor_row(&b, "one-shot", AS_PLANNED, 0.5, speed);
    floor_row(&b, "one-shot", INPUTS, 0.5, speed);
    free(b.Xi);
    free(b.y);
    problem_random(&b, 1000, 48, 4, 4, 1);
    floor_row(&b, "random", INPUTS, 0.5, speed);
    free(b.Xi);
    free(b.y);
}

static double evaluation_time(problem *b, storage how, double *build) {
    problem_plan(b, how, 8.0);
    problem_room(b);
    problem_build(b);  // maps the memory
    double start = seconds();
    problem_build(b);
    *build = seconds() - start;
    start = seconds();
    problem_evaluate(b);
    const size_t n = rounds(seconds() - start, 0.4);
    double *times = doubles(n);
    for (size_t i = 0; i < n; i++) {
        start = seconds();
        problem_evaluate(b);
        times[i] = seconds() - start;
    }
    const double time = median(times, n);
    free(times);
    problem_free(b);
    return time;
}

static void storages(bool quick) {
    static const size_t sizes[][4] = {// P, H_1, H_2, N0
                                      {100, 2, 2, 231}, {100, 4, 4, 192}, {300, 4, 4, 48},   {300, 4, 4, 192},
                                      {300, 8, 8, 768}, {600, 2, 2, 231}, {600, 4, 4, 96},   {600, 4, 4, 192},
                                      {600, 4, 4, 384}, {1000, 4, 4, 48}, {1000, 4, 4, 192}, {600, 8, 8, 192}};
    const double speed = dgemm_speed();
    puts(
        "| P | paths | N0 | stored (ms) | inputs (ms) | build (ms) | better | taken | lost by it | stream "
        "| inputs at |");
    puts("|--:|--:|--:|--:|--:|--:|---|---|--:|--:|--:|");
    for (size_t i = 0; i < (quick ? 6 : sizeof sizes / sizeof *sizes); i++) {
        const size_t *s = sizes[i];
        problem b;
        problem_random(&b, s[0], s[3], s[1], s[2], 1);
        problem_network(&b, 100.0, 0.5);
        problem_plan(&b, AS_PLANNED, 8.0);
        const bool takes = b.kernel.storage > 0;
        double build, none;
        const double stored = evaluation_time(&b, STORED, &build), inputs = evaluation_time(&b, INPUTS, &none);
        const double total = stored + build / 15.0, least = total < inputs ? total : inputs;
        const double p = (double)s[0], n = (double)s[3], q = (double)b.paths, pairs = q * (q + 1.0) / 2.0;
        const double flops = 2.0 * p * p * n * q + 3.0 * n * p * q * q + p * p * p / 3.0;
        printf("| %zu | %zu | %zu | %.3g | %.3g | %.3g | %s | %s | %.0f %% | %.0f | %.0f %% |\n", s[0], b.paths, s[3],
               1e3 * stored, 1e3 * inputs, 1e3 * build, total < inputs ? "stored" : "inputs",
               takes ? "stored" : "inputs", 100.0 * ((takes ? total : inputs) / least - 1.0),
               (stored * speed - p * p * p) / (p * (p + 1.0) * pairs), 100.0 * flops / (inputs * speed));
        fflush(stdout);
        free(b.Xi);
        free(b.y);
    }
    puts("\n| store (MiB) | flops a double, dgemv | flops a double, dgemv transposed |");
    puts("|--:|--:|--:|");
    for (size_t P = 100; P <= (quick ? 400u : 1600u); P *= 2) {
        const size_t triangle = P * (P + 1) / 2, pairs = P == 100 ? 10 : 136;
        double *A = doubles(triangle * pairs), *x = doubles(triangle), *g = doubles(pairs), once[2][31];
        normal(A, triangle * pairs, 1);
        normal(g, pairs, 2);
        for (size_t i = 0; i < 31; i++) {
            const double start = seconds();
            ap_gemv('N', triangle, pairs, 1.0, A, triangle, g, 0.0, x);
            const double middle = seconds();
            ap_gemv('T', triangle, pairs, 1e-9, A, triangle, x, 0.0, g);
            once[0][i] = middle - start;
            once[1][i] = seconds() - middle;
        }
        const double per = speed / (double)(triangle * pairs);
        printf("| %.3g | %.0f | %.0f |\n", (double)(triangle * pairs) * 8.0 / 1048576.0, per * median(once[0], 31),
               per * median(once[1], 31));
        free(A);
        free(x);
        free(g);
    }
}

// Prepares evaluations on the data, with layers of h heads, or of h - 1 heads and a skip connection.
static void skip_side(problem *b, const problem *data, bool skip) {
    static const double gains[most_layers] = {1.0, 1.0, 1.0, 1.0};
    problem_shape(b, data->P, data->N0, data->L, data->H);
    b->Xi = data->Xi;
    b->y = data->y;
    problem_network(b, 100.0, 0.5);
    for (size_t l = 0; skip && l < b->L; l++) b->H[l]--;
    if (skip) b->net.skip = gains;
    problem_plan(b, AS_PLANNED, 2.0);
    problem_room(b);
    problem_build(b);
    problem_evaluate(b);
}

static void skip_row(size_t P, size_t N0, size_t L, size_t h) {
    problem data, b[2];
    double times[2][301];
    problem_shape(&data, P, N0, L, (const size_t[]){h, h, h, h});
    data.Xi = doubles(N0 * P * data.paths);
    data.y = doubles(P);
    normal(data.Xi, N0 * P * data.paths, 1);
    normal(data.y, P, 2);
    for (size_t k = 0; k < 2; k++) skip_side(&b[k], &data, k == 1);
    const double start = seconds();
    problem_evaluate(b);
    const size_t n = rounds(2.0 * (seconds() - start), 2.0);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 2; k++) {
            const clock_t before = clock();
            problem_evaluate(&b[k]);
            times[k][i] = (double)(clock() - before) / CLOCKS_PER_SEC;
        }
    const double without = median(times[0], n), with = median(times[1], n);
    printf("| %zu | %zu | %zu | %zu | %zu | %zu | %s | %.3g | %.3g | %.2f |\n", P, N0, b->paths, L, h, h - 1,
           b->kernel.packed != NULL ? "stored" : "inputs", 1e3 * without, 1e3 * with, with / without);
    fflush(stdout);
    for (size_t k = 0; k < 2; k++) problem_free(&b[k]);
    free(data.Xi);
    free(data.y);
}

static void skips(void) {
    puts("| P | N0 | paths | layers | heads, no skip | heads, skip | kernels | no skip (ms) | skip (ms) | ratio |");
    puts("|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|");
    skip_row(100, 231, 2, 2);
    skip_row(600, 192, 1, 16);
    skip_row(600, 192, 2, 4);
    skip_row(600, 192, 4, 2);
    skip_row(300, 48, 2, 8);
    skip_row(100, 48, 2, 13);
}

int main(int count, char **args) {
    const char *what = count > 1 ? args[1] : "";
    if (strcmp(what, "floors") == 0 && count == 4)
        floors(args[2], args[3]);
    else if (strcmp(what, "storage") == 0)
        storages(count > 2);
    else if (strcmp(what, "skips") == 0)
        skips();
    else
        must_be(false, "usage: bench_eval floors MARKOV_FILE ONESHOT_FILE | storage [quick] | skips");
    return 0;
}
