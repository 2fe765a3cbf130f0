// attnpath_loo_mex.c: mean and variance of each example's output, left out of the training set (T23), (T24)
// SPDX-License-Identifier: BSD-3-Clause
//
// [mu, s2] = attnpath_loo_mex (net, data, U, display)
// [mu, s2] = attnpath_loo_mex (net, data, order, display)
//
// U, Pi x Pi: at this order parameter, which has seen all examples (T23). order, a cell {U_1, .., U_L}: at what the
// order parameters would be without the example (T24). The examples of data must be those themselves: not reduced.
// For C outputs mu is P x C and s2 C x C x P, or P x 1 where data says that they share one U. With display = 1 it says
// now and then how long it has been at work.

#include "ap_mexutil.h"

static const char stem[] = "loo";

static bool watch(void *context) {
    ap_mex_pace *pace = context;
    if (ap_mex_due(pace)) ap_mex_print("attnpath_loo: at work for %.0f s\n", pace->passed);
    return ap_mex_interrupted();
}

static void fixed(double *mu, double *s2, const ap_problem *problem, const mxArray *U) {
    const double *given = ap_mex_semidefinite(stem, "U", U, problem->kernel->paths);
    ap_work *work = ap_mex_work(stem, ap_action_size(problem));
    ap_error err = {0};
    AP_MEX_SUITED(stem, ap_mex_flops(problem->kernel, 0), &err, ap_loo_fixed(mu, s2, problem, given, work, &err));
}

static void corrected(double *mu, double *s2, const ap_problem *problem, double gradrel, const mxArray *order) {
    ap_work *work = ap_mex_work(stem, ap_loo_size(problem));
    ap_point point;
    ap_error err = {0};
    ap_mex_point(stem, &point, problem, gradrel, order, work);
    AP_MEX_SUITED(stem, ap_mex_flops(problem->kernel, ap_expand_unknowns(problem)), &err,
                  ap_loo_corrected(mu, s2, problem, &point, work, &err));
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 4 && nlhs <= 2, "[mu, s2] = attnpath_loo_mex (net, data, U or order, display)");
    const ap_mex_training t = ap_mex_training_set(stem, prhs[0], prhs[1]);
    ap_kernel kernel;
    const ap_problem problem = ap_mex_problem(stem, &t, &kernel, 0.0);
    ap_mex_pace pace = ap_mex_pace_begin();
    if (ap_mex_count(stem, "display", prhs[3], 0, 1) == 1) {
        kernel.stop = watch;
        kernel.context = &pace;
    }
    mxArray *spread;
    const size_t C = t.outputs, P = t.x.P;
    const bool blocks = C > 1 && !t.shared;
    double *mu = ap_mex_put(stem, &plhs[0], 2, (size_t[]){P, C});
    double *s2 = ap_mex_put(stem, &spread, blocks ? 3 : 2, blocks ? (size_t[]){C, C, P} : (size_t[]){P, 1, 1});
    if (mxIsCell(prhs[2]))
        corrected(mu, s2, &problem, t.gradrel, prhs[2]);
    else
        fixed(mu, s2, &problem, prhs[2]);
    ap_mex_finite(stem, "the mean", plhs[0]);
    ap_mex_finite(stem, "the variance", spread);
    if (nlhs > 1) plhs[1] = spread;
}
