// ap_kernel.c: path-path kernels, the combined kernel and its derivatives
// SPDX-License-Identifier: BSD-3-Clause
//
//   C_{ab}(mu,nu) = sigma_0^2 / N0  xi^a_mu . xi^b_nu                                                  (T5)
//   K(U)          = 1/Pi sum_{ab} U_ab C_ab                                                            (T6)
//   D_p           = dK/dU_ab = (C_ab + C_ab') / Pi for a < b, C_aa / Pi, p the pair (a, b)            [P x P] symmetric
//   G_ab          = 1/Pi sum_{mu,nu} M(mu,nu) C_ab(mu,nu),  M = A^{-1} - b b',  b = A^{-1} y           (T9)
//
// K and G can be had in two ways, and ap_kernel_plan takes the cheaper one within the memory it is given:
//
//   stored    the lower triangles of all D_p in one matrix [P (P+1)/2 x pairs]. K(U) and G are one matrix-vector
//             product each: P^2 Pi^2 / 4 doubles streamed, twice per evaluation.
//   inputs    nothing stored. With U = R R', K = scale sum_a Y_a' Y_a, Y = Xi R; with A = F F',
//             Z_a = F^{-1} Xi_a', G = scale (<Z_a, Z_b> - (Xi_a b).(Xi_b b)): no inverse is formed.
//             2 P^2 N0 Pi + 3 N0 P Pi^2 flops at matrix-product speed per evaluation.
//
// Cost model, in flops at matrix-product speed: a streamed double counts `stream`, building the store N0 P^2 Pi^2 / 2
// once for about `evaluations` of them. `make bench` measured 16 to 31 flops a double from memory, 4 to 8 from cache,
// and evaluations from inputs reach 60 to 85 % of the speed that the count assumes, so that 32 is about even; of twelve
// sizes the choice was wrong for one, by 1 %. Small problems keep the D_p unpacked as well (`square`), because products
// with vectors then cost 2 P^2 flops a pair instead of 2 P N0 (1 + 1/Pi).

#include <math.h>
#include <string.h>

#include "base/ap_blas.h"
#include "base/ap_core.h"
#include "network/ap_outputs.h"
#include "base/ap_pairs.h"
#include "base/ap_spd.h"

static const double stream = 32.0;            // flops that one streamed double is worth
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

size_t ap_kernel_cross_worksize(const ap_net *net, const ap_inputs *x, const ap_inputs *x2) {
    ap_work count = ap_counting();
    return ap_counted(&count, ap_kernel_cross(NULL, net, x, x2, NULL, &count, NULL));
}

ap_status ap_kernel_cross(double *K, const ap_net *net, const ap_inputs *x, const ap_inputs *x2, const double *U,
                          ap_work *work, ap_error *err) {
    const size_t paths = ap_net_paths(net, 1), inputs = ap_net_inputs(net), C = ap_net_outputs_count(net);
    const size_t N0 = x->N0, P = x->P, P2 = x2->P, mark = work->used;
    const double scale = net->variance[0] / ((double)N0 * (double)inputs);
    ap_status status = AP_OK;
    if (!ap_blas_fits(ap_times(P, C)) || !ap_blas_fits(ap_times(N0, P2)) || !ap_blas_fits(ap_times(paths, C)))
        return ap_fail(err, AP_ESIZE, "%zu features x %zu examples are more than BLAS can count", N0, P2);
    double *Y = ap_take_matrix(work, ap_times(N0, P2), paths);
    if (Y == NULL) {
        status = ap_not_taken(work, err, "ap_kernel_cross");
        goto done;
    }
    for (size_t d = 0; d < C; d++) {  // U is symmetric: its rows (a,c) of column (b,d) are contiguous
        ap_gemm('N', C > 1 ? 'T' : 'N', N0 * P2, paths, inputs, 1.0, x2->Xi, N0 * P2, U + paths * d, paths * C, 0.0, Y,
                N0 * P2);
        for (size_t a = 0; a < inputs; a++)
            for (size_t c = 0; c < C; c++)
                ap_gemm('T', 'N', P, P2, N0, scale, x->Xi + N0 * P * a, N0, Y + N0 * P2 * (C * a + c), N0,
                        a == 0 ? 0.0 : 1.0, K + P * c + P * C * P2 * d, P * C);
    }
done:
    work->used = mark;
    return status;
}

