// ap_langevin.c: the posterior of the weights themselves
// SPDX-License-Identifier: BSD-3-Clause
//
// Two targets, in whitened weights z (weight = sigma z), both free of tokens: the data enter through the path inputs.
//
//   every weight   psi = sum_mu (f_mu - y_mu)^2 / (2T),  z = V_0, V_1, .., V_L, a                               (T2)
//                  forward: u^{(l)} (ap_weights.c), W = V_0' u^{(1)} / sqrt (N_1), f = <Xi, W> (ap_input_weights.c);
//                  backward: dW, then dV_0 = u^{(1)} dW' / sqrt (N_1), du^{(1)} = V_0 dW / sqrt (N_1), and up
//   upper weights  psi = E(U_1)/2, U_1 = u^{(1)}' u^{(1)} / N_1,  z = V_1, .., V_L, a: V_0 is integrated out (T12)
//                  du^{(1)} = u^{(1)} G / N_1, G = dE/dU_1; V_0 is drawn exactly when it is wanted (ap_input_weights.c)
//
// In the first the likelihood's curvature along the P directions of the data is lambda/T, lambda up to the largest
// eigenvalue of the kernel: 10^4 and more at T = 0.01, so that a step is at most a hundredth of what the prior allows.
// The second has no such directions. `make bench` has the effective samples per second of both.
// Cost of a gradient: 4 P N0 Pi + 6 sum_{l >= 0} N_l N_{l+1} Pi_l flops in the first; in the second E and G stand for
// the terms with N0.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

void ap_langevin_effective(double *W, const ap_net *net, size_t N0, const double *z0, const double *u) {
    const size_t N = ap_weights_width(net, 1), paths = ap_net_paths(net, 1);
    ap_gemm('T', 'N', N0, paths, N, sqrt(net->variance[0] / (double)N), z0, N, u, N, 0.0, W, N0);
}

// A target has one set of partial effective weights and its derivative; one of the two has W and r, the other U and G.
typedef struct passes {
    double *u, *g;  // [partial]
    double *W, *r;  // [features x Pi], [P]
    double *V;      // [N0 x Pi] W in the coordinates of the path inputs
    double *U, *G;  // [Pi x Pi]
    double *R;      // [Pi x Pi] a factor of U
} passes;

static ap_status take_passes(passes *t, const ap_problem *p, bool input, ap_work *work, ap_error *err) {
    const size_t paths = p->kernel->paths, partial = ap_weights_partial(p->net);
    *t = (passes){.u = ap_take(work, partial)};
    t->g = ap_take(work, partial);
    if (input) {
        t->W = ap_take_matrix(work, p->kernel->features, paths);
        t->V = ap_take_matrix(work, p->kernel->N0, paths);
        t->r = ap_take(work, p->kernel->P);
    } else {
        AP_TAKE_EACH(work, ap_times(paths, paths), &t->U, &t->G, &t->R);
    }
    return (input ? t->r : t->R) == NULL ? ap_not_taken(work, err, "ap_langevin") : AP_OK;
}

static ap_status every_weight(double *psi, double *grad, const ap_target *target, const double *z, ap_work *work,
                              ap_error *err) {
    const ap_problem *p = target->self;
    const ap_net *net = p->net;
    const ap_inputs x = ap_kernel_examples(p->kernel);
    const size_t N0 = p->kernel->features, P = p->kernel->P, paths = p->kernel->paths, N = ap_weights_width(net, 1);
    const size_t mark = work->used;
    const double alpha = sqrt(net->variance[0] / (double)N), T = net->temperature;
    passes t;
    ap_status status = take_passes(&t, p, true, work, err);
    if (status < 0) goto done;
    ap_weights_forward(t.u, net, z + N * N0);
    ap_langevin_effective(t.W, net, N0, z, t.u);
    ap_input_output(t.r, net, &x, ap_kernel_inside(t.V, p->kernel, t.W, paths));
    ap_axpy(P, -1.0, p->y, t.r);
    *psi = ap_dot(P, t.r, t.r) / (2.0 * T);
    if (!isfinite(*psi)) {
        status = ap_fail(err, AP_ENONFINITE, "the log posterior is not finite");
        goto done;
    }
    for (size_t mu = 0; mu < P; mu++) t.r[mu] /= T;
    ap_input_backward(t.V, net, &x, t.r);
    ap_kernel_outside(t.W, p->kernel, 1.0, t.V, paths, 0.0);
    ap_gemm('N', 'T', N, N0, paths, alpha, t.u, N, t.W, N0, 0.0, grad, N);
    ap_gemm('N', 'N', N, paths, N0, alpha, z, N, t.W, N0, 0.0, t.g, N);
    ap_weights_backward(grad + N * N0, t.g, net, z + N * N0, t.u);
done:
    work->used = mark;
    return status;
}

