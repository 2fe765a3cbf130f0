// test_ap_collapsed.c: the posterior of the order parameters in Bartlett coordinates, against the Wishart chain itself
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

typedef struct shape {
    size_t L;
    double width[4];
} shape;

// Heads 2 | 2, 3 | 2, 3, 2. First N_l >= Pi_l in all layers (6 and 3 paths; 12, 6 and 2), then narrow networks.
static const shape shapes[] = {{1, {5, 4}},       {2, {6, 8, 11}},   {2, {60, 40, 3}},  {3, {12, 6, 2, 5}},
                               {1, {1, 3}},       {2, {2, 3, 2}},    {2, {3, 2, 1}},    {2, {4, 8, 1}},
                               {3, {9, 2, 2, 1}}, {3, {2, 5, 1, 3}}, {3, {20, 1, 1, 1}}};
enum { all_shapes = sizeof shapes / sizeof shapes[0], full_shapes = 4 };

static void make(setting *s, const shape *v) {
    fixture_make(&s->f, v->L, false, 7, 2, 5, 70 + v->L);
    fixture_widths(&s->f, v->width);
    setting_prepare(s, 0.0);
}

// ---- the chain (T11) by its definition ------------------------------------------------------------------------------

typedef struct chain {  // literal Bartlett factors: B [q x m], R [paths x m] of one level
    size_t q, m, paths;
    double *B, *R;
} chain;

// Level by level from the readout down; `density` is the log of the coordinates' prior density, up to a constant: for a
// chi variable b with k degrees of freedom (k - 1) log b - b^2/2 + log |db/dx|, for a normal -x^2/2.
static void chain_make(chain *c, double *density, const ap_net *net, const double *x) {
    *density = 0.0;
    for (size_t l = net->L + 1; l >= 1; l--) {
        chain *here = &c[l], *up = &c[l + 1];
        const size_t heads = l > net->L ? 1 : net->H[l - 1], N = (size_t)net->width[l - 1];
        here->q = l > net->L ? 1 : heads * up->m;
        here->m = here->q < N ? here->q : N;
        here->paths = ap_net_paths(net, l);
        here->B = check_doubles(here->q * here->m);
        here->R = check_doubles(here->paths * here->m);
        for (size_t j = 0; j < here->m; j++)
            for (size_t i = j; i < here->q; i++, x++) {
                const double k = (double)(N - j), s = sqrt((k + 1.0) / (2.0 * k * k));
                const bool chi = i == j && k > 1.0;  // of one degree of freedom: a normal of either sign
                here->B[i + here->q * j] = chi ? sqrt(k) * exp(s * *x) : *x;
                const double b = here->B[i + here->q * j];
                *density += chi ? (k - 1.0) * log(b) - 0.5 * b * b + log(s * b) : -0.5 * b * b;
            }
        const double scale = sqrt(net->variance[l] / (double)N);
        const size_t below = here->paths / heads;
        for (size_t j = 0; j < here->m; j++)
            for (size_t a = 0; a < here->paths; a++) {
                double sum = l > net->L ? here->B[0] : 0.0;  // (I (x) R_{l+1}) B
                for (size_t k = 0; l <= net->L && k < up->m; k++)
                    sum += up->R[a % below + below * k] * here->B[a / below * up->m + k + here->q * j];
                here->R[a + here->paths * j] = scale * sum;
            }
    }
}

static void chain_order(double *U, const chain *c) { fixture_outer(U, c->R, c->paths, c->m); }

// ---- definition -----------------------------------------------------------------------------------------------------

