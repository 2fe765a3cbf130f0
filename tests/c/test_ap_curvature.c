// test_ap_curvature.c: second derivatives against differences of values and gradients
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static void setup(setting *s, size_t L, size_t P, double memory) {
    setting_make(s, L, P, memory);
    setting_derive(s);
}

static double form(const double *H, size_t n, const double *x) {  // x' H x, H lower
    double sum = 0.0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) sum += (i == j ? 1.0 : 2.0) * x[i] * H[i + n * j] * x[j];
    return sum;
}

static void test_add(void) {  // tr (A x B x) for a random symmetric x
    enum { m = 5, n = 15 };
    double A[m * m], B[m * m], H[n * n] = {0}, x[n], X[m * m], want = 0.0;
    uint64_t seed = 2;
    check_fill(A, m * m, &seed);
    check_fill(B, m * m, &seed);
    check_fill(x, n, &seed);
    for (size_t j = 0, k = 0; j < m; j++)
        for (size_t i = 0; i <= j; i++, k++) {
            A[j + m * i] = A[i + m * j];
            B[j + m * i] = B[i + m * j];
            X[i + m * j] = X[j + m * i] = x[k];
        }
    ap_curvature_add(H, n, m, 0.7, A, B);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < m; k++)
                for (size_t l = 0; l < m; l++) want += 0.7 * A[i + m * j] * X[j + m * k] * B[k + m * l] * X[l + m * i];
    CHECK_NEAR(form(H, n, x), want, 1e-12);
}

// H += E and the form tr (F' G F d d): of both the lower triangle alone.
static void test_join(void) {
    enum { m = 3, q = 6, n = 8 };
    double E[q * q], H[n * n], G[m * m], F[m * m], scratch[2 * m * m], x[n], d[m * m], want = 0.0;
    uint64_t seed = 3;
    double *all[] = {E, H, G, F, x};
    const size_t size[] = {q * q, n * n, m * m, m * m, n};
    for (size_t k = 0; k < 5; k++) check_fill(all[k], size[k], &seed);
    for (size_t j = 0, k = 0; j < m; j++)
        for (size_t i = 0; i <= j; i++, k++) {
            d[i + m * j] = d[j + m * i] = x[k];
            G[j + m * i] = G[i + m * j];
            if (i < j) F[i + m * j] = 0.0;
        }
    for (size_t j = 0; j < q; j++)
        for (size_t i = 0; i < j; i++) E[i + q * j] = NAN;
    want = form(H, n, x) + form(E, q, x);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < m; k++)
                for (size_t l = 0; l < m; l++)
                    for (size_t o = 0; o < m; o++)
                        want += F[k + m * i] * G[k + m * l] * F[l + m * j] * d[j + m * o] * d[o + m * i];
    ap_curvature_add_energy(H, n, E, &(ap_point){.G = G}, F, m, scratch);
    CHECK_NEAR(form(H, n, x), want, 1e-12);
}

// The entropy along U + t x + t^2 x U^{-1} x / 2: a central second difference, error c t^2, observed order 2.
static void test_entropy(size_t L) {
    setting s;
    setup(&s, L, 3, 0.0);
    const size_t n = ap_params_unknowns(&s.f.net), order = ap_params_length(&s.f.net);
    uint64_t seed = 3;
    double *H = check_room(n * n), *x = fixture_numbers(n, 0.3, &seed);
    double *xi = check_room(order), *base = check_room(order), error[2];
    CHECK_STATUS(ap_curvature_entropy(H, &s.f.net, &s.point, NULL, &s.work, &err), AP_OK);
    ap_params_matrices(xi, &s.f.net, x);
    memcpy(base, s.point.order, order * sizeof *base);
    double *inverse = check_copy(s.point.inverse, order);
    const double middle = s.point.entropy, want = form(H, n, x);
    CHECK(want > 0.0);  // geodesically convex
    for (size_t step = 0; step < 2; step++) {
        const double t = step == 0 ? 4e-2 : 2e-2;
        double sum = -2.0 * middle;
        for (int side = -1; side <= 1; side += 2) {
            for (size_t l = 1, at = 0; l <= L; l++) {
                const size_t m = ap_net_paths(&s.f.net, l);
                for (size_t j = 0; j < m; j++)
                    for (size_t i = 0; i < m; i++) {
                        double bend = 0.0;
                        for (size_t a = 0; a < m; a++)
                            for (size_t b = 0; b < m; b++)
                                bend += xi[at + i + m * a] * inverse[at + a + m * b] * xi[at + b + m * j];
                        s.point.order[at + i + m * j] =
                            base[at + i + m * j] + side * t * xi[at + i + m * j] + 0.5 * t * t * bend;
                    }
                at += m * m;
            }
            CHECK_STATUS(ap_entropy(&s.point, &s.f.net, &err), AP_OK);
            sum += s.point.entropy;
        }
        error[step] = fabs(sum / (t * t) - want);
    }
    CHECK(error[1] < 1e-2 * want);
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.2);
}

