// ap_logdet.c: the log determinant of the action's Hessian by stochastic Lanczos quadrature
// SPDX-License-Identifier: BSD-3-Clause
//
// The Hessian of many paths fits no memory: 256 paths are 33 000 unknowns. H is the one of ap_hessian.c, along the
// retraction in the frame U_l = F_l exp (d_l) F_l', u_a eliminated, in coordinates that are orthonormal for the inner
// product sum_l tr (d_l d_l): vectors are the symmetric matrices d_l themselves, end to end, with zeros
// for members that are not free. The preconditioner
// M = C C' of ap_entropy_hessian.c has its determinant at hand, and
//
//   log det H = log det M + tr log (C^{-1} H C^{-T}),     tr log B = E [ z' log B z ],
//
// z of independent signs, and z' log B z by Lanczos' method (ap_krylov.c).
// Where N_l >= Pi_l, as (T25) requires, B is close to the identity: its eigenvalues were 0.9 to
// 1.3 for 36 paths, N = 60, P = 100, and a few steps are enough.
// How many z there are is the caller's ('Probes' of attnpath_evidence.m). The error that is reported is that of the
// mean over z; the quadrature's own is below `enough` of a nat.
// Cost: a product with H a step, 4 P^3 flops and an evaluation's kernels.

#include "beyond/ap_beyond.h"

#include <math.h>
#include <string.h>

enum { most = 60 };  // steps

static const double enough = 1e-3;

typedef struct quadrature {
    size_t n;  // numbers in U_1 .. U_L
    ap_hessian_operator H;
    ap_krylov_lanczos lanczos;
    double *D, *M;  // [n + 1] C^{-T} v; H times it
    ap_work *work;
    ap_error *err;
} quadrature;

// Bv := C^{-1} H C^{-T} v
static ap_status product(double *Bv, void *self, const double *v) {
    quadrature *t = self;
    memcpy(t->D, v, t->n * sizeof(double));
    ap_entropy_hessian_back(t->D, &t->H.entropy);
    const ap_status status = ap_hessian_operator_apply(t->M, &t->H, t->D, t->work, t->err);
    if (status != AP_OK) return status;
    ap_entropy_hessian_forth(t->M, &t->H.entropy);
    memcpy(Bv, t->M, t->n * sizeof(double));
    return AP_OK;
}

// v := symmetric matrices with entries of 1 or -1, over sqrt (2) off the diagonal: one sign for each coordinate.
static void probe(double *v, const ap_net *net, ap_rng *rng) {
    AP_FREE_MEMBERS (u, net) {
        double *d = v + u.at;
        for (size_t j = 0; j < u.n; j++)
            for (size_t i = 0; i <= j; i++) {
                const double sign = ap_rng_uniform(rng) < 0.5 ? -1.0 : 1.0;
                d[i + u.n * j] = d[j + u.n * i] = i == j ? sign : sign * sqrt(0.5);
            }
    }
    ap_params_clear(v, net);
}

static ap_status average(double *mean, double *se, quadrature *t, const ap_net *net, size_t probes, uint64_t seed) {
    const double unknowns = (double)ap_params_unknowns(net), count = (double)probes;
    double squares = 0.0;
    *mean = 0.0;
    for (size_t k = 0; k < probes; k++) {
        ap_rng rng = ap_rng_start(seed, k);
        double value = 0.0;
        probe(t->lanczos.V, net, &rng);
        const ap_status status = ap_krylov_log(&value, &t->lanczos, product, t, unknowns, enough, t->err);
        if (status == AP_ENOTSPD) return ap_hessian_no_minimum(t->err);
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
    quadrature t = {.n = ap_params_at(p->net, p->net->L + 1), .work = work, .err = err};
    ap_status status = ap_hessian_operator_take(&t.H, p, AP_SOLVED, 0, work, err);
    if (status == AP_OK) status = ap_krylov_lanczos_take(&t.lanczos, t.n, most, work, err);
    AP_TAKE_EACH(work, t.n + 1, &t.D, &t.M);
    if (status == AP_OK && t.M == NULL) status = ap_not_taken(work, err, "ap_logdet");
    if (status == AP_OK) status = ap_hessian_operator_make(&t.H, point, AP_RETRACTION, err);
    if (status == AP_OK) status = average(logdet, se, &t, p->net, probes, seed);
    if (status == AP_OK) *logdet += ap_entropy_hessian_logdet(&t.H.entropy);
    work->used = mark;
    return status;
}
