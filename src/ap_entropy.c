// ap_entropy.c: the entropy of the order parameters and its gradient
// SPDX-License-Identifier: BSD-3-Clause
//
//   S_entropy = N_a (u_a/sigma_a^2 - log u_a)
//             + sum_l N_l [ tr (U_{l+1}^{-1} ptr_l U_l) / sigma_l^2 - log det U_l + H_l log det U_{l+1} ]          (T8)
//
// with U_{L+1} = u_a and (ptr_l U_l)(p,p') = sum_h U_l ((h,p),(h,p')): the sum of the H_l diagonal blocks of size
// Pi_{l+1}. u_a is eliminated: the positive root of u^2 + b u - g = 0 (section 3). Gradients are (T9).
// Everything is of the size of the paths, nothing of the size of the data: sum_l Pi_l^3 flops.

#include <float.h>
#include <math.h>
#include <string.h>

#include "ap_spd.h"

static double trace(const double *U, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += U[i + n * i];
    return sum;
}

static double eliminate_ua(const ap_net *net, double trace_top) {
    const double Na = net->width[net->L], NL = net->width[net->L - 1], heads = (double)net->H[net->L - 1];
    const double va = net->variance[net->L + 1], vL = net->variance[net->L];
    const double b = va * (heads * NL / Na - 1.0), g = va * NL * trace_top / (Na * vL);
    const double root = sqrt(b * b + 4.0 * g);
    return b > 0.0 ? 2.0 * g / (b + root) : 0.5 * (root - b);  // neither form subtracts close numbers
}

ap_status ap_entropy(ap_point *point, const ap_net *net, ap_error *err) {
    const size_t L = net->L;
    size_t at = 0, above_at = 0;
    double sum = 0.0, size = 0.0, trace_top = 0.0;
    for (size_t l = 1; l <= L; l++, at = above_at) {
        const size_t n = ap_net_paths(net, l);
        double *F = point->chol + at;
        char name[32] = "U_l of the order parameters";
        name[2] = (char)('0' + l % 10);
        memcpy(F, point->order + at, n * n * sizeof(double));
        ap_status status = ap_spd_chol(F, n, name, err);
        if (status < 0) return status;
        ap_spd_clear_upper(F, n);
        status = ap_spd_inverse(point->inverse + at, F, n, err);
        if (status < 0) return status;
        const double logdet = ap_spd_logdet(F, n);
        sum -= net->width[l - 1] * logdet;
        if (l > 1) sum += net->width[l - 2] * (double)net->H[l - 2] * logdet;
        const double width =
            l > 1 ? fmax(net->width[l - 1], net->width[l - 2] * (double)net->H[l - 2]) : net->width[l - 1];
        size += width * (fabs(logdet) + ap_spd_condition(ap_spd_largest(point->order + at, n), F, n));
        if (l == L) trace_top = trace(point->order + at, n);
        above_at = at + n * n;
    }
    point->ua = eliminate_ua(net, trace_top);
    at = 0;
    for (size_t l = 1; l <= L; l++, at = above_at) {
        const size_t n = ap_net_paths(net, l), heads = net->H[l - 1], below = n / heads;
        const double *U = point->order + at;
        double overlap = 0.0;  // tr (U_{l+1}^{-1} ptr_l U_l)
        above_at = at + n * n;
        if (l == L) {
            overlap = trace_top / point->ua;
        } else {
            const double *Y = point->inverse + above_at;
            for (size_t h = 0; h < heads; h++)
                for (size_t j = 0; j < below; j++)
                    for (size_t i = 0; i < below; i++)
                        overlap += Y[i + below * j] * U[(h * below + i) + n * (h * below + j)];
        }
        sum += net->width[l - 1] * overlap / net->variance[l];
    }
    sum += net->width[L - 1] * (double)net->H[L - 1] * log(point->ua);
    sum += net->width[L] * (point->ua / net->variance[L + 1] - log(point->ua));
    size += net->width[L] * (1.0 + fabs(log(point->ua)));
    point->entropy = sum;
    point->noise = DBL_EPSILON * size;
    return AP_OK;
}

size_t ap_entropy_worksize(const ap_net *net) {
    const size_t n = net->L > 1 ? ap_net_paths(net, 2) : 0;  // the largest partial trace
    return ap_times(3, ap_times(n, n));
}

ap_status ap_entropy_gradient(ap_point *point, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t L = net->L, mark = work->used;
    ap_status status = AP_OK;
    for (size_t l = 1, at = 0; l <= L; l++) {
        const size_t n = ap_net_paths(net, l), heads = net->H[l - 1], below = n / heads;
        const double N = net->width[l - 1], variance = net->variance[l];
        const double *Y = point->inverse + at, *above = point->inverse + at + n * n;
        double *grad = point->grad + at;
        for (size_t i = 0; i < n * n; i++) grad[i] = -N * Y[i];
        for (size_t h = 0; h < heads; h++)  // I_{H_l} (x) U_{l+1}^{-1}
            for (size_t j = 0; j < below; j++)
                for (size_t i = 0; i < below; i++)
                    grad[(h * below + i) + n * (h * below + j)] +=
                        N / variance * (l == L ? 1.0 / point->ua : above[i + below * j]);
        if (l > 1) {  // the layer underneath: H U^{-1} - U^{-1} (ptr U_{l-1}) U^{-1} / sigma^2
            const size_t under = net->H[l - 2];
            const double Nu = net->width[l - 2], vu = net->variance[l - 1];
            double *M = ap_take(work, n * n), *B = ap_take(work, n * n), *YMY = ap_take(work, n * n);
            if (YMY == NULL) {
                status = ap_no_memory(err, "ap_entropy_gradient");
                goto done;
            }
            ap_net_ptr(M, point->order + at - under * n * under * n, under, n);
            ap_spd_sandwich(YMY, Y, M, n, B);
            for (size_t i = 0; i < n * n; i++) grad[i] += Nu * ((double)under * Y[i] - YMY[i] / vu);
            work->used = mark;
        }
        at += n * n;
    }
done:
    work->used = mark;
    return status;
}
