// ap_entropy.c: the entropy of the order parameters and its gradient
// SPDX-License-Identifier: BSD-3-Clause
//
//   S_entropy = N_a (u_a/sigma_a^2 - log u_a)
//             + sum_l N_l [ tr (U_{l+1}^{-1} ptr_l U_l) / sigma_l^2 - log det U_l + H_l log det U_{l+1} ]          (T8)
//
// with U_{L+1} = u_a, the last member of the chain. With several outputs it is 1 and adds nothing, which gives (T19).
// In the sum over all members U_1 .. U_{L+1}, with N_{L+1} = N_a, member l adds -(N_l - N_{l-1} H_{l-1}) log det U_l,
// and each of the first L its trace. u_a is eliminated: it is the positive root of u^2 + b u - g = 0 (section 3).
// Gradients are (T9). Everything is of the size of the paths, nothing of the size of the data: sum_l Pi_l^3 flops.
//
// With skip connections (T29) the sums over heads leave the skip out, H_l log det U_{l+1} becomes H'_l log det U_{l+1},
// H' counting it, and members of the chain that are not free (ap_network.h) are leading blocks of those underneath, u_a
// among them if layer L has one. Derivatives are taken by all members as if they were free, and then collected.
//
// Second derivatives are in saddle/ap_curvature.c (a matrix) and ap_entropy_hessian.c (products), and the entropy of
// nested factors in ap_factors_action.c. Those by u_a, where it is eliminated, are in ap_params.c. Samplers have the
// same prior in ap_bartlett.c and ap_weights.c.

#include "action/ap_action.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The readout's order parameter from that of the top layer.
static void eliminate(double *order, const ap_net *net) {
    const ap_member top = ap_params_member(net, net->L), readout = ap_params_member(net, net->L + 1);
    if (ap_params_fixed(net)) order[readout.at] = 1.0;
    if (!ap_params_eliminated(net)) return;
    const double Na = readout.width, NL = top.width, heads = (double)top.branches, va = readout.variance;
    const double b = va * (heads * NL / Na - 1.0), g = va * NL * ap_params_top_trace(net, order) / (Na * top.variance);
    const double root = sqrt(b * b + 4.0 * g);
    order[readout.at] = b > 0.0 ? 2.0 * g / (b + root) : 0.5 * (root - b);  // neither form subtracts close numbers
}

// U_l of a point gets its factor and inverse; its log det is added to the entropy.
static ap_status factorise(ap_point *point, const ap_net *net, const ap_member *u, double *sum, double *size,
                           ap_error *err) {
    const double *U = point->order + u->at;
    double *F = point->chol + u->at;
    const bool readout = u->layer == net->L + 1;
    char name[64];
    (void)snprintf(name, sizeof name, "U_%zu of the order parameters", u->layer);
    if (readout && !(U[0] > 0.0 && isfinite(U[0])))
        return ap_fail(err, AP_ENONFINITE, "the action is not finite: u_a is %g", U[0]);
    memcpy(F, U, u->n * u->n * sizeof(double));
    ap_status status = ap_spd_chol(F, u->n, name, err);
    if (status < 0) return status;
    ap_spd_clear_upper(F, u->n);
    status = ap_spd_inverse(point->inverse + u->at, F, u->n, err);
    if (status < 0) return status;
    const double logdet = ap_spd_logdet(F, u->n);
    *sum -= u->width * logdet;
    *sum += u->pull * logdet;
    *size += (readout ? u->width : fmax(u->width, u->pull)) *
             (fabs(logdet) + ap_spd_condition(ap_spd_largest(U, u->n), F, u->n));
    return AP_OK;
}

// tr (U_{l+1}^{-1} ptr_l U_l)
static double overlap(const ap_point *point, const ap_member *u) {
    const double *U = point->order + u->at, *Y = point->inverse + u->at + u->n * u->n;
    double sum = 0.0;
    AP_HEADS (row, u)
        for (size_t j = 0; j < u->below; j++)
            for (size_t i = 0; i < u->below; i++) sum += Y[i + u->below * j] * U[row + i + u->n * (row + j)];
    return sum;
}

