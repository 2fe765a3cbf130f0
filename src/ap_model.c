// ap_model.c: the quadratic model of the action that a Newton step minimises
// SPDX-License-Identifier: BSD-3-Clause
//
//   S (U + x + x U^{-1} x / 2)  ~  S (U) + v' d + d' H d / 2,      x_l = F_l d_l F_l',   U_l = F_l F_l'
//
// in coordinates of d, where the affine-invariant metric is the identity and the condition of U plays no part. H is the
// curvature of ap_curvature.c: exact for the entropy and for y' A^{-1} y, which together cost a third of an evaluation.
// That of log det A, too dear to form, is known in one direction, estimated with a few random sign vectors, and
// corrected by the gradients that are met on the way:
//
//   far      first model, or after a step that was cut, long or shifted: log det's curvature is taken anew, by its mean
//            part g g'/P after a cut step and until H has been definite once, otherwise with `probes` vectors, four
//            times as many whenever H comes out indefinite, up to as many as examples, which is exact
//   near     log det's curvature is kept and corrected by a BFGS update with its own gradient's change; this secant is
//            always usable, because log det A is concave in U
//   tail     H itself is kept, in its frame, and corrected in the same way: nothing but evaluations
//
// An indefinite H is shifted along the metric, N_l in layer l, until it has a Cholesky factor.

#include "ap_model.h"

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_curvature.h"
#include "ap_spd.h"

static const double near = 0.2;         // metric length of a full step below which estimates are kept; flat, 0.1 .. 0.5
static const double tail = 0.03;        // the same for all of H
static const double first_shift = 2.0;  // of an indefinite H; the search starts at an eighth of the last one
static const double least_shift = 1e-6;  // and doubles

enum { most_shifts = 60, beside = 32 };

size_t ap_model_size(const ap_problem *p) {
    const size_t n = ap_curvature_count(p->net), q = p->kernel->pairs, order = ap_net_order(p->net);
    const size_t matrices = ap_times(2, ap_plus(ap_times(n, n), ap_times(q, q)));
    const size_t blocks = ap_times(beside, ap_times(p->kernel->paths, p->kernel->paths));
    return ap_plus(ap_plus(matrices, blocks), ap_plus(ap_plus(n, ap_times(4, q)), ap_times(2, order)));
}

ap_status ap_model_take(ap_model *m, const ap_problem *p, size_t probes, ap_work *work, ap_error *err) {
    const size_t n = ap_curvature_count(p->net), q = p->kernel->pairs, order = ap_net_order(p->net);
    const size_t mark = work->used;
    *m = (ap_model){.p = p, .n = n, .pairs = q, .probes = probes, .shift = first_shift};
    m->H = ap_take(work, n * n);
    m->factor = ap_take(work, n * n);
    m->labels = ap_take(work, q * q);
    m->logdet = ap_take(work, q * q);
    m->blocks = ap_take(work, ap_net_paths(p->net, 1) * ap_net_paths(p->net, 1) * beside);
    m->u = ap_take(work, q);
    m->g = ap_take(work, q);
    m->u_old = ap_take(work, q);
    m->g_old = ap_take(work, q);
    m->scratch = ap_take(work, n);
    m->matrix = ap_take(work, order);
    m->frame = ap_take(work, order);
    if (m->frame != NULL) return AP_OK;
    work->used = mark;
    return ap_no_memory(err, "ap_model_take");
}

size_t ap_model_worksize(const ap_problem *p) {
    const size_t entropy = ap_curvature_worksize(p->net), energy = ap_curvature_energysize(p, p->kernel->P);
    return entropy > energy ? entropy : energy;
}

// B := B - B s s' B / (s' B s) + y y' / (s' y), lower, which makes B s = y; left alone unless s' y > 0.
static void bfgs(double *B, size_t n, const double *s, const double *y, double *Bs) {
    ap_symv(n, 1.0, B, n, s, 0.0, Bs);
    const double sy = ap_dot(n, s, y), sBs = ap_dot(n, s, Bs);
    if (!(sy > 1e-12 * sBs) || !(sBs > 0.0)) return;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) B[i + n * j] += y[i] * y[j] / sy - Bs[i] * Bs[j] / sBs;
}

