// test_ap_net.c: counts of paths, and invalid networks
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

static void test_counts(void) {
    fixture f;
    fixture_make(&f, 4, false, 2, 2, 2, 1);
    CHECK(ap_net_paths(&f.net, 1) == 12 && ap_net_paths(&f.net, 2) == 6 && ap_net_paths(&f.net, 3) == 2);
    CHECK(ap_net_paths(&f.net, 4) == 1 && ap_net_paths(&f.net, 5) == 1);
    CHECK(ap_net_maxwidth(&f.net) == 17.0);
}

static void expect(const ap_net *net, ap_status want, const char *word) {
    CHECK_STATUS(ap_net_check(net, &err), want);
    CHECK_TEXT(err.text, word);
}

static void test_refusals(void) {
    fixture f;
    fixture_make(&f, 2, false, 2, 2, 2, 1);
    expect(&f.net, AP_OK, "");
    fixture_bilinear(&f, 3);
    f.net.headscale = f.headscale;  // 0.3 0.9 | 0 0.6 1.2
    expect(&f.net, AP_OK, "");
    CHECK(ap_net_head_scale(&f.net, 2, 3) == f.headscale[4] && ap_net_head_scale(&f.net, 3, 1) == 1.0);
    const struct {
        double *at, value;
        const char *word;
    } bad[] = {{&f.net.temperature, -1.0, "-1"},
               {&f.net.temperature, NAN, "temperature"},
               {&f.net.temperature, INFINITY, "temperature"},
               {&f.skip[0], -0.5, "skip connection 1 is -0.5"},
               {&f.skip[1], INFINITY, "skip connection 2 is inf"},
               {&f.heads[1].rule.bandwidth, 0.0, "the bandwidth is 0"},
               {&f.heads[1].rule.bandwidth, INFINITY, "the bandwidth is inf"},
               {&f.heads[0].rule.ridge, -0.5, "the ridge is -0.5"},
               {&f.heads[0].rule.ridge, INFINITY, "the ridge is inf"},
               {&f.width[1], 0.0, "width 2 is 0"},
               {&f.width[1], INFINITY, "width 2 is inf"},
               {&f.variance[3], INFINITY, "variance 4 is inf"},
               {&f.headscale[3], -0.1, "the scale of head 2 of layer 2 is -0.1"},
               {&f.headscale[3], NAN, "the scale of head 2 of layer 2 is"},
               {&f.headscale[3], INFINITY, "the scale of head 2 of layer 2 is inf"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const double kept = *bad[k].at;
        *bad[k].at = bad[k].value;
        expect(&f.net, AP_EINPUT, bad[k].word);
        *bad[k].at = kept;
    }
    ap_net other = f.net;
    other.L = 0;
    expect(&other, AP_EINPUT, "no layer");
    f.heads[1].rule.kind = AP_CME;
    expect(&f.net, AP_EINPUT, "the heads of layer 2 are bilinear: cme attention needs queries and keys");
    other = f.net;
    other.heads = NULL;  // maps are given
    expect(&other, AP_OK, "");
    f.heads[1].rule = f.rule;
    f.H[0] = 0;
    expect(&f.net, AP_EINPUT, "layer 1 has no head");
    f.net.headscale = NULL;
    f.H[0] = f.H[1] = (size_t)1 << 20;
    expect(&f.net, AP_ESIZE, "more paths");
    CHECK(ap_net_paths(&f.net, 1) == (size_t)1 << 40);
}

int main(void) {
    test_counts();
    test_refusals();
    return check_report("test_ap_net");
}
