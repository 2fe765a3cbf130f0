function value = ap_check_flag (fname, name, value)
%AP_CHECK_FLAG  true or false (or 1 or 0), as logical, or an error that says what is wrong.
%
%   value = AP_CHECK_FLAG (fname, name, value)
%   Errors:   attnpath:<fname>: badClass, empty, badShape, badValue
%   Example:  wanted = ap_check_flag ('solve', 'Display', wanted);
%   See also ap_check_number, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

if ~(islogical (value) || isnumeric (value))
  what = 'badClass';
elseif isempty (value)
  what = 'empty';
elseif numel (value) ~= 1
  what = 'badShape';
elseif ~(value == 0 || value == 1)
  what = 'badValue';
else
  value = full (logical (value));
  return
end
ap_fail (fname, what, '%s must be true or false, not %s', name, ap_describe (value));
end
