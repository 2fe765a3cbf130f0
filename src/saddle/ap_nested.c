// ap_nested.c: the saddle point of hard problems, searched in nested factors
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
// ap_nested_model.c. Nothing is squared: U_l is not formed, and its condition may be the square of what a U_l in double
// precision can have.
//
// Steps minimise a quadratic model of S within a radius, in the metric of the entropy's second derivative. They begin
// with some that minimise a bound of S instead, which is the same at the point and above it elsewhere: log det A is
// concave, y' A^{-1} y = min_w w' U_1^{-1} w + |y - Phi w|^2 / T, and so, with G = G+ - G- the two parts of (T9),
//
//   S (U) <= S_entropy (U) + tr (G+ U_1) + tr (U_1^{-1} U G- U) + const.
//
// Its minimum by one U_l is a quadratic equation's root (theory.md section 3). These steps need no line search and no
// radius, and find the scale of labels of any size in a few steps; at the end they are slow.

#include "saddle/ap_nested.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "action/ap_orthogonal.h"
#include "base/ap_blas.h"
#include "base/ap_core.h"
#include "base/ap_pairs.h"
#include "base/ap_spd.h"
#include "network/ap_order.h"
#include "saddle/ap_nested_model.h"

enum { bounds_first = 10, bounds_cooled = 3, sweeps = 10, most_shifts = 40, most_cuts = 40 };
enum { most_idle = 3, steps_of_stage = 8, draws = 3 };
enum { most_paths = 64 };  // three matrices of 2100 rows, 106 MB

static const double relative = 100.0;  // as in ap_solve.c: the next step's length over the tolerance
static const double close = 1e-3;      // the same where rounding ends the search, relative to the factors
static const double cooling = 10.0;    // temperatures before the problem's own are apart by this factor
static const double settled = 1.0;     // and are left where a step promises less than that

bool ap_nested_can(const ap_problem *p) {
    return p->net->temperature > 0.0 && p->kernel->outputs == 1 && p->kernel->paths <= most_paths &&
           !ap_net_skips(p->net) && !ap_order_fixed(p->net);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

// Metric length of the change of all U_l that t makes
static double length(ap_nest *s, const ap_factors *f, const double *t) {
    const size_t paths = s->p->kernel->paths;
    double sum = 0.0, *X = s->three;
    size_t first = s->n;
    memset(X, 0, paths * paths * sizeof(double));
    for (size_t l = s->last; l >= 1; l--) {
        const ap_member u = ap_order_member(s->p->net, l);
        first -= u.pairs;
        if (l < s->last) ap_nested_carry(X, s, f, &u);
        for (size_t i = 0, a = first; i < u.n; i++)
            for (size_t j = 0; j <= i; j++, a++) X[i + u.n * j] += (i == j ? 0.5 : 1.0) * t[a];
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i < u.n; i++) {
                const double d = X[i + u.n * j] + X[j + u.n * i];
                sum += d * d;
            }
    }
    return sqrt(sum);
}

// trial := now, moved by t
static void move(ap_nest *s, const double *t) {
    size_t a = 0;
    for (size_t l = 1; l <= s->last; l++) {
        const ap_member u = ap_order_member(s->p->net, l);
        double *T = s->one, *B = s->trial.B + u.at;
        memset(T, 0, u.n * u.n * sizeof(double));
        for (size_t i = 0; i < u.n; i++)
            for (size_t j = 0; j <= i; j++, a++) T[i + u.n * j] = i == j ? exp(0.5 * t[a]) : t[a];
        memcpy(B, s->now.B + u.at, u.n * u.n * sizeof(double));
        ap_trmm('R', 'N', u.n, u.n, 1.0, T, u.n, B, u.n);
    }
    ap_nested_straighten(s, &s->trial);
}

// d := - (H + shift)^{-1} v; false if that is not definite
static bool attempt(ap_nest *s, double shift) {
    const size_t n = s->n;
    memcpy(s->factor, s->H, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++) s->factor[j + n * j] += shift;
    if (ap_spd_chol(s->factor, n, "the curvature of the action", NULL) != AP_OK) return false;
    for (size_t i = 0; i < n; i++) s->d[i] = -s->v[i];
    ap_spd_solve(s->factor, n, s->d, 1);
    return isfinite(ap_dot(n, s->d, s->d));
}

