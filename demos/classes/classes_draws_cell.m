function out = classes_draws_cell (c, plan, draws, widths)
%CLASSES_DRAWS_CELL  Posterior draws of the task of several classes at one width.
%
%   out = classes_draws_cell (c, plan, draws, widths)
%   Inputs :  c, struct of width and seed, of the task and of the chains;  plan, struct of settings of classes_data;
%             draws, struct of
%               sampler     options of attnpath_sample, a cell for each of the widths
%               looks       numbers of draws of each chain, as for draw_until, a cell for each of the widths
%               averaged    draws of U whose predictors are averaged
%               probes      number of test sequences, the first, on which f is drawn: for R-hat and ESS of f
%             widths, at which the posterior is sampled
%   Outputs:  struct of accuracy, percent, of the averaged predictor; U, the mean of the draws; rhat and ess, 1 x 2,
%             the largest R-hat and the smallest bulk ESS of U and of f; converged and reason, of attnpath_sample;
%             seconds
%   Outputs are coupled: an index of U is a path and a class.
%   See also classes_cell, attnpath_sample, draw_until.

% SPDX-License-Identifier: BSD-3-Clause

d = classes_data (c.seed, plan);
d.net.width(:) = c.width;
probe = struct ('Xi', d.test.Xi(:,1:draws.probes,:));
started = tic ();
saved = warning ('off', 'attnpath:sample:notConverged');         % the table has R-hat and ESS
back = onCleanup (@() warning (saved));
more = draws.sampler{widths == c.width};
post = draw_until (draws.looks{widths == c.width}, @(varargin) attnpath_sample (d.net, d.train, d.ytrain, 'Seed', ...
                                                                   c.seed, 'Probe', probe, more{:}, varargin{:}));
out.seconds = toc (started);
[~, ~, class] = attnpath_predict (post, d.test, 'U', spread_draws (post, draws.averaged));
out.accuracy = 100 * mean (class == d.ytest);
out.U = mean (post.U(:,:,:), 3);
of = post.diagnostics;
out.rhat = [max(of.U.rhat(:)), max(of.f.rhat(:))];
out.ess = [min(of.U.ess_bulk(:)), min(of.f.ess_bulk(:))];
out.converged = post.converged;
out.reason = post.reason;
end
