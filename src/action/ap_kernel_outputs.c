// ap_kernel_outputs.c: the kernel of several outputs and its derivatives
// SPDX-License-Identifier: BSD-3-Clause
//
// With C outputs, A and U_1 have an output index each besides example and path, and fall into C x C blocks,
//
//   K_cd = 1/Pi sum_{ab} U_{(a,c),(b,d)} C_ab           [P x P] blocks of K, mu fastest                       (T18)
//   G_{(a,c),(b,d)} = 1/Pi sum_{mu,nu} M_cd(mu,nu) C_ab(mu,nu)               (a,c) = C a + c: c fastest
//
// so that the kernels C_ab of P examples serve all outputs. Here P, Pi and a, b are those of the path inputs,
// k->examples and k->inputs. As for one output there are two ways:
//
//   stored    C_ab / Pi for a <= b, whole, in one matrix [P^2 x pairs], pairs = Pi (Pi+1)/2. For c /= d the block of U
//             is not symmetric, so neither triangles nor C_ab + C_ab' would do. With
//               T_cd = sum_{a<b} U_{(a,c),(b,d)} C_ab / Pi + 1/2 sum_a U_{(a,c),(a,d)} C_aa / Pi,   K_cd = T_cd + T_dc'
//             one product of matrices makes all T_cd, and its transposed one all of G from the blocks M_cd: each
//             2 P^2 pairs C^2 flops, for one reading of the store.
//   inputs    K_cd = scale sum_a Xi_a' (sum_b U_{(a,c),(b,d)} Xi_b), G_{(a,c),(b,d)} = scale <Xi_a M_cd, Xi_b>, c >= d:
//             C (C+1)/2 times 2 P^2 N0 Pi + 2 N0 P Pi^2 flops each.
//
// ap_kernel.c chooses; bench_outputs measures both ways against bare products.

#include "action/ap_action.h"

enum { tile = 32 };  // of a transposition: rows and columns that a cache holds

static size_t size(const ap_kernel *k) {
    return ap_times(ap_times(k->examples, k->examples), ap_pairs_count(k->inputs));
}

static ap_status build(ap_kernel *k, size_t b, ap_work *work, ap_error *err) {
    const size_t N0 = k->N0, P = k->examples, cells = N0 * P;
    (void)work;
    (void)err;
    for (size_t a = 0; a <= b; a++)
        ap_gemm('T', 'N', P, P, N0, k->scale, k->Xi + cells * a, N0, k->Xi + cells * b, N0, 0.0,
                k->packed + P * P * ap_pairs_number(a, b), P);
    return AP_OK;
}

// V := block (c,d) of U, transposed: V(b,a) = U_{(a,c),(b,d)}.
static void block_of(double *V, const ap_kernel *k, const double *U, size_t c, size_t d) {
    const size_t C = k->outputs, n = k->inputs;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) V[b + n * a] = U[(C * a + c) + k->paths * (C * b + d)];
}

// K_cd := T_cd + T_dc', tile by tile; of a block on the diagonal what lies above it may be left undone.
static void add_transposed(double *K, size_t ld, const double *T, const double *other, size_t P, bool diagonal) {
    for (size_t j = 0; j < P; j += tile)
        for (size_t i = diagonal ? j : 0; i < P; i += tile)
            for (size_t col = j; col < P && col < j + tile; col++)
                for (size_t row = i; row < P && row < i + tile; row++)
                    K[row + ld * col] = T[row + P * col] + other[col + P * row];
}

// u := coefficients of T, [pairs x C^2], blocks with d slowest.
static void coefficients(double *u, const ap_kernel *k, const double *U) {
    const size_t C = k->outputs;
    for (size_t d = 0; d < C; d++)
        for (size_t c = 0; c < C; c++)
            for (size_t b = 0; b < k->inputs; b++)
                for (size_t a = 0; a <= b; a++) *u++ = (a == b ? 0.5 : 1.0) * U[(C * a + c) + k->paths * (C * b + d)];
}

static ap_status combine_stored(double *K, const ap_kernel *k, const double *U, const ap_root *root, ap_work *work,
                                ap_error *err) {
    (void)root;
    const size_t P = k->examples, C = k->outputs, pairs = ap_pairs_count(k->inputs), cells = ap_times(P, P);
    double *T = ap_take_matrix(work, k->P, k->P), *u = ap_take_matrix(work, pairs, ap_times(C, C));
    if (u == NULL) return ap_not_taken(work, err, "ap_kernel_combine");
    coefficients(u, k, U);
    ap_gemm('N', 'N', cells, C * C, pairs, 1.0, k->packed, cells, u, pairs, 0.0, T, cells);
    for (size_t d = 0; d < C; d++)
        for (size_t c = d; c < C; c++)
            add_transposed(K + P * c + k->P * P * d, k->P, T + cells * (c + C * d), T + cells * (d + C * c), P, c == d);
    return AP_OK;
}

