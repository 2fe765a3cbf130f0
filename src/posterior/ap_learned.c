// ap_learned.c: the exact posterior of heads and order parameters
// SPDX-License-Identifier: BSD-3-Clause
//
// The heads' matrices have independent normal priors, and values are integrated out as before (section 20):
//
//   p (W, U | y) ~ exp (-E(U_1; Xi (W)) / 2) x the chain of Wisharts (T11) x prod N (W_ij; 0, s^2)                (T39)
//
// The unknowns are the Bartlett coordinates of ap_collapsed.c, then the entries of all heads over their prior standard
// deviation, in the order of ap_backward. Each evaluation makes the path inputs anew and stores no kernel. From one
// inverse of A come dE/dxi and dE/dU_1 (ap_slope.c); the first goes back through the maps (ap_backward.c), the second
// through the chain (ap_bartlett.c).
// At the GP limit U is fixed, and the heads are all unknowns. Several outputs are independent there, given the heads,
// and share U exactly: E is then C times that of ap_energy.c.
// The metric is dense along the Bartlett coordinates; each entry of a head has a scale. There is no warm start: the
// mode over heads is where they memorise, and it has no posterior mass worth mention.
// Cost: ap_paths, ap_backward, ap_energy, ap_slope.

#include "posterior/ap_posterior.h"

#include <math.h>

static const size_t most_kept = (size_t)1 << 24;  // doubles of maps and vectors, for the way back
static const size_t words = (sizeof(ap_heads) + sizeof(double) - 1) / sizeof(double);

static size_t entries(const ap_learned *q) { return ap_backward_parameters(q->net, q->x.N0) - 2; }

static size_t above(const ap_learned *q) { return q->gp ? 0 : ap_bartlett_dim(q->problem.net); }

static size_t layer_entries(const ap_learned *q, size_t l) {  // of Q or K, or of W
    const ap_heads *h = &q->net->heads[l];
    return (h->W != NULL ? q->x.N0 : h->G) * q->x.N0 * q->net->H[l];
}

static double prior_sd(const ap_learned *q, size_t l) { return q->net->heads[l].W != NULL ? q->scale : sqrt(q->scale); }

static size_t matrices(const ap_learned *q, size_t l) { return q->net->heads[l].W != NULL ? 1 : 2; }

static void scale_heads(double *y, const double *x, const ap_learned *q) {  // y := s x
    for (size_t l = 0; l < q->net->L; l++)
        for (size_t i = 0; i < matrices(q, l) * layer_entries(q, l); i++) *y++ = prior_sd(q, l) * *x++;
}

static void own_heads(double *x, const ap_learned *q) {  // x := those of the network, over s
    for (size_t l = 0; l < q->net->L; l++) {
        const ap_heads *h = &q->net->heads[l];
        const double *own[2] = {h->W != NULL ? h->W : h->Q, h->K};
        for (size_t part = 0; part < matrices(q, l); part++)
            for (size_t i = 0; i < layer_entries(q, l); i++) *x++ = own[part][i] / prior_sd(q, l);
    }
}

void ap_learned_heads(double *heads, const ap_learned *q, const double *x) { scale_heads(heads, x + above(q), q); }

// The network with these heads, in memory from ap_take.
static ap_net with_heads(double *room, const ap_learned *q, const double *heads) {
    ap_heads *list = (ap_heads *)(void *)room;
    ap_net net = *q->net;
    for (size_t l = 0; l < net.L; l++) {
        const size_t n = layer_entries(q, l);
        list[l] = net.heads[l];
        if (list[l].W != NULL) {
            list[l].W = heads;
        } else {
            list[l].Q = heads;
            list[l].K = heads += n;
        }
        heads += n;
    }
    net.heads = list;
    return net;
}

static ap_status inputs_of(ap_inputs *inputs, double *kept, const ap_net *net, const ap_tokens *x, ap_work *work,
                           ap_error *err) {
    const size_t count = ap_paths_count(net, x);
    double *Xi = ap_take_matrix(work, ap_times(x->N0, count), ap_net_paths(net, 1));
    if (Xi == NULL) return ap_not_taken(work, err, "ap_learned");
    *inputs = (ap_inputs){.N0 = x->N0, .P = count, .Xi = Xi};
    return ap_paths_keep(Xi, kept, net, x, NULL, NULL, work, err);
}

ap_status ap_learned_inputs(ap_inputs *inputs, const ap_learned *q, const double *heads, const ap_tokens *x,
                            ap_work *work, ap_error *err) {
    double *room = ap_take(work, ap_times(words, q->net->L));
    if (room == NULL) return ap_not_taken(work, err, "ap_learned");
    const ap_net net = with_heads(room, q, heads);
    return inputs_of(inputs, NULL, &net, x, work, err);
}

