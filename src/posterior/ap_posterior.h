// ap_posterior.h: draws from the exact posterior, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_POSTERIOR_H
#define AP_POSTERIOR_H

#include "action/ap_action.h"
#include "attnpath_sample.h"

// ---- weights of a network and its effective weights along paths, for the samplers (ap_weights.c) --------------------

// Layout of a set of weights, V_0, V_1 .. V_L, a end to end: layer 0 is V_0, layer L+1 is a.

size_t ap_weights_width(const ap_net *net, size_t layer);                 // N_layer, layer = 1..L+1 (N_a)
size_t ap_weights_layer(const ap_net *net, size_t layer);                 // numbers in V_layer; in a for layer = L+1
size_t ap_weights_upper(const ap_net *net);                               // numbers in V_1, .., V_L, a
size_t ap_weights_partial(const ap_net *net);                             // numbers in u^{(1)}, .., u^{(L)}, a
AP_CHECKED ap_status ap_weights_check(const ap_net *net, ap_error *err);  // whole widths below 1e9
AP_CHECKED ap_status ap_weights_countable(const ap_net *net, size_t N0, ap_error *err);  // a layer's weights fit BLAS

// u [partial] := u^{(1)} [N_1 x Pi_1], .., u^{(L)} [N_L x Pi_L], a; z [upper] whitened V_1, .., V_L, a
void ap_weights_forward(double *u, const ap_net *net, const double *z);
// grad [upper] := derivative by z; g [partial] comes with the derivative by u^{(1)}, and goes with those by all u^{(l)}
void ap_weights_backward(double *grad, double *g, const ap_net *net, const double *z, const double *u);

// ---- the layer below all paths: outputs, and exact draws of the input weights (ap_input_weights.c) ------------------

// f [P x C] := network outputs (T4); W [N0 x Pi] effective weights, within the basis of the inputs where they have one
void ap_input_output(double *f, const ap_net *net, const ap_inputs *x, const double *W);
// dW [N0 x Pi] := the transposed map, applied to df [P x C]
void ap_input_backward(double *dW, const ap_net *net, const ap_inputs *x, const double *df);

// Z [features x m] := input weights in the frame of R, W [features x Pi] := effective weights. root: of U [Pi x Pi];
// known: the fit there, or NULL: it is made here
AP_CHECKED ap_status ap_input_draw(double *Z, double *W, const ap_problem *p, const ap_root *root, const double *U,
                                   const ap_fit *known, ap_rng *rng, ap_work *work, ap_error *err);

// ---- the chain of Bartlett factors behind the order parameters of a finite network (ap_bartlett.c) ------------------

typedef struct ap_bartlett_sizes {
    size_t B, R;     // doubles in all B_l, and in all R_l
    size_t largest;  // in the largest B_l
} ap_bartlett_sizes;

size_t ap_bartlett_dim(const ap_net *net);                 // number of coordinates
size_t ap_bartlett_rank(const ap_net *net, size_t layer);  // m_l, the rank of U_l, layer = 1..L+1
ap_bartlett_sizes ap_bartlett_size(const ap_net *net);
void ap_bartlett_start(double *x, const ap_net *net, ap_rng *rng);  // output: coordinates drawn from the prior
// psi of the prior; grad [dim] := its derivative by the coordinates, or NULL
double ap_bartlett_prior(double *grad, const ap_net *net, const double *x);
// B := B_{L+1}, B_L, .., B_1 end to end, B_l [q_l x m_l]; R := R_{L+1}, R_L, .., R_1, R_l [Pi_l x m_l];
// turn: V_{L+1}, V_L, .., V_1, V_l [q_l x q_l], or NULL: I
void ap_bartlett_factors(double *B, double *R, const ap_net *net, const double *x, const double *turn);
const double *ap_bartlett_last(const double *R, const ap_net *net);         // R_1, the last of them
void ap_bartlett_order(double *U, const double *R, const ap_net *net);      // U_1 = R_1 R_1'
void ap_bartlett_chain(double *order, const double *R, const ap_net *net);  // U_1 .. U_{L+1} end to end
// grad [dim] := derivative by the coordinates, prior included; dR [sizes.R] comes with the derivative by R_1 in its
// last block, and goes with those by all R_l; dB [sizes.largest] scratch
void ap_bartlett_backward(double *grad, double *dR, double *dB, const ap_net *net, const double *x, const double *turn,
                          const double *B, const double *R);
