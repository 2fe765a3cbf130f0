// ap_train.c: gradient descent on a network whose queries and keys are learned (theory.md section 10)
// SPDX-License-Identifier: BSD-3-Clause
//
// Weights, each as it is used, without the theory's 1 / sqrt (width):
//   z^0 = V_0 x,  z^l = s_l z^{l-1} + sum_h V_l^h z^{l-1} Omega^{l,h} / sqrt (H_l),  f = a' z^L e,
//   Omega^{l,h} = softmax (x' M^{l,h} x),  M^{l,h} = K_h' Q_h / sqrt (G)
// The derivatives are those of ap_train_pass.c.

#include "train/ap_train.h"

#include <math.h>
#include <string.h>

enum { lanes = 16 };  // a loop of so many compilers turn into vector instructions
enum { parts = 4 };   // of a batch, that may run side by side: derivatives are added up in their order

// ---- what is trained ------------------------------------------------------------------------------------------------

ap_status ap_train_check(const ap_trainer *t, ap_error *err) {
    const ap_status status = ap_net_check(t->net, err);
    if (status < 0) return status;
    if (t->basis == NULL && t->rank != t->N0)
        return ap_fail(err, AP_EINPUT, "%zu features need tokens of as many numbers, not %zu", t->N0, t->rank);
    if (t->rank == 0 || t->rank > t->N0)
        return ap_fail(err, AP_EINPUT, "%zu features cannot have a basis of %zu columns", t->N0, t->rank);
    if (t->N0 == 0 || t->T == 0 || t->G == 0 || t->C == 0)
        return ap_fail(err, AP_EINPUT, "%zu features, %zu tokens, %zu rows of queries, %zu outputs: none may be 0",
                       t->N0, t->T, t->G, t->C);
    for (size_t l = 0; l <= t->net->L; l++)
        if (t->net->width[l] != floor(t->net->width[l]) || t->net->width[l] > 1e6)
            return ap_fail(err, AP_EINPUT, "width %zu is %.10g, training needs whole ones up to 1e6", l + 1,
                           t->net->width[l]);
    if (t->net->read == AP_READ_ALL)
        return ap_fail(err, AP_EINPUT, "training reads one token, or their mean, not all of them");
    if (t->net->read == AP_READ_TOKEN && t->net->token >= t->T)
        return ap_fail(err, AP_EINPUT, "readout token %zu is beyond the %zu tokens", t->net->token + 1, t->T);
    if (ap_train_parameters(t) > SIZE_MAX / 16 || !ap_blas_fits(ap_times(ap_train_widest(t), t->N0)) ||
        !ap_blas_fits(ap_times(t->T, ap_train_chunk(t))) || !ap_blas_fits(ap_times(t->T, ap_train_widest(t))) ||
        !ap_blas_fits(t->G) || !ap_blas_fits(ap_train_columns(t, 1)))
        return ap_fail(err, AP_ESIZE, "this network has too many weights, tokens or paths to be trained");
    return AP_OK;
}

static float *fill(float *theta, size_t count, size_t fan, ap_rng *rng) {
    const double bound = 1.0 / sqrt((double)fan);
    for (size_t i = 0; i < count; i++) theta[i] = (float)(bound * (2.0 * ap_rng_uniform(rng) - 1.0));
    return theta + count;
}

void ap_train_start(float *theta, const ap_trainer *t, uint64_t seed) {
    ap_rng rng = ap_rng_start(seed, 0);
    for (size_t l = 1; l <= t->net->L; l++) theta = fill(theta, 2 * t->G * t->N0 * t->net->H[l - 1], t->N0, &rng);
    theta = fill(theta, ap_weights_width(t->net, 1) * t->N0, t->N0, &rng);
    for (size_t l = 1; l <= t->net->L; l++)
        theta = fill(theta, ap_weights_width(t->net, l + 1) * ap_weights_width(t->net, l) * t->net->H[l - 1],
                     ap_weights_width(t->net, l), &rng);
    (void)fill(theta, ap_train_readout(t), ap_weights_width(t->net, t->net->L + 1), &rng);
}

// Adam (Kingma, Ba, arXiv:1412.6980) with its usual constants; the decay is added to the gradient, as a ridge would
typedef struct adam {
    float b1, b2, ridge, pace, root, eps;
} adam;

