// ap_network.h: properties of a network and its attention, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_NETWORK_H
#define AP_NETWORK_H

#include "base/ap_core.h"

// ---- properties of a network, beyond attnpath.h (ap_net.c) ----------------------------------------------------------

double ap_net_maxwidth(const ap_net *net);                               // max (N_1..N_a), the scale of gradnorm
double ap_net_skip(const ap_net *net, size_t layer);                     // s_layer, 0 for none
bool ap_net_skips(const ap_net *net);                                    // has it a skip connection?
double ap_net_head_scale(const ap_net *net, size_t layer, size_t head);  // sigma_{layer,head} / sigma_layer, from 1
size_t ap_net_branches(const ap_net *net, size_t layer);  // H_layer, and one more where it has a skip connection
size_t ap_net_skipping(const ap_net *net, size_t layer);  // branches of the layer that are no heads, the first: 1 or 0
size_t ap_net_below(const ap_net *net, size_t layer);     // partial paths of layers 1 .. layer, B_1 .. B_layer

// ---- the chain of order parameters (ap_params.c) --------------------------------------------------------------------
//
// U_1, .., U_L and the readout's U_{L+1} = u_a are one chain: they lie end to end, U_l [Pi_l x Pi_l], Pi_{L+1} = 1. The
// last one is eliminated in closed form (ap_entropy.c), so that the unknowns of a search are the first L; their
// coordinates, those of ap_core.h, lie end to end as well. With several outputs (ap_net_outputs) the last one is fixed
// at 1 instead, and the one before it is the readout's.
//
// Where layer l has a skip connection (T26), U_{l+1} is the leading block of U_l, and no unknown of its own: a member
// that is not free lies in the leading block of its owner, the next free one underneath. Its coordinates are the first
// of its owner's, for ap_core.h numbers column by column. Its place in the chain is a copy (ap_params_copy_tied), and
// what is a derivative by it is added to its owner's leading block (ap_params_sum_tied).

bool ap_params_fixed(const ap_net *net);                  // U_{L+1} is 1, neither random nor eliminated
bool ap_params_eliminated(const ap_net *net);             // u_a is: it is free, and not fixed
size_t ap_params_next(const ap_net *net, size_t layer);   // the next free member, L+1 if none of U_1..U_L is left
size_t ap_params_owner(const ap_net *net, size_t layer);  // the owner of U_layer; layer itself: it is free
size_t ap_params_last(const ap_net *net);                 // L, or L+1 where u_a is not free

typedef struct ap_member {   // U_l of the chain
    size_t layer;            // l
    size_t n;                // Pi_l
    size_t at;               // where it begins in the chain; the next one begins at + n n
    size_t first, pairs;     // where its coordinates begin, and how many they are
    size_t owner;            // the free member in whose leading block it lies: l itself if it is free
    size_t branches, below;  // of layer l, and Pi_{l+1} = n / branches; 1 and 1 for the last
    size_t tied;             // its first rows are U_{l+1}: below where layer l has a skip connection, else 0
    double width;            // N_l, of the last N_a
    double variance;         // sigma_l^2, of the last sigma_a^2
    double pull;             // N_{l-1} H'_{l-1}, with which log det U_l enters from the layer underneath; 0 for l = 1
} ap_member;

ap_member ap_params_member(const ap_net *net, size_t layer);  // layer = 1..L+1; beyond that nothing but `layer`
// Loops over all of U_1..U_{L+1}, the same from the last one down, and over those of U_1..U_L that are free
#define AP_MEMBERS(u, net) \
    for (ap_member u = ap_params_member(net, 1); u.layer <= (net)->L + 1; u = ap_params_member(net, u.layer + 1))
#define AP_MEMBERS_DOWN(u, net) \
    for (ap_member u = ap_params_member(net, (net)->L + 1); u.layer > 0; u = ap_params_member(net, u.layer - 1))
#define AP_FREE_MEMBERS(u, net)                                       \
    for (ap_member u = ap_params_member(net, 1); u.layer <= (net)->L; \
         u = ap_params_member(net, ap_params_next(net, u.layer)))
