function experiment_oneshot ()
%EXPERIMENT_ONESHOT  One-shot image task: theory on a trained network's attention, scores, pruning (Figure 3 of [1])
%
%   A network of two layers of four heads was trained by gradient descent to tell which of two handwritten
%   characters, shown once each, a third one is. Its attention is then fixed, and the Bayesian theory asked what a
%   network of width N learns with it from 600 sequences. Panels as in Figure 3 of [1]:
%     (b) accuracy on held-out classes against width N: theory, draws from the exact posterior, the Gaussian-process
%         (GP) limit, and the trained network; temperature T chosen by squared leave-one-out error, by a validation
%         split, and by evidence
%     (c) the order parameter U of theory, of posterior draws, and of the trained network's weights
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) how well scores of heads foretell the drop in the trained network's accuracy when one head is removed: rank
%         correlations of the theory's scores, of those of the trained network, and of gradient-based importance [2]
%     (f) accuracy while heads are removed in order of score, in the order that a search by leave-one-out finds, and
%         at random
%     (g) the evidence of all widths and temperatures, with the accuracy at each
%   (b) is for classes that are not in the training data, (e) and (f) for all classes of the test data: of the 156 of
%   Omniglot's small set 2, 50 are also in small set 1. The table of (e) has both. All made-up classes are new.
%   Bars in (b), (e) and (f) are standard errors over draws of the training set. All that is chosen is chosen on
%   sequences of training classes.
%   Prints these numbers and writes demo_oneshot.png and demo_oneshot.pdf, into the current directory or the folder
%   in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/demo_oneshot.m
%
%   The trained network comes with the demo, in oneshot_trained.mat. ATTNPATH_TRAIN=1 trains one anew by the same
%   recipe, which takes half an hour, and writes it beside the figures. Images are Omniglot's, from the
%   folder that the environment variable ATTNPATH_OMNIGLOT names or from the cache (attnpath_omniglot), and
%   otherwise made-up characters, on which the network that comes with the demo was not trained: the demo says which.
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   [2] Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, NeurIPS 2019, arXiv:1905.10650.
%   See also attnpath_demo, attnpath_task_oneshot, attnpath_train, attnpath_solve, attnpath_scores, attnpath_prune.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_oneshot');
begun = tic ();
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
print_map (theory, plan);
print_U (theory, post, trained, plan);
print_heads (heads, plan);
print_removal (heads);
fprintf ('\nall of this took %.1f minutes\n', toc (begun) / 60);

fig = figure_page ([12 12]);
if isempty (fig), return; end
draw_accuracies (fig, theory, post, data, plan);
draw_U (fig, theory, post, trained, plan);
draw_alignment (fig, theory);
draw_map (fig, theory, plan);
draw_scores (fig, heads);
draw_removal (fig, heads);
save_figure (fig, folder, 'demo_oneshot');
end

function plan = settings ()
plan.widths = [10 20 50 200 1000];
plan.temperatures = [0.05 0.1 0.25 0.5 1];
plan.draws = 5;                  % of the training set: curves are means over them, bars their standard error
plan.P = 600;
plan.Pvalid = 600;               % further sequences of the training classes, on which T is chosen as well
plan.Ptest = 1000;
plan.Pprune = 20000;             % test sequences on which heads are removed: drops differ by a few per cent. Of all
                                 % classes of the test data, and as many of those that are not in the training data
plan.together = 4000;            % so many of them at a time, for memory
plan.sampled = [10 50 1000];     % widths at which the posterior is sampled, for the first draw
plan.sampler = {'Chains', 2, 'Warmup', 40, 'Draws', 25, 'Display', true};    % for some minutes: the table says by
                                 % how much this misses what attnpath_sample asks for
plan.averaged = 40;              % draws of U whose predictors are averaged
plan.shown = 10;                 % width whose U and kernel are shown
plan.scored = 20;                % width at which heads are scored: the narrowest at which (T25) has the evidence
plan = quick_mode (plan, struct ('widths', [10 20 1000], 'temperatures', [0.1 1], 'draws', 2, 'P', 60, ...
         'Pvalid', 100, 'Ptest', 200, 'Pprune', 400, 'together', 200, 'sampled', 10, ...
         'sampler', {{'Chains', 2, 'Warmup', 30, 'Draws', 40, 'Display', false}}));
end

% ---- the trained network, and the sequences ----------------------------------------------------------------

