// attnpath_sample_mex.c: the next trajectories of several chains
// SPDX-License-Identifier: BSD-3-Clause
//
// [state, draws] = attnpath_sample_mex (net, data, Xi2, settings, state, count)
//
// Xi2: path inputs of probes. With method 'attention' their tokens, and data then has tokens, lengths and weight, by
// which the path inputs of the tokens are multiplied (0: no example).
// state: a column per chain, from the call before; [] starts settings.chains chains. Xi2 may be []. The chains run side
// by side with one BLAS thread each, so that no result depends on the number of threads.

#include <math.h>
#include <string.h>

#include "ap_mexutil.h"
#include "attnpath_sample.h"

typedef struct run {  // what the chains share
    ap_sampler sampler;
    ap_learned learned;  // of method 'attention'
    ap_net net;          // with its heads
    size_t chains, state_size, outputs;
    uint64_t seed;
    double *state;
    ap_draws out;
} run;

static void check_states(const run *r) {  // advanced together, they stand at the same trajectory
    const double done = ap_sample_look(r->state, &r->sampler).done;
    for (size_t c = 0; c < r->chains; c++) {
        const double here = ap_sample_look(r->state + r->state_size * c, &r->sampler).done;
        if (!(here >= 0 && here < AP_MEX_EXACT) || here != floor(here) || here != done)
            ap_mex_fail("badValue", "state is no sampler's: chains after %.10g and %.10g trajectories", done, here);
    }
}

static mxArray *put_facts(const run *r) {
    static const char *const names[] = {"done",  "step",       "steps", "friction",
                                        "guide", "acceptance", "moved", "divergences"};
    ap_mex_named facts[8];
    double *row[8];
    for (size_t k = 0; k < 8; k++)
        facts[k] = (ap_mex_named){names[k], ap_mex_new(&row[k], 2, (size_t[]){1, r->chains})};
    for (size_t c = 0; c < r->chains; c++) {
        const ap_sample_facts f = ap_sample_look(r->state + r->state_size * c, &r->sampler);
        const double values[] = {f.done,           f.step,       f.steps, f.friction,
                                 f.surrogate_rank, f.acceptance, f.moved, f.divergences};
        for (size_t k = 0; k < 8; k++) row[k][c] = values[k];
    }
    return ap_mex_struct(8, facts);
}

static mxArray *make_place(run *r, size_t draws) {
    const ap_problem *p = r->sampler.problem;
    const size_t paths = ap_net_paths(p->net, 1), C = r->outputs, c = r->chains;
    const size_t heads = ap_sample_heads(&r->sampler);
    const size_t weights = r->sampler.weights ? ap_sample_weights(p->net, p->kernel->features) : 0;
    const size_t P2 = ap_sample_probes(&r->sampler);
    const size_t probes[] = {P2, C, draws, c}, one[] = {P2, draws, c};
    ap_draws *out = &r->out;
    out->room = draws;
    const ap_mex_named fields[] = {{"U", ap_mex_new(&out->U, 4, (size_t[]){paths, paths, draws, c})},
                                   {"f", C == 1 ? ap_mex_new(&out->f, 3, one) : ap_mex_new(&out->f, 4, probes)},
                                   {"logpost", ap_mex_new(&out->logpost, 2, (size_t[]){draws, c})},
                                   {"hamiltonian", ap_mex_new(&out->hamiltonian, 2, (size_t[]){draws, c})},
                                   {"weights", ap_mex_new(&out->weights, 3, (size_t[]){weights, draws, c})},
                                   {"upper", ap_mex_new(&out->upper, 3, (size_t[]){ap_sample_upper(p->net), draws, c})},
                                   {"status", NULL},
                                   {"facts", NULL},
                                   {"heads", ap_mex_new(&out->heads, 3, (size_t[]){heads, draws, c})}};
    if (!r->sampler.weights) out->weights = NULL;
    if (heads == 0) out->heads = NULL;
    return ap_mex_struct(heads > 0 ? 9 : 8, fields);
}

