// ap_solve.c: the saddle point of the action
// SPDX-License-Identifier: BSD-3-Clause
//
// (placeholder head: written after the comparison)

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_curvature.h"
#include "ap_spd.h"

typedef struct newton {
    const ap_problem *p;
    const ap_settings *settings;
    ap_work *work;
    ap_error *err;
    size_t n, pairs;
    ap_point now, trial;
    double *H, *factor;           // [n x n] lower: curvature, its Cholesky factor
    double *logdet;               // [pairs x pairs] lower: curvature of log det A, estimated and corrected
    double *labels;               // [pairs x pairs] lower: curvature of y' A^{-1} y
    double *v, *x, *xi;           // [n] gradient, [n] direction, [order] the same as matrices
    double *g, *gold, *u, *uold;  // [pairs] gradient of log det A, and U_1, here and where logdet was last corrected
    double *s, *y;                // [n] last step and change of gradient
    double length, fraction;      // of the last step: metric length of the full one, part of it taken
    bool fresh;
} newton;

ap_settings ap_settings_default(void) {
    return (ap_settings){.tolerance = 1e-8, .max_iterations = 200, .probes = 4, .step_limit = 1.0};
}

size_t ap_solve_worksize(const ap_problem *p, const ap_settings *settings) {
    const size_t n = ap_curvature_count(p->net), q = p->kernel->pairs, order = ap_net_order(p->net);
    const size_t matrices = ap_plus(ap_times(2, ap_times(n, n)), ap_times(2, ap_times(q, q)));
    const size_t vectors = ap_plus(ap_times(4, n), ap_plus(ap_times(4, q), order));
    const size_t a = ap_action_worksize(p), b = ap_curvature_worksize(p->net);
    const size_t c = ap_curvature_energysize(p, settings->probes);
    const size_t inner = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return ap_plus(ap_plus(ap_plus(matrices, vectors), ap_point_size(p)), inner);
}

static ap_status take(newton *t) {
    const size_t n = t->n, q = t->pairs;
    ap_status status = ap_point_take(&t->trial, t->p, t->work, t->err);
    if (status < 0) return status;
    t->H = ap_take(t->work, n * n);
    t->factor = ap_take(t->work, n * n);
    t->logdet = ap_take(t->work, q * q);
    t->labels = ap_take(t->work, q * q);
    t->v = ap_take(t->work, n);
    t->x = ap_take(t->work, n);
    t->s = ap_take(t->work, n);
    t->y = ap_take(t->work, n);
    t->g = ap_take(t->work, q);
    t->gold = ap_take(t->work, q);
    t->u = ap_take(t->work, q);
    t->uold = ap_take(t->work, q);
    t->xi = ap_take(t->work, ap_net_order(t->p->net));
    return t->xi == NULL ? ap_no_memory(t->err, "ap_solve") : AP_OK;
}

// B := B - B s s' B / (s' B s) + y y' / (s' y), the BFGS update of a lower matrix; skipped unless s' y > 0.
static void bfgs(double *B, size_t n, const double *s, const double *y, double *Bs) {
    const double sy = ap_dot(n, s, y);
    ap_symv(n, 1.0, B, n, s, 0.0, Bs);
    const double sBs = ap_dot(n, s, Bs);
    if (!(sy > 1e-12 * sBs) || !(sBs > 0.0)) return;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) B[i + n * j] += y[i] * y[j] / sy - Bs[i] * Bs[j] / sBs;
}

static ap_status curvature(newton *t) {
    const ap_problem *p = t->p;
    const size_t n = t->n, q = t->pairs, paths = p->kernel->paths;
    if (t->fresh && t->fraction == 1.0 && t->length < 0.03) {  // tail
        bfgs(t->H, n, t->s, t->y, t->x);
        return AP_OK;
    }
    const bool far = !t->fresh || t->fraction < 1.0 || t->length > 0.2;
    ap_status status = ap_curvature_energy(t->labels, t->g, t->logdet, far && t->fresh ? t->settings->probes : 0, p, &t->now,
                                           t->work, t->err);
    if (status < 0) return status;
    for (size_t b = 0, k = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++, k++) t->u[k] = t->now.order[a + paths * b];
    if (far && !t->fresh)
        for (size_t j = 0; j < q; j++)
            for (size_t i = j; i < q; i++) t->logdet[i + q * j] = t->g[i] * t->g[j] / (double)p->kernel->P;
    if (!far) {
        for (size_t i = 0; i < q; i++) {
            t->s[i] = t->u[i] - t->uold[i];
            t->y[i] = t->gold[i] - t->g[i];
        }
        bfgs(t->logdet, q, t->s, t->y, t->x);
    }
    memcpy(t->uold, t->u, q * sizeof(double));
    memcpy(t->gold, t->g, q * sizeof(double));
    status = ap_curvature_entropy(t->H, p->net, &t->now, t->work, t->err);
    if (status < 0) return status;
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) t->H[i + n * j] += t->labels[i + q * j] - t->logdet[i + q * j];
    ap_curvature_add(t->H, n, paths, 1.0, t->now.G, t->now.inverse);
    t->fresh = true;
    return AP_OK;
}