// Over the heads of its layer: `row` is the first of U_l's rows that are this head's, `below` of them
#define AP_HEADS(row, u) for (size_t row = (u)->tied; row < (u)->n; row += (u)->below)
size_t ap_params_unknowns(const ap_net *net);  // coordinates of the free members of U_1..U_L
// One of the entries on the diagonals of ap_params_gp
double ap_params_gp_entry(const ap_net *net, size_t layer, size_t path);

double ap_params_top_trace(const ap_net *net, const double *x);              // tr x_L of a chain x
double ap_params_readout_curvature(const ap_net *net, const double *order);  // d^2 S / d (log u_a)^2, u_a eliminated

void ap_params_copy_tied(double *x, const ap_net *net);  // members that are not free := leading blocks of their owners
void ap_params_sum_tied(double *g, const ap_net *net);   // leading blocks of owners += members not free, then 0
void ap_params_clear(double *g, const ap_net *net);      // members that are not free := 0

// Between symmetric perturbations of U_1..U_L [chain] and their coordinates [unknowns], u_a's place untouched if it is
// free. Members that are not free are filled by ap_params_matrices, and otherwise neither read nor written.
void ap_params_derivative(double *v, const ap_net *net, const double *grad);  // v := derivative by the coordinates
void ap_params_matrices(double *x, const ap_net *net, const double *v);       // x_l := the matrices with coordinates v
void ap_params_gradient(double *grad, const ap_net *net, const double *v);    // the matrices with these derivatives
void ap_params_coordinates(double *v, const ap_net *net, const double *x);    // v := coordinates of the matrices x_l
// s := coordinates per orthonormal one: 1, or 1/sqrt (2) off the diagonal
void ap_params_scale(double *s, const ap_net *net);

// Over the heads of a layer: its skip connection is none.
void ap_params_ptr(double *M, const double *U, const ap_member *u);  // M [below x below] := sum of U's diagonal blocks
void ap_params_repeat(double *A, const double *Y, const ap_member *u);  // A [n x n] := Y in these blocks, else 0

// U_l = R_l R_l', R_l [n x m] from R_{l+1} [below x k] and B_l, k rows a head:
//
//   R_l = c (I (x) R_{l+1}) B_l,  with [R_{l+1} 0] on top where the layer has a skip connection
void ap_params_factor(double *R, double c, const double *above, size_t k, const double *B, size_t m,
                      const ap_member *u);
// The adjoint: from dR [n x m], derivative by R_l, those by B_l and R_{l+1}. Either may be NULL, with its inputs.
void ap_params_factor_back(double *dB, double *d_above, double c, const double *dR, const double *above, size_t k,
                           const double *B, size_t m, const ap_member *u);

// ---- the table of rules by which heads turn scores into attention (ap_rule.c) ---------------------------------------
//
// A new rule is a name in ap_rule_kind (attnpath.h), a row in the table of ap_rule.c and the functions that the row
// names.

enum { ap_columns_wanted = 512 };  // about so many queries share a product: enough for full dgemm speed

typedef struct ap_head_keys {  // the keys of one head in one example, as its queries see them
    const ap_rule *rule;
    double scale;     // of k'q: over the bandwidth, and over sqrt (G) in networks
    bool causal;      // query j sees keys 0..j only
    size_t d, rows;   // features; keys there are, which is the rows of a map
    size_t n;         // keys that may be seen, the first n: the others are padding, or later than the only query
    size_t queries;   // queries that are real, the first ones: the others are padding and see nothing
    const double *K;  // [d x rows]
    size_t example, layer, head, query;  // for sentences, from 1; query: number of the first. example 0: no network
} ap_head_keys;

typedef struct ap_adjoint {   // derivatives of a number by what made one map
    double *left, *right;     // [d x rows] by the keys, [d x m] by the queries, as they stand in the scores; left NULL:
                              // of bilinear heads, whose keys are tokens
    bool numbers;             // whether the bandwidth's is wanted: it takes a logarithm for each weight
    double bandwidth, ridge;  // by their logarithms
    double *room;             // memory
} ap_adjoint;