size_t ap_bartlett_turns(const ap_net *net);  // doubles in a turn; 0: no U_l is singular, or layers have skips
// turn := of eigenvectors of this place; x, which is without a turn, becomes that of the same U with this one
AP_CHECKED ap_status ap_bartlett_turn(double *turn, double *x, const ap_net *net, ap_work *work, ap_error *err);

// ---- full weights from a draw of the order parameters (ap_backsample.c) ---------------------------------------------

// weights := V_0 [N_1 x N0], V_l [N_{l+1} x N_l x H_l], .., a [N_a]; x [ap_bartlett_dim] the coordinates of the draw,
// turn of rows, as for ap_bartlett_factors, Z0 [N0 x m_1] V_0' Q_1, from ap_input_draw
AP_CHECKED ap_status ap_backsample(double *weights, const ap_net *net, size_t N0, const double *x, const double *turn,
                                   const double *Z0, ap_rng *rng, ap_work *work, ap_error *err);

// ---- the linear map between where a chain moves and the coordinates of its target (ap_metric.c) ---------------------

typedef struct ap_metric {  // x = centre + z + V (F - I) V' z
    const double *centre;   // [dim]
    const double *F;        // [rank x rank] lower triangular, zeros above; NULL: x = z
    const double *V;        // [dim x rank] orthonormal directions; NULL: the first `rank` coordinates themselves
    const double *scale;    // [dim - rank] without V, of each of the other coordinates
    size_t rank;
    double *room;  // [2 rank] scratch; NULL where V is
} ap_metric;

void ap_metric_position(double *x, const ap_metric *metric, size_t dim, const double *z);
void ap_metric_pull(double *grad_z, const ap_metric *metric, size_t dim, const double *grad_x);  // derivative by z
void ap_metric_part(double *u, const ap_metric *metric, size_t dim, const double *z);            // u [rank] = V' z

// What has been seen of u = V' z: Welford's moments, `count` of them with this one; second: the lower triangle.
void ap_metric_see(double *mean, double *second, double count, const double *u, size_t rank);
// The same of coordinates that have scales of their own: the variances alone.
void ap_metric_see_each(double *mean, double *square, double count, const double *u, size_t n);
void ap_metric_learn_each(double *centre, double *scale, double *z, double *mean, double *square, size_t n,
                          double draws);
// The metric after `draws` positions with these moments, of which it leaves zeros. The chain stands at z, which becomes
// another number of the same place; centre, F and z are changed.
AP_CHECKED ap_status ap_metric_learn(double *centre, double *F, double *z, double *mean, double *second,
                                     const ap_metric *metric, size_t dim, double draws, ap_work *work, ap_error *err);

// ---- what the samplers sample, and one trajectory of it (ap_target.c) -----------------------------------------------
//
// A target is the density exp (-psi (x) - |x|^2 / 2) of x: what the data add to coordinates in which the prior is
// close to standard normal. A chain moves in z, from which x follows by a linear map (ap_metric.c), and a metric that
// suits the posterior makes it close to standard normal in z:
//   psi_z (z) = psi (x) + |x|^2 / 2 - |z|^2 / 2,   grad psi_z = (dx/dz)' (grad psi + x) - z.
// A way of sampling (a row of the table in ap_sample.c) is a function that makes such a target of a problem.

