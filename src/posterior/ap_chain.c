// ap_chain.c: one Markov chain and its warm-up
// SPDX-License-Identifier: BSD-3-Clause
//
// After `warmup` trajectories nothing is adapted any more, and every trajectory leaves the posterior unchanged. Before
// that a target may have a head start: its first units are no trajectories, but ten evaluations each.
//
//   search        from the draw of the prior to a mode (ap_mode.c), each chain to its own
//   guide         of a target that has one: learned at the mode; from here on it is what moves the chain
//   probing       the curvature there, along the metric's directions
//   start         z is drawn from a normal distribution of `wide` times the width, about the mode: chains begin well
//                 apart, and those that came to different modes stay there for R-hat to see
//
// At most 15 % of the warm-up are the search, and as many are the probing. A warm-up that is too short for that begins
// at the draw of the prior. Measured on the one-shot task, 16 paths, N = 10, P = 80, T = 0.5, 4 chains of 1000 draws,
// in one run:
//
//   warm-up          1000, no head start    200    300
//   seconds of it                   19.8    3.2    4.1    on a machine with other work
//   smallest ESS of U               1653   1587   1341
//   ESS of the log posterior        1242   1152   1233
//
// Then, as fractions of what is left of the warm-up,
//
//   0    .. 0.15  the step settles by dual averaging (Nesterov; Hoffman, Gelman 2014) towards an acceptance of 0.8
//   0.15 .. 0.6   where there is a metric: in windows of doubling length the mean and covariance of z along its
//                 directions are estimated, and at the end of a window they improve it (ap_metric.c)
//   .. 0.9        trajectories of several lengths and frictions take turns. For each the squared changes of all s_i,
//                 the entries of U and the log posterior, are added up: that gives lag-one autocorrelations rho_i, and
//                 tau_i = (1 + rho_i) / (1 - rho_i). The trajectory is worth 1 / (cost |tau|), about the effective
//                 samples per second of the slowest s_i: cost counts gradients, momenta drawn, and one for the draw
//   0.9  .. 1     the step settles once more, and its average is kept
//
// Where a target has turned coordinates (ap_bartlett.c) the search goes on in those of the mode that it found, and the
// metric is learned otherwise. With a singular U_1 a mode is no typical place: labels of three classes add up to zero,
// the readout's factor of their sum is a sixth of what it is at the mode, and what belongs to it has the prior's
// curvature, where the mode's is tenfold; and a hundred draws say less of 222 unknowns than one place does. So the
// curvature is probed anew at up to `rounds` places of the chain, spread over that time, and H is their mean. A metric
// has that, and as its centre the mean of the places since the last one.
//
// A guide (ap_target.h) moves the chain alone until the first of these ends; it is then learned anew, at the mean of U
// over the second half of that time, and the target accepts or rejects. It is given up where it misses too much, and
// learned for the last time where the metric is, at the mean of U since. The step settles by what steps do to the
// guide's own energy: what the guide misses would otherwise shrink it.
//
// Where there is a metric and each trajectory would have fewer than 20 tries, the first one is taken untried: the
// metric is then learned up to 0.8 of the warm-up, and the step has the rest.
//
// Each trajectory's step is changed by up to 10 % at random: a fixed length might happen to be a period of the motion.

#include "posterior/ap_chain.h"

#include <math.h>
#include <string.h>

#include "base/ap_blas.h"
#include "base/ap_pairs.h"
#include "base/ap_spd.h"

// Matters of taste, each tried on the Markov task (N = 10 .. 1000) and on 16 paths. goal: effective samples per second
// hardly differ from 0.7 to 0.9, and fall at 0.6. arms: for order parameters 1.6 and 2.4 are best, for weights 0.8 and
// 1.2; friction rarely wins. margin: without it one chain in ten took a trajectory three times slower than the others'.
// most_steps: the search for a step may pass through tiny ones. Lengths and steps are angles of the normal part.
static const double goal = 0.8;           // acceptance aimed at
static const double margin = 1.25;        // by which another trajectory must beat the first to be chosen
static const double jitter = 0.1;         // of the step, relative
static const double calm_first = 0.05;    // gamma of dual averaging, its usual value
static const double calm_informed = 0.2;  // and after a head start: with the first one rejection may cut the step to a
                                          // tenth, and in a short warm-up its average stays too small by a third
