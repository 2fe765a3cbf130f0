// fixture.h: small random networks and training sets for the tests of the core
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_TEST_FIXTURE_H
#define AP_TEST_FIXTURE_H

#include "posterior/ap_posterior.h"
#include "saddle/ap_saddle.h"
#include "check.h"

enum { fixture_layers = 4, fixture_heads = 8 };

static bool fixture_scales;     // later networks have scales of heads, one of them 0
static unsigned fixture_skips;  // bit l - 1: later networks have a skip connection in layer l

typedef struct fixture {
    ap_net net;
    ap_tokens x;
    size_t H[fixture_layers], N0, T, P, paths;
    double width[fixture_layers + 1], variance[fixture_layers + 2], skip[fixture_layers], headscale[fixture_heads];
    ap_heads heads[fixture_layers];
    ap_rule rule;                // rule of later heads; fixture_rule changes it afterwards
    double *X, *Xi, *y, *order;  // tokens, path inputs, labels, a random point of the cone
    size_t *length;
    double *W[fixture_layers], *Q[fixture_layers], *K[fixture_layers];
} fixture;

static inline double *fixture_numbers(size_t n, double size, uint64_t *seed) {
    double *x = check_room(n + 1);
    for (size_t i = 0; i < n; i++) x[i] = size * check_random(seed);
    return x;
}

// U := R R', R [n x m]
static inline void fixture_outer(double *U, const double *R, size_t n, size_t m) {
    for (size_t b = 0; b < n; b++)
        for (size_t a = 0; a < n; a++) {
            U[a + n * b] = 0.0;
            for (size_t k = 0; k < m; k++) U[a + n * b] += R[a + n * k] * R[b + n * k];
        }
}

// U_l := I/2 + B B', B random: a generic point. Order parameters that are not free are leading blocks.
static inline void fixture_order(double *order, const ap_net *net, uint64_t *seed) {
    double *chain = order;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t n = ap_net_paths(net, l);
        fixture_outer(order, fixture_numbers(n * n, 0.6, seed), n, n);
        for (size_t i = 0; i < n; i++) order[i + n * i] += 0.5;
        order += n * n;
    }
    ap_params_copy_tied(chain, net);
}

// A network of L layers with heads 2, 3, 2, 1 (or one each), unequal variances, and widths except for skip connections.
static inline void fixture_make(fixture *f, size_t L, bool one_head, size_t N0, size_t T, size_t P, uint64_t seed) {
    static const size_t heads[fixture_layers] = {2, 3, 2, 1};
    *f = (fixture){.N0 = N0, .T = T, .P = P};
    for (size_t l = 0; l < L; l++) f->H[l] = one_head ? 1 : heads[l];
    for (size_t l = 0; l <= L; l++) f->width[l] = 5.0 + 3.0 * (double)l;
    for (size_t l = 0; l < L; l++) {
        if ((fixture_skips >> l & 1) == 0) continue;
        f->skip[l] = 1.0 - 0.3 * (double)l;
        f->width[l + 1] = f->width[l];
    }
    for (size_t h = 0; h < fixture_heads; h++) f->headscale[h] = 0.3 * (double)((2 * h + 1) % 5);  // 0.3 0.9 0 0.6 1.2
    for (size_t l = 0; l <= L + 1; l++) f->variance[l] = 0.7 + 0.2 * (double)((l * 2) % 5);
    f->net = (ap_net){.L = L,
                      .H = f->H,
                      .skip = f->skip,
                      .headscale = fixture_scales ? f->headscale : NULL,
                      .read = AP_READ_LAST,
                      .width = f->width,
                      .variance = f->variance,
                      .temperature = 0.05};
    f->rule = (ap_rule){.kind = AP_SOFTMAX, .bandwidth = 1.0, .ridge = 1e-3};
    f->paths = ap_net_paths(&f->net, 1);
    f->X = fixture_numbers(N0 * T * P, 1.0, &seed);
    f->y = fixture_numbers(P, 1.0, &seed);
    f->Xi = fixture_numbers(N0 * P * f->paths, 1.5, &seed);
    f->order = fixture_numbers(ap_params_at(&f->net, L + 1), 1.0, &seed);  // it has room for one more
    f->order[ap_params_at(&f->net, L + 1)] = NAN;                          // u_a, which must not be read
    fixture_order(f->order, &f->net, &seed);
    f->x = (ap_tokens){.N0 = N0, .T = T, .P = P, .X = f->X};
}

static inline void fixture_bilinear(fixture *f, uint64_t seed) {
    for (size_t l = 0; l < f->net.L; l++) {
        f->W[l] = fixture_numbers(f->N0 * f->N0 * f->H[l], 1.0, &seed);
        f->heads[l] = (ap_heads){.W = f->W[l], .rule = f->rule};
    }
    f->net.heads = f->heads;
}

