function experiment_oneshot ()
%EXPERIMENT_ONESHOT  One-shot image task: theory on a trained network's attention, scores, pruning (Figure 3 of [1])
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

folder = figure_folder ('demo_oneshot');
plan = settings ();
trained = trained_network (folder);
data = sequences (trained, plan);
fprintf ('\nOne-shot images. Training: %s\n                 test: %s\n', data.source.train, data.source.test);
fprintf (['Trained network: %s; %d steps, test accuracy %.1f %% then (mean of the last five), ' ...
          '%.1f %% on this test set\n'], ...
         trained.source.train, trained.history.step(end), 100 * trained.accuracy, data.accuracy_trained);

theory = learn (trained.net, data, plan);
post = sample_widths (trained.net, data, theory, plan);
heads = remove_heads (trained, theory, data, plan);

print_accuracies (theory, post, plan);
print_U (theory, post, trained, plan);
print_heads (heads, plan);
print_removal (heads);

fig = figure_page ([12 8.6]);
if isempty (fig), return; end
draw_accuracies (fig, theory, post, data, plan);
draw_U (fig, theory, post, trained, plan);
draw_alignment (fig, theory, trained.net, data, plan);
draw_scores (fig, heads);
draw_removal (fig, heads);
save_figure (fig, folder, 'demo_oneshot');
end

function plan = settings ()
plan.widths = [10 20 50 100 200 500 1000];
plan.temperatures = [0.05 0.1 0.25 0.5 1];
plan.draws = 5;                  % of the training set: curves are means over them, bars their standard error
plan.P = 600;
plan.Pvalid = 600;               % further sequences of the training classes, on which T is chosen as well
plan.Ptest = 1000;
plan.Pprune = 20000;             % test sequences on which heads are removed: drops differ by a few per cent. Of all
                                 % classes of the test data, and as many of those that are not in the training data
plan.together = 4000;            % so many of them at a time, for memory
plan.sampled = 10;               % widths at which the posterior is sampled, for the first draw
plan.sampler = {'Chains', 2, 'Warmup', 100, 'Draws', 60, 'Display', false};  % 16 paths: the least for a head start
plan.averaged = 40;              % draws of U whose predictors are averaged
plan.shown = 10;                 % width whose U and kernel are shown, and whose scores order the heads
plan = quick_mode (plan, struct ('widths', [10 100 1000], 'temperatures', [0.1 1], 'draws', 1, 'P', 100, ...
         'Pvalid', 100, 'Ptest', 200, 'Pprune', 400, 'together', 200, ...
         'sampler', {{'Chains', 2, 'Warmup', 30, 'Draws', 40, 'Display', false}}));
end

% ---- the trained network, and the sequences ----------------------------------------------------------------

function trained = trained_network (folder)
if strcmp (getenv ('ATTNPATH_TRAIN'), '1')
  trained = train_anew (fullfile (folder, 'oneshot_trained.mat'));
else
  trained = load (fullfile (fileparts (mfilename ('fullpath')), 'oneshot_trained.mat'));
end
trained.net = attnpath_net (trained.heads, 'Width', trained.width, 'Readout', 'mean');
trained.w = double (trained.w);
trained.U = double (trained.U);
end

function trained = train_anew (file)
% The published training, otherwise defaults
task = attnpath_task_oneshot ();
gd = attnpath_train (task, 'Paired', false, 'Evaluate', 250, 'Seed', 1);
trained = struct ('heads', {gd.net.heads}, 'w', single (gd.w), 'U', single (gd.U), 'width', gd.net.width, ...
                  'embedding', task.embedding, 'history', gd.history, 'accuracy', gd.accuracy, 'source', task.source);
for l = 1:numel (trained.heads)
  trained.heads{l} = structfun (@single, trained.heads{l}, 'UniformOutput', false);
end
save (file, '-struct', 'trained', '-v6');
fprintf ('wrote %s\n', file);
end

function data = sequences (trained, plan)
% Path inputs depend on the attention alone: once for all widths and temperatures
task = attnpath_task_oneshot ('P', plan.draws * plan.P + plan.Pvalid, 'Ptest', plan.Ptest, ...
                              'Embedding', trained.embedding);
