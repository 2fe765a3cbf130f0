// ap_target.c: a target seen through a metric
// SPDX-License-Identifier: BSD-3-Clause
//
//   psi_z (z) = psi (x) + |x|^2 / 2 - |z|^2 / 2,   grad psi_z = (dx/dz)' (grad psi + x) - z
//
// so that exp (-psi_z - |z|^2/2) is the density of z when exp (-psi - |x|^2/2) is that of x. It costs
// the target's own evaluation, and with a metric one position and one derivative of it.

#include "posterior/ap_posterior.h"

bool ap_target_learns(const ap_target *t) { return t->metric > 0 || t->each; }

bool ap_target_stops(const ap_target *t) { return t->stop != NULL && t->stop(t->context); }

bool ap_target_survives(ap_status status) {
    return status == AP_ENOTSPD || status == AP_ENONFINITE || status == AP_ELAPACK;
}

ap_status ap_target_evaluate(ap_place *at, const ap_target *t, const ap_metric *metric, ap_work *work, ap_error *err) {
    const size_t n = t->dim, mark = work->used;
    ap_status status = AP_OK;
    if (metric->F == NULL) return t->evaluate(&at->psi, at->grad, t, at->z, work, err);
    double *x = ap_take(work, n), *g = ap_take(work, n);
    if (g == NULL) status = ap_not_taken(work, err, "ap_target_evaluate");
    if (g != NULL) ap_metric_position(x, metric, n, at->z);
    if (status == AP_OK) status = t->evaluate(&at->psi, g, t, x, work, err);
    if (status < 0) goto done;
    ap_axpy(n, 1.0, x, g);
    ap_metric_pull(at->grad, metric, n, g);
    ap_axpy(n, -1.0, at->z, at->grad);
    at->psi += 0.5 * (ap_dot(n, x, x) - ap_dot(n, at->z, at->z));
done:
    work->used = mark;
    return status;
}

ap_status ap_target_gap(ap_place *at, const ap_target *t, const ap_metric *metric, ap_work *work, ap_error *err) {
    const size_t n = t->dim, mark = work->used;
    ap_status status = AP_OK;
    double psi = 0.0;
    if (t->exact == NULL) return AP_OK;
    double *x = ap_take(work, n);
    if (x == NULL) status = ap_not_taken(work, err, "ap_target_gap");
    if (x != NULL) ap_metric_position(x, metric, n, at->z);
    if (status == AP_OK) status = t->exact(&psi, t, x, work, err);
    if (status == AP_OK) at->surrogate_error = psi - (at->psi - 0.5 * (ap_dot(n, x, x) - ap_dot(n, at->z, at->z)));
    work->used = mark;
    return status;
}
