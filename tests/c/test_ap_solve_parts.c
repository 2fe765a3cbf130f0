// test_ap_solve_parts.c: coupled outputs from the solutions of small problems
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { most_outputs = 5 };

// Labels of rank `rank`: random numbers times as many columns of a matrix of ones, cosines and zeros.
static void labels(setting *t, size_t rank, uint64_t seed) {
    const size_t P = t->f.P;
    double *base = fixture_numbers(P * most_outputs, 2.0, &seed);
    for (size_t c = 0; c < t->C; c++)
        for (size_t mu = 0; mu < P; mu++) {
            double sum = 0.0;
            for (size_t k = 0; k < rank; k++) sum += base[mu + P * k] * cos(0.7 * (double)((k + 1) * c) + (double)k);
            t->y[mu + P * c] = sum;
        }
}

static void make(setting *t, size_t L, size_t P, size_t C, double memory) {
    fixture_make(&t->f, L, false, 12, 3, P, 5 * L + P + C);
    setting_outputs(t, C, memory);
    labels(t, C > 1 ? C - 1 : 1, 3);
}

static ap_status solve(setting *t, bool parts, ap_error *err) {
    ap_params_gp(t->point.order, &t->chain);
    return (parts ? ap_solve_parts_by : ap_solve_by)(&t->point, &t->progress, &t->p, &t->settings, t->how, &t->work,
                                                     err);
}

static const double *usual(setting *t) {  // the solution from the GP point
    CHECK_STATUS(solve(t, false, &err), AP_OK);
    return check_copy(t->point.order, ap_params_length(&t->chain));
}

// Both starts lead to the same solution. At the tolerance of 1e-8 the relative change of U is below 1e-6.
static size_t check_same(setting *t) {
    const double *order = usual(t), action = t->point.action;
    const size_t evaluations = t->progress.evaluations;
    CHECK_STATUS(solve(t, true, &err), AP_OK);
    CHECK(t->point.gradnorm <= 1e-8);
    CHECK_NEAR(t->point.action, action, 1e-11 * fabs(action));
    CHECK_ARRAYS(t->point.order, order, ap_params_length(&t->chain), 1e-5);
    return evaluations;
}

// Labels of every rank: zeros, equal columns, all different.
static void test_same(size_t L, size_t C, size_t rank, double memory) {
    setting t;
    make(&t, L, 14, C, memory);
    labels(&t, rank, 4);
    const size_t evaluations = check_same(&t);
    CHECK((t.progress.subproblem_evaluations > 0) ==
          (rank < C));  // otherwise every direction has labels, and the start is the caller's
    if (rank == C) CHECK(t.progress.evaluations == evaluations);
    CHECK(t.progress.part == 0);
    if (rank <= 1) CHECK(t.progress.evaluations <= 3 && evaluations > 3);  // then the start is the solution
}

static void test_one_output(void) {  // the bits of ap_solve
    setting s, r;
    setting_make(&s, 2, 20, 1e9);
    setting_make(&r, 2, 20, 1e9);
    ap_params_gp(s.point.order, &s.f.net);
    ap_params_gp(r.point.order, &r.f.net);
    CHECK_STATUS(setting_solve(&s, &err), AP_OK);
    CHECK_STATUS(ap_solve_parts(&r.point, &r.progress, &r.p, &r.settings, &r.work, &err), AP_OK);
    CHECK(memcmp(s.point.order, r.point.order, ap_params_length(&s.f.net) * sizeof(double)) == 0);
    CHECK(s.progress.evaluations == r.progress.evaluations);
    CHECK(r.progress.subproblem_evaluations == 0);
}

typedef struct watched {
    size_t stop_at;  // the part that is stopped
    size_t seen[4];  // calls in the search for the whole, in parts 1, 2, 3
    size_t parts;    // the last state
} watched;

static bool monitor(void *context, const ap_progress *progress) {
    watched *w = context;
    w->seen[progress->part]++;
    if (progress->part > 0) w->parts = progress->parts;
    return progress->part == w->stop_at;
}

static double shared_action(setting *t, const double *y, size_t columns, bool rough) {
    ap_point point;
    ap_progress progress;
    double *store;
    const ap_kernel small = fixture_ready(&t->f, &t->f.net, 1e9, &store);  // of one output
    ap_settings settings = ap_settings_default();
    if (rough) settings.tolerance = 1e-3;  // sufficient for a start
    const ap_problem p = {.net = &t->f.net, .kernel = &small, .y = y, .label_columns = columns};
    CHECK_STATUS(ap_point_take(&point, &p, &t->work, &err), AP_OK);
    ap_params_gp(point.order, &t->f.net);
    CHECK_STATUS(ap_solve(&point, &progress, &p, &settings, &t->work, &err), AP_OK);
    return point.action;
}

