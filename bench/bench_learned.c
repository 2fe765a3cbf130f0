// bench_learned.c: one evaluation of the posterior of heads against its bare matrix products
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_learned [N0 T P LAYERS HEADS G LIMIT OUTPUTS ALL]
//
// Value and gradient of ap_learned.c at random tokens and heads, of softmax attention: G rows of queries and keys, or 0
// for bilinear heads; LIMIT 1: at the GP limit; ALL 1: all tokens are read out, otherwise the last. With one line of
// numbers the milliseconds of an evaluation alone are printed, for peers_learned.py. Times are processor time.
//
// Bare products, in turns with it: of each head one product for each factor of the scores, the scores, their two
// adjoints, and one for each matrix, of a single query in the order of ap_attention.c; of each map its product with
// what meets it, its adjoint and the map's derivative; of the kernel a syrk a path, dpotrf, dpotri, and two products a
// path for dE/dxi and dE/dU, or where features are fewer than rows those of ap_dual.c. Exponentials, and sums over rows
// of maps, are no products.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posterior/ap_posterior.h"
#include "problem.h"

enum { turns = 9 };

typedef struct shape {
    const char *name;
    size_t N0, T, P, L, heads, G, gp, outputs, all;
} shape;

typedef struct setting {
    shape s;
    size_t H[most_layers], chain_H[most_layers + 1], count, paths;
    double width[most_layers + 1], variance[most_layers + 2], chain_width[most_layers + 2];
    double chain_variance[most_layers + 3];
    ap_heads heads[most_layers];
    ap_net net, chain;
    ap_kernel kernel;
    ap_learned q;
    ap_target t;
    double *x, *grad, *A, *B, *C;
    ap_work work;
} setting;

static double *random_numbers(size_t n) {
    double *x = doubles(n + 1);
    for (size_t i = 0; i < n; i++) x[i] = rand() / (double)RAND_MAX - 0.5;
    return x;
}

static void *more(size_t bytes) { return malloc(bytes); }
static void less(void *block) { free(block); }

static void make(setting *m, const shape *s) {
    ap_error err;
    *m = (setting){.s = *s, .work = {.alloc = more, .release = less, .limit = SIZE_MAX / 16}};
    for (size_t l = 0; l < s->L; l++) {
        m->H[l] = s->heads;
        m->heads[l] = (ap_heads){.G = s->G, .rule = {.kind = AP_SOFTMAX, .bandwidth = 1.0, .ridge = 1.0}};
        if (s->G == 0) m->heads[l].W = random_numbers(s->N0 * s->N0 * s->heads);
        if (s->G > 0) m->heads[l].Q = random_numbers(s->G * s->N0 * s->heads);
        if (s->G > 0) m->heads[l].K = random_numbers(s->G * s->N0 * s->heads);
    }
    for (size_t l = 0; l <= s->L; l++) m->width[l] = 20.0;
    for (size_t l = 0; l <= s->L + 1; l++) m->variance[l] = 1.0;
    m->net = (ap_net){.L = s->L,
                      .H = m->H,
                      .heads = m->heads,
                      .read = s->all ? AP_READ_ALL : AP_READ_LAST,
                      .width = m->width,
                      .variance = m->variance,
                      .temperature = 0.1};
    m->chain = m->net;
    if (s->outputs > 1 && !s->gp)
        ap_net_outputs(&m->chain, &m->net, s->outputs, m->chain_H, m->chain_width, m->chain_variance);
    const ap_tokens x = {.N0 = s->N0, .T = s->T, .P = s->P, .X = random_numbers(s->N0 * s->T * s->P)};
    m->count = ap_paths_count(&m->net, &x);
    m->paths = ap_net_paths(&m->net, 1);
    const ap_inputs inputs = {.N0 = s->N0, .P = m->count, .Xi = x.X};  // not read
    must_be(ap_kernel_plan(&m->kernel, &m->chain, &inputs, 0.0, &err) == AP_OK, "planning");
    m->q = (ap_learned){.problem = {.net = &m->chain, .kernel = &m->kernel, .y = random_numbers(m->count * s->outputs)},
                        .net = &m->net,
                        .x = x,
                        .scale = 1.0,
                        .gp = s->gp != 0};
    if (s->gp && s->outputs > 1) m->q.problem.label_columns = s->outputs;
    m->t = ap_learned_target(&m->q);
    m->x = random_numbers(m->t.dim);
    m->grad = doubles(m->t.dim);
    const size_t rows = m->count * (s->gp ? 1 : s->outputs), tokens = s->T * s->P;
    const size_t most = 4 * s->N0 * tokens * m->paths + 2 * s->N0 * s->N0 + rows * rows + 4 * s->T * tokens;
    m->A = random_numbers(most);
    m->B = random_numbers(most);
    m->C = random_numbers(most);
}

