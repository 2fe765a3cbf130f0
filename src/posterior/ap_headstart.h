// ap_headstart.h: what a chain knows of its target before its first trajectory (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_HEADSTART_H
#define AP_HEADSTART_H

#include "posterior/ap_chain.h"

enum { ap_headstart_evaluations = 10 };  // in a unit of the head start, and of a probing

bool ap_headstart_fits(const ap_target *target, double warmup);  // such a warm-up has time for one
// One unit of it: ten evaluations of the search or of the probing. It has ended where *chain->length is not 0.
AP_CHECKED ap_status ap_headstart(ap_chain *chain, const ap_target *target, double warmup, bool (*stop)(void *context),
                                  void *context, ap_work *work, ap_error *err);
// One unit of a probing at a place of the chain, of a target whose rows are turned; after the last unit the metric is
// that of all curvatures known so far.
AP_CHECKED ap_status ap_headstart_probe(ap_chain *chain, const ap_target *target, bool (*stop)(void *context),
                                        void *context, ap_work *work, ap_error *err);

#endif