// The action at the start of the coupled search is r S (U1; Y E1) + (C - r) S (U0; 0), for labels whose first C - 1
// columns are independent and whose last is zero. Both searches run here without a projector. Rotations of the outputs
// do not change the steps of outputs that share U, so that the searches end at the same points up to rounding.
static void test_start(size_t L, size_t C) {
    setting t;
    watched w = {.stop_at = 0};
    make(&t, L, 14, C, 1e9);
    labels(&t, C, 6);
    memset(t.y + 14 * (C - 1), 0, 14 * sizeof(double));
    const double with = shared_action(&t, t.y, C - 1, C > 2);
    const double without = shared_action(&t, t.y + 14 * (C - 1), 1, C > 2);
    t.settings.monitor = monitor;
    t.settings.context = &w;
    CHECK_STATUS(solve(&t, true, &err), AP_INTERRUPTED);
    CHECK(w.seen[1] > 0 && w.seen[2] > 0);
    CHECK((w.seen[0]) == (1) && (w.parts) == (2));
    const double want = (double)(C - 1) * with + without;
    CHECK_NEAR(t.point.action, want, 1e-11 * fabs(want));
}

// The same for labels of unit length, and of length 2 in the direction (2, 1, .., 1) / norm; `zero`: one of the other
// directions has no labels.
// Then there is a problem for that direction, one for its complement, and one without labels.
static void test_constant(size_t L, size_t C, bool zero) {
    setting t;
    watched w = {.stop_at = 0};
    const size_t P = 14;
    double m[most_outputs], v[most_outputs] = {0.0}, ones[14], flat[14 * most_outputs], along[14] = {0.0};
    make(&t, L, P, C, 1e9);
    labels(&t, C, 8);
    for (size_t c = 0; c < C; c++) m[c] = (c == 0 ? 2.0 : 1.0) / sqrt((double)C + 3.0);
    for (size_t mu = 0; mu < P; mu++) ones[mu] = 1.0;
    for (size_t c = 0; c < C; c++) ap_axpy(P, 1.0 + (double)c, ones, t.y + P * c);  // means that differ
    for (size_t mu = 0; mu < P; mu++) {
        double y = 0.0;
        for (size_t c = 0; c < C; c++) y += m[c] * t.y[mu + P * c];
        for (size_t c = 0; c < C; c++) t.y[mu + P * c] -= m[c] * y;
    }
    if (zero) {  // no labels along (1, -2, 0, .., 0), which is orthogonal to m
        v[0] = 1.0 / sqrt(5.0);
        v[1] = -2.0 / sqrt(5.0);
        for (size_t mu = 0; mu < P; mu++) {
            const double y = v[0] * t.y[mu] + v[1] * t.y[mu + P];
            t.y[mu] -= v[0] * y;
            t.y[mu + P] -= v[1] * y;
        }
    }
    for (size_t mu = 0; mu < P; mu++) {
        double length = 0.0;  // of unit length, as labels of classes
        for (size_t c = 0; c < C; c++) length += t.y[mu + P * c] * t.y[mu + P * c];
        for (size_t c = 0; c < C; c++) t.y[mu + P * c] = t.y[mu + P * c] / sqrt(length) + 2.0 * m[c];
        for (size_t c = 0; c < C; c++) along[mu] += m[c] * t.y[mu + P * c];
    }
    const size_t others = C - 1 - zero;
    for (size_t c = 0; c < C; c++)  // the columns of Y (I - m m') have the same Y Y' as Y in the others' own basis
        for (size_t mu = 0; mu < P; mu++) flat[mu + P * c] = t.y[mu + P * c] - m[c] * along[mu];
    for (size_t i = 0; i < P * C; i++)
        flat[i] *= sqrt((double)C / (double)others);  // for S takes the mean over columns
    double want = shared_action(&t, along, 1, true) + (double)others * shared_action(&t, flat, C, true);
    memset(flat, 0, sizeof flat);
    if (zero) want += shared_action(&t, flat, 1, true);
    t.settings.monitor = monitor;
    t.settings.context = &w;
    CHECK_STATUS(solve(&t, true, &err), AP_INTERRUPTED);
    CHECK((w.parts) == ((size_t)(zero ? 3 : 2)));
    CHECK(w.seen[2] > 0 && (w.seen[3] > 0) == zero);
    CHECK_NEAR(t.point.action, want, 1e-9 * fabs(want));
}

