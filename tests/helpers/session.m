function [command, gone] = session (code)
% [command, gone] = session (code): what the shell runs to run the code in an Octave of its own, with attnpath on its
% path, until gone is cleared.

% SPDX-License-Identifier: BSD-3-Clause

[file, gone] = scratch ('code.m');
folders = {fileparts(which ('attnpath_solve')), fileparts(which ('attnpath_solve_mex'))};
file_bytes (file, sprintf ('1;\naddpath (''%s'', ''%s'');\n%s\n', folders{:}, code));
command = sprintf ('"%s" --norc --no-history "%s"', fullfile (OCTAVE_HOME (), 'bin', 'octave-cli'), file);
end
