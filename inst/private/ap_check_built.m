function ap_check_built (fname)
%AP_CHECK_BUILT  Checks that the gateways exist; the error explains how to build them.
%
%   AP_CHECK_BUILT (fname)
%   Called where work begins: by attnpath_net and attnpath_attend.
%   Errors:   attnpath:<fname>:noGateways
%   See also attnpath_net.

% SPDX-License-Identifier: BSD-3-Clause

if any (exist ('attnpath_solve_mex') == [2 3]), return; end      % a MEX file, or what a test puts in its place
root = fileparts (fileparts (fileparts (mfilename ('fullpath'))));
src = fullfile (root, 'src');
built = fullfile (src, ['attnpath_solve_mex.' mexext()]);
ap_refuse (fname, 'noGateways', exist (built, 'file') == 3 || exist (built, 'file') == 2, ...
           'the gateways are not on the path: addpath (''%s'')', src);
ap_refuse (fname, 'noGateways', exist ('OCTAVE_VERSION', 'builtin'), ['the gateways are not built: run "make all" ' ...
           'in %s (it needs make, a C compiler and mkoctfile), and addpath inst src; or "make install", which ' ...
           'installs the package'], root);
ap_fail (fname, 'noGateways', 'the gateways are not built: run make_mex in %s, and add inst and src to the path', ...
         fullfile (root, 'mex'));
end
