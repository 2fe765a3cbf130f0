// ap_bartlett.c: the chain of Bartlett factors behind the order parameters of a finite network
// SPDX-License-Identifier: BSD-3-Clause
//
// A priori the order parameters are a chain of Wishart matrices (T11). Each is written by its Bartlett factor (T14),
//
//   U_l = R_l R_l',   R_l = sigma_l / sqrt (N_l) (I_{H_l} (x) R_{l+1}) B_l,   R_{L+1} = sigma_a / sqrt (N_a) B_{L+1}
//
// where B_l [q_l x m_l] is lower trapezoidal, q_l = H_l m_{l+1}, m_l = min (q_l, N_l): standard normals below the
// diagonal, and on it independent chi variables with N_l, N_l - 1, .. degrees of freedom. That is the LQ factor of a
// q_l x N_l matrix of standard normals, so it holds for N_l < Pi_l as well, where U_l is singular: nothing is special
// about that case. The coordinates x are the normals themselves and, for a chi variable b with k degrees of freedom,
//
//   b = sqrt (k) exp (s x),   s^2 = (k + 1) / (2 k^2)
//
// (the variance of log chi is about 1/(2k)), all close to standard normal a priori. The one with a single degree of
// freedom, in the last column where m_l = N_l, is a normal instead, b = x of either sign: U_l does not see the sign of
// a column. With b > 0 a singular U_l could not pass b = 0, where its density does not vanish; half of the ways between
// the signs of its other entries would be closed, and chains were stuck there.
// Where layer l has a skip connection U_{l+1} is the leading block of U_l, and R_l has one more block of rows on top
// (T28),
//
//   R_l = [ R_{l+1}  0 ]  over  sigma_l / sqrt (N_l) (I_{H_l} (x) R_{l+1}) [ Z_l  B_l ]
//
// with normals Z_l [q_l x m_{l+1}] and the Bartlett factor B_l of N_l - m_{l+1} degrees of freedom. [Z_l B_l] is kept
// in the place of B_l: a trapezoid with m_{l+1} full columns before it, m_{l+1} + min (q_l, N_l - m_{l+1}) in all.
// A turn of rows, orthogonal matrices V_l,
//
//   R_l = sigma_l / sqrt (N_l) (I_{H_l} (x) R_{l+1}) V_l B_l,
//
// leaves the prior as it is, since V_l B_l is B_l up to a rotation of columns, which leaves U_l as it is. It decides
// which rows come first. Columns of B_l stand for the span of its first rows. If labels hardly depend on these rows,
// as for the sum of all outputs of coupled classes, with labels 0, the rows rotate all others as they move. Where U_l
// is singular a chain therefore takes V_l from its mode: the eigenvectors of the matrix that stands there for B_l B_l',
// largest eigenvalue first. In these coordinates the mode is diagonal.
// With several outputs the chain begins one level lower, with the readout's matrix: R_{L+1} = 1, and R_L of the chain,
// the readout's, is sigma_a / sqrt (N_a) B_L (T17).
// 14 unknowns for the four paths of two layers of two heads, whatever the widths, 147 for two layers of four.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

typedef struct level {   // one order parameter of the chain, L+1 being the readout's
    bool fixed;          // U_{L+1} = 1 of several outputs: B = R = 1, without coordinates
    size_t paths, q, m;  // Pi_l, rows and columns of B_l
    size_t full;         // columns before its trapezoid: m_{l+1} where the layer has a skip connection, else 0
    size_t above;        // columns of R_{l+1}; 1 at the top
    double N, scale;     // width; sigma / sqrt (N)
} level;

static level level_of(const ap_net *net, size_t l) {  // by recursion from the top
    level here = {.paths = ap_net_paths(net, l), .q = 1, .above = 1, .N = net->width[l - 1]};
    here.fixed = l == net->L + 1 && ap_params_fixed(net);
    here.scale = sqrt(net->variance[l] / here.N);
    if (l <= net->L) {
        here.above = level_of(net, l + 1).m;
        here.q = net->H[l - 1] * here.above;
        here.full = ap_params_member(net, l).tied > 0 ? here.above : 0;
    }
    const size_t left = ap_weights_width(net, l) - here.full;  // not negative: m_{l+1} <= N_{l+1} = N_l
    here.m = here.full + (here.q < left ? here.q : left);
    return here;
}

// Normals in column j of B, below its diagonal where it is one of the trapezoid.
static size_t normals(const level *v, size_t j) { return j < v->full ? v->q : v->q - (j - v->full) - 1; }

// Degrees of freedom on the diagonal of column j of the trapezoid.
static double degrees(const level *v, size_t j) { return v->N - (double)j; }

static size_t trapezoid(const level *v) {  // coordinates
    size_t count = v->m - v->full;
    for (size_t j = 0; j < v->m; j++) count += normals(v, j);
    return v->fixed ? 0 : count;
}

