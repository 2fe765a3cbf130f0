function value = ap_check_count (fname, name, value, lo, hi)
%AP_CHECK_COUNT  One integer in [lo, hi], as double, or an error that says what is wrong.
%
%   value = AP_CHECK_COUNT (fname, name, value)
%   value = AP_CHECK_COUNT (fname, name, value, lo, hi)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message;
%             lo, hi, bounds that are allowed themselves (1, Inf)
%   Errors:   attnpath:<fname>:badValue, and those of ap_check_number
%   Example:  chain = ap_check_count ('weights', 'chain', chain, 1, 4);
%   See also ap_check_number, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 4
  lo = 1;
  hi = Inf;
end
value = ap_check_number (fname, name, value, -Inf, Inf);
if value ~= fix (value)
  ap_fail (fname, 'badValue', '%s must be an integer, not %s', name, ap_describe (value));
elseif value < lo || value > hi
  ap_check_number (fname, name, value, lo, hi);        % raises the error that names the bounds
end
end
