function value = ap_check_number (fname, name, value, lo, hi)
%AP_CHECK_NUMBER  One finite real number in [lo, hi], as double, or an error that says what is wrong.
%
%   value = AP_CHECK_NUMBER (fname, name, value, lo, hi)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message;
%             lo, hi, bounds that are allowed themselves (-Inf, Inf for none)
%   Errors:   attnpath:<fname>: badClass, sparse, notReal, empty, badShape, notFinite, badValue
%   Example:  draw = ap_check_number ('weights', 'draw', draw, 1, 100);
%   See also ap_check_count, ap_check_array, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

if ~(isfloat (value) && numel (value) == 1 && isreal (value) && ~issparse (value) && isfinite (value))
  ap_fail (fname, fault (value), '%s must be one finite real number, not %s', name, ap_describe (value));
end
value = double (value);
if value < lo || value > hi
  if hi == Inf
    range = sprintf ('at least %.10g', lo);
  elseif lo == -Inf
    range = sprintf ('at most %.10g', hi);
  else
    range = sprintf ('between %.10g and %.10g', lo, hi);
  end
  ap_fail (fname, 'badValue', '%s must be %s, not %s', name, range, ap_describe (value));
end
end

function what = fault (value)
% The last part of the id, in the order of ap_check_array
if issparse (value)
  what = 'sparse';
elseif ~isfloat (value)
  what = 'badClass';
elseif ~isreal (value)
  what = 'notReal';
elseif isempty (value)
  what = 'empty';
elseif numel (value) ~= 1
  what = 'badShape';
else
  what = 'notFinite';
end
end
