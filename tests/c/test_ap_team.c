// test_ap_team.c: parts of a job, with and without a team
// SPDX-License-Identifier: BSD-3-Clause

#include "base/ap_core.h"
#include "check.h"

enum { most = 7 };

typedef struct job {
    size_t done[most], order[most], count, bad;  // bad: the part that fails
} job;

static ap_status part(void *whole, size_t k, ap_work *work, ap_error *err) {
    job *j = whole;
    const size_t mark = work->used;
    double *own = ap_take(work, 10 + k);
    if (own == NULL) return ap_not_taken(work, err, "part");
    for (size_t i = 0; i < 10 + k; i++) own[i] = (double)k;
    work->used = mark;
    j->order[j->count++] = k;
    j->done[k]++;
    return k == j->bad ? ap_fail(err, AP_EINPUT, "part %zu", k) : AP_OK;
}

static void test_runs(void) {
    const ap_team team = {.threads = 3, .run = check_backwards}, idle = {.threads = 0};
    ap_work work = check_work();
    for (size_t parts = 0; parts <= most; parts++) {
        job alone = {.bad = most}, together = {.bad = most};
        CHECK_STATUS(ap_team_run(NULL, part, &alone, parts, &work, &err), AP_OK);
        CHECK_STATUS(ap_team_run(&team, part, &together, parts, &work, &err), AP_OK);
        CHECK(alone.count == parts && together.count == parts);
        for (size_t k = 0; k < parts; k++) CHECK(alone.order[k] == k && together.done[k] == 1);
        CHECK(ap_team_threads(NULL, parts) == 1 && ap_team_threads(&idle, parts) == 1);
        CHECK(ap_team_threads(&team, parts) == (parts == 0 ? 1 : parts < 3 ? parts : 3));
    }
    job alone = {.bad = 2}, together = {.bad = 2};
    CHECK_STATUS(ap_team_run(NULL, part, &alone, most, &work, &err), AP_EINPUT);
    CHECK(alone.count == 3);  // later parts do not begin after a failure
    CHECK_TEXT(err.text, "part 2");
    CHECK_STATUS(ap_team_run(&team, part, &together, most, &work, &err), AP_EINPUT);
    CHECK(work.used == 0);
}

// The threads share the memory below the limit, and a refused arena ends the run.
static void test_memory(void) {
    const ap_team team = {.threads = 3, .run = check_backwards};
    job all = {.bad = most};
    CHECK_WORKSPACE((all.count = 0, ap_team_run(&team, part, &all, most, &work, &err)));
    for (size_t limit = 40; limit < 200; limit += 8) {
        job j = {.bad = most};
        ap_work work = check_work();
        work.limit = limit;
        const size_t left = limit - ap_lines(3 * (sizeof(ap_work) / sizeof(double) + 1));
        const bool enough = limit > left && left / 3 >= 16;  // of the largest part
        CHECK_STATUS(ap_team_run(&team, part, &j, most, &work, &err), enough ? AP_OK : AP_EMEMORY);
        CHECK(work.used == 0 && work.peak <= limit);
    }
}

int main(void) {
    test_runs();
    test_memory();
    return check_report("test_ap_team");
}
