// test_ap_cme.c: kernel conditional means against their definition (section 11), in networks and alone
// SPDX-License-Identifier: BSD-3-Clause
//
// Kernel values are at most k = exp (7), matrices of n <= 8 keys have condition n k / ridge, and the reference solves
// by elimination: weights agree to a few n^2 k / ridge eps = 64 * 1100 / 0.1 * 2e-16 = 2e-10 of 1 / ridge times k. The
// tolerance is 1e-9 relative to the largest weight.

#include "fixture.h"

static const double tolerance = 1e-9;

static double similar(ap_kernel_kind kind, double scale, const double *k, const double *q, size_t d) {
    double dot = 0.0, apart = 0.0;
    for (size_t i = 0; i < d; i++) {
        dot += k[i] * q[i];
        apart += (k[i] - q[i]) * (k[i] - q[i]);
    }
    return kind == AP_KERNEL_EXPONENTIAL ? exp(scale * dot)
           : kind == AP_KERNEL_GAUSSIAN  ? exp(-scale * apart / 2.0)
                                         : scale * dot;
}

// Omega [n] of one query by elimination.
static void definition(double *omega, const ap_rule *rule, double scale, const double *K, size_t d, size_t n,
                       const double *q) {
    double G[64];
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            G[i + n * j] = similar(rule->kernel, scale, K + d * i, K + d * j, d) + (i == j ? rule->ridge : 0.0);
    for (size_t i = 0; i < n; i++) omega[i] = similar(rule->kernel, scale, K + d * i, q, d);
    fixture_eliminate(G, n, omega, 1);
}

static void project(double *out, const double *M, size_t G, const double *x, size_t N0) {  // M x, M [G x N0]
    for (size_t g = 0; g < G; g++) {
        out[g] = 0.0;
        for (size_t i = 0; i < N0; i++) out[g] += M[g + G * i] * x[i];
    }
}

static void maps(double *A, const fixture *f, size_t l) {
    const ap_heads *heads = &f->heads[l];
    const size_t G = heads->G, N0 = f->N0, T = f->T, H = f->H[l];
    double keys[64], query[8];
    for (size_t mu = 0; mu < f->P; mu++)
        for (size_t h = 0; h < H; h++)
            for (size_t t = 0; t < T; t++) {
                const size_t length = f->length == NULL ? T : f->length[mu];
                const size_t seen = t >= length ? 0 : f->net.causal ? t + 1 : length;
                double *column = A + T * (t + T * (h + H * mu));
                const double *X = f->X + N0 * T * mu;
                for (size_t s = 0; s < T; s++) {
                    column[s] = 0.0;
                    project(keys + G * s, heads->K + G * N0 * h, G, X + N0 * s, N0);
                }
                project(query, heads->Q + G * N0 * h, G, X + N0 * t, N0);
                if (seen > 0)
                    definition(column, &heads->rule, 1.0 / (sqrt((double)G) * heads->rule.bandwidth), keys, G, seen,
                               query);
            }
}

static void compare(fixture *f) {
    const size_t cells = f->N0 * f->P * f->paths;
    double *want[fixture_layers] = {NULL}, *Xi = check_room(cells), *wanted = check_room(cells);
    for (size_t l = 0; l < f->net.L; l++) {
        const size_t count = f->T * f->T * f->H[l] * f->P;
        double *got = check_room(count);
        want[l] = check_room(count);
        for (size_t i = 0; i < count; i++) got[i] = NAN;
        CHECK_STATUS(ap_attention(got, &f->net, l + 1, &f->x, &work, &err), AP_OK);
        maps(want[l], f, l);
        CHECK_ARRAYS(got, want[l], count, tolerance * check_largest(want[l], count));
        size_t zeros = 0;  // masked entries are exactly 0
        for (size_t i = 0; i < count; i++) zeros += want[l][i] == 0.0 && got[i] != 0.0;
        CHECK(zeros == 0);
    }
    for (size_t i = 0; i < cells; i++) Xi[i] = NAN;
    CHECK_STATUS(ap_paths(Xi, &f->net, &f->x, NULL, NULL, &work, &err), AP_OK);
    fixture_paths(wanted, f, want);
    CHECK_ARRAYS(Xi, wanted, cells, 2.0 * tolerance * check_largest(wanted, cells));
    CHECK(work.used == 0);
}

static void cme(fixture *f, size_t L, size_t P, ap_kernel_kind kernel, uint64_t seed) {
    fixture_make(f, L, false, 3, 5, P, seed);
    fixture_query_key(f, 4, seed + 1);
    fixture_rule(f, (ap_rule){.kind = AP_CME, .kernel = kernel, .ridge = 0.1, .bandwidth = 1.3});
}

