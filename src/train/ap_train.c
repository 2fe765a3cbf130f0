// ap_train.c: gradient descent on a network whose queries and keys are learned (theory.md section 10)
// SPDX-License-Identifier: BSD-3-Clause
//
// Weights, each as it is used, without the theory's 1 / sqrt (width):
//   z^0 = V_0 x,  z^l = s_l z^{l-1} + sum_h V_l^h z^{l-1} Omega^{l,h} / sqrt (H_l),  f = a' z^L e,
//   Omega^{l,h} = softmax (x' M^{l,h} x),  M^{l,h} = K_h' Q_h / sqrt (G)
// By (T4) the tokens meet only phi = (M^1 .., M^L, w), in
//   f = sum_pi w_pi' x a_pi,   a_{L+1} = e,   a_{(h,pi)} = Omega^{l,h} a_pi,   w_pi = V_0' V_1^{h_1}' .. a / sqrt (Pi)
// (with s_l in the place of V_l^h' / sqrt (H_l), and I of Omega, where a path skips layer l)
// so that a gradient is a pass over tokens in terms of phi alone, which is small, and a fold of dphi into the weights,
// which does not see tokens. For C outputs a is [N_a x C], and w and all u have a column for each path and output, the
// output fastest; the chains a_pi are those of one output, and so is the price of attention. Where tokens span only r
// of their N0 dimensions (equal channels, smooth positions) they come as coordinates in an orthonormal basis
// B [N0 x r], x = B xi, and Q B, K B, V_0 B stand for Q, K, V_0: exact, and up to (N0 / r)^2 times cheaper. A
// token-by-token pass takes N^2 H products a token; these take H r^2:
//   2 n (2 H r^2 + 2 H r T) flops a layer for n tokens, all in matrix products
// The passes come in float, for training, and in double, to check gradients.

#include "train/ap_train.h"

#include <math.h>
#include <string.h>

enum { columns_wanted = 384 };  // tokens at a time; 192 to 768 are equally fast
enum { lanes = 16 };            // a loop of so many compilers turn into vector instructions, a plain sum they may not
enum { parts = 4 };             // of a batch, that may run side by side: derivatives are added up in their order

static size_t heads(const ap_trainer *t, size_t layer) { return t->net->H[layer - 1]; }

static size_t width(const ap_trainer *t, size_t layer) { return ap_weights_width(t->net, layer); }

static size_t outputs(const ap_trainer *t) { return t->outputs == 0 ? 1 : t->outputs; }

// Columns of u^{(layer)}: paths from this layer on, of all outputs
static size_t columns(const ap_trainer *t, size_t layer) { return ap_times(outputs(t), ap_net_paths(t->net, layer)); }

// A layer with a skip connection passes on the `below` columns of the layer above as they are, and others none of them.
static size_t skipped(const ap_trainer *t, size_t layer, size_t below) {
    return ap_net_skip(t->net, layer) > 0.0 ? below : 0;
}

static size_t readout(const ap_trainer *t) {  // numbers in a
    return ap_times(width(t, t->net->L + 1), outputs(t));
}

static size_t chunk_of(const ap_trainer *t) { return (columns_wanted + t->T - 1) / t->T; }

static size_t all_heads(const ap_trainer *t) {
    size_t sum = 0;
    for (size_t l = 1; l <= t->net->L; l++) sum = ap_plus(sum, heads(t, l));
    return sum;
}

static size_t widest(const ap_trainer *t) {
    size_t most = 0;
    for (size_t l = 1; l <= t->net->L; l++)
        if (heads(t, l) > most) most = heads(t, l);
    return most;
}

static size_t chains(const ap_trainer *t) {  // columns of a_1 .. a_{L+1}
    size_t sum = 0;
    for (size_t l = 1; l <= t->net->L + 1; l++) sum = ap_plus(sum, ap_net_paths(t->net, l));
    return sum;
}

static size_t matrices(const ap_trainer *t) { return ap_times(all_heads(t), ap_times(t->rank, t->rank)); }

static size_t fronts(const ap_trainer *t, size_t features) {  // numbers in Q, K and V_0, by features of a token
    return ap_times(ap_plus(ap_times(ap_times(2, t->G), all_heads(t)), width(t, 1)), features);
}

