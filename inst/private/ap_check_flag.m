function value = ap_check_flag (fname, name, value)
%AP_CHECK_FLAG  true or false (or 1 or 0), as logical, or an error that says what is wrong.
%   value = AP_CHECK_FLAG (fname, name, value)
%   Errors:   attnpath:<fname>:notFlag
%   Example:  opt.Display = ap_check_flag ('solve', 'Display', opt.Display);
%   See also ap_check_number, ap_check_choice.

% SPDX-License-Identifier: BSD-3-Clause

usable = (islogical (value) || isnumeric (value)) && numel (value) == 1;
if ~usable || ~(isequal (value, 0) || isequal (value, 1))
  ap_fail (fname, 'notFlag', '%s must be true or false, not %s', name, ap_describe (value));
end
value = full (logical (value));
end
