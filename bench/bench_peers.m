function bench_peers (python, which)
% bench_peers: compares this package with other programs, which peers.py runs, one thread each
%   bench_peers (python, which): python, an interpreter that has numpy, scipy, scikit-learn and torch ('python3');
%   which, a cell of rows of the table (default: all):
%   'solve'      solutions of the Markov task, P = 100, four paths, T = 0.01, N = 10, 100, 1000, from path inputs, by
%                attnpath_solve to 1e-8, kernels included, and by the published procedure in PyTorch to 1e-5: Adam at
%                0.1 on the entries of all U_l, from the GP point, one backward pass a step
%   'paths'      the same with 16 paths, P = 600, N = 10, T = 0.5, the one-shot task with the attention of the demo; the
%                peer is stopped after a minute: the column has its gradient at that time
%   'evidence'   one evaluation of evidence and gradient on the same kernel, P = 2000, by scikit-learn's dense Gaussian
%                process
%   'step'       one step of attnpath_train, two layers of four heads, N = 512, 128 sequences of 48 tokens: of random
%                tokens, which span all 192 dimensions, and of one-shot sequences, which span 89 and are generated for
%                each step; and the usual implementation of the same network and step in PyTorch
% Prints a table of processor seconds, their ratios, and the relative difference of the results.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, python = 'python3'; end
if nargin < 2, which = {'solve', 'paths', 'evidence', 'step'}; end
fprintf ('| what | peer | peer''s | ours | ratio | apart |\n|---|---|--:|--:|--:|--:|\n');
if any (strcmp (which, 'solve'))
  task = attnpath_task_markov ('P', 100, 'Ptest', 2, 'Seed', 0);                 % markov.bin of problems.m
  net = attnpath_net (task.heads, 'Temperature', 0.01);
  paths = attnpath_paths (net, task.Xtrain);
  for N = [10, 100, 1000], solutions (python, 'Markov', net, N, paths, task.ytrain); end
end
if any (strcmp (which, 'paths'))
  addpath (genpath (fullfile (fileparts (mfilename ('fullpath')), '..', 'demos')));
  trained = oneshot_network ('cosine_20000_s1');
  task = attnpath_task_oneshot ('P', 600, 'Ptest', 2, 'Embedding', trained.embedding);
  net = attnpath_net (trained.heads, 'Temperature', 0.5, 'Readout', 'mean');
  solutions (python, '16 paths', net, 10, attnpath_paths (net, task.Xtrain), task.ytrain);
end
if any (strcmp (which, 'evidence')), evidence (python); end
if any (strcmp (which, 'step'))
  for kind = {'random', 'one-shot'}, training_step (python, kind{1}); end
end
end

function row (what, peer, theirs, ours, apart)
fprintf ('| %s | %s | %.4g | %.4g | %.3g | %s |\n', what, peer, theirs, ours, theirs / ours, apart);
fflush (stdout);
end

function solutions (python, what, net, N, paths, y)
net.width(:) = N;
p = run_peer (python, 'adam', struct ('Xi', paths.Xi, 'y', y, 'H', net.H, 'N', N, 'T', net.temperature, ...
                                     'seconds', 60), 6);
[whole, sol] = often (@() attnpath_solve (net, paths, y, 'Certificate', false, 'Display', false));
data = stored (net, paths.Xi, y);
bare = setfield (net, 'heads', {});                % a gateway would check the heads
one = often (@() evaluation (bare, data, sol.order));
what = sprintf ('%s, N = %d: ', what, N);
peer = sprintf ('Adam in torch, to %.1e', p(5));
row ([what 'evaluations'], peer, p(1), sol.evaluations, '');
row ([what 'one evaluation, s'], 'torch', p(3), one, '');
row ([what 'solution, s'], peer, p(2), whole, sprintf ('%.1e (action), %.1e (U)', abs (p(4) / sol.action - 1), ...
                                                       abs (p(6) / norm (sol.U, 'fro') - 1)));
end

function S = evaluation (net, data, order)         % with its gradient, on stored kernels
[S, ~] = attnpath_action_mex (net, data, order, 0);
end

