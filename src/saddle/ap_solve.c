// ap_solve.c: the saddle point of the action
// SPDX-License-Identifier: BSD-3-Clause
//
// The search of theory.md section 3, which has its reasons: Newton's method on all U_l at once, u_a eliminated, from
// any point of the cone of positive definite matrices. This file has the loop, and what is tried in which order:
//
//   find_scale    labels that are large for the kernel at the start, where dE/dlambda, of unit 1/(N_l Pi_l) times
//                 -<G, U_1>, would change U of the narrowest layer by `far` times itself: lambda of the ray
//                 U_l := r_l .. r_{L+1} U_l, r_l = 1 + lambda / (N_l Pi_l), is doubled as long as the action falls
//   newton_step   x minimises the quadratic model, in the frame of ap_frame.c: a matrix (ap_dense.c) or a map
//                 (ap_iterative.c), as ap_model.c chooses
//   line_search   U_l + s x_l + s^2 x_l U_l^{-1} x_l / 2, at most `reach` long, backtracks on the action, whose value
//                 costs a third of an evaluation. After a step that had to be cut the curves of ap_triangular.c take
//                 its place, until one along them is cut, and so on. The reach grows after some steps in a row that
//                 were as long and were not cut: a valley that is straight in the metric may be thousands of its units
//   verdict       the reason to stop: tolerance, limit of iterations, or gains below the action's rounding
//   judge         is then the gradient as small as double precision allows (ap_rounding.c)?
//   go_on         a search that stalls without a solution, or has not ended after `patience` steps, is continued in
//                 nested factors (ap_factors.c), at several times the price of a step
//
// Whether the point is a minimum is asked afterwards (ap_certificate.c); other starts are those of ap_starts.c.
//
// All constants are in ap_saddle.h, each with its reason.
//
// Why this one. Evaluations from the GP point on the Markov task (P = 100, to 1e-8) at N = 10, 30, 100, 1000 and on a
// 16-path problem (P = 600, N = 10, to 1e-6), counted by `make bench`; in brackets the time in evaluations:
//
//   Newton, 4 probes                            10 (13)     9 (12)     7 (9)      5 (6)      12 (15)
//   Newton, 64 probes                           10 (26)     9 (24)     7 (15)     4 (11)      9 (25)
//   Newton, no probes                           16 (18)    13 (15)     8 (9)      5 (6)      14 (16)
//   fixed point U = (B + G/N)^{-1}, Anderson    30         19         15         10          24
//   L-BFGS, affine-invariant, frame carried     31         26         30         26          56
//   L-BFGS, log-Cholesky coordinates            41         39         38         35         103
//   Adam as published, only to 1e-5           1728        571        188        179         281
//
// What 200 hard problems (bench_brutal) lose without one of the rules: solved of seeds 20, 21, 24; evaluations of all
//
//   as it is                                                        197    198    200    15 360
//   before nested factors, temperatures that fall to the problem's  198    198    200    15 955    (20 lines more)
//   without the curves of ap_triangular.c                           195    198    197    24 331
//   patience 35                                                     197    196    200    15 478    (seed 21: time x 2)
//
// Without the steps of ap_factors_bound.c 392 and 396 of the 400 of seeds 8101 and 8102 are solved, with them 396 and
// 396.
//
// Nested factors from the first step, on stored kernels, log det's curvature kept and corrected as in ap_dense.c: on
// ordinary problems of 4 to 36 paths as many evaluations or one fewer, in 0.85 to 1.05 of the time; of 400 hard ones
// (seed 20) 395 solved with 10 536 evaluations, where this search solves 399 with 10 565, in 1.6 to 1.8 times the time:
// in long valleys it turns at every step, with a radius and with steps that are cut, from the scale's start and from
// the bound's. Without find_scale two coupled outputs of size 10^4 are not solved in 3000 steps.

#include <math.h>
#include <string.h>

#include "saddle/ap_saddle.h"

