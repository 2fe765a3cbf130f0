// test_ap_input_weights.c: outputs from effective weights, token by token; draws of V_0 against (T10)
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// ---- the linear map -------------------------------------------------------------------------------------------------

// (T1): z^0 = V_0 x / sqrt (N0), z^l = sum_h V_l^h z^{l-1} Omega^{l,h} / sqrt (H_l N_l), f = a' z^L e / sqrt (N_a), one
// example, all matrices. V: V_1, .., V_L, a; A: the attention of every layer.
static double network_output(const fixture *f, const double *V0, const double *V, double *const *A, size_t mu) {
    enum { stride = 17, most = stride * 4 };  // width 17 in layer 4
    double z[most] = {0.0}, mixed[most], next[most];
    const size_t T = f->T, N0 = f->N0;
    for (size_t t = 0; t < T; t++)
        for (size_t i = 0; i < (size_t)f->width[0]; i++)
            for (size_t j = 0; j < N0; j++)
                z[i + stride * t] += V0[i + (size_t)f->width[0] * j] * f->X[j + N0 * (t + T * mu)] / sqrt((double)N0);
    for (size_t l = 0; l < f->net.L; l++) {
        const size_t N = (size_t)f->width[l], Nup = (size_t)f->width[l + 1], H = f->H[l];
        memset(next, 0, sizeof next);
        for (size_t h = 0; h < H; h++, V += Nup * N) {
            const double *Omega = A[l] + T * T * (h + H * mu);
            for (size_t t = 0; t < T; t++)
                for (size_t i = 0; i < N; i++) {
                    mixed[i + stride * t] = 0.0;
                    for (size_t s = 0; s < T; s++) mixed[i + stride * t] += z[i + stride * s] * Omega[s + T * t];
                }
            for (size_t t = 0; t < T; t++)
                for (size_t k = 0; k < Nup; k++)
                    for (size_t i = 0; i < N; i++)
                        next[k + stride * t] += V[k + Nup * i] * mixed[i + stride * t] / sqrt((double)(H * N));
        }
        memcpy(z, next, sizeof z);
    }
    double sum = 0.0;  // read out at the last token
    for (size_t k = 0; k < (size_t)f->width[f->net.L]; k++)
        sum += V[k] * z[k + stride * (T - 1)] / sqrt(f->width[f->net.L]);
    return sum;
}

static void test_network(size_t L) {
    fixture f;
    fixture_make(&f, L, false, 6, 4, 5, 110 + L);
    fixture_bilinear(&f, 9);
    uint64_t seed = 111;
    double *A[fixture_layers];
    for (size_t l = 0; l < L; l++) {
        A[l] = check_room(f.T * f.T * f.H[l] * f.P);
        CHECK_STATUS(ap_attention(A[l], &f.net, l + 1, &f.x, &work, &err), AP_OK);
    }
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, NULL, NULL, &work, &err), AP_OK);
    const size_t N = (size_t)f.width[0];
    double *V0 = fixture_numbers(N * f.N0, 2.0, &seed), *V = fixture_numbers(ap_weights_upper(&f.net), 2.0, &seed);
    double *u = check_room(N * f.paths), *W = check_doubles(f.N0 * f.paths), out[5], literal[5], tokens[5];
    fixture_partial(u, &f.net, V, 1);
    for (size_t a = 0; a < f.paths; a++)
        for (size_t j = 0; j < f.N0; j++)
            for (size_t i = 0; i < N; i++) W[j + f.N0 * a] += V0[i + N * j] * u[i + N * a] / sqrt((double)N);
    const ap_inputs x = fixture_inputs(&f);
    ap_input_output(out, &f.net, &x, W);
    fixture_outputs(literal, &f.net, f.N0, f.Xi, f.P, V0, u);
    for (size_t mu = 0; mu < f.P; mu++) tokens[mu] = network_output(&f, V0, V, A, mu);
    CHECK_ARRAYS(out, literal, f.P, 1e-13);  // sums of some hundred terms of size 1
    CHECK_ARRAYS(out, tokens, f.P, 1e-13);
    CHECK(fabs(tokens[0]) > 1e-3);
}

