// attnpath_evidence_mex.c: the evidence of a solution (T25), and the moves of annealed importance sampling
// SPDX-License-Identifier: BSD-3-Clause
//
// logp = attnpath_evidence_mex (net, data, order, [], display)
// [logp, se] = attnpath_evidence_mex (net, data, order, random, display)
// [x, half, acceptance] = attnpath_evidence_mex (net, data, x, move)
//
// random: struct of probes and seed; the determinant comes from random probes, and se is its standard error.
// x, dim x count: particles, moved by one trajectory each; [] draws move.count of them from the prior. half, 1 x count:
// their E/2. acceptance: of the moves, 1 for draws.

#include <math.h>
#include <string.h>

#include "ap_mexutil.h"
#include "attnpath_beyond.h"

static void laplace(double *logp, double *se, ap_mex_training *t, const mxArray *order, const mxArray *random) {
    const ap_problem *p = &t->problem;
    const bool dense = ap_mex_absent(random);
    ap_work *work = ap_mex_work(dense ? ap_hessian_size(p) : ap_action_size(p));
    const ap_point point = ap_mex_point(t, order, work);
    if (dense) {
        ap_mex_threads(0, ap_mex_flops(&t->kernel, ap_expand_unknowns(p)));
        ap_mex_check(ap_evidence_laplace(logp, p, &point, work, &ap_mex_err));
    } else {
        const size_t probes = ap_mex_count(AP_MEX_FIELD("random.probes", random), 2, 1000000);
        const uint64_t seed = ap_mex_count(AP_MEX_FIELD("random.seed", random), 0, AP_MEX_SEED);
        ap_mex_threads(0, ap_mex_flops(&t->kernel, 0));
        ap_mex_check(ap_evidence_many(logp, se, p, &point, probes, seed, work, &ap_mex_err));
    }
}

static void anneal(mxArray *out[3], const ap_mex_training *t, const mxArray *x, const mxArray *arg) {
    const ap_anneal a = {.problem = &t->problem,
                         .beta = ap_mex_number(AP_MEX_FIELD("move.beta", arg), 0, 1),
                         .step = ap_mex_number(AP_MEX_FIELD("move.step", arg), 1e-300, 1e300),
                         .steps = ap_mex_count(AP_MEX_FIELD("move.steps", arg), 1, 1000000),
                         .seed = ap_mex_count(AP_MEX_FIELD("move.seed", arg), 0, AP_MEX_SEED),
                         .stream = ap_mex_count(AP_MEX_FIELD("move.stream", arg), 0, AP_MEX_EXACT)};
    const bool fresh = ap_mex_absent(x);
    size_t size[2] = {ap_anneal_dim(&t->problem), 0};
    const double *from = fresh ? NULL : ap_mex_array("x", x, 2, size);
    if (fresh) size[1] = ap_mex_count(AP_MEX_FIELD("move.count", arg), 1, 10000000);
    double *to = ap_mex_put(&out[0], 2, size), *half = ap_mex_put(&out[1], 2, (size_t[]){1, size[1]});
    double *acceptance = ap_mex_put(&out[2], 2, (size_t[]){1, size[1]});
    ap_work *work = ap_mex_work(ap_action_size(&t->problem));
    if (!fresh) memcpy(to, from, size[0] * size[1] * sizeof *to);
    for (size_t k = 0; fresh && k < size[1]; k++) acceptance[k] = 1.0;
    ap_mex_threads(0, ap_mex_flops(&t->kernel, 0));
    ap_mex_check(fresh ? ap_anneal_start(to, half, &a, size[1], work, &ap_mex_err)
                       : ap_anneal_move(to, half, acceptance, &a, size[1], work, &ap_mex_err));
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    const bool expands = nrhs == 5 && mxIsCell(prhs[2]);
    ap_mex_usage("evidence", (expands && nlhs <= 2) || (nrhs == 4 && !mxIsCell(prhs[2]) && nlhs <= 3),
                 "[logp, se] = attnpath_evidence_mex (net, data, order, [] or random, display), "
                 "[x, half, acceptance] = attnpath_evidence_mex (net, data, x, move)");
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    mxArray *out[3];
    if (t->shared) ap_mex_fail("badValue", "outputs that share one U are an approximation, without an evidence");
    if (expands) {
        double logp = NAN, se = NAN;
        t->kernel.stop = ap_mex_watch;
        if (ap_mex_flag("display", prhs[4])) t->progress.name = "evidence";
        laplace(&logp, &se, t, prhs[2], prhs[3]);
        out[0] = mxCreateDoubleScalar(logp);
        out[1] = mxCreateDoubleScalar(se);
    } else {
        anneal(out, t, prhs[2], prhs[3]);
    }
    ap_mex_give(plhs, nlhs, out);
}
