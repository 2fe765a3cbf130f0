function t = attnpath_table (result, varargin)
%ATTNPATH_TABLE  Means and standard errors of a sweep, as arrays, as a table, as CSV or LaTeX.
%
%   t = ATTNPATH_TABLE (result)
%   t = ATTNPATH_TABLE (result, Name, Value, ...)
%   ATTNPATH_TABLE (result, ...)
%
%   Inputs :
%     result    struct array from attnpath_sweep
%   Options, by name or as one struct:
%     'Rows'      {}     fields of the grid, with a row for each combination of their values; {} for all but
%                        Columns and Over
%     'Columns'   ''     a field of the grid, with a column for each value
%     'Values'    {}     fields of the cells that hold one number; {} for all such fields
%     'Over'      'seed' the field of the grid over which means are taken. Fields of the grid that are not in
%                        Rows, Columns or Over may have one value only
%     'Reference' []     struct of fields of the grid and one value each, such as struct ('width', 1000). The
%                        table then has differences: each cell minus the cell that has the values of Reference
%                        and, in all other fields of the grid, its own values. Differences are taken seed by
%                        seed, before means and standard errors: these paired errors are smaller if results
%                        of one seed vary together. A cell whose partner failed or is missing is left out
%     'Errors'    {}     fields that hold the errors of Values, one for each, or '' for none: such as a
%                        standard deviation over draws. They are shown as they are, and each row must then
%                        have one cell
%     'Format'    'text' 'text', 'csv' or 'latex', with the package booktabs
%     'File'      ''     a file to write the table into
%
%   Outputs: struct with
%     by        1 x d cell, fields of the grid: rows, then columns
%     at        1 x d cell, values of each
%     mean      struct of an array for each of Values, with a dimension for each field of by
%     se        likewise: standard error of the mean over the cells, or of the mean difference; NaN for one
%               cell. With 'Errors' the given error
%     count     likewise: number of cells, or of pairs of cells, that are done and hold a number
%     failed    array with a dimension for each field of by: number of cells that failed or are missing
%     warned    likewise: number of cells that gave warnings
%     text      the table, in the chosen format. CSV has one line for each combination of values of by
%   Without an output the table is printed, with all rows and columns. In text and LaTeX [n] is a mean of fewer
%   cells than others, and * one with a cell that gave warnings.
%
%   Example:
%     >> cell_of = @(c) struct ('x', 10 * c.seed + c.width);
%     >> result = attnpath_sweep (cell_of, struct ('width', [1 2 4], 'seed', 1:4), 'Display', false);
%     >> attnpath_table (result)
%     12 cells: 12 done, 0 failed, 0 missing
%     +-: standard error of the mean over seed, 4 cells each
%       width                x
%           1  26.0 +- 6.5
%           2  27.0 +- 6.5
%           4  29.0 +- 6.5
%     >> t = attnpath_table (result, 'Reference', struct ('width', 1));
%     >> [t.mean.x, t.se.x, t.count.x]
%     ans =
%        0   0   4
%        1   0   4
%        3   0   4
%
%
%   See also attnpath_sweep, attnpath_plot, attnpath_compare.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: table.tst

ap_check_call ('table', nargin >= 1, 't = attnpath_table (result, Name, Value, ...)');
table = {'Rows',      {},     'any',  []
         'Columns',   '',     'text', []
         'Values',    {},     'any',  []
         'Over',      'seed', 'text', []
         'Reference', [],     'any',  []
         'Errors',    {},     'any',  []
         'Format',    'text', 'word', {'text', 'csv', 'latex'}
         'File',      '',     'file', []};
opt = ap_options ('table', table, varargin);
[by, names, errors] = checked (result, opt);
t = struct ('by', {by}, 'at', {{}}, 'mean', struct (), 'se', struct (), 'count', struct ());
for k = 1:numel (names)
  [t.mean.(names{k}), t.se.(names{k}), t.count.(names{k}), t.at] = ...
    ap_sweep_means ('table', result, names{k}, by, errors{k}, opt.Reference);
end
t.failed = cells_with (result, by, ~strcmp ({result.status}, 'done'));
[ending, warned] = ap_sweep_ending (result);
t.warned = cells_with (result, by, warned);
forms = struct ('text', @text_table, 'csv', @csv_table, 'latex', @latex_table);
t.text = forms.(opt.Format) (t, names, {ending, headline(t, opt)}, ~isempty (opt.Columns));
if ~isempty (opt.File), ap_write ('table', opt.File, t.text); end
if nargout == 0 && isempty (opt.File), fprintf ('%s', t.text); end
if nargout == 0, clear -regexp ^t$; end
end

function count = cells_with (result, by, yes)
% In how many cells of each combination of values
[result.mark] = deal ([]);
[result(yes).mark] = deal (1);
[~, ~, count] = ap_sweep_means ('table', result, 'mark', by, '', []);
end

