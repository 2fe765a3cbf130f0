// ap_gradient.c: derivatives of the action by everything but U
// SPDX-License-Identifier: BSD-3-Clause
//
// At a minimum, the derivative of S by anything else is that at fixed U: the minimum takes no part in it (section 19).
// With M = A^{-1} - b b' and b = A^{-1} y,
//
//   dS/dxi^pi_mu      = 2 sigma_0^2/(N0 Pi) sum_{pi',nu} M(mu,nu) U_{pi,pi'} xi^{pi'}_nu                         (T33)
//   dS/dlog s_pi      = 2 sum_{pi'} U_{pi,pi'} G_{pi,pi'},   s_pi a factor of the path's inputs                  (T34)
//   dS/dlog T         = T tr M
//   dS/dlog sigma_0^2 = sum of U G
//   dS/dlog sigma_l^2 = -N_l tr( U_{l+1}^{-1} ptr_l U_l ) / sigma_l^2
//
// Several outputs ride along: (T33) is summed over c and c', with M((mu,c),(nu,c')) and U_{(pi,c),(pi',c')}. The log
// evidence (T10b) subtracts the entropy at the GP point, whose derivative by log sigma_l^2 is -N_l Pi_l,
// less N_l Pi_{l+1} of it where layer l has a skip connection.
// Cost in addition to the factor of A: 2 P^3/3 flops for its inverse, and of (T33) 2 P^2 N0 Pi and 2 P N0 Pi^2.

#include <string.h>

#include "beyond/ap_beyond.h"

// T tr M, with the examples that have no path inputs, whose energy is null_examples log T + rest / T.
static double by_temperature(const ap_problem *p, const double *M) {
    const double T = p->net->temperature;
    double trace = 0.0;
    for (size_t i = 0; i < p->kernel->P; i++) trace += M[i * (p->kernel->P + 1)];
    return T * trace + (double)p->null_examples - (p->null_sumsq > 0.0 ? p->null_sumsq / T : 0.0);
}

static void by_paths(double *slope, const ap_kernel *k, const double *U, const double *G) {
    memset(slope, 0, k->inputs * sizeof *slope);
    for (size_t j = 0; j < k->paths; j++)
        slope[j / k->outputs] += 2.0 * ap_dot(k->paths, U + k->paths * j, G + k->paths * j);
}

// Subtracts the derivative of the entropy at the GP point; ptr [Pi_2 x Pi_2] workspace.
static void by_variance(double *slope, const ap_problem *p, const ap_point *point, double *ptr) {
    const ap_net *net = p->net;
    const size_t layers = ap_params_fixed(net) ? net->L : net->L + 1;
    slope[0] = ap_dot(p->kernel->paths * p->kernel->paths, point->order, point->G);
    for (size_t l = 1; l <= layers; l++) {
        const ap_member u = ap_params_member(net, l);
        double trace = point->order[u.at];
        if (l <= net->L) {
            ap_params_ptr(ptr, point->order + u.at, &u);
            trace = ap_dot(u.below * u.below, ptr, point->inverse + u.at + u.n * u.n);
        }
        slope[l] = u.width * ((double)(u.n - u.tied) - trace / u.variance);
    }
}

ap_status ap_gradient_make(ap_gradient *g, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t mark = work->used, m = ap_problem_columns(p);
    double *M = ap_take_matrix(work, k->P, k->P), *block = ap_take_matrix(work, k->paths, k->paths);
    ap_status status = block == NULL ? ap_not_taken(work, err, "ap_gradient_make") : AP_OK;
    if (status == AP_OK) status = ap_fit_residual(M, &point->fit, p, err);
    if (status < 0) goto done;
    g->temperature = by_temperature(p, M);
    by_paths(g->paths, k, point->order, point->G);
    by_variance(g->variance, p, point, block);
    if (g->inputs != NULL && p->apart != NULL)  // Xi M: b whole is on the right, and on the left no Xi meets the rest
        ap_gemm('N', 'T', k->P, k->P, m, -1.0 / p->net->temperature / sqrt((double)m), point->fit.b, k->P, p->apart,
                k->P, 1.0, M, k->P);
    if (g->inputs != NULL) status = ap_kernel_slope(g->inputs, NULL, k, point->order, M, work, err);
done:
    work->used = mark;
    return status;
}
