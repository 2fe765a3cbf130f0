function study_heads (folder, seeds, models)
% study_heads: importance of the heads of small transformers, by the theory's scores and by ablation of the model
%
%   study_heads (folder)                    the tables of doc/your_own_transformer.md, five trainings of each model
%   study_heads (folder, seeds, models)     these trainings, of a cell of 'vit', 'deep', 'bert', 'llama'
%
% study_heads.py trains the models (digits, and descriptions of Debian packages), exports 300 fresh examples, and
% measures the cost of removing each head; PYTHON names a Python with PyTorch, transformers and scikit-learn. Existing
% files in the folder are used again. The theory's network of all layers is tuned on the fresh examples (temperature,
% outputs shared) and scores the heads. For each score: Spearman's rank correlation with the increase of the model's log
% loss on the test when a head is removed, over all heads, over those of the last two layers, and within layers (mean);
% and percent right on the test after a third and two thirds of the heads are removed in its order. Means and standard
% errors over the trainings.

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (mfilename ('fullpath'));
addpath (fullfile (here, '..', '..', 'demos', 'shared'));
if nargin < 2, seeds = 1:5; end
table = {'vit', [4 4], 'mean'; 'deep', [4 4 4], 'mean'; 'bert', [6 6], 'first'; 'llama', [4 4], 'last'};
if nargin > 2, table = table(ismember (table(:,1), models),:); end
python = getenv ('PYTHON');
if isempty (python), python = 'python3'; end
run = @(varargin) call (sprintf ('%s %s %s %s %d %s', python, fullfile (here, 'study_heads.py'), varargin{:}, folder));
for m = 1:size (table, 1)
  [name, H, readout] = table{m,:};
  layer = heads_of (H)(:,1)';
  [r, right] = deal ([]);
  for k = 1:numel (seeds)
    stem = fullfile (folder, sprintf ('%s_%d', name, seeds(k)));
    if ~exist ([stem '_rescaled.mat'], 'file'), run ('train', name, seeds(k)); end
    if ~exist ([stem '_scores.mat'], 'file')
      [names, values] = scores (stem, H, readout);
      save ([stem '_scores.mat'], 'names', 'values', '-v6');
    end
    load ([stem '_scores.mat']);
    lost = costs ([stem '_test.mat'], 'ablation');
    for j = 1:numel (names), r(k,j,:) = correlations (values(j,:), lost, layer); end
    [masks, rows] = removals (values, H, seeds(k));
    save_text ([stem '_masks.txt'], masks);
    run ('remove', name, seeds(k));
    got = 100 * load ([stem '_right.txt']);
    whole(k) = got(1);
    right(k,:,:) = rows (got);
  end
  fprintf ('\n%s: %.1f +- %.1f %% right; %d trainings\n', name, mean (whole), error_of (whole'), numel (seeds));
  fprintf ('| %-28s | %14s | %14s | %14s | %12s | %12s |\n', '', 'all heads', 'last 2 layers', 'within layers', ...
           'third gone', 'two thirds');
  names = [names, {'at random', 'model, fresh, rescaled'}];
  for j = 1:numel (names)
    text = {'', '', ''};
    for c = 1:3 * (j <= size (r, 2)), text{c} = sprintf ('%.2f +- %.2f', mean (r(:,j,c)), error_of (r(:,j,c))); end
    fprintf ('| %-28s | %14s | %14s | %14s | %5.1f +- %.1f | %5.1f +- %.1f |\n', names{j}, text{:}, ...
             [mean(right(:,j,:), 1)(:), error_of(right(:,j,:))(:)]');
  end
end
end

function r = correlations (value, lost, layer)
% Over all heads, over those of the last two layers, and within layers
of = @(some) rank_correlation (value(some), lost(some));
within = arrayfun (@(l) of (layer == l), 1:max (layer));
r = [of(layer > 0), of(layer > max (layer) - 2), mean(within)];
end

function se = error_of (values)
se = std (values, 0, 1) / sqrt (size (values, 1));
end

function call (command)
if system (command) ~= 0, error ('study_heads: this failed: %s', command); end
end

function save_text (file, masks)
out = fopen (file, 'w');
fprintf (out, [repmat('%.17g ', 1, size (masks, 2)) '\n'], masks');
fclose (out);
end

function values = costs (file, by)
values = sortrows (attnpath_scores (file, 'By', by), [1 2])(:,3)';
end

function [names, values] = scores (stem, H, readout)
net = attnpath_net (H, 'Width', 100, 'Readout', readout);
[paths, y] = attnpath_paths (net, attnpath_source ([stem '_fresh_001.mat']));
sol = attnpath_tune (net, paths, y, 'Tune', 'temperature', 'Outputs', 'shared', 'Tolerance', 1e-3);
names = {'order', 'share', 'predictor', 'loo', 'ablation'};
for j = 1:numel (names), values(j,:) = head_worth (names{j}, sol); end
names = [names, {'importance, fresh', 'cost, learned examples', 'cost, fresh examples'}];
values = [values; costs([stem '_fresh.mat'], 'importance'); costs([stem '_seen.mat'], 'ablation'); ...
          costs([stem '_fresh.mat'], 'ablation')];
end

function [masks, rows] = removals (values, H, seed)
% The first mask keeps all heads. rows (right): 1 x scores x 2, the shares of each score and number of heads
n = sum (H);
many = round ([1/3, 2/3] * n);
masks = ones (1, n);
place = zeros (size (values, 1) + 2, 2);
rand ('twister', seed);
for j = 1:size (values, 1) + 2
  for k = 1:2
    place(j,k) = size (masks, 1) + 1;
    draws = 1;
    if j == size (values, 1) + 1, draws = 4; end
    for d = 1:draws
      worth = values(min (j, end),:);
      if j > size (values, 1) && draws > 1, worth = rand (1, n); end
      masks(end+1,:) = without (worth, many(k), H, j > size (values, 1) + 1);
    end
  end
end
random = size (values, 1) + 1;
rows = @(got) shares (got, place, random);
end

function right = shares (got, place, random)
for j = 1:size (place, 1)
  for k = 1:2, right(1,j,k) = mean (got(place(j,k) + (0:3 * (j == random)))); end
end
end

function mask = without (worth, many, H, rescale)
% The heads of the lowest scores; each layer keeps its last head
mask = ones (1, sum (H));
of = kron (1:numel (H), ones (1, H(1)));
[~, order] = sort (worth);
for head = order
  if sum (mask == 0) == many, break; end
  if sum (mask(of == of(head))) > 1, mask(head) = 0; end
end
for l = 1:numel (H) * rescale, mask(of == l) = mask(of == l) * sqrt (H(l) / sum (mask(of == l))); end
end
