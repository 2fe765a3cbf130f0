function out = residual_cell (c, plan)
%RESIDUAL_CELL  One cell of the sweep of experiment_residual: accuracies of the task, or labels of networks.
%
%   out = residual_cell (c, plan)
%   Inputs :  c, struct of seed, of the task, and part, 'widths' or 'teachers';  plan, struct of settings
%   Outputs:  struct of theory and drawn, accuracies in percent, widths x 2, without and with skip connections;  U, at
%             seed 1 and the smallest width;  loo and evidence, 2 x 2: rows are labels of networks without and with
%             skip connections, columns the theory without and with them

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_markov ('Ptest', plan.Ptest, 'Seed', c.seed);
out = struct ('theory', [], 'drawn', [], 'U', [], 'loo', [], 'evidence', []);
if strcmp (c.part, 'widths')
  out = of_widths (out, task, c.seed, plan);
else
  out = of_teachers (out, task, plan);
end
end

function out = of_widths (out, task, seed, plan)
out.drawn = NaN (numel (plan.widths), 2);
for skip = 0:1
  net = attnpath_net (task.heads, 'Temperature', 0.01, 'Skip', skip);
  train = attnpath_paths (net, task.Xtrain);
  test = attnpath_paths (net, task.Xtest);
  for k = 1:numel (plan.widths)
    net.width(:) = plan.widths(k);
    sol = attnpath_solve (net, train, task.ytrain, 'Display', false);
    out.theory(k,1+skip) = percent_right (attnpath_predict (sol, test), task.ytest);
    if k == 1 && skip && seed == 1, out.U = sol.U; end
    if ~any (plan.sampled == plan.widths(k)), continue; end
    saved = warning ('off', 'attnpath:sample:notConverged');
    back = onCleanup (@() warning (saved));
    post = attnpath_sample (net, train, task.ytrain, 'Seed', seed, plan.sampler{:});
    mu = attnpath_predict (post, test, 'U', spread_draws (post, plan.averaged));
    out.drawn(k,1+skip) = percent_right (mu, task.ytest);
    back = [];
  end
end
end

function out = of_teachers (out, task, plan)
% Labels are noisy outputs of a network whose weights are drawn from the prior, with or without skip connections
for teacher = 0:1
  net = attnpath_net (task.heads, 'Temperature', plan.noise, 'Width', plan.width, 'Skip', teacher);
  train = attnpath_paths (net, task.Xtrain);
  K = attnpath_kernel (net, train, prior_order (net));
  y = chol ((K + K') / 2 + 1e-10 * trace (K) * eye (size (K)))' * randn (size (K, 1), 1);
  scale = sqrt (mean (y .^ 2));
  y = y / scale + sqrt (plan.noise) * randn (size (y));
  for skip = 0:1
    net.skip(:) = skip;
    net.variance(1) = 1;
    paths = attnpath_paths (net, task.Xtrain);
    net.variance(1) = 1 / mean (diag (attnpath_kernel (net, paths, eye (size (paths.Xi, 3)))));      % the GP limit's
    sol = attnpath_solve (net, paths, y, 'Display', false);
    out.loo(teacher+1,skip+1) = attnpath_loo (sol).mse;
    out.evidence(teacher+1,skip+1) = attnpath_evidence (sol);
  end
end
end

function U = prior_order (net)
% U_1 of weights from the prior, whose variances are 1: partial effective weights, from the readout down
N = net.width(1);
u = randn (N, 1);
for l = net.L:-1:1
  below = arrayfun (@(h) randn (N)' * u / sqrt (N), 1:net.H(l), 'UniformOutput', false);
  if net.skip(l) > 0, below = [{u}, below]; end
  u = [below{:}];
end
U = u' * u / N;
end
