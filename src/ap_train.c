// ap_train.c: gradient descent on a network whose queries and keys are learned (theory.md section 10)
// SPDX-License-Identifier: BSD-3-Clause
//
// Weights, each as it is used, without the theory's 1 / sqrt (width):
//   z^0 = V_0 x,  z^l = sum_h V_l^h z^{l-1} Omega^{l,h} / sqrt (H_l),  f = a' z^L e,
//   Omega^{l,h} = softmax (x' M^{l,h} x),  M^{l,h} = K_h' Q_h / sqrt (G)
// By (T4) the tokens meet only phi = (M^1 .., M^L, w), in
//   f = sum_pi w_pi' x a_pi,   a_{L+1} = e,   a_{(h,pi)} = Omega^{l,h} a_pi,   w_pi = V_0' V_1^{h_1}' .. a / sqrt (Pi)
// so that a gradient is a pass over tokens in terms of phi alone, which is small, and a fold of dphi into the weights,
// which does not see tokens. Where tokens span only r of their N0 dimensions (equal channels, smooth positions) they
// come as coordinates in an orthonormal basis B [N0 x r], x = B xi, and Q B, K B, V_0 B stand for Q, K, V_0: exact,
// and up to (N0 / r)^2 times cheaper. A token-by-token pass takes N^2 H products a token; these take H r^2:
//   2 n (2 H r^2 + 2 H r T) flops a layer for n tokens, all in matrix products
// The passes come in float, for training, and in double, to check gradients.

#include <math.h>
#include <string.h>

#include "ap_blas.h"
#include "ap_weights.h"

enum { columns_wanted = 384 };  // tokens at a time; 192 to 768 are equally fast
enum { lanes = 16 };            // a loop of so many compilers turn into vector instructions, a plain sum they may not

static size_t heads(const ap_trainer *t, size_t layer) { return t->net->H[layer - 1]; }

static size_t width(const ap_trainer *t, size_t layer) { return ap_weights_width(t->net, layer); }

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

static size_t partials(const ap_trainer *t) { return ap_weights_partial(t->net); }  // numbers in u^{(1)} .. u^{(L)}, a

static size_t matrices(const ap_trainer *t) { return ap_times(all_heads(t), ap_times(t->rank, t->rank)); }

static size_t fronts(const ap_trainer *t, size_t features) {  // numbers in Q, K and V_0, by features of a token
    return ap_times(ap_plus(ap_times(ap_times(2, t->G), all_heads(t)), width(t, 1)), features);
}

size_t ap_train_parameters(const ap_trainer *t) { return ap_plus(fronts(t, t->N0), ap_weights_upper(t->net)); }

size_t ap_train_folded(const ap_trainer *t) { return ap_plus(matrices(t), ap_times(t->rank, ap_net_paths(t->net, 1))); }

size_t ap_train_partial(const ap_trainer *t) { return partials(t); }

size_t ap_train_seen(const ap_trainer *t) { return t->basis == NULL ? 0 : fronts(t, t->rank); }

static size_t floats(size_t count) { return ap_plus(count, 1) / 2; }  // doubles that hold so many floats

static size_t same(size_t count) { return count; }

static size_t room(const ap_trainer *t, size_t (*size)(size_t)) {
    const size_t T = t->T, n = ap_times(T, chunk_of(t));
    size_t sum = size(ap_times(ap_times(widest(t), t->rank), n));
    sum = ap_plus(sum, size(ap_times(ap_times(T, all_heads(t)), n)));
    sum = ap_plus(sum, ap_times(2, size(ap_times(chains(t), n))));
    sum = ap_plus(sum, size(ap_times(ap_times(T, widest(t)), T)));
    return ap_plus(sum, size(ap_times(ap_net_paths(t->net, 1), n)));
}

size_t ap_train_worksize(const ap_trainer *t) { return room(t, floats); }

size_t ap_train_gradient_worksize(const ap_trainer *t, size_t P) {
    const size_t own = ap_plus(ap_times(2, ap_train_folded(t)), ap_times(2, partials(t)));
    const size_t seen = ap_plus(ap_times(2, ap_train_seen(t)), ap_times(t->N0, t->rank));
    return ap_plus(ap_plus(own, P), ap_plus(t->basis == NULL ? 0 : seen, room(t, same)));
}

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
    const size_t largest = ap_plus(ap_train_parameters(t), room(t, same));
    if (largest > SIZE_MAX / 16 || !ap_blas_fits(ap_times(widest(t), t->N0)) ||
        !ap_blas_fits(ap_times(t->T, chunk_of(t))) || !ap_blas_fits(ap_times(t->T, widest(t))) || !ap_blas_fits(t->G))
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
    (void)fill(theta, width(t, t->net->L + 1), width(t, t->net->L + 1), &rng);
}

