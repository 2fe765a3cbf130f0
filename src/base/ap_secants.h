// ap_secants.h: an inverse, corrected by what is known of it (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SECANTS_H
#define AP_SECANTS_H

#include "attnpath.h"

typedef struct ap_secants {
    size_t n, room;        // numbers of a vector; most pairs at a time
    size_t first, used;    // place of the oldest pair; pairs that correct the inverse
    size_t count;          // and with those that are kept since: they correct nothing until ap_secants_use
    double *s, *y, *rate;  // [n x room] steps and what the matrix makes of them; [room] scratch of the two loops
} ap_secants;

AP_CHECKED ap_status ap_secants_take(ap_secants *t, size_t n, size_t room, ap_work *work, ap_error *err);
void ap_secants_clear(ap_secants *t);
void ap_secants_keep(ap_secants *t, const double *s, const double *y);  // where s'y > 0; the oldest may make room
void ap_secants_use(ap_secants *t, size_t most);                        // all that are kept, the last `most` of them
// b := what the inverse B is applied to, and after it d := the corrected inverse times b
void ap_secants_before(double *b, ap_secants *t);
void ap_secants_after(double *d, const ap_secants *t);

#endif
