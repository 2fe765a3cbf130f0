function out = oneshot_draws_cell (c, plan, draws)
%ONESHOT_DRAWS_CELL  Posterior draws of the one-shot task at a width.
%
%   out = oneshot_draws_cell (c, plan, draws)
%   Inputs :  c, struct of width and seed;  plan, struct of settings of oneshot_data;  draws, struct of
%               temperature     or seeds x widths of them, with the widths in a field width
%               sampler         options of attnpath_sample, whose seed is that of the cell unless they have one
%               averaged        draws whose predictors are averaged
%   Outputs:  struct of accuracy, 1 x sets, percent, as from oneshot_cell; T; U, the mean of the draws; rhat, ess and
%             reason, of attnpath_sample; seconds
%   See also oneshot_cell.

% SPDX-License-Identifier: BSD-3-Clause

d = oneshot_data (c.seed, plan);
net = d.net;
out.T = draws.temperature;
if isfield (draws, 'width'), out.T = out.T(c.seed,draws.width == c.width); end
net.temperature = out.T;
net.width(:) = c.width;
started = tic ();
saved = warning ('off', 'attnpath:sample:notConverged');         % the table says how far each can be trusted
post = attnpath_sample (net, d.train, d.ytrain, 'Seed', c.seed, draws.sampler{:});
warning (saved);
out.seconds = toc (started);
out.accuracy = right_on_sets (post, d.asked, 'U', spread_draws (post, draws.averaged));
out.U = mean (post.U(:,:,:), 3);
out.rhat = post.diagnostics.rhat;
out.ess = post.diagnostics.ess;
out.reason = post.reason;
end
