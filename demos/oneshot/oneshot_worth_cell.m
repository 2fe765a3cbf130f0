function out = oneshot_worth_cell (c, plan)
%ONESHOT_WORTH_CELL  One score of each head, the search for heads to remove, or a network's outputs.
%
%   out = oneshot_worth_cell (c, plan)
%   Inputs :  c, struct of seed, of the sequences, and score: 'search', 'own', 'scale', 'gain', 'outputs', or a word of
%             attnpath_scores;
%             plan, struct of settings of oneshot_data, and width and temperatures of the theory; for 'outputs'
%             network, as for oneshot_network, and together, number of test sequences
%   Outputs:  struct of worth, 1 x heads; T and U of the theory, NaN and [] for scores without it; for 'search' found,
%             rows [layer head] in the order of removal, and loo, the leave-one-out error, 1 x (removals + 1); for
%             'outputs' F, together x Pi, and labels, of all classes, from oneshot_held_out: oneshot_worth removes
%             heads from these numbers in seconds
%   'own' is |U| of the trained network's weights; 'importance' and 'ablation' evaluate the trained network on the
%   training sequences; all other scores use the theory's solution for these sequences, at the temperature of the
%   least squared leave-one-out error (T24). 'scale' is the scale of each head of the largest evidence there
%   (attnpath_tune), 'gain' its gain of evidence in nats, negative where the scale is below 1.
%   See also oneshot_worth, head_worth.

% SPDX-License-Identifier: BSD-3-Clause

if strcmp (c.score, 'outputs')
  [out.F, out.labels] = oneshot_held_out (oneshot_network (plan.network), 'all', plan.together, c.seed);
  return
end
d = oneshot_data (c.seed, plan);
out = struct ('worth', [], 'T', NaN, 'U', [], 'found', [], 'loo', []);
switch c.score
  case 'own'
    out.worth = head_worth ('order', struct ('net', d.net, 'U', d.trained.U));
  case {'importance', 'ablation'}
    d.train.heads = d.heads;
    out.worth = head_worth (c.score, d.trained, d.train, d.ytrain);
  case 'search'
    [out.found, curve] = attnpath_prune (solved (c.seed, plan, d), 'By', 'loo');
    out.loo = curve.value';
  case {'scale', 'gain'}
    sol = solved (c.seed, plan, d);
    [out.T, out.U] = deal (sol.net.temperature, sol.U);
    out.worth = getfield (tuned (c.seed, plan, sol), c.score);
  otherwise
    sol = solved (c.seed, plan, d);
    [out.T, out.U] = deal (sol.net.temperature, sol.U);
    out.worth = head_worth (c.score, sol);
end
end

function worth = tuned (seed, plan, sol)
% Both scores. The last result is cached: the two cells share the search
persistent asked kept
if ~isequal (asked, {seed, plan})
  saved = warning ('off', 'attnpath:tune:bound');
  back = onCleanup (@() warning (saved));
  [best, info] = attnpath_tune (sol.net, sol.paths, sol.y, 'Tune', 'heads', 'Scale', 'net', 'Display', false);
  kept.scale = [best.net.headscale{:}];
  kept.gain = sign (kept.scale - 1) .* [info.gained.heads{:}];
  kept.gain(isnan (kept.gain)) = Inf;              % the only head of its layer: the largest score
  asked = {seed, plan};
end
worth = kept;
end

function sol = solved (seed, plan, d)
% From high to low temperature. The last result is cached: cells that differ in the score share it
persistent asked kept
if ~isequal (asked, {seed, plan})
  net = d.net;
  net.width(:) = plan.width;
  saved = warning ('off', 'attnpath:solve:noise');         % the search includes temperatures that are too high
  back = onCleanup (@() warning (saved));
  start = {};
  least = Inf;
  for T = sort (plan.temperatures, 'descend')
    net.temperature = T;
    one = attnpath_solve (net, d.train, d.ytrain, 'Tolerance', 1e-6, 'Certificate', false, 'Display', false, start{:});
    start = {'Start', one.order};
    mse = getfield (attnpath_loo (one), 'mse');
    if mse < least, [least, kept] = deal (mse, one); end
  end
  asked = {seed, plan};
end
sol = kept;
end
