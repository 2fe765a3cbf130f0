// ap_product.c: exact products with the Hessian of the action
// SPDX-License-Identifier: BSD-3-Clause
//
// The Hessian of S/max(N) is over all symmetric perturbations of U_1..U_L in the Frobenius inner product, u_a
// eliminated: n coordinates, those of ap_order.h with off-diagonal entries scaled by sqrt (2). Its product with a
// direction x is exact: the entropy's part is a matrix, the energy's is, with K = K(x_1), w = A^{-1} K b,
//
//   d^2 E [x] = contraction of  - A^{-1} K A^{-1} + b w' + w b'                      4 P^3 flops, K and a contraction
//
// A^{-1} K A^{-1} is F^{-T} (F^{-1} K F^{-T}) F^{-1} by triangular solves with A = F F': an inverse, used twice, would
// lose the square of A's condition.

#include "saddle/ap_product.h"

#include <math.h>

#include "base/ap_blas.h"
#include "saddle/ap_curvature.h"
#include "network/ap_order.h"
#include "base/ap_pairs.h"
#include "base/ap_spd.h"

ap_status ap_product_take(ap_product *t, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t n = ap_order_unknowns(p->net), P = p->kernel->P;
    *t = (ap_product){.p = p, .point = point, .n = n};
    t->entropy = ap_take_matrix(work, n, n);
    t->scale = ap_take(work, n);
    t->K = ap_take_matrix(work, P, P);
    t->w = ap_take_matrix(work, P, ap_problem_columns(p));
    t->x = ap_take(work, n);
    t->X = ap_take(work, ap_order_length(p->net));
    return t->X == NULL ? ap_not_taken(work, err, "ap_product") : AP_OK;
}

ap_status ap_product_make(ap_product *t, ap_work *work, ap_error *err) {
    const ap_net *net = t->p->net;
    const ap_status status = ap_curvature_entropy(t->entropy, net, t->point, NULL, work, err);
    if (status < 0 || work->counts) return status;
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_order_member(net, l);
        double *corner = t->entropy + u.first + t->n * u.first, *scale = t->scale + u.first;
        // the Hessian along straight lines: that along the retraction, less what the retraction's bend adds
        ap_curvature_add(corner, t->n, u.n, -1.0, t->point->grad + u.at, t->point->inverse + u.at);
        if (l == 1) ap_curvature_add(corner, t->n, u.n, 1.0, t->point->G, t->point->inverse);
        ap_pairs_weights(scale, u.n);
        for (size_t k = 0; k < u.pairs; k++) scale[k] = 1.0 / sqrt(scale[k]);
    }
    return AP_OK;
}

// K := - A^{-1} K A^{-1} + b w' + w b', m columns of them, of which the contraction is the energy's part.
static void second_derivative(double *K, double *w, const ap_fit *fit, size_t P, size_t m) {
    const double *b = fit->b, *F = fit->F;
    for (size_t c = 0; c < m; c++) ap_symv(P, 1.0, K, P, b + P * c, 0.0, w + P * c);
    ap_spd_solve(F, P, w, m);
    ap_spd_mirror(K, P);
    ap_trsm('L', 'N', P, P, -1.0, F, P, K, P);
    ap_trsm('R', 'T', P, P, 1.0, F, P, K, P);
    ap_trsm('L', 'T', P, P, 1.0, F, P, K, P);
    ap_trsm('R', 'N', P, P, 1.0, F, P, K, P);
    for (size_t c = 0; c < m; c++, b += P, w += P)
        for (size_t j = 0; j < P; j++)
            for (size_t i = 0; i < P; i++) K[i + P * j] += b[i] * w[j] + w[i] * b[j];
}

ap_status ap_product_energy(double *X, const ap_problem *p, const ap_fit *fit, double *K, double *w, ap_work *work,
                            ap_error *err) {
    const ap_status status = ap_kernel_combine(K, p->kernel, X, NULL, work, err);
    if (status < 0) return status;
    if (!work->counts) second_derivative(K, w, fit, p->kernel->P, ap_problem_columns(p));
    return ap_kernel_contract(X, p->kernel, K, work, err);
}

ap_status ap_product_apply(double *Hv, ap_product *t, const double *v, ap_work *work, ap_error *err) {
    const ap_problem *p = t->p;
    const size_t n = t->n, paths = p->kernel->paths, pairs = p->kernel->pairs;
    if (!work->counts) {
        for (size_t i = 0; i < n; i++) t->x[i] = t->scale[i] * v[i];
        ap_order_matrices(t->X, p->net, t->x);
    }
    const ap_status status = ap_product_energy(t->X, p, &t->point->fit, t->K, t->w, work, err);
    if (status < 0 || work->counts) return status;
    ap_symv(n, 1.0, t->entropy, n, t->x, 0.0, Hv);
    ap_pairs_pack(t->x, t->X, paths, 2.0);
    for (size_t k = 0; k < pairs; k++) Hv[k] += t->x[k];
    for (size_t i = 0; i < n; i++) Hv[i] *= t->scale[i] / ap_net_maxwidth(p->net);
    return AP_OK;
}
