function [sol, task] = markov (width)
% [sol, task] = markov (width): a small task of hidden Markov chains, and its solution.

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_markov ('P', 30, 'Ptest', 4, 'Features', 20, 'Tokens', 6);
sol = attnpath_solve (attnpath_net (task.heads, 'Width', width), task.Xtrain, task.ytrain);
end
