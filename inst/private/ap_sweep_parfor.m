function [run, ending, seconds] = ap_sweep_parfor (run, count, plan, workers)
%AP_SWEEP_PARFOR  The next cells of a sweep in MATLAB's parallel workers, one BLAS thread each.
%   [run, ending, seconds] = AP_SWEEP_PARFOR (run, count, plan, workers)
%   As advance in ap_run: as many cells as it says, but no fewer than there are workers. The records go through the
%   folder. Without the Parallel Computing Toolbox the loop runs in this session.
%   See also ap_sweep_run, ap_sweep_team.

% SPDX-License-Identifier: BSD-3-Clause

begun = tic ();
next = run.todo(run.done + (1:min (max (count, workers), numel (run.todo) - run.done)));
failed = false (1, numel (next));
parfor (j = 1:numel (next), workers)
  record = ap_sweep_cell (plan, next(j));
  ap_sweep_store (plan, next(j), record);
  failed(j) = strcmp (record.status, 'failed');
end
run.done = run.done + numel (next);
run.failed = run.failed + sum (failed);
ending = '';
seconds = toc (begun);
end
