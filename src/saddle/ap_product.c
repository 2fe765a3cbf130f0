// ap_product.c: products with the Hessian of the action at a point
// SPDX-License-Identifier: BSD-3-Clause

#include "saddle/ap_saddle.h"

static ap_status take_probes(ap_product *t, size_t probes, ap_work *work, ap_error *err) {
    return ap_energy_probes_take(&t->random, t->p, probes, work, err);
}

static ap_status make_probes(ap_product *t, const ap_point *point, ap_error *err) {
    (void)err;
    ap_energy_probes_make(&t->random, point, t->entropy.F);
    return AP_OK;
}

static ap_status add_probes(double *M, ap_product *t, const double *d, ap_work *work, ap_error *err) {
    (void)work;
    (void)err;
    ap_energy_probes_add(M, &t->random, d);
    return AP_OK;
}

static ap_status take_inverted(ap_product *t, size_t probes, ap_work *work, ap_error *err) {
    (void)probes;
    return ap_energy_hessian_take(&t->exact, t->p, true, work, err);
}

static ap_status take_solved(ap_product *t, size_t probes, ap_work *work, ap_error *err) {
    (void)probes;
    return ap_energy_hessian_take(&t->exact, t->p, false, work, err);
}

static ap_status make_exact(ap_product *t, const ap_point *point, ap_error *err) {
    return ap_energy_hessian_make(&t->exact, point, t->entropy.F, err);
}

// Exact products take long: the caller may stop the work before each.
static ap_status add_exact(double *M, ap_product *t, const double *d, ap_work *work, ap_error *err) {
    if (ap_kernel_stops(t->p->kernel)) return AP_INTERRUPTED;
    return ap_energy_hessian_add(M, &t->exact, d, work, err);
}

const ap_product_ops ap_product_probed = {.take = take_probes, .make = make_probes, .add = add_probes};
const ap_product_ops ap_product_inverted = {.take = take_inverted, .make = make_exact, .add = add_exact};
const ap_product_ops ap_product_solved = {.take = take_solved, .make = make_exact, .add = add_exact};

ap_status ap_product_take(ap_product *t, const ap_problem *p, const ap_product_ops *how, size_t probes, ap_work *work,
                          ap_error *err) {
    *t = (ap_product){.p = p, .how = how};
    const ap_status status = ap_entropy_hessian_take(&t->entropy, p->net, work, err);
    return status < 0 ? status : how->take(t, probes, work, err);
}

ap_status ap_product_make(ap_product *t, const ap_point *point, ap_along along, ap_error *err) {
    const ap_status status = ap_entropy_hessian_make(&t->entropy, point, along == AP_RETRACTION ? 1.0 : 0.0, err);
    return status < 0 ? status : t->how->make(t, point, err);
}

ap_status ap_product_apply(double *M, ap_product *t, const double *d, ap_work *work, ap_error *err) {
    ap_entropy_hessian_apply(M, &t->entropy, d);
    return t->how->add(M, t, d, work, err);
}
