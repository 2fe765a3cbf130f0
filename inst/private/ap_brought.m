function yes = ap_brought (paths)
%AP_BROUGHT  Were these path inputs made from attention maps that the user brought?
%
%   yes = AP_BROUGHT (paths)
%   Inputs :  paths, struct from attnpath_paths; one made by hand without the field counts as not brought
%   See also attnpath_paths.

% SPDX-License-Identifier: BSD-3-Clause

yes = false;
if isstruct (paths) && isfield (paths, 'brought')
  mark = paths.brought;
  yes = (islogical (mark) || isnumeric (mark)) && numel (mark) == 1 && mark == 1;
end
end
