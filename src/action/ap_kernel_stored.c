// ap_kernel_stored.c: the kernel of one output and its derivatives from stored path kernels
// SPDX-License-Identifier: BSD-3-Clause
//
// The lower triangles of all D_p of ap_kernel.c, packed, in one matrix [P (P+1)/2 x pairs]. K(U) and G are one
// matrix-vector product each: P^2 Pi^2 / 4 doubles streamed, twice per evaluation. Small problems keep the D_p unpacked
// as well, behind the triangles, because products with vectors then cost 2 P^2 flops a pair instead of
// 2 P N0 (1 + 1/Pi).

#include <string.h>

#include "action/ap_action.h"

static size_t packed_size(const ap_kernel *k) { return ap_times(ap_pairs_count(k->P), k->pairs); }

static size_t both_size(const ap_kernel *k) {
    return ap_plus(packed_size(k), ap_times(ap_times(k->P, k->P), k->pairs));
}

static void pack(double *packed, const double *A, size_t n) {
    for (size_t j = 0; j < n; j++) {
        memcpy(packed, A + j + n * j, (n - j) * sizeof(double));
        packed += n - j;
    }
}

// The symmetrised kernel of pair (a <= b), both triangles.
static void pair_kernel(double *D, const ap_kernel *k, size_t a, size_t b) {
    const size_t N0 = k->N0, P = k->P;
    const double *Xa = k->Xi + N0 * P * a, *Xb = k->Xi + N0 * P * b;
    ap_gemm('T', 'N', P, P, N0, k->scale, Xa, N0, Xb, N0, 0.0, D, P);
    for (size_t j = 0; a != b && j < P; j++)
        for (size_t i = 0; i <= j; i++) D[i + P * j] = D[j + P * i] = D[i + P * j] + D[j + P * i];
}

static ap_status build(ap_kernel *k, size_t b, ap_work *work, ap_error *err) {
    const size_t P = k->P, triangle = ap_pairs_count(P);
    double *scratch = ap_take_matrix(work, P, P);
    if (scratch == NULL) return ap_not_taken(work, err, "ap_kernel_build");
    for (size_t a = 0; a <= b; a++) {
        const size_t pair = ap_pairs_number(a, b);
        double *D = k->square != NULL ? k->square + P * P * pair : scratch;
        pair_kernel(D, k, a, b);
        pack(k->packed + triangle * pair, D, P);
    }
    return AP_OK;
}

static ap_status combine(double *K, const ap_kernel *k, const double *U, const ap_root *root, ap_work *work,
                         ap_error *err) {
    const size_t triangle = ap_pairs_count(k->P);
    double *packed = ap_take(work, triangle), *u = ap_take(work, k->pairs);
    (void)root;
    if (u == NULL) return ap_not_taken(work, err, "ap_kernel_combine");
    ap_pairs_pack(u, U, k->paths, 1.0);
    ap_gemv('N', triangle, k->pairs, 1.0, k->packed, triangle, u, 0.0, packed);
    ap_pairs_lower(K, packed, k->P);
    return AP_OK;
}

// M is packed as the store is, off-diagonal entries doubled since each stands for two. D_p counts a pair a < b
// twice, hence the half.
static ap_status contract(double *G, const ap_kernel *k, const double *M, ap_work *work, ap_error *err) {
    const size_t P = k->P, triangle = ap_pairs_count(P);
    double *packed = ap_take(work, triangle), *g = ap_take(work, k->pairs), *m = packed;
    if (g == NULL) return ap_not_taken(work, err, "ap_kernel_contract");
    for (size_t j = 0; j < P; j++) {
        *m++ = M[j + P * j];
        for (size_t i = j + 1; i < P; i++) *m++ = 2.0 * M[i + P * j];
    }
    ap_gemv('T', triangle, k->pairs, 1.0, k->packed, triangle, packed, 0.0, g);
    ap_pairs_unpack(G, g, k->paths, 0.5);
    return AP_OK;
}

static ap_status apply(double *V, const ap_kernel *k, const double *Z, size_t m, ap_work *work, ap_error *err) {
    const size_t P = k->P, pairs = k->pairs;
    (void)work;
    (void)err;
    if (m == 1)
        ap_gemv('T', P, P * pairs, 1.0, k->square, P, Z, 0.0, V);  // dgemm would copy the store first
    else
        ap_gemm('T', 'N', P * pairs, m, P, 1.0, k->square, P, Z, P, 0.0, V, P * pairs);
    return AP_OK;
}

const ap_kernel_ops ap_kernel_packed = {.size = packed_size, .build = build, .combine = combine, .contract = contract};
const ap_kernel_ops ap_kernel_square = {
    .size = both_size, .build = build, .combine = combine, .contract = contract, .apply = apply};
