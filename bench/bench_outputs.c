// bench_outputs.c: an action of several outputs, coupled or shared, with its gradient against its floor, and solutions
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_outputs [quick]
//
// The floor of an evaluation is the time of its large matrix operations alone, on arrays of the same sizes. Both take
// turns in one process. For C coupled outputs:
//
//   stored    dgemm of the kernels [P^2 x pairs] with [pairs x C^2], dpotrf and dpotri [P C], dgemm transposed
//   inputs    for each of C (C+1)/2 blocks dgemm [N0 P x Pi, inner Pi] and Pi x dgemm [P x P, inner N0]; dpotrf and
//             dpotri [P C]; for each block Pi x dgemm [N0 x P, inner P] and dgemm [Pi x Pi, inner N0 P]
//
// For outputs that share one U, the floor is that of one output (bench_eval.c): further columns of labels cost little.
// `solve` is the number of evaluations from the GP point to 1e-8. Labels are C random functions of a few path inputs;
// the first column alone is the problem of one output in the comparison. study_outputs.m has labels of classes, for
// which the search has another starting point (ap_solve_parts.c).

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action/ap_action.h"
#include "problem.h"

typedef struct room {  // of a chain
    size_t H[most_layers + 1];
    double width[most_layers + 2], variance[most_layers + 3];
    ap_net chain;
} room;

// y := C columns, column c the c-th feature of the c-th path, with noise.
static void labels(problem *b, size_t C) {
    free(b->y);
    b->y = doubles(b->P * C);
    normal(b->y, b->P * C, 9);
    for (size_t c = 0; c < C; c++)
        for (size_t mu = 0; mu < b->P; mu++)
            b->y[mu + b->P * c] = 0.3 * b->y[mu + b->P * c] + b->Xi[c % b->N0 + b->N0 * (mu + b->P * (c % b->paths))];
}

// The bare calls of coupled outputs; A is copied back into F outside of the measured time.
static double floor_once(const problem *b, const double *A, double *F, double *T, double *Y, double *small) {
    const ap_kernel *k = &b->kernel;
    const size_t N0 = k->N0, P = k->examples, n = k->inputs, C = k->outputs, cells = N0 * P, PP = P * P;
    const size_t pairs = n * (n + 1) / 2, blocks = C * (C + 1) / 2;
    memcpy(F, A, k->P * k->P * sizeof *F);
    const double start = seconds();
    if (k->packed != NULL) {
        ap_gemm('N', 'N', PP, C * C, pairs, 1.0, k->packed, PP, small, pairs, 0.0, T, PP);
        must_be(ap_potrf(k->P, F, k->P) == 0 && ap_potri(k->P, F, k->P) == 0, "dpotrf or dpotri");
        ap_gemm('T', 'N', pairs, C * C, PP, 1.0, k->packed, PP, T, PP, 0.0, small, pairs);
    } else {
        for (size_t i = 0; i < blocks; i++) {
            ap_gemm('N', 'N', cells, n, n, 1.0, k->Xi, cells, small, n, 0.0, Y, cells);
            for (size_t a = 0; a < n; a++)
                ap_gemm('T', 'N', P, P, N0, 1.0, k->Xi + cells * a, N0, Y + cells * a, N0, 1.0, T, P);
        }
        must_be(ap_potrf(k->P, F, k->P) == 0 && ap_potri(k->P, F, k->P) == 0, "dpotrf or dpotri");
        for (size_t i = 0; i < blocks; i++) {
            for (size_t a = 0; a < n; a++)
                ap_gemm('N', 'N', N0, P, P, 1.0, k->Xi + cells * a, N0, A, P, 0.0, Y + cells * a, N0);
            ap_gemm('T', 'N', n, n, cells, 1.0, Y, cells, k->Xi, cells, 0.0, small, n);
        }
    }
    return seconds() - start;
}

static size_t solve(problem *b) {
    ap_error err;
    ap_progress progress;
    const ap_settings settings = ap_settings_default();
    ap_params_gp(b->point.order, &b->net);
    must(ap_solve(&b->point, &progress, &b->p, &settings, &b->work, &err), &err);
    return progress.evaluations;
}

static double evaluations_alone(problem *b, double width) {  // of the first label column
    problem_network(b, width, 0.1);
    problem_plan(b, AS_PLANNED, 4.0);
    problem_room(b);
    problem_build(b);
    const size_t count = solve(b);
    problem_free(b);
    return (double)count;
}

