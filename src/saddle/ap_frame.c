// ap_frame.c: perturbations of the order parameters in a frame where the metric is the identity
// SPDX-License-Identifier: BSD-3-Clause
//
//   U_l = F_l F_l',   x_l = F_l d_l F_l',   |x|^2 = sum_l tr (U_l^{-1} x_l U_l^{-1} x_l) = sum_l tr (d_l d_l)
//
// In coordinates of d the affine-invariant metric of the cone is 1 for an entry on the diagonal and 2 for one off it,
// and the condition of U does not matter. The derivative of S by d_l is F_l' (dS/dU_l) F_l. Geodesics of the metric are
// F_l exp (d_l) F_l', and F_l (I + d_l + d_l^2/2) F_l', the retraction, is one of them to second order.

#include "saddle/ap_saddle.h"

#include <math.h>
#include <string.h>

ap_status ap_frame_take(ap_frame *frame, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t chain = ap_params_length(net), paths = ap_net_paths(net, 1);
    *frame = (ap_frame){.net = net, .F = ap_take(work, chain)};
    frame->matrix = ap_take(work, chain);
    frame->square = ap_take_matrix(work, paths, paths);
    return frame->square == NULL ? ap_not_taken(work, err, "ap_frame_take") : AP_OK;
}

void ap_frame_move(ap_frame *frame, const ap_point *point) {
    memcpy(frame->F, point->chol, ap_params_length(frame->net) * sizeof(double));
}

void ap_frame_gradient(double *v, ap_frame *frame, const ap_point *point) {
    AP_FREE_MEMBERS (u, frame->net)
        ap_spd_congruence(frame->matrix + u.at, point->grad + u.at, frame->F + u.at, u.n, frame->square);
    ap_params_derivative(v, frame->net, frame->matrix);
}

double ap_frame_matrices(double *x, ap_frame *frame, const double *d, const ap_point *point) {
    double sum = 0.0;
    ap_params_matrices(x, frame->net, d);
    AP_FREE_MEMBERS (u, frame->net) {
        double *xl = x + u.at, *seen = frame->matrix;  // x in the point's own frame
        ap_spd_multiply('N', xl, frame->F + u.at, u.n);
        memcpy(seen, xl, u.n * u.n * sizeof(double));
        ap_spd_divide('N', seen, point->chol + u.at, u.n);
        sum += ap_dot(u.n * u.n, seen, seen);
    }
    return sqrt(sum);
}

double ap_frame_inner(const double *d, const double *e, const ap_net *net) {
    double sum = 0.0;
    AP_FREE_MEMBERS (u, net)
        for (size_t b = 0; b < u.n; b++) {
            for (size_t a = 0; a < b; a++) sum += 2.0 * *d++ * *e++;
            sum += *d++ * *e++;
        }
    return sum;
}

double ap_frame_length(const double *d, const ap_net *net) { return sqrt(ap_frame_inner(d, d, net)); }

ap_status ap_frame_geodesic(double *U, double *d, const double *F, size_t n, double *work, ap_error *err) {
    const ap_status status = ap_spd_eigen('V', work, d, n, "a step along a line", work + n, err);
    if (status < 0) return status;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) d[i + n * j] *= exp(0.5 * work[j]);
    ap_trmm('L', 'N', n, n, 1.0, F, n, d, n);
    ap_gemm('N', 'T', n, n, n, 1.0, d, n, d, n, 0.0, U, n);
    ap_spd_symmetrise(U, n);
    return AP_OK;
}

void ap_frame_retract(double *U, double one, const double *d, const double *F, size_t n) {
    memcpy(U, d, n * n * sizeof(double));
    ap_gemm('N', 'N', n, n, n, 0.5, d, n, d, n, 1.0, U, n);
    for (size_t i = 0; i < n; i++) U[i + n * i] += one;
    ap_spd_multiply('N', U, F, n);
    ap_spd_symmetrise(U, n);
}

static void transpose(double *A, size_t n) {
    for (size_t j = 1; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            const double swap = A[i + n * j];
            A[i + n * j] = A[j + n * i];
            A[j + n * i] = swap;
        }
}

// T takes coordinates of d_1 to those of x_1. A column of E stands for the symmetric matrix M with half its entries off
// the diagonal, and T' times the column for F' M F. Columns first, then rows; some columns side by side, so that
// F' M F = F' (F' M)' is two products for all of them: 4 q^2 Pi flops in all.
void ap_frame_form(double *E, const double *F, size_t paths, double *scratch) {
    const size_t q = ap_pairs_count(paths), cells = paths * paths;
    ap_spd_mirror(E, q);
    for (int side = 0; side < 2; side++) {
        for (size_t first = 0; first < q; first += ap_frame_panel) {
            const size_t count = q - first < ap_frame_panel ? q - first : ap_frame_panel;
            for (size_t j = 0; j < count; j++) ap_pairs_unpack(scratch + cells * j, E + q * (first + j), paths, 0.5);
            ap_trmm('L', 'T', paths, paths * count, 1.0, F, paths, scratch, paths);
            for (size_t j = 0; j < count; j++) transpose(scratch + cells * j, paths);
            ap_trmm('L', 'T', paths, paths * count, 1.0, F, paths, scratch, paths);
            for (size_t j = 0; j < count; j++) ap_pairs_pack(E + q * (first + j), scratch + cells * j, paths, 2.0);
        }
        transpose(E, q);
    }
}
