// test_ap_backward.c: derivatives with respect to attention and heads against differences of the path inputs
// SPDX-License-Identifier: BSD-3-Clause
//
// The function is sum of D Xi, D random. Along a random direction of one layer's matrices, central differences of step
// h = 1e-5 have errors of h^2 times third derivatives of order 10, and of eps/h times the value: 1e-9 and 1e-10. The
// tolerance is 1e-6 of the scale.

#include "fixture.h"

static const double h = 1e-5, tolerance = 1e-6;

static double number(fixture *f, const double *D) {
    const size_t cells = f->N0 * ap_paths_count(&f->net, &f->x) * f->paths;
    double sum = 0.0;
    CHECK_STATUS(ap_paths(f->Xi, &f->net, &f->x, NULL, NULL, &work, &err), AP_OK);
    for (size_t i = 0; i < cells; i++) sum += D[i] * f->Xi[i];
    return sum;
}

// The derivative of the function along a direction of some of its arguments; slope has the partial derivatives.
static void along(fixture *f, const double *D, double *numbers, const double *slope, size_t n, uint64_t seed) {
    double *direction = fixture_numbers(n, 1.0, &seed), want = 0.0, size = 1.0, value[2];
    for (size_t i = 0; i < n; i++) {
        want += direction[i] * slope[i];
        size += fabs(direction[i] * slope[i]);
    }
    for (int sign = 0; sign < 2; sign++) {
        const double step = sign == 0 ? h : -h;
        for (size_t i = 0; i < n; i++) numbers[i] += step * direction[i];
        value[sign] = number(f, D);
        for (size_t i = 0; i < n; i++) numbers[i] -= step * direction[i];
    }
    CHECK_NEAR((value[0] - value[1]) / (2.0 * h), want, tolerance * size);
}

static void by_rule(fixture *f, const double *D, double bandwidth, double ridge) {
    const ap_rule rule = f->rule;
    double value[2];
    for (int which = 0; which < (rule.kind == AP_CME ? 2 : 1); which++) {
        for (int sign = 0; sign < 2; sign++) {
            ap_rule moved = rule;
            const double factor = exp(sign == 0 ? h : -h);
            *(which == 0 ? &moved.bandwidth : &moved.ridge) *= factor;
            fixture_rule(f, moved);
            value[sign] = number(f, D);
        }
        const double want = which == 0 ? bandwidth : ridge;
        CHECK_NEAR((value[0] - value[1]) / (2.0 * h), want, tolerance * (10.0 + fabs(want)));
    }
    fixture_rule(f, rule);
}

static void compare(fixture *f, uint64_t seed) {
    const size_t cells = f->N0 * ap_paths_count(&f->net, &f->x) * f->paths;
    double *D = fixture_numbers(cells, 1.0, &seed);
    f->Xi = check_room(cells);
    const size_t parameters = ap_backward_parameters(&f->net, f->N0);
    double *theta = check_room(parameters);
    CHECK_STATUS(ap_backward(NULL, theta, D, &f->net, &f->x, NULL, NULL, &work, &err), AP_OK);
    const double *at = theta;
    for (size_t l = 0; l < f->net.L; l++) {
        const size_t n = f->N0 * f->H[l] * (f->W[l] != NULL ? f->N0 : f->heads[l].G);
        along(f, D, f->W[l] != NULL ? f->W[l] : f->Q[l], at, n, seed + l);
        at += n;
        if (f->W[l] != NULL) continue;
        along(f, D, f->K[l], at, n, seed + l);
        at += n;
    }
    by_rule(f, D, at[0], at[1]);
}

static void test_all_kinds(void) {
    static const ap_read reads[3] = {AP_READ_LAST, AP_READ_MEAN, AP_READ_TOKEN};
    static const ap_kernel_kind kernels[3] = {AP_KERNEL_EXPONENTIAL, AP_KERNEL_GAUSSIAN, AP_KERNEL_LINEAR};
    for (size_t L = 1; L <= 3; L++)
        for (unsigned kind = 0; kind < 36; kind++) {
            fixture f;
            fixture_scales = kind % 3 == 1;
            fixture_skips = kind % 5 == 2 ? 1 : 0;
            fixture_make(&f, L, false, 3, 4, 130, 20 * L + kind);  // more than one chunk of 512 queries
            f.rule.bandwidth = 1.6;
            if (kind % 18 >= 9)
                f.rule = (ap_rule){.kind = AP_CME, .bandwidth = 2.0, .ridge = 0.4, .kernel = kernels[kind % 3]};
            fixture_some(&f, kind % 2 == 1 || kind % 18 >= 9, 4, kind);
            if (kind % 4 == 2) fixture_lengths(&f);
            f.net.read = kind < 18 ? reads[(kind / 3) % 3] : AP_READ_ALL;
            f.net.causal = kind % 5 == 0;
            compare(&f, 100 * L + kind);
        }
    fixture_scales = false;
    fixture_skips = 0;
}

