// ap_kernel.c: path-path kernels, the combined kernel and its derivatives
// SPDX-License-Identifier: BSD-3-Clause
//
//   C_{ab}(mu,nu) = sigma_0^2 / N0  xi^a_mu . xi^b_nu                                                  (T5)
//   K(U)          = 1/Pi sum_{ab} U_ab C_ab                                                            (T6)
//   D_p           = dK/dU_ab = (C_ab + C_ab') / Pi for a < b, C_aa / Pi, p the pair (a, b)            [P x P] symmetric
//   G_ab          = 1/Pi sum_{mu,nu} M(mu,nu) C_ab(mu,nu),  M = A^{-1} - b b',  b = A^{-1} y           (T9)
//
// K and G can be had in several ways, each a table of functions (ap_action.h). ap_kernel_plan takes the cheaper one
// within the memory it is given:
//
//   stored    path kernels are kept, and read twice an evaluation: ap_kernel_stored.c
//   inputs    nothing is kept, and an evaluation takes more flops, as matrix products: ap_kernel_inputs.c
//
// Several outputs have both ways as well (ap_kernel_outputs.c).
//
// Cost model, in flops at matrix-product speed: a streamed double counts `stream`, building the store N0 P^2 Pi^2 / 2
// once for about `evaluations` of them, and A's factor and its inverse, which the stored way forms, P^3. `make bench`
// measured 16 to 31 flops a double from memory, 4 to 8 from cache, and evaluations from inputs reach 60 to 85 % of the
// speed that the count assumes. With 16 to 30 for `stream` the choice is wrong for one of twelve sizes at most, by 1 %.

#include <string.h>

#include "action/ap_action.h"

static const double stream = 24.0;            // flops that one streamed double is worth
static const double evaluations = 15.0;       // over which building the store is spread
static const size_t cache_doubles = 1 << 18;  // 2 MiB: below this the D_p are kept unpacked as well

ap_status ap_pathkernels(double *C, const ap_net *net, const ap_inputs *x, const ap_inputs *x2, ap_error *err) {
    const size_t paths = ap_net_paths(net, 1), N0 = x->N0, P = x->P, P2 = x2->P;
    if (!ap_blas_fits(P) || !ap_blas_fits(P2) || !ap_blas_fits(N0))
        return ap_fail(err, AP_ESIZE, "%zu features, %zu and %zu examples are more than BLAS can count", N0, P, P2);
    for (size_t b = 0; b < paths; b++)
        for (size_t a = 0; a < paths; a++)
            ap_gemm('T', 'N', P, P2, N0, net->variance[0] / (double)N0, x->Xi + N0 * P * a, N0, x2->Xi + N0 * P2 * b,
                    N0, 0.0, C + P * P2 * (a + paths * b), P);
    return AP_OK;
}

// All but the way in which it is had.
static ap_kernel shape_of(const ap_net *net, const ap_inputs *x) {
    ap_kernel k = {.N0 = x->N0, .examples = x->P, .Xi = x->Xi, .basis = x->basis};
    k.outputs = ap_net_outputs_count(net);
    k.inputs = ap_net_inputs(net);
    k.P = ap_times(k.examples, k.outputs);
    k.paths = ap_net_paths(net, 1);
    k.pairs = ap_pairs_count(k.paths);
    k.features = ap_inputs_features(x);
    k.scale = net->variance[0] / ((double)k.features * (double)k.inputs);
    return k;
}

ap_status ap_kernel_cross(double *K, const ap_net *net, const ap_inputs *x, const ap_inputs *x2, const double *U,
                          ap_work *work, ap_error *err) {
    const ap_kernel k = shape_of(net, x);
    const size_t N0 = x->N0, P2 = x2->P, mark = work->used;
    if (!ap_blas_fits(k.P) || !ap_blas_fits(ap_times(N0, P2)) || !ap_blas_fits(ap_times(k.paths, k.outputs)))
        return ap_fail(err, AP_ESIZE, "%zu features x %zu examples are more than BLAS can count", N0, P2);
    double *Y = ap_take_matrix(work, ap_times(N0, P2), k.paths);
    ap_status status = Y == NULL ? ap_not_taken(work, err, "ap_kernel_cross") : AP_OK;
    for (size_t d = 0; status == AP_OK && d < k.outputs; d++) {
        ap_kernel_weigh(Y, &k, 1.0, U, d, x2->Xi, P2);
        ap_kernel_scatter(K + k.P * P2 * d, &k, k.scale, Y, P2);
    }
    work->used = mark;
    return status;
}

