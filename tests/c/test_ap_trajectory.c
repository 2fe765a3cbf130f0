// test_ap_trajectory.c: one trajectory: reversible, of second order, exact; and failures of its target
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// ---- targets of the tests -------------------------------------------------------------------------------------------

enum { dim = 3 };  // of the test targets

typedef struct toy {
    ap_status (*value)(double *psi, double *grad, const double *x);
    ap_status beyond;  // status for |x_0| > wall, and psi there
    double wall, psi;
    bool spoil;  // the gradient there is NaN
} toy;

static size_t toy_met;  // evaluations beyond the wall

static ap_status toy_evaluate(double *psi, double *grad, const ap_target *target, const double *x, ap_work *work,
                              ap_error *err) {
    const toy *t = target->self;
    const size_t mark = work->used;
    double *room = ap_take(work, 5);  // its memory request fails
    if (room == NULL) {
        work->used = mark;
        return ap_not_taken(work, err, "toy");
    }
    ap_status status = t->value(psi, grad, x);
    if (t->wall > 0.0 && fabs(x[0]) > t->wall) {
        toy_met++;
        status = t->beyond;
        *psi = t->psi;
        if (t->spoil) grad[1] = NAN;
    }
    work->used = mark;
    return status;
}

static ap_target toy_target(const toy *t) {
    return (ap_target){.dim = dim, .paths = 1, .self = t, .evaluate = toy_evaluate};
}

static ap_status flat(double *psi, double *grad, const double *x) {
    *psi = 0.0;
    for (size_t i = 0; i < dim; i++) grad[i] = 0.0;
    return AP_OK;
}

// About two modes in every coordinate, coupled, and a skewed one; the gradient is bounded, so that steps are not too
// large in the tails, where a chain could get stuck.
static ap_status wavy(double *psi, double *grad, const double *x) {
    *psi = sin(x[0] + x[1]) - 0.5 * x[2];
    for (size_t i = 0; i < dim; i++) {
        *psi += 0.4 * cos(2.0 * x[i]);
        grad[i] = -0.8 * sin(2.0 * x[i]);
    }
    grad[0] += cos(x[0] + x[1]);
    grad[1] += cos(x[0] + x[1]);
    grad[2] -= 0.5;
    return AP_OK;
}

static const double start[dim] = {0.4, -1.1, 0.8};
static const double toy_centre[dim] = {0.3, -0.2, 0.1};
static const double toy_F[dim * dim] = {0.95, -0.2, 0.1, 0.0, 0.9, -0.1, 0.0, 0.0, 1.1};
static const ap_metric plain = {.F = NULL}, dense = {.centre = toy_centre, .F = toy_F, .rank = dim};

static const ap_metric *metric_of(bool is_dense) { return is_dense ? &dense : &plain; }

typedef struct spot {  // a position with its memory
    double z[dim], g[dim];
    ap_place at;
    ap_work work;
} spot;

static void spot_make(spot *s, const ap_target *t, const ap_metric *metric, const double *z) {
    memcpy(s->z, z, sizeof s->z);
    s->at = (ap_place){.z = s->z, .grad = s->g};
    s->work = check_work();
    CHECK_STATUS(ap_target_evaluate(&s->at, t, metric, &s->work, &err), AP_OK);
    CHECK(s->work.used == 0);
}

// ---- the integrator -------------------------------------------------------------------------------------------------

typedef struct posterior {  // a network's target and a starting position
    setting s;
    ap_target target;
    double *z, *grad, *p, *centre, *F;
    ap_work work;
} posterior;

enum { targets = 4 };