static inline void fixture_query_key(fixture *f, size_t G, uint64_t seed) {
    for (size_t l = 0; l < f->net.L; l++) {
        f->Q[l] = fixture_numbers(G * f->N0 * f->H[l], 1.5, &seed);
        f->K[l] = fixture_numbers(G * f->N0 * f->H[l], 1.5, &seed);
        f->heads[l] = (ap_heads){.G = G, .Q = f->Q[l], .K = f->K[l], .rule = f->rule};
    }
    f->net.heads = f->heads;
}

static inline void fixture_some(fixture *f, bool pairs, size_t G, uint64_t seed) {
    if (pairs)
        fixture_query_key(f, G, seed);
    else
        fixture_bilinear(f, seed);
}

static inline void fixture_rule(fixture *f, ap_rule rule) {  // of all heads
    f->rule = rule;
    for (size_t l = 0; l < f->net.L; l++) f->heads[l].rule = rule;
}

static inline ap_inputs fixture_inputs(const fixture *f) { return (ap_inputs){.N0 = f->N0, .P = f->P, .Xi = f->Xi}; }

static inline void fixture_lengths(fixture *f) {  // 1, 2, .., T, 1, 2, ..; padding is zero
    f->length = check_alloc(f->P * sizeof *f->length);
    for (size_t mu = 0; mu < f->P; mu++) {
        f->length[mu] = 1 + mu % f->T;
        for (size_t i = f->N0 * f->length[mu]; i < f->N0 * f->T; i++) f->X[i + f->N0 * f->T * mu] = 0.0;
    }
    f->x.length = f->length;
}

// Monitors with an int: one always stops, and counts its calls there; the other stops after so many calls.
static inline bool fixture_stop(void *context) { return ++*(int *)context > 0; }
static inline bool fixture_after(void *context) { return (*(int *)context)-- == 0; }

static inline bool fixture_enough(void *context, size_t done) { return done >= *(size_t *)context; }

static inline double fixture_readout(const fixture *f, size_t mu, size_t t) {
    const size_t length = f->length == NULL ? f->T : f->length[mu];
    if (f->net.read == AP_READ_MEAN) return t < length ? 1.0 / (double)length : 0.0;
    return t == (f->net.read == AP_READ_LAST ? length - 1 : f->net.token) ? 1.0 : 0.0;
}

// Path inputs (T3) of attention maps A, from their definition.
static inline void fixture_paths(double *Xi, const fixture *f, double *const *A) {
    const size_t T = f->T;
    double a[8], next[8];
    for (size_t mu = 0; mu < f->P; mu++)
        for (size_t pi = 0; pi < f->paths; pi++) {
            size_t rest = pi;
            for (size_t t = 0; t < T; t++) a[t] = fixture_readout(f, mu, t);
            for (size_t l = f->net.L; l-- > 0; rest /= f->H[l]) {  // h_L is the fastest index
                const double *omega = A[l] + T * T * (rest % f->H[l] + f->H[l] * mu);
                size_t head = rest % f->H[l];
                for (size_t k = 0; k < l; k++) head += f->H[k];
                const double scale = f->net.headscale == NULL ? 1.0 : f->headscale[head];
                for (size_t s = 0; s < T; s++) {
                    next[s] = 0.0;
                    for (size_t t = 0; t < T; t++) next[s] += scale * omega[s + T * t] * a[t];
                }
                memcpy(a, next, sizeof a);
            }
            for (size_t i = 0; i < f->N0; i++) {
                double sum = 0.0;
                for (size_t t = 0; t < T; t++) sum += f->X[i + f->N0 * (t + T * mu)] * a[t];
                Xi[i + f->N0 * (mu + f->P * pi)] = sum;
            }
        }
}

// K (T6) between the path inputs X of n examples and Y of m, and that of the fixture's own, from its definition.
static inline void fixture_cross(double *K, const fixture *f, const double *U, const double *X, size_t n,
                                 const double *Y, size_t m) {
    for (size_t nu = 0; nu < m; nu++)
        for (size_t mu = 0; mu < n; mu++) {
            double sum = 0.0;
            for (size_t b = 0; b < f->paths; b++)
                for (size_t a = 0; a < f->paths; a++)
                    for (size_t i = 0; i < f->N0; i++)
                        sum += U[a + f->paths * b] * X[i + f->N0 * (mu + n * a)] * Y[i + f->N0 * (nu + m * b)];
            K[mu + n * nu] = f->variance[0] * sum / ((double)f->N0 * (double)f->paths);
        }
}

