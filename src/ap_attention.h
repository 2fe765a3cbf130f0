// ap_attention.h: attention of a few examples at a time (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ATTENTION_H
#define AP_ATTENTION_H

#include "attnpath.h"

// The scores of one head are x_s' (W x_t) or (K x_s)' (Q x_t) / sqrt (G): a left factor [d x T] for every key and a
// right factor [d x queries] for every query that is asked for. Both are one matrix product for a chunk of examples.
typedef struct ap_scores {
    size_t d, queries;    // inner dimension; queries an example: T, or 1 for a single token's readout
    const double *left;   // [d x T x chunk]; for bilinear heads the tokens themselves
    const double *right;  // [d x queries x chunk]
    double scale;         // 1 / sqrt (G), or 1; over the bandwidth
    size_t layer, head;   // from 1, for sentences
    double *room;         // workspace: [ap_attention_room]
} ap_scores;

size_t ap_attention_chunk(const ap_tokens *x);                     // examples at a time
size_t ap_attention_inner(const ap_net *net, size_t N0);           // the largest d of any layer
size_t ap_attention_block(const ap_net *net, const ap_tokens *x);  // doubles that a factor may take
size_t ap_attention_room(const ap_net *net, const ap_tokens *x);   // doubles that making a map from them may take
size_t ap_token_length(const ap_tokens *x, size_t mu);
size_t ap_read_token(const ap_net *net, const ap_tokens *x, size_t mu);  // the token that is read out, not for the mean

// Factors for head h of one layer and the examples mu0 .. mu0+count-1, for all T queries, or for the single one that
// is read out.
void ap_attention_factors(ap_scores *scores,  // output
                          const ap_net *net, size_t layer, size_t h, const ap_tokens *x, size_t mu0, size_t count,
                          bool single, double *left,
                          double *right,   // workspace: [d x T x count], [d x queries x count]
                          double *gather,  // workspace: [N0 x count], used when single
                          double *room);   // workspace: [ap_attention_room]

// The map of example mu0 + k: omega [T x queries], column j the attention of query token j (or of the one read out).
AP_CHECKED ap_status ap_attention_map(double *omega, const ap_net *net, const ap_scores *scores, const ap_tokens *x,
                                      size_t mu0, size_t k, ap_error *err);

// below [T x up] = the same map applied to above [queries x up], by way of omega [T x queries] as workspace.
AP_CHECKED ap_status ap_attention_apply(double *below, double *omega, const ap_net *net, const ap_scores *scores,
                                        const ap_tokens *x, size_t mu0, size_t k, const double *above, size_t up,
                                        ap_error *err);

#endif
