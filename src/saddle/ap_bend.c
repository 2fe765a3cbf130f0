// ap_bend.c: how the entropy bends along a direction, as a linear map
// SPDX-License-Identifier: BSD-3-Clause
//
// The entropy's second derivative of ap_curvature.c, in the frame x_l = F_l d_l F_l', is a sum of squares,
//
//   sum_l w_l | B_l d_l - (I (x) d_{l+1}) B_l |^2  -  factor <F_L' F_L, d_L>^2,      w_l = N_l / sigma_l^2,
//   B_l = (I (x) F_{l+1}^{-1}) F_l,     d_{L+1} = 0,     factor from eliminating u_a,
//
// so that it needs no matrix in the coordinates of d: with B_l = (B_h) one block of rows a head,
//
//   C_l = w_l B_l' B_l + w_{l-1} sum_h B_h B_h'      the layer's own form, tr (C_l d_l d_l)
//   - 2 w_l <B_l d_l, (I (x) d_{l+1}) B_l>           between neighbours
//
// and its product with a direction takes some products of matrices [Pi_l x Pi_l]: about 10 Pi^3 flops. The energy's
// share from the bend of the retraction, tr (F' G F d_1 d_1), belongs to C_1; along straight lines (`retraction` 0
// instead of 1) C_l loses F_l' (dS/dU_l) F_l.
//
// An approximate inverse preconditions the search. At a saddle point C_1 = N_1 I, for the gradient vanishes there, and
// with no data eliminating d_l from below takes from C_{l+1} just what it owes to layer l. So the factors are block
// triangular, with tr (S_l d_l d_l), S_l = C_l - w_{l-1} sum_h B_h B_h', on the diagonal, of which the inverse is the
// division by (s_i + s_j)/2 in the eigenvectors of S_l; where the sum is small or negative, far from solutions, a part
// of N_l stands for it. With the diagonal alone, C_l in the place of S_l, twice as many products are needed: 137
// against 57 for 144 paths, P = 300, N = 10.

#include "saddle/ap_bend.h"

#include <math.h>
#include <string.h>

#include "base/ap_blas.h"
#include "base/ap_core.h"
#include "network/ap_order.h"
#include "base/ap_spd.h"

static const double least = 0.1;  // of N_l, for the smallest curvature that the inverse takes for true

ap_status ap_bend_take(ap_bend *t, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t chain = ap_order_length(net), paths = ap_net_paths(net, 1), last = ap_net_paths(net, net->L);
    size_t sum = 0;
    for (size_t l = 1; l <= net->L; l++) sum = ap_plus(sum, ap_net_paths(net, l));
    *t = (ap_bend){.net = net};
    t->F = ap_take(work, chain);
    t->B = ap_take(work, chain);
    t->C = ap_take(work, chain);
    t->Q = ap_take(work, chain);
    t->values = ap_take(work, sum);
    t->back = ap_take_matrix(work, paths, paths);
    t->top = ap_take_matrix(work, last, last);
    t->one = ap_take_matrix(work, paths, paths);
    t->two = ap_take(work, ap_times(paths, ap_plus(paths, 3)));  // dsyev wants three rows for small matrices
    return t->two == NULL ? ap_not_taken(work, err, "ap_bend") : AP_OK;
}

// A := A + weight (B + B') / 2
static void add_symmetric(double *A, double weight, const double *B, size_t n) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) A[i + n * j] += 0.5 * weight * (B[i + n * j] + B[j + n * i]);
}

// C_l := C_l + weight F_l' A F_l
static void add_framed(ap_bend *t, const ap_member *u, double weight, const double *A) {
    double *C = t->C + u->at;
    ap_spd_congruence(t->one, A, t->F + u->at, u->n, t->two);
    for (size_t i = 0; i < u->n * u->n; i++) C[i] += weight * t->one[i];
}