static inline void fixture_kernel(double *K, const fixture *f, const double *U) {
    fixture_cross(K, f, U, f->Xi, f->P, f->Xi, f->P);
}

// A prepared kernel: from the path inputs if memory is 0, otherwise stored in any case.
static inline ap_kernel fixture_ready(const fixture *f, const ap_net *net, double memory, double **storage) {
    ap_kernel kernel;
    const ap_inputs x = fixture_inputs(f);
    CHECK_STATUS(ap_kernel_plan(&kernel, net, &x, memory, &err), AP_OK);
    if (memory > 0.0 && (net->outputs > 1 || kernel.storage == 0)) {
        kernel.way = 1;
        kernel.storage = (net->outputs > 1 ? &ap_kernel_outputs_blocks : &ap_kernel_packed)->size(&kernel);
    }
    *storage = check_room(kernel.storage + 1);
    CHECK_STATUS(ap_kernel_build(&kernel, *storage, &work, &err), AP_OK);
    return kernel;
}

// A fixture with the data of an action: kernel, problem, a point at the fixture's order parameters, scratch memory.
typedef struct setting {
    fixture f;
    size_t C, H[fixture_layers + 1];
    ap_net chain;  // of C outputs, which are coupled
    double width[fixture_layers + 2], variance[fixture_layers + 3], *y;
    ap_kernel kernel;
    ap_problem p;
    ap_point point;
    ap_settings settings;
    const ap_model_ops *how;  // NULL: chosen by cost
    ap_progress progress;
    ap_work work;
    double *storage;
} setting;

static inline double setting_ua(const setting *s) { return s->point.order[ap_params_at(&s->f.net, s->f.net.L + 1)]; }

static inline void setting_begin(setting *s, const ap_net *net, const double *y, double memory) {
    s->kernel = fixture_ready(&s->f, net, memory, &s->storage);
    s->p = (ap_problem){.net = net, .kernel = &s->kernel, .y = y};
    s->settings = ap_settings_default();
    s->how = NULL;
    s->work = check_work();
    CHECK_STATUS(ap_point_take(&s->point, &s->p, &s->work, &err), AP_OK);
}

static inline void setting_prepare(setting *s, double memory) {  // after changes of s->f
    setting_begin(s, &s->f.net, s->f.y, memory);
    memcpy(s->point.order, s->f.order, ap_params_length(&s->f.net) * sizeof(double));
}

static inline void setting_outputs(setting *s, size_t C, double memory) {  // the same with C outputs and their labels
    uint64_t seed = 7 + C;
    s->C = C;
    ap_net_outputs(&s->chain, &s->f.net, C, s->H, s->width, s->variance);
    s->y = fixture_numbers(s->f.P * C, 1.0, &seed);
    setting_begin(s, &s->chain, s->y, memory);
    fixture_order(s->point.order, &s->chain, &seed);
}

static inline void setting_for(setting *s, size_t C, double memory) {  // C outputs, coupled if there are several
    if (C > 1)
        setting_outputs(s, C, memory);
    else
        setting_prepare(s, memory);
}

// One output, C coupled ones, or C that share U, whose labels are others.
static inline void setting_columns(setting *s, size_t C, bool shared, double memory, uint64_t *seed) {
    setting_for(s, shared ? 1 : C, memory);
    if (!shared) return;
    s->p.y = s->y = fixture_numbers(s->f.P * C, 1.0, seed);
    s->p.label_columns = C;
}

// The action at the point and its derivatives, for curvature, steps and certificates.
static inline void setting_derive(setting *s) {
    CHECK_STATUS(ap_action_value(&s->point, &s->p, &s->work, &err), AP_OK);
    CHECK_STATUS(ap_action_gradient(&s->point, &s->p, &s->work, &err), AP_OK);
}

static inline void setting_make(setting *s, size_t L, size_t P, double memory) {
    fixture_make(&s->f, L, false, 40, 2, P, 40 + L);
    setting_prepare(s, memory);
}

// A random problem at a point away from its solutions, where the Hessian may be indefinite.
static inline void setting_elsewhere(setting *s, uint64_t seed) {
    setting_make(s, 1 + seed % 3, 10 + seed, seed % 2 ? 1e9 : 0.0);
    uint64_t state = seed;
    fixture_order(s->point.order, &s->f.net, &state);
    const double size = pow(10.0, check_random(&state));
    for (size_t i = 0; i < ap_params_length(&s->f.net); i++) s->point.order[i] *= size;
    for (size_t mu = 0; mu < s->f.P; mu++)
        s->f.y[mu] = (mu % 2 ? 1.0 : -1.0) * pow(10.0, -0.5 + (double)(seed % 4) / 2.0);
    setting_derive(s);
}

