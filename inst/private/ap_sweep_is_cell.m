function yes = ap_sweep_is_cell (found)
%AP_SWEEP_IS_CELL  Does a loaded file hold what ap_sweep_store writes?
%   yes = AP_SWEEP_IS_CELL (found)
%   See also ap_sweep_store, ap_sweep_collect.

% SPDX-License-Identifier: BSD-3-Clause

yes = all (isfield (found, {'file', 'cell', 'status', 'error', 'value'})) && isstruct (found.value);
end
