// ap_anneal.c: particles on their way from the prior of the order parameters to their posterior
// SPDX-License-Identifier: BSD-3-Clause
//
// Annealed importance sampling (Neal, Statistics and Computing 11 (2001) 125): at 0 = beta_0 < .. < beta_n = 1 the
// density is prior times exp (-beta E/2), a particle drawn at beta_0 moves at beta_1, .., beta_{n-1} by trajectories
// that leave it invariant, and
//
//   w = exp ( - sum_k (beta_{k+1} - beta_k) E(x_k) / 2 )        has mean   p(y) (2 pi)^{P/2},
//
// whatever the moves, exactly. The coordinates are those of ap_bartlett.c, which hold for N_l < Pi_l as well; the
// target at beta is that of ap_collapsed.c, of which psi - psi_prior = E/2, times beta.
// Here are the moves; levels, steps and weights are made in inst/attnpath_evidence.m.

#include "beyond/ap_beyond.h"

typedef struct tempered {
    ap_target inner;
    const ap_problem *p;
    double beta;
} tempered;

static ap_status evaluate(double *psi, double *grad, const ap_target *target, const double *x, ap_work *work,
                          ap_error *err) {
    const tempered *t = target->self;
    const size_t n = t->inner.dim, mark = work->used;
    double *prior = ap_take(work, n);
    ap_status status = prior == NULL ? ap_not_taken(work, err, "ap_anneal") : AP_OK;
    if (status == AP_OK) status = t->inner.evaluate(psi, grad, &t->inner, x, work, err);
    if (status < 0) goto done;
    *psi = t->beta * *psi + (1.0 - t->beta) * ap_bartlett_prior(prior, t->p->net, x);
    for (size_t i = 0; i < n; i++) grad[i] = t->beta * grad[i] + (1.0 - t->beta) * prior[i];
done:
    work->used = mark;
    return status;
}

size_t ap_anneal_dim(const ap_problem *p) { return ap_bartlett_dim(p->net); }

ap_status ap_anneal_start(double *x, double *half, const ap_anneal *a, size_t count, ap_work *work, ap_error *err) {
    const size_t n = ap_anneal_dim(a->problem), mark = work->used;
    const ap_target inner = ap_collapsed_target(a->problem);
    double psi = 0.0, *grad = ap_take(work, n);
    ap_status status = grad == NULL ? ap_not_taken(work, err, "ap_anneal") : AP_OK;
    for (size_t k = 0; status == AP_OK && k < count; k++) {
        ap_rng rng = ap_rng_start(a->seed, a->stream + k);
        ap_bartlett_start(x + n * k, a->problem->net, &rng);
        status = inner.evaluate(&psi, grad, &inner, x + n * k, work, err);
        if (status == AP_OK) half[k] = psi - ap_bartlett_prior(NULL, a->problem->net, x + n * k);
    }
    work->used = mark;
    return status;
}

// One particle. A step that does not depend on where it is leaves the density invariant; the jitter avoids resonances.
static ap_status move_one(double *half, double *acceptance, ap_place *at, const ap_target *target, const ap_anneal *a,
                          size_t k, ap_work *work, ap_error *err) {
    const tempered *t = target->self;
    const ap_metric metric = {0};
    ap_rng rng = ap_rng_start(a->seed, a->stream + k);
    const ap_move move = {.step = a->step * (0.8 + 0.4 * ap_rng_uniform(&rng)), .steps = a->steps};
    ap_outcome outcome;
    ap_status status = ap_target_evaluate(at, target, &metric, work, err);
    if (status < 0) return status;
    status = ap_trajectory(at, &outcome, target, &metric, &move, &rng, work, err);
    if (status != AP_OK) return status;
    *acceptance = outcome.acceptance;
    *half = (at->psi - ap_bartlett_prior(NULL, t->p->net, at->z)) / t->beta;
    return AP_OK;
}

ap_status ap_anneal_move(double *x, double *half, double *acceptance, const ap_anneal *a, size_t count, ap_work *work,
                         ap_error *err) {
    const size_t n = ap_anneal_dim(a->problem), mark = work->used;
    const tempered self = {.inner = ap_collapsed_target(a->problem), .p = a->problem, .beta = a->beta};
    const ap_kernel *kernel = a->problem->kernel;
    const ap_target target = {.dim = n,
                              .paths = kernel->paths,
                              .stop = kernel->stop,
                              .context = kernel->context,
                              .self = &self,
                              .evaluate = evaluate};
    ap_place at = {.grad = ap_take(work, n)};
    ap_status status = at.grad == NULL ? ap_not_taken(work, err, "ap_anneal") : AP_OK;
    if (!(a->beta > 0.0 && a->beta <= 1.0))
        status = ap_fail(err, AP_EINPUT, "beta is %g, it must be above 0 and at most 1", a->beta);
    for (size_t k = 0; status == AP_OK && k < count; k++) {
        at.z = x + n * k;
        status = move_one(half + k, acceptance + k, &at, &target, a, k, work, err);
    }
    work->used = mark;
    return status;
}
