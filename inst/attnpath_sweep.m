function result = attnpath_sweep (fun, grid, varargin)
%ATTNPATH_SWEEP  A function at every point of a grid, on every core or a cluster, to be stopped and continued.
%
%   result = ATTNPATH_SWEEP (fun, grid)
%   result = ATTNPATH_SWEEP (fun, grid, Name, Value, ...)
%   ATTNPATH_SWEEP (fun, grid, ...)
%
%   fun (cell) is called for every cell of the grid. Each call has a random stream of its own, seeded by the
%   values of the cell alone: results do not depend on the order of the cells, on the number of processes, or
%   on what else is in the grid, which can therefore grow. (The last bits may depend on the number of BLAS
%   threads: processes of a sweep have one, this session has what OPENBLAS_NUM_THREADS says, or one.)
%
%   Inputs :
%     fun       function handle, cell -> struct of numbers, texts, cells and structs; anything else that it
%               returns becomes the field value of a struct. Its argument is a struct with one value for each
%               field of the grid
%     grid      struct of vectors: rows or columns of numbers, or cells of texts. In struct () a cell of texts
%               needs two pairs of braces
%   Options, by name or as one struct:
%     'Folder'   ''     a folder that keeps each cell in a file, written whole or not at all. Cells found there
%                       do not run again, whatever ended the call that wrote them. A folder that belongs to
%                       another sweep is refused: one with another text of fun, other variables that fun
%                       captured, other fields of the grid, or another seed. A change in the file where fun is
%                       defined is not noticed
%     'Workers'  0      processes on this machine, each with one BLAS thread; 0: cells run in this session. The
%                       processes have the path of this session, but not what is defined at the prompt or in a
%                       script, and what fun prints in them is not shown. In Octave a cell fails, and the
%                       others go on, where fun ends its process or the process is killed twice. In MATLAB a
%                       parfor loop runs the cells
%     'Job'      []     [k n]: part k of n parts that share a folder: every n-th cell from the k-th on.
%                       'slurm': k and n are those of a Slurm array, 1-n or 0-(n-1), in whose task the call is.
%                       They are never read from the environment unasked. See doc/cluster.md
%     'Seed'     0      0 to 2^32 - 1, of all random streams
%     'Retry'    false  true: cells of the folder that failed run again
%     'Collect'  false  true: no cell runs, the result is what the folder has, and a warning says which cells
%                       are missing
%     'Display'  true   progress, one line of a terminal or lines of a file
%
%   Outputs:
%     result    struct array in the shape of the grid, the first field of the grid along the first dimension.
%               Fields:
%                 cell      the values of this cell
%                 status    'done', 'failed', or 'missing' where it did not run
%                 error     message of a cell that failed, or ''
%                 and those that fun returned, [] where a cell has none; if a cell gave warnings also warnings,
%                 a cell of their texts: from 'Workers' all, which are not shown, otherwise the last
%   Without an output a table is printed instead: means and standard errors over the field seed, if the grid
%   has one. With 'Job' the cells of other parts come from the folder, as far as they are there.
%     A cell that fails does not stop the others; a warning says how many failed, and how the first one did.
%     A file that cannot be written, as on a full disk, ends the sweep with an error. The same call goes on.
%     Ctrl-C ends the sweep after the cell at work, with a warning and all that was done. A run of
%   attnpath_sample or attnpath_train in that cell ends at once, and the cell is then missing. Processes of a
%   sweep end in the same way. In MATLAB and on Windows Ctrl-C is an ordinary interrupt, and a folder keeps
%   what was done.
%
%   Equation: none.
%
%   Errors:   attnpath:sweep: usage, badClass, badShape, badValue, empty, sparse, notReal, file, noFile,
%             badFile, otherRun, noWorker, and those of options
%   Warnings: attnpath:sweep: failed, missing, interrupted, warned
%
%   Example:
%     >> grid = struct ('width', [10 100 1000], 'seed', 1:2);
%     >> cell_of = @(c) struct ('x', c.seed + randn () / c.width);
%     >> result = attnpath_sweep (cell_of, grid, 'Display', false);
%     >> size (result)
%     ans =
%        3   2
%     >> again = attnpath_sweep (cell_of, struct ('seed', 1, 'width', 100), 'Display', false);
%     >> isequal (result(2,1), again)            % whatever else is in the grid
%     ans = 1
%     >> h = attnpath_plot (result, 'sweep', 'X', 'width', 'Y', 'x');
%
%
%   See also attnpath_plot, attnpath_task_markov, attnpath_solve, attnpath_sample, attnpath_train.
%
%   TESTING: sweep.tst, kill_sweep, test_slurm

% SPDX-License-Identifier: BSD-3-Clause

if nargin == 1 && ischar (fun) && exist (fun, 'file') == 2    % a process of another sweep: see ap_sweep_team
  work_for_team (fun);
  return
elseif nargin < 2
  ap_fail ('sweep', 'usage', 'the call is result = attnpath_sweep (fun, grid, Name, Value, ...)');
