// ap_entropy_hessian.c: the entropy's second derivative as a linear map
// SPDX-License-Identifier: BSD-3-Clause
//
// The entropy's second derivative of ap_curvature.c, in the frame x_l = F_l d_l F_l', is a sum of squares,
//
//   sum_l w_l | B_l d_l - (I (x) d_{l+1}) B_l |^2  -  factor <F_L' F_L, d_L>^2,      w_l = N_l / sigma_l^2,
//   B_l = (I (x) F_{l+1}^{-1}) F_l,     d_{L+1} = 0,     factor from eliminating u_a,
//
// so that it needs no matrix in the coordinates of d: with B_l = (B_h) one block of rows a head,
//
//   C_l = w_l B_l' B_l + w_{l-1} sum_h B_h B_h'      the layer's own form, tr (C_l d_l d_l)
//   - 2 w_l <B_l d_l, (I (x) d_{l+1}) B_l>           between neighbours
//
// and its product with a direction takes some products of matrices [Pi_l x Pi_l]: about 10 Pi^3 flops. The energy's
// share from the bend of the retraction, tr (F' G F d_1 d_1), belongs to C_1; along straight lines (`retraction` 0
// instead of 1) C_l loses F_l' (dS/dU_l) F_l.
//
// A member that lies in its owner (ap_params.c) has d_l and B_l of its own there, no B_h for a skip connection, and
// adds the curve's share of ap_curvature.c, tr (g_l e e'), e the rows of d outside its block,
//
//   g_l = F_l' (dS/dU_l) F_l = w_l B_l' B_l - N_l + N_{l-1} H'_{l-1} - w_{l-1} sum_h B_h B_h'   as if U_l were free.
//
// An approximate inverse preconditions the search. At a saddle point C_1 = N_1 I, for the gradient vanishes there, and
// with no data eliminating d_l from below takes from C_{l+1} just what it owes to layer l. So the factors are block
// triangular, with tr (S_l d_l d_l), S_l = C_l - w_{l-1} sum_h B_h B_h', on the diagonal, of which the inverse is the
// division by (s_i + s_j)/2 in the eigenvectors of S_l. An owner of others has S = N + F' (dS/dU) F less what the
// contribution of the layer below, which for one without is the same. Where the sum is small or negative, far from
// solutions, a part of N_l replaces it. With the diagonal alone, C_l for S_l, twice as many products are needed: 137
// against 57 for 144 paths, P = 300, N = 10.

#include "saddle/ap_saddle.h"

#include <math.h>
#include <string.h>

ap_status ap_entropy_hessian_take(ap_entropy_hessian *t, const ap_net *net, ap_work *work, ap_error *err) {
    const size_t chain = ap_params_length(net), paths = ap_net_paths(net, 1), last = ap_net_paths(net, net->L);
    *t = (ap_entropy_hessian){.net = net};
    AP_TAKE_EACH(work, chain, &t->F, &t->B, &t->C, &t->Q);
    t->values = ap_take(work, ap_params_unknowns(net));
    t->back = ap_take_matrix(work, paths, paths);
    t->top = ap_take_matrix(work, last, last);
    t->one = ap_take_matrix(work, paths, paths);
    t->two = ap_take(work, ap_times(paths, ap_plus(paths, 3)));  // dsyev wants three rows for small matrices
    return t->two == NULL ? ap_not_taken(work, err, "ap_entropy_hessian") : AP_OK;
}

// A := A + weight (B + B') / 2
static void add_symmetric(double *A, size_t lda, double weight, const double *B, size_t n) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) A[i + lda * j] += 0.5 * weight * (B[i + n * j] + B[j + n * i]);
}

// C_l := C_l + weight F_l' A F_l
static void add_framed(ap_entropy_hessian *t, const ap_member *u, double weight, const double *A) {
    double *C = t->C + u->at;
    ap_spd_congruence(t->one, A, t->F + u->at, u->n, t->two);
    for (size_t i = 0; i < u->n * u->n; i++) C[i] += weight * t->one[i];
}

// Q := g_l of a member that lies in its owner, from what C_l owes to the layer underneath and from C_l itself.
static void make_bound(ap_entropy_hessian *t, const ap_member *u) {
    double *Q = t->Q + u->at, *C = t->C + u->at;
    ap_spd_symmetrise(C, u->n);
    for (size_t i = 0; i < u->n * u->n; i++) {
        Q[i] = 2.0 * Q[i] + C[i];
        if (i % (u->n + 1) == 0) Q[i] += u->pull - u->width;
    }
}

