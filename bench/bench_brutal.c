// bench_brutal.c: number of hard problems, of 400, that the saddle-point search solves
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_brutal [CSV [FIRST LAST [SEED]]]
//
// Problem k = 0 .. 399 is drawn from the k-th stream of one seed: every version of the package solves the same
// problems. The rules of the search were chosen with seed 20; other seeds test them on new problems:
//
//   1 to 3 layers     1 to 64 heads (one layer), 1 to 8 in each (two) or 1 to 4 in each (three), uniform in the
//                     logarithm
//   P, N0             3 to 150 examples, 1 to 60 features, uniform in the logarithm: P lies on both sides of N0 Pi
//   widths            1 to 10^4, independent; in a third of the problems all equal
//   T                 10^-6 to 1;  prior variances 10^-0.5 to 10^0.5;  all uniform in the logarithm
//   labels            normal or +-1, times 1 to 10^6, uniform in the logarithm
//   path inputs       normal; in a third of the problems half of the examples repeat others up to a relative 10^-8 to
//                     10^-2, with labels of their own
//
// If there are more examples than features times paths, they are reduced if that is faster, as in attnpath_solve.
//
// "Solved" means converged in the sense of attnpath_solve: the search reached the tolerance of 1e-8, or it stalled with
// the gradient relative to U below the tolerance or below its error from rounding of U (ap_rounding.c). Prints, by the
// reason for which the search ended, the number of problems and the number with nested factors (ap_factors.c), and the
// evaluations. All problems have a minimum, since T > 0 (ap_factors.c). A problem is not solved for one of two reasons:
//
//   valley       the search reached the limit of steps while the action still decreased by more than its rounding error
//   rounding     no step decreases the action by more than its rounding error, which does not explain the gradient
//
// Columns of CSV: k, reason, solved, P, N0, L, paths, gradnorm, gradrel, action, rounding error of the action, steps,
// nested steps, evaluations.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ap_core.h"
#include "saddle/ap_saddle.h"
#include "problem.h"

enum { problems = 400, reasons = 16 };

static double within(ap_rng *rng, double low, double high) { return low + (high - low) * ap_rng_uniform(rng); }

static double decades(ap_rng *rng, double low, double high) { return pow(10.0, within(rng, low, high)); }

static size_t size(ap_rng *rng, double least, double most) {  // least .. most, uniform in the logarithm
    return (size_t)(least * pow((most + 1.0) / least, ap_rng_uniform(rng)));
}

static void repeat_examples(problem *b, ap_rng *rng) {
    const double apart = decades(rng, -8.0, -2.0);
    for (size_t mu = b->P / 2; mu < b->P; mu++) {
        const size_t from = (size_t)within(rng, 0.0, (double)(b->P / 2));
        for (size_t a = 0; a < b->paths; a++)
            for (size_t i = 0; i < b->N0; i++) {
                double *x = b->Xi + b->N0 * b->P * a + i;
                x[b->N0 * mu] = x[b->N0 * from] * (1.0 + apart * ap_rng_normal(rng));
            }
    }
}

static void draw(problem *b, uint64_t seed, size_t k) {
    ap_rng rng = ap_rng_start(seed, k);
    const size_t L = 1 + (size_t)within(&rng, 0.0, 3.0);
    size_t H[3];
    for (size_t l = 0; l < L; l++) H[l] = size(&rng, 1.0, L == 1 ? 64.0 : L == 2 ? 8.0 : 4.0);
    const size_t P = size(&rng, 3.0, 150.0), N0 = size(&rng, 1.0, 60.0);
    problem_shape(b, P, N0, L, H);
    b->Xi = doubles(N0 * P * b->paths);
    b->y = doubles(P);
    ap_rng_normals(b->Xi, N0 * P * b->paths, &rng);
    if (ap_rng_uniform(&rng) < 1.0 / 3.0) repeat_examples(b, &rng);
    const double labels = decades(&rng, 0.0, 6.0), common = decades(&rng, 0.0, 4.0),
                 temperature = decades(&rng, -6.0, 0.0);
    const bool signs = ap_rng_uniform(&rng) < 0.5, one_width = ap_rng_uniform(&rng) < 1.0 / 3.0;
    for (size_t mu = 0; mu < P; mu++) {
        const double z = ap_rng_normal(&rng);
        b->y[mu] = labels * (signs ? copysign(1.0, z) : z);
    }
    problem_network(b, common, temperature);
    for (size_t l = 0; l <= L && !one_width; l++) b->width[l] = decades(&rng, 0.0, 4.0);
    for (size_t l = 0; l <= L + 1; l++) b->variance[l] = decades(&rng, -0.5, 0.5);
}