static void transpose(double *A, size_t n) {
    for (size_t j = 1; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            const double swap = A[i + n * j];
            A[i + n * j] = A[j + n * i];
            A[j + n * i] = swap;
        }
}

// E := T' E T, E [q x q] lower, T from coordinates of d_1 to those of x_1. A column of E stands for the symmetric
// matrix M with half its off-diagonal entries, and T' times the column for F' M F. Columns first, then rows; some
// columns side by side, so that F' M F = F' (F' M)' is two products for all of them: 4 q^2 Pi flops in all.
// scratch [paths x paths x beside]
static void into_frame(double *E, const double *F, size_t paths, double *scratch) {
    const size_t q = paths * (paths + 1) / 2, cells = paths * paths;
    ap_spd_mirror(E, q);
    for (int side = 0; side < 2; side++) {
        for (size_t first = 0; first < q; first += beside) {
            const size_t count = q - first < beside ? q - first : beside;
            for (size_t j = 0; j < count; j++) {
                const double *column = E + q * (first + j);
                double *M = scratch + cells * j;
                for (size_t b = 0, k = 0; b < paths; b++)
                    for (size_t a = 0; a <= b; a++, k++)
                        M[a + paths * b] = M[b + paths * a] = a == b ? column[k] : 0.5 * column[k];
            }
            ap_trmm('L', 'T', paths, paths * count, 1.0, F, paths, scratch, paths);
            for (size_t j = 0; j < count; j++) transpose(scratch + cells * j, paths);
            ap_trmm('L', 'T', paths, paths * count, 1.0, F, paths, scratch, paths);
            for (size_t j = 0; j < count; j++) {
                const double *M = scratch + cells * j;
                double *column = E + q * (first + j);
                for (size_t b = 0, k = 0; b < paths; b++)
                    for (size_t a = 0; a <= b; a++, k++) column[k] = a == b ? M[a + paths * b] : 2.0 * M[a + paths * b];
            }
        }
        transpose(E, q);
    }
}

static void exchange(double **a, double **b) {
    double *swap = *a;
    *a = *b;
    *b = swap;
}

// labels := the energy's curvature in coordinates of x_1, log det's share far or near; see the top.
static ap_status energy(ap_model *m, const ap_point *point, bool far, bool cut, ap_work *work, ap_error *err) {
    const size_t q = m->pairs, probes = far && m->met && !cut ? m->probes : 0;
    exchange(&m->u, &m->u_old);
    exchange(&m->g, &m->g_old);
    const ap_status status = ap_curvature_energy(m->labels, m->g, m->logdet, probes, m->p, point, work, err);
    if (status < 0) return status;
    ap_spd_pairs(m->u, point->order, m->p->kernel->paths);
    if (!far) {
        for (size_t k = 0; k < q; k++) {
            m->u_old[k] = m->u[k] - m->u_old[k];
            m->g_old[k] = m->g_old[k] - m->g[k];
        }
        bfgs(m->logdet, q, m->u_old, m->g_old, m->scratch);
    } else if (probes == 0) {
        for (size_t j = 0; j < q; j++)
            for (size_t i = j; i < q; i++) m->logdet[i + q * j] = m->g[i] * m->g[j] / (double)m->p->kernel->P;
    }
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) m->labels[i + q * j] -= m->logdet[i + q * j];
    return AP_OK;
}

ap_status ap_model_update(ap_model *m, const ap_point *point, const ap_step *last, ap_work *work, ap_error *err) {
    const ap_net *net = m->p->net;
    const size_t n = m->n, q = m->pairs, paths = m->p->kernel->paths;
    const bool cut = last->fraction < 1.0, settled = m->definite && !cut;
    if (settled && last->length < tail) {
        bfgs(m->H, n, last->s, last->y, m->scratch);
        return AP_OK;
    }
    memcpy(m->frame, point->chol, ap_net_order(net) * sizeof(double));
    ap_status status = energy(m, point, !settled || last->length > near, cut, work, err);
    if (status == AP_OK) status = ap_curvature_entropy(m->H, net, point, m->frame, work, err);
    if (status < 0) return status;
    into_frame(m->labels, m->frame, paths, m->blocks);
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) m->H[i + n * j] += m->labels[i + q * j];
    double *A = m->factor, *I = m->matrix;  // tr (G x U^{-1} x) = tr (A d d)
    ap_spd_congruence(A, point->G, m->frame, paths, I);
    ap_spd_identity(I, paths);
    ap_curvature_add(m->H, n, paths, 1.0, A, I);
    return AP_OK;
}

