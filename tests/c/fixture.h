// fixture.h: small random networks and training sets for the tests of the core
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_TEST_FIXTURE_H
#define AP_TEST_FIXTURE_H

#include "check.h"

enum { fixture_layers = 4 };

typedef struct fixture {
    ap_net net;
    ap_tokens x;
    size_t H[fixture_layers], N0, T, P, paths;
    double width[fixture_layers + 1], variance[fixture_layers + 2];
    ap_heads heads[fixture_layers];
    double *X, *Xi, *y, *order;  // tokens, path inputs, labels, a random point of the cone
    size_t *length;
    double *W[fixture_layers], *Q[fixture_layers], *K[fixture_layers];
} fixture;

static inline double *fixture_numbers(size_t n, double size, uint64_t *seed) {
    double *x = malloc((n + 1) * sizeof *x);
    if (x == NULL) abort();
    for (size_t i = 0; i < n; i++) x[i] = size * check_random(seed);
    return x;
}

// U_l := I/2 + B B', B random: not near anything special.
static inline void fixture_order(double *order, const ap_net *net, uint64_t *seed) {
    for (size_t l = 1; l <= net->L; l++) {
        const size_t n = ap_net_paths(net, l);
        double *B = fixture_numbers(n * n, 0.6, seed);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) {
                double sum = i == j ? 0.5 : 0.0;
                for (size_t k = 0; k < n; k++) sum += B[i + n * k] * B[j + n * k];
                order[i + n * j] = sum;
            }
        free(B);
        order += n * n;
    }
}

// A network of L layers with heads 2, 3, 2, 1 (or one each), unequal widths and variances.
static inline void fixture_make(fixture *f, size_t L, bool one_head, size_t N0, size_t T, size_t P, uint64_t seed) {
    static const size_t heads[fixture_layers] = {2, 3, 2, 1};
    *f = (fixture){.N0 = N0, .T = T, .P = P};
    for (size_t l = 0; l < L; l++) f->H[l] = one_head ? 1 : heads[l];
    for (size_t l = 0; l <= L; l++) f->width[l] = 5.0 + 3.0 * (double)l;
    for (size_t l = 0; l <= L + 1; l++) f->variance[l] = 0.7 + 0.2 * (double)((l * 2) % 5);
    f->net = (ap_net){.L = L,
                      .H = f->H,
                      .rule = AP_SOFTMAX,
                      .read = AP_READ_LAST,
                      .width = f->width,
                      .variance = f->variance,
                      .temperature = 0.05};
    f->paths = ap_net_paths(&f->net, 1);
    f->X = fixture_numbers(N0 * T * P, 1.0, &seed);
    f->y = fixture_numbers(P, 1.0, &seed);
    f->Xi = fixture_numbers(N0 * P * f->paths, 1.5, &seed);
    f->order = fixture_numbers(ap_net_order(&f->net), 1.0, &seed);
    fixture_order(f->order, &f->net, &seed);
    f->x = (ap_tokens){.N0 = N0, .T = T, .P = P, .X = f->X};
}

static inline void fixture_bilinear(fixture *f, uint64_t seed) {
    for (size_t l = 0; l < f->net.L; l++) {
        f->W[l] = fixture_numbers(f->N0 * f->N0 * f->H[l], 1.0, &seed);
        f->heads[l] = (ap_heads){.W = f->W[l]};
    }
    f->net.heads = f->heads;
}

static inline void fixture_query_key(fixture *f, size_t G, uint64_t seed) {
    for (size_t l = 0; l < f->net.L; l++) {
        f->Q[l] = fixture_numbers(G * f->N0 * f->H[l], 1.5, &seed);
        f->K[l] = fixture_numbers(G * f->N0 * f->H[l], 1.5, &seed);
        f->heads[l] = (ap_heads){.G = G, .Q = f->Q[l], .K = f->K[l]};
    }
    f->net.heads = f->heads;
}

