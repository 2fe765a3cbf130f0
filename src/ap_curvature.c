// ap_curvature.c: second derivatives of the action, exact where they are cheap
// SPDX-License-Identifier: BSD-3-Clause
//
// Along the retraction U(x) = U + x + x U^{-1} x / 2, which never leaves the cone (it is (I + (I + d)^2)/2 in the frame
// where U = I, x = d) and follows the geodesic of the affine-invariant metric to second order, the entropy (T8) has
// the second derivative, with Y_l = U_l^{-1}, M_l = ptr_l U_l:
//
//   sum_l N_l/sigma_l^2 [ tr ((I (x) Y_{l+1}) x_l Y_l x_l) - 2 tr (Y_{l+1} x_{l+1} Y_{l+1} ptr_l x_l)
//                         + tr (Y_{l+1} M_l Y_{l+1} x_{l+1} Y_{l+1} x_{l+1}) ]
//   - (N_L/(sigma_L^2 u_a))^2 (tr x_L)^2 / c,    c = N_a u_a/sigma_a^2 + N_L tr U_L / (sigma_L^2 u_a)
//
// the last term from eliminating u_a. The log det terms are linear along geodesics and drop out. Every term is a
// quadratic form tr (A x B x): positive semidefinite, for the entropy is geodesically convex. The energy adds
// tr (G x_1 U_1^{-1} x_1) from the retraction and, with D_p = dK/dU_p, W_p = F^{-1} D_p F^{-T}, v_p = F^{-1} D_p b,
//
//   d^2 E / dU_p dU_q = 2 v_p . v_q  -  tr (W_p W_q).
//
// The first part is exact and cheap: one product D_p b and one triangular solve a pair. The second costs 2 P^3 flops a
// pair if formed. ap_curvature_energy estimates it with a few random sign vectors z instead, E z z' = I:
//
//   tr (W_p W_q) = P c_p c_q + tr ((W_p - c_p I) (W_q - c_q I)),   c_p = tr W_p / P,
//
// where c_p is known from the gradient, so that only the remainder is estimated, by the mean of
// ((W_p - c_p I) z) . ((W_q - c_q I) z). Relative error about sqrt (2/(P probes)), always positive semidefinite.

#include "ap_curvature.h"

#include <stdint.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_spd.h"

size_t ap_curvature_count(const ap_net *net) {
    size_t n = 0;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t paths = ap_net_paths(net, l);
        n = ap_plus(n, ap_times(paths, ap_plus(paths, 1)) / 2);
    }
    return n;
}

void ap_curvature_vector(double *v, const ap_net *net, const double *grad) {
    for (size_t l = 1; l <= net->L; l++) {
        const size_t n = ap_net_paths(net, l);
        for (size_t b = 0; b < n; b++)
            for (size_t a = 0; a <= b; a++) *v++ = (a == b ? 1.0 : 2.0) * grad[a + n * b];
        grad += n * n;
    }
}

void ap_curvature_matrices(double *xi, const ap_net *net, const double *v) {
    for (size_t l = 1; l <= net->L; l++) {
        const size_t n = ap_net_paths(net, l);
        for (size_t b = 0; b < n; b++)
            for (size_t a = 0; a <= b; a++) xi[a + n * b] = xi[b + n * a] = *v++;
        xi += n * n;
    }
}

// With E_ab = e_a e_b' + e_b e_a' (a < b) or e_a e_a': entry (ab, cd) is alpha/2 [tr (A E_ab B E_cd) + tr (B E_ab A E_cd)].
void ap_curvature_add(double *H, size_t n, size_t paths, double alpha, const double *A, const double *B) {
    const size_t m = paths;
    for (size_t b = 0, col = 0; b < m; b++)
        for (size_t a = 0; a <= b; a++, col++)
            for (size_t d = b, row = col; d < m; d++) {
                const size_t first = d == b ? a : 0;
                const double Abd = A[b + m * d], Bbd = B[b + m * d], Aad = A[a + m * d], Bad = B[a + m * d];
                for (size_t c = first; c <= d; c++, row++) {
                    double sum = A[a + m * c] * Bbd + B[a + m * c] * Abd + A[b + m * c] * Bad + B[b + m * c] * Aad;
                    if (a == b) sum *= 0.5;
                    if (c == d) sum *= 0.5;
                    H[row + n * col] += alpha * sum;
                }
            }
}

size_t ap_curvature_worksize(const ap_net *net) {
    const size_t n = ap_net_paths(net, 1);
    return ap_times(3, ap_times(n, n));
}

// Cross block of layers l and l+1: rows the coordinates of x_{l+1}, columns those of x_l; H points at its corner.
static void add_cross(double *H, size_t n, size_t heads, size_t below, double alpha, const double *Y) {
    const size_t paths = heads * below, m = below;
    for (size_t b = 0, col = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++, col++) {
            if (a / m != b / m) continue;  // ptr sees diagonal blocks only
            const size_t i = a % m, j = b % m;
            for (size_t d = 0, row = 0; d < m; d++)
                for (size_t c = 0; c <= d; c++, row++) {
                    double sum = Y[c + m * i] * Y[j + m * d] + Y[c + m * j] * Y[i + m * d];
                    if (c == d) sum *= 0.5;
                    if (a == b) sum *= 0.5;
                    H[row + n * col] += 2.0 * alpha * sum;
                }
        }
}