typedef struct ap_rule_row {
    const char *name;
    bool scaled;       // scores are divided by the bandwidth
    bool sums_to_one;  // what a query takes from all its keys
    bool needs_pairs;  // queries and keys; bilinear heads will not do

    // Omega [rows x m] of the queries Q [d x m]: what each takes from each key, 0 from those that it does not see.
    ap_status (*weights)(double *omega, double *scratch, const ap_head_keys *c, const double *Q, size_t m,
                         ap_error *err);

    // The rest may be NULL. Of a rule that takes scores column by column: columns of scores become attention, the
    // first `seen` of n keys; returns the first that is not finite, or m.
    size_t (*turn)(double *score, size_t rows, size_t m, size_t n, bool causal);
    // Doubles of `scratch` for so many keys, and queries at a time; none where NULL.
    size_t (*scratch)(size_t rows, size_t m);
    // What the keys alone decide, into scratch: called once before the others.
    ap_status (*prepare)(double *scratch, const ap_head_keys *c, ap_error *err);
    // B [rows x up] := Omega a, a [m x up]; omega [rows x m] is workspace. NULL: by way of Omega.
    ap_status (*apply)(double *B, double *omega, double *scratch, const ap_head_keys *c, const double *Q, size_t m,
                       const double *a, size_t up, ap_error *err);
    // V Omega from the left: V [dv x n] becomes what cross [n x m] is multiplied by; causal queries excluded.
    void (*values)(double *V, size_t dv, const double *scratch, const ap_head_keys *c);
    ap_status (*cross)(double *C, double *scratch, const ap_head_keys *c, const double *Q, size_t m, ap_error *err);
    // Derivatives of a number by what made Omega, from those by Omega, D [rows x m], which is overwritten. NULL: there
    // are none. Doubles of room that it takes; none where NULL.
    ap_status (*adjoint)(ap_adjoint *out, double *D, const double *omega, double *scratch, const ap_head_keys *c,
                         const double *Q, size_t m, ap_error *err);
    size_t (*adjoint_room)(size_t rows, size_t m);
} ap_rule_row;

const ap_rule_row *ap_rule_of(const ap_rule *rule);
size_t ap_rule_room(const ap_net *net, size_t T, bool adjoint);  // the most scratch, or adjoint_room, of all layers
double ap_rule_scale(const ap_rule *rule, double scale);         // scale over the bandwidth, where the rule takes one
AP_CHECKED ap_status ap_rule_check_heads(const ap_heads *heads, size_t layer, ap_error *err);

extern const ap_rule_row ap_cme;  // attention as a kernel conditional mean (ap_cme.c)

// ---- attention of a few examples at a time (ap_attention.c) ---------------------------------------------------------

