// attnpath_action_mex.c: action (T7, T8) and its gradient (T9)
// SPDX-License-Identifier: BSD-3-Clause
//
// [S, grad, energy, entropy, ua, gradnorm] = attnpath_action_mex (net, data, order, memory)

#include "ap_mexutil.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("action", nrhs == 4 && nlhs <= 6,
                 "[S, grad, energy, entropy, ua, gradnorm] = attnpath_action_mex (net, data, order, memory)");
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], ap_mex_number("memory", prhs[3], 0, 1e15));

    ap_work *work = ap_mex_work(ap_plus(t->store == NULL ? t->kernel.storage : 0, ap_action_size(&t->problem)));
    ap_point point = ap_mex_place(t, prhs[2], work);
    ap_mex_threads(0, ap_mex_flops(&t->kernel, 0));
    ap_status status = ap_mex_build(&t->kernel, work);
    if (status == AP_OK) status = ap_action_value(&point, &t->problem, work, &ap_mex_err);
    if (status == AP_OK && nlhs > 1) status = ap_action_gradient(&point, &t->problem, work, &ap_mex_err);
    ap_mex_check(status);
    if (status == AP_INTERRUPTED) return;

    // Of outputs that share one U the problem's is their mean
    const double all = (double)ap_problem_columns(&t->problem);
    plhs[0] = mxCreateDoubleScalar(all * point.action);
    for (size_t i = 0; nlhs > 1 && i < ap_params_length(&t->net); i++) point.grad[i] *= all;
    if (nlhs > 1) plhs[1] = ap_mex_new_order(&t->net, point.grad);
    if (nlhs > 2) plhs[2] = mxCreateDoubleScalar(all * point.fit.energy);
    if (nlhs > 3) plhs[3] = mxCreateDoubleScalar(all * point.entropy);
    if (nlhs > 4) plhs[4] = mxCreateDoubleScalar(point.order[ap_params_at(&t->net, t->net.L + 1)]);
    if (nlhs > 5) plhs[5] = mxCreateDoubleScalar(point.gradnorm);
}
