function compare_turns ()
% compare_turns: one of the two processes of bench/compare: times calls of the package on its path, on demand
%
% Prints the number of calls and their names, a line each. Then it reads the number of a call from each line of its
% input, repeats that call for 0.3 s, at least once, and prints a line with
%
%   seconds of the fastest call, processor seconds of all over their number, a number that the call computed
%
% It ends at the end of its input. The path must have one version of attnpath only, the one to be timed.

% SPDX-License-Identifier: BSD-3-Clause

warning ('off', 'all');                              % the few draws here do not converge
calls = all_calls ();
fprintf ('%d\n', size (calls, 1));
fprintf ('%s\n', calls{:,1});
fflush (stdout);
number = fscanf (stdin, '%d', 1);                    % fgetl would wait for input after the line
while ~isempty (number)
  run = calls{number,2};
  walls = [];
  busy = cputime ();
  while sum (walls) < 0.3
    start = tic;
    value = run ();
    walls(end+1) = toc (start);
  end
  fprintf ('%.9g %.9g %.17g\n', min (walls), (cputime () - busy) / numel (walls), value);
  fflush (stdout);
  number = fscanf (stdin, '%d', 1);
end
end

function calls = all_calls ()
rand ('twister', 1);
randn ('twister', 1);
task = attnpath_task_markov ('P', 100, 'Ptest', 1000, 'Seed', 0);
narrow = attnpath_net (task.heads, 'Width', 10, 'Temperature', 0.01);
wide = attnpath_net (task.heads, 'Width', 1000, 'Temperature', 0.01);
paths = attnpath_paths (narrow, task.Xtrain);
test = attnpath_paths (narrow, task.Xtest);
sol = attnpath_solve (narrow, paths, task.ytrain);
[N0, P, T, P2] = deal (64, 600, 48, 320);
many = attnpath_net ({zeros(N0, N0, 4), zeros(N0, N0, 4)}, 'Width', 10, 'Temperature', 0.5);
random = struct ('Xi', randn (N0, P, 16));
labels = sign (randn (P, 1));
tokens = single (reshape (randn (192, 89) * randn (89, T * P2), [192, T, P2]) / sqrt (89));  % as images span
classes = sign (randn (P2, 1));
keys = randn (16, 256) / 4;
queries = randn (16, 256) / 4;
values = randn (8, 256);
calls = {'attnpath_solve, Markov, N = 10', @() solve(narrow, paths, task.ytrain)
         'attnpath_solve, Markov, N = 1000', @() solve(wide, paths, task.ytrain)
         'attnpath_solve, 16 paths, P = 600', @() solve(many, random, labels)
         'attnpath_predict, 1000 examples', @() predict(sol, test)
         'attnpath_action, Markov', @() action(narrow, paths, task.ytrain, sol.order)
         'attnpath_paths, Markov, 1000 examples', @() inputs(narrow, task.Xtest)
         'attnpath_sample, collapsed, 200', @() draws(narrow, paths, task.ytrain, 'collapsed')
         'attnpath_sample, langevin, 200', @() draws(narrow, paths, task.ytrain, 'langevin')
         'attnpath_train, 5 steps of 64', @() train(tokens, classes)
         'attnpath_attend, cme, n = 256', @() attend(queries, keys, values)};
end

function value = solve (net, paths, y)
sol = attnpath_solve (net, paths, y, 'Display', false);         % a line of progress would be read as a number
value = sol.action;
end

function value = predict (sol, test)
[mu, s2] = attnpath_predict (sol, test);
value = mu(1) + s2(1);
end

function value = action (net, paths, y, order)
[value, grad, part] = attnpath_action (net, paths, y, order);
value = value + grad{1}(1) + part.ua;
end

function value = inputs (net, X)
paths = attnpath_paths (net, X);
value = paths.Xi(end);
end

function value = draws (net, paths, y, method)                 % 200 trajectories of one chain
post = attnpath_sample (net, paths, y, 'Method', method, 'Chains', 1, 'Warmup', 100, 'Draws', 100, 'Display', false);
value = post.U(end);
end

function value = train (X, y)                                  % the network of the one-shot task
gd = attnpath_train (X, y, 'Heads', [4, 4], 'Width', 512, 'Keys', 128, 'Steps', 5, 'Batch', 64, 'Display', false);
value = gd.U(end);
end

function value = attend (q, K, V)
out = attnpath_attend (q, K, V, 'Attention', 'cme');
value = out(end);
end
