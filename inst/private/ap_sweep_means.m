function [m, se, count, values] = ap_sweep_means (result, field, by)
%AP_SWEEP_MEANS  Mean and standard error of one field of the results of a sweep, over all cells that share some values.
%   [m, se, count, values] = AP_SWEEP_MEANS (result, field, by)
%   Inputs :  result, struct array from attnpath_sweep;  field, that holds one real number in each cell that is done;
%             by, 1 x d cell of fields of the grid
%   Outputs:  m, se, count, arrays with a dimension for each of by: mean, standard error of the mean (NaN of one cell)
%             and number of the cells that are done and hold a number;  values, 1 x d cell of those along each dimension
%   See also attnpath_sweep, ap_plot_sweep.

% SPDX-License-Identifier: BSD-3-Clause

values = cell (1, numel (by));
subs = ones (numel (result), max (2, numel (by)));
shape = ones (1, size (subs, 2));
for d = 1:numel (by)
  [values{d}, subs(:,d)] = axis_of (result, by{d});
  shape(d) = numel (values{d});
end
x = NaN (numel (result), 1);
for k = 1:numel (x)
  if numel (result(k).(field)) == 1, x(k) = result(k).(field); end
end
use = ~isnan (x);
count = accumarray (subs(use,:), 1, shape);
m = accumarray (subs(use,:), x(use), shape, @mean, NaN);
se = accumarray (subs(use,:), x(use), shape, @(v) std (v) / sqrt (numel (v)), NaN);
se(count < 2) = NaN;
end

function [values, index] = axis_of (result, name)
% The values of one field of the grid, a column of numbers or of texts in the order in which they first come up, and the
% value of each result, a column of their places
cells = [result.cell];
values = {cells.(name)}';
if ~ischar (values{1}), values = double (vertcat (values{:})); end
[sorted, first, index] = unique (values, 'first');
[~, order] = sort (first);
values = sorted(order);
place(order) = 1:numel (order);
index = reshape (place(index), [], 1);
end
