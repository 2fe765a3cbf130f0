// test_ap_attention.c: attention maps against their definition (T1)
// SPDX-License-Identifier: BSD-3-Clause
//
// Scores here are below 50 and consist of two sums of N0 <= 7 products of numbers below 1: the absolute error of a
// score is below 4 N0^2 eps, and so is the relative error of its exponential. 1e-13 also covers the exponential.

#include "fixture.h"

static double score(const fixture *f, size_t l, size_t h, size_t mu, size_t s, size_t t) {
    const ap_heads *heads = &f->heads[l];
    const double *xs = f->X + f->N0 * (s + f->T * mu), *xt = f->X + f->N0 * (t + f->T * mu);
    const size_t G = heads->G, N0 = f->N0;
    double sum = 0.0;
    if (heads->W != NULL) {
        for (size_t j = 0; j < N0; j++)
            for (size_t i = 0; i < N0; i++) sum += xs[i] * heads->W[i + N0 * (j + N0 * h)] * xt[j];
        return sum;
    }
    for (size_t g = 0; g < G; g++) {
        double k = 0.0, q = 0.0;
        for (size_t i = 0; i < N0; i++) {
            k += heads->K[g + G * (i + N0 * h)] * xs[i];
            q += heads->Q[g + G * (i + N0 * h)] * xt[i];
        }
        sum += k * q;
    }
    return sum / sqrt((double)G);
}

static double divisor(const ap_rule *rule) { return rule->kind == AP_HARDMAX ? 1.0 : rule->bandwidth; }

static void definition(double *A, const fixture *f, size_t l) {
    const size_t T = f->T, H = f->H[l];
    for (size_t mu = 0; mu < f->P; mu++)
        for (size_t h = 0; h < H; h++)
            for (size_t t = 0; t < T; t++) {
                double *column = A + T * (t + T * (h + H * mu)), sum = 0.0;
                const size_t length = f->length == NULL ? T : f->length[mu];
                const size_t seen = t >= length ? 0 : f->net.causal ? t + 1 : length;
                size_t best = 0;
                for (size_t s = 0; s < T; s++) {
                    column[s] = s < seen ? exp(score(f, l, h, mu, s, t) / divisor(&f->heads[l].rule)) : 0.0;
                    if (s < seen && column[s] > column[best]) best = s;
                    sum += column[s];
                }
                for (size_t s = 0; s < seen; s++)
                    column[s] = f->heads[l].rule.kind == AP_SOFTMAX ? column[s] / sum : s == best ? 1.0 : 0.0;
            }
}

static void compare(fixture *f) {
    for (size_t l = 0; l < f->net.L; l++) {
        const size_t cells = f->T * f->T * f->H[l] * f->P;
        double *got = check_room(cells), *want = check_room(cells);
        for (size_t i = 0; i < cells; i++) got[i] = NAN;
        CHECK_STATUS(ap_attention(got, &f->net, l + 1, &f->x, &work, &err), AP_OK);
        definition(want, f, l);
        CHECK_ARRAYS(got, want, cells, 1e-13);
    }
}

static void test_all_kinds(void) {
    for (unsigned kind = 0; kind < 32; kind++) {
        fixture f;
        fixture_make(&f, 2, false, 7, 5, 130, 3 + kind);  // 130 examples: more than one chunk
        fixture_some(&f, kind & 1, 9, 4);
        ap_rule rule = f.rule;
        if (kind & 2) rule.kind = AP_HARDMAX;
        if (kind & 16) rule.bandwidth = kind & 2 ? 1e-310 : 2.5;
        fixture_rule(&f, rule);
        if (kind & 4) f.net.causal = true;
        if (kind & 8) fixture_lengths(&f);
        compare(&f);
    }
}

static void test_extremes(void) {
    fixture f;
    fixture_make(&f, 1, true, 2, 3, 1, 1);
    fixture_bilinear(&f, 2);
    const double tokens[6] = {1, 0, 1, 0, 0, 1};  // the first two tokens are equal: a tie
    memcpy(f.X, tokens, sizeof tokens);
    const double W[4] = {1e4, 0, 1e4, 0};  // every query prefers them by 10 000
    memcpy(f.W[0], W, sizeof W);
    double A[9];
    CHECK_STATUS(ap_attention(A, &f.net, 1, &f.x, &work, &err), AP_OK);
    const double shared[9] = {.5, .5, 0, .5, .5, 0, .5, .5, 0};
    CHECK_ARRAYS(A, shared, 9, 0.0);
    f.heads[0].rule.kind = AP_HARDMAX;
    CHECK_STATUS(ap_attention(A, &f.net, 1, &f.x, &work, &err), AP_OK);
    const double first[9] = {1, 0, 0, 1, 0, 0, 1, 0, 0};
    CHECK_ARRAYS(A, first, 9, 0.0);
    f.X[0] = NAN;
    CHECK_STATUS(ap_attention(A, &f.net, 1, &f.x, &work, &err), AP_ENONFINITE);
    f.heads[0].rule.kind = AP_SOFTMAX;
    f.X[0] = 1e200;
    f.W[0][0] = 1e200;
    CHECK_STATUS(ap_attention(A, &f.net, 1, &f.x, &work, &err), AP_ENONFINITE);
    CHECK_TEXT(err.text, "example 1, query token 1");
}

static void test_workspace(void) {
    fixture f;
    double A[4 * 4 * 2 * 3];
    fixture_make(&f, 2, false, 3, 4, 3, 5);
    fixture_query_key(&f, 5, 6);
    CHECK_WORKSPACE(ap_attention(A, &f.net, 1, &f.x, &work, &err));
}

int main(void) {
    test_all_kinds();
    test_extremes();
    test_workspace();
    return check_report("test_ap_attention");
}
