// ap_second.c: the second derivative of the action as a matrix, exactly
// SPDX-License-Identifier: BSD-3-Clause
//
// What leave-one-out (T24) and the evidence (T25) need is the Hessian itself; a search gets by with an estimate of it
// (ap_dense.c), and its smallest eigenvalue with products (ap_product.c). With A = F F', b = A^{-1} y and
//
//   D_p = dK/dU_p = scale (Xi_a' Xi_b + Xi_b' Xi_a) for p = (a, b), a < b, and scale Xi_a' Xi_a for a = b,
//   Z_a = F^{-1} Xi_a',   W_p = F^{-1} D_p F^{-T} = scale (Z_a Z_b' + Z_b Z_a'),   v_p = F^{-1} D_p b,
//
// the energy bends by
//
//   d^2 E / dU_p dU_q = 2 v_p . v_q - tr (W_p W_q).
//
// The W_p are never held: they are symmetric, and a tile of all of them at once adds to every trace, those off the
// diagonal twice. A tile is made of one product B, of the Z_a of its rows side by side with those of its columns.
// Cost at matrix-product speed: P^2 N0 Pi flops for the Z_a, P^2 N0 Pi^2 for the tiles, P^2 pairs^2 / 2 for the traces.
// As many probes as examples, with which ap_curvature_energy is exact, cost 3 P^3 pairs, which is less for a small
// problem whose kernels are at hand unpacked. The rest of the Hessian, in the frame U_l = F_l F_l', is that of
// ap_curvature.c and ap_dense.c.

#include "ap_second.h"

#include <string.h>

#include "ap_blas.h"
#include "ap_core.h"
#include "ap_curvature.h"
#include "ap_frame.h"
#include "ap_order.h"
#include "ap_pairs.h"
#include "ap_spd.h"

enum { most_tile = 64, least_tile = 4, wide = 512 };  // examples on a side of a tile; columns of B that fill a cache

typedef struct factors {
    const ap_kernel *k;
    size_t tile;          // examples on a side
    double *Z;            // [N0 x P x Pi] Z_a'
    size_t m;             // columns of b
    double *g;            // [N0 x Pi x m] Xi_a b = Z_a' F^{-1} y
    double *rows, *cols;  // [N0 x tile x Pi] those of the Z_a that a tile needs
    double *B;            // [tile Pi x tile Pi] their products
    double *V;            // [tile tile x pairs] a tile of every W_p; [P x pairs] v_p
} factors;

static ap_status take(factors *f, const ap_problem *p, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t fits = wide / k->paths, tile = fits < least_tile ? least_tile : fits < most_tile ? fits : most_tile;
    const size_t side = ap_times(tile, k->paths), rows = k->P > tile * tile ? k->P : tile * tile;
    *f = (factors){.k = k, .tile = tile, .m = ap_problem_columns(p)};
    f->Z = ap_take_matrix(work, ap_times(k->N0, k->P), k->paths);
    f->g = ap_take_matrix(work, ap_times(k->N0, k->paths), f->m);
    f->rows = ap_take_matrix(work, k->N0, side);
    f->cols = ap_take_matrix(work, k->N0, side);
    f->B = ap_take_matrix(work, side, side);
    f->V = ap_take_matrix(work, rows, k->pairs);
    return f->V == NULL ? ap_not_taken(work, err, "ap_second") : AP_OK;
}

static void make(factors *f, const ap_fit *fit) {
    const ap_kernel *k = f->k;
    const size_t N0 = k->N0, P = k->P, cells = N0 * P, some = N0 * k->examples;
    if (k->outputs > 1) memset(f->Z, 0, cells * k->paths * sizeof(double));
    for (size_t a = 0; a < k->paths; a++) {  // in its own output's rows alone an input is not zero
        const double *Xa = k->Xi + some * (a / k->outputs);
        const size_t first = k->examples * (a % k->outputs);
        memcpy(f->Z + cells * a + N0 * first, Xa, some * sizeof(double));
        for (size_t c = 0; c < f->m; c++)
            ap_gemv('N', N0, k->examples, 1.0, Xa, N0, fit->b + P * c + first, 0.0, f->g + N0 * (a + k->paths * c));
        ap_trsm('R', 'T', N0, P, 1.0, fit->F, P, f->Z + cells * a, N0);
    }
}

// E := 2 v_p . v_q.
static void add_labels(double *E, factors *f) {
    const ap_kernel *k = f->k;
    const size_t N0 = k->N0, P = k->P;
    for (size_t c = 0; c < f->m; c++) {
        const double *g = f->g + N0 * k->paths * c;
        double *v = f->V;
        for (size_t b = 0; b < k->paths; b++)
            for (size_t a = 0; a <= b; a++, v += P) {
                ap_gemv('T', N0, P, k->scale, f->Z + N0 * P * a, N0, g + N0 * b, 0.0, v);
                if (a < b) ap_gemv('T', N0, P, k->scale, f->Z + N0 * P * b, N0, g + N0 * a, 1.0, v);
            }
        ap_syrk('T', k->pairs, P, 2.0, f->V, P, c == 0 ? 0.0 : 1.0, E, k->pairs);
    }
}

