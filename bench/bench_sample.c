// bench_sample.c: draws from the posterior by one method, and their cost
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_sample METHOD PROBLEM_FILE PROBE_FILE WIDTH TEMPERATURE CHAINS WARMUP DRAWS SECONDS DRAWS_FILE
//
// Methods of the package, with the settings of attnpath_sample:
//
//   collapsed, langevin, langevin-all   ap_method of attnpath.h
//
// Methods of this file, which also start from the prior; the warm-up adapts their step to an acceptance of 0.8:
//
//   plain        textbook Hamiltonian Monte Carlo on every weight: unit masses, leapfrog of a fixed step, trajectories
//                of length pi/2. It uses the core's gradient
//   out:G        trajectories of ap_trajectory.c, length 1.6, friction G, V_0 integrated out
//   in:G         the same, V_0 moves with the others
//   gibbs:G      the same, and after each trajectory V_0 is drawn exactly given all other weights
//
// A draw, after every trajectory, consists of the order parameter U_1 and outputs f at the path inputs of PROBE_FILE;
// if V_0 is integrated out, it is drawn for f. Chains run one after the other, each until it has DRAWS draws, or has at
// least 4 and has used its share of SECONDS. Each chain keeps as many draws as the slowest, and that fraction of its
// seconds. A warm-up that takes three times the share is stopped, and no draws are written. Peak memory requires one
// process for each run. DRAWS_FILE, which sample_table.m reads, holds doubles:
//
//   width, chains, draws, Pi, probes, unknowns, peak MiB; then of each chain
//   seconds of warm-up and of sampling, acceptance, step, gradients per draw, divergences,
//   U [Pi x Pi x draws], f [probes x draws], log posterior [draws], total energy [draws]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posterior/ap_posterior.h"
#include "problem.h"

enum { CORE, PLAIN, OURS };  // moves of the core, plain, out or in or gibbs

typedef struct facts {
    double warmup, sampling, acceptance, step, gradients, divergences;
} facts;

typedef struct chain {
    int whose;
    bool gibbs;         // V_0 is drawn after each trajectory
    double first_step;  // of the warm-up
    ap_sampler core;
    double *state;  // of the core's chain
    ap_target target;
    ap_place at, next;
    double *p;  // momenta
    ap_move move;
    ap_rng moves, outputs;
    double acceptance, gradients, divergences;  // sums since the warm-up
    double deadline;                            // of the warm-up
    ap_work work;
} chain;

static bool late(void *context) { return seconds() > ((const chain *)context)->deadline; }

// ---- moves of this file ---------------------------------------------------------------------------------------------

static bool leapfrog(chain *c, double *potential) {  // false: a value is not finite
    const size_t n = c->target.dim;
    const double h = c->move.step;
    double *z = c->next.z, *g = c->next.grad;
    for (size_t s = 0; s < c->move.steps; s++) {
        for (size_t i = 0; i < n; i++) {
            c->p[i] -= 0.5 * h * (g[i] + z[i]);
            z[i] += h * c->p[i];
        }
        c->gradients += 1.0;
        if (c->target.evaluate(&c->next.psi, g, &c->target, z, &c->work, NULL) < 0) return false;
        for (size_t i = 0; i < n; i++) c->p[i] -= 0.5 * h * (g[i] + z[i]);
    }
    *potential = c->next.psi + 0.5 * ap_dot(n, z, z);
    return true;
}

static ap_outcome plain_trajectory(chain *c) {
    const size_t n = c->target.dim;
    double after = 0.0;
    ap_rng_normals(c->p, n, &c->moves);
    memcpy(c->next.z, c->at.z, n * sizeof(double));
    memcpy(c->next.grad, c->at.grad, n * sizeof(double));
    ap_outcome o = {.hamiltonian = c->at.psi + 0.5 * (ap_dot(n, c->at.z, c->at.z) + ap_dot(n, c->p, c->p))};
    o.diverged = !leapfrog(c, &after);
    o.error = after + 0.5 * ap_dot(n, c->p, c->p) - o.hamiltonian;
    o.diverged = o.diverged || !(o.error < 1000.0);
    o.acceptance = o.diverged ? 0.0 : fmin(1.0, exp(-o.error));
    if (ap_rng_uniform(&c->moves) < o.acceptance) {
        const ap_place old = c->at;
        c->at = c->next;
        c->next = old;
    }
    return o;
}

// The Gibbs step: V_0 is drawn given all other weights. All variances are 1, so that the state z is the weights.
static void renew_input(chain *c) {
    const ap_problem *p = c->core.problem;
    const ap_target above = ap_langevin_upper_target(p);
    const ap_metric none = {.F = NULL};
    const size_t input = c->target.dim - above.dim, paths = c->target.paths, mark = c->work.used;
    double *U = ap_take(&c->work, paths * paths), *W = ap_take(&c->work, p->kernel->N0 * paths);
    ap_error err;
    must_be(W != NULL, "taking memory");
    must(c->target.order(U, &c->target, c->at.z, &c->work, &err), &err);
    must(above.draw(W, c->next.z, &above, c->at.z + input, U, &c->moves, &c->work, &err), &err);
    memcpy(c->at.z, c->next.z, input * sizeof(double));
    c->work.used = mark;
    must(ap_target_evaluate(&c->at, &c->target, &none, &c->work, &err), &err);
    c->gradients += 1.0;
}