size_t ap_inputs_features(const ap_inputs *x) { return x->basis == NULL ? x->N0 : x->features; }

size_t ap_kernel_inside_size(const ap_kernel *k, size_t m) { return k->basis == NULL ? 0 : ap_times(k->N0, m); }

const double *ap_kernel_inside(double *V, const ap_kernel *k, const double *W, size_t m) {
    if (k->basis == NULL) return W;
    ap_gemm('T', 'N', k->N0, m, k->features, 1.0, k->basis, k->features, W, k->features, 0.0, V, k->N0);
    return V;
}

void ap_kernel_outside(double *W, const ap_kernel *k, double alpha, const double *V, size_t m, double beta) {
    if (k->basis != NULL) {
        ap_gemm('N', 'N', k->features, m, k->N0, alpha, k->basis, k->features, V, k->N0, beta, W, k->features);
        return;
    }
    if (beta == 0.0) memset(W, 0, k->N0 * m * sizeof *W);
    ap_axpy(k->N0 * m, alpha, V, W);
}

// ---- one training set -----------------------------------------------------------------------------------------------

// The ways for one output and for several, from the one that stores nothing to the one that stores most.
enum { most_ways = 3 };
static const ap_kernel_ops *const ways[2][most_ways] = {{&ap_kernel_inputs, &ap_kernel_packed, &ap_kernel_square},
                                                        {&ap_kernel_outputs_inputs, &ap_kernel_outputs_blocks}};

static const ap_kernel_ops *const *ways_of(const ap_kernel *k) { return ways[k->outputs > 1]; }

static size_t size_of(const ap_kernel *k, size_t way) {
    const ap_kernel_ops *how = ways_of(k)[way];
    return how != NULL && how->size != NULL ? how->size(k) : 0;
}

static bool is_stored(const ap_kernel *k) { return k->storage > 0; }

static const ap_kernel_ops *how_of(const ap_kernel *k) { return ways_of(k)[k->way]; }

static void have(ap_kernel *k, size_t way) {
    k->way = way;
    k->storage = size_of(k, way);
}

void ap_kernel_bare(ap_kernel *k) {
    have(k, 0);
    k->packed = k->square = NULL;
}

bool ap_kernel_stops(const ap_kernel *k) { return k->stop != NULL && k->stop(k->context); }

// Flops of an evaluation with its gradient, at the speed of matrix products.
static double evaluation(const ap_kernel *k, bool stored) {
    const double n = (double)k->N0, P = (double)k->examples, q = (double)k->inputs, C = (double)k->outputs;
    const double rows = P * C, cubes = rows * rows * rows;  // of the factor and the inverse of A
    if (stored) return 2.0 * (double)size_of(k, 1) * (stream + (C > 1.0 ? 2.0 * C * C : 0.0)) + cubes;
    if (C > 1.0) return C * (C + 1.0) * (2.0 * P * P * n * q + 2.0 * n * P * q * q) + cubes;
    return 2.0 * P * P * n * q + 3.0 * n * P * q * q + cubes / 3.0;  // the factor alone
}

static double building(const ap_kernel *k) { return 2.0 * (double)k->N0 * (double)size_of(k, 1); }

// What will be stored: nothing, or path kernels, and those unpacked as well where a cache holds them.
static size_t way_of(const ap_kernel *k, double memory) {
    const size_t rows = k->outputs > 1 ? ap_times(k->examples, k->examples) : ap_pairs_count(k->P);
    const size_t stored = size_of(k, 1), most = size_of(k, 2);
    const bool cheaper = evaluation(k, true) + building(k) / evaluations < evaluation(k, false);
    if (!ap_blas_fits(rows) || !cheaper || (double)stored * sizeof(double) > memory) return 0;
    const bool unpack = most > 0 && most - stored <= cache_doubles && (double)most * sizeof(double) <= memory;
    return unpack ? 2 : 1;
}

