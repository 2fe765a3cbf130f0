function out = oneshot_draws_cell (c, plan, draws)
%ONESHOT_DRAWS_CELL  Posterior draws of the one-shot task at one width.
%
%   out = oneshot_draws_cell (c, plan, draws)
%   Inputs :  c, struct of width and seed;  plan, struct of settings of oneshot_data;  draws, struct of
%               temperature     a number, or seeds x widths numbers, with the widths in a field width
%               sampler         options of attnpath_sample; the default of 'Seed' is the seed of the cell
%               looks           optional, in place of 'Draws': numbers of draws of each chain at which convergence is
%                               tested, as for draw_until
%               probes          optional: number of held-out sequences, the first, on which f is drawn
%               averaged        draws whose predictors are averaged
%   Outputs:  struct of accuracy, 1 x sets, percent, as from oneshot_cell; T; U, the mean of the draws; rhat, ess,
%             converged and reason, of attnpath_sample; rhats and esses, 1 x 3, the largest R-hat and the smallest bulk
%             ESS of U, f (NaN without probes) and the log posterior; draws, of each chain; seconds of the processor
%   See also oneshot_cell.

% SPDX-License-Identifier: BSD-3-Clause

d = oneshot_data (c.seed, plan);
net = d.net;
out.T = draws.temperature;
if isfield (draws, 'width'), out.T = out.T(c.seed,draws.width == c.width); end
net.temperature = out.T;
net.width(:) = c.width;
more = draws.sampler;
if isfield (draws, 'probes'), more = [more, {'Probe', struct('Xi', d.asked(2).paths.Xi(:,1:draws.probes,:))}]; end
from = cputime ();
saved = warning ('off', 'attnpath:sample:notConverged');         % the table has R-hat and ESS
back = onCleanup (@() warning (saved));
sample = @(varargin) attnpath_sample (net, d.train, d.ytrain, 'Seed', c.seed, more{:}, varargin{:});
if isfield (draws, 'looks'), post = draw_until (draws.looks, sample); else, post = sample (); end
out.seconds = cputime () - from;
out.accuracy = d.right (post, 'U', spread_draws (post, draws.averaged));
out.U = mean (post.U(:,:,:), 3);
of = post.diagnostics;
[out.rhat, out.ess] = deal (of.rhat, of.ess);
out.rhats = [max(of.U.rhat(:)), NaN, of.logpost.rhat];
out.esses = [min(of.U.ess_bulk(:)), NaN, of.logpost.ess_bulk];
if ~isempty (of.f.rhat), [out.rhats(2), out.esses(2)] = deal (max (of.f.rhat(:)), min (of.f.ess_bulk(:))); end
[out.draws, out.converged, out.reason] = deal (size (post.U, 3), post.converged, post.reason);
end
