// attnpath_solve_mex.c: the saddle point of the action
// SPDX-License-Identifier: BSD-3-Clause
//
// sol = attnpath_solve_mex (net, data, order, settings)
//
// order is where the search begins, or 'gp' for the GP limit. Some of settings: parts, true where coupled outputs are
// to begin with small problems (ap_solve_parts.c) and not with order; starts, how many searches are made, 0 for as many
// as the problem is likely to need (ap_starts.c); and seed, of the others.

#include <math.h>

#include "ap_mexutil.h"

typedef struct search {
    ap_mex_training *t;
    ap_settings settings;  // the core's own
    ap_starts starts;
    size_t display;  // 2: a line for each step; 1: now and then, after two seconds; else none
    ap_point point;
    ap_status reason;  // why the search ended
    ap_progress progress;
    ap_solution said;
    double hessian_min, doubt;  // NaN where they cannot be computed: the solution is returned without a certificate
    size_t products;
    bool bound;
} search;

static bool monitor(void *context, const ap_progress *progress) {
    const search *s = context;
    const bool due = ap_mex_due(&s->t->progress);
    if (s->display == 2 || (s->display == 1 && due)) {
        ap_mex_print("attnpath_solve: ");
        if (progress->part > 0) ap_mex_print("where to begin, %zu of %zu: ", progress->part, progress->parts);
        if (progress->start > 0) ap_mex_print("start %zu of %zu: ", progress->start + 1, progress->starts);
        ap_mex_print("step %3zu   action %.10g   gradient %.2e", progress->iterations, progress->action,
                     progress->gradnorm);
        if (s->display == 1) ap_mex_print("   after %.0f s", s->t->progress.passed);
        ap_mex_print("\n");
    }
    return ap_mex_interrupted();
}

// Asked now and then while the certificate is computed, which may take longer than the search.
static bool watch(void *context) {
    const search *s = context;
    if (ap_mex_due(&s->t->progress) && (s->display == 1 || s->display == 2))
        ap_mex_print("attnpath_solve: the point is found; is it a minimum?   after %.0f s\n", s->t->progress.passed);
    return ap_mex_interrupted();
}

// Is there a minimum? The budget may end first: then hessian_min is only a bound.
static ap_status certify(search *s, ap_work *work) {
    ap_error unsure = {0};
    s->t->kernel.stop = watch;
    s->t->kernel.context = s;
    if (s->display == 2) s->t->progress.next = 0.0;  // with every step, this too
    const ap_status sure =
        ap_hessian_smallest(&s->hessian_min, &s->doubt, &s->products, &s->t->problem, &s->point, work, &unsure);
    s->bound = sure == AP_LIMIT;
    if (sure != AP_OK && sure != AP_LIMIT) s->hessian_min = s->doubt = NAN;
    return sure == AP_INTERRUPTED ? sure : s->reason;
}

static mxArray *put_starts(const search *s) {  // a row each: action, gradient, 1 where it converged
    const size_t made = s->starts.made;
    double *column;
    mxArray *out = ap_mex_new(&column, 2, (size_t[]){made, 3});
    for (size_t k = 0; k < made; k++) {
        column[k] = s->starts.each[k].action;
        column[k + made] = s->starts.each[k].gradnorm;
        column[k + 2 * made] = s->starts.each[k].converged ? 1.0 : 0.0;
    }
    return out;
}

