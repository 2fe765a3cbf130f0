function experiment_oneshot ()
%EXPERIMENT_ONESHOT  One-shot image task: theory on a trained network's attention, head scores, pruning (Figure 3 of [1])
%
%   A network of two layers of four heads was trained by gradient descent to tell which of two handwritten
%   characters, shown once each, a third one is. Its attention is then fixed, and the Bayesian theory asked what a
%   network of width N learns with it from 600 sequences. Panels as in Figure 3 of [1]:
%     (b) accuracy on held-out classes against width N: theory, draws from the exact posterior, the Gaussian-process
%         (GP) limit, and the trained network; temperature T chosen by evidence, and by a validation split
%     (c) the order parameter U of theory, of posterior draws, and of the trained network's weights
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) drop in the trained network's accuracy when one head is removed, against the head's score by the theory
%     (f) accuracy while heads are removed in order of score, of gradient-based importance [2], and at random
%   (b) is for classes that are not in the training data, (e) and (f) for all classes of the test data: of the 156 of
%   Omniglot's small set 2, 50 are also in small set 1. The table of (e) has both. All made-up classes are new.
%   Prints these numbers and writes demo_oneshot.png and demo_oneshot.pdf, into the current directory or the folder
%   in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/demo_oneshot.m
%
%   The trained network comes with the demo, in oneshot_trained.mat. ATTNPATH_TRAIN=1 trains one anew by the same
%   recipe, which takes a quarter of an hour, and writes it beside the figures. Images are Omniglot's, from the
%   folder that the environment variable ATTNPATH_OMNIGLOT names or from the cache (attnpath_omniglot), and
%   otherwise made-up characters, on which the network that comes with the demo was not trained: the demo says which.
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   [2] Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, NeurIPS 2019, arXiv:1905.10650.
%   See also attnpath_demo, attnpath_task_oneshot, attnpath_train, attnpath_solve, attnpath_scores, attnpath_prune.

% SPDX-License-Identifier: BSD-3-Clause

% ---- settings --------------------------------------------------------------------------------------------

widths = [10 20 50 100 200 500 1000];
temperatures = [0.05 0.1 0.25 0.5 1];
draws = 5;                       % of the training set: curves are means over them, bars their standard error
P = 600;
Pvalid = 600;                    % further sequences of the training classes, on which T is chosen as well
Ptest = 1000;
Pprune = 20000;                  % test sequences on which heads are removed: drops differ by a few per cent. Of all
                                 % classes of the test data, and as many of those that are not in the training data
together = 4000;                 % so many of them at a time, for memory
sampled = 10;                    % widths at which the posterior is sampled, for the first draw
sampler = {'Chains', 2, 'Warmup', 60, 'Draws', 60, 'Display', false};        % minutes: the table says how far to trust
averaged = 40;                   % draws of U whose predictors are averaged
shown = 10;                      % width whose U and kernel are shown, and whose scores order the heads
components = 30;
recipe = {'Paired', false, 'Evaluate', 250, 'Seed', 1};          % the published training, otherwise defaults

if strcmp (getenv ('ATTNPATH_QUICK'), '1')       % the same with fewer examples, to see whether it runs
  widths = [10 100 1000];
  temperatures = [0.1 1];
  draws = 1;
  P = 100;
  Pvalid = 100;
  Ptest = 200;
  Pprune = 400;
  together = 200;
  sampled = 10;
  sampler = {'Chains', 2, 'Warmup', 30, 'Draws', 40, 'Display', false};
end
folder = figure_folder ('demo_oneshot');

% ---- the trained network ---------------------------------------------------------------------------------

if strcmp (getenv ('ATTNPATH_TRAIN'), '1')
  task = attnpath_task_oneshot ();
  gd = attnpath_train (task, recipe{:});
  trained = struct ('heads', {gd.net.heads}, 'w', single (gd.w), 'U', single (gd.U), 'width', gd.net.width, ...
                    'embedding', task.embedding, 'history', gd.history, 'accuracy', gd.accuracy, ...
                    'source', task.source);
  for l = 1:numel (trained.heads)
    trained.heads{l} = structfun (@single, trained.heads{l}, 'UniformOutput', false);
  end
  save (fullfile (folder, 'oneshot_trained.mat'), '-struct', 'trained', '-v6');
  fprintf ('wrote %s\n', fullfile (folder, 'oneshot_trained.mat'));