// Q := S of an owner of others, from what C owes to the layer underneath, with its sign.
static void make_owner(ap_entropy_hessian *t, const ap_member *u, const ap_point *point, double retraction) {
    double *Q = t->Q + u->at;
    ap_spd_congruence(t->one, point->grad + u->at, t->F + u->at, u->n, t->two);
    for (size_t i = 0; i < u->n * u->n; i++)
        Q[i] = retraction * t->one[i] - Q[i] + (i % (u->n + 1) == 0 ? u->width - u->pull : 0.0);
}

// B_l, and the contributions of its squares to C_l and C_{l+1}.
static void make_forms(ap_entropy_hessian *t, size_t l, const ap_member *u, const ap_member *up) {
    const size_t n = u->n, m = u->below;
    const double weight = u->width / u->variance;
    double *B = t->B + u->at, *C = t->C + u->at, *above = t->C + up->at;
    memcpy(B, t->F + u->at, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < u->tied; i++) B[i + n * j] = 0.0;
    AP_HEADS (row, u) {
        if (l <= t->net->L) ap_trsm('L', 'N', m, n, 1.0, t->F + up->at, m, B + row, n);
        if (l < ap_params_last(t->net))
            ap_gemm('N', 'T', m, m, n, weight, B + row, n, B + row, n, row > u->tied ? 1.0 : 0.0, above, m);
    }
    ap_gemm('T', 'N', n, n, n, weight, B, n, B, n, l > 1 ? 1.0 : 0.0, C, n);
}

static void make_layer(ap_entropy_hessian *t, size_t l, const ap_point *point, double retraction) {
    const ap_member u = ap_params_member(t->net, l), up = ap_params_member(t->net, l <= t->net->L ? l + 1 : l);
    const size_t cells = u.n * u.n;
    double *C = t->C + u.at, *Q = t->Q + u.at;
    for (size_t i = 0; i < cells; i++) Q[i] = l > 1 ? -C[i] : 0.0;  // what C owes to the layer underneath
    make_forms(t, l, &u, &up);
    if (u.owner < l) {
        make_bound(t, &u);
        return;
    }
    if (l == 1) add_framed(t, &u, 1.0, point->G);
    if (retraction < 1.0) add_framed(t, &u, retraction - 1.0, point->grad + u.at);
    ap_spd_symmetrise(C, u.n);
    if (u.tied > 0)
        make_owner(t, &u, point, retraction);
    else
        for (size_t i = 0; i < cells; i++) Q[i] += C[i];
}

static void make_top(ap_entropy_hessian *t, const ap_point *point) {
    const ap_member u = ap_params_member(t->net, t->net->L), up = ap_params_member(t->net, t->net->L + 1);
    const double ua = point->order[up.at], weight = u.width / u.variance;
    t->factor = weight * weight / (ua * ua * ap_params_readout_curvature(t->net, point->order));
    if (!ap_params_eliminated(t->net)) t->factor = 0.0;
    ap_gemm('T', 'N', u.n, u.n, u.n, 1.0, t->F + u.at, u.n, t->F + u.at, u.n, 0.0, t->top, u.n);
}

ap_status ap_entropy_hessian_make(ap_entropy_hessian *t, const ap_point *point, double retraction, ap_error *err) {
    memcpy(t->F, point->chol, ap_params_length(t->net) * sizeof(double));
    for (size_t l = 1; l <= ap_params_last(t->net); l++) make_layer(t, l, point, retraction);
    AP_FREE_MEMBERS (u, t->net) {
        double *values = t->values + u.first;
        const ap_status status = ap_spd_eigen('V', values, t->Q + u.at, u.n, "the entropy's curvature", t->two, err);
        if (status < 0) return status;
        for (size_t i = 0; i < u.n; i++)
            if (!isfinite(values[i])) return ap_fail(err, AP_ENONFINITE, "the curvature of the entropy is not finite");
    }
    make_top(t, point);
    return AP_OK;
}

// What neighbours give to each other. Of layer l only rows and columns `from` on take part, those of d and M here.

