// ap_solve.c: the saddle point of the action
// SPDX-License-Identifier: BSD-3-Clause
//
// Newton's method on all U_l at once, u_a eliminated, from any point of the cone of positive definite matrices:
//
//   H d = - dS/dd,    x_l = F_l d_l F_l',    U_l := U_l + s x_l + s^2 x_l U_l^{-1} x_l / 2,    U_l = F_l F_l'
//
// The retraction stays in the cone for every s, so that no step needs a safeguard, and follows the geodesic of the
// affine-invariant metric |x|^2 = sum_l tr (U_l^{-1} x_l U_l^{-1} x_l) to second order. H is the curvature along it
// (ap_curvature.c): exact for the entropy and for y' A^{-1} y, which together cost a third of an evaluation; the
// curvature of log det A, too dear to form, is known in one direction, estimated with a few random sign vectors, and
// corrected by the gradients that are met on the way:
//
//   far      first step, or after a step that was cut, long or shifted: log det's curvature is taken anew, by its mean
//            part g g'/P after a cut step and until H has been definite once, otherwise with `probes` vectors, four
//            times as many whenever H comes out indefinite, up to as many as examples, which is exact
//   near     log det's curvature is kept and corrected by a BFGS update with its own gradient's change; this secant is
//            always usable, because log det A is concave in U
//   tail     H itself is kept and corrected in the same way: nothing but evaluations
//
// An indefinite H is shifted along the metric until it has a Cholesky factor. Steps are at most step_limit sqrt (Pi)
// long, and backtrack on the action, whose value costs a third of an evaluation.
//
// Why this one. Evaluations from the GP point that `make bench` counts, Markov task (P = 100, to 1e-8) at N = 10, 30,
// 100, 1000, and a 16-path problem (P = 600, N = 10, to 1e-6); in brackets the whole cost in times of one evaluation:
//
//   Newton, 4 probes        @@4@@
//   Newton, 64 probes       @@64@@
//   Newton, 0 probes        @@0@@
//   L-BFGS, affine-invariant metric, frame carried along                @@lb@@
//   L-BFGS on log-Cholesky coordinates                                  @@lc@@
//   fixed point U = (B + G/N)^{-1} in log U, Anderson, upper eliminated @@an@@
//   Adam as published, only to 1e-5                                     @@ad@@
//
// The curvature of so few unknowns is cheap beside an evaluation, and the one expensive part of it need not be exact:
// 4 probes lose one or two steps against 64 and cost a twentieth. Without probes the mean part must be corrected by
// secants alone, which costs steps where the width is small.

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_curvature.h"
#include "ap_spd.h"

static const double near = 0.2;         // metric length of a full step below which estimates are kept; flat, 0.1 .. 0.5
static const double tail = 0.03;        // the same for all of H
static const double first_shift = 2.0;  // of an indefinite H, times N_l in layer l; the search starts at an eighth
static const double least_shift = 1e-6;  // and doubles

enum { most_shifts = 60, most_cuts = 30 };

typedef struct newton {
    const ap_problem *p;
    const ap_settings *settings;
    ap_work *work;
    ap_error *err;
    size_t n, pairs;
    ap_point now, trial;
    double *frame;            // [order] Cholesky factors F_l of the point at which H was built; x_l = F_l d_l F_l'
    double *H, *factor;       // [n x n] lower: curvature in coordinates of d; its Cholesky factor
    double *labels, *logdet;  // [pairs x pairs] lower: curvature of y' A^{-1} y, of log det A with its sign reversed
    double *T;                // [pairs x pairs] from coordinates of d_1 to those of x_1
    double *v, *d, *xi, *scratch;   // [n] gradient; [n] Newton step; [order] the same as matrices x; [order]
    double *s, *y, *Hs;             // [n] last step taken; change of gradient; H s
    double *u, *g, *u_old, *g_old;  // [pairs] U_1 and the gradient of log det A, here and at the curvature before
    double length, fraction;        // metric length of the last full step; part of it that was taken
    double shift;                   // of the last indefinite H
    double gain;                    // decrease of the action that the last full step promised
    size_t probes;                  // settings->probes, more after an estimate that came out indefinite
    bool definite, met;             // H needed no shift; this time, at any time before
} newton;

ap_settings ap_settings_default(void) {
    return (ap_settings){.tolerance = 1e-8, .max_iterations = 200, .probes = 4, .step_limit = 1.0};
}

