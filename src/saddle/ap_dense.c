// ap_dense.c: the curvature of the action held as a matrix
// SPDX-License-Identifier: BSD-3-Clause
//
//   S (U + x + x U^{-1} x / 2)  ~  S (U) + v' d + d' H d / 2,      x_l = F_l d_l F_l',   U_l = F_l F_l'
//
// in coordinates of d, where the affine-invariant metric is the identity and the condition of U plays no part. H is the
// curvature of ap_curvature.c: exact for the entropy and for y' A^{-1} y, which together cost a third of an evaluation.
// That of log det A, too dear to form, is estimated with a few random sign vectors:
//
//   far      first model, or after a step that was cut, long or shifted: log det's curvature is recomputed, by its mean
//            part g g'/P after a cut step and until H has been definite once, otherwise with `probes` vectors, four
//            times as many whenever H comes out indefinite, up to as many as examples, which is exact
//   near     log det's curvature is kept
//   tail     H itself is kept, in its frame, and corrected by a BFGS update with the gradient's change: nothing but
//            evaluations
//
// Where it is kept, log det's curvature could be corrected by secants too, or estimated at each step. Evaluations (and
// problems solved) of ten seeds of the Markov task (N = 10 to 1000, T = 0.01 and 1e-4), a one-shot task of 16 paths
// (P = 600, N = 10 and 100), the thirty problems of test_ap_solve.c, bench_brutal; instructions of two Markov solves:
//
//                          kept    corrected    estimated
//   Markov, 80 solves       595          595          585
//   one-shot, 2              20           22           20
//   random, 30              424          414          426
//   hard, 400       10353 (398)  10340 (398)  10309 (398)
//   instructions           1.00         1.00         1.03
//
// Where the search follows the curves of ap_triangular.c, H is that along them: the same but for the bend.
//
// An indefinite H is shifted along the metric, N_l in layer l, until it has a Cholesky factor.

#include "saddle/ap_saddle.h"

#include <math.h>
#include <string.h>

static ap_status take_matrices(ap_model *m, size_t probes, ap_work *work, ap_error *err) {
    const size_t n = m->n, q = m->p->kernel->pairs, paths = m->p->kernel->paths;
    ap_dense *h = &m->dense;
    *h = (ap_dense){.pairs = q, .probes = probes, .shift = ap_dense_first_shift};
    if (m->p->kernel->outputs > 1) h->probes *= ap_dense_for_outputs;
    AP_TAKE_EACH(work, ap_times(n, n), &h->H, &h->factor);
    AP_TAKE_EACH(work, ap_times(q, q), &h->energy, &h->logdet);
    h->blocks = ap_take_matrix(work, ap_times(paths, paths), ap_frame_panel);
    h->g = ap_take(work, q);
    h->scratch = ap_take(work, n);
    return h->scratch == NULL ? ap_not_taken(work, err, "ap_dense") : AP_OK;
}

// B := B - B s s' B / (s' B s) + y y' / (s' y), lower, which makes B s = y; left alone unless s' y > 0.
static void bfgs(double *B, size_t n, const double *s, const double *y, double *Bs) {
    ap_symv(n, 1.0, B, n, s, 0.0, Bs);
    const double sy = ap_dot(n, s, y), sBs = ap_dot(n, s, Bs);
    if (!(sy > ap_dense_secant * sBs) || !(sBs > 0.0)) return;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) B[i + n * j] += y[i] * y[j] / sy - Bs[i] * Bs[j] / sBs;
}

// energy := the energy's curvature in coordinates of x_1; far: with a new estimate of log det's
static ap_status curvature(ap_dense *h, const ap_problem *p, const ap_point *point, bool far, size_t probes,
                           ap_work *work, ap_error *err) {
    const size_t q = h->pairs;
    const ap_status status =
        ap_curvature_energy(h->energy, h->g, far ? h->logdet : NULL, far ? probes : 0, p, point, work, err);
    for (size_t j = 0; status == AP_OK && j < q; j++)
        ap_axpy(q - j, -1.0, h->logdet + j * (q + 1), h->energy + j * (q + 1));
    return status;
}

// energy := its curvature in coordinates of d_1. Where F comes from reflections the
// problem is too ill-conditioned for a change of coordinates afterwards: the path inputs are mixed first, by the factor
// of U_1, and in terms of these U_1 is the identity.
static ap_status framed_curvature(ap_model *m, const ap_point *point, size_t probes, ap_work *work, ap_error *err) {
    const ap_kernel *k = m->p->kernel;
    const size_t paths = k->paths, cells = k->N0 * k->P, mark = work->used;
    double *Y = ap_take_matrix(work, cells, paths);
    ap_kernel mixed = *k;
    ap_problem p = *m->p;
    ap_point framed = *point;
    ap_status status = Y == NULL ? ap_not_taken(work, err, "ap_dense") : AP_OK;
    ap_kernel_bare(&mixed);
    mixed.Xi = Y;
    p.kernel = &mixed;
    framed.G = m->frame.matrix;
    if (status == AP_OK) {
        memcpy(Y, k->Xi, cells * paths * sizeof(double));
        ap_trmm('R', 'N', cells, paths, 1.0, point->chol, paths, Y, cells);
        status = ap_kernel_gradient(framed.G, &mixed, point->fit.F, point->fit.b, ap_problem_columns(&p), work, err);
    }
    if (status == AP_OK) status = curvature(&m->dense, &p, &framed, true, probes, work, err);
    work->used = mark;
    return status;
}