// The minimiser of the model within the radius, nearly: a shift between too little and too much is halved in its
// logarithm. Returns the shift; negative if there is none.
static double minimise(ap_nest *s) {
    double low = 0.0, high = INFINITY, shift = 0.0;
    for (int k = 0; k < most_shifts; k++) {
        const double size = attempt(s, shift) ? sqrt(ap_dot(s->n, s->d, s->d)) : INFINITY;
        const bool within = size <= s->radius;
        if (within && (shift == 0.0 || size >= 0.5 * s->radius || shift < 1.2 * low || shift < 1e-12)) return shift;
        if (within)
            high = shift;
        else
            low = shift;
        if (isinf(high))
            shift = low > 0.0 ? 10.0 * low : 1e-3;
        else
            shift = low > 0.0 ? sqrt(low * high) : 0.1 * high;
    }
    return isfinite(high) && attempt(s, high) ? high : -1.0;
}

// ---- steps of the bound ---------------------------------------------------------------------------------------------

// The root X of the solution V = X X' of V P V - m V - Q = 0, and its inverse W; P, Q overwritten
static ap_status quadratic(double *X, double *W, double *P, double *Q, double m, size_t n, double *w, double *scratch,
                           ap_error *err) {
    ap_status status = ap_spd_chol(P, n, "the bound of the action", err);
    if (status < 0) return status;
    ap_spd_clear_upper(P, n);
    ap_spd_congruence(X, Q, P, n, scratch);
    ap_spd_symmetrise(X, n);
    if (!ap_syev('V', n, X, n, w, w + n)) return ap_fail(err, AP_ELAPACK, "dsyev did not converge (order %zu)", n);
    for (size_t j = 0; j < n; j++) {
        const double q = fmax(w[j], DBL_EPSILON * DBL_EPSILON * w[n - 1]), root = sqrt(m * m + 4.0 * q);
        const double z = sqrt(m > 0.0 ? 0.5 * (m + root) : 2.0 * q / (root - m));
        if (!(z > 0.0) || !isfinite(z)) return ap_fail(err, AP_ENONFINITE, "the bound of the action has no minimum");
        for (size_t i = 0; i < n; i++) {
            scratch[i + n * j] = X[i + n * j] / z;
            X[i + n * j] *= z;
        }
    }
    ap_gemm('T', 'T', n, n, n, 1.0, scratch, n, P, n, 0.0, W, n);  // z^{-1} E' L'
    ap_trsm('L', 'T', n, n, 1.0, P, n, X, n);
    return AP_OK;
}

static ap_status sweep(ap_nest *s, const double *plus, const double *minus) {
    ap_status status = AP_OK;
    for (size_t l = 1; status == AP_OK && l <= s->last; l++) {
        const ap_member u = ap_order_member(s->p->net, l);
        const size_t n = u.n;
        double *P = s->one, *Q = s->two, *A = s->three, m = u.width;
        memcpy(A, s->now.B + u.at, n * n * sizeof(double));
        if (l < s->last) ap_nested_act('N', A, s->W + u.at + n * n, &u, s->four);
        ap_spd_gram(P, u.width / u.variance, A, n, n);
        if (l == 1) {
            for (size_t i = 0; i < n * n; i++) P[i] += plus[i];
            memcpy(Q, minus, n * n * sizeof(double));
        } else {
            const ap_member d = ap_order_member(s->p->net, l - 1);
            ap_gemm('N', 'N', d.n, d.n, d.n, 1.0, s->now.B + d.at, d.n, s->V + d.at, d.n, 0.0, A, d.n);
            for (size_t h = 0; h < d.branches; h++)
                ap_gemm('N', 'T', n, n, d.n, d.width / d.variance, A + h * n, d.n, A + h * n, d.n, h == 0 ? 0.0 : 1.0,
                        Q, n);
            m -= d.width * (double)d.branches;
        }
        status = quadratic(s->V + u.at, s->W + u.at, P, Q, m, n, s->scratch, s->four, s->err);
    }
    return status;
}

