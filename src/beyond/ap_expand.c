// ap_expand.c: posterior means and variances to the next order in 1/N
// SPDX-License-Identifier: BSD-3-Clause
//
// In the coordinates d of the point's frame, U_l (d) = F_l exp (d_l) F_l', the posterior is exp (-S/2), flat to the
// order that is needed. With H = grad^2 S at the minimum, to first order in 1/N, for any smooth O:
//
//   <O> = O + tr (H^{-1} grad^2 O) - grad O' H^{-1} g,   g = tr (H^{-1} grad^3 S)                              (T30)
//   Cov (O_1, O_2) = 2 grad O_1' H^{-1} grad O_2                                                               (T31)
//
// H^{-1} = sum_k j_k j_k', and g from derivatives of S along the lines j_k (ap_expand_lines.c). Entries of U need no
// lines: their first and second derivative are F h F' and F h^2 F'.
//
// Members that lie in another one (ap_network.h) are its leading blocks, u_a too if layer L has a skip connection.
// Otherwise u_a is eliminated from S (ap_entropy.c), and its own fluctuation is put back in closed form. Given U_L it
// has, with s = log u_a, the exponent f (s) = a e^s + b e^{-s} + c s, a = N_a / sigma_a^2, b = N_L t / sigma_L^2, t =
// tr U_L. Integrated, it adds log f'' to log det H, and so its gradient to g; and
//
//   f'' = a u + b/u,  du/dt = (N_L / sigma_L^2) / f'',  d log f''/dt = 2 a (N_L / sigma_L^2) / f''^2,
//   <u_a> = u + the above + u / f'' - u (a u - b/u) / f''^2,   Var (u_a) = 2 u^2 / f'' + 2 grad u' H^{-1} grad u.
//
// Outputs that share one U: the action is that of one of them (ap_energy.c), and the posterior exp (-m S/2) of m
// divides all corrections and variances by m.

#include <math.h>
#include <string.h>

#include "beyond/ap_beyond.h"

size_t ap_expand_unknowns(const ap_problem *p) { return ap_params_unknowns(p->net); }

// ---- means and variances --------------------------------------------------------------------------------------------

typedef struct readout {  // u_a given t = tr U_L: its value, derivatives by t, f'', its own share in mean and variance
    bool fixed;
    double u, first, second, slope, mean, variance;
} readout;

static readout read_out(const ap_net *net, const double *order) {
    const ap_member top = ap_params_member(net, net->L), last = ap_params_member(net, net->L + 1);
    if (!ap_params_eliminated(net)) return (readout){.fixed = ap_params_fixed(net), .u = order[last.at]};
    const double t = ap_params_top_trace(net, order);
    const double u = order[last.at], a = last.width / last.variance, w = top.width / top.variance, b = w * t;
    const double f2 = a * u + b / u;
    return (readout){.u = u,
                     .first = w / f2,
                     .second = -2.0 * a * w * w / (f2 * f2 * f2),
                     .slope = 2.0 * a * w / (f2 * f2),
                     .mean = u / f2 - u * (a * u - b / u) / (f2 * f2),
                     .variance = 2.0 * u * u / f2};
}

// x := F d F', or with `square` F d^2 F', of all members, d given by its coordinates; two, work [Pi x Pi]
static void along(double *x, const ap_net *net, const double *chol, const double *h, bool square, double *work) {
    AP_FREE_MEMBERS (u, net) {
        double *X = x + u.at;
        ap_pairs_unpack(square ? work : X, h + u.first, u.n, 1.0);
        if (square) ap_gemm('N', 'N', u.n, u.n, u.n, 1.0, work, u.n, work, u.n, 0.0, X, u.n);
        ap_spd_multiply('N', X, chol + u.at, u.n);
        ap_spd_symmetrise(X, u.n);
    }
    ap_params_copy_tied(x, net);
}

// Numbers of the chain that are linear in the matrices of `along`: u_a too, where it lies in another member.
static size_t linear(const ap_net *net) {
    const bool lies = ap_params_last(net) > net->L;
    return ap_params_at(net, net->L + 1) + (lies ? 1 : 0);
}

// One sum of (T30): mean [chain] += sum_k weight_k D_k^2 O - grad O' H^{-1} g, and shift [n] -= H^{-1} g, where g is
// given without u_a's share, as t->g. For the gauge weights are 4 beta and the sum is t->g_beta, else weights are 1. x,
// work scratch
static void means(double *mean, double *shift, const ap_net *net, const ap_point *point, const ap_expansion *t,
                  bool gauge, const readout *r, double *x, double *work) {
    const double *h = t->h, *g = gauge ? t->g_beta : t->g;
    const size_t n = ap_params_unknowns(net), last = ap_params_at(net, net->L + 1);
    memset(shift, 0, n * sizeof(double));
    for (size_t k = 0; k < n; k++) {
        const double weight = gauge ? 4.0 * t->beta[k] : 1.0;
        along(x, net, point->chol, h + n * k, false, work);
        const double first = ap_params_top_trace(net, x);
        const double down = ap_dot(n, h + n * k, g) + (gauge ? 0.0 : r->slope * first);
        ap_axpy(n, -down, h + n * k, shift);
        along(x, net, point->chol, h + n * k, true, work);
        ap_axpy(linear(net), weight, x, mean);
        mean[last] += weight * (r->second * first * first + r->first * ap_params_top_trace(net, x));
    }
    along(x, net, point->chol, shift, false, work);
    ap_axpy(linear(net), 1.0, x, mean);
    mean[last] += r->first * ap_params_top_trace(net, x);
}