// The form of matrices is that of coordinates in the frame, also where members lie in others.
static void test_frames(size_t L) {
    for (fixture_skips = 0; fixture_skips < 1u << L; fixture_skips++) {
        setting s;
        ap_frame frame;
        setup(&s, L, 3, 0.0);
        const size_t n = ap_params_unknowns(&s.f.net);
        uint64_t seed = 4;
        double *H = check_doubles(n * n), *G = check_doubles(n * n), *d = fixture_numbers(n, 0.3, &seed);
        double *x = check_doubles(ap_params_length(&s.f.net)), *c = check_room(n);
        CHECK_STATUS(ap_frame_take(&frame, &s.f.net, &s.work, &err), AP_OK);
        ap_frame_move(&frame, &s.point);
        (void)ap_frame_matrices(x, &frame, d, &s.point);
        ap_params_coordinates(c, &s.f.net, x);
        CHECK_STATUS(ap_curvature_entropy(H, &s.f.net, &s.point, NULL, &s.work, &err), AP_OK);
        CHECK_STATUS(ap_curvature_entropy(G, &s.f.net, &s.point, s.point.chol, &s.work, &err), AP_OK);
        const double want = form(G, n, d);
        CHECK_NEAR(form(H, n, c), want, 1e-10 * fabs(want));
    }
    fixture_skips = 0;
}

// With as many probes as examples the estimate is exact: labels - logdet is the energy's Hessian, checked against
// central differences of G.
static void test_energy_exact(double memory, size_t examples) {
    setting s;
    setup(&s, 2, examples, memory);
    const size_t q = s.kernel.pairs, m = s.f.paths;
    double *labels = check_room(q * q), *logdet = check_room(q * q), *g = check_room(q);
    uint64_t seed = 6;
    double *x = fixture_numbers(q, 0.2, &seed), G[2][36];
    CHECK_STATUS(ap_curvature_energy(labels, g, logdet, examples, &s.p, &s.point, &s.work, &err), AP_OK);
    const double h = 1e-4;
    for (size_t side = 0; side < 2; side++) {
        for (size_t b = 0, k = 0; b < m; b++)
            for (size_t a = 0; a <= b; a++, k++)
                s.point.order[a + m * b] = s.point.order[b + m * a] = s.f.order[a + m * b] + (side ? -h : h) * x[k];
        setting_derive(&s);
        memcpy(G[side], s.point.G, sizeof G[side]);
    }
    double want = 0.0;
    for (size_t b = 0, k = 0; b < m; b++)
        for (size_t a = 0; a <= b; a++, k++)
            want += (a == b ? 1.0 : 2.0) * x[k] * (G[0][a + m * b] - G[1][a + m * b]) / (2 * h);
    CHECK_NEAR(form(labels, q, x) - form(logdet, q, x), want, 1e-5 * (fabs(want) + form(labels, q, x)));
}

