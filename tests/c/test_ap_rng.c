// test_ap_rng.c: the generator against its published vectors, samples against their distributions
// SPDX-License-Identifier: BSD-3-Clause
//
// Every seed is fixed, so that a check passes always or never. Bounds are 5 standard errors of the statistic under the
// hypothesis: 1 of 1.7 million correct generators fails a bound. The Kolmogorov-Smirnov distance D of n numbers exceeds
// z / sqrt (n) with probability 2 exp (-2 z^2), which is the same 5.7e-7 at z = 2.75.

#include "base/ap_core.h"
#include "check.h"

enum { some = 20000 };

static const double eps = 2.220446049250313e-16, far = 5.0, ks_limit = 2.75;

static double numbers[some];

static bool same(const ap_rng *a, const ap_rng *b) { return memcmp(a, b, sizeof *a) == 0; }

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// D sqrt (n) of n = `some` numbers from the distribution function F; sorts x.
static double ks(double *x, double (*F)(double x, double parameter), double parameter) {
    const size_t n = some;
    double worst = 0.0;
    qsort(x, n, sizeof *x, compare);
    for (size_t i = 0; i < n; i++) {
        const double here = (double)n * F(x[i], parameter);
        worst = fmax(worst, fmax(here - (double)i, (double)(i + 1) - here));
    }
    return worst / sqrt((double)n);
}

// ---- the generator --------------------------------------------------------------------------------------------------