// trial := the minimum of the bound, by turns
static ap_status bound(ap_nest *s) {
    const size_t cells = s->p->kernel->paths * s->p->kernel->paths, P = s->p->kernel->P * ap_problem_columns(s->p);
    double *plus = s->energy, *minus = s->logdet;
    ap_fit without = s->now.fit;
    memset(s->t, 0, P * sizeof(double));
    without.b = s->t;
    ap_status status = ap_fit_gradient(plus, &without, &s->mixed, s->work, s->err);
    if (status < 0) return status;
    for (size_t i = 0; i < cells; i++) minus[i] = plus[i] - s->now.G[i];
    for (size_t l = 1; l <= s->last; l++) {
        const ap_member u = ap_order_member(s->p->net, l);
        ap_spd_identity(s->V + u.at, u.n);
        ap_spd_identity(s->W + u.at, u.n);
    }
    for (int k = 0; status == AP_OK && k < sweeps; k++) status = sweep(s, plus, minus);
    if (status < 0) return status;
    for (size_t l = 1; l <= s->last; l++) {
        const ap_member u = ap_order_member(s->p->net, l);
        ap_gemm('N', 'N', u.n, u.n, u.n, 1.0, s->now.B + u.at, u.n, s->V + u.at, u.n, 0.0, s->trial.B + u.at, u.n);
        if (l < s->last) ap_nested_act('N', s->trial.B + u.at, s->W + u.at + u.n * u.n, &u, s->two);
    }
    ap_nested_straighten(s, &s->trial);
    return AP_OK;
}

// ---- where the search ends ------------------------------------------------------------------------------------------

// dS/dU_l in the frame R_l, u_a being what it is
static void framed(double *frame, const ap_nest *s, const ap_member *u, size_t l) {
    const ap_factors *f = &s->now;
    const size_t n = u->n;
    memset(frame, 0, n * n * sizeof(double));
    if (l == 1) memcpy(frame, f->G, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++) frame[j + n * j] += u->width * (ap_nested_squares(f, u, j) / u->variance - 1.0);
    if (l == 1) return;
    const ap_member under = ap_order_member(s->p->net, l - 1);
    for (size_t h = 0; h < under.branches; h++) {
        const double *B = f->B + under.at + h * n;
        ap_gemm('N', 'T', n, n, under.n, -under.width / under.variance, B, under.n, B, under.n, 1.0, frame, n);
    }
    for (size_t j = 0; j < n; j++) frame[j + n * j] += under.width * (double)under.branches;
}

// gradrel, in the frames R_l, and gradnorm
static void norms(ap_nest *s) {
    double *frame = s->one, *inverse = s->two, *above = s->three, largest = 0.0;
    s->gradrel = 0.0;
    for (size_t l = s->last; l >= 1; l--) {
        const ap_member u = ap_order_member(s->p->net, l);
        const size_t n = u.n;
        memcpy(above, inverse, u.below * u.below * sizeof(double));  // R_{l+1}^{-1}
        ap_spd_identity(inverse, n);
        if (l < s->last) ap_nested_act('N', inverse, above, &u, s->four);
        ap_nested_solve(inverse, &s->now, &u, s->four);
        if (l == s->last) continue;
        framed(frame, s, &u, l);
        for (size_t i = 0; i < n * n; i++) s->gradrel = fmax(s->gradrel, fabs(frame[i]) / u.width);
        ap_spd_congruence(above, frame, inverse, n, s->four);
        for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(above[i]));
    }
    s->gradnorm = largest / ap_net_maxwidth(s->p->net);
}

// Length of d relative to the factors
static double in_factors(const ap_nest *s) {
    double sum = 0.0;
    size_t a = 0;
    for (size_t l = 1; l <= s->last; l++) {
        const ap_member u = ap_order_member(s->p->net, l);
        for (size_t k = 0; k < u.pairs; k++, a++) sum += s->d[a] * s->d[a] / u.width;
    }
    return sqrt(sum);
}

