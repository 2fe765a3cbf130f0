function [cost, error_bars] = ap_head_costs (fname, file, by)
%AP_HEAD_COSTS  Cost of removing each head of the user's own model, from a file of export_attention.py.
%
%   [cost, error_bars] = AP_HEAD_COSTS (fname, file, by)
%   Inputs :  file, its name;  by, 'ablation' for the growth of the loss, or another column of it: 'mean', 'resampled',
%             'importance', 'norm'
%   Outputs:  cost, rows [layer head value], layer by layer;  error_bars, their standard errors over examples; norms
%             have none, and no columns here
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
missing = fields(~isfield (found, fields));
if ~isempty (missing)
  ap_fail (fname, 'badFile', ['%s holds no variable %s: it is no file that head_costs of export_attention.py ' ...
           'writes, or one without this column, see its options ablations and values'], file, missing{1});
end
columns = cellfun (@(field) found.(field)(:), fields, 'UniformOutput', false);
fits = @(values) isnumeric (values) && isreal (values) && numel (values) == numel (columns{1}) ...
                  && all (isfinite (values));
ap_refuse (fname, 'badFile', isempty (columns{1}) || ~all (cellfun (fits, columns)), ...
           '%s must hold a finite number of %s for each head', file, strjoin (fields, ', '));
columns = cellfun (@(values) full (double (values)), columns, 'UniformOutput', false);
sorted = sortrows ([columns{:}], [1 2]);
layers = unique (sorted(:,1));
listed = ap_head_list (arrayfun (@(l) sum (sorted(:,1) == l), layers));
ap_refuse (fname, 'badFile', ~isequal (sorted(:,1:2), listed), ...
           '%s must number layers, and the heads of each, from 1, none missing and none twice', file);
cost = sorted(:,1:3);
error_bars = sorted(:,4:end);
end