static void test_adjoint(size_t L) {  // df . f (W) = dW (df) . W
    fixture f;
    fixture_make(&f, L, false, 13, 2, 9, 120 + L);
    uint64_t seed = 121;
    const size_t n = f.N0 * f.paths;
    double *W = fixture_numbers(n, 1.0, &seed), *df = fixture_numbers(f.P, 1.0, &seed);
    double *dW = fixture_numbers(n, 1.0, &seed), *out = fixture_numbers(f.P, 1.0, &seed), left = 0.0, right = 0.0;
    const ap_inputs x = fixture_inputs(&f);
    ap_input_output(out, &f.net, &x, W);
    ap_input_backward(dW, &f.net, &x, df);
    for (size_t mu = 0; mu < f.P; mu++) left += df[mu] * out[mu];
    for (size_t i = 0; i < n; i++) right += dW[i] * W[i];
    CHECK_NEAR(left, right, 1e-13);
    CHECK(fabs(left) > 1e-2);
}

// ---- draws ----------------------------------------------------------------------------------------------------------

typedef struct draw {  // R and U = R R'
    setting s;
    size_t m, N0, P, P2;
    double *R, *U, *Z, *W, *Xi2;
    ap_work work;
} draw;

static void draw_make(draw *d, size_t L, size_t m, double temperature, double memory) {
    fixture_make(&d->s.f, L, false, 5, 2, 4, 130);
    d->s.f.net.temperature = temperature;
    setting_prepare(&d->s, memory);
    uint64_t seed = 131 + m;
    const size_t paths = d->s.f.paths;
    d->m = m;
    d->N0 = 5;
    d->P = 4;
    d->P2 = 3;
    d->R = fixture_numbers(paths * m, 1.5 / sqrt((double)m), &seed);
    d->Xi2 = fixture_numbers(d->N0 * d->P2 * paths, 1.5, &seed);
    d->Z = fixture_numbers(d->N0 * m, 1.0, &seed);
    d->W = fixture_numbers(d->N0 * paths, 1.0, &seed);
    d->U = check_room(paths * paths);
    fixture_outer(d->U, d->R, paths, m);
    d->work = check_work();
}

static double input(const draw *d, size_t example, size_t path, size_t j) {  // training inputs, then the others
    return example < d->P ? d->s.f.Xi[j + d->N0 * (example + d->P * path)]
                          : d->Xi2[j + d->N0 * (example - d->P + d->P2 * path)];
}

// Prior covariance of outputs of two examples (T6).
static double output_covariance(const draw *d, size_t mu, size_t nu) {
    const size_t paths = d->s.f.paths;
    double sum = 0.0;
    for (size_t b = 0; b < paths; b++)
        for (size_t a = 0; a < paths; a++)
            for (size_t j = 0; j < d->N0; j++) sum += d->U[a + paths * b] * input(d, mu, a, j) * input(d, nu, b, j);
    return d->s.f.variance[0] * sum / (double)(d->N0 * paths);
}

// Prior covariance of Z_{jk} and an output: f = sum_pi xi^pi . (Z R')_pi / sqrt (N0 Pi).
static double weight_covariance(const draw *d, size_t j, size_t k, size_t mu) {
    const size_t paths = d->s.f.paths;
    double sum = 0.0;
    for (size_t a = 0; a < paths; a++) sum += d->R[a + paths * k] * input(d, mu, a, j);
    return d->s.f.variance[0] * sum / sqrt((double)(d->N0 * paths));
}

