// ap_sample.c: draws from the posterior, a chain at a time
// SPDX-License-Identifier: BSD-3-Clause
//
// A chain is a sequence of trajectories of its target (ap_collapsed.c, ap_langevin.c). Nothing that is recorded feeds
// back into it: what is wanted of every thin-th position after the warm-up is drawn from that position exactly:
//
//   U        the order parameter U_1 of the position
//   weights  V_0 given everything above it and the labels (ap_input.c), unless the dynamics moves it; from order
//            parameters, all weights (ap_backsample.c)
//   f        sum_pi w_pi . xi^pi / sqrt (N0 Pi) at the probe inputs, jointly: one set of weights for all    (T4)
//
// A chain has two streams of random numbers, one for its moves and one for what is drawn from its positions: U does not
// depend on whether outputs or weights are asked for.

#include <math.h>
#include <string.h>

#include "ap_backsample.h"
#include "ap_blas.h"
#include "ap_chain.h"
#include "ap_collapsed.h"
#include "ap_input.h"
#include "ap_langevin.h"
#include "ap_weights.h"

// Unknowns with a dense metric. Its products cost 4 dim^2 flops, less than the energy's where P^2 >= 2 dim or so;
// above, the prior's scale stays the metric.
enum { dense_most = 500 };

static ap_target target_of(const ap_sampler *s) {
    return s->method == AP_COLLAPSED ? ap_collapsed_target(s->problem)
                                     : ap_langevin_target(s->problem, s->method == AP_LANGEVIN_ALL);
}

static bool is_dense(const ap_sampler *s, const ap_target *t) {
    return s->method == AP_COLLAPSED && t->dim <= dense_most;
}

ap_status ap_sample_check(const ap_sampler *s, ap_error *err) {
    const size_t N0 = s->problem->kernel->N0;
    ap_status status = ap_weights_check(s->problem->net, err);
    if (status < 0) return status;
    if (s->method != AP_COLLAPSED || s->weights) status = ap_weights_countable(s->problem->net, N0, err);
    if (status < 0) return status;
    if (!(s->problem->net->temperature > 0.0))
        return ap_fail(err, AP_EINPUT, "the temperature is %g, sampling needs a positive one",
                       s->problem->net->temperature);
    const ap_target target = target_of(s);
    if (!ap_blas_fits(target.dim) || !ap_blas_fits(ap_times(N0, s->probes)))
        return ap_fail(err, AP_ESIZE, "%zu unknowns, %zu probes are more than BLAS can count", target.dim, s->probes);
    return AP_OK;
}

size_t ap_sample_weights(const ap_net *net, size_t N0) {
    return ap_plus(ap_weights_upper(net), ap_times(ap_weights_width(net, 1), N0));
}

size_t ap_sample_state(const ap_sampler *s) {
    const ap_target target = target_of(s);
    return ap_plus(ap_chain_state(&target, is_dense(s, &target)), ap_rng_words);
}

// Columns of Z: the rank of U_1 where only order parameters are known, the width where u^{(1)} is.
static size_t columns_of(const ap_sampler *s) {
    const ap_net *net = s->problem->net;
    return s->method == AP_COLLAPSED ? ap_collapsed_rank(net, 1) : ap_weights_width(net, 1);
}

static size_t drawsize(const ap_sampler *s) {
    const ap_problem *p = s->problem;
    const size_t N0 = p->kernel->N0, P = p->kernel->P, paths = p->kernel->paths, m = columns_of(s);
    const ap_collapsed_sizes size = ap_collapsed_size(p->net);
    const size_t back = s->weights ? ap_backsample_worksize(p->net, N0) : 0, input = ap_input_worksize(p),
                 energy = ap_energy_worksize(p);
    size_t inner = input > energy ? input : energy;
    if (s->method == AP_COLLAPSED && back > inner) inner = back;
    const size_t factors =
        s->method == AP_COLLAPSED ? size.B + size.R : ap_plus(ap_weights_partial(p->net), ap_times(m, paths));
    return ap_plus(ap_plus(factors, ap_times(N0, ap_plus(m, paths))), ap_plus(ap_times(P, ap_plus(P, 1)), inner));
}

size_t ap_sample_worksize(const ap_sampler *s) {
    const ap_target target = target_of(s);
    const size_t chain = ap_chain_worksize(&target), draw = ap_plus(drawsize(s), ap_times(2, target.dim));
    return ap_plus(ap_sample_state(s), chain > draw ? chain : draw);
}