static void posterior_make(posterior *t, size_t which) {
    static const double width[3] = {4.0, 3.0, 5.0};  // six paths: U_1 is singular in the second
    fixture_make(&t->s.f, 2, false, 5, 2, 6, 60);
    if (which == 1) fixture_widths(&t->s.f, width);
    t->s.f.net.temperature = 0.3;
    setting_prepare(&t->s, 0.0);
    t->target = which < 2    ? ap_collapsed_target(&t->s.p)
                : which == 2 ? ap_langevin_upper_target(&t->s.p)
                             : ap_langevin_every_target(&t->s.p);
    uint64_t seed = 61 + which;
    const size_t n = t->target.dim;
    t->z = fixture_numbers(n, 1.0, &seed);
    t->grad = fixture_numbers(n, 1.0, &seed);
    t->p = fixture_numbers(n, 1.7, &seed);
    t->centre = fixture_numbers(n, 0.2, &seed);
    t->F = fixture_numbers(n * n, 0.2 / sqrt((double)n), &seed);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i <= j; i++) t->F[i + n * j] = i == j ? 0.8 + 0.2 * check_random(&seed) : 0.0;
    t->work = check_work();
}

static ap_metric posterior_metric(const posterior *t, bool is_dense) {
    return (ap_metric){.centre = is_dense ? t->centre : NULL, .F = is_dense ? t->F : NULL, .rank = t->target.dim};
}

// `steps` steps of a total length from (z, p); the energy error.
static double integrate(posterior *t, const ap_metric *metric, double *z, double *p, double length, size_t steps) {
    ap_place at = {.z = z, .grad = t->grad};
    double error = 0.0;
    CHECK_STATUS(ap_target_evaluate(&at, &t->target, metric, &t->work, &err), AP_OK);
    ap_status status = AP_OK;
    for (size_t i = 0; i < steps && status == AP_OK; i++)
        status = ap_integrate(&error, &at, p, &t->target, metric, length / (double)steps, &t->work, &err);
    CHECK(status == AP_OK && t->work.used == 0);
    return error;
}

static double energy(posterior *t, const ap_metric *metric, double *z, const double *p) {
    ap_place at = {.z = z, .grad = t->grad};
    CHECK_STATUS(ap_target_evaluate(&at, &t->target, metric, &t->work, &err), AP_OK);
    double sum = at.psi;
    for (size_t i = 0; i < t->target.dim; i++) sum += 0.5 * (z[i] * z[i] + p[i] * p[i]);
    return sum;
}

// Forward and back with reversed momenta: the same numbers up to rounding. The error of the energy is its change; over
// a trajectory of fixed length it decreases as the square of the step.
static void test_integrator(size_t which, bool is_dense) {
    posterior t;
    posterior_make(&t, which);
    const size_t n = t.target.dim;
    const ap_metric metric = posterior_metric(&t, is_dense);
    double *z = check_copy(t.z, n), *p = check_copy(t.p, n), last = 0.0;
    const double before = energy(&t, &metric, z, p), there = integrate(&t, &metric, z, p, 0.5, 20);
    CHECK_NEAR(energy(&t, &metric, z, p) - before, there, 1e-12 * (1.0 + fabs(before)));
    for (size_t i = 0; i < n; i++) p[i] = -p[i];
    const double back = integrate(&t, &metric, z, p, 0.5, 20);
    for (size_t i = 0; i < n; i++) p[i] = -p[i];
    CHECK_ARRAYS(z, t.z, n, 1e-10);
    CHECK_ARRAYS(p, t.p, n, 1e-10);
    CHECK_NEAR(there + back, 0.0, 1e-10);
    for (size_t steps = 64; steps <= 512; steps *= 2) {
        memcpy(z, t.z, n * sizeof *z);
        memcpy(p, t.p, n * sizeof *p);
        const double error = integrate(&t, &metric, z, p, 0.5, steps);
        if (steps > 64) CHECK_NEAR(log2(fabs(last / error)), 2.0, 0.1);
        last = error;
    }
    CHECK(fabs(last) < 1e-3 && fabs(last) > 1e-10);
}

// ---- trajectories ---------------------------------------------------------------------------------------------------