static void test_networks(void) {
    static const ap_kernel_kind kernels[3] = {AP_KERNEL_EXPONENTIAL, AP_KERNEL_GAUSSIAN, AP_KERNEL_LINEAR};
    static const ap_read reads[3] = {AP_READ_LAST, AP_READ_MEAN, AP_READ_TOKEN};
    for (unsigned kind = 0; kind < 36; kind++) {
        fixture f;
        cme(&f, 1 + kind % 2, 110, kernels[kind / 12], 50 + kind);  // 110 examples: more than one chunk
        f.net.read = reads[kind / 4 % 3];
        f.net.causal = (kind & 1) != 0;
        if (kind & 2) fixture_lengths(&f);
        compare(&f);
    }
}

typedef struct alone {
    ap_rule rule;
    ap_keys keys;
    double K[21], V[28], Q[3 * 1100], out[4 * 1100], Omega[7 * 1100];
    size_t m;
    bool maps;
} alone;

static void alone_make(alone *a, ap_rule_kind kind, ap_kernel_kind kernel, size_t dv, size_t m, bool with_maps) {
    uint64_t seed = 31;
    *a = (alone){.rule = {.kind = kind, .kernel = kernel, .bandwidth = 0.7, .ridge = 0.1}, .m = m, .maps = with_maps};
    check_fill(a->K, 21, &seed);
    check_fill(a->V, 28, &seed);
    check_fill(a->Q, 3 * m, &seed);
    a->keys = (ap_keys){.d = 3, .n = 7, .dv = dv, .K = a->K, .V = a->V};
}

static ap_status run_alone(alone *a) {
    return ap_attend(a->out, a->maps ? a->Omega : NULL, &a->rule, &a->keys, a->Q, a->m, &work, &err);
}

static void test_alone(void) {
    static alone a;
    for (unsigned kind = 0; kind < 40; kind++) {
        const ap_rule_kind rule = kind % 5 == 0 ? AP_SOFTMAX : kind % 5 == 1 ? AP_HARDMAX : AP_CME;
        const ap_kernel_kind kernel = (ap_kernel_kind)(kind % 5 < 2 ? 0 : kind % 5 - 2);
        static const size_t sizes[4][2] = {{4, 2}, {2, 4}, {4, 4}, {3, 1100}};  // 1100: more than one block
        const size_t dv = sizes[kind / 5 % 4][0], m = sizes[kind / 5 % 4][1];
        alone_make(&a, rule, kernel, dv, m, kind / 20 == 1);
        CHECK_STATUS(run_alone(&a), AP_OK);
        for (size_t j = 0; j < m; j++) {
            double omega[7], sum = 0.0, out[4] = {0};
            size_t best = 0;
            if (rule == AP_CME) {
                definition(omega, &a.rule, 1.0 / 0.7, a.K, 3, 7, a.Q + 3 * j);
            } else {
                for (size_t i = 0; i < 7; i++) {
                    omega[i] = similar(AP_KERNEL_EXPONENTIAL, 1.0 / 0.7, a.K + 3 * i, a.Q + 3 * j, 3);
                    sum += omega[i];
                    if (omega[i] > omega[best]) best = i;
                }
                for (size_t i = 0; i < 7; i++) omega[i] = rule == AP_SOFTMAX ? omega[i] / sum : i == best ? 1.0 : 0.0;
            }
            for (size_t i = 0; i < 7; i++)
                for (size_t v = 0; v < dv; v++) out[v] += a.V[v + dv * i] * omega[i];
            const double allowed = tolerance * (1.0 + check_largest(omega, 7));
            if (a.maps) CHECK_ARRAYS(a.Omega + 7 * j, omega, 7, allowed);
            CHECK_ARRAYS(a.out + dv * j, out, dv, allowed);
        }
        if (m < 10) CHECK_WORKSPACE(run_alone(&a));
    }
}

static void refused(alone *a, ap_status want, const char *words) {
    CHECK_STATUS(run_alone(a), want);
    CHECK_TEXT(err.text, words);
    CHECK(work.used == 0);
}