size_t ap_solve_worksize(const ap_problem *p) {
    const size_t n = ap_curvature_count(p->net), q = p->kernel->pairs, order = ap_net_order(p->net);
    const size_t matrices = ap_plus(ap_times(2, ap_times(n, n)), ap_times(3, ap_times(q, q)));
    const size_t vectors = ap_plus(ap_times(5, n), ap_plus(ap_times(4, q), ap_times(3, order)));
    const size_t a = ap_action_worksize(p), b = ap_curvature_worksize(p->net);
    const size_t c = ap_curvature_energysize(p, p->kernel->P);
    const size_t inner = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return ap_plus(ap_plus(ap_plus(matrices, vectors), ap_point_size(p)), inner);
}

static ap_status take(newton *t) {
    const size_t n = t->n, q = t->pairs, order = ap_net_order(t->p->net);
    ap_status status = ap_point_take(&t->trial, t->p, t->work, t->err);
    if (status < 0) return status;
    t->H = ap_take(t->work, n * n);
    t->factor = ap_take(t->work, n * n);
    t->labels = ap_take(t->work, q * q);
    t->logdet = ap_take(t->work, q * q);
    t->T = ap_take(t->work, q * q);
    t->v = ap_take(t->work, n);
    t->d = ap_take(t->work, n);
    t->s = ap_take(t->work, n);
    t->y = ap_take(t->work, n);
    t->Hs = ap_take(t->work, n);
    t->u = ap_take(t->work, q);
    t->g = ap_take(t->work, q);
    t->u_old = ap_take(t->work, q);
    t->g_old = ap_take(t->work, q);
    t->frame = ap_take(t->work, order);
    t->scratch = ap_take(t->work, order);
    t->xi = ap_take(t->work, order);
    return t->xi == NULL ? ap_no_memory(t->err, "ap_solve") : AP_OK;
}

// B := B - B s s' B / (s' B s) + y y' / (s' y), lower, which makes B s = y; left alone unless s' y > 0.
static void bfgs(double *B, size_t n, const double *s, const double *y, double *Bs) {
    ap_symv(n, 1.0, B, n, s, 0.0, Bs);
    const double sy = ap_dot(n, s, y), sBs = ap_dot(n, s, Bs);
    if (!(sy > 1e-12 * sBs) || !(sBs > 0.0)) return;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) B[i + n * j] += y[i] * y[j] / sy - Bs[i] * Bs[j] / sBs;
}

// E := T' E T, E [q x q] lower: from coordinates of x_1 to those of d_1. W [q x q] is scratch.
static void into_frame(double *E, const double *F, size_t paths, double *T, double *W) {
    const size_t q = paths * (paths + 1) / 2;
    for (size_t d = 0, col = 0; d < paths; d++)
        for (size_t c = 0; c <= d; c++, col++)
            for (size_t b = 0, row = 0; b < paths; b++)
                for (size_t a = 0; a <= b; a++, row++) {
                    const double sum = F[a + paths * c] * F[b + paths * d] + F[a + paths * d] * F[b + paths * c];
                    T[row + q * col] = c == d ? 0.5 * sum : sum;
                }
    ap_symm('L', q, q, 1.0, E, q, T, q, 0.0, W, q);
    ap_gemm('T', 'N', q, q, q, 1.0, T, q, W, q, 0.0, E, q);
}

static void exchange(double **a, double **b) {
    double *swap = *a;
    *a = *b;
    *b = swap;
}

// log det's curvature, far or near; see the top.
static ap_status energy(newton *t, bool far) {
    const ap_problem *p = t->p;
    const size_t q = t->pairs, paths = p->kernel->paths, probes = far && t->met && t->fraction == 1.0 ? t->probes : 0;
    exchange(&t->u, &t->u_old);
    exchange(&t->g, &t->g_old);
    const ap_status status = ap_curvature_energy(t->labels, t->g, t->logdet, probes, p, &t->now, t->work, t->err);
    if (status < 0) return status;
    for (size_t b = 0, k = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++, k++) t->u[k] = t->now.order[a + paths * b];
    if (!far) {
        for (size_t k = 0; k < q; k++) {
            t->s[k] = t->u[k] - t->u_old[k];
            t->y[k] = t->g_old[k] - t->g[k];
        }
        bfgs(t->logdet, q, t->s, t->y, t->Hs);
    } else if (probes == 0) {
        for (size_t j = 0; j < q; j++)
            for (size_t i = j; i < q; i++) t->logdet[i + q * j] = t->g[i] * t->g[j] / (double)p->kernel->P;
    }
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) t->labels[i + q * j] -= t->logdet[i + q * j];
    return AP_OK;
}

