function out = oneshot_cell (c, plan)
%ONESHOT_CELL  Theory and posterior draws of the one-shot task at a width and a temperature.
%
%   out = oneshot_cell (c, plan)
%   Inputs :  c, struct of width (Inf: the GP limit), temperature and seed;  plan, struct of settings
%   Outputs:  struct of accuracy, 1 x sets, percent: training classes, held-out classes, and each set of other images
%             that is there; trained, of the trained network; names; evidence, gradnorm, evaluations, seconds; sampled,
%             like accuracy, rhat, ess and sampling (seconds), NaN where the posterior is not sampled

% SPDX-License-Identifier: BSD-3-Clause

d = oneshot_data (c.seed, plan);
net = d.net;
net.temperature = c.temperature;
none = NaN (1, numel (d.asked));
out = struct ('accuracy', none, 'trained', d.trained, 'names', {{d.asked.name}}, 'evidence', NaN, 'gradnorm', NaN, ...
              'evaluations', NaN, 'seconds', NaN, 'sampled', none, 'rhat', NaN, 'ess', NaN, 'sampling', NaN);
right = @(model, varargin) arrayfun (@(set) percent_right (attnpath_predict (model, set.paths, varargin{:}), set.y), ...
                                     d.asked);
if c.width == Inf
  out.accuracy = right (struct ('net', net, 'paths', d.train, 'y', d.ytrain), 'Limit', 'gp');
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
out.accuracy = right (sol);
out.evidence = sol.evidence;
out.gradnorm = sol.gradnorm;
out.evaluations = sol.evaluations;
if ~any (c.width == plan.sampled) || c.temperature ~= plan.sampled_at || c.seed > plan.sampled_seeds, return; end
started = tic ();
saved = warning ('off', 'attnpath:sample:notConverged');         % the table says how far each can be trusted
post = attnpath_sample (net, d.train, d.ytrain, 'Seed', c.seed, plan.sampler{:});
warning (saved);
out.sampling = toc (started);
out.sampled = right (post, 'U', spread_draws (post, plan.averaged));
out.rhat = post.diagnostics.rhat;
out.ess = post.diagnostics.ess;
end