function [by, names, errors] = checked (result, opt)
if ~isstruct (result) || isempty (result) || ~all (isfield (result, {'cell', 'status', 'error'}))
  ap_fail ('table', 'badClass', 'result must come from attnpath_sweep, not %s', {result});
end
grid = fieldnames (result(1).cell)';
fields = setdiff (fieldnames (result)', {'cell', 'status', 'error', 'warnings'}, 'stable');
holds_number = @(v) isempty (v) || ((isnumeric (v) || islogical (v)) && isreal (v) && numel (v) == 1);
is_column = @(name) all (cellfun (holds_number, {result.(name)})) && ~all (cellfun (@isempty, {result.(name)}));
fields = fields(cellfun (is_column, fields));
ap_refuse ('table', 'empty', isempty (fields), 'no field holds one real number in each cell that is done');
columns = names_in ('Columns', opt.Columns, grid);
names_in ('Over', opt.Over, [grid, {'seed'}]);              % the default, which a grid need not have
rows = names_in ('Rows', opt.Rows, grid);
if isempty (rows), rows = grid(~ismember (grid, [columns, {opt.Over}])); end
ap_refuse ('table', 'badValue', numel (unique ([rows, columns])) < numel ([rows, columns]), ...
           'Rows and Columns name a field twice: %s', strjoin ([rows, columns], ', '));
names = names_in ('Values', opt.Values, fields);
if isempty (names), names = fields; end
errors = names_in ('Errors', opt.Errors, [fields, {''}]);
if isempty (errors), errors = repmat ({''}, size (names)); end
ap_refuse ('table', 'badShape', numel (errors) ~= numel (names), ...
           'Errors must name %d fields, one for each of Values, or '''', not %d', numel (names), numel (errors));
by = [rows, columns];
for name = grid(~ismember (grid, [by, {opt.Over}]))
  [~, ~, ~, values] = ap_sweep_means ('table', result, names{1}, name, '', []);
  ap_refuse ('table', 'badValue', numel (values{1}) > 1, ['the results have %d values of %s: take those of one of ' ...
             'them, or let Rows, Columns or Over have ''%s'''], numel (values{1}), name{1}, name{1});
end
if ~isequal (opt.Reference, []), check_reference (result, opt, grid, fields); end
end

function list = names_in (option, list, known)
if ischar (list), list = repmat ({list}, 1, ~isempty (list)); end
ap_refuse ('table', 'badClass', ~iscellstr (list), '%s must be a text or a cell of texts, not %s', option, {list});
list = reshape (list, 1, []);
wrong = find (~ismember (list, known), 1);
ap_refuse ('table', 'badValue', ~isempty (wrong), '%s must be of %s, not %s', option, strjoin (known, ', '), ...
           {list{wrong}});
end

function check_reference (result, opt, grid, fields)
ref = opt.Reference;
ap_refuse ('table', 'badClass', ~isstruct (ref) || numel (ref) ~= 1 || isempty (fieldnames (ref)), ...
           'Reference must be one struct of fields of the grid, struct (''%s'', %s), not %s', grid{1}, ...
           {result(1).cell.(grid{1})}, {ref});
ap_refuse ('table', 'badValue', ~isempty (opt.Errors), ...
           'Errors are those of single cells, and Reference takes differences of two: leave one of them out');
