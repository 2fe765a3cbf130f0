// ap_expand_lines.c: lines through the minimum, and derivatives of the action along them (T32)
// SPDX-License-Identifier: BSD-3-Clause
//
// The mean of ap_expand.c needs g = tr (H^{-1} grad^3 S). With H^{-1} = sum_k j_k j_k' it is the sum of second
// differences of grad S along the lines +- e j_k. S is stationary, so that the retraction F (I + d + d^2/2) F' serves
// as well as exp; with R = F' (dS/dU) F at its end the gradient by d is R + (d R + R d)/2.
//
// Which lines. The measure is flat but for the Jacobian of the coordinates, log J = sum_l [n tr d_l^2 - (tr d_l)^2]/24
// = d' B d, which acts at the next order: 8 H^{-1} B H^{-1} in the place of 2 H^{-1} in the means, half of it in
// (T30). The j_k are chosen so that B is diagonal in them, j_i' B j_k = beta_k delta_ik; then the shift by J is (T30)
// with each line's terms times 4 beta_k, and the same lines give it. It estimates the terms that (T30) neglects.
//
// Which step. Second differences of the gradient err by truncation, d^2/12 of themselves over the scale of U's own
// logarithm, d = e |h|, and by rounding, 4 nu/d^2, where nu is the noise of S over min (N), as H^{-1} carries it to the
// narrowest layer: both are equal at d = (48 nu)^(1/4). A step never exceeds 0.1 of a line's standard deviation over
// sqrt (2), where S is stiff, nor 0.1 of U, where nu is large: ap_expand_rounding bounds the effect of rounding there.
//
// How far a line is from its parabola: S at one standard deviation, e = sqrt (2), where the parabola is 1, along the
// geodesic, on the side to which the cubic term leans, less 1 and less the cubic term.
//
// Cost: H (ap_hessian.c), about 10 n^3 flops, and for each of the n lines two gradients and one value.

#include <float.h>
#include <math.h>
#include <string.h>

#include "beyond/ap_beyond.h"

static const double most_step = 0.1;

// ---- lines ----------------------------------------------------------------------------------------------------------

// B := the form log J, lower.
static void jacobian(double *B, const ap_net *net) {
    const size_t n = ap_params_unknowns(net);
    memset(B, 0, n * n * sizeof(double));
    AP_FREE_MEMBERS (u, net) {
        double *corner = B + u.first + n * u.first;
        for (size_t b = 0; b < u.n; b++)
            for (size_t a = 0; a <= b; a++) {
                const size_t k = ap_pairs_number(a, b);
                corner[k + n * k] = (double)u.n * (a < b ? 2.0 : 1.0) / 24.0;
                for (size_t c = 0; a == b && c <= a; c++) corner[k + n * ap_pairs_number(c, c)] -= 1.0 / 24.0;
            }
    }
}

static double relative_noise(const ap_problem *p, const ap_point *point) {
    double least = INFINITY;
    for (size_t l = 0; l <= p->net->L; l++) least = fmin(least, p->net->width[l]);
    return fmax(point->noise / least, DBL_EPSILON);
}

static double move(double noise) { return fmin(most_step, pow(48.0 * noise, 0.25)); }

double ap_expand_rounding(const ap_problem *p, const ap_point *point) {
    const double noise = relative_noise(p, point), d = move(noise);
    return 4.0 * noise / (d * d);
}

// X := F^{-t} X, or from the right X F^{-t}, of n rows and columns.
static ap_status divide(char side, char t, double *X, const double *F, size_t n, const ap_kernel *stops) {
    const size_t panel = ap_hessian_panel(n);
    for (size_t j = 0; j < n; j += panel) {
        const size_t m = n - j < panel ? n - j : panel;
        if (ap_kernel_stops(stops)) return AP_INTERRUPTED;
        if (side == 'L')
            ap_trsm('L', t, n, m, 1.0, F, n, X + n * j, n);
        else
            ap_trsm('R', t, m, n, 1.0, F, n, X + j, n);
    }
    return AP_OK;
}

// B := F^{-1} B F^{-T}, lower.
static ap_status congruent(double *B, const double *F, size_t n, const ap_kernel *stops, ap_error *err) {
    if (ap_hessian_panel(n) == n)
        return ap_sygst('N', n, B, n, F, n) ? AP_OK
                                            : ap_fail(err, AP_ELAPACK, "dsygst refuses a matrix of order %zu", n);
    ap_spd_mirror(B, n);
    const ap_status status = divide('L', 'N', B, F, n, stops);
    return status == AP_OK ? divide('R', 'T', B, F, n, stops) : status;
}

ap_status ap_expand_lines(double *h, double *beta, double *step, const ap_problem *p, const ap_point *point,
                          ap_work *work, ap_error *err) {
    const size_t n = ap_params_unknowns(p->net), mark = work->used;
    double *H = ap_take_matrix(work, n, n), *scratch = ap_take(work, ap_syevd_size(n));
    ap_status status = scratch == NULL ? ap_not_taken(work, err, "ap_expand_lines") : AP_OK;
    if (status == AP_OK) status = ap_hessian_action(H, p, point, work, err);
    if (status == AP_OK) status = ap_hessian_factor(H, n, p->kernel, err);
    if (status != AP_OK) goto done;
    jacobian(h, p->net);
    status = congruent(h, H, n, p->kernel, err);
    if (status == AP_OK) status = ap_spd_eigen('D', beta, h, n, "the Jacobian along the lines", scratch, err);
    if (status == AP_OK) status = divide('L', 'T', h, H, n, p->kernel);
    for (size_t k = 0; status == AP_OK && k < n; k++) {
        beta[k] = fmax(beta[k], 0.0);  // rounding can cross zero
        step[k] = fmin(most_step, move(relative_noise(p, point)) / ap_frame_length(h + n * k, p->net));
    }
done:
    work->used = mark;
    return status;
}

