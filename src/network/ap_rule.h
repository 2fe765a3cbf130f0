// ap_rule.h: the table of rules by which heads turn scores into attention (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// A new rule is a name in ap_rule_kind (attnpath.h), a row of the table in ap_rule.c and the functions that the row
// names.

#ifndef AP_RULE_H
#define AP_RULE_H

#include "attnpath.h"

enum { ap_columns_wanted = 512 };  // queries whose products are one, about so many: enough for full dgemm speed

typedef struct ap_lookup {  // the keys of one head in one example, as its queries see them
    const ap_rule *rule;
    double scale;     // of k'q: over the bandwidth, and over sqrt (G) in networks
    bool causal;      // query j sees keys 0..j only
    size_t d, rows;   // features; keys there are, which is the rows of a map
    size_t n;         // keys that may be seen, the first n: the others are padding, or later than the only query
    size_t queries;   // queries that are real, the first ones: the others are padding and see nothing
    const double *K;  // [d x rows]
    size_t example, layer, head, query;  // for sentences, from 1; query: number of the first. example 0: no network
} ap_lookup;

typedef struct ap_adjoint {   // derivatives of a number by what made one map
    double *left, *right;     // [d x rows] by the keys, [d x m] by the queries, as they stand in the scores
    double bandwidth, ridge;  // by their logarithms
    double *room;             // memory
} ap_adjoint;

typedef struct ap_rule_row {
    const char *name;
    bool scaled;       // scores are divided by the bandwidth
    bool sums_to_one;  // what a query takes from all its keys
    bool needs_pairs;  // queries and keys; bilinear heads will not do

    // Omega [rows x m] of the queries Q [d x m]: what each takes from each key, 0 from those that it does not see.
    ap_status (*weights)(double *omega, double *scratch, const ap_lookup *c, const double *Q, size_t m, ap_error *err);

    // The rest may be NULL. Doubles of `scratch` for so many keys, and queries at a time; none where NULL.
    size_t (*scratch)(size_t rows, size_t m);
    // What the keys alone decide, into scratch: called once before the others.
    ap_status (*prepare)(double *scratch, const ap_lookup *c, ap_error *err);
    // B [rows x up] := Omega a, a [m x up]; omega [rows x m] is workspace. NULL: by way of Omega.
    ap_status (*apply)(double *B, double *omega, double *scratch, const ap_lookup *c, const double *Q, size_t m,
                       const double *a, size_t up, ap_error *err);
    // V Omega from the left: V [dv x n] becomes what cross [n x m] is multiplied by; causal queries excluded.
    void (*values)(double *V, size_t dv, const double *scratch, const ap_lookup *c);
    ap_status (*cross)(double *C, double *scratch, const ap_lookup *c, const double *Q, size_t m, ap_error *err);
    // Derivatives of a number by what made Omega, from those by Omega, D [rows x m], which is overwritten. NULL: there
    // are none. Doubles of room that it takes; none where NULL.
    ap_status (*adjoint)(ap_adjoint *out, double *D, const double *omega, double *scratch, const ap_lookup *c,
                         const double *Q, size_t m, ap_error *err);
    size_t (*adjoint_room)(size_t rows, size_t m);
} ap_rule_row;

const ap_rule_row *ap_rule_of(const ap_rule *rule);
double ap_rule_scale(const ap_rule *rule, double scale);  // scale over the bandwidth, where the rule takes one
AP_CHECKED ap_status ap_rule_check_heads(const ap_heads *heads, size_t layer, ap_error *err);

#endif