static void check_at_gp(const setting *t, double tolerance) {
    const size_t length = ap_params_length(&t->chain);
    double *gp = check_room(length);
    ap_params_gp(gp, &t->chain);
    CHECK_ARRAYS(t->point.order, gp, length, tolerance);
}

// Stopped in either part: the caller's start with its known values.
static void test_interrupted(size_t part) {
    setting t;
    watched w = {.stop_at = part};
    make(&t, 2, 14, 3, 1e9);
    t.settings.monitor = monitor;
    t.settings.context = &w;
    CHECK_STATUS(solve(&t, true, &err), AP_INTERRUPTED);
    CHECK((w.seen[0]) == (0));
    CHECK((w.seen[part]) == (1));
    check_at_gp(&t, 0.0);
    const double action = t.point.action, gradnorm = t.point.gradnorm;
    setting_derive(&t);
    CHECK_NEAR(t.point.action, action, 0.0);
    CHECK_NEAR(t.point.gradnorm, gradnorm, 0.0);
}

// A form of the curvature that is the matrix, but fails at its first steps: the small problems have their own.
static int failures;
static ap_status meant = AP_ENOTSPD;

static ap_status fail_first(double *d, ap_model *model, const double *v, ap_work *work, ap_error *err) {
    if (failures-- > 0) return ap_fail(err, meant, "a failure that is meant");
    return ap_dense_ops.minimise(d, model, v, work, err);
}

static void test_fallback(void) {
    setting t;
    ap_model_ops how = ap_dense_ops;
    how.minimise = fail_first;
    make(&t, 2, 14, 3, 1e9);
    t.how = &ap_dense_ops;
    const double *order = usual(&t), action = t.point.action;
    const size_t evaluations = t.progress.evaluations;
    t.how = &how;
    failures = 1;
    CHECK_STATUS(solve(&t, true, &err), AP_OK);
    // The search from the GP point alone, on other memory: rounding in BLAS depends on alignment
    CHECK_NEAR(t.point.action, action, 1e-13 * fabs(action));
    CHECK_ARRAYS(t.point.order, order, ap_params_length(&t.chain), 1e-11);
    CHECK((t.progress.evaluations) == (evaluations + 1));
    failures = 2;  // if that fails as well, the call fails
    CHECK_STATUS(solve(&t, true, &err), AP_ENOTSPD);
    failures = 1;  // and fields that do not depend on the point are unchanged
    meant = AP_ELAPACK;
    CHECK_STATUS(solve(&t, true, &err), AP_ELAPACK);
}

// Labels whose energy overflows: the message is that of the coupled search.
static void test_refused(double label) {
    setting t;
    make(&t, 1, 10, 3, 1e9);
    t.y[4] = label;
    ap_params_gp(t.point.order, &t.chain);
    CHECK_STATUS(ap_solve_parts(&t.point, &t.progress, &t.p, &t.settings, &t.work, &err), AP_ENONFINITE);
    CHECK(strstr(err.text, "energy is not finite") != NULL);
}

static void test_limit(void) {  // 0 steps: the GP point
    setting t;
    make(&t, 2, 14, 3, 1e9);
    t.settings.max_iterations = 0;
    CHECK_STATUS(solve(&t, true, &err), AP_LIMIT);
    check_at_gp(&t, 1e-13);  // projectors add up to I up to rounding
    t.settings.max_iterations = 1;
    CHECK_STATUS(solve(&t, true, &err), AP_LIMIT);
    CHECK(t.progress.iterations == 1);
}

static void test_workspace(double memory) {
    setting t;
    make(&t, 1, 6, 2, memory);
    CHECK_WORKSPACE(
        (ap_params_gp(t.point.order, &t.chain), ap_solve_parts(&t.point, &t.progress, &t.p, &t.settings, &work, &err)));
}

int main(void) {
    for (size_t C = 2; C <= 3; C++)
        for (size_t rank = 0; rank <= C; rank++)
            for (int stored = 0; stored < 2; stored++) test_same(C - 1, C, rank, stored ? 1e9 : 0.0);
    test_one_output();
    test_start(1, 2);
    test_start(2, 3);
    test_start(1, 5);
    test_constant(1, 2, false);
    test_constant(2, 3, false);
    test_constant(1, 4, true);
    test_interrupted(1);
    test_interrupted(2);
    test_fallback();
    test_refused(INFINITY);
    test_refused(NAN);
    test_limit();
    test_workspace(0.0);
    test_workspace(1e9);
    return check_report("test_ap_solve_parts");
}