typedef struct ap_target {
    size_t dim;            // numbers in x
    size_t paths;          // Pi
    size_t chain;          // numbers in U_1 .. U_L, u_a
    size_t metric;         // directions along which warm-up learns a metric, up to dim; 0: the prior's scale is kept
    bool each;             // the metric's directions are the first coordinates, and each of the others has a scale
    bool head_start;       // of these the metric and the start come from the posterior's mode (ap_mode.c)
    double accept;         // acceptance that the step is adapted to; 0: 0.8
    double momentum_cost;  // what drawing all momenta costs, in evaluations
    double record_cost;    // what accepting and recording a place costs, in evaluations, less 1
    bool (*stop)(void *context);  // called at every step; may be NULL
    void *context;
    const void *self;  // what the functions below, which are given the target, belong to: an ap_problem
    const struct ap_surrogate *follows;  // of a target that `follow` made, and the turn of its rows; else NULL
    const double *rows;
    ap_status (*evaluate)(double *psi, double *grad, const struct ap_target *target, const double *x, ap_work *work,
                          ap_error *err);
    // Output: U_1 .. U_L, u_a end to end [chain], as in ap_params.c.
    ap_status (*order)(double *order, const struct ap_target *target, const double *x, ap_work *work, ap_error *err);
    void (*start)(double *x, const struct ap_target *target, ap_rng *rng);  // output: coordinates drawn from the prior
    // Output: effective weights W [N0 x Pi] of the position x, at which the order parameter is U, and all weights
    // (ap_surrogate.c) unless that is NULL; what x leaves open is drawn, exactly, given it and the labels.
    ap_status (*draw)(double *W, double *weights, const struct ap_target *target, const double *x, const double *U,
                      ap_rng *rng, ap_work *work, ap_error *err);
    // A surrogate is a density close to the target and cheaper, learned at an order parameter: trajectories follow it,
    // and the target accepts or rejects. `learn` writes a surrogate, whose first number is 0 where it would not be
    // cheaper. `follow` makes the target that trajectories follow: that of the surrogate, or, where this is NULL, the
    // target itself, which is evaluated faster with memory in `room`.
    size_t surrogate, room;  // doubles that a chain keeps of it, and that it takes in use; 0: there is none
    ap_status (*learn)(double *surrogate, const struct ap_target *target, const double *U, ap_work *work,
                       ap_error *err);
    ap_status (*follow)(struct ap_target *moves, const struct ap_target *target, const double *surrogate,
                        const double *turn, double *room, ap_error *err);
    // Coordinates in which a mode is simple, if the target has them: numbers of doubles for their choice and a mode.
    size_t turn;
    ap_status (*turn_rows)(double *turn, double *x, const struct ap_target *target, ap_work *work, ap_error *err);
    // psi of the target itself, where `evaluate` gives that of a surrogate. NULL: `evaluate` gives the target's own.
    ap_status (*exact)(double *psi, const struct ap_target *target, const double *x, ap_work *work, ap_error *err);
} ap_target;

typedef struct ap_place {    // where a chain is
    double *z, *grad;        // [dim]; gradient of psi_z
    double psi;              // psi_z
    double surrogate_error;  // what the target's own psi is above that, where a surrogate evaluates; else 0
} ap_place;

typedef struct ap_move {  // one trajectory
    double step;          // in units of z over momentum; 0 < step
    size_t steps;         // >= 1
    double friction;      // gamma of (T13); 0: Hamiltonian dynamics
} ap_move;

typedef struct ap_outcome {
    double hamiltonian;  // at the start: psi_z + |z|^2/2 + |p|^2/2
    double error;        // of the energy, over the whole trajectory; infinite if it was given up
    double integration;  // the part of it that the steps made; the rest is what a surrogate misses
    double acceptance;   // min (1, exp (-error))
    bool accepted, diverged;
    size_t gradients;  // evaluations taken
} ap_outcome;

bool ap_target_learns(const ap_target *target);  // whether it learns a metric
bool ap_target_stops(const ap_target *target);   // the caller interrupts the work: AP_INTERRUPTED
bool ap_target_survives(ap_status status);       // a status of an evaluation that only rejects the place
// Of a place with z: its grad and psi; and of one with these: its gap.
AP_CHECKED ap_status ap_target_evaluate(ap_place *at, const ap_target *target, const ap_metric *metric, ap_work *work,
                                        ap_error *err);
AP_CHECKED ap_status ap_target_gap(ap_place *at, const ap_target *target, const ap_metric *metric, ap_work *work,
                                   ap_error *err);
// From an evaluated place to the next one, evaluated
AP_CHECKED ap_status ap_trajectory(ap_place *at, ap_outcome *outcome, const ap_target *target, const ap_metric *metric,
                                   const ap_move *move, ap_rng *rng, ap_work *work, ap_error *err);
// One reversible step of (z, p); error += that of the energy
AP_CHECKED ap_status ap_integrate(double *error, ap_place *at, double *p, const ap_target *target,
                                  const ap_metric *metric, double step, ap_work *work, ap_error *err);

// ---- the mode of a target and its curvature there, a few evaluations at a time (ap_mode.c) --------------------------
//
// All that is known between two calls is in doubles that the caller keeps, as a chain keeps its state.

