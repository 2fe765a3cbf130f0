// ap_draws.c: mean and variance of the predictor over many draws of the order parameter
// SPDX-License-Identifier: BSD-3-Clause
//
// Draws k = 1 .. S have means m_k and variances v_k (T10). Together they have, of the law of total variance,
//
//   mean = 1/S sum_k m_k,     variance = 1/S sum_k v_k + 1/S sum_k (m_k - mean)(m_k - mean)'
//
// as running sums free of cancellation, draw after draw, so that nothing depends on the number of threads.
//
//   mean only  m_k(x) = sum_(b,d) x_b . W_(b,d), W_(b,d) = scale sum_(a,c) U_(a,c),(b,d) Xi_a b_c, b = A^{-1} y: these
//              effective weights [N0 x Pi] are averaged, and test examples meet them once, after all draws. A draw
//              takes K(U), P^3/3 + 2 P N0 Pi + 2 N0 Pi^2 flops
//   variance   K(U) between training and test examples is 1/Pi sum_{a<=b} U_ab D_ab, D_ab = C_ab + C_ba', C_aa for
//              a = b, which are kept: P P2 (Pi+1) Pi flops a draw, as one product for the draws of a group, before the
//              triangular solve, P^2 P2 flops. Where the D_ab are too large, or would not pay, and for coupled outputs,
//              each draw has ap_predict
//
// Draws come in groups, and groups side by side on the team's threads. Path kernels of the training set that are stored
// as triangles are combined for all draws of a group as one product too, which reads them once.

#include "action/ap_action.h"

#include <math.h>
#include <string.h>

enum { columns_least = 32, columns_most = 128 };         // test examples of a block
static const size_t factors = 1 << 22, block = 1 << 19;  // doubles of a group's factors, and kernels of a block
static const double kept_most = 1 << 27;                 // doubles of all D_ab

typedef struct job {
    const ap_problem *p;
    const ap_many *draws;
    const ap_inputs *x2;        // test examples, or NULL: effective weights
    double *D, *kappa;          // [P x P2 x pairs], [P2 x pairs], or NULL
    const double *inside;       // [N0 x P2 x inputs] test examples in the coordinates of the path inputs
    size_t group, first;        // draws of a group; the first of this round
    double *means, *variances;  // [each x group x threads] of this round
    size_t each_mean, each_variance;
} job;

size_t ap_draws_group(const ap_problem *p) {
    const size_t P = p->kernel->P, fit = ap_times(P, P);
    const size_t count = fit == 0 ? ap_draws_most : factors / fit;
    return count < 1 ? 1 : count < ap_draws_most ? count : ap_draws_most;
}

static size_t columns_of(const job *j) {
    const size_t rows = ap_times(j->p->kernel->P, j->group), count = rows == 0 ? columns_most : block / rows;
    return count < columns_least ? columns_least : count < columns_most ? count : columns_most;
}

// The D_ab pay, in flops at the speed of matrix products, of which those with few columns reach a third.
static bool keeps(const ap_kernel *k, size_t P2, size_t draws) {
    const double P = (double)k->P, n = (double)k->N0, q = (double)k->inputs, S = (double)draws;
    const double stored = 3.0 * S * q * (q + 1.0) + 2.0 * n * q * q, made = 2.0 * S * n * q;
    return k->outputs == 1 && stored < made && P * (double)P2 * (double)k->pairs <= kept_most &&
           ap_blas_fits(ap_times(k->P, P2));
}

ap_status ap_draws_fits(ap_fit *fits, const ap_problem *p, const double *U, size_t count, ap_work *work,
                        ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t P = k->P, n = k->paths, triangle = ap_pairs_count(P);
    const bool together = k->packed != NULL && k->outputs == 1 && p->net->temperature > 0.0;
    ap_status status = AP_OK;
    double *u = NULL, *packed = NULL;
    for (size_t i = 0; status == AP_OK && i < count; i++) status = ap_fit_take(&fits[i], p, work, err);
    const size_t mark = work->used;
    if (status == AP_OK && together) {
        u = ap_take_matrix(work, k->pairs, count), packed = ap_take_matrix(work, triangle, count);
        if (packed == NULL) status = ap_not_taken(work, err, "ap_draws");
        if (status == AP_OK) {
            for (size_t i = 0; i < count; i++) ap_pairs_pack(u + k->pairs * i, U + n * n * i, n, 1.0);
            ap_gemm('N', 'N', triangle, count, k->pairs, 1.0, k->packed, triangle, u, k->pairs, 0.0, packed, triangle);
        }
    }
    for (size_t i = 0; status == AP_OK && i < count; i++) {
        if (ap_kernel_stops(k)) status = AP_INTERRUPTED;
        if (status == AP_OK && packed != NULL) {
            ap_pairs_lower(fits[i].F, packed + triangle * i, P);
            status = ap_fit_combined(&fits[i], p, err);
            if (status != AP_ENOTSPD) continue;
            status = AP_OK;  // the sentence comes from below
        }
        if (status == AP_OK) status = ap_predict_fit(&fits[i], p, U + n * n * i, work, err);
    }
    work->used = mark;
    return status;
}

