function study_heads (folder, seeds, models)
% study_heads: importance of the heads of small transformers, by the theory, by what is simple, and by the model itself
%
%   study_heads (folder)                    the tables of doc/your_own_transformer.md, three trainings of each model
%   study_heads (folder, seeds, models)     these trainings, of a cell of 'gpt2', 'alibi', 'vit', 'window', 'neox'
%
% study_heads.py makes and trains the models, exports 300 fresh examples, and measures the cost of removing each head;
% PYTHON names a Python with PyTorch, transformers and scikit-learn. Existing files in the folder are used again. The
% theory's network of all layers is tuned on the fresh examples (temperature, outputs shared) and scores the heads.
% First table: Spearman's rank correlation of each score with the increase of the model's loss on the test without a
% head, over all heads and, after a bar, within layers (mean). Second: percent right on the test after a quarter and a
% half of the heads are removed by each score, and the increase of the loss after a quarter. Means and standard errors
% over the trainings. Third: percent right of theory and model on 400 examples of the test.

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (mfilename ('fullpath'));
addpath (fullfile (here, '..', '..', 'demos', 'shared'));
if nargin < 2, seeds = 21:23; end
table = {'gpt2', [3 3 3], 'last'; 'alibi', [6 6], 'mean'; 'vit', [3 3 3], 'first'; 'window', [6 6], 'last'};
if nargin > 2, table = table(ismember (table(:,1), models),:); end
python = getenv ('PYTHON');
if isempty (python), python = 'python3'; end
run = @(what, name, seed) call (sprintf ('%s %s %s %s %d %s', python, fullfile (here, 'study_heads.py'), what, name, ...
                                         seed, folder));
for m = 1:size (table, 1)
  [name, H, readout] = table{m,:};
  [r, right, lost] = deal ([]);
  for k = 1:numel (seeds)
    stem = fullfile (folder, sprintf ('%s_%d', name, seeds(k)));
    if ~exist ([stem '.pt'], 'file'), run ('train', name, seeds(k)); end
    if ~exist ([stem '_scores.mat'], 'file')
      [names, values, accuracy] = scores (stem, H, readout);
      save ([stem '_scores.mat'], 'names', 'values', 'accuracy', '-v6');
    end
    load ([stem '_scores.mat']);
    found(m,k,:) = 100 * accuracy;
    cost = column ([stem '_test.mat'], 'ablation');
    layer = heads_of (H)(:,1)';
    for j = 1:numel (names), r(k,j,:) = correlations (values(j,:), cost, layer); end
    [masks, rows] = removals (values, searched (stem, H), H, seeds(k));
    save_text ([stem '_masks.txt'], masks);
    run ('remove', name, seeds(k));
    got = load ([stem '_right.txt']);
    whole(k,1) = 100 * got(1);
    right(k,:,:) = 100 * rows (got(:,1));
    lost(k,:,:) = rows (got(:,2) - got(1,2));
  end
  tables{m} = struct ('name', name, 'r', r, 'right', right, 'lost', lost, 'whole', whole);
end
names = [names, {'the search', 'at random'}];
print_correlations (names, tables);
print_removals (names, tables);
fprintf ('\n| right in %%, theory with the maps and model |%s\n', sprintf (' %s |', table{:,1}));
fprintf ('| |');
for m = 1:size (table, 1)
  fprintf (' %s |', strjoin (arrayfun (@(k) sprintf ('%.1f of %.1f', found(m,k,:)), 1:numel (seeds), ...
                                       'UniformOutput', false), ', '));
end
fprintf ('\n');
end

function print_correlations (names, tables)
fprintf ('\n| all heads / within layers |%s\n', ...
         sprintf (' %s |', cellfun (@(t) t.name, tables, 'UniformOutput', false){:}));
