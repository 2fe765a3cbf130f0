// ap_evidence.c: the evidence of a solution beyond leading order
// SPDX-License-Identifier: BSD-3-Clause
//
// The exact posterior of the order parameters (T11), (T12) is exp (-S/2) times the invariant measure of the cone, along
// whose geodesics the saddle point's Gaussian integral is taken, against the same integral of the prior:
//
//   log p(y) = -(S - S_entropy (GP)) / 2 - (log det H - log det H_0) / 2 - P/2 log 2 pi                          (T25)
//
// H is the second derivative of S in the coordinates of d, U_l = F_l exp (d_l) F_l', of all order parameters, log u_a
// included; H_0 that of the entropy at the GP point. ap_hessian.c has H with u_a eliminated. By Schur's complement
// log u_a adds to log det H the logarithm of
//
//   d^2 S / d (log u_a)^2 = N_a u_a / sigma_a^2 + N_L tr U_L / (sigma_L^2 u_a).
//
// Where N_l < Pi_l the exact U_l is singular, and no expansion around a definite one is of the exact integral.
// Cost: H and n^3 / 3 flops for n unknowns.
//
// For many unknowns ap_logdet.c has log det H without H, and log det H_0 is in closed form: at the GP point the form is
// sum_l N_l |d_l - I (x) d_{l+1}|^2, with N_a for the readout's, and d_l - I (x) d_{l+1} are triangular coordinates
// with ones on the diagonal. So in orthonormal coordinates, log u_a included, log det H_0 = sum_l n_l log N_l + log N_a
// for n_l = Pi_l (Pi_l + 1) / 2. Where layer l has a skip connection, n_l is Pi_l (Pi_l + 1) / 2 minus that of
// layer l + 1 by: with d_l = [d_{l+1} e; e' c] the form is N_l (|c - I (x) d_{l+1}|^2 + 2 |e|^2), half of the last term
// from the curve of U_{l+1}.

#include <math.h>

#include "beyond/ap_beyond.h"

static ap_status check_widths(const ap_net *net, ap_error *err) {
    AP_FREE_MEMBERS (u, net)
        if (u.width < (double)u.n)
            return ap_fail(err, AP_EINPUT,
                           "the expansion needs N_l >= Pi_l in every layer, but layer %zu has width %g and %zu partial "
                           "paths: its order parameter is singular",
                           u.layer, u.width, u.n);
    return AP_OK;
}

// From log det H, without log u_a, in orthonormal coordinates
static double evidence(const ap_problem *p, const ap_point *point, double logdet) {
    const ap_net *net = p->net;
    double entropy = 0.0;  // at the GP point
    for (size_t l = 1; l <= net->L + (ap_params_fixed(net) ? 0 : 1); l++) {
        const ap_member u = ap_params_member(net, l);
        entropy += u.width * (double)(u.n - u.tied) * (1.0 - log(u.variance));
        logdet -= (double)(u.pairs - ap_pairs_count(u.tied)) * log(u.width);
    }
    if (ap_params_eliminated(net)) logdet += log(ap_params_readout_curvature(net, point->order));
    return -0.5 * (point->action - entropy + logdet + (double)ap_problem_rows(p) * ap_log_two_pi);
}

ap_status ap_evidence_laplace(double *logp, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t n = ap_params_unknowns(p->net), mark = work->used;
    double *H = ap_take_matrix(work, n, n);
    ap_status status = H == NULL ? ap_not_taken(work, err, "ap_evidence") : AP_OK;
    if (status == AP_OK) status = check_widths(p->net, err);
    if (status == AP_OK) status = ap_hessian_action(H, p, point, work, err);
    if (status == AP_OK) status = ap_hessian_factor(H, n, p->kernel, err);
    if (status == AP_OK) {
        double logdet = ap_spd_logdet(H, n);
        AP_FREE_MEMBERS (u, p->net)
            logdet -= (double)(u.pairs - u.n) * log(2.0);  // off the diagonal entries count twice
        *logp = evidence(p, point, logdet);
    }
    work->used = mark;
    return status;
}

ap_status ap_evidence_many(double *logp, double *se, const ap_problem *p, const ap_point *point, size_t probes,
                           uint64_t seed, ap_work *work, ap_error *err) {
    double logdet = 0.0;
    if (probes < 2) return ap_fail(err, AP_EINPUT, "an error requires at least two probes, not %zu", probes);
    ap_status status = check_widths(p->net, err);
    if (status == AP_OK) status = ap_logdet_hessian(&logdet, se, p, point, probes, seed, work, err);
    if (status != AP_OK) return status;
    *se *= 0.5;
    *logp = evidence(p, point, logdet);
    return AP_OK;
}
