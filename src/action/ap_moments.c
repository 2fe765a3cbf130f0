// ap_moments.c: any number of examples in one matrix, and the few that stand for them
// SPDX-License-Identifier: BSD-3-Clause
//
// Examples enter through B = [Phi y] [P x n] and nothing else, the row of example mu being its path inputs
// xi^1_mu .. xi^Pi_mu end to end and its labels, one for each of C outputs, n = N0 Pi + C. What is kept of them is one
// of (T20)
//
//   square    B'B            sums over examples: parts are added
//   factor    R, B = Q R     upper triangular: of the factors of two parts, one upon the other, R is the factor again
//
// A rotation of the examples, K -> Q' K Q, y -> Q' y, changes neither the energy nor its derivatives, the predictor or
// any posterior. So the rows of R are examples themselves, m <= min (P, n) of them, with path inputs and labels of
// their own; all others have path inputs 0, hence a kernel of 0, and labels whose squares sum to `rest`:
//
//   E = (P - m) log T + rest/T + log det (K_m + T I) + y_m' (K_m + T I)^{-1} y_m                     (T21), rotated
//
// That is the weight-space form, and functions of examples use it unchanged. From a square, R is its
// Cholesky factor with complete pivoting, where rows below the rounding of the sums are left out. A factor of P < N0 Pi
// examples ends with row P - 1 unless columns depend on those before them, as features that are always 0 do: column
// pivoting then restores that form.
//
// Rounding. R is that of B + dB, |dB| about eps |B|: as good as the examples themselves, at any T. A square knows B'B
// within eps of its largest entries, so that K has an error of about eps |K|. It is refused where eps |K| > 1e-7 T, |K|
// being the Frobenius norm at the GP point; U then has measured relative errors below 1e-6. Three rules keep R'R within
// that error, since what R'R has wrong in Phi'y and y'y is divided by T:
// - A pivot has the error eps p_1 (p_1 the largest), so that along small pivots, or what they leave, rows have Phi'y
//   wrong. Labels are therefore the next pivots after those above 1e-7 p_1, at most C where Phi'y is left above its
//   rounding: rows whose label is the root of what is left of its square. Rows of smaller pivots then have the label 0.
// - Labels may have larger squares than y'y, since a pivot has the error p. All pivots are then enlarged by the lambda
//   with which they have not: row k by sqrt (1 + lambda / pivot), its labels by the inverse, so that Phi'y stays.
// - What is left of y'y has the error eps y'y. A square is refused where that is neither below 0.01 T nor small against
//   what is left, as it is for labels that the path inputs explain nearly completely.
// Cost: P n^2 flops for a square, 2 P n^2 (1 + n / (rows of a block)) for a factor, n^3/3 for examples from a square.

#include <float.h>
#include <math.h>
#include <string.h>

#include "action/ap_action.h"

static const double most_rounding = 1e-7;  // eps |K| / T of a square: the bound above; eps y'y over rest
static const double most_rest = 0.01;      // eps y'y / T of a square
// Pivots before the labels, over the largest: y'y - .. has the relative error eps (1 + this |K|/T), and Phi'y may have
// eps over its root where labels are explained so well that nothing is left of them.
static const double first_pivots = 1e-7;
enum {
    rows_square = 512,  // rows taken at a time
    times_factor = 4,   // the same of a factor, times its own
    most_newton = 50    // steps of Newton's method, of which 5 are usual
};

// Columns of Phi
static size_t weights(const ap_moments *m) { return ap_times(m->N0, m->paths); }

size_t ap_moments_outputs(const ap_moments *m) { return m->outputs > 1 ? m->outputs : 1; }

static size_t columns(const ap_moments *m) { return ap_plus(weights(m), ap_moments_outputs(m)); }

size_t ap_moments_size(const ap_moments *m) { return ap_times(columns(m), columns(m)); }

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

size_t ap_moments_rows(const ap_moments *m) { return at_most(m->P, m->form == AP_SQUARE ? columns(m) : weights(m)); }