static inline void setting_signs(setting *s, size_t L, size_t P,
                                 double memory) {  // labels +-1, started at the GP point
    setting_make(s, L, P, memory);
    for (size_t mu = 0; mu < P; mu++) s->f.y[mu] = mu % 2 ? 1.0 : -1.0;
    ap_params_gp(s->point.order, &s->f.net);
}

static inline ap_status setting_solve(setting *s, ap_error *err) {
    return ap_solve_by(&s->point, &s->progress, &s->p, &s->settings, s->how, &s->work, err);
}

// A minimum of the fixture's action, its widths `wide` times as large.
static inline void setting_minimum(setting *s, size_t L, size_t P, double wide, double memory) {
    setting_make(s, L, P, memory);
    for (size_t l = 0; l <= L; l++) s->f.width[l] *= wide;
    CHECK_STATUS(setting_solve(s, &err), AP_OK);
}

// One layer of one head: U and u_a are scalars.
static inline void setting_scalar(setting *s, size_t P, uint64_t seed) {
    fixture_make(&s->f, 1, true, 12, 2, P, seed);
    setting_prepare(s, 0.0);
    CHECK_STATUS(setting_solve(s, &err), AP_OK);
}

static inline void setting_leave(setting *s) {  // far from the solution of other labels
    for (size_t mu = 0; mu < s->f.P; mu++) s->f.y[mu] *= 30.0;
    for (size_t i = 0; i < ap_params_length(&s->f.net); i++) s->point.order[i] *= 1e-3;
    setting_derive(s);
}

static inline void setting_stop(setting *s, int *asked) {  // at once, and its calls are counted
    *asked = 0;
    s->kernel.stop = fixture_stop;
    s->kernel.context = asked;
}

// Mean and variance (T10) at U; s2 NULL: the mean alone.
static inline ap_status setting_predict(double *mu, double *s2, const setting *s, const double *U,
                                        const ap_inputs *x2) {
    const size_t mark = work.used;
    ap_fit fit;
    ap_status status = ap_fit_take(&fit, &s->p, &work, &err);
    if (status == AP_OK) status = ap_predict_fit(&fit, &s->p, U, &work, &err);
    if (status == AP_OK) status = ap_predict(mu, s2, &s->p, &fit, U, x2, &work, &err);
    work.used = mark;
    return status;
}

static inline void setting_check_workspace(setting *s) {
    CHECK_WORKSPACE((ap_params_gp(s->point.order, &s->f.net),
                     ap_solve_by(&s->point, &s->progress, &s->p, &s->settings, s->how, &work, &err)));
}

// ---- one head without a network -------------------------------------------------------------------------------------

enum { head_d = 3, head_n = 6, head_dv = 2, head_most = 530 };  // queries for more than one product

typedef struct fixture_head {
    ap_rule rule;
    ap_keys keys;
    double K[head_d * head_n], V[head_dv * head_n], Q[head_d * head_most], out[head_dv * head_most];
    double Omega[head_n * head_most];
} fixture_head;

static inline void fixture_head_make(fixture_head *t, ap_rule_kind kind, ap_kernel_kind kernel) {
    uint64_t seed = 7;
    *t = (fixture_head){.rule = {.kind = kind, .kernel = kernel, .bandwidth = 0.7, .ridge = 0.2}};
    check_fill(t->K, head_d * head_n, &seed);
    check_fill(t->V, head_dv * head_n, &seed);
    check_fill(t->Q, head_d * head_most, &seed);
    t->keys = (ap_keys){.d = head_d, .n = head_n, .dv = head_dv, .K = t->K, .V = t->V};
}

static inline ap_status fixture_head_attend(fixture_head *t, bool maps, size_t queries) {
    return ap_attend(t->out, maps ? t->Omega : NULL, &t->rule, &t->keys, t->Q, queries, &work, &err);
}

// ---- a search in nested factors, step by step -----------------------------------------------------------------------

