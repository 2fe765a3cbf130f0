// ap_logdet.c: the log determinant of the action's Hessian by stochastic Lanczos quadrature
// SPDX-License-Identifier: BSD-3-Clause
//
// Of many paths the Hessian fits no memory: 256 paths are 33 000 unknowns. H is the one of ap_second.c, along the
// retraction in the frame U_l = F_l exp (d_l) F_l', u_a eliminated, in coordinates that are orthonormal for the inner
// product sum_l tr (d_l d_l): vectors are the symmetric matrices d_l themselves, end to end. The preconditioner
// M = C C' of ap_bend.c has its determinant at hand, and
//
//   log det H = log det M + tr log (C^{-1} H C^{-T}),     tr log B = E [ z' log B z ],
//
// z of independent signs. k steps of Lanczos' method from z make a tridiagonal matrix, whose eigenvalues theta_j and
// squared first components tau_j of eigenvectors are Gauss' rule for z' log B z = |z|^2 sum_j tau_j log theta_j
// (Ubaru, Chen, Saad 2017). Where N_l >= Pi_l, as (T25) wants, B is close to the identity: its eigenvalues were 0.9 to
// 1.3 for 36 paths, N = 60, P = 100, and a few steps are enough. The basis is orthogonalised anew at every step.
// The error that is reported is that of the mean over z; the quadrature's own is below `enough` of a nat.
// Cost: a product with H a step, 4 P^3 flops and an evaluation's kernels.

#include "beyond/ap_logdet.h"

#include <math.h>
#include <string.h>

#include "saddle/ap_bend.h"
#include "base/ap_blas.h"
#include "base/ap_core.h"
#include "network/ap_order.h"
#include "saddle/ap_product.h"
#include "base/ap_spd.h"

enum { most = 60 };  // steps

static const double enough = 1e-3;

typedef struct lanczos {
    const ap_problem *p;
    const ap_point *point;
    size_t n;  // numbers in U_1 .. U_L
    ap_bend bend;
    double *V;              // [n x (most + 1)] orthonormal basis
    double *D, *M;          // [n + 1] C^{-T} v; H times it
    double *X, *s, *K, *w;  // [Pi x Pi] twice, [P x P], [P x columns of labels] scratch
    double *T, *theta;      // [most x most], [4 most] the tridiagonal matrix, its eigenvalues and scratch
    double *h;              // [most + 1]
    double diagonal[most], beside[most];
    ap_work *work;
    ap_error *err;
} lanczos;

static ap_status take(lanczos *t) {
    const size_t P = t->p->kernel->P, cells = ap_times(t->p->kernel->paths, t->p->kernel->paths);
    ap_work *work = t->work;
    const ap_status status = ap_bend_take(&t->bend, t->p->net, work, t->err);
    if (status < 0) return status;
    t->V = ap_take_matrix(work, t->n, most + 1);
    t->D = ap_take(work, t->n + 1);
    t->M = ap_take(work, t->n + 1);
    t->X = ap_take(work, cells);
    t->s = ap_take(work, cells);
    t->K = ap_take_matrix(work, P, P);
    t->w = ap_take_matrix(work, P, ap_problem_columns(t->p));
    t->T = ap_take_matrix(work, most, most);
    t->theta = ap_take_matrix(work, most, 4);
    t->h = ap_take(work, most + 1);
    return t->h == NULL ? ap_not_taken(work, t->err, "ap_logdet") : AP_OK;
}

// Bv := C^{-1} H C^{-T} v
static ap_status product(double *Bv, lanczos *t, const double *v) {
    const size_t m = t->p->kernel->paths;
    if (!t->work->counts) {
        if (t->p->kernel->stop != NULL && t->p->kernel->stop(t->p->kernel->context)) return AP_INTERRUPTED;
        memcpy(t->D, v, t->n * sizeof(double));
        ap_bend_back(t->D, &t->bend);
        ap_bend_apply(t->M, &t->bend, t->D);
        memcpy(t->X, t->D, m * m * sizeof(double));
        ap_trmm('L', 'N', m, m, 1.0, t->point->chol, m, t->X, m);
        ap_trmm('R', 'T', m, m, 1.0, t->point->chol, m, t->X, m);
    }
    const ap_status status = ap_product_energy(t->X, t->p, &t->point->fit, t->K, t->w, t->work, t->err);
    if (status < 0 || t->work->counts) return status;
    ap_spd_congruence(t->D, t->X, t->point->chol, m, t->s);
    ap_axpy(m * m, 1.0, t->D, t->M);
    ap_bend_forth(t->M, &t->bend);
    memcpy(Bv, t->M, t->n * sizeof(double));
    return AP_OK;
}