static void test_definition(const shape *v, size_t number) {
    setting s;
    make(&s, v);
    const ap_net *net = &s.f.net;
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim, paths = s.f.paths;
    uint64_t seed = 80 + number;
    double *g = fixture_numbers(n, 1.0, &seed), *U = check_room(paths * paths + target.chain), psi, first = 0.0;
    CHECK(target.paths == paths);
    for (int point = 0; point < 4; point++) {
        double *x = fixture_numbers(n, 1.5, &seed), density, xx = 0.0;
        chain c[6] = {{0}};
        chain_make(c, &density, net, x);
        if (point == 0) {
            size_t dim = 0, B = 0, R = 0;
            for (size_t l = 1; l <= net->L + 1; l++) {
                CHECK(ap_bartlett_rank(net, l) == c[l].m);
                for (size_t j = 0; j < c[l].m; j++) dim += c[l].q - j;
                B += c[l].q * c[l].m;
                R += c[l].paths * c[l].m;
            }
            CHECK(n == dim);
            CHECK(ap_bartlett_size(net).B == B && ap_bartlett_size(net).R == R);
        }
        double *B = check_room(ap_bartlett_size(net).B), *R = check_room(ap_bartlett_size(net).R);
        ap_bartlett_factors(B, R, net, x, NULL);
        const double *at_B = B, *at_R = R;
        for (size_t l = net->L + 1; l >= 1; l--) {
            CHECK_ARRAYS(at_B, c[l].B, c[l].q * c[l].m, 1e-13);  // exp of at most 3, a few roundings
            CHECK_ARRAYS(at_R, c[l].R, c[l].paths * c[l].m, 1e-12);
            at_B += c[l].q * c[l].m;
            at_R += c[l].paths * c[l].m;
        }
        chain_order(U, &c[1]);
        CHECK_STATUS(target.order(U + paths * paths, &target, x, &work, &err), AP_OK);
        for (size_t l = net->L + 1; l >= 1; l--) {  // U_1 last, for use below
            chain_order(U, &c[l]);
            CHECK_ARRAYS(U + paths * paths + ap_params_at(net, l), U, c[l].paths * c[l].paths, 1e-12);
        }
        CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_OK);
        for (size_t i = 0; i < n; i++) xx += x[i] * x[i];
        const double constant = psi + 0.5 * xx - (0.5 * fixture_energy(&s.f, U) - density);
        if (point == 0) first = constant;
        CHECK_NEAR(constant, first, 1e-10);  // terms up to 1e2, and E with condition 1e4
        CHECK(work.used == 0);
    }
    double *x = fixture_numbers(n, 1.0, &seed);
    fixture_check_gradient(&target, x, 3.2e-2 / sqrt((double)n), seed);
}

// The same against the Wishart densities (T11) of u_a, U_L, .., U_1, if none is singular. The Jacobian of the map
// x -> (u_a, U_L, .., U_1), by central differences, relates them to the coordinates.
static double log_wishart(const double *U, size_t n, double N, double variance, const double *above, size_t heads) {
    const size_t m = n / heads;
    double *copy = check_room(n * n), *S = check_doubles(n * n), trace = 0.0;
    for (size_t h = 0; h < heads; h++)
        for (size_t j = 0; j < m; j++)
            for (size_t i = 0; i < m; i++) S[h * m + i + n * (h * m + j)] = variance / N * above[i + m * j];
    memcpy(copy, U, n * n * sizeof *copy);
    const double logdet_S = fixture_eliminate(S, n, copy, n);
    for (size_t i = 0; i < n; i++) trace += copy[i + n * i];
    memcpy(copy, U, n * n * sizeof *copy);
    const double logdet_U = fixture_eliminate(copy, n, NULL, 0);
    return 0.5 * (N - (double)n - 1.0) * logdet_U - 0.5 * trace - 0.5 * N * logdet_S;
}

// The lower triangles of u_a, U_L, .., U_1 end to end, and the log density of them all.
static void matrices(double *entries, double *density, const ap_net *net, const double *x) {
    chain c[6] = {{0}};
    double unused, above[400] = {1.0}, U[400];
    chain_make(c, &unused, net, x);
    *density = 0.0;
    for (size_t l = net->L + 1; l >= 1; l--) {
        const size_t n = c[l].paths;
        chain_order(U, &c[l]);
        *density += log_wishart(U, n, net->width[l - 1], net->variance[l], above, l > net->L ? 1 : net->H[l - 1]);
        for (size_t j = 0; j < n; j++)
            for (size_t i = j; i < n; i++) *entries++ = U[i + n * j];
        memcpy(above, U, n * n * sizeof *U);
    }
}