static inline void fixture_factors(ap_factor_search *n, setting *s) {
    const size_t L = s->f.net.L, paths = s->kernel.paths, cells = paths * paths, chain = ap_params_length(&s->f.net);
    *n = (ap_factor_search){.p = &s->p,
                            .work = &s->work,
                            .err = &err,
                            .kernel = s->kernel,
                            .mixed = s->p,
                            .last = L + 1,
                            .q = s->kernel.pairs};
    n->mixed.kernel = &n->kernel;
    for (size_t l = 1; l <= L + 1; l++) n->n += ap_params_member(&s->f.net, l).pairs;
    AP_TAKE_EACH(&s->work, cells, &n->unit, &n->one, &n->two, &n->three, &n->four);
    n->kernel.Xi = n->Y = ap_take_matrix(&s->work, s->kernel.N0 * s->kernel.P, paths);
    AP_TAKE_EACH(&s->work, n->n, &n->v, &n->D);
    AP_TAKE_EACH(&s->work, n->n * n->n, &n->energy, &n->logdet, &n->H);
    AP_TAKE_EACH(&s->work, cells * (n->n - n->q), &n->X, &n->gX);
    n->J = ap_take_matrix(&s->work, n->q, n->n - n->q);
    n->products = INFINITY;
    AP_TAKE_EACH(&s->work, chain, &n->g, &n->V, &n->W);
    n->t = ap_take(&s->work, n->n + s->kernel.P);
    n->scratch = ap_take(&s->work, n->n + 4 * paths);
    for (ap_factors *f = &n->now; f != NULL; f = f == &n->now ? &n->trial : NULL) {
        AP_TAKE_EACH(&s->work, chain, &f->B, &f->R);
        f->G = ap_take_matrix(&s->work, paths, paths);
        CHECK_STATUS(ap_fit_take(&f->fit, n->p, n->work, &err), AP_OK);
    }
    ap_spd_identity(n->unit, paths);
    CHECK_STATUS(ap_factors_from_order(n, &n->now, s->point.order), AP_OK);
    CHECK_STATUS(ap_factors_value(n, &n->now), AP_OK);
    CHECK_STATUS(ap_factors_derive(n, &n->now), AP_OK);
}

// ---- definitions for several tests of the samplers ------------------------------------------------------------------

static inline void fixture_widths(fixture *f, const double *width) {
    memcpy(f->width, width, (f->net.L + 1) * sizeof *width);
}

// B := A^{-1} B, B [n x m], by elimination with pivots; A [n x n] is destroyed. Returns log |det A|.
static inline double fixture_eliminate(double *A, size_t n, double *B, size_t m) {
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(A[i + n * k]) > fabs(A[pivot + n * k])) pivot = i;
        for (size_t j = 0; j < n + m; j++) {
            double *column = j < n ? A + n * j : B + n * (j - n), kept = column[k];
            column[k] = column[pivot];
            column[pivot] = kept;
        }
        sum += log(fabs(A[k + n * k]));
        for (size_t i = 0; i < n; i++) {
            const double factor = A[i + n * k] / A[k + n * k];
            for (size_t j = k; i != k && j < n; j++) A[i + n * j] -= factor * A[k + n * j];
            for (size_t j = 0; i != k && j < m; j++) B[i + n * j] -= factor * B[k + n * j];
        }
    }
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < m; j++) B[k + n * j] /= A[k + n * k];
    return sum;
}

// E (T7) by elimination.
static inline double fixture_energy(const fixture *f, const double *U) {
    const size_t P = f->P;
    double *A = check_room(P * P), *b = check_room(P);
    fixture_kernel(A, f, U);
    for (size_t mu = 0; mu < P; mu++) A[mu + P * mu] += f->net.temperature;
    memcpy(b, f->y, P * sizeof *b);
    double E = fixture_eliminate(A, P, b, 1);
    for (size_t mu = 0; mu < P; mu++) E += f->y[mu] * b[mu];
    return E;
}

// The theory's weights of all layers above V_0 from the whitened ones; V may be z.
static inline void fixture_colour(double *V, const ap_net *net, const double *z) {
    for (size_t l = 1; l <= net->L + 1; l++)
        for (size_t i = ap_weights_layer(net, l); i > 0; i--) *V++ = sqrt(net->variance[l]) * *z++;
}

// u^{(layer)} [N_layer x Pi_layer] (section 7), path by path from the readout down. V: V_1, .., V_L, a, not whitened.
static inline void fixture_partial(double *u, const ap_net *net, const double *V, size_t layer) {
    enum { widest = 512 };
    double above[widest], here[widest];
    for (size_t path = 0; path < ap_net_paths(net, layer); path++) {
        size_t N = (size_t)net->width[net->L];
        const double *at = V;
        for (size_t l = 1; l <= net->L; l++) at += (size_t)(net->width[l - 1] * net->width[l]) * net->H[l - 1];
        memcpy(here, at, N * sizeof *here);
        for (size_t l = net->L; l >= layer; l--) {
            const size_t Nup = N, head = path / ap_net_paths(net, l + 1) % net->H[l - 1];
            N = (size_t)net->width[l - 1];
            at -= Nup * N * net->H[l - 1];
            memcpy(above, here, Nup * sizeof *here);
            for (size_t i = 0; i < N; i++) {
                here[i] = 0.0;
                for (size_t j = 0; j < Nup; j++) here[i] += at[j + Nup * (i + N * head)] * above[j] / sqrt((double)Nup);
            }
        }
        memcpy(u + N * path, here, N * sizeof *here);
    }
}