// Derivatives with respect to maps, one head at a time; the chain rule from there is tested above.
static void test_maps(ap_read read) {
    fixture f;
    uint64_t seed = 5;
    fixture_scales = true;
    fixture_make(&f, 2, false, 3, 4, 6, 3);
    fixture_scales = false;
    f.net.read = read;
    const size_t cells = f.N0 * ap_paths_count(&f.net, &f.x) * f.paths;
    double *A[2], *slope[2], *D = fixture_numbers(cells, 1.0, &seed), sum = 0.0;
    f.Xi = check_room(cells);
    for (size_t l = 0; l < 2; l++) {
        A[l] = fixture_numbers(f.T * f.T * f.H[l] * f.P, 1.0, &seed);
        slope[l] = check_room(f.T * f.T * f.H[l] * f.P);
    }
    const double *const *maps = (const double *const *)A;
    CHECK_STATUS(ap_backward(slope, NULL, D, &f.net, &f.x, maps, NULL, &work, &err), AP_OK);
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, maps, NULL, &work, &err), AP_OK);
    for (size_t i = 0; i < cells; i++) sum += D[i] * f.Xi[i];
    for (size_t l = 0; l < 2; l++) {  // the function is linear in the maps of each layer
        double along = 0.0;
        for (size_t i = 0; i < f.T * f.T * f.H[l] * f.P; i++) along += slope[l][i] * A[l][i];
        CHECK_NEAR(along, sum, 1e-12 * (10.0 + fabs(sum)));
        const size_t i = 17;  // one entry: a difference of a linear function is exact up to rounding
        double moved = -sum;
        A[l][i] += 1.0;
        CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, maps, NULL, &work, &err), AP_OK);
        for (size_t k = 0; k < cells; k++) moved += D[k] * f.Xi[k];
        A[l][i] -= 1.0;
        CHECK_NEAR(moved, slope[l][i], 1e-12 * (10.0 + fabs(sum)));
    }
    double theta;
    CHECK_STATUS(ap_backward(NULL, &theta, D, &f.net, &f.x, maps, NULL, &work, &err), AP_EINPUT);
    CHECK_STATUS(ap_backward(NULL, NULL, D, &f.net, &f.x, NULL, NULL, &work, &err), AP_EINPUT);
    fixture_bilinear(&f, 2);
    fixture_rule(&f, (ap_rule){.kind = AP_HARDMAX, .bandwidth = 1.0, .ridge = 1.0});
    CHECK_STATUS(ap_backward(NULL, &theta, D, &f.net, &f.x, NULL, NULL, &work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "hardmax of layer 1");
}

// Memory, and equal bits for any number of threads.
static void test_workspace_and_team(ap_read read) {
    static const ap_team team = {.threads = 3, .run = check_backwards};
    fixture f;
    uint64_t seed = 9;
    fixture_make(&f, 2, false, 3, 4, 1279, 5);  // ten chunks of 128 examples but one
    f.rule = (ap_rule){.kind = AP_CME, .bandwidth = 2.0, .ridge = 0.4, .kernel = AP_KERNEL_GAUSSIAN};
    fixture_query_key(&f, 5, 6);
    f.net.read = read;
    const size_t parameters = ap_backward_parameters(&f.net, f.N0);
    double *one = check_doubles(parameters), *many = check_doubles(parameters);
    double *D = fixture_numbers(f.N0 * ap_paths_count(&f.net, &f.x) * f.paths, 1.0, &seed);
    CHECK_WORKSPACE(ap_backward(NULL, one, D, &f.net, &f.x, NULL, NULL, &work, &err));
    CHECK_STATUS(ap_backward(NULL, one, D, &f.net, &f.x, NULL, NULL, &work, &err), AP_OK);
    CHECK_STATUS(ap_backward(NULL, many, D, &f.net, &f.x, NULL, &team, &work, &err), AP_OK);
    CHECK(memcmp(one, many, parameters * sizeof *one) == 0);
    // what a pass through the maps has kept takes the place of another
    double *kept = check_room(ap_paths_kept(&f.net, &f.x));
    double *Xi = check_room(f.N0 * ap_paths_count(&f.net, &f.x) * f.paths);
    CHECK_WORKSPACE(ap_paths_keep(Xi, kept, &f.net, &f.x, NULL, NULL, &work, &err));
    CHECK_STATUS(ap_backward_heads(many, D, kept, &f.net, &f.x, &work, &err), AP_OK);
    CHECK(memcmp(one, many, (parameters - 2) * sizeof *one) == 0);
}

int main(void) {
    test_all_kinds();
    test_maps(AP_READ_MEAN);
    test_maps(AP_READ_ALL);
    test_workspace_and_team(AP_READ_LAST);
    test_workspace_and_team(AP_READ_ALL);
    return check_report("test_ap_backward");
}
