% run_demo.m: runs a demo from the source tree, after make all; without a name it lists the demos there are.
%   octave --no-gui demos/run_demo.m markov
% On a machine without a display put xvfb-run -a in front. In an installed package, and in MATLAB, it is
% attnpath_demo ('markov').

% SPDX-License-Identifier: BSD-3-Clause

top = fileparts (fileparts (mfilename ('fullpath')));
if isempty (which ('attnpath_demo'))
  addpath (fullfile (top, 'inst'), fullfile (top, 'src'));
end
said = argv ();
if isempty (said) || ~isempty (regexp (said{end}, '(^-|\.m$)', 'once'))
  attnpath_demo ();
else
  attnpath_demo (said{end});
end