void ap_model_gradient(double *v, ap_model *m, const ap_point *point) {  // F_l' (dS/dU_l) F_l
    const ap_net *net = m->p->net;
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t paths = ap_net_paths(net, l);
        ap_spd_congruence(m->matrix + at, point->grad + at, m->frame + at, paths, m->blocks);
        at += paths * paths;
    }
    ap_curvature_vector(v, net, m->matrix);
}

// H := H + weight times the metric: N_l on the diagonal entries of d_l, 2 N_l on the others.
static void add_metric(ap_model *m, double weight) {
    const ap_net *net = m->p->net;
    for (size_t l = 1, k = 0; l <= net->L; l++) {
        const size_t paths = ap_net_paths(net, l);
        for (size_t b = 0; b < paths; b++)
            for (size_t a = 0; a <= b; a++, k++)
                m->H[k + m->n * k] += weight * net->width[l - 1] * (a == b ? 1.0 : 2.0);
    }
}

ap_status ap_model_minimise(double *d, ap_model *m, const double *v, ap_error *err) {
    const size_t n = m->n, P = m->p->kernel->P;
    double shift = 0.0;
    ap_status status = AP_ENOTSPD;
    for (int attempt = 0; status == AP_ENOTSPD && attempt < most_shifts; attempt++) {
        memcpy(m->factor, m->H, n * n * sizeof(double));
        status = ap_spd_chol(m->factor, n, "the curvature of the action", NULL);
        if (status == AP_ENOTSPD) {
            const double next = shift == 0.0 ? fmax(m->shift / 8.0, least_shift) : 2.0 * shift;
            add_metric(m, next - shift);
            shift = next;
        }
    }
    if (status < 0)
        return ap_fail(err, AP_ENONFINITE,
                       "the action bends beyond the range of double precision: labels, widths, variances or the start "
                       "are too large or too small");
    m->definite = shift == 0.0;
    if (m->definite)
        m->met = true;
    else
        m->shift = shift;
    if (m->met && !m->definite) m->probes = m->probes < P / 4 ? 4 * m->probes : P;
    for (size_t i = 0; i < n; i++) d[i] = -v[i];
    ap_spd_solve(m->factor, n, d, 1);
    return AP_OK;
}

double ap_model_ahead(ap_model *m, const double *v) {
    if (!m->definite) return INFINITY;  // a shifted H makes steps look short
    double *d = m->scratch, sum = 0.0;
    memcpy(d, v, m->n * sizeof(double));
    ap_spd_solve(m->factor, m->n, d, 1);
    for (size_t l = 1, k = 0; l <= m->p->net->L; l++) {
        const size_t paths = ap_net_paths(m->p->net, l);
        for (size_t b = 0; b < paths; b++)
            for (size_t a = 0; a <= b; a++, k++) sum += (a == b ? 1.0 : 2.0) * d[k] * d[k];
    }
    return sqrt(sum);
}

double ap_model_matrices(double *xi, ap_model *m, const double *d, const ap_point *point) {
    const ap_net *net = m->p->net;
    double sum = 0.0;
    ap_curvature_matrices(xi, net, d);
    for (size_t l = 1, at = 0; l <= net->L; l++) {
        const size_t paths = ap_net_paths(net, l);
        double *x = xi + at, *here = m->matrix;  // x in the point's own frame
        ap_trmm('L', 'N', paths, paths, 1.0, m->frame + at, paths, x, paths);
        ap_trmm('R', 'T', paths, paths, 1.0, m->frame + at, paths, x, paths);
        memcpy(here, x, paths * paths * sizeof(double));
        ap_trsm('L', 'N', paths, paths, 1.0, point->chol + at, paths, here, paths);
        ap_trsm('R', 'T', paths, paths, 1.0, point->chol + at, paths, here, paths);
        sum += ap_dot(paths * paths, here, here);
        at += paths * paths;
    }
    return sqrt(sum);
}
