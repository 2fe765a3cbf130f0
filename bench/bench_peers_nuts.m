function bench_peers_nuts (python, draws, seconds, models, width)
% bench_peers_nuts: compares attnpath_sample with NumPyro's No-U-Turn sampler, on the same posteriors
%   bench_peers_nuts (python, draws, seconds, models, width): python, an interpreter that has numpyro and scipy
%   ('python3'); draws, largest number for each of four chains (1000), after half as many in a peer's warm-up; seconds
%   of the processor for a peer's warm-up and draws (600); models of peers_nuts.py, a cell (all three); width (10).
%   A short run: bench_peers_nuts (python, 40, 20, {'bartlett'})
% Markov task, P = 100, four paths, T = 0.01; f at 100 further sequences. The programs must agree: |z| is the
% difference of two posterior means divided by its Monte Carlo standard error, the largest over all entries of U and all
% f, between a program and the collapsed or Langevin draws of attnpath_sample. It should stay below 4.5: the largest of
% 110 independent normal numbers exceeds this with a probability below 1/1000. R-hat, errors and effective sample sizes
% (bulk) of all programs are those of attnpath_diagnose: R-hat is the largest, of the log posterior as well, ESS the
% smallest. Rates are ESS, the smaller one of U and f, per processor second of the draws, and of warm-up and draws
% together; in brackets if R-hat exceeds 1.01 or ESS is below 400. The caller sets OPENBLAS_NUM_THREADS=1.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, python = 'python3'; end
if nargin < 2, draws = 1000; end
if nargin < 3, seconds = 600; end
if nargin < 4, models = {'bartlett', 'out', 'weights'}; end
if nargin < 5, width = 10; end
[task, paths] = markov (0);                        % markov.bin of problems.m
[~, probe] = markov (1);
net = attnpath_net (task.heads, 'Width', width, 'Temperature', 0.01);
state = warning ('off', 'attnpath:sample:notConverged');
back = onCleanup (@() warning (state));
collapsed = ours (net, paths, task.ytrain, probe, draws, 'collapsed');
langevin = ours (net, paths, task.ytrain, probe, draws, 'langevin');
fprintf ('| program | compiling, s | warm-up, s (wall) | draws, s (wall) | draws | gradients a draw | diverged ');
fprintf ('| R-hat | ESS of U | ESS of f | ESS per s | with warm-up | z: collapsed | z: Langevin |\n|---|%s\n', ...
         repmat ('--:|', 1, 13));
row ('`attnpath_sample`, collapsed', collapsed, NaN, apart (collapsed, langevin));
row ('`attnpath_sample`, langevin', langevin, apart (langevin, collapsed), NaN);
for name = models
  run = peer (python, net, task.ytrain, paths, probe, draws, seconds, name{1});
  if isempty (run), break; end
  row (['NUTS, ' name{1}], run, apart (run, collapsed), apart (run, langevin));
end
end

function [task, paths] = markov (seed)
task = attnpath_task_markov ('P', 100, 'Ptest', 2, 'Seed', seed);
paths = attnpath_paths (attnpath_net (task.heads), task.Xtrain);
end

% The time of a run with one draw of each chain is that of preparation and warm-up.
function run = ours (net, paths, y, probe, draws, method)
sample = @(count) attnpath_sample (net, paths, y, 'Probe', probe, 'Draws', count, 'Method', method, 'Display', false);
[~, run.warmup] = timed (@() sample (1));
[post, both] = timed (@() sample (draws));
run.sampling = both - run.warmup;
run.draws = draws;
run.steps = mean (post.steps);
run.diverged = sum (post.divergences);
run.d = attnpath_diagnose (post);
end

function [post, seconds] = timed (call)            % processor seconds, and wall seconds
from = cputime ();
clock_from = tic ();
post = call ();
seconds = [cputime() - from, toc(clock_from)];
end

function run = peer (python, net, y, paths, probe, draws, seconds, model)
folder = tempname ();
mkdir (folder);
remove = onCleanup (@() rmdir (folder, 's'));
problem = struct ('Xi', paths.Xi, 'probes', probe.Xi, 'y', y, 'H', net.H, 'N', net.width(1), 'T', net.temperature, ...
                  'chains', 4, 'warmup', ceil (draws / 2), 'draws', draws, 'seconds', seconds, 'seed', 0);
files = {fullfile(folder, 'problem.mat'), fullfile(folder, 'draws.mat')};
save ('-v7', files{1}, '-struct', 'problem');
program = fullfile (fileparts (mfilename ('fullpath')), 'peers_nuts.py');
command = sprintf ('%s %s %s %s %s', python, program, files{:}, model);
run = [];
[status, text] = system ([command ' 2>&1']);
if status ~= 0
  fprintf ('the peer does not run here: %s\n', strtrim (text));
  return
end
run = load (files{2});
run.draws = size (run.f, 2);
run.steps = mean (run.steps(:));
run.diverged = sum (run.diverged(:));
run.d = attnpath_diagnose (struct ('U', run.U, 'f', run.f, 'logpost', run.logpost));
end

function z = apart (a, b)
of = @(field) abs (a.d.(field).mean(:) - b.d.(field).mean(:)) ./ hypot (a.d.(field).mcse(:), b.d.(field).mcse(:));
z = max ([of('U'); of('f')]);
end

function row (name, run, z1, z2)
ess = [min(run.d.U.ess_bulk(:)), min(run.d.f.ess_bulk(:))];
rates = min (ess) ./ [run.sampling(1), run.sampling(1) + run.warmup(1)];
form = '%.3g | %.3g';
if ~(run.d.rhat <= 1.01 && min (ess) >= 400), form = '(%.3g) | (%.3g)'; end
compiling = '';
if isfield (run, 'compilation'), compiling = sprintf ('%.3g', run.compilation(1)); end
text = strrep (sprintf ('%.1f | %.1f', z1, z2), 'NaN', '');
fprintf ('| %s | %s | %.3g (%.3g) | %.3g (%.3g) | 4 x %d | %.0f | %d ', name, compiling, run.warmup, run.sampling, ...
         run.draws, run.steps, run.diverged);
fprintf (['| %.3f | %.0f | %.0f | ' form ' | %s |\n'], run.d.rhat, ess, rates, text);
if max (z1, z2) > 4.5, fprintf ('the two programs do not agree\n'); end
fflush (stdout);
end
