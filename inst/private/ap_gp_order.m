function order = ap_gp_order (net, C)
%AP_GP_ORDER  Order parameters of the GP limit, all of them diagonal (theory.md sections 4 and 17).
%
%   order = AP_GP_ORDER (net)      1 x L cell {U_1, ..., U_L}
%   order = AP_GP_ORDER (net, C)   of C > 1 coupled outputs, 1 x (L+1), the readout's matrix last (section 12)
%   See also attnpath_solve, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, C = 1; end
order = cell (1, net.L + (C > 1));
for l = 1:numel (order)
  order{l} = diag (kron (ap_gp_diagonal (net, l), ones (C, 1)));                      % of L + 1, the readout's alone
end
end
