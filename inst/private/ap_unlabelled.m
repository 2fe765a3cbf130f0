function none = ap_unlabelled (y)
%AP_UNLABELLED  Which labels of tokens say that there is none.
%
%   none = AP_UNLABELLED (y)
%   Inputs :  y, labels of any type that attnpath_solve takes
%   Outputs:  of the size of y: true at NaN, '', a missing string and an undefined category. Types that have no such
%             value have a label everywhere
%   See also ap_labels, ap_check_part.

% SPDX-License-Identifier: BSD-3-Clause

if iscell (y)
  none = cellfun (@isempty, y);
elseif isa (y, 'categorical')
  none = isundefined (y);
elseif isa (y, 'string')
  none = ismissing (y) | strlength (y) == 0;
else
  none = isnan (y);
end
end
