function out = markov_cell (c, plan)
%MARKOV_CELL  One cell of the sweep of experiment_markov: theory, posterior draws, or the GP limits.
%
%   out = markov_cell (c, plan)
%   Inputs :  c, struct of width (Inf: the GP limits), seed and experiment;  plan, struct of settings
%   Outputs:  struct of numbers; NaN or [] if the cell does not compute them. Seed 1 also has U. share is that of
%             |y|^2 in the first five components of the kernel

% SPDX-License-Identifier: BSD-3-Clause

d = markov_data ('Experiment', c.experiment, 'Ptest', plan.Ptest, 'Seed', c.seed);
out = struct ('accuracy', NaN, 'gradnorm', NaN, 'hessian_min', NaN, 'evaluations', NaN, 'seconds', NaN, ...
              'U', [], 'next', [], 'next_sd', [], 'sampled', NaN, 'rhat', NaN, 'ess', NaN, 'sampling', NaN, ...
              'Udraws', [], 'mcse', NaN, 'langevin', [], 'gp', [], 'share', NaN);
if c.width == Inf
  for gone = plan.gp.(c.experiment)(:,2)'
    [small, few] = attnpath_prune (d.net, gone{1}, d.train);
    [~, few_test] = attnpath_prune (d.net, gone{1}, d.test);
    mu = attnpath_predict (struct ('net', small, 'paths', few, 'y', d.ytrain), few_test, 'Limit', 'gp');
    out.gp(end+1) = percent_right (mu, d.ytest);
  end
  limit = eye (prod (d.net.H));                    % variances are 1
  out.share = label_share (struct ('net', d.net, 'paths', d.train, 'y', d.ytrain, 'U', limit), 5);
  return
end
net = d.net;
net.width(:) = c.width;
started = tic ();
sol = attnpath_solve (net, d.train, d.ytrain);
out.seconds = toc (started);
out.accuracy = percent_right (attnpath_predict (sol, d.test), d.ytest);
out.gradnorm = sol.gradnorm;
out.hessian_min = sol.hessian_min;
out.evaluations = sol.evaluations;
out.share = label_share (sol, 5);
if c.seed == 1
  out.U = sol.U;
  ex = attnpath_expand (sol);
  [out.next, out.next_sd] = deal (ex.U, ex.U_sd);
end
if ~any (plan.sampled == c.width), return; end
saved = warning ('off', 'attnpath:sample:notConverged');       % the table has the largest R-hat and the smallest ESS
back = onCleanup (@() warning (saved));
started = tic ();
post = attnpath_sample (net, d.train, d.ytrain, 'Seed', c.seed, plan.sampler{:});
out.sampling = toc (started);
mu = attnpath_predict (post, d.test, 'U', spread_draws (post, plan.averaged));
out.sampled = percent_right (mu, d.ytest);
out.rhat = post.diagnostics.rhat;
out.ess = post.diagnostics.ess;
if c.seed > 1, return; end
out.Udraws = mean (post.U(:,:,:), 3);
out.mcse = max (post.diagnostics.U.mcse(:));
if c.width == plan.sampled(1) && strcmp (c.experiment, 'four')
  second = attnpath_sample (net, d.train, d.ytrain, 'Method', 'langevin', plan.sampler{:});
  out.langevin = struct ('U', mean (second.U(:,:,:), 3), 'mcse', max (second.diagnostics.U.mcse(:)), ...
                         'reason', second.reason);
end
end