// U_1 of the upper weights, and u on the way.
static void overlaps(double *U, double *u, const ap_net *net, const double *upper) {
    const size_t N = ap_weights_width(net, 1);
    ap_weights_forward(u, net, upper);
    ap_spd_gram(U, 1.0 / (double)N, u, N, ap_net_paths(net, 1));
}

// R with U = R R': u' / sqrt (N) where that has no more columns than rows, else Cholesky's. False: U has none.
static bool root_of(ap_root *root, const passes *t, size_t N, size_t paths) {
    *root = (ap_root){.R = t->R, .columns = N <= paths ? N : paths, .lower = N > paths};
    if (root->lower) {
        memcpy(t->R, t->U, paths * paths * sizeof(double));
        return ap_spd_chol(t->R, paths, "U", NULL) == AP_OK;
    }
    for (size_t i = 0; i < N; i++)
        for (size_t a = 0; a < paths; a++) t->R[a + paths * i] = t->u[i + N * a] / sqrt((double)N);
    return true;
}

static ap_status upper_weights(double *psi, double *grad, const ap_target *target, const double *z, ap_work *work,
                               ap_error *err) {
    const ap_problem *p = target->self;
    const size_t paths = p->kernel->paths, N = ap_weights_width(p->net, 1), mark = work->used;
    double energy = 0.0;
    passes t;
    ap_status status = take_passes(&t, p, false, work, err);
    if (status == AP_OK) overlaps(t.U, t.u, p->net, z);
    ap_root root = {0};
    const bool rooted = status == AP_OK && root_of(&root, &t, N, paths);
    if (status == AP_OK) status = ap_energy_gradient(&energy, t.G, p, t.U, rooted ? &root : NULL, work, err);
    if (status < 0) goto done;
    *psi = 0.5 * energy;
    ap_gemm('N', 'N', N, paths, paths, 1.0 / (double)N, t.u, N, t.G, paths, 0.0, t.g, N);
    ap_weights_backward(grad, t.g, p->net, z, t.u);
done:
    work->used = mark;
    return status;
}

// Where V_1 .. V_L, a begin among the unknowns
static size_t upper_at(const ap_target *target) {
    return target->dim - ap_weights_upper(((const ap_problem *)target->self)->net);
}

static ap_status order(double *order, const ap_target *target, const double *z, ap_work *work, ap_error *err) {
    const ap_net *net = ((const ap_problem *)target->self)->net;
    const size_t mark = work->used;
    double *u = ap_take(work, ap_weights_partial(net));
    const ap_status status = u == NULL ? ap_not_taken(work, err, "ap_langevin") : AP_OK;
    if (status == AP_OK) overlaps(order, u, net, z + upper_at(target));
    for (size_t l = 2; status == AP_OK && l <= net->L + 1; l++) {
        u += ap_weights_width(net, l - 1) * ap_net_paths(net, l - 1);
        const size_t N = ap_weights_width(net, l);
        ap_spd_gram(order + ap_params_at(net, l), 1.0 / (double)N, u, N, ap_net_paths(net, l));
    }
    work->used = mark;
    return status;
}

static void start(double *z, const ap_target *target, ap_rng *rng) { ap_rng_normals(z, target->dim, rng); }

static void put_layer(double *weights, const double *z, size_t count, double variance) {
    const double sigma = sqrt(variance);
    for (size_t i = 0; i < count; i++) weights[i] = sigma * z[i];
}