static void read_learned(run *r, ap_mex_training *t, const mxArray *net, const mxArray *data, const mxArray *probes,
                         const mxArray *settings) {
    size_t N0, count = 0;
    ap_learned *q = &r->learned;
    r->net = ap_mex_net(net, &N0);
    *q = (ap_learned){.problem = t->problem,
                      .net = &r->net,
                      .x = ap_mex_tokens(ap_mex_field("data.tokens", data), ap_mex_field("data.lengths", data), N0),
                      .scale = ap_mex_number(AP_MEX_FIELD("settings.scale", settings), 0, INFINITY),
                      .given = ap_mex_flag(AP_MEX_FIELD("settings.given", settings)),
                      .gp = ap_mex_flag(AP_MEX_FIELD("settings.gp", settings))};
    if (!ap_mex_absent(probes)) q->probes = ap_mex_tokens(probes, ap_mex_field("data.probelengths", data), q->x.N0);
    q->weight = ap_mex_array(AP_MEX_FIELD("data.weight", data), 2, (size_t[]){1, ap_paths_count(&r->net, &q->x)});
    for (size_t mu = 0; mu < ap_paths_count(&r->net, &q->x); mu++) count += q->weight[mu] != 0.0;
    if (count != t->x.P || q->x.N0 != t->x.N0)
        ap_mex_fail("badShape", "data.tokens are %zu examples of %zu features, and Xi is of %zu and %zu", count,
                    q->x.N0, t->x.P, t->x.N0);
    if (q->gp ? !(t->shared || t->outputs == 1) : t->shared)
        ap_mex_fail("badValue", "outputs share one U at the GP limit, and are coupled at a finite width");
    r->sampler.learned = q;
    r->sampler.problem = &q->problem;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("sample", nrhs == 6 && nlhs <= 2,
                 "[state, draws] = attnpath_sample_mex (net, data, Xi2, settings, state, count)");
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], 0.0);
    const char *names[ap_methods];
    for (size_t k = 0; k < ap_methods; k++) names[k] = ap_method_name((ap_method)k);
    run r = {
        .sampler = {.problem = &t->problem,
                    .method = (ap_method)ap_mex_choice(AP_MEX_FIELD("settings.method", prhs[3]), ap_methods, names),
                    .warmup = ap_mex_count(AP_MEX_FIELD("settings.warmup", prhs[3]), 0, AP_MEX_MANY),
                    .thin = ap_mex_count(AP_MEX_FIELD("settings.thin", prhs[3]), 1, AP_MEX_MANY),
                    .accept = ap_mex_number(AP_MEX_FIELD("settings.accept", prhs[3]), 0, 0.999),
                    .weights = ap_mex_flag(AP_MEX_FIELD("settings.weights", prhs[3])),
                    .stop = ap_mex_stop},
        .chains = ap_mex_count(AP_MEX_FIELD("settings.chains", prhs[3]), 1, 100000),
        .seed = ap_mex_count(AP_MEX_FIELD("settings.seed", prhs[3]), 0, AP_MEX_SEED),
        .outputs = t->outputs};
    if (r.sampler.method == AP_LEARNED)
        read_learned(&r, t, prhs[0], prhs[1], prhs[2], prhs[3]);
    else if (!ap_mex_absent(prhs[2]))
        r.sampler.probes = ap_mex_inputs("Xi2", prhs[2], &t->net, t->x.features);
    const size_t count = ap_mex_count("count", prhs[5], 0, 1000000000);
    if (t->shared && r.sampler.learned == NULL)
        ap_mex_fail("badValue", "outputs that share one U are an approximation: it has no posterior");
    ap_mex_check(ap_sample_check(&r.sampler, &ap_mex_err));

    r.state_size = ap_sample_state(&r.sampler);
    size_t size[] = {r.state_size, r.chains};
    r.state = ap_mex_put(&plhs[0], 2, size);
    const bool fresh = ap_mex_absent(prhs[4]);
    if (!fresh) memcpy(r.state, ap_mex_array("state", prhs[4], 2, size), size[0] * size[1] * sizeof *r.state);
    check_states(&r);
    mxArray *out = make_place(&r, ap_sample_draws(r.state, &r.sampler, count));
    const ap_team *team = ap_mex_team();
    const size_t together = r.chains < team->threads ? r.chains : team->threads;
    ap_work *work = ap_mex_work(ap_times(ap_sample_size(&r.sampler), together));

    ap_mex_threads(1, 0.0);  // nothing may depend on the number of threads
    const ap_status status =
        ap_sample_chains(&r.out, r.state, &r.sampler, r.chains, count, fresh ? &r.seed : NULL, team, work, &ap_mex_err);
    ap_mex_keep(status);
    mxSetField(out, 0, "status", mxCreateString(ap_status_name(status)));
    mxSetField(out, 0, "facts", put_facts(&r));
    if (nlhs > 1) plhs[1] = out;
}
