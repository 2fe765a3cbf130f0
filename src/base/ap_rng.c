// ap_rng.c: random numbers: Philox4x32-10, normals by inversion, chi, Haar frames
// SPDX-License-Identifier: BSD-3-Clause
//
// Philox (Salmon, Moraes, Dror, Shaw, SC 2011) is a bijection of 128 bits for every key of 64: ten rounds of
//   (x0, x1, x2, x3) <- (hi (M1 x2) ^ x1 ^ k0,  lo (M1 x2),  hi (M0 x0) ^ x3 ^ k1,  lo (M0 x0)),   k <- k + W,
// hi and lo being the halves of a 64-bit product. Its values at the counters 0, 1, 2, .. are the sequence. So the
// state is a number that counts, any stream can be entered anywhere, and blocks of different streams differ because
// their counters do.
//
// Everything is drawn in units of 64 bits, two to a block: words 0, 1 and words 2, 3, the lower half first.
//
//   function         units           how
//   uniform          1               (k + 1/2) 2^-52, k the upper 52 bits: exact in double, u and 1 - u alike
//   normal           1               sign from the lowest bit; |x| = Phi^{-1} (1/2 + q), q = (k + 1/2) 2^-64, k the
//                                    other 63 bits. q and 1/2 - q, each from its own integer, are exact to double
//                                    rounding, and so are centre and tail; |x| < 9.2
//   normals          n               the same n numbers that n calls of normal give, in the same order
//   chi              2 a try         sqrt (2 gamma (degrees / 2)), gamma with d = shape - 1/3, t = x / sqrt (9 d) being
//     (degrees >= 2) (1.05 tries)    d (1 + t)^3, accepted if log u < x^2/2 + d - d (1 + t)^3 + 3 d log (1 + t)
//                                    (Marsaglia, Tsang, ACM Trans. Math. Softw. 26 (2000) 363)
//   chi              1 more          sqrt (2 gamma (degrees / 2 + 1)) u^{1/degrees}: small degrees underflow late
//     (degrees < 2)
//   frame            n m             Q of the QR of an [n x m] Gaussian matrix Z with R_jj > 0. This Q is unique and
//                                    O Z is distributed as Z for orthogonal O, hence O Q as Q: Haar. LAPACK's own signs
//                                    are not uniform (Mezzadri, Notices AMS 54 (2007) 592)
//
// Inversion takes one unit a number, so that the sequence is the same however it is cut. Phi^{-1} is PPND16 (Wichura,
// Appl. Stat. 37 (1988) 477), rational in q^2 for q <= 0.425 and in sqrt (-log (1/2 - q)) beyond, to 3 roundings. In
// batches, with the 15 % of tails last, a normal costs 12 ns, half of them Philox, and 16 one by one; the polar
// method takes 17, and a random number of units, Box-Muller with the library's sine and cosine 19. A frame: n m normals
// and 4 n m^2 flops.

#include <math.h>

#include "base/ap_core.h"

enum { batch = 128 };  // normals that are worked on together: 4 KiB of scratch memory on the C stack

// ---- the generator --------------------------------------------------------------------------------------------------

void ap_rng_block(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]) {
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t a = UINT64_C(0xD2511F53) * x0, b = UINT64_C(0xCD9E8D57) * x2;
        x0 = (uint32_t)(b >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)b;
        x2 = (uint32_t)(a >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)a;
        k0 += UINT32_C(0x9E3779B9);  // the golden ratio
        k1 += UINT32_C(0xBB67AE85);  // sqrt (3) - 1
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
}

ap_rng ap_rng_start(uint64_t seed, uint64_t stream) {
    return (ap_rng){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                    .counter = {0, 0, (uint32_t)stream, (uint32_t)(stream >> 32)},
                    .used = 4};
}

