// ap_cme.c: attention as a kernel conditional mean
// SPDX-License-Identifier: BSD-3-Clause
//
//   Omega = (G + lambda I)^{-1} k (K, Q),   G_ij = k (k_i, k_j)                                                  (T16)
//
//   k (k, q) = exp (s k'q)              'exponential'        s = 1 / gamma, in networks 1 / (gamma sqrt (G))
//            = exp (-s |k - q|^2 / 2)   'gaussian'
//            = s k'q                    'linear'
//
// With G + lambda I = F F', F lower triangular, Omega = F'^{-1} F^{-1} k (K, Q): two triangular solves. Causal queries
// see the leading keys, j of them. The leading block of F is the factor of the leading block of G + lambda I; forward
// substitution with all of F gives in its leading entries what that block alone would give; and backward substitution
// of a vector that is 0 behind entry j is that of the leading block. So, with one factorisation for all queries,
//
//   Omega = F'^{-1} triu (F^{-1} k (K, Q))                                               causal
//
// What is applied to a few vectors a needs no Omega: Omega a = F'^{-1} F^{-1} (k (K, Q) a), or, causal,
// F'^{-1} (triu (F^{-1} k (K, Q)) a). Cost for n keys and m queries in d dimensions: n^3 / 3 flops for F, n d (n + 2 m)
// in products, n (n / 2 + m) exponentials; then 2 n^2 m for Omega, or 2 n m + 2 n^2 flops a vector where not causal.
//
// A pivot below 4 n eps of its diagonal entry is rounding error, nothing else: such a matrix is refused as well as one
// whose pivot is negative, so that it does not depend on chance whether key tokens that are equal are noticed.
//
// Squared distances are |k|^2 + |q|^2 - 2 k'q, which one matrix product gives, cut at 0; their error is
// d eps (|k|^2 + |q|^2). Exponents up to ap_exp_near, known in advance from the norms of keys and queries
// (|k'q| <= |k||q|), take the fast exponential of ap_exp.c. Beyond, the library's is used, and an overflow is found
// afterwards.

#include "network/ap_network.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { queries_together = 64 };  // k (K, Q) of so many stays in the cache while it is made and applied

// ---- kernels --------------------------------------------------------------------------------------------------------

typedef struct factor {      // what a factorisation leaves to the queries
    double *F;               // [n x n] lower
    double *diagonal;        // [n] of G + lambda I
    double *keys, *queries;  // [n] s |k|^2, [m] s |q|^2
} factor;

static factor parts(double *base, size_t n) {
    return (factor){.F = base, .diagonal = base + n * n, .keys = base + n * n + n, .queries = base + n * n + 2 * n};
}

// Doubles of `base` for n keys and up to m queries at a time
static size_t scratch(size_t n, size_t m) { return ap_plus(ap_times(n, n), ap_plus(ap_times(2, n), m)); }

static ap_status refuse(ap_error *err, ap_status status, const ap_head_keys *c, const char *what, const char *is) {
    if (c->example == 0) return ap_fail(err, status, "%s %s (ridge %g)", what, is, c->rule->ridge);
    return ap_fail(err, status, "%s of example %zu, layer %zu, head %zu %s (ridge %g)", what, c->example, c->layer,
                   c->head, is, c->rule->ridge);
}

static ap_status overflow(ap_error *err, const ap_head_keys *c) {
    return refuse(err, AP_ENONFINITE, c, "a kernel value",
                  "is not finite: keys, queries are too large for the bandwidth");
}

static bool all_finite(const double *x, size_t n) {
    bool finite = true;
    for (size_t i = 0; i < n; i++) finite = finite && isfinite(x[i]);
    return finite;
}

static double largest(const double *x, size_t n) {
    double top = 0.0;
    for (size_t i = 0; i < n; i++) top = fmax(top, x[i]);
    return all_finite(x, n) ? top : INFINITY;
}