static const double slack = 0.1;          // of a step, by which the adapted one may then be exceeded over a trajectory
static const double worst_gap = 1.0;      // mean square that a guide may miss: it costs a third of the acceptance
static const double wide = 1.4142135623730951;  // twice the variance, as is usual for starts that R-hat is to compare
static const double first_step = 0.1, informed_step = 0.3;  // the second where the metric is that of a mode
static const double shortest_step = 1e-6, longest_step = 1.5, most_steps = 1024.0;
static const struct {
    double length, friction;
} arms[ap_arms] = {{1.6, 0.0}, {0.8, 0.0}, {1.2, 0.0}, {2.4, 0.0}, {1.6, 1.0}, {2.4, 1.0}};

enum { settle = 15, shape = 60, choose = 90, soon = 80, first_window = 25 };  // percent of the warm-up; draws
enum { search = 15, evaluations = 10 };  // percent of it at most; in a unit of the head start, and of a probing
enum { rounds = 3 };

// What the choice of a trajectory looks at: the entries of U, and the log posterior.
static size_t watched(const ap_target *t) { return ap_plus(ap_pairs_count(t->paths), 1); }

// The position behind it begins on a line, as copies of it in scratch memory do (ap_work.c).
static size_t head(void) { return ap_lines(sizeof(ap_tuning) / sizeof(double) + ap_rng_words); }

static size_t stored_directions(const ap_target *t) { return t->metric < t->dim ? ap_times(t->dim, t->metric) : 0; }

size_t ap_chain_state(const ap_target *t) {
    const size_t k = t->metric, square = ap_times(k, ap_plus(k, 1));  // moments, and in centre and F more of it
    const size_t metric = k == 0 ? 0 : ap_plus(ap_plus(t->dim, ap_times(k, k)), ap_plus(square, stored_directions(t)));
    const size_t start = t->head_start ? ap_plus(1, ap_mode_state(t->dim)) : 0;
    const size_t seen = ap_times(watched(t), ap_arms + 3);
    const size_t turn = t->turn == 0 ? 0 : ap_plus(1, t->turn);
    return ap_plus(ap_plus(head(), t->dim), ap_plus(ap_plus(metric, start), ap_plus(seen, ap_plus(t->guide, turn))));
}

static void lay_metric(ap_chain *chain, double **at, const ap_target *t) {
    const size_t n = t->dim, k = t->metric;
    chain->centre = *at;
    chain->F = chain->centre + n;
    chain->mean = chain->F + k * k;
    chain->second = chain->mean + k;
    *at = chain->second + k * k;
    if (k < n) chain->V = *at;
    *at += stored_directions(t);
    chain->metric = (ap_metric){.centre = chain->centre, .F = chain->F, .V = chain->V, .rank = k};
}

static void lay_out(ap_chain *chain, double *state, const ap_target *t) {
    const size_t n = t->dim, seen = watched(t);
    *chain = (ap_chain){.state = state, .moves = *t};
    double *at = state + head();
    chain->at.z = at;
    at += n;
    if (t->metric > 0) lay_metric(chain, &at, t);
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
    if (t->guide > 0) chain->guide = at;
    if (t->turn > 0) chain->turn = at + t->guide;
}

void ap_chain_close(ap_chain *chain) {
    memcpy(chain->state, &chain->tuning, sizeof chain->tuning);
    ap_rng_save(chain->state + sizeof(ap_tuning) / sizeof(double), &chain->rng);
}

