// test_ap_mark.c: every number on which path inputs depend changes its own mark, and other numbers change none
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static unsigned changed(const double before[ap_net_marks], const ap_net *net, size_t N0) {  // bit k: mark k differs
    double now[ap_net_marks];
    unsigned bits = 0;
    ap_net_mark(now, net, N0);
    for (unsigned k = 0; k < ap_net_marks; k++) {
        CHECK(now[k] >= 0.0 && now[k] <= 9007199254740992.0 && now[k] == floor(now[k]));
        bits |= now[k] == before[k] ? 0u : 1u << k;
    }
    return bits;
}

static void test_heads(bool pairs) {
    fixture f;
    fixture_make(&f, 2, false, 3, 4, 5, 1);
    fixture_some(&f, pairs, 2, 3);
    const size_t N0 = f.x.N0;
    double mark[ap_net_marks];
    ap_net_mark(mark, &f.net, N0);
    CHECK(changed(mark, &f.net, N0) == 0);
    for (ap_read read = AP_READ_TOKEN; read <= AP_READ_ALL; read++) {
        ap_net net = f.net;
        net.read = read;
        net.token = 0;
        double own_mark[ap_net_marks];
        ap_net_mark(own_mark, &net, N0);
        CHECK(own_mark[0] > 0.0 && own_mark[1] > 0.0);  // 0 is no mark
    }
    ap_heads heads[2] = {f.net.heads[0], f.net.heads[1]};
    for (size_t l = 0; l < 2; l++) {
        const size_t count = (pairs ? heads[l].G : N0) * N0 * f.net.H[l];
        for (size_t which = 0; which < (pairs ? 2u : 1u); which++) {
            const double **x = !pairs ? &heads[l].W : which == 0 ? &heads[l].Q : &heads[l].K, *const given = *x;
            double *own = check_copy(given, count);
            *x = own;
            ap_net net = f.net;
            net.heads = heads;
            CHECK(changed(mark, &net, N0) == 0);  // another address
            for (size_t i = 0; i < count; i++) {
                own[i] = nextafter(given[i], 9.0);
                CHECK(changed(mark, &net, N0) == 8);
                own[i] = given[i];
            }
            const double first = own[0];
            own[0] = own[1], own[1] = first;
            CHECK(changed(mark, &net, N0) == 8);
            own[1] = own[0] = 0.0;
            double zeros[ap_net_marks];
            ap_net_mark(zeros, &net, N0);
            own[0] = -0.0;  // a MAT file may lose the sign
            CHECK(changed(zeros, &net, N0) == 0);
            *x = given;
        }
    }
}

static void test_rest(void) {
    fixture f;
    fixture_make(&f, 2, false, 3, 4, 5, 1);
    fixture_query_key(&f, 2, 3);
    const size_t N0 = f.x.N0;
    double mark[ap_net_marks];
    ap_heads heads[2] = {f.net.heads[0], f.net.heads[1]};
    ap_net net = f.net;
    net.heads = heads;
    for (int kind = 0; kind < 3; kind++) {
        const ap_rule_kind kinds[] = {AP_SOFTMAX, AP_HARDMAX, AP_CME};
        const unsigned bandwidth[] = {4, 0, 4}, rest[] = {0, 0, 4};
        ap_rule *rule = &heads[1].rule;
        heads[0].rule.kind = rule->kind = kinds[kind];
        ap_net_mark(mark, &net, N0);
        rule->bandwidth *= 2.0;
        CHECK(changed(mark, &net, N0) == bandwidth[kind]);
        rule->bandwidth /= 2.0;
        rule->ridge += 0.5;
        CHECK(changed(mark, &net, N0) == rest[kind]);
        rule->ridge -= 0.5;
        ap_net_mark(mark, &net, N0);
        rule->kernel = rule->kernel == AP_KERNEL_LINEAR ? AP_KERNEL_GAUSSIAN : AP_KERNEL_LINEAR;
        CHECK(changed(mark, &net, N0) == rest[kind]);
        rule->kernel = f.net.heads[1].rule.kernel;
    }
    heads[0].rule = heads[1].rule = f.net.heads[0].rule;
    ap_net_mark(mark, &net, N0);
    net.causal = !net.causal;
    CHECK(changed(mark, &net, N0) == 4);
    net.causal = f.net.causal;
    net.temperature *= 2.0;
    net.width = f.net.variance;
    CHECK(changed(mark, &net, N0) == 0);
    for (int k = 0; k < 2; k++) {
        net.read = AP_READ_TOKEN;
        net.token = (size_t)k;
        CHECK(changed(mark, &net, N0) == 2);
        ap_net_mark(mark, &net, N0);
    }
    net.heads = NULL;
    CHECK(changed(mark, &net, N0) == 12);
    ap_net_mark(mark, &net, 0);
    CHECK(mark[2] == 0.0 && mark[3] == 0.0);
    net.H = (const size_t[]){f.net.H[1], f.net.H[0] + f.net.H[1]};
    CHECK(changed(mark, &net, 0) == 1);
}

int main(void) {
    test_heads(false);
    test_heads(true);
    test_rest();
    return check_report("test_ap_mark");
}
