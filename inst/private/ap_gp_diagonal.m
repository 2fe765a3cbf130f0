function d = ap_gp_diagonal (net, l)
%AP_GP_DIAGONAL  Diagonal of U_l in the GP limit: sigma_a^2 times sigma_k^2 of each layer that is not skipped.
%
%   d = AP_GP_DIAGONAL (net, l)    Pi_l x 1, for l = L + 1 the readout's
%   All other entries of U_l are 0 there (theory.md sections 4 and 17).
%   See also ap_gp_order.

% SPDX-License-Identifier: BSD-3-Clause

skip = net.skip;
d = net.variance(end);
for k = l:net.L
  d = kron (d, [ones(skip(k) > 0, 1); net.variance(k+1) * ones(net.H(k), 1)]);        % layer l slowest
end
end
