function out = oneshot_cell (c, plan)
%ONESHOT_CELL  Theory of the one-shot task at a width and a temperature.
%
%   out = oneshot_cell (c, plan)
%   Inputs :  c, struct of width (Inf: the GP limit), temperature and seed;  plan, struct of settings of oneshot_data
%             and kept, widths whose order parameters are kept: none where there is no such field;  components, of the
%             kernel, whose share of the labels is asked for at those widths and in the GP limit
%   Outputs:  struct of accuracy, 1 x sets, percent: training classes, held-out classes, and each set of other images
%             that is there; trained, of the trained network; names; evidence; loo, the mean squared leave-one-out
%             error; gradnorm, evaluations and seconds, NaN in the GP limit; order, of attnpath_solve, {} where it is
%             not kept; share, of |y|^2 in the first components, [] where it is not asked for
%   See also oneshot_draws_cell, oneshot_data.

% SPDX-License-Identifier: BSD-3-Clause

d = oneshot_data (c.seed, plan);
net = d.net;
net.temperature = c.temperature;
out = struct ('accuracy', [], 'trained', d.accuracy, 'names', {{d.asked.name}}, 'evidence', NaN, 'loo', NaN, ...
              'gradnorm', NaN, 'evaluations', NaN, 'seconds', NaN, 'order', {{}}, 'share', []);
asked = isfield (plan, 'kept') && any ([plan.kept, Inf] == c.width);
if c.width == Inf
  gp = struct ('net', net, 'paths', d.train, 'y', d.ytrain, 'U', eye (prod (net.H)) * prod (net.variance(2:end)));
  out.accuracy = d.right (gp, 'Limit', 'gp');
  out.loo = getfield (attnpath_loo (gp, 'Corrected', false), 'mse');       % its U has seen no label
  limit = arrayfun (@(l) eye (prod (net.H(l:end))), 1:net.L, 'UniformOutput', false);
  [~, ~, part] = attnpath_action (net, d.train, d.ytrain, limit);
  out.evidence = -part.energy / 2;               % but for a constant
  if asked, out.share = label_share (gp, plan.components); end
  return
end
net.width(:) = c.width;
saved = warning ('off', 'attnpath:solve:noise');           % the highest temperatures are too high: that is shown
started = tic ();
sol = attnpath_solve (net, d.train, d.ytrain, 'Tolerance', 1e-6, 'Certificate', false, 'Display', false);
out.seconds = toc (started);
warning (saved);
out.accuracy = d.right (sol);
out.evidence = sol.evidence;
out.loo = getfield (attnpath_loo (sol), 'mse');
out.gradnorm = sol.gradnorm;
out.evaluations = sol.evaluations;
if asked, [out.order, out.share] = deal (sol.order, label_share (sol, plan.components)); end
end
