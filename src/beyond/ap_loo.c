// ap_loo.c: leave-one-out, the prediction of each example from all other examples
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
// up to O(1/N^2). l_i depends on U_1 alone. With a_i = A^{-1} e_i, w_i = Xi a_i and w = Xi b, [N0 x Pi] each,
//
//   dc_i/dU_1 = - scale w_i' w_i,   db_i/dU_1 = - scale (w_i' w + w' w_i) / 2
//   dl_i/dU_1 = scale [ w_i' w_i / c_i + (b_i/c_i w_i - w)' (b_i/c_i w_i - w) - w' w ]
//
// where the Xi a_i of many i are one product. For C outputs b_i is a vector and c_i = [A^{-1}]_ii a block [C x C]:
// mu_{-i} = y_i - c_i^{-1} b_i, s^2_{-i} = c_i^{-1}, l_i = b_i' c_i^{-1} b_i - log det c_i, and with
// beta = c_i^{-1} b_i, w_ic = Xi A^{-1} e_ic
//
//   dl_i/dU_1 = scale [ sum_cd (c_i^{-1})_cd w_ic' w_id + (sum_c beta_c w_ic - w)' (the same) - w' w ]
//
// For outputs that share one U the terms of b are sums over the columns of b (ap_energy.c). H and the step are those of
// the point's frame (ap_hessian.c), so that U_1 + x + x U_1^{-1} x / 2 stays in the cone. (T23) there is ap_shifted.c.
// Where H is not definite the point is no minimum, nothing moves smoothly, and there is no (T24). Without a group of
// examples its c is a block of A^{-1} and f_{-G}(x) = k(x)' V, V = A^{-1} y - A^{-1} E_G c^{-1} b at fixed U_1. f is
// linear in the path inputs of x, and has effective weights (ap_draws.c): over draws, which have one weight for each
// group, they are summed, and no f of a draw is kept. Draws are fixed U_1, each by itself on a thread of the team, and
// are summed in their order. Cost: (T23) P^3;
// (T24) H (ap_hessian.c), 2 P^2 N0 Pi + 2 P N0 Pi^2 for the gradients, 2 P n^2 for the steps of n unknowns, and five or
// six times 4 P^2 N0 Pi + 2 P^3 (ap_shifted.c).

#include <math.h>
#include <string.h>

#include "beyond/ap_beyond.h"

enum { batch = ap_shifted_most };  // columns at a time, C an example

typedef struct leaving {
    const ap_problem *p;
    const ap_point *point;
    double *inverse;          // [P x P] of A
    double *H;                // [n x n] its Cholesky factor
    const ap_fit *fit;        // of the point, or where nothing moves
    const double *U;          // U_1 there
    const ap_groups *groups;  // that are left out together
    size_t labels;            // columns of b
    size_t most, largest;     // columns of a batch, and of a group
    double *Z;                // [P x most] A^{-1} e_i of a batch
    double *w, *W;            // [N0 x labels x Pi], [N0 x most x Pi] w, and w_i of a batch
    double *turned;           // [N0 x Pi] b_i/c_i w_i - w
    double *b, *c;            // [labels x most], [largest x most]
    double *block;            // [q x (2 q + labels)] scratch of a group of q columns: c^{-1}, its factor, c^{-1} b
    double *ww, *g, *x, *s;   // [Pi x Pi] scale w'w, gradient, matrices; [Pi x Pi] scratch
    double *d;                // [n x most] steps
    double *X;                // [Pi x Pi x most] x + x U^{-1} x / 2
    double *V;                // [P x labels x most] f = k' V without a group; 0 in its places
} leaving;