static void coupled(problem *b, size_t C, double width, size_t alone, bool search) {
    room r;
    ap_error err;
    problem_network(b, width, 0.1);
    ap_net_outputs(&r.chain, &b->net, C, r.H, r.width, r.variance);
    b->net = r.chain;
    problem_plan(b, AS_PLANNED, 4.0);
    problem_room(b);
    problem_build(b);
    const size_t rows = b->kernel.P, cells = b->N0 * b->P * b->paths, wide = b->paths * b->paths * C * C;
    double *A = doubles(rows * rows), *F = doubles(rows * rows), *T = doubles(rows * rows), *Y = doubles(cells);
    double *small = doubles(wide), times[301], bare[301];
    must(ap_kernel_combine(A, &b->kernel, b->point.order, NULL, &b->work, &err), &err);
    for (size_t i = 0; i < rows; i++) A[i + rows * i] += b->net.temperature;
    memset(T, 0, rows * rows * sizeof *T);
    normal(small, wide, 1);
    const double start = seconds();
    problem_evaluate(b);
    const size_t n = rounds(2.0 * (seconds() - start), 2.0);
    for (size_t i = 0; i < n; i++) {
        const double before = seconds();
        problem_evaluate(b);
        times[i] = seconds() - before;
        bare[i] = floor_once(b, A, F, T, Y, small);
    }
    const double time = median(times, n), bottom = median(bare, n);
    printf("| %zu | %zu | %zu | %zu | coupled, %s | %.3g | %.3g | %.2f |", b->P, b->paths, b->N0, C,
           b->kernel.packed != NULL ? "stored" : "inputs", 1e3 * time, 1e3 * bottom, time / bottom);
    if (search)
        printf(" %zu (%zu) |\n", solve(b), alone);
    else
        puts(" |");
    fflush(stdout);
    free(A);
    free(F);
    free(T);
    free(Y);
    free(small);
    problem_free(b);
}

// One U for all outputs, against one output's evaluation, in turns.
static void shared(problem *b, size_t C, double width, size_t alone) {
    double times[2][301];
    size_t n = 0;
    problem one = *b;
    problem_network(b, width, 0.1);
    problem_plan(b, AS_PLANNED, 4.0);
    b->p.label_columns = C;
    problem_room(b);
    problem_build(b);
    one.net = b->net;
    problem_plan(&one, AS_PLANNED, 4.0);
    problem_room(&one);
    problem_build(&one);
    const double start = seconds();
    problem_evaluate(b);
    n = rounds(2.0 * (seconds() - start), 2.0);
    for (size_t i = 0; i < n; i++) {
        const double before = seconds();
        problem_evaluate(b);
        const double middle = seconds();
        problem_evaluate(&one);
        times[0][i] = middle - before;
        times[1][i] = seconds() - middle;
    }
    const double time = median(times[0], n), bottom = median(times[1], n);
    printf("| %zu | %zu | %zu | %zu | shared, %s | %.3g | %.3g | %.2f | %zu (%zu) |\n", b->P, b->paths, b->N0, C,
           b->kernel.packed != NULL ? "stored" : "inputs", 1e3 * time, 1e3 * bottom, time / bottom, solve(b), alone);
    fflush(stdout);
    problem_free(&one);
    problem_free(b);
}

int main(int count, char **args) {
    static const size_t sizes[][4] = {{100, 2, 2, 231}, {600, 4, 4, 192}}, outputs[] = {2, 3, 10};
    const double width = 30.0;
    const bool quick = count > 1 && strcmp(args[1], "quick") == 0;
    puts("| P | paths | N0 | C | form | evaluation (ms) | floor (ms) | ratio | evaluations of a solution (C = 1) |");
    puts("|--:|--:|--:|--:|---|--:|--:|--:|--:|");
    for (size_t s = 0; s < (quick ? 1 : 2); s++)
        for (size_t i = 0; i < 3; i++) {
            const size_t *size = sizes[s], C = outputs[i];
            problem b;
            problem_random(&b, size[0], size[3], size[1], size[2], 1);
            labels(&b, C);
            const size_t alone = (size_t)evaluations_alone(&b, width);
            coupled(&b, C, width, alone, size[0] * C <= 2000);
            shared(&b, C, width, alone);
            free(b.Xi);
            free(b.y);
        }
    return 0;
}