bool ap_moments_pay(const ap_net *net, const ap_inputs *x) {
    const double P = (double)x->P, M = (double)x->N0 * (double)ap_net_inputs(net), evaluations = 10.0;
    return P > M && 2.0 * P * M * M - 2.0 / 3.0 * M * M * M < evaluations * 2.0 * M * (P * P - M * M);
}

// A [rows x n] into the factor R, which lies above it in S [(n + rows) x n]
static ap_status fold(double *R, double *S, size_t rows, size_t n, double *tau, double *scratch, ap_error *err) {
    const size_t height = n + rows;
    for (size_t j = 0; j < n; j++) memcpy(S + height * j, R + n * j, n * sizeof(double));
    if (!ap_geqrf(height, n, S, height, tau, scratch)) return ap_fail(err, AP_ELAPACK, "dgeqrf refused its arguments");
    for (size_t j = 0; j < n; j++) {
        memcpy(R + n * j, S + height * j, (j + 1) * sizeof(double));
        memset(R + n * j + j + 1, 0, (n - j - 1) * sizeof(double));
    }
    return AP_OK;
}

// Rows first .. first + count - 1 of B, transposed or not, where ld doubles lie between two columns.
static void put_rows(double *B, size_t ld, bool transposed, const ap_moments *m, const ap_inputs *x, const double *y,
                     size_t first, size_t count) {
    const size_t N0 = m->N0, M = N0 * m->paths;
    for (size_t mu = 0; mu < count; mu++) {
        for (size_t a = 0; a < m->paths; a++) {
            const double *xi = x->Xi + N0 * (first + mu + x->P * a);
            if (transposed)
                memcpy(B + ld * mu + N0 * a, xi, N0 * sizeof(double));
            else
                for (size_t i = 0; i < N0; i++) B[mu + ld * (i + N0 * a)] = xi[i];
        }
        for (size_t c = 0; c < ap_moments_outputs(m); c++)
            B[transposed ? M + c + ld * mu : mu + ld * (M + c)] = y[first + mu + x->P * c];
    }
}

static ap_status add_square(ap_moments *m, const ap_inputs *x, const double *y, ap_work *work, ap_error *err) {
    const size_t n = columns(m), most = rows_square, mark = work->used;
    double *B = ap_take_matrix(work, n, most);
    ap_status status = B == NULL ? ap_not_taken(work, err, "ap_moments_add") : AP_OK;
    for (size_t first = 0; status == AP_OK && first < x->P; first += most) {
        const size_t count = x->P - first < most ? x->P - first : most;
        put_rows(B, n, true, m, x, y, first, count);
        ap_syrk('N', n, count, 1.0, B, n, 1.0, m->sums, n);
    }
    work->used = mark;
    return status;
}

static ap_status add_factor(ap_moments *m, const ap_inputs *x, const double *y, ap_work *work, ap_error *err) {
    const size_t n = columns(m), most = ap_times(times_factor, n), mark = work->used;
    double *S = ap_take_matrix(work, ap_plus(n, most), n), *tau = ap_take(work, n);
    double *scratch = ap_take_matrix(work, ap_qr_panel, n);
    ap_status status = scratch == NULL ? ap_not_taken(work, err, "ap_moments_add") : AP_OK;
    for (size_t first = 0; status == AP_OK && first < x->P; first += most) {
        const size_t count = x->P - first < most ? x->P - first : most;
        put_rows(S + n, n + count, false, m, x, y, first, count);
        status = fold(m->sums, S, count, n, tau, scratch, err);
    }
    work->used = mark;
    return status;
}

ap_status ap_moments_check(const ap_moments *m, ap_error *err) {
    const size_t n = columns(m);
    if (m->N0 == 0 || m->paths == 0 || !ap_blas_fits(ap_times(times_factor + 1, n)) || ap_moments_size(m) == SIZE_MAX)
        return ap_fail(err, AP_ESIZE, "%zu features x %zu paths are more than BLAS can count", m->N0, m->paths);
    return AP_OK;
}

ap_status ap_moments_add(ap_moments *m, const ap_inputs *x, const double *y, ap_work *work, ap_error *err) {
    const ap_status status = m->form == AP_SQUARE ? add_square(m, x, y, work, err) : add_factor(m, x, y, work, err);
    if (status == AP_OK) m->P += x->P;
    return status;
}

