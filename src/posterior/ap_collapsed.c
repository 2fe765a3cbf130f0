// ap_collapsed.c: the exact posterior of the order parameters of a finite network
// SPDX-License-Identifier: BSD-3-Clause
//
// The unknowns are the coordinates of the Bartlett factors (T14, ap_bartlett.c), whose prior is a chain of Wishart
// matrices (T11). The labels add E(U_1)/2 (T12), U_1 = R_1 R_1'. With G = dE/dU_1 the derivative of E/2 by R_1 is
// G R_1, and it is carried up the same chain. Given a draw, the input weights are drawn exactly by ap_input_weights.c,
// and all other weights by ap_backsample.c.
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
static ap_status place(factors *f, ap_root *root, const ap_target *t, const double *x, ap_work *work, ap_error *err) {
    const ap_problem *p = t->self;
    const ap_status status = take_chain_factors(f, p, work, err);
    *root = (ap_root){.columns = ap_bartlett_rank(p->net, 1)};
    if (status < 0) return status;
    ap_bartlett_factors(f->B, f->R, p->net, x, t->rows);
    ap_bartlett_order(f->U, f->R, p->net);
    root->R = ap_bartlett_last(f->R, p->net);
    return AP_OK;
}

// The surrogate whose few examples move the chain, or NULL: all do.
static const ap_surrogate *few_of(const ap_target *t) {
    return t->follows != NULL && t->follows->few.kernel != NULL ? t->follows : NULL;
}

// The energy E of (T7), and G = dE/dU_1, of all examples in a fit that is kept, or of the few, with their linear term.
static ap_status energy_gradient(double *energy, double *G, const ap_target *t, const double *x, const double *U,
                                 const ap_root *root, ap_work *work, ap_error *err) {
    const ap_problem *p = t->self;
    const ap_surrogate *g = few_of(t);
    const ap_fit *fit = NULL;
    if (t->follows == NULL) return ap_energy_gradient(energy, G, p, U, root, work, err);
    if (g != NULL) {
        const size_t cells = p->kernel->paths * p->kernel->paths;
        const ap_status status = ap_energy_gradient(energy, G, &g->few, U, root, work, err);
        if (status < 0) return status;
        *energy += ap_dot(cells, g->slope, U);
        ap_axpy(cells, 1.0, g->slope, G);
        return AP_OK;
    }
    ap_status status = ap_surrogate_energy(&fit, t->follows, x, U, root, work, err);
    if (status == AP_OK) status = ap_fit_gradient(G, fit, p, work, err);
    if (status == AP_OK) *energy = fit->energy;
    return status;
}

static ap_status evaluate(double *psi, double *grad, const ap_target *t, const double *x, ap_work *work,
                          ap_error *err) {
    const ap_net *net = ((const ap_problem *)t->self)->net;
    const size_t paths = t->paths, mark = work->used;
    double energy = 0.0;
    factors f;
    ap_root root;
    ap_status status = place(&f, &root, t, x, work, err);
    if (status == AP_OK) status = energy_gradient(&energy, f.G, t, x, f.U, &root, work, err);
    if (status < 0) goto done;
    ap_gemm('N', 'N', paths, root.columns, paths, 1.0, f.G, paths, root.R, paths, 0.0, f.dR + (root.R - f.R), paths);
    ap_bartlett_backward(grad, f.dR, f.dB, net, x, t->rows, f.B, f.R);
    *psi = 0.5 * energy + ap_bartlett_prior(NULL, net, x);
    if (!isfinite(*psi)) status = ap_fail(err, AP_ENONFINITE, "the log posterior is not finite");
done:
    work->used = mark;
    return status;
}

static ap_status exact(double *psi, const ap_target *t, const double *x, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    const ap_fit *fit = NULL;
    factors f;
    ap_root root;
    ap_status status = place(&f, &root, t, x, work, err);
    if (status == AP_OK) status = ap_surrogate_energy(&fit, t->follows, x, f.U, &root, work, err);
    if (status == AP_OK) *psi = 0.5 * fit->energy + ap_bartlett_prior(NULL, t->follows->whole.net, x);
    work->used = mark;
    return status;
}

static ap_status learn(double *surrogate, const ap_target *t, const double *U, ap_work *work, ap_error *err) {
    return ap_surrogate_learn(surrogate, t->self, U, work, err);
}

static ap_status turn_rows(double *turn, double *x, const ap_target *t, ap_work *work, ap_error *err) {
    return ap_bartlett_turn(turn, x, ((const ap_problem *)t->self)->net, work, err);
}

static ap_status order(double *chain, const ap_target *t, const double *x, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    factors f;
    ap_root root;
    const ap_status status = place(&f, &root, t, x, work, err);
    if (status == AP_OK) ap_bartlett_chain(chain, f.R, ((const ap_problem *)t->self)->net);
    work->used = mark;
    return status;
}

static void start(double *x, const ap_target *t, ap_rng *rng) {
    ap_bartlett_start(x, ((const ap_problem *)t->self)->net, rng);
}

static ap_status draw(double *W, double *weights, const ap_target *t, const double *x, const double *U, ap_rng *rng,
                      ap_work *work, ap_error *err) {
    const ap_problem *p = t->self;
    const ap_fit *known = t->follows == NULL ? NULL : ap_surrogate_fit(t->follows, x);
    const size_t mark = work->used;
    factors f;
    ap_root root;
    ap_status status = place(&f, &root, t, x, work, err);
    double *Z = ap_take_matrix(work, p->kernel->features, root.columns);
    if (status == AP_OK && Z == NULL) status = ap_not_taken(work, err, "ap_collapsed");
    if (status == AP_OK) status = ap_input_draw(Z, W, p, &root, U, known, rng, work, err);
    if (status == AP_OK && weights != NULL)
        status = ap_backsample(weights, p->net, p->kernel->features, x, t->rows, Z, rng, work, err);
    work->used = mark;
    return status;
}

static ap_status follow(ap_target *moves, const ap_target *target, const double *surrogate, const double *turn,
                        double *room, ap_error *err) {
    const ap_problem *p = target->self;
    ap_surrogate *g = NULL;
    const ap_status status = ap_surrogate_lay(&g, room, p, target->dim, surrogate, err);
    if (status < 0) return status;
    *moves = *target;
    moves->follows = g;
    moves->rows = turn;
    if (surrogate == NULL) return AP_OK;
    const double ratio = (double)p->kernel->P / surrogate[0];
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
