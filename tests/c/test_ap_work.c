// test_ap_work.c: the arena of scratch memory, and sizes that do not wrap
// SPDX-License-Identifier: BSD-3-Clause

#ifdef __SANITIZE_ADDRESS__
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "base/ap_core.h"
#include "check.h"

enum { B = 16384 };  // doubles of a block in addition to the requested ones

static ap_work together(void) {  // as in a host: many takes in a block
    ap_work work = check_work();
    work.guard_each_take = false;
    return work;
}

static void test_take(void) {
    ap_work work = together();
    double *first = ap_take(&work, 4);
    CHECK(first != NULL && (uintptr_t)first % 64 == 0);
    CHECK(ap_take(&work, 9) == first + 8);  // each on lines of its own, of eight doubles
    CHECK(work.used == 24 && work.held == 8 + B && check_lent == 1);
    CHECK(ap_take(&work, SIZE_MAX) == NULL);  // after a refusal all later takes are refused
    CHECK(ap_take(&work, 1) == NULL && ap_take(&work, 0) == NULL);
    work.used = 8;
    CHECK(ap_take(&work, SIZE_MAX - 7) == NULL);
    work.used = 8;
    CHECK(ap_take_matrix(&work, SIZE_MAX / 2, 3) == NULL);
    work.used = 8;
    CHECK(ap_take(&work, 16) == first + 8);  // until a note is restored
    CHECK(ap_take(&work, 0) == first + 24 && work.used == 32);
    ap_work_close(&work);
    CHECK(check_lent == 0 && work.held == 0 && work.used == 0 && work.peak == 8 + B);
}

// A take uses the next block that is large enough; when a note is restored, blocks are kept, and smaller ones are
// freed. A block that is far too large is reserved for takes of its size.
static void test_blocks(void) {
    ap_work work = together();
    double *first = ap_take(&work, 100), *second = ap_take(&work, 2 * B), *third = ap_take(&work, 8 * B);
    const size_t mark = 104;
    CHECK(first != NULL && second != NULL && third != NULL && (uintptr_t)third % 64 == 0);
    CHECK(check_lent == 3 && work.held == mark + 13 * B && work.used == mark + 12 * B);
    work.used = mark;
    check_asked = 0;
    CHECK(ap_take(&work, 2 * B) == second && ap_take(&work, 8 * B) == third && check_asked == 0);
    work.used = mark;
    CHECK(ap_take(&work, 4 * B) == third && check_lent == 2);  // the second is too small
    CHECK(ap_take(&work, 4 * B) == third + 4 * B && work.held == mark + 10 * B);
    work.used = mark;
    CHECK(ap_take(&work, 8) == first + mark);
    work.used = mark;
    double *large = ap_take(&work, 40 * B);
    CHECK(large != NULL && work.held == mark + 42 * B && check_lent == 2);
    work.used = mark;
    CHECK(ap_take(&work, 2 * B) != large && check_lent == 3 && ap_take(&work, 40 * B) == large && check_lent == 3);
    work.used = mark;
    ap_work_trim(&work);
    CHECK(check_lent == 1 && work.held == mark + B && work.used == mark && work.peak == mark + 45 * B);
    ap_work_close(&work);
    CHECK(check_lent == 0);
}

// Nothing is allocated beyond the limit, and empty blocks are freed first.
static void test_limit(void) {
    ap_work work = together(), none = {0};
    work.limit = 3 * B;
    CHECK(ap_take(&work, 8) != NULL && ap_take(&work, 2 * B - 8) != NULL && work.held == 3 * B);
    check_asked = 0;
    CHECK(ap_take(&work, 8) == NULL && check_asked == 0);
    CHECK(ap_not_taken(&work, &err, "ap_stem") == AP_EMEMORY);
    CHECK_TEXT(err.text, "ap_stem");
    work.used = 8;
    CHECK(ap_take(&work, B) != NULL && ap_take(&work, B) != NULL && ap_take(&work, B - 8) != NULL);
    CHECK(ap_take(&work, 1) == NULL);
    work.used = 0;
    CHECK(ap_take(&work, 3 * B) != NULL && work.held == 3 * B && work.peak == 3 * B);
    ap_work_close(&work);
    work.limit = 24;  // less than that
    CHECK(ap_take(&work, 9) != NULL && ap_take(&work, 8) != NULL && ap_take(&work, 1) == NULL && work.held == 24);
    ap_work_close(&work);
    CHECK(ap_take(&none, 0) == NULL && ap_not_taken(&none, NULL, "ap_stem") == AP_EMEMORY);
}

// In separate mode each take has a block of its exact size, which is freed when another replaces it.
static void test_apart(void) {
    ap_work work = check_work();
    double *first = ap_take(&work, 9), *nothing = ap_take(&work, 0), *last = ap_take(&work, 5);
    CHECK(first != NULL && nothing != NULL && last != NULL && check_lent == 3 && work.used == 32);
    for (size_t i = 0; i < 9; i++) first[i] = 1.0;
    for (size_t i = 0; i < 5; i++) last[i] = 1.0;
    work.used = 16;
    CHECK(ap_take(&work, 3) != NULL && check_lent == 2);
    ap_work_close(&work);
    CHECK(check_lent == 0 && check_whole);
    last = ap_take(&work, 5);
    (void)ap_take(&work, 5);
#ifdef __SANITIZE_ADDRESS__
    const pid_t child = fork();
    if (child == 0) {
        (void)fclose(stderr);
        last[5] = 1.0;  // the purpose: the sanitizer detects this
        _exit(0);
    }
    int ended = 0;
    CHECK(waitpid(child, &ended, 0) == child && !(WIFEXITED(ended) && WEXITSTATUS(ended) == 0));
    ap_work_close(&work);
#else
    last[5] = 1.0;
    ap_work_close(&work);
    CHECK(!check_whole);
    check_whole = true;
#endif
}

static void test_sizes(void) {
    const size_t word = (size_t)1 << 32, all = SIZE_MAX;
    const size_t edge[] = {0, 1, 2, 3, word / 2, word - 1, word, all / 2, all / 2 + 1, all - 1, all};
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
        CHECK(lines % 8 == 0 && (edge[i] > SIZE_MAX - 7 || (lines >= edge[i] && lines - edge[i] < 8)));
    }
}

int main(void) {
    test_take();
    test_blocks();
    test_limit();
    test_apart();
    test_sizes();
    return check_report("test_ap_work");
}