typedef struct newton {
    const ap_problem *p;
    const ap_settings *settings;
    ap_work *work;
    ap_error *err;
    ap_model model;
    ap_point now, trial;
    double *v, *d;  // [n] gradient and Newton step in the model's coordinates
    double *x;      // [chain] the step's matrices x_l
    ap_step last;
    double ahead;       // metric length of the step that the last model would take from here
    double gain, best;  // decrease that the last full step promised; smallest gradrel so far
    double reach;       // the longest step now
    int capped;         // steps in a row that ended at the reach and were not cut
    size_t beyond;      // what is taken with both points, before the model
    int cuts, idle;     // backtracks of the last line search; iterations without progress at the floor of rounding
} newton;

ap_settings ap_settings_default(void) {
    return (ap_settings){
        .tolerance = 1e-8, .max_iterations = 200, .probes = ap_solve_probes, .step_limit = ap_solve_step};
}

size_t ap_solve_size(const ap_problem *p) {
    const ap_kernel *k = p->kernel;
    const size_t gradient = ap_kernel_scratch(k), columns = ap_problem_columns(p) + 8;  // with a batch of probes
    const size_t curvature = ap_model_is_small(p) ? ap_times(ap_times(k->P, k->pairs), columns) : 0;
    return ap_plus(ap_times(2, ap_point_size(p)), curvature > gradient ? curvature : gradient);
}

static ap_status take_search(newton *t, const ap_model_ops *how) {
    ap_status status = ap_point_take(&t->trial, t->p, t->work, t->err);
    t->beyond = t->work->used;
    if (status == AP_OK) status = ap_model_take(&t->model, t->p, t->settings, how, t->work, t->err);
    if (status < 0) return status;
    AP_TAKE_EACH(t->work, t->model.n, &t->v, &t->d, &t->last.s, &t->last.y);
    t->x = ap_take(t->work, ap_params_length(t->p->net));
    return t->x == NULL ? ap_not_taken(t->work, t->err, "ap_solve") : AP_OK;
}

static ap_status newton_step(newton *t) {
    ap_model *model = &t->model;
    ap_status status = model->how->update(model, &t->now, &t->last, t->work, t->err);
    if (status != AP_OK) return status;
    ap_frame_gradient(t->v, &model->frame, &t->now);
    status = model->how->minimise(t->d, model, t->v, t->work, t->err);
    if (ap_is_no_point(status) && t->last.fraction > 0.0) return AP_STALLED;  // the point reached is not thrown away
    if (status != AP_OK) return status;
    t->last.length = ap_frame_matrices(t->x, &model->frame, t->d, &t->now);
    t->gain = -0.5 * ap_dot(model->n, t->v, t->d);
    return isfinite(t->last.length) ? AP_OK : ap_fail(t->err, AP_ENONFINITE, "the Newton step is not finite");
}

// U_l along the triangular curves, in the point's own frame. The curves were made here, or nearby: then the
// eigenvectors are those of a neighbour, and the curve is another one with the same start.
static void follow(newton *t, double step) {
    double *d = t->model.frame.matrix;
    AP_FREE_MEMBERS (u, t->p->net) {
        memcpy(d, t->x + u.at, u.n * u.n * sizeof(double));
        ap_trsm('L', 'N', u.n, u.n, step, t->now.chol + u.at, u.n, d, u.n);
        ap_trsm('R', 'T', u.n, u.n, 1.0, t->now.chol + u.at, u.n, d, u.n);
        ap_triangular_retract(t->trial.order + u.at, &t->model.curves, &u, t->now.chol + u.at, d);
    }
}

