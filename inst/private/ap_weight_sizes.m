function sizes = ap_weight_sizes (net, N0, C)
%AP_WEIGHT_SIZES  Numbers in each part of a set of weights, as the samplers keep it: V_0, V_1, ..., V_L, a.
%
%   sizes = AP_WEIGHT_SIZES (net, N0, C)   1 x (L+2), of C outputs
%   See also attnpath_sample, attnpath_train, ap_split_weights.

% SPDX-License-Identifier: BSD-3-Clause

N = net.width;
sizes = [N(1) * N0, N(2:end) .* N(1:end-1) .* net.H, N(end) * C];
end