// inverse, factor [C x C] := c^{-1}, and the lower factor of that; beta [C x labels] := c^{-1} b
static ap_status invert(double *inverse, double *factor, double *beta, const double *b, const double *c, size_t C,
                        size_t labels, ap_error *err) {
    if (C == 1 && c[0] > 0.0) {
        *inverse = 1.0 / c[0], *factor = sqrt(*inverse);
        for (size_t l = 0; l < labels; l++) beta[l] = b[l] / c[0];
        return AP_OK;
    }
    memcpy(factor, c, C * C * sizeof(double));
    ap_status status = ap_spd_chol(factor, C, "a block of the inverse of K(U) + T I", err);
    if (status == AP_OK) status = ap_spd_inverse(inverse, factor, C, err);
    if (status < 0) return status;
    memcpy(beta, b, C * labels * sizeof(double));
    ap_spd_solve(factor, C, beta, labels);
    memcpy(factor, inverse, C * C * sizeof(double));
    return ap_spd_chol(factor, C, "the covariance of an example left out", err);
}

static size_t columns_of(const leaving *t, size_t j) {
    return t->p->kernel->outputs * (ap_groups_begin(t->groups, j + 1) - ap_groups_begin(t->groups, j));
}

// Mean and variance of each example of group j, given the labels of other groups, in their places: (T23) with the
// group's block of A^{-1}.
static ap_status put(double *mu, double *s2, const leaving *t, size_t j, const double *b, const double *c,
                     ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t P = k->examples, C = k->outputs, q = columns_of(t, j);
    double *V = t->block, *beta = V + 2 * q * q;
    const ap_status status = invert(V, V + q * q, beta, b, c, q, t->labels, err);
    for (size_t d = 0; status == AP_OK && d < q; d++) {
        const size_t example = ap_groups_row(t->groups, k, j, d - d % C), at = example + P * (d % C);
        double *own = s2 + C * C * example + C * (d % C);
        for (size_t l = 0; l < t->labels; l++)
            mu[at + P * l] = ap_label(t->p, at + P * l) - sqrt((double)t->labels) * beta[d + q * l];
        memcpy(own, V + (d - d % C) + q * d, C * sizeof(double));
        own[d % C] = fmax(own[d % C] - t->p->net->temperature, 0.0);  // rounding can cross zero
    }
    return status;
}

// b, c := those of group j from A^{-1} y and A^{-1}.
static void read_block(double *b, double *c, const ap_problem *p, const ap_groups *groups, const double *all,
                       const double *inverse, size_t j, size_t q) {
    const size_t P = p->kernel->P;
    for (size_t d = 0; d < q; d++) {
        const size_t row = ap_groups_row(groups, p->kernel, j, d);
        for (size_t l = 0; l < ap_problem_columns(p); l++) b[d + q * l] = all[row + P * l] + ap_apart(p, row + P * l);
        for (size_t e = 0; e < q; e++) c[e + q * d] = inverse[ap_groups_row(groups, p->kernel, j, e) + P * row];
    }
}

static ap_status check(const ap_problem *p, ap_error *err) {
    if (p->null_examples == 0 && (p->null_sumsq == 0.0 || p->apart != NULL)) return AP_OK;
    return ap_fail(err, AP_EINPUT, "the %zu examples were replaced by fewer and cannot be left out",
                   ap_problem_rows(p) / p->kernel->outputs);
}

static ap_status take_leaving(leaving *t, bool predicts, ap_work *work, ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t n = ap_params_unknowns(t->p->net), cells = ap_times(k->paths, k->paths);
    t->labels = ap_problem_columns(t->p);
    t->largest = k->outputs;
    for (size_t j = 0; j < t->groups->n; j++)
        if (columns_of(t, j) > t->largest) t->largest = columns_of(t, j);
    t->most = t->largest < batch ? batch : t->largest;
    t->inverse = ap_take_matrix(work, k->P, k->P);
    t->b = ap_take_matrix(work, t->labels, t->most);
    t->c = ap_take_matrix(work, t->largest, t->most);
    t->block = ap_take_matrix(work, t->largest, ap_plus(ap_times(2, t->largest), t->labels));
    if (predicts) t->V = ap_take_matrix(work, ap_times(k->P, t->labels), t->most);
    if (t->point != NULL) {
        t->H = ap_take_matrix(work, n, n);
        t->Z = ap_take_matrix(work, k->P, t->most);
        t->w = ap_take_matrix(work, ap_times(k->N0, t->labels), k->paths);
        t->W = ap_take_matrix(work, ap_times(k->N0, t->most), k->paths);
        t->turned = ap_take_matrix(work, k->N0, k->paths);
        AP_TAKE_EACH(work, cells, &t->ww, &t->g, &t->x, &t->s);
        t->d = ap_take_matrix(work, n, t->most);
        t->X = ap_take_matrix(work, cells, t->most);
    }
    return ap_take(work, 1) == NULL ? ap_not_taken(work, err, "ap_loo") : AP_OK;
}

