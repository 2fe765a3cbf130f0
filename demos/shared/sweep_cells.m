function result = sweep_cells (name, fun, grid)
%SWEEP_CELLS  Run the sweep of a demo or figure to the end; an error names the first cell that is not done.
%
%   result = sweep_cells (name, fun, grid)
%   Inputs :  name, of the folder of cells;  fun, grid, as for attnpath_sweep
%   Outputs:  struct array in the shape of the grid
%   If the environment variable ATTNPATH_CELLS names a folder, cells are kept in its subfolder of this name, and an
%   interrupted sweep resumes. With ATTNPATH_QUICK=1 the subfolder is name_quick. ATTNPATH_WORKERS is the number of
%   processes (default 0: this session).
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
