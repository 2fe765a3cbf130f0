// ap_net.c: what follows from a network's description alone
// SPDX-License-Identifier: BSD-3-Clause
//
//   Pi_l = H_l H_{l+1} .. H_L,  Pi_{L+1} = 1                      partial paths from layer l to the readout
//   U_l  = (sigma_a^2 sigma_L^2 .. sigma_l^2) I                   GP limit of the order parameters (section 4)

#include <math.h>
#include <stdint.h>

#include "attnpath.h"

size_t ap_net_paths(const ap_net *net, size_t layer) {
    size_t paths = 1;
    for (size_t l = layer; l <= net->L; l++) paths = ap_times(paths, net->H[l - 1]);
    return paths;
}

size_t ap_net_order(const ap_net *net) {
    size_t count = 0;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t paths = ap_net_paths(net, l);
        count = ap_plus(count, ap_times(paths, paths));
    }
    return count;
}

double ap_net_maxwidth(const ap_net *net) {
    double widest = 0.0;
    for (size_t l = 0; l <= net->L; l++) widest = fmax(widest, net->width[l]);
    return widest;
}

void ap_net_gp(double *order, const ap_net *net) {
    for (size_t l = 1; l <= net->L; l++) {
        const size_t paths = ap_net_paths(net, l);
        double value = net->variance[net->L + 1];
        for (size_t k = l; k <= net->L; k++) value *= net->variance[k];
        for (size_t i = 0; i < paths * paths; i++) order[i] = i % (paths + 1) == 0 ? value : 0.0;
        order += paths * paths;
    }
}

void ap_net_ptr(double *M, const double *U, size_t heads, size_t below) {
    const size_t n = heads * below;
    for (size_t j = 0; j < below; j++)
        for (size_t i = 0; i < below; i++) {
            double sum = 0.0;
            for (size_t h = 0; h < heads; h++) sum += U[(h * below + i) + n * (h * below + j)];
            M[i + below * j] = sum;
        }
}

ap_status ap_net_check_rule(const ap_net *net, ap_error *err) {
    if (!(net->bandwidth > 0.0) || !isfinite(net->bandwidth))
        return ap_fail(err, AP_EINPUT, "the bandwidth is %g, it must be positive and finite", net->bandwidth);
    if (!(net->ridge > 0.0) || !isfinite(net->ridge))
        return ap_fail(err, AP_EINPUT, "the ridge is %g, it must be positive and finite", net->ridge);
    for (size_t l = 0; net->rule == AP_CME && net->heads != NULL && l < net->L; l++)
        if (net->heads[l].W != NULL)
            return ap_fail(err, AP_EINPUT, "the heads of layer %zu are bilinear: cme attention needs queries and keys",
                           l + 1);
    return AP_OK;
}

ap_status ap_net_check(const ap_net *net, ap_error *err) {
    if (net->L == 0) return ap_fail(err, AP_EINPUT, "the network has no layer");
    for (size_t l = 0; l < net->L; l++)
        if (net->H[l] == 0) return ap_fail(err, AP_EINPUT, "layer %zu has no head", l + 1);
    for (size_t l = 0; l <= net->L; l++)
        if (!(net->width[l] > 0.0) || !isfinite(net->width[l]))
            return ap_fail(err, AP_EINPUT, "width %zu is %g, it must be positive and finite", l + 1, net->width[l]);
    for (size_t l = 0; l <= net->L + 1; l++)
        if (!(net->variance[l] > 0.0) || !isfinite(net->variance[l]))
            return ap_fail(err, AP_EINPUT, "variance %zu is %g, it must be positive and finite", l + 1,
                           net->variance[l]);
    if (!(net->temperature >= 0.0) || !isfinite(net->temperature))
        return ap_fail(err, AP_EINPUT, "the temperature is %g, it must be finite and not negative", net->temperature);
    if (ap_times(ap_net_order(net), sizeof(double)) == SIZE_MAX)
        return ap_fail(err, AP_ESIZE, "the network has more paths than memory can address");
    return ap_net_check_rule(net, err);
}