size_t ap_bartlett_dim(const ap_net *net) {
    size_t count = 0;
    for (size_t l = 1; l <= net->L + 1; l++) {
        const level v = level_of(net, l);
        count = ap_plus(count, trapezoid(&v));
    }
    return count;
}

size_t ap_bartlett_rank(const ap_net *net, size_t layer) { return level_of(net, layer).m; }

ap_bartlett_sizes ap_bartlett_size(const ap_net *net) {
    ap_bartlett_sizes size = {0, 0, 0};
    for (size_t l = 1; l <= net->L + 1; l++) {
        const level v = level_of(net, l);
        const size_t B = ap_times(v.q, v.m);
        size.B = ap_plus(size.B, B);
        size.R = ap_plus(size.R, ap_times(v.paths, v.m));
        if (B > size.largest) size.largest = B;
    }
    return size;
}

static bool is_chi(double k) { return k > 1.0; }

// Singular value of a turned factor, over the largest: below it there is no direction.
static const double least = 1e-6;

static double spread(double k) { return sqrt(0.5 * (k + 1.0)) / k; }

void ap_bartlett_factors(double *B, double *R, const ap_net *net, const double *x, const double *turn) {
    const double one = 1.0, *above = &one;
    for (size_t l = net->L + 1; l >= 1; l--) {
        const level v = level_of(net, l);
        memset(B, 0, v.q * v.m * sizeof(double));
        if (v.fixed) B[0] = 1.0;
        for (size_t j = 0; j < v.m && !v.fixed; j++) {
            const double k = degrees(&v, j);
            if (j >= v.full) {
                B[j - v.full + v.q * j] = is_chi(k) ? sqrt(k) * exp(spread(k) * *x) : *x;
                x++;
            }
            for (size_t i = v.q - normals(&v, j); i < v.q; i++) B[i + v.q * j] = *x++;
        }
        if (turn != NULL) {
            memcpy(R, B, v.q * v.m * sizeof(double));
            ap_gemm('N', 'N', v.q, v.m, v.q, 1.0, turn, v.q, R, v.q, 0.0, B, v.q);
            turn += v.q * v.q;
        }
        const ap_member u = ap_params_member(net, l);
        ap_params_factor(R, v.scale, above, v.above, B, v.m, &u);
        above = R;
        B += v.q * v.m;
        R += v.paths * v.m;
    }
}

// dB := V' dB; dR: of its level, which is not needed any more
static void turn_back(double *dB, double *dR, const level *v, const double *V) {
    memcpy(dR, dB, v->q * v->m * sizeof(double));
    ap_gemm('T', 'N', v->q, v->m, v->q, 1.0, V, v->q, dR, v->q, 0.0, dB, v->q);
}

void ap_bartlett_backward(double *grad, double *dR, double *dB, const ap_net *net, const double *x, const double *turn,
                          const double *B, const double *R) {
    const ap_bartlett_sizes size = ap_bartlett_size(net);
    const double one = 1.0;
    size_t at_x = ap_bartlett_dim(net), at_B = size.B, at_R = size.R, at_turn = ap_bartlett_turns(net);
    for (size_t l = 1; l <= net->L + 1; l++) {
        const level v = level_of(net, l);
        at_x -= trapezoid(&v);
        at_B -= v.q * v.m;
        at_R -= v.paths * v.m;
        at_turn -= turn == NULL ? 0 : v.q * v.q;
        const ap_member u = ap_params_member(net, l);
        const size_t before = l <= net->L ? at_R - u.below * v.above : 0;
        ap_params_factor_back(dB, l <= net->L ? dR + before : NULL, v.scale, dR + at_R, l <= net->L ? R + before : &one,
                              v.above, B + at_B, v.m, &u);
        if (turn != NULL) turn_back(dB, dR + at_R, &v, turn + at_turn);
        double *g = grad + at_x;
        const double *xl = x + at_x;
        for (size_t j = 0; j < v.m && !v.fixed; j++) {
            if (j >= v.full) {
                const size_t at = j - v.full + v.q * j;
                const double k = degrees(&v, j), s = spread(k), b = sqrt(k) * exp(s * *xl);
                *g++ = is_chi(k) ? s * (b * b - k + b * dB[at]) - *xl : dB[at];
                xl++;
            }
            for (size_t i = v.q - normals(&v, j); i < v.q; i++, xl++) *g++ = dB[i + v.q * j];
        }
    }
}

size_t ap_bartlett_turns(const ap_net *net) {
    bool singular = false;
    size_t count = 0;
    for (size_t l = 1; l <= net->L + 1; l++) {
        const level v = level_of(net, l);
        if (v.full > 0) return 0;
        singular = singular || v.m < v.q;
        count = ap_plus(count, ap_times(v.q, v.q));
    }
    return singular ? count : 0;
}

