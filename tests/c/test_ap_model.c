// test_ap_model.c: the way of holding the curvature follows from the sizes of a problem
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static const ap_model_ops *chosen(size_t paths, size_t P, size_t N0, size_t outputs) {
    const ap_kernel k = {.N0 = N0, .P = P, .paths = paths, .pairs = ap_pairs_count(paths), .outputs = outputs};
    return ap_model_ops_for(&(ap_problem){.kernel = &k});
}

// One output: a matrix for few paths, a map for many; the crossings that ap_saddle.h names. Several: exact products
// where vectors are few for the unknowns (ap_model_worth).
static void test_choice(void) {
    static const struct {
        size_t paths, P, N0, outputs;
        const ap_model_ops *how;
    } sizes[] = {{4, 100, 100, 1, &ap_dense_ops},
                 {4, 100, 231, 1, &ap_dense_ops},
                 {16, 600, 192, 1, &ap_dense_ops},
                 {16, 600, 64, 1, &ap_dense_ops},
                 {36, 500, 192, 1, &ap_dense_ops},
                 {64, 500, 192, 1, &ap_iterative_ops},
                 {144, 300, 48, 1, &ap_iterative_ops},
                 {256, 500, 768, 1, &ap_iterative_ops},
                 {5 * 12, 5 * 100, 231, 5, &ap_iterative_exact_ops},
                 {10 * 22, 10 * 10, 30, 10, &ap_iterative_exact_ops},
                 {10 * 22, 10 * 100, 231, 10, &ap_iterative_exact_ops},
                 {2 * 4, 2 * 100, 231, 2, &ap_dense_ops},
                 {2 * 4, 2 * 600, 192, 2, &ap_dense_ops},
                 {5 * 4, 5 * 100, 231, 5, &ap_dense_ops},
                 {10 * 4, 10 * 100, 231, 10, &ap_iterative_ops},
                 {3 * 16, 3 * 600, 192, 3, &ap_iterative_ops}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        CHECK(chosen(sizes[i].paths, sizes[i].P, sizes[i].N0, sizes[i].outputs) == sizes[i].how);
}

int main(void) {
    test_choice();
    setting s;
    ap_model model;
    setting_make(&s, 2, 9, 0.0);
    CHECK_STATUS(ap_model_take(&model, &s.p, &s.settings, NULL, &s.work, &err), AP_OK);
    CHECK(model.how == &ap_dense_ops && model.n == ap_params_unknowns(&s.f.net));
    CHECK_NEAR(model.radius, sqrt((double)s.f.paths), 1e-15 * (double)s.f.paths);
    CHECK_STATUS(ap_model_take(&model, &s.p, &s.settings, &ap_iterative_ops, &s.work, &err), AP_OK);
    CHECK(model.how == &ap_iterative_ops);
    return check_report("test_ap_model");
}
