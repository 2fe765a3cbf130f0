// ap_collapsed.c: the exact posterior of the order parameters of a finite network
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
// the signs of its other entries would be closed, and chains were stuck there. The labels add E(U_1)/2 (T12). With
// G = dE/dU_1 the derivative of E/2 by R_1 is G R_1, and it is carried up the same chain.
// 14 unknowns for the four paths of two layers of two heads, whatever the widths, 147 for two layers of four.
// Cost: E and G, and 4 Pi^2 m_1 + 6 sum_l Pi_{l+1} q_l m_l flops.

#include "ap_collapsed.h"

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_spd.h"
#include "ap_weights.h"

typedef struct level {   // one order parameter of the chain, L+1 being the readout's
    size_t paths, q, m;  // Pi_l, rows and columns of B_l
    double N, scale;     // width; sigma / sqrt (N)
} level;

static level level_of(const ap_net *net, size_t l) {  // by recursion from the top
    level here = {.paths = ap_net_paths(net, l), .q = 1, .N = net->width[l - 1]};
    here.scale = sqrt(net->variance[l] / here.N);
    if (l <= net->L) here.q = net->H[l - 1] * level_of(net, l + 1).m;
    const size_t N = ap_weights_width(net, l);
    here.m = here.q < N ? here.q : N;
    return here;
}

static size_t trapezoid(const level *v) { return v->q * v->m - v->m * (v->m - 1) / 2; }

size_t ap_collapsed_dim(const ap_net *net) {
    size_t count = 0;
    for (size_t l = 1; l <= net->L + 1; l++) {
        const level v = level_of(net, l);
        count = ap_plus(count, trapezoid(&v));
    }
    return count;
}

size_t ap_collapsed_rank(const ap_net *net, size_t layer) { return level_of(net, layer).m; }

