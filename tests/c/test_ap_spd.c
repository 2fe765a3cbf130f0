// test_ap_spd.c: factor, determinant, solve and inverse of symmetric positive definite matrices
// SPDX-License-Identifier: BSD-3-Clause
//
// Two families. The second-difference matrix D (2 on the diagonal, -1 next to it) of order n has closed forms:
//   det D = n + 1,  (D^{-1})_ij = min(i,j) (n + 1 - max(i,j)) / (n + 1),  least eigenvalue 2 - 2 cos (pi / (n + 1)).
// A random A = B B' + n I with |B_ij| < 1 has cond A <= n + 1. Backward stable algorithms leave a relative error of
// about n eps cond: cond D < (n + 1)^2 / 2, so n (n + 1)^2 eps / 2 with n = 150 is 4e-10.

#include "base/ap_core.h"

#include "check.h"

enum { most = 150 };

static const double eps = 2.220446049250313e-16;

static void difference_matrix(double *D, size_t n) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) D[i + j * n] = i == j ? 2.0 : i + 1 == j || j + 1 == i ? -1.0 : 0.0;
}

static void random_matrix(double *A, size_t n) {
    static double B[most * most];
    uint64_t seed = 7 + n;
    check_fill(B, n * n, &seed);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            double sum = i == j ? (double)n : 0.0;
            for (size_t k = 0; k < n; k++) sum += B[i + k * n] * B[j + k * n];
            A[i + j * n] = sum;
        }
    }
}

static void spoil_upper(double *A, size_t n) {  // "lower" functions must not read it
    for (size_t j = 1; j < n; j++)
        for (size_t i = 0; i < j; i++) A[i + j * n] = NAN;
}

static void test_closed_forms(size_t n) {
    static double D[most * most], F[most * most], Y[most * most], want[most * most];
    double w[most], work[3 * most];
    const double N = (double)n, tolerance = eps * N * (N + 1) * (N + 1) / 2;
    difference_matrix(D, n);
    memcpy(F, D, sizeof D);
    spoil_upper(F, n);
    CHECK_STATUS(ap_spd_chol(F, n, "D", &err), AP_OK);
    CHECK_NEAR(ap_spd_logdet(F, n), log(N + 1), tolerance);

    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const size_t low = i < j ? i : j, high = i < j ? j : i;
            want[i + j * n] = (double)((low + 1) * (n - high)) / (N + 1);  // reaches (n + 1) / 4
        }
    CHECK_STATUS(ap_spd_inverse(Y, F, n, &err), AP_OK);
    CHECK_ARRAYS(Y, want, n * n, tolerance * (N + 1) / 4);

    memset(Y, 0, sizeof Y);
    for (size_t i = 0; i < n; i++) Y[i + i * n] = 1.0;
    ap_spd_solve(F, n, Y, n);
    CHECK_ARRAYS(Y, want, n * n, tolerance * (N + 1) / 4);

    spoil_upper(D, n);
    CHECK_STATUS(ap_spd_eigen('N', w, D, n, "D", work, &err), AP_OK);
    CHECK_NEAR(w[0], 2 - 2 * cos(acos(-1.0) / (N + 1)), 4 * N * eps);  // |D| < 4
}

static void test_symmetrise(void) {
    double A[] = {1, 2, 3, 6, 5, 8, 7, 2, 9};
    ap_spd_symmetrise(A, 3);
    CHECK_ARRAYS(A, ((const double[]){1, 4, 5, 4, 5, 5, 5, 5, 9}), 9, 0.0);
}

static void test_random(size_t n) {
    static double A[most * most], F[most * most], Y[most * most];
    random_matrix(A, n);
    memcpy(F, A, sizeof A);
    spoil_upper(F, n);
    CHECK_STATUS(ap_spd_chol(F, n, "A", &err), AP_OK);
    CHECK_STATUS(ap_spd_inverse(Y, F, n, &err), AP_OK);
    ap_spd_clear_upper(F, n);
    double factor = 0.0, inverse = 0.0;
    bool symmetric = true;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            double ff = 0.0, ay = i == j ? -1.0 : 0.0;
            for (size_t k = 0; k < n; k++) {
                ff += F[i + k * n] * F[j + k * n];
                ay += A[i + k * n] * Y[k + j * n];
            }
            factor = fmax(factor, fabs(ff - A[i + j * n]));
            inverse = fmax(inverse, fabs(ay));
            symmetric = symmetric && Y[i + j * n] == Y[j + i * n];
        }
    }
    const double N = (double)n;
    CHECK_NEAR(factor, 0.0, 2 * N * eps * 2 * N);     // n eps times the largest diagonal entry, at most 2 n
    CHECK_NEAR(inverse, 0.0, 4 * N * eps * (N + 1));  // n eps cond, and the loop's own rounding
    CHECK(symmetric);

    spoil_upper(A, n);
    ap_spd_mirror(A, n);
    symmetric = true;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) symmetric = symmetric && A[i + j * n] == A[j + i * n];
    CHECK(symmetric);
}

