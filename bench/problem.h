// problem.h: shared functions of the benchmark programs: problems, repeated timing, checks that exit
// SPDX-License-Identifier: BSD-3-Clause
//
// A problem file, written by problems.m, holds doubles: N0 P L H_1..H_L, then Xi [N0 x P x Pi], then y [P]. A file of
// its tokens holds T, then X [N0 x T x P], then the maps of each layer [T x T x H_l x P].

#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "attnpath.h"

enum { most_layers = 4 };

typedef struct problem {
    size_t N0, P, L, paths, H[most_layers];
    double *Xi, *y, *storage;
    double width[most_layers + 1], variance[most_layers + 2];
    ap_net net;
    ap_kernel kernel;
    ap_problem p;
    ap_point point;
    ap_work work;
} problem;

typedef enum storage { AS_PLANNED, STORED, INPUTS } storage;

void problem_read(problem *b, const char *file);
void problem_random(problem *b, size_t P, size_t N0, size_t H1, size_t H2, unsigned seed);  // normal path inputs
void problem_shape(problem *b, size_t P, size_t N0, size_t L, const size_t *H);  // sizes, variances 1; no data
void problem_network(problem *b, double width, double temperature);              // all widths equal
ap_inputs problem_inputs(const problem *b);
void problem_plan(problem *b, storage how, double gib);  // the kernel, not yet built, stored kernels up to gib GiB
void problem_room(problem *b);                           // memory for all that ap_* does with this kernel
void problem_build(problem *b);
void problem_evaluate(problem *b);  // action and gradient at b->point
void problem_free(problem *b);      // the room and the store, not the data

double seconds(void);
double processor_seconds(void);            // of this process: where other work runs beside it
double median(double *x, size_t n);        // sorts x
size_t rounds(double once, double total);  // repetitions that fill `total` seconds, odd, within 5 and 301
double dgemm_speed(void);                  // flops per second, the best of several, since it is a bound
double peak_mib(void);                     // largest resident memory of this process so far
double *doubles(size_t n);                 // exits if there is no memory
ap_work arena(void);                       // without a limit
void normal(double *x, size_t n, unsigned seed);
void must(ap_status status, const ap_error *err);    // exit on failure
void must_be(bool condition, const char *sentence);  // exit otherwise

#endif
