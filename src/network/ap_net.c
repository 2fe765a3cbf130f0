// ap_net.c: a network's description
// SPDX-License-Identifier: BSD-3-Clause

#include "network/ap_network.h"

#include <math.h>
#include <stdint.h>

// Layers of heads: the readout of several outputs is one more layer of the chain.
static size_t layers(const ap_net *net) { return net->L - (net->outputs > 1 ? 1 : 0); }

double ap_net_skip(const ap_net *net, size_t layer) {
    return net->skip == NULL || layer > layers(net) ? 0.0 : net->skip[layer - 1];
}

bool ap_net_skips(const ap_net *net) {
    bool any = false;
    for (size_t l = 1; l <= net->L; l++) any = any || ap_net_skip(net, l) > 0.0;
    return any;
}

double ap_net_head_scale(const ap_net *net, size_t layer, size_t head) {
    if (net->headscale == NULL || layer > layers(net)) return 1.0;
    const double *scale = net->headscale;
    for (size_t l = 1; l < layer; l++) scale += net->H[l - 1];
    return scale[head - 1];
}

size_t ap_net_skipping(const ap_net *net, size_t layer) { return ap_net_skip(net, layer) > 0.0 ? 1 : 0; }

size_t ap_net_branches(const ap_net *net, size_t layer) { return net->H[layer - 1] + ap_net_skipping(net, layer); }

size_t ap_net_paths(const ap_net *net, size_t layer) {
    size_t paths = 1;
    for (size_t l = layer; l <= net->L; l++) paths = ap_times(paths, ap_net_branches(net, l));
    return paths;
}

size_t ap_net_below(const ap_net *net, size_t layer) { return ap_net_paths(net, 1) / ap_net_paths(net, layer + 1); }

size_t ap_net_outputs_count(const ap_net *net) { return net->outputs > 1 ? net->outputs : 1; }

size_t ap_net_inputs(const ap_net *net) { return ap_net_paths(net, 1) / ap_net_outputs_count(net); }

void ap_net_outputs(ap_net *chain, const ap_net *net, size_t C, size_t *H, double *width, double *variance) {
    const size_t L = net->L;
    for (size_t l = 0; l < L; l++) H[l] = net->H[l];
    for (size_t l = 0; l <= L; l++) width[l] = net->width[l];
    for (size_t l = 0; l <= L + 1; l++) variance[l] = net->variance[l];
    H[L] = C;
    width[L + 1] = 1.0;     // of U_{L+2} = 1, which is one weight of 1
    variance[L + 2] = 1.0;  //
    *chain = *net;
    chain->L = L + 1;
    chain->H = H;
    chain->heads = NULL;
    chain->width = width;
    chain->variance = variance;
    chain->outputs = C;
}

double ap_net_maxwidth(const ap_net *net) {
    double widest = 0.0;
    for (size_t l = 0; l <= net->L; l++) widest = fmax(widest, net->width[l]);
    return widest;
}

static ap_status check_skips(const ap_net *net, ap_error *err) {
    for (size_t l = 1; l <= layers(net); l++) {
        const double s = ap_net_skip(net, l), below = net->width[l - 1], above = net->width[l];
        if (!(s >= 0.0) || !isfinite(s))
            return ap_fail(err, AP_EINPUT, "the gain of skip connection %zu is %g, it must be finite and not negative",
                           l, s);
        if (s > 0.0 && below != above)
            return ap_fail(err, AP_EINPUT, "layer %zu has a skip connection from width %g to width %g: equal ones only",
                           l, below, above);
    }
    return AP_OK;
}

static ap_status check_head_scales(const ap_net *net, ap_error *err) {
    for (size_t l = 1; net->headscale != NULL && l <= layers(net); l++) {
        for (size_t h = 1; h <= net->H[l - 1]; h++) {
            const double scale = ap_net_head_scale(net, l, h);
            if (!(scale >= 0.0) || !isfinite(scale))
                return ap_fail(err, AP_EINPUT,
                               "the scale of head %zu of layer %zu is %g, it must be finite and not "
                               "negative",
                               h, l, scale);
        }
    }
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
    ap_status status = check_skips(net, err);
    if (status == AP_OK) status = check_head_scales(net, err);
    if (status < 0) return status;
    const size_t paths = ap_net_paths(net, 1);  // no U_l is larger than U_1
    if (ap_times(ap_times(paths, paths), ap_times(net->L + 1, sizeof(double))) == SIZE_MAX)
        return ap_fail(err, AP_ESIZE, "the network has more paths than memory can address");
    for (size_t l = 0; net->heads != NULL && l < net->L; l++) {
        status = ap_rule_check_heads(&net->heads[l], l + 1, err);
        if (status < 0) return status;
    }
    return AP_OK;
}