// ---- in single precision, and in double -----------------------------------------------------------------------------

// exp (x) for x <= 0, as 2^m exp (r), m = round (x / log 2), exp (r) = 1 + r + r^2 (c_0 + .. + c_4 r^4) to 1e-8. Below
// -87 it is exp (-87) = 1.6e-38, the smallest there is without subnormal numbers; NaN stays NaN. The loops become
// vector instructions; libm's expf, one number at a time, took a tenth of a step.
static void exp_lanes(float *x) {
    const float round = 0x1.8p23f;  // a sum with it ends in the integer m
    for (size_t i = 0; i < lanes; i++) x[i] = x[i] < -87.0f ? -87.0f : x[i];
    for (size_t i = 0; i < lanes; i++) {
        const float shifted = x[i] * 0x1.715476p+0f + round, m = shifted - round;
        const float r = (x[i] - m * 0x1.62e4p-1f) - m * 0x1.7f7d1cp-20f;  // log 2 = its first 16 bits + rest
        const float high = 0x1.5554e8p-5f + r * (0x1.120be8p-7f + r * 0x1.6d43b4p-10f);
        const float power = 1.0f + (r + r * r * (0.5f + r * (0x1.5554dcp-3f + r * high)));
        uint32_t bits;
        float two;
        memcpy(&bits, &shifted, sizeof bits);
        bits = (bits + 127u) << 23;
        memcpy(&two, &bits, sizeof two);
        x[i] = power * two;
    }
}

static void exp_single(float *x, size_t n) {
    float rest[lanes] = {0};
    for (; n >= lanes; n -= lanes, x += lanes) exp_lanes(x);
    if (n == 0) return;
    memcpy(rest, x, n * sizeof *x);
    exp_lanes(rest);
    memcpy(x, rest, n * sizeof *x);
}

static void exp_double(double *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = exp(x[i]);
}

#define NAME(stem) stem##_single
#define REAL float
#define REAL_OF(x) ((float)(x))
#define REAL_ROOM(count) floats(count)
#define EXP exp_single
#define GEMM(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) \
    ap_sgemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, (float)(beta), C, ldc)
#include "ap_train_pass.inc"
#undef NAME
#undef REAL
#undef REAL_OF
#undef REAL_ROOM
#undef EXP
#undef GEMM

#define NAME(stem) stem##_double
#define REAL double
#define REAL_OF(x) (x)
#define REAL_ROOM(count) (count)
#define EXP exp_double
#define GEMM(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) \
    ap_gemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, (double)(beta), C, ldc)
#include "ap_train_pass.inc"

void ap_train_unfold(float *phi, float *u, float *seen, const ap_trainer *t, const float *theta) {
    unfold_single(phi, u, seen, t, theta, t->basis);
}

void ap_train_fold(float *grad, float *du, float *dseen, const ap_trainer *t, const float *theta, const float *u,
                   const float *seen, const float *dphi) {
    fold_single(grad, du, dseen, t, theta, u, seen, dphi, t->basis);
}

ap_status ap_train_pass(float *dphi, float *f, const ap_trainer *t, const float *phi, const float *X, const float *y,
                        size_t P, float weight, ap_work *work, ap_error *err) {
    return pass_single(dphi, f, t, phi, X, y, P, weight, work, err);
}

ap_status ap_train_gradient(double *grad, double *loss, const ap_trainer *t, const double *theta, const double *X,
                            const double *y, size_t P, ap_work *work, ap_error *err) {
    const size_t mark = work->used, folded = ap_train_folded(t), partial = partials(t);
    double *phi = ap_take(work, folded), *dphi = ap_take(work, folded), *u = ap_take(work, partial);
    double *seen = ap_take(work, ap_train_seen(t)), *dseen = ap_take(work, ap_train_seen(t)), *basis = NULL;
    if (t->basis != NULL) basis = ap_take(work, t->N0 * t->rank);
    double *du = ap_take(work, partial), *f = ap_take(work, P);
    ap_status status = AP_OK;
    if (f == NULL) {
        status = ap_no_memory(err, "ap_train_gradient");
        goto done;
    }
    for (size_t i = 0; basis != NULL && i < t->N0 * t->rank; i++) basis[i] = (double)t->basis[i];
    memset(dphi, 0, folded * sizeof *dphi);
    unfold_double(phi, u, seen, t, theta, basis);
    status = pass_double(dphi, f, t, phi, X, y, P, 1.0 / (double)P, work, err);
    if (status < 0) goto done;
    fold_double(grad, du, dseen, t, theta, u, seen, dphi, basis);
    *loss = 0.0;
    for (size_t p = 0; p < P; p++) *loss += (f[p] - y[p]) * (f[p] - y[p]) / (double)P;
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
