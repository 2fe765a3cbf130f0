function heads = oneshot_heads (outputs, worth, axis_of, H)
%ONESHOT_HEADS  Heads removed from the trained network: one at a time, and one after the other in the order of scores.
%
%   heads = oneshot_heads (outputs, worth, axis_of, H)
%   Inputs :  outputs, cells of oneshot_outputs_cell, seeds x 2: all classes of the test data, and new ones;  worth,
%             cells of oneshot_worth_cell, draws x (scores + 1), the last of them the search;  axis_of, struct of scores
%             and score_names;  H, 1 x L head counts
%   Outputs:  struct of percentages of right answers, of all classes where nothing else is said:
%     list           heads x 2, rows [layer head]
%     full, lost     1 x 2 and 2 x heads: with all heads, and how much less without one; all and new classes
%     names, score   1 x scores cell, and draws x heads x scores
%     correlation    draws x scores x 2: rank correlation of score and lost, all and new classes
%     removed        draws x (removals + 1) x scores
%     found, error   of the search: 1 x draws cell of heads, and draws x (removals + 1);  search, as removed
%     random         (removals + 1) x 3: mean, spread and number of all choices that leave each layer a head

% SPDX-License-Identifier: BSD-3-Clause

for s = 1:2
  F = cat (1, outputs(:,s).F);
  labels = cat (1, outputs(:,s).labels);
  left{s} = @(gone) oneshot_without (gone, F, labels, H);
end
heads.list = heads_of (H);
heads.names = axis_of.score_names;
for s = 1:2
  heads.full(s) = left{s}(zeros (0, 2));
  for k = 1:size (heads.list, 1), heads.lost(s,k) = heads.full(s) - left{s}(heads.list(k,:)); end
end
for d = 1:size (worth, 1)
  demo_progress ('heads removed in the order of scores, draw %d of %d', d, size (worth, 1));
  for w = 1:numel (heads.names)
    heads.score(d,:,w) = worth(d,w).worth;
    for s = 1:2, heads.correlation(d,w,s) = rank_correlation (heads.score(d,:,w), heads.lost(s,:)); end
    heads.removed(d,:,w) = removal_curve (heads.score(d,:,w), heads.list, H, left{1});
  end
  heads.found{d} = worth(d,end).found;
  heads.error(d,:) = worth(d,end).loo;
  for k = 0:size (heads.found{d}, 1), heads.search(d,k+1) = left{1}(heads.found{d}(1:k,:)); end
end
for k = 0:sum (H) - numel (H)
  demo_progress ('all choices of %d heads', k);
  heads.random(k+1,:) = any_choice (k, heads.list, H, left{1});
end
end

function row = any_choice (k, list, H, left)
% Mean, spread and number of all choices of k heads that leave each layer one
subsets = zeros (1, 0);
if k > 0, subsets = nchoosek (1:size (list, 1), k); end
every = [];
for c = 1:size (subsets, 1)
  gone = list(subsets(c,:),:);
  if all (sum (bsxfun (@eq, gone(:,1), 1:numel (H)), 1) < H), every(end+1) = left (gone); end
end
row = [mean(every), std(every), numel(every)];
end