size_t ap_loo_size(const ap_problem *p) {
    const ap_kernel *k = p->kernel;
    const size_t columns = ap_times(batch, ap_plus(k->P, ap_times(k->N0, k->paths)));
    const size_t hessian = ap_hessian_size(p) - ap_point_size(p), shifted = ap_times(7, columns);
    const size_t own = ap_plus(ap_times(k->P, k->P), columns);
    return ap_plus(ap_plus(ap_point_size(p), own), hessian > shifted ? hessian : shifted);
}

// What all examples share: A^{-1}, the factor of H, w and scale w'w.
static ap_status prepare(leaving *t, ap_work *work, ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t N0 = k->N0, P = k->examples, n = ap_params_unknowns(t->p->net);
    ap_status status = t->point == NULL ? AP_OK : ap_hessian_action(t->H, t->p, t->point, work, err);
    ap_work_trim(work);  // what comes takes other sizes
    if (status != AP_OK) return status;
    if (t->point != NULL) status = ap_hessian_factor(t->H, n, k, err);
    if (status == AP_OK) status = ap_spd_inverse(t->inverse, t->fit->F, k->P, err);
    if (status != AP_OK || t->point == NULL) return status;
    for (size_t a = 0; a < k->paths; a++)
        for (size_t l = 0; l < t->labels; l++)
            ap_gemv('N', N0, P, 1.0, ap_kernel_input(k, a), N0, t->point->fit.b + ap_kernel_row(k, a) + k->P * l, 0.0,
                    t->w + N0 * (l + t->labels * a));
    ap_spd_gram(t->ww, k->scale, t->w, N0 * t->labels, k->paths);
    return AP_OK;
}

// x := x + weight turned' turned, turned [N0 x Pi] := sum_c v_c w_c - w's column l; less nothing where l is none
static void add_turned(leaving *t, const double *w, size_t columns, const double *v, size_t q, size_t l,
                       double weight) {
    const ap_kernel *k = t->p->kernel;
    const size_t N0 = k->N0, m = k->paths;
    for (size_t a = 0; a < m; a++)
        for (size_t i = 0; i < N0; i++) {
            double sum = 0.0;
            for (size_t c = 0; c < q; c++) sum += v[c] * w[i + N0 * (c + columns * a)];
            t->turned[i + N0 * a] = l < t->labels ? sum - t->w[i + N0 * (l + t->labels * a)] : sum;
        }
    ap_gemm('T', 'N', m, m, N0, weight, t->turned, N0, t->turned, N0, 1.0, t->x, m);
}

// g := dl_i/dU_1 in the frame, of a group of q columns that begin at `at` of the `columns` of the batch.
static ap_status gradient(leaving *t, size_t at, size_t q, size_t columns, ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t m = k->paths, none = t->labels;
    const double *w = t->W + k->N0 * at;  // columns N0 columns apart
    double *inverse = t->block, *factor = inverse + q * q, *beta = factor + q * q;
    const double *b = t->b + t->labels * at, *c = t->c + t->largest * at;
    for (size_t i = 0; i < m * m; i++) t->x[i] = -t->ww[i];
    const ap_status status = invert(inverse, factor, beta, b, c, q, t->labels, err);
    if (status < 0) return status;
    ap_spd_clear_upper(factor, q);
    for (size_t d = 0; d < q; d++) add_turned(t, w, columns, factor + q * d, q, none, k->scale);
    for (size_t l = 0; l < t->labels; l++) add_turned(t, w, columns, beta + q * l, q, l, k->scale);
    ap_spd_congruence(t->g, t->x, t->point->chol, m, t->s);
    return AP_OK;
}

