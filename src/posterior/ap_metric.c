// ap_metric.c: the linear map between where a chain moves and the coordinates of its target
// SPDX-License-Identifier: BSD-3-Clause
//
//   x = centre + z + V (F - I) V' z,   V [n x k] orthonormal,  F [k x k] lower triangular
//
// A chain moves in z, where the density should be close to standard normal. Along the k directions of V the metric is
// dense, F F' being the covariance of V' x; in all others it leaves the prior's scale. Where k = n the directions are
// the coordinates themselves, V is not stored, and x = centre + F z. The derivative by z is g + V (F' - I) V' g.
// Where k < n without V the directions are the first k coordinates, and each of the others has a scale of its own,
// x_i = centre_i + scale_i z_i, learned from its mean and variance in z as F is, with k = 1.
// After `draws` positions with mean m and covariance S of u = V' z,
//
//   centre += V F m,   F := F chol (w S + (1 - w) I),   u := chol^{-1} (u - m)
//   w = draws / (draws + k max (1, k / few))
//
// is the next metric: in z the metric so far is the identity, and the fewer draws there are the more of it stays. For
// 126 directions, the metric so far being that of a mode, draws / (draws + k) leaves too much of the sampling error:
// the smallest ESS of U was 782, with 4 k 949 and with 20 k 826, that of the log posterior 713, 1018 and 942.
// Cost: 4 n k + 2 k^2 flops a position or derivative, 2 n^2 where V is not stored; k^3 to learn.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

static const double few = 32.0;  // directions that draws of a warm-up suffice for

// y += V (op(F) - I) V' x, in the metric's room.
static void add_along(double *y, const ap_metric *m, size_t n, char op, const double *x) {
    double *u = m->room, *v = u + m->rank;
    ap_gemv('T', n, m->rank, 1.0, m->V, n, x, 0.0, u);
    memcpy(v, u, m->rank * sizeof(double));
    ap_gemv(op, m->rank, m->rank, 1.0, m->F, m->rank, u, -1.0, v);
    ap_gemv('N', n, m->rank, 1.0, m->V, n, v, 1.0, y);
}

void ap_metric_position(double *x, const ap_metric *m, size_t n, const double *z) {
    if (m->F == NULL) {
        memcpy(x, z, n * sizeof(double));
        return;
    }
    memcpy(x, m->centre, n * sizeof(double));
    if (m->V == NULL) {
        if (m->rank > 0) ap_gemv('N', m->rank, m->rank, 1.0, m->F, m->rank, z, 1.0, x);
        for (size_t i = m->rank; i < n; i++) x[i] += m->scale[i - m->rank] * z[i];
    } else {
        ap_axpy(n, 1.0, z, x);
        add_along(x, m, n, 'N', z);
    }
}

void ap_metric_pull(double *grad_z, const ap_metric *m, size_t n, const double *grad_x) {
    if (m->F != NULL && m->V == NULL) {
        if (m->rank > 0) ap_gemv('T', m->rank, m->rank, 1.0, m->F, m->rank, grad_x, 0.0, grad_z);
        for (size_t i = m->rank; i < n; i++) grad_z[i] = m->scale[i - m->rank] * grad_x[i];
        return;
    }
    memcpy(grad_z, grad_x, n * sizeof(double));
    if (m->F != NULL) add_along(grad_z, m, n, 'T', grad_x);
}

void ap_metric_part(double *u, const ap_metric *m, size_t n, const double *z) {
    if (m->V == NULL)
        memcpy(u, z, m->rank * sizeof(double));
    else
        ap_gemv('T', n, m->rank, 1.0, m->V, n, z, 0.0, u);
}

void ap_metric_see_each(double *mean, double *square, double count, const double *u, size_t n) {
    const double weight = count > 1.0 ? count / (count - 1.0) : 0.0;
    for (size_t j = 0; j < n; j++) {
        mean[j] += (u[j] - mean[j]) / count;
        square[j] += weight * (u[j] - mean[j]) * (u[j] - mean[j]);
    }
}

void ap_metric_learn_each(double *centre, double *scale, double *z, double *mean, double *square, size_t n,
                          double draws) {
    const double weight = draws / (1.0 + draws);
    for (size_t i = 0; i < n; i++) {
        const double spread = sqrt(weight * square[i] / (draws - 1.0) + 1.0 - weight);
        centre[i] += scale[i] * mean[i];
        scale[i] *= spread;
        z[i] = (z[i] - mean[i]) / spread;
        mean[i] = square[i] = 0.0;
    }
}

void ap_metric_see(double *mean, double *second, double count, const double *u, size_t k) {
    const double weight = count > 1.0 ? count / (count - 1.0) : 0.0;
    for (size_t j = 0; j < k; j++) mean[j] += (u[j] - mean[j]) / count;  // u - mean below is from the new one
    for (size_t j = 0; j < k; j++) {
        const double dj = weight * (u[j] - mean[j]);
        for (size_t i = j; i < k; i++) second[i + k * j] += dj * (u[i] - mean[i]);
    }
}

// centre += V F m
static void move_centre(double *centre, const ap_metric *m, size_t n, const double *mean, double *v) {
    const size_t k = m->rank;
    if (m->V == NULL) {
        ap_gemv('N', k, k, 1.0, m->F, k, mean, 1.0, centre);
    } else {
        ap_gemv('N', k, k, 1.0, m->F, k, mean, 0.0, v);
        ap_gemv('N', n, k, 1.0, m->V, n, v, 1.0, centre);
    }
}

ap_status ap_metric_learn(double *centre, double *F, double *z, double *mean, double *second, const ap_metric *m,
                          size_t n, double draws, ap_work *work, ap_error *err) {
    const size_t k = m->rank, mark = work->used;
    const double weight = draws / ((double)k * fmax(1.0, (double)k / few) + draws);
    double *u = ap_take(work, k), *v = ap_take(work, k);
    ap_status status = v == NULL ? ap_not_taken(work, err, "ap_metric_learn") : AP_OK;
    if (status < 0) goto done;
    for (size_t j = 0; j < k; j++)
        for (size_t i = j; i < k; i++)
            second[i + k * j] = weight * second[i + k * j] / (draws - 1.0) + (i == j ? 1.0 - weight : 0.0);
    status = ap_spd_chol(second, k, "the metric", err);
    if (status < 0) goto done;
    ap_metric_part(u, m, n, z);
    for (size_t i = 0; i < k; i++) v[i] = u[i] - mean[i];
    ap_trsv('N', k, second, k, v);
    if (m->V == NULL) {
        memcpy(z, v, k * sizeof(double));
    } else {
        for (size_t i = 0; i < k; i++) u[i] = v[i] - u[i];
        ap_gemv('N', n, k, 1.0, m->V, n, u, 1.0, z);
    }
    move_centre(centre, m, n, mean, v);
    ap_trmm('R', 'N', k, k, 1.0, second, k, F, k);
    memset(mean, 0, k * sizeof(double));
    memset(second, 0, k * k * sizeof(double));
done:
    work->used = mark;
    return status;
}
