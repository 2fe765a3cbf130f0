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

static const double first_step = 0.1;     // of a new chain, before the warm-up adapts it (ap_adapt.c)
static const double most_steps = 1024.0;  // of a trajectory: the warm-up may pass through tiny ones

// What the choice of a trajectory looks at: the entries of U, and the log posterior.
size_t ap_chain_watched(const ap_target *t) { return ap_plus(ap_pairs_count(t->paths), 1); }

// The position behind it begins on a line, as copies of it in scratch memory do (ap_work.c).
static size_t head(void) { return ap_lines(sizeof(ap_tuning) / sizeof(double) + ap_rng_words); }

// Returns the doubles of the state, which may be NULL.
static size_t lay_out(ap_chain *chain, double *state, const ap_target *t) {
    const size_t n = t->dim, k = t->metric, seen = ap_chain_watched(t), square = ap_times(k, k);
    size_t used = head();
    *chain = (ap_chain){.state = state, .moves = *t, .at.z = ap_carve(state, &used, n)};
    if (ap_target_learns(t)) {
        chain->centre = ap_carve(state, &used, n);
        chain->F = ap_carve(state, &used, square);
        chain->mean = ap_carve(state, &used, k);
        chain->second = ap_carve(state, &used, square);
        if (k < n && !t->each) chain->V = ap_carve(state, &used, ap_times(n, k));
    }
    if (t->each) {
        chain->scale = ap_carve(state, &used, n - k);
        chain->mean_each = ap_carve(state, &used, n - k);
        chain->square_each = ap_carve(state, &used, n - k);
    }
    chain->metric =
        (ap_metric){.centre = chain->centre, .F = chain->F, .V = chain->V, .scale = chain->scale, .rank = k};
    if (t->head_start) {
        chain->length = ap_carve(state, &used, 1);
        double *mode = ap_carve(state, &used, ap_mode_state(n));
        if (state != NULL) ap_mode_lay(&chain->mode, mode, n, k);
        chain->mode.V = chain->V;
        chain->mode.H = chain->second;
    }
    chain->jump = ap_carve(state, &used, ap_times(seen, ap_arms));
    chain->seen_mean = ap_carve(state, &used, seen);
    chain->seen_second = ap_carve(state, &used, seen);
    chain->seen_last = ap_carve(state, &used, seen);
    if (t->surrogate > 0) chain->surrogate = ap_carve(state, &used, t->surrogate);
    if (t->turn > 0) chain->turn = ap_carve(state, &used, ap_plus(1, t->turn));
    return used;
}

size_t ap_chain_state(const ap_target *t) {
    ap_chain none;
    return lay_out(&none, NULL, t);
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
    for (size_t i = 0; i < t->dim; i++)
        if (!isfinite(x[i])) return ap_fail(err, AP_ENONFINITE, "coordinate %zu of the start is not finite", i + 1);
    memset(state, 0, lay_out(&chain, state, t) * sizeof(double));
    chain.tuning.step = first_step;
    chain.rng = *rng;
    ap_chain_restart(&chain.tuning, 2.0);
    memcpy(chain.at.z, x, t->dim * sizeof(double));
    if (t->metric > 0) ap_spd_identity(chain.F, t->metric);
    for (size_t i = t->metric; t->each && i < t->dim; i++) chain.scale[i - t->metric] = 1.0;
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
    (void)lay_out(chain, state, t);
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
