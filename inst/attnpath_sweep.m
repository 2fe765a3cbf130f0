function result = attnpath_sweep (fun, grid, varargin)
%ATTNPATH_SWEEP  Run a function at every point of a grid, on all cores or a cluster, with restarts.
%
%   result = ATTNPATH_SWEEP (fun, grid)
%   result = ATTNPATH_SWEEP (fun, grid, Name, Value, ...)
%   ATTNPATH_SWEEP (fun, grid, ...)
%
%   attnpath_sweep calls fun (cell) for every cell of the grid. Each call has a random stream of its own,
%   seeded by the values of the cell alone: results do not depend on the order of the cells, on the number of
%   processes, or on the other cells. The grid can therefore grow.
%
%   Inputs :
%     fun       function handle, cell -> struct of numbers, strings, cells and structs; any other result
%               becomes the field value of a struct. The argument is a struct with one value for each field of
%               the grid
%     grid      struct of vectors: rows or columns of numbers, or cell arrays of strings. In struct () a cell
%               array needs two pairs of braces
%   Options, by name or as one struct:
%     'Folder'   ''     a folder that keeps each cell in a file, written atomically. Cells found there do not
%                       run again, however the earlier call ended. A folder of another sweep is refused: a
%                       sweep with another text of fun, other captured variables of fun, other fields of the
%                       grid, or another seed. A change in the file that defines fun is not detected
%     'Workers'  0      processes on this machine, each with one BLAS thread; 0: cells run in this session. The
%                       processes have the path of this session, but not the functions defined at the prompt
%                       or in a script. Their output is not shown. In Octave, if fun ends its process, or the
%                       process is killed twice, its cell fails and the others go on. In MATLAB a parfor loop
%                       runs the cells
%     'Job'      []     [k n]: part k of n parts that share a folder: every n-th cell from the k-th on.
%                       'slurm': k and n are those of the Slurm array, 1-n or 0-(n-1), of the current task.
%                       Without 'slurm' the environment is not read. See doc/cluster.md
%     'Seed'     0      0 to 2^32 - 1, of all random streams
%     'Retry'    false  true: failed cells of the folder run again
%     'Collect'  false  true: no cell runs, the result holds the cells of the folder, and a warning lists the
%                       missing ones
%     'Display'  true   progress: one line in a terminal, several lines in a file
%
%   Outputs:
%     result    struct array in the shape of the grid, the first field of the grid along the first dimension.
%               Fields:
%                 cell      the values of this cell
%                 status    'done', 'failed', or 'missing' if it did not run
%                 error     message of a failed cell, or ''
%                 warnings  only after warnings: a cell array of the texts of those that were on
%                 and the fields of the struct from fun, [] in cells that lack one
%   Without an output the table of attnpath_table (result) is printed instead. With 'Job' the finished cells of
%   other parts come from the folder.
%     A failed cell does not stop the others; a warning counts the failed cells and quotes the first error.
%     An error in writing, as on a full disk, ends the sweep. The same call continues it.
%     Ctrl-C ends the sweep after the current cell, with a warning and all finished cells. A run of
%   attnpath_sample or attnpath_train in that cell ends at once, and the cell is then missing. In MATLAB and on
%   Windows Ctrl-C is an ordinary interrupt, and a folder keeps the finished cells.
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
%     >> isequal (result(2,1), again)            % the other cells do not matter
%     ans = 1
%     >> h = attnpath_plot (result, 'sweep', 'X', 'width', 'Y', 'x');
%
%
%   See also attnpath_table, attnpath_plot, attnpath_solve, attnpath_sample, attnpath_train.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: sweep.tst, killed_runs, test_slurm

if nargin == 1 && ischar (fun) && exist (fun, 'file') == 2    % a process of another sweep: see hire
  work_for_team (fun);
  return
end
ap_check_call ('sweep', nargin >= 2, 'result = attnpath_sweep (fun, grid, Name, Value, ...)');
table = {'Folder',  '',    'text',  []
         'Workers', 0,     'count', [0 1e4]
         'Job',     [],    'any',   []
         'Seed',    0,     'seed',  []
         'Retry',   false, 'flag',  []
         'Collect', false, 'flag',  []
         'Display', true,  'display',  []};
opt = ap_options ('sweep', table, varargin);
check (opt);
plan = sweep_plan (fun, grid, opt);
if opt.Workers > 0, check_defined (fun); end

[text, id] = lastwarn ();
held = ap_hold ();                                 % from here on Ctrl-C ends the run without loss
there = false (1, numel (plan.file));
if ~isempty (opt.Folder)
  sweep_folder (plan, opt.Seed, opt.Collect);
  there = sweep_there (plan);
elseif opt.Workers > 0 && ~opt.Collect
  [plan.folder, removed] = own_folder ();