// W [N0 x C x inputs x count], C = columns of b where outputs share one U.
static ap_status weights(double *W, const ap_problem *p, const ap_fit *fits, const double *U, size_t count,
                         ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t N0 = k->N0, P = k->P, n = k->paths, m = ap_problem_columns(p), all = m * count;
    double *b = ap_take_matrix(work, P, all), *Y = ap_take_matrix(work, ap_times(N0, all), n);
    if (Y == NULL) return ap_not_taken(work, err, "ap_draws");
    for (size_t i = 0; i < count; i++) memcpy(b + P * m * i, fits[i].b, P * m * sizeof *b);
    ap_kernel_gather(Y, k, k->scale * sqrt((double)m), b, all);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < m; c++)
            ap_gemm('N', 'N', N0, n, n, 1.0, Y + N0 * (c + m * i), N0 * all, U + n * n * i, n, 0.0,
                    W + N0 * (c + n * m * i), N0 * m);
    return AP_OK;
}

// Means and variances of `count` draws from the D_ab: mu [P2 x m x count], s2 [P2 x count].
static ap_status from_kept(double *mu, double *s2, const job *j, const ap_fit *fits, const double *U, size_t count,
                           ap_work *work, ap_error *err) {
    const ap_kernel *kernel = j->p->kernel;
    const size_t P = kernel->P, P2 = j->x2->P, n = kernel->paths, pairs = kernel->pairs, m = ap_problem_columns(j->p);
    const size_t most = columns_of(j);
    double *u = ap_take_matrix(work, pairs, count), *k = ap_take_matrix(work, ap_times(P, most), count);
    if (k == NULL) return ap_not_taken(work, err, "ap_draws");
    for (size_t i = 0; i < count; i++) ap_pairs_pack(u + pairs * i, U + n * n * i, n, 1.0);
    ap_gemm('N', 'N', P2, count, pairs, 1.0, j->kappa, P2, u, pairs, 0.0, s2, P2);
    for (size_t first = 0; first < P2; first += most) {
        const size_t columns = P2 - first < most ? P2 - first : most, cells = P * columns;
        if (ap_kernel_stops(kernel)) return AP_INTERRUPTED;
        ap_gemm('N', 'N', cells, count, pairs, 1.0, j->D + P * first, P * P2, u, pairs, 0.0, k, cells);
        for (size_t i = 0; i < count; i++) {
            double *ki = k + cells * i, *v = s2 + P2 * i + first;
            for (size_t c = 0; c < m; c++)
                ap_gemv('T', P, columns, sqrt((double)m), ki, P, fits[i].b + P * c, 0.0, mu + P2 * (c + m * i) + first);
            ap_trsm('L', 'N', P, columns, 1.0, fits[i].F, P, ki, P);
            for (size_t t = 0; t < columns; t++) v[t] = fmax(v[t] - ap_dot(P, ki + P * t, ki + P * t), 0.0);
        }
    }
    return AP_OK;
}

static ap_status group(const job *j, size_t first, size_t count, double *mean, double *variance, ap_work *work,
                       ap_error *err) {
    const ap_problem *p = j->p;
    const size_t n = p->kernel->paths;
    const double *U = j->draws->U + n * n * first;
    ap_fit fits[ap_draws_most];
    ap_status status = ap_draws_fits(fits, p, U, count, work, err);
    if (status != AP_OK) return status;
    if (j->x2 == NULL) return weights(mean, p, fits, U, count, work, err);
    if (j->D != NULL) return from_kept(mean, variance, j, fits, U, count, work, err);
    for (size_t i = 0; status == AP_OK && i < count; i++) {
        if (ap_kernel_stops(p->kernel)) return AP_INTERRUPTED;
        status = ap_predict(mean + j->each_mean * i, variance + j->each_variance * i, p, &fits[i], U + n * n * i, j->x2,
                            work, err);
    }
    return status;
}

static ap_status one_group(void *context, size_t part, ap_work *work, ap_error *err) {
    const job *j = context;
    const size_t at = j->group * part, first = j->first + at, left = j->draws->count - first, mark = work->used;
    const ap_status status = group(j, first, left < j->group ? left : j->group, j->means + j->each_mean * at,
                                   j->variances == NULL ? NULL : j->variances + j->each_variance * at, work, err);
    work->used = mark;
    return status;
}

// The D_ab of paths a = 0 .. b.
static ap_status keep(void *context, size_t b, ap_work *work, ap_error *err) {
    const job *j = context;
    const ap_kernel *k = j->p->kernel;
    const size_t N0 = k->N0, P = k->P, P2 = j->x2->P, own = N0 * P, cells = k->features * P2;
    (void)work;
    (void)err;
    for (size_t a = 0; a <= b; a++) {
        const size_t pair = ap_pairs_number(a, b);
        const double *xa = j->x2->Xi + cells * a, *xb = j->x2->Xi + cells * b;
        double *D = j->D + P * P2 * pair, *kappa = j->kappa + P2 * pair;
        if (ap_kernel_stops(k)) return AP_INTERRUPTED;
        ap_gemm('T', 'N', P, P2, N0, k->scale, k->Xi + own * a, N0, j->inside + N0 * P2 * b, N0, 0.0, D, P);
        if (a < b) ap_gemm('T', 'N', P, P2, N0, k->scale, k->Xi + own * b, N0, j->inside + N0 * P2 * a, N0, 1.0, D, P);
        for (size_t t = 0; t < P2; t++)
            kappa[t] = (a < b ? 2.0 : 1.0) * k->scale * ap_dot(k->features, xa + k->features * t, xb + k->features * t);
    }
    return AP_OK;
}