// X := what the step adds to U_1.
static void shift(leaving *t, size_t j) {
    const size_t m = t->p->kernel->paths;
    ap_pairs_unpack(t->x, t->d + ap_params_unknowns(t->p->net) * j, m, 1.0);
    ap_frame_retract(t->X + m * m * j, 0.0, t->x, t->point->chol, m);
}

// log p of a group's labels given all others, of all columns of b.
static ap_status log_density(double *l, leaving *t, const double *b, const double *c, size_t q, ap_error *err) {
    double *inverse = t->block, *factor = inverse + q * q, *beta = factor + q * q;
    const ap_status status = invert(inverse, factor, beta, b, c, q, t->labels, err);
    if (status < 0) return status;
    const double labels = (double)t->labels;
    *l = -labels * ((double)q * log(2.0 * acos(-1.0)) + ap_dot(q * t->labels, b, beta)) / 2.0;
    for (size_t d = 0; d < q; d++) *l -= labels * log(factor[d * (q + 1)]);
    return AP_OK;
}

// What the steps of groups first .. first + m - 1 add to U_1, in t->X.
static ap_status move(leaving *t, size_t first, size_t m, size_t columns, ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t P = k->P, n = ap_params_unknowns(t->p->net);
    ap_status status = AP_OK;
    for (size_t j = 0, at = 0; j < m; at += columns_of(t, first + j), j++)
        for (size_t i = 0; i < columns_of(t, first + j); i++)
            memcpy(t->Z + P * (at + i), t->inverse + P * ap_groups_row(t->groups, k, first + j, i), P * sizeof(double));
    ap_kernel_gather(t->W, k, 1.0, t->Z, columns);
    memset(t->d, 0, n * m * sizeof(double));
    for (size_t j = 0, at = 0; status == AP_OK && j < m; at += columns_of(t, first + j), j++) {
        status = gradient(t, at, columns_of(t, first + j), columns, err);
        if (status == AP_OK) ap_pairs_pack(t->d + n * j, t->g, k->paths, 2.0);
    }
    if (status < 0) return status;
    ap_spd_solve(t->H, n, t->d, m);
    for (size_t j = 0; j < m; j++) shift(t, j);
    return AP_OK;
}

// V of a group of q columns from its b and c, where nothing moves.
static ap_status without(double *V, const leaving *t, size_t j, const double *b, const double *c, size_t q,
                         ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t P = k->P;
    double *inverse = t->block, *beta = inverse + 2 * q * q;
    const ap_status status = invert(inverse, inverse + q * q, beta, b, c, q, t->labels, err);
    for (size_t l = 0; status == AP_OK && l < t->labels; l++) {
        double *v = V + P * l;
        memcpy(v, t->fit->b + P * l, P * sizeof(double));
        for (size_t d = 0; d < q; d++)
            ap_axpy(P, -beta[d + q * l], t->inverse + P * ap_groups_row(t->groups, k, j, d), v);
        for (size_t d = 0; d < q; d++) {  // all of A^{-1} z is left away, as f of it is 0
            const size_t own = ap_groups_row(t->groups, k, j, d);
            v[own] = -ap_apart(t->p, own + P * l);
        }
        for (size_t mu = 0; mu < P; mu++) v[mu] *= sqrt((double)t->labels);
    }
    return status;
}