// U_layer = u' u / N.
static inline void fixture_overlaps(double *U, const double *u, size_t N, size_t paths) {
    for (size_t b = 0; b < paths; b++)
        for (size_t a = 0; a < paths; a++) {
            U[a + paths * b] = 0.0;
            for (size_t i = 0; i < N; i++) U[a + paths * b] += u[i + N * a] * u[i + N * b] / (double)N;
        }
}

// The outputs (T4) of n examples from V_0 [N_1 x N0] and u^{(1)}.
static inline void fixture_outputs(double *f, const ap_net *net, size_t N0, const double *Xi, size_t n,
                                   const double *V0, const double *u) {
    const size_t N = (size_t)net->width[0], paths = ap_net_paths(net, 1);
    for (size_t mu = 0; mu < n; mu++) {
        f[mu] = 0.0;
        for (size_t a = 0; a < paths; a++)
            for (size_t j = 0; j < N0; j++) {
                double w = 0.0;
                for (size_t i = 0; i < N; i++) w += V0[i + N * j] * u[i + N * a] / sqrt((double)N);
                f[mu] += w * Xi[j + N0 * (mu + n * a)] / sqrt((double)(N0 * paths));
            }
    }
}

// ---- the chain (T11) of order parameters by its definition ----------------------------------------------------------

typedef struct fixture_shape {
    size_t L;
    double width[4];
} fixture_shape;

// Heads 2 | 2, 3 | 2, 3, 2. First N_l >= Pi_l in all layers (6 and 3 paths; 12, 6 and 2), then narrow networks.
static const fixture_shape fixture_shapes[] = {
    {1, {5, 4}},    {2, {6, 8, 11}}, {2, {60, 40, 3}},  {3, {12, 6, 2, 5}}, {1, {1, 3}},       {2, {2, 3, 2}},
    {2, {3, 2, 1}}, {2, {4, 8, 1}},  {3, {9, 2, 2, 1}}, {3, {2, 5, 1, 3}},  {3, {20, 1, 1, 1}}};
enum { fixture_all_shapes = sizeof fixture_shapes / sizeof fixture_shapes[0], fixture_full_shapes = 4 };

static inline void fixture_shaped(setting *s, const fixture_shape *v) {
    fixture_make(&s->f, v->L, false, 7, 2, 5, 70 + v->L);
    fixture_widths(&s->f, v->width);
    setting_prepare(s, 0.0);
}

typedef struct fixture_level {  // literal Bartlett factors: B [q x m], R [paths x m] of one level
    size_t q, m, paths;
    double *B, *R;
} fixture_level;

// Level by level from the readout down; `density` is the log of the coordinates' prior density, up to a constant: for a
// chi variable b with k degrees of freedom (k - 1) log b - b^2/2 + log |db/dx|, for a normal -x^2/2.
static inline void fixture_levels(fixture_level *c, double *density, const ap_net *net, const double *x) {
    *density = 0.0;
    for (size_t l = net->L + 1; l >= 1; l--) {
        fixture_level *here = &c[l], *up = &c[l + 1];
        const size_t heads = l > net->L ? 1 : net->H[l - 1], N = (size_t)net->width[l - 1];
        here->q = l > net->L ? 1 : heads * up->m;
        here->m = here->q < N ? here->q : N;
        here->paths = ap_net_paths(net, l);
        here->B = check_doubles(here->q * here->m);
        here->R = check_doubles(here->paths * here->m);
        for (size_t j = 0; j < here->m; j++)
            for (size_t i = j; i < here->q; i++, x++) {
                const double k = (double)(N - j), s = sqrt((k + 1.0) / (2.0 * k * k));
                const bool chi = i == j && k > 1.0;  // of one degree of freedom: a normal of either sign
                here->B[i + here->q * j] = chi ? sqrt(k) * exp(s * *x) : *x;
                const double b = here->B[i + here->q * j];
                *density += chi ? (k - 1.0) * log(b) - 0.5 * b * b + log(s * b) : -0.5 * b * b;
            }
        const double scale = sqrt(net->variance[l] / (double)N);
        const size_t below = here->paths / heads;
        for (size_t j = 0; j < here->m; j++)
            for (size_t a = 0; a < here->paths; a++) {
                double sum = l > net->L ? here->B[0] : 0.0;  // (I (x) R_{l+1}) B
                for (size_t k = 0; l <= net->L && k < up->m; k++)
                    sum += up->R[a % below + below * k] * here->B[a / below * up->m + k + here->q * j];
                here->R[a + here->paths * j] = scale * sum;
            }
    }
}