static void evaluate(setting *m) {
    ap_error err;
    double psi;
    must_be(m->t.evaluate(&psi, m->grad, &m->t, m->x, &m->work, &err) == AP_OK, "an evaluation");
}

static void product(const setting *m, char ta, char tb, size_t rows, size_t columns, size_t inner) {
    ap_gemm(ta, tb, rows, columns, inner, 1.0, m->A, ta == 'N' ? rows : inner, m->B, tb == 'N' ? inner : columns, 0.0,
            m->C, rows);
}

static void of_map(const setting *m, size_t queries, size_t d, size_t up, size_t down, bool first, bool last) {
    const size_t T = m->s.T, wide = m->s.N0 * down;
    product(m, 'T', 'N', T, queries, d);
    if (m->s.all) {
        product(m, 'N', 'N', wide, T, T);
        product(m, 'T', 'N', T, T, wide);
        if (!first) product(m, 'N', 'T', wide, T, T);
    } else {
        product(m, 'N', 'N', T, up, queries);
        product(m, 'N', 'T', T, queries, up);
        if (!last) product(m, 'T', 'N', T, up, T);
    }
    product(m, 'N', 'N', d, queries, T);
    if (m->s.G > 0 && queries > 1) product(m, 'N', 'T', d, T, queries);
}

static void bare_attention(const setting *m) {
    const shape *s = &m->s;
    const size_t N0 = s->N0, G = s->G, tokens = s->T * s->P;
    for (size_t l = 1; l <= s->L; l++) {
        const size_t queries = l == s->L && !s->all ? 1 : s->T, columns = queries * s->P;
        const size_t up = ap_net_paths(&m->net, l + 1), down = m->paths / ap_net_paths(&m->net, l);
        for (size_t h = 0; h < s->heads; h++) {
            const size_t others = queries > 1 ? tokens : columns, d = G > 0 ? G : N0;
            product(m, 'N', 'N', d, columns, N0);
            if (G > 0 && queries > 1) product(m, 'N', 'N', d, tokens, N0);
            if (G > 0 && queries == 1) product(m, 'T', 'N', N0, columns, G);
            for (size_t mu = 0; mu < s->P; mu++) of_map(m, queries, queries > 1 ? d : N0, up, down, l == 1, l == s->L);
            product(m, 'N', 'T', d, N0, columns);
            if (G > 0) product(m, 'N', 'T', d, N0, others);
            if (G > 0 && queries == 1) product(m, 'N', 'N', G, columns, N0);
        }
    }
    for (size_t mu = 0; mu < s->P && !s->all; mu++) {
        product(m, 'N', 'N', N0, m->paths, s->T);
        product(m, 'T', 'N', s->T, m->paths, N0);
    }
}

static void identity(double *C, size_t n) {
    memset(C, 0, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++) C[i + n * i] = 1.0;
}