function trained = trained_network (folder)
if strcmp (getenv ('ATTNPATH_TRAIN'), '1')
  file = fullfile (folder, 'oneshot_trained.mat');         % turned images are classes of their own
  oneshot_train (file, true, 'Rate', 2.5e-4, 'Schedule', 'cosine', 'Steps', 20000, 'Seed', 1);
  fprintf ('wrote %s\n', file);
  trained = oneshot_network (file);
else
  trained = oneshot_network ('2x4');
end
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
data.heads = paths.heads;
data.source = task.source;
data.accuracy_trained = percent_right (attnpath_predict (trained, data.test), data.ytest);
end

% ---- theory, and draws from the posterior --------------------------------------------------------------------

function theory = learn (net, data, plan)
% Every training set, temperature and width; then a temperature is chosen, never on the test set
gp = struct ('net', net, 'U', eye (prod (net.H)) * prod (net.variance(2:end)));
limit = arrayfun (@(l) eye (prod (net.H(l:end))), 1:net.L, 'UniformOutput', false);      % order of the GP limit
saved = warning ('off', 'attnpath:solve:noise');   % the largest temperatures are there to be refused by the criteria
back = onCleanup (@() warning (saved));
for d = 1:plan.draws
  for t = 1:numel (plan.temperatures)
    net.temperature = plan.temperatures(t);
    for n = 1:numel (plan.widths)
      demo_progress ('solutions, draw %d of %d, T = %g, N = %d', d, plan.draws, net.temperature, plan.widths(n));
      net.width(:) = plan.widths(n);
      started = tic ();
      sol = attnpath_solve (net, data.train{d}, data.ytrain{d}, 'Tolerance', 1e-6, 'Certificate', false);
      theory.seconds(d,t,n) = toc (started);
      [theory.test(d,t,n), theory.valid(d,t,n)] = accuracies (attnpath_predict (sol, data.asked), data.truth, plan);
      theory.loo(d,t,n) = -getfield (attnpath_loo (sol), 'mse');
      theory.evidence(d,t,n) = sol.evidence;
      theory.evaluations(d,t,n) = sol.evaluations;
      theory.gradnorm(d,t,n) = sol.gradnorm;
      order{d,t,n} = sol.order;
    end
    mu = attnpath_predict (sol, data.asked, 'Limit', 'gp');
    [theory.gp_test(d,t), gp_valid(d,t)] = accuracies (mu, data.truth, plan);
    gp.net.temperature = net.temperature;
    [gp.paths, gp.y] = deal (data.train{d}, data.ytrain{d});
    gp_loo(d,t) = -getfield (attnpath_loo (gp, 'Corrected', false), 'mse');          % its U has seen no label
    [~, ~, part] = attnpath_action (net, data.train{d}, data.ytrain{d}, limit);
    gp_evidence(d,t) = -part.energy / 2;         % but for a constant
  end
end
% the columns of what follows: by leave-one-out, by validation, by evidence
criteria = {theory.loo, theory.valid, theory.evidence};
for c = 1:3, [theory.chosen(:,:,c), theory.T(:,:,c)] = at_best (criteria{c}, theory.test, plan.temperatures); end
criteria = {gp_loo, gp_valid, gp_evidence};
for c = 1:3, theory.gp(:,c) = at_best (criteria{c}, theory.gp_test, plan.temperatures); end
for d = 1:plan.draws
  for width = [plan.shown, plan.scored]
    n = find (plan.widths == width);
    sol = struct ('net', net, 'paths', data.train{d}, 'y', data.ytrain{d});
    sol.net.width(:) = width;
    sol.net.temperature = theory.T(d,n,1);
    sol.order = order{d,plan.temperatures == theory.T(d,n,1),n};
    sol.U = sol.order{1};
    if width == plan.shown, theory.shown(d) = sol; end
    if width == plan.scored, theory.scored(d) = sol; end
  end
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
% For the first training set, at the temperature that leave-one-out chooses for the theory
for k = 1:numel (plan.sampled)
  demo_progress ('posterior draws, N = %d', plan.sampled(k));
  net.width(:) = plan.sampled(k);
  net.temperature = theory.T(1,plan.widths == plan.sampled(k),1);
  started = tic ();
  saved = warning ('off', 'attnpath:sample:notConverged');         % the table says how far each can be trusted
  draws = attnpath_sample (net, data.train{1}, data.ytrain{1}, plan.sampler{:});
  warning (saved);
  post(k).seconds = toc (started);
  post(k).reason = draws.reason;
  post(k).T = net.temperature;
  post(k).U = mean (draws.U(:,:,:), 3);
  mu = attnpath_predict (draws, data.test, 'U', spread_draws (draws, plan.averaged));
  post(k).accuracy = percent_right (mu, data.ytest);
