function yes = ap_is_expansion (model)
%AP_IS_EXPANSION  True for the result of attnpath_expand. It has no field net: its U is not used as a solution's.
%
%   yes = AP_IS_EXPANSION (model)
%   See also attnpath_expand.

% SPDX-License-Identifier: BSD-3-Clause

yes = isstruct (model) && numel (model) == 1 && all (isfield (model, {'sol', 'lines', 'order_sd'}));
end
