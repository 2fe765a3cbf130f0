// ap_weights.c: from the weights to the partial effective weights of every path, and back
// SPDX-License-Identifier: BSD-3-Clause
//
//   u^{(L+1)} = a,   u^{(l)}_{(h,pi)} = V_l^h' u^{(l+1)}_pi / sqrt (N_{l+1})   [N_l],   l = L .. 1       (section 7)
//   U_l       = u^{(l)}' u^{(l)} / N_l
//
// Weights are kept whitened: z has the standard normal prior, and a weight is sigma z, each layer with its own sigma.
// `upper` weights, all but V_0, lie end to end as V_1, .., V_L, a; V_l is [N_{l+1} x N_l x H_l], so that a head is one
// matrix. Backward, with g^{(l)} the derivative by u^{(l)}: dV_l^h = u^{(l+1)} g^{(l)}_h' / sqrt (N_{l+1}) and
// g^{(l+1)} = sum_h V_l^h g^{(l)}_h / sqrt (N_{l+1}).
// A layer with a skip connection has one more branch, the first, without weights: its block of u^{(l)} is u^{(l+1)},
// and backward g^{(l+1)} gets that block's derivative in addition to those of the heads.
// With several outputs (ap_net_outputs) the readout is V_L of the chain, [1 x N_a x C], and u^{(L+1)} = 1 is no weight.
// Cost: 6 sum_l N_l N_{l+1} Pi_l flops forward and backward; for wide layers the time is that of reading every weight
// twice and of writing the gradient once, and products with few columns are cut so that this is all that is moved.

#include "posterior/ap_posterior.h"

#include <math.h>
#include <string.h>

enum { panel_doubles = 1 << 15 };  // 256 KiB: what a second-level cache surely holds

size_t ap_weights_width(const ap_net *net, size_t layer) { return (size_t)net->width[layer - 1]; }

size_t ap_weights_layer(const ap_net *net, size_t layer) {
    const size_t N = ap_weights_width(net, layer);
    if (layer == net->L + 1) return ap_params_fixed(net) ? 0 : N;
    return ap_times(ap_times(N, ap_weights_width(net, layer + 1)), net->H[layer - 1]);
}

size_t ap_weights_upper(const ap_net *net) {
    size_t count = 0;
    for (size_t l = 1; l <= net->L + 1; l++) count = ap_plus(count, ap_weights_layer(net, l));
    return count;
}

size_t ap_weights_partial(const ap_net *net) {
    size_t count = 0;
    for (size_t l = 1; l <= net->L + 1; l++)
        count = ap_plus(count, ap_times(ap_weights_width(net, l), ap_net_paths(net, l)));
    return count;
}

ap_status ap_weights_check(const ap_net *net, ap_error *err) {
    for (size_t l = 1; l <= net->L + 1; l++) {
        const double width = net->width[l - 1];
        if (width != floor(width) || width < 1.0)
            return ap_fail(err, AP_EINPUT, "width %zu is %g, a network with weights needs whole numbers", l, width);
        if (!(width < 1e9)) return ap_fail(err, AP_ESIZE, "width %zu is %g, more than BLAS can count", l, width);
    }
    for (size_t l = 1; l <= net->L + 1; l++)  // now that all of them are counts
        if (!ap_blas_fits(ap_times(ap_weights_width(net, l), ap_net_paths(net, l))))
            return ap_fail(err, AP_ESIZE, "width %zu is %g: with %zu paths more than BLAS can count", l,
                           net->width[l - 1], ap_net_paths(net, l));
    return AP_OK;
}

ap_status ap_weights_countable(const ap_net *net, size_t N0, ap_error *err) {
    for (size_t l = 1; l <= net->L + 1; l++)
        if (!ap_blas_fits(ap_times(ap_weights_width(net, l), N0)) || !ap_blas_fits(ap_weights_layer(net, l)))
            return ap_fail(err, AP_ESIZE, "width %zu is %g: the weights of its layer are more than BLAS can count", l,
                           net->width[l - 1]);
    return AP_OK;
}

