// ap_adapt.h: what trajectories of the warm-up teach a chain (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_ADAPT_H
#define AP_ADAPT_H

#include "posterior/ap_chain.h"

enum { ap_adapt_window = 25 };  // draws of a metric's first window, and of the time in which a guide is judged

void ap_adapt_step(ap_tuning *tuning, double acceptance, bool informed);  // informed: there was a head start
// A draw of a window of the metric, of those between the trajectories `from` and `to`; at its end the metric.
AP_CHECKED ap_status ap_adapt_metric(ap_chain *chain, const ap_target *target, double from, double to, ap_work *work,
                                     ap_error *err);
void ap_adapt_place(ap_chain *chain, size_t dim);  // .. or only the mean of the places, where the curvature is probed
// The trajectory in use was tried; the next takes its turn. After all tries one of them is chosen.
AP_CHECKED ap_status ap_adapt_try(ap_chain *chain, const ap_target *target, const ap_outcome *outcome, ap_work *work,
                                  ap_error *err);
void ap_adapt_choose(ap_chain *chain, const ap_target *target);
// The mean of U sees this place; now: the guide is learned anew, there.
AP_CHECKED ap_status ap_adapt_guide(ap_chain *chain, const ap_target *target, bool now, ap_work *work, ap_error *err);
// A guide is judged by what it misses in the trajectories after `from`, and given up where that is too much.
AP_CHECKED ap_status ap_adapt_judge(ap_chain *chain, const ap_target *target, const ap_outcome *outcome, double from,
                                    double to, ap_work *work, ap_error *err);

#endif
