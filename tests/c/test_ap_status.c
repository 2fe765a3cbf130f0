// test_ap_status.c: words and messages of a status
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"
#include "check.h"

static void test_names(void) {
    static const ap_status all[] = {AP_OK,    AP_LIMIT,   AP_STALLED, AP_INTERRUPTED, AP_ROUNDED, AP_EINPUT,
                                    AP_ESIZE, AP_EMEMORY, AP_ENOTSPD, AP_ENONFINITE,  AP_ELAPACK};
    const size_t count = sizeof all / sizeof all[0];
    for (size_t i = 0; i < count; i++) {
        const char *name = ap_status_name(all[i]);
        CHECK(strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(name));  // valid in an id
        CHECK(name[0] >= 'a' && name[0] <= 'z');
        CHECK(strcmp(name, "unknown") != 0);
        for (size_t j = 0; j < i; j++) CHECK(strcmp(name, ap_status_name(all[j])) != 0);
    }
    CHECK(strcmp(ap_status_name((ap_status)99), "unknown") == 0);
}

static void test_fail(void) {
    CHECK(ap_fail(&err, AP_ENOTSPD, "pivot %d of %d", 3, 8) == AP_ENOTSPD);
    CHECK(err.status == AP_ENOTSPD);
    CHECK(strcmp(err.text, "pivot 3 of 8") == 0);
    CHECK(ap_fail(NULL, AP_EINPUT, "no one listens") == AP_EINPUT);

    char name[1000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(ap_fail(&err, AP_EINPUT, "%s", name) == AP_EINPUT);  // truncated, but terminated
    CHECK(strlen(err.text) == sizeof err.text - 1);
}

static void test_no_point(void) {
    for (int status = AP_ELAPACK; status <= AP_ROUNDED; status++)
        CHECK(ap_is_no_point((ap_status)status) == (status == AP_ENOTSPD || status == AP_ENONFINITE));
}

int main(void) {
    test_no_point();
    test_names();
    test_fail();
    return check_report("test_ap_status");
}