static ap_status update(ap_model *m, const ap_point *point, const ap_step *last, ap_work *work, ap_error *err) {
    ap_dense *h = &m->dense;
    const size_t n = m->n, paths = m->p->kernel->paths;
    const bool cut = last->fraction < 1.0, settled = h->definite && !cut && h->turns == m->turns;
    if (settled && last->length < ap_dense_tail) {
        bfgs(h->H, n, last->s, last->y, h->scratch);
        return AP_OK;
    }
    ap_frame_move(&m->frame, point);
    const size_t probes = h->met && !cut ? h->probes : 0;
    const bool far = !settled || last->length > ap_dense_near || h->framed;
    h->framed = point->fit.from_qr;
    ap_status status =
        h->framed ? framed_curvature(m, point, probes, work, err) : curvature(h, m->p, point, far, probes, work, err);
    if (status == AP_OK) status = ap_curvature_entropy(h->H, m->p->net, point, m->frame.F, work, err);
    if (status != AP_OK) return status;
    if (!h->framed) ap_frame_form(h->energy, m->frame.F, paths, h->blocks);
    ap_curvature_add_energy(h->H, n, h->energy, point, m->frame.F, paths, h->blocks);
    h->turns = m->turns;
    if (m->turns) status = ap_triangular_make(&m->curves, point, err);
    if (m->turns && status == AP_OK) ap_triangular_matrix(h->H, &m->curves, n, h->factor, m->frame.matrix);
    return status;
}

// H := H + weight times the metric: N_l on the diagonal entries of d_l, 2 N_l on the others.
static void add_metric(ap_model *m, double weight) {
    double *metric = m->dense.scratch;
    AP_FREE_MEMBERS (u, m->p->net) {
        ap_pairs_weights(metric + u.first, u.n);
        for (size_t k = u.first; k < u.first + u.pairs; k++) m->dense.H[k + m->n * k] += weight * u.width * metric[k];
    }
}

static ap_status minimise(double *d, ap_model *m, const double *v, ap_work *work, ap_error *err) {
    ap_dense *h = &m->dense;
    const size_t n = m->n, P = m->p->kernel->P;
    (void)work;
    double shift = 0.0;
    ap_status status = AP_ENOTSPD;
    for (int attempt = 0; status == AP_ENOTSPD && attempt < ap_most_shifts; attempt++) {
        if (ap_kernel_stops(m->p->kernel)) return AP_INTERRUPTED;
        memcpy(h->factor, h->H, n * n * sizeof(double));
        status = ap_spd_chol(h->factor, n, "the curvature of the action", NULL);
        if (status == AP_ENOTSPD) {
            const double next = shift == 0.0 ? fmax(ap_dense_next_shift * h->shift, ap_dense_least_shift) : 2.0 * shift;
            add_metric(m, next - shift);
            shift = next;
        }
    }
    if (status < 0)
        return ap_fail(err, AP_ENONFINITE,
                       "the action bends beyond the range of double precision: labels, widths, variances or the start "
                       "are too large or too small%s",
                       m->p->net->temperature > 0.0 ? "" : "; at temperature 0 the action need not have a minimum");
    h->definite = shift == 0.0;
    if (h->definite)
        h->met = true;
    else
        h->shift = shift;
    if (h->met && !h->definite) h->probes = h->probes < P / ap_dense_more ? ap_dense_more * h->probes : P;
    for (size_t i = 0; i < n; i++) d[i] = -v[i];
    ap_spd_solve(h->factor, n, d, 1);
    return AP_OK;
}

static ap_status ahead(double *length, ap_model *m, const double *v, ap_work *work, ap_error *err) {
    ap_dense *h = &m->dense;
    (void)work;
    (void)err;
    *length = INFINITY;  // a shifted H makes steps look short
    if (!h->definite) return AP_OK;
    memcpy(h->scratch, v, m->n * sizeof(double));
    ap_spd_solve(h->factor, m->n, h->scratch, 1);
    *length = ap_frame_length(h->scratch, m->p->net);
    return AP_OK;
}

const ap_model_ops ap_dense_ops = {
    .take = take_matrices, .update = update, .minimise = minimise, .predicted_step = ahead};
