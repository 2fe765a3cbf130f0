// ap_attention.h: attention of a few examples at a time (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ATTENTION_H
#define AP_ATTENTION_H

#include "network/ap_rule.h"

// One layer and a few examples at a time. The scores of one head are x_s' (W x_t) or (K x_s)' (Q x_t) / sqrt (G): a
// left factor [d x T] for every key and a right factor [d x queries] for every query that is asked for. Both are one
// matrix product for all the examples.
typedef struct ap_scores {
    const ap_net *net;
    const ap_tokens *x;
    size_t layer, head;     // from 1
    size_t first, count;    // the examples
    size_t d, queries;      // inner dimension; queries an example: T, or 1 for a single token's readout
    bool single;            // the latter
    const double *left_of;  // [d x T x count]; for bilinear heads the tokens themselves
    double *left, *right;   // memory: [d x T x chunk], [d x queries x chunk]
    double *gather;         // memory: [N0 x chunk]
    double *scratch;        // memory of the layer's rule
    double scale;           // 1 / sqrt (G), or 1; over the bandwidth
} ap_scores;

size_t ap_attention_chunk(const ap_tokens *x);                                                 // examples at a time
AP_CHECKED ap_status ap_attention_fits(const ap_net *net, const ap_tokens *x, ap_error *err);  // in BLAS integers
// Has the network maps, brought in A or made by heads of its own? AP_EINPUT if not.
AP_CHECKED ap_status ap_attention_known(const ap_net *net, const double *const *A, ap_error *err);
size_t ap_attention_inner(const ap_net *net, size_t N0);  // largest inner dimension of any layer's heads
AP_CHECKED ap_status ap_attention_take(ap_scores *s, const ap_net *net, const ap_tokens *x, ap_work *work,
                                       ap_error *err);
size_t ap_token_length(const ap_tokens *x, size_t mu);
bool ap_read_single(const ap_net *net, size_t layer);  // only the query that is read out is asked of this layer
size_t ap_read_token(const ap_net *net, const ap_tokens *x, size_t mu);  // the token that is read out, not for the mean

// Factors for one head and the examples first .. first+count-1, for all T queries, or for the single one that is read
// out.
void ap_attention_factors(ap_scores *s, size_t layer, size_t head, size_t first, size_t count, bool single);

// The map of example first + k: omega [T x queries], column j the attention of query token j (or of the one read out).
AP_CHECKED ap_status ap_attention_map(double *omega, const ap_scores *s, size_t k, ap_error *err);

// below [T x up] = the same map applied to above [queries x up], by way of omega [T x queries] as workspace.
AP_CHECKED ap_status ap_attention_apply(double *below, double *omega, const ap_scores *s, size_t k, const double *above,
                                        size_t up, ap_error *err);

// Derivatives of a number by the factors of the same map's scores, and by bandwidth and ridge, from those by the map,
// slope [T x queries], which is overwritten; omega is the map.
AP_CHECKED ap_status ap_attention_adjoint(ap_adjoint *out, double *slope, const double *omega, const ap_scores *s,
                                          size_t k, ap_error *err);

#endif
