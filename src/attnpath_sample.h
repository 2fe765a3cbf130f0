// attnpath_sample.h: draws from the exact posterior, beside attnpath.h, whose notation and rules hold here too
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ATTNPATH_SAMPLE_H
#define ATTNPATH_SAMPLE_H

#include "attnpath.h"

// ---- posterior draws (ap_sample.c) ----------------------------------------------------------------------------------

typedef enum ap_method {
    AP_COLLAPSED,     // the order parameters' own posterior                                        (T11, T12)
    AP_LANGEVIN,      // V_1 .. V_L, a by Langevin trajectories, V_0 exactly given them             (T12, T13)
    AP_LANGEVIN_ALL,  // every weight by Langevin trajectories                                      (T2, T13)
    AP_LEARNED,       // order parameters and heads                                                 (T39)
    ap_methods
} ap_method;

const char *ap_method_name(ap_method method);

// ap_sample_check comes before anything else, since it makes the widths countable. Then ap_sample_chains may be called
// again and again, with memory for ap_sample_state doubles a chain and for ap_sample_draws draws. The kernel of the
// problem must have been built. Errors: AP_EINPUT for settings out of range or no state of a chain, AP_ESIZE,
// AP_EMEMORY, and at the start of a run those of ap_energy; within a trajectory numerical failures are rejections,
// counted as divergences.

typedef struct ap_learned {  // of AP_LEARNED: the heads are unknowns, and path inputs depend on them
    ap_problem problem;      // labels; its kernel is planned, stores nothing, and its path inputs are not read
    const ap_net *net;       // with heads, which say the shapes, and where chains begin if `given`
    ap_tokens x, probes;     // of the training set, and those at which f is drawn (P = 0: none)
    const double *weight;  // [path inputs of x] by which they are multiplied, 0 of those that are no examples; or NULL
    double scale;          // prior standard deviation of W's entries, and the square of that of Q's and K's
    bool given, gp;        // chains begin at the net's heads; U is fixed at the GP limit
} ap_learned;

typedef struct ap_sampler {
    const ap_problem *problem;
    ap_method method;
    const ap_learned *learned;    // of AP_LEARNED, to which problem belongs; else NULL
    size_t warmup, thin;          // trajectories before the first draw counts; trajectories a draw, >= 1
    double accept;                // acceptance that the warm-up aims at, below 1; 0: 0.8
    bool weights;                 // whether weights will be asked for
    ap_inputs probes;             // inputs at which f is drawn; P = 0: none, and for AP_LEARNED
    bool (*stop)(void *context);  // called at every step; may be NULL
    void *context;
} ap_sampler;

typedef struct ap_draws {  // memory for the draws of one run of one chain
    size_t room;           // draws that fit, at least ap_sample_draws
    size_t count;          // in: 0; out: draws made
    double *U;             // [Pi x Pi x room] order parameter U_1
    double *upper;         // [upper x room] U_2 .. U_L, u_a end to end; or NULL
    double *f;             // [probes x C x room] outputs; may be NULL where there are no probes
    double *heads;         // [ap_sample_heads x room] as ap_backward has them; or NULL
    double *logpost;       // [room] log posterior density of what the dynamics moves, in the sampler's own coordinates
                           // and up to a constant: only differences within one run mean something
    double *hamiltonian;   // [room] total energy at the start of the draw's last trajectory
    double *weights;       // [weights x room] V_0, V_1 .. V_L, a end to end, each [N_{l+1} x N_l x H_l]; or NULL
} ap_draws;

typedef struct ap_sample_facts {
    double done, step, steps, friction;     // trajectories so far; the trajectory in use
    double surrogate_rank;                  // directions of the examples that move it; 0: all examples do
    double acceptance, moved, divergences;  // after the warm-up: mean probability, fraction accepted, count
} ap_sample_facts;

AP_CHECKED ap_status ap_sample_check(const ap_sampler *s, ap_error *err);  // whole widths, T > 0, countable sizes
size_t ap_sample_weights(const ap_net *net, size_t N0);                    // numbers in one set of weights
size_t ap_sample_upper(const ap_net *net);                                 // numbers in U_2 .. U_L, u_a
size_t ap_sample_heads(const ap_sampler *s);                               // numbers in the heads that are unknowns
size_t ap_sample_probes(const ap_sampler *s);                              // inputs at which f is drawn
size_t ap_sample_state(const ap_sampler *s);                               // doubles that are a chain's whole state
size_t ap_sample_size(const ap_sampler *s);                                // doubles that a run of a chain takes, about
size_t ap_sample_draws(const double *state, const ap_sampler *s, size_t trajectories);  // that such a run will make
ap_sample_facts ap_sample_look(const double *state, const ap_sampler *s);
// out: each array with a last dimension [chains], room and count of one; state [ap_sample_state x chains], unchanged
// for a chain that fails. seed: start them first, from this one, at draws from the prior; NULL: they go on
AP_CHECKED ap_status ap_sample_chains(ap_draws *out, double *state, const ap_sampler *s, size_t chains,
                                      size_t trajectories, const uint64_t *seed, const ap_team *team, ap_work *work,
                                      ap_error *err);

#endif
