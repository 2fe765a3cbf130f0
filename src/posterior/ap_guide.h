// ap_guide.h: a smaller problem whose energy is close to that of many examples (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_GUIDE_H
#define AP_GUIDE_H

#include "action/ap_kernel.h"
#include "base/ap_core.h"

typedef struct ap_guide_fits {  // of all examples, at two places: where a sampler stands, and where it would go
    double *x[2];               // [dim] the places, where known
    ap_fit fit[2];
    bool known[2];
    size_t held;  // the one that was asked for last: the next fit takes the other's place
} ap_guide_fits;

typedef struct ap_guide {
    ap_problem whole;     // of all examples; it comes first, so that what wants a problem can have a guide
    ap_problem few;       // of k examples
    ap_kernel kernel;     // theirs
    const double *turn;   // of the rows of Bartlett factors, or NULL
    const double *slope;  // [Pi x Pi] L: the guide's energy is that of the few, and sum L U
    double *Xi, *y;       // [N0 x k x Pi], [k]
    ap_guide_fits *fits;
    size_t dim;
} ap_guide;

size_t ap_guide_state(const ap_problem *p);  // doubles that say which examples, slope included; 0: there is no guide
AP_CHECKED ap_status ap_guide_learn(double *state,  // output: at U; state[0], how many examples, is 0 where no few do
                                    const ap_problem *p, const double *U, ap_work *work, ap_error *err);
size_t ap_guide_room(const ap_problem *p, size_t dim);   // doubles in which a guide lies, for so many unknowns; 0: none
size_t ap_guide_most(const ap_problem *p);               // examples of a guide
ap_guide ap_guide_shape(const ap_problem *p, size_t k);  // without its arrays, and `few` without its kernel
AP_CHECKED ap_status ap_guide_lay(ap_guide **guide, double *room, const ap_problem *p, size_t dim,
                                  const double *state,  // NULL: a guide of no examples, which keeps fits alone
                                  ap_error *err);

// The energy of all examples, in a fit that is kept with x; and the fit that was kept with x, or NULL.
AP_CHECKED ap_status ap_guide_energy(const ap_fit **fit, const ap_guide *guide, const double *x, const double *U,
                                     const ap_root *root, ap_work *work, ap_error *err);
const ap_fit *ap_guide_fit(const ap_guide *guide, const double *x);

#endif
