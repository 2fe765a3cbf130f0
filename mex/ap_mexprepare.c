// ap_mexprepare.c: a training set made ready: few examples for many, path inputs in a basis of their span
// SPDX-License-Identifier: BSD-3-Clause
//
// What is made lies in the arena of the call.

#include <string.h>

#include "ap_mexutil.h"

// The few examples that stand for those of the moments; of moments without sums, for the examples of p.
static void stand_in(ap_mex_training *t, ap_moments *m, ap_work *work) {
    const size_t cells = m->N0 * m->paths, C = ap_moments_outputs(m);
    const size_t most = m->sums == NULL ? cells : ap_moments_rows(m);
    size_t rows = 0;
    double rest = 0.0;
    double *Xi = ap_mex_take(work, ap_times(cells, most));
    double *y = ap_mex_take(work, ap_times(most, C));
    const size_t mark = work->used;
    if (m->sums == NULL) {
        m->sums = ap_mex_take(work, ap_moments_size(m));
        memset(m->sums, 0, ap_moments_size(m) * sizeof *m->sums);
        ap_mex_threads(t->plan.threads, 2.0 * (double)ap_moments_size(m) * (double)t->x.P);
        ap_mex_check(ap_moments_add(m, &t->x, t->y, work, &ap_mex_err));
    }
    ap_mex_threads(t->plan.threads, (double)cells * (double)cells * (double)cells);
    ap_mex_check(ap_moments_examples(Xi, y, &rows, &rest, m, &t->net, work, &ap_mex_err));
    work->used = mark;
    t->x.N0 = m->N0;
    t->x.P = rows;
    t->x.Xi = Xi;
    t->y = y;
    t->null_examples += m->P - rows;  // of those that stand in already, some are left without path inputs in a basis
    t->rest += rest;
    if (t->outputs == 0) ap_mex_outputs(t, C, t->shared);
}

// The path inputs in a basis of their span, where that pays.
static void span(ap_mex_training *t, const ap_moments *m, ap_work *work) {
    const ap_inputs before = t->x;
    const size_t paths = ap_net_inputs(&t->net), mark = work->used;
    const size_t most = t->plan.use.evaluations > 0.0 ? ap_span_most(&t->net, &before, &t->plan.use) : 0;
    const double flops = ap_mex_flops(&(ap_kernel){.P = before.P, .N0 = before.N0, .inputs = paths}, 0);
    size_t rank = 0;
    if (most == 0) return;
    double *basis = ap_mex_take(work, ap_times(before.N0, most));
    ap_mex_threads(t->plan.threads, flops);
    ap_mex_check(ap_span_find(basis, &rank, &before, paths, most, ap_span_tolerance(m, before.N0), work, &ap_mex_err));
    if (rank == 0) {
        work->used = mark;
        return;
    }
    double *turned = ap_mex_take(work, ap_times(ap_times(rank, before.P), paths));
    ap_mex_threads(t->plan.threads, flops);
    ap_span_turn(turned, basis, rank, &before, paths);
    ap_mex_check(AP_OK);  // the threads are the session's again
    t->x = (ap_inputs){.N0 = rank, .P = before.P, .Xi = turned, .basis = basis, .features = before.N0};
}

static void from_moments(ap_mex_training *t, const mxArray *net, const mxArray *arg, ap_work *work) {
    size_t N0, size[2] = {0, 0};
    t->net = ap_mex_net(net, &N0);
    const size_t paths = ap_net_paths(&t->net, 1);
    const double *sums = ap_mex_array(AP_MEX_FIELD("moments.sums", arg), 2, size);
    const mxArray *outputs = mxGetField(arg, 0, "outputs");  // older moments have none
    const size_t C = outputs == NULL ? 1 : ap_mex_count("moments.outputs", outputs, 1, (double)size[0]);
    const size_t M = size[0] - C;
    if (size[0] != size[1] || M % paths != 0 || M == 0 || (N0 > 0 && M / paths != N0))
        ap_mex_fail("badShape",
                    "moments.sums must be square, with %lu row(s) more than features x %lu paths, not %lu x %lu",
                    (unsigned long)C, (unsigned long)paths, (unsigned long)size[0], (unsigned long)size[1]);
    ap_moments m = {.form = ap_mex_form(AP_MEX_FIELD("moments.form", arg)),
                    .N0 = M / paths,
                    .paths = paths,
                    .outputs = C,
                    .P = ap_mex_count(AP_MEX_FIELD("moments.P", arg), 1, AP_MEX_EXACT),
                    .sums = (double *)sums};  // only read
    ap_mex_check(ap_moments_check(&m, &ap_mex_err));
    t->features = m.N0;
    t->rounding = ap_moments_rounding(&m, &t->net);
    stand_in(t, &m, work);
    span(t, &m, work);
}

ap_mex_training ap_mex_prepare(const mxArray *net, const mxArray *examples, const mxArray *y, const mxArray *settings) {
    ap_work *work = ap_mex_work(0);
    const ap_mex_plan plan = {
        .use = {.evaluations = ap_mex_number(AP_MEX_FIELD("settings.evaluations", settings), 0, 1e15),
                .memory = ap_mex_number(AP_MEX_FIELD("settings.memory", settings), 0, 1e15),
                .few = ap_mex_flag(AP_MEX_FIELD("settings.reduce", settings))},
        .store = ap_mex_flag(AP_MEX_FIELD("settings.store", settings)),
        .threads = (int)ap_mex_count(AP_MEX_FIELD("settings.threads", settings), 0, 1024)};
    const bool given = !mxIsStruct(examples), shared = ap_mex_flag_or("settings.shared", settings);
    ap_mex_training t = {.shared = shared};
    if (given) t = ap_mex_examples(net, examples, NULL, y, mxGetField(settings, 0, "of"), shared);
    t.plan = plan;
    if (given)
        span(&t, NULL, work);
    else
        from_moments(&t, net, examples, work);
    if (plan.use.few && (given || t.x.basis != NULL) && ap_moments_pay(&t.net, &t.x)) {
        ap_moments m = {.form = AP_FACTOR, .N0 = t.x.N0, .paths = ap_net_inputs(&t.net), .outputs = t.outputs};
        ap_mex_check(ap_moments_check(&m, &ap_mex_err));
        stand_in(&t, &m, work);
    }
    return t;
}