static void make_layer(ap_bend *t, size_t l, const ap_point *point, double retraction) {
    const ap_member u = ap_order_member(t->net, l), up = ap_order_member(t->net, l + 1);
    const size_t n = u.n, m = u.below;
    double *B = t->B + u.at, *C = t->C + u.at, *Q = t->Q + u.at, *above = t->C + up.at;
    for (size_t i = 0; i < n * n; i++) Q[i] = l > 1 ? -C[i] : 0.0;  // what C owes to the layer underneath
    memcpy(B, t->F + u.at, n * n * sizeof(double));
    for (size_t h = 0; h < u.heads; h++) ap_trsm('L', 'N', m, n, 1.0, t->F + up.at, m, B + h * m, n);
    ap_gemm('T', 'N', n, n, n, u.width / u.variance, B, n, B, n, l > 1 ? 1.0 : 0.0, C, n);
    for (size_t h = 0; h < u.heads && l < t->net->L; h++)
        ap_gemm('N', 'T', m, m, n, u.width / u.variance, B + h * m, n, B + h * m, n, h > 0 ? 1.0 : 0.0, above, m);
    if (l == 1) add_framed(t, &u, 1.0, point->G);
    if (retraction < 1.0) add_framed(t, &u, retraction - 1.0, point->grad + u.at);
    ap_spd_symmetrise(C, n);
    for (size_t i = 0; i < n * n; i++) Q[i] += C[i];
}

static void make_top(ap_bend *t, const ap_point *point) {
    const ap_member u = ap_order_member(t->net, t->net->L), up = ap_order_member(t->net, t->net->L + 1);
    const double *U = point->order + u.at, ua = point->order[up.at], weight = u.width / u.variance;
    double trace = 0.0;
    for (size_t i = 0; i < u.n; i++) trace += U[i + u.n * i];
    t->factor = weight * weight / (ua * ua * (up.width * ua / up.variance + weight * trace / ua));
    if (ap_order_fixed(t->net)) t->factor = 0.0;
    ap_gemm('T', 'N', u.n, u.n, u.n, 1.0, t->F + u.at, u.n, t->F + u.at, u.n, 0.0, t->top, u.n);
}

ap_status ap_bend_make(ap_bend *t, const ap_point *point, double retraction, ap_error *err) {
    memcpy(t->F, point->chol, ap_order_length(t->net) * sizeof(double));
    double *values = t->values;
    for (size_t l = 1; l <= t->net->L; l++) {
        const ap_member u = ap_order_member(t->net, l);
        make_layer(t, l, point, retraction);
        if (!ap_syev('V', u.n, t->Q + u.at, u.n, values, t->two))
            return ap_fail(err, AP_ELAPACK, "dsyev did not converge (order %zu)", u.n);
        for (size_t i = 0; i < u.n; i++)
            if (!isfinite(values[i])) return ap_fail(err, AP_ENONFINITE, "the curvature of the entropy is not finite");
        values += u.n;
    }
    make_top(t, point);
    return AP_OK;
}

// M := M + weight w_l sym (B_l' (I (x) d_{l+1}) B_l), what d_{l+1} gives to layer l
static void add_down(double *M, ap_bend *t, size_t l, const double *above, double weight) {
    const ap_member u = ap_order_member(t->net, l);
    const size_t n = u.n, m = u.below;
    const double *B = t->B + u.at;
    for (size_t h = 0; h < u.heads; h++)
        ap_gemm('N', 'N', m, n, m, 1.0, above, m, B + h * m, n, 0.0, t->one + h * m, n);
    ap_gemm('T', 'N', n, n, n, u.width / u.variance, B, n, t->one, n, 0.0, t->two, n);
    add_symmetric(M, weight, t->two, n);
}

// M := M + weight w_l sum_h sym (B_h d_l B_h'), what d_l gives to layer l + 1
static void add_up(double *M, ap_bend *t, size_t l, const double *d, double weight) {
    const ap_member u = ap_order_member(t->net, l);
    const size_t n = u.n, m = u.below;
    const double *B = t->B + u.at;
    ap_gemm('N', 'N', n, n, n, u.width / u.variance, B, n, d, n, 0.0, t->one, n);
    for (size_t h = 0; h < u.heads; h++)
        ap_gemm('N', 'T', m, m, n, 1.0, t->one + h * m, n, B + h * m, n, h > 0 ? 1.0 : 0.0, t->two, m);
    add_symmetric(M, weight, t->two, m);
}

