// test_ap_train.c: outputs against a token-by-token pass, gradients, weight matrix by weight matrix, against finite
// differences of that
// SPDX-License-Identifier: BSD-3-Clause

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
static void make(fixture *f, size_t L, size_t C, ap_read read, bool causal, size_t T, size_t P) {
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
static double output(const fixture *f, const double *theta, const double *x, size_t c) {
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

static double loss_of(const fixture *f, const double *theta) {
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
static double slope(const fixture *f, const double *v) {
    double *at = check_doubles(f->n), value[2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < f->n; i++) at[i] = f->theta[i] + (k == 0 ? 1e-5 : -1e-5) * v[i];
        value[k] = loss_of(f, at);
    }
    return (value[0] - value[1]) / 2e-5;
}

// Each of the matrices Q_l, K_l, V_0, V_l and a on its own: each entry, or the matrix along random signs. Sums in float
// of at most a few hundred terms of size one: 1e-5 is some 80 roundings of the matrix's largest derivative.
static void check_gradient(const fixture *f, const double *grad, bool each) {
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

static float *rounded(const double *x, size_t n) {
    float *r = check_alloc((n + 1) * sizeof *r);
    for (size_t i = 0; i < n; i++) r[i] = (float)x[i];
    return r;
}

typedef struct single {
    const fixture *f;
    float *dphi, *phi, *X, *y, *out;
} single;

static ap_status pass(single *s) {
    memset(s->dphi, 0, ap_train_folded(&s->f->t) * sizeof *s->dphi);
    const ap_train_batch batch = {s->X, s->y, s->f->P};
    return ap_train_pass(s->dphi, s->out, &s->f->t, s->phi, &batch, 1.0f / (float)s->f->P, &work, &err);
}

static single in_single(const fixture *f) {
    const size_t cells = f->t.rank * f->t.T * f->P, folded = ap_train_folded(&f->t), labels = f->t.C * f->P;
    return (single){.f = f,
                    .dphi = check_zeros(folded, sizeof(float)),
                    .phi = check_zeros(folded, sizeof(float)),
                    .X = rounded(f->X, cells),
                    .y = rounded(f->y, labels),
                    .out = check_zeros(labels, sizeof(float))};
}

static double *gradient_of(single *s) {
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

static void check_outputs(const single *s, double tolerance) {
    const fixture *f = s->f;
    const size_t C = f->t.C;
    for (size_t p = 0; p < C * f->P; p++)
        CHECK_NEAR((double)s->out[p], output(f, f->theta, f->X + f->t.N0 * f->t.T * (p / C), p % C), tolerance);
}

static void test_gradient(size_t L, size_t C, ap_read read, bool causal, size_t P) {
    fixture f;
    make(&f, L, C, read, causal, 3, P);
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_OK);
    single s = in_single(&f);
    check_gradient(&f, gradient_of(&s), true);
    check_outputs(&s, 2e-5);
}

// Numbers of tokens below and above the lanes of their loops, several chunks of which the last one is shorter
static void test_single(size_t outs, bool causal, size_t T, size_t P) {
    fixture f;
    make(&f, 2, outs, AP_READ_MEAN, causal, T, P);
    const size_t C = f.t.C;
    single s = in_single(&f);
    check_gradient(&f, gradient_of(&s), false);
    check_outputs(&s, 2e-5);

    // The outputs have equal bits in parts and without derivatives
    const size_t chunk = (384 + T - 1) / T;  // columns_wanted of ap_train.c
    float *parts = rounded(f.y, C * f.P);
    const ap_train_batch one = {s.X, NULL, chunk}, rest = {s.X + f.t.N0 * f.t.T * chunk, NULL, f.P - chunk};
    CHECK_STATUS(ap_train_pass(NULL, parts, &f.t, s.phi, &one, 0.0f, &work, &err), AP_OK);
    CHECK_STATUS(ap_train_pass(NULL, parts + C * chunk, &f.t, s.phi, &rest, 0.0f, &work, &err), AP_OK);
    CHECK(memcmp(parts, s.out, C * f.P * sizeof *parts) == 0);
    CHECK_WORKSPACE(pass(&s));

    // Exponentials of scores of some hundreds overflow in single precision; softmax then has its limit
    for (size_t i = 0; i < f.t.N0 * f.t.T * f.P; i++) s.X[i] *= 12.0f;
    for (size_t i = 0; i < f.t.N0 * f.t.T * f.P; i++) f.X[i] *= 12.0;
    CHECK_STATUS(pass(&s), AP_OK);
    check_outputs(&s, 5e-3);

    // Scores beyond a float are refused, of whichever layer and head
    const size_t square = f.t.N0 * f.t.N0;
    const size_t blocks[] = {0, f.H[0] * square, f.H[0] * square + f.t.N0};
    for (size_t k = 0; k < 3; k++) {
        const float kept = s.phi[blocks[k]];
        s.phi[blocks[k]] = 3e38f;
        CHECK_STATUS(pass(&s), AP_ENONFINITE);
        s.phi[blocks[k]] = kept;
    }
    CHECK_STATUS(pass(&s), AP_OK);
}

// Tokens as coordinates in a basis: the network and its gradient are those of the tokens themselves, up to rounding,
// also in a basis that is not orthonormal.
static void test_basis(void) {
    enum { r = 3 };
    fixture f, g;
    make(&f, 2, 2, AP_READ_MEAN, false, 3, 4);
    make(&g, 2, 2, AP_READ_MEAN, false, 3, 4);
    const size_t N0 = f.t.N0, tokens = f.t.T * f.P;
    float B[5 * r];
    for (size_t i = 0; i < 5 * r; i++) B[i] = (float)f.X[i];
    g.t.basis = B;
    g.t.rank = r;
    for (size_t s = 0; s < tokens; s++)
        for (size_t i = 0; i < N0; i++) {
            f.X[i + N0 * s] = 0.0;
            for (size_t k = 0; k < r; k++) f.X[i + N0 * s] += (double)B[i + N0 * k] * g.X[k + r * s];
        }
    CHECK_STATUS(ap_train_check(&g.t, &err), AP_OK);
    single s = in_single(&g);
    check_gradient(&f, gradient_of(&s), true);
    g.t.rank = 6;
    CHECK_STATUS(ap_train_check(&g.t, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "basis of 6");
    g.t.basis = NULL;
    g.t.rank = r;
    CHECK_STATUS(ap_train_check(&g.t, &err), AP_EINPUT);
}

// All weights are within their bound and reach it; another seed gives other weights
static void test_start(void) {
    fixture f;
    make(&f, 2, 3, AP_READ_LAST, false, 3, 1);
    float *theta = rounded(f.theta, f.n), *other = rounded(f.theta, f.n);
    ap_train_start(theta, &f.t, 3);
    ap_train_start(other, &f.t, 3);
    CHECK(memcmp(theta, other, f.n * sizeof *theta) == 0);
    ap_train_start(other, &f.t, 4);
    CHECK(theta[0] != other[0] && theta[f.n - 1] != other[f.n - 1]);
    const size_t N0 = f.t.N0, G = f.t.G, N = (size_t)f.width[0], N2 = (size_t)f.width[1], N3 = (size_t)f.width[2];
    const size_t count[] = {2 * G * N0 * (f.H[0] + f.H[1]) + N * N0, N2 * N * f.H[0], N3 * N2 * f.H[1], 3 * N3};
    const size_t fan[] = {N0, N, N2, N3};
    const float *at = theta;
    for (size_t k = 0; k < 4; k++) {
        float largest = 0.0f;
        for (size_t i = 0; i < count[k]; i++) largest = fmaxf(largest, fabsf(at[i]));
        bool above = false, below = false;
        for (size_t i = 0; i < count[k]; i++) {
            above = above || at[i] > 0.0f;
            below = below || at[i] < 0.0f;
        }
        CHECK(above && below);
        CHECK(largest <= 1.0f / sqrtf((float)fan[k]) * 1.000001f);
        CHECK(largest >= 0.5f / sqrtf((float)fan[k]));
        at += count[k];
    }
    CHECK((size_t)(at - theta) == f.n);
}

// Adam by its definition in double, three steps; moments and weights to float rounding
static void test_adam(void) {
    enum { n = 5 };
    uint64_t state = 5;
    double theta[n], m[n] = {0}, v[n] = {0}, grad[n];
    check_fill(theta, n, &state);
    float *t = rounded(theta, n), M[n] = {0}, V[n] = {0};
    for (int step = 1; step <= 3; step++) {
        check_fill(grad, n, &state);
        grad[0] = 2e-8;  // of the size of the constant in Adam's denominator
        theta[0] = step == 1 ? 0.0 : theta[0];
        if (step == 1) t[0] = 0.0f;
        float *g = rounded(grad, n);
        ap_train_adam(t, M, V, n, g, step, 0.01, 0.1);
        for (size_t i = 0; i < n; i++) {
            const double d = grad[i] + 0.1 * theta[i];
            m[i] = 0.9 * m[i] + 0.1 * d;
            v[i] = 0.999 * v[i] + 0.001 * d * d;
            theta[i] -= 0.01 * m[i] / (1.0 - pow(0.9, step)) / (sqrt(v[i] / (1.0 - pow(0.999, step))) + 1e-8);
        }
    }
    for (size_t i = 0; i < n; i++) {
        CHECK_NEAR((double)t[i], theta[i], 1e-6);
        CHECK_NEAR((double)M[i], m[i], 1e-6);
        CHECK_NEAR((double)V[i], v[i], 1e-7);
    }
}

static ap_status run_step(single *s) {
    double loss;
    const ap_train_state state = {s->phi, s->dphi, s->out};
    const ap_train_batch batch = {s->X, s->y, s->f->P};
    const ap_train_pace pace = {.number = 1.0, .rate = 0.01, .decay = 0.0};
    return ap_train_step(&state, &loss, &s->f->t, &batch, &pace, NULL, &work, &err);
}

// A step is Adam's along the gradient of the batch, with equal bits for any team; a failed step changes nothing.
static void test_step(size_t C) {
    enum { P = 10 };  // not a multiple of the parts
    fixture f;
    make(&f, 2, C, AP_READ_MEAN, false, 3, P);
    const ap_team teams[3] = {
        {.threads = 3, .run = check_backwards}, {.threads = 1, .run = check_backwards}, {.threads = 1}};
    float *X = rounded(f.X, f.t.N0 * f.t.T * P), *y = rounded(f.y, f.t.C * P), *first = NULL;
    double loss = 0.0, *grad = check_doubles(f.n);
    for (int k = 0; k < 3; k++) {
        float *theta = rounded(f.theta, f.n), *m = check_zeros(f.n, sizeof *m), *v = check_zeros(f.n, sizeof *v);
        const ap_train_state now = {theta, m, v};
        const ap_train_batch batch = {X, y, P};
        ap_train_pace pace = {.number = 1.0, .rate = 0.01, .decay = 0.1};
        CHECK_STATUS(ap_train_step(&now, &loss, &f.t, &batch, &pace, &teams[k], &work, &err), AP_OK);
        CHECK_NEAR(loss, loss_of(&f, f.theta), 1e-5 * (1.0 + loss));
        for (size_t i = 0; i < f.n; i++)  // the first moment is a tenth of the gradient, with the decay's share
            grad[i] = 10.0 * (double)m[i] - 0.1 * f.theta[i];
        if (k == 0) check_gradient(&f, grad, true);
        if (first == NULL) first = rounded(f.theta, f.n), memcpy(first, theta, f.n * sizeof *theta);
        CHECK(memcmp(first, theta, f.n * sizeof *theta) == 0);
        float *before = rounded(f.theta, f.n);
        memcpy(before, theta, f.n * sizeof *theta);
        for (size_t i = 0; i < f.t.N0 * f.t.T; i++) X[i] = INFINITY;  // the first example
        pace.number = 2.0;
        CHECK_STATUS(ap_train_step(&now, &loss, &f.t, &batch, &pace, &teams[k], &work, &err), AP_ENONFINITE);
        CHECK(memcmp(before, theta, f.n * sizeof *theta) == 0 && work.used == 0);
        for (size_t i = 0; i < f.t.N0 * f.t.T; i++) X[i] = (float)f.X[i];
    }
    single s = {&f, rounded(f.theta, f.n), rounded(f.theta, f.n), X, y, rounded(f.theta, f.n)};
    for (size_t i = 0; i < f.n; i++) s.dphi[i] = s.out[i] = 0.0f;
    CHECK_WORKSPACE(run_step(&s));
}

static void test_refusals(void) {
    fixture f;
    make(&f, 2, 1, AP_READ_TOKEN, false, 3, 1);
    f.net.token = 3;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "token 4");
    f.net.read = AP_READ_ALL;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "not all of them");
    f.net.read = AP_READ_TOKEN;
    f.net.token = 1;
    f.width[1] = 2.5;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "2.5");
    f.width[1] = 3;
    f.t.G = 0;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    f.t.G = SIZE_MAX / 4;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_ESIZE);
    f.t.G = 2;
    f.t.T = 0;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    f.t.T = 3;
    f.t.N0 = f.t.rank = 0;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
    f.t.N0 = f.t.rank = 5;
    f.H[0] = 0;
    CHECK_STATUS(ap_train_check(&f.t, &err), AP_EINPUT);
}

int main(void) {
    test_gradient(1, 1, AP_READ_LAST, false, 3);
    test_gradient(2, 1, AP_READ_MEAN, false, 2);
    if (check_thorough()) test_gradient(2, 1, AP_READ_MEAN, false, 300);  // several chunks, the last one shorter
    test_gradient(2, 1, AP_READ_TOKEN, true, 3);
    test_gradient(3, 1, AP_READ_LAST, true, 2);
    test_gradient(1, 3, AP_READ_MEAN, false, 3);  // several outputs
    if (check_thorough()) test_gradient(2, 2, AP_READ_LAST, true, 300);
    test_gradient(3, 4, AP_READ_TOKEN, false, 2);
    test_single(1, false, 3, 300);
    test_single(1, false, 19, 25);
    test_single(3, false, 19, 25);
    test_single(1, true, 37, 12);
    test_basis();
    test_start();
    test_adam();
    test_step(1);
    test_step(3);
    test_refusals();
    return check_report("test_ap_train");
}