// M [ldm x .] += weight w_l sym (B_l' (I (x) d_{l+1}) B_l), what d_{l+1} = above [lda x .] gives to layer l
static void add_down(double *M, size_t ldm, ap_entropy_hessian *t, size_t l, const double *above, size_t lda,
                     size_t from, double weight) {
    const ap_member u = ap_params_member(t->net, l);
    const size_t n = u.n - from, m = u.below;
    const double *B = t->B + u.at + u.n * from;
    for (size_t row = 0; row < u.n; row += m)
        ap_gemm('N', 'N', m, n, m, 1.0, above, lda, B + row, u.n, 0.0, t->one + row, u.n);
    ap_gemm('T', 'N', n, n, u.n, u.width / u.variance, B, u.n, t->one, u.n, 0.0, t->two, n);
    add_symmetric(M, ldm, weight, t->two, n);
}

// M [ldm x .] += weight w_l sum_h sym (B_h d_l B_h'), what d_l = d [ldd x .] gives to layer l + 1
static void add_up(double *M, size_t ldm, ap_entropy_hessian *t, size_t l, const double *d, size_t ldd, size_t from,
                   double weight) {
    const ap_member u = ap_params_member(t->net, l);
    const size_t n = u.n - from, m = u.below;
    const double *B = t->B + u.at + u.n * from;
    ap_gemm('N', 'N', u.n, n, n, u.width / u.variance, B, u.n, d, ldd, 0.0, t->one, u.n);
    for (size_t row = 0; row < u.n; row += m)
        ap_gemm('N', 'T', m, m, n, 1.0, t->one + row, u.n, B + row, u.n, row > 0 ? 1.0 : 0.0, t->two, m);
    add_symmetric(M, ldm, weight, t->two, m);
}

// M := M + half the derivative of tr (g e e') by the owner's d, g that of U_l
static void add_beside(double *M, ap_entropy_hessian *t, const ap_member *u, const double *d) {
    const ap_member owner = ap_params_member(t->net, u->owner);
    const size_t n = u->n, rest = owner.n - n;
    const double *e = d + owner.at + owner.n * n;
    double *beside = M + owner.at;
    ap_gemm('N', 'N', n, rest, n, 0.5, t->Q + u->at, n, e, owner.n, 0.0, t->one, n);
    for (size_t j = 0; j < rest; j++)
        for (size_t i = 0; i < n; i++) {
            beside[i + owner.n * (n + j)] += t->one[i + n * j];
            beside[n + j + owner.n * i] += t->one[i + n * j];
        }
}

void ap_entropy_hessian_apply(double *M, ap_entropy_hessian *t, const double *d) {
    const size_t last = ap_params_last(t->net);
    memset(M, 0, ap_params_length(t->net) * sizeof(double));
    for (size_t l = 1; l <= last; l++) {
        const ap_member u = ap_params_member(t->net, l);
        ap_gemm('N', 'N', u.n, u.n, u.n, 1.0, t->C + u.at, u.n, d + u.at, u.n, 0.0, t->one, u.n);
        add_symmetric(M + u.at, u.n, 1.0, t->one, u.n);
        if (u.owner < l) add_beside(M, t, &u, d);
    }
    for (size_t l = 1; l < last; l++) {
        const ap_member u = ap_params_member(t->net, l), up = ap_params_member(t->net, l + 1);
        add_down(M + u.at, u.n, t, l, d + up.at, up.n, 0, -1.0);
        add_up(M + up.at, up.n, t, l, d + u.at, u.n, 0, -1.0);
    }
    const ap_member u = ap_params_member(t->net, t->net->L);
    ap_axpy(u.n * u.n, -t->factor * ap_dot(u.n * u.n, t->top, d + u.at), t->top, M + u.at);
    ap_params_sum_tied(M, t->net);
}

// Half the sum of two eigenvalues of S_l, or what stands for it
static double divisor(const double *values, size_t i, size_t j, double width) {
    return fmax(0.5 * (values[i] + values[j]), ap_entropy_least * width);
}

// Ml := d with sym (S_l d) = Ml, or with `root` half of the way
static void divide(double *Ml, ap_entropy_hessian *t, const ap_member *u, bool root) {
    const size_t n = u->n;
    const double *Q = t->Q + u->at, *values = t->values + u->first;
    ap_gemm('N', 'N', n, n, n, 1.0, Ml, n, Q, n, 0.0, t->one, n);
    ap_gemm('T', 'N', n, n, n, 1.0, Q, n, t->one, n, 0.0, Ml, n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const double by = divisor(values, i, j, u->width);
            Ml[i + n * j] /= root ? sqrt(by) : by;
        }
    ap_gemm('N', 'T', n, n, n, 1.0, Ml, n, Q, n, 0.0, t->one, n);
    ap_gemm('N', 'N', n, n, n, 1.0, Q, n, t->one, n, 0.0, Ml, n);
    ap_spd_symmetrise(Ml, n);
}

