// ap_collapsed.c: the exact posterior of the order parameters of a finite network
// SPDX-License-Identifier: BSD-3-Clause
//
// The unknowns are the coordinates of the Bartlett factors (T14, ap_bartlett.c), whose prior is a chain of Wishart
// matrices (T11). The labels add E(U_1)/2 (T12), U_1 = R_1 R_1'. With G = dE/dU_1 the derivative of E/2 by R_1 is
// G R_1, and it is carried up the same chain. Given a draw, the input weights are drawn exactly by ap_input.c, and all
// other weights by ap_backsample.c.
// Cost: E and G, and 4 Pi^2 m_1 + 6 sum_l Pi_{l+1} q_l m_l flops.

#include "posterior/ap_posterior.h"

#include <math.h>

// Directions along which the metric is dense. Up to the first number of unknowns these are all coordinates, and the
// products cost 2 dim^2 flops; above they are as many as the second, found at the mode (ap_mode.c).
enum { dense_most = 500, directions = 128 };

// Rows of coupled outputs are turned from this number of unknowns on. With fewer, the draws of a warm-up estimate the
// posterior better than curvatures at three places: 14 unknowns at N = 3 had an ESS of 43 when turned, and 141 without.
enum { turned_least = 128 };

static bool may_turn(const ap_problem *p, size_t dim) {
    return p->kernel->outputs > 1 && dim >= turned_least && dim <= dense_most;
}

typedef struct factors {
    double *B, *R, *dR, *dB;  // as ap_bartlett_backward wants them
    double *U, *G;            // [Pi x Pi]
} factors;

static ap_status take_chain_factors(factors *f, const ap_problem *p, ap_work *work, ap_error *err) {
    const ap_bartlett_sizes size = ap_bartlett_size(p->net);
    const size_t paths = p->kernel->paths;
    f->B = ap_take(work, size.B);
    AP_TAKE_EACH(work, size.R, &f->R, &f->dR);
    f->dB = ap_take(work, size.largest);
    AP_TAKE_EACH(work, ap_times(paths, paths), &f->U, &f->G);
    return f->G == NULL ? ap_not_taken(work, err, "ap_collapsed") : AP_OK;
}

// U and its root at x
static ap_status place(factors *f, ap_root *root, const ap_problem *p, const double *turn, const double *x,
                       ap_work *work, ap_error *err) {
    const ap_status status = take_chain_factors(f, p, work, err);
    *root = (ap_root){.columns = ap_bartlett_rank(p->net, 1)};
    if (status < 0) return status;
    ap_bartlett_factors(f->B, f->R, p->net, x, turn);
    ap_bartlett_order(f->U, f->R, p->net);
    root->R = ap_bartlett_last(f->R, p->net);
    return AP_OK;
}

// The energy E of (T7), and G = dE/dU_1. Its fit is kept where there is a keeper, of the same problem.
static ap_status energy_gradient(double *energy, double *G, const ap_problem *p, const ap_surrogate *keeper,
                                 const double *x, const double *U, const ap_root *root, ap_work *work, ap_error *err) {
    const ap_fit *fit = NULL;
    if (keeper == NULL) return ap_energy_gradient(energy, G, p, U, root, work, err);
    ap_status status = ap_surrogate_energy(&fit, keeper, x, U, root, work, err);
    if (status == AP_OK) status = ap_fit_gradient(G, fit, p, work, err);
    if (status == AP_OK) *energy = fit->energy;
    return status;
}

// slope [Pi x Pi]: of a term of the energy that is linear in U; it, turn and keeper may be NULL
static ap_status differentiate(double *psi, double *grad, const ap_problem *p, const double *slope, const double *turn,
                               const ap_surrogate *keeper, const double *x, ap_work *work, ap_error *err) {
    const size_t paths = p->kernel->paths, mark = work->used;
    double energy = 0.0;
    factors f;
    ap_root root;
    ap_status status = place(&f, &root, p, turn, x, work, err);
    if (status == AP_OK) status = energy_gradient(&energy, f.G, p, keeper, x, f.U, &root, work, err);
    if (status < 0) goto done;
    if (slope != NULL) {
        energy += ap_dot(paths * paths, slope, f.U);
        ap_axpy(paths * paths, 1.0, slope, f.G);
    }
    ap_gemm('N', 'N', paths, root.columns, paths, 1.0, f.G, paths, root.R, paths, 0.0, f.dR + (root.R - f.R), paths);
    ap_bartlett_backward(grad, f.dR, f.dB, p->net, x, turn, f.B, f.R);
    *psi = 0.5 * energy + ap_bartlett_prior(p->net, x);
    if (!isfinite(*psi)) status = ap_fail(err, AP_ENONFINITE, "the log posterior is not finite");
done:
    work->used = mark;
    return status;
}

static ap_status evaluate(double *psi, double *grad, const void *self, const double *x, ap_work *work, ap_error *err) {
    return differentiate(psi, grad, self, NULL, NULL, NULL, x, work, err);
}

static ap_status evaluate_surrogate(double *psi, double *grad, const void *self, const double *x, ap_work *work,
                                    ap_error *err) {
    const ap_surrogate *g = self;
    return differentiate(psi, grad, &g->few, g->slope, g->turn, NULL, x, work, err);
}

static ap_status evaluate_kept(double *psi, double *grad, const void *self, const double *x, ap_work *work,
                               ap_error *err) {
    const ap_surrogate *g = self;
    return differentiate(psi, grad, &g->whole, NULL, g->turn, g, x, work, err);
}

