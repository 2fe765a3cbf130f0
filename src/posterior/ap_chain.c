// ap_chain.c: the state of a Markov chain
// SPDX-License-Identifier: BSD-3-Clause
//
// One array of doubles, whose parts are laid out once, in lay_out:
//
//   tuning, rng      the adapted parameters, and the stream of random numbers
//   z                where the chain stands, in the coordinates of its metric (ap_metric.c)
//   metric           centre, F, V or scales, and the moments from which the next one is learned
//   mode             of a target with a warm start (ap_warmstart.c)
//   jump, seen       data for the choice of a trajectory (ap_adapt.c)
//   surrogate, turn  of a target that has them (ap_surrogate.c, ap_bartlett.c)

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

// Tried on the Markov task (N = 10 .. 1000) and on 16 paths: for order parameters lengths of 1.6 and 2.4 are best, for
// weights 0.8 and 1.2; friction rarely wins.
const ap_arm ap_chain_arms[ap_arms] = {{1.6, 0.0}, {0.8, 0.0}, {1.2, 0.0}, {2.4, 0.0}, {1.6, 1.0}, {2.4, 1.0}};

static const double first_step = 0.1;
static const double most_steps = 1024.0;  // the search for a step may pass through tiny ones

// What the choice of a trajectory looks at: the entries of U, and the log posterior.
size_t ap_chain_watched(const ap_target *t) { return ap_plus(ap_pairs_count(t->paths), 1); }

// The position behind it begins on a line, as copies of it in scratch memory do (ap_work.c).
static size_t head(void) { return ap_lines(sizeof(ap_tuning) / sizeof(double) + ap_rng_words); }

static size_t stored_directions(const ap_target *t) {
    return t->metric < t->dim && !t->each ? ap_times(t->dim, t->metric) : 0;
}

static size_t scaled(const ap_target *t) { return t->each ? t->dim - t->metric : 0; }

size_t ap_chain_state(const ap_target *t) {
    const size_t k = t->metric, square = ap_times(k, ap_plus(k, 1));  // moments, and in centre and F more of it
    const size_t others = ap_plus(stored_directions(t), ap_times(3, scaled(t)));
    const size_t metric = !ap_target_learns(t) ? 0 : ap_plus(ap_plus(t->dim, ap_times(k, k)), ap_plus(square, others));
    const size_t start = t->head_start ? ap_plus(1, ap_mode_state(t->dim)) : 0;
    const size_t seen = ap_times(ap_chain_watched(t), ap_arms + 3);
    const size_t turn = t->turn == 0 ? 0 : ap_plus(1, t->turn);
    return ap_plus(ap_plus(head(), t->dim),
                   ap_plus(ap_plus(metric, start), ap_plus(seen, ap_plus(t->surrogate, turn))));
}

static void lay_metric(ap_chain *chain, double **at, const ap_target *t) {
    const size_t n = t->dim, k = t->metric;
    chain->centre = *at;
    chain->F = chain->centre + n;
    chain->mean = chain->F + k * k;
    chain->second = chain->mean + k;
    *at = chain->second + k * k;
    if (k < n && !t->each) chain->V = *at;
    *at += stored_directions(t);
    if (t->each) {
        chain->scale = *at;
        chain->mean_each = chain->scale + (n - k);
        chain->square_each = chain->mean_each + (n - k);
        *at = chain->square_each + (n - k);
    }
    chain->metric =
        (ap_metric){.centre = chain->centre, .F = chain->F, .V = chain->V, .scale = chain->scale, .rank = k};
}

static void lay_out(ap_chain *chain, double *state, const ap_target *t) {
    const size_t n = t->dim, seen = ap_chain_watched(t);
    *chain = (ap_chain){.state = state, .moves = *t};
    double *at = state + head();
    chain->at.z = at;
    at += n;
    if (ap_target_learns(t)) lay_metric(chain, &at, t);
    if (t->head_start) {
        chain->length = at++;
        ap_mode_lay(&chain->mode, at, n, t->metric);
        chain->mode.V = chain->V;
        chain->mode.H = chain->second;
        at += ap_mode_state(n);
    }
    chain->jump = at;
    chain->seen_mean = chain->jump + seen * ap_arms;
    chain->seen_second = chain->seen_mean + seen;
    chain->seen_last = chain->seen_second + seen;
    at = chain->seen_last + seen;
    if (t->surrogate > 0) chain->surrogate = at;
    if (t->turn > 0) chain->turn = at + t->surrogate;
}

