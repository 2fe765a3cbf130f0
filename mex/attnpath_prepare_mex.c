// attnpath_prepare_mex.c: a training set made ready, once for all calls that follow
// SPDX-License-Identifier: BSD-3-Clause
//
// data = attnpath_prepare_mex (net, Xi, y, settings)
// data = attnpath_prepare_mex (net, moments, [], settings)
//
// moments: struct with form, sums, P and, where there are several, outputs, from attnpath_moments_mex
// settings: struct of
//   memory       bytes that stored kernels may take
//   store        true: they are stored now
//   reduce       true: few examples may stand for many (ap_moments.c)
//   evaluations  of the energy that are expected; they decide whether path inputs come in a basis of their span
//                (ap_span.c), 0 for never
//   threads      of BLAS, 0 for as many as suit the work
//   shared       may be missing; true: several outputs share one U
// data: struct of Xi, basis, y, P, rest, store, the examples as ap_problem has them, P of them in all, and their stored
// kernels; N0, features of a token; and rounding (ap_moments_rounding). Where Xi and y are those given they are [], and
// the caller puts them in. basis is [] where Xi are the path inputs themselves.

#include <string.h>

#include "ap_mexutil.h"

static const char stem[] = "prepare";

typedef struct prepared {
    ap_mex_training t;
    int threads, before;  // of BLAS: wanted, and as they were
    bool shared;
    ap_span_use use;
    double rounding;  // ap_moments_rounding
    ap_work *work;
    mxArray *Xi, *y, *basis;  // what t.x and t.y lie in, if they were made here
} prepared;

static double evaluation(const ap_inputs *x, size_t paths) {
    return ap_mex_flops(&(ap_kernel){.P = x->P, .N0 = x->N0, .inputs = paths}, 0);
}

static void begin(prepared *p, double flops) {
    p->before = p->threads == 0 ? ap_mex_blas_suited(flops) : ap_mex_blas_threads(p->threads);
}

static void end(const prepared *p, ap_status status, const ap_error *err) {  // threads first: a check may not return
    (void)ap_mex_blas_threads(p->before);
    ap_mex_check(stem, status, err);
}

// The few examples that stand for those of the moments.
static void stand_in(prepared *p, const ap_moments *m) {
    const size_t most = ap_moments_rows(m), cells = m->N0 * m->paths, C = ap_moments_outputs(m);
    size_t rows = 0, mark = p->work->used;
    double rest = 0.0;
    ap_error err = {0};
    double *Xi = ap_mex_take(stem, p->work, ap_times(cells, most));
    double *y = ap_mex_take(stem, p->work, ap_times(most, C));
    begin(p, (double)cells * (double)cells * (double)cells);
    end(p, ap_moments_examples(Xi, y, &rows, &rest, m, &p->t.net, p->work, &err), &err);
    memcpy(ap_mex_put(stem, &p->Xi, 3, (size_t[]){m->N0, rows, m->paths}), Xi, cells * rows * sizeof *Xi);
    memcpy(ap_mex_put(stem, &p->y, 2, (size_t[]){rows, C}), y, rows * C * sizeof *y);
    p->t.x.N0 = m->N0;
    p->t.x.P = rows;
    p->t.x.Xi = mxGetPr(p->Xi);
    p->t.y = mxGetPr(p->y);
    p->t.hidden += m->P - rows;  // of those that stand in already, some are left without path inputs in a basis
    p->t.rest += rest;
    if (p->t.outputs == 0) ap_mex_outputs(stem, &p->t, C, p->shared);
    p->work->used = mark;
}

// The path inputs in a basis of their span, where that pays.
static void span(prepared *p, const ap_moments *m) {
    const ap_inputs before = p->t.x;
    const size_t paths = ap_net_inputs(&p->t.net);
    const size_t most = p->use.evaluations > 0.0 ? ap_span_most(&p->t.net, &before, &p->use) : 0;
    size_t rank = 0, mark = p->work->used;
    ap_error err = {0};
    if (most == 0) return;
    double *basis = ap_mex_take(stem, p->work, ap_times(before.N0, most));
    begin(p, evaluation(&before, paths));
    end(p, ap_span_find(basis, &rank, &before, paths, most, ap_span_tolerance(m, before.N0), p->work, &err), &err);
    if (rank > 0) {
        mxArray *Xi;
        double *turned = ap_mex_put(stem, &Xi, 3, (size_t[]){rank, before.P, paths});
        memcpy(ap_mex_put(stem, &p->basis, 2, (size_t[]){before.N0, rank}), basis, before.N0 * rank * sizeof *basis);
        begin(p, evaluation(&before, paths));
        ap_span_turn(turned, basis, rank, &before, paths);
        end(p, AP_OK, &err);
        if (p->Xi != NULL) mxDestroyArray(p->Xi);
        p->Xi = Xi;
        p->t.x =
            (ap_inputs){.N0 = rank, .P = before.P, .Xi = turned, .basis = mxGetPr(p->basis), .features = before.N0};
    }
    p->work->used = mark;
}

