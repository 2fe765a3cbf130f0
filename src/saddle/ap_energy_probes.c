// ap_energy_probes.c: the energy's second derivative, by random vectors, as a linear map
// SPDX-License-Identifier: BSD-3-Clause
//
// The energy's second derivative of ap_curvature.c along x = R d R', without the term of the retraction's bend: with
// A = F F', b = A^{-1} y and K(x) = sum_p x_p D_p,
//
//   2 |v_b|^2 - gamma^2 / P - 1/probes sum_z | v_z - gamma z / P |^2,
//   v_b = F^{-1} K(x) b,    v_z = F^{-1} K(x) F^{-T} z
//
// gamma = tr (A^{-1} K(x)), z random signs: the labels' part exactly, the log-determinant's by its mean part and
// probes. No derivative D_p is formed. K(x) c = scale sum_a Xi_a' (W_c d R')_a, with W_c = (Xi_b c)_b R made once for
// every column c = b, F^{-T} z: a product reads the path inputs twice, 4 P N0 Pi + 4 N0 Pi^2 + 2 P^2 flops a column.

#include "saddle/ap_saddle.h"

#include <string.h>

ap_status ap_energy_probes_take(ap_energy_probes *t, const ap_problem *p, bool stays, size_t probes, ap_work *work,
                                ap_error *err) {
    const size_t P = p->kernel->P, paths = p->kernel->paths, useful = probes < P ? probes : P;
    const size_t labels = ap_problem_columns(p), columns = labels + useful;
    if (!ap_blas_fits(ap_times(p->kernel->N0, columns)))
        return ap_fail(err, AP_ESIZE, "%zu features for %zu vectors are more than BLAS can count", p->kernel->N0,
                       columns);
    *t = (ap_energy_probes){.p = p, .labels = labels, .room = useful, .probes = useful};
    t->own = stays ? NULL : ap_take_matrix(work, P, P);
    AP_TAKE_EACH(work, ap_times(P, columns), &t->Z, &t->V);
    AP_TAKE_EACH(work, ap_times(ap_times(p->kernel->N0, columns), paths), &t->W, &t->Y);
    AP_TAKE_EACH(work, ap_times(paths, paths), &t->g, &t->T);
    return t->T == NULL ? ap_not_taken(work, err, "ap_energy_probes") : AP_OK;
}

void ap_energy_probes_make(ap_energy_probes *t, const ap_point *point, const double *R) {
    const ap_kernel *k = t->p->kernel;
    const size_t P = k->P, l = t->labels, m = l + t->probes, rows = k->N0 * m, paths = k->paths;
    t->R = R;
    t->F = t->own == NULL ? point->fit.F : memcpy(t->own, point->fit.F, P * P * sizeof(double));
    memcpy(t->V, point->fit.b, P * l * sizeof(double));
    ap_curvature_probes(t->Z + P * l, 0, t->probes, P, t->probes);
    memcpy(t->V + P * l, t->Z + P * l, P * t->probes * sizeof(double));
    if (t->probes > 0) ap_trsm('L', 'T', P, t->probes, 1.0, t->F, P, t->V + P * l, P);
    ap_kernel_gather(t->W, k, 1.0, t->V, m);
    ap_trmm('R', 'N', rows, paths, 1.0, R, paths, t->W, rows);
    ap_spd_congruence(t->g, point->G, R, paths, t->T);  // G is that of log det A, less that of b b'
    ap_gemm('T', 'N', paths, paths, k->N0 * l, k->scale, t->W, rows, t->W, rows, 1.0, t->g, paths);
}

void ap_energy_probes_add(double *M, ap_energy_probes *t, const double *d) {
    const ap_kernel *k = t->p->kernel;
    const size_t P = k->P, l = t->labels, m = l + t->probes, rows = k->N0 * m, paths = k->paths;
    const double gamma = ap_dot(paths * paths, t->g, d);
    double mean = -gamma / (double)P;  // derivative by gamma
    ap_gemm('N', 'N', rows, paths, paths, 1.0, t->W, rows, d, paths, 0.0, t->Y, rows);
    ap_trmm('R', 'T', rows, paths, 1.0, t->R, paths, t->Y, rows);
    ap_kernel_scatter(t->V, k, k->scale, t->Y, m);
    ap_trsm('L', 'N', P, m, 1.0, t->F, P, t->V, P);
    for (size_t i = 0; i < P * l; i++) t->V[i] *= 2.0;
    for (size_t c = l; c < m; c++) {
        double *V = t->V + P * c;
        const double *z = t->Z + P * c, weight = -1.0 / (double)t->probes;
        ap_axpy(P, -gamma / (double)P, z, V);
        for (size_t i = 0; i < P; i++) V[i] *= weight;
        mean -= ap_dot(P, z, V) / (double)P;
    }
    ap_trsm('L', 'T', P, m, 1.0, t->F, P, t->V, P);
    ap_kernel_gather(t->Y, k, 1.0, t->V, m);
    ap_gemm('T', 'N', paths, paths, rows, k->scale, t->W, rows, t->Y, rows, 0.0, t->T, paths);
    ap_trmm('R', 'N', paths, paths, 1.0, t->R, paths, t->T, paths);
    for (size_t j = 0; j < paths; j++)
        for (size_t i = 0; i < paths; i++)
            M[i + paths * j] += 0.5 * (t->T[i + paths * j] + t->T[j + paths * i]) + mean * t->g[i + paths * j];
}
