// attnpath_sample_mex.c: the next trajectories of several chains
// SPDX-License-Identifier: BSD-3-Clause
//
// [state, draws] = attnpath_sample_mex (net, Xi, y, Xi2, settings, state, count)
//
// state: a column per chain, from the call before; [] starts settings.chains chains. Xi2 may be []. The chains run side
// by side with one BLAS thread each, so that no result depends on the number of threads.

#include <math.h>
#include <string.h>

#include "ap_mexutil.h"

static const char stem[] = "sample";

typedef struct settings {
    size_t chains, seed, count;
    double memory;  // bytes for stored kernels
    bool weights;
} settings;

typedef struct run {  // what the chains share
    ap_sampler sampler;
    size_t threads, state_size, draws, order_size, weights_size, work_size;
    double *state, *scratch;
    ap_draws out;
} run;

static bool stop(void *context) {
    (void)context;
    return ap_mex_interrupted();
}

static const mxArray *setting(const mxArray *arg, const char *field) {
    return ap_mex_field(stem, "settings", arg, field);
}

static settings read_settings(const mxArray *arg, ap_sampler *s) {
    static const char *const names[] = {"collapsed", "langevin", "langevin-all"};
    static const ap_method methods[] = {AP_COLLAPSED, AP_LANGEVIN, AP_LANGEVIN_ALL};
    s->method = methods[ap_mex_choice(stem, "settings.method", setting(arg, "method"), 3, names)];
    s->warmup = ap_mex_count(stem, "settings.warmup", setting(arg, "warmup"), 0, SIZE_MAX);
    s->thin = ap_mex_count(stem, "settings.thin", setting(arg, "thin"), 1, SIZE_MAX);
    return (settings){.chains = ap_mex_count(stem, "settings.chains", setting(arg, "chains"), 1, 100000),
                      .seed = ap_mex_seed(stem, "settings.seed", setting(arg, "seed")),
                      .memory = ap_mex_number(stem, "settings.memory", setting(arg, "memory"), 0, 1e15),
                      .weights = ap_mex_flag(stem, "settings.weights", setting(arg, "weights"))};
}

static void check_states(const run *r, size_t chains) {  // advanced together, they stand at the same trajectory
    const double done = ap_sample_look(r->state, &r->sampler).done, most = 4503599627370496.0;
    for (size_t c = 0; c < chains; c++) {
        const double here = ap_sample_look(r->state + r->state_size * c, &r->sampler).done;
        if (!(here >= 0 && here < most) || here != floor(here) || here != done)
            ap_mex_fail(stem, "badValue", "state is not one of a sampler: chains after %.10g and %.10g trajectories",
                        done, here);
    }
}

static mxArray *put_facts(const run *r, size_t chains) {
    const char *names[] = {"done", "step", "steps", "friction", "acceptance", "moved", "divergences"};
    mxArray *facts = mxCreateStructMatrix(1, 1, 7, names), *rows[7];
    for (size_t k = 0; k < 7; k++) {
        (void)ap_mex_put(stem, &rows[k], 2, (size_t[]){1, chains});
        mxSetField(facts, 0, names[k], rows[k]);
    }
    for (size_t c = 0; c < chains; c++) {
        const ap_sample_facts f = ap_sample_look(r->state + r->state_size * c, &r->sampler);
        const double values[] = {f.done, f.step, f.steps, f.friction, f.acceptance, f.moved, f.divergences};
        for (size_t k = 0; k < 7; k++) mxGetPr(rows[k])[c] = values[k];
    }
    return facts;
}

static void make_room(run *r, mxArray **out, const settings *want) {
    const char *names[] = {"U", "f", "logpost", "hamiltonian", "weights", "status", "facts"};
    const size_t paths = ap_net_paths(r->sampler.problem->net, 1), n = r->draws, c = want->chains;
    mxArray *part[5];
    r->out.U = ap_mex_put(stem, &part[0], 4, (size_t[]){paths, paths, n, c});
    r->out.f = ap_mex_put(stem, &part[1], 3, (size_t[]){r->sampler.probes, n, c});
    r->out.logpost = ap_mex_put(stem, &part[2], 2, (size_t[]){n, c});
    r->out.hamiltonian = ap_mex_put(stem, &part[3], 2, (size_t[]){n, c});
    r->out.weights = ap_mex_put(stem, &part[4], 3, (size_t[]){want->weights ? r->weights_size : 0, n, c});
    if (!want->weights) r->out.weights = NULL;
    r->order_size = paths * paths;
    *out = mxCreateStructMatrix(1, 1, 7, names);
    for (size_t k = 0; k < 5; k++) mxSetField(*out, 0, names[k], part[k]);
}

