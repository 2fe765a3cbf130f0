// ap_rounding.c: the smallest gradient attainable in double precision
// SPDX-License-Identifier: BSD-3-Clause
//
// The U_l of a search are products of matrices. An entry that is a sum of n products of rounded numbers, with the roots
// of U_ii and U_jj as the norms of its factors, is off by about
//
//   e_ij = sqrt (n) eps sqrt (U_ii U_jj),      n = Pi_l
//
// (independent rounding errors; their worst case has n in the place of its root). Whatever the search does, it cannot
// distinguish U from U + E, |E_ij| = e_ij. The gradient there is as good as the gradient at U, and their difference,
//
//   H E + the change of the gradient by rounding of A, recomputed from other numbers,
//
// is the smallest attainable gradient. It is evaluated for `draws` matrices E of random signs, the same in
// every call, and the largest is taken. More would find larger ones: the demand stays on the strict side.
// Cost: `draws` evaluations with their gradients.

#include "saddle/ap_saddle.h"

#include <float.h>
#include <math.h>

static void move(double *order, const ap_point *point, const ap_net *net, ap_rng *rng) {
    AP_FREE_MEMBERS (u, net) {
        const double *U = point->order + u.at, size = sqrt((double)u.n) * DBL_EPSILON;
        double *V = order + u.at;
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i <= j; i++) {
                const double e = size * sqrt(U[i + u.n * i] * U[j + u.n * j]);
                V[i + u.n * j] = V[j + u.n * i] = U[i + u.n * j] + (ap_rng_uniform(rng) < 0.5 ? -e : e);
            }
    }
}

// The largest entries of beside's gradient less the point's, as it is, and in the point's frame, if larger than so far.
static ap_status compare(double *gradnorm, double *gradrel, ap_point *beside, const ap_point *point, const ap_net *net,
                         ap_work *work, ap_error *err) {
    const size_t chain = ap_params_length(net);
    double framed = 0.0;
    for (size_t i = 0; i < chain; i++) {
        beside->grad[i] -= point->grad[i];
        *gradnorm = fmax(*gradnorm, fabs(beside->grad[i]) / ap_net_maxwidth(net));
    }
    const ap_status status = ap_relative_gradient(&framed, beside->grad, point, net, work, err);
    *gradrel = fmax(*gradrel, framed);
    return status;
}

ap_status ap_rounding(double *gradnorm, double *gradrel, ap_point *beside, const ap_point *point, const ap_problem *p,
                      ap_work *work, ap_error *err) {
    ap_rng rng = ap_rng_start(0, 0);
    ap_status status = AP_OK;
    *gradnorm = *gradrel = 0.0;
    for (int k = 0; status == AP_OK && k < ap_rounding_draws; k++) {
        move(beside->order, point, p->net, &rng);
        status = ap_action_value(beside, p, work, err);
        if (status == AP_OK) status = ap_action_gradient(beside, p, work, err);
        if (status == AP_OK) status = compare(gradnorm, gradrel, beside, point, p->net, work, err);
    }
    return status;
}
