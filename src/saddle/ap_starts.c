// ap_starts.c: the lowest of several minima
// SPDX-License-Identifier: BSD-3-Clause
//
// The action may have several minima, where a layer with one head lies underneath several paths: U_l and U_{l+1} then
// have the same size, and labels far above the kernel at the GP point are explained by one direction of paths or by
// another, which all layers follow. A search finds the one whose valley its start lies in. So others are made from
//
//   U_l := r^{(L+1-l)/L} D_l^{1/2} B B' D_l^{1/2} / Pi_l,      D_l that of the GP point, B [Pi_l x Pi_l] normal
//
// and the lowest minimum is kept. The first of them has B B' = Pi_l I. Coupled outputs have the same each, and begin
// uncoupled: paths choose their directions first. q = y'y / (P k), k the mean diagonal of the GP point's kernel, is
// about what the labels need U_1 to grow by, and r is q or 1 times 10 to 3000, so that all of these come down from
// above, where directions have not been chosen yet: the start of ap_solve.c's scale chooses as the action falls, from
// below.
//
// If the caller names no number of starts, one search is all where no layer has one head underneath several paths, or
// where U_1 has stayed below twice its size at the GP point; in others ap_starts_many are made. Of 71 problems whose
// lowest minimum one search misses, of 400 (bench_minima.c, seeds 60 and 61, with which the constants were chosen), 64
// are found by 10 starts, 52 by 5; to end after five that agree found 61, with 7 starts on average.

#include <math.h>

#include "saddle/ap_saddle.h"

typedef struct watched {
    const ap_settings *settings;
    size_t start, starts, evaluations;
} watched;

static bool watch(void *context, const ap_progress *progress) {
    const watched *w = context;
    ap_progress here = *progress;
    here.start = w->start;
    here.starts = w->starts;
    here.evaluations += w->evaluations;
    return w->settings->monitor(w->settings->context, &here);
}

// Branches of a layer that paths go through: heads of scale 0 are none.
static size_t used(const ap_net *net, size_t layer) {
    size_t n = ap_net_skipping(net, layer);
    for (size_t h = 1; h <= net->H[layer - 1]; h++)
        if (ap_net_head_scale(net, layer, h) > 0.0) n++;
    return n;
}

// Is there a layer of one head underneath several paths?
static bool suits(const ap_problem *p) {
    bool shape = false;
    size_t above = 1;  // paths of the layers above
    for (size_t l = p->net->L; l > 0; above *= used(p->net, l--))
        shape = shape || (used(p->net, l) == 1 && above > p->kernel->outputs);
    return shape;
}

static double growth(const ap_problem *p, const ap_point *point) {
    const size_t n = p->kernel->paths;
    double gp = 0.0;
    for (size_t a = 0; a < n; a++) gp += pow(ap_params_gp_entry(p->net, 1, a), 2.0);
    return sqrt(ap_dot(n * n, point->order, point->order) / gp);
}

size_t ap_starts_size(const ap_problem *p, size_t wanted) {
    const bool one = wanted == 1 || (wanted == 0 && !suits(p));
    return ap_plus(ap_solve_size(p), one ? 0 : ap_point_size(p));
}