static ap_status curvature(newton *t) {
    const ap_problem *p = t->p;
    const size_t n = t->n, q = t->pairs, paths = p->kernel->paths;
    const bool settled = t->definite && t->fraction == 1.0;
    if (settled && t->length < tail) {
        bfgs(t->H, n, t->s, t->y, t->Hs);
        return AP_OK;
    }
    memcpy(t->frame, t->now.chol, ap_net_order(p->net) * sizeof(double));
    ap_status status = energy(t, !settled || t->length > near);
    if (status == AP_OK) status = ap_curvature_entropy(t->H, p->net, &t->now, t->frame, t->work, t->err);
    if (status < 0) return status;
    into_frame(t->labels, t->frame, paths, t->T, t->factor);
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) t->H[i + n * j] += t->labels[i + q * j];
    double *A = t->xi, *I = t->scratch;
    ap_curvature_congruence(A, t->now.G, t->frame, paths, I);
    for (size_t i = 0; i < paths * paths; i++) I[i] = i % (paths + 1) == 0 ? 1.0 : 0.0;
    ap_curvature_add(t->H, n, paths, 1.0, A, I);  // tr (G x U^{-1} x)
    return AP_OK;
}

// v := the gradient in coordinates of d: F_l' (dS/dU_l) F_l.
static void gradient(newton *t, double *v) {
    const ap_net *net = t->p->net;
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        ap_curvature_congruence(t->xi + at, t->now.grad + at, t->frame + at, m, t->scratch);
        at += m * m;
    }
    ap_curvature_vector(v, net, t->xi);
}

// H := H + weight times the metric: N_l on the diagonal entries of d_l, 2 N_l on the others.
static void add_metric(newton *t, double weight) {
    const ap_net *net = t->p->net;
    for (size_t l = 1, k = 0; l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        for (size_t b = 0; b < m; b++)
            for (size_t a = 0; a <= b; a++, k++)
                t->H[k + t->n * k] += weight * net->width[l - 1] * (a == b ? 1.0 : 2.0);
    }
}

// xi := the matrices x_l of the step d; the step's metric length at the present point.
static double step_matrices(newton *t) {
    const ap_net *net = t->p->net;
    double sum = 0.0;
    ap_curvature_matrices(t->xi, net, t->d);
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        double *x = t->xi + at, *d = t->scratch;
        ap_trmm('L', 'N', m, m, 1.0, t->frame + at, m, x, m);  // x := F x F'
        ap_trmm('R', 'T', m, m, 1.0, t->frame + at, m, x, m);
        memcpy(d, x, m * m * sizeof(double));
        ap_trsm('L', 'N', m, m, 1.0, t->now.chol + at, m, d, m);
        ap_trsm('R', 'T', m, m, 1.0, t->now.chol + at, m, d, m);
        sum += ap_dot(m * m, d, d);
        at += m * m;
    }
    return sqrt(sum);
}

static ap_status direction(newton *t) {
    const size_t n = t->n;
    double shift = 0.0;
    ap_status status = AP_ENOTSPD;
    for (int attempt = 0; status == AP_ENOTSPD && attempt < most_shifts; attempt++) {
        memcpy(t->factor, t->H, n * n * sizeof(double));
        status = ap_spd_chol(t->factor, n, "the curvature of the action", t->err);
        if (status == AP_ENOTSPD) {  // start well below what was needed last
            const double next = shift == 0.0 ? fmax(t->shift / 8.0, least_shift) : 2.0 * shift;
            add_metric(t, next - shift);
            shift = next;
        }
    }
    if (status < 0) return status;
    t->definite = shift == 0.0;
    if (t->definite)
        t->met = true;
    else
        t->shift = shift;
    if (t->met && !t->definite) t->probes = t->probes < t->p->kernel->P / 4 ? 4 * t->probes : t->p->kernel->P;
    for (size_t i = 0; i < n; i++) t->d[i] = -t->v[i];
    ap_spd_solve(t->factor, n, t->d, 1);
    t->length = step_matrices(t);
    return isfinite(t->length) ? AP_OK : ap_fail(t->err, AP_ENONFINITE, "the Newton step is not finite");
}

static void retract(newton *t, double step) {
    const ap_net *net = t->p->net;
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        double *d = t->scratch, *U = t->trial.order + at;
        memcpy(d, t->xi + at, m * m * sizeof(double));
        ap_trsm('L', 'N', m, m, step, t->now.chol + at, m, d, m);  // d = step F^{-1} xi, x U^{-1} x = d' d
        ap_gemm('T', 'N', m, m, m, 0.5, d, m, d, m, 0.0, U, m);
        for (size_t i = 0; i < m * m; i++) U[i] += t->now.order[at + i] + step * t->xi[at + i];
        for (size_t b = 0; b < m; b++)
            for (size_t a = 0; a < b; a++) U[a + m * b] = U[b + m * a] = 0.5 * (U[a + m * b] + U[b + m * a]);
        at += m * m;
    }
}

