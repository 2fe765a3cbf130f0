function out = residual_trained_cell (c, plan)
%RESIDUAL_TRAINED_CELL  Network trained by gradient descent, and the theory with and without skip connections on it.
%
%   out = residual_trained_cell (c, plan)
%   Inputs :  c, struct of seed, and skip, 0 or 1, the gain of the network's skip connections;  plan, struct of
%             settings: images, options of attnpath_task_oneshot; P and Ptest, sequences of training and of new classes;
%             training, options of attnpath_train; heads; width, of the theory, and temperatures, of labels of variance
%             1; scores, words of attnpath_scores
%   Outputs:  struct of source, description of the images;  accuracy, of the network on new classes, in percent;  lost,
%             percent lost without each head, the others rescaled;  loo and evidence, 1 x 2, of the theory without and
%             with skip connections on the network's attention, each at its best temperature;  worth, scores x heads,
%             in the order of plan.scores: of the network itself, or of the theory with the network's skip connections
%   The theory learns from sequences of the classes on which the network was trained.
%   See also experiment_residual.

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_oneshot ('P', plan.P, 'Ptest', plan.Ptest, 'Seed', c.seed, plan.images{:});
gd = attnpath_train (task, 'Heads', plan.heads, 'Skip', c.skip, 'Seed', c.seed, plan.training{:});
test = attnpath_paths (gd.net, task.Xtest);
right = @(gd, paths) percent_right (attnpath_predict (gd, paths), task.ytest);
out = struct ('source', task.source.train, 'accuracy', right (gd, test), 'lost', [], 'loo', [], 'evidence', [], ...
              'worth', []);
for head = heads_of (plan.heads)'
  [small, left] = attnpath_prune (gd, head', test);
  out.lost(end+1) = out.accuracy - right (small, left);
end
for skip = 0:1
  [best, out.loo(skip+1), out.evidence(skip+1)] = theory (gd.net, skip, task, plan);
  if skip == c.skip, own = best; end
end
paths = attnpath_paths (gd.net, task.Xtrain);
for word = plan.scores
  if any (strcmp (word{1}, {'importance', 'ablation'})), scored = {gd, paths, task.ytrain}; else, scored = {own}; end
  score = sortrows (attnpath_scores (scored{:}, 'By', word{1}, 'Display', false), [1 2]);
  out.worth(end+1,:) = score(:,3)';
end
end

function [best, loo, evidence] = theory (net, skip, task, plan)
% The solution of the least leave-one-out error, that error, and the largest evidence (T25), over temperatures
net = attnpath_net (net.heads, 'Width', plan.width, 'Readout', net.readout, 'Skip', skip);
paths = attnpath_paths (net, task.Xtrain);
net.variance(1) = 1 / mean (diag (attnpath_kernel (net, paths, eye (size (paths.Xi, 3)))));          % the GP limit's
[loo, evidence] = deal (Inf, -Inf);
start = {};
for T = sort (plan.temperatures, 'descend')        % each search starts at the previous solution
  net.temperature = T;
  sol = attnpath_solve (net, paths, task.ytrain, 'Certificate', false, start{:});
  start = {'Start', sol.order};
  mse = getfield (attnpath_loo (sol, 'Display', false), 'mse');
  if mse < loo, [loo, best] = deal (mse, sol); end
  evidence = max (evidence, attnpath_evidence (sol, 'Display', false));
end
end