end
end

% ---- heads: scores by the theory, removal from the trained network -------------------------------------------

function heads = remove_heads (trained, theory, data, plan)
net = trained.net;
heads.list = heads_of (net.H);
seeds = 1:plan.Pprune / plan.together;
kinds = {'all', 'new'};
for s = 1:2
  demo_progress ('outputs of the trained network, %d sequences', plan.Pprune);
  [F{s}, labels{s}] = oneshot_held_out (trained, kinds{s}, plan.together, seeds);
end
left = @(gone, s) oneshot_without (gone, F{s}, labels{s}, net.H);
heads.full = [left(zeros (0, 2), 1), left(zeros (0, 2), 2)];
for k = 1:size (heads.list, 1)
  heads.lost(:,k) = heads.full' - [left(heads.list(k,:), 1); left(heads.list(k,:), 2)];        % without this head
end

heads.words = {'order', 'predictor', 'loo', 'evidence', 'importance', 'output', 'ablation'};
heads.names = {'|U|', 'predictor', 'leave-one-out', 'evidence', 'importance', 'output', 'ablation'};
for d = 1:plan.draws
  of_trained = struct ('net', net, 'heads', data.heads, 'F', oneshot_paths (trained, data.train{d}), 'y', ...
                       data.ytrain{d});
  for w = 1:numel (heads.words)
    demo_progress ('scores, draw %d of %d, by %s', d, plan.draws, heads.words{w});
    model = theory.scored(d);
    if w > 4, model = of_trained; end
    heads.score(d,:,w) = head_worth (heads.words{w}, model);
    for s = 1:2, heads.correlation(d,w,s) = rank_correlation (heads.score(d,:,w), heads.lost(s,:)); end
    heads.removed(d,:,w) = removal_curve (heads.score(d,:,w), heads.list, net.H, @(gone) left (gone, 1));
  end
end
for d = 1:plan.draws
  demo_progress ('search for heads to remove, draw %d of %d', d, plan.draws);
  [heads.found{d}, search] = attnpath_prune (theory.scored(d), 'By', 'loo', 'Display', false);
  heads.error(d,:) = search.value';
  for k = 0:size (heads.found{d}, 1), heads.search(d,k+1) = left (heads.found{d}(1:k,:), 1); end
end
for k = 0:sum (net.H) - net.L
  heads.random(k+1,:) = any_choice (k, heads.list, net.H, left);
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

function r = correlation (a, b)
both = corrcoef (a(:), b(:));
r = both(1,2);
end

% ---- tables --------------------------------------------------------------------------------------------------

function print_accuracies (theory, post, plan)
fprintf ('\n(b) accuracy on held-out classes, %d sequences; %d training sequences, %d draws of them\n', ...
         plan.Ptest, plan.P, plan.draws);
fprintf (['  width N   T by leave-one-out  chosen T     T by validation  chosen T     T by evidence    ' ...
          'chosen T     evaluations  time per solve\n']);