// Inside an owner. Where layer k has a skip connection and d_k = [d_{k+1} e; e' c], what joins c to d_{k+1} is
// eliminated: c less P d_{k+1} takes the place of c, P d = w_k / N_k sym (B_k' (I (x) d) B_k) in c's block. With that M
// is triangular with ones on the diagonal about the S of the owner, and at the GP point all of the form.

typedef enum way { WHOLE, FORTH, BACK } way;

// X [n x n] := the approximate inverse of the form of the owner of layer l, or of its root, one way or the other
static void solve_owner(double *X, ap_entropy_hessian *t, size_t l, way how) {
    const ap_member owner = ap_params_member(t->net, l);
    const size_t n = owner.n;
    ap_member u = owner;
    for (; u.tied > 0; u = ap_params_member(t->net, u.layer + 1))  // T^{-'}; T takes c to c - P d_{k+1}
        if (how != BACK) add_up(X, n, t, u.layer, X + u.tied * (n + 1), n, u.tied, 1.0 / u.width);
    divide(X, t, &owner, how != WHOLE);
    while (how != FORTH && u.layer > l) {  // T^{-1}
        u = ap_params_member(t->net, u.layer - 1);
        add_down(X + u.tied * (n + 1), n, t, u.layer, X, n, u.tied, 1.0 / u.width);
    }
}

// The free members are eliminated in turn. What joins one to the next free one, U_g, are the forms of layer g - 1,
// whose member lies in it, or is it.

// M_l := M_l + S_l^{-1} of what the next free member gives to it, from the top but one down
static void substitute_back(double *M, ap_entropy_hessian *t) {
    for (size_t g = ap_params_owner(t->net, t->net->L); g > 1; g = ap_params_owner(t->net, g - 1)) {
        const ap_member u = ap_params_member(t->net, ap_params_owner(t->net, g - 1));
        memset(t->back, 0, u.n * u.n * sizeof(double));
        add_down(t->back, u.n, t, g - 1, M + ap_params_at(t->net, g), ap_net_paths(t->net, g), 0, 1.0);
        solve_owner(t->back, t, u.layer, WHOLE);
        ap_axpy(u.n * u.n, 1.0, t->back, M + u.at);
    }
}

// M_g := M_g + what d_l gives to the next free member, if there is one
static void add_to_next(double *M, ap_entropy_hessian *t, const ap_member *u, const double *d) {
    const ap_member next = ap_params_member(t->net, ap_params_next(t->net, u->layer));
    if (next.layer <= t->net->L) add_up(M + next.at, next.n, t, next.layer - 1, d, u->n, 0, 1.0);
}

void ap_entropy_hessian_solve(double *M, ap_entropy_hessian *t) {
    AP_FREE_MEMBERS (u, t->net) {
        solve_owner(M + u.at, t, u.layer, WHOLE);
        add_to_next(M, t, &u, M + u.at);
    }
    substitute_back(M, t);
}

void ap_entropy_hessian_forth(double *M, ap_entropy_hessian *t) {
    AP_FREE_MEMBERS (u, t->net) {
        solve_owner(M + u.at, t, u.layer, FORTH);
        if (ap_params_next(t->net, u.layer) <= t->net->L) {
            memcpy(t->back, M + u.at, u.n * u.n * sizeof(double));
            solve_owner(t->back, t, u.layer, BACK);
            add_to_next(M, t, &u, t->back);
        }
    }
    ap_params_clear(M, t->net);
}

void ap_entropy_hessian_back(double *M, ap_entropy_hessian *t) {
    AP_FREE_MEMBERS (u, t->net) solve_owner(M + u.at, t, u.layer, BACK);
    substitute_back(M, t);
    ap_params_copy_tied(M, t->net);
}

double ap_entropy_hessian_logdet(const ap_entropy_hessian *t) {
    double sum = 0.0;
    AP_FREE_MEMBERS (u, t->net)
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i <= j; i++) sum += log(divisor(t->values + u.first, i, j, u.width));
    return sum;
}
