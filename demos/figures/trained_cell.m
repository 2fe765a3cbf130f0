function out = trained_cell (c, plan)
%TRAINED_CELL  A larger network, trained on images: accuracy of the theory with its attention, and scores of its heads.
%
%   out = trained_cell (c, plan)
%   Inputs :  c, struct of network, as for oneshot_network, width (Inf: the GP limit) and seed, of the sequences;  plan,
%             struct of settings of oneshot_data, temperatures, pruned (the width whose scores order the heads) and
%             Pprune, number of test sequences for pruning
%   Outputs:  struct of accuracy (percent, held-out classes) at the temperature T of the least leave-one-out error;
%             trained, of the trained network; gradnorm and evaluations, largest over the temperatures, NaN in the GP
%             limit; and at the width pruned, otherwise empty: removed, (removals + 1) x 3, accuracy of the trained
%             network after each removal in order of the theory's |U|, of ablation on the training sequences, and at
%             random; worth, 1 x 2, rank correlation of the first two with the accuracy lost without one head

% SPDX-License-Identifier: BSD-3-Clause

plan.network = c.network;
d = oneshot_data (c.seed, plan);
is_held_out = strcmp ({d.asked.name}, 'held-out classes');
held_out = d.asked(is_held_out);
net = d.net;
out = struct ('accuracy', [], 'T', [], 'trained', d.accuracy(is_held_out), 'gradnorm', NaN, ...
              'evaluations', NaN, 'removed', [], 'worth', []);
least = Inf;
for T = plan.temperatures
  net.temperature = T;
  if c.width == Inf
    sol = struct ('net', net, 'paths', d.train, 'y', d.ytrain, 'U', eye (prod (net.H)));       % variances are 1
    loo = attnpath_loo (sol, 'Corrected', false);              % its U does not depend on labels
    mu = attnpath_predict (sol, held_out.paths, 'Limit', 'gp');
  else
    net.width(:) = c.width;
    sol = attnpath_solve (net, d.train, d.ytrain, 'Tolerance', 1e-6, 'Certificate', false, 'Display', false);
    loo = attnpath_loo (sol);
    mu = attnpath_predict (sol, held_out.paths);
    out.gradnorm = max (out.gradnorm, sol.gradnorm);
    out.evaluations = max (out.evaluations, sol.evaluations);
  end
  if loo.mse < least
    least = loo.mse;
    best = sol;
    [out.T, out.accuracy] = deal (T, percent_right (mu, held_out.y));
  end
end
if c.width ~= plan.pruned, return; end
[F, labels] = oneshot_held_out (d.trained, 'all', plan.Pprune, c.seed);
list = heads_of (net.H);
left = @(gone) oneshot_without (gone, F, labels, net.H);
values = [head_worth('order', best); head_worth('ablation', d.trained, d.train, d.ytrain); rand(1, size (list, 1))];
for k = 1:3, out.removed(:,k) = removal_curve (values(k,:), list, net.H, left); end
for k = 1:size (list, 1), lost(k) = out.removed(1) - left (list(k,:)); end
out.worth = [rank_correlation(values(1,:), lost), rank_correlation(values(2,:), lost)];
end
