function names = attnpath_demo (name)
%ATTNPATH_DEMO  Run one of the demos of the package, or list them.
%
%   attnpath_demo (name)
%   attnpath_demo ()
%   names = attnpath_demo ()
%
%   Inputs :
%     name      of a demo, such as 'markov'
%
%   Outputs:
%     names     1 x k cell of the names of all demos. Without an output, their names and summaries are printed
%
%   A demo prints its numbers and writes its figures into the current directory, or into the folder in the
%   environment variable ATTNPATH_DEMO_DIR. With ATTNPATH_QUICK set to 1 a demo runs a smaller problem.
%   On a machine without a display, use a virtual one:
%     xvfb-run -a octave --no-gui --eval "pkg load attnpath; attnpath_demo ('markov')"
%   There Ctrl-C ends Octave; finished cells remain. With gnuplot and no display it ends the demo alone.
%
%   Example:
%     >> names = attnpath_demo ();
%     >> any (strcmp (names, 'markov'))
%     ans = 1
%
%
%   See also attnpath_plot, attnpath_task_markov.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: demo.tst

[names, folder] = list_demos ();
if nargin > 0
  if isa (name, 'string') && numel (name) == 1, name = char (name); end
  name = ap_check_value ('demo', 'name', name, 'word', names);
  run_demo (folder, name);
elseif nargout == 0
  for k = 1:numel (names)
    % the first line of its help, without the name that it begins with
    text = regexp (fileread (file_of (folder, names{k})), '(?m)^%\s*\S+\s+([^\n\r]*)', 'tokens', 'once');
    fprintf ('%-12s %s\n', names{k}, strtrim (text{1}));
  end
end
if nargout == 0, clear -regexp ^names$, end
end

function [names, folder] = list_demos ()
% In the source tree the folder of demos is next to inst; in an installed package it is next to this file
here = fileparts (mfilename ('fullpath'));
[top, last] = fileparts (here);
folder = fullfile (here, 'demos');
if strcmp (last, 'inst'), folder = fullfile (top, 'demos'); end
found = dir (folder);
names = sort ({found.name});
names = names(cellfun (@(name) exist (file_of (folder, name), 'file') == 2, names));
ap_refuse ('demo', 'noFile', isempty (names), 'there are no demos in %s', folder);
end

function file = file_of (folder, name)
file = fullfile (folder, name, ['experiment_' name '.m']);
end

function run_demo (folder, name)
% A demo is a function. It uses functions of the other folders: all of them are on the path while it runs
below = strsplit (genpath (folder), pathsep ());
new = below(~cellfun (@isempty, below) & ~ismember (below, strsplit (path (), pathsep ())));
if ~isempty (new)
  addpath (new{:});
  off_the_path = onCleanup (@() rmpath (new{:}));
end
feval (['experiment_' name]);
end

%!assert (any (strcmp (attnpath_demo (), 'markov')))