// Prepares data as the gateways do.
static void stand_in(problem *b) {
    const ap_inputs x = problem_inputs(b);
    ap_error err;
    if (!ap_moments_pay(&b->net, &x)) return;
    ap_moments m = {.form = AP_FACTOR, .N0 = b->N0, .paths = b->paths};
    const size_t most = b->N0 * b->paths;
    m.sums = doubles(ap_moments_size(&m));
    memset(m.sums, 0, ap_moments_size(&m) * sizeof *m.sums);
    ap_work work = arena();
    double *Xi = doubles(b->N0 * most * b->paths), *y = doubles(most);
    must(ap_moments_add(&m, &x, b->y, &work, &err), &err);
    b->p.null_examples = b->P;
    must(ap_moments_examples(Xi, y, &b->P, &b->p.null_sumsq, &m, &b->net, &work, &err), &err);
    b->p.null_examples -= b->P;
    free(b->Xi);
    free(b->y);
    free(m.sums);
    ap_work_close(&work);
    b->Xi = Xi;
    b->y = y;
}

typedef struct tally {
    size_t count[reasons], solved[reasons], nested[reasons], evaluations;
    size_t *each;  // evaluations of each solved problem
    size_t number;
} tally;

static const ap_status all_reasons[] = {AP_OK,    AP_ROUNDED, AP_STALLED, AP_LIMIT,      AP_EINPUT,
                                        AP_ESIZE, AP_EMEMORY, AP_ENOTSPD, AP_ENONFINITE, AP_ELAPACK};

static size_t row(ap_status status) {
    size_t r = 0;
    while (all_reasons[r] != status) r++;
    return r;
}

static void add(tally *t, ap_status status, bool solved, const ap_progress *progress) {
    const size_t r = row(status);
    t->count[r]++;
    t->evaluations += progress->evaluations;
    if (progress->factor_steps > 0) t->nested[r]++;
    if (!solved) return;
    t->solved[r]++;
    t->each[t->number++] = progress->evaluations;
}

static size_t of(const tally *t, ap_status status) {  // problems that are not solved
    const size_t r = row(status);
    return t->count[r] - t->solved[r];
}

static void run(tally *t, uint64_t seed, size_t k, FILE *csv) {
    const ap_settings settings = ap_settings_default();
    problem b;
    ap_error err;
    ap_progress progress = {0};
    draw(&b, seed, k);
    stand_in(&b);
    const size_t null_examples = b.p.null_examples;
    const double rest = b.p.null_sumsq;
    problem_plan(&b, AS_PLANNED, 1.0);
    b.p.null_examples = null_examples;
    b.p.null_sumsq = rest;
    problem_room(&b);
    problem_build(&b);
    const ap_status status = ap_solve(&b.point, &progress, &b.p, &settings, &b.work, &err);
    const bool solved = ap_has_converged(status, &b.point, &settings);
    add(t, status, solved, &progress);
    if (csv != NULL) {
        fprintf(csv, "%zu,%s,%d,%zu,%zu,%zu,%zu,%.3g,%.3g,%.17g,%.3g,%zu,%zu,%zu\n", k, ap_status_name(status), solved,
                b.P, b.N0, b.L, b.paths, b.point.gradnorm, b.point.gradrel, b.point.action, b.point.noise,
                progress.iterations, progress.factor_steps, progress.evaluations);
        fflush(csv);
    }
    problem_free(&b);
    free(b.Xi);
    free(b.y);
}

static int increasing(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

int main(int count, char **args) {
    FILE *csv = count > 1 ? fopen(args[1], "w") : NULL;
    must_be(count == 1 || csv != NULL, "opening the CSV file");
    const size_t first = count > 3 ? (size_t)atol(args[2]) : 0, last = count > 3 ? (size_t)atol(args[3]) : problems - 1;
    const uint64_t seed = count > 4 ? strtoull(args[4], NULL, 10) : 20;
    size_t each[problems];
    tally t = {.each = each};
    for (size_t k = first; k <= last && k < problems; k++) run(&t, seed, k, csv);
    if (csv != NULL) fclose(csv);
    printf("| the search ended | problems | in nested factors | solved |\n|---|--:|--:|--:|\n");
    for (size_t r = 0; r < sizeof all_reasons / sizeof *all_reasons; r++)
        if (t.count[r] > 0)
            printf("| %s | %zu | %zu | %zu |\n", ap_status_name(all_reasons[r]), t.count[r], t.nested[r], t.solved[r]);
    size_t nested = 0;
    for (size_t r = 0; r < reasons; r++) nested += t.nested[r];
    printf("| all | %zu | %zu | %zu |\n\n", last - first + 1, nested, t.number);
    printf("Not solved: valley %zu, rounding %zu.\n\n", of(&t, AP_LIMIT), of(&t, AP_STALLED));
    qsort(each, t.number, sizeof *each, increasing);
    if (t.number > 0)
        printf("Evaluations: %zu in all; of those solved median %zu, nine in ten %zu, most %zu.\n", t.evaluations,
               each[t.number / 2], each[t.number * 9 / 10], each[t.number - 1]);
    return 0;
}