static ap_outcome trajectory(chain *c) {
    const ap_metric none = {.F = NULL};
    ap_outcome o;
    ap_error err;
    if (c->whose == PLAIN) {
        o = plain_trajectory(c);
    } else {
        must(ap_trajectory(&c->at, &o, &c->target, &none, &c->move, &c->moves, &c->work, &err), &err);
        c->gradients += (double)o.gradients;
        if (c->gibbs) renew_input(c);
    }
    c->acceptance += o.acceptance;
    c->divergences += o.diverged ? 1.0 : 0.0;
    return o;
}

static void set_step(chain *c, double step, double length) {
    c->move.step = step;
    c->move.steps = (size_t)fmax(1.0, floor(length / step + 0.5));
}

// The step by Robbins and Monro (1951), towards an acceptance of 0.8; the result is its mean over the second half.
static bool settle(chain *c, size_t warmup) {
    const double length = c->whose == PLAIN ? 1.5707963 : 1.6;
    double sum = 0.0, count = 0.0, log_step = log(c->first_step);
    for (size_t k = 1; k <= warmup; k++) {
        if (late(c)) return false;
        set_step(c, exp(log_step), length);
        const ap_outcome o = trajectory(c);
        log_step = fmin(log_step + (o.acceptance - 0.8) / pow((double)k, 0.6), log(1.5));
        if (2 * k > warmup) {
            sum += log_step;
            count += 1.0;
        }
    }
    set_step(c, exp(sum / count), length);
    c->acceptance = c->gradients = c->divergences = 0.0;
    return true;
}

static void record(chain *c, ap_draws *out, const ap_outcome *o) {
    const ap_problem *p = c->core.problem;
    const size_t paths = c->target.paths, n = c->target.dim, slot = out->count++, mark = c->work.used;
    double *U = out->U + paths * paths * slot, *W = ap_take(&c->work, p->kernel->N0 * paths);
    ap_error err;
    must_be(W != NULL, "taking memory");
    must(c->target.order(U, &c->target, c->at.z, &c->work, &err), &err);
    must(c->target.draw(W, NULL, &c->target, c->at.z, U, &c->outputs, &c->work, &err), &err);
    ap_input_output(out->f + c->core.probes.P * slot, p->net, &c->core.probes, W);
    out->logpost[slot] = -c->at.psi - 0.5 * ap_dot(n, c->at.z, c->at.z);
    out->hamiltonian[slot] = o->hamiltonian;
    c->work.used = mark;
}

// ---- chains, of the core and of this file ---------------------------------------------------------------------------

static chain chain_of(const char *method, const problem *b, const problem *probe) {
    static const struct {
        const char *name;
        ap_target (*target)(const ap_problem *p);
        chain c;
    } known[] = {{"collapsed", ap_collapsed_target, {.whose = CORE, .core.method = AP_COLLAPSED}},
                 {"langevin", ap_langevin_upper_target, {.whose = CORE, .core.method = AP_LANGEVIN}},
                 {"langevin-all", ap_langevin_every_target, {.whose = CORE, .core.method = AP_LANGEVIN_ALL}},
                 {"plain", ap_langevin_every_target, {.whose = PLAIN, .first_step = 0.01}},
                 {"out", ap_langevin_upper_target, {.whose = OURS, .first_step = 0.1}},
                 {"in", ap_langevin_every_target, {.whose = OURS, .first_step = 0.01}},
                 {"gibbs", ap_langevin_every_target, {.whose = OURS, .first_step = 0.01, .gibbs = true}}};
    const size_t length = strcspn(method, ":"), count = sizeof known / sizeof *known;
    size_t i = 0;
    while (i < count && (strlen(known[i].name) != length || strncmp(method, known[i].name, length) != 0)) i++;
    must_be(i < count, "knowing the method");
    chain c = known[i].c;
    c.core = (ap_sampler){.problem = &b->p, .method = c.core.method, .thin = 1, .probes = problem_inputs(probe)};
    c.target = known[i].target(&b->p);
    if (method[length] == ':') c.move.friction = atof(method + length + 1);
    return c;
}

static void chain_room(chain *c) {
    const size_t n = c->target.dim;
    if (c->whose == CORE) {
        c->state = doubles(ap_sample_state(&c->core));
    } else {
        c->at = (ap_place){.z = doubles(n), .grad = doubles(n)};
        c->next = (ap_place){.z = doubles(n), .grad = doubles(n)};
        c->p = doubles(n);
    }
    c->work = arena();
}

