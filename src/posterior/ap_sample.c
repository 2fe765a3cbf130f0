// ap_sample.c: draws from the posterior, a chain at a time
// SPDX-License-Identifier: BSD-3-Clause
//
// A chain is a sequence of trajectories of its target; a method is a row of the table below, which makes the target.
// Nothing that is recorded feeds back into the chain. After the warm-up every thin-th position gives, drawn exactly:
//
//   U        the order parameter U_1 of the position, and those of the layers above
//   weights  V_0 given everything above it and the labels (ap_input_weights.c), unless the dynamics moves it; from
//            order parameters, all weights (ap_backsample.c)
//   f        sum_pi w_pi . xi^pi / sqrt (N0 Pi) at the probe inputs, jointly: one set of weights for all    (T4)
//
// A chain has two streams of random numbers, one for its moves and one for draws at its positions: U does not
// depend on whether outputs or weights are requested.

#include <math.h>
#include <string.h>

#include "posterior/ap_posterior.h"

static const struct {
    const char *name;
    ap_target (*target)(const ap_problem *p);  // NULL: ap_learned_target
    bool has_weights;                          // among its unknowns
} table[ap_methods] = {
    [AP_COLLAPSED] = {"collapsed", ap_collapsed_target, false},
    [AP_LANGEVIN] = {"langevin", ap_langevin_upper_target, true},
    [AP_LANGEVIN_ALL] = {"langevin-all", ap_langevin_every_target, true},
    [AP_LEARNED] = {"attention", NULL, false},
};

const char *ap_method_name(ap_method method) { return table[method].name; }

static ap_target target_of(const ap_sampler *s) {
    ap_target target = s->learned != NULL ? ap_learned_target(s->learned) : table[s->method].target(s->problem);
    target.accept = s->accept;
    target.stop = s->stop;
    target.context = s->context;
    return target;
}

// Heads that are unknowns of a problem for which nothing may be stored, and have derivatives.
static ap_status check_learned(const ap_sampler *s, ap_error *err) {
    const ap_learned *q = s->learned;
    if ((q != NULL) != (table[s->method].target == NULL))
        return ap_fail(err, AP_EINPUT, "method %s and the heads do not belong together", ap_method_name(s->method));
    if (q == NULL) return AP_OK;
    if (q->net->heads == NULL) return ap_fail(err, AP_EINPUT, "the network has no heads that could be sampled");
    if (q->problem.kernel->storage > 0 || q->problem.kernel->basis != NULL || q->problem.null_examples > 0)
        return ap_fail(err, AP_EINPUT, "heads are sampled of all examples as they are, with nothing stored");
    if (!(q->scale > 0.0) || !isfinite(q->scale))
        return ap_fail(err, AP_EINPUT, "the prior scale of heads is %g, it must be positive and finite", q->scale);
    for (size_t l = 0; l < q->net->L; l++)
        if (ap_rule_of(&q->net->heads[l].rule)->adjoint == NULL)
            return ap_fail(err, AP_EINPUT, "attention %s of layer %zu has no derivative",
                           ap_rule_name(q->net->heads[l].rule.kind), l + 1);
    return AP_OK;
}

ap_status ap_sample_check(const ap_sampler *s, ap_error *err) {
    const ap_net *net = s->problem->net;
    const size_t N0 = s->problem->kernel->features, probes = s->probes.P;
    ap_status status = check_learned(s, err);
    if (status == AP_OK && !(s->learned != NULL && s->learned->gp)) status = ap_weights_check(net, err);
    if (status < 0) return status;
    if (table[s->method].has_weights || s->weights) status = ap_weights_countable(net, N0, err);
    if (status < 0) return status;
    if (!(net->temperature > 0.0))
        return ap_fail(err, AP_EINPUT, "the temperature is %g, sampling needs a positive one", net->temperature);
    const ap_target target = target_of(s);
    if (!ap_blas_fits(target.dim) || !ap_blas_fits(ap_times(N0, probes)))
        return ap_fail(err, AP_ESIZE, "%zu unknowns, %zu probes are more than BLAS can count", target.dim, probes);
    return AP_OK;
}

size_t ap_sample_weights(const ap_net *net, size_t N0) {
    return ap_plus(ap_weights_upper(net), ap_times(ap_weights_width(net, 1), N0));
}

size_t ap_sample_upper(const ap_net *net) { return ap_params_length(net) - ap_params_at(net, 2); }

