function out = bench_cell (c)
% bench_cell: a cell of bench_sweep, which learns and tests a Markov task in some tenths of a second

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_markov ('Seed', c.seed, 'Ptest', 200);
net = attnpath_net (task.heads, 'Width', 10);
sol = attnpath_solve (net, task.Xtrain, task.ytrain);
out = struct ('accuracy', mean (sign (attnpath_predict (sol, task.Xtest)) == task.ytest), 'action', sol.action);
end