static void add_metric(newton *t, double weight) {
    const ap_net *net = t->p->net;
    for (size_t l = 1, at = 0, first = 0; l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        ap_curvature_add(t->H + first + t->n * first, t->n, m, weight, t->now.inverse + at, t->now.inverse + at);
        at += m * m;
        first += m * (m + 1) / 2;
    }
}

static double metric_length(newton *t) {
    const ap_net *net = t->p->net;
    double sum = 0.0;
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        double *d = t->trial.inverse + at;  // free until the trial point is evaluated
        memcpy(d, t->xi + at, m * m * sizeof(double));
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
    for (int attempt = 0; status == AP_ENOTSPD && attempt < 40; attempt++) {
        memcpy(t->factor, t->H, n * n * sizeof(double));
        status = ap_spd_chol(t->factor, n, "the curvature", t->err);
        if (status == AP_ENOTSPD) {
            const double next = shift == 0.0 ? 0.25 : 2.0 * shift;
            add_metric(t, (next - shift) * ap_net_maxwidth(t->p->net));
            shift = next;
        }
    }
    if (status < 0) return status;
    for (size_t i = 0; i < n; i++) t->x[i] = -t->v[i];
    ap_spd_solve(t->factor, n, t->x, 1);
    ap_curvature_matrices(t->xi, t->p->net, t->x);
    t->length = metric_length(t);
    if (shift > 0.0) t->fresh = false;
    return isfinite(t->length) ? AP_OK : ap_fail(t->err, AP_ENONFINITE, "the Newton step is not finite");
}

static void retract(newton *t, double step) {
    const ap_net *net = t->p->net;
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t m = ap_net_paths(net, l);
        double *d = t->trial.inverse + at, *U = t->trial.order + at;
        memcpy(d, t->xi + at, m * m * sizeof(double));
        ap_trsm('L', 'N', m, m, step, t->now.chol + at, m, d, m);  // d = step F^{-1} xi, x U^{-1} x = d' d
        ap_gemm('T', 'N', m, m, m, 0.5, d, m, d, m, 0.0, U, m);
        for (size_t i = 0; i < m * m; i++) U[i] += t->now.order[at + i] + step * t->xi[at + i];
        for (size_t b = 0; b < m; b++)
            for (size_t a = 0; a < b; a++) U[a + m * b] = U[b + m * a] = 0.5 * (U[a + m * b] + U[b + m * a]);
        at += m * m;
    }
}

static ap_status line_search(newton *t, ap_progress *progress) {
    const double slope = ap_dot(t->n, t->v, t->x), S = t->now.action, slack = 1e-13 * (1.0 + fabs(S));
    const double limit = t->settings->step_limit * sqrt((double)t->p->kernel->paths);
    double step = t->length > limit ? limit / t->length : 1.0;
    for (int attempt = 0; attempt < 30; attempt++) {
        retract(t, step);
        const ap_status status = ap_action_value(&t->trial, t->p, t->work, t->err);
        progress->evaluations++;
        if (status == AP_EMEMORY || status == AP_ESIZE) return status;
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

ap_status ap_solve(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                   ap_work *work, ap_error *err) {
    const size_t mark = work->used, order = ap_net_order(p->net);
    newton t = {.p = p, .settings = settings, .work = work, .err = err, .n = ap_curvature_count(p->net),
                .pairs = p->kernel->pairs, .now = *point, .fraction = 0.0};
    *progress = (ap_progress){0};
    ap_status status = take(&t);
    if (status == AP_OK) status = ap_action_value(&t.now, p, work, err);
    if (status == AP_OK) status = ap_action_gradient(&t.now, p, work, err);
    progress->evaluations = 1;
    double best = INFINITY;
    size_t since = 0;
    while (status == AP_OK) {
        progress->action = t.now.action;
        progress->gradnorm = t.now.gradnorm;
        progress->step = t.length * t.fraction;
        if (t.now.gradnorm <= settings->tolerance) break;
        if (settings->monitor != NULL && settings->monitor(settings->context, progress)) status = AP_INTERRUPTED;
        if (progress->iterations >= settings->max_iterations) status = AP_LIMIT;
        if (t.now.gradnorm < 0.5 * best) {
            best = t.now.gradnorm;
            since = 0;
        } else if (t.length < 1e-6 && ++since > 3) {
            status = AP_STALLED;
        }
        if (status != AP_OK) break;
        status = curvature(&t);
        ap_curvature_vector(t.v, p->net, t.now.grad);
        if (status == AP_OK) status = direction(&t);
        if (status == AP_OK) status = line_search(&t, progress);
        if (status != AP_OK) break;
        status = ap_action_gradient(&t.trial, p, work, err);
        const ap_point swap = t.now;
        t.now = t.trial;
        t.trial = swap;
        progress->iterations++;
        ap_curvature_vector(t.y, p->net, t.now.grad);
        ap_axpy(t.n, -1.0, t.v, t.y);
        for (size_t i = 0; i < t.n; i++) t.s[i] = t.fraction * t.x[i];
        (void)order;
    }
    if (t.now.order != point->order && point->order != NULL && t.now.order != NULL) {  // hand over the last point
        const size_t size = ap_point_size(p);
        memcpy(point->order, t.now.order, size * sizeof(double));
    }
    point->ua = t.now.ua;
    point->action = t.now.action;
    point->energy = t.now.energy;
    point->entropy = t.now.entropy;
    point->gradnorm = t.now.gradnorm;
    work->used = mark;
    return status;
}