// The prior alone: the rotation is exact, without error, and all proposals are accepted.
static void test_flat(void) {
    const toy t = {.value = flat};
    const ap_target target = toy_target(&t);
    const ap_move move = {.step = 1.3, .steps = 7, .friction = 0.7};
    ap_outcome out;
    ap_rng rng = ap_rng_start(5, 5);
    spot s;
    spot_make(&s, &target, &plain, start);
    bool exact = true;
    for (size_t k = 0; k < 200; k++) {
        ap_rng peek = rng;
        double energy = 0.0;
        for (size_t i = 0; i < dim; i++) {
            const double p = ap_rng_normal(&peek);
            energy += 0.5 * (s.z[i] * s.z[i] + p * p);
        }
        exact = ap_trajectory(&s.at, &out, &target, &plain, &move, &rng, &s.work, &err) == AP_OK && exact;
        exact = exact && out.error == 0.0 && out.acceptance == 1.0 && out.accepted && !out.diverged;
        exact = exact && out.gradients == 7 && fabs(out.hamiltonian - energy) < 1e-13;
    }
    CHECK(exact);
    const double origin[dim] = {0.0}, F[dim * dim] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ap_metric identity = {.centre = origin, .F = F, .rank = dim};
    spot_make(&s, &target, &identity, start);
    for (int k = 0; k < 100; k++) {
        CHECK_STATUS(ap_trajectory(&s.at, &out, &target, &identity, &move, &rng, &s.work, &err), AP_OK);
        CHECK_NEAR(out.error, 0.0, 1e-13);  // |x|^2 - |z|^2, 7 times
    }
}

enum { watched = 7 };

static void watch(double *seen, const double *x) {
    const double all[watched] = {
        x[0], x[2], x[0] * x[0], x[0] * x[1], x[2] * x[2], x[1] * x[1], x[0] * x[0] * x[1] * x[1]};
    memcpy(seen, all, sizeof all);
}

// Their means by the trapezoidal rule, which is exact to rounding for such a density: x_0 and x_1, and x_2, on grids.
static void wavy_moments(double *want) {
    const double h = 0.1;
    double seen[watched], pair[watched] = {0.0}, single[watched] = {0.0}, pair_mass = 0.0, mass = 0.0;
    for (int i = -90; i <= 90; i++) {
        for (int j = -90; j <= 90; j++) {
            const double x[dim] = {h * i, h * j, 0.0};
            const double weight =
                exp(-sin(x[0] + x[1]) - 0.4 * (cos(2.0 * x[0]) + cos(2.0 * x[1])) - 0.5 * (x[0] * x[0] + x[1] * x[1]));
            watch(seen, x);
            pair_mass += weight;
            for (size_t k = 0; k < watched; k++) pair[k] += weight * seen[k];
        }
        const double x[dim] = {0.0, 0.0, h * i}, weight = exp(0.5 * x[2] - 0.4 * cos(2.0 * x[2]) - 0.5 * x[2] * x[2]);
        watch(seen, x);
        mass += weight;
        for (size_t k = 0; k < watched; k++) single[k] += weight * seen[k];
    }
    for (size_t k = 0; k < watched; k++) want[k] = k == 1 || k == 4 ? single[k] / mass : pair[k] / pair_mass;
}

static void test_exact(double step, size_t steps, double friction, bool is_dense, double low, double high) {
    enum { draws = 20000 };
    static double seen[watched * draws];
    const toy t = {.value = wavy};
    const ap_target target = toy_target(&t);
    const ap_move move = {.step = step, .steps = steps, .friction = friction};
    const ap_metric *metric = metric_of(is_dense);
    ap_outcome out;
    ap_rng rng = ap_rng_start(6, (uint64_t)(100.0 * step) + 7 * steps + 1000 * is_dense + (uint64_t)friction);
    spot s;
    spot_make(&s, &target, metric, start);
    double accepted = 0.0, probability = 0.0;
    bool sound = true;
    for (size_t k = 0; k < draws; k++) {
        double x[dim];
        sound = ap_trajectory(&s.at, &out, &target, metric, &move, &rng, &s.work, &err) == AP_OK && sound;
        sound = sound && out.acceptance == fmin(1.0, exp(-out.error));
        accepted += out.accepted;
        probability += out.acceptance;
        ap_metric_position(x, metric, dim, s.z);
        watch(seen + watched * k, x);
    }
    CHECK(sound);
    double want[watched];
    wavy_moments(want);
    for (size_t k = 0; k < watched; k++) {
        const tally mean = tally_batches(seen + k, draws, watched);
        CHECK_MEAN(&mean, want[k]);
        CHECK(tally_error(&mean) < 0.15);
    }
    CHECK(accepted / draws > low && accepted / draws < high);
    CHECK_NEAR(accepted, probability, fixture_far * sqrt(0.25 * draws));
}

