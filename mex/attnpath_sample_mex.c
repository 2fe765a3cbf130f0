// attnpath_sample_mex.c: the next trajectories of several chains
// SPDX-License-Identifier: BSD-3-Clause
//
// [state, draws] = attnpath_sample_mex (net, data, Xi2, settings, state, count)
//
// state: a column per chain, from the call before; [] starts settings.chains chains. Xi2 may be []. The chains run side
// by side with one BLAS thread each, so that no result depends on the number of threads.

#include <math.h>
#include <string.h>

#include "ap_mexutil.h"

typedef struct run {  // what the chains share
    ap_sampler sampler;
    size_t chains, state_size;
    uint64_t seed;
    double *state;
    ap_draws out;
} run;

static void read_settings(run *r, const mxArray *arg) {
    ap_sampler *s = &r->sampler;
    const char *names[ap_methods];
    for (size_t k = 0; k < ap_methods; k++) names[k] = ap_method_name((ap_method)k);
    s->method = (ap_method)ap_mex_choice(AP_MEX_FIELD("settings.method", arg), ap_methods, names);
    s->warmup = ap_mex_count(AP_MEX_FIELD("settings.warmup", arg), 0, SIZE_MAX);
    s->thin = ap_mex_count(AP_MEX_FIELD("settings.thin", arg), 1, SIZE_MAX);
    s->weights = ap_mex_flag(AP_MEX_FIELD("settings.weights", arg));
    r->chains = ap_mex_count(AP_MEX_FIELD("settings.chains", arg), 1, 100000);
    r->seed = ap_mex_seed(AP_MEX_FIELD("settings.seed", arg));
}

static void check_states(const run *r) {  // advanced together, they stand at the same trajectory
    const double done = ap_sample_look(r->state, &r->sampler).done, most = 4503599627370496.0;
    for (size_t c = 0; c < r->chains; c++) {
        const double here = ap_sample_look(r->state + r->state_size * c, &r->sampler).done;
        if (!(here >= 0 && here < most) || here != floor(here) || here != done)
            ap_mex_fail("badValue", "state is not one of a sampler: chains after %.10g and %.10g trajectories", done,
                        here);
    }
}

static mxArray *put_facts(const run *r) {
    const char *names[] = {"done", "step", "steps", "friction", "guide", "acceptance", "moved", "divergences"};
    mxArray *facts = mxCreateStructMatrix(1, 1, 8, names), *rows[8];
    for (size_t k = 0; k < 8; k++) {
        (void)ap_mex_put(&rows[k], 2, (size_t[]){1, r->chains});
        mxSetField(facts, 0, names[k], rows[k]);
    }
    for (size_t c = 0; c < r->chains; c++) {
        const ap_sample_facts f = ap_sample_look(r->state + r->state_size * c, &r->sampler);
        const double values[] = {f.done, f.step, f.steps, f.friction, f.guide, f.acceptance, f.moved, f.divergences};
        for (size_t k = 0; k < 8; k++) mxGetPr(rows[k])[c] = values[k];
    }
    return facts;
}

static mxArray *make_place(run *r, size_t draws) {
    const char *names[] = {"U", "f", "logpost", "hamiltonian", "weights", "upper", "status", "facts"};
    const ap_problem *p = r->sampler.problem;
    const size_t paths = ap_net_paths(p->net, 1), c = r->chains;
    const size_t weights = r->sampler.weights ? ap_sample_weights(p->net, p->kernel->features) : 0;
    mxArray *part[6], *out;
    r->out.room = draws;
    r->out.U = ap_mex_put(&part[0], 4, (size_t[]){paths, paths, draws, c});
    const size_t probes = r->sampler.probes.P, C = ap_net_outputs_count(p->net);
    r->out.f = C == 1 ? ap_mex_put(&part[1], 3, (size_t[]){probes, draws, c})
                      : ap_mex_put(&part[1], 4, (size_t[]){probes, C, draws, c});
    r->out.logpost = ap_mex_put(&part[2], 2, (size_t[]){draws, c});
    r->out.hamiltonian = ap_mex_put(&part[3], 2, (size_t[]){draws, c});
    r->out.weights = ap_mex_put(&part[4], 3, (size_t[]){weights, draws, c});
    if (!r->sampler.weights) r->out.weights = NULL;
    r->out.upper = ap_mex_put(&part[5], 3, (size_t[]){ap_sample_upper(p->net), draws, c});
    out = mxCreateStructMatrix(1, 1, 8, names);
    for (size_t k = 0; k < 6; k++) mxSetField(out, 0, names[k], part[k]);
    return out;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("sample", nrhs == 6 && nlhs <= 2,
                 "[state, draws] = attnpath_sample_mex (net, data, Xi2, settings, state, count)");
    ap_mex_training t;
    ap_mex_problem(&t, prhs[0], prhs[1], 0.0);
    run r = {.sampler = {.stop = ap_mex_stop}};
    read_settings(&r, prhs[3]);
    if (!ap_mex_absent(prhs[2])) r.sampler.probes = ap_mex_inputs("Xi2", prhs[2], &t.net, t.features);
    const size_t count = ap_mex_count("count", prhs[5], 0, 1000000000);
    if (t.shared) ap_mex_fail("badValue", "outputs that share one U are an approximation: it has no posterior");
    r.sampler.problem = &t.problem;
    ap_mex_check(ap_sample_check(&r.sampler, &ap_mex_err));

    r.state_size = ap_sample_state(&r.sampler);
    r.state = ap_mex_put(&plhs[0], 2, (size_t[]){r.state_size, r.chains});
    const bool fresh = ap_mex_absent(prhs[4]);
    if (!fresh) {
        const double *before = ap_mex_array("state", prhs[4], 2, (size_t[]){r.state_size, r.chains});
        memcpy(r.state, before, r.state_size * r.chains * sizeof *before);
    }
    check_states(&r);
    mxArray *out = make_place(&r, ap_sample_draws(r.state, &r.sampler, count));
    const ap_team team = ap_mex_team();
    ap_work *work =
        ap_mex_work(ap_times(ap_sample_size(&r.sampler), r.chains < team.threads ? r.chains : team.threads));

    const int before = ap_mex_blas_threads(1);  // nothing may depend on the number of threads
    const ap_status status = ap_sample_chains(&r.out, r.state, &r.sampler, r.chains, count, fresh ? &r.seed : NULL,
                                              &team, work, &ap_mex_err);
    (void)ap_mex_blas_threads(before);
    ap_mex_keep(status);
    mxSetField(out, 0, "status", mxCreateString(ap_status_name(status)));
    mxSetField(out, 0, "facts", put_facts(&r));
    if (nlhs > 1) plhs[1] = out;
}
