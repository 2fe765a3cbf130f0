// bench_many.c: time and memory of a saddle point and its certificate against the number of paths
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_many P N0 HxH.. DIAGONAL WIDTH [matrix|map]
//
// Normal path inputs, scaled so that the mean diagonal entry of the GP kernel is DIAGONAL, labels alternating, all
// widths WIDTH, T = 0.1, to gradnorm 1e-8 from the GP point. `matrix` and `map` select the form of the curvature
// (ap_model.c); by default the package chooses. Peak memory requires one process for each size. Prints one line of
// comma-separated values:
//
//   P, N0, layers, paths, diagonal, width, evaluations, gradnorm, action, seconds of one evaluation, solve and
//   certificate, in evaluations: solve and certificate, the certificate's status, its value, exact products, peak MiB
//
// Seconds are processor seconds, which depend less on other load.

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "saddle/ap_saddle.h"
#include "problem.h"

static double busy(void) {
    struct timespec t;
    must_be(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0, "clock_gettime");
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw(problem *b, char **args) {
    size_t H[most_layers] = {0}, L = 0;
    for (const char *at = args[3]; at != NULL && L < most_layers; at = strchr(at, 'x')) {
        if (*at == 'x') at++;
        H[L++] = (size_t)atol(at);
    }
    problem_shape(b, (size_t)atol(args[1]), (size_t)atol(args[2]), L, H);
    const size_t cells = b->N0 * b->P * b->paths;
    const double scale = sqrt(atof(args[4]));
    b->Xi = doubles(cells);
    b->y = doubles(b->P);
    normal(b->Xi, cells, 5);
    for (size_t i = 0; i < cells; i++) b->Xi[i] *= scale;
    for (size_t mu = 0; mu < b->P; mu++) b->y[mu] = mu % 2 == 0 ? 1.0 : -1.0;
    problem_network(b, atof(args[5]), 0.1);
}

static double evaluation(problem *b) {  // the median of as many as fill a second, three at least
    double times[9];
    size_t n = 0;
    for (double sum = 0.0; n < 3 || (n < 9 && sum < 1.0); n++) {
        const double start = busy();
        problem_evaluate(b);
        times[n] = busy() - start;
        sum += times[n];
    }
    return median(times, n);
}

int main(int count, char **args) {
    must_be(count == 6 || count == 7, "usage: bench_many P N0 HxH.. DIAGONAL WIDTH [matrix|map]");
    problem b;
    ap_error err;
    ap_progress progress;
    const ap_settings settings = ap_settings_default();
    const ap_model_ops *how = NULL;
    draw(&b, args);
    problem_plan(&b, AS_PLANNED, 2.0);
    if (count == 7) {
        how = strcmp(args[6], "map") == 0 ? &ap_iterative_ops : &ap_dense_ops;
        must_be(how == ap_model_ops_for(&b.p) || b.paths < 100, "holding so many paths in a matrix");
    }
    problem_room(&b);
    problem_build(&b);
    ap_params_gp(b.point.order, &b.net);
    double start = busy();
    const ap_status solved = ap_solve_by(&b.point, &progress, &b.p, &settings, how, &b.work, &err);
    const double solve = busy() - start;
    must(solved, &err);
    must_be(solved == AP_OK, "reaching the tolerance");
    const double gradnorm = b.point.gradnorm, action = b.point.action;
    double smallest = NAN, doubt;
    size_t products = 0;
    start = busy();
    const ap_status sure = ap_hessian_smallest(&smallest, &doubt, &products, &b.p, &b.point, &b.work, &err);
    const double certificate = busy() - start, once = evaluation(&b);
    must(sure, &err);
    printf("%zu,%zu,%zu,%zu,%g,%g,%zu,%.2g,%.14g,%.3g,%.3g,%.3g,%.1f,%.1f,%s,%.4g,%zu,%.0f\n", b.P, b.N0, b.L, b.paths,
           atof(args[4]), b.width[0], progress.evaluations, gradnorm, action, once, solve, certificate, solve / once,
           certificate / once, ap_status_name(sure), smallest, products, peak_mib());
    problem_free(&b);
    free(b.Xi);
    free(b.y);
    return 0;
}
