// test_ap_kernel.c: path-path kernels, combined kernel and its derivatives, with and without a store
// SPDX-License-Identifier: BSD-3-Clause
//
// Entries are sums of at most N0 Pi^2 = 180 products below 10, or of P^2 = 484 such sums: rounding below 1e-12.

#include "fixture.h"

static fixture f;

static void setup(size_t N0, size_t P) { fixture_make(&f, 2, false, N0, 2, P, 3); }

static void test_pathkernels(void) {
    setup(5, 4);
    const size_t P2 = 3, paths = f.paths;
    double *C = check_room(f.P * P2 * paths * paths);
    double *Xi2 = check_room(f.N0 * P2 * paths), *K = check_room(f.P * P2);
    uint64_t seed = 9;
    check_fill(Xi2, f.N0 * P2 * paths, &seed);
    const ap_inputs x = fixture_inputs(&f), x2 = {.N0 = f.N0, .P = P2, .Xi = Xi2};
    CHECK_STATUS(ap_pathkernels(C, &f.net, &x, &x2, &err), AP_OK);
    CHECK_STATUS(ap_kernel_cross(K, &f.net, &x, &x2, f.order, &work, &err), AP_OK);
    double worst = 0.0, worst_K = 0.0;
    for (size_t nu = 0; nu < P2; nu++)
        for (size_t mu = 0; mu < f.P; mu++) {
            double combined = 0.0;
            for (size_t b = 0; b < paths; b++)
                for (size_t a = 0; a < paths; a++) {
                    double sum = 0.0;
                    for (size_t i = 0; i < f.N0; i++)
                        sum += f.Xi[i + f.N0 * (mu + f.P * a)] * Xi2[i + f.N0 * (nu + P2 * b)];
                    sum *= f.variance[0] / (double)f.N0;
                    worst = fmax(worst, fabs(sum - C[mu + f.P * (nu + P2 * (a + paths * b))]));
                    combined += f.order[a + paths * b] * sum / (double)paths;
                }
            worst_K = fmax(worst_K, fabs(combined - K[mu + f.P * nu]));
        }
    CHECK_NEAR(worst, 0.0, 1e-13);
    CHECK_NEAR(worst_K, 0.0, 1e-12);
    const size_t huge = (size_t)1 << 40;
    const ap_inputs long_x = {.N0 = huge, .P = f.P, .Xi = f.Xi}, long_x2 = {.N0 = huge, .P = huge, .Xi = Xi2};
    CHECK_STATUS(ap_pathkernels(C, &f.net, &long_x, &x2, &err), AP_ESIZE);
    CHECK_STATUS(ap_kernel_cross(K, &f.net, &long_x, &long_x2, f.order, &work, &err), AP_ESIZE);
    ap_work none = {0};
    CHECK_STATUS(ap_kernel_cross(K, &f.net, &x, &x2, f.order, &none, &err), AP_EMEMORY);
}

// The three forms of a kernel must agree with the definition.
static void test_state(double memory, size_t N0, size_t P, bool packed, bool square) {
    setup(N0, P);
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

static void test_plan(void) {
    ap_kernel k;
    setup(5, 4);
    const size_t huge = (size_t)1 << 40;
    const ap_inputs x = {.N0 = 192, .P = 600, .Xi = f.Xi}, long_x = {.N0 = huge, .P = huge, .Xi = f.Xi};
    CHECK_STATUS(ap_kernel_plan(&k, &f.net, &long_x, 1e9, &err), AP_ESIZE);
    CHECK_STATUS(ap_kernel_plan(&k, &f.net, &x, 0.0, &err), AP_OK);
    CHECK(k.storage == 0);  // no memory, no store
    CHECK_STATUS(ap_kernel_plan(&k, &f.net, &x, 1e12, &err), AP_OK);
    CHECK(k.storage == k.pairs * 600 * 601 / 2);  // too large for an additional unpacked copy
    ap_work none = {0}, work = check_work();
    CHECK_STATUS(ap_kernel_build(&k, NULL, &none, &err), AP_EMEMORY);
    double nothing = 0.0;  // a plan without its build is refused
    CHECK_STATUS(ap_kernel_combine(&nothing, &k, f.order, NULL, &work, &err), AP_EINPUT);
    CHECK_STATUS(ap_kernel_contract(&nothing, &k, &nothing, &work, &err), AP_EINPUT);
    CHECK_STATUS(ap_kernel_gradient(&nothing, &k, &nothing, &nothing, 1, &work, &err), AP_EINPUT);
    CHECK_STATUS(ap_kernel_apply(&nothing, &k, &nothing, 1, &work, &err), AP_EINPUT);
}

static void test_workspace(double memory) {
    double *storage, G[36], V[3 * 21], b[3] = {1, 2, 3};
    fixture f;
    fixture_make(&f, 2, false, 30, 2, 3, 5);
    const ap_kernel k = fixture_ready(&f, &f.net, memory, &storage);
    CHECK_WORKSPACE(ap_kernel_gradient(G, &k, (double[]){2, 1, 1, 0, 2, 1, 0, 0, 2}, b, 1, &work, &err));
    if (k.square == NULL) CHECK_WORKSPACE(ap_kernel_apply(V, &k, b, 1, &work, &err));
}

int main(void) {
    test_pathkernels();
    test_state(0.0, 5, 22, false, false);
    test_state(1e9, 400, 22, true, true);
    test_state(8.0 * 21 * 22 * 23 / 2, 400, 22, true, false);
    test_plan();
    test_workspace(0.0);
    test_workspace(1e9);
    test_workspace(8.0 * 21 * 3 * 4 / 2);  // packed alone
    return check_report("test_ap_kernel");
}