size_t ap_train_parameters(const ap_trainer *t) {
    const size_t values = ap_weights_upper(t->net) - width(t, t->net->L + 1);  // without a, of one output there
    return ap_plus(fronts(t, t->N0), ap_plus(values, readout(t)));
}

size_t ap_train_folded(const ap_trainer *t) { return ap_plus(matrices(t), ap_times(t->rank, columns(t, 1))); }

size_t ap_train_partial(const ap_trainer *t) { return ap_times(outputs(t), ap_weights_partial(t->net)); }

size_t ap_train_seen(const ap_trainer *t) { return t->basis == NULL ? 0 : fronts(t, t->rank); }

// Floats share the arena of doubles.
static float *take_single(ap_work *work, size_t count) { return (float *)(void *)ap_take(work, count / 2 + count % 2); }

static double *take_double(ap_work *work, size_t count) { return ap_take(work, count); }

// ---- in single precision, and in double -----------------------------------------------------------------------------

#define NAME(stem) stem##_single
#define REAL float
#define REAL_OF(x) ((float)(x))
#define SOFTMAX ap_softmax_single
#define GEMM(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) \
    ap_sgemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, (float)(beta), C, ldc)
#include "train/ap_train_pass.inc"
#undef NAME
#undef REAL
#undef REAL_OF
#undef SOFTMAX
#undef GEMM

#define NAME(stem) stem##_double
#define REAL double
#define REAL_OF(x) (x)
#define SOFTMAX ap_softmax
#define GEMM(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) \
    ap_gemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, (double)(beta), C, ldc)
#include "train/ap_train_pass.inc"

// ---- what is trained ------------------------------------------------------------------------------------------------

ap_status ap_train_check(const ap_trainer *t, ap_error *err) {
    const ap_status status = ap_net_check(t->net, err);
    if (status < 0) return status;
    if (t->basis == NULL && t->rank != t->N0)
        return ap_fail(err, AP_EINPUT, "%zu features need tokens of as many numbers, not %zu", t->N0, t->rank);
    if (t->rank == 0 || t->rank > t->N0)
        return ap_fail(err, AP_EINPUT, "%zu features cannot have a basis of %zu columns", t->N0, t->rank);
    if (t->N0 == 0 || t->T == 0 || t->G == 0)
        return ap_fail(err, AP_EINPUT, "%zu features, %zu tokens, %zu rows of queries: none may be 0", t->N0, t->T,
                       t->G);
    for (size_t l = 0; l <= t->net->L; l++)
        if (t->net->width[l] != floor(t->net->width[l]) || t->net->width[l] > 1e6)
            return ap_fail(err, AP_EINPUT, "width %zu is %.10g, training needs whole ones up to 1e6", l + 1,
                           t->net->width[l]);
    if (t->net->read == AP_READ_TOKEN && t->net->token >= t->T)
        return ap_fail(err, AP_EINPUT, "readout token %zu is beyond the %zu tokens", t->net->token + 1, t->T);
    if (ap_train_parameters(t) > SIZE_MAX / 16 || !ap_blas_fits(ap_times(widest(t), t->N0)) ||
        !ap_blas_fits(ap_times(t->T, chunk_of(t))) || !ap_blas_fits(ap_times(t->T, widest(t))) || !ap_blas_fits(t->G) ||
        !ap_blas_fits(columns(t, 1)))
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
    for (size_t l = 1; l <= t->net->L; l++) theta = fill(theta, 2 * t->G * t->N0 * heads(t, l), t->N0, &rng);
    theta = fill(theta, width(t, 1) * t->N0, t->N0, &rng);
    for (size_t l = 1; l <= t->net->L; l++)
        theta = fill(theta, width(t, l + 1) * width(t, l) * heads(t, l), width(t, l), &rng);
    (void)fill(theta, readout(t), width(t, t->net->L + 1), &rng);
}

void ap_train_unfold(float *phi, float *u, float *seen, const ap_trainer *t, const float *theta) {
    unfold_single(phi, u, seen, t, theta, t->basis);
}