ap_status ap_kernel_plan(ap_kernel *kernel, const ap_net *net, const ap_inputs *x, double memory, ap_error *err) {
    *kernel = shape_of(net, x);
    const size_t N0 = kernel->N0, P = kernel->P, paths = kernel->paths;
    if (!ap_blas_fits(ap_times(N0, P)) || !ap_blas_fits(ap_times(paths, ap_plus(paths, 1))) ||
        ap_times(ap_times(P, P), sizeof(double)) == (size_t)-1)
        return ap_fail(err, AP_ESIZE, "%zu features x %zu examples, %zu paths: more than BLAS can count", N0, P, paths);
    have(kernel, way_of(kernel, memory));
    return AP_OK;
}

double ap_kernel_flops(const ap_kernel *k, double count) {
    return count * evaluation(k, is_stored(k)) + (is_stored(k) ? building(k) : 0.0);
}

// Where the stores lie in memory for all of them.
static void lay(ap_kernel *k, double *storage) {
    k->packed = is_stored(k) ? storage : NULL;
    k->square = how_of(k) == &ap_kernel_square ? storage + size_of(k, 1) : NULL;
}

ap_status ap_kernel_adopt(ap_kernel *k, double *storage, size_t size, ap_error *err) {
    const size_t packed = size_of(k, 1), both = k->outputs > 1 ? packed : size_of(k, 2);
    if (size != 0 && size != packed && size != both)
        return ap_fail(err, AP_EINPUT,
                       "the stored kernels of %zu examples and %zu paths are %zu or %zu numbers, not %zu", k->P,
                       k->paths, packed, both, size);
    have(k, size == 0 ? 0 : size == packed ? 1 : 2);
    lay(k, storage);
    return AP_OK;
}

ap_status ap_kernel_build(ap_kernel *kernel, double *storage, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    ap_status status = AP_OK;
    if (!is_stored(kernel)) return AP_OK;
    lay(kernel, storage);
    for (size_t b = 0; status == AP_OK && b < kernel->inputs; b++) {
        if (ap_kernel_stops(kernel)) return AP_INTERRUPTED;
        status = how_of(kernel)->build(kernel, b, work, err);
        work->used = mark;
    }
    return status;
}

size_t ap_kernel_scratch(const ap_kernel *k) {
    const size_t square = ap_times(k->P, k->P), inputs = ap_times(ap_times(k->N0, k->examples), k->inputs);
    const size_t own = !is_stored(k) ? inputs : k->outputs == 1 ? square / 2 : square;
    return ap_plus(own, is_stored(k) || k->outputs > 1 ? square : 0);
}

// A plan that stores must have been built.
static ap_status check(const ap_kernel *k, ap_error *err) {
    if (!is_stored(k) || k->packed != NULL) return AP_OK;
    return ap_fail(err, AP_EINPUT, "the kernel was planned and not built: call ap_kernel_build first");
}

ap_status ap_kernel_combine(double *K, const ap_kernel *k, const double *U, const ap_root *root, ap_work *work,
                            ap_error *err) {
    const size_t mark = work->used;
    ap_status status = check(k, err);
    if (status == AP_OK) status = how_of(k)->combine(K, k, U, root, work, err);
    work->used = mark;
    return status;
}

ap_status ap_kernel_contract(double *G, const ap_kernel *k, const double *M, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    ap_status status = check(k, err);
    if (status == AP_OK) status = how_of(k)->contract(G, k, M, work, err);
    work->used = mark;
    return status;
}

// M := A^{-1} - sum b b', lower triangle, from the factor of A.
static ap_status residual(double *M, const double *F, const double *b, size_t m, size_t P, ap_error *err) {
    memcpy(M, F, P * P * sizeof(double));
    const ap_status status = ap_spd_invert(M, P, err);
    for (size_t c = 0; c < m; c++, b += P)
        for (size_t j = 0; j < P; j++)
            for (size_t i = j; i < P; i++) M[i + P * j] -= b[i] * b[j];
    return status;
}

static ap_status by_residual(double *G, const ap_kernel *k, const double *F, const double *b, size_t m, ap_work *work,
                             ap_error *err) {
    double *M = ap_take_matrix(work, k->P, k->P);
    const ap_status status =
        M == NULL ? ap_not_taken(work, err, "ap_kernel_gradient") : residual(M, F, b, m, k->P, err);
    return status < 0 ? status : how_of(k)->contract(G, k, M, work, err);
}

