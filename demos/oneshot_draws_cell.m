function out = oneshot_draws_cell (c, plan, draws)
%ONESHOT_DRAWS_CELL  Posterior draws of the one-shot task at a width.
%
%   out = oneshot_draws_cell (c, plan, draws)
%   Inputs :  c, struct of width and seed;  plan, struct of settings of oneshot_data;  draws, struct of temperature,
%             sampler, options of attnpath_sample, and averaged, draws whose predictors are averaged
%   Outputs:  struct of accuracy, 1 x sets, percent, as from oneshot_cell; rhat, ess, seconds
%   See also oneshot_cell.

% SPDX-License-Identifier: BSD-3-Clause

d = oneshot_data (c.seed, plan);
net = d.net;
net.temperature = draws.temperature;
net.width(:) = c.width;
started = tic ();
saved = warning ('off', 'attnpath:sample:notConverged');         % the table says how far each can be trusted
post = attnpath_sample (net, d.train, d.ytrain, 'Seed', c.seed, draws.sampler{:});
warning (saved);
out.seconds = toc (started);
out.accuracy = right_on_sets (post, d.asked, 'U', spread_draws (post, draws.averaged));
out.rhat = post.diagnostics.rhat;
out.ess = post.diagnostics.ess;
end