ap_status ap_curvature_entropy(double *H, const ap_net *net, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t L = net->L, n = ap_curvature_count(net), mark = work->used, largest = ap_net_paths(net, 1);
    double *A = ap_take(work, largest * largest), *M = ap_take(work, largest * largest);
    double *B = ap_take(work, largest * largest);
    if (B == NULL) {
        work->used = mark;
        return ap_no_memory(err, "ap_curvature_entropy");
    }
    for (size_t j = 0; j < n; j++) memset(H + j + n * j, 0, (n - j) * sizeof(double));
    for (size_t l = 1, at = 0, first = 0; l <= L; l++) {
        const size_t paths = ap_net_paths(net, l), heads = net->H[l - 1], below = paths / heads;
        const size_t next = first + paths * (paths + 1) / 2;
        const double weight = net->width[l - 1] / net->variance[l], top = 1.0 / point->ua;
        const double *U = point->order + at, *Y = point->inverse + at, *above = l == L ? &top : Y + paths * paths;
        memset(A, 0, paths * paths * sizeof(double));
        memset(M, 0, below * below * sizeof(double));
        for (size_t h = 0; h < heads; h++)
            for (size_t j = 0; j < below; j++)
                for (size_t i = 0; i < below; i++) {
                    const size_t entry = (h * below + i) + paths * (h * below + j);
                    A[entry] = above[i + below * j];
                    M[i + below * j] += U[entry];
                }
        ap_curvature_add(H + first + n * first, n, paths, weight, A, Y);
        if (l < L) {
            add_cross(H + next + n * first, n, heads, below, -weight, above);
            ap_spd_sandwich(A, above, M, below, B);
            ap_curvature_add(H + next + n * next, n, below, weight, A, above);
        } else {  // below = 1, M = tr U_L
            const double c = net->width[L] * point->ua / net->variance[L + 1] + weight * M[0] / point->ua;
            const double rank_one = weight * weight / (point->ua * point->ua * c);
            for (size_t b = 0; b < paths; b++)
                for (size_t d = b; d < paths; d++)  // the diagonal entry of column b has index b (b+3)/2
                    H[first + d * (d + 3) / 2 + n * (first + b * (b + 3) / 2)] -= rank_one;
        }
        at += paths * paths;
        first = next;
    }
    work->used = mark;
    return AP_OK;
}

// Random signs from the splitmix64 sequence (Steele, Lea, Flood 2014): the same for every call, so that the estimate is
// a smooth function of the point and a solution does not depend on what was computed before.
static void signs(double *Z, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t x = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        Z[i] = ((x ^ (x >> 31)) >> 63) != 0 ? 1.0 : -1.0;
    }
}

size_t ap_curvature_energysize(const ap_problem *p, size_t probes) {
    const size_t P = p->kernel->P, m = probes + 1;
    return ap_plus(ap_times(ap_times(P, ap_plus(p->kernel->pairs, 1)), m), ap_kernel_applysize(p->kernel, m));
}

ap_status ap_curvature_energy(double *labels, double *g, double *logdet, size_t probes, const ap_problem *p,
                              const ap_point *point, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, paths = p->kernel->paths, q = p->kernel->pairs, m = probes + 1, mark = work->used;
    double *V = ap_take(work, P * q * m), *Z = ap_take(work, P * m), *z = Z == NULL ? NULL : Z + P;
    ap_status status = AP_OK;
    if (Z == NULL) {
        status = ap_no_memory(err, "ap_curvature_energy");
        goto done;
    }
    memcpy(Z, point->b, P * sizeof(double));
    signs(z, P * probes);
    if (probes > 0) ap_trsm('L', 'T', P, probes, 1.0, point->F, P, z, P);  // F^{-T} z
    status = ap_kernel_apply(V, p->kernel, Z, m, work, err);
    if (status < 0) goto done;
    ap_gemv('T', P, q, 1.0, V, P, point->b, 0.0, g);  // b' D_p b
    for (size_t b = 0, k = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++, k++) g[k] += (a == b ? 1.0 : 2.0) * point->G[a + paths * b];
    ap_trsm('L', 'N', P, q * m, 1.0, point->F, P, V, P);
    ap_syrk('T', q, P, 2.0, V, P, 0.0, labels, q);
    if (probes == 0) goto done;
    signs(z, P * probes);
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) logdet[i + q * j] = g[i] * g[j] / (double)P;
    for (size_t s = 0; s < probes; s++) {
        double *Vs = V + P * q * (s + 1);
        for (size_t j = 0; j < q; j++) ap_axpy(P, -g[j] / (double)P, z + P * s, Vs + P * j);
        ap_syrk('T', q, P, 1.0 / (double)probes, Vs, P, 1.0, logdet, q);
    }
done:
    work->used = mark;
    return status;
}