// X := F X F' and F' X F entry by entry; division undoes multiplication: n products of numbers up to n^2 each, and a
// factor with ones on the diagonal and small entries below.
static void test_in_place(void) {
    enum { n = 7 };
    double F[n * n], X[n * n], Y[n * n];
    uint64_t seed = 9;
    check_fill(F, n * n, &seed);
    check_fill(X, n * n, &seed);
    for (size_t i = 0; i < n * n; i++) F[i] = i % n == i / n ? 1.0 : i % n > i / n ? 0.2 * F[i] : 0.0;
    for (int way = 0; way < 2; way++) {
        const char t = way == 0 ? 'N' : 'T';
        memcpy(Y, X, sizeof Y);
        ap_spd_multiply(t, Y, F, n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double want = 0.0;
                for (size_t k = 0; k < n; k++)
                    for (size_t l = 0; l < n; l++) {
                        const double left = way == 0 ? F[i + n * k] : F[k + n * i];
                        const double right = way == 0 ? F[j + n * l] : F[l + n * j];
                        want += left * X[k + n * l] * right;
                    }
                CHECK_NEAR(Y[i + n * j], want, 100 * n * eps);
            }
        ap_spd_divide(t, Y, F, n);
        CHECK_ARRAYS(Y, X, n * n, 100 * n * eps);
    }
}

static void test_refusals(void) {
    static double A[most * most];
    for (size_t pivot = 1; pivot <= most; pivot += 23) {  // D with one negative diagonal entry fails at this pivot
        difference_matrix(A, most);
        A[(pivot - 1) * (most + 1)] = -1.0;
        CHECK_STATUS(ap_spd_chol(A, most, "U_1", &err), AP_ENOTSPD);
        char words[64];
        (void)snprintf(words, sizeof words, "U_1 is not positive definite: pivot %zu of %d", pivot, (int)most);
        CHECK_TEXT(err.text, words);
        CHECK(err.status == AP_ENOTSPD);
    }
    const double bad[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
    for (size_t which = 0; which < sizeof bad / sizeof bad[0]; which++) {
        const ap_status want = isfinite(bad[which]) ? AP_ENOTSPD : AP_ENONFINITE;
        for (size_t order = 1; order <= 40; order += 13) {
            difference_matrix(A, order);
            A[order * order - 1] = bad[which];
            CHECK_STATUS(ap_spd_chol(A, order, "A", &err), want);
            if (order == 1 || isfinite(bad[which])) continue;
            difference_matrix(A, order);
            A[order - 1] = bad[which];  // below the diagonal
            CHECK_STATUS(ap_spd_chol(A, order, "A", &err), want);
        }
    }
    A[0] = -1.0;
    CHECK(ap_spd_chol(A, 1, "A", NULL) == AP_ENOTSPD);  // err may be NULL
}

static void test_ranges(void) {
    double F[9] = {1e300, 0, 0, 0, 1e300, 0, 0, 0, 1e300};  // determinants beyond the range of a double
    CHECK_STATUS(ap_spd_chol(F, 3, "F", &err), AP_OK);
    CHECK_NEAR(ap_spd_logdet(F, 3), 900 * log(10.0), 900 * log(10.0) * 4 * eps);
    double G[4] = {1e-300, 0, 0, 1e-300};
    CHECK_STATUS(ap_spd_chol(G, 2, "G", &err), AP_OK);
    CHECK_NEAR(ap_spd_logdet(G, 2), -600 * log(10.0), 600 * log(10.0) * 4 * eps);
    CHECK_STATUS(ap_spd_chol(G, 0, "G", &err), AP_OK);  // the empty matrix is positive definite, its determinant 1
    CHECK(ap_spd_logdet(G, 0) == 0.0);
    const double A[4] = {4, 0, 0, 16}, R[7] = {2, 0, 0, 4, 1, 1, 1};
    CHECK(ap_spd_condition(ap_spd_largest(A, 2), R, 2) == 16.0 * (1.0 / 4 + 1.0 / 16));
}

int main(void) {
    // sizes around the tile of ap_spd_mirror, and around the bound from which the inverse is computed by halves
    static const size_t order[] = {1, 2, 3, 31, 32, 33, 70, 128, 129, most};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        test_closed_forms(order[i]);
        test_random(order[i]);
    }
    test_in_place();
    test_symmetrise();
    test_refusals();
    test_ranges();
    return check_report("test_ap_spd");
}
