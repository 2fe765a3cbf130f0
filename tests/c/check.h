// check.h: the whole C test harness
// SPDX-License-Identifier: BSD-3-Clause
//
// A test program is a main() of CHECKs that returns check_report("test_ap_<stem>"). A failed check prints its place and
// its values, and the program continues. The last line has the counts, which the caller reads: a program that crashes
// prints none, and this counts as a failure.

#ifndef AP_TEST_CHECK_H
#define AP_TEST_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attnpath.h"

static size_t check_passed, check_failed;
static ap_error err;  // of the call before

static inline bool check_count(bool ok, const char *file, int line, const char *what) {
    if (ok) {
        check_passed++;
    } else {
        check_failed++;
        printf("%s:%d: failed: %s\n", file, line, what);
    }
    return ok;
}

static inline void check_near(double got, double want, double tolerance, const char *file, int line, const char *what) {
    const double gap = fabs(got - want);
    if (!check_count(got == want || gap <= tolerance, file, line, what))
        printf("    got %.17g, want %.17g, apart by %.3g, allowed %.3g\n", got, want, gap, tolerance);
}

static inline void check_arrays(const double *got, const double *want, size_t n, double tolerance, const char *file,
                                int line, const char *what) {
    size_t worst = 0;
    double gap = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double here = fabs(got[i] - want[i]);
        if (got[i] != want[i] && !(here <= gap)) {  // NaN is never near
            worst = i;
            gap = here;
        }
    }
    if (!check_count(gap <= tolerance, file, line, what))
        printf("    element %zu of %zu: got %.17g, want %.17g, allowed %.3g\n", worst, n, got[worst], want[worst],
               tolerance);
}

static inline void check_status(ap_status got, ap_status want, const ap_error *err, const char *file, int line,
                                const char *what) {
    if (!check_count(got == want, file, line, what))
        printf("    got %s, want %s: %s\n", ap_status_name(got), ap_status_name(want), err->text);
}

// False in `make check`, which omits checks that take seconds; `make test` has them.
static inline bool check_thorough(void) {
    const char *tests = getenv("ATTNPATH_TESTS");
    return tests == NULL || strcmp(tests, "quick") != 0;
}

#define CHECK(condition) ((void)check_count((condition), __FILE__, __LINE__, #condition))
#define CHECK_NEAR(got, want, tolerance) check_near((got), (want), (tolerance), __FILE__, __LINE__, #got " ~ " #want)
#define CHECK_ARRAYS(got, want, n, tolerance) \
    check_arrays((got), (want), (n), (tolerance), __FILE__, __LINE__, #got " ~ " #want)
#define CHECK_TEXT(got, want) ((void)check_count(strstr((got), (want)) != NULL, __FILE__, __LINE__, #got " has " #want))

// The ap_error of the call must have the name `err`: CHECK_STATUS(ap_spd_chol(A, n, "A", &err), AP_OK).
#define CHECK_STATUS(call, want) check_status((call), (want), &err, __FILE__, __LINE__, #call)

// A host's team that runs the parts from the last to the first, and returns the gravest status.
static inline ap_status check_backwards(ap_part part, void *job, size_t parts, size_t threads, ap_error *err) {
    ap_status worst = AP_OK;
    for (size_t k = parts; k-- > 0;) {
        const ap_status status = part(job, k, k % threads, err);
        if (status < worst) worst = status;
    }
    return worst;
}

// Reproducible numbers without a library: Marsaglia's xorshift64*, uniform in (-1, 1).
static inline double check_random(uint64_t *state) {
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (double)((x * UINT64_C(2685821657736338717)) >> 11) / 4503599627370496.0 - 1.0;
}

static inline void check_fill(double *x, size_t n, uint64_t *state) {
    for (size_t i = 0; i < n; i++) x[i] = check_random(state);
}

// ---- memory --------------------------------------------------------------------------------------------------------
//
// What a test takes is its program's until the end: check_alloc and check_zeros never return NULL, and nothing needs to
// be given back. So are the blocks of its arenas: each take has one of its own. All are filled with NaN that shows when
// it is read, and with guard words before and behind it, which check_report looks at.

#ifdef __SANITIZE_ADDRESS__
enum { check_guard = 0 };  // the sanitizer sees what is touched outside of a block
#else
enum { check_guard = 16 };
#endif
enum { check_dense = 64, check_tail = 16 };
static const uint64_t check_canary = UINT64_C(0x7ff8dead0000beef);

typedef struct check_block {
    struct check_block *before;
    size_t words;
    uint64_t word[];
} check_block;

static check_block *check_last;                                   // of all that are lent
static size_t check_asked, check_lent, check_refused = SIZE_MAX;  // blocks asked for; lent now; the one that is refused
static bool check_whole = true;                                   // no guard word has changed

static inline void *check_alloc(size_t bytes) {
    const size_t words = bytes / sizeof check_canary + (bytes % sizeof check_canary > 0);
    check_block *block = malloc(sizeof *block + (words + 2 * check_guard) * sizeof check_canary);
    if (block == NULL) abort();
    *block = (check_block){.before = check_last, .words = words};
    for (size_t i = 0; i < words + 2 * check_guard; i++) block->word[i] = check_canary;
    check_last = block;
    return block->word + check_guard;
}

static inline void check_guards(const check_block *block) {
    const uint64_t *before = block->word, *behind = before + check_guard + block->words;
    for (size_t i = 0; i != check_guard; i++)
        check_whole = check_whole && before[i] == check_canary && behind[i] == check_canary;
}

static inline void *check_zeros(size_t n, size_t size) { return memset(check_alloc(n * size), 0, n * size); }

static inline double *check_doubles(size_t n) { return check_zeros(n, sizeof(double)); }
static inline double *check_room(size_t n) { return check_alloc(n * sizeof(double)); }  // of doubles that are not set
static inline double *check_copy(const double *x, size_t n) { return memcpy(check_room(n), x, n * sizeof *x); }

// The largest |x_i|, and the largest |x_i - y_i|; NaN if one is
static inline double check_apart(const double *x, const double *y, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double here = fabs(x[i] - (y == NULL ? 0.0 : y[i]));
        if (isnan(here) || here > most) most = here;
    }
    return most;
}

