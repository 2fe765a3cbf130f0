// ap_solve_parts.c: where the search for coupled outputs begins
// SPDX-License-Identifier: BSD-3-Clause
//
// Take orthogonal projectors E_g that add up to I, of rank r_g, in the space of the outputs, and
//
//   U_l = sum_g U^g_l (x) E_g,       l = 1 .. L, and the readout's with u_a^g
//
// The logarithms of determinants and the traces of (T19) separate, and so do A and E: the action is
//
//   S = sum_g r_g S_shared (U^g; Y E_g)
//
// one problem of outputs that share one U (ap_energy.c) for each projector, with matrices of P rows instead of P C.
// Their minima together are the least action of all such U. The projectors are those on the directions in which
//
//   there are no labels       the kernel of Y'Y. Classes, coded so that the labels of an example add up to zero, always
//                             have one, and there the U of a narrow network is far from the GP limit
//   labels are constant       of classes, if they are coded by 0 and 1
//   labels are                all others
//
// Where one direction alone has labels they are a stationary point of the whole: reflecting it and turning the others
// changes no label's square, and every U that such turns leave alone is of this form. Otherwise the coupled search is
// left with what couples directions with labels to each other.
//
// Where all directions are of the last kind there is one problem alone, and its solution is no start: of random labels,
// C = 2 to 10, it spared no evaluation, and may be next to a saddle. So the search then begins at the caller's start.
//
// The start is a guess, and never makes a search fail: if there is none, or if the search from it fails
// or stalls, that from the caller's start is made as if there had been nothing else, with the steps that are left.

#include <math.h>
#include <string.h>

#include "saddle/ap_saddle.h"

enum { without, constant, with, groups };  // of directions, in the order of their columns

typedef struct parts {
    const ap_problem *whole;
    size_t C, P;                  // its outputs and examples
    const ap_settings *settings;  // of the whole
    ap_net net;                   // of one output
    ap_kernel kernel;
    double *V;                // [C x C] orthonormal directions, one group after the other
    double *E;                // [C x C] a projector
    double *labels;           // [P x C] Y V
    size_t edge[groups + 1];  // columns edge[g] .. edge[g + 1] - 1 are group g
    ap_progress begin;        // of the problem at hand
    size_t evaluations;
} parts;

// The network without the layer that ap_net_outputs put on top of it: its H, width and variance are leading entries.
// Kernels are stored only where they take no more than the coupled search does afterwards.
static ap_status plan(parts *t, ap_error *err) {
    const ap_kernel *k = t->whole->kernel;
    const ap_inputs x = ap_kernel_examples(k);
    const double memory = (double)ap_solve_size(t->whole) * sizeof(double);
    t->net = *t->whole->net;
    t->net.L--;
    t->net.outputs = 0;
    const ap_status status = ap_kernel_plan(&t->kernel, &t->net, &x, memory, err);
    t->kernel.stop = k->stop;
    t->kernel.context = k->context;
    return status;
}

// V, from column `first` on, where Y'Y has the eigenvalues `values`: the first of these columns is turned into the
// direction in which labels are constant, if there is one. It is that of the m with Y m = 1, if any m has that. w [2 C]
//
// This is for classes alone, recognised by labels of one length for all examples. Numeric labels with a constant column
// were led close to saddles by it, and took up to eight times the evaluations.
static void single_out_constant(parts *t, const double *values, double *w) {
    const size_t C = t->C, P = t->P, first = t->edge[constant], r = C - first;
    const double *Y = t->labels + P * first;
    double *m = w, *turned = w + C, missing = 0.0, shortest = INFINITY, longest = 0.0;
    for (size_t k = 0; k < r; k++) {
        m[k] = 0.0;
        for (size_t mu = 0; mu < P; mu++) m[k] += Y[mu + P * k] / values[first + k];
    }
    for (size_t mu = 0; mu < P; mu++) {
        double rest = 1.0, length = 0.0;
        for (size_t k = 0; k < r; k++) {
            rest -= Y[mu + P * k] * m[k];
            length += Y[mu + P * k] * Y[mu + P * k];
        }
        missing += rest * rest;
        shortest = fmin(shortest, length);
        longest = fmax(longest, length);
    }
    if (r < 2 || !(missing <= ap_parts_rounding * (double)P) || !(longest - shortest <= ap_parts_rounding * longest))
        return;
    m[0] += copysign(sqrt(ap_dot(r, m, m)), m[0]);  // a reflection takes the first column there, and the others along
    double *V = t->V + C * first;
    ap_gemv('N', C, r, 1.0, V, C, m, 0.0, turned);
    const double scale = 2.0 / ap_dot(r, m, m);
    for (size_t k = 0; k < r; k++) ap_axpy(C, -scale * m[k], turned, V + C * k);
    t->edge[with] = first + 1;
}

