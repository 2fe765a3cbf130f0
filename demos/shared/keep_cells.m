function put_back = keep_cells (folder)
%KEEP_CELLS  Let the sweeps of sweep_cells keep their cells in a folder, as long as the result exists.
%
%   put_back = keep_cells (folder)
%   Outputs:  an onCleanup, which gives ATTNPATH_CELLS the value that it had
%   See also sweep_cells.

% SPDX-License-Identifier: BSD-3-Clause

before = getenv ('ATTNPATH_CELLS');
setenv ('ATTNPATH_CELLS', folder);
put_back = onCleanup (@() setenv ('ATTNPATH_CELLS', before));
end