static inline double check_largest(const double *x, size_t n) { return check_apart(x, NULL, n); }

static inline void *check_more(size_t bytes) {
    if (check_asked++ == check_refused || bytes > SIZE_MAX / 2) return NULL;
    check_lent++;
    return check_alloc(bytes);
}

static inline void check_less(void *lent) {
    check_block **at = &check_last;
    while ((void *)((*at)->word + check_guard) != lent) at = &(*at)->before;
    check_block *block = *at;
    check_guards(block);
    check_lent--;
    *at = block->before;
    free(block);
}

static ap_work work = {
    .alloc = check_more, .release = check_less, .limit = SIZE_MAX, .guard_each_take = true};  // of most tests

static inline ap_work check_work(void) {
    return (ap_work){.alloc = check_more, .release = check_less, .limit = SIZE_MAX, .guard_each_take = true};
}

static inline int check_report(const char *program) {
    ap_work_close(&work);
    for (const check_block *block = check_last; block != NULL; block = block->before) check_guards(block);
    check_count(check_whole, __FILE__, __LINE__, "memory outside was touched");
    printf("%s: %zu passed, %zu failed\n", program, check_passed, check_failed);
    return check_failed == 0 && check_passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Refuses each block that a call requests, one after the other: it must return AP_EMEMORY, release its blocks, and
// access nothing outside of them. The call takes from `work`, which is another arena each time.

typedef struct check_sweep {
    ap_work kept;                  // the arena of the test
    size_t refused, blocks, lent;  // the block that is refused, of so many; those lent before
    bool due, whole;               // AP_EMEMORY came where it was due, and all calls were sound
} check_sweep;

static inline bool check_sweep_next(check_sweep *s) {
    if (s->refused != SIZE_MAX && s->refused >= s->blocks) return false;
    s->kept = work;
    s->lent = check_lent;
    work = check_work();
    check_asked = 0;
    check_refused = s->refused;
    return true;
}

static inline size_t check_next(size_t k, size_t blocks) {
    if (k < check_dense || blocks - k <= check_tail) return k + 1;
    const size_t step = k / 8;
    return k + step < blocks - check_tail ? k + step : blocks - check_tail;
}

static inline void check_sweep_saw(check_sweep *s, ap_status status, const char *file, int line, const char *what) {
    const size_t k = s->refused;
    const bool restored = work.used == 0;
    check_refused = SIZE_MAX;
    ap_work_close(&work);
    work = s->kept;
    s->whole = s->whole && restored && check_whole && check_lent == s->lent;
    if (k == SIZE_MAX) {  // the first call has all that it asks for
        s->blocks = check_asked;
        if (!check_count(status >= 0 && s->blocks > 0, file, line, what)) printf("    with all blocks: %s\n", err.text);
    } else if (status != AP_EMEMORY && check_asked > k) {
        if (s->due) printf("    block %zu of %zu was refused: %s\n", k, s->blocks, ap_status_name(status));
        s->due = false;
    }
    s->refused = k == SIZE_MAX ? 0 : check_next(k, s->blocks);
    if (s->refused < s->blocks) return;
    if (!check_count(s->due, file, line, what)) printf("    AP_EMEMORY was due without a block\n");
    if (!check_count(s->whole, file, line, what)) printf("    memory outside was touched, or work.used not restored\n");
}

#define CHECK_WORKSPACE(call)                                                                        \
    for (check_sweep s_ = {.refused = SIZE_MAX, .due = true, .whole = true}; check_sweep_next(&s_);) \
    check_sweep_saw(&s_, (call), __FILE__, __LINE__, "workspace of " #call)

#endif
