% run_demo.m: runs a demo from the source tree, after make all; without a name it lists the demos.
%   octave --no-gui demos/run_demo.m markov
% On a machine without a display put xvfb-run -a in front. In an installed package, and in MATLAB, call
% attnpath_demo ('markov') instead.

% SPDX-License-Identifier: BSD-3-Clause

top = fileparts (fileparts (mfilename ('fullpath')));
if isempty (which ('attnpath_demo'))
  addpath (fullfile (top, 'inst'), fullfile (top, 'src'));
end
given = argv ();
if isempty (given) || ~isempty (regexp (given{end}, '(^-|\.m$)', 'once'))
  attnpath_demo ();
else
  attnpath_demo (given{end});
end
