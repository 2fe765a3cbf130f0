function out = networks_cell (c, plan)
%NETWORKS_CELL  Larger networks on the Markov task: accuracy, and accuracy while heads are removed.
%
%   out = networks_cell (c, plan)
%   Inputs :  c, struct of network (such as '3 3 3', heads of each layer), width and seed;  plan, struct of Ptest and
%             pruned, the width at which heads are removed
%   Outputs:  struct of accuracy and gp (percent), evaluations, gradnorm; and, at the width pruned, score, of the
%             heads, layer by layer, and removed, (removals + 1) x 3: accuracy after each removal in order of score,
%             solved again; in order of score, with the remaining entries of U; in random order, solved again. A layer
%             keeps one head

% SPDX-License-Identifier: BSD-3-Clause

H = sscanf (c.network, '%d')';
d = markov_data ('Heads', H, 'Ptest', plan.Ptest, 'Seed', c.seed);
net = d.net;
net.width(:) = c.width;
sol = solved (net, d.train, d.ytrain);
out.accuracy = percent_right (attnpath_predict (sol, d.test), d.ytest);
out.gp = percent_right (attnpath_predict (sol, d.test, 'Limit', 'gp'), d.ytest);
out.evaluations = sol.evaluations;
out.gradnorm = sol.gradnorm;
out.score = [];
out.removed = [];
if c.width ~= plan.pruned, return; end
score = attnpath_scores (sol, 'By', 'order');
listed = sortrows (score, [1 2]);
out.score = listed(:,3)';
by_score = removable_heads (score(:,1:2), H);
at_random = removable_heads (score(randperm (size (score, 1)),1:2), H);          % from this cell's random stream
out.removed = out.accuracy * ones (1, 3);
for k = 1:size (by_score, 1)
  out.removed(k+1,:) = [anew(net, d, by_score(1:k,:)), as_it_was(sol, d, by_score(1:k,:)), ...
                        anew(net, d, at_random(1:k,:))];
end
end

function sol = solved (net, paths, y)
sol = attnpath_solve (net, paths, y, 'Tolerance', 1e-6, 'Certificate', false, 'Display', false);
end

function percent = anew (net, d, gone)
[small, few] = attnpath_prune (net, gone, d.train);
[~, few_test] = attnpath_prune (net, gone, d.test);
percent = percent_right (attnpath_predict (solved (small, few, d.ytrain), few_test), d.ytest);
end

function percent = as_it_was (sol, d, gone)
% The remaining entries of U, in the smaller network's normalisation
kept = true (size (d.train.heads, 1), 1);
for head = gone'
  kept = kept & d.train.heads(:,head(1)) ~= head(2);
end
[small, few] = attnpath_prune (sol.net, gone, d.train);
[~, few_test] = attnpath_prune (sol.net, gone, d.test);
mu = attnpath_predict (struct ('net', small, 'paths', few, 'y', d.ytrain), few_test, 'U', sol.U(kept,kept));
percent = percent_right (mu, d.ytest);
end
