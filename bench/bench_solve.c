// bench_solve.c: cost of a saddle point, by attnpath and by the published method
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_solve NAME FILE TEMPERATURE TOLERANCE ADAM_SECONDS CSV WIDTH:DEMAND...
//
// The unit is the evaluation-equivalent: the time of one action with its gradient, on the prepared kernel. Whole
// solves from the GP point, single evaluations at the solution, preparations and certificates take turns in one
// process, and medians are compared. Then the same problem is solved with 0, 4 and 64 probes, and by
//
//   Adam (Kingma, Ba 2015) with the settings of the published program: learning rate 0.1, betas 0.9 and 0.999, epsilon
//   1e-8, on the entries of all U_l, from the GP point, stopped at gradnorm < 1e-5, at most 50 000 steps. It uses the
//   same C core: prepared kernel, analytic gradient of S/max(N), u_a eliminated. A step that leaves the cone of
//   positive definite matrices, where the published program would continue with NaN, is halved until it stays inside;
//   such steps are counted. ADAM_SECONDS limits its time.
//
// Prints table rows. Appends to CSV, for bench_methods.m: NAME,width,method,evaluations,equivalents,gradnorm, where
// method is the number of probes, or -1 for Adam.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network/ap_network.h"
#include "problem.h"

typedef struct outcome {
    double time, equivalents, gradnorm, action;
    size_t evaluations, steps, left;  // left: steps that left the cone
    bool capped;
} outcome;

typedef struct costs {
    double evaluation, build, certificate, smallest;
    size_t products;
} costs;

static outcome solve_once(problem *b, const ap_settings *settings) {
    ap_error err;
    ap_progress progress;
    ap_params_gp(b->point.order, &b->net);
    const double start = seconds();
    const ap_status status = ap_solve(&b->point, &progress, &b->p, settings, &b->work, &err);
    const double time = seconds() - start;
    must(status, &err);
    return (outcome){.time = time,
                     .gradnorm = b->point.gradnorm,
                     .action = b->point.action,
                     .evaluations = progress.evaluations,
                     .steps = progress.iterations};
}

// Medians of `runs` rounds of one solve, one evaluation, and, if `more`, one preparation and one certificate.
static outcome solve(problem *b, const ap_settings *settings, bool more, costs *c) {
    const outcome first = solve_once(b, settings);
    const double wanted = (more ? 1.5 : 0.5) / first.time;
    const size_t runs = wanted > 201.0 ? 201 : wanted < 5.0 ? 5 : (size_t)wanted | 1;
    double *times = doubles(4 * runs), *single = times + runs, *build = single + runs, *certificate = build + runs;
    double doubt;
    outcome o = first;
    for (size_t i = 0; i < runs; i++) {
        ap_error err;
        o = solve_once(b, settings);
        times[i] = o.time;
        double start = seconds();
        problem_evaluate(b);
        single[i] = seconds() - start;
        if (!more) continue;
        start = seconds();
        must(ap_hessian_smallest(&c->smallest, &doubt, &c->products, &b->p, &b->point, &b->work, &err), &err);
        certificate[i] = seconds() - start;
        start = seconds();
        problem_build(b);
        build[i] = seconds() - start;
    }
    o.time = median(times, runs);
    c->evaluation = median(single, runs);
    if (more) {
        c->build = median(build, runs);
        c->certificate = median(certificate, runs);
    }
    o.equivalents = o.time / c->evaluation;
    free(times);
    return o;
}

