// ap_curvature.c: second derivatives of the action, exact where they are cheap
// SPDX-License-Identifier: BSD-3-Clause
//
// Along the retraction U(x) = U + x + x U^{-1} x / 2, which never leaves the cone (it is (I + (I + d)^2)/2 in the frame
// where U = I, x = d) and follows the geodesic of the affine-invariant metric to second order, the entropy (T8) has
// the second derivative, with Y_l = U_l^{-1}, M_l = ptr_l U_l:
//
//   sum_l N_l/sigma_l^2 [ tr ((I (x) Y_{l+1}) x_l Y_l x_l) - 2 tr (Y_{l+1} x_{l+1} Y_{l+1} ptr_l x_l)
//                         + tr (Y_{l+1} M_l Y_{l+1} x_{l+1} Y_{l+1} x_{l+1}) ]
//   - (N_L/(sigma_L^2 u_a))^2 (tr x_L)^2 / c,    c = N_a u_a/sigma_a^2 + N_L tr U_L / (sigma_L^2 u_a)
//
// with all of (T29)'s members of the chain, u_a among them where layer L has a skip connection; else the last term is
// from eliminating u_a. The log det terms are linear along geodesics and drop out; the whole is positive
// semidefinite, for the entropy is geodesically convex. Written in the frame x_l = F_l d_l F_l', U_l = F_l F_l',
// where the metric is the identity, the same forms have A := F' A F and are free of the condition of U:
//
//   tr (F_l' (I (x) Y_{l+1}) F_l d_l d_l)  - 2 sum_h tr (d_{l+1} B_h d_l B_h'),  B_h = F_{l+1}^{-1} (rows h of F_l)
//   + tr (F_{l+1}^{-1} M_l F_{l+1}^{-T} d_{l+1} d_{l+1}),          tr x_L = <F_L' F_L, d_L>
//
// A member that is the leading block of its owner U = F F' (ap_params.c) has F and d of its own in those of the owner,
// but its curve is another: the leading block of U + x + x U^{-1} x / 2 is that of the member's own retraction and
// F e e' F'/2 more, e the rows of d outside the member's block. With g the derivative by the member, as if it were
// free, that adds
//
//   tr (F' g F e e') = tr (A d B d),   A = F' g F in its place, else 0,   B = I less that of the member
//
// The energy adds tr (G x_1 U_1^{-1} x_1) from the retraction and, with D_p = dK/dU_p, W_p = F^{-1} D_p F^{-T} and
// v_p = F^{-1} D_p b (F here the Cholesky factor of A),
//
//   d^2 E / dU_p dU_q = 2 v_p . v_q  -  tr (W_p W_q).
//
// The first part is exact and cheap: one product D_p b and one triangular solve a pair. The second costs 2 P^3 flops a
// pair if formed. ap_curvature_energy estimates it with a few random sign vectors z instead, E z z' = I:
//
//   tr (W_p W_q) = P c_p c_q + tr ((W_p - c_p I) (W_q - c_q I)),   c_p = tr W_p / P,
//
// where c_p is known from the gradient, so that only the remainder is estimated, by the mean of
// ((W_p - c_p I) z) . ((W_q - c_q I) z). Relative error about sqrt (2/(P probes)), always positive semidefinite. With P
// probes or more the vectors are an orthogonal basis and the estimate is exact.

#include "saddle/ap_saddle.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// With E_ab = e_a e_b' + e_b e_a' (a < b) or e_a e_a', entry (ab, cd) is
// alpha/2 [tr (A E_ab B E_cd) + tr (B E_ab A E_cd)].
void ap_curvature_add(double *H, size_t n, size_t paths, double alpha, const double *A, const double *B) {
    const size_t m = paths;
    for (size_t b = 0, col = 0; b < m; b++)
        for (size_t a = 0; a <= b; a++, col++)
            for (size_t d = b, row = col; d < m; d++) {
                const size_t first = d == b ? a : 0;
                const double Abd = A[b + m * d], Bbd = B[b + m * d], Aad = A[a + m * d], Bad = B[a + m * d];
                for (size_t c = first; c <= d; c++, row++) {
                    double sum = A[a + m * c] * Bbd + B[a + m * c] * Abd + A[b + m * c] * Bad + B[b + m * c] * Aad;
                    if (a == b) sum *= 0.5;
                    if (c == d) sum *= 0.5;
                    H[row + n * col] += alpha * sum;
                }
            }
}

