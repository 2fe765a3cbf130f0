function yes = ap_is_expansion (model)
%AP_IS_EXPANSION  Is this what attnpath_expand returns? It has no field net: nothing takes its U for that of a solution.
%
%   yes = AP_IS_EXPANSION (model)
%   See also attnpath_expand.

% SPDX-License-Identifier: BSD-3-Clause

yes = isstruct (model) && numel (model) == 1 && all (isfield (model, {'sol', 'lines', 'order_sd'}));
end