enum { ap_mode_pairs = 10 };  // steps that the search remembers

typedef enum ap_stage { AP_SEARCHING, AP_PROBING, AP_KNOWN } ap_stage;

typedef struct ap_mode {
    double *stage;  // an ap_stage
    double *count;  // searching: pairs kept so far; probing: directions probed so far
    double *S, *Y;  // [dim x pairs] the last steps, and the changes of the gradient along them
    double *g;      // [dim] derivative of psi at the mode
    double *V;      // [dim x rank] directions, made one by one; NULL: the coordinates themselves
    double *H;      // [rank x rank] V' (I + psi'') V
    double places;  // whose curvatures H is the sum of, without V, the one that is being probed included
    size_t dim, rank;
} ap_mode;

size_t ap_mode_state(size_t dim);                                      // doubles for stage, count, S, Y, g
void ap_mode_lay(ap_mode *m, double *state, size_t dim, size_t rank);  // .. laid over them; V and H are the caller's
ap_stage ap_mode_stage(const ap_mode *m);                              // whatever the doubles hold
// One step of the search, from an evaluated place to the next one; at its end the stage becomes AP_PROBING. cost :=
// evaluations taken. `plain` is a metric that leaves z = x: what a chain has before the mode is known, so that it finds
// the same bits when it is opened again.
AP_CHECKED ap_status ap_mode_search(ap_mode *m, ap_place *at, size_t *cost, const ap_target *target,
                                    const ap_metric *plain, ap_work *work, ap_error *err);
void ap_mode_restart(ap_mode *m);                     // restarts the search, in other coordinates
void ap_mode_accept(ap_mode *m, const ap_place *at);  // ends a search: this is the mode
// One more direction, one evaluation; after the last the stage is AP_KNOWN.
AP_CHECKED ap_status ap_mode_probe(ap_mode *m, const ap_place *at, const ap_target *target, const ap_metric *plain,
                                   ap_rng *rng, ap_work *work, ap_error *err);
// F [rank x rank] := lower factor of H^{-1}, zeros above
AP_CHECKED ap_status ap_mode_factor(double *F, const ap_mode *m, ap_work *work, ap_error *err);

// ---- a smaller problem whose energy is close to that of many examples (ap_surrogate.c) ------------------------------

typedef struct ap_surrogate_fits {  // of all examples, at two places: where a sampler stands, and where it would go
    double *x[2];                   // [dim] the places, where known
    ap_fit fit[2];
    bool known[2];
    size_t held;  // the fit used last: the next fit replaces the other
} ap_surrogate_fits;

typedef struct ap_surrogate {
    ap_problem whole;     // of all examples
    ap_problem few;       // of k examples
    ap_kernel kernel;     // theirs
    const double *slope;  // [Pi x Pi] L: the surrogate's energy is that of the few, and sum L U
    double *Xi, *y;       // [N0 x k x Pi], [k]
    ap_surrogate_fits *fits;
    size_t dim;
} ap_surrogate;

size_t ap_surrogate_state(const ap_problem *p);  // doubles that select the examples, slope included; 0: no surrogate
// state := that at U; state[0], how many examples, is 0 where no few do
AP_CHECKED ap_status ap_surrogate_learn(double *state, const ap_problem *p, const double *U, ap_work *work,
                                        ap_error *err);
// doubles in which a surrogate of so many unknowns lies; or 0
size_t ap_surrogate_room(const ap_problem *p, size_t dim);
// state NULL: a surrogate of no examples, which keeps fits alone
AP_CHECKED ap_status ap_surrogate_lay(ap_surrogate **surrogate, double *room, const ap_problem *p, size_t dim,
                                      const double *state, ap_error *err);

// The energy of all examples, in a fit that is kept with x; and the fit that was kept with x, or NULL.
AP_CHECKED ap_status ap_surrogate_energy(const ap_fit **fit, const ap_surrogate *surrogate, const double *x,
                                         const double *U, const ap_root *root, ap_work *work, ap_error *err);
const ap_fit *ap_surrogate_fit(const ap_surrogate *surrogate, const double *x);

// ---- one Markov chain: its state, and where it stands (ap_chain.c) --------------------------------------------------
//
// The state of a chain is one array of doubles that the caller keeps, saves and hands back: the same state gives the
// same continuation, bit for bit, wherever it was cut. ap_chain_open lays the struct below over it.