// Cross block: H += -w sum_h tr (d_up B_h d B_h'), rows the coordinates of d_up [below x below], columns those of
// d [paths x paths]; B_h blocks of rows, leading dimension paths. H points at the block's corner. `within`: d_up lies
// in the same owner as d, so that rows and columns count the same coordinates.
static void add_cross(double *H, size_t n, const ap_member *u, bool within, double w, const double *B) {
    const size_t paths = u->n, below = u->below;
    for (size_t b = 0, col = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++, col++)
            for (size_t d = 0, row = 0; d < below; d++)
                for (size_t c = 0; c <= d; c++, row++) {
                    double sum = 0.0;
                    AP_HEADS (at, u) {
                        const double *Ba = B + at + paths * a, *Bb = B + at + paths * b;
                        sum += Ba[c] * Bb[d] + Bb[c] * Ba[d];
                    }
                    if (c == d) sum *= 0.5;
                    if (a == b) sum *= 0.5;
                    if (within && row == col) sum *= 2.0;
                    H[within && row < col ? col + n * row : row + n * col] -= 2.0 * w * sum;
                }
}

typedef struct layer {  // what the forms of one layer need
    ap_member u;
    const double *U, *F, *Y, *F_above, *Y_above;  // F, F_above NULL: plain coordinates
    double *A, *B, *M, *work;                     // [Pi x Pi] each
    double *g;  // [Pi x Pi] derivative by the member at hand as if it were free, or F' g F; not of the first one
} layer;

// A := the left matrix of the first form, B := its right one.
static void first_form(layer *t) {
    const size_t n = t->u.n;
    ap_params_repeat(t->A, t->Y_above, &t->u);
    if (t->F == NULL) {
        memcpy(t->B, t->Y, n * n * sizeof(double));
    } else {
        memcpy(t->M, t->A, n * n * sizeof(double));
        ap_spd_congruence(t->A, t->M, t->F, n, t->work);
        ap_spd_identity(t->B, n);
    }
}

// B := the B_h of the cross term, one below the other.
static void cross_form(layer *t) {
    const size_t n = t->u.n, m = t->u.below;
    if (t->F == NULL) {
        ap_params_repeat(t->B, t->Y_above, &t->u);
    } else {
        memcpy(t->B, t->F, n * n * sizeof(double));
        AP_HEADS (row, &t->u) ap_trsm('L', 'N', m, n, 1.0, t->F_above, m, t->B + row, n);
    }
}

// A, B := the matrices of the third form, that of the layer above; M := ptr U.
static void third_form(layer *t) {
    const size_t m = t->u.below;
    ap_params_ptr(t->M, t->U, &t->u);
    if (t->F == NULL) {
        ap_spd_sandwich(t->A, t->Y_above, t->M, m, t->work);
        memcpy(t->B, t->Y_above, m * m * sizeof(double));
    } else {
        memcpy(t->A, t->M, m * m * sizeof(double));
        ap_spd_divide('N', t->A, t->F_above, m);
        ap_spd_identity(t->B, m);
    }
}

// The top layer's term from eliminating u_a: a rank-one form in tr x_L = <A, d_L>.
static void add_top(double *H, size_t n, const ap_net *net, const double *order, double weight, layer *t) {
    const size_t m = t->u.n;
    const double ua = order[ap_params_at(net, net->L + 1)];
    const double factor = weight * weight / (ua * ua * ap_params_readout_curvature(net, order));
    if (t->F == NULL)
        ap_spd_identity(t->A, m);
    else
        ap_gemm('T', 'N', m, m, m, 1.0, t->F, m, t->F, m, 0.0, t->A, m);
    double *a = t->B;  // [pairs <= m m] coordinates of the form
    ap_pairs_pack(a, t->A, m, 2.0);
    for (size_t j = 0; j < t->u.pairs; j++)
        for (size_t i = j; i < t->u.pairs; i++) H[i + n * j] -= factor * a[j] * a[i];
}