// Outputs at training and other inputs and all of Z are jointly normal with the labels a priori. With covariances c
// with the training outputs, they have mean c' A^{-1} y and covariance prior - c' A^{-1} c' given the labels.
static void test_draw(size_t L, size_t m) {
    enum { draws = 20000, most = 7 + 5 * 12 };
    draw d;
    draw_make(&d, L, m, 0.05, 0.0);
    const size_t P = d.P, outputs = P + d.P2, n = outputs + d.N0 * m, paths = d.s.f.paths;
    double c[4 * most], solved[4 * most], A[16], yb[4], seen[most], mean[most];
    static tally first[most], second[most * 7];
    memset(first, 0, sizeof first);
    memset(second, 0, sizeof second);
    for (size_t i = 0; i < n; i++)
        for (size_t mu = 0; mu < P; mu++)
            c[mu + P * i] = i < outputs ? output_covariance(&d, i, mu)
                                        : weight_covariance(&d, (i - outputs) % d.N0, (i - outputs) / d.N0, mu);
    for (size_t i = 0; i < P * P; i++) A[i] = c[i] + (i % (P + 1) == 0 ? 0.05 : 0.0);
    memcpy(solved, c, P * n * sizeof *c);
    (void)fixture_eliminate(A, P, solved, n);
    memcpy(yb, d.s.f.y, sizeof yb);
    for (size_t i = 0; i < n; i++) {
        mean[i] = 0.0;
        for (size_t mu = 0; mu < P; mu++) mean[i] += solved[mu + P * i] * yb[mu];
    }
    ap_rng rng = ap_rng_start(132, m);
    double gap = 0.0;
    const ap_inputs x = fixture_inputs(&d.s.f), x2 = {.N0 = d.N0, .P = d.P2, .Xi = d.Xi2};
    for (size_t t = 0; t < draws; t++) {
        if (ap_input_draw(d.Z, d.W, &d.s.p, &(ap_root){.R = d.R, .columns = m}, d.U, NULL, &rng, &d.work, &err) !=
            AP_OK)
            break;
        for (size_t a = 0; a < paths; a++)
            for (size_t j = 0; j < d.N0; j++) {
                double w = -d.W[j + d.N0 * a];
                for (size_t k = 0; k < m; k++) w += d.Z[j + d.N0 * k] * d.R[a + paths * k];
                gap = fmax(gap, fabs(w));
            }
        ap_input_output(seen, &d.s.f.net, &x, d.W);
        ap_input_output(seen + P, &d.s.f.net, &x2, d.W);
        memcpy(seen + outputs, d.Z, d.N0 * m * sizeof *seen);
        for (size_t i = 0; i < n; i++) {
            tally_add(&first[i], seen[i]);
            for (size_t j = 0; j < outputs; j++)  // with every output, and its own square
                tally_add(&second[i + most * j], (seen[i] - mean[i]) * (seen[j] - mean[j]));
        }
    }
    CHECK_NEAR(gap, 0.0, 1e-13);
    CHECK(first[0].n == draws);
    for (size_t i = 0; i < n; i++) {
        CHECK_MEAN(&first[i], mean[i]);
        double own = i < outputs ? output_covariance(&d, i, i) : d.s.f.variance[0];
        for (size_t mu = 0; mu < P; mu++) own -= c[mu + P * i] * solved[mu + P * i];
        CHECK_NEAR(first[i].square / draws, own, fixture_far * own * sqrt(2.0 / draws));
        for (size_t j = 0; j < outputs; j++) {
            double want = i < outputs ? output_covariance(&d, i, j)
                                      : weight_covariance(&d, (i - outputs) % d.N0, (i - outputs) / d.N0, j);
            for (size_t mu = 0; mu < P; mu++) want -= c[mu + P * i] * solved[mu + P * j];
            CHECK_MEAN(&second[i + most * j], want);
        }
    }
}

// Without noise every draw reproduces the labels: the outputs' variance is at most T. Also at a singular U.
static void test_interpolation(size_t m) {
    const double T = 1e-10;
    draw d;
    draw_make(&d, 2, m, T, 0.0);
    ap_rng rng = ap_rng_start(133, m);
    const ap_inputs x = fixture_inputs(&d.s.f);
    double f[4], spread = 0.0, last = NAN;
    for (int t = 0; t < 50; t++) {
        CHECK_STATUS(
            ap_input_draw(d.Z, d.W, &d.s.p, &(ap_root){.R = d.R, .columns = m}, d.U, NULL, &rng, &d.work, &err), AP_OK);
        ap_input_output(f, &d.s.f.net, &x, d.W);
        CHECK_ARRAYS(f, d.s.f.y, d.P, 5.0 * sqrt(T));
        spread = fmax(spread, fabs(f[0] - d.s.f.y[0]));
        CHECK(d.Z[0] != last);
        last = d.Z[0];
    }
    CHECK(spread > 0.01 * sqrt(T));
}

static void test_workspace(double memory) {
    draw d;
    draw_make(&d, 2, 4, 0.05, memory);
    const ap_root root = {.R = d.R, .columns = d.m};
    ap_rng rng = ap_rng_start(1, 1);
    CHECK_WORKSPACE(ap_input_draw(d.Z, d.W, &d.s.p, &root, d.U, NULL, &rng, &work, &err));
}

int main(void) {
    for (size_t L = 1; L <= 4; L++) {
        test_network(L);
        test_adjoint(L);
    }
    test_draw(1, 2);
    test_draw(2, 2);  // U of rank 2, six paths
    test_draw(2, 6);
    test_draw(2, 12);  // R from u^{(1)}, with more columns than paths
    test_interpolation(2);
    test_interpolation(6);
    test_workspace(0.0);
    test_workspace(1e9);
    return check_report("test_ap_input_weights");
}
