// ap_kernel_inputs.c: the kernel of one output and its derivatives from the path inputs
// SPDX-License-Identifier: BSD-3-Clause
//
// Nothing is stored. With U = R R', K = scale sum_a Y_a' Y_a, Y = Xi R; with A = F F', Z_a = F^{-1} Xi_a',
// G = scale (<Z_a, Z_b> - (Xi_a b).(Xi_b b)): no inverse is formed.
// 2 P^2 N0 Pi + 3 N0 P Pi^2 flops at matrix-product speed per evaluation.
// Triangular solves of OpenBLAS 0.3.21 run at 15 to 28 Gflop/s where products with a triangle reach 50 to 60. What may
// be rounded more roughly (`loose`) multiplies by F^{-1}, which costs P^3/3 flops and the condition of F in rounding.

#include <string.h>

#include "action/ap_action.h"

// Y := Xi U without a root, Xi R with one.
static void mix(double *Y, const ap_kernel *k, const double *U, const ap_root *root) {
    const size_t cells = k->N0 * k->P, paths = k->paths;
    if (root == NULL) {
        ap_gemm('N', 'N', cells, paths, paths, 1.0, k->Xi, cells, U, paths, 0.0, Y, cells);
    } else if (root->lower) {
        memcpy(Y, k->Xi, cells * paths * sizeof(double));
        ap_trmm('R', 'N', cells, paths, 1.0, root->R, paths, Y, cells);
    } else {
        ap_gemm('N', 'N', cells, root->columns, paths, 1.0, k->Xi, cells, root->R, paths, 0.0, Y, cells);
    }
}

static ap_status combine(double *K, const ap_kernel *k, const double *U, const ap_root *root, ap_work *work,
                         ap_error *err) {
    const size_t N0 = k->N0, P = k->P, cells = ap_times(N0, P);
    double *Y = ap_take_matrix(work, cells, k->paths);
    if (Y == NULL) return ap_not_taken(work, err, "ap_kernel_combine");
    mix(Y, k, U, root);
    for (size_t a = 0; a < (root == NULL ? k->paths : root->columns); a++) {
        const double *Ya = Y + cells * a, beta = a == 0 ? 0.0 : 1.0;
        if (root != NULL)
            ap_syrk('T', P, N0, k->scale, Ya, N0, beta, K, P);
        else
            ap_gemm('T', 'N', P, P, N0, k->scale, k->Xi + cells * a, N0, Ya, N0, beta, K, P);
    }
    return AP_OK;
}

static ap_status contract(double *G, const ap_kernel *k, const double *M, ap_work *work, ap_error *err) {
    const size_t N0 = k->N0, P = k->P, paths = k->paths, cells = ap_times(N0, P);
    double *B = ap_take_matrix(work, cells, paths);
    if (B == NULL) return ap_not_taken(work, err, "ap_kernel_contract");
    for (size_t a = 0; a < paths; a++)
        ap_symm('R', N0, P, k->scale, M, P, k->Xi + cells * a, N0, 0.0, B + cells * a, N0);
    ap_gemm('T', 'N', paths, paths, cells, 1.0, B, cells, k->Xi, cells, 0.0, G, paths);
    ap_spd_symmetrise(G, paths);
    return AP_OK;
}

static ap_status gradient(double *G, const ap_kernel *k, const double *F, const double *b, size_t m, ap_work *work,
                          ap_error *err) {
    const size_t N0 = k->N0, P = k->P, paths = k->paths, cells = ap_times(N0, P);
    double *Z = ap_take_matrix(work, cells, paths), *g = ap_take_matrix(work, ap_times(N0, m), paths);
    double *inverse = k->low_accuracy ? ap_take_matrix(work, P, P) : g;
    if (inverse == NULL) return ap_not_taken(work, err, "ap_kernel_gradient");
    memcpy(Z, k->Xi, cells * paths * sizeof(double));
    if (k->low_accuracy) {
        memcpy(inverse, F, P * P * sizeof(double));
        if (!ap_spd_invert_factor(inverse, P, P)) return ap_fail(err, AP_ENOTSPD, "a pivot of the factor is zero");
    }
    for (size_t a = 0; a < paths; a++) {
        for (size_t c = 0; c < m; c++)
            ap_gemv('N', N0, P, 1.0, k->Xi + cells * a, N0, b + P * c, 0.0, g + N0 * (c + m * a));
        if (k->low_accuracy)
            ap_trmm('R', 'T', N0, P, 1.0, inverse, P, Z + cells * a, N0);
        else
            ap_trsm('R', 'T', N0, P, 1.0, F, P, Z + cells * a, N0);
    }
    ap_syrk('T', paths, cells, k->scale, Z, cells, 0.0, G, paths);
    ap_syrk('T', paths, N0 * m, -k->scale, g, N0 * m, 1.0, G, paths);
    ap_spd_mirror(G, paths);
    return AP_OK;
}

const ap_kernel_ops ap_kernel_inputs = {.combine = combine, .contract = contract, .gradient = gradient};