else
  below = fileparts (which ('attnpath_demo'));    % in the source tree demos lie beside inst, otherwise below it
  [top, last] = fileparts (below);
  if strcmp (last, 'inst'), below = top; end
  file = fullfile (below, 'demos', 'oneshot_trained.mat');
  trained = load (file);
end
net = attnpath_net (trained.heads, 'Width', trained.width, 'Readout', 'mean');
w = double (trained.w);
U_trained = double (trained.U);
L = net.L;

% ---- sequences: path inputs depend on the attention alone, once for all widths and temperatures -----------

task = attnpath_task_oneshot ('P', draws * P + Pvalid, 'Ptest', Ptest, 'Embedding', trained.embedding);
paths = attnpath_paths (net, task.Xtrain);
test = attnpath_paths (net, task.Xtest);
list = paths.heads;                              % rows: the heads of each path
part = @(k) struct ('Xi', paths.Xi(:,k,:));
valid = draws * P + (1:Pvalid);
asked = struct ('Xi', cat (2, test.Xi, paths.Xi(:,valid,:)));       % test and validation sequences in one call
truth = [task.ytest; task.ytrain(valid)];
accuracy = @(mu, y) 100 * mean (sign (mu) == y);
accuracy_trained = accuracy (attnpath_predict (struct ('net', net, 'w', w), test), task.ytest);
fprintf ('\nOne-shot images. Training: %s\n                 test: %s\n', task.source.train, task.source.test);
fprintf ('Trained network: %s; %d steps, test accuracy %.1f %% then (mean of the last five), %.1f %% on this test set\n', ...
         trained.source.train, trained.history.step(end), 100 * trained.accuracy, accuracy_trained);

% ---- theory ----------------------------------------------------------------------------------------------

size_of = [draws, numel(temperatures), numel(widths)];
result = struct ('test', zeros (size_of), 'valid', zeros (size_of), 'evidence', zeros (size_of), ...
                 'evaluations', zeros (size_of), 'gradnorm', zeros (size_of), 'seconds', zeros (size_of));
gp = struct ('test', zeros (size_of(1:2)), 'valid', zeros (size_of(1:2)), 'evidence', zeros (size_of(1:2)));
U = zeros ([prod(net.H), prod(net.H), size_of]);
limit = cell (1, L);                             % order parameters of the GP limit
for l = 1:L, limit{l} = eye (prod (net.H(l:end))); end
for d = 1:draws
  mine = (d - 1) * P + (1:P);
  y = task.ytrain(mine);
  for t = 1:numel (temperatures)
    for n = 1:numel (widths)
      net.width(:) = widths(n);
      net.temperature = temperatures(t);
      started = tic ();
      sol = attnpath_solve (net, part (mine), y, 'Tolerance', 1e-6);
      result.seconds(d,t,n) = toc (started);
      right = sign (attnpath_predict (sol, asked)) == truth;
      result.test(d,t,n) = 100 * mean (right(1:Ptest));
      result.valid(d,t,n) = 100 * mean (right(Ptest+1:end));
      result.evidence(d,t,n) = sol.evidence;
      result.evaluations(d,t,n) = sol.evaluations;
      result.gradnorm(d,t,n) = sol.gradnorm;
      U(:,:,d,t,n) = sol.U;
    end
    right = sign (attnpath_predict (sol, asked, 'Limit', 'gp')) == truth;
    gp.test(d,t) = 100 * mean (right(1:Ptest));
    gp.valid(d,t) = 100 * mean (right(Ptest+1:end));
    [~, ~, terms] = attnpath_action (net, part (mine), y, limit);
    gp.evidence(d,t) = -terms.energy / 2 - P / 2 * log (2 * pi);
  end
end

% T is chosen for each draw and width, never on the test set
[~, choice.evidence] = max (result.evidence, [], 2);
[~, choice.valid] = max (result.valid, [], 2);
[~, gp_choice.evidence] = max (gp.evidence, [], 2);
[~, gp_choice.valid] = max (gp.valid, [], 2);
rules = {'evidence', 'valid'};
for r = 1:2
  at = reshape (choice.(rules{r}), draws, []);   % draws x widths
  for d = 1:draws
    chosen_gp(d,r) = gp.test(d,gp_choice.(rules{r})(d));
    for n = 1:numel (widths)
      chosen(d,n,r) = result.test(d,at(d,n),n);
      T_chosen(d,n,r) = temperatures(at(d,n));
    end
  end