static inline void fixture_level_order(double *U, const fixture_level *c) { fixture_outer(U, c->R, c->paths, c->m); }

// ---- statistics -----------------------------------------------------------------------------------------------------
//
// Seeds are fixed, so that a check passes always or never. A correct program fails a bound of 4.5 standard errors with
// probability 7e-6, or 6e-5 if they are estimated from 40 batches (Student's t with 39 degrees of freedom).

static const double fixture_far = 4.5;

typedef struct tally {  // of numbers in their order
    double n, mean, square;
} tally;

static inline void tally_add(tally *t, double x) {
    const double apart = x - t->mean;
    t->n += 1.0;
    t->mean += apart / t->n;
    t->square += apart * (x - t->mean);
}

static inline double tally_error(const tally *t) { return sqrt(t->square / (t->n * (t->n - 1.0))); }

// The mean of correlated numbers x[0], x[stride], ..: its standard error is that of the means of 40 batches.
static inline tally tally_batches(const double *x, size_t n, size_t stride) {
    enum { batches = 40 };
    tally all = {0};
    for (size_t b = 0; b < batches; b++) {
        tally one = {0};
        for (size_t i = n / batches * b; i < n / batches * (b + 1); i++) tally_add(&one, x[stride * i]);
        tally_add(&all, one.mean);
    }
    return all;
}

static inline void check_mean(const tally *t, double want, double want_error, const char *file, int line,
                              const char *what) {
    const double error = sqrt(tally_error(t) * tally_error(t) + want_error * want_error);
    check_near(t->mean, want, fixture_far * error, file, line, what);
}

#define CHECK_MEAN(t, want) check_mean((t), (want), 0.0, __FILE__, __LINE__, "mean of " #t " ~ " #want)
#define CHECK_MEANS(s, t) check_mean((s), (t)->mean, tally_error(t), __FILE__, __LINE__, "mean of " #s " ~ of " #t)

// ---- targets --------------------------------------------------------------------------------------------------------

// psi along a random direction by central differences, error c h^2 + eps |psi| / h: while the first term dominates,
// halving h divides the error by 4.
static inline void fixture_check_gradient(const ap_target *t, const double *x, double h, uint64_t seed) {
    const size_t n = t->dim;
    double *d = fixture_numbers(n, 1.0, &seed), *moved = check_room(n), *g = check_room(n);
    double psi, slope = 0.0, error[3];
    CHECK_STATUS(t->evaluate(&psi, g, t, x, &work, &err), AP_OK);
    for (size_t i = 0; i < n; i++) slope += g[i] * d[i];
    for (size_t k = 0; k < 3; k++, h /= 2.0) {
        double side[2];
        for (size_t s = 0; s < 2; s++) {
            for (size_t i = 0; i < n; i++) moved[i] = x[i] + (s == 0 ? h : -h) * d[i];
            CHECK_STATUS(t->evaluate(&side[s], g, t, moved, &work, &err), AP_OK);
        }
        error[k] = fabs((side[0] - side[1]) / (2.0 * h) - slope);
    }
    CHECK(error[2] < 1e-3 * fabs(slope) + 1e-6);
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.1);
    CHECK(work.used == 0);
}

static inline void fixture_check_workspace(ap_target t) {
    uint64_t seed = 5;
    double *x = fixture_numbers(t.dim, 1.0, &seed), *g = check_doubles(t.dim), *U = check_doubles(t.chain), psi;
    CHECK_WORKSPACE(t.evaluate(&psi, g, &t, x, &work, &err));
    CHECK_WORKSPACE(t.order(U, &t, x, &work, &err));
}

// phi = psi + |x|^2 / 2 = x' M x / 2 - b' x, plus (x_0^2 - well^2)^2 / 4 if well > 0; U [2 x 2] from x. It fails away
// from `only` and outside of a ball, if these are given.
typedef struct fixture_normal {
    size_t dim;
    double M[144], b[12], well, ball;
    const double *only;
} fixture_normal;