for name = names_in ('Reference', fieldnames (ref)', grid)
  wanted = ref.(name{1});
  there = arrayfun (@(r) ischar (r.cell.(name{1})) == ischar (wanted) && isequal (r.cell.(name{1}), wanted), result);
  ap_refuse ('table', 'badValue', strcmp (name{1}, opt.Over), ...
             'Reference has %s, the field over which means are taken: name another field, or change Over', name{1});
  [~, ~, ~, values] = ap_sweep_means ('table', result, fields{1}, name, '', []);
  ap_refuse ('table', 'badValue', ~any (there(:)), 'Reference has %s = %s, and the values of %s are %s', name{1}, ...
             {wanted}, name{1}, strjoin (ap_distinct (values{1})', ', '));
end
end

function line = headline (t, opt)
% What the numbers are, and what stands behind them
counts = counts_of (t);
[of, what] = deal ('', 'cells');
if ~isempty (opt.Reference)
  parts = cellfun (@(name) sprintf ('%s = %s', name, ap_describe (opt.Reference.(name))), ...
                   fieldnames (opt.Reference)', 'UniformOutput', false);
  [of, what] = deal ([' difference to ' strjoin(parts, ', ')], 'pairs of cells');
end
if ~isempty (opt.Errors)
  line = '+-: given errors of single cells';
elseif max (counts) < 2
  line = ['one cell each' strrep(of, ' diff', ': diff')];
else
  line = sprintf ('+-: standard error of the mean%s over %s, %d %s each', of, opt.Over, max (counts), what);
end
if any (counts > 0 & counts < max (counts)), line = [line ', [n]: only n']; end
if any (t.warned(:)), line = [line ', *: a cell gave warnings']; end
end

function counts = counts_of (t)
counts = cell2mat (cellfun (@(n) n(:), struct2cell (t.count), 'UniformOutput', false));
end

% ---- formats ----

function [rows, heads, entries] = body (t, names, columns, between)
% Cells of texts: of the fields in the rows, n x fields; heads, 2 x columns, of the name and of the column's value;
% entries, n x columns, means with errors behind a sign
rows = values_in (t, numel (t.by) - columns, 6);
most = max (counts_of (t));
[heads, entries] = deal (cell (2, 0), cell (size (rows, 1), 0));
for name = names
  [m, se, count] = deal (t.mean.(name{1}), t.se.(name{1}), t.count.(name{1}));
  words = arrayfun (@(m, se) ap_with_error (m, se, between), m(:), se(:), 'UniformOutput', false);
  words(count == 0) = {'-'};
  mark = arrayfun (@(n, bad) [ap_either(n > 0 && n < most, sprintf (' [%d]', n), ''), ap_either(bad, '*', '')], ...
                   count(:), t.warned(:) > 0, 'UniformOutput', false);
  wide = max (cellfun (@numel, mark));             % errors stay below each other
  words = cellfun (@(word, mark) sprintf ('%s%-*s', word, wide, mark), words, mark, 'UniformOutput', false);
  entries = [entries, reshape(words, size (rows, 1), [])];
  below = {''};
  if columns, below = strcat ({[t.by{end} ' ']}, ap_distinct (t.at{end}, 6)'); end
  heads = [heads, [repmat(name, size (below)); below]];
end
end

function rows = values_in (t, fields, digits)
% All combinations of the values of the first fields
sizes = [cellfun(@numel, t.at(1:fields)), 1, 1];
subs = cell (1, max (1, fields));
[subs{:}] = ind2sub (sizes, (1:prod (sizes))');
rows = cell (prod (sizes), fields);
for d = 1:fields, rows(:,d) = getfield (ap_distinct (t.at{d}, digits), {subs{d}}); end
end

function text = text_table (t, names, lines, columns)
[rows, heads, entries] = body (t, names, columns, ' +- ');
all_of = [repmat({''}, 1 + columns, size (rows, 2)), heads(1:1 + columns,:); rows, entries];
all_of(1 + columns,1:size (rows, 2)) = t.by(1:size (rows, 2));
text = [sprintf('%s\n', lines{:}), ap_columns(all_of)];
end

function text = csv_table (t, names, varargin)
columns = values_in (t, numel (t.by), 15);
for name = names
  numbers = [t.mean.(name{1})(:), t.se.(name{1})(:), t.count.(name{1})(:)];
  columns = [columns, arrayfun(@(x) sprintf ('%.15g', x), numbers, 'UniformOutput', false)];
end
heads = [t.by, reshape([names; strcat(names, '_se'); strcat(names, '_count')], 1, [])];
all_of = cellfun (@quoted, [heads; columns], 'UniformOutput', false);
text = '';
for k = 1:size (all_of, 1), text = [text, sprintf('%s\n', strjoin (all_of(k,:), ','))]; end
end

function word = quoted (word)
if any (ismember (word, [',"' char(10)])), word = ['"' strrep(word, '"', '""') '"']; end
end

function text = latex_table (t, names, lines, columns)
[rows, heads, entries] = body (t, names, columns, ' \pm ');
fields = size (rows, 2);
plain = @(words) regexprep (words, '([_%&#\$\{\}])', '\\$1');
entries = strcat ('$', entries, '$');
entries(strncmp (entries, '$- ', 3) | strcmp (entries, '$-$')) = {'--'};
row = @(words) sprintf ('%s \\\\\n', strjoin (words, ' & '));
form = [repmat('r', 1, fields), repmat('c', 1, size (entries, 2))];
text = [sprintf('%% %s\n', lines{:}), sprintf('\\begin{tabular}{%s}\n\\toprule\n', form)];
if columns
  over = strcat (sprintf ('\\multicolumn{%d}{c}{', size (entries, 2) / numel (names)), plain (names), '}');
  text = [text, row([repmat({''}, 1, fields), over])];
end
text = [text, row([plain(t.by(1:fields)), plain(heads(1 + columns,:))]), sprintf('\\midrule\n')];
for k = 1:size (rows, 1), text = [text, row([plain(rows(k,:)), entries(k,:)])]; end
text = [text, sprintf('\\bottomrule\n\\end{tabular}\n')];
end