// One layer and a few examples at a time. The scores of one head are x_s' (W x_t) or (K x_s)' (Q x_t) / sqrt (G): a
// left factor [d x T] for every key and a right factor [d x queries] for every query needed. Both are one
// matrix product for all the examples. A head with queries and keys may be folded, its right factors being K' Q x_t.
typedef struct ap_scores {
    const ap_net *net;
    const ap_tokens *x;
    size_t layer, head;     // from 1
    size_t first, count;    // the examples
    size_t d, queries;      // inner dimension; queries an example: T, or 1 for a single token's readout
    bool single;            // the latter
    bool folded;            // left then has the queries, Q x_t [G x count]
    const double *left_of;  // [d x T x count]; for bilinear and folded heads the tokens themselves
    const double *asked;    // [N0 x queries x count] the tokens of the queries
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
bool ap_read_single(const ap_net *net, size_t layer);                    // the readout needs one query of this layer
size_t ap_read_token(const ap_net *net, const ap_tokens *x, size_t mu);  // the token that is read out, not for the mean

// Factors for one head and the examples first .. first+count-1, for all T queries, or for the single one that is read
// out.
void ap_attention_factors(ap_scores *s, size_t layer, size_t head, size_t first, size_t count, bool single);

// The same without the factors: of bilinear heads their adjoint needs none.
void ap_attention_at(ap_scores *s, size_t layer, size_t head, size_t first, size_t count, bool single);

// The map of example first + k: omega [T x queries], column j the attention of query token j (or of the one read out).
AP_CHECKED ap_status ap_attention_map(double *omega, const ap_scores *s, size_t k, ap_error *err);

// below [T x up] = the same map applied to above [queries x up], by way of omega [T x queries] as workspace.
AP_CHECKED ap_status ap_attention_apply(double *below, double *omega, const ap_scores *s, size_t k, const double *above,
                                        size_t up, ap_error *err);

// Derivatives of a number by the factors of the same map's scores, and by bandwidth and ridge, from those by the map,
// slope [T x queries], which is overwritten; omega is the map.
AP_CHECKED ap_status ap_attention_adjoint(ap_adjoint *out, double *slope, const double *omega, const ap_scores *s,
                                          size_t k, ap_error *err);

// ---- weights of branches, and where every token is read out (ap_tokens.c) -------------------------------------------

bool ap_branch_weighs(const ap_net *net, size_t layer);  // or are all its branches as the maps make them?
double ap_branch_weight(const ap_net *net, size_t layer, size_t branch);  // in path inputs; 0: the skip, heads from 1

// [P + 1]: where the tokens of an example begin among those of all, which are padding left out, and how many they are
const size_t *ap_tokens_starts(const ap_tokens *x, ap_work *work);
size_t ap_tokens_path(const ap_net *net, size_t place);  // the path at this place of the last layer's stack
double ap_tokens_weight(const ap_net *net, size_t layer, size_t place);  // of the branch of that number, from 0

typedef struct ap_branch {    // of one layer, for some partial paths below
    size_t rows, columns, T;  // N0 for each of them; tokens wanted; tokens
    double weight;            // of the branch
    const double *omega;      // [T x T], or NULL: it is a skip connection
} ap_branch;

// The branches of the heads of a layer, [some] numbers each and one after the other, times their weights
void ap_branch_weigh_heads(double *heads, const ap_net *net, size_t layer, size_t some);
// to [rows x columns] := weight from [rows x T] omega
void ap_tokens_branch(double *to, size_t ldto, const double *from, size_t ldfrom, const ap_branch *b);

// ---- a few examples on their way through the layers (ap_chunk.c) ----------------------------------------------------

typedef enum ap_keep { AP_KEEP_NOTHING, AP_KEEP_MAPS, AP_KEEP_FACTORS } ap_keep;  // factors: and maps

typedef struct ap_chunk {
    const ap_net *net;
    const ap_tokens *x;
    const double *const *A;  // maps that were brought, or NULL
    ap_keep keep;
    size_t most;          // examples that it has room for
    size_t first, count;  // those at hand
    ap_scores scores;     // of a head, with the memory that ap_attention_take gives it
    double *maps, *vectors, *factors;
} ap_chunk;

size_t ap_chunk_most(const ap_net *net, const ap_tokens *x);  // examples
ap_chunk ap_chunk_of(const ap_net *net, const ap_tokens *x, const double *const *A, ap_keep keep);
size_t ap_chunk_size(const ap_chunk *c);                             // doubles that it leaves
void ap_chunk_at(ap_chunk *c, size_t part, double *memory);          // chunk number `part`, and where it leaves its own
double *ap_chunk_vectors(const ap_chunk *c, size_t layer);           // a_layer or z_layer
void ap_chunk_head(ap_chunk *c, size_t layer, size_t h, bool make);  // scores := head h, from 0; its factors are made
// The map of head h and example first + k, of a single query its column alone. make: unless it was brought
const double *ap_chunk_map(const ap_chunk *c, size_t layer, size_t h, size_t k);
AP_CHECKED ap_status ap_chunk_make_map(const double **omega, const ap_chunk *c, size_t layer, size_t h, size_t k,
                                       ap_error *err);

// Through all layers, as ap_paths; Xi may be NULL. start: of ap_tokens_starts
AP_CHECKED ap_status ap_paths_down(double *Xi, ap_chunk *c, ap_error *err);
AP_CHECKED ap_status ap_tokens_up(double *Xi, ap_chunk *c, const size_t *start, ap_error *err);

// ap_paths that keeps what ap_backward_heads takes, ap_paths_kept doubles, or NULL
size_t ap_paths_kept(const ap_net *net, const ap_tokens *x);
AP_CHECKED ap_status ap_paths_keep(double *Xi, double *kept, const ap_net *net, const ap_tokens *x,
                                   const double *const *A, const ap_team *team, ap_work *work, ap_error *err);

// ---- derivatives by the heads alone (ap_backward.c) -----------------------------------------------------------------

// theta as of ap_backward, whose last two numbers, of bandwidth and ridge, are undefined. kept: of ap_paths_keep, or
// NULL
AP_CHECKED ap_status ap_backward_heads(double *theta, const double *D, double *kept, const ap_net *net,
                                       const ap_tokens *x, ap_work *work, ap_error *err);

#endif