static void gather(double *some, const factors *f, size_t first, size_t m) {
    const size_t N0 = f->k->N0, cells = N0 * f->k->P;
    for (size_t a = 0; a < f->k->paths; a++)
        memcpy(some + N0 * m * a, f->Z + cells * a + N0 * first, N0 * m * sizeof(double));
}

// E := E - the share in tr (W_p W_q) of rows i .. i + m - 1 of the W_p, and of the columns gathered, j .. j + n - 1.
static void subtract_tile(double *E, factors *f, size_t i, size_t m, size_t j, size_t n) {
    const size_t N0 = f->k->N0, paths = f->k->paths, height = m * paths, width = n * paths;
    double *W = f->V;
    gather(f->rows, f, i, m);
    ap_gemm('T', 'N', height, width, N0, f->k->scale, f->rows, N0, f->cols, N0, 0.0, f->B, height);
    for (size_t b = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++)
            for (size_t col = 0; col < n; col++, W += m) {
                const double *Bab = f->B + m * a + height * (n * b + col), *Bba = f->B + m * b + height * (n * a + col);
                for (size_t row = 0; row < m; row++) W[row] = a < b ? Bab[row] + Bba[row] : Bab[row];
            }
    ap_syrk('T', f->k->pairs, m * n, i == j ? -1.0 : -2.0, f->V, m * n, 1.0, E, f->k->pairs);
}

static ap_status from_tiles(double *E, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, mark = work->used;
    factors f;
    ap_status status = take(&f, p, work, err);
    if (status < 0 || work->counts) goto done;
    make(&f, &point->fit);
    add_labels(E, &f);
    for (size_t j = 0; status == AP_OK && j < P; j += f.tile) {
        const size_t n = P - j < f.tile ? P - j : f.tile;
        if (p->kernel->stop != NULL && p->kernel->stop(p->kernel->context)) status = AP_INTERRUPTED;
        gather(f.cols, &f, j, n);
        for (size_t i = j; status == AP_OK && i < P; i += f.tile)
            subtract_tile(E, &f, i, P - i < f.tile ? P - i : f.tile, j, n);
    }
done:
    work->used = mark;
    return status;
}

// As many probes as examples, with which ap_curvature_energy is exact.
static ap_status from_probes(double *E, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t q = p->kernel->pairs, mark = work->used;
    double *g = ap_take(work, q), *logdet = ap_take_matrix(work, q, q);
    ap_status status = logdet == NULL ? ap_not_taken(work, err, "ap_second") : AP_OK;
    if (status == AP_OK) status = ap_curvature_energy(E, g, logdet, p->kernel->P, p, point, work, err);
    for (size_t j = 0; status == AP_OK && logdet != NULL && j < q; j++)  // NULL: the stack counts
        for (size_t i = j; i < q; i++) E[i + q * j] -= logdet[i + q * j];
    work->used = mark;
    return status;
}

ap_status ap_second_energy(double *E, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const bool unpacked = ap_kernel_unpacked(k);  // planned so, if not yet built
    const bool cheap = 3 * k->P * k->pairs < k->N0 * k->paths * (1 + k->paths);
    return unpacked && cheap ? from_probes(E, p, point, work, err) : from_tiles(E, p, point, work, err);
}

ap_status ap_second_action(double *H, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t n = ap_order_unknowns(p->net), q = p->kernel->pairs, paths = p->kernel->paths, mark = work->used;
    double *E = ap_take_matrix(work, q, q), *blocks = ap_take_matrix(work, ap_times(paths, paths), ap_frame_beside);
    ap_status status = blocks == NULL ? ap_not_taken(work, err, "ap_second_action") : AP_OK;
    if (status == AP_OK) status = ap_curvature_entropy(H, p->net, point, point->chol, work, err);
    if (status == AP_OK) status = ap_second_energy(E, p, point, work, err);
    if (status != AP_OK || work->counts) goto done;
    ap_frame_form(E, point->chol, paths, blocks);
    for (size_t j = 0; j < q; j++)
        for (size_t i = j; i < q; i++) H[i + n * j] += E[i + q * j];
    double *G = blocks, *I = G + paths * paths;  // tr (G x U^{-1} x), what the retraction's bend adds
    ap_spd_congruence(G, point->G, point->chol, paths, I);
    ap_spd_identity(I, paths);
    ap_curvature_add(H, n, paths, 1.0, G, I);
done:
    work->used = mark;
    return status;
}
