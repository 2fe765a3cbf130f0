function d = ap_gp_diagonal (net, l)
%AP_GP_DIAGONAL  Diagonal of U_l in the GP limit: sigma_a^2 times sigma_k^2 of each layer that is not skipped.
%
%   d = AP_GP_DIAGONAL (net, l)    Pi_l x 1; all other entries of U_l are 0 there (theory.md sections 4 and 17)
%   See also ap_gp_order, ap_skips.

% SPDX-License-Identifier: BSD-3-Clause

skip = ap_skips (net);
list = ap_path_list (net.H(l:end), skip(l:end));
factors = ones (size (list, 1), 1) * net.variance(l+1:end);    % repmat takes ten times as long
factors([list == 0, false(size (list, 1), 1)]) = 1;
d = prod (factors, 2);
end
