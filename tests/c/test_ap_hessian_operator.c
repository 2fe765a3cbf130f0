// test_ap_hessian_operator.c: the Hessian's products in all forms against second differences of the action
// SPDX-License-Identifier: BSD-3-Clause
//
// Second differences with h = 1e-4 have errors of h^2 and of eps |S| / h^2, 1e-6 here, in units of the largest.

#include "fixture.h"

// The action at F_l (I + t d_l [+ t^2 d_l^2 / 2]) F_l'
static double action_at(setting *s, const double *F, const double *d, double t, ap_along along) {
    AP_FREE_MEMBERS (u, &s->f.net) {
        double scaled[12 * 12];
        for (size_t i = 0; i < u.n * u.n; i++) scaled[i] = t * d[u.at + i];
        if (along == AP_RETRACTION) {
            ap_frame_retract(s->point.order + u.at, 1.0, scaled, F + u.at, u.n);
            continue;
        }
        for (size_t i = 0; i < u.n; i++) scaled[i * (u.n + 1)] += 1.0;
        ap_spd_multiply('N', scaled, F + u.at, u.n);
        memcpy(s->point.order + u.at, scaled, u.n * u.n * sizeof *scaled);
    }
    ap_params_copy_tied(s->point.order, &s->f.net);
    CHECK_STATUS(ap_action_value(&s->point, &s->p, &s->work, &err), AP_OK);
    return s->point.entropy + s->point.fit.u_dependent;
}

static void test_form(size_t L, ap_energy_hessian_kind form, ap_along along) {
    setting s;
    ap_hessian_operator H;
    uint64_t seed = 5;
    const double h = 1e-4;
    setting_make(&s, L, 9, 0.0);
    setting_derive(&s);
    const size_t chain = ap_params_length(&s.f.net);
    double *d = check_doubles(chain), *M = check_room(chain), form_of = 0.0;
    AP_FREE_MEMBERS (u, &s.f.net) {
        check_fill(d + u.at, u.n * u.n, &seed);
        ap_spd_symmetrise(d + u.at, u.n);
    }
    CHECK_STATUS(ap_hessian_operator_take(&H, &s.p, form, s.f.P, &s.work, &err), AP_OK);
    CHECK_STATUS(ap_hessian_operator_make(&H, &s.point, along, &err), AP_OK);
    double *F = check_copy(H.entropy.F, chain);
    CHECK_STATUS(ap_hessian_operator_apply(M, &H, d, &s.work, &err), AP_OK);
    AP_FREE_MEMBERS (u, &s.f.net) form_of += ap_dot(u.n * u.n, d + u.at, M + u.at);
    const double middle = action_at(&s, F, d, 0.0, along);
    const double bend = action_at(&s, F, d, h, along) - 2.0 * middle + action_at(&s, F, d, -h, along);
    CHECK_NEAR(form_of, bend / (h * h), 1e-5 * fmax(1.0, fabs(form_of)));
}

int main(void) {
    for (size_t L = 1; L <= 3; L++)
        for (int form = AP_PROBED; form <= AP_SOLVED; form++) {
            test_form(L, (ap_energy_hessian_kind)form, AP_LINES);
            test_form(L, (ap_energy_hessian_kind)form, AP_RETRACTION);
        }
    return check_report("test_ap_hessian_operator");
}
