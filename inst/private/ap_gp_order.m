function order = ap_gp_order (net)
%AP_GP_ORDER  Order parameters of the GP limit: U_l = sigma_a^2 sigma_L^2 ... sigma_l^2 I (theory.md section 4).
%
%   order = AP_GP_ORDER (net)      1 x L cell {U_1, ..., U_L}
%   See also attnpath_solve, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause

order = cell (1, net.L);
for l = 1:net.L
  order{l} = prod (net.variance(l+1:end)) * eye (prod (net.H(l:end)));
end
end
