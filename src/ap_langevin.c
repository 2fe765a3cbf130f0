// ap_langevin.c: the posterior of the weights themselves
// SPDX-License-Identifier: BSD-3-Clause
//
// Two targets, in whitened weights z (weight = sigma z), both free of tokens: the data enter through the path inputs.
//
//   every weight   psi = sum_mu (f_mu - y_mu)^2 / (2T),  z = V_0, V_1, .., V_L, a                               (T2)
//                  forward: u^{(l)} (ap_weights.c), W = V_0' u^{(1)} / sqrt (N_1), f = <Xi, W> (ap_input.c);
//                  backward: dW, then dV_0 = u^{(1)} dW' / sqrt (N_1), du^{(1)} = V_0 dW / sqrt (N_1), and up
//   upper weights  psi = E(U_1)/2, U_1 = u^{(1)}' u^{(1)} / N_1,  z = V_1, .., V_L, a: V_0 is integrated out (T12)
//                  du^{(1)} = u^{(1)} G / N_1, G = dE/dU_1; V_0 is drawn exactly whenever it is wanted (ap_input.c)
//
// In the first the likelihood's curvature along the P directions of the data is lambda/T, lambda up to the largest
// eigenvalue of the kernel: 10^4 and more at T = 0.01, so that a step is at most a hundredth of what the prior allows.
// In the second these directions are gone. `make bench` has the effective samples per second of both.
// Cost of a gradient: 4 P N0 Pi + 6 sum_{l >= 0} N_l N_{l+1} Pi_l flops in the first; in the second E and G stand for
// the terms with N0.

#include "ap_langevin.h"

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_input.h"
#include "ap_spd.h"
#include "ap_weights.h"

void ap_langevin_effective(double *W, const ap_net *net, size_t N0, const double *z0, const double *u) {
    const size_t N = ap_weights_width(net, 1), paths = ap_net_paths(net, 1);
    ap_gemm('T', 'N', N0, paths, N, sqrt(net->variance[0] / (double)N), z0, N, u, N, 0.0, W, N0);
}

static ap_status every_weight(double *psi, double *grad, const void *self, const double *z, ap_work *work,
                              ap_error *err) {
    const ap_problem *p = self;
    const ap_net *net = p->net;
    const size_t N0 = p->kernel->N0, P = p->kernel->P, paths = p->kernel->paths, mark = work->used;
    const size_t N = ap_weights_width(net, 1), partial = ap_weights_partial(net);
    const double alpha = sqrt(net->variance[0] / (double)N), T = net->temperature;
    ap_status status = AP_OK;
    double *u = ap_take(work, partial), *g = ap_take(work, partial), *W = ap_take(work, N0 * paths);
    double *r = ap_take(work, P);
    if (r == NULL) {
        status = ap_no_memory(err, "ap_langevin");
        goto done;
    }
    ap_weights_forward(u, net, z + N * N0);
    ap_langevin_effective(W, net, N0, z, u);
    ap_input_output(r, net, N0, p->kernel->Xi, P, W);
    ap_axpy(P, -1.0, p->y, r);
    *psi = ap_dot(P, r, r) / (2.0 * T);
    if (!isfinite(*psi)) {
        status = ap_fail(err, AP_ENONFINITE, "the log posterior is not finite");
        goto done;
    }
    for (size_t mu = 0; mu < P; mu++) r[mu] /= T;
    ap_input_backward(W, net, N0, p->kernel->Xi, P, r);
    ap_gemm('N', 'T', N, N0, paths, alpha, u, N, W, N0, 0.0, grad, N);
    ap_gemm('N', 'N', N, paths, N0, alpha, z, N, W, N0, 0.0, g, N);
    ap_weights_backward(grad + N * N0, g, net, z + N * N0, u);
done:
    work->used = mark;
    return status;
}

static ap_status upper_weights(double *psi, double *grad, const void *self, const double *z, ap_work *work,
                               ap_error *err) {
    const ap_problem *p = self;
    const size_t paths = p->kernel->paths, mark = work->used;
    const size_t N = ap_weights_width(p->net, 1), partial = ap_weights_partial(p->net);
    ap_status status = AP_OK;
    double energy = 0.0;
    double *u = ap_take(work, partial), *g = ap_take(work, partial), *U = ap_take(work, paths * paths);
    double *G = ap_take(work, paths * paths);
    if (G == NULL) {
        status = ap_no_memory(err, "ap_langevin");
        goto done;
    }
    ap_weights_forward(u, p->net, z);
    ap_spd_gram(U, 1.0 / (double)N, u, N, paths);
    status = ap_energy_gradient(&energy, G, p, U, work, err);
    if (status < 0) goto done;
    *psi = 0.5 * energy;
    ap_gemm('N', 'N', N, paths, paths, 1.0 / (double)N, u, N, G, paths, 0.0, g, N);
    ap_weights_backward(grad, g, p->net, z, u);
done:
    work->used = mark;
    return status;
}

static ap_status order_at(double *U, const ap_net *net, const double *upper, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    double *u = ap_take(work, ap_weights_partial(net));
    if (u == NULL) {
        work->used = mark;
        return ap_no_memory(err, "ap_langevin");
    }
    ap_weights_forward(u, net, upper);
    const size_t N = ap_weights_width(net, 1);
    ap_spd_gram(U, 1.0 / (double)N, u, N, ap_net_paths(net, 1));
    work->used = mark;
    return AP_OK;
}

static ap_status order_every(double *U, const void *self, const double *z, ap_work *work, ap_error *err) {
    const ap_problem *p = self;
    return order_at(U, p->net, z + ap_weights_width(p->net, 1) * p->kernel->N0, work, err);
}

static ap_status order_upper(double *U, const void *self, const double *z, ap_work *work, ap_error *err) {
    return order_at(U, ((const ap_problem *)self)->net, z, work, err);
}

// Cost model, measured once: a normal 12 ns, a gradient 2 ns a weight and 0.1 ns for each flop of the data's terms.
static double refresh(size_t dim, double flops) { return 12.0 * (double)dim / (2.0 * (double)dim + 0.1 * flops); }

ap_target ap_langevin_target(const ap_problem *p, bool input) {
    const size_t N0 = p->kernel->N0, P = p->kernel->P, paths = p->kernel->paths;
    const size_t partial = ap_times(2, ap_weights_partial(p->net));
    const size_t upper = ap_weights_upper(p->net);
    ap_target target = {.paths = paths, .self = p};
    if (input) {
        target.dim = ap_plus(upper, ap_times(ap_weights_width(p->net, 1), N0));
        target.worksize = ap_plus(partial, ap_plus(ap_times(N0, paths), P));
        target.evaluate = every_weight;
        target.order = order_every;
        target.refresh = refresh(target.dim, 4.0 * (double)P * (double)N0 * (double)paths);
    } else {
        target.dim = upper;
        target.worksize =
            ap_plus(ap_plus(partial, ap_times(2, ap_times(paths, paths))), ap_energy_gradient_worksize(p));
        target.evaluate = upper_weights;
        target.order = order_upper;
        target.refresh = refresh(target.dim, (double)P * (double)P * ((double)P + 2.0 * (double)(paths * paths)));
    }
    return target;
}