// The scores of n keys and one query become kernel values; false if one is not finite. near: none can be.
static bool evaluate(double *x, size_t n, const ap_head_keys *c, const double *keys, double query, bool near) {
    if (c->rule->kernel == AP_KERNEL_GAUSSIAN)
        for (size_t i = 0; i < n; i++) {
            const double exponent = x[i] - 0.5 * (keys[i] + query);
            x[i] = exponent > 0.0 ? 0.0 : exponent;
        }
    if (near) {
        if (c->rule->kernel != AP_KERNEL_LINEAR) ap_exp(x, n);
        return true;
    }
    for (size_t i = 0; i < n && c->rule->kernel != AP_KERNEL_LINEAR; i++) x[i] = exp(x[i]);
    return all_finite(x, n);
}

// Whether no exponent exceeds ap_exp_near, given the largest s |k|^2 and s |q|^2.
static bool is_near(const ap_head_keys *c, double keys, double queries) {
    return (c->rule->kernel == AP_KERNEL_GAUSSIAN ? 2.0 * fmax(keys, queries) : sqrt(keys) * sqrt(queries)) <=
           ap_exp_near;
}

// The factor of G + lambda I, kept in base for what follows; AP_ENOTSPD where it has none.
static ap_status factorise(double *base, const ap_head_keys *c, ap_error *err) {
    const factor r = parts(base, c->n);
    const size_t n = c->n;
    ap_syrk('T', n, c->d, c->scale, c->K, c->d, 0.0, r.F, n);
    for (size_t i = 0; i < n; i++) r.keys[i] = r.F[i * (n + 1)];
    const double top = largest(r.keys, n);
    const bool near = is_near(c, top, top);
    for (size_t j = 0; j < n; j++) {
        if (!evaluate(r.F + j * (n + 1), n - j, c, r.keys + j, r.keys[j], near)) return overflow(err, c);
        r.diagonal[j] = r.F[j * (n + 1)] += c->rule->ridge;
    }
    bool definite = ap_potrf(n, r.F, n) == 0;
    for (size_t i = 0; definite && i < n; i++) {
        const double pivot = r.F[i * (n + 1)] * r.F[i * (n + 1)];
        definite = pivot > 4.0 * (double)n * DBL_EPSILON * r.diagonal[i] && isfinite(pivot);
    }
    if (definite) return AP_OK;
    return refuse(err, AP_ENOTSPD, c, "the kernel matrix",
                  "is not positive definite: keys are too alike for the ridge");
}

static ap_status cross(double *C, size_t ldc, double *base, const ap_head_keys *c, const double *Q, size_t m,
                       ap_error *err) {
    const factor r = parts(base, c->n);
    const size_t n = c->n, d = c->d;
    ap_gemm('T', 'N', n, m, d, c->scale, c->K, d, Q, d, 0.0, C, ldc);
    for (size_t j = 0; j < m; j++) r.queries[j] = c->scale * ap_dot(d, Q + d * j, Q + d * j);
    const bool near = is_near(c, largest(r.keys, n), largest(r.queries, m));
    const bool whole = near && ldc == n && c->rule->kernel != AP_KERNEL_GAUSSIAN;
    for (size_t j = 0; j < (whole ? 1 : m); j++)
        if (!evaluate(C + ldc * j, whole ? n * m : n, c, r.keys, r.queries[j], near)) return overflow(err, c);
    return AP_OK;
}

// ---- what follows from them -----------------------------------------------------------------------------------------

static void solve(double *B, size_t ldb, char t, const double *F, const ap_head_keys *c, size_t m) {
    if (m == 1)
        ap_trsv(t, c->n, F, c->n, B);
    else
        ap_trsm('L', t, c->n, m, 1.0, F, c->n, B, ldb);
}

