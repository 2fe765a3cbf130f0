// ap_factors.c: the saddle point of hard problems, searched in nested factors
// SPDX-License-Identifier: BSD-3-Clause
//
//   U_l = R_l R_l',   R_l = (I (x) R_{l+1}) B_l,   R_{L+2} = 1,   l = 1 .. L+1, u_a among them
//
// The entropy (T8) is then a sum over layers, and bounded below, and so is the energy at T > 0:
//
//   S = sum_l N_l [ |B_l|^2 / sigma_l^2 - log det B_l B_l' ] + E (R_1),      E >= P log T
//
// so that a minimum exists: every term of the sum goes to infinity where B_l goes to infinity or becomes singular, and
// E does not go to minus infinity. At T = 0 it may: with labels that few paths explain, log det K has no lower bound
// where the others vanish, and the entropy may rise more slowly than that falls.
//
// With large labels few directions of paths explain the data, each a product of one direction a layer. To turn such a
// direction in layer l turns all of U_1 .. U_l together, along a valley that is as narrow as U_l is singular, and no
// curve that moves the U_l one by one follows it. Here it is a straight line: B_l := B_l T_l carries the layers
// underneath with it. B_l is kept with orthogonal columns, the longest first, and
//
//   T_l = exp (delta / 2) + l,   delta diagonal, l strictly lower
//
// which adds short columns to long ones. The action as a function of these coordinates, and its derivatives, are in
// ap_factors_action.c. Nothing is squared: U_l is not formed, and its condition may be the square of what a U_l in
// double precision can have.
//
// Steps minimise a quadratic model of S within a radius, in the metric of the entropy's second derivative. They begin
// with some that minimise a bound of S instead (ap_factors_bound.c), and end where those of ap_factors_rounding.c are
// no longer than their rounding errors.

#include "saddle/ap_saddle.h"

#include <math.h>
#include <string.h>