// Y as it is, and as far off as its own sums of products are: n of them, independent, each within eps of itself
static void blur(ap_nest *s, ap_rng *rng) {
    const ap_kernel *k = s->p->kernel;
    const size_t cells = k->N0 * k->P, n = k->paths;
    ap_nested_mix(s, &s->now);
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < cells; i++) {
            double sum = 0.0;
            for (size_t a = 0; a < n; a++) {
                const double x = k->Xi[i + cells * a] * s->now.R[a + n * c];
                sum += x * x;
            }
            const double e = DBL_EPSILON * sqrt((double)n * sum);
            s->Y[i + cells * c] += ap_rng_uniform(rng) < 0.5 ? -e : e;
        }
}

// Length of the Newton step that rounding alone makes: of Y, seen through the gradient, and of B_l, whose columns are
// sums of n products as well. The largest of some draws, the same in every call. Afterwards d is the Newton step again.
static ap_status rounding(double *most, ap_nest *s) {
    ap_rng rng = ap_rng_start(0, 0);
    ap_factors *f = &s->trial;
    ap_status status = AP_OK;
    *most = 0.0;
    memcpy(s->v_here, s->v, s->n * sizeof(double));
    memcpy(f->B, s->now.B, ap_order_length(s->p->net) * sizeof(double));
    for (int draw = 0; status == AP_OK && draw < draws; draw++) {
        size_t a = 0;
        blur(s, &rng);
        status = ap_nested_fit(s, f);
        if (status == AP_OK) status = ap_nested_derive(s, f);
        if (status < 0) break;
        ap_nested_gradient(s, f);
        for (size_t i = 0; i < s->n; i++) s->t[i] = s->v[i] - s->v_here[i];
        ap_spd_solve(s->factor, s->n, s->t, 1);
        for (size_t l = 1; l <= s->last; l++) {
            const ap_member u = ap_order_member(s->p->net, l);
            for (size_t i = 0; i < u.n; i++)
                for (size_t j = 0; j <= i; j++, a++) {
                    const double e =
                        DBL_EPSILON * sqrt((double)u.n * ap_nested_squares(f, &u, j) / ap_nested_squares(f, &u, i));
                    s->t[a] = s->t[a] / sqrt(s->D[a]) + (ap_rng_uniform(&rng) < 0.5 ? -e : e);
                }
        }
        *most = fmax(*most, length(s, f, s->t));
    }
    memcpy(s->v, s->v_here, s->n * sizeof(double));
    return status;
}

// The step at hand is Newton's own. AP_OK: go on. Where steps grow no shorter, and promise less than the action's
// rounding, the search is at the floor of double precision. It is a solution there if the step is as short as the
// tolerance asks, whatever gradnorm is in the units of 1/U, or no longer than rounding alone makes it.
static ap_status judge(ap_nest *s) {
    double most = 0.0;
    const double tolerance = s->settings->tolerance;
    if (s->length <= relative * tolerance && s->gradnorm <= tolerance) return AP_ROUNDED;
    if (s->gain >= s->now.noise || in_factors(s) >= close) return AP_OK;
    if (s->length < 0.5 * s->best) {
        s->best = s->length;
        s->idle = 0;
        return AP_OK;
    }
    if (s->length <= relative * tolerance) return AP_ROUNDED;
    if (rounding(&most, s) == AP_OK && s->length <= most) return AP_ROUNDED;
    return ++s->idle > most_idle ? AP_STALLED : AP_OK;
}

// ---- the search -----------------------------------------------------------------------------------------------------

static void exchange(ap_nest *s) {
    const ap_factors swap = s->now;
    s->now = s->trial;
    s->trial = swap;
}

// Some steps of the bound, as long as they descend
static ap_status bounds(ap_nest *s, int count, ap_progress *progress) {
    ap_status status = AP_OK;
    for (int k = 0; status == AP_OK && k < count; k++) {
        ap_status tried = bound(s);
        if (tried == AP_OK) tried = ap_nested_value(s, &s->trial);
        progress->evaluations++;
        if (tried == AP_EMEMORY) return tried;
        if (tried < 0 || !(s->trial.height < s->now.height)) break;
        exchange(s);
        status = ap_nested_derive(s, &s->now);
    }
    return status;
}

