function result = oneshot_worth (network, plan)
%ONESHOT_WORTH  The accuracy that a trained network loses without its heads, and how well scores of heads predict it.
%
%   plan = oneshot_worth ()                    the settings of the one-shot demo and of studies/worth, which share cells
%   result = oneshot_worth (network, plan)
%   Inputs :  network, as for oneshot_network;  plan, struct of
%               P                     training sequences of a draw, from which heads are scored
%               draws, searched       number of draws, two at least, and number of draws with a search for heads, or 0:
%                                     with 64 paths one takes hours
%               width, temperatures   of the theory: each draw has the temperature of the least leave-one-out error
%               together, parts       test sequences of all classes in one batch, for memory, and number of batches
%               tuned                 optional; true: the scores of tuned scales as well
%   Outputs:  struct of percentages of right answers and of scores:
%               list              heads x 2, rows [layer head]
%               full, lost        accuracy with all heads, and, 1 x heads, the loss without one;  full_error,
%                                 lost_error, standard errors, over sequences
%               scores, names     1 x scores cells: words of oneshot_worth_cell, and their names in figures
%               score             draws x heads x scores
%               single, joint     draws x scores and 1 x scores: rank correlation with lost, of each draw's score, and
%                                 of the mean score of all draws
%               agreement         1 x scores, mean rank correlation of two draws' scores
%               removed           scores x (removals + 1), heads removed in the order of the mean scores, the least
%                                 first; a layer keeps its last head;  removed_single, in the order of each draw,
%                                 draws x (removals + 1) x scores
%               search, found     searched x (removals + 1), by the search, and cell of the heads in its order
%               loo               searched x (removals + 1), leave-one-out error of the search
%               random            (removals + 1) x 3: mean, spread and number of choices that leave each layer a head
%               U, T              1 x draws: correlation of U of theory and trained network, and temperature
%   If the environment variable ATTNPATH_CELLS names a folder, an interrupted sweep resumes (see sweep_cells). A new
%   score is a row of scores_of below and a case of oneshot_worth_cell.
%   See also experiment_oneshot, and study_worth in studies/worth.

% SPDX-License-Identifier: BSD-3-Clause

if nargin == 0
  result = quick_mode (struct ('P', 600, 'draws', 8, 'searched', 4, 'width', 10, 'temperatures', [0.1 0.25 0.5 1], ...
                               'together', 4000, 'parts', 5), ...  % 20000 sequences: losses are accurate to 0.3 points
                       struct ('P', 60, 'draws', 2, 'searched', 2, 'temperatures', [0.1 1], 'together', 200, ...
                               'parts', 2));
  return
end
trained = oneshot_network (network);
[~, name] = fileparts (network);
source = getfield (attnpath_task_oneshot ('P', 2, 'Ptest', 2), 'source');
if strncmp (source.train, 'generator', 9), name = [name '_generator']; end
of = {source, trained.source, sum(trained.U(:))};     % cells of other images, or of another network, are others
answers = struct ('network', network, 'together', plan.together, 'of', {of});
outputs = sweep_cells (['outputs_' name], @(c) oneshot_worth_cell (c, answers), ...
                       struct ('score', {{'outputs'}}, 'seed', 1:plan.parts));
worth = struct ('P', plan.P, 'Pvalid', 2, 'Ptest', 2, 'network', network, 'width', plan.width, ...
                'temperatures', plan.temperatures, 'of', {of});
cell_of = @(c) oneshot_worth_cell (c, worth);
words = scores_of (plan);
scored = sweep_cells (['worth_' name], cell_of, struct ('score', {words(:,1)'}, 'seed', 1:plan.draws));
search = struct ('found', {}, 'loo', {});
if plan.searched > 0
  search = sweep_cells (['worth_' name], cell_of, struct ('score', {{'search'}}, 'seed', 1:plan.searched));
end

H = trained.net.H;
F = cat (1, outputs.F);
labels = cat (1, outputs.labels);
left = @(gone) oneshot_without (gone, F, labels, H);
fprintf ('... heads removed from %s, on %d sequences\n', name, numel (labels));
result = struct ('list', heads_of (H), 'scores', {words(:,1)'}, 'names', {words(:,2)'});
result = lost (result, left);
left = remembered (left);
result = foretold (result, scored, left, H);
result = searched (result, search, left);
for k = 0:sum (H) - numel (H), result.random(k+1,:) = any_choice (k, result.list, H, left); end
theory = scored(strcmp (words(:,1), 'order'),:);
result.U = arrayfun (@(c) correlation (c.U, trained.U), theory);
result.T = [theory.T];
end

function words = scores_of (plan)
words = {'order',      '|U|'
         'predictor',  'predictor'
         'loo',        'leave-one-out'
         'own',        '|U|, trained'
         'importance', 'importance'
         'ablation',   'ablation'};
if isfield (plan, 'tuned') && plan.tuned
  words = [words; {'scale', 'tuned scale'; 'gain', 'gain of the scale'}];
end
end

function left = remembered (left)
% The same function with a cache: orders share most of their sets of heads
known = containers.Map ('KeyType', 'char', 'ValueType', 'double');
left = @(gone) recall (known, left, sortrows (gone));
end

function percent = recall (known, left, gone)
key = sprintf ('%d.%d ', gone');
if ~isKey (known, key), known(key) = left (gone); end
percent = known(key);
end

function result = lost (result, left)
[result.full, all] = left (zeros (0, 2));
all = double (all);                                % Octave 9's std refuses a logical array
result.full_error = 100 * std (all) / sqrt (numel (all));
for k = 1:size (result.list, 1)
  [percent, right] = left (result.list(k,:));
  result.lost(k) = result.full - percent;
  result.lost_error(k) = 100 * std (all - right) / sqrt (numel (all));
end
end

function result = foretold (result, scored, left, H)
[words, draws] = size (scored);
for w = 1:words
  score = cat (1, scored(w,:).worth);
  result.score(:,:,w) = score;
  result.single(:,w) = arrayfun (@(d) rank_correlation (score(d,:), result.lost), (1:draws)');
  result.joint(w) = rank_correlation (mean (score, 1), result.lost);
  pairs = nchoosek (1:draws, 2);
  result.agreement(w) = mean (arrayfun (@(a, b) rank_correlation (score(a,:), score(b,:)), pairs(:,1), pairs(:,2)));
  result.removed(w,:) = removal_curve (mean (score, 1), result.list, H, left);
  for d = 1:draws, result.removed_single(d,:,w) = removal_curve (score(d,:), result.list, H, left); end
end
end

function result = searched (result, search, left)
result.found = {search.found};
result.loo = cat (1, search.loo);
result.search = [];
for d = 1:numel (search)
  for k = 0:size (search(d).found, 1), result.search(d,k+1) = left (search(d).found(1:k,:)); end
end
end

function row = any_choice (k, list, H, left)
% Mean, spread and number of choices of k heads that leave each layer one: all choices, or a hundred spread over them
subsets = zeros (1, 0);
if k > 0, subsets = nchoosek (1:size (list, 1), k); end
layer = reshape (list(subsets,1), size (subsets));
for l = 1:numel (H)
  kept = sum (layer == l, 2) < H(l);
  [subsets, layer] = deal (subsets(kept,:), layer(kept,:));
end
if size (subsets, 1) > 100, subsets = subsets(round (linspace (1, size (subsets, 1), 100)),:); end
every = arrayfun (@(c) left (list(subsets(c,:),:)), 1:size (subsets, 1));
row = [mean(every), std(every), numel(every)];
end