static void bare_dual(const setting *m, size_t C, size_t columns) {
    const size_t n = m->s.N0 * columns, rows = m->count * C, cells = m->s.N0 * m->count;
    for (size_t c = 0; c < C; c++) product(m, 'N', 'N', cells, columns, m->paths);
    ap_syrk('N', n, rows, 1.0, m->A, n, 0.0, m->C, n);
    identity(m->C, n);
    must_be(ap_potrf(n, m->C, n) == 0, "LAPACK");
    ap_spd_solve(m->C, n, m->B, rows);
    for (size_t c = 0; c < C; c++) {
        product(m, 'N', 'T', cells, m->paths, columns);
        if (!m->s.gp) product(m, 'T', 'N', m->paths, columns, cells);
    }
}

static void bare_kernel(const setting *m) {
    const size_t N0 = m->s.N0, P = m->count, C = m->s.gp ? 1 : m->s.outputs, rows = P * C, cells = N0 * P;
    const size_t columns = m->s.gp ? m->paths : ap_bartlett_rank(&m->chain, 1);
    if (N0 * columns < rows) {
        bare_dual(m, C, columns);
        return;
    }
    for (size_t c = 0; c < C * C; c++)
        for (size_t a = 0; a < m->paths; a++) ap_syrk('T', P, N0, 1.0, m->A, N0, 0.0, m->C, P);
    identity(m->C, rows);
    must_be(ap_potrf(rows, m->C, rows) == 0 && ap_potri(rows, m->C, rows) == 0, "LAPACK");
    for (size_t c = 0; c < C * C; c++) {
        for (size_t a = 0; a < m->paths; a++) product(m, 'N', 'N', N0, P, P);
        product(m, 'N', 'N', cells, m->paths, m->paths);
        if (!m->s.gp) product(m, 'T', 'N', m->paths, m->paths, cells);
    }
}

// Medians of turns of about 50 ms, in ms.
static void measure(double out[3], setting *m, bool alone) {
    double each[3][turns];
    evaluate(m);
    double begun = processor_seconds();
    evaluate(m);
    const size_t repeat = 1 + (size_t)(0.05 / (processor_seconds() - begun + 1e-9));
    for (size_t turn = 0; turn < turns; turn++)
        for (size_t k = 0; k < (alone ? 1 : 3); k++) {
            begun = processor_seconds();
            for (size_t r = 0; r < repeat; r++) {
                if (k == 0) evaluate(m);
                if (k == 1) bare_attention(m);
                if (k == 2) bare_kernel(m);
            }
            each[k][turn] = 1e3 * (processor_seconds() - begun) / (double)repeat;
        }
    for (size_t k = 0; k < (alone ? 1 : 3); k++) out[k] = median(each[k], turns);
}

int main(int argc, char **argv) {
    static const shape shapes[] = {{"copy, GP limit, 8 outputs", 14, 6, 24, 1, 1, 0, 1, 8, 1},
                                   {"copy, 3 coupled outputs", 14, 6, 12, 1, 1, 0, 0, 3, 1},
                                   {"queries and keys", 64, 20, 100, 2, 2, 16, 0, 1, 0},
                                   {"Markov", 231, 31, 100, 2, 2, 0, 0, 1, 0}};
    setting m;
    double ms[3];
    if (argc == 10) {
        size_t n[9];
        for (int k = 0; k < 9; k++) n[k] = (size_t)strtoul(argv[k + 1], NULL, 10);
        make(&m, &(shape){"", n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]});
        measure(ms, &m, true);
        printf("%.6g\n", ms[0]);
        return 0;
    }
    printf(
        "| problem | features | tokens | P | heads | unknowns | rows of A | evaluation (ms) | products of attention "
        "(ms) "
        "| of the kernel (ms) | ratio |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const shape *s = &shapes[k];
        make(&m, s);
        measure(ms, &m, false);
        printf("| %s | %zu | %zu | %zu | %zu x %zu | %zu | %zu | %.3g | %.3g | %.3g | %.2f |\n", s->name, s->N0, s->T,
               s->P, s->L, s->heads, m.t.dim, m.kernel.P, ms[0], ms[1], ms[2], ms[0] / (ms[1] + ms[2]));
    }
    return 0;
}