typedef struct ap_arm {  // a kind of trajectory, as the warm-up tries them: an angle of the normal part, gamma of (T13)
    double length, friction;
} ap_arm;

enum { ap_arms = 6 };
extern const ap_arm ap_chain_arms[ap_arms];

typedef struct ap_tuning {         // doubles only: it is copied to and from the head of the state
    double done;                   // trajectories so far, warm-up included
    double step, arm;              // in use
    double step_mean, lag, count;  // dual averaging: mean of log step, mean lag of the acceptance, updates
    double centre_step;            // towards which it draws the log step
    double window, window_end;     // draws in the metric's window; trajectory at which it closes
    double tries[ap_arms], cost[ap_arms];
    double trials;                          // draws that entered these moments
    double surrogate;                       // examples of the surrogate in use, 0 without one
    double gaps, gap;                       // trajectories that tested it; squares of its errors
    double acceptance, accepted, diverged;  // sums after warm-up
} ap_tuning;

typedef struct ap_chain {
    ap_tuning tuning;
    ap_rng rng;   // of the dynamics
    ap_place at;  // z in the state, grad in the workspace
    ap_metric metric;
    double *centre, *F, *V;                   // [dim], [k x k], [dim x k] of the metric, k directions, V where k < dim
    double *mean, *second;                    // [k], [k x k] moments of V' z in the window
    double *scale, *mean_each, *square_each;  // [dim - k] and their moments, where coordinates have scales; or NULL
    ap_mode mode;                             // where the target has a warm start
    double *surrogate, *room;                 // its data, in the state and in use; NULL if the target has none
    double *turn;     // first a number: 0 while rows are not turned, then 1, and 1 more for each place at which
                      // the curvature was probed; behind it the turn. NULL where the target has no turn
    ap_target moves;  // the density of trajectories: the surrogate if there is one, else the target
    double *length;   // trajectories of the warm-up that went into it; until it has ended, 0
    double *jump;     // [watched x arms] sums of squared changes of the entries of U and of the log posterior
    double *seen_mean, *seen_second, *seen_last;  // [watched] their moments and last values
    double *state;
} ap_chain;

size_t ap_chain_state(const ap_target *target);  // doubles
AP_CHECKED ap_status ap_chain_start(double *state, const ap_target *target, const double *x, const ap_rng *rng,
                                    ap_error *err);
// takes memory from work that the caller gives back
AP_CHECKED ap_status ap_chain_open(ap_chain *chain, double *state, const ap_target *target, ap_work *work,
                                   ap_error *err);
void ap_chain_close(ap_chain *chain);          // writes back the scalars
ap_move ap_chain_move(const ap_chain *chain);  // the trajectory in use, without its jitter

// What its warm-up does with it.
AP_CHECKED ap_status ap_chain_here(ap_chain *chain, ap_work *work, ap_error *err);  // evaluates the place again
// from here on a surrogate, where one is known; else the target
AP_CHECKED ap_status ap_chain_follow(ap_chain *chain, const ap_target *target, ap_work *work, ap_error *err);
bool ap_chain_turned(const ap_chain *chain);       // whether it is in the coordinates of a mode
size_t ap_chain_watched(const ap_target *target);  // numbers that the choice of a trajectory uses
// Averages of the step are reset. `trust` in the step in use: 2 draws the next ones towards twice of it, as a trial;
// 1 towards itself.
void ap_chain_restart(ap_tuning *tuning, double trust);

// ---- mode and curvature of the target before the first trajectory (ap_warmstart.c) ----------------------------------

enum { ap_warmstart_evaluations = 10 };  // in a unit of the warm start, and of a probing

bool ap_warmstart_fits(const ap_target *target, double warmup);  // such a warm-up has time for one
// One unit of it: ten evaluations of the search or of the probing. It has ended where *chain->length is not 0.
AP_CHECKED ap_status ap_warmstart(ap_chain *chain, const ap_target *target, double warmup, ap_work *work,
                                  ap_error *err);
// One unit of a probing at a place of the chain, of a target whose rows are turned; after the last unit the metric is
// that of all curvatures known so far.
AP_CHECKED ap_status ap_warmstart_probe(ap_chain *chain, const ap_target *target, ap_work *work, ap_error *err);

