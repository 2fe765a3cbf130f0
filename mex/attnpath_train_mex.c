// attnpath_train_mex.c: the next steps of gradient descent
// SPDX-License-Identifier: BSD-3-Clause
//
// [state, loss, status] = attnpath_train_mex (net, settings, state, X, y, rates)
//
// y: single, C x P: the labels of an example lie together, because examples come in batches.
// state: single, a column each for the weights and their two moments, from the call before; [] gives the start that
// belongs to settings.seed, without a step.
// settings: keys (rows of Q and K), decay, seed, done (steps before), and basis (single, N0 x r: X are then coordinates
// in it, r x T x examples; or []).
// Each of rates is a step, and the examples of X are shared among the steps in order. loss is that of each step's
// examples before the step. status is 'ok', 'interrupted' or 'notFinite'; where it is not 'ok', state is that before
// the step that was not taken.

#include <string.h>

#include "ap_mexutil.h"
#include "attnpath_train.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("train", nrhs == 6 && nlhs <= 3,
                 "[state, loss, status] = attnpath_train_mex (net, settings, state, X, y, rates)");
    size_t N0, tokens[3] = {0, 0, 0}, rates[2] = {1, 0};
    const ap_net net = ap_mex_net(prhs[0], &N0);
    const float *X = ap_mex_single("X", prhs[3], 3, tokens);
    const double *rate = ap_mex_array("rates", prhs[5], 2, rates);
    const size_t seed = ap_mex_count(AP_MEX_FIELD("settings.seed", prhs[1]), 0, AP_MEX_SEED);
    const size_t done = ap_mex_count(AP_MEX_FIELD("settings.done", prhs[1]), 0, AP_MEX_MANY);
    const double decay = ap_mex_number(AP_MEX_FIELD("settings.decay", prhs[1]), 0, 1e30);
    const size_t batch = tokens[2] / rates[1];
    if (batch == 0 || batch * rates[1] != tokens[2])
        ap_mex_fail("badShape", "%zu examples cannot be %zu batches", tokens[2], rates[1]);
    size_t labels[2] = {0, tokens[2]};
    const float *y = ap_mex_single("y", prhs[4], 2, labels);
    ap_trainer trainer = {.net = &net, .N0 = tokens[0], .T = tokens[1], .rank = tokens[0], .C = labels[0]};
    trainer.G = ap_mex_count(AP_MEX_FIELD("settings.keys", prhs[1]), 1, AP_MEX_MANY);
    const mxArray *basis = ap_mex_field("settings.basis", prhs[1]);
    if (!ap_mex_absent(basis)) {
        size_t size[2] = {0, tokens[0]};
        trainer.basis = ap_mex_single("settings.basis", basis, 2, size);
        trainer.N0 = size[0];
    }
    ap_mex_check(ap_train_check(&trainer, &ap_mex_err));

    const size_t n = ap_train_parameters(&trainer);
    float *theta = ap_mex_put_single(&plhs[0], 2, (size_t[]){n, 3});
    mxArray *losses;
    double *loss = ap_mex_put(&losses, 2, (size_t[]){1, rates[1]});
    ap_work *work = ap_mex_work(ap_train_size(&trainer, batch));
    const size_t steps = ap_mex_absent(prhs[2]) ? 0 : rates[1];
    if (steps == 0)
        ap_train_start(theta, &trainer, seed);
    else
        memcpy(theta, ap_mex_single("state", prhs[2], 2, (size_t[]){n, 3}), 3 * n * sizeof *theta);

    const ap_train_state now = {.theta = theta, .m = theta + n, .v = theta + 2 * n};
    ap_status status = AP_OK;
    size_t k = 0;
    ap_mex_threads(1, 0.0);  // nothing may depend on the number of threads
    while (status == AP_OK && k < steps) {
        const size_t first = batch * k;
        const ap_train_batch next = {X + tokens[0] * tokens[1] * first, y + labels[0] * first, batch};
        const ap_train_pace pace = {.number = (double)(done + k + 1), .rate = rate[k], .decay = decay};
        status = ap_mex_interrupted()
                     ? AP_INTERRUPTED
                     : ap_train_step(&now, &loss[k], &trainer, &next, &pace, ap_mex_team(), work, &ap_mex_err);
        if (status == AP_OK) k++;
    }
    if (status != AP_ENONFINITE) ap_mex_keep(status);
    mxSetN(losses, (mwSize)k);
    if (nlhs > 1) plhs[1] = losses;
    if (nlhs > 2) plhs[2] = mxCreateString(ap_status_name(status));
}