// Adds to W the weights of f = k' V without each of m groups, at its U_1, times the weight of the draw for it.
static ap_status add_weights(const ap_loo_result *out, const leaving *t, size_t first, size_t m, ap_work *work,
                             ap_error *err) {
    const ap_kernel *k = t->p->kernel;
    const size_t n = k->paths, labels = t->labels, all = labels * m, cells = k->N0 * all, mark = work->used;
    double *Y = ap_take_matrix(work, cells, n), *Z = ap_take_matrix(work, cells, n);
    const ap_status status = Z == NULL ? ap_not_taken(work, err, "ap_loo") : AP_OK;
    if (status < 0) goto done;
    ap_kernel_gather(Y, k, k->scale, t->V, all);
    ap_gemm('N', 'N', cells, n, n, 1.0, Y, cells, t->U, n, 0.0, Z, cells);
    for (size_t j = 0, rows = k->N0 * labels; t->point != NULL && j < m; j++)
        ap_gemm('N', 'N', rows, n, n, 1.0, Y + rows * j, cells, t->X + n * n * j, n, 1.0, Z + rows * j, cells);
    for (size_t a = 0; a < n; a++)
        for (size_t i = 0; i < all; i++) {
            const double weight = out->weight[first + i / labels], *z = Z + k->N0 * (i + all * a);
            double *w = out->W + k->features * (i + labels * (first + t->groups->n * a));
            ap_kernel_outside(w, k, weight, z, 1, 1.0);
        }
done:
    work->used = mark;
    return status;
}

// Groups first .. first + m - 1.
static ap_status leave(const ap_loo_result *out, leaving *t, size_t first, size_t m, size_t columns, ap_work *work,
                       ap_error *err) {
    const ap_problem *p = t->p;
    const size_t cells = p->kernel->paths * p->kernel->paths, length = p->kernel->P * t->labels;
    ap_status status = AP_OK;
    for (size_t j = 0, at = 0; status == AP_OK && j < m; j++) {
        const size_t q = columns_of(t, first + j);
        double *b = t->b + t->labels * at, *c = t->c + t->largest * at;
        read_block(b, c, p, t->groups, t->fit->b, t->inverse, first + j, q);
        if (out->seen != NULL) status = log_density(out->seen + first + j, t, b, c, q, err);
        if (status == AP_OK && t->point == NULL && t->V != NULL)
            status = without(t->V + length * j, t, first + j, b, c, q, err);
        at += q;
    }
    if (status == AP_OK && t->point != NULL) {
        status = move(t, first, m, columns, err);
        const ap_shifts shifts = {
            .x = t->X, .groups = t->groups, .first = first, .m = m, .columns = columns, .ldc = t->largest};
        if (status == AP_OK && out->x != NULL) memcpy(out->x + cells * first, t->X, cells * m * sizeof(double));
        if (status == AP_OK) status = ap_shifted_solve(t->b, t->c, t->V, p, t->fit, t->inverse, &shifts, work, err);
    }
    for (size_t j = 0, at = 0; status == AP_OK && j < m; j++) {
        const double *b = t->b + t->labels * at, *c = t->c + t->largest * at;
        at += columns_of(t, first + j);
        if (out->mu != NULL) status = put(out->mu, out->s2, t, first + j, b, c, err);
        if (status == AP_OK && out->logp != NULL)
            status = log_density(out->logp + first + j, t, b, c, columns_of(t, first + j), err);
    }
    if (status < 0 || out->W == NULL) return status;
    return add_weights(out, t, first, m, work, err);
}

// With a point (T24), (T37), otherwise (T23) at t's fit.
static ap_status leave_all(const ap_loo_result *out, leaving *t, ap_work *work, ap_error *err) {
    const size_t n = t->groups->n;
    ap_status status = take_leaving(t, out->W != NULL, work, err);
    if (status == AP_OK) status = prepare(t, work, err);
    for (size_t first = 0, m = 0; status == AP_OK && first < n; first += m) {
        size_t columns = 0;
        for (m = 0; first + m < n && columns + columns_of(t, first + m) <= t->most; m++)
            columns += columns_of(t, first + m);
        status = ap_kernel_stops(t->p->kernel) ? AP_INTERRUPTED : leave(out, t, first, m, columns, work, err);
    }
    return status;
}

static size_t weights_of(const ap_loo_result *out, const ap_problem *p, const ap_groups *groups) {
    const size_t one = ap_times(ap_times(p->kernel->features, ap_problem_columns(p)), p->kernel->paths);
    return out->W == NULL ? 0 : ap_times(one, groups->n);
}

