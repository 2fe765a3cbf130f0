function make_mex (where)
%MAKE_MEX  Build all gateways with the host's own mex command: the way to install attnpath under MATLAB.
%   MAKE_MEX ()
%   MAKE_MEX (where)
%   Inputs :  where, folder for the results; left out: src, beside inst
%   The core is compiled once, then every gateway is linked with it; with OpenMP, so that chains and examples run in
%   threads, where the compiler has it. Then addpath inst and that folder. Under Octave `pkg install` or `make all` do
%   this; the function works there too, for those without make. A C11 compiler must be set up: mex -setup C.
%   Example:
%     cd attnpath/mex; make_mex
%     addpath ../inst ../src; savepath

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (mfilename ('fullpath'));
src = fullfile (here, '..', 'src');
if nargin < 1, where = src; end
objects = tempname ();
mkdir (objects);
cleaner = onCleanup (@() remove (objects));
flags = [host_flags(), {['-I' src], ['-I' here]}];
[flags, libraries] = with_openmp (flags, objects);

shared = [in_folders_of(src, 'ap_*.c'), in_folder(here, 'ap_mex*.c')];
gates = in_folder (here, 'attnpath_*_mex.c');
fprintf ('the core: %d files\n', numel (shared));
core = cellfun (@(file) compile (file, flags, objects), shared, 'UniformOutput', false);
for k = 1:numel (gates)
  [~, name] = fileparts (gates{k});
  fprintf ('%s (%d of %d)\n', name, k, numel (gates));
  link (where, name, [{compile(gates{k}, flags, objects)}, core], flags, libraries);
end
if ~exist ('OCTAVE_VERSION', 'builtin'), make_signatures (); end
end

function flags = host_flags ()
if exist ('OCTAVE_VERSION', 'builtin')
  flags = {'-std=c11'};
elseif ispc && ~isempty (strfind (compiler (), 'Microsoft'))
  flags = {'-R2017b', '-DAP_MATLAB', 'COMPFLAGS=$COMPFLAGS /std:c11'};         % restrict and _Noreturn
else
  flags = {'-R2017b', '-DAP_MATLAB', 'CFLAGS=$CFLAGS -std=c11'};
end
end

function name = compiler ()
name = '';
try
  name = getfield (mex.getCompilerConfigurations ('C', 'Selected'), 'Name');
catch
end
end

function [flags, libraries] = with_openmp (flags, objects)
% A file of one line is tried. Octave's own flags have OpenMP wherever Octave itself was built with it
libraries = {};
if exist ('OCTAVE_VERSION', 'builtin') || ismac (), return; end
file = fullfile (objects, 'try_openmp.c');
fid = fopen (file, 'w');
fprintf (fid, '#include "mex.h"\n#include <omp.h>\nvoid mexFunction(int a, mxArray *b[], int c, const mxArray *d[]) ');
fprintf (fid, '{ (void)a; (void)b; (void)c; (void)d; (void)omp_get_max_threads(); }\n');
fclose (fid);
tried = flags;
added = {};
if strncmp (flags{3}, 'COMPFLAGS', 9)              % see host_flags
  tried{3} = [flags{3} ' /openmp'];
else
  tried{3} = [flags{3} ' -fopenmp'];
  added = {'LDFLAGS=$LDFLAGS -fopenmp'};
end
try
  mex (tried{:}, added{:}, '-outdir', objects, file);
  flags = tried;
  libraries = added;
catch
  fprintf ('without OpenMP: this compiler has none\n');
end
end

function object = compile (file, flags, objects)
[~, name] = fileparts (file);
if exist ('OCTAVE_VERSION', 'builtin')
  object = fullfile (objects, [name '.o']);
  [output, failed] = mkoctfile ('-c', flags{:}, '-o', object, file);
  if failed, error ('make_mex:failed', '%s was not compiled', file); end
else
  mex ('-c', flags{:}, '-outdir', objects, file);
  object = dir (fullfile (objects, [name '.o*']));
  object = fullfile (objects, object(1).name);
end
end

function link (where, name, files, flags, libraries)
if exist ('OCTAVE_VERSION', 'builtin')
  linked = strsplit (strtrim ([mkoctfile('-p', 'LAPACK_LIBS') ' ' mkoctfile('-p', 'BLAS_LIBS')]));
  mex ('-o', fullfile (where, [name '.' mexext()]), files{:}, linked{:});
else
  mex (flags{1}, libraries{:}, '-outdir', where, '-output', name, files{:}, '-lmwlapack', '-lmwblas');
end
end

function files = in_folder (folder, pattern)
found = dir (fullfile (folder, pattern));
files = cellfun (@(name) fullfile (folder, name), {found.name}, 'UniformOutput', false);
end

function files = in_folders_of (folder, pattern)
files = {};
found = dir (folder);
for part = {found([found.isdir] & ~strncmp ({found.name}, '.', 1)).name}
  files = [files, in_folder(fullfile (folder, part{1}), pattern)];
end
end

function remove (folder)
found = in_folder (folder, '*.*');
for k = 1:numel (found)
  if exist (found{k}, 'dir') ~= 7, delete (found{k}); end
end
rmdir (folder);
end
