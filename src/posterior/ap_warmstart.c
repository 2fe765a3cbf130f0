// ap_warmstart.c: mode and curvature of the target before a chain's first trajectory
// SPDX-License-Identifier: BSD-3-Clause
//
// A target may have a warm start: the first units of a warm-up are then no trajectories, but ten evaluations each.
//
//   search        from the draw of the prior to a mode (ap_mode.c), each chain to its own
//   surrogate     of a target that has one: learned at the mode; from here on it is what moves the chain
//   probing       the curvature there, along the metric's directions
//   start         z is drawn from a normal distribution of `wide` times the width, about the mode: chains begin
//                 overdispersed, and R-hat detects chains that stay in different modes
//
// At most 15 % of the warm-up are the search, and as many are the probing. A warm-up that is too short for that begins
// at the draw of the prior. Measured on the one-shot task, 16 paths, N = 10, P = 80, T = 0.5, 4 chains of 1000 draws,
// in one run:
//
//   warm-up          1000, no warm start    200    300
//   seconds of it                   19.8    3.2    4.1    on a machine with other work
//   smallest ESS of U               1653   1587   1341
//   ESS of the log posterior        1242   1152   1233
//
// Where a target has turned coordinates (ap_bartlett.c) the search continues in those of the mode that it found. With a
// singular U_1 a mode is no typical place: labels of three classes add up to zero, the readout's factor of their sum is
// a sixth of that at the mode, and its coordinates have the prior's curvature, where the mode's is tenfold; and 100
// draws estimate the curvature in 222 dimensions less well than one place. So it is probed along the chain
// (ap_transition.c decides when), and H is their mean. A metric has that, and as its centre the mean of the places
// since the last one.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

static const double wide = 1.4142135623730951;  // twice the variance, as is usual for starts that R-hat is to compare
static const double informed_step = 0.3;        // the first one, where the metric is that of a mode
enum { search = 15 };                           // percent of the warm-up, at most

// A warm-up in which the curvature can be probed along all directions.
bool ap_warmstart_fits(const ap_target *t, double warmup) {
    return t->head_start && floor(warmup * search / 100.0) * (double)ap_warmstart_evaluations >= (double)t->metric;
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
        status = ap_chain_here(chain, work, err);
        if (status < 0 && !ap_target_survives(status)) break;
    }
    return status;
}

static ap_status end_head_start(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const size_t k = t->metric;
    ap_status status = ap_mode_factor(chain->F, &chain->mode, work, err);
    if (status < 0 && !ap_target_survives(status)) return status;
    if (status < 0) ap_spd_identity(chain->F, k);
    memcpy(chain->centre, chain->at.z, t->dim * sizeof(double));
    memset(chain->second, 0, k * k * sizeof(double));
    chain->tuning.step = informed_step;
    ap_chain_restart(&chain->tuning, 2.0);
    *chain->length = chain->tuning.done + 1.0;
    return begin_apart(chain, t, work, err);
}

// At the mode: a surrogate, where the target has one, and from there on all follows it.
static ap_status find_surrogate(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    if (t->surrogate == 0) return AP_OK;
    double *U = ap_take(work, t->chain);  // U_1 first
    ap_status status = U == NULL ? ap_not_taken(work, err, "ap_warmstart") : AP_OK;
    if (status == AP_OK) status = chain->moves.order(U, &chain->moves, chain->at.z, work, err);
    if (status == AP_OK) status = t->learn(chain->surrogate, t, U, work, err);
    if (status == AP_OK && chain->surrogate[0] > 0.0) {
        status = ap_chain_follow(chain, t, work, err);
        ap_mode_accept(&chain->mode, &chain->at);
    }
    work->used = mark;
    return status;
}

// At the mode of coordinates that are not turned: from here on in its own.
static ap_status turn_rows(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    const ap_status status = t->turn_rows(chain->turn + 1, chain->at.z, t, work, err);
    if (status < 0) return status;
    chain->turn[0] = 1.0;
    ap_mode_restart(&chain->mode);
    return ap_chain_follow(chain, t, work, err);
}