static inline void fixture_lengths(fixture *f) {  // 1, 2, .., T, 1, 2, ..; padding is zero
    f->length = malloc(f->P * sizeof *f->length);
    if (f->length == NULL) abort();
    for (size_t mu = 0; mu < f->P; mu++) {
        f->length[mu] = 1 + mu % f->T;
        for (size_t i = f->N0 * f->length[mu]; i < f->N0 * f->T; i++) f->X[i + f->N0 * f->T * mu] = 0.0;
    }
    f->x.length = f->length;
}

static inline void fixture_free(fixture *f) {
    for (size_t l = 0; l < fixture_layers; l++) {
        free(f->W[l]);
        free(f->Q[l]);
        free(f->K[l]);
    }
    free(f->X);
    free(f->Xi);
    free(f->y);
    free(f->order);
    free(f->length);
    *f = (fixture){0};
}

static inline ap_work fixture_work(size_t size) {
    ap_work work = {malloc((size + 1) * sizeof(double)), size, 0};
    if (work.base == NULL) abort();
    return work;
}

// K (T6) of the fixture's path inputs from its definition.
static inline void fixture_kernel(double *K, const fixture *f, const double *U) {
    for (size_t nu = 0; nu < f->P; nu++)
        for (size_t mu = 0; mu < f->P; mu++) {
            double sum = 0.0;
            for (size_t b = 0; b < f->paths; b++)
                for (size_t a = 0; a < f->paths; a++)
                    for (size_t i = 0; i < f->N0; i++)
                        sum += U[a + f->paths * b] * f->Xi[i + f->N0 * (mu + f->P * a)] *
                               f->Xi[i + f->N0 * (nu + f->P * b)];
            K[mu + f->P * nu] = f->variance[0] * sum / ((double)f->N0 * (double)f->paths);
        }
}

// A kernel ready for use; free (*storage) afterwards. memory 0 forces the path inputs, 1e9 allows the store.
static inline ap_kernel fixture_ready(const fixture *f, double memory, double **storage) {
    ap_error err = {AP_OK, ""};
    ap_kernel kernel;
    CHECK_STATUS(ap_kernel_plan(&kernel, &f->net, f->N0, f->P, f->Xi, memory, &err), AP_OK);
    *storage = malloc((kernel.storage + 1) * sizeof(double));
    if (*storage == NULL) abort();
    ap_work work = fixture_work(ap_kernel_buildsize(&kernel));
    CHECK_STATUS(ap_kernel_build(&kernel, *storage, &work, &err), AP_OK);
    free(work.base);
    return kernel;
}

// A fixture with all that an action needs: kernel, problem, a point at the fixture's order parameters, scratch memory.
typedef struct setting {
    fixture f;
    ap_kernel kernel;
    ap_problem p;
    ap_point point;
    ap_settings settings;
    ap_progress progress;
    ap_work work;
    double *storage;
} setting;

static inline void setting_prepare(setting *s, double memory) {  // once s->f is as it should be
    ap_error err = {AP_OK, ""};
    s->kernel = fixture_ready(&s->f, memory, &s->storage);
    s->p = (ap_problem){.net = &s->f.net, .kernel = &s->kernel, .y = s->f.y};
    s->settings = ap_settings_default();
    s->work = fixture_work(ap_point_size(&s->p) + ap_action_worksize(&s->p) + ap_solve_worksize(&s->p) +
                           ap_hessian_worksize(&s->p));
    CHECK_STATUS(ap_point_take(&s->point, &s->p, &s->work, &err), AP_OK);
    memcpy(s->point.order, s->f.order, ap_net_order(&s->f.net) * sizeof(double));
}

static inline void setting_make(setting *s, size_t L, size_t P, double memory) {
    fixture_make(&s->f, L, false, 40, 2, P, 40 + L);
    setting_prepare(s, memory);
}

static inline void setting_free(setting *s) {
    free(s->work.base);
    free(s->storage);
    fixture_free(&s->f);
}

#endif
