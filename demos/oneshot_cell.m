function out = oneshot_cell (c, plan)
%ONESHOT_CELL  Theory of the one-shot task at a width and a temperature.
%
%   out = oneshot_cell (c, plan)
%   Inputs :  c, struct of width (Inf: the GP limit), temperature and seed;  plan, struct of settings
%   Outputs:  struct of accuracy, 1 x sets, percent: training classes, held-out classes, and each set of other images
%             that is there; trained, of the trained network; names; evidence; gradnorm, evaluations and seconds,
%             NaN in the GP limit
%   See also oneshot_draws_cell, oneshot_data.

% SPDX-License-Identifier: BSD-3-Clause

d = oneshot_data (c.seed, plan);
net = d.net;
net.temperature = c.temperature;
out = struct ('accuracy', [], 'trained', d.accuracy, 'names', {{d.asked.name}}, 'evidence', NaN, 'gradnorm', NaN, ...
              'evaluations', NaN, 'seconds', NaN);
if c.width == Inf
  out.accuracy = right_on_sets (struct ('net', net, 'paths', d.train, 'y', d.ytrain), d.asked, 'Limit', 'gp');
  limit = arrayfun (@(l) eye (prod (net.H(l:end))), 1:net.L, 'UniformOutput', false);
  [~, ~, part] = attnpath_action (net, d.train, d.ytrain, limit);
  out.evidence = -part.energy / 2;               % but for a constant
  return
end
net.width(:) = c.width;
saved = warning ('off', 'attnpath:solve:noise');           % the highest temperatures are too high: that is shown
started = tic ();
sol = attnpath_solve (net, d.train, d.ytrain, 'Tolerance', 1e-6, 'Certificate', false, 'Display', false);
out.seconds = toc (started);
warning (saved);
out.accuracy = right_on_sets (sol, d.asked);
out.evidence = sol.evidence;
out.gradnorm = sol.gradnorm;
out.evaluations = sol.evaluations;
end
