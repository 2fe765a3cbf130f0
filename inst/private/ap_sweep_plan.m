function plan = ap_sweep_plan (fun, grid, opt)
%AP_SWEEP_PLAN  What a sweep is: its cells in the order of the grid, the file and the random stream of each.
%   plan = AP_SWEEP_PLAN (fun, grid, opt)
%   Inputs :  fun, grid, as for attnpath_sweep;  opt, its options
%   Outputs:  plan, struct of
%     fun, folder    as given, the folder in full: fun may change directory
%     names          1 x d cell, the fields of the grid
%     values         1 x d cell, of each field its values as a cell
%     shape          of the grid and of the result
%     file           1 x cells cell, name of each cell's file in the folder
%     seed           cells x 2, of each cell's random stream
%     part           cells that this call may run
%   File and stream are taken from SHA-256 of the cell's values alone. The place of a cell in the grid plays no part, so
%   that a grid can grow in every direction, and its fields can be given in any order.
%   Errors:   attnpath:sweep: badClass, badShape, empty, badValue
%   See also ap_sweep_at, ap_sweep_folder.

% SPDX-License-Identifier: BSD-3-Clause

f = 'sweep';
if ~isa (fun, 'function_handle')
  ap_fail (f, 'badClass', 'fun must be a function handle, not %s', ap_describe (fun));
elseif ~isstruct (grid)
  ap_fail (f, 'badClass', 'grid must be a struct of vectors, not %s', ap_describe (grid));
elseif numel (grid) ~= 1
  ap_fail (f, 'badShape', ['grid must be one struct, not %s; a field that is a cell of texts needs two pairs of ' ...
           'braces in struct ()'], ap_describe (grid));
elseif isempty (fieldnames (grid))
  ap_fail (f, 'empty', 'grid has no fields');
end
plan = struct ('fun', fun, 'folder', ap_full_name (opt.Folder), 'names', {fieldnames(grid)'});
counts = cellfun (@(name) numel (grid.(name)), plan.names);        % before anything is done with the values
if prod (counts) > 1e6
  ap_fail (f, 'tooLarge', 'a grid of %s is %.3g cells, and 1e6 are allowed', ...
           strjoin (cellfun (@num2str, num2cell (counts), 'UniformOutput', false), ' x '), prod (counts));
end
plan.values = cellfun (@(name) values_of (name, grid.(name)), plan.names, 'UniformOutput', false);
plan.shape = cellfun (@numel, plan.values);
if numel (plan.shape) == 1, plan.shape(2) = 1; end

% Texts of all cells are joined from those of the values, fields in the order of the alphabet
total = prod (plan.shape);
[~, order] = sort (plan.names);
subs = cell (1, numel (plan.names));
[subs{:}] = ind2sub (plan.shape, 1:total);
pieces = cell (numel (order), total);
for j = 1:numel (order)
  words = cellfun (@(value) [plan.names{order(j)} '=' exact(value) ';'], plan.values{order(j)}, ...
                   'UniformOutput', false);
  pieces(j,:) = words(subs{order(j)});
end
plan.file = cell (1, total);
plan.seed = zeros (total, 2);
told = tic ();
for k = 1:total
  digest = ap_sha256 (sprintf ('Seed=%.0f;%s', opt.Seed, [pieces{:,k}]));
  plan.file{k} = ['cell_' digest(1:24) '.mat'];
  if opt.Display && mod (k, 1000) == 0 && toc (told) > 5
    fprintf ('attnpath_sweep: %d of %d cells are given their files\n', k, total);
    ap_flush ();
    told = tic ();
  end
  plan.seed(k,:) = sscanf (digest(25:40), '%8x')';
end
plan.part = 1:total;
if ~isempty (opt.Job)
  job = part_of (opt.Job);
  plan.part = job(1):job(2):total;
end
end

function values = values_of (name, given)
f = 'sweep';
if isa (given, 'string'), given = cellstr (given); end
if ~(isnumeric (given) || islogical (given) || iscellstr (given))
  ap_fail (f, 'badClass', 'the values of %s must be numbers or a cell of texts, not %s', name, ap_describe (given));
elseif issparse (given)
  ap_fail (f, 'sparse', 'the values of %s must be a full array, not %s', name, ap_describe (given));
elseif isempty (given)
  ap_fail (f, 'empty', 'the values of %s are %s: a sweep over none of them has no cells', name, ap_describe (given));
elseif ~isvector (given)
  ap_fail (f, 'badShape', 'the values of %s must be a row or a column, not %s', name, ap_describe (given));
elseif ~iscell (given) && ~isreal (given)
  ap_fail (f, 'notReal', 'the values of %s must be real, not %s', name, ap_describe (given));
end
if isfloat (given), given = given + 0; end         % no -0, which is equal to 0 and would be another text
values = given(:)';
if ~iscell (values), values = num2cell (values); end
[texts, first] = unique (cellfun (@exact, values, 'UniformOutput', false), 'first');
if numel (texts) < numel (values)
  again = setdiff (1:numel (values), first);
  ap_fail (f, 'badValue', 'the values of %s must differ, but %s is there twice', name, ap_describe (values{again(1)}));
end
end

function text = exact (value)
% A text of the value: two values of one class have the same text only if they are equal
if ischar (value)
  text = ['''' strrep(value, '''', '''''') ''''];
elseif isa (value, 'double')
  text = sprintf ('%.17g', value);
elseif isfloat (value)
  text = sprintf ('single(%.9g)', double (value));
elseif any (strcmp (class (value), {'int64', 'uint64'}))         % more digits than a double has
  text = sprintf ('%s(%d,%d)', class (value), typecast (value, 'uint32'));
else
  text = sprintf ('%s(%d)', class (value), value);
end
end

function job = part_of (job)
f = 'sweep';
if ischar (job)
  ap_check_value (f, 'Job', job, 'word', {'slurm'});
  variables = strcat ('SLURM_ARRAY_TASK_', {'ID', 'MIN', 'MAX', 'COUNT'});
  at = cellfun (@(name) str2double (getenv (name)), variables);
  if any (isnan (at))
    ap_fail (f, 'badValue', ['Job ''slurm'' belongs into a task of an array, and %s is not set: start the script ' ...
             'by sbatch --array=1-n, or leave Job out'], variables{find(isnan (at), 1)});
  elseif at(4) ~= at(3) - at(2) + 1 || ~any (at(2) == [0 1])
    ap_fail (f, 'badValue', ['Job ''slurm'' wants an array of tasks 1 to n, or 0 to n - 1, but this one has %d ' ...
             'from %d to %d: say Job, [k n] instead'], at(4), at(2), at(3));
  end
  job = [at(1) - at(2) + 1, at(4)];
end
job = ap_check_value (f, 'Job', job, 'row', {2, 1, 1e9});
for k = job, ap_check_value (f, 'Job (each of them)', k, 'count'); end
if job(1) > job(2)
  ap_fail (f, 'badValue', 'Job, [k n], is part k of n: there is no part %d of %d', job);
end
end
