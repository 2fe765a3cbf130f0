// test_ap_learned.c: the posterior of heads and order parameters
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

typedef struct learning {
    setting s;
    ap_learned q;
} learning;

// Kinds: bilinear heads or queries and keys, rules, readouts, lengths, causal, scales, skips, 1 to 3 layers; C outputs;
// at a finite width or at the GP limit, where outputs share U.
static void make(learning *n, size_t L, unsigned kind, size_t C, bool gp, double *weight) {
    static const ap_read reads[4] = {AP_READ_LAST, AP_READ_MEAN, AP_READ_TOKEN, AP_READ_ALL};
    fixture *f = &n->s.f;
    uint64_t seed = 100 * L + kind;
    fixture_scales = kind % 3 == 1;
    fixture_skips = kind % 4 == 3 ? 1 : 0;
    fixture_make(f, L, false, 3, 4, 7, seed);
    if (kind >= 6)
        f->rule = (ap_rule){.kind = AP_CME, .bandwidth = 2.0, .ridge = 0.4, .kernel = (ap_kernel_kind)(kind % 3)};
    fixture_some(f, kind % 2 == 1 || kind >= 6, 2, kind);
    if (kind % 3 == 2) fixture_lengths(f);
    f->net.read = reads[kind % 4];
    f->net.causal = kind % 5 == 0;
    f->width[0] = kind % 2 ? 3.0 : 12.0;  // fewer than paths, and more
    if (fixture_skips) f->width[1] = f->width[0];
    f->P = ap_paths_count(&f->net, &f->x);  // examples, of all tokens more than sequences
    f->Xi = fixture_numbers(f->N0 * f->P * f->paths, 1.0, &seed);
    f->y = fixture_numbers(f->P, 1.0, &seed);
    setting_columns(&n->s, C, C > 1 && gp, 0.0, &seed);
    n->q = (ap_learned){.problem = n->s.p, .net = &f->net, .x = f->x, .weight = weight, .scale = 0.7, .gp = gp};
}

// psi of the definition: the energy at path inputs of the net with the heads of x
static double definition(learning *n, const double *x, size_t entries, bool gp) {
    fixture *f = &n->s.f;
    const double *heads = x + (gp ? 0 : ap_bartlett_dim(n->s.p.net));
    ap_heads list[fixture_layers];
    ap_net net = f->net;
    double *own = check_room(entries), psi;
    size_t at = 0;
    for (size_t l = 0; l < net.L; l++) {
        const ap_heads *h = &f->heads[l];
        const size_t count = (h->W != NULL ? f->N0 : h->G) * f->N0 * f->H[l];
        const double sd = h->W != NULL ? 0.7 : sqrt(0.7);
        for (size_t i = 0; i < count * (h->W != NULL ? 1 : 2); i++) own[at + i] = sd * heads[at + i];
        list[l] = *h;
        if (h->W != NULL) list[l].W = own + at;
        if (h->W == NULL) list[l].Q = own + at, list[l].K = own + at + count;
        at += count * (h->W != NULL ? 1 : 2);
    }
    net.heads = list;
    CHECK(at == entries);
    CHECK_STATUS(ap_paths(f->Xi, &net, &f->x, NULL, NULL, &work, &err), AP_OK);
    if (!gp) {
        const ap_target t = ap_collapsed_target(&n->s.p);
        double *grad = check_room(t.dim);
        CHECK_STATUS(t.evaluate(&psi, grad, &t, x, &work, &err), AP_OK);
        return psi;
    }
    double sum = 0.0, *order = check_room(ap_params_length(&f->net));
    ap_params_gp(order, &f->net);
    for (size_t c = 0; c < ap_problem_columns(&n->s.p); c++) {  // independent outputs
        const ap_problem one = {.net = &f->net, .kernel = &n->s.kernel, .y = n->s.p.y + f->P * c};
        ap_fit fit;
        CHECK_STATUS(ap_fit_take(&fit, &one, &work, &err), AP_OK);
        CHECK_STATUS(ap_energy(&fit, &one, order, NULL, &work, &err), AP_OK);
        sum += 0.5 * fit.energy;
    }
    return sum;
}

