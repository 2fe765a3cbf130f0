// test_ap_target.c: a target seen through a metric
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { dim = 3 };

static const double z[dim] = {0.4, -1.1, 0.8}, centre[dim] = {0.3, -0.2, 0.1};
static const double F[dim * dim] = {0.95, -0.2, 0.1, 0.0, 0.9, -0.1, 0.0, 0.0, 1.1};
static const ap_metric plain = {.F = NULL}, dense = {.centre = centre, .F = F, .rank = dim};
static const fixture_normal normal = {.dim = dim, .M = {3, 1, -1, 1, 2, 0.5, -1, 0.5, 4}, .b = {1, -2, 0.5}};

static double psi_at(double *grad, const ap_target *target, const ap_metric *metric, const double *at) {
    double here[dim];
    ap_place place = {.z = memcpy(here, at, sizeof here), .grad = grad};
    CHECK_STATUS(ap_target_evaluate(&place, target, metric, &work, &err), AP_OK);
    return place.psi;
}

// psi_z + |z|^2/2 = psi + |x|^2/2 at any z, which is a parabola here: differences are its gradient.
static void test_metric(const ap_metric *metric) {
    const ap_target target = fixture_normal_target(&normal, 0);
    double x[dim], g[dim], grad[dim], psi;
    const double psi_z = psi_at(grad, &target, metric, z);
    for (size_t i = 0; i < dim; i++) {
        x[i] = metric->F == NULL ? z[i] : centre[i];
        for (size_t j = 0; metric->F != NULL && j < dim; j++) x[i] += F[i + dim * j] * z[j];
    }
    CHECK_STATUS(fixture_normal_at(&psi, g, &normal, x, &work, &err), AP_OK);
    CHECK_NEAR(psi_z + 0.5 * ap_dot(dim, z, z), psi + 0.5 * ap_dot(dim, x, x), 1e-14);
    for (size_t i = 0; i < dim; i++) {
        double side[2];
        for (int right = 0; right < 2; right++) {
            memcpy(x, z, sizeof x);
            x[i] += right ? 0.5 : -0.5;
            side[right] = psi_at(g, &target, metric, x);
        }
        CHECK_NEAR(side[1] - side[0], grad[i], 1e-14);
    }
}

static void test_failure(void) {  // of the target: passed on, and its memory given back
    fixture_normal here = normal;
    here.only = centre;
    const ap_target target = fixture_normal_target(&here, 0);
    double at[dim] = {9.0}, grad[dim];
    ap_place place = {.z = at, .grad = grad};
    CHECK_STATUS(ap_target_evaluate(&place, &target, &dense, &work, &err), AP_ENOTSPD);
    CHECK(work.used == 0 && ap_target_survives(AP_ENOTSPD) && !ap_target_survives(AP_EMEMORY));
}

int main(void) {
    test_metric(&plain);
    test_metric(&dense);
    test_failure();
    return check_report("test_ap_target");
}