ap_status ap_expand_order(double *mean, double *sd, double *gauge, double *shift, const ap_problem *p,
                          const ap_point *point, const ap_expansion *t, ap_work *work, ap_error *err) {
    const ap_net *net = p->net;
    const size_t n = ap_params_unknowns(net), chain = ap_params_length(net), last = chain - 1, mark = work->used;
    const size_t paths = ap_net_paths(net, 1);
    const double each = 1.0 / (double)ap_problem_columns(p);
    double *x = ap_take(work, chain), *square = ap_take_matrix(work, paths, paths), *unused = ap_take(work, n);
    ap_status status = unused == NULL ? ap_not_taken(work, err, "ap_expand_order") : AP_OK;
    if (status < 0) goto done;
    const readout r = read_out(net, point->order);
    memset(mean, 0, chain * sizeof(double));
    memset(gauge, 0, chain * sizeof(double));
    memset(sd, 0, chain * sizeof(double));
    means(mean, shift, net, point, t, false, &r, x, square);
    if (ap_kernel_stops(p->kernel)) status = AP_INTERRUPTED;
    if (status != AP_OK) goto done;
    means(gauge, unused, net, point, t, true, &r, x, square);
    mean[last] += r.mean;
    sd[last] = r.variance;
    for (size_t k = 0; k < n; k++) {
        along(x, net, point->chol, t->h + n * k, false, square);
        for (size_t i = 0; i < linear(net); i++) sd[i] += 2.0 * x[i] * x[i];
        sd[last] += 2.0 * pow(r.first * ap_params_top_trace(net, x), 2.0);
    }
    for (size_t i = 0; i < chain; i++) {
        mean[i] = point->order[i] + each * mean[i];
        sd[i] = sqrt(each * sd[i]);
        gauge[i] *= each * each;
    }
    for (size_t i = 0; i < n; i++) shift[i] *= each;
done:
    work->used = mark;
    return status;
}

// ---- all of it ------------------------------------------------------------------------------------------------------

enum { lines_each = 4 };  // lines that each thread follows between two calls of the monitor

ap_status ap_expand(const ap_expanded *to, const ap_problem *p, const ap_point *point, const ap_team *team,
                    bool (*monitor)(void *context, size_t done), void *context, ap_work *work, ap_error *err) {
    const size_t n = ap_params_unknowns(p->net), mark = work->used;
    const size_t most = lines_each * (team == NULL ? 1 : team->threads);
    ap_expansion x = {.h = to->h, .beta = to->beta};
    double *g = ap_take(work, n), *g_beta = ap_take(work, n);
    double *second = ap_take_matrix(work, n, most), *cubic = ap_take(work, most);
    ap_status status = cubic == NULL ? ap_not_taken(work, err, "ap_expand") : AP_OK;
    if (status == AP_OK) status = ap_expand_lines(to->h, to->beta, to->step, p, point, work, err);
    if (status != AP_OK) goto done;
    memset(g, 0, n * sizeof(double));
    memset(g_beta, 0, n * sizeof(double));
    for (size_t first = 0; status == AP_OK && first < n; first += x.count) {
        x.count = n - first < most ? n - first : most;
        x.h = to->h + n * first;
        x.step = to->step + first;
        if (monitor != NULL && monitor(context, first)) status = AP_INTERRUPTED;
        if (status == AP_OK) status = ap_expand_follow(second, cubic, to->rest + first, p, point, &x, team, work, err);
        for (size_t k = 0; status == AP_OK && k < x.count; k++)  // one after the other: the same for any team
            for (size_t i = 0; i < n; i++) {
                g[i] += second[i + n * k];
                g_beta[i] += 4.0 * to->beta[first + k] * second[i + n * k];
            }
    }
    x = (ap_expansion){.count = n, .h = to->h, .beta = to->beta, .g = g, .g_beta = g_beta};
    if (status == AP_OK) status = ap_expand_order(to->mean, to->sd, to->gauge, to->shift, p, point, &x, work, err);
done:
    work->used = mark;
    return status;
}

// ---- draws ----------------------------------------------------------------------------------------------------------

enum { draws_each = 16 };  // whose moves are one product with the lines

ap_status ap_expand_draws(double *U, const ap_problem *p, const ap_point *point, const double *h, const double *shift,
                          size_t count, const uint64_t seed[2], ap_work *work, ap_error *err) {
    const size_t n = ap_params_unknowns(p->net), paths = ap_net_paths(p->net, 1), q = ap_pairs_count(paths);
    const size_t mark = work->used;
    const double size = sqrt(2.0 / (double)ap_problem_columns(p));
    ap_rng rng = ap_rng_start(seed[0], seed[1]);
    double *z = ap_take_matrix(work, n, draws_each), *d = ap_take_matrix(work, q, draws_each);
    double *D = ap_take_matrix(work, paths, paths), *scratch = ap_take_matrix(work, paths, ap_plus(paths, 4));
    ap_status status = scratch == NULL ? ap_not_taken(work, err, "ap_expand_draws") : AP_OK;
    for (size_t k = 0; status == AP_OK && k < count; k++) {
        const size_t j = k % draws_each, some = count - k < draws_each ? count - k : draws_each;
        if (j == 0) {
            for (size_t i = 0; i < some; i++) {
                ap_rng_normals(z + n * i, n, &rng);
                memcpy(d + q * i, shift, q * sizeof(double));
            }
            ap_gemm('N', 'N', q, some, n, size, h, n, z, n, 1.0, d, q);
        }
        if (ap_kernel_stops(p->kernel)) status = AP_INTERRUPTED;
        ap_pairs_unpack(D, d + q * j, paths, 1.0);
        if (status == AP_OK) status = ap_frame_geodesic(U + paths * paths * k, D, point->chol, paths, scratch, err);
    }
    work->used = mark;
    return status;
}
