function value = ap_check_positive (fname, name, value)
%AP_CHECK_POSITIVE  One finite real number above 0, as double, or an error that says what is wrong.
%
%   value = AP_CHECK_POSITIVE (fname, name, value)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message
%   Errors:   attnpath:<fname>:badValue, and those of ap_check_number
%   Example:  ridge = ap_check_positive ('net', 'Ridge', ridge);
%   See also ap_check_number, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

value = ap_check_number (fname, name, value, -Inf, Inf);
if value <= 0
  ap_fail (fname, 'badValue', '%s must be positive, not %s', name, ap_describe (value));
end
end