bool ap_factors_can(const ap_problem *p) {
    return p->net->temperature > 0.0 && p->kernel->outputs == 1 && p->kernel->paths <= ap_factors_most_paths &&
           !ap_net_skips(p->net) && !ap_params_fixed(p->net);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

// trial := now, moved by t
static void move(ap_factor_search *s, const double *t) {
    AP_MEMBERS (u, s->p->net) {
        double *T = s->one, *B = s->trial.B + u.at;
        memset(T, 0, u.n * u.n * sizeof(double));
        for (size_t i = 0, a = u.first; i < u.n; i++)
            for (size_t j = 0; j <= i; j++, a++) T[i + u.n * j] = i == j ? exp(0.5 * t[a]) : t[a];
        memcpy(B, s->now.B + u.at, u.n * u.n * sizeof(double));
        ap_trmm('R', 'N', u.n, u.n, 1.0, T, u.n, B, u.n);
    }
    ap_factors_straighten(s, &s->trial);
}

// d := - (H + shift)^{-1} v; false if that is not definite, or the caller wants the work to end
static bool attempt(ap_factor_search *s, double shift) {
    const size_t n = s->n;
    s->stopped = s->stopped || ap_kernel_stops(s->p->kernel);
    if (s->stopped) return false;
    memcpy(s->factor, s->H, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++) s->factor[j + n * j] += shift;
    if (ap_spd_chol(s->factor, n, "the curvature of the action", NULL) != AP_OK) return false;
    for (size_t i = 0; i < n; i++) s->d[i] = -s->v[i];
    ap_spd_solve(s->factor, n, s->d, 1);
    return isfinite(ap_dot(n, s->d, s->d));
}

// The minimiser of the model within the radius, nearly: a shift between too little and too much is halved in its
// logarithm. Returns the shift; negative if there is none.
static double minimise(ap_factor_search *s) {
    double low = 0.0, high = INFINITY, shift = 0.0;
    for (int k = 0; k < ap_factors_most_shifts && !s->stopped; k++) {
        const double size = attempt(s, shift) ? sqrt(ap_dot(s->n, s->d, s->d)) : INFINITY;
        const bool within = size <= s->radius;
        if (within && (shift == 0.0 || size >= ap_factors_filled * s->radius || shift < ap_factors_pinned * low ||
                       shift < ap_factors_least_shift))
            return shift;
        if (within)
            high = shift;
        else
            low = shift;
        if (isinf(high))
            shift = low > 0.0 ? ap_factors_raise * low : ap_factors_first_shift;
        else
            shift = low > 0.0 ? sqrt(low * high) : ap_factors_lower * high;
    }
    return isfinite(high) && attempt(s, high) ? high : -1.0;
}

// ---- the search -----------------------------------------------------------------------------------------------------

static void exchange(ap_factor_search *s) {
    const ap_factors swap = s->now;
    s->now = s->trial;
    s->trial = swap;
}

// Some steps of the bound, as long as they descend
static ap_status bounds(ap_factor_search *s, ap_progress *progress) {
    ap_status status = AP_OK;
    for (int k = 0; status == AP_OK && k < ap_factors_bounds_first; k++) {
        ap_status tried = ap_factors_bound(s);
        if (tried == AP_OK) tried = ap_factors_value(s, &s->trial);
        progress->evaluations++;
        if (tried != AP_OK && !ap_is_no_point(tried)) return tried;
        if (tried < 0 || !(s->trial.height < s->now.height)) break;
        exchange(s);
        status = ap_factors_derive(s, &s->now);
    }
    return status;
}

// The step at hand is tried: true where it was taken. The radius follows.
static bool taken(ap_factor_search *s, ap_status *status, ap_progress *progress) {
    const double size = sqrt(ap_dot(s->n, s->d, s->d)), noise = s->now.noise;
    const bool small = s->gain <= ap_factors_small * noise;
    move(s, s->t);
    const ap_status tried = ap_factors_value(s, &s->trial);
    progress->evaluations++;
    if (tried != AP_OK && !ap_is_no_point(tried)) *status = tried;
    const double drop = tried == AP_OK ? s->trial.height - s->now.height : INFINITY;
    const bool good = small ? drop <= ap_factors_slack * noise : drop <= -ap_factors_descent * s->gain;
    const bool poor = !small && drop > -ap_factors_poor * s->gain;
    if (!good)
        s->radius = ap_factors_cut * fmin(size, s->radius);
    else if (!small && drop < -ap_factors_good * s->gain && size >= ap_factors_used * s->radius)
        s->radius *= ap_factors_growth;
    else if (poor)
        s->radius *= ap_factors_halved;
    if (!good || poor) s->products = fmin(ap_factors_dearest, ap_factors_more * s->products);
    return good;
}

static ap_status step(ap_factor_search *s, ap_progress *progress) {
    ap_status status = ap_factors_model(s);
    if (status == AP_OK) ap_factors_norms(s);
    for (int cut = 0; status == AP_OK; cut++) {
        const double shift = minimise(s);
        if (s->stopped) return AP_INTERRUPTED;
        if (shift < 0.0 || cut == ap_factors_most_cuts) return AP_STALLED;
        s->gain = 0.5 * shift * ap_dot(s->n, s->d, s->d) - 0.5 * ap_dot(s->n, s->v, s->d);
        for (size_t i = 0; i < s->n; i++) s->t[i] = s->d[i] / sqrt(s->D[i]);
        s->length = ap_factors_length(s, &s->now, s->t);
        if (shift == 0.0) status = ap_factors_rounding_stop(s);
        for (size_t i = 0; i < s->n; i++) s->t[i] = s->d[i] / sqrt(s->D[i]);
        if (status != AP_OK || taken(s, &status, progress)) break;
    }
    if (status != AP_OK) return status;
    exchange(s);
    progress->step = s->length;
    return ap_factors_derive(s, &s->now);
}

static ap_status search(ap_factor_search *s, bool near, ap_progress *progress) {
    const ap_settings *settings = s->settings;
    ap_status status = ap_factors_value(s, &s->now);
    progress->evaluations++;
    if (status == AP_OK) status = ap_factors_derive(s, &s->now);
    if (status == AP_OK && !near) status = bounds(s, progress);
    while (status == AP_OK) {
        progress->action = s->now.entropy + s->now.fit.energy;
        progress->gradnorm = s->gradnorm;
        if (settings->monitor != NULL && settings->monitor(settings->context, progress)) return AP_INTERRUPTED;
        if (progress->iterations >= settings->max_iterations) return AP_LIMIT;
        status = step(s, progress);
        progress->iterations++;
        progress->factor_steps++;
    }
    return status;
}

static ap_status take_factors(ap_factors *f, ap_factor_search *s) {
    const size_t chain = ap_params_length(s->p->net), paths = s->p->kernel->paths;
    AP_TAKE_EACH(s->work, chain, &f->B, &f->R);
    f->G = ap_take_matrix(s->work, paths, paths);
    return ap_fit_take(&f->fit, s->p, s->work, s->err);
}

static ap_status take_factor_search(ap_factor_search *s) {
    const ap_kernel *k = s->p->kernel;
    const size_t chain = ap_params_length(s->p->net), paths = k->paths, cells = ap_times(paths, paths);
    ap_work *work = s->work;
    s->last = s->p->net->L + 1;
    s->q = k->pairs;
    AP_MEMBERS (u, s->p->net) s->n = ap_plus(s->n, u.pairs);
    ap_status status = take_factors(&s->now, s);
    if (status == AP_OK) status = take_factors(&s->trial, s);
    if (status < 0) return status;
    AP_TAKE_EACH(work, cells, &s->unit, &s->one, &s->two, &s->three, &s->four);
    AP_TAKE_EACH(work, ap_times(s->n, s->n), &s->H, &s->factor, &s->energy);
    AP_TAKE_EACH(work, s->n, &s->v, &s->v_here, &s->d, &s->D);
    s->logdet = s->factor;  // needed before it
    s->Y = ap_take_matrix(work, ap_times(k->N0, k->P), paths);
    AP_TAKE_EACH(work, ap_times(cells, s->n - s->q), &s->X, &s->gX);
    s->J = ap_take_matrix(work, s->q, s->n - s->q);
    AP_TAKE_EACH(work, chain, &s->g, &s->V, &s->W);
    s->t = ap_take(work, ap_plus(s->n, ap_times(k->P, ap_problem_columns(s->p))));
    s->scratch = ap_take(work, ap_plus(s->n, ap_times(4, paths)));
    if (s->scratch == NULL) return ap_not_taken(work, s->err, "ap_factors");
    ap_spd_identity(s->unit, paths);
    return AP_OK;
}

// U_l into the point, with all its fields. Its gradients are those of the factors; `rounding` is gradrel of the
// U_l as they are in double precision, or that of the factors where rounding alone is found to make a larger one.
static ap_status hand_over(ap_point *point, ap_factor_search *s, ap_status status) {
    AP_MEMBERS (u, s->p->net) ap_spd_outer(point->order + u.at, 1.0, s->now.R + u.at, u.n, u.n);
    ap_status plain = ap_action_value(point, s->p, s->work, s->err);
    if (plain == AP_OK) plain = ap_action_gradient(point, s->p, s->work, s->err);
    if (plain < 0) return plain;
    if (status == AP_ROUNDED && point->gradnorm <= s->settings->tolerance) status = AP_OK;
    point->rounding = status == AP_ROUNDED ? fmax(point->gradrel, s->gradrel) : point->gradrel;
    point->gradnorm = s->gradnorm;
    point->gradrel = s->gradrel;
    return status;
}

ap_status ap_factors_search(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                            bool near, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    ap_factor_search s = {
        .p = p, .settings = settings, .work = work, .err = err, .kernel = *p->kernel, .best = INFINITY};
    s.mixed = *p;
    s.mixed.kernel = &s.kernel;
    ap_kernel_bare(&s.kernel);
    ap_status status = take_factor_search(&s);
    s.kernel.Xi = s.Y;
    s.radius = sqrt((double)s.n * ap_net_maxwidth(p->net));
    s.products = ap_factors_dear;
    if (status == AP_OK) status = ap_factors_from_order(&s, &s.now, point->order);
    if (status == AP_OK) status = search(&s, near, progress);
    if (status >= 0) status = hand_over(point, &s, status);
    work->used = mark;
    return status;
}