end
table = {'Folder',  '',    'text',  []
         'Workers', 0,     'count', [0 1e4]
         'Job',     [],    'any',   []
         'Seed',    0,     'seed',  []
         'Retry',   false, 'flag',  []
         'Collect', false, 'flag',  []
         'Display', true,  'display',  []};
opt = ap_options ('sweep', table, varargin);
check (opt);
plan = ap_sweep_plan (fun, grid, opt);
if opt.Workers > 0, check_defined (fun); end

held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');                   % see ap_run: from here on Ctrl-C ends the run, and loses nothing
there = false (1, numel (plan.file));
if ~isempty (opt.Folder)
  ap_sweep_folder (plan, opt.Seed, opt.Collect);
  there = ap_sweep_there (plan);
elseif opt.Workers > 0 && ~opt.Collect
  [plan.folder, removed] = own_folder ();
end
record = cell (1, numel (plan.file));
ending = '';
if ~opt.Collect
  skip = there;
  if opt.Retry, skip = skip & ~failed_before (plan, there); end
  todo = plan.part(~skip(plan.part));
  [run, ending] = ap_sweep_run (plan, todo, opt.Workers, numel (plan.part) - numel (todo), opt.Display);
  record = run.record;
end
if ~isempty (plan.folder), there = ap_sweep_there (plan); end
if nargout == 0, there = there & ismember (1:numel (there), plan.part); end        % other parts' cells are not read
result = collected (plan, record, there);
tell (result, plan, opt, ending);
attnpath_interrupt_mex ('forget');
if nargout == 0
  print_table (result(plan.part));
  clear result
end
end

function check (opt)
f = 'sweep';
if isempty (opt.Folder) && opt.Collect
  ap_fail (f, 'badValue', 'Collect needs a Folder to collect from');
elseif isempty (opt.Folder) && ~isempty (opt.Job)
  ap_fail (f, 'badValue', 'Job is a part of a sweep, and needs the Folder in which the parts meet');
elseif ~isempty (opt.Job) && opt.Collect
  ap_fail (f, 'badValue', 'Collect takes the cells of all parts: leave Job out');
end
end

function check_defined (fun)
% Other processes can see functions in files, but not functions that were typed at the prompt
if ~exist ('OCTAVE_VERSION', 'builtin'), return; end
words = regexp (func2str (fun), '[A-Za-z]\w*', 'match');
typed = words(cellfun (@exist, words) == 103);
if ~isempty (typed)
  ap_fail ('sweep', 'badValue', ['%s is defined at the prompt or in a script, where other processes cannot see it: ' ...
           'put it into a file %s.m, or leave Workers out'], typed{1}, typed{1});
end
end

function [folder, removed] = own_folder ()
% A folder for the processes of a sweep that was given none. It is removed when the call ends
folder = tempname ();
[ok, why] = mkdir (folder);
if ~ok, ap_fail ('sweep', 'file', 'the folder %s cannot be made: %s', folder, why); end
removed = onCleanup (@() remove (folder));
end

function remove (folder)
if exist ('OCTAVE_VERSION', 'builtin'), confirm_recursive_rmdir (false, 'local'); end
rmdir (folder, 's');
end

function failed = failed_before (plan, there)
% The cells that have failed before. A file that cannot be read is one of them
failed = there;
for k = find (there)
  try
    found = ap_load (fullfile (plan.folder, plan.file{k}));
    failed(k) = ~is_cell (found) || ~strcmp (found.file, plan.file{k}) || strcmp (found.status, 'failed');
  catch
  end
end
end

% ---- what is told ----

function tell (result, plan, opt, ending)
mine = result(plan.part);
failed = find (strcmp ({mine.status}, 'failed'));
missing = find (strcmp ({mine.status}, 'missing'));
warned = find (gave_warnings (mine));
if ~isempty (warned) && (opt.Workers > 0 || opt.Collect)           % otherwise they were shown
  [~, label] = ap_sweep_at (plan, plan.part(warned(1)));
  warning ('attnpath:sweep:warned', 'attnpath_sweep: %d of %d cells gave warnings, the first at %s: %s', ...
           numel (warned), numel (mine), label, mine(warned(1)).warnings{1});
end
if ~isempty (failed)
  [~, label] = ap_sweep_at (plan, plan.part(failed(1)));
  warning ('attnpath:sweep:failed', 'attnpath_sweep: %d of %d cells failed, the first at %s: %s', numel (failed), ...
           numel (mine), label, mine(failed(1)).error);
end
if strcmp (ending, 'interrupted')
  warning ('attnpath:sweep:interrupted', 'attnpath_sweep: interrupted, %d of %d cells have not run', ...
           numel (missing), numel (mine));
elseif ~isempty (missing)
  [~, label] = ap_sweep_at (plan, plan.part(missing(1)));
  warning ('attnpath:sweep:missing', 'attnpath_sweep: %d of %d cells are missing in %s, the first at %s', ...
           numel (missing), numel (mine), opt.Folder, label);
end
end

function yes = gave_warnings (result)
yes = false (1, numel (result));
if isfield (result, 'warnings'), yes = cellfun (@(w) iscellstr (w) && ~isempty (w), {result.warnings}); end
end