static void clear(double *x, size_t count) {
    for (size_t i = 0; i < count; i++) x[i] = 0.0;
}

ap_status ap_loo_corrected(const ap_loo_result *out, const ap_problem *p, const ap_groups *groups,
                           const ap_point *point, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    leaving t = {.p = p, .point = point, .fit = &point->fit, .U = point->order, .groups = groups};
    ap_status status = check(p, err);
    clear(out->W, weights_of(out, p, groups));
    if (status == AP_OK) status = leave_all(out, &t, work, err);
    work->used = mark;
    return status;
}

typedef struct drawn {
    const ap_loo_result *out;
    const ap_problem *p;
    const ap_groups *groups;
    const ap_many *draws;
    size_t group, first;  // draws of a group; the first of this round
    double *W;            // [weights x threads] sums over the draws of each part of this round
    size_t weights;
} drawn;

static double *behind(double *x, size_t count) { return x == NULL ? NULL : x + count; }

// Draw s, from its fit.
static ap_status one_draw(const drawn *d, size_t part, size_t s, const ap_fit *fit, ap_work *work, ap_error *err) {
    const ap_kernel *k = d->p->kernel;
    const size_t P = k->examples, n = d->groups->n, C = ap_problem_outputs(d->p);
    const ap_loo_result out = {.mu = behind(d->out->mu, P * C * s),
                               .s2 = behind(d->out->s2, P * k->outputs * k->outputs * s),
                               .logp = behind(d->out->logp, n * s),
                               .W = behind(d->W, d->weights * part),
                               .weight = d->W == NULL ? NULL : d->out->weight + n * s};
    leaving t = {.p = d->p, .fit = fit, .U = d->draws->U + k->paths * k->paths * s, .groups = d->groups};
    return ap_kernel_stops(k) ? AP_INTERRUPTED : leave_all(&out, &t, work, err);
}

static ap_status one_group(void *context, size_t part, ap_work *work, ap_error *err) {
    const drawn *d = context;
    const size_t first = d->first + d->group * part, left = d->draws->count - first, mark = work->used;
    const size_t count = left < d->group ? left : d->group, n = d->p->kernel->paths;
    ap_fit fits[ap_draws_most];
    ap_status status = ap_draws_fits(fits, d->p, d->draws->U + n * n * first, count, work, err);
    const size_t behind_fits = work->used;
    clear(behind(d->W, d->weights * part), d->weights);
    for (size_t i = 0; status == AP_OK && i < count; i++) {
        status = one_draw(d, part, first + i, &fits[i], work, err);
        work->used = behind_fits;
    }
    work->used = mark;
    return status;
}

ap_status ap_loo_draws(const ap_loo_result *out, const ap_problem *p, const ap_groups *groups, const ap_many *draws,
                       const ap_team *team, ap_work *work, ap_error *err) {
    drawn d = {.out = out, .p = p, .groups = groups, .draws = draws, .group = ap_draws_group(p)};
    const size_t threads = ap_team_threads(team, (draws->count + d.group - 1) / d.group), mark = work->used;
    ap_status status = check(p, err);
    d.weights = weights_of(out, p, groups);
    if (status == AP_OK && d.weights > 0) {
        d.W = ap_take_matrix(work, d.weights, threads);
        if (d.W == NULL) status = ap_not_taken(work, err, "ap_loo");
    }
    clear(out->W, d.weights);
    for (size_t left = draws->count, here = 0; status == AP_OK && left > 0; left -= here, d.first += here) {
        here = left < d.group * threads ? left : d.group * threads;
        const size_t parts = (here + d.group - 1) / d.group;
        status = ap_team_run(team, one_group, &d, parts, work, err);
        for (size_t k = 0; status == AP_OK && d.W != NULL && k < parts;
             k++)  // in the order of the draws: threads do not matter
            ap_axpy(d.weights, 1.0, d.W + d.weights * k, out->W);
        if (status == AP_OK && draws->monitor != NULL && draws->monitor(draws->context, d.first + here))
            status = AP_INTERRUPTED;
    }
    work->used = mark;
    return status;
}
