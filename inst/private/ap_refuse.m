function ap_refuse (fname, what, wrong, format, varargin)
%AP_REFUSE  Raise attnpath:<fname>:<what> if a condition holds.
%
%   AP_REFUSE (fname, what, wrong, format, ...)
%   Inputs :  wrong, the condition;  the others, as for ap_fail. They are evaluated in any case: where that costs time,
%             as ap_describe does, and in what every short call runs, `if` and ap_fail are used
%   Example:  ap_refuse ('align', 'badValue', ~any (y(:)), 'y is all zero: it has no direction');
%   See also ap_fail, ap_check_call.

% SPDX-License-Identifier: BSD-3-Clause

if wrong, ap_fail (fname, what, format, varargin{:}); end
end