// The step at hand is tried: true where it was taken. The radius follows.
static bool taken(ap_nest *s, ap_status *status, ap_progress *progress) {
    const double size = sqrt(ap_dot(s->n, s->d, s->d)), noise = s->now.noise;
    const bool small = s->gain <= 4.0 * noise;
    move(s, s->t);
    const ap_status tried = ap_nested_value(s, &s->trial);
    progress->evaluations++;
    if (tried == AP_EMEMORY) *status = tried;
    const double drop = tried == AP_OK ? s->trial.height - s->now.height : INFINITY;
    const bool good = small ? drop <= 8.0 * noise : drop <= -0.05 * s->gain;
    if (!good)
        s->radius = 0.25 * fmin(size, s->radius);
    else if (!small && drop < -0.7 * s->gain && size >= 0.4 * s->radius)
        s->radius *= 4.0;
    else if (!small && drop > -0.25 * s->gain)
        s->radius *= 0.5;
    return good;
}

static ap_status step(ap_nest *s, ap_progress *progress) {
    ap_status status = ap_nested_model(s);
    if (status == AP_OK) norms(s);
    for (int cut = 0; status == AP_OK; cut++) {
        const double shift = minimise(s);
        if (shift < 0.0 || cut == most_cuts) return AP_STALLED;
        s->gain = 0.5 * shift * ap_dot(s->n, s->d, s->d) - 0.5 * ap_dot(s->n, s->v, s->d);
        for (size_t i = 0; i < s->n; i++) s->t[i] = s->d[i] / sqrt(s->D[i]);
        s->length = length(s, &s->now, s->t);
        if (shift == 0.0 && s->net.temperature <= s->p->net->temperature) status = judge(s);
        for (size_t i = 0; i < s->n; i++) s->t[i] = s->d[i] / sqrt(s->D[i]);
        if (status != AP_OK || taken(s, &status, progress)) break;
    }
    if (status != AP_OK) return status;
    exchange(s);
    s->steps++;
    progress->step = s->length;
    return ap_nested_derive(s, &s->now);
}

// At this temperature, from where the search is
static ap_status at_temperature(ap_nest *s, double temperature, int count, ap_progress *progress) {
    s->net.temperature = temperature;
    s->radius = sqrt((double)s->n * ap_net_maxwidth(s->p->net));
    s->best = INFINITY;
    s->idle = s->steps = 0;
    ap_status status = ap_nested_value(s, &s->now);
    progress->evaluations++;
    if (status == AP_OK) status = ap_nested_derive(s, &s->now);
    return status == AP_OK ? bounds(s, count, progress) : status;
}

static ap_status search(ap_nest *s, bool near, ap_progress *progress) {
    const ap_problem *p = s->p;
    const ap_settings *settings = s->settings;
    const size_t all = p->kernel->P * ap_problem_columns(p);
    const double T = p->net->temperature, warm = fmax(T, ap_dot(all, p->y, p->y) / (double)all);
    ap_status status = at_temperature(s, near ? T : warm, near ? 0 : bounds_first, progress);
    while (status == AP_OK) {
        progress->action = s->now.entropy + s->now.fit.energy;
        progress->gradnorm = s->gradnorm;
        if (settings->monitor != NULL && settings->monitor(settings->context, progress)) return AP_INTERRUPTED;
        if (progress->iterations >= settings->max_iterations) return AP_LIMIT;
        status = step(s, progress);
        progress->iterations++;
        progress->nested++;
        if (s->net.temperature > T && status == AP_STALLED) {  // the next temperature may do better
            s->steps = steps_of_stage;
            status = AP_OK;
        }
        if (status == AP_OK && s->net.temperature > T && (s->steps >= steps_of_stage || s->gain < settled))
            status = at_temperature(s, fmax(T, s->net.temperature / cooling), bounds_cooled, progress);
    }
    return status;
}

static ap_status take_factors(ap_factors *f, ap_nest *s) {
    const size_t chain = ap_order_length(s->p->net), paths = s->p->kernel->paths;
    f->B = ap_take(s->work, chain);
    f->R = ap_take(s->work, chain);
    f->G = ap_take_matrix(s->work, paths, paths);
    return ap_fit_take(&f->fit, s->p, s->work, s->err);
}

