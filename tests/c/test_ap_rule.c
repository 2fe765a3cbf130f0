// test_ap_rule.c: every rule of the table has the properties of its row
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { d = 3, rows = 6, n = 5, m = 4, real = 3, up = 2 };  // the last key and the last query are padding

typedef struct lookup {
    ap_rule rule;
    ap_head_keys c;
    double K[d * rows], Q[d * m], omega[rows * m], scratch[200];
} lookup;

static void lookup_make(lookup *t, ap_rule_kind kind, bool causal) {
    uint64_t seed = 5;
    *t = (lookup){.rule = {.kind = kind, .bandwidth = 0.8, .ridge = 0.1}};
    check_fill(t->K, d * rows, &seed);
    check_fill(t->Q, d * m, &seed);
    t->c = (ap_head_keys){.rule = &t->rule,
                          .scale = ap_rule_scale(&t->rule, 0.7),
                          .causal = causal,
                          .d = d,
                          .rows = rows,
                          .n = n,
                          .queries = real,
                          .K = t->K,
                          .example = 2,
                          .layer = 1,
                          .head = 1,
                          .query = 1};
}

static void map(lookup *t) {
    const ap_rule_row *row = ap_rule_of(&t->rule);
    const size_t scratch = row->scratch == NULL ? 0 : row->scratch(rows, m);
    CHECK(scratch <= sizeof t->scratch / sizeof *t->scratch);
    for (size_t i = 0; i < rows * m; i++) t->omega[i] = NAN;
    if (row->prepare != NULL) CHECK_STATUS(row->prepare(t->scratch, &t->c, &err), AP_OK);
    CHECK_STATUS(row->weights(t->omega, t->scratch, &t->c, t->Q, m, &err), AP_OK);
}

// Masked entries are 0: padding, later keys, padded queries. Columns sum to 1 exactly for the rules marked so.
static void test_map(ap_rule_kind kind, bool causal) {
    lookup t;
    lookup_make(&t, kind, causal);
    map(&t);
    bool sums = true;
    for (size_t j = 0; j < m; j++) {
        const size_t seen = j >= real ? 0 : causal ? j + 1 : n;
        double sum = 0.0;
        for (size_t i = 0; i < rows; i++) {
            CHECK(isfinite(t.omega[i + rows * j]) && (i < seen || t.omega[i + rows * j] == 0.0));
            sum += t.omega[i + rows * j];
        }
        sums = sums && (j >= real || fabs(sum - 1.0) < 1e-14);
    }
    CHECK(sums == ap_rule_of(&t.rule)->sums_to_one);
}

// The result depends on the bandwidth exactly for the rules marked so.
static void test_scale(ap_rule_kind kind) {
    lookup t, wide;
    lookup_make(&t, kind, false);
    lookup_make(&wide, kind, false);
    wide.rule.bandwidth = 2.0;
    wide.c.scale = ap_rule_scale(&wide.rule, 0.7);
    CHECK((wide.c.scale != t.c.scale) == ap_rule_of(&t.rule)->scaled);
}

// A map applied by the rule's own function, and from the left, agrees with the map.
static void test_short_ways(ap_rule_kind kind, bool causal) {
    lookup t;
    lookup_make(&t, kind, causal);
    map(&t);
    const ap_rule_row *row = ap_rule_of(&t.rule);
    double a[m * up], B[rows * up], want[rows * up], omega[rows * m], V[2 * n], C[n * m];
    uint64_t seed = 6;
    check_fill(a, m * up, &seed);
    check_fill(V, 2 * n, &seed);
    for (size_t k = 0; k < up; k++)
        for (size_t i = 0; i < rows; i++) {
            want[i + rows * k] = 0.0;
            for (size_t j = 0; j < m; j++) want[i + rows * k] += t.omega[i + rows * j] * a[j + m * k];
        }
    if (row->apply != NULL) {
        CHECK_STATUS(row->apply(B, omega, t.scratch, &t.c, t.Q, m, a, up, &err), AP_OK);
        CHECK_ARRAYS(B, want, rows * up, 1e-12);
    }
    if (row->values == NULL || causal) return;
    for (size_t j = 0; j < real; j++)
        for (size_t v = 0; v < 2; v++) {
            want[v + 2 * j] = 0.0;
            for (size_t i = 0; i < n; i++) want[v + 2 * j] += V[v + 2 * i] * t.omega[i + rows * j];
        }
    row->values(V, 2, t.scratch, &t.c);
    CHECK_STATUS(row->cross(C, t.scratch, &t.c, t.Q, real, &err), AP_OK);
    for (size_t j = 0; j < real; j++)
        for (size_t v = 0; v < 2; v++) {
            double sum = 0.0;
            for (size_t i = 0; i < n; i++) sum += V[v + 2 * i] * C[i + n * j];
            CHECK_NEAR(sum, want[v + 2 * j], 1e-12);
        }
}

static void test_refusal(ap_rule_kind kind) {  // of a score that is not finite
    lookup t;
    lookup_make(&t, kind, false);
    const ap_rule_row *row = ap_rule_of(&t.rule);
    t.Q[1] = NAN;
    if (row->prepare != NULL) CHECK_STATUS(row->prepare(t.scratch, &t.c, &err), AP_OK);
    CHECK_STATUS(row->weights(t.omega, t.scratch, &t.c, t.Q, m, &err), AP_ENONFINITE);
}

static void test_heads(ap_rule_kind kind) {
    const double some = 1.0;
    ap_heads heads = {.W = &some, .rule = {.kind = kind, .bandwidth = 1.0, .ridge = 1.0}};
    const ap_rule_row *row = ap_rule_of(&heads.rule);
    CHECK_STATUS(ap_rule_check_heads(&heads, 3, &err), row->needs_pairs ? AP_EINPUT : AP_OK);
    if (row->needs_pairs) CHECK_TEXT(err.text, "layer 3");
    heads = (ap_heads){.G = 1, .Q = &some, .K = &some, .rule = heads.rule};
    CHECK_STATUS(ap_rule_check_heads(&heads, 3, &err), AP_OK);
}

int main(void) {
    for (int kind = 0; kind < ap_rules; kind++) {
        const ap_rule_kind rule = (ap_rule_kind)kind;
        CHECK(ap_rule_name(rule) != NULL && ap_rule_of(&(ap_rule){.kind = rule})->weights != NULL);
        for (int causal = 0; causal < 2; causal++) {
            test_map(rule, causal != 0);
            test_short_ways(rule, causal != 0);
        }
        test_scale(rule);
        test_heads(rule);
        test_refusal(rule);
    }
    return check_report("test_ap_rule");
}
