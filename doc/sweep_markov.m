function out = sweep_markov (c)
%SWEEP_MARKOV  One cell of the sweep of sweep.sbatch: test accuracy of the Markov task, by the theory.
%
%   out = sweep_markov (c)
%   Inputs :  c, struct of width, temperature and seed
%   Outputs:  struct of accuracy and gradnorm: what a cell returns is what its file keeps

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_markov ('Seed', c.seed);
net = attnpath_net (task.heads, 'Width', c.width, 'Temperature', c.temperature);
sol = attnpath_solve (net, task.Xtrain, task.ytrain);
out.accuracy = mean (sign (attnpath_predict (sol, task.Xtest)) == task.ytest);
out.gradnorm = sol.gradnorm;
end
