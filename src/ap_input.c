// ap_input.c: an exact draw of the input weights given everything above them
// SPDX-License-Identifier: BSD-3-Clause
//
// The output is linear in V_0. Let U_1 = R R', R [Pi x m], and Z = V_0' Q [N0 x m] the input weights seen through the
// frame Q in which u^{(1)} = sqrt (N_1) Q R'; with R = u^{(1)}' / sqrt (N_1), m = N_1 and Q = I, Z is V_0' itself. Then
//
//   W = Z R'                                          effective weights, column pi is w_pi                      (T4)
//   f(mu) = sum_pi w_pi . xi^pi_mu / sqrt (N0 Pi)
//
// Z has independent N(0, sigma_0^2) entries a priori. A draw given the labels is, by Matheron's rule, a prior draw and
// its correction,
//
//   delta = A^{-1} (y - f - sqrt (T) eps),   v_pi = sigma_0^2 / sqrt (N0 Pi) sum_mu xi^pi_mu delta_mu,   Z := Z + v R,
//
// with A = K(U_1) + T I, of which the factor is taken. Cost: 4 P N0 Pi + 2 P^2 + 6 N0 Pi m flops: none of it grows with
// the widths when m is the rank of U_1.

#include "ap_input.h"

#include <math.h>

#include "ap_blas.h"
#include "ap_spd.h"

void ap_input_output(double *f, const ap_net *net, size_t N0, const double *Xi, size_t P, const double *W) {
    const size_t paths = ap_net_paths(net, 1);
    const double scale = 1.0 / sqrt((double)N0 * (double)paths);
    for (size_t a = 0; a < paths; a++)
        ap_gemv('T', N0, P, scale, Xi + N0 * P * a, N0, W + N0 * a, a == 0 ? 0.0 : 1.0, f);
}

void ap_input_backward(double *dW, const ap_net *net, size_t N0, const double *Xi, size_t P, const double *df) {
    const size_t paths = ap_net_paths(net, 1);
    const double scale = 1.0 / sqrt((double)N0 * (double)paths);
    for (size_t a = 0; a < paths; a++) ap_gemv('N', N0, P, scale, Xi + N0 * P * a, N0, df, 0.0, dW + N0 * a);
}

size_t ap_input_worksize(const ap_problem *p) {
    return ap_plus(ap_times(2, p->kernel->P), ap_times(p->kernel->N0, p->kernel->paths));
}

ap_status ap_input_draw(double *Z, double *W, const ap_problem *p, const double *R, size_t m, const double *F,
                        ap_rng *rng, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t N0 = k->N0, P = k->P, paths = k->paths, mark = work->used;
    const double sigma = sqrt(p->net->variance[0]), noise = sqrt(p->net->temperature);
    double *delta = ap_take(work, P), *eps = ap_take(work, P), *v = ap_take(work, N0 * paths);
    if (v == NULL) {
        work->used = mark;
        return ap_no_memory(err, "ap_input_draw");
    }
    ap_rng_normals(Z, N0 * m, rng);
    for (size_t i = 0; i < N0 * m; i++) Z[i] *= sigma;
    ap_rng_normals(eps, P, rng);
    ap_gemm('N', 'T', N0, paths, m, 1.0, Z, N0, R, paths, 0.0, W, N0);
    ap_input_output(delta, p->net, N0, k->Xi, P, W);
    for (size_t mu = 0; mu < P; mu++) delta[mu] = sigma * sigma * (p->y[mu] - delta[mu] - noise * eps[mu]);
    ap_spd_solve(F, P, delta, 1);
    ap_input_backward(v, p->net, N0, k->Xi, P, delta);
    ap_gemm('N', 'N', N0, m, paths, 1.0, v, N0, R, paths, 1.0, Z, N0);
    ap_gemm('N', 'T', N0, paths, m, 1.0, Z, N0, R, paths, 0.0, W, N0);
    work->used = mark;
    return AP_OK;
}
