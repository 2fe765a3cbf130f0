// ap_team.c: parts of a job, on the threads that a host lends
// SPDX-License-Identifier: BSD-3-Clause
//
// The core starts no threads. A host that has threads gives an ap_team, whose `run` takes the parts in any order. Each
// part has memory of its own, and its results do not depend on the others: so nothing depends on the number of threads.
// Without a team the parts run here, one after another, and end with the first that fails. A host's `run` returns the
// same status: that of the first in their order, having left out parts behind it at will.

#include "base/ap_core.h"

size_t ap_team_threads(const ap_team *team, size_t parts) {
    const size_t most = team == NULL || team->run == NULL || team->threads == 0 ? 1 : team->threads;
    return parts < most ? (parts > 0 ? parts : 1) : most;
}

ap_status ap_team_run(const ap_team *team, ap_part part, void *job, size_t parts, ap_error *err) {
    const size_t threads = ap_team_threads(team, parts);
    if (team != NULL && team->run != NULL) return team->run(part, job, parts, threads, err);
    ap_status status = AP_OK;
    for (size_t k = 0; k < parts && status == AP_OK; k++) status = part(job, k, 0, err);
    return status;
}