// to [n x examples x Pi] := the columns of from [n x count x Pi] that are examples, in units of their noise; back: the
// other way, with 0 for the others.
static void select(double *to, const double *from, const ap_learned *q, size_t count, bool back) {
    const size_t n = q->x.N0, paths = ap_net_paths(q->net, 1);
    for (size_t a = 0; a < paths; a++)
        for (size_t mu = 0; mu < count; mu++) {
            const double weight = q->weight == NULL ? 1.0 : q->weight[mu];
            for (size_t i = 0; i < n; i++) {
                if (back)
                    *to++ = weight == 0.0 ? 0.0 : weight * *from++;
                else if (weight == 0.0)
                    from++;
                else
                    *to++ = weight * *from++;
            }
        }
}

typedef struct place {  // at x
    ap_net net;         // with the heads that x is
    double *kept;       // of ap_paths_keep, or NULL
    size_t count;       // path inputs of the training tokens
    ap_kernel kernel;
    ap_problem problem;
    double *B, *R, *dR, *dB, *U;  // as in ap_collapsed.c
    ap_root root;
} place;

static ap_status order_at(place *at, const ap_learned *q, const double *x, ap_work *work, ap_error *err) {
    const ap_net *net = q->problem.net;
    const size_t paths = q->problem.kernel->paths, square = ap_times(paths, paths);
    const ap_bartlett_sizes size = q->gp ? (ap_bartlett_sizes){0, square, 0} : ap_bartlett_size(net);
    at->B = ap_take(work, size.B);
    AP_TAKE_EACH(work, size.R, &at->R, &at->dR);
    at->dB = ap_take(work, size.largest);
    at->U = ap_take(work, q->gp ? ap_params_length(net) : square);
    if (at->U == NULL) return ap_not_taken(work, err, "ap_learned");
    if (q->gp) {
        ap_params_gp(at->U, net);
        for (size_t i = 0; i < square; i++) at->R[i] = sqrt(at->U[i]);  // it is diagonal
        at->root = (ap_root){.R = at->R, .columns = paths};
    } else {
        ap_bartlett_factors(at->B, at->R, net, x, NULL);
        ap_bartlett_order(at->U, at->R, net);
        at->root = (ap_root){.R = ap_bartlett_last(at->R, net), .columns = ap_bartlett_rank(net, 1)};
    }
    return AP_OK;
}

// What passes through the maps leave, where it is not too much.
static size_t kept(const ap_learned *q) {
    const size_t size = ap_paths_kept(q->net, &q->x);
    return size <= most_kept ? size : 0;
}

static ap_status take(place *at, const ap_learned *q, const double *x, bool keep, ap_work *work, ap_error *err) {
    const ap_kernel *plan = q->problem.kernel;
    const size_t size = keep ? kept(q) : 0;
    ap_inputs inputs = {0};
    double *heads = ap_take(work, entries(q)), *room = ap_take(work, words * q->net->L), *memory = ap_take(work, size);
    double *Xi = ap_take_matrix(work, ap_times(plan->N0, plan->examples), plan->inputs);
    if (Xi == NULL) return ap_not_taken(work, err, "ap_learned");
    ap_learned_heads(heads, q, x);
    at->net = with_heads(room, q, heads);
    at->kept = size > 0 ? memory : NULL;
    ap_status status = inputs_of(&inputs, at->kept, &at->net, &q->x, work, err);
    if (status < 0) return status;
    at->count = inputs.P;
    select(Xi, inputs.Xi, q, inputs.P, false);
    at->kernel = *plan;
    at->kernel.Xi = Xi;
    at->problem = q->problem;
    at->problem.kernel = &at->kernel;
    return order_at(at, q, x, work, err);
}

// energy := E, D [N0 x examples x Pi] := dE/dxi, and at->dR of U_1's factor := dE/dR over 2, or not at the GP limit
static ap_status slopes(double *energy, double *D, const place *at, const ap_learned *q, ap_work *work, ap_error *err) {
    const ap_kernel *k = &at->kernel;
    const ap_root *r = &at->root;
    const size_t paths = k->paths;
    double *dR = q->gp ? NULL : at->dR + (r->R - at->R);
    ap_fit fit;
    if (ap_dual_pays(&at->problem, r)) {
        const ap_status status = ap_dual_energy(energy, D, dR, &at->problem, r, work, err);
        for (size_t i = 0; dR != NULL && i < paths * r->columns; i++) dR[i] *= 0.5;
        return status;
    }
    double *M = ap_take_matrix(work, k->P, k->P), *G = ap_take_matrix(work, paths, paths);
    ap_status status = G == NULL ? ap_not_taken(work, err, "ap_learned") : ap_fit_take(&fit, &at->problem, work, err);
    if (status == AP_OK) status = ap_energy(&fit, &at->problem, at->U, r, work, err);
    if (status == AP_OK) status = ap_fit_residual(M, &fit, &at->problem, err);
    if (status == AP_OK) status = ap_kernel_slope(D, q->gp ? NULL : G, k, at->U, M, work, err);
    if (status < 0) return status;
    *energy = fit.energy;
    if (!q->gp) ap_gemm('N', 'N', paths, r->columns, paths, 1.0, G, paths, r->R, paths, 0.0, dR, paths);
    return AP_OK;
}

