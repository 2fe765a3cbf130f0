// bench_scale.c: time and memory of one problem of given size, from tokens to certificate
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_scale P H TOKENS N0
//
// Two layers of H and H' heads (H written as 4x2), normal tokens, random query/key heads of 32 dimensions, labels
// alternating: N = 100, T = 0.5, gradnorm 1e-8. Peak memory requires one process for each size. Prints one line of
// comma-separated values:
//
//   P, paths, tokens, N0, stored or inputs, evaluations, seconds for paths, preparation, one evaluation, solve,
//   certificate, peak MiB; then by the formulas below Gflop of paths, Gflop of an evaluation, MiB
//
// Paths, per example and layer: queries, keys and scores 4 G N0 T + 2 G T^2 a head, its softmax 300 T^2 (6 ns an
// entry, in flops at dgemm speed), then (T3), 2 T^2 a partial path and 2 N0 T a path. An evaluation: the core's
// own cost model (ap_kernel.c). Memory: tokens, path inputs, stored kernels, workspace.

#include <stdio.h>
#include <stdlib.h>

#include "action/ap_action.h"
#include "problem.h"

static void random_paths(problem *b, size_t tokens, size_t G) {
    const size_t cells = b->N0 * tokens * b->P;
    ap_heads heads[2];
    double *X = doubles(cells);
    normal(X, cells, 1);
    for (size_t l = 0; l < 2; l++) {
        double *Q = doubles(2 * G * b->N0 * b->H[l]), *K = Q + G * b->N0 * b->H[l];
        normal(Q, 2 * G * b->N0 * b->H[l], (unsigned)(2 + l));
        for (size_t i = 0; i < 2 * G * b->N0 * b->H[l]; i++) Q[i] *= 0.1;
        heads[l] = (ap_heads){.G = G, .Q = Q, .K = K, .rule = {.kind = AP_SOFTMAX, .bandwidth = 1.0, .ridge = 1.0}};
    }
    ap_net net = b->net;
    net.heads = heads;
    net.read = AP_READ_MEAN;
    const ap_tokens x = {.N0 = b->N0, .T = tokens, .P = b->P, .X = X};
    ap_error err;
    ap_work work = arena();
    b->Xi = doubles(b->N0 * b->P * b->paths);
    must(ap_paths(b->Xi, &net, &x, NULL, NULL, &work, &err), &err);
    ap_work_close(&work);
    free(X);
    for (size_t l = 0; l < 2; l++) free((double *)heads[l].Q);
}

int main(int count, char **args) {
    size_t H[2] = {0};
    must_be(count == 5 && sscanf(args[2], "%zux%zu", &H[0], &H[1]) == 2, "usage: bench_scale P HxH TOKENS N0");
    const size_t P = (size_t)atol(args[1]), tokens = (size_t)atol(args[3]), N0 = (size_t)atol(args[4]), G = 32;
    problem b;
    problem_shape(&b, P, N0, 2, H);
    problem_network(&b, 100.0, 0.5);
    double start = seconds();
    random_paths(&b, tokens, G);
    const double paths_time = seconds() - start;
    b.y = doubles(P);
    for (size_t mu = 0; mu < P; mu++) b.y[mu] = mu % 2 == 0 ? 1.0 : -1.0;

    const ap_settings settings = ap_settings_default();
    ap_error err;
    problem_plan(&b, AS_PLANNED, 2.0);
    problem_room(&b);
    start = seconds();
    problem_build(&b);
    const double build = seconds() - start;
    ap_progress progress;
    start = seconds();
    const ap_status status = ap_solve(&b.point, &progress, &b.p, &settings, &b.work, &err);
    const double solve = seconds() - start;
    must(status, &err);
    must_be(status == AP_OK, "reaching the tolerance");
    double smallest, doubt;
    size_t products;
    start = seconds();
    must(ap_hessian_smallest(&smallest, &doubt, &products, &b.p, &b.point, &b.work, &err), &err);
    const double certificate = seconds() - start;
    double times[5];
    for (size_t i = 0; i < 5; i++) {
        start = seconds();
        problem_evaluate(&b);
        times[i] = seconds() - start;
    }
    const double p = (double)P, n = (double)N0, q = (double)b.paths, t = (double)tokens, g = (double)G;
    const double heads = (double)(H[0] + H[1]);
    const double attention = heads * (4.0 * g * n * t + (2.0 * g + 300.0) * t * t);
    const double to_paths = p * (attention + 2.0 * t * t * ((double)H[1] + q) + 2.0 * n * t * q);
    const double evaluation = ap_kernel_flops(&b.kernel, 2.0) - ap_kernel_flops(&b.kernel, 1.0);
    const double during = n * p * q + (double)b.work.peak + (double)b.kernel.storage, before = n * p * (q + t);
    printf("%zu,%zu,%zu,%zu,%s,%zu,%.4g,%.4g,%.4g,%.4g,%.4g,%.0f,%.4g,%.4g,%.0f\n", P, b.paths, tokens, N0,
           b.kernel.storage > 0 ? "stored" : "inputs", progress.evaluations, paths_time, build, median(times, 5), solve,
           certificate, peak_mib(), 1e-9 * to_paths, 1e-9 * evaluation,
           8.0 / 1048576.0 * (during > before ? during : before));
    problem_free(&b);
    free(b.Xi);
    free(b.y);
    return 0;
}