static void retract(newton *t, double step) {
    double *d = t->model.frame.matrix;
    if (t->model.turns) {
        follow(t, step);
        return;
    }
    AP_FREE_MEMBERS (u, t->p->net) {
        const size_t m = u.n;
        double *U = t->trial.order + u.at;
        memcpy(d, t->x + u.at, m * m * sizeof(double));
        ap_trsm('L', 'N', m, m, step, t->now.chol + u.at, m, d, m);  // d = step F^{-1} x, x U^{-1} x = d' d
        ap_gemm('T', 'N', m, m, m, 0.5, d, m, d, m, 0.0, U, m);
        for (size_t i = 0; i < m * m; i++) U[i] += t->now.order[u.at + i] + step * t->x[u.at + i];
        ap_spd_symmetrise(U, m);
    }
}

// The reach grows after some steps in a row that were as long as it and were not cut, in a valley that is followed
// along the triangular curves: the other retraction bends back beyond a length of about 1.
static void lengthen(newton *t, bool capped) {
    if (t->cuts > 0) {
        t->reach = fmax(t->model.radius, t->last.length * t->last.fraction);
    } else if (capped) {
        t->capped++;
        if (t->capped > ap_solve_many_capped && t->model.turns) t->reach *= ap_solve_growth;
        if (t->capped > ap_solve_many_capped) t->model.turns = true;
    } else if (t->reach == t->model.radius) {
        t->capped = 0;
    }
}

// The action less what does not depend on U, which may be 10^16 and would swallow differences.
static double height(const ap_point *point) { return point->entropy + point->fit.u_dependent; }

// Backtracking: a point that is no point (A has no Cholesky factor, the action overflows) counts as infinitely high.
// slack admits steps whose gain is lost in the action's rounding.
static ap_status line_search(newton *t, ap_progress *progress) {
    const double slope = -2.0 * t->gain, S = height(&t->now);
    const double slack = fmin(ap_solve_slack * t->now.noise, ap_solve_most_slack * (1.0 + fabs(S)));
    const bool capped = t->last.length > t->reach;
    double step = capped ? t->reach / t->last.length : 1.0;
    for (t->cuts = 0; t->cuts < ap_solve_most_cuts; t->cuts++) {
        if (ap_kernel_stops(t->p->kernel)) return AP_INTERRUPTED;
        retract(t, step);
        const ap_status status = ap_action_value(&t->trial, t->p, t->work, t->err);
        progress->evaluations++;
        if (status != AP_OK && !ap_is_no_point(status)) return status;
        const double drop = status == AP_OK ? height(&t->trial) - S : INFINITY;
        if (status == AP_OK && drop <= ap_solve_descent * step * slope + slack) {
            t->last.fraction = step;
            if (t->cuts > 0 && t->reach == t->model.radius) t->model.turns = !t->model.turns;
            lengthen(t, capped);
            return AP_OK;
        }
        const double parabola = isfinite(drop) ? -0.5 * slope * step / (drop - slope * step) : ap_solve_shortest;
        step *= fmin(ap_solve_longest, fmax(ap_solve_shortest, parabola));
    }
    return AP_STALLED;
}

// The reason to stop, or AP_OK to go on.
static ap_status verdict(newton *t, const ap_progress *progress) {
    const ap_settings *settings = t->settings;
    if (settings->monitor != NULL && settings->monitor(settings->context, progress)) return AP_INTERRUPTED;
    if (progress->iterations >= settings->max_iterations) return AP_LIMIT;
    if (progress->iterations >= ap_solve_patience && ap_factors_can(t->p)) return AP_LIMIT;
    if (t->now.gradrel < ap_solve_progress * t->best) {
        t->best = t->now.gradrel;
        t->idle = 0;
    } else if ((t->gain < ap_solve_lost * t->now.noise || t->cuts >= ap_solve_many_cuts) && ++t->idle > ap_most_idle) {
        return AP_STALLED;  // what the model promises is lost in the rounding of the action, or of the gradient
    }
    return AP_OK;
}

