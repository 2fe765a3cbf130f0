function yes = ap_is_brought (given)
%AP_IS_BROUGHT  Were these path inputs, or moments of some, made from attention maps that the user brought?
%
%   yes = AP_IS_BROUGHT (given)
%   Inputs :  given, struct from attnpath_paths or attnpath_moments; path inputs made by hand, without the field, and
%             tokens count as not brought
%   See also attnpath_paths, ap_net_text.

% SPDX-License-Identifier: BSD-3-Clause

yes = false;
if ap_is_moments (given)
  yes = ~isempty (strfind (given.of, '; attention brought'));
elseif isstruct (given) && isfield (given, 'brought')
  mark = given.brought;
  yes = (islogical (mark) || isnumeric (mark)) && numel (mark) == 1 && mark == 1;
end
end
