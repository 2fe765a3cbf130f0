function opt = ap_options (fname, defaults, args)
%AP_OPTIONS  Merge name-value pairs, or one struct, into a struct of defaults.
%   opt = AP_OPTIONS (fname, defaults, args)
%   Inputs :  fname, stem of the calling function ('solve' for attnpath_solve);
%             defaults, struct whose fields are the known options;  args, the caller's varargin cell
%   Outputs:  opt, defaults with the given values put in; values are not checked here
%   Names are case-insensitive, but written out in full. Of a name given twice the last counts.
%   Errors:   attnpath:<fname>:nameValue, attnpath:<fname>:unknownOption
%   Example:  opt = ap_options ('solve', struct ('Tolerance', 1e-8), {'tolerance', 1e-6})
%   See also ap_check_count, ap_check_number, ap_check_choice.

% SPDX-License-Identifier: BSD-3-Clause

if numel (args) == 1 && isstruct (args{1})
  if numel (args{1}) ~= 1
    ap_fail (fname, 'nameValue', 'options must be one struct, not %s', ap_describe (args{1}));
  end
  names = fieldnames (args{1});
  values = struct2cell (args{1});
elseif mod (numel (args), 2) == 0
  names = args(1:2:end);
  values = args(2:2:end);
else
  ap_fail (fname, 'nameValue', ['options must be name-value pairs or one struct; the last of these %d ' ...
           'arguments has no partner: %s'], numel (args), ap_describe (args{end}));
end

opt = defaults;
known = fieldnames (defaults);
for k = 1:numel (names)
  name = ap_char (names{k});
  if ~ischar (name) || size (name, 1) ~= 1
    ap_fail (fname, 'nameValue', 'an option name must be text, not %s', ap_describe (name));
  end
  match = find (strcmpi (name, known));
  if isempty (match)
    ap_fail (fname, 'unknownOption', 'unknown option %s; known are %s', ap_describe (name), strjoin (known', ', '));
  end
  opt.(known{match}) = ap_char (values{k});
end
end

function value = ap_char (value)
% MATLAB's string scalars become char rows, so that nothing downstream needs to know of them
if isa (value, 'string') && numel (value) == 1
  value = char (value);
end
end
