// ap_target.c: a target seen through a metric
// SPDX-License-Identifier: BSD-3-Clause
//
//   x = centre + F z,   psi_z (z) = psi (x) + |x|^2 / 2 - |z|^2 / 2,   grad psi_z = F' (grad psi + x) - z
//
// so that exp (-psi_z - |z|^2/2) is the density of z when exp (-psi - |x|^2/2) is that of x. Cost: 4 dim^2 flops beside
// the target's own; nothing without a metric.

#include "ap_target.h"

#include <string.h>

#include "ap_blas.h"

void ap_target_position(double *x, const ap_metric *metric, size_t dim, const double *z) {
    if (metric->F == NULL) {
        memcpy(x, z, dim * sizeof(double));
    } else {
        memcpy(x, metric->centre, dim * sizeof(double));
        ap_gemv('N', dim, dim, 1.0, metric->F, dim, z, 1.0, x);
    }
}

ap_status ap_target_evaluate(ap_place *at, const ap_target *t, const ap_metric *metric, ap_work *work, ap_error *err) {
    const size_t n = t->dim, mark = work->used;
    ap_status status = AP_OK;
    if (metric->F == NULL) return t->evaluate(&at->psi, at->grad, t->self, at->z, work, err);
    double *x = ap_take(work, n), *g = ap_take(work, n);
    if (g == NULL) status = ap_not_taken(work, err, "ap_target_evaluate");
    if (g != NULL) ap_target_position(x, metric, n, at->z);
    if (status == AP_OK) status = t->evaluate(&at->psi, g, t->self, x, work, err);
    if (status < 0 || work->counts) goto done;
    ap_axpy(n, 1.0, x, g);
    memcpy(at->grad, at->z, n * sizeof(double));
    ap_gemv('T', n, n, 1.0, metric->F, n, g, -1.0, at->grad);
    at->psi += 0.5 * (ap_dot(n, x, x) - ap_dot(n, at->z, at->z));
done:
    work->used = mark;
    return status;
}
