// test_ap_cme.c: kernel conditional means against their definition (section 11)
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

static void refused(fixture_head *a, ap_status want, const char *words) {
    CHECK_STATUS(fixture_head_attend(a, false, 5), want);
    CHECK_TEXT(err.text, words);
    CHECK(work.used == 0);
}

static void test_refusals(void) {
    static fixture_head a;
    static const struct {
        double *at, value;
        ap_status status;
        const char *words;
    } bad[] = {{&a.rule.ridge, 0.0, AP_EINPUT, "the ridge is 0"},
               {&a.rule.ridge, NAN, AP_EINPUT, "the ridge is nan"},
               {&a.rule.bandwidth, -1.0, AP_EINPUT, "the bandwidth is -1"},
               {&a.Q[4], NAN, AP_ENONFINITE, "a kernel value is not finite"},
               {&a.K[4], NAN, AP_ENONFINITE, "a kernel value is not finite"},
               {&a.K[4], 1e200, AP_ENONFINITE, "a kernel value is not finite"}};
    for (int kernel = 0; kernel < 3; kernel++) {
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
            fixture_head_make(&a, AP_CME, (ap_kernel_kind)kernel);
            *bad[k].at = bad[k].value;
            refused(&a, bad[k].status, bad[k].words);
        }
        fixture_head_make(&a, AP_CME, (ap_kernel_kind)kernel);
        a.rule.ridge = 1e-300;
        memcpy(a.K + 15, a.K + 3, 3 * sizeof *a.K);  // two equal keys
        refused(&a, AP_ENOTSPD, "too alike for the ridge (ridge 1e-300)");
    }
    fixture_head_make(&a, AP_CME, AP_KERNEL_EXPONENTIAL);
    a.rule.bandwidth = 1e-3;
    refused(&a, AP_ENONFINITE, "too large for the bandwidth");
    a.rule.kernel = AP_KERNEL_GAUSSIAN;  // whose exponents are as large, but negative
    a.rule.ridge = 1e-3;
    CHECK_STATUS(fixture_head_attend(&a, false, 5), AP_OK);

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
    test_refusals();
    test_workspace();
    return check_report("test_ap_cme");
}