const double *ap_kernel_inside(double *V, const ap_kernel *k, const double *W, size_t m) {
    if (k->basis == NULL) return W;
    ap_gemm('T', 'N', k->N0, m, k->features, 1.0, k->basis, k->features, W, k->features, 0.0, V, k->N0);
    return V;
}

// ---- one training set ----------------------------------------------------------------------------------------------

ap_status ap_kernel_plan(ap_kernel *kernel, const ap_net *net, const ap_inputs *x, double memory, ap_error *err) {
    const size_t paths = ap_net_paths(net, 1), N0 = x->N0, outputs = ap_net_outputs_count(net);
    const size_t P = ap_times(x->P, outputs);
    if (!ap_blas_fits(ap_times(N0, P)) || !ap_blas_fits(ap_times(paths, ap_plus(paths, 1))) ||
        ap_times(ap_times(P, P), sizeof(double)) == (size_t)-1)
        return ap_fail(err, AP_ESIZE, "%zu features x %zu examples, %zu paths: more than BLAS can count", N0, P, paths);
    const size_t pairs = ap_pairs_count(paths), triangle = ap_pairs_count(P);
    const size_t packed = ap_times(triangle, pairs), square = ap_times(P * P, pairs);
    const double p = (double)P, n = (double)N0, q = (double)paths;
    const double streamed = 2.0 * stream * (double)triangle * (double)pairs;
    const double built = 2.0 * n * (double)triangle * (double)pairs / evaluations;
    const double computed = 2.0 * p * p * n * q + 3.0 * n * p * q * q;
    const bool store = ap_blas_fits(triangle) && streamed + built < computed + 2.0 / 3.0 * p * p * p &&
                       (double)packed * sizeof(double) <= memory;
    const bool unpack = store && square <= cache_doubles && (double)(packed + square) * sizeof(double) <= memory;
    *kernel = (ap_kernel){.N0 = N0, .P = P, .paths = paths, .pairs = pairs, .outputs = outputs, .Xi = x->Xi};
    kernel->basis = x->basis;
    kernel->features = x->basis == NULL ? N0 : x->features;
    kernel->examples = x->P;
    kernel->inputs = ap_net_inputs(net);
    kernel->scale = net->variance[0] / ((double)kernel->features * (double)kernel->inputs);
    kernel->storage = outputs > 1 ? ap_outputs_storage(kernel, memory) : (store ? packed : 0) + (unpack ? square : 0);
    return AP_OK;
}

static bool is_stored(const ap_kernel *k) { return k->storage > 0; }

double ap_kernel_flops(const ap_kernel *k, double count) {
    const double n = (double)k->N0, p = (double)k->P, q = (double)k->paths;
    const double store = 0.5 * p * (p + 1.0) * (double)k->pairs;
    if (is_stored(k)) return count * (2.0 * stream * store + p * p * p) + 2.0 * n * store;
    return count * (2.0 * p * p * n * q + 3.0 * n * p * q * q + p * p * p / 3.0);
}

ap_status ap_kernel_adopt(ap_kernel *k, double *storage, size_t size, ap_error *err) {
    const bool one = k->outputs == 1;
    const size_t packed = one ? ap_times(ap_pairs_count(k->P), k->pairs) : ap_outputs_stored(k);
    const size_t both = one ? ap_plus(packed, ap_times(ap_times(k->P, k->P), k->pairs)) : packed;
    if (size != 0 && size != packed && size != both)
        return ap_fail(err, AP_EINPUT,
                       "the stored kernels of %zu examples and %zu paths are %zu or %zu numbers, not %zu", k->P,
                       k->paths, packed, both, size);
    k->storage = size;
    k->packed = size > 0 ? storage : NULL;
    k->square = one && size == both ? storage + packed : NULL;
    return AP_OK;
}

// A plan that stores, and has not been built.
static bool is_missing(const ap_kernel *k, const ap_work *work) {
    return is_stored(k) && k->packed == NULL && !work->counts;
}

static ap_status refuse_missing(ap_error *err) {
    return ap_fail(err, AP_EINPUT, "the kernel was planned and not built: ap_kernel_build comes first");
}

bool ap_kernel_unpacked(const ap_kernel *k) {
    return k->outputs == 1 && k->storage > ap_times(ap_pairs_count(k->P), k->pairs);
}

