// expansion.h: an expansion at a minimum, for the tests of its parts
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_TEST_EXPANSION_H
#define AP_TEST_EXPANSION_H

#include "beyond/ap_beyond.h"
#include "fixture.h"

typedef struct expansion {
    setting s;
    size_t n;
    double *h, *beta, *step, *second, *cubic, *rest;
} expansion;

// A minimum, and its lines.
static inline void expand(expansion *t, size_t L, double memory) {
    setting_make(&t->s, L, 9, memory);
    for (size_t l = 0; l <= L; l++) t->s.f.width[l] = 40.0 + 5.0 * (double)l;
    t->s.settings.tolerance = 1e-11;
    CHECK_STATUS(setting_solve(&t->s, &err), AP_OK);
    setting_derive(&t->s);
    const size_t n = t->n = ap_expand_unknowns(&t->s.p);
    t->h = check_doubles(n * n);
    t->second = check_doubles(n * n);
    t->beta = check_doubles(n);
    t->step = check_doubles(n);
    t->cubic = check_doubles(n);
    t->rest = check_doubles(n);
    CHECK_STATUS(ap_expand_lines(t->h, t->beta, t->step, &t->s.p, &t->s.point, &t->s.work, &err), AP_OK);
}

static inline ap_expansion lines_of(const expansion *t, size_t first, size_t count) {
    return (ap_expansion){.count = count, .h = t->h + t->n * first, .step = t->step + first};
}

static inline ap_status follow(expansion *t, const ap_team *team) {
    const ap_expansion x = lines_of(t, 0, t->n);
    return ap_expand_follow(t->second, t->cubic, t->rest, &t->s.p, &t->s.point, &x, team, &t->s.work, &err);
}

#endif