for n = 1:numel (plan.widths)
  for r = 1:3
    temperatures{n,r} = strjoin (arrayfun (@num2str, unique (theory.T(:,n,r))', 'UniformOutput', false), ' ');
  end
end
print_rows ('  %7d   %s      %-11s  %s   %-11s  %s   %-11s  %11.1f  %11.2f s\n', plan.widths', ...
            percent_text (theory.chosen(:,:,1)), temperatures(:,1), percent_text (theory.chosen(:,:,2)), ...
            temperatures(:,2), percent_text (theory.chosen(:,:,3)), temperatures(:,3), ...
            squeeze (mean (mean (theory.evaluations, 1), 2)), squeeze (median (median (theory.seconds, 1), 2)));
gp = percent_text (theory.gp);
fprintf ('       GP   %s                   %s                %s\n', gp{:});
fprintf ('  largest gradnorm of all %d solutions %.1e\n', numel (theory.gradnorm), max (theory.gradnorm(:)));
for k = 1:numel (plan.sampled)
  fprintf (['  posterior draws, N = %d, T = %g, first training set: %.1f %% (theory %.1f %%); %.0f s; ' ...
            '1.01 and 400 are wanted:\n    %s\n'], plan.sampled(k), post(k).T, post(k).accuracy, ...
           theory.chosen(1,plan.widths == plan.sampled(k),1), post(k).seconds, post(k).reason);
end
end

function print_map (theory, plan)
% Widths and temperatures together
fprintf ('\n(g) widths and temperatures together (rows: T; columns: N)\n            %s      GP\n', ...
         sprintf ('%7d', plan.widths));
columns = numel (plan.widths);
over = @(x) reshape (mean (x, 1), [], columns);
form = ['  %7.2f   ' repmat('%7.1f', 1, columns)];
fprintf ('  mean accuracy (%%)\n');
print_rows ([form ' %7.1f\n'], plan.temperatures', over (theory.test), mean (theory.gp_test, 1)');
fprintf ('  mean log evidence to leading order, for each example\n');
print_rows ([strrep(form, '.1f', '.3f') '\n'], plan.temperatures', over (theory.evidence) / plan.P);
fprintf ('  mean squared leave-one-out error, corrected\n');
print_rows ([strrep(form, '.1f', '.3f') '\n'], plan.temperatures', -over (theory.loo));
names = {'leave-one-out', 'validation', 'evidence'};
criteria = {theory.loo, theory.valid, theory.evidence};
for c = 1:3
  [m, error_of_m] = mean_error (at_best_of_all (criteria{c}, theory.test));
  fprintf ('  accuracy where %s is best of all: %.1f +- %.1f %%\n', names{c}, m, error_of_m);
end
end

function accuracy = at_best_of_all (criterion, test)
for d = 1:size (test, 1)
  [~, at] = max (criterion(d,:));
  accuracy(d,1) = test(d,at);
end
end

function print_U (theory, post, trained, plan)
U = theory.shown(1).U;
for k = find (plan.sampled == plan.shown)
  fprintf (['\n(c) U at N = %d: correlation of its entries, theory and draws %.3f, ' ...
            'theory and trained network %.3f\n'], plan.shown, correlation (U, post(k).U), correlation (U, trained.U));
end
end

function print_heads (heads, plan)
fprintf ('\n(e) trained network with one head removed: %d sequences of all classes of the test data, and as\n', ...
         plan.Pprune);
fprintf ('    many of those that are not in the training data; %.1f %% and %.1f %% with all heads\n', heads.full);
fprintf ('    scores: means over the draws, the theory''s at N = %d\n', plan.scored);
count = numel (heads.words);
fprintf ('  layer head  %s   all: accuracy  lost   not in training: lost\n', sprintf ('%14s', heads.names{:}));
score = reshape (mean (heads.score, 1), [], count);
table = [heads.list, score, heads.full(1) - heads.lost(1,:)', heads.lost'];
print_rows (['  %5d %4d  ' repmat('%14.3f', 1, count) '  %13.1f %%  %5.1f  %20.1f\n'], sortrows (table, 3));
fprintf ('  rank correlation with what is lost: mean over the draws, and standard deviation\n');
for w = 1:count
  r = reshape (heads.correlation(:,w,:), [], 2);
  fprintf ('  %-14s  all %5.2f +- %.2f   not in training %5.2f +- %.2f\n', heads.names{w}, ...
           [mean(r, 1); std(r, 0, 1)]);
end
fprintf ('  paper, same order: 83.8 %% with all heads; 81.8 83.0 79.5 75.4 76.0 76.5 74.3 74.9 %% without one;\n');
fprintf ('    rank correlation 0.86\n');
end

function print_removal (heads)
count = numel (heads.words);
fprintf ('\n(f) heads removed one after the other, in the order of each score (means over the draws)\n');
fprintf ('  removed %s   by search   at random (mean and spread of all choices)\n', ...
         sprintf ('%14s', heads.names{:}));
print_rows (['  %7d ' repmat('%12.1f %%', 1, count) '   %7.1f %%   %6.1f +- %4.1f %% of %d\n'], ...
            (0:size (heads.removed, 2) - 1)', reshape (mean (heads.removed, 1), [], count), mean (heads.search, 1)', ...
            heads.random);
for d = 1:numel (heads.found)
  fprintf ('  the search, draw %d: heads%s; leave-one-out error%s\n', d, sprintf (' %d.%d', heads.found{d}'), ...
           sprintf (' %.3f', heads.error(d,:)));
end
end

% ---- panels --------------------------------------------------------------------------------------------------

function draw_accuracies (fig, theory, post, data, plan)
red = [0.80 0.10 0.10];
inks = {[0.00 0.32 0.62], [0.35 0.60 0.85], [0.45 0.20 0.60]};
styles = {'-', '--', '-.'};
marks = {'x', '^', 's'};
words = {'leave-one-out', 'validation', 'evidence'};
ax = log_axes (fig, [0.07 0.71 0.38 0.25], plan.widths([1 end]) .* [0.8 1.3], plan.widths);
across = get (ax, 'xlim');
for r = 1:3
  gp(r) = curve (ax, across, [1 1] * mean (theory.gp(:,r)), red, styles{r}, 1.2);
  [m, half] = mean_error (theory.chosen(:,:,r));
  beside = plan.widths * (1 + 0.05 * (r - 1));   % so that none hides another
  if plan.draws > 1, error_bars (ax, beside, m, half, inks{r}, 1.2); end
  curves(r) = curve (ax, beside, m, inks{r}, styles{r}, 1.5, marks{r}, 7);
  set (curves(r), 'markerfacecolor', 'none');
end
curves(4) = curve (ax, plan.sampled * 0.93, [post.accuracy], [0 0 0], 'none', 1.2, 'o', 6);
trained = curve (ax, across, [1 1] * data.accuracy_trained, [0.45 0.45 0.45], ':', 1.5);
sampled = [post.accuracy];
low = min ([theory.chosen(:); theory.gp(:); sampled(:)]);
high = max ([theory.chosen(:); sampled(:); data.accuracy_trained]);
set (ax, 'ylim', [floor(low - 0.8 * (high - low)), ceil(high + 1)]);
names = [strcat('theory, T by', {' '}, words), {'posterior draws'}, strcat('GP, T by', {' '}, words), ...
         {'trained network'}];
left = legend ([curves, gp, trained], names, 'location', 'south', 'numcolumns', 2);
set (left, 'box', 'off', 'fontsize', 8);
label_axes (ax, 'b', '', 'width N', 'accuracy on held-out classes (%)');
end

function draw_map (fig, theory, plan)
% Evidence in colour, accuracy in numbers
columns = numel (plan.widths);
evidence = reshape (mean (theory.evidence, 1), [], columns) / plan.P;
accuracy = reshape (mean (theory.test, 1), [], columns);
ax = axes ('parent', fig, 'position', [0.57 0.71 0.33 0.25], 'box', 'on', 'layer', 'top');
imagesc (evidence, 'parent', ax);
set (ax, 'ydir', 'normal', 'xlim', [0.5, columns + 0.5], 'ylim', [0.5, numel(plan.temperatures) + 0.5], ...
     'xtick', 1:columns, 'ytick', 1:numel (plan.temperatures), 'ticklength', [0 0], ...
     'xticklabel', arrayfun (@(x) sprintf ('%d', x), plan.widths, 'UniformOutput', false), ...
     'yticklabel', arrayfun (@(x) sprintf ('%g', x), plan.temperatures, 'UniformOutput', false), ...
     'colormap', interp1 ([0 0.5 1], [0.20 0.25 0.45; 0.55 0.70 0.80; 1.00 0.97 0.85], linspace (0, 1, 200)'));
set (ax, 'clim', [max(min (evidence(:)), 2 * median (evidence(:)) - max (evidence(:))), max(evidence(:))]);
[~, best] = max (evidence(:));
for k = 1:numel (evidence)
  [t, n] = ind2sub (size (evidence), k);
  weight = {'normal', 'bold'};
  text (n, t, sprintf ('%.1f', accuracy(k)), 'parent', ax, 'horizontalalignment', 'center', 'fontsize', 9, ...
        'fontweight', weight{1 + (k == best)}, 'color', [1 1 1] * (evidence(k) < mean (get (ax, 'clim'))));
end
[t, n] = ind2sub (size (evidence), best);
rectangle ('parent', ax, 'position', [n - 0.47, t - 0.47, 0.94, 0.94], 'edgecolor', [0.80 0.10 0.10], ...
           'linewidth', 1.5);
colorbar ('peer', ax);
label_axes (ax, 'g', 'colour: log evidence for each example; numbers: accuracy (%)', 'width N', 'temperature T');
end

function draw_U (fig, theory, post, trained, plan)
images = {sprintf('theory, N = %d', plan.shown), theory.shown(1).U};
for k = find (plan.sampled == plan.shown)
  images(end+1,:) = {sprintf('draws, N = %d', plan.shown), post(k).U};
end
images(end+1,:) = {'trained network', trained.U};
for k = 1:size (images, 1)
  ax = axes ('parent', fig, 'position', [0.21 * k - 0.14, 0.42, 0.15, 0.15], 'fontsize', 7);
  attnpath_plot (struct ('net', trained.net, 'U', images{k,2}), 'order', 'Parent', ax);
  title (ax, ['U, ' images{k,1}], 'fontweight', 'normal', 'fontsize', 10);
  if k == 1, label_axes (ax, 'c', '', '', ''); end
  if k > 1, set (ax, 'yticklabel', {}); end
end
end

function draw_alignment (fig, theory)
ax = axes ('parent', fig, 'position', [0.73 0.395 0.25 0.20]);
attnpath_plot (theory.shown(1), 'alignment', 'Parent', ax, 'Components', 30);
label_axes (ax, 'd', '', '', '');
end

function [inks, marks] = of_scores ()
inks = {[0.00 0.32 0.62], [0.00 0.55 0.45], [0.85 0.45 0.05], [0.45 0.20 0.60], [0.80 0.10 0.10], [0.55 0.35 0.15], ...
        [0.35 0.35 0.35]};
marks = {'x', 'o', 's', 'd', '^', 'v', '+'};
end

function draw_scores (fig, heads)
% Rank correlations: a mark for each score, bars of one standard error over the draws, and small dots for the draws
count = numel (heads.words);
[inks, marks] = of_scores ();
ax = axes ('parent', fig, 'position', [0.15 0.06 0.30 0.26], 'box', 'on', 'xlim', [-1 1], ...
           'ylim', [0.4, count + 0.6], 'ydir', 'reverse', 'ytick', 1:count, 'yticklabel', heads.names);
line ([0 0], [0.4, count + 0.6], 'parent', ax, 'color', [0.7 0.7 0.7]);
for w = 1:count
  r = heads.correlation(:,w,1);
  [m, half] = mean_error (r);
  line (r, w + 0.25 + 0 * r, 'parent', ax, 'linestyle', 'none', 'marker', '.', 'markersize', 6, 'color', inks{w});
  line (m + [-1 1] * half, [w w], 'parent', ax, 'color', inks{w}, 'linewidth', 1.5);
  curve (ax, m, w, inks{w}, 'none', 1.5, marks{w}, 7);
end
label_axes (ax, 'e', '', 'rank correlation with what is lost without a head', '');
end

function draw_removal (fig, heads)
most = size (heads.removed, 2) - 1;
count = 5;                                         % of the scores: the table has all
[inks, marks] = of_scores ();
ax = axes ('parent', fig, 'position', [0.57 0.06 0.41 0.26], 'box', 'on', 'layer', 'top', ...
           'xlim', [-0.1, most + 2.6], 'xtick', 0:most);
spread = [heads.random(:,1) - heads.random(:,2); flipud(heads.random(:,1) + heads.random(:,2))];
patch ('XData', [0:most, most:-1:0], 'YData', spread', 'parent', ax, 'facecolor', [0.88 0.88 0.88], ...
       'edgecolor', 'none');
for w = 1:count
  [m, half] = mean_error (heads.removed(:,:,w));
  beside = (0:most) + 0.04 * (w - (count + 1) / 2);
  error_bars (ax, beside, m, half, inks{w}, 1);
  curves(w) = curve (ax, beside, m, inks{w}, '-', 1, marks{w}, 5);
end
[m, half] = mean_error (heads.search);
error_bars (ax, 0:most, m, half, [0 0 0], 1);
curves(count+1) = curve (ax, 0:most, m, [0 0 0], '--', 1.5, 'p', 6);
curves(count+2) = curve (ax, 0:most, heads.random(:,1), [0.45 0.45 0.45], ':', 2);
set (curves, 'markerfacecolor', 'none');
key = legend (curves, [heads.names(1:count), {'search', 'at random'}], 'location', 'east');
set (key, 'box', 'off', 'fontsize', 9);
label_axes (ax, 'f', '', 'heads removed', 'accuracy, all test classes (%)');
end