typedef struct pivoted {        // a square's Cholesky factor, or a factor's, columns in the order of pivot
    double *L, *tau, *scratch;  // [M x n], [M], [(ap_qr_panel + 1) M]
    double *rest;               // of a square, what the first pivots leave of its path inputs; or NULL
    size_t *pivot, *later;      // [M], [M]
} pivoted;

static ap_status take_pivoted(pivoted *f, const ap_moments *m, ap_work *work, ap_error *err) {
    const size_t M = weights(m);
    f->L = ap_take_matrix(work, M, columns(m));
    f->tau = ap_take(work, M);
    f->scratch = ap_take_matrix(work, ap_qr_panel + 1, M);
    f->rest = NULL;
    f->pivot = (size_t *)(void *)ap_take(work, M);
    f->later = (size_t *)(void *)ap_take(work, M);
    return f->later == NULL ? ap_not_taken(work, err, "ap_moments_examples") : AP_OK;
}

static ap_status check_rest(const ap_moments *m, double rest, double temperature, ap_error *err) {
    double rounding = 0.0;
    if (!isfinite(rest)) return ap_fail(err, AP_ENONFINITE, "the moments are not finite");
    for (size_t c = weights(m); c < columns(m); c++) rounding += DBL_EPSILON * m->sums[c + columns(m) * c];
    if (m->form == AP_FACTOR || rounding <= fmax(most_rest * temperature, most_rounding * rest)) return AP_OK;
    return ap_fail(err, AP_EINPUT,
                   "the labels are too large for moments of the form square at the temperature %g: rounding of their "
                   "squares changes the action by %.2g, and %g is allowed; gather them in the form factor",
                   temperature, rounding / temperature, most_rest);
}

// What the first k rows, of labels y [ld x C], leave of y_c'y_d
static double unexplained_product(const ap_moments *m, const double *y, size_t ld, size_t k, size_t c, size_t d) {
    const size_t M = weights(m), low = c < d ? c : d, high = c < d ? d : c;
    return m->sums[M + high + columns(m) * (M + low)] - ap_dot(k, y + ld * c, y + ld * d);
}

static double unexplained_squares(const ap_moments *m, const double *y, size_t ld, size_t k) {
    double sum = 0.0;
    for (size_t c = 0; c < ap_moments_outputs(m); c++) {
        const double left = unexplained_product(m, y, ld, k, c, c);
        if (!(left <= 0.0)) sum += left;
    }
    return sum;
}

// The least lambda from the one given on with which labels y [k] have no more than that square, by Newton's method: the
// function is convex, so that it comes from below.
static double enlarged(double lambda, const double *y, const double *L, size_t M, size_t k, double square) {
    for (int step = 0; step < most_newton; step++) {
        double sum = 0.0, slope = 0.0;
        for (size_t i = 0; i < k; i++) {
            const double pivot = L[i * (M + 1)] * L[i * (M + 1)], part = y[i] * y[i] * pivot / (pivot + lambda);
            sum += part;
            slope += part / (pivot + lambda);
        }
        if (!(sum > square)) break;
        lambda += (sum - square) / slope;
    }
    return lambda;
}

// Labels of the first `found` rows, and pivots that are enlarged.
static void fit_labels(double *y, size_t ld, size_t found, const ap_moments *m, const pivoted *f) {
    const size_t M = weights(m), C = ap_moments_outputs(m);
    double *L = f->L, lambda = 0.0;
    for (size_t c = 0; c < C; c++) {
        double *own = y + ld * c;
        for (size_t k = 0; k < found; k++) own[k] = m->sums[M + c + columns(m) * f->pivot[k]];
        ap_trsv('N', found, L, M, own);
        lambda = enlarged(lambda, own, L, M, found, unexplained_product(m, y, ld, 0, c, c));
    }
    for (size_t k = 0; k < found; k++) {
        const double root = sqrt(1.0 + lambda / (L[k * (M + 1)] * L[k * (M + 1)]));
        for (size_t i = k; i < M; i++) L[i + M * k] *= root;
        for (size_t c = 0; c < C; c++) y[k + ld * c] /= root;
    }
}