static void chain_start(chain *c, uint64_t number) {
    const ap_metric none = {.F = NULL};
    ap_error err;
    if (c->whose == CORE) {
        must(ap_sample_start(c->state, &c->core, 1, number, &c->work, &err), &err);
        return;
    }
    c->moves = ap_rng_start(1, 2 * number);
    c->outputs = ap_rng_start(1, 2 * number + 1);
    c->target.start(c->at.z, &c->target, &c->moves);
    must(ap_target_evaluate(&c->at, &c->target, &none, &c->work, &err), &err);
}

static bool chain_warm(chain *c, double most) {  // false: stopped after `most` seconds
    ap_draws none = {0};
    ap_error err;
    c->deadline = seconds() + most;
    if (c->whose != CORE) return settle(c, c->core.warmup);
    const ap_status status = ap_sample_run(&none, c->state, &c->core, c->core.warmup, &c->work, &err);
    must(status, &err);
    c->deadline = HUGE_VAL;
    return status == AP_OK;
}

static void chain_draw(chain *c, ap_draws *out, size_t count) {
    ap_error err;
    if (c->whose == CORE) {
        must(ap_sample_run(out, c->state, &c->core, count, &c->work, &err), &err);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const ap_outcome o = trajectory(c);
        record(c, out, &o);
    }
}

static void chain_facts(const chain *c, facts *f, size_t draws) {
    if (c->whose == CORE) {
        const ap_sample_facts look = ap_sample_look(c->state, &c->core);
        f->acceptance = look.acceptance;
        f->step = look.step;
        f->gradients = look.steps;
        f->divergences = look.divergences;
    } else {
        f->acceptance = c->acceptance / (double)draws;
        f->step = c->move.step;
        f->gradients = c->gradients / (double)draws;
        f->divergences = c->divergences;
    }
}

// ---- main -----------------------------------------------------------------------------------------------------------

static void put(FILE *out, const double *x, size_t count) {
    must_be(fwrite(x, sizeof *x, count, out) == count, "writing the draws");
}

int main(int count, char **args) {
    must_be(count == 11,
            "usage: bench_sample METHOD PROBLEM PROBES WIDTH TEMPERATURE CHAINS WARMUP DRAWS SECONDS FILE");
    const size_t chains = (size_t)atol(args[6]), most = (size_t)atol(args[8]);
    const double share = atof(args[9]) / (double)chains;
    problem b, probe;
    problem_read(&b, args[2]);
    problem_read(&probe, args[3]);
    problem_network(&b, atof(args[4]), atof(args[5]));
    problem_plan(&b, AS_PLANNED, 2.0);
    problem_room(&b);
    problem_build(&b);
    chain c = chain_of(args[1], &b, &probe);
    c.core.warmup = (size_t)atol(args[7]);
    c.core.stop = late;
    c.core.context = &c;
    ap_error err;
    if (c.whose == CORE) must(ap_sample_check(&c.core, &err), &err);
    chain_room(&c);
    const size_t square = b.paths * b.paths;
    ap_draws *out = calloc(chains, sizeof *out);
    facts *f = calloc(chains, sizeof *f);
    must_be(out != NULL && f != NULL, "allocating memory");
    size_t n = most;
    for (size_t k = 0; k < chains; k++) {
        out[k] = (ap_draws){.room = most, .U = doubles(square * most), .f = doubles(probe.P * most)};
        out[k].logpost = doubles(2 * most);
        out[k].hamiltonian = out[k].logpost + most;
        chain_start(&c, k);
        double start = seconds();
        const bool warm = chain_warm(&c, 3.0 * share);
        f[k].warmup = seconds() - start;
        if (!warm) {
            n = 0;
            break;
        }
        start = seconds();
        while (out[k].count < most && (seconds() - start < share || out[k].count < 4)) {
            const double once = f[k].warmup / (double)c.core.warmup, fits = ceil(0.05 * share / once);
            const size_t block = fits < 100.0 ? (size_t)fits : 100, left = most - out[k].count;
            chain_draw(&c, out + k, block < left ? block : left);
        }
        f[k].sampling = seconds() - start;
        chain_facts(&c, f + k, out[k].count);
        if (out[k].count < n) n = out[k].count;
    }
    FILE *file = fopen(args[10], "wb");
    must_be(file != NULL, args[10]);
    const double sizes[] = {b.width[0],      (double)chains,       (double)n, (double)b.paths,
                            (double)probe.P, (double)c.target.dim, peak_mib()};
    put(file, sizes, sizeof sizes / sizeof *sizes);
    for (size_t k = 0; k < chains; k++) {
        if (n > 0) f[k].sampling *= (double)n / (double)out[k].count;
        put(file, (double *)(f + k), sizeof *f / sizeof(double));
        if (n == 0) continue;
        put(file, out[k].U, square * n);
        put(file, out[k].f, probe.P * n);
        put(file, out[k].logpost, n);
        put(file, out[k].hamiltonian, n);
    }
    fclose(file);
    return 0;
}
