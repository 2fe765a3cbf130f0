function order = ap_gp_order (net, C)
%AP_GP_ORDER  Order parameters of the GP limit: U_l = sigma_a^2 sigma_L^2 ... sigma_l^2 I (theory.md section 4).
%
%   order = AP_GP_ORDER (net)      1 x L cell {U_1, ..., U_L}
%   order = AP_GP_ORDER (net, C)   of C > 1 coupled outputs, 1 x (L+1), the readout's matrix last (section 12)
%   See also attnpath_solve, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, C = 1; end
order = cell (1, net.L + (C > 1));
paths = ap_path_count (net, 1:numel (order));
for l = 1:numel (order), order{l} = prod (net.variance(l+1:end)) * eye (paths(l) * C); end
end
