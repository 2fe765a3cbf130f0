function ap_warn_copies (fname, Xi, group)
%AP_WARN_COPIES  Warns if many examples are copies of others, whose labels leave-one-out then knows.
%
%   AP_WARN_COPIES (fname, Xi, group)
%   Inputs :  Xi, N0 x P x Pi path inputs of the training examples;  group, from ap_left_groups: a sequence is a copy
%             if its tokens are those of another sequence
%   Warnings: attnpath:<fname>:copies
%   The posterior with n copies of an example is that of one with 1/n of the noise, but what is left out is learned from
%   the others. Markov task, 100 sequences, of which k are given twice, 20 % of labels wrong, attnpath_tune by default,
%   medians of temperature and mean test accuracy in %:
%     k                      0      5     10     15     25
%     copies, % of rows      0     10     18     26     40
%     temperature         0.35   0.32   0.29   0.29   0.11
%     accuracy            79.3   79.7   79.1   78.8   76.1
%   All twice, of five of the eight draws: 77.0 for 83.1, at the least temperature, and a head that reads the signal was
%   the first to be removed by its score in each draw, for one of five. So the warning begins at 30 %.
%   See also ap_left_groups, ap_warn_seen, attnpath_loo.

% SPDX-License-Identifier: BSD-3-Clause

[P, Pi] = deal (size (Xi, 2), size (Xi, 3));
same = zeros (P, 1);
for p = 1:Pi                                       % equal so far; mostly no two are, from the first path on
  [~, ~, same] = unique ([same(:), Xi(:,:,p)'], 'rows');
  if max (same) == P, return; end
end
named = ap_either (isempty (group), 'examples', 'sequences');
if isempty (group), group = (1:P)'; end
[of, rank] = sort (group(:));                      % tokens of a sequence stay in their order
first = accumarray (of, (1:P)', [], @min);
whole = accumarray ([of, (1:P)' - first(of) + 1], same(rank));
[~, ~, kind] = unique (whole, 'rows');
count = accumarray (kind(:), 1);
alive = accumarray (group(:), double (reshape (any (any (Xi, 1), 3), [], 1))) > 0;    % others are predicted by 0
copied = count(kind(:)) > 1 & alive;
if mean (copied) < 0.3, return; end
warning (['attnpath:' fname ':copies'], ['attnpath_%s: %d of %d %s have copies among the others, from which ' ...
         'leave-one-out knows their labels. Unless new ones are copies as well, give each once: with the mean of ' ...
         'its n labels and ''Noise'', 1/n, where copies have none of their own, the posterior is the same'], fname, ...
         sum (copied), numel (copied), named);
end
