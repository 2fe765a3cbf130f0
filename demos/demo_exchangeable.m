% demo_exchangeable.m: runs a demo from the source tree, after make all. On a machine without a display:
%   xvfb-run -a octave --no-gui demos/demo_exchangeable.m
% The demo is experiment_exchangeable.m, and attnpath_demo ('exchangeable') runs it wherever the package is installed.

% SPDX-License-Identifier: BSD-3-Clause

top = fileparts (fileparts (mfilename ('fullpath')));
if isempty (which ('attnpath_demo'))
  addpath (fullfile (top, 'inst'), fullfile (top, 'src'));
end
attnpath_demo ('exchangeable');