function result = collected (plan, record, there)
% Records of a sweep as one struct array in the shape of the grid.
% Inputs :  plan, from ap_sweep_plan;  record, 1 x cells cell, empty where the record is in the folder or nowhere;
%           there, 1 x cells, whether the folder has it
% Outputs:  result, as attnpath_sweep returns it: the fields cell, status and error, and all that the function
%           returned in any cell, in the order in which they first come up
% A file that cannot be read, or is of another cell, is a failed cell whose message says so.
total = numel (plan.file);
names = {'cell', 'status', 'error'};
columns = cell (total, 3);
last = cell (0, 1);
place = [];
for k = 1:total
  one = record{k};
  if isempty (one), one = read (plan, k, there(k)); end
  columns(k,1:3) = {one.cell, one.status, one.error};
  fields = fieldnames (one.value);
  if numel (fields) ~= numel (last) || ~all (strcmp (fields, last))
    names = [names, fields(~ismember (fields, names))'];
    [~, place] = ismember (fields, names);
    last = fields;
    columns(:,end+1:numel (names)) = {[]};
  end
  columns(k,place) = struct2cell (one.value);
end
result = reshape (cell2struct (columns, names, 2), plan.shape);
end

function record = read (plan, k, there)
record = struct ('cell', [], 'status', 'missing', 'error', '', 'value', struct ());
file = [plan.folder filesep() plan.file{k}];
if there
  try
    found = ap_load (file);
    why = 'it is of another cell';
    if ~is_cell (found)
      why = 'it is no cell of a sweep';
    elseif strcmp (found.file, plan.file{k})
      record = rmfield (found, 'file');
      return
    end
  catch err
    why = err.message;
  end
  record.status = 'failed';
  record.error = sprintf ('%s cannot be used, remove it: %s', file, why);
end
record.cell = ap_sweep_at (plan, k);
end

function print_table (result)
% Print what a sweep has found: how its cells ended, and a row of numbers for each.
% Inputs :  result, struct array from attnpath_sweep
% Where the grid has a field seed, a row is a mean over the seeds with its standard error. Fields that hold one real
% number in some cell are columns, up to six of them, and the first fifty rows are shown.
states = {'done', 'failed', 'missing'};
counts = cellfun (@(state) nnz (strcmp ({result.status}, state)), states);
fprintf ('%d cells: %d done, %d failed, %d missing', numel (result), counts);
warned = nnz (gave_warnings (result));
if warned > 0, fprintf ('; %d gave warnings', warned); end
fprintf ('\n');
if isempty (result), return; end
by = fieldnames (result(1).cell)';
by = by(~strcmp (by, 'seed'));
names = fieldnames (result)';
names = names(~ismember (names, {'cell', 'status', 'error'}));
names = names(cellfun (@(name) any (cellfun (@is_number, {result.(name)})), names));
if isempty (names), return; end

for first = 1:6:numel (names)
  print_columns (result, by, names(first:min (first + 5, end)));
end
end

function print_columns (result, by, names)
columns = {};
for name = names
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

function yes = is_cell (found)
% Does a loaded file hold what ap_sweep_store writes?
yes = numel (fieldnames (found)) == 5 && all (isfield (found, {'file', 'cell', 'status', 'error', 'value'})) ...
      && isstruct (found.cell) && any (strcmp (found.status, {'done', 'failed'})) && ischar (found.error) ...
      && isstruct (found.value) && numel (found.value) == 1;
end

function work_for_team (file)
% What a child of ap_sweep_team does: cells whose numbers it reads, until there are none.
% Inputs :  file, with the plan of the sweep. File descriptor 3 gives the numbers, 4 takes what is said
% The child ends when its input ends, when another process is its parent, or after Ctrl-C, which a terminal sends to
% all of its processes. It finishes the cell it is at before it ends.
held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');
try
  loaded = load ('-binary', file, 'plan', 'states');
  plan = loaded.plan;
  warning (loaded.states);
catch                                              % a name alone was given, of some other file
  ap_fail ('sweep', 'usage', 'the call is result = attnpath_sweep (fun, grid, Name, Value, ...)');
end
warning ('off', 'backtrace');
warned = ap_sweep_warned ();
numbers = fopen ('/dev/fd/3', 'r');
words = fopen ('/dev/fd/4', 'w');
say_to_team (words, 0, 'ready');
line = fgetl (numbers);
while ischar (line)
  for k = sscanf (strrep (line, '#', ''), '%d')'
    [record, stopped] = ap_sweep_cell (plan, k, true);
    if stopped
      say_to_team (words, 0, 'left');
      return
    end
    try
      ap_sweep_store (plan, k, record);
      say_to_team (words, k, record.status);
    catch err
      say_to_team (words, k, ['unsaved ' regexprep(err.message, '^attnpath_sweep: |\n', '')]);
      return
    end
    if attnpath_interrupt_mex ('seen') || getppid () ~= plan.parent
      say_to_team (words, 0, 'left');
      return
    end
  end
  line = fgetl (numbers);
end
end

function say_to_team (words, k, word)
fprintf (words, '%d %s\n', k, word);
fflush (words);
end