// What the curve of a member that lies in its owner adds; its own first form is in A and B.
static void add_bound(double *H, size_t n, const ap_net *net, const ap_point *point, double weight, layer *t) {
    const size_t m = t->u.n;
    const ap_member owner = ap_params_member(net, t->u.owner);
    for (size_t i = 0; i < m * m; i++) t->g[i] += weight * t->A[i] - t->u.width * t->B[i];
    if (t->F == NULL)
        memcpy(t->B, point->inverse + owner.at, owner.n * owner.n * sizeof(double));
    else
        ap_spd_identity(t->B, owner.n);
    memset(t->A, 0, owner.n * owner.n * sizeof(double));
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            t->A[i + owner.n * j] = t->g[i + m * j];
            t->B[i + owner.n * j] -= t->F == NULL ? t->Y[i + m * j] : i == j ? 1.0 : 0.0;
        }
    ap_curvature_add(H + owner.first + n * owner.first, n, owner.n, 1.0, t->A, t->B);
}

// The forms of U_l that depend on U_{l+1}, and layer l's share of the derivative with respect to U_{l+1}.
static void add_above(double *H, size_t n, const ap_member *up, double weight, layer *t) {
    const size_t m = up->n;
    cross_form(t);
    add_cross(H + up->first + n * t->u.first, n, &t->u, up->owner == t->u.owner, weight, t->B);
    third_form(t);
    ap_curvature_add(H + up->first + n * up->first, n, m, weight, t->A, t->B);
    for (size_t i = 0; i < m * m; i++) t->g[i] = t->u.width * (double)t->u.branches * t->B[i] - weight * t->A[i];
}

ap_status ap_curvature_entropy(double *H, const ap_net *net, const ap_point *point, const double *frame, ap_work *work,
                               ap_error *err) {
    const size_t n = ap_params_unknowns(net), mark = work->used, most = ap_net_paths(net, 1),
                 last = ap_params_last(net);
    const double one = 1.0;
    layer t = {.A = ap_take_matrix(work, most, most)};
    AP_TAKE_EACH(work, ap_times(most, most), &t.B, &t.M, &t.work, &t.g);
    ap_status status = t.g == NULL ? ap_not_taken(work, err, "ap_curvature_entropy") : AP_OK;
    for (size_t j = 0; status == AP_OK && j < n; j++) memset(H + j + n * j, 0, (n - j) * sizeof(double));
    for (size_t l = 1; status == AP_OK && l <= last; l++) {
        const ap_member u = t.u = ap_params_member(net, l);
        const ap_member up = l <= net->L ? ap_params_member(net, l + 1) : u;
        const double weight = u.width / u.variance;
        double *corner = H + u.first + n * u.first;
        t.U = point->order + u.at;
        t.Y = point->inverse + u.at;
        t.Y_above = l <= net->L ? point->inverse + up.at : &one;
        t.F = frame == NULL ? NULL : frame + u.at;
        t.F_above = frame == NULL ? NULL : frame + up.at;
        first_form(&t);
        ap_curvature_add(corner, n, u.n, weight, t.A, t.B);
        if (u.owner < l) add_bound(H, n, net, point, weight, &t);
        if (l < last)
            add_above(H, n, &up, weight, &t);
        else if (ap_params_eliminated(net))
            add_top(corner, n, net, point->order, weight, &t);
    }
    work->used = mark;
    return status;
}

void ap_curvature_add_energy(double *H, size_t n, const double *E, const ap_point *point, const double *F, size_t paths,
                             double *scratch) {
    const size_t q = ap_pairs_count(paths);
    double *G = scratch, *I = G + paths * paths;  // tr (G x U^{-1} x) = tr (F' G F d d)
    for (size_t j = 0; j < q; j++) ap_axpy(q - j, 1.0, E + j * (q + 1), H + j * (n + 1));
    ap_spd_congruence(G, point->G, F, paths, I);
    ap_spd_identity(I, paths);
    ap_curvature_add(H, n, paths, 1.0, G, I);
}

// Random signs from the splitmix64 sequence (Steele, Lea, Flood 2014), numbers first .. first + count - 1: the same for
// every call, so that the estimate is a smooth function of the point and a solution does not depend on the past.
static void signs(double *Z, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t x = ((uint64_t)(first + i) + 1) * UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        Z[i] = ((x ^ (x >> 31)) >> 63) != 0 ? 1.0 : -1.0;
    }
}

// Probes first .. first + count - 1: random signs, or, when there are as many as examples, sqrt (P) times the unit
// vectors, with which the estimate is exact.
void ap_curvature_probes(double *Z, size_t first, size_t count, size_t P, size_t probes) {
    if (probes < P) {
        signs(Z, P * first, P * count);
    } else {
        memset(Z, 0, P * count * sizeof(double));
        for (size_t s = 0; s < count; s++) Z[first + s + P * s] = sqrt((double)P);
    }
}

