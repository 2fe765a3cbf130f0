// test_ap_metric.c: the linear map between z and x by its definition, and its adaptation
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { dim = 6, most = dim * dim };

typedef struct map {  // a metric with its memory
    double centre[dim], F[most], V[most], room[2 * dim];
    ap_metric metric;
} map;

// k orthonormal directions; with k = dim the coordinates themselves, also with an explicit V.
static void make(map *m, size_t k, uint64_t seed) {
    for (size_t i = 0; i < dim; i++) m->centre[i] = check_random(&seed);
    ap_rng rng = ap_rng_start(seed, 0);
    CHECK_STATUS(ap_rng_frame(m->V, dim, k, &rng, &work, &err), AP_OK);
    if (k == dim) ap_spd_identity(m->V, dim);
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < k; i++)
            m->F[i + k * j] = i < j ? 0.0 : i == j ? 0.4 + 0.2 * (double)j : 0.5 * check_random(&seed);
    m->metric = (ap_metric){
        .centre = m->centre, .F = m->F, .V = k < dim ? m->V : NULL, .rank = k, .room = k < dim ? m->room : NULL};
}

// J = dx/dz = I + V (F - I) V'
static void jacobian(double *J, const map *m) {
    const size_t k = m->metric.rank;
    for (size_t j = 0; j < dim; j++)
        for (size_t i = 0; i < dim; i++) {
            J[i + dim * j] = i == j ? 1.0 : 0.0;
            for (size_t a = 0; a < k; a++)
                for (size_t b = 0; b < k; b++)
                    J[i + dim * j] += m->V[i + dim * a] * (m->F[a + k * b] - (a == b ? 1.0 : 0.0)) * m->V[j + dim * b];
        }
}

static void test_map(size_t k) {
    map m;
    double J[most], got[dim], want[dim];
    uint64_t seed = 20 + k;
    make(&m, k, 10 + k);
    jacobian(J, &m);
    double *z = fixture_numbers(dim, 2.0, &seed);
    for (size_t i = 0; i < dim; i++) {
        want[i] = m.centre[i];
        for (size_t j = 0; j < dim; j++) want[i] += J[i + dim * j] * z[j];
    }
    ap_metric_position(got, &m.metric, dim, z);
    CHECK_ARRAYS(got, want, dim, 1e-14);
    for (size_t j = 0; j < dim; j++) {
        want[j] = 0.0;
        for (size_t i = 0; i < dim; i++) want[j] += J[i + dim * j] * z[i];
    }
    ap_metric_pull(got, &m.metric, dim, z);
    CHECK_ARRAYS(got, want, dim, 1e-14);
    for (size_t j = 0; j < k; j++) {
        want[j] = 0.0;
        for (size_t i = 0; i < dim; i++) want[j] += m.V[i + dim * j] * z[i];
    }
    ap_metric_part(got, &m.metric, dim, z);
    CHECK_ARRAYS(got, want, k, 1e-14);
}

static void test_none(void) {
    const ap_metric none = {.F = NULL};
    const double z[dim] = {1.0, -2.0, 3.0, 0.5, 0.0, 7.0};
    double got[dim] = {0.0};
    ap_metric_position(got, &none, dim, z);
    CHECK_ARRAYS(got, z, dim, 0.0);
    got[2] = 0.0;
    ap_metric_pull(got, &none, dim, z);
    CHECK_ARRAYS(got, z, dim, 0.0);
}

// F F' := F (w S + (1 - w) I) F', centre += V F m, with S and m of the observed positions; the position is unchanged.
static void test_learn(size_t k, size_t draws) {
    map m, before;
    uint64_t seed = 40 + k;
    make(&m, k, 30 + k);
    before = m;
    before.metric.centre = before.centre;
    before.metric.F = before.F;
    double mean[dim] = {0.0}, second[most] = {0.0}, *u = fixture_numbers(k * draws, 1.5, &seed);
    double average[dim] = {0.0}, S[most] = {0.0};
    for (size_t s = 0; s < draws; s++) {
        ap_metric_see(mean, second, (double)(s + 1), u + k * s, k);
        for (size_t i = 0; i < k; i++) average[i] += u[i + k * s] / (double)draws;
    }
    CHECK_ARRAYS(mean, average, k, 1e-14);
    const double w = (double)draws / (double)(draws + k);
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < k; i++) {
            for (size_t s = 0; s < draws; s++)
                S[i + k * j] += (u[i + k * s] - average[i]) * (u[j + k * s] - average[j]) / (double)(draws - 1);
            S[i + k * j] = w * S[i + k * j] + (i == j ? 1.0 - w : 0.0);
        }
    double *z = fixture_numbers(dim, 2.0, &seed), x[dim], again[dim], centre[dim];
    ap_metric_position(x, &m.metric, dim, z);
    CHECK_STATUS(ap_metric_learn(m.centre, m.F, z, mean, second, &m.metric, dim, (double)draws, &work, &err), AP_OK);
    CHECK(work.used == 0);
    ap_metric_position(again, &m.metric, dim, z);
    CHECK_ARRAYS(again, x, dim, 1e-13);
    for (size_t i = 0; i < dim; i++) {
        centre[i] = before.centre[i];
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; b < k; b++) centre[i] += m.V[i + dim * a] * before.F[a + k * b] * average[b];
    }
    CHECK_ARRAYS(m.centre, centre, dim, 1e-13);
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < k; i++) {
            double got = 0.0, want = 0.0;
            for (size_t a = 0; a < k; a++) got += m.F[i + k * a] * m.F[j + k * a];
            for (size_t a = 0; a < k; a++)
                for (size_t b = 0; b < k; b++) want += before.F[i + k * a] * S[a + k * b] * before.F[j + k * b];
            CHECK_NEAR(got, want, 1e-13);
            CHECK(i >= j || m.F[i + k * j] == 0.0);
            CHECK(second[i + k * j] == 0.0);
        }
    for (size_t i = 0; i < k; i++) CHECK(mean[i] == 0.0);
}

static void test_workspace(size_t k) {
    map m;
    double z[dim] = {0.0}, mean[dim] = {0.0}, second[most] = {0.0};
    make(&m, k, 5);
    CHECK_WORKSPACE(ap_metric_learn(m.centre, m.F, z, mean, second, &m.metric, dim, 20.0, &work, &err));
}

int main(void) {
    for (size_t k = 1; k <= dim; k++) {
        test_map(k);
        test_learn(k, 3);
        test_learn(k, 200);
        test_workspace(k);
    }
    test_none();
    return check_report("test_ap_metric");
}
