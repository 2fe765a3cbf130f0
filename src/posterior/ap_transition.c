// ap_transition.c: the next trajectory of a Markov chain, and the schedule of its warm-up
// SPDX-License-Identifier: BSD-3-Clause
//
// After `warmup` trajectories nothing is adapted any more, and every trajectory leaves the posterior unchanged. Before
// that a warm start may take the place of the first (ap_warmstart.c). Then (ap_adapt.c), as fractions of what is left,
//
//   0    .. 0.15  the step settles; a surrogate, where there is one, moves the chain alone, and is learned anew at the
//                 end
//   0.15 .. 0.6   where there is a metric it is learned, and the surrogate once more at the end
//   0.6  .. 0.9   trajectories of several lengths and frictions take turns, and one is chosen
//   0.9  .. 1     the step settles once more, and its average is kept
//
// The step adapts to errors in the surrogate's own energy: the surrogate's deviation from the target would otherwise
// shrink it.
//
// Where rows are turned, the metric is learned from the curvature at up to `rounds` places of the chain, spread over
// that time. Where there is a metric and each trajectory would have fewer than 20 tries, the first one is taken
// untried: the metric is then learned up to 0.8 of the warm-up, and the step has the rest.
//
// Each trajectory's step is changed by up to 10 % at random: a fixed length might happen to be a period of the motion.

#include "posterior/ap_posterior.h"

#include <math.h>

static const double jitter = 0.1;                          // of the step, relative
static const double slack = 0.1;                           // of a step, by which the adapted one may then be exceeded
enum { settle = 15, shape = 60, choose = 90, soon = 80 };  // percent of the warm-up
enum { rounds = 3 };

typedef struct schedule {
    double begun, from, to, chosen, all;  // trajectories after which it begins, the metric is learned, is known, ..
    size_t rounds;                        // places at which the curvature is probed between `from` and `to`
    bool informed, tries;                 // there was a warm start; trajectories are tried
} schedule;

static schedule schedule_of(const ap_chain *chain, const ap_target *t, size_t warmup) {
    const double begun = chain->length == NULL ? 0.0 : *chain->length, all = (double)warmup, rest = all - begun;
    const double middle = begun + floor(rest * shape / 100.0), late = begun + floor(rest * choose / 100.0);
    schedule s = {.begun = begun, .from = begun + floor(rest * settle / 100.0), .all = all, .informed = begun > 0.0};
    s.tries = !ap_target_learns(t) || late - middle >= 20.0 * ap_arms;
    s.chosen = s.tries ? late : begun + floor(rest * soon / 100.0);
    s.to = !ap_target_learns(t) ? s.from : s.tries ? middle : s.chosen;
    const double probing = 1.0 + (double)t->metric / (double)ap_warmstart_evaluations;
    while (ap_chain_turned(chain) && s.informed && s.rounds < rounds &&
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

static ap_status adapt(ap_chain *chain, const ap_target *t, const ap_outcome *outcome, const schedule *s, ap_work *work,
                       ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    const double acceptance = outcome->diverged ? 0.0 : fmin(1.0, exp(-outcome->integration));
    ap_adapt_step(tuning, acceptance, t->accept, s->informed);
    ap_status status = AP_OK;
    if (chain->moves.exact != NULL && 2.0 * tuning->done > s->begun + s->from && tuning->done <= s->to)
        status = ap_adapt_surrogate(chain, t, tuning->done == s->from || tuning->done == s->to, work, err);
    if (status == AP_OK) status = ap_adapt_judge(chain, t, outcome, s->from, s->to, work, err);
    if (status < 0) return status;
    if (s->rounds > 0)
        ap_adapt_place(chain, t->dim);
    else if (tuning->done > s->from && tuning->done <= s->to)
        status = ap_adapt_metric(chain, t, s->from, s->to, work, err);
    if (status == AP_OK && tuning->done > s->to && tuning->done <= s->chosen)
        status = ap_adapt_try(chain, t, outcome, work, err);
    if (status < 0) return status;
    if (tuning->done == s->chosen) {
        if (s->tries) ap_adapt_choose(chain, t);
        tuning->step = exp(tuning->step_mean);
        ap_chain_restart(tuning, s->informed ? 1.0 : 2.0);
    }
    if (tuning->done == s->all && tuning->count > 0.0) {  // shortened so that whole steps make up the length
        const double length = ap_chain_arms[(size_t)tuning->arm].length;
        const double steps = length / exp(tuning->step_mean) - (s->informed ? slack : 0.0);
        tuning->step = length / fmax(1.0, ceil(steps));
    }
    return AP_OK;
}

ap_status ap_transition(ap_chain *chain, ap_outcome *outcome, const ap_target *t, size_t warmup, ap_work *work,
                        ap_error *err) {
    ap_tuning *tuning = &chain->tuning;
    *outcome = (ap_outcome){0};  // of a warm start, or of probing
    if (tuning->done < (double)warmup && ap_warmstart_fits(t, (double)warmup) && *chain->length == 0.0)
        return ap_warmstart(chain, t, (double)warmup, work, err);
    const schedule plan = schedule_of(chain, t, warmup);
    if (tuning->done < (double)warmup && is_probing(chain, &plan)) return ap_warmstart_probe(chain, t, work, err);
    ap_move move = ap_chain_move(chain);
    move.step *= 1.0 + jitter * (2.0 * ap_rng_uniform(&chain->rng) - 1.0);
    ap_target moves = chain->moves;
    if (tuning->done < plan.from) moves.exact = NULL;  // so far the surrogate moves it alone
    ap_status status = ap_trajectory(&chain->at, outcome, &moves, &chain->metric, &move, &chain->rng, work, err);
    if (status != AP_OK) return status;
    tuning->done += 1.0;
    if (tuning->done <= (double)warmup) return adapt(chain, t, outcome, &plan, work, err);
    tuning->acceptance += outcome->acceptance;
    tuning->accepted += outcome->accepted ? 1.0 : 0.0;
    tuning->diverged += outcome->diverged ? 1.0 : 0.0;
    return AP_OK;
}
