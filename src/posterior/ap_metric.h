// ap_metric.h: the linear map between where a chain moves and the coordinates of its target (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_METRIC_H
#define AP_METRIC_H

#include "base/ap_core.h"

typedef struct ap_metric {  // x = centre + z + V (F - I) V' z
    const double *centre;   // [dim]
    const double *F;        // [rank x rank] lower triangular, zeros above; NULL: x = z
    const double *V;        // [dim x rank] orthonormal directions; NULL: the coordinates themselves, rank = dim
    size_t rank;
    double *room;  // [2 rank] scratch; NULL where V is
} ap_metric;

void ap_metric_position(double *x, const ap_metric *metric, size_t dim, const double *z);
void ap_metric_pull(double *grad_z, const ap_metric *metric, size_t dim, const double *grad_x);  // derivative by z
void ap_metric_part(double *u, const ap_metric *metric, size_t dim, const double *z);            // u [rank] = V' z

// What has been seen of u = V' z: Welford's moments, `count` of them with this one; second: the lower triangle.
void ap_metric_see(double *mean, double *second, double count, const double *u, size_t rank);
// The metric after `draws` positions with these moments, of which it leaves nothing. The chain stands at z, which
// becomes another number of the same place.
AP_CHECKED ap_status ap_metric_learn(double *centre, double *F,     // in/out: of the metric
                                     double *z,                     // in/out: [dim]
                                     double *mean, double *second,  // in: moments; out: zero
                                     const ap_metric *metric, size_t dim, double draws, ap_work *work, ap_error *err);

#endif
