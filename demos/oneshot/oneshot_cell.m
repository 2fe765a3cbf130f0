function out = oneshot_cell (c, plan)
%ONESHOT_CELL  Theory of the one-shot task at one width and temperature.
%
%   out = oneshot_cell (c, plan)
%   Inputs :  c, struct of width (Inf: the GP limit), temperature and seed;  plan, struct of settings of oneshot_data
%             and, optionally, kept, widths whose order parameters are kept, and components, numbers of the kernel's
%             first components whose share of the labels is computed at those widths and in the GP limit
%   Outputs:  struct of accuracy, 1 x sets, percent: training classes, held-out classes, and each available set of
%             other images; trained, that of the trained network; names; evidence; loo, the mean squared leave-one-out
%             error; gradnorm, evaluations and seconds, NaN in the GP limit; order, of attnpath_solve, or {} at other
%             widths; share, of |y|^2 in the first components, or [] at other widths
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
  out.loo = getfield (attnpath_loo (gp, 'Corrected', false), 'mse');       % its U does not depend on labels
  limit = arrayfun (@(l) eye (prod (net.H(l:end))), 1:net.L, 'UniformOutput', false);
  [~, ~, part] = attnpath_action (net, d.train, d.ytrain, limit);
  out.evidence = -part.energy / 2;               % up to a constant
  if asked, out.share = label_share (gp, plan.components); end
  return
end
net.width(:) = c.width;
saved = warning ('off', 'attnpath:solve:noise');           % the figure shows that the highest temperatures are too high
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
