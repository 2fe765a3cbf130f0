function [values, index] = ap_sweep_axis (result, name)
%AP_SWEEP_AXIS  The values of one field of the grid in some results of a sweep.
%   [values, index] = AP_SWEEP_AXIS (result, name)
%   Inputs :  result, struct array from attnpath_sweep, or part of one;  name, of a field of the grid
%   Outputs:  values, column of numbers or of texts, in the order in which they first come up;  index, column, of the
%             value of each result
%   See also ap_sweep_means.

% SPDX-License-Identifier: BSD-3-Clause

cells = [result.cell];
values = {cells.(name)}';
if ~ischar (values{1}), values = double (vertcat (values{:})); end
[sorted, first, index] = unique (values, 'first');
[~, order] = sort (first);
values = sorted(order);
place(order) = 1:numel (order);
index = reshape (place(index), [], 1);
end