paths = attnpath_paths (trained.net, task.Xtrain);
data.test = attnpath_paths (trained.net, task.Xtest);
data.ytest = task.ytest;
for d = 1:plan.draws
  mine = (d - 1) * plan.P + (1:plan.P);
  data.train{d} = struct ('Xi', paths.Xi(:,mine,:));
  data.ytrain{d} = task.ytrain(mine);
end
valid = plan.draws * plan.P + (1:plan.Pvalid);
data.asked = struct ('Xi', cat (2, data.test.Xi, paths.Xi(:,valid,:)));      % test and validation in one call
data.truth = [task.ytest; task.ytrain(valid)];
data.all = paths;
data.yall = task.ytrain;
data.settings = task.settings;
data.source = task.source;
data.accuracy_trained = percent_right (attnpath_predict (trained, data.test), data.ytest);
end

% ---- theory, and draws from the posterior --------------------------------------------------------------------

function theory = learn (net, data, plan)
% Every training set, temperature and width; then a temperature is chosen, never on the test set
limit = arrayfun (@(l) eye (prod (net.H(l:end))), 1:net.L, 'UniformOutput', false);      % order of the GP limit
for d = 1:plan.draws
  for t = 1:numel (plan.temperatures)
    net.temperature = plan.temperatures(t);
    for n = 1:numel (plan.widths)
      net.width(:) = plan.widths(n);
      started = tic ();
      sol = attnpath_solve (net, data.train{d}, data.ytrain{d}, 'Tolerance', 1e-6);
      theory.seconds(d,t,n) = toc (started);
      [theory.test(d,t,n), theory.valid(d,t,n)] = accuracies (attnpath_predict (sol, data.asked), data.truth, plan);
      theory.evidence(d,t,n) = sol.evidence;
      theory.evaluations(d,t,n) = sol.evaluations;
      theory.gradnorm(d,t,n) = sol.gradnorm;
      U(:,:,d,t,n) = sol.U;
    end
    mu = attnpath_predict (sol, data.asked, 'Limit', 'gp');
    [theory.gp_test(d,t), gp_valid(d,t)] = accuracies (mu, data.truth, plan);
    [~, ~, part] = attnpath_action (net, data.train{d}, data.ytrain{d}, limit);
    gp_evidence(d,t) = -part.energy / 2;         % but for a constant
  end
end
[theory.chosen, theory.T] = at_best (theory.evidence, theory.test, plan.temperatures);
[theory.chosen(:,:,2), theory.T(:,:,2)] = at_best (theory.valid, theory.test, plan.temperatures);
theory.gp = [at_best(gp_evidence, theory.gp_test, plan.temperatures), ...
             at_best(gp_valid, theory.gp_test, plan.temperatures)];
n = find (plan.widths == plan.shown);
for d = 1:plan.draws
  theory.U(:,:,d) = U(:,:,d,plan.temperatures == theory.T(d,n,1),n);
end
end

function [test, valid] = accuracies (mu, truth, plan)
test = percent_right (mu(1:plan.Ptest), truth(1:plan.Ptest));
valid = percent_right (mu(plan.Ptest+1:end), truth(plan.Ptest+1:end));
end

function [accuracy, T] = at_best (criterion, test, temperatures)
% Test accuracy at the temperature of the largest criterion, for each draw and width
[~, at] = max (criterion, [], 2);
for d = 1:size (test, 1)
  for n = 1:size (test, 3)
    accuracy(d,n) = test(d,at(d,1,n),n);
    T(d,n) = temperatures(at(d,1,n));
  end
end
end

