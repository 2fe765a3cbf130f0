function [m, se, count, values] = ap_sweep_means (fname, result, field, by, errors, reference)
%AP_SWEEP_MEANS  Mean and standard error of one field of the results of a sweep, over all cells that share some values.
%   [m, se, count, values] = AP_SWEEP_MEANS (fname, result, field, by, errors, reference)
%   Inputs :  fname, stem of the calling function;  result, struct array from attnpath_sweep;  field, that holds one
%             real number in each cell that is done;  by, 1 x d cell of fields of the grid;  errors, a field of errors
%             that belong to field, or '': they are returned as they are, and each mean must be of one cell;  reference,
%             [] or a struct of fields of the grid: the means are then those of differences, each cell minus the cell
%             that has these values and, in all other fields of the grid, its own. A cell without such a partner is left
%             out
%   Outputs:  m, se, count, arrays with a dimension for each of by: mean, standard error of the mean (NaN of one
%             cell) and number of the cells that are done and hold a number;  values, 1 x d cell of those along each
%             dimension
%   Errors:   attnpath:<fname>:badValue
%   See also attnpath_sweep, attnpath_table, ap_plot_sweep.

% SPDX-License-Identifier: BSD-3-Clause

x = numbers_of (result, field);
if ~isempty (reference), x = x - getfield ([x; NaN], {partners(result, reference)}); end
values = cell (1, numel (by));
subs = ones (numel (result), max (2, numel (by)));
shape = ones (1, size (subs, 2));
for d = 1:numel (by)
  [values{d}, subs(:,d)] = axis_of (result, by{d});
  shape(d) = numel (values{d});
end
use = ~isnan (x);
count = accumarray (subs(use,:), 1, shape);
m = accumarray (subs(use,:), x(use), shape, @mean, NaN);
if ~isempty (errors)
  ap_refuse (fname, 'badValue', any (count(:) > 1), ['Errors, %s, are those of single cells, and %s has means over ' ...
             '%d cells: choose one of them, or leave Errors out for the standard error of these means'], errors, ...
             field, max (count(:)));
  se = accumarray (subs(use,:), getfield (numbers_of (result, errors), {use}), shape, @mean, NaN);
  return
end
se = accumarray (subs(use,:), x(use), shape, @(v) std (v) / sqrt (numel (v)), NaN);
se(count < 2) = NaN;
end

function x = numbers_of (result, field)
x = NaN (numel (result), 1);
for k = 1:numel (x)
  if numel (result(k).(field)) == 1, x(k) = result(k).(field); end
end
end

function of = partners (result, reference)
% The number of each cell's partner, one above the last cell where there is none
names = fieldnames (result(1).cell)';
subs = zeros (numel (result), numel (names));
for d = 1:numel (names), [values{d}, subs(:,d)] = axis_of (result, names{d}); end
wanted = subs;
for name = fieldnames (reference)'
  d = find (strcmp (name{1}, names));
  wanted(:,d) = find (ismember (values{d}, reference.(name{1})));
end
[found, of] = ismember (wanted, subs, 'rows');
of(~found) = numel (result) + 1;
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