end

% ---- draws from the posterior, for the first training set -------------------------------------------------

mine = 1:P;
for k = 1:numel (sampled)
  net.width(:) = sampled(k);
  net.temperature = T_chosen(1,widths == sampled(k),1);
  started = tic ();
  saved = warning ('off', 'attnpath:sample:notConverged');         % the table says how far each can be trusted
  post{k} = attnpath_sample (net, part (mine), task.ytrain(mine), sampler{:});
  warning (saved);
  sampling(k) = toc (started);
  some = post{k}.U(:,:,:);
  some = some(:,:,round (linspace (1, size (some, 3), averaged)));
  drawn(k) = accuracy (attnpath_predict (post{k}, test, 'U', some), task.ytest);
end

% ---- heads: scores by the theory, removal from the trained network -----------------------------------------

n = find (widths == shown);
for d = 1:draws
  best(:,:,d) = U(:,:,d,temperatures == T_chosen(d,n,1),n);
end
model = struct ('net', net, 'U', best);
score = attnpath_scores (model);                 % rows [layer head score], increasing
score_trained = attnpath_scores (struct ('net', net, 'U', U_trained));

by_path = @(Xi) reshape (sum (bsxfun (@times, permute (Xi, [1 3 2]), w), 1), size (w, 2), [])' / sqrt (size (w, 1));
data = {attnpath_omniglot(task.settings.Train, 'Seed', 1), attnpath_omniglot(task.settings.Test, 'Seed', 2)};
F = repmat ({zeros(0, size (w, 2))}, 1, 2);      % what each path adds to the output, before 1 / sqrt (paths): {1} for
labels = cell (1, 2);                            % all classes of the test data, {2} for those not in the training data
for k = 1:Pprune / together
  common = {'Embedding', trained.embedding, 'Seed', k};
  some = attnpath_task_oneshot ('Train', data{2}, 'P', together, 'Test', data{1}, 'Ptest', 2, common{:});
  held = attnpath_paths (net, some.Xtrain);      % as training data: classes shared are left out of test data only
  F{1} = [F{1}; by_path(held.Xi)];
  labels{1} = [labels{1}; some.ytrain];
  clear some held                                % tokens of 4000 sequences are 0.3 GB
  some = attnpath_task_oneshot ('Train', data{1}, 'P', 2, 'Test', data{2}, 'Ptest', together, common{:});
  held = attnpath_paths (net, some.Xtest);
  F{2} = [F{2}; by_path(held.Xi)];
  labels{2} = [labels{2}; some.ytest];
  clear some held
end
uses = @(head) list(:,head(1)) == head(2);
heads = sortrows (score(:,1:2));
kept = @(gone) ~any (ismember (bsxfun (@plus, 1000 * (1:L), list), 1000 * gone(:,1) + gone(:,2)), 2);
left = @(gone, s) accuracy (sum (F{s}(:,kept (gone)), 2) / sqrt (sum (kept (gone))), labels{s});
full = [left(zeros (0, 2), 1), left(zeros (0, 2), 2)];

% importance of a head [2]: mean |d loss / d mask|, on training sequences, over the norm of its layer's
G = by_path (paths.Xi) / sqrt (size (w, 2));
gap = sum (G, 2) - task.ytrain;
for k = 1:size (heads, 1)
  importance(k) = mean (abs (2 * gap .* sum (G(:,uses (heads(k,:))), 2)));
end
for l = 1:L
  importance(heads(:,1) == l) = importance(heads(:,1) == l) / norm (importance(heads(:,1) == l));
end
for k = 1:size (heads, 1)
  lost(:,k) = full' - [left(heads(k,:), 1); left(heads(k,:), 2)];        % by removing this head
  head_score(k) = score(ismember (score(:,1:2), heads(k,:), 'rows'),3);
  head_trained(k) = score_trained(ismember (score_trained(:,1:2), heads(k,:), 'rows'),3);
end
ranks = @(x) arrayfun (@(v) sum (x < v) + (sum (x == v) + 1) / 2, x);
spearman_of = @(a, b) [1 0] * corrcoef (ranks (a), ranks (b)) * [0; 1];