ap_status ap_starts_draw(double *order, const ap_problem *p, size_t k, uint64_t seed, ap_work *work, ap_error *err) {
    const ap_net *net = p->net;
    const size_t mark = work->used;
    const double L = (double)net->L, numbers = (double)(ap_problem_columns(p) * ap_problem_rows(p)),
                 labels = ap_problem_squares(p) / numbers / ap_solution_diagonal(p);
    ap_rng rng = ap_rng_start(seed, k);
    const size_t C = p->kernel->outputs, n = p->kernel->inputs;
    double *B = ap_take_matrix(work, n, n), *BB = ap_take_matrix(work, n, n);
    if (BB == NULL) {
        work->used = mark;
        return ap_not_taken(work, err, "ap_starts_draw");
    }
    const double rise = ap_starts_least * pow(ap_starts_most / ap_starts_least, k == 1 ? 0.5 : ap_rng_uniform(&rng)),
                 r = rise * (labels > 1.0 && isfinite(labels) ? labels : 1.0);
    ap_params_gp(order, net);
    AP_FREE_MEMBERS (u, net) {
        double *U = order + u.at;
        const double grown = pow(r, (L + 1.0 - (double)u.layer) / L);
        const size_t paths = u.n / C;
        ap_spd_identity(BB, paths);
        if (k > 1 && paths > 1) {
            ap_rng_normals(B, paths * paths, &rng);
            ap_spd_outer(BB, 1.0 / (double)paths, B, paths, paths);
        }
        for (size_t i = 0; i < paths; i++)  // D^{1/2} B B' D^{1/2}, between equal outputs
            for (size_t j = 0; j < paths; j++)
                BB[i + paths * j] *= grown * sqrt(U[C * i * (u.n + 1)]) * sqrt(U[C * j * (u.n + 1)]);
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i < u.n; i++) U[i + u.n * j] = i % C == j % C ? BB[i / C + paths * (j / C)] : 0.0;
    }
    ap_params_copy_tied(order, net);
    work->used = mark;
    return AP_OK;
}

// Actions that are no further apart are the same, as far as rounding tells.
static double margin(double noise) { return ap_starts_apart + ap_solve_lost * noise; }

// What a search has found; true if it is the best so far.
static bool note(ap_starts *s, ap_status status, const ap_point *found, const ap_point *best,
                 const ap_settings *settings) {
    const bool converged = status >= 0 && ap_has_converged(status, found, settings);
    const ap_start *before = &s->each[s->best];
    ap_start *here = &s->each[s->made];
    *here = status < 0 ? (ap_start){NAN, NAN, false} : (ap_start){found->action, found->gradnorm, converged};
    const bool better =
        status >= 0 &&
        (s->made == 0 || isnan(before->action) || converged > before->converged ||
         (converged == before->converged && found->action < before->action - margin(best->noise + found->noise)));
    if (better) s->best = s->made;
    s->made++;
    return better;
}

// How many have reached the lowest minimum
static void count(ap_starts *s, const ap_point *best) {
    s->reached = s->higher = 0;
    for (size_t k = 0; k < s->made; k++) {
        if (!s->each[k].converged) continue;
        if (s->each[k].action <= s->each[s->best].action + margin(best->noise))
            s->reached++;
        else
            s->higher++;
    }
}

ap_status ap_solve_lowest(ap_point *point, ap_progress *progress, ap_starts *s, const ap_problem *p,
                          const ap_settings *settings, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    ap_point best = *point, other;
    s->made = s->best = s->reached = s->higher = 0;
    ap_status reason = (s->parts ? ap_solve_parts : ap_solve)(&best, progress, p, settings, work, err), status = reason;
    (void)note(s, reason, &best, &best, settings);
    size_t starts = s->wanted;
    if (starts == 0) starts = reason >= 0 && suits(p) && growth(p, &best) > ap_starts_grown ? ap_starts_many : 1;
    watched w = {.settings = settings, .starts = starts, .evaluations = progress->evaluations};
    ap_settings rest = *settings;
    rest.monitor = settings->monitor != NULL ? watch : NULL;
    rest.context = &w;
    if (starts > 1) status = ap_point_take(&other, p, work, err);
    if (starts > 1 && status < 0) reason = status;
    while (s->made < starts && reason != AP_INTERRUPTED && (reason >= 0 || ap_is_no_point(reason))) {
        ap_progress here = {0};
        w.start = s->made;
        status = ap_starts_draw(other.order, p, s->made, s->seed, work, err);
        if (status == AP_OK) status = ap_solve(&other, &here, p, &rest, work, err);
        w.evaluations = progress->evaluations += here.evaluations;
        if (status == AP_INTERRUPTED || (status < 0 && !ap_is_no_point(status))) {
            reason = status;
        } else if (note(s, status, &other, &best, settings)) {
            const ap_point swap = best;
            best = other;
            other = swap;
            reason = status;
            here.evaluations = progress->evaluations;
            here.subproblem_evaluations = progress->subproblem_evaluations;
            *progress = here;
        }
    }
    count(s, &best);
    s->growth = growth(p, &best);
    ap_point_hand_over(point, &best, p);
    work->used = mark;
    return reason;
}