size_t ap_sample_state(const ap_sampler *s) {
    const ap_target target = target_of(s);
    return ap_lines(ap_plus(ap_chain_state(&target), ap_rng_words));  // the next chain's begins on a line too
}

size_t ap_sample_size(const ap_sampler *s) {
    const ap_target target = target_of(s);
    const size_t P = s->problem->kernel->P, room = target.room;  // twice, and K, where a surrogate is learned
    const size_t own = ap_plus(ap_plus(ap_sample_state(s), ap_times(5, target.dim)), room);
    const size_t fit = ap_plus(ap_fit_size(s->problem), ap_kernel_scratch(s->problem->kernel));
    const size_t learned = s->learned != NULL ? ap_learned_size(s->learned) : 0;
    return ap_plus(ap_plus(own, fit), target.surrogate > 0 ? ap_plus(room, ap_times(P, P)) : learned);
}

ap_status ap_sample_start(double *state, const ap_sampler *s, uint64_t seed, uint64_t chain, ap_work *work,
                          ap_error *err) {
    const size_t mark = work->used;
    const ap_target target = target_of(s);
    ap_rng moves = ap_rng_start(seed, 2 * chain), draws = ap_rng_start(seed, 2 * chain + 1);
    double *x = ap_take(work, target.dim);
    ap_status status = x == NULL ? ap_not_taken(work, err, "ap_sample_start") : AP_OK;
    if (status < 0) goto done;
    target.start(x, &target, &moves);
    memset(state, 0, ap_sample_state(s) * sizeof *state);
    status = ap_chain_start(state, &target, x, &moves, err);
    ap_rng_save(state + ap_sample_state(s) - ap_rng_words, &draws);
done:
    work->used = mark;
    return status;
}

size_t ap_sample_heads(const ap_sampler *s) {
    return s->learned == NULL ? 0 : ap_backward_parameters(s->learned->net, s->learned->x.N0) - 2;
}

size_t ap_sample_probes(const ap_sampler *s) {
    const ap_learned *q = s->learned;
    if (q == NULL) return s->probes.P;
    return q->probes.P == 0 ? 0 : ap_paths_count(q->net, &q->probes);
}

static size_t probed(const ap_sampler *s) {  // numbers in one draw of f
    return ap_sample_probes(s) * ap_problem_outputs(s->problem);
}

// The heads of a draw, and f at the probes with them.
static ap_status look_at_heads(ap_draws *out, const ap_sampler *s, const double *x, const double *W, ap_work *work,
                               ap_error *err) {
    const ap_learned *q = s->learned;
    const size_t n = ap_sample_heads(s), m = ap_problem_columns(s->problem), mark = work->used, slot = out->count;
    double *heads = ap_take(work, n);
    ap_inputs at = {0};
    ap_status status = heads == NULL ? ap_not_taken(work, err, "ap_sample_run") : AP_OK;
    if (status < 0) goto done;
    ap_learned_heads(heads, q, x);
    if (out->heads != NULL) memcpy(out->heads + n * slot, heads, n * sizeof *heads);
    if (q->probes.P == 0) goto done;
    status = ap_learned_inputs(&at, q, heads, &q->probes, work, err);
    const size_t each = at.P * ap_net_outputs_count(s->problem->net), columns = at.N0 * s->problem->kernel->paths;
    for (size_t c = 0; status == AP_OK && c < m; c++)
        ap_input_output(out->f + probed(s) * slot + each * c, s->problem->net, &at, W + columns * c);
done:
    work->used = mark;
    return status;
}

