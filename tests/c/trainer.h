// trainer.h: networks in training, their outputs token by token, and gradients, weight matrix by weight matrix, against
// finite differences of these
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_TEST_TRAINER_H
#define AP_TEST_TRAINER_H

#include "train/ap_train.h"
#include "check.h"

enum { most = 4 };

typedef struct fixture {
    ap_net net;
    ap_trainer t;
    size_t H[most], P, n;
    double width[most + 1], variance[most + 2];
    double *theta, *X, *y;
} fixture;

// All widths, heads and tokens differ, which reveals exchanged indices
static inline void make(fixture *f, size_t L, size_t C, ap_read read, bool causal, size_t T, size_t P) {
    uint64_t state = 77 + L;
    *f = (fixture){.P = P};
    for (size_t l = 0; l < L; l++) f->H[l] = 2 + (l + L) % 2;
    for (size_t l = 0; l <= L; l++) f->width[l] = (double)(4 + 2 * l + (l == 1));
    for (size_t l = 0; l <= L + 1; l++) f->variance[l] = 1.0;
    f->net = (ap_net){.L = L,
                      .H = f->H,
                      .causal = causal,
                      .read = read,
                      .token = 1,
                      .width = f->width,
                      .variance = f->variance,
                      .temperature = 1.0};
    f->t = (ap_trainer){.net = &f->net, .N0 = 5, .T = T, .G = 2, .rank = 5, .C = C};
    f->n = ap_train_parameters(&f->t);
    f->theta = check_doubles(f->n);
    f->X = check_doubles(f->t.N0 * f->t.T * P);
    f->y = check_doubles(f->t.C * P);
    check_fill(f->theta, f->n, &state);
    check_fill(f->X, f->t.N0 * f->t.T * P, &state);
    check_fill(f->y, f->t.C * P, &state);
}

// The definition, one token and one weight at a time: z^0 = V_0 x, z^l = sum_h V_l^h z^{l-1} Omega^{l,h} / sqrt (H_l).
static inline double output(const fixture *f, const double *theta, const double *x, size_t c) {
    const size_t N0 = f->t.N0, T = f->t.T, G = f->t.G, L = f->net.L;
    double z[64][40], next[64][40];
    const double *V = theta;
    for (size_t l = 0; l < L; l++) V += 2 * G * N0 * f->H[l];
    for (size_t i = 0; i < (size_t)f->width[0]; i++)
        for (size_t s = 0; s < T; s++) {
            z[i][s] = 0.0;
            for (size_t k = 0; k < N0; k++) z[i][s] += V[i + (size_t)f->width[0] * k] * x[k + N0 * s];
        }
    V += (size_t)f->width[0] * N0;
    const double *Q = theta;
    for (size_t l = 0; l < L; l++) {
        const size_t N = (size_t)f->width[l], above = (size_t)f->width[l + 1], H = f->H[l];
        memset(next, 0, sizeof next);
        for (size_t h = 0; h < H; h++)
            for (size_t q = 0; q < T; q++) {
                double omega[40], sum = 0.0, largest = -INFINITY;  // subtracted, since exp (710) overflows
                const size_t seen = f->net.causal ? q + 1 : T;
                for (size_t s = 0; s < seen; s++) {
                    double score = 0.0;
                    for (size_t g = 0; g < G; g++) {
                        double query = 0.0, key = 0.0;
                        for (size_t k = 0; k < N0; k++) {
                            query += Q[g + G * (k + N0 * h)] * x[k + N0 * q];
                            key += Q[g + G * (k + N0 * (h + H))] * x[k + N0 * s];
                        }
                        score += query * key / sqrt((double)G);
                    }
                    omega[s] = score;
                    largest = fmax(largest, score);
                }
                for (size_t s = 0; s < seen; s++) sum += omega[s] = exp(omega[s] - largest);
                for (size_t s = 0; s < seen; s++) omega[s] /= sum * sqrt((double)H);
                for (size_t i = 0; i < above; i++)
                    for (size_t j = 0; j < N; j++)
                        for (size_t s = 0; s < seen; s++) next[i][q] += V[i + above * (j + N * h)] * z[j][s] * omega[s];
            }
        memcpy(z, next, sizeof z);
        V += above * N * H;
        Q += 2 * G * N0 * H;
    }
    double out = 0.0;
    for (size_t s = 0; s < T; s++) {
        const double e = f->net.read == AP_READ_MEAN   ? 1.0 / (double)T
                         : f->net.read == AP_READ_LAST ? (double)(s + 1 == T)
                                                       : (double)(s == f->net.token);
        for (size_t i = 0; i < (size_t)f->width[L]; i++) out += V[i + (size_t)f->width[L] * c] * z[i][s] * e;
    }
    return out;
}