// `trust` in the step in use: 2 draws the next ones towards twice of it, to find out; 1 towards itself.
static void restart_averaging(ap_tuning *t, double trust) {
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
    restart_averaging(&chain.tuning, 2.0);
    memcpy(chain.at.z, x, t->dim * sizeof(double));
    if (t->metric > 0) ap_spd_identity(chain.F, t->metric);
    ap_chain_close(&chain);
    return AP_OK;
}

static ap_status evaluate_here(ap_chain *chain, ap_work *work, ap_error *err) {
    const ap_status status = ap_target_evaluate(&chain->at, &chain->moves, &chain->metric, work, err);
    return status == AP_OK ? ap_target_gap(&chain->at, &chain->moves, &chain->metric, work, err) : status;
}

static bool is_turned(const ap_chain *chain) { return chain->turn != NULL && chain->turn[0] > 0.0; }

// Where a guide is known trajectories follow it.
static ap_status follow(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const bool guided = chain->guide != NULL && chain->guide[0] > 0.0;
    chain->tuning.guide = guided ? chain->guide[0] : 0.0;
    chain->moves = *t;
    chain->at.gap = 0.0;
    ap_status status = AP_OK;
    if (guided || t->room > 0)
        status = t->follow(&chain->moves, t, guided ? chain->guide : NULL, is_turned(chain) ? chain->turn + 1 : NULL,
                           chain->room, err);
    return status == AP_OK ? evaluate_here(chain, work, err) : status;
}

// A chain on a stack that counts has no state: only whether it has a metric matters.
static ap_status count_open(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    static const double some = 0.0;
    *chain = (ap_chain){.metric = {.F = t->metric > 0 ? &some : NULL, .rank = t->metric}, .moves = *t};
    chain->mode = (ap_mode){.dim = t->dim, .rank = t->metric};
    (void)ap_take(work, t->dim);
    (void)ap_take(work, ap_times(2, t->metric));
    (void)ap_take(work, t->room);
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
    chain->metric.room = ap_take(work, 2 * t->metric);
    chain->room = ap_take(work, t->room);
    if (chain->room == NULL) return ap_not_taken(work, err, "ap_chain_open");
    return follow(chain, t, work, err);
}

ap_move ap_chain_move(const ap_chain *chain) {  // of a state that has not been opened as well, whatever it holds
    const size_t arm = chain->tuning.arm >= 0.0 && chain->tuning.arm < ap_arms ? (size_t)chain->tuning.arm : 0;
    const double step = chain->tuning.step, count = fmin(floor(arms[arm].length / step + 0.5), most_steps);
    return (ap_move){.step = step, .steps = count >= 1.0 ? (size_t)count : 1, .friction = arms[arm].friction};
}

// ---- warm-up -------------------------------------------------------------------------------------------------------

static void average_step(ap_tuning *t, double acceptance, double calm) {
    t->count += 1.0;
    const double eta = 1.0 / (t->count + 10.0), weight = pow(t->count, -0.75);
    t->lag += eta * (goal - acceptance - t->lag);
    const double aim = t->centre_step - sqrt(t->count) / calm * t->lag;
    const double log_step = fmin(fmax(aim, log(shortest_step)), log(longest_step));
    t->step_mean += weight * (log_step - t->step_mean);
    t->step = exp(log_step);
}

static void add_moments(double *mean, double *second, double count, const double *x, size_t n) {
    const double weight = count > 1.0 ? count / (count - 1.0) : 0.0;
    for (size_t j = 0; j < n; j++) {
        mean[j] += (x[j] - mean[j]) / count;  // Welford
        second[j] += weight * (x[j] - mean[j]) * (x[j] - mean[j]);
    }
}

static ap_status renew_metric(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    ap_status status = ap_metric_learn(chain->centre, chain->F, chain->at.z, chain->mean, chain->second, &chain->metric,
                                       t->dim, tuning->window, work, err);
    if (status < 0) return status;
    tuning->window = 0.0;
    restart_averaging(tuning, 2.0);
    return evaluate_here(chain, work, err);
}