// Both parts are positive semidefinite, g is the gradient of log det A, and the estimate is near: 3 probes of 60
// examples have a relative error of sqrt (2/180), about 0.1, in one of the parts.
static void test_energy_estimate(double memory) {
    setting s;
    setup(&s, 2, 60, memory);
    const size_t q = s.kernel.pairs, m = s.f.paths, P = 60;
    double *labels = check_room(q * q), *logdet = check_room(q * q), *g = check_room(q);
    CHECK_STATUS(ap_curvature_energy(labels, g, NULL, 0, &s.p, &s.point, &s.work, &err), AP_OK);
    double *again = check_room(q * q);
    CHECK_STATUS(ap_curvature_energy(again, g, logdet, 3, &s.p, &s.point, &s.work, &err), AP_OK);
    double *closer = check_room(q * q);
    CHECK_STATUS(ap_curvature_energy(again, g, closer, 40, &s.p, &s.point, &s.work, &err), AP_OK);
    uint64_t seed = 6;
    for (int trial = 0; trial < 20; trial++) {
        double *x = fixture_numbers(q, 0.2, &seed), W = 0.0;
        // tr (A^{-1} D)^2 and tr A^{-1} D from a dense inverse
        double *K = check_room(P * P), *D = check_doubles(P * P), *Y = check_room(P * P), U[36];
        for (size_t b = 0, k = 0; b < m; b++)
            for (size_t a = 0; a <= b; a++, k++) U[a + m * b] = U[b + m * a] = x[k];
        fixture_kernel(D, &s.f, U);
        memcpy(K, s.point.fit.F, P * P * sizeof *K);
        for (size_t j = 0; j < P; j++) {  // Y = A^{-1} D by two triangular solves, a column at a time
            double *c = Y + P * j;
            memcpy(c, D + P * j, P * sizeof *c);
            for (size_t i = 0; i < P; i++) {
                for (size_t k = 0; k < i; k++) c[i] -= K[i + P * k] * c[k];
                c[i] /= K[i + P * i];
            }
            for (size_t i = P; i-- > 0;) {
                for (size_t k = i + 1; k < P; k++) c[i] -= K[k + P * i] * c[k];
                c[i] /= K[i + P * i];
            }
        }
        double slope = 0.0, got = 0.0;
        for (size_t i = 0; i < P; i++) {
            slope += Y[i + P * i];
            for (size_t j = 0; j < P; j++) W += Y[i + P * j] * Y[j + P * i];
        }
        for (size_t k = 0; k < q; k++) got += g[k] * x[k];
        CHECK_NEAR(got, slope, 1e-9 * (1 + fabs(slope)));
        CHECK(form(labels, q, x) >= 0.0 && form(logdet, q, x) >= 0.0);
        CHECK_NEAR(form(logdet, q, x), W, 0.5 * W);
        CHECK_NEAR(form(closer, q, x), W, 0.15 * W);  // 5 standard errors of sqrt (2/(60 40))
        CHECK_NEAR(form(again, q, x), form(labels, q, x), 1e-10 * form(labels, q, x));
    }
}

static void test_workspace(double memory) {
    double labels[441], logdet[441], g[21];
    setting w;
    setup(&w, 2, 3, memory);
    const size_t n = ap_params_unknowns(&w.f.net);
    double *H = check_doubles(n * n);
    CHECK_WORKSPACE(ap_curvature_entropy(H, &w.f.net, &w.point, NULL, &work, &err));
    CHECK_WORKSPACE(ap_curvature_energy(labels, g, logdet, 2, &w.p, &w.point, &work, &err));
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        test_entropy(L);
        if (L < 4) test_frames(L);
    }
    test_add();
    test_join();
    test_energy_exact(0.0, 1);
    test_energy_exact(1e9, 1);
    test_energy_exact(0.0, 11);  // more than one batch
    test_energy_exact(1e9, 11);
    test_energy_estimate(0.0);
    test_energy_estimate(1e9);
    test_workspace(0.0);
    test_workspace(1e9);
    return check_report("test_ap_curvature");
}