// V := eigenvectors of C C', largest first; C [q x m] := V' C, rows of length s; x := coordinates of B = diag (s)
static ap_status turn_level(double *V, double *C, double *x, const level *v, double *room, ap_error *err) {
    const size_t q = v->q, m = v->m;
    double *D = room, *w = D + q * m, *swap = w + q;
    ap_spd_outer(V, 1.0, C, q, m);
    const ap_status status = ap_spd_eigen('V', w, V, q, "an order parameter at the mode", swap, err);
    if (status < 0) return status;
    ap_spd_reverse(V, q);
    memcpy(D, C, q * m * sizeof(double));
    ap_gemm('T', 'N', q, m, q, 1.0, V, q, D, q, 0.0, C, q);
    for (size_t j = 0; j < m; j++) {
        double s = 0.0;
        for (size_t i = 0; i < m; i++) s = hypot(s, C[j + q * i]);
        s = fmax(s, least * sqrt(w[q - 1]));
        for (size_t i = 0; i < m; i++) C[j + q * i] /= s;
        const double k = degrees(v, j);
        *x++ = is_chi(k) ? log(s / sqrt(k)) / spread(k) : s;
        memset(x, 0, normals(v, j) * sizeof(double));
        x += normals(v, j);
    }
    return AP_OK;
}

ap_status ap_bartlett_turn(double *turn, double *x, const ap_net *net, ap_work *work, ap_error *err) {
    const ap_bartlett_sizes size = ap_bartlett_size(net);
    const size_t mark = work->used, largest = ap_bartlett_turns(net);
    double *B = ap_take(work, size.B), *R = ap_take(work, size.R), *C = ap_take(work, largest);
    double *above = ap_take(work, largest), *room = ap_take(work, ap_times(5, largest));
    ap_status status = room == NULL ? ap_not_taken(work, err, "ap_bartlett_turn") : AP_OK;
    if (status < 0) goto done;
    ap_bartlett_factors(B, R, net, x, NULL);
    above[0] = 1.0;  // [m x q] of the level above in its first m rows: what has turned the columns there
    for (size_t l = net->L + 1, m = 1, rows = 1; l >= 1 && status == AP_OK; l--) {
        const level v = level_of(net, l);
        for (size_t h = 0; h < v.q; h += m) ap_gemm('N', 'N', m, v.m, m, 1.0, above, rows, B + h, v.q, 0.0, C + h, v.q);
        if (v.fixed)
            turn[0] = 1.0;
        else
            status = turn_level(turn, C, x, &v, room, err);
        memcpy(above, C, v.q * v.m * sizeof(double));
        m = v.m;
        rows = v.q;
        x += trapezoid(&v);
        B += v.q * v.m;
        turn += v.q * v.q;
    }
done:
    work->used = mark;
    return status;
}

// Normals add nothing, a chi variable b^2/2 - k log b less the normal that psi leaves out.
double ap_bartlett_prior(double *grad, const ap_net *net, const double *x) {
    double sum = 0.0;
    if (grad != NULL) memset(grad, 0, ap_bartlett_dim(net) * sizeof(double));
    for (size_t l = net->L + 1, at = 0; l >= 1; l--) {
        const level v = level_of(net, l);
        for (size_t j = 0; j < v.m && !v.fixed; j++) {
            const double k = degrees(&v, j), s = spread(k), t = s * x[at];
            if (j >= v.full && is_chi(k)) {
                sum += k * (0.5 * exp(2.0 * t) - t) - 0.5 * x[at] * x[at];
                if (grad != NULL) grad[at] = k * s * expm1(2.0 * t) - x[at];
            }
            at += normals(&v, j) + (j >= v.full ? 1 : 0);
        }
    }
    return sum;
}

void ap_bartlett_start(double *x, const ap_net *net, ap_rng *rng) {
    for (size_t l = net->L + 1; l >= 1; l--) {
        const level v = level_of(net, l);
        for (size_t j = 0; j < v.m && !v.fixed; j++) {
            const double k = degrees(&v, j);
            if (j >= v.full) *x++ = is_chi(k) ? log(ap_rng_chi(k, rng) / sqrt(k)) / spread(k) : ap_rng_normal(rng);
            ap_rng_normals(x, normals(&v, j), rng);
            x += normals(&v, j);
        }
    }
}

const double *ap_bartlett_last(const double *R, const ap_net *net) {
    return R + ap_bartlett_size(net).R - ap_net_paths(net, 1) * ap_bartlett_rank(net, 1);
}

void ap_bartlett_order(double *U, const double *R, const ap_net *net) {
    ap_spd_outer(U, 1.0, ap_bartlett_last(R, net), ap_net_paths(net, 1), ap_bartlett_rank(net, 1));
}

void ap_bartlett_chain(double *order, const double *R, const ap_net *net) {
    for (size_t l = net->L + 1; l >= 1; l--) {
        const size_t paths = ap_net_paths(net, l), m = ap_bartlett_rank(net, l);
        ap_spd_outer(order + ap_params_at(net, l), 1.0, R, paths, m);
        R += paths * m;
    }
}