static ap_status metric_window(ap_chain *chain, const ap_target *t, double from, double to, ap_work *work,
                               ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const size_t mark = work->used;
    ap_status status = AP_OK;
    double *u = ap_take(work, t->metric);
    if (u == NULL) {
        status = ap_not_taken(work, err, "ap_chain_next");
        if (status == AP_OK) status = renew_metric(chain, t, work, err);
        goto done;
    }
    if (tuning->window_end == 0.0) tuning->window_end = from + (double)first_window;
    ap_metric_part(u, &chain->metric, t->dim, chain->at.z);
    tuning->window += 1.0;
    ap_metric_see(chain->mean, chain->second, tuning->window, u, t->metric);
    if (tuning->done >= to || (tuning->done >= tuning->window_end && 2.0 * tuning->window < to - tuning->done)) {
        tuning->window_end = tuning->done + 2.0 * tuning->window;
        if (tuning->window >= 10.0) status = renew_metric(chain, t, work, err);
    }
done:
    work->used = mark;
    return status;
}

// The mean of the entries of U and of the log posterior, with those of this place.
static ap_status see_order(ap_chain *chain, double *u, const ap_target *t, ap_work *work, ap_error *err) {
    const size_t seen = watched(t), mark = work->used;
    ap_status status = AP_OK;
    double *x = ap_take(work, t->dim), *U = ap_take_matrix(work, t->paths, t->paths);
    if (U == NULL) status = ap_not_taken(work, err, "ap_chain_next");
    if (U != NULL) ap_metric_position(x, &chain->metric, t->dim, chain->at.z);
    if (status == AP_OK) status = chain->moves.order(U, chain->moves.self, x, work, err);
    if (status == AP_OK && u != NULL) {  // NULL where the stack counts
        ap_pairs_pack(u, U, t->paths, 1.0);
        u[seen - 1] = chain->at.psi + chain->at.gap + 0.5 * ap_dot(t->dim, chain->at.z, chain->at.z);
        chain->tuning.trials += 1.0;
        add_moments(chain->seen_mean, chain->seen_second, chain->tuning.trials, u, seen);
    }
    work->used = mark;
    return status;
}

