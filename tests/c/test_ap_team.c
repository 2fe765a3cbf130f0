// test_ap_team.c: parts of a job, with and without a team
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"
#include "check.h"

enum { most = 7 };

typedef struct job {
    size_t done[most], order[most], count, bad;  // bad: the part that fails
} job;

static ap_status part(void *whole, size_t k, size_t thread, ap_error *err) {
    job *j = whole;
    CHECK(thread < 3);
    j->order[j->count++] = k;
    j->done[k]++;
    return k == j->bad ? ap_fail(err, AP_EINPUT, "part %zu", k) : AP_OK;
}

static void test_runs(void) {
    ap_error err = {AP_OK, ""};
    const ap_team team = {.threads = 3, .run = check_backwards}, idle = {.threads = 0};
    for (size_t parts = 0; parts <= most; parts++) {
        job alone = {.bad = most}, together = {.bad = most};
        CHECK_STATUS(ap_team_run(NULL, part, &alone, parts, &err), AP_OK);
        CHECK_STATUS(ap_team_run(&team, part, &together, parts, &err), AP_OK);
        CHECK(alone.count == parts && together.count == parts);
        for (size_t k = 0; k < parts; k++) CHECK(alone.order[k] == k && together.done[k] == 1);
        CHECK(ap_team_threads(NULL, parts) == 1 && ap_team_threads(&idle, parts) == 1);
        CHECK(ap_team_threads(&team, parts) == (parts == 0 ? 1 : parts < 3 ? parts : 3));
    }
    job alone = {.bad = 2}, together = {.bad = 2};
    CHECK_STATUS(ap_team_run(NULL, part, &alone, most, &err), AP_EINPUT);
    CHECK(alone.count == 3);  // what comes after a failure is not begun
    CHECK_TEXT(err.text, "part 2");
    CHECK_STATUS(ap_team_run(&team, part, &together, most, &err), AP_EINPUT);
}

int main(void) {
    test_runs();
    return check_report("test_ap_team");
}