// Has a search that stalled reached the limit of double precision? H is definite, the next step is short, and the
// gradient is within its change by rounding of the point.
static ap_status judge(newton *t) {
    double gradnorm = 0.0, gradrel = 0.0, length = INFINITY;
    const double tolerance = t->settings->tolerance;
    if (t->now.gradrel <= tolerance) return AP_STALLED;  // already within the tolerance
    ap_status status = t->model.how->predicted_step(&length, &t->model, t->v, t->work, t->err);
    if (status != AP_OK && !ap_is_no_point(status)) return status;
    if (status < 0 || !(length <= ap_close)) return AP_STALLED;
    status = ap_rounding(&gradnorm, &gradrel, &t->trial, &t->now, t->p, t->work, t->err);
    if (ap_is_no_point(status)) return AP_STALLED;  // within rounding of U there is an indefinite matrix
    if (status != AP_OK) return status;
    t->now.rounding = gradrel;
    const bool within = t->now.gradnorm <= fmax(tolerance, gradnorm) && t->now.gradrel <= fmax(tolerance, gradrel);
    return within ? AP_ROUNDED : AP_STALLED;
}

static void exchange(newton *t) {
    const ap_point swap = t->now;
    t->now = t->trial;
    t->trial = swap;
}

static ap_status step_taken(newton *t) {  // trial becomes now; what the secants need is kept
    exchange(t);
    ap_frame_gradient(t->last.y, &t->model.frame, &t->now);
    ap_axpy(t->model.n, -1.0, t->v, t->last.y);
    for (size_t i = 0; i < t->model.n; i++) t->last.s[i] = t->last.fraction * t->d[i];
    ap_axpy(t->model.n, 1.0, t->last.y, t->v);  // the gradient here
    t->ahead = INFINITY;
    if (t->now.gradnorm > t->settings->tolerance) return AP_OK;  // not needed yet
    return t->model.how->predicted_step(&t->ahead, &t->model, t->v, t->work, t->err);
}

// One search in nested factors, of at most so many steps: its point becomes now if it is a solution, or lower.
static ap_status nest(newton *t, bool near, size_t steps, ap_progress *progress) {
    ap_settings settings = *t->settings;
    if (settings.max_iterations > progress->iterations + steps) settings.max_iterations = progress->iterations + steps;
    if (near)
        memcpy(t->trial.order, t->now.order, ap_params_length(t->p->net) * sizeof(double));
    else
        ap_params_gp(t->trial.order, t->p->net);
    const ap_status status = ap_factors_search(&t->trial, progress, t->p, &settings, near, t->work, t->err);
    const bool solved = status >= 0 && ap_has_converged(status, &t->trial, t->settings);
    if (solved || (status >= 0 && height(&t->trial) < height(&t->now))) exchange(t);
    return status;
}

// The search is continued in nested factors: from here, if that may be near a solution, then from the GP point.
static ap_status go_on(newton *t, ap_status before, ap_progress *progress) {
    ap_status status = before;
    bool ended = false;
    t->work->used = t->beyond;
    for (int near = t->now.gradrel < ap_solve_far ? 1 : 0; !ended && near >= 0; near--) {
        status = nest(t, near == 1, near == 1 ? ap_solve_steps_near : t->settings->max_iterations, progress);
        ended = status == AP_INTERRUPTED || (status < 0 && !ap_is_no_point(status)) ||
                progress->iterations >= t->settings->max_iterations ||
                (status >= 0 && ap_has_converged(status, &t->now, t->settings));
    }
    return ap_is_no_point(status) ? before : status;
}

// What member l is larger by, at `lambda`, than the next free one is.
static double ratio(const ap_net *net, size_t l, double lambda) {
    const ap_member u = ap_params_member(net, l);
    return 1.0 + lambda / (u.width * (double)u.n);
}

