function ap_sweep_table (result)
%AP_SWEEP_TABLE  Print what a sweep has found: how its cells ended, and a row of numbers for each.
%   AP_SWEEP_TABLE (result)
%   Inputs :  result, struct array from attnpath_sweep
%   Where the grid has a field seed, a row is a mean over the seeds with its standard error. Fields that hold one real
%   number in some cell are columns, up to six of them, and the first fifty rows are shown.
%   See also ap_sweep_means.

% SPDX-License-Identifier: BSD-3-Clause

states = {'done', 'failed', 'missing'};
counts = cellfun (@(state) nnz (strcmp ({result.status}, state)), states);
fprintf ('%d cells: %d done, %d failed, %d missing\n', numel (result), counts);
if isempty (result), return; end
by = fieldnames (result(1).cell)';
by = by(~strcmp (by, 'seed'));
names = fieldnames (result)';
names = names(~ismember (names, {'cell', 'status', 'error'}));
names = names(cellfun (@(name) any (cellfun (@is_number, {result.(name)})), names));
if isempty (names), return; end

columns = {};
for name = names(1:min (6, end))
  [m, se, count, values] = ap_sweep_means (result, name{1}, by);
  if isempty (columns)
    shown = min (50, numel (m));
    subs = cell (1, max (1, numel (by)));
    [subs{:}] = ind2sub (size (m), (1:shown)');
    for d = 1:numel (by)
      columns{end+1} = [by(d); words(values{d}(subs{d}))];
    end
  end
  entries = arrayfun (@entry, m(1:shown), se(1:shown), count(1:shown), 'UniformOutput', false);
  columns{end+1} = [name; entries(:)];
end
for row = 1:shown + 1
  texts = cellfun (@(column) sprintf ('%*s', max (10, max (cellfun (@numel, column))), column{row}), columns, ...
                   'UniformOutput', false);
  fprintf ('  %s\n', strjoin (texts, '  '));
end
if numel (m) > shown, fprintf ('  and %d rows more\n', numel (m) - shown); end
if numel (names) > 6, fprintf ('  and %d fields more\n', numel (names) - 6); end
end

function yes = is_number (value)
yes = isnumeric (value) && numel (value) == 1 && isreal (value) || islogical (value) && numel (value) == 1;
end

function texts = words (values)
texts = values;
if ~iscell (values), texts = arrayfun (@(v) sprintf ('%.6g', v), values, 'UniformOutput', false); end
end

function text = entry (m, se, count)
text = sprintf ('%.5g', m);
if count == 0
  text = '-';
elseif count > 1
  text = sprintf ('%s +- %.2g', text, se);
end
end
