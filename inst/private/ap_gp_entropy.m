function s = ap_gp_entropy (net, C)
%AP_GP_ENTROPY  The smallest value of the entropy (T8), at the GP limit, by which the leading evidence is normalised.
%
%   s = AP_GP_ENTROPY (net)
%   s = AP_GP_ENTROPY (net, C)     of C coupled outputs
%   There every trace is Pi_l C, and the log determinants telescope.
%   See also ap_gp_order, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, C = 1; end
paths = ap_path_count (net, 1:net.L);
s = C * (net.width(end) * (1 - log (net.variance(end))) ...
         + sum (net.width(1:end-1) .* paths .* (1 - log (net.variance(2:end-1)))));
end