static ap_status make_record(ap_draws *out, const ap_sampler *s, const ap_target *target, const ap_chain *chain,
                             const ap_outcome *outcome, ap_rng *rng, ap_work *work, ap_error *err) {
    const size_t own = target->paths * target->paths, upper = target->chain - own, slot = out->count, mark = work->used;
    const size_t weights = ap_sample_weights(s->problem->net, s->problem->kernel->features);
    double *theta = out->weights == NULL ? NULL : out->weights + weights * slot;
    if (slot >= out->room)
        return ap_fail(err, AP_EMEMORY, "ap_sample_run: %zu draws fill the arrays, none is left", slot);
    double *x = ap_take(work, target->dim), *order = ap_take(work, target->chain);
    double *W = ap_take_matrix(work, s->problem->kernel->features, target->paths * ap_problem_columns(s->problem));
    ap_status status = W == NULL ? ap_not_taken(work, err, "ap_sample_run") : AP_OK;
    if (status < 0) goto done;
    ap_metric_position(x, &chain->metric, target->dim, chain->at.z);
    status = chain->moves.order(order, &chain->moves, x, work, err);
    if (status < 0) goto done;
    memcpy(out->U + own * slot, order, own * sizeof *out->U);
    if (out->upper != NULL) memcpy(out->upper + upper * slot, order + own, upper * sizeof *out->upper);
    out->logpost[slot] =
        -(chain->at.psi + chain->at.surrogate_error) - 0.5 * ap_dot(target->dim, chain->at.z, chain->at.z);
    out->hamiltonian[slot] = outcome->hamiltonian;
    // Whether a draw needs more than its order parameter.
    if (ap_sample_probes(s) > 0 || theta != NULL)
        status = chain->moves.draw(W, theta, &chain->moves, x, order, rng, work, err);
    if (status < 0) goto done;
    if (s->learned != NULL) status = look_at_heads(out, s, x, W, work, err);
    if (status < 0) goto done;
    if (s->probes.P > 0) ap_input_output(out->f + probed(s) * slot, s->problem->net, &s->probes, W);
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
    ap_chain chain;
    ap_outcome outcome;
    ap_rng draws;
    double *own = ap_take(work, size);  // the chain works on a copy: of a run that fails nothing is kept
    ap_status status = own == NULL ? ap_not_taken(work, err, "ap_sample_run") : AP_OK;
    if (status < 0) goto done;
    memcpy(own, state, size * sizeof(double));
    double *tail = own + size - ap_rng_words;
    status = ap_rng_load(&draws, tail, err);
    if (status == AP_OK) status = ap_chain_open(&chain, own, &target, work, err);
    for (size_t k = 0; status == AP_OK && k < trajectories; k++) {
        status = ap_transition(&chain, &outcome, &target, s->warmup, work, err);
        if (status == AP_OK && drawn(s, chain.tuning.done) > drawn(s, chain.tuning.done - 1.0))
            status = make_record(out, s, &target, &chain, &outcome, &draws, work, err);
    }
    if (status != AP_OK) goto done;
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
                             .surrogate_rank = chain.tuning.surrogate,
                             .acceptance = kept > 0.0 ? chain.tuning.acceptance / kept : NAN,
                             .moved = kept > 0.0 ? chain.tuning.accepted / kept : NAN,
                             .divergences = chain.tuning.diverged};
}

// ---- several chains side by side ------------------------------------------------------------------------------------

typedef struct job {
    ap_draws *out;
    double *state;
    const ap_sampler *s;
    size_t trajectories;
    const uint64_t *seed;
} job;

static ap_status one_chain(void *whole, size_t chain, ap_work *work, ap_error *err) {
    const job *j = whole;
    const size_t paths = j->s->problem->kernel->paths, draws = j->out->room, first = draws * chain;
    const size_t upper = ap_sample_upper(j->s->problem->net);
    const size_t weights = ap_sample_weights(j->s->problem->net, j->s->problem->kernel->features);
    double *state = j->state + ap_sample_state(j->s) * chain;
    ap_draws out = {.room = draws,
                    .U = j->out->U + paths * paths * first,
                    .upper = j->out->upper == NULL ? NULL : j->out->upper + upper * first,
                    .f = j->out->f + probed(j->s) * first,
                    .heads = j->out->heads == NULL ? NULL : j->out->heads + ap_sample_heads(j->s) * first,
                    .logpost = j->out->logpost + first,
                    .hamiltonian = j->out->hamiltonian + first,
                    .weights = j->out->weights == NULL ? NULL : j->out->weights + weights * first};
    ap_status status = AP_OK;
    if (j->seed != NULL) status = ap_sample_start(state, j->s, *j->seed, chain, work, err);
    if (status == AP_OK && j->trajectories > 0) status = ap_sample_run(&out, state, j->s, j->trajectories, work, err);
    return status;
}

ap_status ap_sample_chains(ap_draws *out, double *state, const ap_sampler *s, size_t chains, size_t trajectories,
                           const uint64_t *seed, const ap_team *team, ap_work *work, ap_error *err) {
    job j = {.out = out, .state = state, .s = s, .trajectories = trajectories, .seed = seed};
    return ap_team_run(team, one_chain, &j, chains, work, err);
}
