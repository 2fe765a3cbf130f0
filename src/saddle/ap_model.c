// ap_model.c: which way of holding the curvature serves a problem
// SPDX-License-Identifier: BSD-3-Clause

#include "saddle/ap_saddle.h"

#include <math.h>

// Cost of a Newton step in addition to its evaluation, in flops. The matrix: its factor Pi^6 / 24, label and four probe
// vectors 5/4 P Pi^4. The linear map: some 11 products of 4 P N0 Pi flops a vector, nine of them, at a third to a
// quarter of the speed that larger matrix products reach.
//
// With several outputs A has P rows for P / C examples: a column goes through the inputs for a C-th of the price, and
// what depends on P alone, triangular solves, counts. No number of paths is few, for P may be thousands.
static double map_price(const ap_kernel *k) {
    const double paths = (double)k->paths, P = (double)k->P, N0 = (double)k->N0, C = (double)k->outputs;
    return ap_model_thin * (P * N0 * paths / C + N0 * paths * paths + 0.5 * P * P);
}

double ap_model_matrix_price(const ap_kernel *k) {
    const double paths = (double)k->paths, P = (double)k->P;
    return pow(paths, 6.0) / 24.0 + 1.25 * P * pow(paths, 4.0) + 2.5 * P * P * paths * paths;
}

// Exact products pay where random vectors are too few for the unknowns: eight vectors have 8 P numbers for Pi^2/2
// unknowns, and a search takes more evaluations the fewer numbers there are for each. The price of a product, relative
// to a probed one, may be `worth` times the unknowns divided by these numbers.
static bool exact_pays(const ap_kernel *k) {
    const double paths = (double)k->paths, P = (double)k->P, C = (double)k->outputs;
    const double kernels = 2.0 * P * P * paths * paths / (C * C);  // combined and contracted, where they are stored
    const double price = (3.0 * P * P * P + kernels) / (map_price(k) / ap_model_products_of_a_step);
    return price < ap_model_worth * 0.5 * paths * paths / (ap_model_vectors * P);
}

bool ap_model_is_small(const ap_problem *p) {
    const ap_kernel *k = p->kernel;
    if (k->outputs > 1) return ap_model_matrix_price(k) < map_price(k);
    const double paths = (double)k->paths, P = (double)k->P, N0 = (double)k->N0;
    const double matrix = pow(paths, 6.0) / 24.0 + 1.25 * P * pow(paths, 4.0), map = ap_model_thin * P * N0 * paths;
    return k->paths <= ap_model_few || matrix < map;
}

const ap_model_ops *ap_model_ops_for(const ap_problem *p) {
    if (p->kernel->outputs > 1 && exact_pays(p->kernel)) return &ap_iterative_exact_ops;
    return ap_model_is_small(p) ? &ap_dense_ops : &ap_iterative_ops;
}

ap_status ap_model_take(ap_model *model, const ap_problem *p, const ap_settings *settings, const ap_model_ops *how,
                        ap_work *work, ap_error *err) {
    *model = (ap_model){.p = p,
                        .how = how != NULL ? how : ap_model_ops_for(p),
                        .n = ap_params_unknowns(p->net),
                        .tolerance = settings->tolerance,
                        .radius = settings->step_limit * sqrt((double)p->kernel->paths)};
    ap_status status = ap_frame_take(&model->frame, p->net, work, err);
    if (status == AP_OK) status = ap_triangular_take(&model->curves, p->net, work, err);
    return status < 0 ? status : model->how->take(model, settings->probes, work, err);
}
