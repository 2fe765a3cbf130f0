function make_mex (where)
%MAKE_MEX  Build all gateways with the host's own mex command: the way to install attnpath under MATLAB.
%   MAKE_MEX ()
%   MAKE_MEX (where)
%   Inputs :  where, folder for the results; left out: src, beside inst
%   Then addpath inst and that folder. Under Octave `pkg install` or `make all` do this; the function works there
%   too, for those without make. A C11 compiler must be set up: mex -setup C.
%   Example:
%     cd attnpath/mex; make_mex
%     addpath ../inst ../src; savepath

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (mfilename ('fullpath'));
src = fullfile (here, '..', 'src');
if nargin < 1, where = src; end
core = dir (fullfile (src, 'ap_*.c'));
core = cellfun (@(name) fullfile (src, name), {core.name}, 'UniformOutput', false);
shared = dir (fullfile (here, 'ap_mex*.c'));
core = [core, cellfun(@(name) fullfile (here, name), {shared.name}, 'UniformOutput', false)];
gates = dir (fullfile (here, 'attnpath_*_mex.c'));
include = {['-I' src], ['-I' here]};
for k = 1:numel (gates)
  [~, name] = fileparts (gates(k).name);
  fprintf ('%s (%d of %d)\n', name, k, numel (gates));
  sources = [{fullfile(here, gates(k).name)}, core];
  if exist ('OCTAVE_VERSION', 'builtin')
    target = {'-o', fullfile(where, [name '.' mexext()])};
    mex ('-std=c11', include{:}, target{:}, sources{:}, '-llapack', '-lblas');
  elseif ispc
    % MinGW and MSVC differ in flags, and C11 is what both of them speak by now
    mex ('-R2017b', '-DAP_MATLAB', include{:}, '-outdir', where, '-output', name, sources{:}, '-lmwlapack', '-lmwblas');
  else
    mex ('-R2017b', '-DAP_MATLAB', 'CFLAGS=$CFLAGS -std=c11', include{:}, '-outdir', where, '-output', name, ...
         sources{:}, '-lmwlapack', '-lmwblas');
  end
end
end
