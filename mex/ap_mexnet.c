// ap_mexnet.c: arguments of this package: networks, tokens, maps, path inputs, order parameters and whether they are
// stationary
// SPDX-License-Identifier: BSD-3-Clause

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ap_mexutil.h"

enum { NAME = 96, PART = NAME + 16 };

static const char *part_of(char part[PART], const char *name, const char *field) {
    (void)snprintf(part, PART, "%s.%s", name, field);
    return part;
}

typedef const double *read_array(const char *name, const mxArray *arg, size_t rank, size_t *size);

static void read_heads(ap_heads *heads, const mxArray *arg, size_t layer, size_t *N0, size_t H, read_array *array) {
    char name[NAME], part[PART];
    size_t size[3] = {0, *N0, H};
    (void)snprintf(name, sizeof name, "net.heads{%zu}", layer);
    *heads = (ap_heads){0};
    if (arg != NULL && mxIsStruct(arg)) {
        heads->Q = array(AP_MEX_FIELD(part_of(part, name, "Q"), arg), 3, size);
        heads->K = array(AP_MEX_FIELD(part_of(part, name, "K"), arg), 3, size);
        heads->G = size[0];
    } else {
        size[0] = *N0;
        heads->W = array(name, arg, 3, size);
        if (size[0] != size[1])
            ap_mex_fail("badShape", "%s must be N0 x N0 x %zu, not %zu x %zu x %zu", name, H, size[0], size[1],
                        size[2]);
    }
    *N0 = size[1];
}

// Layer after layer in one array, as the core has them; NULL where all are 1.
static const double *read_head_scales(const mxArray *arg, const ap_net *net) {
    size_t heads = 0;
    bool any = false;
    const double **given = ap_mex_list(net->L, sizeof *given);
    for (size_t l = 0; l < net->L; l++) {
        given[l] = ap_mex_cell_array("net.headscale", arg, l, net->L, 2, (size_t[]){1, net->H[l]});
        for (size_t h = 0; h < net->H[l]; h++) any = any || given[l][h] != 1.0;
        heads += net->H[l];
    }
    if (!any) return NULL;
    double *scale = ap_mex_list(heads, sizeof *scale), *next = scale;
    for (size_t l = 0; l < net->L; l++)
        for (size_t h = 0; h < net->H[l]; h++) *next++ = given[l][h];
    return scale;
}

ap_rule ap_mex_rule(const char *name, const mxArray *arg) {
    static const char *const kernels[] = {"exponential", "gaussian", "linear"};  // in the order of ap_kernel_kind
    const char *rules[ap_rules];
    char part[PART];
    for (size_t k = 0; k < ap_rules; k++) rules[k] = ap_rule_name((ap_rule_kind)k);
    ap_rule rule;
    rule.kind = (ap_rule_kind)ap_mex_choice(AP_MEX_FIELD(part_of(part, name, "attention"), arg), ap_rules, rules);
    rule.bandwidth = ap_mex_number(AP_MEX_FIELD(part_of(part, name, "bandwidth"), arg), -INFINITY, INFINITY);
    rule.ridge = ap_mex_number(AP_MEX_FIELD(part_of(part, name, "ridge"), arg), -INFINITY, INFINITY);
    rule.kernel = (ap_kernel_kind)ap_mex_choice(AP_MEX_FIELD(part_of(part, name, "kernel"), arg), 3, kernels);
    ap_mex_check(ap_rule_check(&rule, &ap_mex_err));
    return rule;
}

