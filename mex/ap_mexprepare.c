// ap_mexprepare.c: training sets: from arguments, made ready (few examples for many, path inputs in a basis of their
// span), and as the problem of an action
// SPDX-License-Identifier: BSD-3-Clause
//
// What is made lies in the arena of the call.

#include <math.h>
#include <string.h>

#include "ap_mexutil.h"

ap_net ap_mex_chain(const ap_net *net, size_t C) {
    if (C == 1) return *net;
    size_t *H = ap_mex_list(net->L + 1, sizeof *H);
    double *width = ap_mex_list(net->L + 2, sizeof *width), *variance = ap_mex_list(net->L + 3, sizeof *variance);
    ap_net chain;
    ap_net_outputs(&chain, net, C, H, width, variance);
    return chain;
}

static void set_outputs(ap_mex_training *t, size_t C, bool shared) {  // once t has its y
    t->outputs = C;
    t->shared = shared && C > 1;
    if (!shared) t->net = ap_mex_chain(&t->net, C);
}

// Path inputs, or with a basis [features x N0] of their span their coordinates, and labels. of: marks of the network
// that they belong to. basis and of may be NULL.
static ap_mex_training read_examples(const mxArray *net, const mxArray *Xi, const mxArray *basis, const mxArray *y,
                                     const mxArray *of, bool shared) {
    ap_mex_training t = {0};
    const bool spanned = !ap_mex_absent(basis), marked = !ap_mex_absent(of);
    double mark[ap_net_marks];
    size_t N0, size[2] = {0, 0}, labels[2] = {0, 0};
    t.net = marked ? ap_mex_marked_net(net, &N0, mark, of) : ap_mex_net(net, &N0);
    size[0] = N0;
    const double *columns = spanned ? ap_mex_array("data.basis", basis, 2, size) : NULL;
    t.x = ap_mex_inputs(spanned ? "data.Xi" : "Xi", Xi, &t.net, spanned ? size[1] : N0);
    t.x.basis = columns;
    t.x.features = spanned ? size[0] : t.x.N0;
    labels[0] = t.x.P;
    t.y = ap_mex_array("y", y, 2, labels);
    set_outputs(&t, labels[1], shared);
    return t;
}

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
    if (t->outputs == 0) set_outputs(t, C, t->shared);
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
                    "moments.sums must be square, with %zu row(s) more than features x %zu paths, not %zu x %zu", C,
                    paths, size[0], size[1]);
    ap_moments m = {.form = ap_mex_form(AP_MEX_FIELD("moments.form", arg)),
                    .N0 = M / paths,
                    .paths = paths,
                    .outputs = C,
                    .P = ap_mex_count(AP_MEX_FIELD("moments.P", arg), 1, AP_MEX_EXACT),
                    .sums = (double *)sums};  // only read
    ap_mex_check(ap_moments_check(&m, &ap_mex_err));
    t->x.features = m.N0;
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
    const bool given = !mxIsStruct(examples), shared = ap_mex_flag(AP_MEX_FIELD("settings.shared", settings));
    ap_mex_training t = {.shared = shared};
    if (given) t = read_examples(net, examples, NULL, y, ap_mex_field("settings.of", settings), shared);
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

// What attnpath_prepare_mex has made.
static ap_mex_training read_ready(const mxArray *net, const mxArray *data, const mxArray *Xi, const mxArray *y) {
    ap_mex_training t = read_examples(net, Xi, ap_mex_field("data.basis", data), y, ap_mex_field("data.of", data),
                                      ap_mex_flag(AP_MEX_FIELD("data.shared", data)));
    t.null_examples = ap_mex_count(AP_MEX_FIELD("data.P", data), (double)t.x.P, AP_MEX_EXACT) - t.x.P;
    t.rest = ap_mex_number(AP_MEX_FIELD("data.rest", data), 0, INFINITY);
    t.rounding = ap_mex_number(AP_MEX_FIELD("data.rounding", data), -INFINITY, INFINITY);
    const mxArray *store = ap_mex_field("data.store", data);
    if (ap_mex_absent(store)) return t;
    size_t size[2] = {0, 1};
    t.store = (double *)ap_mex_unread("data.store", store, 2, size);  // gigabytes: the core notices what NaN brings
    t.store_size = size[0];
    return t;
}

// Several outputs that do not fit are refused by name, before any computation.
static void check_outputs(const ap_mex_training *t) {
    const double words_in_gib = 134217728.0, rows = (double)t->kernel.P;
    const size_t count = ap_solve_size(&t->problem);
    if (t->kernel.outputs == 1 || ap_mex_has(count)) return;
    ap_mex_fail("tooLarge",
                "%zu outputs of %zu examples make matrices of %.0f rows, %.3g GiB each and %.3g in all, more than the "
                "machine has: solutions with 'Outputs', 'shared' take matrices of as many rows as examples, and "
                "moments (attnpath_moments) never more rows than features times paths",
                t->outputs, t->x.P, rows, rows * rows / words_in_gib, (double)count / words_in_gib);
}

ap_mex_training *ap_mex_problem(const mxArray *net, const mxArray *data, double memory) {
    const mxArray *Xi = ap_mex_field("data.Xi", data), *y = ap_mex_field("data.y", data);
    const mxArray *settings = mxGetField(data, 0, "settings");  // may be missing
    ap_mex_training *t = ap_mex_list(1, sizeof *t);
    *t = settings == NULL ? read_ready(net, data, Xi, y) : ap_mex_prepare(net, Xi, y, settings);
    t->gradrel = ap_mex_number(AP_MEX_FIELD("data.gradrel", data), 0, INFINITY);
    t->progress = (ap_mex_progress){.seen = time(NULL), .next = 2.0};
    ap_kernel *kernel = &t->kernel;
    ap_mex_check(ap_kernel_plan(kernel, &t->net, &t->x, t->store == NULL ? memory : 0.0, &ap_mex_err));
    if (t->store != NULL) ap_mex_check(ap_kernel_adopt(kernel, t->store, t->store_size, &ap_mex_err));
    kernel->stop = ap_mex_stop;
    kernel->context = &t->progress;
    // Outputs that share one U have the mean of their actions, coupled ones a row of A each
    t->problem = (ap_problem){
        .net = &t->net,
        .kernel = kernel,
        .y = t->y,
        .null_examples = t->null_examples * kernel->outputs,
        .null_sumsq = t->shared ? t->rest / (double)t->outputs : t->rest,
        .lognoise = ap_mex_number(AP_MEX_FIELD("data.lognoise", data), -1e300, 1e300) * (double)kernel->outputs,
        .label_columns = t->shared ? t->outputs : 1,
        .summed = t->rounding > 0.0};
    check_outputs(t);
    return t;
}