static void make_labels(parts *t) {
    ap_gemm('N', 'N', t->P, t->C, t->C, 1.0, t->whole->y, t->P, t->V, t->C, 0.0, t->labels, t->P);
}

static ap_status separate(parts *t, ap_work *work, ap_error *err) {
    const size_t C = t->C, P = t->P;
    AP_TAKE_EACH(work, ap_times(C, C), &t->E, &t->V);
    t->labels = ap_take_matrix(work, P, C);
    double *w = ap_take_matrix(work, C, 4);
    if (w == NULL) return ap_not_taken(work, err, "ap_solve_parts");
    ap_gemm('T', 'N', C, C, P, 1.0, t->whole->y, P, t->whole->y, P, 0.0, t->V, C);
    const ap_status status = ap_spd_eigen('V', w, t->V, C, "Y'Y", w + C, err);
    if (status < 0) return status;
    size_t *edge = t->edge;
    for (edge[constant] = 0; edge[constant] < C && !(w[edge[constant]] > ap_parts_least * w[C - 1]);) edge[constant]++;
    edge[with] = edge[constant];
    edge[groups] = C;
    make_labels(t);
    single_out_constant(t, w, w + C);
    if (edge[with] > edge[constant]) make_labels(t);
    if (edge[constant] > 0) memset(t->labels, 0, P * sizeof(double));  // not by rounding alone
    for (size_t g = 0; g < groups; g++) t->begin.parts += edge[g + 1] > edge[g];
    return AP_OK;
}

// order := order + U (x) E for every member, E the projector on columns `from` to `to` of V.
static void put_together(double *order, parts *t, const double *U, size_t from, size_t to) {
    const size_t C = t->C;
    ap_gemm('N', 'T', C, C, to - from, 1.0, t->V + C * from, C, t->V + C * from, C, 0.0, t->E, C);
    ap_spd_symmetrise(t->E, C);
    for (size_t l = 1; l <= t->net.L + 1; l++) {
        const size_t n = ap_net_paths(&t->net, l);
        for (size_t b = 0; b < n; b++)
            for (size_t d = 0; d < C; d++)
                for (size_t a = 0; a < n; a++)
                    for (size_t c = 0; c < C; c++)
                        order[(C * a + c) + n * C * (C * b + d)] += U[a + n * b] * t->E[c + C * d];
        order += n * n * C * C;
        U += n * n;
    }
}

// The small problem of columns `from` to `to`, its solution put into its place. A search that ends before its tolerance
// is near enough.
static ap_status search(double *order, parts *t, size_t from, size_t to, const double *y, size_t columns, ap_work *work,
                        ap_error *err) {
    const size_t mark = work->used;
    const ap_problem p = {.net = &t->net,
                          .kernel = &t->kernel,
                          .y = y,
                          .null_examples = t->whole->null_examples / t->C,
                          .label_columns = columns};
    ap_settings settings = *t->settings;
    ap_progress progress = {0};
    ap_point point;
    if (t->C - t->edge[constant] > 1) settings.tolerance = fmax(ap_parts_tolerance, settings.tolerance);
    t->begin.part++;
    settings.begin = t->begin;
    ap_status status = ap_point_take(&point, &p, work, err);
    if (status == AP_OK) ap_params_gp(point.order, &t->net);
    if (status == AP_OK) status = ap_solve(&point, &progress, &p, &settings, work, err);
    t->evaluations += progress.evaluations;
    if (status >= 0 && status != AP_INTERRUPTED) {
        put_together(order, t, point.order, from, to);
        status = AP_OK;
    }
    work->used = mark;
    return status;
}