// One batch of probes z, the first of which carries the columns of b along: V := F^{-1} D_p (b, F^{-T} z).
typedef struct batch_of {
    size_t done, count, labels;  // probes before it, in it; columns of b in the first batch, otherwise 0
    double *V, *Z;               // [P x pairs x columns], [P x columns]
} batch_of;

// g from the column of b, and the mean part of logdet.
static void from_labels(double *quadratic, double *g, double *logdet, const batch_of *t, const ap_problem *p,
                        const ap_point *point) {
    const size_t P = p->kernel->P, q = p->kernel->pairs;
    for (size_t c = 0; c < t->labels; c++)  // b' D_p b
        ap_gemv('T', P, q, 1.0, t->V + P * q * c, P, point->fit.b + P * c, c == 0 ? 0.0 : 1.0, g);
    ap_pairs_pack(quadratic, point->G, p->kernel->paths, 2.0);  // it fits there
    for (size_t k = 0; k < q; k++) g[k] += quadratic[k];
    for (size_t j = 0; logdet != NULL && j < q; j++)
        for (size_t i = j; i < q; i++) logdet[i + q * j] = g[i] * g[j] / (double)P;
}

static ap_status add_batch(double *quadratic, double *g, double *logdet, batch_of *t, const ap_problem *p,
                           const ap_point *point, size_t probes, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, q = p->kernel->pairs, m = t->labels + t->count;
    const double *F = point->fit.F;
    if (t->labels > 0) memcpy(t->Z, point->fit.b, P * t->labels * sizeof(double));
    ap_curvature_probes(t->Z + P * t->labels, t->done, t->count, P, probes);
    if (t->count > 0) ap_trsm('L', 'T', P, t->count, 1.0, F, P, t->Z + P * t->labels, P);  // F^{-T} z
    const ap_status status = ap_kernel_apply(t->V, p->kernel, t->Z, m, work, err);
    if (status < 0) return status;
    if (t->labels > 0) from_labels(quadratic, g, logdet, t, p, point);
    ap_trsm('L', 'N', P, q * m, 1.0, F, P, t->V, P);
    for (size_t c = 0; c < t->labels; c++)
        ap_syrk('T', q, P, 2.0, t->V + P * q * c, P, c == 0 ? 0.0 : 1.0, quadratic, q);
    ap_curvature_probes(t->Z + P * t->labels, t->done, t->count, P, probes);
    for (size_t s = 0; s < t->count; s++) {
        double *Vs = t->V + P * q * (t->labels + s);
        for (size_t j = 0; j < q; j++) ap_axpy(P, -g[j] / (double)P, t->Z + P * (t->labels + s), Vs + P * j);
        ap_syrk('T', q, P, 1.0 / (double)probes, Vs, P, 1.0, logdet, q);
    }
    return AP_OK;
}

ap_status ap_curvature_energy(double *quadratic, double *g, double *logdet, size_t probes, const ap_problem *p,
                              const ap_point *point, ap_work *work, ap_error *err) {
    const size_t P = p->kernel->P, useful = probes < P ? probes : P, mark = work->used;
    batch_of t = {.labels = ap_problem_columns(p)};
    const size_t columns = t.labels + (useful < ap_curvature_batch ? useful : ap_curvature_batch);
    if (!ap_blas_fits(ap_times(p->kernel->pairs, columns)))
        return ap_fail(err, AP_ESIZE, "%zu pairs of paths for %zu vectors are more than BLAS can count",
                       p->kernel->pairs, columns);
    t.V = ap_take_matrix(work, ap_times(P, p->kernel->pairs), columns);
    t.Z = ap_take_matrix(work, P, columns);
    ap_status status = t.Z == NULL ? ap_not_taken(work, err, "ap_curvature_energy") : AP_OK;
    do {
        t.count = useful - t.done < ap_curvature_batch ? useful - t.done : ap_curvature_batch;
        if (status == AP_OK && t.done > 0 && ap_kernel_stops(p->kernel)) status = AP_INTERRUPTED;  // many batches
        if (status == AP_OK) status = add_batch(quadratic, g, logdet, &t, p, point, useful, work, err);
        t.done += t.count;
        t.labels = 0;
    } while (status == AP_OK && t.done < useful);
    work->used = mark;
    return status;
}
