// ap_work.c: the caller's scratch memory
// SPDX-License-Identifier: BSD-3-Clause
//
// A stack: a function notes work->used on entry, takes what it needs and restores the note on its one way out, so that
// the host can hand one block to a whole computation. A take that fails leaves nothing for those after it. How much a
// computation needs is found by running it on a stack that only counts (ap_core.h).
//
// Whatever is taken begins on a cache line of its own, counted from the first double of the stack. BLAS kernels may sum
// in another order where an array begins between two 16-byte words (the SSE2 and SSE3 ones of OpenBLAS do), so that an
// array's place would show in the last bits; as it is, results do not depend on what was taken before.

#include <stdint.h>

#include "base/ap_core.h"

enum { cache_line = 8 };  // doubles

size_t ap_lines(size_t size) {
    return size > SIZE_MAX - (cache_line - 1) ? SIZE_MAX : (size + (cache_line - 1)) / cache_line * cache_line;
}

double *ap_take(ap_work *work, size_t count) {
    const size_t taken = ap_lines(count);
    if (work->counts) {
        work->used = ap_plus(work->used, taken);
        if (work->used > work->peak) work->peak = work->used;
        return NULL;
    }
    if (work->used > work->size || taken > work->size - work->used) {
        work->used = work->size + 1;  // so that not even 0 doubles fit any more
        return NULL;
    }
    double *p = work->base + work->used;
    work->used += taken;
    return p;
}

double *ap_take_matrix(ap_work *work, size_t m, size_t n) { return ap_take(work, ap_times(m, n)); }

ap_work ap_counting(void) { return (ap_work){.counts = true}; }

ap_status ap_not_taken(const ap_work *work, ap_error *err, const char *by) {
    if (work->counts) return AP_OK;
    return ap_fail(err, AP_EMEMORY, "%s: the workspace is smaller than its worksize says", by);
}

size_t ap_counted(const ap_work *work, ap_status status) {
    (void)status;
    return work->peak;
}

// With one line to spare, since the first of them need not begin on one.
static size_t whole_lines(size_t size) { return ap_lines(ap_plus(size, cache_line)); }

size_t ap_shares(size_t size, size_t threads) { return ap_times(threads, whole_lines(size)); }

ap_work ap_share(double *base, size_t size, size_t thread) {
    return (ap_work){.base = base + whole_lines(size) * thread, .size = size};
}

size_t ap_times(size_t a, size_t b) { return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b; }

size_t ap_plus(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

ap_status ap_reserve(ap_work *work, size_t size, ap_error *err, const char *by) {
    const size_t mark = work->used;
    const ap_status status = ap_take(work, size) == NULL ? ap_not_taken(work, err, by) : AP_OK;
    work->used = mark;
    return status;
}