// ---- along a line ---------------------------------------------------------------------------------------------------

typedef struct worker {  // one thread's memory
    ap_point here;
    ap_frame frame;
    double *d, *work;  // [Pi x Pi], [Pi (Pi + 4)]
    double *v;         // [n] a gradient
} worker;

typedef struct follow {
    const ap_problem *p;
    const ap_point *point;
    const ap_expansion *x;
    double *second, *cubic, *rest;
    size_t n;
} follow;

static ap_status take_worker(worker *w, const ap_problem *p, ap_work *work, ap_error *err) {
    const size_t paths = ap_net_paths(p->net, 1);
    ap_status status = ap_point_take(&w->here, p, work, err);
    if (status == AP_OK) status = ap_frame_take(&w->frame, p->net, work, err);
    if (status < 0) return status;
    w->d = ap_take_matrix(work, paths, paths);
    w->work = ap_take_matrix(work, paths, ap_plus(paths, 4));
    w->v = ap_take(work, ap_params_unknowns(p->net));
    return w->v == NULL ? ap_not_taken(work, err, "ap_expand_follow") : AP_OK;
}

// The point at e h, on the retraction or, exactly, on the geodesic.
static ap_status go(worker *w, const follow *f, const double *h, double e, bool exactly, ap_work *work, ap_error *err) {
    ap_status status = AP_OK;
    AP_FREE_MEMBERS (u, f->p->net) {
        ap_pairs_unpack(w->d, h + u.first, u.n, 1.0);
        for (size_t i = 0; i < u.n * u.n; i++) w->d[i] *= e;
        double *U = w->here.order + u.at;
        const double *F = f->point->chol + u.at;
        if (exactly)
            status = ap_frame_geodesic(U, w->d, F, u.n, w->work, err);
        else
            ap_frame_retract(U, 1.0, w->d, F, u.n);
        if (status < 0) return status;
    }
    return ap_action_value(&w->here, f->p, work, err);
}

// v := the gradient by d at the end of the retraction, after go.
static ap_status slope(worker *w, const follow *f, const double *h, double e, ap_work *work, ap_error *err) {
    const ap_status status = ap_action_gradient(&w->here, f->p, work, err);
    if (status < 0) return status;
    ap_frame_gradient(w->v, &w->frame, &w->here);
    AP_FREE_MEMBERS (u, f->p->net) {
        double *R = w->frame.matrix + u.at;
        ap_pairs_unpack(w->d, h + u.first, u.n, 1.0);
        memcpy(w->work, R, u.n * u.n * sizeof(double));
        ap_gemm('N', 'N', u.n, u.n, u.n, 0.5 * e, w->d, u.n, w->work, u.n, 1.0, R, u.n);
        ap_gemm('N', 'N', u.n, u.n, u.n, 0.5 * e, w->work, u.n, w->d, u.n, 1.0, R, u.n);
    }
    ap_params_derivative(w->v, f->p->net, w->frame.matrix);
    return AP_OK;
}

// S at one standard deviation, less its parabola and cubic term; infinite where it cannot be computed.
static ap_status look(double *rest, worker *w, const follow *f, const double *h, double cubic, ap_work *work,
                      ap_error *err) {
    const ap_status status = go(w, f, h, cubic > 0.0 ? -sqrt(2.0) : sqrt(2.0), true, work, err);
    const bool nothing = ap_is_no_point(status);
    *rest = status == AP_OK ? w->here.action - f->point->action - 1.0 + fabs(cubic) * sqrt(2.0) / 3.0 : INFINITY;
    return nothing ? AP_OK : status;
}

static ap_status one_line(void *job, size_t k, ap_work *work, ap_error *err) {
    follow *f = job;
    const size_t n = f->n, mark = work->used;
    const double *h = f->x->h + n * k, e = f->x->step[k];
    double *second = f->second + n * k;
    worker w = {0};
    if (ap_kernel_stops(f->p->kernel)) return AP_INTERRUPTED;
    ap_status status = take_worker(&w, f->p, work, err);
    if (status < 0) goto done;
    ap_frame_move(&w.frame, f->point);
    ap_frame_gradient(w.v, &w.frame, f->point);  // where the lines meet, which is rounding
    for (size_t i = 0; i < n; i++) second[i] = -2.0 * w.v[i];
    for (int side = -1; status == AP_OK && side <= 1; side += 2) {
        status = go(&w, f, h, side * e, false, work, err);
        if (status == AP_OK) status = slope(&w, f, h, side * e, work, err);
        if (status == AP_OK) ap_axpy(n, 1.0, w.v, second);
    }
    if (status < 0) goto done;
    for (size_t i = 0; i < n; i++) second[i] /= e * e;
    f->cubic[k] = ap_dot(n, h, second);
    status = look(f->rest + k, &w, f, h, f->cubic[k], work, err);
done:
    work->used = mark;
    return status;
}

ap_status ap_expand_follow(double *second, double *cubic, double *rest, const ap_problem *p, const ap_point *point,
                           const ap_expansion *x, const ap_team *team, ap_work *work, ap_error *err) {
    follow f = {.p = p, .point = point, .x = x, .second = second, .cubic = cubic, .rest = rest};
    f.n = ap_params_unknowns(p->net);
    return ap_team_run(team, one_line, &f, x->count, work, err);
}