// ---- failures -------------------------------------------------------------------------------------------------------

// Beyond a wall the target fails, or has an energy that makes the range of errors too large: every trajectory that
// crosses it, at any step, is rejected and counted, with the bits of the position unchanged; and the random numbers
// continue as without a failure.
static void test_wall(const toy *walled, double friction, bool is_dense) {
    const toy open = {.value = walled->value};
    const ap_target target = toy_target(walled), free_target = toy_target(&open);
    const ap_move move = {.step = 0.9, .steps = 4, .friction = friction};
    const ap_metric *metric = metric_of(is_dense);
    ap_outcome out, other;
    ap_rng rng = ap_rng_start(7, 1);
    spot s, o;
    spot_make(&s, &target, metric, start);
    spot_make(&o, &free_target, metric, start);
    const size_t draws = 400;
    size_t diverged = 0, short_ones = 0;
    bool fine = true, met = true, kept = true, in_step = true, said = true;
    for (size_t k = 0; k < draws; k++) {
        const spot before = s;
        ap_rng beside = rng;
        toy_met = 0;
        memcpy(o.z, s.z, sizeof o.z);
        fine = fine && ap_target_evaluate(&o.at, &free_target, metric, &o.work, &err) == AP_OK;
        fine = fine && ap_trajectory(&s.at, &out, &target, metric, &move, &rng, &s.work, &err) == AP_OK;
        fine = fine && ap_trajectory(&o.at, &other, &free_target, metric, &move, &beside, &o.work, &err) == AP_OK;
        met = met && out.diverged == (toy_met > 0);
        in_step = in_step && memcmp(&rng, &beside, sizeof rng) == 0 && out.hamiltonian == other.hamiltonian;
        if (out.diverged) {
            diverged++;
            short_ones += out.gradients < move.steps;
            said = said && !out.accepted && out.acceptance == 0.0 && out.error == INFINITY && out.gradients >= 1;
        }
        if (!out.accepted)
            kept = kept && memcmp(s.z, before.z, sizeof s.z) == 0 && memcmp(s.g, before.g, sizeof s.g) == 0 &&
                   s.at.psi == before.at.psi;
        double x[dim];
        ap_metric_position(x, metric, dim, s.z);
        kept = kept && fabs(x[0]) <= walled->wall && s.work.used == 0;
    }
    CHECK(fine);
    CHECK(met);
    CHECK(kept);
    CHECK(in_step);
    CHECK(said);
    CHECK(diverged > draws / 20 && diverged < draws);
    CHECK(short_ones > 0);
}

// A trajectory stops when the range of its errors is too large, a criterion that is symmetric in time: 600 on one side
// and -600 on the other are each within the limit, but not both together, in either order.
static bool toy_high, toy_low;

static ap_status terraces(double *psi, double *grad, const double *x) {
    const ap_status status = flat(psi, grad, x);
    toy_high = toy_high || x[0] > 1.0;
    toy_low = toy_low || x[0] < -1.0;
    *psi = x[0] > 1.0 ? 600.0 : x[0] < -1.0 ? -600.0 : 0.0;
    return status;
}

static void test_spread(void) {
    const toy t = {.value = terraces};
    const ap_target target = toy_target(&t);
    const ap_move move = {.step = 0.5, .steps = 8};
    ap_outcome out;
    ap_rng rng = ap_rng_start(9, 0);
    spot s;
    spot_make(&s, &target, &plain, (const double[dim]){0.0});
    size_t both = 0, one = 0;
    bool right = true;
    for (int k = 0; k < 400; k++) {
        s.z[0] = 0.3 * ap_rng_normal(&rng);
        toy_high = toy_low = false;
        right = right && ap_target_evaluate(&s.at, &target, &plain, &s.work, &err) == AP_OK;
        right = right && ap_trajectory(&s.at, &out, &target, &plain, &move, &rng, &s.work, &err) == AP_OK;
        both += toy_high && toy_low;
        one += toy_high != toy_low;
        right = right && out.diverged == (toy_high && toy_low);
    }
    CHECK(right);
    CHECK(both > 50 && one > 50);
}