static void test_wishart(const shape *v, size_t number) {
    setting s;
    make(&s, v);
    const ap_net *net = &s.f.net;
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim;
    uint64_t seed = 90 + number;
    double *J = check_room(n * n), *side = check_room(2 * n), *g = check_room(n);
    double *U = check_room(target.chain), psi, first = 0.0;
    for (int point = 0; point < 2; point++) {
        double *x = fixture_numbers(n, 1.0, &seed), density, unused, xx = 0.0;
        const double h = 1e-4;
        for (size_t j = 0; j < n; j++) {
            const double kept = x[j];
            xx += kept * kept;
            for (int k = 0; k < 2; k++) {
                x[j] = kept + (k == 0 ? h : -h);
                matrices(side + n * k, &unused, net, x);
            }
            x[j] = kept;
            for (size_t i = 0; i < n; i++) J[i + n * j] = (side[i] - side[n + i]) / (2.0 * h);
        }
        matrices(side, &density, net, x);
        density += fixture_eliminate(J, n, NULL, 0);
        CHECK_STATUS(target.order(U, &target, x, &work, &err), AP_OK);
        CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_OK);
        const double constant = psi + 0.5 * xx - (0.5 * fixture_energy(&s.f, U) - density);
        if (point == 0) first = constant;
        CHECK_NEAR(constant, first, 1e-7 * (double)n);  // h^2 = 1e-8 times third derivatives
    }
}

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
static void test_turn(const shape *v, size_t number) {
    setting s;
    make(&s, v);
    const ap_net *net = &s.f.net;
    const ap_target target = ap_collapsed_target(&s.p);
    const size_t n = target.dim, paths = s.f.paths;
    uint64_t seed = 110 + number;
    chain c[6] = {{0}};
    bool singular = false;
    double unused, *x = fixture_numbers(n, 1.0, &seed), *U = check_room(paths * paths + target.chain);
    chain_make(c, &unused, net, x);
    for (size_t l = 1; l <= net->L + 1; l++) singular = singular || c[l].m < c[l].q;
    CHECK((ap_bartlett_turns(net) > 0) == singular);
    if (singular) {
        turned t;
        chain_order(U, &c[1]);
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
static void test_prior(const shape *v, size_t number, bool turns) {
    enum { draws = 8000 };
    setting s;
    make(&s, v);
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

// ---- failures, workspace --------------------------------------------------------------------------------------------

static void test_failures(void) {
    setting s;
    make(&s, &shapes[1]);
    const ap_target target = ap_collapsed_target(&s.p);
    double *x = check_doubles(target.dim), *g = check_room(target.dim), psi;
    x[0] = 1e6;  // u_a overflows
    CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_ENONFINITE);
    CHECK(work.used == 0);
    x[0] = NAN;
    CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_ENONFINITE);
    x[0] = -1e6;  // u_a = 0: the kernel is T I; only the prior density refuses it
    CHECK_STATUS(target.evaluate(&psi, g, &target, x, &work, &err), AP_OK);
    CHECK(psi < -1e10);  // minus |x|^2/2 = 5e11, which psi omits
}

static void test_workspace(const shape *v, double memory) {
    setting s;
    fixture_make(&s.f, v->L, false, 40, 2, 3, 2);
    fixture_widths(&s.f, v->width);
    setting_prepare(&s, memory);
    CHECK((s.kernel.packed != NULL) == (memory > 0.0));
    fixture_check_workspace(ap_collapsed_target(&s.p));
}

int main(void) {
    for (size_t k = 0; k < all_shapes; k++) test_definition(&shapes[k], k);
    for (size_t k = 0; k < full_shapes; k++) test_wishart(&shapes[k], k);
    for (size_t k = 0; k < all_shapes; k++)
        if (shapes[k].width[0] < 15.0) test_prior(&shapes[k], k, false);
    for (size_t k = 0; k < all_shapes; k++) test_turn(&shapes[k], k);
    test_prior(&shapes[5], all_shapes, true);
    test_prior(&shapes[9], all_shapes + 1, true);
    test_failures();
    test_workspace(&shapes[1], 0.0);
    test_workspace(&shapes[5], 1e9);
    return check_report("test_ap_collapsed");
}