static void test_refusals(void) {
    static alone a;
    for (unsigned kind = 0; kind < 3; kind++) {
        const ap_kernel_kind kernel = (ap_kernel_kind)kind;
        alone_make(&a, AP_CME, kernel, 2, 5, false);
        a.rule.ridge = 0.0;
        refused(&a, AP_EINPUT, "the ridge is 0");
        a.rule.ridge = NAN;
        refused(&a, AP_EINPUT, "the ridge is nan");
        a.rule.ridge = 1e-300;
        memcpy(a.K + 15, a.K + 3, 3 * sizeof *a.K);  // two equal keys
        refused(&a, AP_ENOTSPD, "too alike for the ridge (ridge 1e-300)");
        alone_make(&a, AP_CME, kernel, 2, 5, false);
        a.rule.bandwidth = -1.0;
        refused(&a, AP_EINPUT, "the bandwidth is -1");
        a.rule.bandwidth = 1.0;
        a.Q[4] = NAN;
        refused(&a, AP_ENONFINITE, "a kernel value is not finite");
        a.Q[4] = 0.0;
        a.K[4] = NAN;
        refused(&a, AP_ENONFINITE, "a kernel value is not finite");
        a.K[4] = 1e200;
        refused(&a, AP_ENONFINITE, "a kernel value is not finite");
    }
    size_t *const sizes[] = {&a.keys.d, &a.keys.n, &a.keys.dv, &a.m};
    for (size_t i = 0; i < 4; i++) {
        alone_make(&a, AP_CME, AP_KERNEL_LINEAR, 2, 5, false);
        *sizes[i] = 0;
        refused(&a, AP_EINPUT, "none may be 0");
    }
    alone_make(&a, AP_CME, AP_KERNEL_EXPONENTIAL, 2, 5, false);
    a.rule.bandwidth = 1e-3;
    refused(&a, AP_ENONFINITE, "too large for the bandwidth");
    a.rule.kernel = AP_KERNEL_GAUSSIAN;  // whose exponents are as large, but negative
    a.rule.ridge = 1e-3;
    CHECK_STATUS(run_alone(&a), AP_OK);

    fixture f;
    cme(&f, 2, 7, AP_KERNEL_EXPONENTIAL, 5);
    work = check_work();
    ap_rule rule = f.rule;
    rule.ridge = 1e-300;
    fixture_rule(&f, rule);
    memcpy(f.X + 3 * (5 * 6 + 4), f.X + 3 * 5 * 6, 3 * sizeof *f.X);  // the last example repeats its first token
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, NULL, NULL, &work, &err), AP_ENOTSPD);
    CHECK_TEXT(err.text, "example 7, layer 2, head 1");
    CHECK_TEXT(err.text, "ridge 1e-300");
    CHECK_STATUS(ap_net_check(&f.net, &err), AP_OK);
    const ap_heads bilinear = {.W = f.K[0], .rule = rule};
    f.heads[1] = bilinear;
    CHECK_STATUS(ap_net_check(&f.net, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "layer 2");
    f.heads[1].rule.kind = AP_SOFTMAX;  // rules belong to layers
    CHECK_STATUS(ap_net_check(&f.net, &err), AP_OK);
}

static void test_workspace(void) {
    for (unsigned kind = 0; kind < 4; kind++) {
        fixture f;
        double A[5 * 5 * 2 * 3];
        cme(&f, 2, 3, AP_KERNEL_GAUSSIAN, 8);
        f.net.causal = (kind & 1) != 0;
        if (kind & 2) f.net.read = AP_READ_MEAN;
        CHECK_WORKSPACE(ap_attention(A, &f.net, 1, &f.x, &work, &err));
        CHECK_WORKSPACE(ap_paths(f.Xi, &f.net, &f.x, NULL, NULL, &work, &err));
    }
}

// A few hundred tokens: k (K, Q) is computed and applied in parts, with the same results as from maps.
static void test_long(void) {
    enum { N0 = 3, T = 150 };
    static const size_t lengths[2] = {131, 150};
    for (unsigned kind = 0; kind < 4; kind++) {
        fixture f;
        fixture_make(&f, 2, false, N0, T, 2, 60 + kind);
        fixture_query_key(&f, 4, kind);
        fixture_rule(&f, (ap_rule){.kind = AP_CME, .kernel = AP_KERNEL_GAUSSIAN, .ridge = 0.1, .bandwidth = 1.0});
        f.net.causal = (kind & 1) != 0;
        f.net.read = AP_READ_MEAN;
        if (kind & 2) f.x.length = lengths;
        double *A[2], *got = check_room(N0 * 2 * f.paths);
        for (size_t l = 0; l < 2; l++) {
            A[l] = check_room(T * T * 2 * f.H[l]);
            CHECK_STATUS(ap_attention(A[l], &f.net, l + 1, &f.x, &work, &err), AP_OK);
        }
        CHECK_STATUS(ap_paths(got, &f.net, &f.x, NULL, NULL, &work, &err), AP_OK);
        CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, (const double *const *)A, NULL, &work, &err), AP_OK);
        CHECK_ARRAYS(got, f.Xi, N0 * 2 * f.paths, tolerance * (1.0 + check_largest(f.Xi, N0 * 2 * f.paths)));
    }
}

int main(void) {
    test_networks();
    test_long();
    test_alone();
    test_refusals();
    test_workspace();
    return check_report("test_ap_cme");
}