function evidence (python)
randn ('twister', 1);
[N0, P, paths, T] = deal (71, 2000, 4, 0.01);
net = attnpath_net ([2 2], 'Width', 30, 'Temperature', T);
Xi = randn (N0, P, paths);
y = sign (randn (P, 1));
U = eye (paths) + 0.2 * ones (paths);
order = {U, eye(2)};
inputs = struct ('Xi', Xi);
p = run_peer (python, 'evidence', struct ('Xi', Xi, 'U', U, 'y', y, 'T', T), 3);
m = attnpath_moments (net, inputs, y, 'Form', 'factor');
few = struct ('memory', 0, 'store', false, 'reduce', true, 'evaluations', 0, 'threads', 1, 'shared', false, 'of', []);
data = completed (attnpath_prepare_mex (net, m, [], few), [], []);
[each, E, g] = timed (@() by_action (net, inputs, y, order));
[reduced, E2] = timed (@() by_moments (net, data, order));
mine = -(E + P * log (2 * pi)) / 2;
slope = -triu (g + triu (g, 1)) / 2;               % an entry above the diagonal counts twice
what = sprintf ('evidence and gradient, P = %d, N0 = %d, %d paths, s', P, N0, paths);
row (what, 'scikit-learn, kernel derivatives stored', p(3), each, ...
     sprintf ('%.1e, %.1e (gradient)', abs (p(1) / mine - 1), abs (p(2) / norm (slope(:)) - 1)));
row ('the same, examples gathered before', 'scikit-learn', p(3), reduced, sprintf ('%.1e (energy)', abs (E2 / E - 1)));
end

function training_step (python, kind)
P = 128;
if strcmp (kind, 'random')
  randn ('twister', 1);
  task = struct ('Xtrain', single (randn (192, 48, P)), 'ytrain', sign (randn (P, 1)));
else
  task = attnpath_task_oneshot ('P', P, 'Ptest', 2, 'Augment', true);
end
learn = @(steps) attnpath_train (task, 'Heads', [4 4], 'Width', 512, 'Keys', 128, 'Batch', P, 'Steps', steps, ...
                                 'Display', false);
[few, gd] = clocked (@() learn (2));
many = clocked (@() learn (22));                   % the difference excludes the set-up of a run
weights = @(name) cellfun (@(h) h.(name), gd.net.heads, 'UniformOutput', false);
p = run_peer (python, 'step', struct ('X', single (task.Xtrain), 'y', task.ytrain, 'Q', {weights('Q')}, ...
                                 'K', {weights('K')}, 'V', {gd.weights.V}, 'V0', gd.weights.V0, 'a', gd.weights.a), 2);
f = attnpath_predict (gd, double (task.Xtrain));
row (sprintf ('a training step, %s tokens, s', kind), 'torch, token by token', p(2), (many - few) / 20, ...
     sprintf ('%.1e (outputs)', abs (p(1) / norm (f) - 1)));
end

% ---- clocks, and the peer ----

function varargout = often (call)                  % processor seconds of a call, over as many as fill a second
varargout = cell (1, max (nargout, 1));
[varargout{:}] = clocked (call);
count = ceil (1 / max (varargout{1}, 1e-3));
from = cputime ();
for k = 1:count, result = call (); end
varargout{1} = (cputime () - from) / count;
end

function [seconds, varargout] = clocked (call)
varargout = cell (1, max (nargout - 1, 1));        % without an output a summary would be printed
from = cputime ();
[varargout{:}] = call ();
seconds = cputime () - from;
end

function data = stored (net, Xi, y)
use = struct ('memory', 2^31, 'store', true, 'reduce', true, 'evaluations', 15, 'threads', 1, 'shared', false, ...
              'of', []);
data = completed (attnpath_prepare_mex (net, Xi, y, use), Xi, y);
end

function numbers = run_peer (python, what, problem, count)
file = [tempname() '.mat'];
remove = onCleanup (@() delete (file));
save ('-v7', file, '-struct', 'problem');
here = fileparts (mfilename ('fullpath'));
[status, text] = system (sprintf ('OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 %s %s %s %s', python, ...
                                  fullfile (here, 'peers.py'), what, file));
numbers = sscanf (text, '%g');
if status ~= 0 || numel (numbers) ~= count
  fprintf ('the peer does not run here: %s\n', strtrim (text));
  numbers = NaN (count, 1);
end
end

function [seconds, E, g] = timed (call)
t = zeros (1, 3);
for k = 1:3
  from = cputime ();
  [E, g] = call ();
  t(k) = cputime () - from;
end
seconds = median (t);
end

function [E, g] = by_action (net, inputs, y, order)
[~, grad, part] = attnpath_action (net, inputs, y, order);
E = part.energy;
g = grad{1} - net.width(1) * (kron (eye (2), inv (order{2})) - inv (order{1}));      % minus the entropy's (T9)
end

function [E, g] = by_moments (net, data, order)
[~, grad, E] = attnpath_action_mex (net, data, order, 0);
g = grad{1};
end