// Draw number k, from 1, joins the others: mean, variance and spread are those of all so far, spread times their
// number. v and variance are NULL together.
static void join(double *mean, double *variance, double *spread, const job *j, double *m, const double *v, double k) {
    const size_t P2 = j->x2 == NULL ? j->each_mean : j->x2->P, C = j->each_mean / P2;
    const bool one = j->each_variance == P2;  // for all outputs
    for (size_t i = 0; i < j->each_mean; i++) {
        m[i] -= mean[i];
        mean[i] += m[i] / k;
    }
    for (size_t t = 0; variance != NULL && v != NULL && t < P2; t++)
        for (size_t d = 0; d < C; d++)
            for (size_t c = 0; c < C; c++, variance++, spread++) {
                const double here = !one ? v[c + C * (d + C * t)] : c == d ? v[t] : 0.0;
                *variance += (here - *variance) / k;
                *spread += m[t + P2 * c] * m[t + P2 * d] * (k - 1.0) / k;
            }
}

static ap_status run(double *mean, double *variance, job *j, const ap_team *team, ap_work *work, ap_error *err) {
    const size_t S = j->draws->count, threads = ap_team_threads(team, (S + j->group - 1) / j->group);
    const size_t most = ap_times(j->group, threads), C = j->x2 == NULL ? 0 : ap_problem_outputs(j->p);
    const size_t size = j->x2 == NULL ? 0 : ap_times(ap_times(C, C), j->x2->P);
    j->means = ap_take_matrix(work, j->each_mean, most);
    j->variances = j->x2 == NULL ? NULL : ap_take_matrix(work, j->each_variance, most);
    double *spread = ap_take(work, size);
    if (spread == NULL) return ap_not_taken(work, err, "ap_draws");
    memset(mean, 0, j->each_mean * sizeof *mean);
    if (variance != NULL) memset(variance, 0, size * sizeof *variance);
    memset(spread, 0, size * sizeof *spread);
    for (j->first = 0; j->first < S; j->first += most) {
        const size_t here = S - j->first < most ? S - j->first : most;
        const ap_status status = ap_team_run(team, one_group, j, (here + j->group - 1) / j->group, work, err);
        if (status != AP_OK) return status;
        for (size_t i = 0; i < here; i++)
            join(mean, variance, spread, j, j->means + j->each_mean * i,
                 j->x2 == NULL ? NULL : j->variances + j->each_variance * i, (double)(j->first + i + 1));
        if (j->draws->monitor != NULL && j->draws->monitor(j->draws->context, j->first + here)) return AP_INTERRUPTED;
    }
    for (size_t i = 0; variance != NULL && i < size; i++) variance[i] += spread[i] / (double)S;
    return AP_OK;
}

ap_status ap_draws_weights(double *W, const ap_problem *p, const ap_many *draws, const ap_team *team, ap_work *work,
                           ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t columns = ap_times(k->inputs, ap_problem_outputs(p)), mark = work->used;
    job j = {.p = p, .draws = draws, .group = ap_draws_group(p), .each_mean = ap_times(k->N0, columns)};
    double *mean = ap_take(work, j.each_mean);
    const ap_status status = run(mean, NULL, &j, team, work, err);
    if (status == AP_OK) ap_kernel_outside(W, k, 1.0, mean, columns, 0.0);
    work->used = mark;
    return status;
}

ap_status ap_draws_predict(double *mu, double *s2, const ap_problem *p, const ap_many *draws, const ap_inputs *x2,
                           const ap_team *team, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t P2 = x2->P, C = ap_problem_outputs(p), mark = work->used;
    job j = {.p = p, .draws = draws, .x2 = x2, .group = ap_draws_group(p), .each_mean = ap_times(P2, C)};
    j.each_variance = ap_times(P2, ap_times(k->outputs, k->outputs));
    ap_status status = AP_OK;
    if (keeps(k, P2, draws->count)) {
        double *inside = ap_take(work, ap_kernel_inside_size(k, ap_times(P2, k->inputs)));
        j.kappa = ap_take_matrix(work, P2, k->pairs), j.D = ap_take_matrix(work, ap_times(k->P, P2), k->pairs);
        if (j.D == NULL) status = ap_not_taken(work, err, "ap_draws");
        if (status == AP_OK) {
            j.inside = ap_kernel_inside(inside, k, x2->Xi, P2 * k->inputs);
            status = ap_team_run(team, keep, &j, k->inputs, work, err);
        }
    }
    if (status == AP_OK) status = run(mu, s2, &j, team, work, err);
    work->used = mark;
    return status;
}