// What the first k rows leave of label c's Phi'y, into column k of L: nothing along the first `found` pivots.
static double *unexplained_inputs(const double *y, size_t ld, size_t k, size_t c, size_t found, const ap_moments *m,
                                  const pivoted *f) {
    const size_t M = weights(m);
    double *xi = f->L + M * k;
    memset(xi, 0, found * sizeof(double));
    for (size_t i = found; i < M; i++) xi[i] = m->sums[M + c + columns(m) * f->pivot[i]];
    ap_gemv('N', M - found, k, -1.0, f->L + found, M, y + ld * c, 1.0, xi + found);
    return xi;
}

// What the first `found` rows leave of the sums of path inputs, in the order of pivots, lower.
static ap_status unexplained_sums(size_t found, const ap_moments *m, pivoted *f, ap_work *work, ap_error *err) {
    const size_t M = weights(m), n = M - found;
    f->rest = ap_take_matrix(work, n, n);
    if (f->rest == NULL) return ap_not_taken(work, err, "ap_moments_examples");
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            const size_t a = f->pivot[found + i], b = f->pivot[found + j];
            f->rest[i + n * j] = m->sums[a > b ? a + columns(m) * b : b + columns(m) * a];
        }
    ap_syrk('N', n, found, -1.0, f->L + found, M, 1.0, f->rest, n);
    return AP_OK;
}

// Row k, whose pivot is the label of which the rows above leave the most Phi'y, xi. Returns false where that is
// rounding. Where what is left of y'y is rounding, it counts as |xi|^4 over xi'R xi, R being what is left of the sums
// of path inputs: no label has less, and the row's own path inputs stay within R.
static bool label_row(double *y, size_t ld, size_t k, size_t found, double tolerance, const ap_moments *m,
                      const pivoted *f) {
    const size_t M = weights(m), C = ap_moments_outputs(m), n = M - found;
    const double rounding = (double)columns(m) * DBL_EPSILON;
    double most = rounding * rounding * f->L[0] * f->L[0];
    size_t pivot = C;
    for (size_t c = 0; c < C; c++) {
        const double *xi = unexplained_inputs(y, ld, k, c, found, m, f);
        const double size = ap_dot(M, xi, xi) / unexplained_product(m, y, ld, 0, c, c);
        if (size > most) {
            most = size;
            pivot = c;
        }
    }
    if (pivot == C) return false;
    double *xi = unexplained_inputs(y, ld, k, pivot, found, m, f) + found;
    ap_symv(n, 1.0, f->rest, n, xi, 0.0, f->scratch);
    const double square = ap_dot(n, xi, xi), there = fmax(ap_dot(n, xi, f->scratch) / square, tolerance);
    const double left = unexplained_product(m, y, ld, k, pivot, pivot);
    const bool known = left > rounding * unexplained_product(m, y, ld, 0, pivot, pivot);
    const double root = sqrt(known ? left : fmax(left, square / there));
    for (size_t i = 0; i < n; i++) xi[i] /= root;
    ap_syrk('N', n, 1, -1.0, xi, n, 1.0, f->rest, n);
    for (size_t c = 0; c < C; c++)
        y[k + ld * c] = known && c != pivot ? unexplained_product(m, y, ld, k, pivot, c) / root : 0.0;
    y[k + ld * pivot] = root;
    return true;
}

// Rows `count` .. of smaller pivots, of what the rows above leave: their number.
static bool later_rows(size_t *rows, size_t count, size_t found, double tolerance, const ap_moments *m,
                       const pivoted *f) {
    const size_t M = weights(m), n = M - found, most = ap_moments_rows(m);
    if (!ap_pstrf(n, f->rest, n, f->later, rows, tolerance, f->scratch)) return false;
    *rows = at_most(*rows, most - count);
    for (size_t k = 0; k < *rows; k++) {
        memset(f->L + M * (count + k), 0, M * sizeof(double));
        for (size_t i = k; i < n; i++) f->L[found + f->later[i] + M * (count + k)] = f->rest[i + n * k];
    }
    return true;
}

