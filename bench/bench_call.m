function bench_call (rounds)
% bench_call: times of the parts of one call of attnpath_solve (net, X, y), and of its floor
%
%   bench_call ()          60 rounds
%   bench_call (rounds)
%
% The Markov task of 100 examples, 31 tokens of 231 features and 4 paths, at widths of 10, from tokens and from path
% inputs. Rows: the call, its parts (path inputs, preparation of the training set, the search), the time of the .m
% functions without these gateways, and the bare matrix products that the path inputs require, in Octave's own dgemm:
% W_h x for the tokens of all examples and each head of the first layer (the top layer computes one token only), and the
% scores x' (W_h x) of each example. All take turns within a round. Prints the shortest time of each and the median.
% On a quiet machine, with OPENBLAS_NUM_THREADS=1, with inst and the built gateways on the path:
%   octave-cli --norc --eval "addpath inst src bench; bench_call"

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, rounds = 60; end
task = attnpath_task_markov ();
net = attnpath_net (task.heads, 'Width', 10);
[X, y] = deal (task.Xtrain, task.ytrain);
paths = attnpath_paths (net, X);
use = struct ('memory', 2^31, 'store', false, 'evaluations', 15, 'threads', 0, 'shared', false, 'reduce', true, ...
              'of', []);
made = attnpath_prepare_mex (net, paths.Xi, y, use);
data = completed (made, paths.Xi, y);
start = {eye(4), eye(2)};
settings = struct ('tolerance', 1e-8, 'maxiterations', 200, 'memory', 2^31, 'certificate', true, 'display', 0, ...
                   'parts', false, 'starts', 0, 'seed', 0);
W = task.heads{1};
calls = {'attnpath_solve, from tokens', @() attnpath_solve(net, X, y)
         'attnpath_solve, from path inputs', @() attnpath_solve(net, paths, y)
         'path inputs: attnpath_paths_mex', @() attnpath_paths_mex(net, X, [], [])
         'made ready: attnpath_prepare_mex', @() attnpath_prepare_mex(net, paths.Xi, y, use)
         'search: attnpath_solve_mex', @() attnpath_solve_mex(net, data, start, settings)
         'floor: the products W x', @() queries(W, X)
         'floor: the products x'' (W x)', @() scores(X, size (W, 3))};
times = zeros (rounds, size (calls, 1));
for k = 1:rounds
  for i = 1:size (calls, 1)
    clock = tic ();
    result = calls{i,2} ();                          % without an output a summary would be printed
    times(k,i) = 1000 * toc (clock);
  end
end
best = min (times, [], 1);
middle = median (times, 1);
fprintf ('| | shortest ms | median ms |\n|---|--:|--:|\n');
for i = 1:size (calls, 1), fprintf ('| %s | %.2f | %.2f |\n', calls{i,1}, best(i), middle(i)); end
fprintf ('| beyond the gateways, from tokens | %.2f | %.2f |\n', rest (best, 1, 3:5), rest (middle, 1, 3:5));
fprintf ('| beyond the gateways, from path inputs | %.2f | %.2f |\n', rest (best, 2, 4:5), rest (middle, 2, 4:5));
end

function left = rest (t, whole, parts)
left = t(whole) - sum (t(parts));
end

function q = queries (W, X)
x = reshape (X, size (X, 1), []);
for h = 1:size (W, 3), q = W(:,:,h) * x; end
end

function s = scores (X, heads)
for k = 1:heads * size (X, 3)
  x = X(:,:,mod (k - 1, size (X, 3)) + 1);
  s = x' * x;
end
end