function post = sample_widths (net, data, theory, plan)
% For the first training set, at the temperature that evidence chooses for the theory
for k = 1:numel (plan.sampled)
  net.width(:) = plan.sampled(k);
  net.temperature = theory.T(1,plan.widths == plan.sampled(k),1);
  started = tic ();
  saved = warning ('off', 'attnpath:sample:notConverged');         % the table says how far each can be trusted
  draws = attnpath_sample (net, data.train{1}, data.ytrain{1}, plan.sampler{:});
  warning (saved);
  post(k).seconds = toc (started);
  post(k).reason = draws.reason;
  post(k).U = mean (draws.U(:,:,:), 3);
  mu = attnpath_predict (draws, data.test, 'U', spread_draws (draws, plan.averaged));
  post(k).accuracy = percent_right (mu, data.ytest);
end
end

% ---- heads: scores by the theory, removal from the trained network -------------------------------------------

function heads = remove_heads (trained, theory, data, plan)
net = trained.net;
by_layer = @(U) sortrows (attnpath_scores (struct ('net', net, 'U', U)), [1 2]);
score = by_layer (theory.U);
score_trained = by_layer (trained.U);
heads.list = score(:,1:2);
heads.score = score(:,3)';
heads.score_trained = score_trained(:,3)';
heads.importance = importance (trained, data, heads.list);

[F, labels] = held_out (trained, heads.list, data, plan);
left = @(gone, s) accuracy_without (gone, F{s}, labels{s}, net.H);
heads.full = [left(zeros (0, 2), 1), left(zeros (0, 2), 2)];
for k = 1:size (heads.list, 1)
  heads.lost(:,k) = heads.full' - [left(heads.list(k,:), 1); left(heads.list(k,:), 2)];        % without this head
end
for s = 1:2
  heads.correlation(s) = spearman (heads.score, heads.lost(s,:));
  heads.correlation_trained(s) = spearman (heads.score_trained, heads.lost(s,:));
  heads.correlation_importance(s) = spearman (heads.importance, heads.lost(s,:));
end
heads.removed = [one_by_one(heads.score, heads.list, net.H, left), ...
                 one_by_one(heads.importance, heads.list, net.H, left)];
for k = 0:sum (net.H) - net.L
  heads.random(k+1,:) = any_choice (k, heads.list, net.H, left);
end
end

function values = importance (trained, data, list)
% Importance of a head [2]: mean |d loss / d mask|, on training sequences, over the norm of its layer's. The loss is
% the squared error; factors that all heads share drop out
F = output_by_path (trained, data.all, list);
gap = attnpath_predict (trained, data.all) - data.yall;
for k = 1:size (list, 1)
  uses = data.all.heads(:,list(k,1)) == list(k,2);
  values(k) = mean (abs (gap .* sum (F(:,uses), 2)));
end
for l = 1:trained.net.L
  values(list(:,1) == l) = values(list(:,1) == l) / norm (values(list(:,1) == l));
end
end