// Y [n x m] := alpha V' B, V [k x n], B [k x m], m small.
static void times_transposed(double *Y, double alpha, const double *V, const double *B, size_t k, size_t n, size_t m) {
    const size_t step = panel_doubles / (k + 1) + 1;
    for (size_t j = 0; j < n; j += step) {  // a panel stays in the cache while all columns of B meet it
        const size_t count = n - j < step ? n - j : step;
        for (size_t c = 0; c < m; c++) ap_gemv('T', k, count, alpha, V + k * j, k, B + k * c, 0.0, Y + j + n * c);
    }
}

// Y [k x m] += alpha V B, V [k x n], B [n x m], m small.
static void add_times(double *Y, double alpha, const double *V, const double *B, size_t k, size_t n, size_t m) {
    const size_t step = panel_doubles / (k + 1) + 1;
    for (size_t j = 0; j < n; j += step) {
        const size_t count = n - j < step ? n - j : step;
        for (size_t c = 0; c < m; c++) ap_gemv('N', k, count, alpha, V + k * j, k, B + j + n * c, 1.0, Y + k * c);
    }
}

// Y [n x k] := alpha A B', A [n x m], B [k x m], m small.
static void outer_product(double *Y, double alpha, const double *A, const double *B, size_t n, size_t k, size_t m) {
    const size_t step = panel_doubles / (n + 1) + 1;
    for (size_t j = 0; j < k; j += step) {  // BLAS clears first and then adds: a panel stays in the cache between
        const size_t count = k - j < step ? k - j : step;
        ap_gemm('N', 'T', n, count, m, alpha, A, n, B + j, k, 0.0, Y + n * j, n);
    }
}

void ap_weights_forward(double *u, const ap_net *net, const double *z) {
    const size_t Na = ap_weights_width(net, net->L + 1), readout = ap_weights_layer(net, net->L + 1);
    double *here = u + ap_weights_partial(net) - Na;  // where the layer above has been written
    z += ap_weights_upper(net) - readout;
    here[0] = 1.0;
    for (size_t i = 0; i < readout; i++) here[i] = sqrt(net->variance[net->L + 1]) * z[i];
    for (size_t l = net->L; l >= 1; l--) {
        const ap_member v = ap_params_member(net, l);
        const size_t N = ap_weights_width(net, l), Nup = ap_weights_width(net, l + 1), m = v.below;
        const double *above = here, alpha = sqrt(v.variance / (double)Nup);
        z -= ap_weights_layer(net, l);
        here -= N * v.n;
        memcpy(here, above, N * v.tied * sizeof(double));
        AP_HEADS (path, &v)
            times_transposed(here + N * path, alpha, z + Nup * N * ((path - v.tied) / m), above, Nup, N, m);
    }
}

void ap_weights_backward(double *grad, double *g, const ap_net *net, const double *z, const double *u) {
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member v = ap_params_member(net, l);
        const size_t N = ap_weights_width(net, l), Nup = ap_weights_width(net, l + 1), m = v.below;
        const double alpha = sqrt(v.variance / (double)Nup);
        double *above = g + N * v.n;
        u += N * v.n;
        for (size_t i = 0; i < Nup * m; i++) above[i] = i < N * v.tied ? g[i] : 0.0;
        AP_HEADS (path, &v) {
            outer_product(grad, alpha, u, g + N * path, Nup, N, m);
            add_times(above, alpha, z, g + N * path, Nup, N, m);
            grad += Nup * N;
            z += Nup * N;
        }
        g = above;
    }
    const size_t Na = ap_weights_layer(net, net->L + 1);
    for (size_t i = 0; i < Na; i++) grad[i] = sqrt(net->variance[net->L + 1]) * g[i];
}
