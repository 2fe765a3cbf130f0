// attnpath_train_mex.c: the next steps of gradient descent
// SPDX-License-Identifier: BSD-3-Clause
//
// [state, loss, status] = attnpath_train_mex (net, settings, state, X, y, rates)
//
// state: single, weights and their two moments a column each, from the call before; [] gives
// the start that belongs to settings.seed, without a step.
// settings: keys (rows of Q and K), decay, seed, done (steps before), basis (single, N0 x r, in which X has its r x T x
// examples coordinates, or []). One step for each of rates, of as many examples
// of X as there are for each; loss is theirs before it. status is 'ok', 'interrupted' or 'notFinite', and the state
// then that before the step that was not taken.
// A batch is cut into parts that run side by side with one BLAS thread each: their derivatives are added up in order,
// so that no result depends on the number of threads.

#include <string.h>

#include "ap_mexutil.h"

static const char stem[] = "train";

enum { parts = 4 };

typedef struct step {
    ap_trainer trainer;
    size_t n, folded, batch, threads, room;
    double decay;
    float *theta, *m, *v;  // the state
    float *phi, *dphi, *u, *du, *seen, *dseen, *grad, *f;
    double *scratch;
} step;

static float *take(size_t count) { return (float *)(void *)ap_mex_work(stem, ap_plus(count, 1) / 2).base; }

static ap_status descend(step *s, const float *X, const float *y, double number, double rate, double *loss,
                         ap_error *err) {
    const ap_trainer *t = &s->trainer;
    const size_t example = t->rank * t->T;
    ap_status status = AP_OK;
    ap_train_unfold(s->phi, s->u, s->seen, t, s->theta);
    memset(s->dphi, 0, parts * s->folded * sizeof *s->dphi);
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->threads) schedule(static)
#endif
    for (size_t k = 0; k < parts; k++) {
        const size_t from = s->batch * k / parts, to = s->batch * (k + 1) / parts;
        ap_work work = {.base = s->scratch + s->room * ap_mex_thread(), .size = s->room, .used = 0};
        ap_error own = {0};
        ap_mex_worst(&status, err,
                     ap_train_pass(s->dphi + s->folded * k, s->f + from, t, s->phi, X + example * from, y + from,
                                   to - from, 1.0f / (float)s->batch, &work, &own),
                     &own);
    }
    if (status < 0) return status;
    for (size_t k = 1; k < parts; k++)
        for (size_t i = 0; i < s->folded; i++) s->dphi[i] += s->dphi[i + s->folded * k];
    *loss = 0.0;
    for (size_t p = 0; p < s->batch; p++) *loss += (double)((s->f[p] - y[p]) * (s->f[p] - y[p])) / (double)s->batch;
    ap_train_fold(s->grad, s->du, s->dseen, t, s->theta, s->u, s->seen, s->dphi);
    ap_train_adam(s->theta, s->m, s->v, s->n, s->grad, number, rate, s->decay);
    return AP_OK;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 6 && nlhs <= 3,
                 "[state, loss, status] = attnpath_train_mex (net, settings, state, X, y, rates)");
    size_t N0, tokens[3] = {0, 0, 0}, rates[2] = {1, 0};
    const ap_net net = ap_mex_net(stem, prhs[0], &N0);
    const float *X = ap_mex_single(stem, "X", prhs[3], 3, tokens);
    const mxArray *set = prhs[1];
    const double *rate = ap_mex_array(stem, "rates", prhs[5], 2, rates);
    const size_t keys = ap_mex_count(stem, "settings.keys", ap_mex_field(stem, "settings", set, "keys"), 1, SIZE_MAX);
    const size_t seed = ap_mex_seed(stem, "settings.seed", ap_mex_field(stem, "settings", set, "seed"));
    const size_t done = ap_mex_count(stem, "settings.done", ap_mex_field(stem, "settings", set, "done"), 0, SIZE_MAX);
    step s = {.trainer = {.net = &net, .N0 = tokens[0], .T = tokens[1], .G = keys, .rank = tokens[0]},
              .batch = tokens[2] / rates[1]};
    const mxArray *basis = ap_mex_field(stem, "settings", set, "basis");
    if (!(mxIsDouble(basis) && mxIsEmpty(basis))) {
        size_t size[2] = {0, tokens[0]};
        s.trainer.basis = ap_mex_single(stem, "settings.basis", basis, 2, size);
        s.trainer.N0 = size[0];
    }
    s.decay = ap_mex_number(stem, "settings.decay", ap_mex_field(stem, "settings", set, "decay"), 0, 1e30);
    if (s.batch == 0 || s.batch * rates[1] != tokens[2])
        ap_mex_fail(stem, "badShape", "%lu examples cannot be %lu batches", (unsigned long)tokens[2],
                    (unsigned long)rates[1]);
    const float *y = ap_mex_single(stem, "y", prhs[4], 2, (size_t[]){tokens[2], 1});
    ap_error err = {0};
    ap_mex_check(stem, ap_train_check(&s.trainer, &err), &err);

    s.n = ap_train_parameters(&s.trainer);
    s.folded = ap_train_folded(&s.trainer);
    s.threads = ap_mex_threads(parts);
    s.room = ap_plus(ap_train_worksize(&s.trainer), 7) / 8 * 8;
    s.theta = ap_mex_put_single(stem, &plhs[0], 2, (size_t[]){s.n, 3});
    s.m = s.theta + s.n;
    s.v = s.m + s.n;
    if (mxIsDouble(prhs[2]) && mxIsEmpty(prhs[2]))
        ap_train_start(s.theta, &s.trainer, seed);
    else
        memcpy(s.theta, ap_mex_single(stem, "state", prhs[2], 2, (size_t[]){s.n, 3}), 3 * s.n * sizeof *s.theta);
    mxArray *losses;
    double *loss = ap_mex_put(stem, &losses, 2, (size_t[]){1, rates[1]});
    s.phi = take(s.folded);
    s.dphi = take(ap_times(parts, s.folded));
    s.u = take(ap_train_partial(&s.trainer));
    s.du = take(ap_train_partial(&s.trainer));
    s.seen = take(ap_train_seen(&s.trainer));
    s.dseen = take(ap_train_seen(&s.trainer));
    s.grad = take(s.n);
    s.f = take(s.batch);
    s.scratch = ap_mex_work(stem, ap_times(s.threads, s.room)).base;

    ap_status status = AP_OK;
    size_t k = 0;
    const size_t steps = mxIsDouble(prhs[2]) && mxIsEmpty(prhs[2]) ? 0 : rates[1];
    const int before = ap_mex_blas_threads(1);
    for (; k < steps && status == AP_OK; k++) {
        if (ap_mex_interrupted()) {
            status = AP_INTERRUPTED;
            break;
        }
        const size_t first = s.batch * k;
        status =
            descend(&s, X + tokens[0] * tokens[1] * first, y + first, (double)(done + k + 1), rate[k], &loss[k], &err);
        if (status < 0) break;
    }
    (void)ap_mex_blas_threads(before);
    if (status != AP_ENONFINITE) ap_mex_check(stem, status, &err);
    if (status == AP_INTERRUPTED) ap_mex_forget_interrupt();
    mxSetN(losses, (mwSize)k);
    if (nlhs > 1) plhs[1] = losses;
    if (nlhs > 2) plhs[2] = mxCreateString(ap_status_name(status));
}
