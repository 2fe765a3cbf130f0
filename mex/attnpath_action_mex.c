// attnpath_action_mex.c: action (T7, T8) and its gradient (T9)
// SPDX-License-Identifier: BSD-3-Clause
//
// [S, grad, energy, entropy, ua, gradnorm] = attnpath_action_mex (net, Xi, y, order, memory)

#include <string.h>

#include "ap_mexutil.h"

static const char stem[] = "action";
static const char usage[] =
    "[S, grad, energy, entropy, ua, gradnorm] = attnpath_action_mex (net, Xi, y, order, memory)";

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 5 && nlhs <= 6, usage);
    size_t N0, P;
    const ap_net net = ap_mex_net(stem, prhs[0], &N0);
    const double *Xi = ap_mex_inputs(stem, "Xi", prhs[1], &net, &N0, &P);
    const double *y = ap_mex_labels(stem, prhs[2], P);
    const double *order = ap_mex_order(stem, prhs[3], &net);
    const double memory = ap_mex_number(stem, "memory", prhs[4], 0, 1e15);

    ap_error err = {0};
    ap_kernel kernel;
    ap_mex_check(stem, ap_kernel_plan(&kernel, &net, N0, P, Xi, memory, &err), &err);
    const ap_problem problem = {.net = &net, .kernel = &kernel, .y = y};
    const size_t building = ap_kernel_buildsize(&kernel), acting = ap_action_worksize(&problem);
    ap_work work = ap_mex_work(
        stem, ap_plus(kernel.storage, ap_plus(ap_point_size(&problem), building > acting ? building : acting)));
    ap_mex_check(stem, ap_kernel_build(&kernel, ap_take(&work, kernel.storage), &work, &err), &err);

    ap_point point;
    ap_mex_check(stem, ap_point_take(&point, &problem, &work, &err), &err);
    memcpy(point.order, order, ap_net_order(&net) * sizeof *order);
    ap_mex_check(stem, ap_action_value(&point, &problem, &work, &err), &err);
    if (nlhs > 1) ap_mex_check(stem, ap_action_gradient(&point, &problem, &work, &err), &err);

    plhs[0] = mxCreateDoubleScalar(point.action);
    if (nlhs > 1) ap_mex_put_order(stem, &plhs[1], &net, point.grad);
    if (nlhs > 2) plhs[2] = mxCreateDoubleScalar(point.energy);
    if (nlhs > 3) plhs[3] = mxCreateDoubleScalar(point.entropy);
    if (nlhs > 4) plhs[4] = mxCreateDoubleScalar(point.ua);
    if (nlhs > 5) plhs[5] = mxCreateDoubleScalar(point.gradnorm);
}
