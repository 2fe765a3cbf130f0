// test_ap_status.c: status words, sentences, the stack of scratch memory, and sizes that overflow
// SPDX-License-Identifier: BSD-3-Clause

#include "check.h"

static void test_names(void) {
    static const ap_status all[] = {AP_OK,    AP_LIMIT,   AP_STALLED, AP_INTERRUPTED, AP_EINPUT,
                                    AP_ESIZE, AP_EMEMORY, AP_ENOTSPD, AP_ENONFINITE,  AP_ELAPACK};
    const size_t count = sizeof all / sizeof all[0];
    for (size_t i = 0; i < count; i++) {
        const char *name = ap_status_name(all[i]);
        CHECK(strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(name));  // fit for an id
        CHECK(name[0] >= 'a' && name[0] <= 'z');
        CHECK(strcmp(name, "unknown") != 0);
        for (size_t j = 0; j < i; j++) CHECK(strcmp(name, ap_status_name(all[j])) != 0);
    }
    CHECK(strcmp(ap_status_name((ap_status)99), "unknown") == 0);
}

static void test_fail(void) {
    ap_error err = {AP_OK, ""};
    CHECK(ap_fail(&err, AP_ENOTSPD, "pivot %d of %d", 3, 8) == AP_ENOTSPD);
    CHECK(err.status == AP_ENOTSPD);
    CHECK(strcmp(err.text, "pivot 3 of 8") == 0);
    CHECK(ap_fail(NULL, AP_EINPUT, "no one listens") == AP_EINPUT);

    char name[1000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(ap_fail(&err, AP_EINPUT, "%s", name) == AP_EINPUT);  // cut, and still a string
    CHECK(strlen(err.text) == sizeof err.text - 1);

    CHECK(ap_no_memory(&err, "ap_stem") == AP_EMEMORY);
    CHECK_TEXT(err.text, "ap_stem");
    CHECK(ap_no_memory(NULL, "ap_stem") == AP_EMEMORY);
}

static void test_take(void) {
    double block[10];
    ap_work work = {block, 10, 0};
    CHECK(ap_take(&work, 4) == block);
    CHECK(ap_take(&work, 6) == block + 4);
    CHECK(ap_take(&work, 1) == NULL);
    work.used = 4;
    CHECK(ap_take(&work, 7) == NULL);  // a refusal leaves nothing for those after it
    CHECK(ap_take(&work, 1) == NULL);
    work.used = 4;
    CHECK(ap_take(&work, SIZE_MAX) == NULL);  // used + count would wrap round
    work.used = 4;
    CHECK(ap_take(&work, SIZE_MAX - 3) == NULL);
    work.used = 4;
    CHECK(ap_take(&work, 6) == block + 4);
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
    }
}

int main(void) {
    test_names();
    test_fail();
    test_take();
    test_sizes();
    return check_report("test_ap_status");
}