// The symmetrised kernel of pair (a <= b), both triangles.
static void pair_kernel(double *D, const ap_kernel *k, size_t a, size_t b) {
    const size_t N0 = k->N0, P = k->P;
    const double *Xa = k->Xi + N0 * P * a, *Xb = k->Xi + N0 * P * b;
    ap_gemm('T', 'N', P, P, N0, k->scale, Xa, N0, Xb, N0, 0.0, D, P);
    for (size_t j = 0; a != b && j < P; j++)
        for (size_t i = 0; i <= j; i++) D[i + P * j] = D[j + P * i] = D[i + P * j] + D[j + P * i];
}

static void pack(double *packed, const double *A, size_t n) {
    for (size_t j = 0; j < n; j++) {
        memcpy(packed, A + j + n * j, (n - j) * sizeof(double));
        packed += n - j;
    }
}

static void unpack(double *A, const double *packed, size_t n) {
    for (size_t j = 0; j < n; j++) {
        memcpy(A + j + n * j, packed, (n - j) * sizeof(double));
        packed += n - j;
    }
}

size_t ap_kernel_build_worksize(const ap_kernel *kernel) {
    ap_work count = ap_counting();
    ap_kernel planned = *kernel;
    return ap_counted(&count, ap_kernel_build(&planned, NULL, &count, NULL));
}

ap_status ap_kernel_build(ap_kernel *kernel, double *storage, ap_work *work, ap_error *err) {
    const size_t P = kernel->P, triangle = ap_pairs_count(P), mark = work->used;
    ap_status status = AP_OK;
    if (!is_stored(kernel)) return AP_OK;
    double *scratch = ap_take_matrix(work, kernel->outputs > 1 ? 1 : P, P);
    if (scratch == NULL) {
        status = ap_not_taken(work, err, "ap_kernel_build");
        goto done;
    }
    kernel->packed = storage;
    kernel->square = ap_kernel_unpacked(kernel) ? storage + triangle * kernel->pairs : NULL;
    for (size_t b = 0, pair = 0; status == AP_OK && b < kernel->inputs; b++) {
        if (kernel->stop != NULL && kernel->stop(kernel->context)) status = AP_INTERRUPTED;
        for (size_t a = 0; a <= b; a++, pair++) {
            if (kernel->outputs > 1) {
                ap_outputs_build(kernel, a, b, pair);
                continue;
            }
            double *D = kernel->square != NULL ? kernel->square + P * P * pair : scratch;
            pair_kernel(D, kernel, a, b);
            pack(kernel->packed + triangle * pair, D, P);
        }
    }
done:
    work->used = mark;
    return status;
}

// Y := Xi U without a root, Xi R with one.
static void mix(double *Y, const ap_kernel *k, const double *U, const ap_root *root) {
    const size_t cells = k->N0 * k->P, paths = k->paths;
    if (root == NULL) {
        ap_gemm('N', 'N', cells, paths, paths, 1.0, k->Xi, cells, U, paths, 0.0, Y, cells);
    } else if (root->lower) {
        memcpy(Y, k->Xi, cells * paths * sizeof(double));
        ap_trmm('R', 'N', cells, paths, 1.0, root->R, paths, Y, cells);
    } else {
        ap_gemm('N', 'N', cells, root->columns, paths, 1.0, k->Xi, cells, root->R, paths, 0.0, Y, cells);
    }
}

ap_status ap_kernel_combine(double *K, const ap_kernel *k, const double *U, const ap_root *root, ap_work *work,
                            ap_error *err) {
    const size_t N0 = k->N0, P = k->P, paths = k->paths, cells = ap_times(N0, P), triangle = ap_pairs_count(P);
    const size_t mark = work->used;
    ap_status status = AP_OK;
    if (is_missing(k, work)) return refuse_missing(err);
    if (k->outputs > 1) return ap_outputs_combine(K, k, U, work, err);
    if (is_stored(k)) {
        double *packed = ap_take(work, triangle), *u = ap_take(work, k->pairs);
        if (u == NULL) {
            status = ap_not_taken(work, err, "ap_kernel_combine");
            goto done;
        }
        ap_pairs_pack(u, U, paths, 1.0);
        ap_gemv('N', triangle, k->pairs, 1.0, k->packed, triangle, u, 0.0, packed);
        unpack(K, packed, P);
    } else {
        double *Y = ap_take_matrix(work, cells, paths);
        if (Y == NULL) {
            status = ap_not_taken(work, err, "ap_kernel_combine");
            goto done;
        }
        mix(Y, k, U, root);
        for (size_t a = 0; a < (root == NULL ? paths : root->columns); a++) {
            const double *Ya = Y + cells * a, beta = a == 0 ? 0.0 : 1.0;
            if (root != NULL)
                ap_syrk('T', P, N0, k->scale, Ya, N0, beta, K, P);
            else
                ap_gemm('T', 'N', P, P, N0, k->scale, k->Xi + cells * a, N0, Ya, N0, beta, K, P);
        }
    }
done:
    work->used = mark;
    return status;
}

