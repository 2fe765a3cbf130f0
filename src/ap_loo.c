// ap_loo.c: leave-one-out, what the predictor says of each example that it was not trained on
// SPDX-License-Identifier: BSD-3-Clause
//
// At fixed U_1, with b = A^{-1} y and c_i = [A^{-1}]_ii, the mean and the variance of y_i given all other labels are
//
//   mu_{-i} = y_i - b_i / c_i,   s^2_{-i} = 1 / c_i       (of y_i; of f: less T)                               (T23)
//
// (Sundararajan, Keerthi 2001; Rasmussen, Williams, section 5.4). But U_1 has seen y_i. Leaving i out subtracts
// l_i = log s^2_{-i} + (y_i - mu_{-i})^2 / s^2_{-i} = b_i^2 / c_i - log c_i from E, and moves the saddle point to
//
//   theta_{-i} = theta + H^{-1} grad l_i,   then (T23) at theta_{-i}                                           (T24)
//
// up to O(1/N^2). l_i knows U_1 alone. With a_i = A^{-1} e_i, w_i = Xi a_i and w = Xi b, [N0 x Pi] each,
//
//   dc_i/dU_1 = - scale w_i' w_i,   db_i/dU_1 = - scale (w_i' w + w' w_i) / 2
//   dl_i/dU_1 = scale [ w_i' w_i / c_i + (b_i/c_i w_i - w)' (b_i/c_i w_i - w) - w' w ]
//
// where the Xi a_i of many i are one product. H and the step are those of the point's frame (ap_second.c), so that
// U_1 + x + x U_1^{-1} x / 2 stays in the cone. (T23) there is ap_shifted.c. Where H is not definite the point is no
// minimum, nothing moves smoothly, and there is no (T24).
// Cost: (T23) P^3; (T24) H (ap_second.c), 2 P^2 N0 Pi + 2 P N0 Pi^2 for the gradients, 2 P n^2 for the steps of n
// unknowns, and five or six times 4 P^2 N0 Pi + 2 P^3 (ap_shifted.c).

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_core.h"
#include "ap_order.h"
#include "ap_pairs.h"
#include "ap_second.h"
#include "ap_shifted.h"
#include "ap_spd.h"

enum { batch = ap_shifted_most };  // examples at a time

typedef struct leaving {
    const ap_problem *p;
    const ap_point *point;
    double *inverse;         // [P x P] of A
    double *H;               // [n x n] its Cholesky factor
    double *w, *W;           // [N0 x Pi], [N0 x batch x Pi] w, and w_i of a batch
    double *turned;          // [N0 x Pi] b_i/c_i w_i - w
    double *ww, *g, *x, *s;  // [Pi x Pi] scale w'w, gradient, matrices; [Pi x Pi] scratch
    double *d;               // [n x batch] steps
    double *X;               // [Pi x Pi x batch] x + x U^{-1} x / 2
} leaving;

static void put(double *mu, double *s2, double y, double T, double b, double c) {
    *mu = y - b / c;
    *s2 = fmax(1.0 / c - T, 0.0);  // rounding can cross zero
}

static ap_status check(const ap_problem *p, ap_error *err) {
    if (p->hidden == 0 && p->rest == 0.0) return AP_OK;
    return ap_fail(err, AP_EINPUT, "%zu examples are stood for by others, and cannot be left out one by one",
                   ap_plus(p->kernel->P, p->hidden));
}

ap_status ap_loo_fixed(double *mu, double *s2, const ap_problem *p, const double *U, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, mark = work->used;
    ap_fit fit = {0};
    ap_status status = ap_fit_take(&fit, p, work, err);
    double *inverse = ap_take_matrix(work, P, P);
    if (status == AP_OK && inverse == NULL) status = ap_not_taken(work, err, "ap_loo");
    if (status == AP_OK) status = check(p, err);
    if (status == AP_OK) status = ap_predict_fit(&fit, p, U, work, err);
    if (status < 0 || inverse == NULL) goto done;  // NULL where the stack counts
    status = ap_spd_inverse(inverse, fit.F, P, err);
    for (size_t i = 0; status == AP_OK && i < P; i++)
        put(mu + i, s2 + i, p->y[i], p->net->temperature, fit.b[i], inverse[i + P * i]);
done:
    work->used = mark;
    return status;
}

static ap_status take(leaving *t, ap_work *work, ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t n = ap_order_unknowns(t->p->net), cells = ap_times(k->paths, k->paths);
    t->inverse = ap_take_matrix(work, k->P, k->P);
    t->H = ap_take_matrix(work, n, n);
    t->w = ap_take_matrix(work, k->N0, k->paths);
    t->W = ap_take_matrix(work, ap_times(k->N0, batch), k->paths);
    t->turned = ap_take_matrix(work, k->N0, k->paths);
    t->ww = ap_take(work, cells);
    t->g = ap_take(work, cells);
    t->x = ap_take(work, cells);
    t->s = ap_take(work, cells);
    t->d = ap_take_matrix(work, n, batch);
    t->X = ap_take_matrix(work, cells, batch);
    return t->X == NULL ? ap_not_taken(work, err, "ap_loo") : AP_OK;
}