// Backtracking: a point that is no point (A has no Cholesky factor, the action overflows) counts as infinitely high.
// slack admits steps whose gain is lost in the action's rounding.
static ap_status line_search(newton *t, ap_progress *progress) {
    const double slope = ap_dot(t->n, t->v, t->d), S = t->now.action, slack = 4.0 * t->now.noise;
    t->gain = -0.5 * slope;
    const double limit = t->settings->step_limit * sqrt((double)t->p->kernel->paths);
    double step = t->length > limit ? limit / t->length : 1.0;
    for (int attempt = 0; attempt < most_cuts; attempt++) {
        retract(t, step);
        const ap_status status = ap_action_value(&t->trial, t->p, t->work, t->err);
        progress->evaluations++;
        if (status == AP_EMEMORY) return status;
        const double drop = status == AP_OK ? t->trial.action - S : INFINITY;
        if (drop <= 1e-4 * step * slope + slack) {
            t->fraction = step;
            return AP_OK;
        }
        const double parabola = isfinite(drop) ? -0.5 * slope * step / (drop - slope * step) : 0.1;
        step *= fmin(0.5, fmax(0.1, parabola));
    }
    return AP_STALLED;
}

// The reason to stop, or AP_OK to go on. `best` and `idle` watch for the floor that rounding sets.
static ap_status verdict(const newton *t, const ap_progress *progress, double *best, int *idle) {
    const ap_settings *settings = t->settings;
    if (settings->monitor != NULL && settings->monitor(settings->context, progress)) return AP_INTERRUPTED;
    if (progress->iterations >= settings->max_iterations) return AP_LIMIT;
    if (t->now.gradnorm < 0.5 * *best) {
        *best = t->now.gradnorm;
        *idle = 0;
    } else if (t->gain < 10.0 * t->now.noise && ++*idle > 3) {
        return AP_STALLED;
    }
    return AP_OK;
}

static void step_taken(newton *t) {  // trial becomes now; what the secants need is kept
    const ap_point swap = t->now;
    t->now = t->trial;
    t->trial = swap;
    gradient(t, t->y);
    ap_axpy(t->n, -1.0, t->v, t->y);
    for (size_t i = 0; i < t->n; i++) t->s[i] = t->fraction * t->d[i];
}

static void hand_over(ap_point *point, const newton *t) {  // the last point, whichever of the two blocks it is in
    const ap_point mine = *point;
    if (t->now.order != mine.order) memcpy(mine.order, t->now.order, ap_point_size(t->p) * sizeof(double));
    *point = t->now;
    point->order = mine.order;
    point->chol = mine.chol;
    point->inverse = mine.inverse;
    point->grad = mine.grad;
    point->G = mine.G;
    point->F = mine.F;
    point->b = mine.b;
}

ap_status ap_solve(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                   ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    double best = INFINITY;
    int idle = 0;
    newton t = {.p = p,
                .settings = settings,
                .work = work,
                .err = err,
                .n = ap_curvature_count(p->net),
                .pairs = p->kernel->pairs,
                .probes = settings->probes,
                .shift = first_shift,
                .now = *point};
    *progress = (ap_progress){.evaluations = 1};
    ap_status status = take(&t);
    if (status == AP_OK) status = ap_action_value(&t.now, p, work, err);
    if (status == AP_OK) status = ap_action_gradient(&t.now, p, work, err);
    while (status == AP_OK) {
        progress->action = t.now.action;
        progress->gradnorm = t.now.gradnorm;
        progress->step = t.length * t.fraction;
        const bool converged = t.now.gradnorm <= settings->tolerance;
        status = verdict(&t, progress, &best, &idle);
        if (converged) status = AP_OK;
        if (converged || status != AP_OK) break;
        status = curvature(&t);
        if (status == AP_OK) gradient(&t, t.v);
        if (status == AP_OK) status = direction(&t);
        if (status == AP_OK) status = line_search(&t, progress);
        if (status == AP_OK) status = ap_action_gradient(&t.trial, p, work, err);
        if (status == AP_OK) step_taken(&t);
        if (status == AP_STALLED && t.fraction > 0.0) {  // perhaps the curvature kept is to blame: once more, anew
            t.fraction = 0.0;
            status = AP_OK;
        }
        progress->iterations++;
    }
    hand_over(point, &t);
    work->used = mark;
    return status;
}
