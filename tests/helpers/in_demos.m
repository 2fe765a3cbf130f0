function varargout = in_demos (call, varargin)
% [...] = in_demos (call, ...): what a function gives with the demos on the path. They lie beside inst in the source
% tree, and below the functions where the package is installed.

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (which ('attnpath_demo'));
[top, last] = fileparts (here);
if strcmp (last, 'inst'), here = top; end
folders = genpath (fullfile (here, 'demos'));
addpath (folders);
unwind_protect
  [varargout{1:nargout}] = call (varargin{:});
unwind_protect_cleanup
  rmpath (folders);
end_unwind_protect
end
