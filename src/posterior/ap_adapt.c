// ap_adapt.c: adaptation of a chain by its trajectories of the warm-up
// SPDX-License-Identifier: BSD-3-Clause
//
//   step          dual averaging (Nesterov; Hoffman, Gelman 2014) towards an acceptance of 0.8
//   metric        in windows of doubling length the mean and covariance of z along its directions are estimated, and at
//                 the end of a window they improve it (ap_metric.c)
//   trajectory    several lengths and frictions take turns. For each the squared changes of all s_i, the entries of U
//                 and the log posterior, are added up: that gives lag-one autocorrelations rho_i, and
//                 tau_i = (1 + rho_i) / (1 - rho_i). The trajectory is worth 1 / (cost |tau|), about the effective
//                 samples per second of the slowest s_i: cost counts gradients, momenta drawn, and one for the draw
//   surrogate     (ap_surrogate.c) moves the chain alone at first; it is then learned anew, at the mean of U over
//                 the second half of that time, and the target accepts or rejects. It is given up where it misses too
//                 much, and learned for the last time where the metric is, at the mean of U since
//
// ap_transition.c decides the times of these steps.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

// Matters of taste, each tried on the Markov task (N = 10 .. 1000) and on 16 paths. goal: effective samples per second
// hardly differ from 0.7 to 0.9, and fall at 0.6. margin: without it one chain in ten took a trajectory three times
// slower than the others'. Steps are angles of the normal part.
static const double goal = 0.8;         // acceptance aimed at where the target names none; attnpath_sample always does
static const double margin = 1.25;      // by which another trajectory must beat the first to be chosen
static const double calm_first = 0.05;  // gamma of dual averaging, its usual value
static const double calm_informed = 0.2;  // and after a warm start: with the first one rejection may cut the step to a
                                          // tenth, and in a short warm-up its average stays too small by a third
static const double worst_gap = 1.0;      // mean square that a surrogate may miss: it costs a third of the acceptance
static const double shortest_step = 1e-6, longest_step = 1.5;

void ap_adapt_step(ap_tuning *t, double acceptance, double aimed, bool informed) {
    t->count += 1.0;
    const double eta = 1.0 / (t->count + 10.0), weight = pow(t->count, -0.75);
    t->lag += eta * ((aimed > 0.0 ? aimed : goal) - acceptance - t->lag);
    const double aim = t->centre_step - sqrt(t->count) / (informed ? calm_informed : calm_first) * t->lag;
    const double log_step = fmin(fmax(aim, log(shortest_step)), log(longest_step));
    t->step_mean += weight * (log_step - t->step_mean);
    t->step = exp(log_step);
}

// ---- metric ---------------------------------------------------------------------------------------------------------

static ap_status renew_metric(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const size_t k = t->metric;
    ap_status status = AP_OK;
    if (k > 0)
        status = ap_metric_learn(chain->centre, chain->F, chain->at.z, chain->mean, chain->second, &chain->metric,
                                 t->dim, tuning->window, work, err);
    if (status < 0) return status;
    if (t->each)
        ap_metric_learn_each(chain->centre + k, chain->scale, chain->at.z + k, chain->mean_each, chain->square_each,
                             t->dim - k, tuning->window);
    tuning->window = 0.0;
    ap_chain_restart(tuning, 2.0);
    return ap_chain_here(chain, work, err);
}

ap_status ap_adapt_metric(ap_chain *chain, const ap_target *t, double from, double to, ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const size_t mark = work->used;
    double *u = ap_take(work, t->metric);
    ap_status status = u == NULL ? ap_not_taken(work, err, "ap_adapt_metric") : AP_OK;
    if (status < 0) goto done;
    if (tuning->window_end == 0.0) tuning->window_end = from + (double)ap_adapt_window;
    ap_metric_part(u, &chain->metric, t->dim, chain->at.z);
    tuning->window += 1.0;
    ap_metric_see(chain->mean, chain->second, tuning->window, u, t->metric);
    if (t->each)
        ap_metric_see_each(chain->mean_each, chain->square_each, tuning->window, chain->at.z + t->metric,
                           t->dim - t->metric);
    if (tuning->done >= to || (tuning->done >= tuning->window_end && 2.0 * tuning->window < to - tuning->done)) {
        tuning->window_end = tuning->done + 2.0 * tuning->window;
        if (tuning->window >= 10.0) status = renew_metric(chain, t, work, err);
    }
done:
    work->used = mark;
    return status;
}

