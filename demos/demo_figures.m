% demo_figures.m: runs a demo from the source tree, after make all. On a machine without a display:
%   xvfb-run -a octave --no-gui demos/demo_figures.m
% The demo is experiment_figures.m, and attnpath_demo ('figures') runs it wherever the package is installed.

% SPDX-License-Identifier: BSD-3-Clause

top = fileparts (fileparts (mfilename ('fullpath')));
if isempty (which ('attnpath_demo'))
  addpath (fullfile (top, 'inst'), fullfile (top, 'src'));
end
attnpath_demo ('figures');