function F = output_by_path (trained, paths, list)
% A column for each path: the output of the trained network without the heads, of all in list, that it does not use
F = zeros (size (paths.Xi, 2), size (paths.Xi, 3));
for p = 1:size (F, 2)
  others = list(list(:,2) ~= paths.heads(p,list(:,1))',:);
  [alone, inputs] = attnpath_prune (trained, others, paths);
  F(:,p) = attnpath_predict (alone, inputs);
end
end

function [F, labels] = held_out (trained, list, data, plan)
% What each path adds to the output: {1} for all classes of the test data, {2} for those not in the training data.
% Some sequences at a time: the tokens of 4000 are 0.3 GB
train = attnpath_omniglot (data.settings.Train, 'Seed', 1);
test = attnpath_omniglot (data.settings.Test, 'Seed', 2);
F = cell (1, 2);
labels = cell (1, 2);
for k = 1:plan.Pprune / plan.together
  common = {'Embedding', trained.embedding, 'Seed', k};
  % as training data: classes shared are left out of test data only
  task = attnpath_task_oneshot ('Train', test, 'P', plan.together, 'Test', train, 'Ptest', 2, common{:});
  F{1} = [F{1}; output_by_path(trained, attnpath_paths (trained.net, task.Xtrain), list)];
  labels{1} = [labels{1}; task.ytrain];
  task = [];
  task = attnpath_task_oneshot ('Train', train, 'P', 2, 'Test', test, 'Ptest', plan.together, common{:});
  F{2} = [F{2}; output_by_path(trained, attnpath_paths (trained.net, task.Xtest), list)];
  labels{2} = [labels{2}; task.ytest];
  task = [];
end
end

function percent = accuracy_without (gone, F, labels, H)
% Of the trained network, from the outputs of its paths: they enter as the one feature of a network of weights 1
paths = struct ('Xi', reshape (F, 1, size (F, 1), size (F, 2)));
[small, left] = attnpath_prune (struct ('net', attnpath_net (H), 'w', ones (1, prod (H))), gone, paths);
percent = percent_right (attnpath_predict (small, left), labels);
end

function curve = one_by_one (values, list, H, left)
% Accuracy after each removal, in order of values; a layer keeps its last head
[~, order] = sort (values);
gone = zeros (0, 2);
curve = left (gone, 1);
for k = order
  if sum (gone(:,1) == list(k,1)) < H(list(k,1)) - 1
    gone = [gone; list(k,:)];
    curve(end+1,1) = left (gone, 1);
  end
end
end

function row = any_choice (k, list, H, left)
% Mean, spread and number of all choices of k heads that leave each layer one
subsets = zeros (1, 0);
if k > 0, subsets = nchoosek (1:size (list, 1), k); end
every = [];
for c = 1:size (subsets, 1)
  gone = list(subsets(c,:),:);
  if all (sum (bsxfun (@eq, gone(:,1), 1:numel (H)), 1) < H), every(end+1) = left (gone, 1); end
end
row = [mean(every), std(every), numel(every)];
end

function r = spearman (a, b)
ranks = @(x) arrayfun (@(v) sum (x < v) + (sum (x == v) + 1) / 2, x);
r = correlation (ranks (a), ranks (b));
end

function r = correlation (a, b)
both = corrcoef (a(:), b(:));
r = both(1,2);
end

% ---- tables --------------------------------------------------------------------------------------------------

function print_accuracies (theory, post, plan)
fprintf ('\n(b) accuracy on held-out classes, %d sequences; %d training sequences, %d draws of them\n', ...
         plan.Ptest, plan.P, plan.draws);
fprintf (['  width N   T by evidence   chosen T         T by validation  chosen T         evaluations  ' ...
          'time per solve\n']);
for n = 1:numel (plan.widths)
  for r = 1:2
    temperatures{n,r} = strjoin (arrayfun (@num2str, unique (theory.T(:,n,r))', 'UniformOutput', false), ' ');
  end
end
print_rows ('  %7d   %s  %-15s  %s   %-15s  %11.1f  %11.2f s\n', plan.widths', ...
            percent_text (theory.chosen(:,:,1)), temperatures(:,1), percent_text (theory.chosen(:,:,2)), ...
            temperatures(:,2), squeeze (mean (mean (theory.evaluations, 1), 2)), ...
            squeeze (median (median (theory.seconds, 1), 2)));
gp = percent_text (theory.gp);
fprintf ('       GP   %s                   %s\n', gp{:});
fprintf ('  largest gradnorm of all %d solutions %.1e\n', numel (theory.gradnorm), max (theory.gradnorm(:)));
fprintf ('  mean accuracy, all temperatures (rows: T; columns: N, then GP)\n            %s      GP\n', ...
         sprintf ('%7d', plan.widths));
columns = numel (plan.widths);
print_rows (['  %7.2f   ' repmat('%7.1f', 1, columns) ' %7.1f\n'], plan.temperatures', ...
            reshape (mean (theory.test, 1), [], columns), mean (theory.gp_test, 1)');
for k = 1:numel (plan.sampled)
  fprintf ('  posterior draws, N = %d, first training set: %.1f %% (theory %.1f %%); %.0f s; %s\n', plan.sampled(k), ...
           post(k).accuracy, theory.chosen(1,plan.widths == plan.sampled(k),1), post(k).seconds, post(k).reason);
end
end

function print_U (theory, post, trained, plan)
U = theory.U(:,:,1);
for k = find (plan.sampled == plan.shown)
  fprintf (['\n(c) U at N = %d: correlation of its entries, theory and draws %.3f, ' ...
            'theory and trained network %.3f\n'], plan.shown, correlation (U, post(k).U), correlation (U, trained.U));
end
end

function print_heads (heads, plan)
fprintf ('\n(e) trained network with one head removed: %d sequences of all classes of the test data, and as\n', ...
         plan.Pprune);
fprintf ('    many of those that are not in the training data; %.1f %% and %.1f %% with all heads\n', heads.full);
fprintf ('  layer head   score (theory)  score (trained)  importance  all: accuracy    lost  not in training: lost\n');
[~, order] = sort (heads.score);
table = [heads.list, heads.score', heads.score_trained', heads.importance', heads.full(1) - heads.lost(1,:)', ...
         heads.lost'];
print_rows ('  %5d %4d   %14.3f  %15.3f  %10.3f  %12.1f %%  %6.1f  %21.1f\n', table(order,:));
print_rows (['  rank correlation with what is lost, %s: score by theory %.2f, of trained U %.2f, ' ...
             'importance %.2f\n'], {'all'; 'not in training'}, heads.correlation', heads.correlation_trained', ...
            heads.correlation_importance');
fprintf ('  paper, same order: 83.8 %% with all heads; 81.8 83.0 79.5 75.4 76.0 76.5 74.3 74.9 %% without one;\n');
fprintf ('    rank correlation 0.86\n');
end

function print_removal (heads)
fprintf ('\n(f) heads removed one after the other\n');
fprintf ('  removed   by score   by importance   at random (mean and spread of all choices)\n');
print_rows ('  %7d   %6.1f %%   %11.1f %%   %6.1f +- %4.1f %% of %d\n', (0:size (heads.removed, 1) - 1)', ...
            heads.removed, heads.random);
end

% ---- panels --------------------------------------------------------------------------------------------------

function draw_accuracies (fig, theory, post, data, plan)
red = [0.80 0.10 0.10];
inks = {[0.00 0.32 0.62], [0.35 0.60 0.85]};
styles = {'-', '--'};
marks = {'x', '^'};
ax = log_axes (fig, [0.07 0.60 0.33 0.34], plan.widths([1 end]) .* [0.8 1.3], [10 20 50 100 200 500 1000]);
across = get (ax, 'xlim');
for r = 1:2
  gp(r) = curve (ax, across, [1 1] * mean (theory.gp(:,r)), red, styles{r}, 1.5);
  [m, half] = mean_error (theory.chosen(:,:,r));
  beside = plan.widths * (1 + 0.05 * (r - 1));   % so that neither hides the other
  if plan.draws > 1, error_bars (ax, beside, m, half, inks{r}, 1.2); end
  curves(r) = curve (ax, beside, m, inks{r}, styles{r}, 1.5, marks{r}, 7);
  set (curves(r), 'markerfacecolor', 'none');
end
curves(3) = curve (ax, plan.sampled * 0.93, [post.accuracy], [0 0 0], 'none', 1.2, 'o', 6);
trained = curve (ax, across, [1 1] * data.accuracy_trained, [0.45 0.45 0.45], ':', 1.5);
low = min ([theory.chosen(:); theory.gp(:); post.accuracy]);
high = max ([theory.chosen(:); post.accuracy; data.accuracy_trained]);
set (ax, 'ylim', [floor(low - 0.9 * (high - low)), ceil(high + 1)]);
key = legend ([curves, gp, trained], {'theory, T by evidence', 'theory, T by validation', 'posterior draws', ...
              'GP, T by evidence', 'GP, T by validation', 'trained network'}, 'location', 'southwest');
set (key, 'box', 'off', 'fontsize', 9);
label_axes (ax, 'b', '', 'width N', 'accuracy on held-out classes (%)');
end

function draw_U (fig, theory, post, trained, plan)
images = {sprintf('theory, N = %d', plan.shown), theory.U(:,:,1)};
for k = find (plan.sampled == plan.shown)
  images(end+1,:) = {sprintf('draws, N = %d', plan.shown), post(k).U};
end
images(end+1,:) = {'trained network', trained.U};
for k = 1:size (images, 1)
  ax = axes ('parent', fig, 'position', [0.302 + 0.168 * k, 0.66, 0.125, 0.125 * 12 / 8.6], 'fontsize', 7);
  attnpath_plot (struct ('net', trained.net, 'U', images{k,2}), 'order', 'Parent', ax);
  title (ax, ['U, ' images{k,1}], 'fontweight', 'normal', 'fontsize', 10);
  if k == 1, label_axes (ax, 'c', '', '', ''); end
  if k > 1, set (ax, 'yticklabel', {}); end
end
end

function draw_alignment (fig, theory, net, data, plan)
net.width(:) = plan.shown;
net.temperature = theory.T(1,plan.widths == plan.shown,1);
sol = struct ('net', net, 'U', theory.U(:,:,1), 'paths', data.train{1}, 'y', data.ytrain{1});
ax = axes ('parent', fig, 'position', [0.07 0.09 0.24 0.36]);
attnpath_plot (sol, 'alignment', 'Parent', ax, 'Components', 30);
label_axes (ax, 'd', '', '', '');
end

function draw_scores (fig, heads)
ax = axes ('parent', fig, 'position', [0.39 0.09 0.24 0.36], 'box', 'on');
shapes = {'o', 's', '^', 'd'};
L = max (heads.list(:,1));
lost = heads.lost(1,:);
for l = 1:L
  mask = heads.list(:,1)' == l;
  dots(l) = line (heads.score(mask), lost(mask), 'parent', ax, 'linestyle', 'none', ...
                  'marker', shapes{mod(l - 1, 4)+1}, 'markersize', 7, 'color', [0 0 0], ...
                  'markerfacecolor', [1 1 1] * (l - 1) / max (L - 1, 1));
  names{l} = sprintf ('layer %d', l);
end
reach = max (lost) - min (lost) + 1;
width = 1.18 - min (heads.score);
set (ax, 'xlim', [min(heads.score) - 0.15 * width, 1.12], 'ylim', min (lost) + reach * [-0.1, 1.3]);
sides = {'right', 'left'};                       % labels of the first layer on the left, so that fewer overlap
for k = 1:size (heads.list, 1)
  side = 1 - 2 * mod (heads.list(k,1), 2);
  text (heads.score(k) + 0.03 * width * side, lost(k), sprintf ('%d.%d', heads.list(k,:)), 'parent', ax, ...
        'horizontalalignment', sides{(side + 3) / 2}, 'fontsize', 9);
end
set (legend (dots, names, 'location', 'northwest'), 'box', 'off');
label_axes (ax, 'e', sprintf ('rank correlation %.2f', heads.correlation(1)), ...
            'head score by the theory (largest 1)', 'lost without the head, all test classes (%)');
end

function draw_removal (fig, heads)
most = size (heads.removed, 1) - 1;
ax = axes ('parent', fig, 'position', [0.71 0.09 0.27 0.36], 'box', 'on', 'layer', 'top', 'xlim', [0 most]);
spread = [heads.random(:,1) - heads.random(:,2); flipud(heads.random(:,1) + heads.random(:,2))];
patch ('XData', [0:most, most:-1:0], 'YData', spread', 'parent', ax, 'facecolor', [0.88 0.88 0.88], ...
       'edgecolor', 'none');
curves = [curve(ax, 0:most, heads.removed(:,1), [0.00 0.32 0.62], '-', 1.5, 'x', 7), ...
          curve(ax, 0:most, heads.removed(:,2), [0.80 0.10 0.10], '--', 1.5, '^', 6), ...
          curve(ax, 0:most, heads.random(:,1), [0.45 0.45 0.45], ':', 2)];
set (curves, 'markerfacecolor', 'none');
set (ax, 'ylim', get (ax, 'ylim') .* [1, 1.03]);   % the curves fall: the legend is above them
key = legend (curves, {'in order of score', 'gradient-based importance', 'at random, \pm spread'}, ...
              'location', 'northeast');
set (key, 'box', 'off');
label_axes (ax, 'f', '', 'heads removed', 'accuracy, all test classes (%)');
end
