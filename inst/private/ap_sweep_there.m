function [there, names] = ap_sweep_there (plan)
%AP_SWEEP_THERE  Which cells of a sweep its folder has.
%   [there, names] = AP_SWEEP_THERE (plan)
%   Outputs:  there, 1 x cells;  names, 1 x n cell, of all files in the folder
%   See also ap_sweep_folder.

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin')
  names = readdir (plan.folder)';                  % dir () looks at every file, which takes seconds for thousands
else
  found = dir (plan.folder);
  names = {found.name};
end
there = ismember (plan.file, names);
end