for j = 1:numel (names) - 2
  fprintf ('| %s |', names{j});
  for t = [tables{:}]
    values = t.r(:,j,:);
    if all (isnan (values(:,1,2)))
      fprintf (' %.2f +- %.2f / |', mean (values(:,1,1)), error_of (values(:,1,1)));
    else
      fprintf (' %.2f +- %.2f / %.2f +- %.2f |', [mean(values, 1)(:), error_of(values)(:)]');
    end
  end
  fprintf ('\n');
end
end

function print_removals (names, tables)
fprintf ('\n| right in %% without a quarter, a half; loss without a quarter |%s\n| all heads |%s\n', ...
         sprintf (' %s |', cellfun (@(t) t.name, tables, 'UniformOutput', false){:}), ...
         sprintf (' %.1f |', cellfun (@(t) mean (t.whole), tables)));
for j = 1:numel (names)
  fprintf ('| %s |', names{j});
  for t = [tables{:}]
    fprintf (' %.1f +- %.1f, %.1f +- %.1f; %+.3f |', [mean(t.right(:,j,:), 1)(:), error_of(t.right(:,j,:))(:)]', ...
             mean (t.lost(:,j,1)));
  end
  fprintf ('\n');
end
end

function r = correlations (value, cost, layer)
% Over all heads, and within layers, NaN for a score that is the same in each layer
of = @(some) rank_correlation (value(some), cost(some));
r = [of(layer > 0), mean(arrayfun (@(l) of (layer == l), 1:max (layer)))];
end

function se = error_of (values)
se = std (values, 0, 1) / sqrt (size (values, 1));
end

function call (command)
if system (command) ~= 0, error ('study_heads: this failed: %s', command); end
end

function save_text (file, masks)
out = fopen (file, 'w');
fprintf (out, [repmat('%d ', 1, size (masks, 2)) '\n'], masks');
fclose (out);
end

function values = column (file, by)
values = sortrows (attnpath_scores (file, 'By', by), [1 2])(:,3)';
end

function [names, values, accuracy] = scores (stem, H, readout)
net = attnpath_net (H, 'Width', 100, 'Readout', readout);
[paths, y] = attnpath_paths (net, attnpath_source ([stem '_fresh_001.mat']));
sol = attnpath_tune (net, paths, y, 'Tune', 'temperature', 'Outputs', 'shared', 'Tolerance', 1e-3);
names = {'share', 'order', 'predictor', 'ablation', 'loo'};
for j = 1:numel (names), values(j,:) = head_worth (names{j}, sol); end
base = load ([stem '_base.mat']);
fresh = [stem '_fresh.mat'];
names = [names, {'an earlier layer', 'entropy of maps', 'change of rollout', 'norm of W_O W_V', 'gradients', ...
                 'own costs, mean', 'own costs, resampled', 'own costs, zeros'}];
values = [values; -heads_of(H)(:,1)'; base.entropy; base.rollout; column(fresh, 'norm'); ...
          column(fresh, 'importance'); column(fresh, 'mean'); column(fresh, 'resampled'); column(fresh, 'ablation')];
test = attnpath_source ([stem '_test_001.mat']);
[~, ~, said, answer] = attnpath_predict (sol, test);
y = test (1).y;
accuracy = [mean(strcmp (said, y)), mean(strcmp (answer, y))];
end

function value = searched (stem, H)
% Heads in the order in which head_search removes them, and those that it keeps behind
list = heads_of (H);
value = (size (list, 1) + 1) * ones (1, size (list, 1));
removed = regexp (fileread ([stem '_search.txt']), '# removed (\d+) (\d+)', 'tokens');
for k = 1:numel (removed)
  value(list(:,1) == str2double (removed{k}{1}) & list(:,2) == str2double (removed{k}{2})) = k;
end
end

function [masks, rows] = removals (values, search, H, seed)
% The first mask keeps all heads. rows (got): 1 x scores x 2, the mean of what each score and number of heads got; the
% last two are the search, and the mean of eight random orders
n = sum (H);
many = floor ([1/4, 1/2] * n);                    % head_search removes half at most
rand ('twister', seed);
worth = [values; search; rand(8, n)];
masks = ones (1, n);
for k = 1:2
  for j = 1:size (worth, 1), masks(end+1,:) = without (worth(j,:), many(k), H); end
end
known = size (values, 1) + 1;
mean_of = @(got) [got(1:known); mean(got(known+1:end))];
halves = @(got) reshape (got(2:end), [], 2);
rows = @(got) reshape ([mean_of(halves (got)(:,1)), mean_of(halves (got)(:,2))], 1, [], 2);
end

function mask = without (worth, many, H)
% The heads of the lowest scores; each layer keeps its last head
mask = ones (1, sum (H));
of = heads_of (H)(:,1)';
[~, order] = sort (worth);
for head = order
  if sum (mask == 0) == many, break; end
  if sum (mask(of == of(head))) > 1, mask(head) = 0; end
end
end