void ap_train_fold(float *grad, float *du, float *dseen, const ap_trainer *t, const float *theta, const float *u,
                   const float *seen, const float *dphi) {
    fold_single(grad, du, dseen, t, theta, u, seen, dphi, t->basis);
}

ap_status ap_train_pass(float *dphi, float *f, const ap_trainer *t, const float *phi, const ap_train_batch *batch,
                        float weight, ap_work *work, ap_error *err) {
    const batch_single b = {batch->X, batch->y, batch->P, weight};
    return pass_single(dphi, f, t, phi, &b, work, err);
}

ap_status ap_train_gradient(double *grad, double *loss, const ap_trainer *t, const double *theta, const double *X,
                            const double *y, size_t P, ap_work *work, ap_error *err) {
    const size_t mark = work->used, folded = ap_train_folded(t), partial = ap_train_partial(t);
    const size_t wide = t->basis == NULL ? 0 : t->N0;
    const batch_double batch = {X, y, P, 1.0 / (double)P};
    double *phi = ap_take(work, folded), *dphi = ap_take(work, folded), *u = ap_take(work, partial);
    double *seen = ap_take(work, ap_train_seen(t)), *dseen = ap_take(work, ap_train_seen(t));
    double *B = ap_take_matrix(work, wide, t->rank), *du = ap_take(work, partial);
    double *f = ap_take_matrix(work, outputs(t), P);
    ap_status status = f == NULL ? ap_not_taken(work, err, "ap_train_gradient") : AP_OK;
    if (status < 0) goto done;
    const double *basis = t->basis == NULL ? NULL : B;
    for (size_t i = 0; i < wide * t->rank; i++) B[i] = (double)t->basis[i];
    memset(dphi, 0, folded * sizeof *dphi);
    unfold_double(phi, u, seen, t, theta, basis);
    status = pass_double(dphi, f, t, phi, &batch, work, err);
    if (status < 0) goto done;
    fold_double(grad, du, dseen, t, theta, u, seen, dphi, basis);
    *loss = 0.0;
    for (size_t p = 0; p < outputs(t) * P; p++) *loss += (f[p] - y[p]) * (f[p] - y[p]) / (double)P;
done:
    work->used = mark;
    return status;
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
    j->phi = take_single(work, ap_train_folded(t));
    j->dphi = take_single(work, ap_times(parts, ap_train_folded(t)));
    j->u = take_single(work, ap_train_partial(t));
    j->du = take_single(work, ap_train_partial(t));
    j->seen = take_single(work, ap_train_seen(t));
    j->dseen = take_single(work, ap_train_seen(t));
    j->grad = take_single(work, ap_train_parameters(t));
    j->f = take_single(work, ap_times(outputs(t), j->batch->P));
    return j->f != NULL;
}

static ap_status one_part(void *whole, size_t part, ap_work *work, ap_error *err) {
    const job *j = whole;
    const size_t P = j->batch->P, from = P * part / parts, to = P * (part + 1) / parts, C = outputs(j->t);
    const ap_train_batch own = {j->batch->X + j->t->rank * j->t->T * from, j->batch->y + C * from, to - from};
    return ap_train_pass(j->dphi + ap_train_folded(j->t) * part, j->f + C * from, j->t, j->phi, &own, 1.0f / (float)P,
                         work, err);
}

size_t ap_train_size(const ap_trainer *t, size_t P) {
    const size_t folded = ap_times(parts + 1, ap_train_folded(t)), f = ap_times(outputs(t), P);
    return ap_plus(ap_plus(folded, ap_train_parameters(t)), ap_plus(f, ap_times(2, ap_train_partial(t)))) / 2;
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
    for (size_t p = 0; p < outputs(t) * P; p++) *loss += (double)((j.f[p] - y[p]) * (j.f[p] - y[p])) / (double)P;
    ap_train_fold(j.grad, j.du, j.dseen, t, s->theta, j.u, j.seen, j.dphi);
    ap_train_adam(s->theta, s->m, s->v, ap_train_parameters(t), j.grad, pace->number, pace->rate, pace->decay);
done:
    work->used = mark;
    return status;
}
