function value = ap_check_count (fname, name, value, lo, hi)
%AP_CHECK_COUNT  One integer, at least 1 (or in [lo, hi]), as double, or an error that says what is wrong.
%   value = AP_CHECK_COUNT (fname, name, value)
%   value = AP_CHECK_COUNT (fname, name, value, lo)
%   value = AP_CHECK_COUNT (fname, name, value, lo, hi)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message;
%             lo, hi, bounds that are allowed themselves (1, Inf)
%   Errors:   attnpath:<fname>:notNumber, attnpath:<fname>:notInteger, attnpath:<fname>:outOfRange
%   Example:  opt.Starts = ap_check_count ('solve', 'Starts', opt.Starts);
%   See also ap_check_number, ap_check_choice.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 4, lo = 1; end
if nargin < 5, hi = Inf; end
value = ap_check_number (fname, name, value, -Inf, Inf);
if value ~= fix (value)
  ap_fail (fname, 'notInteger', '%s must be an integer, not %s', name, ap_describe (value));
end
value = ap_check_number (fname, name, value, lo, hi);
end