static inline ap_status fixture_normal_at(double *psi, double *grad, const fixture_normal *t, const double *x,
                                          ap_work *work, ap_error *err) {
    const size_t n = t->dim, mark = work->used;
    const bool taken = ap_take(work, 3) != NULL;
    work->used = mark;
    if (!taken) return ap_not_taken(work, err, "normal");
    if (t->only != NULL && memcmp(x, t->only, n * sizeof *x) != 0) return ap_fail(err, AP_ENOTSPD, "not here");
    if (t->ball > 0.0 && ap_dot(n, x, x) > t->ball * t->ball) return ap_fail(err, AP_ENOTSPD, "not there");
    *psi = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double Mx = ap_dot(n, t->M + n * i, x);
        grad[i] = Mx - t->b[i] - x[i];
        *psi += 0.5 * x[i] * (Mx - x[i]) - t->b[i] * x[i];
    }
    const double off = x[0] * x[0] - t->well * t->well;
    if (t->well > 0.0) *psi += 0.25 * off * off;
    if (t->well > 0.0) grad[0] += off * x[0];
    return AP_OK;
}

static inline ap_status fixture_normal_psi(double *psi, double *grad, const ap_target *target, const double *x,
                                           ap_work *work, ap_error *err) {
    return fixture_normal_at(psi, grad, target->self, x, work, err);
}

static inline ap_status fixture_normal_order(double *U, const ap_target *target, const double *x, ap_work *work,
                                             ap_error *err) {
    U[0] = x[0] * x[0];
    U[1] = U[2] = x[0] * x[1];
    U[3] = x[1] * x[1];
    return AP_OK;
}

static inline ap_target fixture_normal_target(const fixture_normal *t, size_t rank) {
    return (ap_target){.dim = t->dim,
                       .paths = 2,
                       .chain = 4,
                       .metric = rank,
                       .momentum_cost = 0.3,
                       .self = t,
                       .evaluate = fixture_normal_psi,
                       .order = fixture_normal_order};
}

static inline fixture_normal fixture_independent(size_t n, const double *precision) {
    fixture_normal t = {.dim = n};
    for (size_t i = 0; i < n; i++) t.M[i + n * i] = precision[i];
    return t;
}

static inline ap_target fixture_head_start(const fixture_normal *t, size_t rank) {
    ap_target target = fixture_normal_target(t, rank);
    target.head_start = true;
    return target;
}

static const double fixture_spread[] = {30.0, 0.5, 4.0, 12.0};  // eigenvalues for it

// M = I + sum over the first eigenvalues of (lambda - 1) q q', q orthonormal.
static inline fixture_normal fixture_eigenvalues(size_t n, const double *lambda, size_t count, uint64_t seed) {
    fixture_normal t = {.dim = n};
    double *Q = check_room(n * count);
    ap_rng rng = ap_rng_start(seed, 0);
    CHECK_STATUS(ap_rng_frame(Q, n, count, &rng, &work, &err), AP_OK);
    for (size_t j = 0; j < n; j++) {
        t.b[j] = check_random(&seed);
        for (size_t i = 0; i < n; i++) {
            t.M[i + n * j] = i == j ? 1.0 : 0.0;
            for (size_t a = 0; a < count; a++) t.M[i + n * j] += (lambda[a] - 1.0) * Q[i + n * a] * Q[j + n * a];
        }
    }
    return t;
}

// A chain with its memory.
typedef struct fixture_chain {
    ap_target target;
    size_t size;
    double *state;
    ap_chain chain;
    ap_work work;
} fixture_chain;

static inline void fixture_begin(fixture_chain *r, const ap_target *target, const double *x, uint64_t seed) {
    const ap_rng rng = ap_rng_start(seed, 0);
    *r = (fixture_chain){.target = *target};
    r->size = ap_chain_state(&r->target);
    r->state = fixture_numbers(r->size, 1e9, &seed);  // all of it must be written
    r->work = check_work();
    CHECK_STATUS(ap_chain_start(r->state, &r->target, x, &rng, &err), AP_OK);
    CHECK_STATUS(ap_chain_open(&r->chain, r->state, &r->target, &r->work, &err), AP_OK);
}

// In a dense metric, or in none
static inline void fixture_begin_normal(fixture_chain *r, const fixture_normal *t, bool dense, const double *x,
                                        uint64_t seed) {
    const ap_target target = fixture_normal_target(t, dense ? t->dim : 0);
    fixture_begin(r, &target, x, seed);
}

static inline void fixture_reopen(fixture_chain *r) {
    ap_chain_close(&r->chain);
    r->work.used = 0;
    memset(&r->chain, 0xff, sizeof r->chain);
    CHECK_STATUS(ap_chain_open(&r->chain, r->state, &r->target, &r->work, &err), AP_OK);
}

static inline ap_outcome fixture_next(fixture_chain *r, size_t warmup) {
    ap_outcome out = {.error = NAN};
    const size_t used = r->work.used;
    const ap_status status = ap_transition(&r->chain, &out, &r->target, warmup, &r->work, &err);
    CHECK(status == AP_OK && r->work.used == used);
    return out;
}

#endif
