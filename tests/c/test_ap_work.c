// test_ap_work.c: the stack of scratch memory, the one that only counts, and sizes that do not wrap round
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"
#include "check.h"

static void test_take(void) {
    double block[24];
    ap_work work = {.base = block, .size = 24};
    CHECK(ap_take(&work, 4) == block);
    CHECK(ap_take(&work, 9) == block + 8);  // each on lines of its own, of eight doubles
    CHECK(work.used == 24);
    CHECK(ap_take(&work, 1) == NULL);
    work.used = 8;
    CHECK(ap_take(&work, 17) == NULL);  // a refusal leaves nothing for those after it
    CHECK(ap_take(&work, 1) == NULL);
    work.used = 8;
    CHECK(ap_take(&work, SIZE_MAX) == NULL);  // used + count would wrap round
    work.used = 8;
    CHECK(ap_take(&work, SIZE_MAX - 7) == NULL);
    work.used = 8;
    CHECK(ap_take(&work, 16) == block + 8);
    CHECK(ap_take(&work, 1) == NULL && ap_take(&work, 0) == NULL);  // not even nothing, after a refusal
}

static void test_sizes(void) {
    static const size_t edge[] = {0,
                                  1,
                                  2,
                                  3,
                                  (size_t)1 << 31,
                                  ((size_t)1 << 32) - 1,
                                  (size_t)1 << 32,
                                  SIZE_MAX / 2,
                                  SIZE_MAX / 2 + 1,
                                  SIZE_MAX - 1,
                                  SIZE_MAX};
    const size_t count = sizeof edge / sizeof edge[0];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            const size_t a = edge[i], b = edge[j];
            const bool wraps = b > SIZE_MAX - a;
            const bool overflows = a != 0 && b != 0 && (a * b) / a != b;
            CHECK(ap_plus(a, b) == (wraps ? SIZE_MAX : a + b));
            CHECK(ap_times(a, b) == (overflows ? SIZE_MAX : a * b));
        }
        const size_t lines = ap_lines(edge[i]);
        CHECK(lines >= edge[i] && (lines == SIZE_MAX || (lines % 8 == 0 && lines - edge[i] < 8)));
    }
}

// A stack that counts hands out nothing and remembers the most that was taken at a time.
static void test_counting(void) {
    ap_error err = {AP_OK, ""};
    ap_work count = ap_counting(), none = {0};
    CHECK(ap_take(&count, 4) == NULL && ap_take_matrix(&count, 2, 6) == NULL && count.used == 24 && count.peak == 24);
    count.used = 4;
    CHECK(ap_take(&count, 1) == NULL && count.used == 12 && count.peak == 24);
    CHECK(ap_not_taken(&count, &err, "ap_stem") == AP_OK);
    CHECK(ap_counted(&count, AP_OK) == 24 && ap_counted(&count, AP_ESIZE) == 24);
    CHECK(ap_take_matrix(&count, SIZE_MAX / 2, 3) == NULL && count.peak == SIZE_MAX);
    CHECK(ap_take(&none, 1) == NULL && ap_not_taken(&none, &err, "ap_stem") == AP_EMEMORY);  // no memory: no counting
    CHECK_TEXT(err.text, "ap_stem");
    CHECK(ap_not_taken(&none, NULL, "ap_stem") == AP_EMEMORY);
}

// Stacks of several threads lie apart, each on cache lines of its own.
static void test_shares(void) {
    for (size_t size = 1; size < 20; size++) {
        const size_t all = ap_shares(size, 3);
        double *base = malloc(all * sizeof *base);
        if (base == NULL) abort();
        for (size_t k = 0; k < 3; k++) {
            ap_work work = ap_share(base, size, k);
            CHECK(work.size == size && work.used == 0 && !work.counts);
            CHECK(work.base + size <= base + all);  // 64 bytes apart, wherever base lies in its line
            CHECK(k == 0 || work.base >= ap_share(base, size, k - 1).base + size + 8);
        }
        free(base);
    }
    CHECK(ap_shares(SIZE_MAX / 2, 4) == SIZE_MAX);
}

int main(void) {
    test_take();
    test_sizes();
    test_counting();
    test_shares();
    return check_report("test_ap_work");
}