static ap_status exact(double *psi, const void *self, const double *x, ap_work *work, ap_error *err) {
    const ap_surrogate *g = self;
    const size_t mark = work->used;
    const ap_fit *fit = NULL;
    factors f;
    ap_root root;
    ap_status status = place(&f, &root, &g->whole, g->turn, x, work, err);
    if (status == AP_OK) status = ap_surrogate_energy(&fit, g, x, f.U, &root, work, err);
    if (status == AP_OK) *psi = 0.5 * fit->energy + ap_bartlett_prior(g->whole.net, x);
    work->used = mark;
    return status;
}

static ap_status learn(double *surrogate, const void *self, const double *U, ap_work *work, ap_error *err) {
    return ap_surrogate_learn(surrogate, self, U, work, err);
}

static ap_status turn_rows(double *turn, double *x, const void *self, ap_work *work, ap_error *err) {
    const ap_problem *p = self;
    return ap_bartlett_turn(turn, x, p->net, work, err);
}

static ap_status order_with(double *chain, const ap_problem *p, const double *turn, const double *x, ap_work *work,
                            ap_error *err) {
    const ap_bartlett_sizes size = ap_bartlett_size(p->net);
    const size_t mark = work->used;
    double *B = ap_take(work, size.B), *R = ap_take(work, size.R);
    const ap_status status = R == NULL ? ap_not_taken(work, err, "ap_collapsed") : AP_OK;
    if (status == AP_OK) {
        ap_bartlett_factors(B, R, p->net, x, turn);
        ap_bartlett_chain(chain, R, p->net);
    }
    work->used = mark;
    return status;
}

static ap_status order(double *chain, const void *self, const double *x, ap_work *work, ap_error *err) {
    return order_with(chain, self, NULL, x, work, err);
}

static ap_status order_kept(double *chain, const void *self, const double *x, ap_work *work, ap_error *err) {
    const ap_surrogate *g = self;
    return order_with(chain, &g->whole, g->turn, x, work, err);
}

static void start(double *x, const void *self, ap_rng *rng) {
    const ap_problem *p = self;
    ap_bartlett_start(x, p->net, rng);
}

typedef struct kept {  // what a surrogate knows of x; NULL where there is none
    const ap_fit *fit;
    const double *turn;
} kept;

static ap_status draw_with(double *W, double *weights, const ap_problem *p, kept k, const double *x, const double *U,
                           ap_rng *rng, ap_work *work, ap_error *err) {
    const ap_bartlett_sizes size = ap_bartlett_size(p->net);
    const size_t m = ap_bartlett_rank(p->net, 1), mark = work->used;
    double *B = ap_take(work, size.B), *R = ap_take(work, size.R), *Z = ap_take_matrix(work, p->kernel->features, m);
    ap_status status = Z == NULL ? ap_not_taken(work, err, "ap_collapsed") : AP_OK;
    if (status == AP_OK) ap_bartlett_factors(B, R, p->net, x, k.turn);
    const double *R1 = Z == NULL ? NULL : ap_bartlett_last(R, p->net);
    if (status == AP_OK) status = ap_input_draw(Z, W, p, &(ap_root){.R = R1, .columns = m}, U, k.fit, rng, work, err);
    if (status == AP_OK && weights != NULL)
        status = ap_backsample(weights, p->net, p->kernel->features, x, k.turn, Z, rng, work, err);
    work->used = mark;
    return status;
}

static ap_status draw(double *W, double *weights, const void *self, const double *x, const double *U, ap_rng *rng,
                      ap_work *work, ap_error *err) {
    return draw_with(W, weights, self, (kept){0}, x, U, rng, work, err);
}

static ap_status draw_kept(double *W, double *weights, const void *self, const double *x, const double *U, ap_rng *rng,
                           ap_work *work, ap_error *err) {
    const ap_surrogate *g = self;
    return draw_with(W, weights, &g->whole, (kept){ap_surrogate_fit(g, x), g->turn}, x, U, rng, work, err);
}

static ap_status follow(ap_target *moves, const ap_target *target, const double *surrogate, const double *turn,
                        double *room, ap_error *err) {
    const ap_problem *p = target->self;
    ap_surrogate *g = NULL;
    const ap_status status = ap_surrogate_lay(&g, room, p, target->dim, surrogate, err);
    if (status < 0) return status;
    g->turn = turn;
    *moves = *target;
    moves->self = g;
    moves->order = order_kept;
    moves->evaluate = evaluate_kept;
    moves->draw = draw_kept;
    if (surrogate == NULL) return AP_OK;
    const double ratio = (double)p->kernel->P / surrogate[0];
    moves->evaluate = evaluate_surrogate;
    moves->exact = exact;
    moves->record_cost = ratio * ratio - 1.0;
    return AP_OK;
}

ap_target ap_collapsed_target(const ap_problem *p) {
    const size_t dim = ap_bartlett_dim(p->net), room = ap_surrogate_room(p, dim);
    return (ap_target){.dim = dim,
                       .paths = p->kernel->paths,
                       .chain = ap_params_length(p->net),
                       .metric = dim <= dense_most ? dim : directions,
                       .head_start = true,
                       .self = p,
                       .surrogate = ap_surrogate_state(p),
                       .room = room,
                       .turn = room > 0 && may_turn(p, dim) ? ap_bartlett_turns(p->net) : 0,
                       .turn_rows = turn_rows,
                       .learn = learn,
                       .follow = follow,
                       .evaluate = evaluate,
                       .order = order,
                       .start = start,
                       .draw = draw};
}
