// ap_team.c: parts of a job, on the threads that a host lends
// SPDX-License-Identifier: BSD-3-Clause
//
// The core starts no threads. A host that has threads gives an ap_team, whose `run` takes the parts in any order. Each
// thread has an arena of its own for all its parts, and no part's results depend on the others: so nothing depends on
// the number of threads. Without a team the parts run here, one after another, and end with the first that fails. A
// host's `run` returns the same status: that of the first in their order, having left out parts behind it at will.

#include "base/ap_core.h"

size_t ap_team_threads(const ap_team *team, size_t parts) {
    const size_t most = team == NULL || team->run == NULL || team->threads == 0 ? 1 : team->threads;
    return parts < most ? (parts > 0 ? parts : 1) : most;
}

typedef struct lent {
    ap_task task;
    void *job;
    ap_work *own;  // of each thread
} lent;

static ap_status run_one(void *self, size_t part, size_t thread, ap_error *err) {
    const lent *l = self;
    return l->task(l->job, part, &l->own[thread], err);
}

// What the limit leaves is divided by the threads.
static ap_status run_apart(const ap_team *team, lent *l, size_t parts, size_t threads, ap_work *work, ap_error *err) {
    const size_t mark = work->used;
    l->own = (ap_work *)(void *)ap_take(work, ap_times(threads, sizeof(ap_work) / sizeof(double) + 1));
    if (l->own == NULL) {
        work->used = mark;
        return ap_not_taken(work, err, "ap_team");
    }
    ap_work_trim(work);
    for (size_t k = 0; k < threads; k++)
        l->own[k] = (ap_work){.alloc = work->alloc,
                              .release = work->release,
                              .limit = (work->limit - work->held) / threads,
                              .guard_each_take = work->guard_each_take};
    const ap_status status = team->run(run_one, l, parts, threads, err);
    size_t held = work->held;
    for (size_t k = 0; k < threads; k++) {
        held += l->own[k].peak;
        ap_work_close(&l->own[k]);
    }
    if (held > work->peak) work->peak = held;
    work->used = mark;
    return status;
}

ap_status ap_team_run(const ap_team *team, ap_task task, void *job, size_t parts, ap_work *work, ap_error *err) {
    const size_t threads = ap_team_threads(team, parts);
    lent l = {.task = task, .job = job, .own = work};
    if (threads > 1) return run_apart(team, &l, parts, threads, work, err);
    if (team != NULL && team->run != NULL) return team->run(run_one, &l, parts, 1, err);
    ap_status status = AP_OK;
    for (size_t k = 0; k < parts && status == AP_OK; k++) status = task(job, k, work, err);
    return status;
}