static ap_status take(ap_nest *s) {
    const ap_kernel *k = s->p->kernel;
    const size_t chain = ap_order_length(s->p->net), paths = k->paths, cells = ap_times(paths, paths);
    ap_work *work = s->work;
    double **square[] = {&s->unit, &s->one, &s->two, &s->three, &s->four};
    s->last = s->p->net->L + 1;
    s->q = k->pairs;
    for (size_t l = 1; l <= s->last; l++) s->n = ap_plus(s->n, ap_pairs_count(ap_net_paths(s->p->net, l)));
    double **matrix[] = {&s->H, &s->factor, &s->energy}, **vector[] = {&s->v, &s->v_here, &s->d, &s->D};
    ap_status status = take_factors(&s->now, s);
    if (status == AP_OK) status = take_factors(&s->trial, s);
    if (status < 0) return status;
    for (size_t i = 0; i < sizeof square / sizeof *square; i++) *square[i] = ap_take(work, cells);
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++) *matrix[i] = ap_take_matrix(work, s->n, s->n);
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) *vector[i] = ap_take(work, s->n);
    s->logdet = s->factor;  // needed before it
    s->Y = ap_take_matrix(work, ap_times(k->N0, k->P), paths);
    s->X = ap_take_matrix(work, cells, s->n - s->q);
    s->gX = ap_take_matrix(work, cells, s->n - s->q);
    s->J = ap_take_matrix(work, s->q, s->n - s->q);
    s->g = ap_take(work, chain);
    s->V = ap_take(work, chain);
    s->W = ap_take(work, chain);
    s->t = ap_take(work, ap_plus(s->n, ap_times(k->P, ap_problem_columns(s->p))));
    s->scratch = ap_take(work, ap_plus(s->n, ap_times(4, paths)));
    if (s->scratch == NULL) return ap_not_taken(work, s->err, "ap_nested");
    ap_spd_identity(s->unit, paths);
    return AP_OK;
}

// For a stack that counts: what steps take.
static ap_status count_steps(ap_nest *s) {
    ap_status status = ap_energy(&s->now.fit, &s->mixed, s->unit, NULL, s->work, s->err);
    if (status == AP_OK) status = ap_reserve(s->work, ap_orthogonal_worksize(&s->kernel), s->err, "ap_nested");
    if (status == AP_OK) status = ap_nested_derive(s, &s->now);
    return status == AP_OK ? ap_nested_model(s) : status;
}

// U_l into the point, and all that is known there. Its gradients are those of the factors; `rounding` is gradrel of the
// U_l as they are in double precision, or that of the factors where rounding alone is found to make a larger one.
static ap_status hand_over(ap_point *point, ap_nest *s, ap_status status) {
    for (size_t l = 1; l <= s->last; l++) {
        const ap_member u = ap_order_member(s->p->net, l);
        const double *R = s->now.R + u.at;
        ap_spd_outer(point->order + u.at, 1.0, R, u.n, u.n);
    }
    ap_status plain = ap_action_value(point, s->p, s->work, s->err);
    if (plain == AP_OK) plain = ap_action_gradient(point, s->p, s->work, s->err);
    if (plain < 0) return plain;
    if (status == AP_ROUNDED && point->gradnorm <= s->settings->tolerance) status = AP_OK;
    point->rounding = status == AP_ROUNDED ? fmax(point->gradrel, s->gradrel) : point->gradrel;
    point->gradnorm = s->gradnorm;
    point->gradrel = s->gradrel;
    return status;
}

ap_status ap_nested(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings, bool near,
                    ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    ap_nest s = {.p = p, .settings = settings, .work = work, .err = err, .net = *p->net, .kernel = *p->kernel};
    s.mixed = *p;
    s.mixed.net = &s.net;
    s.mixed.kernel = &s.kernel;
    s.kernel.storage = 0;
    s.kernel.packed = s.kernel.square = NULL;
    ap_status status = take(&s);
    s.kernel.Xi = s.Y;
    if (status == AP_OK && work->counts) status = count_steps(&s);
    if (status < 0 || work->counts) goto done;
    status = ap_nested_from_order(&s, &s.now, point->order);
    if (status == AP_OK) status = search(&s, near, progress);
    if (status >= 0) status = hand_over(point, &s, status);
done:
    work->used = mark;
    return status;
}
