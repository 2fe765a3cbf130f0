// ap_status.c: status words and error sentences
// SPDX-License-Identifier: BSD-3-Clause
//
// The sentence is written where the fact is known and carried up unchanged: a caller that sees a negative status
// returns it, it does not write its own.

#include <stdarg.h>
#include <stdio.h>

#include "base/ap_core.h"

const char *ap_status_name(ap_status status) {
    switch (status) {
        case AP_OK: return "ok";
        case AP_LIMIT: return "limit";
        case AP_STALLED: return "stalled";
        case AP_INTERRUPTED: return "interrupted";
        case AP_ROUNDED: return "rounded";
        case AP_EINPUT: return "badValue";
        case AP_ESIZE: return "tooLarge";
        case AP_EMEMORY: return "outOfMemory";
        case AP_ENOTSPD: return "notPositiveDefinite";
        case AP_ENONFINITE: return "notFinite";
        case AP_ELAPACK: return "lapack";
    }
    return "unknown";
}

bool ap_is_no_point(ap_status status) { return status == AP_ENOTSPD || status == AP_ENONFINITE; }

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