static ap_status try_arms(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, ap_work *work,
                          ap_error *err) {
    const size_t seen = watched(t), arm = (size_t)chain->tuning.arm, mark = work->used;
    ap_tuning *tuning = &chain->tuning;
    double *u = ap_take(work, seen);
    ap_status status = u == NULL ? ap_not_taken(work, err, "ap_chain_next") : AP_OK;
    if (status == AP_OK) status = see_order(chain, u, t, work, err);
    if (status < 0 || u == NULL) goto done;
    if (tuning->trials > 1.0) {
        for (size_t i = 0; i < seen; i++) {
            const double change = u[i] - chain->seen_last[i];
            chain->jump[i + seen * arm] += change * change;
        }
        tuning->tries[arm] += 1.0;
        const double drawn = 1.0 + (arms[arm].friction > 0.0 ? (double)(outcome->gradients - 1) : 0.0);
        tuning->cost[arm] += 1.0 + chain->moves.settle + (double)outcome->gradients + t->refresh * drawn;
    }
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

// ---- head start -----------------------------------------------------------------------------------------------------

// A warm-up in which the curvature can be probed along all directions.
static bool is_long_enough(const ap_target *t, double warmup) {
    return t->head_start && floor(warmup * search / 100.0) * (double)evaluations >= (double)t->metric;
}

// The place at which the chain begins: z normal, or what of it the target bears.
static ap_status begin_apart(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const size_t n = t->dim;
    double *z = chain->at.z;
    ap_status status = AP_ENONFINITE;
    ap_rng_normals(z, n, &chain->rng);
    for (size_t j = 0; j < n; j++) z[j] *= wide;
    for (size_t k = 0; k < 60 && status < 0; k++) {
        if (k > 0)
            for (size_t j = 0; j < n; j++) z[j] *= k < 59 ? 0.5 : 0.0;
        status = evaluate_here(chain, work, err);
        if (status < 0 && !ap_target_survives(status)) break;
    }
    return status;
}

static ap_status end_head_start(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const size_t k = t->metric;
    ap_status status = ap_mode_factor(chain->F, &chain->mode, work, err);
    if (work->counts || (status < 0 && !ap_target_survives(status))) return status;
    if (status < 0) ap_spd_identity(chain->F, k);
    memcpy(chain->centre, chain->at.z, t->dim * sizeof(double));
    memset(chain->second, 0, k * k * sizeof(double));
    chain->tuning.step = informed_step;
    restart_averaging(&chain->tuning, 2.0);
    *chain->length = chain->tuning.done + 1.0;
    return begin_apart(chain, t, work, err);
}

// At the mode: a guide, where the target has one, and from there on all follows it.
static ap_status find_guide(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    if (t->guide == 0) return AP_OK;
    double *U = ap_take_matrix(work, t->paths, t->paths);
    ap_status status = U == NULL ? ap_not_taken(work, err, "ap_chain_next") : AP_OK;
    if (status == AP_OK) status = chain->moves.order(U, chain->moves.self, chain->at.z, work, err);
    if (status == AP_OK) status = t->learn(chain->guide, t->self, U, work, err);
    if (!work->counts && status == AP_OK && chain->guide[0] > 0.0) {
        status = follow(chain, t, work, err);
        ap_mode_accept(&chain->mode, &chain->at);
    }
    work->used = mark;
    return status;
}

// At the mode of coordinates that are not turned: from here on in its own.
static ap_status turn_rows(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const ap_status status = t->turn_rows(work->counts ? NULL : chain->turn + 1, chain->at.z, t->self, work, err);
    if (status < 0 || work->counts) return status;
    chain->turn[0] = 1.0;
    ap_mode_restart(&chain->mode);
    return follow(chain, t, work, err);
}

static ap_status search_mode(ap_chain *chain, const ap_target *t, size_t *cost, ap_work *work, ap_error *err) {
    const ap_target *seen = is_turned(chain) ? &chain->moves : t;
    const ap_status status = ap_mode_search(&chain->mode, &chain->at, cost, seen, &chain->metric, work, err);
    const bool found = status == AP_OK && !work->counts && ap_mode_stage(&chain->mode) == AP_PROBING;
    if (found && t->turn > 0 && !is_turned(chain)) return turn_rows(chain, t, work, err);
    return found ? find_guide(chain, t, work, err) : status;
}

static ap_status head_start(ap_chain *chain, const ap_target *t, double warmup, bool (*stop)(void *context),
                            void *context, ap_work *work, ap_error *err) {
    ap_status status = AP_OK;
    const double done = chain->tuning.done;
    for (size_t count = 0, cost = 0; status == AP_OK && count < evaluations; count += cost) {
        if (stop != NULL && stop(context)) return AP_INTERRUPTED;
        cost = 1;
        if (ap_mode_stage(&chain->mode) == AP_SEARCHING)
            status = search_mode(chain, t, &cost, work, err);
        else if (ap_mode_stage(&chain->mode) == AP_PROBING)
            status = ap_mode_probe(&chain->mode, &chain->at, &chain->moves, &chain->metric, &chain->rng, work, err);
        else
            break;
    }
    if (status < 0) return status;
    if (ap_mode_stage(&chain->mode) == AP_SEARCHING && done + 1.0 >= floor(warmup * search / 100.0)) {
        if (t->turn > 0 && !is_turned(chain)) status = turn_rows(chain, t, work, err);
        if (status < 0) return status;
        ap_mode_accept(&chain->mode, &chain->at);
        status = find_guide(chain, t, work, err);
        if (status < 0) return status;
    }
    if (ap_mode_stage(&chain->mode) == AP_KNOWN) status = end_head_start(chain, t, work, err);
    if (status == AP_OK) chain->tuning.done += 1.0;
    return status;
}

static ap_status count_head_start(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    size_t cost;
    ap_status status = ap_mode_search(&chain->mode, &chain->at, &cost, t, &chain->metric, work, err);
    if (status == AP_OK) status = ap_mode_probe(&chain->mode, &chain->at, t, &chain->metric, NULL, work, err);
    if (status == AP_OK && t->turn > 0) status = turn_rows(chain, t, work, err);
    if (status == AP_OK) status = find_guide(chain, t, work, err);
    if (status == AP_OK) status = end_head_start(chain, t, work, err);
    return status;
}

// ---- the next trajectory --------------------------------------------------------------------------------------------

typedef struct schedule {
    double begun, from, to, chosen, all;  // trajectories after which it begins, the metric is learned, is known, ..
    size_t rounds;                        // places at which the curvature is probed between `from` and `to`
    bool informed, tries;                 // there was a head start; trajectories are tried
} schedule;

static schedule schedule_of(const ap_chain *chain, const ap_target *t, size_t warmup) {
    const double begun = chain->length == NULL ? 0.0 : *chain->length, all = (double)warmup, rest = all - begun;
    const double middle = begun + floor(rest * shape / 100.0), late = begun + floor(rest * choose / 100.0);
    schedule s = {.begun = begun, .from = begun + floor(rest * settle / 100.0), .all = all, .informed = begun > 0.0};
    s.tries = t->metric == 0 || late - middle >= 20.0 * ap_arms;
    s.chosen = s.tries ? late : begun + floor(rest * soon / 100.0);
    s.to = t->metric == 0 ? s.from : s.tries ? middle : s.chosen;
    const double probing = 1.0 + (double)t->metric / (double)evaluations;
    while (is_turned(chain) && s.informed && s.rounds < rounds &&
           (double)(s.rounds + 1) * 2.0 * probing <= s.to - s.from)
        s.rounds++;
    return s;
}

// Whether the curvature is to be probed here, or is being probed.
static bool is_probing(const ap_chain *chain, const schedule *s) {
    if (s->rounds == 0 || chain->turn[0] > (double)s->rounds) return false;
    const double share = (chain->turn[0] - 1.0) / (double)s->rounds;
    return chain->tuning.done >= s->from + floor(share * (s->to - s->from));
}

// The metric of the curvature known so far; the chain stands at x.
static ap_status renew_by_curvature(ap_chain *chain, const ap_target *t, const double *x, ap_work *work,
                                    ap_error *err) {
    const size_t n = t->dim;
    ap_tuning *tuning = &chain->tuning;
    if (tuning->window >= 10.0 && !work->counts)
        ap_gemv('N', n, n, 1.0, chain->F, n, chain->mean, 1.0, chain->centre);
    else if (!work->counts)
        memcpy(chain->centre, x, n * sizeof(double));
    ap_status status = ap_mode_factor(chain->F, &chain->mode, work, err);
    if (work->counts || (status < 0 && !ap_target_survives(status))) return status;
    if (status < 0) ap_spd_identity(chain->F, n);
    for (size_t j = 0; j < n; j++) chain->at.z[j] = x[j] - chain->centre[j];
    ap_trsv('N', n, chain->F, n, chain->at.z);
    memset(chain->mean, 0, n * sizeof(double));
    tuning->window = 0.0;
    tuning->step = informed_step;
    restart_averaging(tuning, 1.0);
    return evaluate_here(chain, work, err);
}

// Ten directions more; after the last the metric.
static ap_status probe_here(ap_chain *chain, const ap_target *t, bool (*stop)(void *context), void *context,
                            ap_work *work, ap_error *err) {
    static const ap_metric plain = {.F = NULL};
    const size_t n = t->dim, mark = work->used;
    ap_mode *mode = &chain->mode;
    ap_status status = AP_OK;
    double *x = ap_take(work, n), *grad = ap_take(work, n);
    ap_place here = {.z = x, .grad = grad};
    if (grad == NULL) {
        status = ap_not_taken(work, err, "ap_chain_next");
        if (status == AP_OK) status = ap_mode_probe(mode, &here, &chain->moves, &plain, NULL, work, err);
        if (status == AP_OK) status = renew_by_curvature(chain, t, x, work, err);
        goto done;
    }
    ap_metric_position(x, &chain->metric, n, chain->at.z);
    mode->places = chain->turn[0];  // the first time 1: that of the mode is no longer needed
    if (ap_mode_stage(mode) == AP_KNOWN) {
        status = ap_target_evaluate(&here, &chain->moves, &plain, work, err);
        if (status < 0) goto done;
        ap_mode_accept(mode, &here);
    }
    for (size_t k = 0; k < evaluations && status == AP_OK && ap_mode_stage(mode) == AP_PROBING; k++) {
        if (stop != NULL && stop(context)) status = AP_INTERRUPTED;
        if (status == AP_OK) status = ap_mode_probe(mode, &here, &chain->moves, &plain, &chain->rng, work, err);
    }
    if (status == AP_OK && ap_mode_stage(mode) == AP_KNOWN) {
        chain->turn[0] += 1.0;
        status = renew_by_curvature(chain, t, x, work, err);
    }
    if (status == AP_OK) chain->tuning.done += 1.0;
done:
    work->used = mark;
    return status;
}

// The mean of the places since the last metric.
static void see_place(ap_chain *chain, size_t n) {
    const double count = chain->tuning.window += 1.0;
    for (size_t j = 0; j < n; j++) chain->mean[j] += (chain->at.z[j] - chain->mean[j]) / count;
}

// At the mean of the order parameter the guide is better than at the mode: at that of the last trajectories before the
// metric is learned, and at that of all in which it is.
static ap_status improve_guide(ap_chain *chain, const ap_target *t, bool now, ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const size_t seen = watched(t), mark = work->used;
    double *U = ap_take_matrix(work, t->paths, t->paths), *u = ap_take(work, seen);
    ap_status status = u == NULL ? ap_not_taken(work, err, "ap_chain_next") : AP_OK;
    if (status == AP_OK) status = see_order(chain, u, t, work, err);
    if (work->counts && status == AP_OK) status = t->learn(chain->guide, t->self, U, work, err);
    if (status < 0 || work->counts || !now) goto done;
    ap_pairs_unpack(U, chain->seen_mean, t->paths, 1.0);
    memset(chain->seen_mean, 0, 2 * seen * sizeof(double));
    tuning->trials = 0.0;
    status = t->learn(chain->guide, t->self, U, work, err);
    if (status == AP_OK) status = follow(chain, t, work, err);
done:
    work->used = mark;
    return status;
}

// A guide is judged by what it misses in the first trajectories that the target itself accepts or rejects.
static ap_status judge_guide(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, const schedule *s,
                             ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const double end = fmin(s->from + (double)first_window, s->to);
    if (chain->moves.exact == NULL || tuning->done <= s->from || tuning->done > end) return AP_OK;
    if (!outcome->diverged) {
        const double missed = outcome->error - outcome->integration;
        tuning->gap += missed * missed;
        tuning->gaps += 1.0;
    }
    if (tuning->done < end || tuning->gap <= worst_gap * tuning->gaps) return AP_OK;
    chain->guide[0] = 0.0;
    restart_averaging(tuning, 1.0);
    return follow(chain, t, work, err);
}

static ap_status adapt(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, const schedule *s, ap_work *work,
                       ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const double acceptance = outcome->diverged ? 0.0 : fmin(1.0, exp(-outcome->integration));
    average_step(tuning, acceptance, s->informed ? calm_informed : calm_first);
    ap_status status = AP_OK;
    if (chain->moves.exact != NULL && 2.0 * tuning->done > s->begun + s->from && tuning->done <= s->to)
        status = improve_guide(chain, t, tuning->done == s->from || tuning->done == s->to, work, err);
    if (status == AP_OK) status = judge_guide(chain, t, outcome, s, work, err);
    if (status < 0) return status;
    if (s->rounds > 0)
        see_place(chain, t->dim);
    else if (tuning->done > s->from && tuning->done <= s->to)
        status = metric_window(chain, t, s->from, s->to, work, err);
    if (status == AP_OK && tuning->done > s->to && tuning->done <= s->chosen)
        status = try_arms(chain, t, outcome, work, err);
    if (status < 0) return status;
    if (tuning->done == s->chosen) {
        if (s->tries) choose_arm(chain, t);
        tuning->step = exp(tuning->step_mean);
        restart_averaging(tuning, s->informed ? 1.0 : 2.0);
    }
    if (tuning->done == s->all && tuning->count > 0.0) {  // shortened so that whole steps make up the length
        const double length = arms[(size_t)tuning->arm].length;
        const double steps = length / exp(tuning->step_mean) - (s->informed ? slack : 0.0);
        tuning->step = length / fmax(1.0, ceil(steps));
    }
    return AP_OK;
}

static ap_status count_next(ap_chain *chain, ap_outcome *outcome, const ap_target *t, ap_work *work, ap_error *err) {
    const ap_move move = {.steps = 1};
    ap_status status = ap_trajectory(&chain->at, outcome, t, &chain->metric, &move, &chain->rng, NULL, NULL, work, err);
    if (status == AP_OK && t->metric > 0) status = metric_window(chain, t, 0.0, 0.0, work, err);
    if (status == AP_OK && t->head_start) status = count_head_start(chain, t, work, err);
    if (status == AP_OK && t->guide > 0) status = improve_guide(chain, t, true, work, err);
    if (status == AP_OK && t->turn > 0) status = probe_here(chain, t, NULL, NULL, work, err);
    if (status == AP_OK) status = try_arms(chain, t, outcome, work, err);
    return status;
}

ap_status ap_chain_next(ap_chain *chain, ap_outcome *outcome, const ap_target *t, size_t warmup,
                        bool (*stop)(void *context), void *context, ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    if (work->counts) return count_next(chain, outcome, t, work, err);
    if (tuning->done < (double)warmup && is_long_enough(t, (double)warmup) && *chain->length == 0.0) {
        *outcome = (ap_outcome){0};
        return head_start(chain, t, (double)warmup, stop, context, work, err);
    }
    const schedule plan = schedule_of(chain, t, warmup);
    if (tuning->done < (double)warmup && is_probing(chain, &plan)) {
        *outcome = (ap_outcome){0};
        return probe_here(chain, t, stop, context, work, err);
    }
    ap_move move = ap_chain_move(chain);
    move.step *= 1.0 + jitter * (2.0 * ap_rng_uniform(&chain->rng) - 1.0);
    ap_target moves = chain->moves;
    if (tuning->done < plan.from) moves.exact = NULL;  // so far the guide moves it alone
    ap_status status =
        ap_trajectory(&chain->at, outcome, &moves, &chain->metric, &move, &chain->rng, stop, context, work, err);
    if (status != AP_OK) return status;
    tuning->done += 1.0;
    if (tuning->done <= (double)warmup) return adapt(chain, t, outcome, &plan, work, err);
    tuning->acceptance += outcome->acceptance;
    tuning->accepted += outcome->accepted ? 1.0 : 0.0;
    tuning->diverged += outcome->diverged ? 1.0 : 0.0;
    return AP_OK;
}