static void test_known_answers(void) {  // kat_vectors of Random123
    static const uint32_t counter[3][4] = {{0, 0, 0, 0},
                                           {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                                           {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    static const uint32_t key[3][2] = {{0, 0}, {0xffffffff, 0xffffffff}, {0xa4093822, 0x299f31d0}};
    static const uint32_t want[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                        {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (size_t i = 0; i < 3; i++) {
        uint32_t out[4];
        ap_rng_block(out, counter[i], key[i]);
        CHECK(memcmp(out, want[i], sizeof out) == 0);
    }
    uint32_t own[4] = {0, 0, 0, 0};
    ap_rng_block(own, own, key[0]);  // in place
    CHECK(memcmp(own, want[0], sizeof own) == 0);
}

static void test_streams(void) {
    static const uint64_t seed[] = {0, 1, UINT64_C(1) << 32, UINT64_MAX}, stream[] = {0, 1, UINT64_C(1) << 32, 7};
    double first[16];
    for (size_t i = 0; i < 16; i++) {
        ap_rng rng = ap_rng_start(seed[i / 4], stream[i % 4]), again = ap_rng_start(seed[i / 4], stream[i % 4]);
        first[i] = ap_rng_uniform(&rng);
        CHECK(first[i] == ap_rng_uniform(&again));
        CHECK(same(&rng, &again));
        CHECK(first[i] != ap_rng_uniform(&rng));
        for (size_t j = 0; j < i; j++) CHECK(first[j] != first[i]);
    }
    ap_rng rng = ap_rng_start(UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210));  // positions of its parts
    CHECK(rng.key[0] == 0x89abcdef && rng.key[1] == 0x01234567);
    CHECK(rng.counter[2] == 0x76543210 && rng.counter[3] == 0xfedcba98);
    for (int i = 0; i < 7; i++) (void)ap_rng_uniform(&rng);
    CHECK(rng.counter[0] == 4 && rng.counter[1] == 0 &&
          rng.used == 2);  // seven units of two words: 3 blocks and a half
    const uint32_t last[4] = {3, 0, rng.counter[2], rng.counter[3]};
    uint32_t out[4];
    ap_rng_block(out, last, rng.key);
    CHECK(memcmp(out, rng.out, sizeof out) == 0);

    rng.counter[0] = UINT32_MAX;  // the counter carries, and the stream is unchanged
    rng.used = 4;
    (void)ap_rng_uniform(&rng);
    CHECK(rng.counter[0] == 0 && rng.counter[1] == 1 && rng.counter[2] == 0x76543210);
}

static double gamma_of(double shape, ap_rng *rng) {  // of unit scale
    const double chi = ap_rng_chi(2.0 * shape, rng);
    return 0.5 * chi * chi;
}

static void test_save(void) {
    for (int cut = 0; cut < 5; cut++) {
        ap_rng rng = ap_rng_start(UINT64_MAX - 3, UINT64_MAX - 4), back = ap_rng_start(1, 1);
        double words[ap_rng_words], x[300], y[300];
        for (int i = 0; i < cut; i++) (void)gamma_of(0.5, &rng);
        ap_rng_save(words, &rng);
        CHECK_STATUS(ap_rng_load(&back, words, &err), AP_OK);
        CHECK(same(&back, &rng));
        ap_rng_normals(x, 300, &rng);
        ap_rng_normals(y, 300, &back);
        CHECK_ARRAYS(x, y, 300, 0.0);
        CHECK(gamma_of(0.5, &rng) == gamma_of(0.5, &back));
    }
}

static void test_refusals(void) {
    static const double bad[] = {0.5, -1.0, 4294967296.0, NAN, INFINITY, -INFINITY, -1e-300};
    ap_rng rng = ap_rng_start(3, 4);
    double words[ap_rng_words], good[ap_rng_words];
    (void)ap_rng_uniform(&rng);
    ap_rng_save(good, &rng);
    const ap_rng before = rng;
    for (size_t i = 0; i < ap_rng_words; i++)
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            char name[32];
            memcpy(words, good, sizeof words);
            words[i] = bad[j];
            CHECK_STATUS(ap_rng_load(&rng, words, &err), AP_EINPUT);
            (void)snprintf(name, sizeof name, "word %zu ", i + 1);
            CHECK_TEXT(err.text, name);
            CHECK(same(&rng, &before));
        }
    memcpy(words, good, sizeof words);
    words[3] = 4294967296.0;
    CHECK_STATUS(ap_rng_load(&rng, words, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "word 4 of the random state is 4294967296");
    words[3] = 4294967295.0;
    CHECK_STATUS(ap_rng_load(&rng, words, &err), AP_OK);
    CHECK(rng.counter[1] == UINT32_MAX);
    words[10] = 5.0;
    CHECK_STATUS(ap_rng_load(&rng, words, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "word 11 of the random state is 5");
    for (double used = 0.0; used <= 4.0; used++) {  // it continues from any position
        words[10] = used;
        CHECK_STATUS(ap_rng_load(&rng, words, &err), AP_OK);
        for (int i = 0; i < 4; i++) (void)ap_rng_uniform(&rng);
        CHECK(rng.used <= 4);
    }
}

// ---- uniform --------------------------------------------------------------------------------------------------------

static ap_rng about_to_give(uint64_t unit) {
    ap_rng rng = ap_rng_start(0, 0);
    rng.out[0] = (uint32_t)unit;
    rng.out[1] = (uint32_t)(unit >> 32);
    rng.used = 0;
    return rng;
}

static void test_uniform(void) {  // the centre of one of 2^52 intervals
    ap_rng rng = about_to_give(0);
    CHECK(ap_rng_uniform(&rng) == 0.5 * 0x1p-52);
    rng = about_to_give(UINT64_MAX);
    CHECK(ap_rng_uniform(&rng) == 1.0 - 0.5 * 0x1p-52);
    CHECK(1.0 - 0.5 * 0x1p-52 < 1.0);
    for (uint64_t k = 0, unit = 1; k < 1000; k++, unit = unit * UINT64_C(6364136223846793005) + 1) {
        rng = about_to_give(unit);
        CHECK(ap_rng_uniform(&rng) == ((double)(unit >> 12) + 0.5) * 0x1p-52);
    }
}

// ---- normal ---------------------------------------------------------------------------------------------------------

static double normal_cdf(double x, double unused) { return 0.5 * erfc(-x / sqrt(2.0)); }

// x is right to 4 roundings if its probability is: d log erfc (x / sqrt 2) / d log x is at most x^2 + 1, and the
// library's erf and erfc may have 4 more roundings.
static void check_inverse(uint64_t k) {
    ap_rng plus = about_to_give(k << 1), minus = about_to_give(k << 1 | 1);
    const double x = ap_rng_normal(&plus), q = ((double)k + 0.5) * 0x1p-64;
    const double p = ((double)((UINT64_C(1) << 63) - 1 - k) + 0.5) * 0x1p-64;
    CHECK(x == -ap_rng_normal(&minus) && x > 0.0);
    if (x < 1.0)
        CHECK_NEAR(0.5 * erf(x / sqrt(2.0)), q, 8 * eps * q);
    else
        CHECK_NEAR(0.5 * erfc(x / sqrt(2.0)), p, (4 * (x * x + 1) + 4) * eps * p);
}

static void test_normal_inverse(void) {
    const uint64_t end = (UINT64_C(1) << 63) - 1;
    for (int bit = 0; bit < 63; bit++) {  // from the middle and from the far tail inward
        check_inverse((UINT64_C(1) << bit) - 1);
        check_inverse(end - ((UINT64_C(1) << bit) - 1));
    }
    for (uint64_t i = 1; i < 1000; i++) check_inverse(end / 1000 * i);
    for (uint64_t i = 1; i < 1000; i++) check_inverse(end - ((UINT64_C(1) << 29) / 1000 * i));  // around p = exp (-25)
    ap_rng rng = about_to_give(UINT64_MAX);
    CHECK_NEAR(ap_rng_normal(&rng), -9.155, 0.01);  // the farthest: 2 phi (x) / x = 2^-64 at about 9.16
}

static void test_normals(void) {  // n numbers are those of n calls, for any cut of the sequence, and the states agree
    static const size_t cut[] = {0, 1, 2, 127, 128, 129, 255, 256, 257, 1000};
    enum { sizes = sizeof cut / sizeof cut[0], room = 3000 };
    static double together[room], single[room];
    ap_rng at_once = ap_rng_start(5, 6), one_by_one = at_once, in_pieces = at_once;
    ap_rng_normals(together, room, &at_once);
    for (size_t i = 0; i < room; i++) single[i] = ap_rng_normal(&one_by_one);
    CHECK_ARRAYS(single, together, room, 0.0);
    CHECK(same(&at_once, &one_by_one));
    size_t done = 0;
    for (size_t i = 0; i < sizes; i++) {
        ap_rng_normals(single + done, cut[i], &in_pieces);
        done += cut[i];
    }
    CHECK(done < room);
    CHECK_ARRAYS(single, together, done, 0.0);
    const ap_rng before = in_pieces;
    ap_rng_normals(NULL, 0, &in_pieces);
    CHECK(same(&in_pieces, &before));
    CHECK(ap_rng_normal(&in_pieces) == together[done]);
    ap_rng_normals(numbers, some, &in_pieces);
    CHECK(ks(numbers, normal_cdf, 0.0) < ks_limit);
}

// ---- gamma and chi --------------------------------------------------------------------------------------------------

// x^a e^{-x} sum_n x^n / Gamma (a + n + 1) at the halves: all terms are positive
static double chi_cdf(double chi, double degrees) {
    const double x = 0.5 * chi * chi, shape = 0.5 * degrees;
    double term = exp(shape * log(x) - x - lgamma(shape + 1)), sum = term;
    for (double a = shape + 1; term > 1e-12 * sum; a++) sum += term *= x / a;
    return sum;
}

// The published method, without the bound that saves the logarithms.
static double literal_gamma(double shape, ap_rng *rng) {
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = ap_rng_normal(rng), u = ap_rng_uniform(rng), v = pow(1 + c * x, 3);
        if (v > 0 && log(u) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
}

// The two forms round differently: a decision within 1e-13 of its edge may differ, in 1e-8 of these draws.
static void test_method(void) {
    static const double shape[] = {1.0, 1.3, 2.5, 30.0};
    for (size_t k = 0; k < sizeof shape / sizeof shape[0]; k++) {
        ap_rng rng = ap_rng_start(6, k), literal = rng, below = rng;
        double worst = 0.0, gap = 0.0;
        for (size_t i = 0; i < some; i++) {
            const double want = literal_gamma(shape[k], &literal);
            worst = fmax(worst, fabs(gamma_of(shape[k], &rng) - want) / want);
        }
        CHECK_NEAR(worst, 0.0, 200 * eps);  // 1 + t at the smallest value has lost two digits
        CHECK(same(&rng, &literal));
        literal = below;
        for (size_t i = 0; i < 100; i++) {  // chi has half the degrees as its shape, here less than 1
            const double above = literal_gamma(1.25, &literal), u = ap_rng_uniform(&literal);
            gap = fmax(gap, fabs(ap_rng_chi(0.5, &below) / (sqrt(2 * above) * pow(u, 2.0)) - 1));
        }
        CHECK_NEAR(gap, 0.0, 200 * eps);
    }
}

static void test_chi(double degrees, uint64_t stream) {
    ap_rng rng = ap_rng_start(8, stream);
    for (size_t i = 0; i < some; i++) numbers[i] = ap_rng_chi(degrees, &rng);
    CHECK_NEAR(ap_dot(some, numbers, numbers) / some, degrees, far * sqrt(2 * degrees / some));
    CHECK(ks(numbers, chi_cdf, degrees) < ks_limit);
}

static void test_shapes(void) {
    test_method();
    static const double degrees[] = {0.4, 0.6, 1.0, 1.8, 1.9, 2.0, 3.0, 5.0, 40.0, 1000.0};
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++) test_chi(degrees[i], i);

    ap_rng rng = ap_rng_start(9, 0);
    static const double large[] = {1e10, 1e16};  // normal: the skewness 2 / sqrt (shape) is too small to detect
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < some; i++) numbers[i] = gamma_of(large[k], &rng) / sqrt(large[k]) - sqrt(large[k]);
        CHECK_NEAR(ap_dot(some, numbers, numbers) / some, 1.0, far * sqrt(2.0 / some));
        CHECK(ks(numbers, normal_cdf, 0.0) < ks_limit);
    }
    // a small shape: half of the numbers lie below 2^-100, down to 0
    double below = 0.0;
    bool finite = true;
    for (size_t i = 0; i < some; i++) {
        const double g = gamma_of(0.01, &rng);
        below += g < exp2(-100.0);
        finite = finite && isfinite(g) && g >= 0.0;
    }
    const double half = exp2(-1.0) / tgamma(1.01);  // x^a / Gamma (a + 1) at x = 2^-100
    CHECK_NEAR(below / some, half, far * sqrt(0.25 / some));
    CHECK(finite);
    static const double bad[] = {0.0, -0.0, -0.5, -3.0, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(isnan(gamma_of(bad[i], &rng)));
        CHECK(isnan(ap_rng_chi(bad[i], &rng)));
    }
    CHECK(!(gamma_of(INFINITY, &rng) < INFINITY));  // it ends
    CHECK(gamma_of(5e-324, &rng) == 0.0);
}

// ---- frames ---------------------------------------------------------------------------------------------------------

// Z = Q R, Q'Q = I, R upper triangular with a positive diagonal, Z the next n m normals: this Q is unique, and since a
// rotation of Z has the distribution of Z, it is uniform.
static void test_orthonormal(size_t n, size_t m) {
    static double Q[70 * 70], Z[70 * 70];
    ap_rng rng = ap_rng_start(10, n), again = rng;
    CHECK_STATUS(ap_rng_frame(Q, n, m, &rng, &work, &err), AP_OK);
    ap_rng_normals(Z, n * m, &again);
    CHECK(same(&rng, &again));  // n m units
    double worst = 0.0, least = INFINITY;
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < m; i++)
            worst = fmax(worst, fabs(ap_dot(n, Q + n * i, Q + n * j) - (i == j ? 1.0 : 0.0)));
        for (size_t i = 0; i <= j; i++) {
            const double R = ap_dot(n, Q + n * i, Z + n * j);
            if (i == j) least = fmin(least, R);
            ap_axpy(n, -R, Q + n * i, Z + n * j);
        }
    }
    CHECK_NEAR(worst, 0.0, 1e-14 * (double)n);                         // 45 n eps
    CHECK_NEAR(check_largest(Z, n * m), 0.0, 1e-14 * (double)n * 10);  // columns of Z are below 10 at n <= 70
    CHECK(m == 0 || least > 0.0);
}

static ap_status one_frame(void) {
    static double Q[12 * 5];
    ap_rng rng = ap_rng_start(12, 0);
    const ap_rng before = rng;
    const ap_status status = ap_rng_frame(Q, 12, 5, &rng, &work, &err);
    CHECK(status == AP_OK || same(&rng, &before));  // a failure draws nothing
    return status;
}

static void test_frame(void) {
    static const size_t size[][2] = {{1, 1},   {2, 1},   {2, 2},   {9, 4}, {40, 1},
                                     {70, 33}, {70, 69}, {70, 70}, {6, 0}, {0, 0}};
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) test_orthonormal(size[i][0], size[i][1]);
    CHECK_WORKSPACE(one_frame());

    ap_work work = {0};
    ap_rng rng = ap_rng_start(13, 0);
    CHECK_STATUS(ap_rng_frame(NULL, 2, 3, &rng, &work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "3 vectors");
    CHECK_STATUS(ap_rng_frame(NULL, SIZE_MAX, 1, &rng, &work, &err), AP_ESIZE);
    CHECK_STATUS(ap_rng_frame(NULL, SIZE_MAX, SIZE_MAX / 2, &rng, &work, &err), AP_ESIZE);
}

int main(void) {
    test_known_answers();
    test_streams();
    test_save();
    test_refusals();
    test_uniform();
    test_normal_inverse();
    test_normals();
    test_shapes();
    test_frame();
    return check_report("test_ap_rng");
}