static inline uint64_t unit(ap_rng *rng) {
    if (rng->used > 2) {
        ap_rng_block(rng->out, rng->counter, rng->key);
        if (++rng->counter[0] == 0) ++rng->counter[1];
        rng->used = 0;
    }
    const uint64_t low = rng->out[rng->used], high = rng->out[rng->used + 1];
    rng->used += 2;
    return low | high << 32;
}

double ap_rng_uniform(ap_rng *rng) { return ((double)(int64_t)(unit(rng) >> 12) + 0.5) * 0x1p-52; }

// ---- normals --------------------------------------------------------------------------------------------------------

static inline double ratio(const double num[8], const double den[7], double r) {  // den[-1] = 1, the constant term
    const double n = ((((((num[7] * r + num[6]) * r + num[5]) * r + num[4]) * r + num[3]) * r + num[2]) * r + num[1]);
    const double d = ((((((den[6] * r + den[5]) * r + den[4]) * r + den[3]) * r + den[2]) * r + den[1]) * r + den[0]);
    return (n * r + num[0]) / (d * r + 1.0);
}

static inline double half_of(uint64_t bits) { return ((double)(int64_t)(bits >> 1) + 0.5) * 0x1p-64; }  // in (0, 1/2]

static inline double sign_of(uint64_t bits) { return 1.0 - (double)(int)((bits & 1) << 1); }  // not a branch on chance

static inline bool is_central(double q) { return q <= 0.425; }

static inline double central(double q) {
    static const double num[8] = {3.3871328727963666080,   1.3314166789178437745e2, 1.9715909503065514427e3,
                                  1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                  3.3430575583588128105e4, 2.5090809287301226727e3};
    static const double den[7] = {4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                                  2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
                                  5.2264952788528545610e3};
    return q * ratio(num, den, 0.180625 - q * q);
}

