function ap_refuse (fname, what, wrong, format, varargin)
%AP_REFUSE  Raise attnpath:<fname>:<what> if a condition holds.
%
%   AP_REFUSE (fname, what, wrong, format, ...)
%   Inputs :  wrong, the condition;  the others, as for ap_fail. They are evaluated in any case, but for values in
%             braces, which ap_fail describes: where that costs time, and in what every short call runs, `if` and
%             ap_fail are used
%   Example:  ap_refuse ('net', 'badShape', ~isvector (heads), 'heads must be a 1 x L cell, not %s', {heads});
%   See also ap_fail, ap_check_call.

% SPDX-License-Identifier: BSD-3-Clause

if wrong, ap_fail (fname, what, format, varargin{:}); end
end