// C := F^{-1} C, of which causal queries keep what belongs to the keys that they see
static void forward(double *C, size_t ldc, const double *F, const ap_head_keys *c, size_t m) {
    solve(C, ldc, 'N', F, c, m);
    for (size_t j = 0; c->causal && j < m && j + 1 < c->n; j++)
        memset(C + ldc * j + j + 1, 0, (c->n - j - 1) * sizeof *C);
}

static ap_status backward(double *B, size_t ldb, const double *F, const ap_head_keys *c, size_t m, ap_error *err) {
    solve(B, ldb, 'T', F, c, m);
    for (size_t j = 0; j < m; j++)
        if (!all_finite(B + ldb * j, c->n)) return refuse(err, AP_ENONFINITE, c, "the attention", "is not finite");
    return AP_OK;
}

// C [n x m] := k (K, Q), and below V [dv x n] := V (G + lambda I)^{-1}: V C is the estimate. Not where causal.
static ap_status cross_kernel(double *C, double *base, const ap_head_keys *c, const double *Q, size_t m,
                              ap_error *err) {
    return cross(C, c->n, base, c, Q, m, err);
}

// omega [rows x m] := Omega of queries Q [d x m]
static ap_status weights(double *omega, double *base, const ap_head_keys *c, const double *Q, size_t m, ap_error *err) {
    const size_t n = c->n, rows = c->rows, real = m < c->queries ? m : c->queries;
    ap_status status = cross(omega, rows, base, c, Q, real, err);
    if (status < 0) return status;
    forward(omega, rows, base, c, real);
    status = backward(omega, rows, base, c, real, err);
    for (size_t j = 0; j < real; j++) memset(omega + rows * j + n, 0, (rows - n) * sizeof *omega);
    memset(omega + rows * real, 0, rows * (m - real) * sizeof *omega);
    return status;
}

// B [rows x up] := Omega a, a [m x up]; omega [n x m] workspace
static ap_status apply(double *B, double *omega, double *base, const ap_head_keys *c, const double *Q, size_t m,
                       const double *a, size_t up, ap_error *err) {
    const size_t n = c->n, rows = c->rows, real = m < c->queries ? m : c->queries;
    const size_t together = c->causal ? real : queries_together;
    for (size_t j = 0; j < real; j += together) {
        const size_t some = real - j < together ? real - j : together;
        const ap_status status = cross(omega, n, base, c, Q + c->d * j, some, err);
        if (status < 0) return status;
        if (c->causal) forward(omega, n, base, c, real);
        ap_gemm('N', 'N', n, up, some, 1.0, omega, n, a + j, m, j == 0 ? 0.0 : 1.0, B, rows);
    }
    if (!c->causal) solve(B, rows, 'N', base, c, up);
    const ap_status status = backward(B, rows, base, c, up, err);
    for (size_t j = 0; j < up; j++) memset(B + rows * j + n, 0, (rows - n) * sizeof *B);
    return status;
}

// ---- derivatives ----------------------------------------------------------------------------------------------------
//
// Each query's column is omega = A^{-1} k with A = G + lambda I, causal ones with a leading block of it. With
// V = A^{-1} D, made as Omega is made of k (K, Q), the derivative by k (K, Q) is V, by A it is -V Omega', and by
// log lambda -lambda tr (V Omega'). A kernel value is x = exp (e), or e: the derivative by e is that by x times x, or
// itself. And e is s k'q, from which the Gaussian's takes s |k|^2 / 2 and s |q|^2 / 2. By log gamma, s being 1 / gamma
// but for a constant, it is -e times that by e, where e is read from x: differences of large squares have lost it.

// Doubles of out->room
static size_t adjoint_room(size_t rows, size_t m) { return ap_times(rows, ap_plus(ap_plus(rows, rows), m)); }

// E := derivatives by the exponents, [n x m], from those by the kernel values x.
static void by_exponents(double *E, const double *x, size_t count, const ap_head_keys *c) {
    for (size_t i = 0; c->rule->kernel != AP_KERNEL_LINEAR && i < count; i++) E[i] *= x[i];
}