static void from_moments(prepared *p, const mxArray *net, const mxArray *arg) {
    size_t N0;
    p->t.net = ap_mex_net(stem, net, &N0);
    const size_t paths = ap_net_paths(&p->t.net, 1);
    size_t size[2] = {0, 0};
    const double *sums = ap_mex_array(stem, "moments.sums", ap_mex_field(stem, "moments", arg, "sums"), 2, size);
    const mxArray *outputs = mxGetField(arg, 0, "outputs");  // older moments have none
    const size_t C = outputs == NULL ? 1 : ap_mex_count(stem, "moments.outputs", outputs, 1, size[0]);
    const size_t M = size[0] - C;
    if (size[0] != size[1] || M % paths != 0 || M == 0 || (N0 > 0 && M / paths != N0))
        ap_mex_fail(stem, "badShape",
                    "moments.sums must be square, with %lu row(s) more than features x %lu paths, not %lu x %lu",
                    (unsigned long)C, (unsigned long)paths, (unsigned long)size[0], (unsigned long)size[1]);
    ap_moments m = {.form = ap_mex_form(stem, "moments.form", ap_mex_field(stem, "moments", arg, "form")),
                    .N0 = M / paths,
                    .paths = paths,
                    .outputs = C,
                    .P = ap_mex_examples_count(stem, "moments.P", ap_mex_field(stem, "moments", arg, "P"), 1),
                    .sums = (double *)sums};  // only read
    ap_error err = {0};
    ap_mex_check(stem, ap_moments_check(&m, &err), &err);
    p->rounding = ap_moments_rounding(&m, &p->t.net);
    stand_in(p, &m);
    span(p, &m);
}

static void reduce(prepared *p) {
    ap_moments m = {.form = AP_FACTOR, .N0 = p->t.x.N0, .paths = ap_net_inputs(&p->t.net)};
    m.outputs = p->t.outputs;
    ap_error err = {0};
    ap_mex_check(stem, ap_moments_check(&m, &err), &err);
    mxArray *before = p->Xi;
    const size_t mark = p->work->used;
    m.sums = ap_mex_take(stem, p->work, ap_moments_size(&m));
    memset(m.sums, 0, ap_moments_size(&m) * sizeof *m.sums);
    begin(p, 2.0 * (double)ap_moments_size(&m) * (double)p->t.x.P);
    end(p, ap_moments_add(&m, &p->t.x, p->t.y, p->work, &err), &err);
    stand_in(p, &m);
    p->work->used = mark;
    if (before != NULL) mxDestroyArray(before);
}

static mxArray *build(prepared *p, bool store) {
    ap_kernel kernel;
    ap_error err = {0};
    mxArray *out;
    ap_mex_check(stem, ap_kernel_plan(&kernel, &p->t.net, &p->t.x, store ? p->use.memory : 0.0, &err), &err);
    kernel.stop = ap_mex_stop;
    double *storage = ap_mex_put(stem, &out, 2, (size_t[]){kernel.storage, kernel.storage > 0});
    begin(p, ap_mex_flops(&kernel, 0));
    end(p, ap_kernel_build(&kernel, storage, p->work, &err), &err);
    return out;
}

static const mxArray *setting(const mxArray *arg, const char *field) {
    return ap_mex_field(stem, "settings", arg, field);
}

static mxArray *or_empty(mxArray *array) { return array != NULL ? array : mxCreateDoubleMatrix(0, 0, mxREAL); }

static mxArray *put(prepared *p, bool store) {
    const char *names[] = {"Xi", "basis", "y", "P", "rest", "store", "N0", "rounding"};
    const ap_inputs *x = &p->t.x;
    mxArray *out = mxCreateStructMatrix(1, 1, 8, names);
    mxSetField(out, 0, "store", build(p, store));
    mxSetField(out, 0, "Xi", or_empty(p->Xi));
    mxSetField(out, 0, "basis", or_empty(p->basis));
    mxSetField(out, 0, "y", or_empty(p->y));
    mxSetField(out, 0, "P", mxCreateDoubleScalar((double)(x->P + p->t.hidden)));
    mxSetField(out, 0, "rest", mxCreateDoubleScalar(p->t.rest));
    mxSetField(out, 0, "N0", mxCreateDoubleScalar((double)(x->basis == NULL ? x->N0 : x->features)));
    mxSetField(out, 0, "rounding", mxCreateDoubleScalar(p->rounding));
    return out;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage(stem, nrhs == 4 && nlhs <= 1, "data = attnpath_prepare_mex (net, Xi or moments, y, settings)");
    prepared p = {.work = ap_mex_work(stem, 0)};
    p.use.memory = ap_mex_number(stem, "settings.memory", setting(prhs[3], "memory"), 0, 1e15);
    p.shared = ap_mex_shared(stem, "settings", prhs[3]);
    p.use.few = ap_mex_flag(stem, "settings.reduce", setting(prhs[3], "reduce"));
    p.use.evaluations = ap_mex_number(stem, "settings.evaluations", setting(prhs[3], "evaluations"), 0, 1e15);
    p.threads = (int)ap_mex_count(stem, "settings.threads", setting(prhs[3], "threads"), 0, 1024);
    const bool store = ap_mex_flag(stem, "settings.store", setting(prhs[3], "store"));
    if (mxIsStruct(prhs[1])) {
        from_moments(&p, prhs[0], prhs[1]);
    } else {
        p.t = ap_mex_examples(stem, prhs[0], prhs[1], prhs[2], p.shared);
        span(&p, NULL);
    }
    if (p.use.few && (p.basis != NULL || p.Xi == NULL) && ap_moments_pay(&p.t.net, &p.t.x)) reduce(&p);
    plhs[0] = put(&p, store);
}