// What all examples share: A^{-1}, the factor of H, w and scale w'w.
static ap_status prepare(leaving *t, ap_work *work, ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t N0 = k->N0, P = k->P, n = ap_order_unknowns(t->p->net);
    ap_status status = ap_second_action(t->H, t->p, t->point, work, err);
    if (status != AP_OK || work->counts) return status;
    status = ap_spd_chol(t->H, n, "the Hessian of the action", err);
    if (status == AP_ENOTSPD)
        return ap_fail(err, status,
                       "the Hessian of the action is not positive definite: this is no minimum, from which examples "
                       "could be left out");
    if (status == AP_OK) status = ap_spd_inverse(t->inverse, t->point->fit.F, P, err);
    if (status < 0) return status;
    for (size_t a = 0; a < k->paths; a++)
        ap_gemv('N', N0, P, 1.0, k->Xi + N0 * P * a, N0, t->point->fit.b, 0.0, t->w + N0 * a);
    ap_spd_gram(t->ww, k->scale, t->w, N0, k->paths);
    return AP_OK;
}

// g := dl_i/dU_1 in the frame, i the j-th of the batch.
static void gradient(leaving *t, size_t j, double b, double c) {
    const ap_kernel *k = t->p->kernel;
    const size_t N0 = k->N0, m = k->paths;
    const double *w = t->W + N0 * j;  // columns N0 batch apart
    for (size_t a = 0; a < m; a++)
        for (size_t l = 0; l < N0; l++) t->turned[l + N0 * a] = b / c * w[l + N0 * batch * a] - t->w[l + N0 * a];
    memcpy(t->x, t->ww, m * m * sizeof(double));
    ap_gemm('T', 'N', m, m, N0, k->scale / c, w, N0 * batch, w, N0 * batch, -1.0, t->x, m);
    ap_gemm('T', 'N', m, m, N0, k->scale, t->turned, N0, t->turned, N0, 1.0, t->x, m);
    ap_spd_congruence(t->g, t->x, t->point->chol, m, t->s);
}

// X := F (d + d^2 / 2) F'.
static void shift(leaving *t, size_t j) {
    const size_t m = t->p->kernel->paths;
    double *X = t->X + m * m * j;
    ap_pairs_unpack(t->x, t->d + ap_order_unknowns(t->p->net) * j, m, 1.0);
    memcpy(X, t->x, m * m * sizeof(double));
    ap_gemm('N', 'N', m, m, m, 0.5, t->x, m, t->x, m, 1.0, X, m);
    ap_trmm('L', 'N', m, m, 1.0, t->point->chol, m, X, m);
    ap_trmm('R', 'T', m, m, 1.0, t->point->chol, m, X, m);
    ap_spd_symmetrise(X, m);
}

// Examples first .. first + m - 1.
static ap_status leave(double *mu, double *s2, leaving *t, size_t first, size_t m, ap_work *work, ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t N0 = k->N0, P = k->P, n = ap_order_unknowns(t->p->net);
    double b[batch], c[batch];
    for (size_t a = 0; a < k->paths; a++)
        ap_gemm('N', 'N', N0, m, P, 1.0, k->Xi + N0 * P * a, N0, t->inverse + P * first, P, 0.0, t->W + N0 * batch * a,
                N0);
    memset(t->d, 0, n * m * sizeof(double));
    for (size_t j = 0; j < m; j++) {
        const size_t i = first + j;
        gradient(t, j, t->point->fit.b[i], t->inverse[i + P * i]);
        ap_pairs_pack(t->d + n * j, t->g, k->paths, 2.0);
    }
    ap_spd_solve(t->H, n, t->d, m);
    for (size_t j = 0; j < m; j++) shift(t, j);
    const ap_status status = ap_shifted_solve(b, c, t->p, &t->point->fit, t->inverse, t->X, first, m, work, err);
    for (size_t j = 0; status == AP_OK && j < m; j++)
        put(mu + first + j, s2 + first + j, t->p->y[first + j], t->p->net->temperature, b[j], c[j]);
    return status;
}

size_t ap_loo_worksize(const ap_problem *p, bool corrected) {
    ap_work count = ap_counting();
    double nothing = 0.0;
    const ap_point point = {.fit.b = &nothing};
    return ap_counted(&count, corrected ? ap_loo_corrected(&nothing, &nothing, p, &point, &count, NULL)
                                        : ap_loo_fixed(&nothing, &nothing, p, NULL, &count, NULL));
}

ap_status ap_loo_corrected(double *mu, double *s2, const ap_problem *p, const ap_point *point, ap_work *work,
                           ap_error *err) {
    const size_t P = p->kernel->P, mark = work->used;
    leaving t = {.p = p, .point = point};
    ap_status status = take(&t, work, err);
    if (status == AP_OK) status = check(p, err);
    if (status == AP_OK) status = prepare(&t, work, err);
    if (status == AP_OK && work->counts)
        status = ap_shifted_solve(NULL, NULL, p, &point->fit, NULL, NULL, 0, P < batch ? P : batch, work, err);
    for (size_t first = 0; status == AP_OK && t.X != NULL && first < P; first += batch) {  // NULL: the stack counts
        if (p->kernel->stop != NULL && p->kernel->stop(p->kernel->context))
            status = AP_INTERRUPTED;
        else
            status = leave(mu, s2, &t, first, P - first < batch ? P - first : batch, work, err);
    }
    work->used = mark;
    return status;
}
