// ap_rule.c: the rules by which heads turn scores into attention
// SPDX-License-Identifier: BSD-3-Clause
//
//   Omega (s,t) = exp (score (s,t) / gamma) / sum_r exp (score (r,t) / gamma)    'softmax'
//               = 1 at the largest score of column t, 0 elsewhere                'hardmax', the first of equals
//               = (G + lambda I)^{-1} k (K, q_t), over the keys that it sees     'cme', see ap_cme.c            (T16)
//
// Keys that the query may not see get 0; so do whole columns of padded queries.

#include "network/ap_network.h"

#include <math.h>
#include <string.h>

// Columns of scores, one matrix product for all of them, turned into attention by the rule's `turn`.
static ap_status by_column(double *omega, double *scratch, const ap_head_keys *c, const double *Q, size_t m,
                           ap_error *err) {
    (void)scratch;
    const size_t real = m < c->queries ? m : c->queries;
    ap_gemm('T', 'N', c->rows, m, c->d, c->scale, c->K, c->d, Q, c->d, 0.0, omega, c->rows);
    const size_t j = ap_rule_of(c->rule)->turn(omega, c->rows, real, c->n, c->causal);
    memset(omega + c->rows * real, 0, c->rows * (m - real) * sizeof(double));
    if (j == real) return AP_OK;
    if (c->example == 0)
        return ap_fail(err, AP_ENONFINITE, "an attention score of query %zu is not finite", c->query + j);
    return ap_fail(err, AP_ENONFINITE, "an attention score of example %zu, query token %zu, is not finite", c->example,
                   c->query + j);
}

static size_t largest(double *score, size_t rows, size_t m, size_t n, bool causal) {
    for (size_t j = 0; j < m; j++, score += rows) {
        const size_t seen = causal && j + 1 < n ? j + 1 : n;
        size_t best = 0;
        bool finite = true;
        for (size_t s = 0; s < seen; s++) {
            finite = finite && isfinite(score[s]);
            if (score[s] > score[best]) best = s;
        }
        if (!finite) return j;
        memset(score, 0, rows * sizeof *score);
        score[best] = 1.0;
    }
    return m;
}

// dS/dscore = Omega (D - sum_r Omega_r D_r), column by column. Scores differ by the logarithm of the ratio of their
// weights, however large they are themselves.
static ap_status softmax_adjoint(ap_adjoint *out, double *D, const double *omega, double *scratch,
                                 const ap_head_keys *c, const double *Q, size_t m, ap_error *err) {
    (void)scratch, (void)err;
    out->bandwidth = 0.0;
    ap_softmax_slope(D, omega, c->rows, m);
    for (size_t j = 0; out->numbers && j < m; j++) {
        const double *slope = D + c->rows * j, *weight = omega + c->rows * j;
        double top = 0.0;
        for (size_t s = 0; s < c->rows; s++) top = weight[s] > top ? weight[s] : top;
        for (size_t s = 0; s < c->rows; s++)
            if (weight[s] > 0.0) out->bandwidth -= slope[s] * log(weight[s] / top);
    }
    ap_gemm('N', 'N', c->d, m, c->rows, c->scale, c->K, c->d, D, c->rows, 0.0, out->right, c->d);
    if (out->left != NULL) ap_gemm('N', 'T', c->d, c->rows, m, c->scale, Q, c->d, D, c->rows, 0.0, out->left, c->d);
    return AP_OK;
}

static const ap_rule_row softmax = {.name = "softmax",
                                    .scaled = true,
                                    .sums_to_one = true,
                                    .weights = by_column,
                                    .turn = ap_softmax,
                                    .adjoint = softmax_adjoint};
static const ap_rule_row hardmax = {.name = "hardmax", .sums_to_one = true, .weights = by_column, .turn = largest};

static const ap_rule_row *const table[ap_rules] = {
    [AP_SOFTMAX] = &softmax, [AP_HARDMAX] = &hardmax, [AP_CME] = &ap_cme};

const ap_rule_row *ap_rule_of(const ap_rule *rule) { return table[rule->kind]; }

const char *ap_rule_name(ap_rule_kind kind) { return table[kind]->name; }

size_t ap_rule_room(const ap_net *net, size_t T, bool adjoint) {
    size_t most = 0;
    for (size_t l = 0; net->heads != NULL && l < net->L; l++) {
        const ap_rule_row *row = ap_rule_of(&net->heads[l].rule);
        size_t (*const room)(size_t, size_t) = adjoint ? row->adjoint_room : row->scratch;
        if (room != NULL && room(T, T) > most) most = room(T, T);
    }
    return most;
}

double ap_rule_scale(const ap_rule *rule, double scale) {
    return ap_rule_of(rule)->scaled ? scale / rule->bandwidth : scale;
}

ap_status ap_rule_check(const ap_rule *rule, ap_error *err) {
    if (!(rule->bandwidth > 0.0) || !isfinite(rule->bandwidth))
        return ap_fail(err, AP_EINPUT, "the bandwidth is %g, it must be positive and finite", rule->bandwidth);
    if (!(rule->ridge > 0.0) || !isfinite(rule->ridge))
        return ap_fail(err, AP_EINPUT, "the ridge is %g, it must be positive and finite", rule->ridge);
    return AP_OK;
}

ap_status ap_rule_check_heads(const ap_heads *heads, size_t layer, ap_error *err) {
    const ap_status status = ap_rule_check(&heads->rule, err);
    if (status < 0) return status;
    if (ap_rule_of(&heads->rule)->needs_pairs && heads->W != NULL)
        return ap_fail(err, AP_EINPUT, "the heads of layer %zu are bilinear: %s attention needs queries and keys",
                       layer, ap_rule_of(&heads->rule)->name);
    return AP_OK;
}
