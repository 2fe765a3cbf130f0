function se = ap_sum_error (x)
%AP_SUM_ERROR  Standard error of the sum of independent numbers.
%
%   se = AP_SUM_ERROR (x)
%   sqrt (n) times the standard deviation of the n numbers x; NaN for one number, whose deviation is unknown, not 0.
%   See also attnpath_loo, attnpath_compare.

% SPDX-License-Identifier: BSD-3-Clause

se = sqrt (numel (x)) * std (x);
if numel (x) < 2, se = NaN; end
end
