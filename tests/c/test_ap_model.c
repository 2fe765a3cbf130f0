// test_ap_model.c: the way of holding the curvature follows from the sizes of a problem
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static const ap_model_ops *chosen(size_t paths, size_t P, size_t N0, size_t outputs) {
    const ap_kernel k = {.N0 = N0, .P = P, .paths = paths, .pairs = ap_pairs_count(paths), .outputs = outputs};
    return ap_model_ops_for(&(ap_problem){.kernel = &k});
}

int main(void) {
    // one output: a matrix for few paths, a map for many; the crossings that ap_saddle.h names
    CHECK(chosen(4, 100, 100, 1) == &ap_dense_ops);
    CHECK(chosen(16, 600, 192, 1) == &ap_dense_ops);
    CHECK(chosen(36, 500, 192, 1) == &ap_dense_ops && chosen(64, 500, 192, 1) == &ap_iterative_ops);
    CHECK(chosen(144, 300, 48, 1) == &ap_iterative_ops);
    // several outputs: exact products where vectors are few for the unknowns (ap_model_worth)
    CHECK(chosen(10 * 22, 10 * 10, 30, 10) == &ap_iterative_exact_ops);
    CHECK(chosen(2 * 4, 2 * 600, 192, 2) != &ap_iterative_exact_ops);

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