ap_status ap_sample_start(double *state, const ap_sampler *s, uint64_t seed, uint64_t chain, ap_work *work,
                          ap_error *err) {
    const size_t mark = work->used;
    const ap_target target = target_of(s);
    ap_rng moves = ap_rng_start(seed, 2 * chain), draws = ap_rng_start(seed, 2 * chain + 1);
    double *x = ap_take(work, target.dim);
    ap_status status = x == NULL ? ap_no_memory(err, "ap_sample_start") : AP_OK;
    if (status == AP_OK) {
        if (s->method == AP_COLLAPSED)
            ap_collapsed_prior(x, s->problem->net, &moves);
        else
            ap_rng_normals(x, target.dim, &moves);
        status = ap_chain_start(state, &target, is_dense(s, &target), x, &moves, err);
        ap_rng_save(state + ap_sample_state(s) - ap_rng_words, &draws);
    }
    work->used = mark;
    return status;
}

// Z, W given the order parameter's factor R: the Gibbs draw of V_0.
static ap_status draw_input(double *Z, double *W, const ap_sampler *s, const double *U, const double *R, size_t m,
                            ap_rng *rng, ap_work *work, ap_error *err) {
    const size_t P = s->problem->kernel->P;
    double energy = 0.0, *F = ap_take(work, P * P), *b = ap_take(work, P);
    if (b == NULL) return ap_no_memory(err, "ap_sample_run");
    ap_status status = ap_energy(&energy, NULL, F, b, s->problem, U, NULL, work, err);
    if (status < 0) return status;
    return ap_input_draw(Z, W, s->problem, R, m, F, rng, work, err);
}

static ap_status draw_collapsed(double *W, double *weights, const ap_sampler *s, const double *x, const double *U,
                                ap_rng *rng, ap_work *work, ap_error *err) {
    const ap_net *net = s->problem->net;
    const size_t N0 = s->problem->kernel->N0, paths = s->problem->kernel->paths, m = columns_of(s);
    const ap_collapsed_sizes size = ap_collapsed_size(net);
    double *B = ap_take(work, size.B), *R = ap_take(work, size.R), *Z = ap_take(work, N0 * m);
    if (Z == NULL) return ap_no_memory(err, "ap_sample_run");
    ap_collapsed_factors(B, R, net, x);
    const size_t mark = work->used;
    ap_status status = draw_input(Z, W, s, U, R + size.R - paths * m, m, rng, work, err);
    work->used = mark;
    if (status < 0 || weights == NULL) return status;
    return ap_backsample(weights, net, N0, x, Z, rng, work, err);
}

static void put_layer(double *weights, const double *z, size_t count, double variance) {
    const double sigma = sqrt(variance);
    for (size_t i = 0; i < count; i++) weights[i] = sigma * z[i];
}

static void put_upper(double *weights, const ap_net *net, const double *z) {
    for (size_t l = 1; l <= net->L + 1; l++) {
        const size_t count = ap_weights_layer(net, l);
        put_layer(weights, z, count, net->variance[l]);
        weights += count;
        z += count;
    }
}

static ap_status draw_langevin(double *W, double *weights, const ap_sampler *s, const double *z, const double *U,
                               ap_rng *rng, ap_work *work, ap_error *err) {
    const ap_net *net = s->problem->net;
    const size_t N0 = s->problem->kernel->N0, paths = s->problem->kernel->paths, N = columns_of(s);
    double *u = ap_take(work, ap_weights_partial(net)), *Z = ap_take(work, N0 * N), *R = ap_take(work, N * paths);
    if (R == NULL) return ap_no_memory(err, "ap_sample_run");
    ap_weights_forward(u, net, z);
    for (size_t a = 0; a < paths; a++)
        for (size_t i = 0; i < N; i++) R[a + paths * i] = u[i + N * a] / sqrt((double)N);
    const ap_status status = draw_input(Z, W, s, U, R, N, rng, work, err);
    if (status < 0 || weights == NULL) return status;
    for (size_t j = 0; j < N0; j++)
        for (size_t i = 0; i < N; i++) weights[i + N * j] = Z[j + N0 * i];
    put_upper(weights + N * N0, net, z);
    return AP_OK;
}

// Where all weights move there is nothing to draw.
static ap_status draw_langevin_all(double *W, double *weights, const ap_sampler *s, const double *z, ap_work *work,
                                   ap_error *err) {
    const ap_net *net = s->problem->net;
    const size_t N0 = s->problem->kernel->N0, input = N0 * ap_weights_width(net, 1);
    double *u = ap_take(work, ap_weights_partial(net));
    if (u == NULL) return ap_no_memory(err, "ap_sample_run");
    ap_weights_forward(u, net, z + input);
    ap_langevin_effective(W, net, N0, z, u);
    if (weights == NULL) return AP_OK;
    put_layer(weights, z, input, net->variance[0]);
    put_upper(weights + input, net, z + input);
    return AP_OK;
}

