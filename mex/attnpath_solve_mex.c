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
    ap_mex_pace pace;
} wishes;

static bool monitor(void *context, const ap_progress *progress) {
    wishes *wish = context;
    const bool due = ap_mex_due(&wish->pace);
    if (wish->display == 2 || (wish->display == 1 && due)) {
        if (progress->part > 0)
            ap_mex_print("attnpath_solve: where to begin, %lu of %lu: ", (unsigned long)progress->part,
                         (unsigned long)progress->parts);
        else
            ap_mex_print("attnpath_solve: ");
        ap_mex_print("step %3lu   action %.10g   gradient %.2e", (unsigned long)progress->iterations, progress->action,
                     progress->gradnorm);
        if (wish->display == 1) ap_mex_print("   after %.0f s", wish->pace.passed);
        ap_mex_print("\n");
    }
    return ap_mex_interrupted();
}

// Asked now and then while the certificate is computed, which may take longer than the search.
static bool watch(void *context) {
    wishes *wish = context;
    if (ap_mex_due(&wish->pace) && (wish->display == 1 || wish->display == 2))
        ap_mex_print("attnpath_solve: the point is found; is it a minimum?   after %.0f s\n", wish->pace.passed);
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

static void begin(double *order, const mxArray *arg, const ap_net *net) {
    if (mxIsChar(arg)) {
        (void)ap_mex_choice("order", arg, 1, (const char *[]){"gp"});
        ap_order_gp(order, net);
    } else {
        ap_mex_order(order, arg, net);
    }
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
    if (wish->display == 2) wish->pace.next = 0.0;  // with every step, this too
    const ap_status sure = ap_hessian_smallest(&o->hessian_min, &o->doubt, &o->products, problem, point, work, &unsure);
    o->bound = sure == AP_LIMIT;
    if (sure != AP_OK && sure != AP_LIMIT) o->hessian_min = o->doubt = NAN;
    return sure == AP_INTERRUPTED ? sure : o->reason;
}

static void put_solution(mxArray **out, const ap_net *net, const ap_point *point, const outcome *o,
                         double sums_rounding) {
    mxArray *order;
    ap_mex_put_order(&order, net, point->order);
    const ap_mex_named fields[] = {{"order", order},
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
                                   {"sums_rounding", mxCreateDoubleScalar(sums_rounding)},
                                   {"iterations", mxCreateDoubleScalar((double)o->progress.iterations)},
                                   {"evaluations", mxCreateDoubleScalar((double)o->progress.evaluations)},
                                   {"apart", mxCreateDoubleScalar((double)o->progress.apart)},
                                   {"hessian_min", mxCreateDoubleScalar(o->hessian_min)},
                                   {"hessian_doubt", mxCreateDoubleScalar(o->doubt)},
                                   {"hessian_products", mxCreateDoubleScalar((double)o->products)},
                                   {"diagonal", mxCreateDoubleScalar(o->said.diagonal)},
                                   {"reach", mxCreateDoubleScalar(o->said.reach)}};
    *out = ap_mex_struct(sizeof fields / sizeof *fields, fields);
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("solve", nrhs == 4 && nlhs <= 1, "sol = attnpath_solve_mex (net, data, order, settings)");
    ap_mex_training t;
    wishes wish = {.pace = ap_mex_pace_begin()};
    const ap_settings settings = read_settings(prhs[3], &wish);
    ap_mex_problem(&t, prhs[0], prhs[1], wish.memory);
    t.kernel.stop = ap_mex_stop;

    ap_work *work = ap_mex_work(ap_plus(t.store == NULL ? t.kernel.storage : 0, ap_solve_size(&t.problem)));
    ap_point point;
    outcome o = {.hessian_min = NAN, .doubt = NAN};
    ap_mex_check(ap_point_take(&point, &t.problem, work, &ap_mex_err));
    begin(point.order, prhs[2], &t.net);
    const int threads = ap_mex_blas_for(ap_mex_flops(&t.kernel, 0));
    ap_status status = ap_mex_build(&t.kernel, work);
    if (status == AP_OK && wish.parts)
        status = ap_solve_parts(&point, &o.progress, &t.problem, &settings, work, &ap_mex_err);
    else if (status == AP_OK)
        status = ap_solve(&point, &o.progress, &t.problem, &settings, work, &ap_mex_err);
    o.reason = status;
    ap_work_trim(work);  // what comes takes other sizes
    if (status >= 0 && status != AP_INTERRUPTED && wish.certificate)
        status = certify(&o, &t.kernel, &wish, &t.problem, &point, work);
    if (status >= 0 && status != AP_INTERRUPTED)
        status = ap_solution_of(&o.said, o.reason, &settings, &t.problem, &point, work, &ap_mex_err);
    (void)ap_mex_blas_threads(threads);
    ap_mex_check(status);
    put_solution(&plhs[0], &t.net, &point, &o, t.rounding);
}
