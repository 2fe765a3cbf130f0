// test_ap_frame.c: the frame in which the metric of the cone is the identity: lengths, matrices, derivatives
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

typedef struct view {
    setting s;
    ap_frame frame;
    size_t n, chain;
    double *d, *x, *v;
} view;

static void view_make(view *t, size_t L) {
    uint64_t seed = 50 + L;
    setting_make(&t->s, L, 4, 0.0);
    setting_derive(&t->s);
    CHECK_STATUS(ap_frame_take(&t->frame, &t->s.f.net, &t->s.work, &err), AP_OK);
    ap_frame_move(&t->frame, &t->s.point);
    t->n = ap_params_unknowns(&t->s.f.net);
    t->chain = ap_params_length(&t->s.f.net);
    t->d = fixture_numbers(t->n, 0.5, &seed);
    t->x = fixture_numbers(t->chain, 1.0, &seed);
    t->v = fixture_numbers(t->n, 1.0, &seed);
}

// sum_l tr (U_l^{-1} x_l U_l^{-1} x_l), by the inverses of the point.
static double metric(const view *t) {
    const ap_net *net = &t->s.f.net;
    double sum = 0.0;
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_params_member(net, l);
        const double *Y = t->s.point.inverse + u.at, *x = t->x + u.at;
        for (size_t i = 0; i < u.n; i++)
            for (size_t j = 0; j < u.n; j++) {
                double left = 0.0, right = 0.0;
                for (size_t k = 0; k < u.n; k++) {
                    left += Y[i + u.n * k] * x[k + u.n * j];
                    right += Y[j + u.n * k] * x[k + u.n * i];
                }
                sum += left * right;
            }
    }
    return sum;
}

// At the point of the frame all three lengths are equal: of d, of the matrices, by the definition.
static void test_length(size_t L) {
    view t;
    view_make(&t, L);
    const double length = ap_frame_matrices(t.x, &t.frame, t.d, &t.s.point);
    CHECK_NEAR(length * length, metric(&t), 1e-11 * (1.0 + length * length));
    CHECK_NEAR(ap_frame_length(t.d, &t.s.f.net), length, 1e-12 * (1.0 + length));
    for (size_t l = 1; l <= L; l++) {  // symmetric
        const ap_member u = ap_params_member(&t.s.f.net, l);
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i < j; i++) CHECK_NEAR(t.x[u.at + i + u.n * j], t.x[u.at + j + u.n * i], 1e-13);
    }
}

// v . d is the slope of S along the matrices of d: <grad, x>.
static void test_derivative(size_t L) {
    view t;
    view_make(&t, L);
    double by_matrices = 0.0, by_coordinates = 0.0;
    (void)ap_frame_matrices(t.x, &t.frame, t.d, &t.s.point);
    ap_frame_gradient(t.v, &t.frame, &t.s.point);
    for (size_t i = 0; i + 1 < t.chain; i++) by_matrices += t.x[i] * t.s.point.grad[i];
    for (size_t i = 0; i < t.n; i++) by_coordinates += t.v[i] * t.d[i];
    CHECK_NEAR(by_coordinates, by_matrices, 1e-11 * (1.0 + fabs(by_matrices)));
}

// A frame is fixed when the point moves: the matrices are the same, but their length at the new point differs.
static void test_stays(void) {
    view t;
    view_make(&t, 2);
    const double before = ap_frame_matrices(t.x, &t.frame, t.d, &t.s.point);
    double *kept = check_copy(t.x, t.chain);
    for (size_t i = 0; i + 1 < t.chain; i++) t.s.point.order[i] *= 4.0;
    CHECK_STATUS(ap_action_value(&t.s.point, &t.s.p, &t.s.work, &err), AP_OK);
    const double after = ap_frame_matrices(t.x, &t.frame, t.d, &t.s.point);
    CHECK_ARRAYS(t.x, kept, t.chain - 1, 0.0);
    CHECK_NEAR(after, before / 4.0, 1e-12 * before);  // U four times as large, x / U a quarter
    ap_frame_move(&t.frame, &t.s.point);
    (void)ap_frame_matrices(t.x, &t.frame, t.d, &t.s.point);
    for (size_t i = 0; i + 1 < t.chain; i++) CHECK_NEAR(t.x[i], 4.0 * kept[i], 1e-12 * (1.0 + fabs(kept[i])));
}

// F (I + d + d^2/2) F' by its definition. It differs from the geodesic by F d^3/6 F' and higher orders: half the step
// has an eighth of the difference, up to a fourth order of at most a tenth of it.
static void test_retraction(void) {
    enum { n = 4 };
    double d[n * n], spent[n * n], F[n * n], U[n * n], V[n * n], move[n * n], work[n * (n + 4)], apart[2] = {0};
    uint64_t seed = 11;
    check_fill(d, n * n, &seed);
    check_fill(F, n * n, &seed);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i <= j; i++) {
            d[i + n * j] = d[j + n * i] *= 0.2;
            F[i + n * j] = i == j ? 1.0 : 0.0;
        }
    for (int step = 0; step < 2; step++) {
        for (size_t i = 0; i < n * n; i++) spent[i] = d[i] *= step == 0 ? 1.0 : 0.5;
        ap_frame_retract(U, 1.0, d, F, n);
        ap_frame_retract(move, 0.0, d, F, n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double want = 0.0, still = 0.0;
                for (size_t k = 0; k < n; k++) {
                    still += F[i + n * k] * F[j + n * k];
                    for (size_t l = 0; l < n; l++) {
                        double square = 0.0;
                        for (size_t m = 0; m < n; m++) square += d[k + n * m] * d[m + n * l];
                        want += F[i + n * k] * (d[k + n * l] + 0.5 * square) * F[j + n * l];
                    }
                }
                CHECK_NEAR(U[i + n * j], still + want, 1e-13);
                CHECK_NEAR(move[i + n * j], want, 1e-13);
            }
        CHECK_STATUS(ap_frame_geodesic(V, spent, F, n, work, &err), AP_OK);
        apart[step] = check_apart(U, V, n * n);
    }
    CHECK_NEAR(apart[0] / apart[1], 8.0, 1.0);
}

// d' (T' E T) d = x' E x, x = F d F' in coordinates.
static void test_form(size_t m) {
    enum { most = 9, room = most * (most + 1) / 2 };
    const size_t q = ap_pairs_count(m);
    double E[room * room], F[most * most], d[most * most], a[room], b[room], image[room], want;
    static double scratch[most * most * ap_frame_panel];
    uint64_t seed = 12;
    check_fill(E, q * q, &seed);
    check_fill(F, m * m, &seed);
    check_fill(d, m * m, &seed);
    ap_spd_mirror(d, m);
    ap_spd_mirror(E, q);
    ap_spd_clear_upper(F, m);
    ap_pairs_pack(a, d, m, 1.0);
    ap_spd_multiply('N', d, F, m);
    ap_pairs_pack(b, d, m, 1.0);
    ap_symv(q, 1.0, E, q, b, 0.0, image);
    want = ap_dot(q, b, image);
    ap_frame_form(E, F, m, scratch);
    ap_symv(q, 1.0, E, q, a, 0.0, image);
    CHECK_NEAR(ap_dot(q, a, image), want, 1e-12 * (double)(q * q));
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        test_length(L);
        test_derivative(L);
    }
    test_stays();
    test_retraction();
    test_form(4);
    test_form(9);  // more columns than stand side by side
    return check_report("test_ap_frame");
}
