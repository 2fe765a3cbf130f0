% demo_exchangeable.m: runs the demo from the source tree, xvfb-run -a octave --no-gui demos/demo_exchangeable.m on a machine
% without a display. The demo itself is experiment_exchangeable.m, which attnpath_demo ('exchangeable') runs wherever it is installed.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (which ('attnpath_demo'))             % the package is not loaded: use the tree, after make all
  addpath (fullfile (fileparts (fileparts (mfilename ('fullpath'))), 'inst'));
  addpath (fullfile (fileparts (fileparts (mfilename ('fullpath'))), 'src'));
end
attnpath_demo ('exchangeable');