// trial := the point at `lambda`, from now at `before`
static void rescale(newton *t, double lambda, double before) {
    const ap_net *net = t->p->net;
    double factor = 1.0;
    size_t end = ap_params_length(net);
    if (ap_params_eliminated(net)) factor *= ratio(net, net->L + 1, lambda) / ratio(net, net->L + 1, before);
    for (size_t l = ap_params_owner(net, net->L); l > 0; l = l > 1 ? ap_params_owner(net, l - 1) : 0) {
        factor *= ratio(net, l, lambda) / ratio(net, l, before);
        for (size_t i = ap_params_at(net, l); i < end; i++) t->trial.order[i] = t->now.order[i] * factor;
        end = ap_params_at(net, l);
    }
}

// Labels that are large for the kernel at the start: the first step makes all U_l larger, see the top.
static ap_status find_scale(newton *t, ap_progress *progress) {
    const ap_net *net = t->p->net;
    const size_t paths = t->p->kernel->paths;
    double before = 0.0, lambda = INFINITY;
    ap_status status = AP_OK;
    for (size_t l = 1; l <= net->L; l++) lambda = fmin(lambda, net->width[l - 1] * (double)ap_net_paths(net, l));
    if (!(-ap_dot(paths * paths, t->now.G, t->now.order) > ap_solve_far * lambda)) return AP_OK;
    for (int k = 0; k < ap_solve_most_doublings; k++, before = lambda, lambda *= 2.0) {
        if (ap_kernel_stops(t->p->kernel)) return AP_INTERRUPTED;
        rescale(t, lambda, before);
        status = ap_action_value(&t->trial, t->p, t->work, t->err);
        progress->evaluations++;
        if (status != AP_OK && !ap_is_no_point(status)) return status;
        if (status != AP_OK || !(height(&t->trial) < height(&t->now))) break;
        exchange(t);
    }
    return before > 0.0 ? ap_action_gradient(&t->now, t->p, t->work, t->err) : AP_OK;
}

ap_status ap_solve_by(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                      const ap_model_ops *how, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    newton t = {
        .p = p, .settings = settings, .work = work, .err = err, .now = *point, .best = INFINITY, .ahead = INFINITY};
    *progress = settings->begin;
    progress->evaluations++;
    ap_status status = take_search(&t, how);
    if (status < 0) goto done;
    t.reach = t.model.radius;
    status = ap_action_value(&t.now, p, work, err);
    if (status == AP_OK) status = ap_action_gradient(&t.now, p, work, err);
    if (status == AP_OK) status = find_scale(&t, progress);
    while (status == AP_OK) {
        progress->action = t.now.action;
        progress->gradnorm = t.now.gradnorm;
        progress->step = t.last.length * t.last.fraction;
        const bool converged = t.now.gradnorm <= settings->tolerance && t.ahead <= ap_ahead_most * settings->tolerance;
        status = verdict(&t, progress);
        if (converged) status = AP_OK;
        if (converged || status != AP_OK) break;
        status = newton_step(&t);
        if (status == AP_OK) status = line_search(&t, progress);
        if (status == AP_OK) status = ap_action_gradient(&t.trial, p, work, err);
        const bool moved = status == AP_OK;
        if (moved) status = step_taken(&t);
        if (status == AP_STALLED && t.last.fraction > 0.0) {  // perhaps the stored curvature is the cause: try without
            t.last.fraction = 0.0;
            status = AP_OK;
        }
        if (moved || status != AP_INTERRUPTED) progress->iterations++;
    }
    if (status == AP_STALLED) status = judge(&t);
    const bool unsolved = (status == AP_STALLED || status == AP_LIMIT) && !ap_has_converged(status, &t.now, settings);
    if (unsolved && ap_factors_can(p) && progress->iterations < settings->max_iterations)
        status = go_on(&t, status, progress);
    progress->action = t.now.action;  // which an interrupt may have left at the point before
    progress->gradnorm = t.now.gradnorm;
    ap_point_hand_over(point, &t.now, p);
done:
    work->used = mark;
    return status;
}

ap_status ap_solve(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                   ap_work *work, ap_error *err) {
    return ap_solve_by(point, progress, p, settings, NULL, work, err);
}