% heads removed one after the other; a layer keeps its last head
most = sum (net.H) - L;
[~, by_score] = sort (head_score);
[~, by_importance] = sort (importance);
orders = {heads(by_score,:), heads(by_importance,:)};
for r = 1:2
  gone = zeros (0, 2);
  curve = full(1);
  for k = 1:size (heads, 1)
    head = orders{r}(k,:);
    if sum (gone(:,1) == head(1)) < net.H(head(1)) - 1
      gone = [gone; head];
      curve(end+1) = left (gone, 1);
    end
  end
  pruned(:,r) = curve(:);
end
% every choice of k heads that leaves each layer one: what choosing at random gives in the mean
for k = 0:most
  subsets = zeros (1, 0);
  if k > 0, subsets = nchoosek (1:size (heads, 1), k); end
  every = [];
  for c = 1:size (subsets, 1)
    gone = heads(subsets(c,:),:);
    if all (sum (bsxfun (@eq, gone(:,1), 1:L), 1) < net.H), every(end+1) = left (gone, 1); end
  end
  any_order(k+1,:) = [mean(every), std(every), numel(every)];
end

% ---- numbers ---------------------------------------------------------------------------------------------

average = @(x) mean (x, 1);
deviation = @(x) std (x, 0, 1) / sqrt (size (x, 1));        % standard error of the mean
percent = @(x) sprintf ('%5.1f +- %3.1f %%', average (x), deviation (x));
if draws == 1, percent = @(x) sprintf ('%5.1f %%       ', x); end
fprintf ('\n(b) accuracy on held-out classes, %d sequences; %d training sequences, %d draws of them\n', Ptest, P, draws);
fprintf ('  width N   T by evidence   chosen T         T by validation  chosen T         evaluations  time per solve\n');
for n = 1:numel (widths)
  fprintf ('  %7d   %s  %-15s  %s   %-15s  %11.1f  %11.2f s\n', widths(n), percent (chosen(:,n,1)), ...
           strjoin (arrayfun (@num2str, unique (T_chosen(:,n,1))', 'UniformOutput', false), ' '), ...
           percent (chosen(:,n,2)), ...
           strjoin (arrayfun (@num2str, unique (T_chosen(:,n,2))', 'UniformOutput', false), ' '), ...
           mean (mean (result.evaluations(:,:,n))), median (median (result.seconds(:,:,n))));
end
fprintf ('       GP   %s                   %s\n', percent (chosen_gp(:,1)), percent (chosen_gp(:,2)));
fprintf ('  largest gradnorm of all %d solutions %.1e\n', numel (result.gradnorm), max (result.gradnorm(:)));
fprintf ('  mean accuracy, all temperatures (rows: T; columns: N, then GP)\n            %s      GP\n', ...
         sprintf ('%7d', widths));
for t = 1:numel (temperatures)
  fprintf ('  %7.2f   %s %7.1f\n', temperatures(t), sprintf ('%7.1f', mean (result.test(:,t,:), 1)), mean (gp.test(:,t)));
end
for k = 1:numel (sampled)
  fprintf ('  posterior draws, N = %d, first training set: %.1f %% (theory %.1f %%); %.0f s; %s\n', sampled(k), ...
           drawn(k), chosen(1,widths == sampled(k),1), sampling(k), post{k}.reason);
end
same = sampled == shown;
if any (same)
  Ut = best(:,:,1);
  Us = mean (post{same}.U(:,:,:), 3);
  fprintf ('\n(c) U at N = %d: correlation of its entries, theory and draws %.3f, theory and trained network %.3f\n', ...
           shown, [1 0] * corrcoef (Ut(:), Us(:)) * [0; 1], [1 0] * corrcoef (Ut(:), U_trained(:)) * [0; 1]);
end

fprintf ('\n(e) trained network with one head removed: %d sequences of all classes of the test data, and as\n', Pprune);
fprintf ('    many of those that are not in the training data; %.1f %% and %.1f %% with all heads\n', full);
fprintf ('  layer head   score (theory)  score (trained)  importance  all: accuracy    lost  not in training: lost\n');
for k = by_score
  fprintf ('  %5d %4d   %14.3f  %15.3f  %10.3f  %12.1f %%  %6.1f  %21.1f\n', heads(k,:), head_score(k), ...
           head_trained(k), importance(k), full(1) - lost(1,k), lost(:,k));
end
among = {'all', 'not in training'};
for s = 1:2
  rank_correlation(s) = spearman_of (head_score, lost(s,:));
  fprintf ('  rank correlation with what is lost, %s: score by theory %.2f, of trained U %.2f, importance %.2f\n', ...
           among{s}, rank_correlation(s), spearman_of (head_trained, lost(s,:)), ...
           spearman_of (importance, lost(s,:)));
end
fprintf ('  paper, same order: 83.8 %% with all heads; 81.8 83.0 79.5 75.4 76.0 76.5 74.3 74.9 %% without one;\n');
fprintf ('    rank correlation 0.86\n');

fprintf ('\n(f) heads removed one after the other\n');
fprintf ('  removed   by score   by importance   at random (mean and spread of all choices)\n');
for k = 0:most
  fprintf ('  %7d   %6.1f %%   %11.1f %%   %6.1f +- %4.1f %% of %d\n', k, pruned(k+1,:), any_order(k+1,:));
end

% ---- figure ----------------------------------------------------------------------------------------------

inches = [12 8.6];
try
  fig = figure ('visible', 'off', 'color', [1 1 1], 'units', 'pixels', 'position', [50 50 100*inches], ...
                'paperunits', 'inches', 'papersize', inches, 'paperposition', [0 0 inches], ...
                'defaultaxesfontsize', 10, 'defaulttextfontsize', 10);
catch err
  fprintf ('\nno figure: %s\n', err.message);
  return
end
blue = [0.00 0.32 0.62];
red = [0.80 0.10 0.10];
grey = [0.45 0.45 0.45];
panel = @(ax, letter) text (-0.55 / (inches(1) * [0 0 1 0] * get (ax, 'position')'), 1.07, ['(' letter ')'], ...
                            'parent', ax, 'units', 'normalized', 'fontweight', 'bold', 'fontsize', 12);

% (b)
ax = axes ('parent', fig, 'position', [0.07 0.60 0.33 0.34], 'xscale', 'log', 'box', 'on', 'layer', 'top', ...
           'xlim', widths([1 end]) .* [0.8 1.3], 'xtick', [10 20 50 100 200 500 1000], 'xminortick', 'off');
set (ax, 'xticklabel', arrayfun (@num2str, get (ax, 'xtick'), 'UniformOutput', false));
styles = {'-', '--'};
marks = {'x', '^'};
inks = {blue, [0.35 0.60 0.85]};
for r = 1:2
  gp_line(r) = line (get (ax, 'xlim'), [1 1] * mean (chosen_gp(:,r)), 'parent', ax, 'color', red, ...
                     'linestyle', styles{r}, 'linewidth', 1.5);
  m = average (chosen(:,:,r));
  half = deviation (chosen(:,:,r));
  beside = widths * (1 + 0.05 * (r - 1));        % so that neither hides the other
  for n = 1:numel (widths) * (draws > 1)
    line ([1 1] * beside(n), m(n) + half(n) * [-1 1], 'parent', ax, 'color', inks{r}, 'linewidth', 1.2);
  end
  curves(r) = line (beside, m, 'parent', ax, 'color', inks{r}, 'linestyle', styles{r}, 'linewidth', 1.5, ...
                    'marker', marks{r}, 'markersize', 7);
end
curves(3) = line (sampled * 0.93, drawn, 'parent', ax, 'color', [0 0 0], 'linestyle', 'none', 'marker', 'o', ...
                  'markersize', 6, 'markerfacecolor', [1 1 1], 'linewidth', 1.2);
trained_line = line (get (ax, 'xlim'), [1 1] * accuracy_trained, 'parent', ax, 'color', grey, 'linestyle', ':', ...
                     'linewidth', 1.5);
names = {sprintf('theory, T by evidence'), 'theory, T by validation', 'posterior draws', 'GP, T by evidence', ...
         'GP, T by validation', 'trained network'};
low = min ([chosen(:); chosen_gp(:); drawn(:)]);
high = max ([chosen(:); drawn(:); accuracy_trained]);
set (ax, 'ylim', [floor(low - 0.9 * (high - low)), ceil(high + 1)]);
key = legend ([curves, gp_line, trained_line], names, 'location', 'southwest');
set (key, 'box', 'off', 'fontsize', 9);
xlabel (ax, 'width N');
ylabel (ax, 'accuracy on held-out classes (%)');
panel (ax, 'b');

% (c)
models = {struct('net', net, 'U', best(:,:,1)), struct('net', net, 'U', U_trained)};
titles = {sprintf('theory, N = %d', shown), 'trained network'};
if any (same)
  models = {models{1}, struct('net', net, 'U', Us), models{2}};
  titles = {titles{1}, sprintf('draws, N = %d', shown), titles{2}};
end
for k = 1:numel (models)
  ax = axes ('parent', fig, 'position', [0.302 + 0.168 * k, 0.66, 0.125, 0.125 * inches(1) / inches(2)], 'fontsize', 7);
  attnpath_plot (models{k}, 'order', 'Parent', ax);
  title (ax, ['U, ' titles{k}], 'fontweight', 'normal', 'fontsize', 10);
  if k == 1
    panel (ax, 'c');
  else
    set (ax, 'yticklabel', {});
  end
end

% (d)
net.width(:) = shown;
net.temperature = T_chosen(1,widths == shown,1);
one = struct ('net', net, 'U', best(:,:,1), 'paths', part (mine), 'y', task.ytrain(mine));
ax = axes ('parent', fig, 'position', [0.07 0.09 0.24 0.36]);
attnpath_plot (one, 'alignment', 'Parent', ax, 'Components', components);
panel (ax, 'd');

% (e)
ax = axes ('parent', fig, 'position', [0.39 0.09 0.24 0.36], 'box', 'on');
shapes = {'o', 's', '^', 'd'};
for l = 1:L
  mask = heads(:,1)' == l;
  dots(l) = line (head_score(mask), lost(1,mask), 'parent', ax, 'linestyle', 'none', ...
                  'marker', shapes{mod(l - 1, 4)+1}, 'markersize', 7, 'color', [0 0 0], ...
                  'markerfacecolor', [1 1 1] * (l - 1) / max (L - 1, 1));
  layer_names{l} = sprintf ('layer %d', l);
end
reach = max (lost(1,:)) - min (lost(1,:)) + 1;
width = 1.18 - min (head_score);
set (ax, 'xlim', [min(head_score) - 0.15 * width, 1.12], 'ylim', min (lost(1,:)) + reach * [-0.1, 1.3]);
sides = {'right', 'left'};                       % labels of the first layer on the left, so that fewer overlap
for k = 1:size (heads, 1)
  side = 1 - 2 * mod (heads(k,1), 2);
  text (head_score(k) + 0.03 * width * side, lost(1,k), sprintf ('%d.%d', heads(k,:)), 'parent', ax, ...
        'horizontalalignment', sides{(side + 3) / 2}, 'fontsize', 9);
end
xlabel (ax, 'head score by the theory (largest 1)');
ylabel (ax, 'lost without the head, all test classes (%)');
title (ax, sprintf ('rank correlation %.2f', rank_correlation(1)), 'fontweight', 'normal', 'fontsize', 10);
key = legend (dots, layer_names, 'location', 'northwest');
set (key, 'box', 'off');
panel (ax, 'e');

% (f)
ax = axes ('parent', fig, 'position', [0.71 0.09 0.27 0.36], 'box', 'on', 'layer', 'top', 'xlim', [0 most]);
spread = [any_order(:,1) - any_order(:,2); flipud(any_order(:,1) + any_order(:,2))];
patch ('XData', [0:most, most:-1:0], 'YData', spread', 'parent', ax, 'facecolor', [0.88 0.88 0.88], 'edgecolor', 'none');
curves = [line(0:most, pruned(:,1), 'parent', ax, 'color', blue, 'marker', 'x', 'linewidth', 1.5, 'markersize', 7), ...
          line(0:most, pruned(:,2), 'parent', ax, 'color', red, 'linestyle', '--', 'marker', '^', 'linewidth', 1.5), ...
          line(0:most, any_order(:,1), 'parent', ax, 'color', grey, 'linestyle', ':', 'linewidth', 2)];
xlabel (ax, 'heads removed');
ylabel (ax, 'accuracy, all test classes (%)');
set (ax, 'ylim', get (ax, 'ylim') .* [1, 1.03]);   % the curves fall: the legend is above them
key = legend (curves, {'in order of score', 'gradient-based importance', 'at random, \pm spread'}, ...
              'location', 'northeast');
set (key, 'box', 'off');
panel (ax, 'f');

print (fig, fullfile (folder, 'demo_oneshot.png'), '-dpng', '-r150');
fprintf ('\nwrote %s\n', fullfile (folder, 'demo_oneshot.png'));
print (fig, fullfile (folder, 'demo_oneshot.pdf'), '-dpdf');      % needs ghostscript
fprintf ('wrote %s\n', fullfile (folder, 'demo_oneshot.pdf'));
close (fig);
end