end
record = cell (1, numel (plan.file));
ending = '';
if ~opt.Collect
  skip = there;
  if opt.Retry, skip = skip & ~failed_before (plan, there); end
  todo = plan.part(~skip(plan.part));
  [run, ending] = sweep_run (plan, todo, opt.Workers, numel (plan.part) - numel (todo), opt.Display);
  record = run.record;
end
if ~isempty (plan.folder), there = sweep_there (plan); end
if nargout == 0, there = there & ismember (1:numel (there), plan.part); end        % other parts' cells are not read
result = collected (plan, record, there);
warned = tell (result, plan, opt, ending);
[~, now] = lastwarn ();                           % Octave 11 keeps remarks there that are off, see sweep_cell
if ~strncmp (now, 'attnpath:sweep:', 15) && ~any (warned), lastwarn (text, id); end
attnpath_interrupt_mex ('forget');
if nargout == 0
  print_table (result(plan.part));
  clear -regexp ^result$
end
end

function check (opt)
ap_refuse ('sweep', 'badValue', isempty (opt.Folder) && opt.Collect, 'Collect needs a Folder to collect from');
ap_refuse ('sweep', 'badValue', isempty (opt.Folder) && ~isempty (opt.Job), ...
           'Job is a part of a sweep, and needs the Folder in which the parts meet');
ap_refuse ('sweep', 'badValue', ~isempty (opt.Job) && opt.Collect, ...
           'Collect reads the cells of all parts: leave Job out');
end

function check_defined (fun)
% Other processes can see functions in files, but not functions that were typed at the prompt
if ~exist ('OCTAVE_VERSION', 'builtin'), return; end
words = regexp (func2str (fun), '[A-Za-z]\w*', 'match');
typed = find (cellfun (@exist, words) == 103, 1);
ap_refuse ('sweep', 'badValue', ~isempty (typed), ['%s is defined at the prompt or in a script, where other ' ...
           'processes cannot see it: put it into a file %s.m, or leave Workers out'], words{typed}, words{typed});
end

function [folder, removed] = own_folder ()
% A folder for the processes of a sweep that was given none. It is removed when the call ends
folder = tempname ();
make (folder);
removed = onCleanup (@() remove (folder));
end

function make (folder)
[ok, why] = mkdir (folder);
if ~ok, ap_fail ('sweep', 'file', 'the folder %s cannot be made: %s', folder, why); end
end

function remove (folder)
if exist ('OCTAVE_VERSION', 'builtin'), confirm_recursive_rmdir (false, 'local'); end
rmdir (folder, 's');
end

function failed = failed_before (plan, there)
% The cells that have failed before. A file that cannot be read is one of them
failed = there;
for k = find (there), failed(k) = strcmp (getfield (read (plan, k, true), 'status'), 'failed'); end
end

% ---- progress ----

function warned = tell (result, plan, opt, ending)
mine = result(plan.part);
place = @(list) label_of (plan, plan.part(list(1)));
failed = find (strcmp ({mine.status}, 'failed'));
missing = find (strcmp ({mine.status}, 'missing'));
[~, warned] = ap_sweep_ending (mine);
warned = find (warned);
if ~isempty (warned) && (opt.Workers > 0 || opt.Collect)           % otherwise they were shown
  warning ('attnpath:sweep:warned', 'attnpath_sweep: %d of %d cells gave warnings, the first at %s: %s', ...
           numel (warned), numel (mine), place (warned), mine(warned(1)).warnings{1});
end
if ~isempty (failed)
  warning ('attnpath:sweep:failed', 'attnpath_sweep: %d of %d cells failed, the first at %s: %s', numel (failed), ...
           numel (mine), place (failed), mine(failed(1)).error);
end
if strcmp (ending, 'interrupted')
  warning ('attnpath:sweep:interrupted', 'attnpath_sweep: interrupted, %d of %d cells have not run', ...
           numel (missing), numel (mine));
elseif ~isempty (missing)
  warning ('attnpath:sweep:missing', 'attnpath_sweep: %d of %d cells are missing in %s, the first at %s', ...
           numel (missing), numel (mine), opt.Folder, place (missing));
end
end

function result = collected (plan, record, there)
% Records of a sweep as one struct array in the shape of the grid.
% Inputs :  plan, from sweep_plan;  record, 1 x cells cell, empty where the record is in the folder or nowhere;
%           there, 1 x cells, whether the folder has it
% Outputs:  result, as attnpath_sweep returns it: the fields cell, status and error, and all that the function
%           returned in any cell, in the order in which they first come up
% An unreadable file, or a file of another cell, is a failed cell, with the reason in its message.
result = repmat (struct ('cell', [], 'status', '', 'error', ''), plan.shape);
for k = 1:numel (result)
  one = record{k};
  if isempty (one), one = read (plan, k, there(k)); end
  [result(k).cell, result(k).status, result(k).error] = deal (one.cell, one.status, one.error);
  for name = fieldnames (one.value)', result(k).(name{1}) = one.value.(name{1}); end