static ap_status run_chain(run *r, const settings *want, size_t chain, bool fresh, size_t thread, ap_error *err) {
    const size_t first = r->draws * chain;
    double *state = r->state + r->state_size * chain;
    ap_work work = {.base = r->scratch + r->work_size * thread, .size = r->work_size, .used = 0};
    ap_draws out = {.room = r->draws,
                    .U = r->out.U + r->order_size * first,
                    .f = r->out.f + r->sampler.probes * first,
                    .logpost = r->out.logpost + first,
                    .hamiltonian = r->out.hamiltonian + first,
                    .weights = r->out.weights == NULL ? NULL : r->out.weights + r->weights_size * first};
    ap_status status = AP_OK;
    if (fresh) status = ap_sample_start(state, &r->sampler, want->seed, chain, &work, err);
    if (status == AP_OK && want->count > 0) status = ap_sample_run(&out, state, &r->sampler, want->count, &work, err);
    return status;
}

static ap_status run_chains(run *r, const settings *want, bool fresh, ap_error *err) {
    ap_status worst = AP_OK;
#ifdef _OPENMP
#pragma omp parallel for num_threads(r->threads) schedule(static)
#endif
    for (size_t c = 0; c < want->chains; c++) {
        ap_error own = {0};
        ap_mex_worst(&worst, err, run_chain(r, want, c, fresh, ap_mex_thread(), &own), &own);
    }
    return worst;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 7 && nlhs <= 2,
                 "[state, draws] = attnpath_sample_mex (net, Xi, y, Xi2, settings, state, count)");
    size_t N0, P, probes = 0;
    const ap_net net = ap_mex_net(stem, prhs[0], &N0);
    const double *Xi = ap_mex_inputs(stem, "Xi", prhs[1], &net, &N0, &P);
    const double *y = ap_mex_labels(stem, prhs[2], P);
    const double *Xi2 =
        mxIsDouble(prhs[3]) && mxIsEmpty(prhs[3]) ? NULL : ap_mex_inputs(stem, "Xi2", prhs[3], &net, &N0, &probes);
    ap_kernel kernel;
    const ap_problem problem = {.net = &net, .kernel = &kernel, .y = y};
    run r = {.sampler = {.problem = &problem, .Xi2 = Xi2, .probes = probes, .stop = stop}};
    settings want = read_settings(prhs[4], &r.sampler);
    r.sampler.weights = want.weights;
    want.count = ap_mex_count(stem, "count", prhs[6], 0, 1000000000);

    ap_error err = {0};
    ap_mex_check(stem, ap_kernel_plan(&kernel, &net, N0, P, Xi, want.memory, &err), &err);
    kernel.stop = stop;
    ap_mex_check(stem, ap_sample_check(&r.sampler, &err), &err);
    r.state_size = ap_sample_state(&r.sampler);
    r.weights_size = ap_sample_weights(&net, N0);
    r.work_size = ap_plus(ap_sample_worksize(&r.sampler), 7) / 8 * 8;  // alike in the cache lines for every thread
    r.state = ap_mex_put(stem, &plhs[0], 2, (size_t[]){r.state_size, want.chains});
    const bool fresh = mxIsDouble(prhs[5]) && mxIsEmpty(prhs[5]);
    if (!fresh) {
        const double *before = ap_mex_array(stem, "state", prhs[5], 2, (size_t[]){r.state_size, want.chains});
        memcpy(r.state, before, r.state_size * want.chains * sizeof *before);
    }
    check_states(&r, want.chains);
    r.draws = ap_sample_draws(r.state, &r.sampler, want.count);
    mxArray *out;
    make_room(&r, &out, &want);

    r.threads = ap_mex_threads(want.chains);
    const size_t build = ap_kernel_buildsize(&kernel), chains = ap_times(r.threads, r.work_size);
    ap_work work = ap_mex_work(stem, ap_plus(kernel.storage, build > chains ? build : chains));
    const int before = ap_mex_blas_threads(1);
    ap_status status = ap_kernel_build(&kernel, ap_take(&work, kernel.storage), &work, &err);
    r.scratch = work.base + work.used;
    if (status == AP_OK) status = run_chains(&r, &want, fresh, &err);
    (void)ap_mex_blas_threads(before);
    ap_mex_check(stem, status, &err);
    if (status == AP_INTERRUPTED) ap_mex_forget_interrupt();
    mxSetField(out, 0, "status", mxCreateString(ap_status_name(status)));
    mxSetField(out, 0, "facts", put_facts(&r, want.chains));
    if (nlhs > 1) plhs[1] = out;
}