static double outer(double p) {
    static const double num[8] = {1.42343711074968357734,    4.63033784615654529590,   5.76949722146069140550,
                                  3.64784832476320460504,    1.27045825245236838258,   2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double den[7] = {2.05319162663775882187,    1.67638483018380384940,    6.89767334985100004550e-1,
                                  1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
    static const double far_num[8] = {6.65790464350110377720,    5.46378491116411436990,    1.78482653991729133580,
                                      2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                      2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double far_den[7] = {5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
                                      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
                                      2.04426310338993978564e-15};
    const double r = sqrt(-log(p));
    return r <= 5.0 ? ratio(num, den, r - 1.6) : ratio(far_num, far_den, r - 5.0);
}

double ap_rng_normal(ap_rng *rng) {
    const uint64_t bits = unit(rng);
    const double q = half_of(bits);
    return sign_of(bits) * (is_central(q) ? central(q) : outer(half_of(~bits)));
}

static void fill_batch(double *x, ap_rng *rng) {
    uint64_t bits[batch];
    double q[batch], sign[batch];
    size_t late[batch], tails = 0;
    for (size_t i = 0; i < batch; i++) {
        bits[i] = unit(rng);
        q[i] = half_of(bits[i]);
        sign[i] = sign_of(bits[i]);
    }
    for (size_t i = 0; i < batch; i++) x[i] = sign[i] * central(q[i]);
    for (size_t i = 0; i < batch; i++) {  // no branch on chance
        late[tails] = i;
        tails += !is_central(q[i]);
    }
    for (size_t j = 0; j < tails; j++) x[late[j]] = sign[late[j]] * outer(half_of(~bits[late[j]]));
}

void ap_rng_normals(double *x, size_t n, ap_rng *rng) {
    for (; n >= batch; n -= batch, x += batch) fill_batch(x, rng);
    for (size_t i = 0; i < n; i++) x[i] = ap_rng_normal(rng);
}

// ---- chi ------------------------------------------------------------------------------------------------------------

// shape >= 1. Infinities and NaN end the loop as well: the last comparison is false for them.
static double gamma_above_one(double shape, ap_rng *rng) {
    const double d = shape - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        const double x = ap_rng_normal(rng), u = ap_rng_uniform(rng), t = c * x, square = x * x;
        if (t <= -1.0) continue;
        const double value = d * (1.0 + t) * (1.0 + t) * (1.0 + t);
        if (u < 1.0 - 0.0331 * square * square) return value;  // a bound of what follows, true nine times in ten
        const double slope = 3.0 * log1p(t) - t * (3.0 + t * (3.0 + t));  // 1 - v + log v, v = (1 + t)^3
        if (!(log(u) >= 0.5 * square + d * slope)) return value;
    }
}

double ap_rng_chi(double degrees, ap_rng *rng) {
    if (!(degrees > 0.0)) return NAN;
    if (degrees >= 2.0) return sqrt(2.0 * gamma_above_one(0.5 * degrees, rng));
    const double above = sqrt(2.0 * gamma_above_one(0.5 * degrees + 1.0, rng));
    return above * pow(ap_rng_uniform(rng), 1.0 / degrees);
}

// ---- frames ---------------------------------------------------------------------------------------------------------

ap_status ap_rng_frame(double *Q, size_t n, size_t m, ap_rng *rng, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    if (m > n) return ap_fail(err, AP_EINPUT, "a frame of %zu vectors does not fit into %zu dimensions", m, n);
    if (!ap_blas_fits(n) || !ap_blas_fits(ap_times(ap_qr_panel, m)))
        return ap_fail(err, AP_ESIZE, "a frame of %zu vectors in %zu dimensions is more than LAPACK can count", m, n);
    if (m == 0) return AP_OK;
    double *tau = ap_take(work, m), *diagonal = ap_take(work, m), *panel = ap_take_matrix(work, ap_qr_panel, m);
    ap_status status = panel == NULL ? ap_not_taken(work, err, "ap_rng_frame") : AP_OK;
    if (status < 0) goto done;
    ap_rng_normals(Q, n * m, rng);
    bool accepted = ap_geqrf(n, m, Q, n, tau, panel);
    for (size_t j = 0; j < m; j++) diagonal[j] = Q[j + n * j];
    accepted = accepted && ap_orgqr(n, m, Q, n, tau, panel);
    if (!accepted) status = ap_fail(err, AP_ELAPACK, "dgeqrf or dorgqr refuses a matrix [%zu x %zu]", n, m);
    for (size_t j = 0; accepted && j < m; j++) {
        const double sign = diagonal[j] < 0.0 ? -1.0 : 1.0;
        for (size_t i = 0; i < n; i++) Q[i + n * j] *= sign;
    }
done:
    work->used = mark;
    return status;
}

// ---- the state as doubles -------------------------------------------------------------------------------------------

void ap_rng_save(double words[ap_rng_words], const ap_rng *rng) {
    for (size_t i = 0; i < 2; i++) words[i] = rng->key[i];
    for (size_t i = 0; i < 4; i++) words[2 + i] = rng->counter[i];
    for (size_t i = 0; i < 4; i++) words[6 + i] = rng->out[i];
    words[10] = rng->used;
}

ap_status ap_rng_load(ap_rng *rng, const double words[ap_rng_words], ap_error *err) {
    for (size_t i = 0; i < ap_rng_words; i++) {
        const double most = i == 10 ? 4.0 : UINT32_MAX;
        if (!(words[i] >= 0.0 && words[i] <= most) || words[i] != floor(words[i]))
            return ap_fail(err, AP_EINPUT, "word %zu of the random state is %.17g, not a whole number from 0 to %.0f",
                           i + 1, words[i], most);
    }
    for (size_t i = 0; i < 2; i++) rng->key[i] = (uint32_t)words[i];
    for (size_t i = 0; i < 4; i++) rng->counter[i] = (uint32_t)words[2 + i];
    for (size_t i = 0; i < 4; i++) rng->out[i] = (uint32_t)words[6 + i];
    rng->used = (uint32_t)words[10];
    return AP_OK;
}