// G from M as the store wants it: packed, off-diagonal entries doubled since each stands for two. D_p counts a pair
// a < b twice, hence the half.
static void contract_stored(double *G, const ap_kernel *k, const double *M, double *packed, double *g) {
    const size_t P = k->P, triangle = ap_pairs_count(P);
    double *m = packed;
    for (size_t j = 0; j < P; j++) {
        *m++ = M[j + P * j];
        for (size_t i = j + 1; i < P; i++) *m++ = 2.0 * M[i + P * j];
    }
    ap_gemv('T', triangle, k->pairs, 1.0, k->packed, triangle, packed, 0.0, g);
    ap_pairs_unpack(G, g, k->paths, 0.5);
}

ap_status ap_kernel_contract(double *G, const ap_kernel *k, const double *M, ap_work *work, ap_error *err) {
    const size_t N0 = k->N0, P = k->P, paths = k->paths, cells = ap_times(N0, P), mark = work->used;
    ap_status status = AP_OK;
    if (is_missing(k, work)) return refuse_missing(err);
    if (k->outputs > 1) return ap_outputs_contract(G, k, M, work, err);
    if (is_stored(k)) {
        double *packed = ap_take(work, ap_pairs_count(P)), *g = ap_take(work, k->pairs);
        if (g == NULL)
            status = ap_not_taken(work, err, "ap_kernel_contract");
        else
            contract_stored(G, k, M, packed, g);
    } else {
        double *B = ap_take_matrix(work, cells, paths);
        if (B == NULL) {
            status = ap_not_taken(work, err, "ap_kernel_contract");
            goto done;
        }
        for (size_t a = 0; a < paths; a++)
            ap_symm('R', N0, P, k->scale, M, P, k->Xi + cells * a, N0, 0.0, B + cells * a, N0);
        ap_gemm('T', 'N', paths, paths, cells, 1.0, B, cells, k->Xi, cells, 0.0, G, paths);
        ap_spd_symmetrise(G, paths);
    }
done:
    work->used = mark;
    return status;
}

// M := A^{-1} - sum b b', lower triangle, from the factor of A.
static ap_status residual(double *M, const double *F, const double *b, size_t m, size_t P, ap_error *err) {
    memcpy(M, F, P * P * sizeof(double));
    const size_t pivot = ap_potri(P, M, P);
    if (pivot != 0) return ap_fail(err, AP_ELAPACK, "dpotri meets a zero at pivot %zu of %zu", pivot, P);
    for (size_t c = 0; c < m; c++, b += P)
        for (size_t j = 0; j < P; j++)
            for (size_t i = j; i < P; i++) M[i + P * j] -= b[i] * b[j];
    return AP_OK;
}

static ap_status gradient_blocks(double *G, const ap_kernel *k, const double *F, const double *b, size_t m,
                                 ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    double *M = ap_take_matrix(work, k->P, k->P);
    ap_status status = M == NULL ? ap_not_taken(work, err, "ap_kernel_gradient") : residual(M, F, b, m, k->P, err);
    if (status == AP_OK) status = ap_outputs_contract(G, k, M, work, err);
    work->used = mark;
    return status;
}