static void test_value_and_gradient(void) {
    static const double h = 1e-5;
    for (size_t L = 1; L <= 3; L++)
        for (unsigned kind = 0; kind < 9; kind++)
            for (unsigned way = 0; way < 4; way++) {
                learning n;
                const bool gp = way / 2;
                make(&n, L, kind, 1 + way % 2 * 2, gp, NULL);
                const ap_target t = ap_learned_target(&n.q);
                const size_t first = gp ? 0 : ap_bartlett_dim(n.s.p.net), entries = t.dim - first;
                uint64_t seed = 5 + kind;
                double *x = fixture_numbers(t.dim, 1.0, &seed), *grad = check_room(t.dim), *other = check_room(t.dim);
                double psi, up, down, size = 0.0;
                CHECK_STATUS(t.evaluate(&psi, grad, &t, x, &work, &err), AP_OK);
                const size_t mark = work.used;
                CHECK_NEAR(psi, definition(&n, x, entries, gp), 1e-11 * (1.0 + fabs(psi)));
                work.used = mark;
                for (size_t i = 0; i < t.dim; i++) size = fmax(size, fabs(grad[i]));
                for (size_t i = 0; i < t.dim; i += i + 2 < t.dim && L > 1 ? 1 + t.dim / 40 : 1) {
                    const double kept = x[i];
                    x[i] = kept + h;
                    CHECK_STATUS(t.evaluate(&up, other, &t, x, &work, &err), AP_OK);
                    x[i] = kept - h;
                    CHECK_STATUS(t.evaluate(&down, other, &t, x, &work, &err), AP_OK);
                    x[i] = kept;
                    // h^2 of third derivatives, which energies of T = 0.05 have, and eps psi / h
                    CHECK_NEAR(grad[i], (up - down) / (2.0 * h), 1e-6 * (1.0 + size));
                }
            }
    fixture_scales = false;
    fixture_skips = 0;
}

// Weights: path inputs times them, and 0 leaves an example out.
static void test_weights(void) {
    learning n, few;
    double weight[7] = {1.0, 0.5, 0.0, 2.0, 1.0, 0.0, 1.0}, psi, want;
    make(&n, 2, 0, 1, false, weight);
    make(&few, 2, 0, 1, false, NULL);
    fixture *f = &n.s.f;
    double *y = check_room(7);
    size_t kept = 0;
    for (size_t mu = 0; mu < 7; mu++)
        if (weight[mu] != 0.0) y[kept++] = f->y[mu];
    const ap_inputs five = {.N0 = 3, .P = kept, .Xi = f->Xi};
    CHECK_STATUS(ap_kernel_plan(&n.s.kernel, &f->net, &five, 0.0, &err), AP_OK);
    n.q.problem.y = y;
    const ap_target t = ap_learned_target(&n.q);
    uint64_t seed = 3;
    double *x = fixture_numbers(t.dim, 1.0, &seed), *grad = check_room(t.dim), *other = check_room(t.dim);
    CHECK_STATUS(t.evaluate(&psi, grad, &t, x, &work, &err), AP_OK);
    for (size_t i = 0; i < t.dim; i += 9) {
        const double at = x[i];
        double up, down;
        x[i] = at + 1e-5;
        CHECK_STATUS(t.evaluate(&up, other, &t, x, &work, &err), AP_OK);
        x[i] = at - 1e-5;
        CHECK_STATUS(t.evaluate(&down, other, &t, x, &work, &err), AP_OK);
        x[i] = at;
        CHECK_NEAR(grad[i], (up - down) / 2e-5, 1e-5);
    }
    // the definition: path inputs of these heads, selected and multiplied
    (void)definition(&few, x, t.dim - ap_bartlett_dim(&f->net), false);
    const size_t paths = f->paths;
    for (size_t a = 0, to = 0; a < paths; a++)
        for (size_t mu = 0; mu < 7; mu++)
            for (size_t i = 0; weight[mu] != 0.0 && i < 3; i++)
                f->Xi[to++] = weight[mu] * few.s.f.Xi[i + 3 * (mu + 7 * a)];
    n.s.p.y = y;
    const ap_target fixed = ap_collapsed_target(&n.s.p);
    CHECK_STATUS(fixed.evaluate(&want, other, &fixed, x, &work, &err), AP_OK);
    CHECK_NEAR(psi, want, 1e-11 * (1.0 + fabs(want)));
}

static void test_start_and_memory(void) {
    learning n;
    make(&n, 2, 1, 1, false, NULL);
    n.q.given = true;
    const ap_target t = ap_learned_target(&n.q);
    const size_t first = ap_bartlett_dim(&n.s.f.net), each = 2 * 3 * 2;
    double *x = check_room(t.dim), *heads = check_room(t.dim), *grad = check_room(t.dim), psi;
    ap_rng rng = ap_rng_start(1, 2);
    t.start(x, &t, &rng);
    ap_learned_heads(heads, &n.q, x);
    CHECK_ARRAYS(heads, n.s.f.Q[0], each, 1e-15);
    CHECK_ARRAYS(heads + each, n.s.f.K[0], each, 1e-15);
    CHECK_ARRAYS(heads + t.dim - first - 2 * 3 * 3, n.s.f.K[1], 2 * 3 * 3, 1e-15);
    CHECK_WORKSPACE(t.evaluate(&psi, grad, &t, x, &work, &err));
    double *U = check_room(t.chain), *W = check_room(3 * t.paths);
    CHECK_WORKSPACE(t.order(U, &t, x, &work, &err));
    CHECK_STATUS(t.order(U, &t, x, &work, &err), AP_OK);
    CHECK_WORKSPACE((rng = ap_rng_start(1, 2), t.draw(W, NULL, &t, x, U, &rng, &work, &err)));
}

int main(void) {
    test_value_and_gradient();
    test_weights();
    test_start_and_memory();
    return check_report("test_ap_learned");
}
