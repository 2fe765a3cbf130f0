// ap_span.c: an orthonormal basis of the span of the path inputs
// SPDX-License-Identifier: BSD-3-Clause
//
// The path inputs of all examples are the columns of one matrix X [N0 x P Pi], the cells. Images of three equal
// channels, smooth positions, a few label vectors: such cells span r < N0 dimensions (one-shot task: 89 of 192). With
// orthonormal B [N0 x r] and X = B X',
//
//   xi . xi' = (B'xi) . (B'xi'),     C, K, E and every derivative of them from X' = B'X, scale 1/(N0 Pi) as before
//
// so that whatever works on path inputs works on r features instead of N0, and all examples beyond r Pi have path
// inputs 0 (ap_moments.c). What a new input has outside the span meets no example: it adds its prior variance
// (ap_predict.c).
//
// B is computed from G = X X', since K depends on X through G alone. A pivoted Cholesky factor of G has the numerical
// rank, down to rounding (N0 eps of the largest entry). Its columns, orthonormalised, multiplied by G and made
// orthonormal again, are as accurate as eigenvectors. G is first summed over about 2 N0 cells, spread over all. If
// their span is too large to save time, the function stops. Otherwise G is summed over all cells where needed. Finally
// each cell's component outside B is computed, and B is used if their squares are within the tolerance (certificate).
//
// Rounding. With X = B B'X + Z, B'Z = 0, the kernel loses Z'Z, whose trace is the squares outside: at a tolerance of
// 4 eps no more than the rounding with which K is computed in any form. So tokens that were rounded to single
// precision, with |Z| up to 2^-25 |X|, come to the basis as well. Only a new input far outside the span depends on Z
// itself: its k is off by up to 2 sqrt (eps) |xi| |X|, its mean by that times |A^{-1} y| <= |y|/T. So attnpath_predict
// keeps to the path inputs as they are, and attnpath_sample where a bound on this exceeds a hundredth of an output's
// prior deviation (its span_error). Measured with tokens in single precision, 8 of 24 dimensions, new inputs in all:
// 4e-7 of a deviation at T = 0.1, 5e-6 at 0.01, 4e-4 at 1e-4 and 0.05 at 1e-6, the bound being 40 times as large.
// Examples that stand in for a square (ap_moments.c) have the rounding of its sums, N0 eps and more, and the tolerance
// is that.
//
// Cost: 6 P N0 r Pi flops for the certificate and X', N0^2 P Pi where all cells are needed, and factors, worth `factor`
// N0^3 at the speed of matrix products. It is paid only where the evaluations that follow save more, by the estimate of
// ap_kernel_flops.

#include <float.h>
#include <math.h>
#include <string.h>

#include "action/ap_action.h"

static const double factor = 20.0;  // squares of 2 N0 cells, Cholesky factor and two QR factors: 7 N0^3 flops, slower
static const double least = 1e8;    // flops, some milliseconds, for calls: below it small problems are left as they are
enum { block = 256 };               // cells looked at together

double ap_span_tolerance(const ap_moments *m, size_t N0) {
    return m != NULL && m->form == AP_SQUARE ? (double)N0 * DBL_EPSILON : 4.0 * DBL_EPSILON;
}

// ---- does it pay ----------------------------------------------------------------------------------------------------

// Flops of all evaluations with so many features.
static double flops(const ap_net *net, const ap_inputs *x, size_t features, const ap_span_use *use) {
    const size_t M = ap_times(features, ap_net_inputs(net));
    ap_inputs held = {.N0 = features, .P = x->P};
    ap_kernel kernel;
    if (use->few && ap_moments_pay(net, &held)) held.P = M;
    if (ap_kernel_plan(&kernel, net, &held, use->memory, NULL) < 0) return INFINITY;
    const double gathered = held.P < x->P ? 2.0 * (double)x->P * (double)M * (double)M : 0.0;
    return gathered + ap_kernel_flops(&kernel, use->evaluations);
}

static bool pays(const ap_net *net, const ap_inputs *x, size_t rank, const ap_span_use *use) {
    const double n = (double)x->N0, cells = (double)x->P * (double)ap_net_inputs(net);
    const double price = 6.0 * n * (double)rank * cells + factor * n * n * n + least;
    return flops(net, x, x->N0, use) > flops(net, x, rank, use) + price;
}

size_t ap_span_most(const ap_net *net, const ap_inputs *x, const ap_span_use *use) {
    size_t yes = 0, no = x->N0;
    while (no - yes > 1) {  // what pays at some rank pays at smaller ones
        const size_t middle = yes + (no - yes) / 2;
        if (pays(net, x, middle, use))
            yes = middle;
        else
            no = middle;
    }
    return yes;
}

// ---- the search -----------------------------------------------------------------------------------------------------

typedef struct search {
    const double *X;  // [N0 x cells]
    size_t N0, cells;
    double *G, *L, *B;      // [N0 x N0] squares, their factor, the basis in the first columns
    double *tau, *scratch;  // [N0], for LAPACK
    size_t *pivot;          // [N0]
    double *V, *E;          // [N0 x block] coordinates, and what is left of a block of cells
} search;

static ap_status take_search(search *s, ap_work *work, ap_error *err) {
    const size_t N0 = s->N0;
    AP_TAKE_EACH(work, ap_times(N0, N0), &s->G, &s->L, &s->B);
    s->tau = ap_take(work, N0);
    s->scratch = ap_take_matrix(work, ap_qr_panel, N0);
    s->pivot = (size_t *)(void *)ap_take(work, N0);
    AP_TAKE_EACH(work, ap_times(N0, block), &s->V, &s->E);
    return s->E == NULL ? ap_not_taken(work, err, "ap_span_find") : AP_OK;
}

