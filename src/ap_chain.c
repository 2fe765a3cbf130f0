// ap_chain.c: one Markov chain and its warm-up
// SPDX-License-Identifier: BSD-3-Clause
//
// After `warmup` trajectories nothing is adapted any more, and every trajectory leaves the posterior unchanged. Before
// that, as fractions of the warm-up,
//
//   0    .. 0.15  the step settles by dual averaging (Nesterov; Hoffman, Gelman 2014) towards an acceptance of 0.8
//   0.15 .. 0.6   dense metrics only: in windows of doubling length the mean and covariance of x are estimated, and at
//                 the end of a window F F' = (1 - w) covariance + w diag (variances), w = dim / (dim + draws), replaces
//                 the metric; the step goes on from where it was
//   .. 0.9        trajectories of several lengths and frictions take turns. Of each the squared changes of all s_i, the
//                 entries of U and the log posterior, are added up: that gives lag-one autocorrelations rho_i, and
//                 tau_i = (1 + rho_i) / (1 - rho_i). The trajectory is worth 1 / (cost |tau|), about the effective
//                 samples per second of the slowest s_i: cost counts gradients, momenta drawn, and one for the draw
//   0.9  .. 1     the step settles once more, and its average is kept
//
// Each trajectory's step is off by up to 10 % at random, against lengths that happen to be a period of something.

#include "ap_chain.h"

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_pairs.h"
#include "ap_spd.h"

// Matters of taste, each tried on the Markov task (N = 10 .. 1000) and on 16 paths. goal: effective samples per second
// hardly differ from 0.7 to 0.9, and fall at 0.6. arms: for order parameters 1.6 and 2.4 are best, for weights 0.8 and
// 1.2; friction rarely wins. margin: without it one chain in ten took a trajectory three times slower than the others'.
// most_steps: the search for a step may pass through tiny ones. Lengths and steps are angles of the normal part.
static const double goal = 0.8;     // acceptance aimed at
static const double margin = 1.25;  // by which another trajectory must beat the first to be chosen
static const double jitter = 0.1;   // of the step, relative
static const double first_step = 0.1, shortest_step = 1e-6, longest_step = 1.5;
static const double most_steps = 1024.0;
static const struct {
    double length, friction;
} arms[ap_arms] = {{1.6, 0.0}, {0.8, 0.0}, {1.2, 0.0}, {2.4, 0.0}, {1.6, 1.0}, {2.4, 1.0}};

enum { settle = 15, shape = 60, choose = 90, first_window = 25 };  // percent of the warm-up; draws

// What the choice of a trajectory looks at: the entries of U, and the log posterior.
static size_t watched(const ap_target *t) { return ap_plus(ap_pairs_count(t->paths), 1); }

static size_t head(void) { return sizeof(ap_tuning) / sizeof(double) + ap_rng_words; }

size_t ap_chain_state(const ap_target *t) {
    const size_t square = t->learns_metric ? ap_times(2, ap_times(t->dim, ap_plus(t->dim, 1))) : 0;
    return ap_plus(ap_plus(head(), t->dim), ap_plus(square, ap_times(watched(t), ap_arms + 3)));
}

static void lay_out(ap_chain *chain, double *state, const ap_target *t) {
    const size_t n = t->dim, seen = watched(t);
    *chain = (ap_chain){.state = state};
    double *at = state + head();
    chain->at.z = at;
    at += n;
    if (t->learns_metric) {
        chain->centre = at;
        chain->F = chain->centre + n;
        chain->mean = chain->F + n * n;
        chain->second = chain->mean + n;
        at = chain->second + n * n;
        chain->metric = (ap_metric){.centre = chain->centre, .F = chain->F};
    }
    chain->jump = at;
    chain->seen_mean = chain->jump + seen * ap_arms;
    chain->seen_second = chain->seen_mean + seen;
    chain->seen_last = chain->seen_second + seen;
}

void ap_chain_close(ap_chain *chain) {
    memcpy(chain->state, &chain->tuning, sizeof chain->tuning);
    ap_rng_save(chain->state + sizeof(ap_tuning) / sizeof(double), &chain->rng);
}

static void restart_averaging(ap_tuning *t) {
    t->centre_step = log(2.0 * t->step);
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
    restart_averaging(&chain.tuning);
    memcpy(chain.at.z, x, t->dim * sizeof(double));
    if (t->learns_metric) ap_spd_identity(chain.F, t->dim);
    ap_chain_close(&chain);
    return AP_OK;
}

// A chain on a stack that counts has no state: only whether it has a metric matters.
static ap_status count_open(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    static const double some = 0.0;
    *chain = (ap_chain){.metric = {.F = t->learns_metric ? &some : NULL}};
    (void)ap_take(work, t->dim);
    return ap_target_evaluate(&chain->at, t, &chain->metric, work, err);
}