ap_status ap_kernel_gradient(double *G, const ap_kernel *k, const double *F, const double *b, size_t m, ap_work *work,
                             ap_error *err) {
    const size_t mark = work->used;
    const ap_kernel_ops *how = how_of(k);
    ap_status status = check(k, err);
    if (status == AP_OK)
        status =
            how->gradient != NULL ? how->gradient(G, k, F, b, m, work, err) : by_residual(G, k, F, b, m, work, err);
    work->used = mark;
    return status;
}

ap_inputs ap_kernel_examples(const ap_kernel *k) {
    return (ap_inputs){.N0 = k->N0, .P = k->examples, .Xi = k->Xi, .basis = k->basis, .features = k->features};
}

const double *ap_kernel_input(const ap_kernel *k, size_t path) {
    return k->Xi + k->N0 * k->examples * (path / k->outputs);
}

size_t ap_kernel_row(const ap_kernel *k, size_t path) { return k->examples * (path % k->outputs); }

void ap_kernel_gather(double *Y, const ap_kernel *k, double alpha, const double *Z, size_t m) {
    const size_t N0 = k->N0, P = k->examples;
    for (size_t a = 0; a < k->paths; a++)
        ap_gemm('N', 'N', N0, m, P, alpha, ap_kernel_input(k, a), N0, Z + ap_kernel_row(k, a), k->P, 0.0,
                Y + N0 * m * a, N0);
}

void ap_kernel_scatter(double *Z, const ap_kernel *k, double alpha, const double *Y, size_t m) {
    const size_t N0 = k->N0, P = k->examples;
    for (size_t a = 0; a < k->paths; a++)
        ap_gemm('T', 'N', P, m, N0, alpha, ap_kernel_input(k, a), N0, Y + N0 * m * a, N0, a < k->outputs ? 0.0 : 1.0,
                Z + ap_kernel_row(k, a), k->P);
}

void ap_kernel_weigh(double *Y, const ap_kernel *k, double alpha, const double *U, size_t d, const double *x,
                     size_t m) {
    const size_t cells = k->features * m, C = k->outputs;
    // U is symmetric: its rows (a,c) of column (b,d) are contiguous
    ap_gemm('N', C > 1 ? 'T' : 'N', cells, k->paths, k->inputs, alpha, x, cells, U + k->paths * d, k->paths * C, 0.0, Y,
            cells);
}

static ap_status apply_inputs(double *V, const ap_kernel *k, const double *Z, size_t m, ap_work *work, ap_error *err) {
    const size_t N0 = k->N0, P = k->P, paths = k->paths, examples = k->examples;
    double *XZ = ap_take_matrix(work, ap_times(N0, m), paths), *T = ap_take_matrix(work, ap_times(examples, m), paths);
    if (T == NULL) return ap_not_taken(work, err, "ap_kernel_apply");
    memset(V, 0, P * k->pairs * m * sizeof(double));
    ap_kernel_gather(XZ, k, k->scale, Z, m);
    for (size_t a = 0; a < paths; a++) {  // Xi_a' Xi_b z_d belongs to the pair of (a,c) and (b,d), in output c
        if (ap_kernel_row(k, a) == 0)
            ap_gemm('T', 'N', examples, m * paths, N0, 1.0, ap_kernel_input(k, a), N0, XZ, N0, 0.0, T, examples);
        for (size_t b = 0; b < paths; b++)
            for (size_t s = 0; s < m; s++)
                ap_axpy(examples, 1.0, T + examples * (s + m * b),
                        V + ap_kernel_row(k, a) + P * (ap_pairs_number(a, b) + k->pairs * s));
    }
    return AP_OK;
}

ap_status ap_kernel_apply(double *V, const ap_kernel *k, const double *Z, size_t m, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    const ap_kernel_ops *how = how_of(k);
    ap_status status = check(k, err);
    if (status == AP_OK)
        status = how->apply != NULL ? how->apply(V, k, Z, m, work, err) : apply_inputs(V, k, Z, m, work, err);
    work->used = mark;
    return status;
}
