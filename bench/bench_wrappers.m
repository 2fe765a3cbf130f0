function bench_wrappers (calls)
% bench_wrappers: what the .m functions take beyond the gateways that they call
%
%   bench_wrappers ()          200 calls of each
%   bench_wrappers (calls)
%
% Prints a table for the Markov task of 100 examples and 4 paths, from path inputs, at widths of 10: the median time of
% the function, of its gateway alone, their difference and their ratio. In the last column the difference of the
% shortest times, which other work on the machine disturbs less. Function and gateway take turns within one run.
% Run it on a quiet machine with OPENBLAS_NUM_THREADS=1, with inst and the built gateways on the path:
%   octave-cli --norc --eval "addpath inst src bench; bench_wrappers"

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, calls = 200; end
task = attnpath_task_markov ();
net = attnpath_net (task.heads, 'Width', 10);
y = task.ytrain;
train = attnpath_paths (net, task.Xtrain);
test = attnpath_paths (net, task.Xtest(:,:,1:100));
sol = attnpath_solve (net, train, y);
U = sol.U;
start = {eye(4), eye(2)};
settings = struct ('tolerance', 1e-8, 'maxiterations', 200, 'memory', 2^31, 'certificate', true, 'display', 0);

fprintf ('| function | ms | gateway ms | difference ms | ratio | difference of the shortest ms |\n');
fprintf ('|---|--:|--:|--:|--:|--:|\n');
row ('attnpath_solve', calls, @() attnpath_solve (net, train, y), ...
     @() attnpath_solve_mex (net, ready (train.Xi, y), start, settings));
row ('attnpath_predict', calls, @() predict (sol, test), @() predict_mex (net, train.Xi, y, U, test.Xi));
row ('attnpath_action', calls, @() action (net, train, y, start), @() action_mex (net, train.Xi, y, start));
row ('attnpath_kernel', calls, @() attnpath_kernel (net, train, U), ...
     @() attnpath_kernel_mex (net, train.Xi, train.Xi, U));
end

function row (name, calls, wrapper, gateway)
times = zeros (calls, 2);
for k = 1:calls
  clock = tic ();
  result = wrapper ();                             % without an output a summary would be printed
  times(k,1) = 1000 * toc (clock);
  clock = tic ();
  result = gateway ();
  times(k,2) = 1000 * toc (clock);
end
middle = median (times);
shortest = min (times);
fprintf ('| %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n', name, middle, middle(1) - middle(2), middle(1) / middle(2), ...
         shortest(1) - shortest(2));
end

% ---- calls with all their outputs ----

function s2 = predict (sol, test)
[~, s2] = attnpath_predict (sol, test);
end

function s2 = predict_mex (net, Xi, y, U, Xit)
[~, s2] = attnpath_predict_mex (net, ready (Xi, y), U, Xit, []);
end

function part = action (net, paths, y, order)
[~, ~, part] = attnpath_action (net, paths, y, order);
end

function gradnorm = action_mex (net, Xi, y, order)
[~, ~, ~, ~, ~, gradnorm] = attnpath_action_mex (net, ready (Xi, y), order, 2^28);
end

function data = ready (Xi, y)
% What the gateways take
data = struct ('Xi', Xi, 'basis', [], 'y', y, 'P', numel (y), 'rest', 0, 'store', []);
end