static ap_net read_net(const mxArray *arg, size_t *N0, read_array *array) {
    static const char *const reads[] = {"first", "last", "mean", "all"};  // in the order of ap_read
    ap_net net = {0};
    size_t size[2] = {1, 0};
    const double *H = ap_mex_array(AP_MEX_FIELD("net.H", arg), 2, size);
    net.L = ap_mex_count(AP_MEX_FIELD("net.L", arg), (double)size[1], (double)size[1]);
    size_t *counts = ap_mex_list(net.L, sizeof *counts);
    for (size_t l = 0; l < net.L; l++) counts[l] = ap_mex_as_count("every net.H", H[l], 1, AP_MEX_MANY);
    net.H = counts;

    *N0 = ap_mex_count(AP_MEX_FIELD("net.N0", arg), 0, AP_MEX_MANY);
    const ap_rule rule = ap_mex_rule("net", arg);  // one for all layers
    const mxArray *heads = ap_mex_field("net.heads", arg);
    if (!mxIsCell(heads) || mxGetNumberOfElements(heads) != 0) {
        ap_heads *list = ap_mex_list(net.L, sizeof *list);
        for (size_t l = 0; l < net.L; l++) {
            read_heads(&list[l], ap_mex_cell("net.heads", heads, l, net.L), l + 1, N0, counts[l], array);
            list[l].rule = rule;
        }
        net.heads = list;
    }

    net.causal = ap_mex_flag(AP_MEX_FIELD("net.causal", arg));
    const mxArray *readout = ap_mex_field("net.readout", arg);
    if (mxIsChar(readout))
        net.read = (ap_read)ap_mex_choice("net.readout", readout, 4, reads);
    else
        net.token = ap_mex_count("net.readout", readout, 1, AP_MEX_MANY) - 1;
    net.width = ap_mex_array(AP_MEX_FIELD("net.width", arg), 2, (size_t[]){1, net.L + 1});
    net.variance = ap_mex_array(AP_MEX_FIELD("net.variance", arg), 2, (size_t[]){1, net.L + 2});
    net.skip = ap_mex_array(AP_MEX_FIELD("net.skip", arg), 2, (size_t[]){1, net.L});
    net.headscale = read_head_scales(ap_mex_field("net.headscale", arg), &net);
    net.temperature = ap_mex_number(AP_MEX_FIELD("net.temperature", arg), -INFINITY, INFINITY);
    ap_mex_check(ap_net_check(&net, &ap_mex_err));  // the ranges of all numbers
    return net;
}

ap_net ap_mex_net(const mxArray *arg, size_t *N0) { return read_net(arg, N0, ap_mex_array); }

ap_net ap_mex_marked_net(const mxArray *arg, size_t *N0, double mark[ap_net_marks], const mxArray *of) {
    static const char *const other[ap_net_marks] = {
        "another number of heads in a layer", "another readout",
        "another rule of attention (attention, bandwidth, kernel, ridge, causal)", "other heads"};
    const ap_net net = read_net(arg, N0, ap_mex_unread);
    const double *theirs = ap_mex_absent(of) ? NULL : ap_mex_array("paths.of", of, 2, (size_t[]){1, ap_net_marks});
    ap_net_mark(mark, &net, *N0);
    if (theirs == NULL || theirs[ap_net_marks - 1] != mark[ap_net_marks - 1]) (void)ap_mex_net(arg, N0);
    for (size_t k = 0; theirs != NULL && k < ap_net_marks; k++)
        if (theirs[k] != mark[k] && theirs[k] == (double)(float)mark[k])
            ap_mex_fail("badValue",
                        "the path inputs were saved in single precision, as save -float-hdf5 and "
                        "-float-binary do: their last digits are lost. Save with -binary, -hdf5 or -v7 instead");
        else if (theirs[k] != mark[k] && theirs[k] > 0.0 && mark[k] > 0.0)  // 0 where nothing is known of heads
            ap_mex_fail("otherNet",
                        "the path inputs are of a network with %s: make them with this one, attnpath_paths (net, X)",
                        other[k]);
    return net;
}

ap_form ap_mex_form(const char *name, const mxArray *arg) {
    static const char *const words[ap_forms] = {"square", "factor"};
    return (ap_form)ap_mex_choice(name, arg, ap_forms, words);
}

ap_tokens ap_mex_tokens(const mxArray *X, const mxArray *lengths, size_t N0) {
    size_t size[3] = {N0, 0, 0};
    const double *tokens = ap_mex_array("X", X, 3, size);
    ap_tokens x = {.N0 = size[0], .T = size[1], .P = size[2], .X = tokens};
    if (ap_mex_absent(lengths)) return x;
    const double *given = ap_mex_array("lengths", lengths, 2, (size_t[]){1, x.P});
    size_t *length = ap_mex_list(x.P, sizeof *length);
    for (size_t mu = 0; mu < x.P; mu++) length[mu] = ap_mex_as_count("every length", given[mu], 1, (double)x.T);
    x.length = length;
    return x;
}

const double *const *ap_mex_maps(const mxArray *A, const ap_net *net, const ap_tokens *x) {
    if (ap_mex_absent(A)) return NULL;
    const double **maps = ap_mex_list(net->L, sizeof *maps);
    for (size_t l = 0; l < net->L; l++)
        maps[l] = ap_mex_cell_array("A", A, l, net->L, 4, (size_t[]){x->T, x->T, net->H[l], x->P});
    return maps;
}