ap_status ap_chain_open(ap_chain *chain, double *state, const ap_target *t, ap_work *work, ap_error *err) {
    if (work->counts) return count_open(chain, t, work, err);
    lay_out(chain, state, t);
    memcpy(&chain->tuning, state, sizeof chain->tuning);
    ap_status status = ap_rng_load(&chain->rng, state + sizeof(ap_tuning) / sizeof(double), err);
    if (status < 0) return status;
    const double step = chain->tuning.step, arm = chain->tuning.arm, done = chain->tuning.done;
    if (!(arm >= 0.0 && arm < ap_arms && arm == floor(arm) && step > 0.0 && isfinite(step) && done >= 0.0 &&
          done < 0x1p53 && done == floor(done)))
        return ap_fail(err, AP_EINPUT, "this is no state of a chain: step %g, trajectory %g, %g done", step, arm, done);
    chain->at.grad = ap_take(work, t->dim);
    if (chain->at.grad == NULL) return ap_not_taken(work, err, "ap_chain_open");
    return ap_target_evaluate(&chain->at, t, &chain->metric, work, err);
}

ap_move ap_chain_move(const ap_chain *chain) {  // of a state that has not been opened as well, whatever it holds
    const size_t arm = chain->tuning.arm >= 0.0 && chain->tuning.arm < ap_arms ? (size_t)chain->tuning.arm : 0;
    const double step = chain->tuning.step, count = fmin(floor(arms[arm].length / step + 0.5), most_steps);
    return (ap_move){.step = step, .steps = count >= 1.0 ? (size_t)count : 1, .friction = arms[arm].friction};
}

// ---- warm-up -------------------------------------------------------------------------------------------------------

static void average_step(ap_tuning *t, double acceptance) {
    t->count += 1.0;
    const double eta = 1.0 / (t->count + 10.0), weight = pow(t->count, -0.75);
    t->lag += eta * (goal - acceptance - t->lag);
    const double aim = t->centre_step - sqrt(t->count) / 0.05 * t->lag;
    const double log_step = fmin(fmax(aim, log(shortest_step)), log(longest_step));
    t->step_mean += weight * (log_step - t->step_mean);
    t->step = exp(log_step);
}

static void add_moments(double *mean, double *second, double count, const double *x, size_t n, bool dense) {
    for (size_t j = 0; j < n; j++) mean[j] += (x[j] - mean[j]) / count;  // Welford; x - mean below is the new one
    const double weight = count > 1.0 ? count / (count - 1.0) : 0.0;
    for (size_t j = 0; j < n; j++) {
        const double dj = weight * (x[j] - mean[j]);
        for (size_t i = j; dense && i < n; i++) second[i + n * j] += dj * (x[i] - mean[i]);
        if (!dense) second[j] += dj * (x[j] - mean[j]);
    }
}

// The metric from the window's moments; x, the current position, is kept.
static ap_status renew_metric(ap_chain *chain, const ap_target *t, const double *x, ap_work *work, ap_error *err) {
    const size_t n = t->dim;
    ap_tuning *tuning = &chain->tuning;
    const double draws = tuning->window, keep = draws / ((double)n + draws);
    memcpy(chain->centre, chain->mean, n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            const double moment = chain->second[i + n * j] / (draws - 1.0);
            chain->F[i + n * j] =
                i == j ? moment + 1e-6 : keep * moment;  // 1e-6 of the prior's: a chain that stood still
        }
    ap_status status = ap_spd_chol(chain->F, n, "the metric", err);
    if (status < 0) return status;
    ap_spd_clear_upper(chain->F, n);
    for (size_t i = 0; i < n; i++) chain->at.z[i] = x[i] - chain->centre[i];
    ap_trsm('L', 'N', n, 1, 1.0, chain->F, n, chain->at.z, n);
    memset(chain->mean, 0, n * sizeof(double));
    memset(chain->second, 0, n * n * sizeof(double));
    tuning->window = 0.0;
    restart_averaging(tuning);
    return ap_target_evaluate(&chain->at, t, &chain->metric, work, err);
}

static ap_status metric_window(ap_chain *chain, const ap_target *t, double from, double to, ap_work *work,
                               ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const size_t mark = work->used;
    ap_status status = AP_OK;
    double *x = ap_take(work, t->dim);
    if (x == NULL) {
        status = ap_not_taken(work, err, "ap_chain_next");
        if (status == AP_OK) status = ap_target_evaluate(&chain->at, t, &chain->metric, work, err);
        goto done;
    }
    if (tuning->window_end == 0.0) tuning->window_end = from + (double)first_window;
    ap_target_position(x, &chain->metric, t->dim, chain->at.z);
    tuning->window += 1.0;
    add_moments(chain->mean, chain->second, tuning->window, x, t->dim, true);
    if (tuning->done >= to || (tuning->done >= tuning->window_end && 2.0 * tuning->window < to - tuning->done)) {
        tuning->window_end = tuning->done + 2.0 * tuning->window;
        if (tuning->window >= 10.0) status = renew_metric(chain, t, x, work, err);
    }
done:
    work->used = mark;
    return status;
}

