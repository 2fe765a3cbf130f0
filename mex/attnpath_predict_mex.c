// attnpath_predict_mex.c: predictor mean and variance (T10)
// SPDX-License-Identifier: BSD-3-Clause
//
// fit = attnpath_predict_mex (net, data, U)
// [mu, s2] = attnpath_predict_mex (net, data, U, Xi2, fit)
//
// For C outputs U is Pi C x Pi C, or Pi x Pi if, by data, they share one. mu is P2 x C, and s2 is C x C x P2,
// or P2 x 1 where outputs share U.
//
// fit is what the training set alone decides: it serves any number of calls with the same net, data and U. It is
// P x (P+1), for C outputs P C x (P C + 1), or P x (P + C) where they share U. With [] it is made here and not kept.

#include "ap_mexutil.h"

typedef struct model {
    ap_mex_training t;
    const double *U;
    ap_kernel kernel;
    ap_problem problem;
} model;

static void read_model(model *m, const mxArray *prhs[]) {
    m->t = ap_mex_training_set(prhs[0], prhs[1]);
    m->U = ap_mex_semidefinite("U", prhs[2], ap_net_paths(&m->t.net, 1));
    m->problem = ap_mex_problem(&m->t, &m->kernel, 0.0);
}

static ap_fit fit_in(double *array, const model *m) {  // as the host keeps it: F, and b behind it
    return (ap_fit){.F = array, .b = array + m->kernel.P * m->kernel.P};
}

static void make_fit(ap_fit *fit, const model *m, ap_work *work) {
    AP_MEX_SUITED(ap_mex_flops(&m->kernel, 0), ap_predict_fit(fit, &m->problem, m->U, work, &ap_mex_err));
}

static void predict(mxArray *plhs[], const model *m, const mxArray *Xi2, const mxArray *fits, bool spread,
                    ap_work *work) {
    const size_t P = m->kernel.P, C = m->t.outputs, blocks = m->t.shared ? 1 : C;
    const ap_inputs x2 = ap_mex_inputs("X.Xi", Xi2, &m->t.net, m->t.features);
    ap_fit fit = {0};
    if (ap_mex_absent(fits)) {
        ap_mex_check(ap_fit_take(&fit, &m->problem, work, &ap_mex_err));
        make_fit(&fit, m, work);
    } else {  // which is only read
        size_t size[] = {P, P + ap_problem_columns(&m->problem)};
        fit = fit_in((double *)ap_mex_array("fit", fits, 2, size), m);
    }
    double *mu = ap_mex_put(&plhs[0], 2, (size_t[]){x2.P, C}), *s2 = NULL;
    if (spread && blocks == 1) s2 = ap_mex_put(&plhs[1], 2, (size_t[]){x2.P, 1});
    if (spread && blocks > 1) s2 = ap_mex_put(&plhs[1], 3, (size_t[]){C, C, x2.P});
    const double together = x2.P < 128 ? (double)x2.P : 128.0, rows = (double)P;  // as ap_predict.c takes them
    const double flops = together * rows * (rows + 2.0 * (double)m->kernel.N0 * (double)m->kernel.inputs);
    AP_MEX_SUITED(flops, ap_predict(mu, s2, &m->problem, &fit, m->U, &x2, work, &ap_mex_err));
    ap_mex_finite("the mean", plhs[0]);
    if (spread) ap_mex_finite("the variance", plhs[1]);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("predict", (nrhs == 3 && nlhs <= 1) || (nrhs == 5 && nlhs <= 2),
                 "[mu, s2] = attnpath_predict_mex (net, data, U, Xi2, fit), fit = attnpath_predict_mex (net, data, U)");
    model m;
    read_model(&m, prhs);
    ap_work *work = ap_mex_work(ap_fit_size(&m.problem));
    if (nrhs == 5) {
        predict(plhs, &m, prhs[3], prhs[4], nlhs > 1, work);
    } else {
        const size_t P = m.kernel.P, columns = ap_problem_columns(&m.problem);
        ap_fit fit = fit_in(ap_mex_put(&plhs[0], 2, (size_t[]){P, P + columns}), &m);
        make_fit(&fit, &m, work);
    }
}