// Sum of e times the derivatives by the exponents e.
static double by_scale(const double *E, const double *x, size_t count, const ap_head_keys *c) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        if (E[i] != 0.0) sum += E[i] * (c->rule->kernel == AP_KERNEL_LINEAR ? x[i] : log(x[i]));
    return sum;
}

// A [d x n] += s B E, B [d x m], E' being [n x m]; of the Gaussian less s A_i sum_j E_ij.
static void by_factor(double *A, const ap_head_keys *c, const double *own, size_t n, const double *B, size_t m,
                      const double *E, bool transposed, double beta) {
    const size_t d = c->d, lde = transposed ? n : m;
    ap_gemm('N', transposed ? 'T' : 'N', d, n, m, c->scale, B, d, E, lde, beta, A, d);
    for (size_t i = 0; c->rule->kernel == AP_KERNEL_GAUSSIAN && i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < m; j++) sum += transposed ? E[i + lde * j] : E[j + lde * i];
        ap_axpy(d, -c->scale * sum, own + d * i, A + d * i);
    }
}

// Derivatives by keys, queries and the ridge, from those by omega, D [rows x m], which is overwritten.
static ap_status adjoint(ap_adjoint *out, double *D, const double *omega, double *base, const ap_head_keys *c,
                         const double *Q, size_t m, ap_error *err) {
    const factor r = parts(base, c->n);
    const size_t n = c->n, d = c->d, rows = c->rows, real = m < c->queries ? m : c->queries;
    double *gram = out->room, *slope = gram + n * n, *values = slope + n * n;
    forward(D, rows, r.F, c, real);
    ap_status status = backward(D, rows, r.F, c, real, err);
    if (status < 0) return status;
    out->ridge = 0.0;
    for (size_t j = 0; j < real; j++) out->ridge -= c->rule->ridge * ap_dot(n, D + rows * j, omega + rows * j);
    ap_gemm('N', 'T', n, n, real, -1.0, D, rows, omega, rows, 0.0, slope, n);
    ap_gemm('N', 'T', n, n, real, -1.0, omega, rows, D, rows, 1.0, slope, n);  // and its transpose: G is symmetric
    status = cross(gram, n, base, c, c->K, n, err);
    if (status == AP_OK) status = cross(values, n, base, c, Q, real, err);
    if (status < 0) return status;
    for (size_t j = 0; j < real; j++) by_exponents(D + rows * j, values + n * j, n, c);
    by_exponents(slope, gram, n * n, c);
    out->bandwidth = out->numbers ? -by_scale(slope, gram, n * n, c) / 2.0 : 0.0;  // twice: as G, and as its transpose
    for (size_t j = 0; out->numbers && j < real; j++) out->bandwidth -= by_scale(D + rows * j, values + n * j, n, c);
    memset(out->left, 0, d * rows * sizeof(double));
    memset(out->right, 0, d * m * sizeof(double));
    for (size_t j = 0; j < real; j++) memcpy(values + n * j, D + rows * j, n * sizeof(double));
    by_factor(out->right, c, Q, real, c->K, n, values, false, 0.0);
    by_factor(out->left, c, c->K, n, Q, real, values, true, 0.0);
    by_factor(out->left, c, c->K, n, c->K, n, slope, false, 1.0);
    return AP_OK;
}

static void times_inverse(double *V, size_t dv, const double *F, const ap_head_keys *c) {
    ap_trsm('R', 'T', dv, c->n, 1.0, F, c->n, V, dv);
    ap_trsm('R', 'N', dv, c->n, 1.0, F, c->n, V, dv);
}

const ap_rule_row ap_cme = {.name = "cme",
                            .scaled = true,
                            .needs_pairs = true,
                            .weights = weights,
                            .scratch = scratch,
                            .prepare = factorise,
                            .apply = apply,
                            .values = times_inverse,
                            .cross = cross_kernel,
                            .adjoint = adjoint,
                            .adjoint_room = adjoint_room};