static ap_status try_arms(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, ap_work *work,
                          ap_error *err) {
    const size_t seen = watched(t), arm = (size_t)chain->tuning.arm, mark = work->used;
    ap_tuning *tuning = &chain->tuning;
    ap_status status = AP_OK;
    double *x = ap_take(work, t->dim), *U = ap_take_matrix(work, t->paths, t->paths), *u = ap_take(work, seen);
    if (u == NULL) status = ap_not_taken(work, err, "ap_chain_next");
    if (u != NULL) ap_target_position(x, &chain->metric, t->dim, chain->at.z);
    if (status == AP_OK) status = t->order(U, t->self, x, work, err);
    if (status < 0 || u == NULL) goto done;
    ap_pairs_pack(u, U, t->paths, 1.0);
    u[seen - 1] = chain->at.psi + 0.5 * ap_dot(t->dim, chain->at.z, chain->at.z);
    if (tuning->trials > 0.0) {
        for (size_t i = 0; i < seen; i++) {
            const double change = u[i] - chain->seen_last[i];
            chain->jump[i + seen * arm] += change * change;
        }
        tuning->tries[arm] += 1.0;
        const double drawn = 1.0 + (arms[arm].friction > 0.0 ? (double)(outcome->gradients - 1) : 0.0);
        tuning->cost[arm] += 1.0 + (double)outcome->gradients + t->refresh * drawn;
    }
    tuning->trials += 1.0;
    add_moments(chain->seen_mean, chain->seen_second, tuning->trials, u, seen, false);
    memcpy(chain->seen_last, u, seen * sizeof(double));
    tuning->arm = (double)((arm + 1) % ap_arms);
done:
    work->used = mark;
    return status;
}

// (1 + rho) / (1 - rho) from the variance and the mean squared change, 2 (1 - rho) of it; rho < -0.8 is not believed.
static double autocorrelation_time(double variance, double change) {
    return fmax(4.0 * variance / change - 1.0, 1.0 / 9.0);
}

static void choose_arm(ap_chain *chain, const ap_target *t) {
    const size_t seen = watched(t);
    ap_tuning *tuning = &chain->tuning;
    double best = 0.0;
    tuning->arm = 0.0;
    for (size_t arm = 0; arm < ap_arms; arm++) {  // the first is right so often that another must show more than luck
        double slowness = 0.0;
        for (size_t i = 0; i < seen; i++)
            slowness = hypot(slowness, autocorrelation_time(chain->seen_second[i] / tuning->trials,
                                                            chain->jump[i + seen * arm] / tuning->tries[arm]));
        const double worth = 1.0 / (slowness * tuning->cost[arm] / tuning->tries[arm]);
        if (worth > (tuning->arm == 0.0 ? margin * best : best)) {  // false for NaN: not tried, or it never moved
            best = worth;
            tuning->arm = (double)arm;
        }
    }
}

static ap_status adapt(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, size_t warmup, ap_work *work,
                       ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const double all = (double)warmup, from = floor(all * settle / 100.0);
    const double to = t->learns_metric ? floor(all * shape / 100.0) : from, chosen = floor(all * choose / 100.0);
    ap_status status = AP_OK;
    average_step(tuning, outcome->acceptance);
    if (tuning->done > from && tuning->done <= to)
        status = metric_window(chain, t, from, to, work, err);
    else if (tuning->done > to && tuning->done <= chosen)
        status = try_arms(chain, t, outcome, work, err);
    if (status < 0) return status;
    if (tuning->done == chosen) {
        choose_arm(chain, t);
        tuning->step = exp(tuning->step_mean);
        restart_averaging(tuning);
    }
    if (tuning->done == all && tuning->count > 0.0) {  // shortened so that whole steps make up the trajectory's length
        const double length = arms[(size_t)tuning->arm].length;
        tuning->step = length / ceil(length / exp(tuning->step_mean));
    }
    return AP_OK;
}

static ap_status count_next(ap_chain *chain, ap_outcome *outcome, const ap_target *t, ap_work *work, ap_error *err) {
    const ap_move move = {.steps = 1};
    ap_status status = ap_trajectory(&chain->at, outcome, t, &chain->metric, &move, &chain->rng, NULL, NULL, work, err);
    if (status == AP_OK) status = metric_window(chain, t, 0.0, 0.0, work, err);
    if (status == AP_OK) status = try_arms(chain, t, outcome, work, err);
    return status;
}

ap_status ap_chain_next(ap_chain *chain, ap_outcome *outcome, const ap_target *t, size_t warmup,
                        bool (*stop)(void *context), void *context, ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    if (work->counts) return count_next(chain, outcome, t, work, err);
    ap_move move = ap_chain_move(chain);
    move.step *= 1.0 + jitter * (2.0 * ap_rng_uniform(&chain->rng) - 1.0);
    ap_status status =
        ap_trajectory(&chain->at, outcome, t, &chain->metric, &move, &chain->rng, stop, context, work, err);
    if (status != AP_OK) return status;
    tuning->done += 1.0;
    if (tuning->done <= (double)warmup) return adapt(chain, t, outcome, warmup, work, err);
    tuning->acceptance += outcome->acceptance;
    tuning->accepted += outcome->accepted ? 1.0 : 0.0;
    tuning->diverged += outcome->diverged ? 1.0 : 0.0;
    return AP_OK;
}