static ap_status combine_inputs(double *K, const ap_kernel *k, const double *U, const ap_root *root, ap_work *work,
                                ap_error *err) {
    (void)root;
    const size_t N0 = k->N0, P = k->examples, n = k->inputs, cells = ap_times(N0, P);
    double *Y = ap_take_matrix(work, cells, n), *V = ap_take_matrix(work, n, n);
    if (V == NULL) return ap_not_taken(work, err, "ap_kernel_combine");
    for (size_t d = 0; d < k->outputs; d++)
        for (size_t c = d; c < k->outputs; c++) {
            block_of(V, k, U, c, d);
            ap_gemm('N', 'N', cells, n, n, 1.0, k->Xi, cells, V, n, 0.0, Y, cells);
            for (size_t a = 0; a < n; a++)
                ap_gemm('T', 'N', P, P, N0, k->scale, k->Xi + cells * a, N0, Y + cells * a, N0, a == 0 ? 0.0 : 1.0,
                        K + P * c + k->P * P * d, k->P);
        }
    return AP_OK;
}

// B_cd := block (c,d) of M and B_dc its transpose, c >= d, from the lower triangle of M, [P x P x C^2] with d slowest.
static void gather_blocks(double *B, const ap_kernel *k, const double *M) {
    const size_t P = k->examples, C = k->outputs, cells = P * P;
    for (size_t d = 0; d < C; d++)
        for (size_t c = d; c < C; c++) {
            const double *block = M + P * c + k->P * P * d;
            double *here = B + cells * (c + C * d), *there = B + cells * (d + C * c);
            for (size_t j = 0; j < P; j += tile)
                for (size_t i = c == d ? j : 0; i < P; i += tile)
                    for (size_t col = j; col < P && col < j + tile; col++)
                        for (size_t row = c == d && i == j ? col : i; row < P && row < i + tile; row++)
                            here[row + P * col] = there[col + P * row] = block[row + k->P * col];
        }
}

static ap_status contract_stored(double *G, const ap_kernel *k, const double *M, ap_work *work, ap_error *err) {
    const size_t C = k->outputs, pairs = ap_pairs_count(k->inputs), cells = ap_times(k->examples, k->examples);
    double *B = ap_take_matrix(work, k->P, k->P), *g = ap_take_matrix(work, pairs, ap_times(C, C));
    if (g == NULL) return ap_not_taken(work, err, "ap_kernel_contract");
    gather_blocks(B, k, M);
    ap_gemm('T', 'N', pairs, C * C, cells, 1.0, k->packed, cells, B, cells, 0.0, g, pairs);
    for (size_t d = 0; d < C; d++)
        for (size_t c = 0; c < C; c++)
            for (size_t b = 0; b < k->inputs; b++)
                for (size_t a = 0; a <= b; a++, g++) {
                    const size_t row = C * a + c, col = C * b + d;
                    G[row + k->paths * col] = G[col + k->paths * row] = *g;
                }
    return AP_OK;
}

static ap_status contract_inputs(double *G, const ap_kernel *k, const double *M, ap_work *work, ap_error *err) {
    const size_t N0 = k->N0, P = k->examples, C = k->outputs, n = k->inputs, cells = ap_times(N0, P);
    double *B = ap_take_matrix(work, cells, n), *g = ap_take_matrix(work, n, n);
    if (g == NULL) return ap_not_taken(work, err, "ap_kernel_contract");
    for (size_t d = 0; d < C; d++)
        for (size_t c = d; c < C; c++) {
            const double *block = M + P * c + k->P * P * d;
            for (size_t a = 0; a < n; a++) {
                const double *Xa = k->Xi + cells * a;
                if (c == d)
                    ap_symm('R', N0, P, k->scale, block, k->P, Xa, N0, 0.0, B + cells * a, N0);
                else
                    ap_gemm('N', 'N', N0, P, P, k->scale, Xa, N0, block, k->P, 0.0, B + cells * a, N0);
            }
            ap_gemm('T', 'N', n, n, cells, 1.0, B, cells, k->Xi, cells, 0.0, g, n);
            for (size_t b = 0; b < n; b++)
                for (size_t a = 0; a < n; a++) {
                    const size_t row = C * a + c, col = C * b + d;
                    G[row + k->paths * col] = G[col + k->paths * row] = g[a + n * b];
                }
        }
    ap_spd_symmetrise(G, k->paths);
    return AP_OK;
}

const ap_kernel_ops ap_kernel_outputs_blocks = {
    .size = size, .build = build, .combine = combine_stored, .contract = contract_stored};
const ap_kernel_ops ap_kernel_outputs_inputs = {.combine = combine_inputs, .contract = contract_inputs};
