function value = ap_check_row (fname, name, value, n, lo, hi)
%AP_CHECK_ROW  A row of finite real numbers, as double, or an error that says what is wrong.
%
%   value = AP_CHECK_ROW (fname, name, value, n)
%   value = AP_CHECK_ROW (fname, name, value, n, lo, hi)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message;
%             value, a row or a column;  n, their number, or a letter if it is free;  lo, hi, bounds that are allowed
%             themselves; without them any number is
%   Errors:   attnpath:<fname>:badValue, and those of ap_check_array
%   Example:  gamma = ap_check_row ('task_exchangeable', 'Bandwidth', gamma, 'H', 1e-6, 1e6);
%   See also ap_check_number, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

if isnumeric (value) && iscolumn (value), value = value.'; end
value = ap_check_array (fname, name, value, {1, n});
if nargin < 5, return; end
bad = find (value < lo | value > hi, 1);
if ~isempty (bad)
  ap_fail (fname, 'badValue', '%s must be between %g and %g, but number %d is %.10g', name, lo, hi, bad, value(bad));
end
end
