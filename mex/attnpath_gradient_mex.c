// attnpath_gradient_mex.c: derivatives of the action by everything but U (T33), (T34)
// SPDX-License-Identifier: BSD-3-Clause
//
// [temperature, variance, paths, inputs] = attnpath_gradient_mex (net, data, order)
//
// temperature, variance (1 x (L+2)) and paths (Pi x 1) are derivatives by logarithms: of the temperature, of each
// variance, and of a factor of each path's inputs. inputs, N0 x P x Pi, are those by the path inputs. The entropy at
// the GP point is taken off. Where outputs share one U all are divided by C.

#include "ap_mexutil.h"
#include "attnpath_beyond.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("gradient", nrhs == 3 && nlhs <= 4,
                 "[temperature, variance, paths, inputs] = attnpath_gradient_mex (net, data, order)");
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    const bool inputs = nlhs > 3;
    if (inputs && t->x.basis != NULL) ap_mex_fail("badValue", "path inputs must be without a change of basis");

    ap_work *work = ap_mex_work(ap_action_size(&t->problem));
    const ap_point point = ap_mex_point(t, prhs[2], work);
    mxArray *out[4];
    const size_t layers = t->kernel.outputs > 1 ? t->net.L - 1 : t->net.L;  // without the readout's
    ap_gradient g = {.variance = ap_mex_put(&out[1], 2, (size_t[]){1, layers + 2}),
                     .paths = ap_mex_put(&out[2], 2, (size_t[]){t->kernel.inputs, 1})};
    if (inputs) g.inputs = ap_mex_put(&out[3], 3, (size_t[]){t->x.N0, t->x.P, t->kernel.inputs});
    ap_mex_threads(0, ap_mex_flops(&t->kernel, ap_expand_unknowns(&t->problem)));
    ap_mex_check(ap_gradient_make(&g, &t->problem, &point, work, &ap_mex_err));
    out[0] = mxCreateDoubleScalar(g.temperature);
    ap_mex_give(plhs, nlhs, out);
}
