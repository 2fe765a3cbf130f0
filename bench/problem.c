// problem.c: shared functions of the benchmark programs
// SPDX-License-Identifier: BSD-3-Clause

#define _POSIX_C_SOURCE 200809L

#include "problem.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "network/ap_network.h"

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double seconds(void) { return now(CLOCK_MONOTONIC); }

double processor_seconds(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }

static int increasing(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *x, size_t n) {
    qsort(x, n, sizeof *x, increasing);
    return x[n / 2];
}

size_t rounds(double once, double total) {
    const double n = total / once;
    return n > 301.0 ? 301 : n < 5.0 ? 5 : (size_t)n | 1;
}

double dgemm_speed(void) {
    const size_t n = 1000;
    double *A = doubles(3 * n * n), least = 1e300;
    normal(A, 2 * n * n, 1);
    for (size_t i = 0; i < 15; i++) {
        const double start = seconds();
        ap_gemm('N', 'N', n, n, n, 1.0, A, n, A + n * n, n, 0.0, A + 2 * n * n, n);
        least = fmin(least, seconds() - start);
    }
    free(A);
    return 2.0 * (double)(n * n * n) / least;
}

double peak_mib(void) {
    struct rusage usage;
    must_be(getrusage(RUSAGE_SELF, &usage) == 0, "getrusage");
    return (double)usage.ru_maxrss / 1024.0;
}

void must_be(bool condition, const char *sentence) {
    if (condition) return;
    fprintf(stderr, "bench: %s failed\n", sentence);
    exit(1);
}

void must(ap_status status, const ap_error *err) {
    if (status >= 0) return;
    fprintf(stderr, "bench: %s: %s\n", ap_status_name(status), err->text);
    exit(1);
}

// Aligned to cache lines: rounding in BLAS depends on alignment, and a search that amplifies rounding would depend on
// earlier allocations.
double *doubles(size_t n) {
    enum { line = 64 };
    const size_t bytes = (n > 0 ? n : 1) * sizeof(double);
    double *x = aligned_alloc(line, (bytes + line - 1) / line * line);
    must_be(x != NULL, "allocating memory");
    return x;
}

static double uniform(uint64_t *state) {  // splitmix64
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

void normal(double *x, size_t n, unsigned seed) {  // Box-Muller
    uint64_t state = (uint64_t)seed << 32;
    for (size_t i = 0; i < n; i += 2) {
        const double r = sqrt(-2.0 * log(uniform(&state))), angle = 6.283185307179586 * uniform(&state);
        x[i] = r * cos(angle);
        if (i + 1 < n) x[i + 1] = r * sin(angle);
    }
}

void problem_shape(problem *b, size_t P, size_t N0, size_t L, const size_t *H) {
    *b = (problem){.N0 = N0, .P = P, .L = L, .paths = 1};
    for (size_t l = 0; l < L; l++) b->paths *= b->H[l] = H[l];
    for (size_t l = 0; l < most_layers + 2; l++) b->variance[l] = 1.0;
}

void problem_random(problem *b, size_t P, size_t N0, size_t H1, size_t H2, unsigned seed) {
    problem_shape(b, P, N0, 2, (const size_t[]){H1, H2});
    b->Xi = doubles(N0 * P * b->paths);
    b->y = doubles(P);
    normal(b->Xi, N0 * P * b->paths, seed);
    for (size_t mu = 0; mu < P; mu++) b->y[mu] = mu % 2 == 0 ? 1.0 : -1.0;
}

void problem_read(problem *b, const char *file) {
    FILE *in = fopen(file, "rb");
    must_be(in != NULL, file);
    double head[3], heads[most_layers];
    must_be(fread(head, sizeof *head, 3, in) == 3 && head[2] <= most_layers, "reading the sizes");
    const size_t L = (size_t)head[2];
    must_be(fread(heads, sizeof *heads, L, in) == L, "reading the heads");
    size_t H[most_layers] = {0};
    for (size_t l = 0; l < L; l++) H[l] = (size_t)heads[l];
    problem_shape(b, (size_t)head[1], (size_t)head[0], L, H);
    const size_t cells = b->N0 * b->P * b->paths;
    b->Xi = doubles(cells);
    b->y = doubles(b->P);
    must_be(fread(b->Xi, sizeof(double), cells, in) == cells, "reading the path inputs");
    must_be(fread(b->y, sizeof(double), b->P, in) == b->P, "reading the labels");
    fclose(in);
}

void problem_network(problem *b, double width, double temperature) {
    for (size_t l = 0; l <= b->L; l++) b->width[l] = width;
    b->net = (ap_net){.L = b->L, .H = b->H, .width = b->width, .variance = b->variance, .temperature = temperature};
}

ap_inputs problem_inputs(const problem *b) { return (ap_inputs){.N0 = b->N0, .P = b->P, .Xi = b->Xi}; }

void problem_plan(problem *b, storage how, double gib) {
    const ap_inputs x = problem_inputs(b);
    ap_error err;
    must(ap_kernel_plan(&b->kernel, &b->net, &x, how == INPUTS ? 0.0 : gib * 0x1p30, &err), &err);
    if (how == STORED && b->kernel.storage == 0) {
        b->kernel.way = 1;  // triangles
        b->kernel.storage = b->P * (b->P + 1) / 2 * b->kernel.pairs;
    }
    b->p = (ap_problem){.net = &b->net, .kernel = &b->kernel, .y = b->y};
}

ap_work arena(void) { return (ap_work){.alloc = malloc, .release = free, .limit = SIZE_MAX}; }

void problem_room(problem *b) {
    ap_error err;
    b->work = arena();
    b->storage = doubles(b->kernel.storage);
    must(ap_point_take(&b->point, &b->p, &b->work, &err), &err);
    ap_params_gp(b->point.order, &b->net);
}

void problem_build(problem *b) {
    ap_error err;
    must(ap_kernel_build(&b->kernel, b->storage, &b->work, &err), &err);
}

void problem_evaluate(problem *b) {
    ap_error err;
    must(ap_action_value(&b->point, &b->p, &b->work, &err), &err);
    must(ap_action_gradient(&b->point, &b->p, &b->work, &err), &err);
}

void problem_free(problem *b) {
    ap_work_close(&b->work);
    free(b->storage);
    b->storage = NULL;
}
