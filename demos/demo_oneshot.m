% demo_oneshot.m: runs a demo from the source tree, after make all. On a machine without a display:
%   xvfb-run -a octave --no-gui demos/demo_oneshot.m
% The demo is experiment_oneshot.m, and attnpath_demo ('oneshot') runs it wherever the package is installed.

% SPDX-License-Identifier: BSD-3-Clause

top = fileparts (fileparts (mfilename ('fullpath')));
if isempty (which ('attnpath_demo'))
  addpath (fullfile (top, 'inst'), fullfile (top, 'src'));
end
attnpath_demo ('oneshot');
