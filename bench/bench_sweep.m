function bench_sweep (repeats)
% bench_sweep: time of attnpath_sweep without the function that it calls
%
%   bench_sweep ()             3 turns
%   bench_sweep (repeats)
%
% Prints a table of
%   overhead    time of a cell whose function does nothing, in this session without and with a folder: plan, random
%               stream, file and collection included
%   two         64 cells that learn and test a Markov task (bench_cell): two processes with a loop over half of the
%               cells each, in turns with attnpath_sweep (.., 'Workers', 2), from start to result
%   many        10 000 cells of a millisecond in two processes: time, files, growth of this session, and the time to
%               collect them
% Requires two quiet cores, OPENBLAS_NUM_THREADS=1, and inst, bench and the built gateways on the path:
%   octave-cli --norc --eval "addpath inst src bench; bench_sweep"

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, repeats = 3; end
confirm_recursive_rmdir (false, 'local');
fprintf ('| what | cells | measured |\n|---|--:|---|\n');
nothing = @(c) struct ('x', c.a);
grid = struct ('a', 1:1000);
for turn = 1:repeats
  clock = tic ();
  result = attnpath_sweep (nothing, grid, 'Display', false);
  alone(turn) = toc (clock);
  folder = tempname ();
  clock = tic ();
  result = attnpath_sweep (nothing, grid, 'Display', false, 'Folder', folder);
  kept(turn) = toc (clock);
  rmdir (folder, 's');
end
fprintf ('| overhead, without a folder | 1000 | %.2f ms a cell |\n', median (alone));
fprintf ('| overhead, with a folder | 1000 | %.2f ms a cell |\n', median (kept));

seeds = 1:64;
for turn = 1:repeats
  clock = tic ();
  halves ();
  bare(turn) = toc (clock);
  clock = tic ();
  result = attnpath_sweep (@bench_cell, struct ('seed', seeds), 'Workers', 2, 'Display', false);
  shared(turn) = toc (clock);
end
fprintf ('| two processes by hand | 64 | %s s |\n', sprintf ('%.2f ', bare));
fprintf ('| ''Workers'', 2 | 64 | %s s: %.2f of the speed by hand, median |\n', sprintf ('%.2f ', shared), ...
         median (bare ./ shared));

folder = tempname ();
before = peak_memory ();
clock = tic ();
result = attnpath_sweep (@bench_millisecond, struct ('a', 1:10000), 'Workers', 2, 'Folder', folder, 'Display', false);
fprintf ('| many cells of 1 ms in two processes | 10000 | %.1f s, %d files, this session %.0f MiB larger |\n', ...
         toc (clock), numel (readdir (folder)) - 2, 1024 * (peak_memory () - before));
clock = tic ();
found = attnpath_sweep (@bench_millisecond, struct ('a', 1:10000), 'Folder', folder, 'Collect', true);
fprintf ('| collecting them | 10000 | %.1f s |\n', toc (clock));
assert (isequal (found, result));
rmdir (folder, 's');
end

function halves ()
% Two processes without attnpath_sweep: each loops over half of the cells and then saves all results into one file
places = sprintf ('''%s'', ', fileparts (which ('attnpath_sweep')), fileparts (which ('attnpath_solve_mex')), ...
                  fileparts (which ('bench_sweep')));
for w = 1:2
  file = tempname ();
  code = sprintf (['addpath (%s); for k = %d:2:64, r(k) = bench_cell (struct (''seed'', k)); end, ' ...
                   'save (''-v6'', ''%s'', ''r''); delete (''%s'');'], places(1:end-2), w, file, file);
  command = sprintf ('OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 exec octave-cli --norc --no-history --eval "%s"', code);
  process(w) = system (command, false, 'async');
end
for w = 1:2, waitpid (process(w)); end
end
