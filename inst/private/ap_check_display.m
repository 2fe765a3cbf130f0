function level = ap_check_display (fname, name, value)
%AP_CHECK_DISPLAY  The option 'Display' as a level, or an error.
%
%   level = AP_CHECK_DISPLAY (fname, name, value)
%   Inputs :  value, true or false, or one of the words that MATLAB's solvers take
%   Outputs:  level, 0, 'off' or 'none' or false: nothing
%                    1, true: progress, in runs of more than two seconds
%                    2, 'iter': a line for each step, or chunk of work
%                    3, 'final': a line at the end
%             A level counts as true where something is told. A level may also be given
%   Errors:   attnpath:<fname>: badValue, and those of ap_check_flag
%   See also ap_options, ap_run.

% SPDX-License-Identifier: BSD-3-Clause

if ischar (value)
  words = {'off', 'none', 'iter', 'final'};
  levels = [0 0 2 3];
  level = levels(strcmpi (words, value));
  if isempty (level)
    ap_fail (fname, 'badValue', '%s must be true, false, ''off'', ''final'' or ''iter'', not %s', name, ...
             ap_describe (value));
  end
elseif isnumeric (value) && numel (value) == 1 && (value == 2 || value == 3)
  level = double (value);
else
  level = double (ap_check_flag (fname, name, value));
end
end