static ap_status evaluate(double *psi, double *grad, const ap_target *t, const double *x, ap_work *work,
                          ap_error *err) {
    const ap_learned *q = t->self;
    const size_t n = entries(q), first = above(q), mark = work->used;
    const double share = 0.5 * (double)ap_problem_columns(&q->problem);
    double *theta = ap_take(work, n + 2), energy;
    place at = {0};
    ap_status status = theta == NULL ? ap_not_taken(work, err, "ap_learned") : take(&at, q, x, true, work, err);
    const ap_kernel *k = &at.kernel;
    double *D = ap_take_matrix(work, ap_times(k->N0, k->examples), k->inputs);
    double *all = ap_take_matrix(work, ap_times(k->N0, at.count), k->inputs);
    if (status == AP_OK && all == NULL) status = ap_not_taken(work, err, "ap_learned");
    if (status == AP_OK) status = slopes(&energy, D, &at, q, work, err);
    if (status != AP_OK) goto done;
    select(all, D, q, at.count, true);
    status = ap_backward_heads(theta, all, at.kept, &at.net, &q->x, work, err);
    if (status != AP_OK) goto done;
    scale_heads(grad + first, theta, q);
    for (size_t i = 0; i < n; i++) grad[first + i] *= share;
    *psi = share * energy;
    if (!q->gp) {
        ap_bartlett_backward(grad, at.dR, at.dB, q->problem.net, x, NULL, at.B, at.R);
        *psi += ap_bartlett_prior(NULL, q->problem.net, x);
    }
    if (!isfinite(*psi)) status = ap_fail(err, AP_ENONFINITE, "the log posterior is not finite");
done:
    work->used = mark;
    return status;
}

static ap_status order(double *chain, const ap_target *t, const double *x, ap_work *work, ap_error *err) {
    const ap_learned *q = t->self;
    const size_t mark = work->used;
    place at = {0};
    if (q->gp) ap_params_gp(chain, q->problem.net);
    const ap_status status = q->gp ? AP_OK : order_at(&at, q, x, work, err);
    if (status == AP_OK && !q->gp) ap_bartlett_chain(chain, at.R, q->problem.net);
    work->used = mark;
    return status;
}

static void start(double *x, const ap_target *t, ap_rng *rng) {
    const ap_learned *q = t->self;
    if (!q->gp) ap_bartlett_start(x, q->problem.net, rng);
    if (q->given)
        own_heads(x + above(q), q);
    else
        ap_rng_normals(x + above(q), entries(q), rng);
}

// Of outputs that share U one column of labels after the other, with one fit.
static ap_status draw(double *W, double *weights, const ap_target *t, const double *x, const double *U, ap_rng *rng,
                      ap_work *work, ap_error *err) {
    const ap_learned *q = t->self;
    const ap_kernel *k = q->problem.kernel;
    const size_t m = ap_problem_columns(&q->problem), mark = work->used;
    place at = {0};
    ap_fit fit;
    ap_status status = take(&at, q, x, false, work, err);
    at.problem.label_columns = 0;
    if (status == AP_OK) status = ap_fit_take(&fit, &at.problem, work, err);
    if (status == AP_OK) status = ap_fit_make(&fit, &at.problem, U, &at.root, work, err);
    double *Z = ap_take_matrix(work, k->features, at.root.columns);
    if (status == AP_OK && Z == NULL) status = ap_not_taken(work, err, "ap_learned");
    for (size_t c = 0; status == AP_OK && c < m; c++) {
        at.problem.y = q->problem.y + k->P * c;
        status = ap_input_draw(Z, W + k->features * k->paths * c, &at.problem, &at.root, U, &fit, rng, work, err);
    }
    if (status == AP_OK && weights != NULL)
        status = ap_backsample(weights, q->problem.net, k->features, x, NULL, Z, rng, work, err);
    work->used = mark;
    return status;
}

size_t ap_learned_size(const ap_learned *q) {
    const ap_kernel *k = q->problem.kernel;
    const size_t cells = ap_times(ap_times(k->N0, ap_paths_count(q->net, &q->x)), k->inputs);
    const size_t numbers = ap_plus(ap_times(3, entries(q)), kept(q));
    return ap_plus(ap_plus(ap_times(6, cells), numbers), ap_times(2, ap_times(k->P, k->P)));
}

ap_target ap_learned_target(const ap_learned *q) {
    return (ap_target){.dim = ap_plus(above(q), entries(q)),
                       .paths = q->problem.kernel->paths,
                       .chain = ap_params_length(q->problem.net),
                       .metric = above(q),
                       .each = true,
                       .self = q,
                       .evaluate = evaluate,
                       .order = order,
                       .start = start,
                       .draw = draw};
}
