% demo_markov.m: runs the demo from the source tree, xvfb-run -a octave --no-gui demos/demo_markov.m on a machine
% without a display. The demo itself is experiment_markov.m, which attnpath_demo ('markov') runs wherever it is installed.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (which ('attnpath_demo'))             % the package is not loaded: use the tree, after make all
  addpath (fullfile (fileparts (fileparts (mfilename ('fullpath'))), 'inst'));
  addpath (fullfile (fileparts (fileparts (mfilename ('fullpath'))), 'src'));
end
attnpath_demo ('markov');
