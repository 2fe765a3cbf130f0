function [line, warned] = ap_sweep_ending (result)
%AP_SWEEP_ENDING  How the cells of a sweep ended.
%
%   [line, warned] = AP_SWEEP_ENDING (result)
%   Outputs:  line, a text of counts;  warned, 1 x cells, which cells have a field warnings
%   See also attnpath_sweep, attnpath_table.

% SPDX-License-Identifier: BSD-3-Clause

warned = false (1, numel (result));
if isfield (result, 'warnings'), warned = cellfun (@(w) iscellstr (w) && ~isempty (w), {result.warnings}); end
counts = cellfun (@(state) nnz (strcmp ({result.status}, state)), {'done', 'failed', 'missing'});
line = sprintf ('%d cells: %d done, %d failed, %d missing', numel (result), counts);
if any (warned), line = sprintf ('%s; %d gave warnings', line, nnz (warned)); end
end
