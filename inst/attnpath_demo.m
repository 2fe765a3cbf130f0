function names = attnpath_demo (name)
%ATTNPATH_DEMO  Run one of the demos that come with the package, or list them.
%
%   attnpath_demo (name)
%   attnpath_demo ()
%   names = attnpath_demo ()
%
%   Inputs :
%     name      which demo, such as 'markov'
%
%   Outputs:
%     names     1 x k cell of the demos there are. Without an output they are listed, with what each shows
%
%   A demo prints its numbers and writes its figures into the current directory, or into the folder that the
%   environment variable ATTNPATH_DEMO_DIR names. With ATTNPATH_QUICK set to 1 a demo does less of the same.
%   On a machine without a display, use a virtual one:
%     xvfb-run -a octave --no-gui --eval "pkg load attnpath; attnpath_demo ('markov')"
%
%   Example:
%     >> names = attnpath_demo ();
%     >> any (strcmp (names, 'markov'))
%     ans = 1
%
%
%   See also attnpath_plot, attnpath_task_markov.
%
%   TESTING: demo.tst

% SPDX-License-Identifier: BSD-3-Clause

[names, files] = list_demos ();
if nargin > 0
  if isa (name, 'string') && numel (name) == 1, name = char (name); end
  name = ap_check_choice ('demo', 'name', name, names);
  run_demo (files{strcmp(name, names)});
elseif nargout == 0
  for k = 1:numel (names)
    fprintf ('%-12s %s\n', names{k}, first_line (files{k}));
  end
end
if nargout == 0, clear names, end
end

function [names, files] = list_demos ()
% In the source tree the demos lie beside inst, in an installed package below this file
here = fileparts (mfilename ('fullpath'));
[top, last] = fileparts (here);
folder = fullfile (here, 'demos');
if strcmp (last, 'inst'), folder = fullfile (top, 'demos'); end
found = dir (fullfile (folder, 'experiment_*.m'));
if isempty (found)
  ap_fail ('demo', 'noFile', 'there are no demos in %s', folder);
end
files = cellfun (@(f) fullfile (folder, f), sort ({found.name}), 'UniformOutput', false);
names = regexprep (sort ({found.name}), '^experiment_(.*)\.m$', '$1');
end

function run_demo (file)
% A demo is a function. It and what the demos share are on the path while it runs
[folder, name] = fileparts (file);
if ~any (strcmp (strsplit (path (), pathsep ()), folder))
  addpath (folder);
  off_the_path = onCleanup (@() rmpath (folder));
end
feval (name);
end

function text = first_line (file)
% Of the help text, without the name that it begins with
text = regexp (fileread (file), '(?m)^%\s*\S+\s+([^\n\r]*)', 'tokens', 'once');
text = strtrim (text{1});
end

%!assert (any (strcmp (attnpath_demo (), 'markov')))