// The mean of the places since the last metric.
void ap_adapt_place(ap_chain *chain, size_t n) {
    const double count = chain->tuning.window += 1.0;
    for (size_t j = 0; j < n; j++) chain->mean[j] += (chain->at.z[j] - chain->mean[j]) / count;
}

// ---- trajectory -----------------------------------------------------------------------------------------------------

// The mean of the entries of U and of the log posterior, with those of this place.
static ap_status see_order(ap_chain *chain, double *u, const ap_target *t, ap_work *work, ap_error *err) {
    const size_t seen = ap_chain_watched(t), mark = work->used;
    double *x = ap_take(work, t->dim), *U = ap_take(work, t->chain);  // U_1 first
    ap_status status = U == NULL ? ap_not_taken(work, err, "ap_adapt") : AP_OK;
    if (status == AP_OK) ap_metric_position(x, &chain->metric, t->dim, chain->at.z);
    if (status == AP_OK) status = chain->moves.order(U, &chain->moves, x, work, err);
    if (status == AP_OK) {
        ap_pairs_pack(u, U, t->paths, 1.0);
        u[seen - 1] = chain->at.psi + chain->at.surrogate_error + 0.5 * ap_dot(t->dim, chain->at.z, chain->at.z);
        chain->tuning.trials += 1.0;
        ap_metric_see_each(chain->seen_mean, chain->seen_second, chain->tuning.trials, u, seen);
    }
    work->used = mark;
    return status;
}

ap_status ap_adapt_try(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, ap_work *work, ap_error *err) {
    const size_t seen = ap_chain_watched(t), arm = (size_t)chain->tuning.arm, mark = work->used;
    ap_tuning *tuning = &chain->tuning;
    double *u = ap_take(work, seen);
    ap_status status = u == NULL ? ap_not_taken(work, err, "ap_adapt_try") : AP_OK;
    if (status == AP_OK) status = see_order(chain, u, t, work, err);
    if (status < 0) goto done;
    if (tuning->trials > 1.0) {
        for (size_t i = 0; i < seen; i++) {
            const double change = u[i] - chain->seen_last[i];
            chain->jump[i + seen * arm] += change * change;
        }
        tuning->tries[arm] += 1.0;
        const double drawn = 1.0 + (ap_chain_arms[arm].friction > 0.0 ? (double)(outcome->gradients - 1) : 0.0);
        tuning->cost[arm] += 1.0 + chain->moves.record_cost + (double)outcome->gradients + t->momentum_cost * drawn;
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

void ap_adapt_choose(ap_chain *chain, const ap_target *t) {
    const size_t seen = ap_chain_watched(t);
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

// ---- surrogate ------------------------------------------------------------------------------------------------------

// At the mean of the order parameter the surrogate is better than at the mode: at that of the last trajectories before
// the metric is learned, and at that of all in which it is.
ap_status ap_adapt_surrogate(ap_chain *chain, const ap_target *t, bool now, ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const size_t seen = ap_chain_watched(t), mark = work->used;
    double *U = ap_take_matrix(work, t->paths, t->paths), *u = ap_take(work, seen);
    ap_status status = u == NULL ? ap_not_taken(work, err, "ap_adapt_surrogate") : AP_OK;
    if (status == AP_OK) status = see_order(chain, u, t, work, err);
    if (status < 0 || !now) goto done;
    ap_pairs_unpack(U, chain->seen_mean, t->paths, 1.0);
    memset(chain->seen_mean, 0, 2 * seen * sizeof(double));
    tuning->trials = 0.0;
    status = t->learn(chain->surrogate, t, U, work, err);
    if (status == AP_OK) status = ap_chain_follow(chain, t, work, err);
done:
    work->used = mark;
    return status;
}

ap_status ap_adapt_judge(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, double from, double to,
                         ap_work *work, ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const double end = fmin(from + (double)ap_adapt_window, to);
    if (chain->moves.exact == NULL || tuning->done <= from || tuning->done > end) return AP_OK;
    if (!outcome->diverged) {
        const double missed = outcome->error - outcome->integration;
        tuning->gap += missed * missed;
        tuning->gaps += 1.0;
    }
    if (tuning->done < end || tuning->gap <= worst_gap * tuning->gaps) return AP_OK;
    chain->surrogate[0] = 0.0;
    ap_chain_restart(tuning, 1.0);
    return ap_chain_follow(chain, t, work, err);
}