// Effective weights W [N0 x Pi] of the position, and its weights if they are wanted.
static ap_status draw(double *W, double *weights, const ap_sampler *s, const double *x, const double *U, ap_rng *rng,
                      ap_work *work, ap_error *err) {
    if (s->method == AP_COLLAPSED) return draw_collapsed(W, weights, s, x, U, rng, work, err);
    if (s->method == AP_LANGEVIN) return draw_langevin(W, weights, s, x, U, rng, work, err);
    return draw_langevin_all(W, weights, s, x, work, err);
}

static ap_status record(ap_draws *out, const ap_sampler *s, const ap_target *target, const ap_chain *chain,
                        const ap_outcome *outcome, ap_rng *rng, ap_work *work, ap_error *err) {
    const size_t paths = target->paths, N0 = s->problem->kernel->N0, slot = out->count, mark = work->used;
    const size_t weights = ap_sample_weights(s->problem->net, N0);
    double *x = ap_take(work, target->dim), *W = ap_take(work, N0 * paths), *U = out->U + paths * paths * slot;
    double *theta = out->weights == NULL ? NULL : out->weights + weights * slot;
    ap_status status = AP_OK;
    if (W == NULL || slot >= out->room) {
        status = ap_no_memory(err, "ap_sample_run");
        goto done;
    }
    ap_target_position(x, &chain->metric, target->dim, chain->at.z);
    status = target->order(U, target->self, x, work, err);
    if (status < 0) goto done;
    out->logpost[slot] = -chain->at.psi - 0.5 * ap_dot(target->dim, chain->at.z, chain->at.z);
    out->hamiltonian[slot] = outcome->hamiltonian;
    if (s->probes > 0 || theta != NULL) {
        status = draw(W, theta, s, x, U, rng, work, err);
        if (status < 0) goto done;
        if (s->probes > 0) ap_input_output(out->f + s->probes * slot, s->problem->net, N0, s->Xi2, s->probes, W);
    }
    out->count++;
done:
    work->used = mark;
    return status;
}

static double drawn(const ap_sampler *s, double done) {  // draws made after so many trajectories
    return fmax(0.0, floor((done - (double)s->warmup) / (double)s->thin));
}

size_t ap_sample_draws(const double *state, const ap_sampler *s, size_t trajectories) {
    const double done = ap_sample_look(state, s).done;
    const double draws = drawn(s, done + (double)trajectories) - drawn(s, done);
    return draws >= 0.0 ? (size_t)draws : 0;  // of what is no state, none
}

ap_status ap_sample_run(ap_draws *out, double *state, const ap_sampler *s, size_t trajectories, ap_work *work,
                        ap_error *err) {
    const ap_target target = target_of(s);
    const size_t size = ap_sample_state(s), mark = work->used;
    ap_status status = AP_OK;
    ap_chain chain;
    ap_outcome outcome;
    ap_rng draws;
    double *own = ap_take(work, size);  // the chain works on a copy: of a run that fails nothing is kept
    if (own == NULL) {
        status = ap_no_memory(err, "ap_sample_run");
        goto done;
    }
    memcpy(own, state, size * sizeof(double));
    double *tail = own + size - ap_rng_words;
    status = ap_rng_load(&draws, tail, err);
    if (status < 0) goto done;
    status = ap_chain_open(&chain, own, &target, is_dense(s, &target), work, err);
    if (status < 0) goto done;
    for (size_t k = 0; k < trajectories; k++) {
        status = ap_chain_next(&chain, &outcome, &target, s->warmup, s->stop, s->context, work, err);
        if (status != AP_OK) goto done;
        if (drawn(s, chain.tuning.done) > drawn(s, chain.tuning.done - 1.0)) {
            status = record(out, s, &target, &chain, &outcome, &draws, work, err);
            if (status < 0) goto done;
        }
    }
    ap_chain_close(&chain);
    ap_rng_save(tail, &draws);
    memcpy(state, own, size * sizeof(double));
done:
    work->used = mark;
    return status;
}

ap_sample_facts ap_sample_look(const double *state, const ap_sampler *s) {
    ap_chain chain = {0};
    memcpy(&chain.tuning, state, sizeof chain.tuning);
    const ap_move move = ap_chain_move(&chain);
    const double kept = chain.tuning.done - (double)s->warmup;
    return (ap_sample_facts){.done = chain.tuning.done,
                             .step = move.step,
                             .steps = (double)move.steps,
                             .friction = move.friction,
                             .acceptance = kept > 0.0 ? chain.tuning.acceptance / kept : NAN,
                             .moved = kept > 0.0 ? chain.tuning.accepted / kept : NAN,
                             .divergences = chain.tuning.diverged};
}
