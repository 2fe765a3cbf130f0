// attnpath_draws_mex.c: mean and variance of the predictor over draws of the order parameter
// SPDX-License-Identifier: BSD-3-Clause
//
// [W, pace] = attnpath_draws_mex (net, data, U, [], examples, pace)
// [mu, s2, pace] = attnpath_draws_mex (net, data, U, Xi2, examples, pace)
//
// U: Pi x Pi x draws. W: N0 x C x Pi effective weights, the mean of f being sum_a Xi2(:,mu,a)' W(:,c,a). mu is P2 x C
// and s2 C x C x P2, also where outputs share U. examples: [] for no progress, or [first last all], of which Xi2 are
// the first to the last. pace: of progress, from the call before, or [].

#include <stdio.h>

#include "ap_mexutil.h"

static void read_progress(ap_mex_progress *p, const mxArray *examples, const mxArray *pace) {
    size_t three[] = {1, 3};
    if (!ap_mex_absent(examples)) {
        const double *of = ap_mex_array("examples", examples, 2, three);
        p->name = "predict";
        if (of[1] < of[2] || of[0] > 1.0)
            (void)snprintf(p->part, sizeof p->part, ", examples %.0f to %.0f of %.0f", of[0], of[1], of[2]);
    }
    if (!ap_mex_absent(pace)) {
        const double *known = ap_mex_array("pace", pace, 2, three);
        p->seen = (time_t)known[0];
        p->passed = p->before = known[1];
        p->next = known[2];
    }
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    const bool spread = nrhs == 6 && !ap_mex_absent(prhs[3]);
    ap_mex_usage("predict", nrhs == 6 && nlhs <= 2 + spread,
                 "[W, pace] = attnpath_draws_mex (net, data, U, [], examples, pace), or [mu, s2, pace] = .. with Xi2");
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    const ap_problem *p = &t->problem;
    size_t size[] = {t->kernel.paths, t->kernel.paths, 0};
    const double *U = ap_mex_array("U", prhs[2], 3, size);
    const ap_many draws = {.U = U, .count = size[2], .monitor = ap_mex_draws_done, .context = &t->progress};
    t->progress.draws = draws.count;
    ap_inputs x2 = {0};
    if (spread) x2 = ap_mex_inputs("Xi2", prhs[3], &t->net, t->x.features);
    read_progress(&t->progress, prhs[4], prhs[5]);
    const size_t C = ap_problem_outputs(p);
    ap_work *work = ap_mex_work(ap_fit_size(p));
    ap_mex_explain(t, work);
    mxArray *out[3] = {NULL, NULL, NULL};
    double *mu = spread ? ap_mex_put(&out[0], 2, (size_t[]){x2.P, C})
                        : ap_mex_put(&out[0], 3, (size_t[]){t->x.features, C, t->kernel.inputs});
    double *s2 = spread ? ap_mex_put(&out[1], 3, (size_t[]){C, C, x2.P}) : NULL;
    ap_mex_threads(1, 0.0);  // the team has the threads
    ap_mex_check(spread ? ap_draws_predict(mu, s2, p, &draws, &x2, ap_mex_team(), work, &ap_mex_err)
                        : ap_draws_weights(mu, p, &draws, ap_mex_team(), work, &ap_mex_err));
    ap_mex_finite("the mean", out[0]);
    if (spread) ap_mex_finite("the variance", out[1]);
    double *pace = ap_mex_put(&out[1 + spread], 2, (size_t[]){1, 3});
    pace[0] = (double)t->progress.seen;
    pace[1] = t->progress.passed;
    pace[2] = t->progress.next;
    ap_mex_give(plhs, nlhs, out);
}
