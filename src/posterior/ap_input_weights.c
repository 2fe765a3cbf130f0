// ap_input_weights.c: an exact draw of the input weights given everything above them
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
// with A = K(U_1) + T I. With several outputs column (pi,c) of W is w_{pi,c}, and f has a column per output. Cost: the
// energy's, and 4 P N0 Pi + 2 P^2 + 6 N0 Pi m flops: none of it grows with the widths when m is the rank of U_1.
//
// Where the path inputs are held in a basis B of their span (ap_span.c), xi = B xi', the labels see B'Z alone: v is
// B v' with v' made from the xi', and what Z has outside the span stays the prior draw that it was. So weights and
// effective weights always are those of all features, and B' takes them to the coordinates in which outputs are sums.

#include "posterior/ap_posterior.h"

#include <math.h>

static double scale_of(const ap_inputs *x, size_t inputs) {
    return 1.0 / sqrt((double)ap_inputs_features(x) * (double)inputs);
}

void ap_input_output(double *f, const ap_net *net, const ap_inputs *x, const double *W) {
    const size_t inputs = ap_net_inputs(net), C = ap_net_outputs_count(net), N0 = x->N0, P = x->P;
    const double scale = scale_of(x, inputs);
    for (size_t a = 0; a < inputs; a++)
        for (size_t c = 0; c < C; c++)
            ap_gemv('T', N0, P, scale, x->Xi + N0 * P * a, N0, W + N0 * (C * a + c), a == 0 ? 0.0 : 1.0, f + P * c);
}

void ap_input_backward(double *dW, const ap_net *net, const ap_inputs *x, const double *df) {
    const size_t inputs = ap_net_inputs(net), C = ap_net_outputs_count(net), N0 = x->N0, P = x->P;
    const double scale = scale_of(x, inputs);
    for (size_t a = 0; a < inputs; a++)
        for (size_t c = 0; c < C; c++)
            ap_gemv('N', N0, P, scale, x->Xi + N0 * P * a, N0, df + P * c, 0.0, dW + N0 * (C * a + c));
}

ap_status ap_input_draw(double *Z, double *W, const ap_problem *p, const ap_root *root, const double *U,
                        const ap_fit *known, ap_rng *rng, ap_work *work, ap_error *err) {
    const ap_inputs x = ap_kernel_examples(p->kernel);
    const double *R = root->R;
    const size_t m = root->columns;
    const size_t N0 = p->kernel->features, P = p->kernel->P, paths = p->kernel->paths, mark = work->used;
    const double sigma = sqrt(p->net->variance[0]), noise = sqrt(p->net->temperature);
    ap_fit fit;
    ap_status status = AP_OK;
    if (known == NULL) status = ap_fit_take(&fit, p, work, err);
    if (known == NULL && status == AP_OK) status = ap_fit_make(&fit, p, U, m <= paths ? root : NULL, work, err);
    double *delta = ap_take(work, P), *eps = ap_take(work, P), *v = ap_take_matrix(work, x.N0, paths);
    double *inside = ap_take_matrix(work, x.N0, m > paths ? m : paths);
    if (status == AP_OK && inside == NULL) status = ap_not_taken(work, err, "ap_input_draw");
    if (status < 0) goto done;
    ap_rng_normals(Z, N0 * m, rng);
    for (size_t i = 0; i < N0 * m; i++) Z[i] *= sigma;
    ap_rng_normals(eps, P, rng);
    ap_gemm('N', 'T', N0, paths, m, 1.0, Z, N0, R, paths, 0.0, W, N0);
    ap_input_output(delta, p->net, &x, ap_kernel_inside(inside, p->kernel, W, paths));
    for (size_t mu = 0; mu < P; mu++) delta[mu] = sigma * sigma * (p->y[mu] - delta[mu] - noise * eps[mu]);
    ap_spd_solve(known == NULL ? fit.F : known->F, P, delta, 1);
    ap_input_backward(v, p->net, &x, delta);
    ap_gemm('N', 'N', x.N0, m, paths, 1.0, v, x.N0, R, paths, 0.0, inside, x.N0);
    ap_kernel_outside(Z, p->kernel, 1.0, inside, m, 1.0);
    ap_gemm('N', 'T', N0, paths, m, 1.0, Z, N0, R, paths, 0.0, W, N0);
done:
    work->used = mark;
    return status;
}