// ---- what trajectories of the warm-up teach a chain (ap_adapt.c) ----------------------------------------------------

enum { ap_adapt_window = 25 };  // draws of a metric's first window, and of the time in which a surrogate is judged

// aimed: at this acceptance, 0 for 0.8; informed: there was a warm start
void ap_adapt_step(ap_tuning *tuning, double acceptance, double aimed, bool informed);
// A draw of a window of the metric, of those between the trajectories `from` and `to`; at its end the metric.
AP_CHECKED ap_status ap_adapt_metric(ap_chain *chain, const ap_target *target, double from, double to, ap_work *work,
                                     ap_error *err);
void ap_adapt_place(ap_chain *chain, size_t dim);  // .. or only the mean of the places, where the curvature is probed
// The trajectory in use was tried; the next takes its turn. After all tries one of them is chosen.
AP_CHECKED ap_status ap_adapt_try(ap_chain *chain, const ap_target *target, const ap_outcome *outcome, ap_work *work,
                                  ap_error *err);
void ap_adapt_choose(ap_chain *chain, const ap_target *target);
// Adds this place to the mean of U; now: fits the surrogate again, there.
AP_CHECKED ap_status ap_adapt_surrogate(ap_chain *chain, const ap_target *target, bool now, ap_work *work,
                                        ap_error *err);
// A surrogate is tested by its errors in the trajectories after `from`, and given up if these are too large.
AP_CHECKED ap_status ap_adapt_judge(ap_chain *chain, const ap_target *target, const ap_outcome *outcome, double from,
                                    double to, ap_work *work, ap_error *err);

// ---- the next trajectory of a Markov chain (ap_transition.c) --------------------------------------------------------

// One trajectory more of a chain that is open (ap_chain_open), of which the first `warmup` are its warm-up. There a
// unit of the warm start, or of a probing of the curvature, may take the place of a trajectory (ap_warmstart.c).
AP_CHECKED ap_status ap_transition(ap_chain *chain, ap_outcome *outcome, const ap_target *target, size_t warmup,
                                   ap_work *work, ap_error *err);

// ---- the exact posterior of the order parameters of a finite network, a target of the sampler (ap_collapsed.c) ------

ap_target ap_collapsed_target(const ap_problem *p);

// ---- the exact posterior of heads and order parameters, a target of the sampler (ap_learned.c) ----------------------

ap_target ap_learned_target(const ap_learned *q);
size_t ap_learned_size(const ap_learned *q);                                 // doubles that an evaluation takes, about
void ap_learned_heads(double *heads, const ap_learned *q, const double *x);  // output: the heads of a place
// inputs := path inputs of other tokens with these heads, in memory that work keeps
AP_CHECKED ap_status ap_learned_inputs(ap_inputs *inputs, const ap_learned *q, const double *heads, const ap_tokens *x,
                                       ap_work *work, ap_error *err);

// ---- the posterior over weights as targets of the sampler (ap_langevin.c) -------------------------------------------

ap_target ap_langevin_upper_target(const ap_problem *p);  // V_0 is integrated out
ap_target ap_langevin_every_target(const ap_problem *p);  // V_0 moves too
// W [N0 x Pi] := effective weights (T4), from whitened V_0, z0 [N_1 x N0], and u^{(1)}, u [N_1 x Pi]
void ap_langevin_effective(double *W, const ap_net *net, size_t N0, const double *z0, const double *u);

// ---- one chain of ap_sample_chains (ap_sample.c) --------------------------------------------------------------------
//
//   ap_sample_start(state, &sampler, seed, chain, ..);              // chain = 0, 1, ..: streams of their own
//   draws = ap_sample_draws(state, &sampler, trajectories);         // memory needed by ..
//   ap_sample_run(&out, state, &sampler, trajectories, ..);         // .. which may be called again and again

// state := that of chain number `chain` at a draw from the prior
AP_CHECKED ap_status ap_sample_start(double *state, const ap_sampler *s, uint64_t seed, uint64_t chain, ap_work *work,
                                     ap_error *err);
// state is unchanged unless it returns AP_OK
AP_CHECKED ap_status ap_sample_run(ap_draws *out, double *state, const ap_sampler *s, size_t trajectories,
                                   ap_work *work, ap_error *err);

#endif