static void test_walls(void) {
    static const toy walls[] = {{wavy, AP_ENONFINITE, 1.2, 0.0, false}, {wavy, AP_ENOTSPD, 1.2, 0.0, false},
                                {wavy, AP_ELAPACK, 1.2, 0.0, false},    {wavy, AP_OK, 1.2, NAN, false},
                                {wavy, AP_OK, 1.2, INFINITY, false},    {wavy, AP_OK, 1.2, 1e6, false},
                                {wavy, AP_OK, 1.2, 0.0, true},          {wavy, AP_OK, 1.2, -1e6, false},
                                {wavy, AP_OK, 1.2, -INFINITY, false}};
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; k++) {
        test_wall(&walls[k], 0.0, false);
        test_wall(&walls[k], 1.0, true);
    }
}

// Other failures are passed on, and so is a stop; the position is unchanged.
static void test_passed_on(void) {
    static const ap_status status[] = {AP_EMEMORY, AP_EINPUT, AP_ESIZE};
    const ap_move move = {.step = 0.9, .steps = 4, .friction = 1.0};
    ap_outcome out;
    for (size_t k = 0; k < 3; k++) {
        const toy t = {.value = wavy, .beyond = status[k], .wall = 1e-3};
        const toy open = {.value = wavy};
        const ap_target target = toy_target(&t);
        ap_target free_target = toy_target(&open);
        int left = 0;
        ap_rng rng = ap_rng_start(8, 0);
        free_target.stop = fixture_after;
        free_target.context = &left;
        spot s;
        spot_make(&s, &free_target, &plain, start);
        CHECK_STATUS(ap_trajectory(&s.at, &out, &target, &plain, &move, &rng, &s.work, &err), status[k]);
        CHECK(memcmp(s.z, start, sizeof start) == 0 && s.work.used == 0);
        for (int steps = 0; steps < 6; steps++) {
            const ap_status want = steps < 4 ? AP_INTERRUPTED : AP_OK;  // called before each of four steps
            memcpy(s.z, start, sizeof start);
            CHECK_STATUS(ap_target_evaluate(&s.at, &free_target, &plain, &s.work, &err), AP_OK);
            left = steps;
            CHECK_STATUS(ap_trajectory(&s.at, &out, &free_target, &plain, &move, &rng, &s.work, &err), want);
            CHECK(s.work.used == 0);
            CHECK(want == AP_OK || memcmp(s.z, start, sizeof start) == 0);
        }
    }
}

// ---- workspace ------------------------------------------------------------------------------------------------------

static void test_workspace(size_t which, bool is_dense) {  // without a metric x and its gradient need no memory
    posterior t;
    posterior_make(&t, which);
    const ap_metric metric = posterior_metric(&t, is_dense);
    const ap_move move = {.step = 0.1, .steps = 2, .friction = 1.0};
    ap_place at = {.z = t.z, .grad = t.grad};
    ap_rng rng = ap_rng_start(1, 1);
    ap_outcome out;
    CHECK_WORKSPACE(ap_target_evaluate(&at, &t.target, &metric, &work, &err));
    CHECK_WORKSPACE(ap_trajectory(&at, &out, &t.target, &metric, &move, &rng, &work, &err));
}

int main(void) {
    for (size_t k = 0; k < 2 * targets; k++) {
        test_integrator(k / 2, k % 2 == 1);
        test_workspace(k / 2, k % 2 == 1);
    }
    test_flat();
    for (int k = 0; k < 4; k++) {
        test_exact(0.9, 1, k % 2, k > 1, 0.6, 0.95);
        test_exact(0.4, 5, k % 2, k > 1, 0.7, 1.0);
        test_exact(1.8, 1, k % 2, k > 1, 0.2, 0.8);  // large: many proposals are rejected
    }
    test_walls();
    test_spread();
    test_passed_on();
    return check_report("test_ap_trajectory");
}
