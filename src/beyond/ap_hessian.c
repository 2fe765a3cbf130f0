// ap_hessian.c: the second derivative of the action as a matrix, exactly
// SPDX-License-Identifier: BSD-3-Clause
//
// What leave-one-out (T24) and the evidence (T25) need is the Hessian itself; a search gets by with an estimate of it
// (ap_dense.c), and its smallest eigenvalue with products (ap_energy_hessian.c). With A = F F', b = A^{-1} y and
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
// For C outputs F is lower triangular and path input (a,c) not zero in the rows of output c alone, so that Z_(a,c) is
// zero before them: a tile uses the inputs of outputs up to its own, and the W_p computed from these. For
// many outputs this leaves a quarter of the products B and a sixth of the traces.
// Cost at matrix-product speed: P^2 N0 Pi flops for the Z_a, P^2 N0 Pi^2 for the tiles, P^2 pairs^2 / 2 for the traces.
// As many probes as examples, with which ap_curvature_energy is exact, take 3 P^3 pairs where kernels are at hand
// unpacked: 2 ms less of 7 at P = 40, N0 = 200, three paths, nothing at P = 60, N0 = 100, four paths.
// The rest of the Hessian, in the frame U_l = F_l F_l', is that of ap_curvature.c and ap_dense.c.

#include "beyond/ap_beyond.h"

#include <math.h>
#include <string.h>

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
    double *traces;       // [pairs x pairs] of those W_p that are not zero, of several outputs
    size_t *which;        // [pairs] their numbers
} factors;

static size_t tile_of(const ap_kernel *k) {
    const size_t fits = wide / k->paths;
    return fits < least_tile ? least_tile : fits < most_tile ? fits : most_tile;
}

size_t ap_hessian_size(const ap_problem *p) {
    const ap_kernel *k = p->kernel;
    const size_t n = ap_params_unknowns(p->net), q = k->pairs, tile = tile_of(k), side = ap_times(tile, k->paths);
    const size_t own = ap_plus(ap_times(n, n), ap_times(q, ap_plus(q, k->P > tile * tile ? k->P : tile * tile)));
    const size_t products = ap_plus(ap_times(ap_times(k->N0, k->P), k->paths), ap_times(side, 2 * k->N0 + side));
    const size_t least = ap_action_size(p), most = ap_plus(ap_plus(ap_point_size(p), own), products);
    return most > least ? most : least;
}

static ap_status take_tiles(factors *f, const ap_problem *p, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t tile = tile_of(k), side = ap_times(tile, k->paths), rows = k->P > tile * tile ? k->P : tile * tile;
    *f = (factors){.k = k, .tile = tile, .m = ap_problem_columns(p)};
    f->Z = ap_take_matrix(work, ap_times(k->N0, k->P), k->paths);
    f->g = ap_take_matrix(work, ap_times(k->N0, k->paths), f->m);
    AP_TAKE_EACH(work, ap_times(k->N0, side), &f->rows, &f->cols);
    f->B = ap_take_matrix(work, side, side);
    f->V = ap_take_matrix(work, rows, k->pairs);
    const size_t some = k->outputs > 1 ? k->pairs : 0;
    f->traces = ap_take_matrix(work, some, some);
    f->which = (size_t *)(void *)ap_take(work, some);
    return f->which == NULL ? ap_not_taken(work, err, "ap_hessian") : AP_OK;
}

