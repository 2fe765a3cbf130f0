// ap_hessian_operator.c: products with the Hessian of the action at a point
// SPDX-License-Identifier: BSD-3-Clause

#include "saddle/ap_saddle.h"

static bool is_probed(const ap_hessian_operator *t) { return t->form == AP_PROBED || t->form == AP_STAYING; }

ap_status ap_hessian_operator_take(ap_hessian_operator *t, const ap_problem *p, ap_energy_hessian_kind form,
                                   size_t probes, ap_work *work, ap_error *err) {
    *t = (ap_hessian_operator){.p = p, .form = form};
    const ap_status status = ap_entropy_hessian_take(&t->entropy, p->net, work, err);
    if (status < 0) return status;
    if (is_probed(t)) return ap_energy_probes_take(&t->random, p, form == AP_STAYING, probes, work, err);
    return ap_energy_hessian_take(&t->exact, p, form == AP_INVERTED, work, err);
}

ap_status ap_hessian_operator_make(ap_hessian_operator *t, const ap_point *point, ap_along along, ap_error *err) {
    const ap_status status = ap_entropy_hessian_make(&t->entropy, point, along == AP_RETRACTION ? 1.0 : 0.0, err);
    if (status < 0) return status;
    if (!is_probed(t)) return ap_energy_hessian_make(&t->exact, point, t->entropy.F, err);
    ap_energy_probes_make(&t->random, point, t->entropy.F);
    return AP_OK;
}

ap_status ap_hessian_operator_apply(double *M, ap_hessian_operator *t, const double *d, ap_work *work, ap_error *err) {
    if (ap_kernel_stops(t->p->kernel)) return AP_INTERRUPTED;  // a product takes long, exact or of many paths
    ap_entropy_hessian_apply(M, &t->entropy, d);
    if (is_probed(t)) {
        ap_energy_probes_add(M, &t->random, d);
        return AP_OK;
    }
    return ap_energy_hessian_add(M, &t->exact, d, work, err);
}
