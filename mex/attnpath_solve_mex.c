// attnpath_solve_mex.c: the saddle point of the action
// SPDX-License-Identifier: BSD-3-Clause
//
// sol = attnpath_solve_mex (net, data, order, settings)
//
// order is where the search begins, or 'gp' for the GP limit. settings.parts, which may be missing, is true where
// coupled outputs are to begin with small problems (ap_outputs_start.c) and not with order.

#include <math.h>

#include "ap_mexutil.h"

typedef struct wishes {  // requests beyond the core's own settings
    double memory;       // bytes for stored kernels, if data has none
    bool certificate;
    bool parts;
    unsigned display;  // 2: a line for each step; 1: now and then, after two seconds; else none
    ap_mex_pace *pace;
} wishes;

static bool monitor(void *context, const ap_progress *progress) {
    wishes *wish = context;
    const bool due = ap_mex_due(wish->pace);
    if (wish->display == 2 || (wish->display == 1 && due)) {
        if (progress->part > 0)
            ap_mex_print("attnpath_solve: where to begin, %lu of %lu: ", (unsigned long)progress->part,
                         (unsigned long)progress->parts);
        else
            ap_mex_print("attnpath_solve: ");
        ap_mex_print("step %3lu   action %.10g   gradient %.2e", (unsigned long)progress->iterations, progress->action,
                     progress->gradnorm);
        if (wish->display == 1) ap_mex_print("   after %.0f s", wish->pace->passed);
        ap_mex_print("\n");
    }
    return ap_mex_interrupted();
}

// Asked now and then while the certificate is computed, which may take longer than the search.
static bool watch(void *context) {
    wishes *wish = context;
    if (ap_mex_due(wish->pace) && (wish->display == 1 || wish->display == 2))
        ap_mex_print("attnpath_solve: the point is found; is it a minimum?   after %.0f s\n", wish->pace->passed);
    return ap_mex_interrupted();
}

static ap_settings read_settings(const mxArray *arg, wishes *wish) {
    ap_settings s = ap_settings_default();
    s.tolerance = ap_mex_number(AP_MEX_FIELD("settings.tolerance", arg), 0, 1e300);
    s.max_iterations = ap_mex_count(AP_MEX_FIELD("settings.maxiterations", arg), 0, 1000000);
    wish->memory = ap_mex_number(AP_MEX_FIELD("settings.memory", arg), 0, 1e15);
    wish->display = (unsigned)ap_mex_count(AP_MEX_FIELD("settings.display", arg), 0, 3);
    wish->certificate = ap_mex_flag(AP_MEX_FIELD("settings.certificate", arg));
    wish->parts = ap_mex_flag_or("settings.parts", arg);
    s.monitor = monitor;
    s.context = wish;
    return s;
}

typedef struct outcome {
    ap_status reason;  // why the search ended
    ap_progress progress;
    ap_solution said;
    double hessian_min, doubt;  // NaN where they cannot be computed: the solution is returned without a certificate
    size_t products;
    bool bound;
} outcome;

// Is there a minimum? The budget may end first: then hessian_min is only a bound.
static ap_status certify(outcome *o, ap_kernel *kernel, wishes *wish, const ap_problem *problem, const ap_point *point,
                         ap_work *work) {
    ap_error unsure = {0};
    kernel->stop = watch;
    kernel->context = wish;
    if (wish->display == 2) wish->pace->next = 0.0;  // with every step, this too
    const ap_status sure = ap_hessian_smallest(&o->hessian_min, &o->doubt, &o->products, problem, point, work, &unsure);
    o->bound = sure == AP_LIMIT;
    if (sure != AP_OK && sure != AP_LIMIT) o->hessian_min = o->doubt = NAN;
    return sure == AP_INTERRUPTED ? sure : o->reason;
}

static mxArray *put_solution(const ap_mex_training *t, const ap_point *point, const outcome *o) {
    const ap_net *net = &t->net;
    const ap_mex_named fields[] = {{"order", ap_mex_new_order(net, point->order)},
                                   {"status", mxCreateString(ap_status_name(o->reason))},
                                   {"converged", mxCreateLogicalScalar(o->said.converged)},
                                   {"hessian_bound", mxCreateLogicalScalar(o->bound)},
                                   {"ua", mxCreateDoubleScalar(point->order[ap_order_at(net, net->L + 1)])},
                                   {"action", mxCreateDoubleScalar(o->said.action)},
                                   {"energy", mxCreateDoubleScalar(o->said.energy)},
                                   {"entropy", mxCreateDoubleScalar(o->said.entropy)},
                                   {"evidence", mxCreateDoubleScalar(o->said.evidence)},
                                   {"gradnorm", mxCreateDoubleScalar(point->gradnorm)},
                                   {"gradrel", mxCreateDoubleScalar(point->gradrel)},
                                   {"rounding", mxCreateDoubleScalar(point->rounding)},
                                   {"sums_rounding", mxCreateDoubleScalar(t->rounding)},
                                   {"iterations", mxCreateDoubleScalar((double)o->progress.iterations)},
                                   {"evaluations", mxCreateDoubleScalar((double)o->progress.evaluations)},
                                   {"apart", mxCreateDoubleScalar((double)o->progress.apart)},
                                   {"hessian_min", mxCreateDoubleScalar(o->hessian_min)},
                                   {"hessian_doubt", mxCreateDoubleScalar(o->doubt)},
                                   {"hessian_products", mxCreateDoubleScalar((double)o->products)},
                                   {"diagonal", mxCreateDoubleScalar(o->said.diagonal)},
                                   {"reach", mxCreateDoubleScalar(o->said.reach)}};
    return ap_mex_struct(sizeof fields / sizeof *fields, fields);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("solve", nrhs == 4 && nlhs <= 1, "sol = attnpath_solve_mex (net, data, order, settings)");
    wishes wish = {0};
    const ap_settings settings = read_settings(prhs[3], &wish);
    ap_mex_training *t = ap_mex_problem(prhs[0], prhs[1], wish.memory);
    wish.pace = &t->progress.pace;
    const ap_problem *p = &t->problem;

    ap_work *work = ap_mex_work(ap_plus(t->store == NULL ? t->kernel.storage : 0, ap_solve_size(p)));
    ap_point point;
    outcome o = {.hessian_min = NAN, .doubt = NAN};
    ap_mex_check(ap_point_take(&point, p, work, &ap_mex_err));
    if (mxIsChar(prhs[2])) {
        (void)ap_mex_choice("order", prhs[2], 1, (const char *[]){"gp"});
        ap_order_gp(point.order, &t->net);
    } else {
        ap_mex_order(point.order, prhs[2], &t->net);
    }
    ap_mex_threads(0, ap_mex_flops(&t->kernel, 0));
    ap_status status = ap_mex_build(&t->kernel, work);
    if (status == AP_OK)
        status = (wish.parts ? ap_solve_parts : ap_solve)(&point, &o.progress, p, &settings, work, &ap_mex_err);
    o.reason = status;
    ap_work_trim(work);  // what comes takes other sizes
    if (status >= 0 && status != AP_INTERRUPTED && wish.certificate)
        status = certify(&o, &t->kernel, &wish, p, &point, work);
    if (status >= 0 && status != AP_INTERRUPTED)
        status = ap_solution_of(&o.said, o.reason, &settings, p, &point, work, &ap_mex_err);
    ap_mex_check(status);
    plhs[0] = put_solution(t, &point, &o);
}