static void make(factors *f, const ap_fit *fit) {
    const ap_kernel *k = f->k;
    const size_t N0 = k->N0, P = k->P, cells = N0 * P, some = N0 * k->examples;
    if (some < cells) memset(f->Z, 0, cells * k->paths * sizeof(double));
    for (size_t a = 0; a < k->paths; a++) {  // in its own output's rows alone an input is not zero
        const double *Xa = ap_kernel_input(k, a);
        const size_t first = ap_kernel_row(k, a);
        memcpy(f->Z + cells * a + N0 * first, Xa, some * sizeof(double));
        for (size_t c = 0; c < f->m; c++)
            ap_gemv('N', N0, k->examples, 1.0, Xa, N0, fit->b + P * c + first, 0.0, f->g + N0 * (a + k->paths * c));
        ap_trsm('R', 'T', N0, P - first, 1.0, fit->F + first + P * first, P, f->Z + cells * a + N0 * first, N0);
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

// Outputs of which the Z_a are not zero in all of rows first .. first + m - 1.
static size_t outputs_in(const ap_kernel *k, size_t first, size_t m) { return (first + m - 1) / k->examples + 1; }

// The Z_a of these outputs in rows first .. first + m - 1.
static void gather(double *some, const factors *f, size_t first, size_t m) {
    const size_t N0 = f->k->N0, C = f->k->outputs, cells = N0 * f->k->P, known = outputs_in(f->k, first, m);
    for (size_t a = 0; a < f->k->paths; a++) {
        if (a % C >= known) continue;
        memcpy(some, f->Z + cells * a + N0 * first, N0 * m * sizeof(double));
        some += N0 * m;
    }
}

// A tile of those W_p that are not zero, B's rows being of r outputs and its columns of s <= r: writes their numbers
// where there are several outputs, and returns how many they are.
static size_t fill(factors *f, size_t m, size_t n, size_t r, size_t s) {
    const size_t C = f->k->outputs, height = m * (f->k->paths / C) * r;
    double *W = f->V;
    size_t count = 0;
    for (size_t b = 0, pair = 0; b < f->k->paths; b++)
        for (size_t a = 0; a <= b; a++, pair++) {
            const bool ab = a % C < r && b % C < s, ba = a < b && b % C < r && a % C < s;
            if (!ab && !ba) continue;
            const double *Bab = f->B + m * (a / C * r + a % C) + height * n * (b / C * s + b % C);
            const double *Bba = f->B + m * (b / C * r + b % C) + height * n * (a / C * s + a % C);
            const double *one = ab ? Bab : Bba;
            for (size_t col = 0; col < n; col++, W += m) {
                for (size_t row = 0; row < m; row++) W[row] = one[row + height * col];
                for (size_t row = 0; ab && ba && row < m; row++) W[row] += Bba[row + height * col];
            }
            if (C > 1) f->which[count] = pair;
            count++;
        }
    return count;
}

// E := E - the share in tr (W_p W_q) of rows i .. i + m - 1 of the W_p, and of the columns gathered, j .. j + n - 1.
static void subtract_tile(double *E, factors *f, size_t i, size_t m, size_t j, size_t n) {
    const size_t N0 = f->k->N0, C = f->k->outputs, inputs = f->k->paths / C, pairs = f->k->pairs;
    const size_t r = outputs_in(f->k, i, m), s = outputs_in(f->k, j, n), height = m * inputs * r;
    const double weight = i == j ? -1.0 : -2.0;
    gather(f->rows, f, i, m);
    ap_gemm('T', 'N', height, n * inputs * s, N0, f->k->scale, f->rows, N0, f->cols, N0, 0.0, f->B, height);
    const size_t count = fill(f, m, n, r, s);
    if (count == pairs) {
        ap_syrk('T', pairs, m * n, weight, f->V, m * n, 1.0, E, pairs);
        return;
    }
    ap_syrk('T', count, m * n, weight, f->V, m * n, 0.0, f->traces, count);
    for (size_t q = 0; q < count; q++)
        for (size_t p = q; p < count; p++) E[f->which[p] + pairs * f->which[q]] += f->traces[p + count * q];
}

ap_status ap_hessian_energy(double *E, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, mark = work->used;
    factors f;
    ap_status status = take_tiles(&f, p, work, err);
    if (status < 0) goto done;
    make(&f, &point->fit);
    add_labels(E, &f);
    for (size_t j = 0; status == AP_OK && j < P; j += f.tile) {
        const size_t n = P - j < f.tile ? P - j : f.tile;
        gather(f.cols, &f, j, n);
        for (size_t i = j; status == AP_OK && i < P; i += f.tile) {  // of many coupled paths a tile takes a second
            if (ap_kernel_stops(p->kernel))
                status = AP_INTERRUPTED;
            else
                subtract_tile(E, &f, i, P - i < f.tile ? P - i : f.tile, j, n);
        }
    }
done:
    work->used = mark;
    return status;
}

ap_status ap_hessian_action(double *H, const ap_problem *p, const ap_point *point, ap_work *work, ap_error *err) {
    const size_t n = ap_params_unknowns(p->net), q = p->kernel->pairs, paths = p->kernel->paths, mark = work->used;
    double *E = ap_take_matrix(work, q, q), *blocks = ap_take_matrix(work, ap_times(paths, paths), ap_frame_panel);
    ap_status status = blocks == NULL ? ap_not_taken(work, err, "ap_hessian_action") : AP_OK;
    if (status == AP_OK) status = ap_curvature_entropy(H, p->net, point, point->chol, work, err);
    if (status == AP_OK) status = ap_hessian_energy(E, p, point, work, err);
    if (status != AP_OK) goto done;
    ap_frame_form(E, point->chol, paths, blocks);
    ap_curvature_add_energy(H, n, E, point, point->chol, paths, blocks);
done:
    work->used = mark;
    return status;
}

ap_status ap_hessian_factor(double *H, size_t n, const ap_kernel *stops, ap_error *err) {
    const size_t panel = ap_hessian_panel(n);
    for (size_t j = 0; j < n; j += panel) {
        const size_t m = n - j < panel ? n - j : panel, rest = n - j - m;
        double *D = H + j * (n + 1), *below = D + m;
        if (ap_kernel_stops(stops)) return AP_INTERRUPTED;
        bool definite = ap_potrf(m, D, n) == 0;
        for (size_t i = 0; i < m; i++) {
            if (!isfinite(D[i * (n + 1)]))
                return ap_fail(err, AP_ENONFINITE, "the Hessian of the action is not finite");
            definite = definite && D[i * (n + 1)] > 0.0;
        }
        if (!definite) return ap_hessian_no_minimum(err);
        ap_trsm('R', 'T', rest, m, 1.0, D, n, below, n);
        for (size_t c = 0; c < rest; c += panel) {  // the half below the diagonal, a panel of columns at a time
            const size_t some = rest - c < panel ? rest - c : panel;
            ap_gemm('N', 'T', rest - c, some, m, -1.0, below + c, n, below + c, n, 1.0, below + n * m + c * (n + 1), n);
        }
    }
    return AP_OK;
}

ap_status ap_hessian_no_minimum(ap_error *err) {
    return ap_fail(err, AP_ENOTSPD, "the Hessian of the action is not positive definite: this is no minimum");
}