double *const *ap_mex_put_maps(mxArray **out, const ap_net *net, const ap_tokens *x) {
    double **maps = ap_mex_list(net->L, sizeof *maps);
    *out = mxCreateCellMatrix(1, (mwSize)net->L);
    for (size_t l = 0; l < net->L; l++)
        mxSetCell(*out, (mwIndex)l, ap_mex_new(&maps[l], 4, (size_t[]){x->T, x->T, net->H[l], x->P}));
    return maps;
}

ap_inputs ap_mex_inputs(const char *name, const mxArray *Xi, const ap_net *net, size_t N0) {
    size_t size[3] = {N0, 0, ap_net_inputs(net)};
    const double *inputs = ap_mex_array(name, Xi, 3, size);
    return (ap_inputs){.N0 = size[0], .P = size[1], .Xi = inputs};
}

ap_status ap_mex_build(ap_kernel *kernel, ap_work *work) {
    if (kernel->packed != NULL) return AP_OK;
    return ap_kernel_build(kernel, ap_mex_take(work, kernel->storage), work, &ap_mex_err);
}

void ap_mex_explain(ap_mex_training *t, ap_work *work) {
    ap_problem *p = &t->problem;
    if (!ap_explained_matters(p)) return;
    const size_t numbers = ap_times(p->kernel->P, ap_problem_columns(p));
    double *y = ap_mex_take(work, numbers), *apart = ap_mex_take(work, numbers), rest = 0.0;
    ap_mex_check(ap_explained(y, apart, &rest, p, work, &ap_mex_err));
    if (p->null_examples == 0 && p->null_sumsq == 0.0) p->apart = apart;  // else these are no examples but sums of them
    p->y = y;
    p->null_sumsq = rest;
}

ap_point ap_mex_place(ap_mex_training *t, const mxArray *order, ap_work *work) {
    const ap_net *net = &t->net;
    ap_point point = {0};
    ap_mex_explain(t, work);
    ap_mex_check(ap_point_take(&point, &t->problem, work, &ap_mex_err));
    ap_params_gp(point.order, net);
    for (size_t l = 0; order != NULL && l < net->L; l++) {
        const size_t n = ap_net_paths(net, l + 1);
        const double *U = ap_mex_cell_array("order", order, l, net->L, 2, (size_t[]){n, n});
        double *symmetric = point.order + ap_params_at(net, l + 1);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) symmetric[i + n * j] = 0.5 * (U[i + n * j] + U[j + n * i]);
    }
    return point;
}

ap_point ap_mex_point(ap_mex_training *t, const mxArray *order, ap_work *work) {
    const ap_problem *p = &t->problem;
    const double flops = ap_mex_flops(&t->kernel, 0);
    double gradnorm = 0.0, rounding = 0.0;
    ap_point point = ap_mex_place(t, order, work), beside;
    ap_mex_threads(0, flops);
    ap_mex_check(ap_action_value(&point, p, work, &ap_mex_err));
    ap_mex_threads(0, flops);
    ap_mex_check(ap_action_gradient(&point, p, work, &ap_mex_err));
    ap_work_trim(work);  // what comes takes other sizes
    if (point.gradrel <= t->gradrel || ap_mex_interrupted()) return point;
    const size_t mark = work->used;
    ap_mex_check(ap_point_take(&beside, p, work, &ap_mex_err));
    ap_mex_threads(0, flops);
    const ap_status status = ap_rounding(&gradnorm, &rounding, &beside, &point, p, work, &ap_mex_err);
    work->used = mark;
    if (status == AP_ENOTSPD || status == AP_ENONFINITE)
        rounding = 0.0;  // U_l, or A, is not definite within rounding
    else
        ap_mex_check(status);
    if (!ap_mex_interrupted() && !(point.gradrel <= 10.0 * rounding))  // several times: it is the largest of few draws
        ap_mex_fail("notStationary",
                    "relative to U the gradient of the action is %.2g at these order parameters, where a solution has "
                    "nearly 0 and rounding makes %.2g: was the network or the training set changed since they were "
                    "found? Solve again",
                    point.gradrel, rounding);
    return point;
}

mxArray *ap_mex_new_order(const ap_net *net, const double *order) {
    mxArray *out = mxCreateCellMatrix(1, (mwSize)net->L);
    for (size_t l = 0; l < net->L; l++) {
        const size_t n = ap_net_paths(net, l + 1);
        double *U;
        mxSetCell(out, (mwIndex)l, ap_mex_new(&U, 2, (size_t[]){n, n}));
        memcpy(U, order + ap_params_at(net, l + 1), n * n * sizeof *order);
    }
    return out;
}
