// ap_factors_rounding.c: where rounding ends a search in nested factors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where Newton steps grow no shorter, and promise less than the action's rounding, the search is at the floor of
// double precision. It is a solution there if the step is within the tolerance, whatever gradnorm is in the
// units of 1/U, or no longer than the step that rounding alone makes. That one is found by drawing: the path inputs
// times R_1 are put as far off as their own sums of products are, and so are the columns of B_l.

#include "saddle/ap_saddle.h"

#include <float.h>
#include <math.h>
#include <string.h>

// dS/dU_l in the frame R_l, u_a being what it is
static void framed(double *frame, const ap_factor_search *s, const ap_member *u) {
    const ap_factors *f = &s->now;
    const size_t n = u->n;
    if (u->layer == 1) {
        memcpy(frame, f->G, n * n * sizeof(double));
    } else {
        const ap_member d = ap_params_member(s->p->net, u->layer - 1);
        ap_params_factor_back(NULL, frame, -d.width / d.variance, f->B + d.at, NULL, n, f->B + d.at, d.n, &d);
        for (size_t j = 0; j < n; j++) frame[j + n * j] += u->pull;
    }
    for (size_t j = 0; j < n; j++) frame[j + n * j] += u->width * (ap_factors_squares(f, u, j) / u->variance - 1.0);
}

void ap_factors_norms(ap_factor_search *s) {
    double *frame = s->one, *inverse = s->two, *above = s->three, largest = 0.0;
    s->gradrel = 0.0;
    AP_MEMBERS_DOWN (u, s->p->net) {
        const size_t n = u.n;
        memcpy(above, inverse, u.below * u.below * sizeof(double));  // R_{l+1}^{-1}
        ap_spd_identity(inverse, n);
        if (u.layer < s->last) ap_factors_act('N', inverse, above, &u, s->four);
        ap_factors_solve(inverse, &s->now, &u, s->four);
        if (u.layer == s->last) continue;
        framed(frame, s, &u);
        for (size_t i = 0; i < n * n; i++) s->gradrel = fmax(s->gradrel, fabs(frame[i]) / u.width);
        ap_spd_congruence(above, frame, inverse, n, s->four);
        for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(above[i]));
    }
    s->gradnorm = largest / ap_net_maxwidth(s->p->net);
}

// Length of d relative to the factors
static double in_factors(const ap_factor_search *s) {
    double sum = 0.0;
    AP_MEMBERS (u, s->p->net)
        for (size_t a = u.first; a < u.first + u.pairs; a++) sum += s->d[a] * s->d[a] / u.width;
    return sqrt(sum);
}

// Y as it is, and as far off as its own sums of products are: n of them, independent, each within eps of itself
static void blur(ap_factor_search *s, ap_rng *rng) {
    const ap_kernel *k = s->p->kernel;
    const size_t cells = k->N0 * k->P, n = k->paths;
    ap_factors_mix(s, &s->now);
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < cells; i++) {
            double sum = 0.0;
            for (size_t a = 0; a < n; a++) {
                const double x = k->Xi[i + cells * a] * s->now.R[a + n * c];
                sum += x * x;
            }
            const double e = DBL_EPSILON * sqrt((double)n * sum);
            s->Y[i + cells * c] += ap_rng_uniform(rng) < 0.5 ? -e : e;
        }
}

// Length of the Newton step that rounding alone makes: of Y, seen through the gradient, and of B_l, whose columns are
// sums of n products as well. The largest of some draws, the same in every call. Afterwards d is the Newton step again.
static ap_status rounding(double *most, ap_factor_search *s) {
    ap_rng rng = ap_rng_start(0, 0);
    ap_factors *f = &s->trial;
    ap_status status = AP_OK;
    *most = 0.0;
    memcpy(s->v_here, s->v, s->n * sizeof(double));
    memcpy(f->B, s->now.B, ap_params_length(s->p->net) * sizeof(double));
    for (int draw = 0; status == AP_OK && draw < ap_rounding_draws; draw++) {
        blur(s, &rng);
        status = ap_factors_fit(s, f);
        if (status == AP_OK) status = ap_factors_derive(s, f);
        if (status < 0) break;
        ap_factors_gradient(s, f);
        for (size_t i = 0; i < s->n; i++) s->t[i] = s->v[i] - s->v_here[i];
        ap_spd_solve(s->factor, s->n, s->t, 1);
        AP_MEMBERS (u, s->p->net)
            for (size_t i = 0, a = u.first; i < u.n; i++)
                for (size_t j = 0; j <= i; j++, a++) {
                    const double e =
                        DBL_EPSILON * sqrt((double)u.n * ap_factors_squares(f, &u, j) / ap_factors_squares(f, &u, i));
                    s->t[a] = s->t[a] / sqrt(s->D[a]) + (ap_rng_uniform(&rng) < 0.5 ? -e : e);
                }
        *most = fmax(*most, ap_factors_length(s, f, s->t));
    }
    memcpy(s->v, s->v_here, s->n * sizeof(double));
    return status;
}

ap_status ap_factors_rounding_stop(ap_factor_search *s) {
    double most = 0.0;
    const double tolerance = s->settings->tolerance;
    if (s->length <= ap_ahead_most * tolerance && s->gradnorm <= tolerance) return AP_ROUNDED;
    if (s->gain >= s->now.noise || in_factors(s) >= ap_close) return AP_OK;
    if (s->length < ap_solve_progress * s->best) {
        s->best = s->length;
        s->idle = 0;
        return AP_OK;
    }
    if (s->length <= ap_ahead_most * tolerance) return AP_ROUNDED;
    const ap_status status = rounding(&most, s);
    if (status != AP_OK && !ap_is_no_point(status)) return status;
    if (status == AP_OK && s->length <= most) return AP_ROUNDED;
    return ++s->idle > ap_most_idle ? AP_STALLED : AP_OK;
}
