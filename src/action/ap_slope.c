// ap_slope.c: derivatives of the energy by path inputs and order parameters, at any order parameters
// SPDX-License-Identifier: BSD-3-Clause
//
// dE = sum of M dK with M = A^{-1} - b b', b = A^{-1} y, and K is quadratic in the path inputs and linear in U:
//
//   Y_a = xi^a M,   dE/dxi^a = 2 s sum_b U_ab Y_b,   G_ab = dE/dU_ab = s sum of xi^a . Y_b,   s = sigma_0^2/(N0 Pi)
//
// which is (T33) without its minimum. Several outputs ride along: Y_a has a block for each pair of outputs (c,d), with
// M((mu,c),(nu,d)), and belongs to U_{(a,d),(b,c)}.
// Cost: 2 P^3/3 flops for the inverse, then for each pair of outputs 2 P^2 N0 Pi, and 2 P N0 Pi^2 or with G twice that.

#include "action/ap_action.h"

ap_status ap_fit_residual(double *M, const ap_fit *fit, const ap_problem *p, ap_error *err) {
    const size_t P = p->kernel->P;
    const ap_status status = ap_spd_inverse(M, fit->F, P, err);
    if (status < 0) return status;
    ap_gemm('N', 'T', P, P, ap_problem_columns(p), -1.0, fit->b, P, fit->b, P, 1.0, M, P);
    return AP_OK;
}

ap_status ap_kernel_slope(double *slope, double *G, const ap_kernel *k, const double *U, const double *M, ap_work *work,
                          ap_error *err) {
    const size_t N0 = k->N0, P = k->examples, C = k->outputs, paths = k->inputs, cells = N0 * P, mark = work->used;
    double *Y = ap_take_matrix(work, ap_times(N0, P), paths), *block = ap_take_matrix(work, paths, paths);
    const ap_status status = block == NULL ? ap_not_taken(work, err, "ap_kernel_slope") : AP_OK;
    for (size_t c = 0; status == AP_OK && c < C; c++)
        for (size_t d = 0; d < C; d++) {
            for (size_t a = 0; a < paths; a++)
                ap_gemm('N', 'N', N0, P, P, 1.0, k->Xi + cells * a, N0, M + P * d + k->P * P * c, k->P, 0.0,
                        Y + cells * a, N0);
            for (size_t b = 0; b < paths; b++)
                for (size_t a = 0; a < paths; a++) block[a + paths * b] = U[C * a + d + k->paths * (C * b + c)];
            ap_gemm('N', 'N', cells, paths, paths, 2.0 * k->scale, Y, cells, block, paths, c + d > 0 ? 1.0 : 0.0, slope,
                    cells);
            if (G == NULL) continue;
            ap_gemm('T', 'N', paths, paths, cells, k->scale, k->Xi, cells, Y, cells, 0.0, block, paths);
            for (size_t b = 0; b < paths; b++)
                for (size_t a = 0; a < paths; a++) G[C * a + c + k->paths * (C * b + d)] = block[a + paths * b];
        }
    work->used = mark;
    return status;
}
