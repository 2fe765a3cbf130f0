// test_ap_bartlett.c: Bartlett factors with rotated rows, and draws of the prior against weights drawn one by one
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// ---- rotated rows ---------------------------------------------------------------------------------------------------

typedef struct turned {
    double *V, *room;
    ap_target target;  // in coordinates whose rows are rotated by a position
} turned;

// x: in, a position; out, the same position in these coordinates
static void turn_make(turned *t, const ap_target *target, const setting *s, double *x) {
    t->V = check_room(ap_bartlett_turns(&s->f.net) + 1);
    t->room = check_room(target->room);
    CHECK_STATUS(ap_bartlett_turn(t->V, x, &s->f.net, &work, &err), AP_OK);
    CHECK(work.used == 0);
    CHECK_STATUS(target->follow(&t->target, target, NULL, t->V, t->room, &err), AP_OK);
}

// V_l' V_l = I; the position keeps its U and energy and is diagonal in its own coordinates; gradients by differences.
static void test_turn(const fixture_shape *v, size_t number) {
    setting s;
    fixture_shaped(&s, v);
    const ap_net *net = &s.f.net;
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim, paths = s.f.paths;
    uint64_t seed = 110 + number;
    fixture_level c[6] = {{0}};
    bool singular = false;
    double unused, *x = fixture_numbers(n, 1.0, &seed), *U = check_room(paths * paths + target.chain);
    fixture_levels(c, &unused, net, x);
    for (size_t l = 1; l <= net->L + 1; l++) singular = singular || c[l].m < c[l].q;
    CHECK((ap_bartlett_turns(net) > 0) == singular);
    if (singular) {
        turned t;
        fixture_level_order(U, &c[1]);
        turn_make(&t, &target, &s, x);
        const double *V = t.V;
        for (size_t l = net->L + 1; l >= 1; V += c[l].q * c[l].q, l--)
            for (size_t j = 0; j < c[l].q; j++)
                for (size_t i = 0; i <= j; i++)
                    CHECK_NEAR(ap_dot(c[l].q, V + c[l].q * i, V + c[l].q * j), i == j ? 1.0 : 0.0, 1e-13);
        CHECK_STATUS(t.target.order(U + paths * paths, &t.target, x, &work, &err), AP_OK);
        CHECK_ARRAYS(U + paths * paths, U, paths * paths, 1e-10);
        size_t zeros = 0, below = 0;
        for (size_t i = 0; i < n; i++) zeros += x[i] == 0.0 ? 1 : 0;
        for (size_t l = 1; l <= net->L + 1; l++)
            for (size_t j = 0; j < c[l].m; j++) below += c[l].q - j - 1;
        CHECK(zeros == below);
        x = fixture_numbers(n, 1.0, &seed);
        fixture_check_gradient(&t.target, x, 3.2e-2 / sqrt((double)n), seed);
    }
}

// ---- the prior ------------------------------------------------------------------------------------------------------

// Draws of U_1 from the Bartlett factors against those from weights drawn one by one: means, squares and products of
// the entries agree, the mean is the GP value, and the rank is that of the narrowest.
static void add_draw(tally *t, const double *U, size_t paths) {
    for (size_t b = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++, t += 3) {
            const double entry = U[a + paths * b], next = U[(a + 1) % paths + paths * ((b + 1) % paths)];
            tally_add(t, entry);
            tally_add(t + 1, entry * entry);
            tally_add(t + 2, entry * next);
        }
}

// turns: in coordinates rotated by some position, under which the prior is invariant
static void test_prior(const fixture_shape *v, size_t number, bool turns) {
    enum { draws = 8000 };
    setting s;
    fixture_shaped(&s, v);
    const ap_net *net = &s.f.net;
    ap_target target = ap_collapsed_target(&s.p);
    const size_t paths = s.f.paths, watched = 3 * paths * (paths + 1) / 2, N = (size_t)net->width[0];
    const size_t weights = ap_weights_upper(net);
    tally *bartlett = check_zeros(watched, sizeof *bartlett), *literal = check_zeros(watched, sizeof *literal);
    double *x = check_room(target.dim), *V = check_room(weights), *u = check_room(N * paths);
    double *U = check_room(target.chain);
    ap_rng rng = ap_rng_start(100 + number, 0), other = ap_rng_start(100 + number, 1);
    tally coordinate = {0};
    turned t;
    if (turns) {
        ap_bartlett_start(x, net, &rng);
        turn_make(&t, &target, &s, x);
        target = t.target;
    }
    for (size_t k = 0; k < draws; k++) {
        ap_bartlett_start(x, net, &rng);
        tally_add(&coordinate, x[target.dim - 1]);
        if (target.order(U, &target, x, &work, &err) != AP_OK) break;
        add_draw(bartlett, U, paths);

        ap_rng_normals(V, weights, &other);
        fixture_colour(V, net, V);
        fixture_partial(u, net, V, 1);
        fixture_overlaps(U, u, N, paths);
        add_draw(literal, U, paths);
    }
    double gp = net->variance[net->L + 1];
    for (size_t l = 1; l <= net->L; l++) gp *= net->variance[l];
    for (size_t b = 0, i = 0; b < paths; b++)
        for (size_t a = 0; a <= b; a++, i += 3) {
            CHECK_MEAN(&bartlett[i], a == b ? gp : 0.0);
            for (size_t k = 0; k < 3; k++) CHECK_MEANS(&bartlett[i + k], &literal[i + k]);
        }
    CHECK(bartlett[0].n == draws);
    const double sd = sqrt(coordinate.square / coordinate.n);
    CHECK(sd > 0.85 && sd < 1.2);  // close to standard normal
    CHECK(fabs(coordinate.mean) < 0.75);

    // rank: after m steps of elimination with pivots on the diagonal, the remainder of U is rounding
    const size_t m = ap_bartlett_rank(net, 1);
    for (size_t i = 0; i < target.dim; i++) x[i] = 0.5 + 0.3 * sin((double)i);  // nothing on a diagonal near 0
    CHECK_STATUS(target.order(U, &target, x, &work, &err), AP_OK);
    double largest = 0.0, pivot = 0.0;
    for (size_t step = 0; step <= m && step < paths; step++) {
        size_t p = 0;
        for (size_t a = 0; a < paths; a++)
            if (U[a + paths * a] > U[p + paths * p]) p = a;
        pivot = U[p + paths * p];
        largest = fmax(largest, pivot);
        if (step < m) CHECK(pivot > 1e-10 * largest);
        if (step == m) break;
        double column[12];
        for (size_t a = 0; a < paths; a++) column[a] = U[a + paths * p];
        for (size_t b = 0; b < paths; b++)
            for (size_t a = 0; a < paths; a++) U[a + paths * b] -= column[a] * column[b] / pivot;
    }
    if (m < paths) CHECK(fabs(pivot) < 1e-12 * largest);
}

int main(void) {
    for (size_t k = 0; k < fixture_all_shapes; k++) test_turn(&fixture_shapes[k], k);
    for (size_t k = 0; k < fixture_all_shapes; k++)
        if (fixture_shapes[k].width[0] < 15.0) test_prior(&fixture_shapes[k], k, false);
    test_prior(&fixture_shapes[5], fixture_all_shapes, true);
    test_prior(&fixture_shapes[9], fixture_all_shapes + 1, true);
    return check_report("test_ap_bartlett");
}