// v := symmetric matrices with entries of 1 or -1, over sqrt (2) off the diagonal: one sign for each coordinate.
static void probe(double *v, const ap_net *net, ap_rng *rng) {
    for (size_t l = 1; l <= net->L; l++) {
        const ap_member u = ap_order_member(net, l);
        double *d = v + u.at;
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i <= j; i++) {
                const double sign = ap_rng_uniform(rng) < 0.5 ? -1.0 : 1.0;
                d[i + u.n * j] = d[j + u.n * i] = i == j ? sign : sign * sqrt(0.5);
            }
    }
}

// *value := Gauss' rule of k steps for v' log B v, |v| = 1.
static ap_status rule(double *value, lanczos *t, size_t k) {
    memset(t->T, 0, k * k * sizeof(double));
    for (size_t j = 0; j < k; j++) {
        t->T[j + k * j] = t->diagonal[j];
        if (j > 0) t->T[j + k * (j - 1)] = t->T[j - 1 + k * j] = t->beside[j - 1];
    }
    if (!ap_syev('V', k, t->T, k, t->theta, t->theta + most))
        return ap_fail(t->err, AP_ELAPACK, "dsyev did not converge (order %zu)", k);
    if (!(t->theta[0] > 0.0))
        return ap_fail(t->err, AP_ENOTSPD, "the Hessian of the action is not positive definite: this is no minimum");
    *value = 0.0;
    for (size_t j = 0; j < k; j++) *value += t->T[k * j] * t->T[k * j] * log(t->theta[j]);
    return AP_OK;
}

// *value := z' log B z for the z that is in the first column of V.
static ap_status quadrature(double *value, lanczos *t, double unknowns) {
    const size_t n = t->n;
    double before = INFINITY, length = sqrt(ap_dot(n, t->V, t->V));
    for (size_t i = 0; i < n; i++) t->V[i] /= length;
    for (size_t k = 0;; k++) {
        double *next = t->V + n * (k + 1), here = 0.0;
        ap_status status = product(next, t, t->V + n * k);
        if (status != AP_OK) return status;
        t->diagonal[k] = ap_dot(n, t->V + n * k, next);
        for (int pass = 0; pass < 2; pass++) {
            ap_gemv('T', n, k + 1, 1.0, t->V, n, next, 0.0, t->h);
            ap_gemv('N', n, k + 1, -1.0, t->V, n, t->h, 1.0, next);
        }
        t->beside[k] = length = sqrt(ap_dot(n, next, next));
        status = rule(&here, t, k + 1);
        if (status < 0) return status;
        *value = unknowns * here;
        if (k > 0 && fabs(*value - before) <= enough) return AP_OK;
        if (k + 1 == most || (double)(k + 1) >= unknowns || !(length > 1e-12 * t->theta[k])) return AP_OK;
        before = *value;
        for (size_t i = 0; i < n; i++) next[i] /= length;
    }
}

static ap_status average(double *mean, double *se, lanczos *t, size_t probes, uint64_t seed) {
    const double unknowns = (double)ap_order_unknowns(t->p->net), count = (double)probes;
    double squares = 0.0;
    *mean = 0.0;
    for (size_t k = 0; k < probes; k++) {
        ap_rng rng = ap_rng_start(seed, k);
        double value = 0.0;
        probe(t->V, t->p->net, &rng);
        const ap_status status = quadrature(&value, t, unknowns);
        if (status != AP_OK) return status;
        const double away = value - *mean;
        *mean += away / (double)(k + 1);
        squares += away * (value - *mean);
    }
    *se = sqrt(squares / (count * (count - 1.0)));
    return AP_OK;
}

ap_status ap_logdet_hessian(double *logdet, double *se, const ap_problem *p, const ap_point *point, size_t probes,
                            uint64_t seed, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    lanczos t = {.p = p, .point = point, .n = ap_order_at(p->net, p->net->L + 1), .work = work, .err = err};
    ap_status status = take(&t);
    if (status == AP_OK && work->counts) {
        status = product(t.D, &t, t.D);
    } else if (status == AP_OK) {
        status = ap_bend_make(&t.bend, point, 1.0, err);
        if (status == AP_OK) status = average(logdet, se, &t, probes, seed);
        if (status == AP_OK) *logdet += ap_bend_logdet(&t.bend);
    }
    work->used = mark;
    return status;
}
