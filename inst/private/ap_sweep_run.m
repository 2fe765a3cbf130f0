function [run, ending] = ap_sweep_run (plan, todo, workers, there, display)
%AP_SWEEP_RUN  Run cells of a sweep in this session or in processes of their own, with progress and Ctrl-C.
%   [run, ending] = AP_SWEEP_RUN (plan, todo, workers, there, display)
%   Inputs :  plan, from ap_sweep_plan;  todo, numbers of the cells;  workers, how many processes, 0 for this session;
%             there, how many cells are in the folder already;  display, whether progress is told
%   Outputs:  run, struct of record (1 x cells cell, filled where a cell ran in this session without a folder), done and
%             failed (numbers of cells that this call has finished);  ending, '' or 'interrupted', as from ap_run
%   Errors:   attnpath:sweep: file, noWorker
%   See also ap_run, ap_sweep_cell, ap_sweep_team.

% SPDX-License-Identifier: BSD-3-Clause

clock = tic ();
run = struct ('todo', todo, 'record', {cell(1, numel (plan.file))}, 'done', 0, 'failed', 0);
warned = ap_sweep_warned ();
if workers == 0
  advance = @(run, count) here (run, count, plan);
elseif exist ('OCTAVE_VERSION', 'builtin')
  dismissed = onCleanup (@() ap_sweep_team ('dismiss'));
  ap_sweep_team ('hire', plan, min (workers, numel (todo)));
  advance = @(run, count) ap_sweep_team ('work', plan, run);
else
  advance = @(run, count) by_parfor (run, count, plan, workers);
end
job = struct ('name', 'sweep', 'goal', numel (todo), 'done', @(run) run.done, 'advance', advance, 'overhead', 0, ...
              'clock', @() toc (clock), 'file', '', 'every', Inf, 'pack', [], 'display', display, ...
              'report', @(run, notes, last) report (run, there), ...
              'few', 3 + 2 * workers);              % of the first cells of several processes the slow ones are missing
announce (display, todo, workers, there);
[run, ending] = ap_run (job, run);
end

function [run, ending, seconds] = here (run, count, plan)
begun = tic ();
ending = '';
for k = run.todo(run.done + (1:count))
  [record, stopped] = ap_sweep_cell (plan, k, false);
  if stopped
    ending = 'interrupted';
    break
  end
  if isempty (plan.folder)
    run.record{k} = record;
  else
    ap_sweep_store (plan, k, record);
  end
  run.done = run.done + 1;
  run.failed = run.failed + strcmp (record.status, 'failed');
  if attnpath_interrupt_mex ('seen'), break; end
end
seconds = toc (begun);
end

function announce (display, todo, workers, there)
% The first cell may take hours, and nothing can be told before it ends
if ~display || isempty (todo), return; end
where = 'in this session';
if workers > 0, where = sprintf ('in %d processes', min (workers, numel (todo))); end
had = '';
if there > 0, had = sprintf (', %d are there already', there); end
fprintf ('attnpath_sweep: %d cells to run %s%s\n', numel (todo), where, had);
ap_flush ();
end

function [where, more, notes] = report (run, there)
notes = [];
more = '';
where = sprintf ('%d of %d cells', there + run.done, there + numel (run.todo));
if run.failed > 0, where = sprintf ('%s, %d failed', where, run.failed); end
end

function [run, ending, seconds] = by_parfor (run, count, plan, workers)
% The next cells of a sweep in MATLAB's parallel workers, one BLAS thread each.
% This is advance of ap_run: it runs as many cells as ap_run says, but no fewer than there are workers. Records go
% through the folder. Without the Parallel Computing Toolbox the loop runs in this session.
begun = tic ();
next = run.todo(run.done + (1:min (max (count, workers), numel (run.todo) - run.done)));
failed = false (1, numel (next));
parfor (j = 1:numel (next), workers)
  record = ap_sweep_cell (plan, next(j), workers > 0);
  ap_sweep_store (plan, next(j), record);
  failed(j) = strcmp (record.status, 'failed');
end
run.done = run.done + numel (next);
run.failed = run.failed + sum (failed);
ending = '';
seconds = toc (begun);
end