static inline void descend(float *theta, float *m, float *v, float grad, const adam a) {
    const float g = grad + a.ridge * *theta;
    *m = a.b1 * *m + (1.0f - a.b1) * g;
    *v = a.b2 * *v + (1.0f - a.b2) * g * g;
    *theta -= a.pace * *m / (sqrtf(*v) * a.root + a.eps);
}

void ap_train_adam(float *restrict theta, float *restrict m, float *restrict v, size_t n, const float *restrict grad,
                   double step, double rate, double decay) {
    const double beta1 = 0.9, beta2 = 0.999;
    const adam a = {.b1 = (float)beta1,
                    .b2 = (float)beta2,
                    .ridge = (float)decay,
                    .pace = (float)(rate / (1.0 - pow(beta1, step))),
                    .root = (float)(1.0 / sqrt(1.0 - pow(beta2, step))),
                    .eps = 1e-8f};
    for (; n >= lanes; n -= lanes, theta += lanes, m += lanes, v += lanes, grad += lanes)
        for (size_t i = 0; i < lanes; i++) descend(theta + i, m + i, v + i, grad[i], a);
    for (size_t i = 0; i < n; i++) descend(theta + i, m + i, v + i, grad[i], a);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

typedef struct job {  // what the parts of a batch share
    const ap_trainer *t;
    const ap_train_batch *batch;
    float *phi, *u, *seen;     // ap_train_unfold
    float *dphi;               // [folded x parts]
    float *f;                  // [C x P]
    float *grad, *du, *dseen;  // ap_train_fold
} job;

static bool take_job(job *j, ap_work *work) {
    const ap_trainer *t = j->t;
    j->phi = ap_train_take(work, ap_train_folded(t));
    j->dphi = ap_train_take(work, ap_times(parts, ap_train_folded(t)));
    j->u = ap_train_take(work, ap_train_partial(t));
    j->du = ap_train_take(work, ap_train_partial(t));
    j->seen = ap_train_take(work, ap_train_seen(t));
    j->dseen = ap_train_take(work, ap_train_seen(t));
    j->grad = ap_train_take(work, ap_train_parameters(t));
    j->f = ap_train_take(work, ap_times(t->C, j->batch->P));
    return j->f != NULL;
}

static ap_status one_part(void *whole, size_t part, ap_work *work, ap_error *err) {
    const job *j = whole;
    const size_t P = j->batch->P, from = P * part / parts, to = P * (part + 1) / parts, C = j->t->C;
    const ap_train_batch own = {j->batch->X + j->t->rank * j->t->T * from, j->batch->y + C * from, to - from};
    return ap_train_pass(j->dphi + ap_train_folded(j->t) * part, j->f + C * from, j->t, j->phi, &own, 1.0f / (float)P,
                         work, err);
}

size_t ap_train_size(const ap_trainer *t, size_t P) {
    const size_t folded = ap_times(parts + 1, ap_train_folded(t)), f = ap_times(t->C, P);
    return ap_plus(ap_plus(folded, ap_train_parameters(t)),
                   ap_plus(f, ap_times(2, ap_plus(ap_train_partial(t), ap_train_seen(t))))) /
           2;
}

ap_status ap_train_step(const ap_train_state *s, double *loss, const ap_trainer *t, const ap_train_batch *batch,
                        const ap_train_pace *pace, const ap_team *team, ap_work *work, ap_error *err) {
    const size_t folded = ap_train_folded(t), mark = work->used, P = batch->P;
    const float *y = batch->y;
    job j = {.t = t, .batch = batch};
    ap_status status = take_job(&j, work) ? AP_OK : ap_not_taken(work, err, "ap_train_step");
    if (status < 0) goto done;
    ap_train_unfold(j.phi, j.u, j.seen, t, s->theta);
    memset(j.dphi, 0, parts * folded * sizeof *j.dphi);
    status = ap_team_run(team, one_part, &j, parts, work, err);
    if (status < 0) goto done;
    for (size_t k = 1; k < parts; k++)
        for (size_t i = 0; i < folded; i++) j.dphi[i] += j.dphi[i + folded * k];
    *loss = 0.0;
    for (size_t p = 0; p < t->C * P; p++) *loss += (double)((j.f[p] - y[p]) * (j.f[p] - y[p])) / (double)P;
    ap_train_fold(j.grad, j.du, j.dseen, t, s->theta, j.u, j.seen, j.dphi);
    ap_train_adam(s->theta, s->m, s->v, ap_train_parameters(t), j.grad, pace->number, pace->rate, pace->decay);
done:
    work->used = mark;
    return status;
}
