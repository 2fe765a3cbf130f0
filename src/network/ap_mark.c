// ap_mark.c: checksums of the parts of a network in path inputs, to detect those of another network
// SPDX-License-Identifier: BSD-3-Clause
//
//   h := R(h xor b(x)) c, for one number x after the other
//
// b(x) are the 64 bits of x, those of 0 where x is -0; R rotates by 29 bits and c is an odd number: each step maps h
// one to one, so that arrays of one length which differ in one number have different h. Four h are kept side by side,
// for every fourth number each, or a step would wait for the one before. Marks are the upper 53 bits, as doubles: two
// networks share one by chance with a probability of 1e-16. Cost: reading the heads once.

#include <string.h>

#include "network/ap_network.h"

static const uint64_t FACTOR = 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio

static uint64_t step(uint64_t h, double x) {
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    h ^= bits;
    return (h << 29 | h >> 35) * FACTOR;
}

static uint64_t mix(uint64_t h, const double *x, size_t n) {
    uint64_t a = h, b = h + 1, c = h + 2, d = h + 3;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a = step(a, x[i]);
        b = step(b, x[i + 1]);
        c = step(c, x[i + 2]);
        d = step(d, x[i + 3]);
    }
    for (; i < n; i++) a = step(a, x[i]);
    const uint64_t lane[] = {a, b, c, d};
    h = (uint64_t)n;
    for (size_t k = 0; k < 4; k++) {
        h ^= lane[k] ^ lane[k] >> 32;
        h = (h << 29 | h >> 35) * FACTOR;
    }
    return h ^ h >> 32;
}

void ap_net_mark(double mark[ap_net_marks], const ap_net *net, size_t N0) {
    uint64_t h[ap_net_marks] = {0};
    for (size_t l = 0; l < net->L; l++) {
        h[0] = step(h[0], (double)net->H[l]);
        if (net->heads == NULL) continue;
        const ap_heads *heads = &net->heads[l];
        const ap_rule *rule = &heads->rule;
        const bool factors = rule->kind == AP_CME;
        const double how[] = {(double)rule->kind, rule->kind == AP_HARDMAX ? 0.0 : rule->bandwidth,
                              factors ? (double)rule->kernel : 0.0, factors ? rule->ridge : 0.0,
                              net->causal ? 1.0 : 0.0};
        h[2] = mix(h[2], how, sizeof how / sizeof *how);
        h[3] = step(h[3], (double)heads->G);
        if (heads->G == 0) {
            h[3] = mix(h[3], heads->W, N0 * N0 * net->H[l]);
        } else {
            h[3] = mix(h[3], heads->Q, heads->G * N0 * net->H[l]);
            h[3] = mix(h[3], heads->K, heads->G * N0 * net->H[l]);
        }
    }
    h[1] = step(step(FACTOR, (double)net->read), (double)net->token);  // never 0, which is no mark
    for (size_t k = 0; k < ap_net_marks; k++) mark[k] = (double)(h[k] >> 11);
}
