function out = scheme_cell (c, plan)
%SCHEME_CELL  The order parameter of a network on the Markov task.
%
%   out = scheme_cell (c, plan)
%   Inputs :  c, struct of network (such as '2 2', heads of each layer; with 's' behind them skip connections around
%             all layers) and seed;  plan, struct of width
%   Outputs:  struct of net and U; paths, paths x layers, the heads of each, 0 for a skip connection; and weight, 1 x
%             paths: the sums over rows of |U|, with the scales of both paths, as attnpath_plot draws them

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_markov ('Heads', sscanf (c.network, '%d')', 'Ptest', 2, 'Seed', c.seed);
net = attnpath_net (task.heads, 'Width', plan.width, 'Temperature', 0.01, 'Skip', c.network(end) == 's');
sol = attnpath_solve (net, task.Xtrain, task.ytrain, 'Certificate', false);
net.heads = {};                                    % schemes need no matrices
past = sol.paths.heads == 0;
scale = prod (bsxfun (@times, past, net.skip .* sqrt (net.H)) + ~past, 2);
out = struct ('net', net, 'U', sol.U, 'paths', sol.paths.heads, 'weight', (scale .* (abs (sol.U) * scale))');
end