void ap_chain_close(ap_chain *chain) {
    memcpy(chain->state, &chain->tuning, sizeof chain->tuning);
    ap_rng_save(chain->state + sizeof(ap_tuning) / sizeof(double), &chain->rng);
}

void ap_chain_restart(ap_tuning *t, double trust) {
    t->centre_step = log(trust * t->step);
    t->step_mean = t->lag = t->count = 0.0;
}

ap_status ap_chain_start(double *state, const ap_target *t, const double *x, const ap_rng *rng, ap_error *err) {
    ap_chain chain;
    const size_t all = ap_chain_state(t);
    for (size_t i = 0; i < t->dim; i++)
        if (!isfinite(x[i])) return ap_fail(err, AP_ENONFINITE, "coordinate %zu of the start is not finite", i + 1);
    memset(state, 0, all * sizeof(double));
    lay_out(&chain, state, t);
    chain.tuning.step = first_step;
    chain.rng = *rng;
    ap_chain_restart(&chain.tuning, 2.0);
    memcpy(chain.at.z, x, t->dim * sizeof(double));
    if (t->metric > 0) ap_spd_identity(chain.F, t->metric);
    for (size_t i = 0; i < scaled(t); i++) chain.scale[i] = 1.0;
    ap_chain_close(&chain);
    return AP_OK;
}

ap_status ap_chain_here(ap_chain *chain, ap_work *work, ap_error *err) {
    const ap_status status = ap_target_evaluate(&chain->at, &chain->moves, &chain->metric, work, err);
    return status == AP_OK ? ap_target_gap(&chain->at, &chain->moves, &chain->metric, work, err) : status;
}

bool ap_chain_turned(const ap_chain *chain) { return chain->turn != NULL && chain->turn[0] > 0.0; }

// Where a surrogate is known trajectories follow it.
ap_status ap_chain_follow(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const bool follows = chain->surrogate != NULL && chain->surrogate[0] > 0.0;
    chain->tuning.surrogate = follows ? chain->surrogate[0] : 0.0;
    chain->moves = *t;
    chain->at.surrogate_error = 0.0;
    ap_status status = AP_OK;
    if (follows || t->room > 0)
        status = t->follow(&chain->moves, t, follows ? chain->surrogate : NULL,
                           ap_chain_turned(chain) ? chain->turn + 1 : NULL, chain->room, err);
    return status == AP_OK ? ap_chain_here(chain, work, err) : status;
}

ap_status ap_chain_open(ap_chain *chain, double *state, const ap_target *t, ap_work *work, ap_error *err) {
    lay_out(chain, state, t);
    memcpy(&chain->tuning, state, sizeof chain->tuning);
    ap_status status = ap_rng_load(&chain->rng, state + sizeof(ap_tuning) / sizeof(double), err);
    if (status < 0) return status;
    const double step = chain->tuning.step, arm = chain->tuning.arm, done = chain->tuning.done;
    if (!(arm >= 0.0 && arm < ap_arms && arm == floor(arm) && step > 0.0 && isfinite(step) && done >= 0.0 &&
          done < 0x1p53 && done == floor(done)))
        return ap_fail(err, AP_EINPUT, "this is no state of a chain: step %g, trajectory %g, %g done", step, arm, done);
    chain->at.grad = ap_take(work, t->dim);
    chain->metric.room = ap_take(work, 2 * t->metric);
    chain->room = ap_take(work, t->room);
    if (chain->room == NULL) return ap_not_taken(work, err, "ap_chain_open");
    return ap_chain_follow(chain, t, work, err);
}

ap_move ap_chain_move(const ap_chain *chain) {  // of a state that has not been opened as well, whatever it holds
    const size_t arm = chain->tuning.arm >= 0.0 && chain->tuning.arm < ap_arms ? (size_t)chain->tuning.arm : 0;
    const double step = chain->tuning.step, count = fmin(floor(ap_chain_arms[arm].length / step + 0.5), most_steps);
    return (ap_move){.step = step, .steps = count >= 1.0 ? (size_t)count : 1, .friction = ap_chain_arms[arm].friction};
}
