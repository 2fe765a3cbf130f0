// test_ap_weights.c: partial effective weights and their derivatives against loops over paths
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static void test_sizes(void) {
    fixture f;
    fixture_make(&f, 3, false, 4, 2, 3, 1);  // widths 5, 8, 11, 14, heads 2, 3, 2
    const size_t layer[] = {8 * 5 * 2, 11 * 8 * 3, 14 * 11 * 2, 14};
    for (size_t l = 1; l <= 4; l++) {
        CHECK(ap_weights_width(&f.net, l) == 2 + 3 * l);
        CHECK(ap_weights_layer(&f.net, l) == layer[l - 1]);
    }
    CHECK(ap_weights_upper(&f.net) == layer[0] + layer[1] + layer[2] + layer[3]);
    CHECK(ap_weights_partial(&f.net) == 5 * 12 + 8 * 6 + 11 * 2 + 14);
}

// Sums of at most `widest` terms in every layer: 1e-14 times their number is 45 roundings of sums of size 1.
static void check_forward(const fixture *f, const double *z, const double *u) {
    const ap_net *net = &f->net;
    double *V = check_room(ap_weights_upper(net));
    fixture_colour(V, net, z);
    for (size_t l = 1; l <= net->L; l++) {
        const size_t n = ap_weights_width(net, l) * ap_net_paths(net, l);
        double *want = check_room(n);
        fixture_partial(want, net, V, l);
        const double largest = check_largest(want, n);
        CHECK(largest > 0.0);
        CHECK_ARRAYS(u, want, n, 1e-14 * largest * ap_net_maxwidth(net));
        u += n;
    }
    CHECK_ARRAYS(u, V + ap_weights_upper(net) - ap_weights_width(net, net->L + 1), ap_weights_width(net, net->L + 1),
                 0.0);
}

static double functional(const fixture *f, const double *c, const double *z, double *u) {  // c . u^{(1)}
    const size_t n = ap_weights_width(&f->net, 1) * f->paths;
    double sum = 0.0;
    ap_weights_forward(u, &f->net, z);
    for (size_t i = 0; i < n; i++) sum += c[i] * u[i];
    return sum;
}

// u^{(1)} is linear in each weight: a central difference with h = 1 is its derivative. It is linear in the weights of
// each layer together: the sum of weights times derivatives is the value.
static void check_backward(const fixture *f, double *z, uint64_t seed, size_t most) {
    const ap_net *net = &f->net;
    const size_t upper = ap_weights_upper(net), partial = ap_weights_partial(net), N = ap_weights_width(net, 1);
    double *u = fixture_numbers(partial, 1.0, &seed), *g = fixture_numbers(partial, 1.0, &seed);
    double *c = check_copy(g, N * f->paths), *grad = fixture_numbers(upper, 1.0, &seed);
    const double value = functional(f, c, z, u);
    ap_weights_backward(grad, g, net, z, u);
    CHECK_ARRAYS(g, c, N * f->paths, 0.0);
    const double largest = check_largest(grad, upper);
    const double tolerance = 1e-14 * (largest + fabs(value)) * (double)partial;  // a sum over all of c . u each
    double worst = 0.0;
    for (size_t k = 0; k < upper && k < most; k++) {
        const size_t i = upper <= most ? k : (size_t)((double)upper * 0.5 * (1.0 + check_random(&seed)));
        const double kept = z[i];
        z[i] = kept + 1.0;
        const double above = functional(f, c, z, u);
        z[i] = kept - 1.0;
        worst = fmax(worst, fabs(0.5 * (above - functional(f, c, z, u)) - grad[i]));
        z[i] = kept;
    }
    CHECK_NEAR(worst, 0.0, tolerance);
    const double *at = grad;
    for (size_t l = 1; l <= net->L + 1; l++) {
        const size_t n = ap_weights_layer(net, l);
        double sum = 0.0;
        for (size_t i = 0; i < n; i++) sum += at[i] * z[at - grad + i];
        CHECK_NEAR(sum, value, tolerance + 1e-14 * sqrt((double)n) * largest);
        at += n;
    }
    // with respect to whitened a: sigma_a times the derivative with respect to u^{(L+1)}
    const size_t Na = ap_weights_width(net, net->L + 1);
    for (size_t i = 0; i < Na; i++)
        CHECK_NEAR(grad[upper - Na + i], sqrt(net->variance[net->L + 1]) * g[partial - Na + i], 0.0);
}