// order := the start of the search, undefined if this fails; unchanged where there is no evaluation.
static ap_status find(double *order, size_t *evaluations, const ap_problem *whole, const ap_settings *settings,
                      ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    const ap_kernel *kernel = whole->kernel;
    parts t = {
        .whole = whole, .C = kernel->outputs, .P = kernel->examples, .settings = settings, .begin = settings->begin};
    t.begin.evaluations = 0;
    ap_status status = plan(&t, err);
    if (status == AP_OK) status = separate(&t, work, err);
    double *storage = ap_take(work, t.kernel.storage);
    if (status == AP_OK && storage == NULL) status = ap_not_taken(work, err, "ap_solve_parts");
    if (status == AP_OK) status = ap_kernel_build(&t.kernel, storage, work, err);
    if (status != AP_OK || t.edge[with] == 0) goto done;
    memset(order, 0, ap_params_length(whole->net) * sizeof(double));
    for (size_t k = 1; status == AP_OK && k <= groups; k++) {
        const size_t g = groups - k, from = t.edge[g], columns = t.edge[g + 1] - from;
        if (columns == 0) continue;
        status = search(order, &t, from, from + columns, t.labels + t.P * from, g == without ? 1 : columns, work, err);
    }
done:
    *evaluations = t.evaluations;
    work->used = mark;
    return status;
}

ap_status ap_solve_parts_by(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                            const ap_model_ops *how, ap_work *work, ap_error *err) {
    if (p->kernel->outputs == 1) return ap_solve_by(point, progress, p, settings, how, work, err);
    const size_t mark = work->used, length = ap_params_length(p->net);
    size_t apart = 0;
    ap_settings rest = *settings;
    double *usual = ap_take(work, length);
    ap_status found = usual == NULL ? ap_not_taken(work, err, "ap_solve_parts") : AP_OK, status = found;
    *progress = settings->begin;
    if (status < 0) goto done;
    memcpy(usual, point->order, length * sizeof(double));
    found = status = find(point->order, &apart, p, settings, work, err);
    if (status < 0 && !ap_is_no_point(status)) goto done;
    if (found != AP_OK) memcpy(point->order, usual, length * sizeof(double));
    if (found == AP_INTERRUPTED) {  // evaluate the caller's start, and take no step
        rest.max_iterations = 0;
        rest.monitor = NULL;
    }
    status = ap_solve_by(point, progress, p, &rest, how, work, err);
    if (found == AP_INTERRUPTED && status >= 0) status = AP_INTERRUPTED;
    // could a better start have made this search converge?
    const bool failed = status == AP_STALLED ? !ap_has_converged(status, point, settings) : ap_is_no_point(status);
    if (apart > 0 && found == AP_OK && failed) {
        const ap_progress before = *progress;
        rest.max_iterations -= before.iterations < rest.max_iterations ? before.iterations : rest.max_iterations;
        memcpy(point->order, usual, length * sizeof(double));
        status = ap_solve_by(point, progress, p, &rest, how, work, err);
        progress->iterations += before.iterations;
        progress->evaluations += before.evaluations;
    }
    progress->subproblem_evaluations = apart;
done:
    work->used = mark;
    return status;
}

ap_status ap_solve_parts(ap_point *point, ap_progress *progress, const ap_problem *p, const ap_settings *settings,
                         ap_work *work, ap_error *err) {
    return ap_solve_parts_by(point, progress, p, settings, NULL, work, err);
}
