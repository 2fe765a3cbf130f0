function bench_moments (P)
% bench_moments: time of solutions from moments, against the number of examples
%
%   bench_moments ()           many examples: all of them against a reduced set; solutions at several P
%   bench_moments (P)          P examples of the Markov task, generated in parts, from tokens to certificate: half an
%                              hour for 10^6
%
% Prints tables. Peak memory is that of this whole Octave process (VmHWM). Use one BLAS thread
% (OPENBLAS_NUM_THREADS=1) for comparable figures.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1
  against_itself ();
  flat ();
else
  from_tokens (P);
end
end

function against_itself ()
% The Markov task, with more examples than features times paths
[P, features] = deal (2000, 60);
task = attnpath_task_markov ('P', P, 'Ptest', 2, 'Features', features, 'Tokens', 10);
net = attnpath_net (task.heads, 'Width', 30, 'Temperature', 0.01);
paths = attnpath_paths (net, task.Xtrain);
settings = struct ('tolerance', 1e-8, 'maxiterations', 200, 'memory', 2^31, 'certificate', true, 'display', 0, ...
                   'parts', false, 'starts', 0, 'seed', 0);
prepare = struct ('memory', 0, 'store', false, 'reduce', false, 'evaluations', 0, 'threads', 0, 'shared', false, ...
                  'of', []);
scale = prod (net.variance(2:end));
order = {scale * eye(4), scale * eye(2)};
begun = tic ();
data = completed (attnpath_prepare_mex (net, paths.Xi, task.ytrain, prepare), paths.Xi, task.ytrain);
whole = attnpath_solve_mex (net, data, order, settings);
as_they_are = toc (begun);
times = zeros (1, 5);
for k = 1:5
  begun = tic ();
  sol = attnpath_solve (net, paths, task.ytrain);
  times(k) = toc (begun);
end
fprintf ('P = %d, 4 paths, N0 = %d, N = 30, T = 0.01, with certificate:\n\n', P, size (paths.Xi, 1));
fprintf ('| | s | evaluations |\n|---|--:|--:|\n');
fprintf ('| examples as they are | %.2f | %d |\n', as_they_are, whole.evaluations);
fprintf ('| attnpath_solve | %.3f | %d |\n', min (times), sol.evaluations);
fprintf ('\n%.0f times faster; U apart by %.1g, action by %.1g, relative.\n\n', as_they_are / min (times), ...
         max (abs (sol.U(:) - whole.order{1}(:))) / max (abs (sol.U(:))), abs (sol.action / whole.action - 1));
end

function flat ()
% Random path inputs in parts, 4 paths of 50 features
sizes = 10 .^ (3:6);
net = attnpath_net ([2 2], 'Width', 30, 'Temperature', 0.1);
teacher = randn (50, 1, 4) / 10;
fprintf ('| P | gathered (s) | solution from a square (ms) | evaluations |\n|--:|--:|--:|--:|\n');
times = zeros (size (sizes));
for i = 1:numel (sizes)
  begun = tic ();
  m = attnpath_moments (net, @(k) part (k, sizes(i), teacher), 'Display', false);
  gathered = toc (begun);
  each = zeros (1, 7);
  for r = 1:7
    begun = tic ();
    sol = attnpath_solve (net, m);
    each(r) = toc (begun);
  end
  times(i) = min (each);
  fprintf ('| %d | %.1f | %.1f | %d |\n', sizes(i), gathered, 1000 * times(i), sol.evaluations);
end
slope = polyfit (log (sizes), log (times), 1);
fprintf ('\nSlope of log time against log P: %.3f.\n\n', slope(1));
end

function one = part (k, P, teacher)
% Part k of P examples, 10 000 at a time
first = 1e4 * (k - 1);
one = [];
if first >= P, return; end
count = min (1e4, P - first);
randn ('twister', k);
Xi = randn (50, count, 4);
y = squeeze (sum (sum (bsxfun (@times, Xi, teacher), 1), 3))' + 0.3 * randn (count, 1);
one = struct ('X', struct ('Xi', Xi), 'y', y);
end

function from_tokens (P)
each = min (P, 5000);
settings = {'P', each, 'Ptest', 2};
task = attnpath_task_markov (settings{:}, 'Seed', 1);
net = attnpath_net (task.heads, 'Width', 30, 'Temperature', 0.01);
[N0, T, ~] = size (task.Xtrain);
markov (0);
begun = tic ();
m = attnpath_moments (net, @(k) markov (k, P / each, settings), 'Parts', P / each);
[~, made] = markov (0);
gathered = toc (begun) - made;
begun = tic ();
sol = attnpath_solve (net, m);
solved = toc (begun);
fprintf (['P = %d, N0 = %d, %d tokens made in %.0f s: gathered %.0f s, solved %.1f s, %d evaluations, ' ...
         'hessian_min %.3g, %s\n'], ...
         P, N0, T, made, gathered, solved, sol.evaluations, sol.hessian_min, sol.reason);
n = N0 * prod (net.H) + 1;
B = randn (n, 2000);
begun = tic ();
B * B';
rank_k = toc (begun) / 2000 * P / 2;
A = randn (N0, N0);
X = reshape (task.Xtrain(:,:,1:100), N0, []);
begun = tic ();
for k = 1:10, A * X; end
scores = toc (begun) / 1000 * P * sum (net.H);
fprintf ('floor: scores %.0f s, rank-k updates %.0f s; gathered is %.2f of it; peak memory %.2f GiB\n', ...
         scores, rank_k, gathered / (scores + rank_k), peak_memory ());
end

function [one, made] = markov (k, parts, settings)
% Part k. Call k = 0 returns no part, and the seconds that all parts took since the previous such call
persistent taken
if k == 0
  made = taken;
  taken = 0;
  one = [];
  return
end
one = [];
if k > parts, return; end
begun = tic ();
task = attnpath_task_markov (settings{:}, 'Seed', k);
one = struct ('X', task.Xtrain, 'y', task.ytrain);
taken = taken + toc (begun);
end
