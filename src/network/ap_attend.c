// ap_attend.c: one attention head applied, without a network (section 11)
// SPDX-License-Identifier: BSD-3-Clause
//
//   out = V Omega,   Omega from the scores k'q / gamma by one of the rules of ap_rule.c
//
// It takes as many queries at a time as make a product fast. A rule may offer V Omega = V' C with a C that is cheaper
// than Omega (for 'cme' V' = V (G + lambda I)^{-1}, C = k (K, Q)): it is used where there are fewer values than
// queries.

#include <string.h>

#include "network/ap_network.h"

static ap_status check(const ap_rule *rule, const ap_keys *keys, size_t m, ap_error *err) {
    const size_t d = keys->d, n = keys->n, dv = keys->dv;
    if (d == 0 || n == 0 || dv == 0 || m == 0)
        return ap_fail(err, AP_EINPUT, "%zu features, %zu keys, %zu values, %zu queries: none may be 0", d, n, dv, m);
    if (!ap_blas_fits(d) || !ap_blas_fits(n) || !ap_blas_fits(dv))
        return ap_fail(err, AP_ESIZE, "%zu features, %zu keys are more than BLAS can count", d > dv ? d : dv, n);
    return ap_rule_check(rule, err);
}

ap_status ap_attend(double *out, double *Omega, const ap_rule *rule, const ap_keys *keys, const double *Q, size_t m,
                    ap_work *work, ap_error *err) {
    const ap_rule_row *row = ap_rule_of(rule);
    const size_t d = keys->d, n = keys->n, dv = keys->dv, mark = work->used;
    const size_t together = m < ap_columns_wanted ? m : ap_columns_wanted;
    const bool left = row->values != NULL && Omega == NULL && dv < m;
    ap_head_keys c = {.rule = rule, .scale = ap_rule_scale(rule, 1.0), .d = d, .rows = n, .n = n, .K = keys->K};
    ap_status status = check(rule, keys, m, err);
    if (status < 0) return status;
    double *scratch = ap_take(work, row->scratch == NULL ? 0 : row->scratch(n, together));
    double *V = ap_take_matrix(work, dv, left ? n : 0);  // values from the left
    double *omega = ap_take_matrix(work, n, together);
    if (omega == NULL) status = ap_not_taken(work, err, "ap_attend");
    if (status == AP_OK && row->prepare != NULL) status = row->prepare(scratch, &c, err);
    if (status == AP_OK && left) {
        memcpy(V, keys->V, dv * n * sizeof *V);
        row->values(V, dv, scratch, &c);
    }
    for (size_t first = 0; status == AP_OK && first < m; first += together) {
        const size_t count = m - first < together ? m - first : together;
        if (Omega != NULL) omega = Omega + n * first;
        c.queries = count;
        c.query = first + 1;
        status = left ? row->cross(omega, scratch, &c, Q + d * first, count, err)
                      : row->weights(omega, scratch, &c, Q + d * first, count, err);
        if (status == AP_OK)
            ap_gemm('N', 'N', dv, count, n, 1.0, left ? V : keys->V, dv, omega, n, 0.0, out + dv * first, dv);
    }
    work->used = mark;
    return status;
}