static ap_status from_square(double *Xi, double *y, size_t *rows, double *rest, const ap_moments *m, double temperature,
                             pivoted *f, ap_work *work, ap_error *err) {
    const size_t n = columns(m), M = weights(m), N0 = m->N0, C = n - M, ld = ap_moments_rows(m);
    double *L = f->L;
    size_t rank = 0, later = 0;
    memset(L, 0, M * M * sizeof(double));
    for (size_t j = 0; j < M; j++) memcpy(L + j + M * j, m->sums + j + n * j, (M - j) * sizeof(double));
    const double largest = ap_spd_largest(L, M), rounding = (double)M * DBL_EPSILON * largest;
    if (!ap_pstrf(M, L, M, f->pivot, &rank, fmax(rounding, first_pivots * largest), f->scratch))
        return ap_fail(err, AP_ELAPACK, "dpstrf refused its arguments");
    const size_t found = at_most(rank, m->P);
    memset(y, 0, ld * C * sizeof(double));
    fit_labels(y, ld, found, m, f);
    ap_status status = check_rest(m, unexplained_squares(m, y, ld, found), temperature, err);
    const bool more = status == AP_OK && found < at_most(M, ld);  // rows may follow those of the first pivots
    if (more) status = unexplained_sums(found, m, f, work, err);
    if (status != AP_OK) return status;
    size_t count = found;
    if (more) {
        while (count < at_most(found + C, ld) && label_row(y, ld, count, found, rounding, m, f)) count++;
        if (count < ld && !later_rows(&later, count, found, rounding, m, f))
            return ap_fail(err, AP_ELAPACK, "dpstrf refused its arguments");
    }
    *rest = unexplained_squares(m, y, ld, count);
    *rows = count + later > 0 ? count + later : 1;  // an example of zeros, where path inputs are
    for (size_t c = 1; c < C; c++) memmove(y + *rows * c, y + ld * c, *rows * sizeof(double));
    for (size_t i = 0; i < M; i++) {
        const size_t j = f->pivot[i], at = j % N0 + N0 * *rows * (j / N0);
        for (size_t k = 0; k < *rows; k++) Xi[at + N0 * k] = L[i + M * k];
    }
    return AP_OK;
}

// Do rows P .. M - 1 of R hold no path inputs but rounding? Not where a column depends on those before it.
static bool trapezoid(const ap_moments *m) {
    const size_t n = columns(m), M = weights(m);
    double all = 0.0, below = 0.0;
    for (size_t j = 0; j < M; j++)
        for (size_t k = 0; k <= j; k++) {
            const double square = m->sums[k + n * j] * m->sums[k + n * j];
            all += square;
            if (k >= m->P) below += square;
        }
    return sqrt(below) <= (double)n * DBL_EPSILON * sqrt(all);
}

// What labels, column c of a factor, have beyond the path inputs: nothing where it is no more than their rounding,
// which a small T would magnify.
static double unexplained(double square, const ap_moments *m, size_t c) {
    const size_t n = columns(m);
    const double rounding = (double)n * DBL_EPSILON, *label = m->sums + n * c;
    return square > rounding * rounding * ap_dot(n, label, label) ? square : 0.0;
}

static void from_factor(double *Xi, double *y, size_t *rows, double *rest, const ap_moments *m) {
    const size_t n = columns(m), M = weights(m), N0 = m->N0;
    *rows = ap_moments_rows(m);
    *rest = 0.0;
    for (size_t k = 0; k < *rows; k++) {
        for (size_t j = 0; j < M; j++) Xi[j % N0 + N0 * (k + *rows * (j / N0))] = m->sums[k + n * j];
        for (size_t c = 0; M + c < n; c++) y[k + *rows * c] = m->sums[k + n * (M + c)];
    }
    for (size_t c = M; c < n; c++)
        *rest += unexplained(ap_dot(n - *rows, m->sums + *rows + n * c, m->sums + *rows + n * c), m, c);
}

