// ap_trajectory.c: one Metropolis-adjusted Langevin trajectory
// SPDX-License-Identifier: BSD-3-Clause
//
// Kinetic Langevin dynamics (T13) for the density exp (-psi (z) - |z|^2/2), discretised and made exact by accepting or
// rejecting whole trajectories (Riou-Durand, Vogrinc, arXiv:2202.13230): momenta are redrawn at the start, a step is
//
//   p := p - h/2 grad psi      kick by the data's gradient
//   (z, p) := rotation by h    the normal part's exact flow
//   p := p - h/2 grad psi
//
// and between steps p := e^{-gamma h} p + sqrt (1 - e^{-2 gamma h}) xi, xi standard normal. Only steps count for the
// acceptance min (1, exp (-error)); friction leaves the normal law of p alone. gamma = 0 is Hamiltonian Monte Carlo.
// h, the number of steps and gamma are the caller's (ap_chain.c).
// The rotation conserves |z|^2 + |p|^2, so that the error of the energy comes from the kicks only,
//
//   error = sum over steps of  psi_new - psi_old + sum over its two kicks of  -h/2 p.g + h^2/8 |g|^2,
//
// O(h^2) over a trajectory however many weights have a normal prior, and no large numbers are subtracted.
// A trajectory has diverged, and is rejected, if it meets a value that is no number, or if its error spreads over more
// than `diverging`.
// Its random numbers are drawn all the same, so that the stream does not depend on the outcome.
// Memory: 4 dim doubles and that of the target.

#include <math.h>
#include <string.h>

#include "posterior/ap_posterior.h"

static const double diverging = 1000.0;  // spread of the energy error in a trajectory: the same seen from either end

// p := p - half g and then, where angle is not 0, the rotation of (z, p); returns the change of |p|^2/2 by the kick.
// In blocks that a first-level cache holds, because for many weights the time is that of reading them.
static double kick_and_rotate(double *z, double *p, const double *g, double half, double angle, size_t n) {
    enum { block = 512 };
    const double c = cos(angle), s = sin(angle);
    double change = 0.0;
    for (size_t i = 0; i < n; i += block) {
        const size_t m = n - i < block ? n - i : block;
        change += -half * ap_dot(m, p + i, g + i) + 0.5 * half * half * ap_dot(m, g + i, g + i);
        ap_axpy(m, -half, g + i, p + i);
        if (angle != 0.0) ap_rot(m, z + i, p + i, c, s);
    }
    return change;
}

ap_status ap_integrate(double *error, ap_place *at, double *p, const ap_target *target, const ap_metric *metric,
                       double step, ap_work *work, ap_error *err) {
    const size_t n = target->dim;
    const double before = at->psi;
    *error += kick_and_rotate(at->z, p, at->grad, 0.5 * step, step, n);
    const ap_status status = ap_target_evaluate(at, target, metric, work, err);
    if (status < 0) return status;
    *error += at->psi - before;
    *error += kick_and_rotate(at->z, p, at->grad, 0.5 * step, 0.0, n);
    return AP_OK;
}

enum { drawn_together = 256 };  // normals, in xi

static void refresh(double *p, double *xi, double keep, size_t n, ap_rng *rng) {
    const double renew = sqrt(1.0 - keep * keep);
    for (size_t first = 0; first < n; first += drawn_together) {
        const size_t count = n - first < drawn_together ? n - first : drawn_together;
        ap_rng_normals(xi, count, rng);
        for (size_t i = 0; i < count; i++) p[first + i] = keep * p[first + i] + renew * xi[i];
    }
}

ap_status ap_trajectory(ap_place *at, ap_outcome *outcome, const ap_target *target, const ap_metric *metric,
                        const ap_move *move, ap_rng *rng, ap_work *work, ap_error *err) {
    const size_t n = target->dim, mark = work->used;
    const double keep = exp(-move->friction * move->step);
    double *p = ap_take(work, n), *z = ap_take(work, n), *g = ap_take(work, n);
    double *xi = ap_take(work, n < drawn_together ? n : drawn_together);
    ap_status status = xi == NULL ? ap_not_taken(work, err, "ap_trajectory") : AP_OK;
    if (status < 0) goto done;
    ap_place next = {.z = z, .grad = g, .psi = at->psi, .surrogate_error = at->surrogate_error};
    memcpy(z, at->z, n * sizeof(double));
    memcpy(g, at->grad, n * sizeof(double));
    ap_rng_normals(p, n, rng);
    double error = 0.0, low = 0.0, high = 0.0;
    *outcome = (ap_outcome){.hamiltonian = at->psi + at->surrogate_error + 0.5 * (ap_dot(n, z, z) + ap_dot(n, p, p))};
    for (size_t s = 0; s < move->steps; s++) {
        if (ap_target_stops(target)) {
            status = AP_INTERRUPTED;
            goto done;
        }
        if (s > 0 && keep < 1.0) refresh(p, xi, keep, n, rng);
        if (outcome->diverged) continue;
        status = ap_integrate(&error, &next, p, target, metric, move->step, work, err);
        if (status < 0 && !ap_target_survives(status)) goto done;
        outcome->gradients++;
        low = fmin(low, error);
        high = fmax(high, error);
        outcome->diverged = status < 0 || !(error - low < diverging && high - error < diverging);
        status = AP_OK;
    }
    const double u = ap_rng_uniform(rng);
    if (!outcome->diverged) {
        status = ap_target_gap(&next, target, metric, work, err);
        if (status < 0 && !ap_target_survives(status)) goto done;
        outcome->diverged = status < 0;
        status = AP_OK;
    }
    outcome->integration = outcome->diverged ? INFINITY : error;
    outcome->error = outcome->diverged ? INFINITY : error + (next.surrogate_error - at->surrogate_error);
    outcome->acceptance = outcome->diverged ? 0.0 : fmin(1.0, exp(-outcome->error));
    outcome->accepted = u < outcome->acceptance;
    if (outcome->accepted) {
        memcpy(at->z, z, n * sizeof(double));
        memcpy(at->grad, g, n * sizeof(double));
        at->psi = next.psi;
        at->surrogate_error = next.surrogate_error;
    }
done:
    work->used = mark;
    return status;
}
