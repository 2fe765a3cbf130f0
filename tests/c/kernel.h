// kernel.h: a kernel and its derivatives by U against their definitions, with or without a store
// SPDX-License-Identifier: BSD-3-Clause
//
// Entries are sums of at most N0 Pi^2 = 180 products below 10, or of P^2 = 484 such sums: rounding below 1e-12.

#ifndef AP_TEST_KERNEL_H
#define AP_TEST_KERNEL_H

#include "fixture.h"

// Each form of a kernel must agree with the definition.
static inline void kernel_check(double memory, size_t N0, size_t P, bool packed, bool square) {
    fixture f;
    fixture_make(&f, 2, false, N0, 2, P, 3);
    double *storage;
    const ap_kernel k = fixture_ready(&f, &f.net, memory, &storage);
    CHECK((k.packed != NULL) == packed && (k.square != NULL) == square);
    const size_t n = f.paths, cells = n * n;
    double *K = check_doubles(P * P), *want = check_room(P * P), *D = check_room(P * P);
    double *G = check_room(cells), *Gwant = check_room(cells), *unit = check_room(cells);
    double *V = check_room(P * k.pairs * 2), *Vwant = check_room(P * k.pairs * 2);
    double *R = check_room(cells), *F = check_room(P * P), *b = check_room(P);

    // K for a definite U with and without its factor, and for an indefinite one
    fixture_kernel(want, &f, f.order);
    ap_spd_clear_upper(want, P);
    for (size_t with_factor = 0; with_factor < 2; with_factor++) {
        memcpy(R, f.order, cells * sizeof *R);
        for (size_t j = 0; j < n; j++)  // Cholesky-Banachiewicz
            for (size_t i = j; i < n; i++) {
                double sum = f.order[i + n * j];
                for (size_t c = 0; c < j; c++) sum -= R[i + n * c] * R[j + n * c];
                R[i + n * j] = i == j ? sqrt(sum) : sum / R[j + n * j];
                if (i != j) R[j + n * i] = NAN;  // the upper triangle is not read
            }
        const ap_root root = {.R = R, .columns = n, .lower = true};
        CHECK_STATUS(ap_kernel_combine(K, &k, f.order, with_factor ? &root : NULL, &work, &err), AP_OK);
        ap_spd_clear_upper(K, P);
        CHECK_ARRAYS(K, want, P * P, 1e-12);
    }

    // contraction of a symmetric M, and products with vectors, by unit perturbations of U
    uint64_t seed = 5;
    double *M = fixture_numbers(P * P, 1.0, &seed), *Z = fixture_numbers(2 * P, 1.0, &seed);
    ap_spd_mirror(M, P);
    for (size_t q = 0, pair = 0; q < n; q++)
        for (size_t p = 0; p <= q; p++, pair++) {
            memset(unit, 0, cells * sizeof *unit);
            unit[p + n * q] = unit[q + n * p] = 1.0;
            fixture_kernel(D, &f, unit);
            double sum = 0.0;
            for (size_t i = 0; i < P * P; i++) sum += M[i] * D[i];
            Gwant[p + n * q] = Gwant[q + n * p] = p == q ? sum : 0.5 * sum;
            for (size_t s = 0; s < 2; s++)
                for (size_t i = 0; i < P; i++) {
                    double *v = &Vwant[i + P * (pair + k.pairs * s)];
                    *v = 0.0;
                    for (size_t j = 0; j < P; j++) *v += D[i + P * j] * Z[j + P * s];
                }
        }
    CHECK_STATUS(ap_kernel_contract(G, &k, M, &work, &err), AP_OK);
    CHECK_ARRAYS(G, Gwant, cells, 1e-11);
    CHECK_STATUS(ap_kernel_apply(V, &k, Z, 2, &work, &err), AP_OK);
    CHECK_ARRAYS(V, Vwant, P * k.pairs * 2, 1e-12);

    // the gradient: M = (F F')^{-1} - b b' with a unit bidiagonal F, whose inverse is 1, -c, c^2 ...
    const double c = 0.5;
    memset(F, 0, P * P * sizeof *F);
    for (size_t j = 0; j < P; j++) {
        F[j + P * j] = 1.0;
        if (j + 1 < P) F[j + 1 + P * j] = c;
        b[j] = 0.3 - 0.1 * (double)(j % 5);
    }
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < P; i++) {
            double sum = -b[i] * b[j];
            for (size_t r = i > j ? i : j; r < P; r++) sum += pow(-c, (double)(r - i)) * pow(-c, (double)(r - j));
            M[i + P * j] = sum;
        }
    CHECK_STATUS(ap_kernel_contract(Gwant, &k, M, &work, &err), AP_OK);
    CHECK_STATUS(ap_kernel_gradient(G, &k, F, b, 1, &work, &err), AP_OK);
    CHECK_ARRAYS(G, Gwant, cells, 1e-11);

    ap_work none = {0};  // every function fails without memory
    CHECK_STATUS(ap_kernel_combine(K, &k, f.order, NULL, &none, &err), AP_EMEMORY);
    CHECK_STATUS(ap_kernel_contract(G, &k, M, &none, &err), AP_EMEMORY);
    CHECK_STATUS(ap_kernel_gradient(G, &k, F, b, 1, &none, &err), AP_EMEMORY);
    if (!square) CHECK_STATUS(ap_kernel_apply(V, &k, Z, 2, &none, &err), AP_EMEMORY);
    F[0] = 0.0;
    if (packed) CHECK_STATUS(ap_kernel_gradient(G, &k, F, b, 1, &work, &err), AP_ELAPACK);
}

static inline void kernel_check_workspace(double memory) {
    double *storage, G[36], V[3 * 21], b[3] = {1, 2, 3};
    fixture f;
    fixture_make(&f, 2, false, 30, 2, 3, 5);
    const ap_kernel k = fixture_ready(&f, &f.net, memory, &storage);
    CHECK_WORKSPACE(ap_kernel_gradient(G, &k, (double[]){2, 1, 1, 0, 2, 1, 0, 0, 2}, b, 1, &work, &err));
    if (k.square == NULL) CHECK_WORKSPACE(ap_kernel_apply(V, &k, b, 1, &work, &err));
}

#endif