// The same where it is none: factored once more, with columns in the order of their norms, R ends with row P - 1.
static ap_status from_columns(double *Xi, double *y, size_t *rows, double *rest, const ap_moments *m, const pivoted *f,
                              ap_error *err) {
    const size_t n = columns(m), M = weights(m), N0 = m->N0;
    double *L = f->L, *label = f->scratch;
    *rows = ap_moments_rows(m);
    *rest = 0.0;
    for (size_t j = 0; j < M; j++) memcpy(L + M * j, m->sums + n * j, M * sizeof(double));
    if (!ap_geqp3(M, M, L, M, f->pivot, f->tau, f->scratch))
        return ap_fail(err, AP_ELAPACK, "dgeqp3 refused its arguments");
    for (size_t j = 0; j < M; j++) {
        const size_t at = f->pivot[j] % N0 + N0 * *rows * (f->pivot[j] / N0);
        for (size_t k = 0; k < *rows; k++) Xi[at + N0 * k] = k <= j ? L[k + M * j] : 0.0;
    }
    for (size_t c = M; c < n; c++) {  // Q' times the labels, by its reflectors
        memcpy(label, m->sums + n * c, M * sizeof(double));
        for (size_t j = 0; j < M; j++) {
            double *v = L + j + 1 + M * j, along = label[j] + ap_dot(M - j - 1, v, label + j + 1);
            label[j] -= f->tau[j] * along;
            ap_axpy(M - j - 1, -f->tau[j] * along, v, label + j + 1);
        }
        memcpy(y + *rows * (c - M), label, *rows * sizeof(double));
        *rest += unexplained(
            ap_dot(M - *rows, label + *rows, label + *rows) + ap_dot(n - M, m->sums + M + n * c, m->sums + M + n * c),
            m, c);
    }
    return AP_OK;
}

// U_aa at the GP point over that of the last path, which skips nothing.
static double share(const ap_moments *m, const ap_net *net, size_t a) {
    return ap_params_gp_entry(net, 1, a) / ap_params_gp_entry(net, 1, m->paths - 1);
}

double ap_moments_rounding(const ap_moments *m, const ap_net *net) {
    const size_t n = columns(m), N0 = m->N0;
    double scale = net->variance[net->L + 1], sum = 0.0;
    if (m->form != AP_SQUARE) return 0.0;
    for (size_t l = 0; l <= net->L; l++) scale *= net->variance[l];  // of the path through no skip connection
    for (size_t j = 0; j < weights(m); j++)
        for (size_t a = j / N0; a < m->paths; a++) {
            const double weight = share(m, net, a) * share(m, net, j / N0);
            for (size_t i = a == j / N0 ? j : N0 * a; i < N0 * (a + 1); i++)
                sum += (i == j ? 1.0 : 2.0) * m->sums[i + n * j] * m->sums[i + n * j] * weight;
        }
    return DBL_EPSILON * sqrt(sum) * scale / ((double)m->N0 * (double)m->paths * net->temperature);
}

ap_status ap_moments_examples(double *Xi, double *y, size_t *rows, double *rest, const ap_moments *m, const ap_net *net,
                              ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    const double rounding = ap_moments_rounding(m, net);
    if (!(rounding <= most_rounding))
        return ap_fail(err, AP_EINPUT,
                       "the temperature %g is too small for moments of the form square: their rounding is %.2g of it, "
                       "and %g is allowed; gather them in the form factor",
                       net->temperature, rounding, most_rounding);
    ap_status status = AP_OK;
    if (m->form == AP_FACTOR && trapezoid(m)) {
        from_factor(Xi, y, rows, rest, m);
    } else {
        pivoted f;
        status = take_pivoted(&f, m, work, err);
        if (status == AP_OK)
            status = m->form == AP_SQUARE ? from_square(Xi, y, rows, rest, m, net->temperature, &f, work, err)
                                          : from_columns(Xi, y, rows, rest, m, &f, err);
    }
    if (status == AP_OK && m->form == AP_FACTOR) status = check_rest(m, *rest, net->temperature, err);
    work->used = mark;
    return status;
}