static mxArray *put_solution(const search *s) {
    const ap_net *net = &s->t->net;
    const ap_point *point = &s->point;
    const ap_mex_named fields[] = {{"order", ap_mex_new_order(net, point->order)},
                                   {"status", mxCreateString(ap_status_name(s->reason))},
                                   {"converged", mxCreateLogicalScalar(s->said.converged)},
                                   {"hessian_bound", mxCreateLogicalScalar(s->bound)},
                                   {"ua", mxCreateDoubleScalar(point->order[ap_params_at(net, net->L + 1)])},
                                   {"action", mxCreateDoubleScalar(s->said.action)},
                                   {"energy", mxCreateDoubleScalar(s->said.energy)},
                                   {"entropy", mxCreateDoubleScalar(s->said.entropy)},
                                   {"evidence", mxCreateDoubleScalar(s->said.evidence)},
                                   {"evidence_doubt", mxCreateDoubleScalar(0.5 * s->said.noise)},
                                   {"gradnorm", mxCreateDoubleScalar(point->gradnorm)},
                                   {"gradrel", mxCreateDoubleScalar(point->gradrel)},
                                   {"rounding", mxCreateDoubleScalar(point->rounding)},
                                   {"sums_rounding", mxCreateDoubleScalar(s->t->rounding)},
                                   {"iterations", mxCreateDoubleScalar((double)s->progress.iterations)},
                                   {"evaluations", mxCreateDoubleScalar((double)s->progress.evaluations)},
                                   {"apart", mxCreateDoubleScalar((double)s->progress.subproblem_evaluations)},
                                   {"starts", put_starts(s)},
                                   {"reached", mxCreateDoubleScalar((double)s->starts.reached)},
                                   {"higher", mxCreateDoubleScalar((double)s->starts.higher)},
                                   {"growth", mxCreateDoubleScalar(s->starts.growth)},
                                   {"hessian_min", mxCreateDoubleScalar(s->hessian_min)},
                                   {"hessian_doubt", mxCreateDoubleScalar(s->doubt)},
                                   {"hessian_products", mxCreateDoubleScalar((double)s->products)},
                                   {"diagonal", mxCreateDoubleScalar(s->said.diagonal)},
                                   {"labels", mxCreateDoubleScalar(s->said.labels)},
                                   {"reach", mxCreateDoubleScalar(s->said.reach)}};
    return ap_mex_struct(sizeof fields / sizeof *fields, fields);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("solve", nrhs == 4 && nlhs <= 1, "sol = attnpath_solve_mex (net, data, order, settings)");
    const double memory = ap_mex_number(AP_MEX_FIELD("settings.memory", prhs[3]), 0, 1e15);
    const bool certificate = ap_mex_flag(AP_MEX_FIELD("settings.certificate", prhs[3]));
    search s = {.settings = ap_settings_default(),
                .display = ap_mex_count(AP_MEX_FIELD("settings.display", prhs[3]), 0, 3),
                .hessian_min = NAN,
                .doubt = NAN};
    s.settings.tolerance = ap_mex_number(AP_MEX_FIELD("settings.tolerance", prhs[3]), 0, 1e300);
    s.settings.max_iterations = ap_mex_count(AP_MEX_FIELD("settings.maxiterations", prhs[3]), 0, 1000000);
    s.starts.parts = ap_mex_flag(AP_MEX_FIELD("settings.parts", prhs[3]));
    s.starts.wanted = ap_mex_count(AP_MEX_FIELD("settings.starts", prhs[3]), 0, 1e6);
    s.starts.seed = ap_mex_count(AP_MEX_FIELD("settings.seed", prhs[3]), 0, AP_MEX_SEED);
    s.starts.each = ap_mex_list(s.starts.wanted > 0 ? s.starts.wanted : ap_starts_many, sizeof *s.starts.each);
    s.settings.monitor = monitor;
    s.settings.context = &s;
    ap_mex_training *t = s.t = ap_mex_problem(prhs[0], prhs[1], memory);  // bytes for stored kernels, if data has none
    const ap_problem *p = &t->problem;

    ap_work *work = ap_mex_work(ap_plus(t->store == NULL ? t->kernel.storage : 0, ap_starts_size(p, s.starts.wanted)));
    const bool limit = mxIsChar(prhs[2]);
    if (limit) (void)ap_mex_choice("order", prhs[2], 1, (const char *[]){"gp"});
    s.point = ap_mex_place(t, limit ? NULL : prhs[2], work);
    ap_mex_threads(0, ap_mex_flops(&t->kernel, 0));
    ap_status status = ap_mex_build(&t->kernel, work);
    if (status == AP_OK) status = ap_solve_lowest(&s.point, &s.progress, &s.starts, p, &s.settings, work, &ap_mex_err);
    s.reason = status;
    ap_work_trim(work);  // what comes takes other sizes
    if (status >= 0 && status != AP_INTERRUPTED && certificate) status = certify(&s, work);
    if (status >= 0 && status != AP_INTERRUPTED)
        status = ap_solution_of(&s.said, s.reason, &s.settings, p, &s.point, work, &ap_mex_err);
    ap_mex_check(status);
    plhs[0] = put_solution(&s);
}