static size_t common_divisor(size_t a, size_t b) {
    while (b > 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// G of `count` cells, spread so that no period of paths, labels or classes is followed.
static void square_some(search *s, size_t count) {
    const size_t N0 = s->N0;
    size_t stride = (size_t)(0.6180339887 * (double)s->cells) + 1, cell = 0;
    while (common_divisor(s->cells, stride) != 1) stride++;
    for (size_t first = 0; first < count; first += block) {
        const size_t m = count - first < block ? count - first : block;
        for (size_t k = 0; k < m; k++, cell = (cell + stride) % s->cells)
            memcpy(s->E + N0 * k, s->X + N0 * cell, N0 * sizeof(double));
        ap_syrk('N', N0, m, 1.0, s->E, N0, first == 0 ? 0.0 : 1.0, s->G, N0);
    }
}

static bool orthonormalise(search *s, double *B, size_t rank) {
    return ap_geqrf(s->N0, rank, B, s->N0, s->tau, s->scratch) && ap_orgqr(s->N0, rank, B, s->N0, s->tau, s->scratch);
}

// From G: the rank, and where it is not above `most` the basis. Pivots are left out that are rounding, or so small that
// all of them together are within the tolerance.
static ap_status factorise(size_t *rank, search *s, size_t most, double tolerance, ap_error *err) {
    const size_t N0 = s->N0;
    double trace = 0.0;
    for (size_t i = 0; i < N0; i++) trace += s->G[i + N0 * i];
    const double rounding = fmax((double)N0 * DBL_EPSILON * ap_spd_largest(s->G, N0), tolerance * trace / (double)N0);
    memcpy(s->L, s->G, N0 * N0 * sizeof(double));
    if (!ap_pstrf(N0, s->L, N0, s->pivot, rank, rounding, s->scratch))
        return ap_fail(err, AP_ELAPACK, "dpstrf refused its arguments");
    if (*rank == 0 || *rank > most) return AP_OK;
    for (size_t k = 0; k < *rank; k++)
        for (size_t i = 0; i < N0; i++) s->B[s->pivot[i] + N0 * k] = i < k ? 0.0 : s->L[i + N0 * k];
    bool done = orthonormalise(s, s->B, *rank);
    ap_symm('L', N0, *rank, 1.0, s->G, N0, s->B, N0, 0.0, s->L, N0);
    memcpy(s->B, s->L, N0 * *rank * sizeof(double));
    done = done && orthonormalise(s, s->B, *rank);
    return done ? AP_OK : ap_fail(err, AP_ELAPACK, "dgeqrf or dorgqr refused its arguments");
}

// Are the squares of what all cells have outside the basis within this?
static bool certify(search *s, size_t rank, double allowed) {
    const size_t N0 = s->N0;
    double outside = 0.0;
    for (size_t first = 0; first < s->cells && outside <= allowed; first += block) {
        const size_t m = s->cells - first < block ? s->cells - first : block;
        memcpy(s->E, s->X + N0 * first, N0 * m * sizeof(double));
        ap_gemm('T', 'N', rank, m, N0, 1.0, s->B, N0, s->E, N0, 0.0, s->V, rank);
        ap_gemm('N', 'N', N0, m, rank, -1.0, s->B, N0, s->V, rank, 1.0, s->E, N0);
        for (size_t k = 0; k < m; k++) outside += ap_dot(N0, s->E + N0 * k, s->E + N0 * k);
    }
    return outside <= allowed;
}

ap_status ap_span_find(double *basis, size_t *found, const ap_inputs *x, size_t paths, size_t most, double tolerance,
                       ap_work *work, ap_error *err) {
    const size_t N0 = x->N0, mark = work->used, some = 2 * N0;
    search s = {.X = x->Xi, .N0 = N0, .cells = ap_times(x->P, paths)};
    bool within = false;
    size_t rank = 0;
    double total = 0.0;
    if (!ap_blas_fits(s.cells) || !ap_blas_fits(ap_times(N0, ap_qr_panel)))
        return ap_fail(err, AP_ESIZE, "%zu features, %zu path inputs are more than BLAS can count", N0, s.cells);
    ap_status status = take_search(&s, work, err);
    if (status < 0) goto done;
    for (size_t k = 0; k < s.cells; k++) total += ap_dot(N0, s.X + N0 * k, s.X + N0 * k);
    if (s.cells > some) {
        square_some(&s, some);
        status = factorise(&rank, &s, most, tolerance, err);
        if (status < 0 || rank > most) goto done;
        within = rank > 0 && certify(&s, rank, tolerance * total);
    }
    if (!within) {
        ap_syrk('N', N0, s.cells, 1.0, s.X, N0, 0.0, s.G, N0);
        status = factorise(&rank, &s, most, tolerance, err);
        within = status == AP_OK && rank > 0 && rank <= most && certify(&s, rank, tolerance * total);
    }
    if (within) memcpy(basis, s.B, N0 * rank * sizeof(double));
done:
    *found = within ? rank : 0;
    work->used = mark;
    return status;
}

void ap_span_turn(double *Xi, const double *basis, size_t rank, const ap_inputs *x, size_t paths) {
    ap_gemm('T', 'N', rank, x->P * paths, x->N0, 1.0, basis, x->N0, x->Xi, x->N0, 0.0, Xi, rank);
}