end
end

function record = read (plan, k, there)
record = struct ('cell', values_at (plan, k), 'status', 'missing', 'error', '', 'value', struct ());
if ~there, return; end
file = [plan.folder filesep() plan.file{k}];
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

function print_table (result)
try
  attnpath_table (result);
catch err
  if isempty (regexp (err.identifier, ':(empty|badClass)$', 'once')), rethrow (err); end    % no numbers, or no cells
  fprintf ('%s\n', ap_sweep_ending (result));
end
end

function yes = is_cell (found)
% Does a loaded file hold what store writes?
yes = numel (fieldnames (found)) == 5 && all (isfield (found, {'file', 'cell', 'status', 'error', 'value'})) ...
      && isstruct (found.cell) && any (strcmp (found.status, {'done', 'failed'})) && ischar (found.error) ...
      && isstruct (found.value) && numel (found.value) == 1;
end

function work_for_team (file)
% What a child does, see hire: cells whose numbers it reads, until there are none.
% Inputs :  file, with the plan of the sweep. File descriptor 3 gives the numbers, 4 takes the replies
% The child ends when its input ends, when another process is its parent, or after Ctrl-C, which a terminal sends to
% all of its processes. It finishes the cell it is at before it ends.
held = ap_hold ();
try
  loaded = load ('-binary', file, 'plan', 'states');
  plan = loaded.plan;
  warning (loaded.states);
catch                                              % a name alone was given, of some other file
  ap_check_call ('sweep', false, 'result = attnpath_sweep (fun, grid, Name, Value, ...)');
end
warning ('off', 'backtrace');
restored = interrupts_raise ();
numbers = fopen ('/dev/fd/3', 'r');
words = fopen ('/dev/fd/4', 'w');
say_to_team (words, 0, 'ready');
line = fgetl (numbers);
while ischar (line)
  for k = sscanf (strrep (line, '#', ''), '%d')'
    [record, stopped] = sweep_cell (plan, k, true);
    try
      if ~stopped
        store (plan, k, record);
        say_to_team (words, k, record.status);
      end
    catch err
      say_to_team (words, k, ['unsaved ' regexprep(err.message, '^attnpath_sweep: |\n', '')]);
      return
    end
    if stopped || attnpath_interrupt_mex ('seen') || getppid () ~= plan.parent
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

function plan = sweep_plan (fun, grid, opt)
% What a sweep is: its cells in the order of the grid, the file and the random stream of each.
% Inputs :  fun, grid, as for attnpath_sweep;  opt, its options
% Outputs:  plan, struct of
%   fun, folder    as given, the folder in full: fun may change directory
%   names          1 x d cell, the fields of the grid
%   values         1 x d cell, of each field its values as a cell
%   shape          of the grid and of the result
%   file           1 x cells cell, name of each cell's file in the folder
%   seed           cells x 2, of each cell's random stream
%   part           cells that this call may run
% File and stream are taken from SHA-256 of the cell's values alone. The place of a cell in the grid plays no part, so
% that a grid can grow in every direction, and its fields can be given in any order.
ap_refuse ('sweep', 'badClass', ~isa (fun, 'function_handle'), 'fun must be a function handle, not %s', {fun});
ap_refuse ('sweep', 'badClass', ~isstruct (grid), 'grid must be a struct of vectors, not %s', {grid});
ap_refuse ('sweep', 'badShape', numel (grid) ~= 1, ['grid must be one struct, not %s; a field that is a cell of ' ...
           'texts needs two pairs of braces in struct ()'], {grid});