ap_status ap_entropy(ap_point *point, const ap_net *net, ap_error *err) {
    const ap_member readout = ap_params_member(net, net->L + 1);
    double sum = 0.0, size = 0.0;
    ap_params_copy_tied(point->order, net);
    eliminate(point->order, net);
    AP_MEMBERS (u, net) {
        const ap_status status = factorise(point, net, &u, &sum, &size, err);
        if (status < 0) return status;
    }
    AP_MEMBERS (u, net)
        if (u.layer <= net->L) sum += u.width * overlap(point, &u) / u.variance;
    if (!ap_params_fixed(net)) sum += readout.width * point->order[readout.at] / readout.variance;
    point->entropy = sum;
    point->noise = DBL_EPSILON * size;
    return AP_OK;
}

ap_status ap_entropy_gp(ap_point *gp, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t chain = ap_params_length(net);
    *gp = (ap_point){.order = ap_take(work, chain)};
    AP_TAKE_EACH(work, chain, &gp->chol, &gp->inverse);
    if (gp->inverse == NULL) return ap_not_taken(work, err, "ap_entropy_gp");
    ap_params_gp(gp->order, net);
    return ap_entropy(gp, net, err);
}

// The layer underneath adds N (H' U^{-1} - U^{-1} (ptr U_{l-1}) U^{-1} / sigma^2), its own N, H' and sigma.
static ap_status add_underneath(double *grad, const ap_point *point, const ap_net *net, size_t l, ap_work *work,
                                ap_error *err) {
    const ap_member u = ap_params_member(net, l), under = ap_params_member(net, l - 1);
    const size_t n = u.n, mark = work->used;
    double *M = ap_take_matrix(work, n, n), *B = ap_take_matrix(work, n, n), *YMY = ap_take_matrix(work, n, n);
    ap_status status = YMY == NULL ? ap_not_taken(work, err, "ap_entropy_gradient") : AP_OK;
    if (status < 0) goto done;
    const double *Y = point->inverse + u.at;
    ap_params_ptr(M, point->order + under.at, &under);
    ap_spd_sandwich(YMY, Y, M, n, B);
    for (size_t i = 0; i < n * n; i++)
        grad[i] += under.width * ((double)under.branches * Y[i] - YMY[i] / under.variance);
done:
    work->used = mark;
    return status;
}

// The entropy's derivative with respect to U_l, as if every member of the chain were free.
static ap_status own_gradient(double *grad, const ap_point *point, const ap_net *net, size_t l, ap_work *work,
                              ap_error *err) {
    const ap_member u = ap_params_member(net, l);
    const double *Y = point->inverse + u.at, *above = Y + u.n * u.n;
    for (size_t i = 0; i < u.n * u.n; i++) grad[i] = -u.width * Y[i];
    if (l == net->L + 1) grad[0] += u.width / u.variance;                // the readout's has nothing above it
    for (size_t row = u.tied; l <= net->L && row < u.n; row += u.below)  // I_{H_l} (x) U_{l+1}^{-1}
        for (size_t j = 0; j < u.below; j++)
            for (size_t i = 0; i < u.below; i++)
                grad[row + i + u.n * (row + j)] += u.width / u.variance * above[i + u.below * j];
    return l > 1 ? add_underneath(grad, point, net, l, work, err) : AP_OK;
}

ap_status ap_entropy_gradient(ap_point *point, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t last = ap_params_last(net);
    ap_status status = AP_OK;
    point->grad[ap_params_at(net, net->L + 1)] = 0.0;  // where u_a is eliminated
    for (size_t l = 1; status == AP_OK && l <= last; l++)
        status = own_gradient(point->grad + ap_params_at(net, l), point, net, l, work, err);
    ap_params_sum_tied(point->grad, net);
    return status;
}