ap_collapsed_sizes ap_collapsed_size(const ap_net *net) {
    ap_collapsed_sizes size = {0, 0, 0};
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

static double spread(double k) { return sqrt(0.5 * (k + 1.0)) / k; }

// B_{L+1}, B_L, .. and R_{L+1}, R_L, .. end to end from the coordinates.
void ap_collapsed_factors(double *B, double *R, const ap_net *net, const double *x) {
    const double *above = NULL;
    for (size_t l = net->L + 1; l >= 1; l--) {
        const level v = level_of(net, l);
        memset(B, 0, v.q * v.m * sizeof(double));
        for (size_t j = 0; j < v.m; j++) {
            const double k = v.N - (double)j;
            B[j + v.q * j] = is_chi(k) ? sqrt(k) * exp(spread(k) * *x) : *x;
            x++;
            for (size_t i = j + 1; i < v.q; i++) B[i + v.q * j] = *x++;
        }
        if (l == net->L + 1) {
            R[0] = v.scale * B[0];
        } else {
            const size_t heads = net->H[l - 1], rows = v.paths / heads, m = v.q / heads;
            for (size_t h = 0; h < heads; h++)
                ap_gemm('N', 'N', rows, v.m, m, v.scale, above, rows, B + h * m, v.q, 0.0, R + h * rows, v.paths);
        }
        above = R;
        B += v.q * v.m;
        R += v.paths * v.m;
    }
}

// The chain rule from dR_1 up: in dR, R_1's block (the last) is given, the others are filled in.
static void backward(double *grad, double *dR, double *dB, const ap_net *net, const double *x, const double *B,
                     const double *R) {
    const ap_collapsed_sizes size = ap_collapsed_size(net);
    size_t at_x = ap_collapsed_dim(net), at_B = size.B, at_R = size.R;
    for (size_t l = 1; l <= net->L + 1; l++) {
        const level v = level_of(net, l);
        at_x -= trapezoid(&v);
        at_B -= v.q * v.m;
        at_R -= v.paths * v.m;
        const double *Bl = B + at_B, *dRl = dR + at_R;
        if (l == net->L + 1) {
            dB[0] = v.scale * dRl[0];
        } else {
            const size_t heads = net->H[l - 1], rows = v.paths / heads, m = v.q / heads;
            const double *above = R + at_R - rows * m;
            double *d_above = dR + at_R - rows * m;
            for (size_t h = 0; h < heads; h++) {
                ap_gemm('T', 'N', m, v.m, rows, v.scale, above, rows, dRl + h * rows, v.paths, 0.0, dB + h * m, v.q);
                ap_gemm('N', 'T', rows, m, v.m, v.scale, dRl + h * rows, v.paths, Bl + h * m, v.q, h == 0 ? 0.0 : 1.0,
                        d_above, rows);
            }
        }
        double *g = grad + at_x;
        const double *xl = x + at_x;
        for (size_t j = 0; j < v.m; j++) {
            const double k = v.N - (double)j, s = spread(k), b = Bl[j + v.q * j];
            *g++ = is_chi(k) ? s * (b * b - k + b * dB[j + v.q * j]) - *xl : dB[j + v.q * j];
            xl++;
            for (size_t i = j + 1; i < v.q; i++, xl++) *g++ = dB[i + v.q * j];
        }
    }
}

// psi of the prior: normals add nothing, a chi variable b^2/2 - k log b less the normal that psi leaves out.
static double prior_density(const ap_net *net, const double *x) {
    double sum = 0.0;
    for (size_t l = net->L + 1; l >= 1; l--) {
        const level v = level_of(net, l);
        for (size_t j = 0; j < v.m; j++) {
            const double k = v.N - (double)j, t = spread(k) * *x;
            if (is_chi(k)) sum += k * (0.5 * exp(2.0 * t) - t) - 0.5 * *x * *x;
            x += v.q - j;
        }
    }
    return sum;
}

static ap_status evaluate(double *psi, double *grad, const void *self, const double *x, ap_work *work, ap_error *err) {
    const ap_problem *p = self;
    const size_t paths = p->kernel->paths, mark = work->used;
    const ap_collapsed_sizes size = ap_collapsed_size(p->net);
    const size_t m = ap_collapsed_rank(p->net, 1), last = size.R - paths * m;
    ap_status status = AP_OK;
    double energy = 0.0;
    double *B = ap_take(work, size.B), *R = ap_take(work, size.R), *dR = ap_take(work, size.R);
    double *dB = ap_take(work, size.largest), *U = ap_take(work, paths * paths), *G = ap_take(work, paths * paths);
    if (G == NULL) {
        status = ap_no_memory(err, "ap_collapsed");
        goto done;
    }
    ap_collapsed_factors(B, R, p->net, x);
    ap_spd_outer(U, 1.0, R + last, paths, m);
    status = ap_energy_gradient(&energy, G, p, U, work, err);
    if (status < 0) goto done;
    ap_gemm('N', 'N', paths, m, paths, 1.0, G, paths, R + last, paths, 0.0, dR + last, paths);
    backward(grad, dR, dB, p->net, x, B, R);
    *psi = 0.5 * energy + prior_density(p->net, x);
    if (!isfinite(*psi)) status = ap_fail(err, AP_ENONFINITE, "the log posterior is not finite");
done:
    work->used = mark;
    return status;
}

static ap_status order(double *U, const void *self, const double *x, ap_work *work, ap_error *err) {
    const ap_net *net = ((const ap_problem *)self)->net;
    const size_t paths = ap_net_paths(net, 1), mark = work->used;
    const ap_collapsed_sizes size = ap_collapsed_size(net);
    double *B = ap_take(work, size.B), *R = ap_take(work, size.R);
    const size_t m = ap_collapsed_rank(net, 1);
    if (R == NULL) {
        work->used = mark;
        return ap_no_memory(err, "ap_collapsed");
    }
    ap_collapsed_factors(B, R, net, x);
    ap_spd_outer(U, 1.0, R + size.R - paths * m, paths, m);
    work->used = mark;
    return AP_OK;
}

ap_target ap_collapsed_target(const ap_problem *p) {
    const ap_collapsed_sizes size = ap_collapsed_size(p->net);
    const size_t paths = p->kernel->paths, pair = ap_times(2, ap_times(paths, paths));
    const size_t own = ap_plus(ap_plus(size.B, ap_times(2, size.R)), ap_plus(size.largest, pair));
    return (ap_target){.dim = ap_collapsed_dim(p->net),
                       .paths = paths,
                       .worksize = ap_plus(own, ap_energy_gradient_worksize(p)),
                       .refresh = 0.0,
                       .self = p,
                       .evaluate = evaluate,
                       .order = order};
}

void ap_collapsed_prior(double *x, const ap_net *net, ap_rng *rng) {
    for (size_t l = net->L + 1; l >= 1; l--) {
        const level v = level_of(net, l);
        for (size_t j = 0; j < v.m; j++) {
            const double k = v.N - (double)j;
            *x++ = is_chi(k) ? log(ap_rng_chi(k, rng) / sqrt(k)) / spread(k) : ap_rng_normal(rng);
            ap_rng_normals(x, v.q - j - 1, rng);
            x += v.q - j - 1;
        }
    }
}