static outcome adam_once(problem *b, double most_seconds) {
    const size_t n = ap_params_at(&b->net, b->L + 1);  // entries of U_1 .. U_L
    const double rate = 0.1, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, scale = 1.0 / ap_net_maxwidth(&b->net);
    double *first = doubles(4 * n), *second = first + n, *from = second + n, *step = from + n, *U = b->point.order;
    double power1 = 1.0, power2 = 1.0;
    outcome o = {0};
    ap_error err;
    ap_params_gp(U, &b->net);
    memset(first, 0, 2 * n * sizeof *first);
    const double start = seconds();
    must(ap_action_value(&b->point, &b->p, &b->work, &err), &err);
    for (;; o.steps++) {
        must(ap_action_gradient(&b->point, &b->p, &b->work, &err), &err);
        o.evaluations++;
        o.capped = seconds() - start > most_seconds;
        if (b->point.gradnorm < 1e-5 || o.steps == 50000 || o.capped) break;
        power1 *= beta1;
        power2 *= beta2;
        for (size_t i = 0; i < n; i++) {
            const double g = scale * b->point.grad[i];
            first[i] = beta1 * first[i] + (1.0 - beta1) * g;
            second[i] = beta2 * second[i] + (1.0 - beta2) * g * g;
            step[i] = rate * first[i] / (1.0 - power1) / (sqrt(second[i] / (1.0 - power2)) + epsilon);
        }
        memcpy(from, U, n * sizeof *U);
        for (int halvings = 0;; halvings++) {
            for (size_t i = 0; i < n; i++) U[i] = from[i] - ldexp(step[i], -halvings);
            const ap_status status = ap_action_value(&b->point, &b->p, &b->work, &err);
            if (halvings == 1) o.left++;
            if (status == AP_OK) break;
            if (halvings == 40) must(status, &err);
        }
    }
    o.time = seconds() - start;
    o.gradnorm = b->point.gradnorm;
    o.action = b->point.action;
    free(first);
    return o;
}

static outcome adam(problem *b, double most_seconds) {  // the median of five runs, if they are short
    outcome o = adam_once(b, most_seconds);
    if (o.time > 1.0) return o;
    double times[5] = {o.time};
    for (size_t i = 1; i < 5; i++) times[i] = adam_once(b, most_seconds).time;
    o.time = median(times, 5);
    return o;
}

int main(int count, char **args) {
    must_be(count > 7, "usage: bench_solve NAME FILE TEMPERATURE TOLERANCE ADAM_SECONDS CSV WIDTH:DEMAND...");
    const double temperature = atof(args[3]), tolerance = atof(args[4]), adam_seconds = atof(args[5]);
    problem b;
    problem_read(&b, args[2]);
    FILE *csv = fopen(args[6], "a");
    must_be(csv != NULL, "opening the CSV file");
    for (int k = 7; k < count; k++) {
        const char *colon = strchr(args[k], ':');
        must_be(colon != NULL, "reading WIDTH:DEMAND");
        const double width = atof(args[k]), demand = atof(colon + 1);
        ap_settings settings = ap_settings_default();
        settings.tolerance = tolerance;
        ap_settings published = settings;
        published.tolerance = 1e-5;
        problem_network(&b, width, temperature);
        problem_plan(&b, AS_PLANNED, 2.0);
        problem_room(&b);
        problem_build(&b);

        costs c = {0}, other;
        const outcome newton = solve(&b, &settings, true, &c);
        printf("solve | %s | %g | %s | %zu | %.2e | %.3g | %.3g | %.1f | %g | %.1f | %.1f (%zu) |\n", args[1], width,
               b.kernel.storage > 0 ? "stored" : "inputs", newton.evaluations, newton.gradnorm, 1e3 * newton.time,
               1e3 * c.evaluation, newton.equivalents, demand, c.build / c.evaluation, c.certificate / c.evaluation,
               c.products);
        fprintf(csv, "%s,%g,%d,%zu,%.4g,%.3g\n", args[1], width, 4, newton.evaluations, newton.equivalents,
                newton.gradnorm);
        const size_t probes[] = {0, 64};
        for (size_t i = 0; i < 2; i++) {
            ap_settings s = settings;
            s.probes = probes[i];
            const outcome o = solve(&b, &s, false, &other);
            fprintf(csv, "%s,%g,%zu,%zu,%.4g,%.3g\n", args[1], width, probes[i], o.evaluations, o.equivalents,
                    o.gradnorm);
        }
        fflush(stdout);
        if (adam_seconds > 0.0) {
            const outcome early = solve(&b, &published, false, &other), a = adam(&b, adam_seconds);
            printf("adam | %s | %g | %.3g | %.3g | %zu%s | %zu | %.2e | %.1e | %.3g | %.0f | %.0f |\n", args[1], width,
                   1e3 * newton.time, 1e3 * early.time, a.steps, a.capped ? ", stopped by time" : "", a.left,
                   a.gradnorm, a.action - newton.action, 1e3 * a.time, a.time / early.time, a.time / newton.time);
            fprintf(csv, "%s,%g,%d,%zu,%.4g,%.3g\n", args[1], width, -1, a.evaluations, a.time / c.evaluation,
                    a.gradnorm);
        }
        fflush(stdout);
        problem_free(&b);
    }
    fclose(csv);
    free(b.Xi);
    free(b.y);
    return 0;
}