static ap_status search_mode(ap_chain *chain, const ap_target *t, size_t *cost, ap_work *work, ap_error *err) {
    const ap_target *seen = ap_chain_turned(chain) ? &chain->moves : t;
    const ap_status status = ap_mode_search(&chain->mode, &chain->at, cost, seen, &chain->metric, work, err);
    const bool found = status == AP_OK && ap_mode_stage(&chain->mode) == AP_PROBING;
    if (found && t->turn > 0 && !ap_chain_turned(chain)) return turn_rows(chain, t, work, err);
    return found ? find_surrogate(chain, t, work, err) : status;
}

ap_status ap_warmstart(ap_chain *chain, const ap_target *t, double warmup, ap_work *work, ap_error *err) {
    ap_status status = AP_OK;
    const double done = chain->tuning.done;
    for (size_t count = 0, cost = 0; status == AP_OK && count < ap_warmstart_evaluations; count += cost) {
        if (ap_target_stops(t)) return AP_INTERRUPTED;
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
        if (t->turn > 0 && !ap_chain_turned(chain)) status = turn_rows(chain, t, work, err);
        if (status < 0) return status;
        ap_mode_accept(&chain->mode, &chain->at);
        status = find_surrogate(chain, t, work, err);
        if (status < 0) return status;
    }
    if (ap_mode_stage(&chain->mode) == AP_KNOWN) status = end_head_start(chain, t, work, err);
    if (status == AP_OK) chain->tuning.done += 1.0;
    return status;
}

// ---- at places of the chain -----------------------------------------------------------------------------------------

// The metric of the curvature known so far; the chain stands at x.
static ap_status renew_by_curvature(ap_chain *chain, const ap_target *t, const double *x, ap_work *work,
                                    ap_error *err) {
    const size_t n = t->dim;
    ap_tuning *tuning = &chain->tuning;
    if (tuning->window >= 10.0)
        ap_gemv('N', n, n, 1.0, chain->F, n, chain->mean, 1.0, chain->centre);
    else
        memcpy(chain->centre, x, n * sizeof(double));
    ap_status status = ap_mode_factor(chain->F, &chain->mode, work, err);
    if (status < 0 && !ap_target_survives(status)) return status;
    if (status < 0) ap_spd_identity(chain->F, n);
    for (size_t j = 0; j < n; j++) chain->at.z[j] = x[j] - chain->centre[j];
    ap_trsv('N', n, chain->F, n, chain->at.z);
    memset(chain->mean, 0, n * sizeof(double));
    tuning->window = 0.0;
    tuning->step = informed_step;
    ap_chain_restart(tuning, 1.0);
    return ap_chain_here(chain, work, err);
}

// Ten directions more; after the last the metric.
ap_status ap_warmstart_probe(ap_chain *chain, const ap_target *t, ap_work *work, ap_error *err) {
    static const ap_metric plain = {.F = NULL};
    const size_t n = t->dim, mark = work->used;
    ap_mode *mode = &chain->mode;
    double *x = ap_take(work, n), *grad = ap_take(work, n);
    ap_place here = {.z = x, .grad = grad};
    ap_status status = grad == NULL ? ap_not_taken(work, err, "ap_warmstart_probe") : AP_OK;
    if (status < 0) goto done;
    ap_metric_position(x, &chain->metric, n, chain->at.z);
    mode->places = chain->turn[0];  // the first time 1: that of the mode is no longer needed
    if (ap_mode_stage(mode) == AP_KNOWN) {
        status = ap_target_evaluate(&here, &chain->moves, &plain, work, err);
        if (status < 0) goto done;
        ap_mode_accept(mode, &here);
    }
    for (size_t k = 0; k < ap_warmstart_evaluations && status == AP_OK && ap_mode_stage(mode) == AP_PROBING; k++) {
        if (ap_target_stops(t)) status = AP_INTERRUPTED;
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
