function [cost, error_bars] = ap_head_costs (fname, file, by)
%AP_HEAD_COSTS  Cost of removing each head of the user's own model, from a file of export_attention.py.
%
%   [cost, error_bars] = AP_HEAD_COSTS (fname, file, by)
%   Inputs :  file, its name;  by, 'ablation' for the growth of the loss, or another column of it: 'mean', 'resampled',
%             'importance', 'norm'
%   Outputs:  cost, rows [layer head value], layer by layer, and [layer head value group size] where the file has costs
%             of groups, of size heads each, which have the same value;  error_bars, their standard errors over
%             examples; norms have none, and no columns here
%   A file of groups has their numbers, groups, and those of heads, heads, each 1 x layers. Files of older versions have
%   neither: their rows count as heads.
%   Errors:   attnpath:<fname>: noFile, badFile
%   See also attnpath_scores, ap_plot_scores.

% SPDX-License-Identifier: BSD-3-Clause

if exist (file, 'file') ~= 2, ap_fail (fname, 'noFile', 'there is no file %s', file); end
try
  found = load (file, '-mat');
catch err
  ap_fail (fname, 'badFile', '%s cannot be read as a MAT file: %s', file, err.message);
end
name = ap_either (strcmp (by, 'ablation'), 'cost', by);
fields = [{'layer', 'head', name}, repmat({[name '_se']}, 1, ~strcmp (by, 'norm'))];
missing = find (~isfield (found, fields), 1);
ap_refuse (fname, 'badFile', ~isempty (missing), ['%s holds no variable %s: it is no file that head_costs of ' ...
           'export_attention.py writes, or one without this column, see its options ablations and values'], file, ...
           fields{missing});
columns = cellfun (@(field) found.(field)(:), fields, 'UniformOutput', false);
fits = @(values) isnumeric (values) && isreal (values) && numel (values) == numel (columns{1}) ...
                  && all (isfinite (values));
ap_refuse (fname, 'badFile', isempty (columns{1}) || ~all (cellfun (fits, columns)), ...
           '%s must hold a finite number of %s for each head', file, strjoin (fields, ', '));
columns = cellfun (@(values) full (double (values)), columns, 'UniformOutput', false);
sorted = sortrows ([columns{:}], [1 2]);
layers = unique (sorted(:,1));
counts = arrayfun (@(l) sum (sorted(:,1) == l), layers)';
listed = ap_head_list (counts);
ap_refuse (fname, 'badFile', ~isequal (sorted(:,1:2), listed), ...
           '%s must number layers, and the heads of each, from 1, none missing and none twice', file);
cost = sorted(:,1:3);
error_bars = sorted(:,4:end);
if ~isfield (found, 'groups'), return; end
for field = {'groups', 'heads'}
  own = ap_field (found, field{1}, []);
  ap_refuse (fname, 'badFile', ~isnumeric (own) || ~isequal (size (own(:)), size (layers)), ...
             '%s must hold a number for each of the %d layers in %s', file, numel (layers), field{1});
  found.(field{1}) = double (own(:)');
end
[groups, H] = deal (found.groups, found.heads);
ap_refuse (fname, 'badFile', ~isequal (groups, counts) || any (mod (H, groups)) || any (H < groups), ...
           '%s must have a row for each of the groups [%s] of the heads [%s] in its layers', file, ...
           num2str (groups), num2str (H));
if isequal (groups, H), return; end
list = ap_head_list (H);
of = @(numbers) reshape (numbers(list(:,1)), [], 1);
group = ceil (list(:,2) .* of (groups) ./ of (H));
[~, at] = ismember ([list(:,1), group], cost(:,1:2), 'rows');
cost = [list, cost(at,3), group, of(H) ./ of(groups)];
error_bars = error_bars(at,:);
end