static void put_upper(double *weights, const ap_net *net, const double *z) {
    for (size_t l = 1; l <= net->L + 1; l++) {
        const size_t count = ap_weights_layer(net, l);
        put_layer(weights, z, count, net->variance[l]);
        weights += count;
        z += count;
    }
}

// V_0 is drawn, given the upper weights: R = u^{(1)}' / sqrt (N_1) is a factor of U_1.
static ap_status draw_upper(double *W, double *weights, const ap_target *target, const double *z, const double *U,
                            ap_rng *rng, ap_work *work, ap_error *err) {
    const ap_problem *p = target->self;
    const size_t N0 = p->kernel->features, paths = p->kernel->paths, N = ap_weights_width(p->net, 1), mark = work->used;
    double *u = ap_take(work, ap_weights_partial(p->net)), *Z = ap_take_matrix(work, N0, N);
    double *R = ap_take_matrix(work, N, paths);
    ap_status status = R == NULL ? ap_not_taken(work, err, "ap_langevin") : AP_OK;
    if (R != NULL) {
        ap_weights_forward(u, p->net, z);
        for (size_t a = 0; a < paths; a++)
            for (size_t i = 0; i < N; i++) R[a + paths * i] = u[i + N * a] / sqrt((double)N);
    }
    if (status == AP_OK) status = ap_input_draw(Z, W, p, &(ap_root){.R = R, .columns = N}, U, NULL, rng, work, err);
    if (status < 0 || weights == NULL) goto done;
    for (size_t j = 0; j < N0; j++)
        for (size_t i = 0; i < N; i++) weights[i + N * j] = Z[j + N0 * i];
    put_upper(weights + N * N0, p->net, z);
done:
    work->used = mark;
    return status;
}

// Where all weights move there is nothing to draw.
static ap_status draw_every(double *W, double *weights, const ap_target *target, const double *z, const double *U,
                            ap_rng *rng, ap_work *work, ap_error *err) {
    const ap_problem *p = target->self;
    const size_t input = upper_at(target), mark = work->used;
    (void)U;
    (void)rng;
    double *u = ap_take(work, ap_weights_partial(p->net));
    const ap_status status = u == NULL ? ap_not_taken(work, err, "ap_langevin") : AP_OK;
    if (u == NULL) goto done;
    ap_weights_forward(u, p->net, z + input);
    ap_langevin_effective(W, p->net, p->kernel->features, z, u);
    if (weights == NULL) goto done;
    put_layer(weights, z, input, p->net->variance[0]);
    put_upper(weights + input, p->net, z + input);
done:
    work->used = mark;
    return status;
}

// Cost model, measured once: a normal 12 ns, a gradient 2 ns a weight and 0.1 ns for each flop of the data's terms.
static double refresh(size_t dim, double flops) { return 12.0 * (double)dim / (2.0 * (double)dim + 0.1 * flops); }

static ap_target target_of(const ap_problem *p, size_t dim, double flops) {
    return (ap_target){.dim = dim,
                       .paths = p->kernel->paths,
                       .chain = ap_params_length(p->net),
                       .momentum_cost = refresh(dim, flops),
                       .self = p,
                       .order = order,
                       .start = start};
}

ap_target ap_langevin_upper_target(const ap_problem *p) {
    const double P = (double)p->kernel->P, paths = (double)p->kernel->paths;
    ap_target target = target_of(p, ap_weights_upper(p->net), P * P * (P + 2.0 * (paths * paths)));
    target.evaluate = upper_weights;
    target.draw = draw_upper;
    return target;
}

ap_target ap_langevin_every_target(const ap_problem *p) {
    const ap_kernel *k = p->kernel;
    const size_t input = ap_times(ap_weights_width(p->net, 1), k->features);
    ap_target target =
        target_of(p, ap_plus(ap_weights_upper(p->net), input), 4.0 * (double)k->P * (double)k->N0 * (double)k->paths);
    target.evaluate = every_weight;
    target.draw = draw_every;
    return target;
}
