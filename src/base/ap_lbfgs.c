// ap_lbfgs.c: an inverse, corrected by secant pairs
// SPDX-License-Identifier: BSD-3-Clause
//
// B approximates the inverse of a symmetric matrix, and the matrix takes s to y for each pair (s, y). The updates of
// Broyden, Fletcher, Goldfarb and Shanno go through the pairs. Each makes a B that takes y to s, and B stays definite
// where every s'y > 0:
//
//   B := (I - s y' / s'y) B (I - y s' / s'y) + s s' / s'y
//
// Its product with a vector takes two loops over the pairs, one before B and one after it (Nocedal 1980). The pairs of
// an exact search by conjugate gradients, its directions and their products, are conjugate: the result is then the
// inverse itself on all that they span (Morales, Nocedal 2000).

#include "base/ap_core.h"

#include <string.h>

ap_status ap_lbfgs_take(ap_lbfgs *t, size_t n, size_t room, ap_work *work, ap_error *err) {
    *t = (ap_lbfgs){.n = n, .room = room};
    AP_TAKE_EACH(work, ap_times(n, room), &t->s, &t->y);
    t->rate = ap_take(work, room);
    return t->rate == NULL ? ap_not_taken(work, err, "ap_lbfgs") : AP_OK;
}

void ap_lbfgs_clear(ap_lbfgs *t) { t->first = t->used = t->count = 0; }

// Where pair k is, the oldest being number 0.
static size_t place(const ap_lbfgs *t, size_t k) { return (t->first + k) % t->room; }

static void forget(ap_lbfgs *t) {
    t->first = place(t, 1);
    t->count--;
    if (t->used > 0) t->used--;
}

void ap_lbfgs_keep(ap_lbfgs *t, const double *s, const double *y) {
    if (!(ap_dot(t->n, s, y) > 0.0)) return;
    if (t->count == t->room) forget(t);
    const size_t at = t->n * place(t, t->count++);
    memcpy(t->s + at, s, t->n * sizeof(double));
    memcpy(t->y + at, y, t->n * sizeof(double));
}

void ap_lbfgs_use(ap_lbfgs *t, size_t most) {
    while (t->count > most) forget(t);
    t->used = t->count;
}

void ap_lbfgs_before(double *b, ap_lbfgs *t) {
    for (size_t k = t->used; k-- > 0;) {
        const double *s = t->s + t->n * place(t, k), *y = t->y + t->n * place(t, k);
        t->rate[k] = ap_dot(t->n, s, b) / ap_dot(t->n, s, y);
        ap_axpy(t->n, -t->rate[k], y, b);
    }
}

void ap_lbfgs_after(double *d, const ap_lbfgs *t) {
    for (size_t k = 0; k < t->used; k++) {
        const double *s = t->s + t->n * place(t, k), *y = t->y + t->n * place(t, k);
        ap_axpy(t->n, t->rate[k] - ap_dot(t->n, y, d) / ap_dot(t->n, s, y), s, d);
    }
}
