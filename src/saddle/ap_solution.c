// ap_solution.c: properties of the point at which a search ended
// SPDX-License-Identifier: BSD-3-Clause
//
//   converged   the tolerance was reached; or no further descent is possible in double precision, and the gradient
//               relative to U is within the tolerance, or within what rounding of U does to it (ap_rounding.c)
//   S, E        of all outputs: of m outputs that share one U the problem's own is the mean, and theirs is m times that
//   evidence    log p(y) = -(S - S_entropy (GP)) / 2 - P/2 log 2 pi, to leading order in the widths (T10b)
//   diagonal    mean diagonal of the kernel at the GP limit; without skip connections U = sigma_a^2 .. sigma_1^2 I:
//               sigma_a^2 .. sigma_1^2 sigma_0^2 / (N0 Pi) sum |xi|^2 / P
//   reach       y'K y / (T y'y): the answer f = K b on the training set has y'f / (y'y) no larger, as K (K + T)^{-1} is
//               at most K/T. With q_a = Xi_a y it is y'K y = sigma_0^2 / (N0 Pi) sum_ab U_ab q_a . q_b
//
//   noise       what rounding may add to S. Where a rotation has left examples without path inputs, b'b has rest / T^2
//               of theirs, and rows x_i of the path inputs, off by sqrt (P) eps of their length, change y' A^{-1} y by
//               no more than 2 |b| sqrt (P) eps sum_i |x_i| |v_i|, v = dK/dXi b / 2 = scale U Xi b, all paths below
//               each other. Of moments of the form square x_i . x_j and x_i . y have an error of eps |x_i| |x_j|, which
//               adds eps (sum_i |x_i| |v_i| + |y|)^2 / T: y' A^{-1} y is (|y - X'v|^2 + T v' (scale U)^{-1} v) / T, and
//               v its minimum
//
// Coupled outputs have a q for each path and output, and U an index for each of them. Where outputs share U they stand
// below each other in q, as features would.
// Cost: N0 P Pi C flops.

#include <float.h>
#include <math.h>

#include "saddle/ap_saddle.h"

bool ap_has_converged(ap_status status, const ap_point *point, const ap_settings *settings) {
    if (status == AP_STALLED) return point->gradrel <= settings->tolerance;
    return status == AP_OK || status == AP_ROUNDED;
}

// The sum of the squares of all path inputs. Those of each path count by its U_aa at the GP limit over that of the last
// path, which skips nothing.
static double squares(const ap_kernel *k, const ap_net *net) {
    const size_t cells = k->N0 * k->examples, C = k->outputs;
    const double last = ap_params_gp_entry(net, 1, k->paths - 1);
    double sum = 0.0;
    if (!ap_net_skips(net)) return ap_dot(cells * k->inputs, k->Xi, k->Xi);
    for (size_t a = 0; a < k->inputs; a++)
        sum += ap_params_gp_entry(net, 1, C * a) / last * ap_dot(cells, k->Xi + cells * a, k->Xi + cells * a);
    return sum;
}

double ap_solution_diagonal(const ap_problem *p) {
    const ap_kernel *k = p->kernel;
    const double P = (double)ap_problem_rows(p) / (double)k->outputs;
    double size = k->scale;
    for (size_t l = 1; l <= p->net->L + 1; l++) size *= ap_params_member(p->net, l).variance;
    return size * squares(k, p->net) / P;
}

// V [rows x paths] := q U, q_a = Xi_a y, and sum_ab U_ab q_a . q_b
static double combine(double *V, double *q, const ap_problem *p, const double *U, const double *y) {
    const ap_kernel *k = p->kernel;
    const size_t P = k->examples, columns = ap_problem_outputs(p), n = k->paths, rows = k->N0 * ap_problem_columns(p);
    for (size_t a = 0; a < k->inputs; a++)
        ap_gemm('N', 'N', k->N0, columns, P, 1.0, k->Xi + k->N0 * P * a, k->N0, y, P, 0.0, q + k->N0 * columns * a,
                k->N0);
    ap_gemm('N', 'N', rows, n, n, 1.0, q, rows, U, n, 0.0, V, rows);
    return ap_dot(rows * n, q, V);
}

// sum_i |x_i| |v_i|
static double lengths(const ap_problem *p, const double *V) {
    const ap_kernel *k = p->kernel;
    const size_t N0 = k->N0, P = k->examples, columns = ap_problem_outputs(p);
    double sum = 0.0;
    for (size_t a = 0; a < k->inputs; a++)
        for (size_t i = 0; i < N0; i++) {
            double square = 0.0, v = 0.0;
            for (size_t mu = 0; mu < P; mu++) {
                const double x = k->Xi[i + N0 * (mu + P * a)];
                square += x * x;
            }
            for (size_t c = 0; c < columns; c++) v += fabs(V[i + N0 * (c + columns * a)]);
            sum += sqrt(square) * v;
        }
    return sum;
}

ap_status ap_solution_of(ap_solution *s, ap_status reason, const ap_settings *settings, const ap_problem *p,
                         const ap_point *point, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t mark = work->used, m = ap_problem_columns(p), rows = k->N0 * m;
    const double all = (double)m, T = p->net->temperature;
    if (!ap_blas_fits(rows))
        return ap_fail(err, AP_ESIZE, "%zu features for %zu columns of labels are more than BLAS can count", k->N0, m);
    ap_point gp;
    ap_status status = ap_entropy_gp(&gp, p->net, work, err);
    double *V = ap_take_matrix(work, rows, k->paths), *q = ap_take_matrix(work, rows, k->paths);
    if (status == AP_OK && q == NULL) status = ap_not_taken(work, err, "ap_solution");
    if (status < 0) goto done;
    double noise = point->noise;
    const double labels = ap_problem_squares(p), numbers = all * (double)ap_problem_rows(p);
    if ((p->null_sumsq > 0.0 || p->summed) && T > 0.0) {
        (void)combine(V, q, p, point->order, point->fit.b);
        const double b = sqrt(ap_dot(k->P * m, point->fit.b, point->fit.b) + p->null_sumsq / (T * T));
        const double fit = k->scale * lengths(p, V);
        noise += 2.0 * DBL_EPSILON * (p->null_sumsq / T + b * sqrt((double)ap_problem_rows(p)) * fit);
        if (p->summed) noise += DBL_EPSILON * pow(fit + sqrt(labels), 2.0) / (T * all);
    }
    const double yKy = combine(V, q, p, point->order, p->y);
    *s = (ap_solution){.converged = ap_has_converged(reason, point, settings),
                       .action = all * point->action,
                       .energy = all * point->fit.energy,
                       .entropy = all * point->entropy,
                       .noise = all * noise,
                       .evidence = all * (gp.entropy - point->action) / 2.0 - numbers / 2.0 * ap_log_two_pi,
                       .diagonal = ap_solution_diagonal(p),
                       .labels = labels / numbers,
                       .reach = labels > 0.0 && T > 0.0 ? k->scale * yKy / (T * labels) : INFINITY};
done:
    work->used = mark;
    return status;
}
