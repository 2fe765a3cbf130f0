// ap_status.c: status words, error sentences and the caller's scratch memory
// SPDX-License-Identifier: BSD-3-Clause
//
// The sentence is written where the fact is known and carried up unchanged: a caller that sees a negative status
// returns it, it does not write its own. Scratch memory is a stack: a function notes work->used on entry, takes what
// it needs and restores the note on its one way out, so that the host can hand one block to a whole computation. A take
// that fails leaves nothing for those after it: of several in a row it is enough to look at the last.

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "attnpath.h"

const char *ap_status_name(ap_status status) {
    switch (status) {
        case AP_OK: return "ok";
        case AP_LIMIT: return "limit";
        case AP_STALLED: return "stalled";
        case AP_INTERRUPTED: return "interrupted";
        case AP_EINPUT: return "badValue";
        case AP_ESIZE: return "tooLarge";
        case AP_EMEMORY: return "memory";
        case AP_ENOTSPD: return "notPositiveDefinite";
        case AP_ENONFINITE: return "notFinite";
        case AP_ELAPACK: return "lapack";
    }
    return "unknown";
}

ap_status ap_fail(ap_error *err, ap_status status, const char *format, ...) {
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        err->status = status;
        (void)vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}

double *ap_take(ap_work *work, size_t count) {
    if (count > work->size - work->used) {
        work->used = work->size;
        return NULL;
    }
    double *p = work->base + work->used;
    work->used += count;
    return p;
}

size_t ap_times(size_t a, size_t b) { return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b; }

size_t ap_plus(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

ap_status ap_no_memory(ap_error *err, const char *by) {
    return ap_fail(err, AP_EMEMORY, "%s: the workspace is smaller than its worksize says", by);
}