static void test_network(size_t L, const double *width, size_t most) {
    fixture f;
    fixture_make(&f, L, false, 4, 2, 3, 10 + L);
    if (width != NULL) fixture_widths(&f, width);
    uint64_t seed = 20 + L;
    double *z = fixture_numbers(ap_weights_upper(&f.net), 1.7, &seed);
    double *u = check_room(ap_weights_partial(&f.net));
    ap_weights_forward(u, &f.net, z);
    check_forward(&f, z, u);
    check_backward(&f, z, seed, most);
}

static void test_check(void) {
    fixture f;
    fixture_make(&f, 2, false, 40, 2, 3, 1);
    CHECK_STATUS(ap_weights_check(&f.net, &err), AP_OK);
    static const struct {
        double width;
        ap_status status;
    } bad[] = {{2.5, AP_EINPUT},       {0.5, AP_EINPUT}, {0.0, AP_EINPUT},     {-3.0, AP_EINPUT},
               {-INFINITY, AP_EINPUT}, {NAN, AP_EINPUT}, {INFINITY, AP_ESIZE}, {1e300, AP_ESIZE}};
    for (size_t l = 0; l < 3; l++)
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
            char name[32];
            const double kept = f.width[l];
            f.width[l] = bad[k].width;
            CHECK_STATUS(ap_weights_check(&f.net, &err), bad[k].status);
            (void)snprintf(name, sizeof name, "width %zu is %g", l + 1, bad[k].width);
            CHECK_TEXT(err.text, name);
            f.width[l] = kept;
        }
    f.width[1] = 1.0;
    CHECK_STATUS(ap_weights_check(&f.net, &err), AP_OK);
    const ap_status beyond = ap_blas_integer() == 4 ? AP_ESIZE : AP_OK;
    f.width[1] = 9e8;  // times 3 paths: more than 2^31
    CHECK_STATUS(ap_weights_check(&f.net, &err), beyond);
    f.width[1] = 8.0;
    CHECK_STATUS(ap_weights_countable(&f.net, f.N0, &err), AP_OK);
    f.width[1] = 1e8;  // the overflow is by 40 features, or by 5 units and 2 heads, not by 3 paths
    CHECK_STATUS(ap_weights_check(&f.net, &err), AP_OK);
    CHECK_STATUS(ap_weights_countable(&f.net, f.N0, &err), beyond);
    f.width[1] = 1e7;
    CHECK_STATUS(ap_weights_countable(&f.net, 1, &err), AP_OK);
    f.width[1] = 8.0;
    f.width[2] = 1e8;
    CHECK_STATUS(ap_weights_countable(&f.net, 1, &err), beyond);  // 1e8 x 8 x 3
    if (beyond == AP_ESIZE) CHECK_TEXT(err.text, "width 2 is 8");
}

int main(void) {
    static const double narrow[] = {1.0, 3.0, 2.0}, wide[] = {400.0, 300.0, 7.0}, top[] = {7.0, 401.0, 310.0};
    test_sizes();
    for (size_t L = 1; L <= 3; L++) test_network(L, NULL, 1000);
    test_network(2, narrow, 1000);
    test_network(2, wide, 40);  // V_1 is 300 x 400: four panels, the last one short
    test_network(2, top, 40);
    test_check();
    return check_report("test_ap_weights");
}
