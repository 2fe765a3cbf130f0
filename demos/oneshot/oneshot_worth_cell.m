function out = oneshot_worth_cell (c, plan, scored)
%ONESHOT_WORTH_CELL  What each head is worth by one score, or the search for heads to remove.
%
%   out = oneshot_worth_cell (c, plan, scored)
%   Inputs :  c, struct of seed, of the training set, and score: a word of head_worth, or 'search';  plan, struct of
%             settings of oneshot_data;  scored, struct array of what oneshot_solution wants, for each seed
%   Outputs:  struct of worth, 1 x heads; or of the search by leave-one-out found, rows [layer head] in the order of
%             their removal, and loo, its error, 1 x (removals + 1)
%   The theory's scores are those of its solution, the others of the trained network.
%   See also experiment_oneshot.

% SPDX-License-Identifier: BSD-3-Clause

d = oneshot_data (c.seed, plan);
out = struct ('worth', [], 'found', [], 'loo', []);
switch c.score
  case 'search'
    [out.found, curve] = attnpath_prune (oneshot_solution (d, scored(c.seed)), 'By', 'loo');
    out.loo = curve.value';
  case {'order', 'predictor', 'loo', 'evidence'}
    out.worth = head_worth (c.score, oneshot_solution (d, scored(c.seed)));
  otherwise
    d.train.heads = d.heads;
    out.worth = head_worth (c.score, d.trained, d.train, d.ytrain);
end
end