void ap_bend_apply(double *M, ap_bend *t, const double *d) {
    memset(M, 0, ap_order_length(t->net) * sizeof(double));
    for (size_t l = 1; l <= t->net->L; l++) {
        const ap_member u = ap_order_member(t->net, l);
        ap_gemm('N', 'N', u.n, u.n, u.n, 1.0, t->C + u.at, u.n, d + u.at, u.n, 0.0, t->one, u.n);
        add_symmetric(M + u.at, 1.0, t->one, u.n);
    }
    for (size_t l = 1; l < t->net->L; l++) {
        const ap_member u = ap_order_member(t->net, l), up = ap_order_member(t->net, l + 1);
        add_down(M + u.at, t, l, d + up.at, -1.0);
        add_up(M + up.at, t, l, d + u.at, -1.0);
    }
    const ap_member u = ap_order_member(t->net, t->net->L);
    ap_axpy(u.n * u.n, -t->factor * ap_dot(u.n * u.n, t->top, d + u.at), t->top, M + u.at);
}

// Half the sum of two eigenvalues of S_l, or what stands for it
static double divisor(const double *values, size_t i, size_t j, double width) {
    return fmax(0.5 * (values[i] + values[j]), least * width);
}

// Ml := d with sym (S_l d) = Ml, or with `root` half of the way
static void solve_layer(double *Ml, ap_bend *t, const ap_member *u, const double *values, bool root) {
    const size_t n = u->n;
    const double *Q = t->Q + u->at;
    ap_gemm('N', 'N', n, n, n, 1.0, Ml, n, Q, n, 0.0, t->one, n);
    ap_gemm('T', 'N', n, n, n, 1.0, Q, n, t->one, n, 0.0, Ml, n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const double by = divisor(values, i, j, u->width);
            Ml[i + n * j] /= root ? sqrt(by) : by;
        }
    ap_gemm('N', 'T', n, n, n, 1.0, Ml, n, Q, n, 0.0, t->one, n);
    ap_gemm('N', 'N', n, n, n, 1.0, Q, n, t->one, n, 0.0, Ml, n);
    ap_spd_symmetrise(Ml, n);
}

// M_l := M_l + S_l^{-1} of what M_{l+1} gives to layer l, from the top but one down
static void substitute_back(double *M, ap_bend *t) {
    const size_t L = t->net->L;
    const double *values = t->values;
    for (size_t l = 1; l < L; l++) values += ap_net_paths(t->net, l);
    for (size_t l = L; l-- > 1;) {
        const ap_member u = ap_order_member(t->net, l);
        values -= u.n;
        memset(t->back, 0, u.n * u.n * sizeof(double));
        add_down(t->back, t, l, M + u.at + u.n * u.n, 1.0);
        solve_layer(t->back, t, &u, values, false);
        ap_axpy(u.n * u.n, 1.0, t->back, M + u.at);
    }
}

void ap_bend_solve(double *M, ap_bend *t) {
    const size_t L = t->net->L;
    const double *values = t->values;
    for (size_t l = 1; l <= L; l++) {
        const ap_member u = ap_order_member(t->net, l);
        solve_layer(M + u.at, t, &u, values, false);
        if (l < L) add_up(M + u.at + u.n * u.n, t, l, M + u.at, 1.0);
        values += u.n;
    }
    substitute_back(M, t);
}

void ap_bend_forth(double *M, ap_bend *t) {
    const size_t L = t->net->L;
    const double *values = t->values;
    for (size_t l = 1; l <= L; l++) {
        const ap_member u = ap_order_member(t->net, l);
        solve_layer(M + u.at, t, &u, values, true);
        if (l < L) {
            memcpy(t->back, M + u.at, u.n * u.n * sizeof(double));
            solve_layer(t->back, t, &u, values, true);
            add_up(M + u.at + u.n * u.n, t, l, t->back, 1.0);
        }
        values += u.n;
    }
}

void ap_bend_back(double *M, ap_bend *t) {
    const double *values = t->values;
    for (size_t l = 1; l <= t->net->L; l++) {
        const ap_member u = ap_order_member(t->net, l);
        solve_layer(M + u.at, t, &u, values, true);
        values += u.n;
    }
    substitute_back(M, t);
}

double ap_bend_logdet(const ap_bend *t) {
    const double *values = t->values;
    double sum = 0.0;
    for (size_t l = 1; l <= t->net->L; l++) {
        const ap_member u = ap_order_member(t->net, l);
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i <= j; i++) sum += log(divisor(values, i, j, u.width));
        values += u.n;
    }
    return sum;
}
