function result = sweep_cells (name, fun, grid)
%SWEEP_CELLS  The sweep of a demo or figure: every cell done, or an error that says what is missing.
%
%   result = sweep_cells (name, fun, grid)
%   Inputs :  name, of the folder of cells;  fun, grid, as for attnpath_sweep
%   Outputs:  struct array in the shape of the grid
%   With a folder in the environment variable ATTNPATH_CELLS cells are kept in a folder of this name in it: what was
%   interrupted goes on. With ATTNPATH_QUICK=1, whose cells are others, the name has an appendix. ATTNPATH_WORKERS is
%   the number of processes, 0 (this session) where it is not set.
%   Errors:   attnpath:demo:cells if a cell failed or did not run, those of attnpath_sweep
%   See also attnpath_sweep, quick_mode.

% SPDX-License-Identifier: BSD-3-Clause

folder = getenv ('ATTNPATH_CELLS');
if ~isempty (folder)
  if exist (folder, 'dir') ~= 7, mkdir (folder); end
  if strcmp (getenv ('ATTNPATH_QUICK'), '1'), name = [name '_quick']; end
  folder = fullfile (folder, name);
end
workers = str2double (getenv ('ATTNPATH_WORKERS'));
if isnan (workers), workers = 0; end
result = attnpath_sweep (fun, grid, 'Folder', folder, 'Workers', workers);
bad = find (~strcmp ({result.status}, 'done'));
if ~isempty (bad)
  error ('attnpath:demo:cells', '%s: %d of %d cells are not done, the first of them %s %s', name, numel (bad), ...
         numel (result), result(bad(1)).status, result(bad(1)).error);
end
end
