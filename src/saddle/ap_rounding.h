// ap_rounding.h: how small a gradient can be asked for in double precision (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ROUNDING_H
#define AP_ROUNDING_H

#include "attnpath.h"

// gradnorm has the unit of 1/U and hides narrow layers behind wide ones: where U is large, or the widths are apart, it
// says nothing. So a search goes on until the step that its model would take next is below this many tolerances as
// well: a length without units, about the relative error of U. At ordinary scales gradnorm is the one that decides.
static const double ap_ahead_most = 100.0;

// The next step of a search that ends by rounding may be so long: U is known to about a thousandth. It is measured in
// the metric, in nested factors relative to these.
static const double ap_close = 1e-3;

enum { ap_most_idle = 3 };  // steps without progress, at the floor of rounding, after which a search has stalled

#endif
