// ap_model.c: which way of holding the curvature serves a problem
// SPDX-License-Identifier: BSD-3-Clause

#include "ap_model.h"

#include "ap_core.h"
#include "ap_order.h"

ap_status ap_model_take(ap_model *model, const ap_problem *p, size_t probes, ap_work *work, ap_error *err) {
    *model = (ap_model){.p = p, .how = &ap_dense_how, .n = ap_order_unknowns(p->net)};
    const ap_status status = ap_frame_take(&model->frame, p->net, work, err);
    return status < 0 ? status : model->how->take(model, probes, work, err);
}