static inline double loss_of(const fixture *f, const double *theta) {
    double loss = 0.0;
    for (size_t p = 0; p < f->P; p++) {
        for (size_t c = 0; c < f->t.C; c++) {
            const double gap = output(f, theta, f->X + f->t.N0 * f->t.T * p, c) - f->y[c + f->t.C * p];
            loss += gap * gap / (double)f->P;
        }
    }
    return loss;
}

// Derivative of the loss along v by central differences with h = 1e-5: truncation h^2 f''' / 6 is about 1e-10, rounding
// 1e-16 / h about 1e-11, and losses here are at most some tens.
static inline double slope(const fixture *f, const double *v) {
    double *at = check_doubles(f->n), value[2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < f->n; i++) at[i] = f->theta[i] + (k == 0 ? 1e-5 : -1e-5) * v[i];
        value[k] = loss_of(f, at);
    }
    return (value[0] - value[1]) / 2e-5;
}

// Each of the matrices Q_l, K_l, V_0, V_l and a on its own: each entry, or the matrix along random signs. Sums in float
// of at most a few hundred terms of size one: 1e-5 is some 80 roundings of the matrix's largest derivative.
static inline void check_gradient(const fixture *f, const double *grad, bool each) {
    const size_t L = f->net.L;
    size_t size[3 * most + 2], count = 0, at = 0;
    uint64_t state = 5;
    for (size_t l = 0; l < 2 * L; l++) size[count++] = f->t.G * f->t.N0 * f->H[l / 2];
    size[count++] = (size_t)f->width[0] * f->t.N0;
    for (size_t l = 0; l < L; l++) size[count++] = (size_t)(f->width[l] * f->width[l + 1]) * f->H[l];
    size[count++] = (size_t)f->width[L] * f->t.C;
    for (size_t b = 0; b < count; at += size[b++]) {
        const double largest = check_largest(grad + at, size[b]), loss = loss_of(f, f->theta);
        CHECK(largest > 1e-3);
        for (size_t k = 0; k < (each ? size[b] : 4); k++) {
            double *v = check_doubles(f->n), *draw = check_doubles(size[b]), along = 0.0;
            check_fill(draw, size[b], &state);
            memset(v, 0, f->n * sizeof *v);
            for (size_t i = 0; i < size[b]; i++)
                v[at + i] = each ? (double)(i == k) : (draw[i] > 0.0 ? 1.0 : -1.0) / sqrt((double)size[b]);
            for (size_t i = 0; i < size[b]; i++) along += grad[at + i] * v[at + i];
            CHECK_NEAR(along, slope(f, v), 3e-6 * largest + 3e-9 * (1.0 + loss));
        }
    }
    CHECK(at == f->n);
}

static inline float *rounded(const double *x, size_t n) {
    float *r = check_alloc((n + 1) * sizeof *r);
    for (size_t i = 0; i < n; i++) r[i] = (float)x[i];
    return r;
}

typedef struct single {
    const fixture *f;
    float *dphi, *phi, *X, *y, *out;
} single;

static inline ap_status pass(single *s) {
    memset(s->dphi, 0, ap_train_folded(&s->f->t) * sizeof *s->dphi);
    const ap_train_batch batch = {s->X, s->y, s->f->P};
    return ap_train_pass(s->dphi, s->out, &s->f->t, s->phi, &batch, 1.0f / (float)s->f->P, &work, &err);
}

static inline single in_single(const fixture *f) {
    const size_t cells = f->t.rank * f->t.T * f->P, folded = ap_train_folded(&f->t), labels = f->t.C * f->P;
    return (single){.f = f,
                    .dphi = check_zeros(folded, sizeof(float)),
                    .phi = check_zeros(folded, sizeof(float)),
                    .X = rounded(f->X, cells),
                    .y = rounded(f->y, labels),
                    .out = check_zeros(labels, sizeof(float))};
}

static inline double *gradient_of(single *s) {
    const fixture *f = s->f;
    float *theta = rounded(f->theta, f->n), *u = rounded(f->theta, f->n), *du = rounded(f->theta, f->n);
    float *seen = rounded(f->theta, f->n), *dseen = rounded(f->theta, f->n);
    float *grad = rounded(f->theta, f->n);
    double *wide = check_room(f->n);
    ap_train_unfold(s->phi, u, seen, &f->t, theta);
    CHECK_STATUS(pass(s), AP_OK);
    ap_train_fold(grad, du, dseen, &f->t, theta, u, seen, s->dphi);
    for (size_t i = 0; i < f->n; i++) wide[i] = (double)grad[i];
    return wide;
}

static inline void check_outputs(const single *s, double tolerance) {
    const fixture *f = s->f;
    const size_t C = f->t.C;
    for (size_t p = 0; p < C * f->P; p++)
        CHECK_NEAR((double)s->out[p], output(f, f->theta, f->X + f->t.N0 * f->t.T * (p / C), p % C), tolerance);
}

#endif