ap_status ap_kernel_gradient(double *G, const ap_kernel *k, const double *F, const double *b, size_t m, ap_work *work,
                             ap_error *err) {
    const size_t N0 = k->N0, P = k->P, paths = k->paths, cells = ap_times(N0, P), mark = work->used;
    ap_status status = AP_OK;
    if (is_missing(k, work)) return refuse_missing(err);
    if (k->outputs > 1) return gradient_blocks(G, k, F, b, m, work, err);
    if (is_stored(k)) {
        double *M = ap_take_matrix(work, P, P), *packed = ap_take(work, ap_pairs_count(P));
        double *g = ap_take(work, k->pairs);
        if (g == NULL) {
            status = ap_not_taken(work, err, "ap_kernel_gradient");
            goto done;
        }
        status = residual(M, F, b, m, P, err);
        if (status < 0) goto done;
        contract_stored(G, k, M, packed, g);
    } else {
        double *Z = ap_take_matrix(work, cells, paths), *g = ap_take_matrix(work, ap_times(N0, m), paths);
        if (g == NULL) {
            status = ap_not_taken(work, err, "ap_kernel_gradient");
            goto done;
        }
        memcpy(Z, k->Xi, cells * paths * sizeof(double));
        for (size_t a = 0; a < paths; a++) {
            for (size_t c = 0; c < m; c++)
                ap_gemv('N', N0, P, 1.0, k->Xi + cells * a, N0, b + P * c, 0.0, g + N0 * (c + m * a));
            ap_trsm('R', 'T', N0, P, 1.0, F, P, Z + cells * a, N0);
        }
        ap_syrk('T', paths, cells, k->scale, Z, cells, 0.0, G, paths);
        ap_syrk('T', paths, N0 * m, -k->scale, g, N0 * m, 1.0, G, paths);
        ap_spd_mirror(G, paths);
    }
done:
    work->used = mark;
    return status;
}

void ap_kernel_gather(double *Y, const ap_kernel *k, double alpha, const double *Z, size_t m) {
    const size_t N0 = k->N0, P = k->examples, C = k->outputs;
    for (size_t a = 0; a < k->inputs; a++)
        for (size_t c = 0; c < C; c++)
            ap_gemm('N', 'N', N0, m, P, alpha, k->Xi + N0 * P * a, N0, Z + P * c, k->P, 0.0, Y + N0 * m * (C * a + c),
                    N0);
}

void ap_kernel_scatter(double *Z, const ap_kernel *k, double alpha, const double *Y, size_t m) {
    const size_t N0 = k->N0, P = k->examples, C = k->outputs;
    for (size_t a = 0; a < k->inputs; a++)
        for (size_t c = 0; c < C; c++)
            ap_gemm('T', 'N', P, m, N0, alpha, k->Xi + N0 * P * a, N0, Y + N0 * m * (C * a + c), N0, a > 0 ? 1.0 : 0.0,
                    Z + P * c, k->P);
}

ap_status ap_kernel_apply(double *V, const ap_kernel *k, const double *Z, size_t m, ap_work *work, ap_error *err) {
    const size_t N0 = k->N0, P = k->P, paths = k->paths, pairs = k->pairs, mark = work->used;
    const size_t examples = k->examples, C = k->outputs;
    ap_status status = AP_OK;
    if (is_missing(k, work)) return refuse_missing(err);
    if (ap_kernel_unpacked(k)) {
        if (work->counts) return AP_OK;
        if (m == 1)
            ap_gemv('T', P, P * pairs, 1.0, k->square, P, Z, 0.0, V);  // dgemm would copy the store first
        else
            ap_gemm('T', 'N', P * pairs, m, P, 1.0, k->square, P, Z, P, 0.0, V, P * pairs);
        return AP_OK;
    }
    double *XZ = ap_take_matrix(work, ap_times(N0, m), paths), *T = ap_take_matrix(work, ap_times(examples, m), paths);
    if (T == NULL) {
        status = ap_not_taken(work, err, "ap_kernel_apply");
        goto done;
    }
    memset(V, 0, P * pairs * m * sizeof(double));
    ap_kernel_gather(XZ, k, k->scale, Z, m);
    for (size_t a = 0; a < k->inputs; a++) {  // Xi_a' Xi_b z_d belongs to the pair of (a,c) and (b,d), in output c
        ap_gemm('T', 'N', examples, m * paths, N0, 1.0, k->Xi + N0 * examples * a, N0, XZ, N0, 0.0, T, examples);
        for (size_t c = 0; c < C; c++)
            for (size_t b = 0; b < paths; b++)
                for (size_t s = 0; s < m; s++)
                    ap_axpy(examples, 1.0, T + examples * (s + m * b),
                            V + examples * c + P * (ap_pairs_number(C * a + c, b) + pairs * s));
    }
done:
    work->used = mark;
    return status;
}