ap_refuse ('sweep', 'empty', isempty (fieldnames (grid)), 'grid has no fields');
plan = struct ('fun', fun, 'folder', ap_full_name (opt.Folder), 'names', {fieldnames(grid)'});
counts = cellfun (@(name) numel (grid.(name)), plan.names);        % before anything is done with the values
ap_refuse ('sweep', 'tooLarge', prod (counts) > 1e6, 'a grid of %s is %.3g cells, and 1e6 are allowed', ...
           strjoin (cellfun (@num2str, num2cell (counts), 'UniformOutput', false), ' x '), prod (counts));
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
    ap_say ('sweep', true, '%d of %d cells have their files', k, total);
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

function at = values_at (plan, k)
% The values of cell k, a struct with one for each field of the grid
subs = cell (1, numel (plan.names));
[subs{:}] = ind2sub (plan.shape, k);
for j = 1:numel (subs), at.(plan.names{j}) = plan.values{j}{subs{j}}; end
end

function label = label_of (plan, k)
% The same in words
at = values_at (plan, k);
label = strjoin (cellfun (@(name) [name ' = ' ap_describe(at.(name))], plan.names, 'UniformOutput', false), ', ');
end

function values = values_of (name, given)
if isa (given, 'string'), given = cellstr (given); end
numbers = ap_either (iscellstr (given), zeros (size (given)), given);
what = ap_fault (numbers, isnumeric (numbers) || islogical (numbers), isvector (numbers));
ap_refuse ('sweep', what, ~isempty (what), ...
           'the values of %s must be a full, real row or column of numbers, or a cell of texts, not %s', name, {given});
if isfloat (given), given = given + 0; end         % no -0, which is equal to 0 and would be another text
values = given(:)';
if ~iscell (values), values = num2cell (values); end
[texts, first] = unique (cellfun (@exact, values, 'UniformOutput', false), 'first');
if numel (texts) < numel (values)
  again = setdiff (1:numel (values), first);
  ap_fail ('sweep', 'badValue', 'the values of %s must differ, but %s occurs twice', name, {values{again(1)}});
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
if ischar (job)
  ap_check_value ('sweep', 'Job', job, 'word', {'slurm'});
  variables = strcat ('SLURM_ARRAY_TASK_', {'ID', 'MIN', 'MAX', 'COUNT'});
  at = cellfun (@(name) str2double (getenv (name)), variables);
  unset = find (isnan (at), 1);
  ap_refuse ('sweep', 'badValue', ~isempty (unset), ['Job ''slurm'' belongs into a task of an array, and %s is not ' ...
             'set: start the script by sbatch --array=1-n, or leave Job out'], variables{unset});
  ap_refuse ('sweep', 'badValue', at(4) ~= at(3) - at(2) + 1 || ~any (at(2) == [0 1]), ...
             ['Job ''slurm'' wants an array of tasks 1 to n, or 0 to n - 1, but this one has %d from %d to %d: ' ...
             'give Job, [k n] instead'], at(4), at(2), at(3));
  job = [at(1) - at(2) + 1, at(4)];
end
job = ap_check_value ('sweep', 'Job', job, 'row', {2, 1, 1e9});
for k = job, ap_check_value ('sweep', 'Job (each of them)', k, 'count'); end
ap_refuse ('sweep', 'badValue', job(1) > job(2), 'Job, [k n], is part k of n: there is no part %d of %d', job);
end

function sweep_folder (plan, seed, reading)
% Open the folder of a sweep, make it if need be.
% Inputs :  plan, from sweep_plan;  seed, of the sweep;  reading, true where nothing may be written
% The folder's own file, sweep.mat, identifies their sweep: the function's text, without blanks, as versions
% of Octave set them differently, what an anonymous function has captured, as fingerprints, the fields of the grid,
% and the seed. Values of the grid are not among it.
if exist (plan.folder, 'dir') ~= 7
  if reading, ap_fail ('sweep', 'noFile', 'there is no folder %s to collect from', plan.folder); end
  make (plan.folder);
end
own = struct ('fun', func2str (plan.fun), 'captured', {captured(plan.fun)}, 'fields', {sort(plan.names)}, ...
              'seed', seed);
file = fullfile (plan.folder, 'sweep.mat');
begun = isfile (file);
ap_refuse ('sweep', 'noFile', reading && ~begun, '%s holds no sweep: sweep.mat is not there', plan.folder);
if ~begun, ap_save (file, 'sweep', own, ap_process ()); end
compare (file, own);                               % just saved, too: another may have begun here at the same time
if ~reading, clear_up (plan); end
end

function store (plan, k, record)
% The record has its own name, so that a file that was renamed or copied is not taken for another cell. Two processes
% may come to write the same cell (one of a sweep that was killed, one of the next): each has a file of its own
record.file = plan.file{k};
ap_save ([plan.folder filesep() plan.file{k}], 'sweep', record, ap_process ());
end

function compare (file, own)
try
  found = ap_load (file);
  complete = all (isfield (found, fieldnames (own))) && ischar (found.fun) && iscellstr (found.captured) ...
             && size (found.captured, 2) == 2 && iscellstr (found.fields) && isnumeric (found.seed) ...
             && numel (found.seed) == 1;
catch
  complete = false;
end
if ~complete, ap_fail ('sweep', 'badFile', '%s is damaged, or was written by another program', file); end
other = ['the folder of ' file ' belongs to another sweep: '];
listed = @(names) strjoin (reshape (names, 1, []), ', ');
facts = @(s) {s.fun, listed(s.captured(:,1)), listed(s.fields), sprintf('%.10g', s.seed)};
[theirs, ours] = deal (facts (found), facts (own));
what = {'its fun is', 'its fun captured the variables', 'the fields of its grid are', 'its Seed is'};
plain = @(facts) [{ap_without_blanks(facts{1})}, facts(2:end)];
differs = find (~strcmp (plain (theirs), plain (ours)), 1);
ap_refuse ('sweep', 'otherRun', ~isempty (differs), '%s%s %s, not %s', other, what{differs}, theirs{differs}, ...
           ours{differs});
differs = find (~strcmp (found.captured(:,2), own.captured(:,2)), 1);
ap_refuse ('sweep', 'otherRun', ~isempty (differs), '%sthe variable %s that fun captured has another value', other, ...
           own.captured{differs,1});
end

function pairs = captured (fun)
% n x 2: name and fingerprint of each variable that an anonymous function holds
pairs = cell (0, 2);
facts = functions (fun);
if isfield (facts, 'workspace') && ~isempty (facts.workspace)
  held = facts.workspace{1};
  names = sort (fieldnames (held));
  pairs = [names, cellfun(@(name) ap_digest (held.(name)), names, 'UniformOutput', false)];
end
end

function clear_up (plan)
% What killed processes have left: half-written files of processes of this host that are no more. While Octave 9 saves
% a file, its name ends in .saving_in_progress
if ~exist ('OCTAVE_VERSION', 'builtin') || ispc (), return; end
[~, names] = sweep_there (plan);
[~, host] = ap_process ();
names = names(strncmp (names, 'cell_', 5));          % others may be no UTF-8, which regexp requires
found = regexp (names, '\.mat\.(.*)-(\d+)\.new(?:\.saving_in_progress)?$', 'tokens', 'once');
for k = find (~cellfun (@isempty, found))
  if strcmp (found{k}{1}, host) && ~ap_alive (str2double (found{k}{2}))
    ap_delete (fullfile (plan.folder, names{k}));
  end
end
end

function [run, ending] = sweep_run (plan, todo, workers, there, display)
% Run cells of a sweep in this session or in processes of their own, with progress and Ctrl-C.
% Inputs :  plan, from sweep_plan;  todo, numbers of the cells;  workers, how many processes, 0 for this session;
%           there, how many cells are in the folder already;  display, whether progress is printed
% Outputs:  run, struct of record (1 x cells cell, filled where a cell ran in this session without a folder), done and
%           failed (numbers of cells that this call has finished);  ending, '' or 'interrupted', as from ap_run
run = struct ('todo', todo, 'record', {cell(1, numel (plan.file))}, 'done', 0, 'failed', 0, ...
              'next', todo, ...                    % cells that are in no queue of a process
              'killed', [], ...                    % cells whose process was killed, once
              'busy', 0, ...                       % seconds that cells took, of all processes
              'early', 0);                         % processes that ended before their first cell, one after the other
restored = interrupts_raise ();
if workers == 0
  advance = @(run, count) here (run, count, plan);
elseif exist ('OCTAVE_VERSION', 'builtin')
  file = tempname ();
  dismissed = onCleanup (@() dismiss (file));
  hire (file, plan, min (workers, numel (todo)));
  advance = @(run, count) by_team (run, plan, file);
else
  advance = @(run, count) by_parfor (run, count, plan, workers);
end
job = struct ('name', 'sweep', 'goal', numel (todo), 'done', @(run) run.done, 'advance', advance, ...
              'display', display, 'report', @(run, notes, last) report (run, there), ...
              'few', 3 + 2 * workers);              % of the first cells of several processes the slow ones are missing
announce (display, todo, workers, there);
[run, ending] = ap_run (job, run);
end

function restore = interrupts_raise ()
% A warning that Ctrl-C ended a run within a cell becomes an error: its value is no result.
% Outputs:  restore, an onCleanup that makes such errors warnings again
stems = {'sample', 'train', 'moments', 'prune', 'scores', 'tune', 'sweep'};           % sweep.tst looks for more
ids = strcat ('attnpath:', stems, ':interrupted');
before = cellfun (@(id) warning ('query', id), ids);
restore = onCleanup (@() arrayfun (@(one) warning (one.state, one.identifier), before));
for k = 1:numel (ids), warning ('error', ids{k}); end
end

function [run, ending] = here (run, count, plan)
ending = '';
for k = run.todo(run.done + (1:count))
  [record, stopped] = sweep_cell (plan, k, false);
  if stopped
    ending = 'interrupted';
    break
  end
  if isempty (plan.folder)
    run.record{k} = record;
  else
    store (plan, k, record);
  end
  run.done = run.done + 1;
  run.failed = run.failed + strcmp (record.status, 'failed');
  if attnpath_interrupt_mex ('seen'), break; end
end
end

function announce (display, todo, workers, there)
% The first cell may take hours, and no estimate is possible before it ends
where = ap_either (workers > 0, sprintf ('in %d processes', min (workers, numel (todo))), 'in this session');
had = ap_either (there > 0, sprintf (', %d done before', there), '');
ap_say ('sweep', display && ~isempty (todo), '%d cells to run %s%s', numel (todo), where, had);
end

function [where, more, notes] = report (run, there)
[more, notes] = deal ('', []);
where = sprintf ('%d of %d cells', there + run.done, there + numel (run.todo));
if run.failed > 0, where = sprintf ('%s, %d failed', where, run.failed); end
end

function [run, ending] = by_parfor (run, count, plan, workers)
% The next cells of a sweep in MATLAB's parallel workers, one BLAS thread each.
% This is advance of ap_run: it runs as many cells as ap_run requests, but no fewer than there are workers. Records go
% through the folder. Without the Parallel Computing Toolbox the loop runs in this session.
next = run.todo(run.done + (1:min (max (count, workers), numel (run.todo) - run.done)));
failed = false (1, numel (next));
parfor (j = 1:numel (next), workers)
  record = sweep_cell (plan, next(j), workers > 0);
  store (plan, next(j), record);
  failed(j) = strcmp (record.status, 'failed');
end
run.done = run.done + numel (next);
run.failed = run.failed + sum (failed);
ending = '';
end

% ---- processes that run cells, in Octave: octave-cli children, one BLAS thread each ----
% A child reads numbers of cells, writes each record into the folder, and then writes a line 'number word', where word
% is done, failed, or unsaved with a message; before the first it writes '0 ready', and '0 left' if Ctrl-C ends it.
% So at any moment the current cell of a child is the first in its queue. A queue holds half a second of
% work, and towards the end less. The two pipes are file descriptors 3 and 4 of the child: its standard input and
% output are the null device, and its warnings are kept in the record. So a function that reads from the keyboard gets
% an end of file instead of numbers of cells, and nothing that it prints can be taken for a line of the child's.
%   A child that ends by itself (the function called exit): its cell has failed, as noted in the record.
%   A child that is killed: its cell runs once more, and has failed if that child is killed too. The same holds
%   where Octave has no record of how a child ended.
%   This session is killed: children find that their input has ended, or that their parent is another process. They
%   finish the cell they are at, and end.
% A child that ends early is replaced, unless four in a row have ended before their first cell. The parallel package
% is not used: it gives results back only when all cells have ended, and a sweep that is killed would lose them.

function hire (file, plan, workers)
% Start the children. file: where they find the plan of the sweep
plan.parent = getpid ();
folders = path ();
states = warning ();                               % those that are off here are off there
save ('-binary', file, 'plan', 'folders', 'states');
for w = 1:workers, team ([team(), start(file)]); end
end

function children = team (children)
% The children, kept where dismiss finds them, however the sweep ends
persistent kept
if nargin > 0, kept = children; end
children = kept;
end

function dismiss (file)
for child = reshape (team (), 1, []), stop (child); end
team ([]);
if exist (file, 'file'), unlink (file); end
end

function [run, ending] = by_team (run, plan, file)
% advance of ap_run: a quarter of a second of the children's work
begun = tic ();
ending = '';
children = team ();
while run.done < numel (run.todo) && toc (begun) < 0.25 && ~attnpath_interrupt_mex ('seen')
  pause (0.01);
  for w = 1:numel (children)
    [children(w), run] = hear (children(w), run);
    [children(w), run] = look_after (children(w), run, plan, file);
    team (children);                               % with those that took the places of others
    [children(w), run] = feed (children(w), run, numel (children));
  end
end
team (children);
end

function child = start (file)
binary = fullfile (OCTAVE_HOME (), 'bin', 'octave-cli');
if ~isfile (binary), binary = 'octave-cli'; end
quoted = strrep (file, '''', '''''');
code = sprintf ('load (''-binary'', ''%s'', ''folders''); path (folders); attnpath_sweep (''%s'')', quoted, quoted);
try
  [in, out, pid] = popen2 ('env', {'OPENBLAS_NUM_THREADS=1', 'OMP_NUM_THREADS=1', 'MKL_NUM_THREADS=1', 'sh', '-c', ...
                                   'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', 'sh', binary, ...
                                   '--norc', '--no-history', '--eval', code});
catch err
  ap_fail ('sweep', 'noWorker', 'no process could be started: %s', err.message);
end
child = struct ('in', in, 'out', out, 'pid', pid, 'ready', false, 'text', '', 'queue', [], 'since', tic ());
end

function stop (child)
% The child is killed: files in the making are found and removed by the next sweep
if child.pid > 0
  kill (child.pid, SIG ().KILL);
  waitpid (child.pid);
end
fclose (child.in);
fclose (child.out);
end

function [child, run] = hear (child, run)
% The lines of the child since the last call
piece = '';
while ischar (piece)
  child.text = [child.text, piece];
  piece = fgets (child.out);
end
fclear (child.out);
ends = find (child.text == char (10), 1, 'last');
if isempty (ends), return; end
said = regexp (child.text(1:ends), '(\d+) (\w+) ?([^\n]*)', 'tokens');
child.text = child.text(ends+1:end);
for k = 1:numel (said)
  switch said{k}{2}
    case 'ready'
      child.ready = true;
      run.early = 0;
    case 'left'                                    % after Ctrl-C, and not by the function's will
      run.next = [child.queue, run.next];
      child.queue = [];
    case 'unsaved'
      ap_fail ('sweep', 'file', '%s', said{k}{3});
    case {'done', 'failed'}
      run.done = run.done + 1;
      run.failed = run.failed + strcmp (said{k}{2}, 'failed');
      child.queue(child.queue == str2double (said{k}{1})) = [];
  end
end
if ~isempty (said)
  run.busy = run.busy + toc (child.since);
  child.since = tic ();
end
end

function [child, run] = look_after (child, run, plan, file)
% Has the child ended?
if child.pid == 0, return; end                     % after Ctrl-C
[pid, status] = waitpid (child.pid, WNOHANG ());
if pid == 0, return; end
if pid ~= child.pid, status = -1; end              % Octave 11 may have taken leave of it already, status and all
[child, run] = hear (child, run);
child.pid = 0;
if attnpath_interrupt_mex ('seen'), return; end    % Ctrl-C reaches children too, also before they can hold it back
if ~child.ready, run.early = run.early + 1; end
ap_refuse ('sweep', 'noWorker', run.early > 3, ['processes that were started for cells end before the first one, ' ...
           'the last %s'], ending_of (status));
at = child.queue(1:min (1, end));
run.next = [child.queue(2:end), run.next];
if ~isempty (at) && (status < 0 || ~WIFEXITED (status)) && ~any (run.killed == at)
  run.killed(end+1) = at;
  run.next = [at, run.next];
elseif ~isempty (at)
  record = struct ('cell', values_at (plan, at), 'status', 'failed', 'error', ...
                   ['fun ended its process, ' ending_of(status)], 'value', struct ());
  store (plan, at, record);
  run.done = run.done + 1;
  run.failed = run.failed + 1;
end
fclose (child.in);
fclose (child.out);
child = start (file);
end

function text = ending_of (status)
if status < 0
  text = 'with a status that Octave did not keep';
elseif WIFEXITED (status)
  text = sprintf ('with exit code %d', WEXITSTATUS (status));
else
  text = sprintf ('which was killed by signal %d', WTERMSIG (status));
end
end

function [child, run] = feed (child, run, children)
% Half a second of work, but no more than a share of what is left
if ~child.ready || isempty (run.next), return; end
room = 1;
if run.done > 0
  room = min (ceil (0.5 / max (run.busy / run.done, 1e-3)), ceil (numel (run.next) / (2 * children)));
end
if numel (child.queue) > room / 2, return; end
count = min (room - numel (child.queue), numel (run.next));
if count < 1, return; end
if isempty (child.queue), child.since = tic (); end
fprintf (child.in, '%s\n#', sprintf ('%d ', run.next(1:count)));            % fgetl waits for what follows a line
fflush (child.in);
child.queue = [child.queue, run.next(1:count)];
run.next(1:count) = [];
end

function [record, stopped] = sweep_cell (plan, k, quiet)
% Run one cell of a sweep, whatever its function does.
% Inputs :  plan, from sweep_plan;  k, number of the cell;  quiet, true in a process of a sweep: nothing is shown
% Outputs:  record, struct of cell (its values), status ('done' or 'failed'), error (the message, or '') and value (a
%           struct of the function's result);  stopped, whether Ctrl-C ended a run of attnpath in it: the record
%           is then invalid
% Warnings are kept in a field warnings of value, a cell of texts, unless fun returned a field of this name. lastwarn
% does not tell: in Octave 11, as in MATLAB, it also has those that are off, among them remarks of the parser on
% Octave's own files when a function is first loaded. In a session of MATLAB it is all there is.
% The cell has its own random stream, an error is its result, and the directory is afterwards what it was before. A
% function that ends the session (exit) cannot be stopped, but a message names its cell.
here = pwd ();
record = struct ('cell', values_at (plan, k), 'status', 'done', 'error', '', 'value', struct ());
left = onCleanup (@() within (plan, 0));
within (plan, k);
[text, id] = lastwarn ();
lastwarn ('', '');
shown = '';
if quiet
  shown = evalc ('[record, stopped] = tried (plan, k, record);');
else
  [record, stopped, shown] = overheard (plan, k, record);
end
within (plan, -k);
if ~isempty (record.error)
  record.status = 'failed';
  record.value = struct ();
end
warned = regexp (shown, '(?mi)^warning: (?!called from)(.*)$', 'tokens', 'dotexceptnewline');
warned = [warned{:}];
if isempty (warned), lastwarn (text, id); end
if ~isempty (warned), ap_say ('sweep', ~quiet, 'warnings of the cell %s', label_of (plan, k)); end
if ~isempty (warned) && ~isfield (record.value, 'warnings'), record.value.warnings = warned; end
if ~strcmp (pwd (), here), cd (here); end
end

function [record, stopped, shown] = overheard (plan, k, record)
% What the cell shows in this session goes to a diary of its own as well, and from there to one that the session writes
if ~exist ('OCTAVE_VERSION', 'builtin')
  [record, stopped] = tried (plan, k, record);
  [text, id] = lastwarn ();
  on = ~isempty (text) && (isempty (id) || ~strcmp (getfield (warning ('query', id), 'state'), 'off'));
  shown = ap_either (on, ['warning: ' strtok(text, char (10))], '');
  return
end
file = tempname ();
[was_on, name] = diary ();
here = pwd ();
back = onCleanup (@() diary_back (was_on, name, file, here));
diary (file);
[record, stopped] = tried (plan, k, record);
diary ('off');
shown = fileread (file);
end

function diary_back (was_on, name, file, here)
% The session's diary has what the cell showed and goes on; or is off, under its own name. Naming it makes the file
diary ('off');
if ~strcmp (pwd (), here), cd (here); end
empty = ~was_on && ~isfile (name);
try
  if was_on
    fid = fopen (name, 'a');
    fprintf (fid, '%s', fileread (file));
    fclose (fid);
  end
  diary (name);
catch                                              % in a folder that cannot be written
end
if ~was_on, diary ('off'); end
if empty && isfile (name), delete (name); end
delete (file);
end

function [record, stopped] = tried (plan, k, record)
stopped = false;
try
  record.value = ap_seeded (plan.seed(k,:), @() plan.fun (record.cell));
  [record.value, record.error] = fields_of (record.value, ~isempty (plan.folder));
catch err
  record.error = err.message;
  if isempty (record.error), record.error = 'an error without a message'; end
  stopped = ~isempty (regexp (err.identifier, '^attnpath:\w+:interrupted$', 'once'));
end
end

function within (plan, k)
% Called with k at the start of a cell, with -k at its end, and with 0 when it is left: if that is before its end, the
% session is ending, or Ctrl-C could not be held
persistent now
if k == 0 && now > 0
  fprintf ('attnpath_sweep: the cell %s was left by exit, or by Ctrl-C: it is not done\n', label_of (plan, now));
end
now = k;
end

function [value, why] = fields_of (value, stored)
% One struct of the function's result, and the fault in it, if any
why = '';
if ~isstruct (value) || numel (value) ~= 1, value = struct ('value', {value}); end
own = {'cell', 'status', 'error'};
taken = own(isfield (value, own));
if ~isempty (taken)
  why = sprintf ('fun returned a field %s, which is one of the fields that results have of their own', taken{1});
elseif stored
  bad = stranger (value);
  if ~isempty (bad), why = sprintf ('fun returned a %s, which no MAT file can hold', bad); end
end
end

function name = stranger (value)
% Searches value for an object other than array, text, cell or struct: its class; or for a field with too long a name
name = '';
if isstruct (value)
  fields = fieldnames (value);
  long = fields(cellfun (@numel, fields) > 63);
  if ~isempty (long)
    name = sprintf ('field whose name has %d letters where 63 are allowed, %s', numel (long{1}), long{1});
    return
  end
  value = struct2cell (value);
end
if iscell (value)
  for k = 1:numel (value)
    name = stranger (value{k});
    if ~isempty (name), return; end
  end
elseif ~(isnumeric (value) || ischar (value) || islogical (value))
  name = class (value);
end
end

function [there, names] = sweep_there (plan)
% Which cells of a sweep its folder has.
% Outputs:  there, 1 x cells;  names, 1 x n cell, of all files in the folder
if exist ('OCTAVE_VERSION', 'builtin')
  names = readdir (plan.folder)';                  % dir () looks at every file, which takes seconds for thousands
else
  found = dir (plan.folder);
  names = {found.name};
end
there = ismember (plan.file, names);
end

%!test
%! result = attnpath_sweep (@(c) struct ('x', 10 * c.a + c.b), struct ('a', 1:2, 'b', 3:5), 'Display', false);
%! assert (reshape ([result.x], 2, 3), [13 14 15; 23 24 25]);
