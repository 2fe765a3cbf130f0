function folder = figure_folder (demo)
%FIGURE_FOLDER  The folder into which a demo writes its figures. Fails before any work if it cannot be written into.
%
%   folder = figure_folder (demo)
%   Inputs :  demo, its name, for messages
%   Outputs:  the folder in the environment variable ATTNPATH_DEMO_DIR, or the current directory
%   Errors:   attnpath:demo:folder if it is missing or cannot be written into

% SPDX-License-Identifier: BSD-3-Clause

folder = getenv ('ATTNPATH_DEMO_DIR');
if isempty (folder), folder = pwd (); end
if exist (folder, 'dir') ~= 7
  error ('attnpath:demo:folder', '%s: there is no folder %s to write the figures into', demo, folder);
end
probe = tempname (folder);
file = fopen (probe, 'w');
if file < 0
  error ('attnpath:demo:folder', '%s: cannot write figures into the folder %s', demo, folder);
end
fclose (file);
delete (probe);
end
