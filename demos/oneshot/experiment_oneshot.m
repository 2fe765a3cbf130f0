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
%   xvfb-run -a octave --no-gui demos/run_demo.m oneshot
%
%   The work is sweeps of the theory, of posterior draws, of the trained network's outputs and of the scores: with a
%   folder in the environment variable ATTNPATH_CELLS what was interrupted goes on (see sweep_cells).
%   The trained network comes with the demo, in oneshot_trained.mat. ATTNPATH_TRAIN=1 trains one anew by the same
%   recipe, which takes half an hour, and writes it beside the figures: what was interrupted goes on, and a network that
%   is there is not trained again. Images are Omniglot's, from the folder that the environment variable
%   ATTNPATH_OMNIGLOT names or from the cache (attnpath_omniglot), and otherwise made-up characters, on which the
%   network that comes with the demo was not trained: the demo says which.
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   [2] Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, NeurIPS 2019, arXiv:1905.10650.
%   See also attnpath_demo, attnpath_sweep, attnpath_task_oneshot, attnpath_train, attnpath_solve, attnpath_scores,
%   attnpath_prune.

% SPDX-License-Identifier: BSD-3-Clause

begun = tic ();
folder = figure_folder ('demo_oneshot');
[plan, draws, axis_of] = settings ();
[plan.network, name] = trained_network (folder);
demo_progress ('sequences, as the attention of the trained network sees them');
data = oneshot_data (1, plan);
plan.of = {data.source, data.trained.source, data.trained.accuracy};   % else cells of other images would be taken
if strncmp (data.source.train, 'generator', 9), name = [name '_generator']; end
fprintf ('\nOne-shot images. Training: %s\n                 test: %s\n', data.source.train, data.source.test);
fprintf (['Trained network: %s; %d steps, test accuracy %.1f %% then (mean of the last five), ' ...
          '%.1f %% on this test set\n'], ...
         data.trained.source.train, data.trained.history.step(end), 100 * data.trained.accuracy, data.accuracy(2));

fprintf ('\nTheory, and the GP limit\n');
grid = struct ('width', [axis_of.widths Inf], 'temperature', axis_of.temperatures, 'seed', 1:plan.draws);
theory = theory_of (sweep_cells ([name '_theory'], @(c) oneshot_cell (c, plan), grid), axis_of);

fprintf ('\nDraws from the exact posterior, for the first training set\n');
draws.width = axis_of.widths;
draws.temperature = theory.T(1,:,1);               % that leave-one-out chooses for the theory
grid = struct ('width', axis_of.sampled, 'seed', 1);
post = sweep_cells ([name '_draws'], @(c) oneshot_draws_cell (c, plan, draws), grid);

fprintf ('\nOutputs of the trained network, %d sequences of each kind\n', axis_of.parts * plan.together);
grid = struct ('seed', 1:axis_of.parts, 'which', {{'all', 'new'}});
outputs = sweep_cells ([name '_outputs'], @(c) oneshot_outputs_cell (c, plan), grid);

fprintf ('\nScores of heads, and the search for heads to remove\n');
scored = theory.scored;
grid = struct ('seed', 1:plan.draws, 'score', {[axis_of.scores, {'search'}]});
worth = sweep_cells ([name '_worth'], @(c) oneshot_worth_cell (c, plan, scored), grid);
heads = heads_removed (outputs, worth, axis_of, data.net.H);

print_tables (theory, post, heads, data, plan, axis_of);
fprintf ('\nthis call took %.1f minutes\n', toc (begun) / 60);
draw_page (theory, post, heads, data, plan, axis_of, folder);
end

function [plan, draws, axis_of] = settings ()
% Cells hold plan and draws, and the temperatures that are chosen: where these change attnpath_sweep refuses the folder.
% The rest of axis_of are grids, and what is shown
plan.draws = 5;                    % of the training set: curves are means over them, bars their standard error
plan.P = 600;
plan.Pvalid = 600;                 % further sequences of the training classes, on which T is chosen as well
plan.Ptest = 1000;
plan.together = 4000;              % test sequences on which heads are removed, so many at a time, for memory
plan.kept = [10 20];               % widths whose order parameters are kept: those shown and scored, below
draws.sampler = {'Seed', 0, 'Chains', 2, 'Warmup', 40, 'Draws', 25, 'Display', true};      % for some minutes: the
                                   % table says by how much this misses what attnpath_sample asks for
draws.averaged = 40;               % draws of U whose predictors are averaged
axis_of.widths = [10 20 50 200 1000];
axis_of.temperatures = [0.05 0.1 0.25 0.5 1];
axis_of.sampled = [10 50 1000];    % widths at which the posterior is sampled, for the first training set
axis_of.parts = 5;                 % times plan.together sequences: drops differ by a few per cent. Half of
                                   % them are of all classes of the test data, half of new classes alone
axis_of.shown = 10;                % width whose U and kernel are shown
axis_of.scored = 20;               % width at which heads are scored: the narrowest at which (T25) has the evidence
axis_of.scores = {'order', 'predictor', 'loo', 'evidence', 'importance', 'output', 'ablation'};
axis_of.score_names = {'|U|', 'predictor', 'leave-one-out', 'evidence', 'importance', 'output', 'ablation'};
plan = quick_mode (plan, struct ('draws', 2, 'P', 60, 'Pvalid', 100, 'Ptest', 200, 'together', 200));
draws = quick_mode (draws, struct ('sampler', {{'Seed', 0, 'Chains', 2, 'Warmup', 30, 'Draws', 40, 'Display', false}}));
axis_of = quick_mode (axis_of, struct ('widths', [10 20 1000], 'temperatures', [0.1 1], 'sampled', 10, 'parts', 2));
end

function [network, name] = trained_network (folder)
% network: the name that oneshot_network takes;  name: the first word of the folders of its cells
[network, name] = deal ('2x4', 'oneshot');
if ~strcmp (getenv ('ATTNPATH_TRAIN'), '1'), return; end
[network, name] = deal (fullfile (folder, 'oneshot_trained.mat'), 'oneshot_anew');
if exist (network, 'file') == 2, return; end
oneshot_train (network, true, 'Rate', 2.5e-4, 'Schedule', 'cosine', 'Steps', 20000, 'Seed', 1, ...
               'Checkpoint', [network '.checkpoint']);     % turned images are classes of their own
fprintf ('wrote %s\n', network);
end

% ---- the theory, and the temperatures that are chosen -----------------------------------------------------

function theory = theory_of (cells, axis_of)
% The theory at all widths and temperatures, and the temperatures that three criteria choose.
% Inputs :  cells, of oneshot_cell, widths (the last Inf, the GP limit) x temperatures x draws of the training set;
%           axis_of, struct of widths and temperatures, and of two widths, shown and scored, whose order parameters
%           the cells have
% Outputs:  struct of
%   test, loo, evidence, valid,
%   gradnorm, evaluations, seconds    draws x temperatures x widths; gp_test, draws x temperatures
%   T, chosen                         draws x widths x 3: temperature by leave-one-out, by validation, by evidence,
%                                     never by the test set, and the test accuracy there; gp, draws x 3, chosen in
%                                     the GP limit
%   shown, scored                     1 x draws struct array, for oneshot_solution, T by leave-one-out
count = numel (axis_of.widths);
by_draw = @(x) permute (reshape (x, size (cells, 1), size (cells, 2), []), [3 2 1]);
accuracy = cat (1, cells.accuracy);                % columns: training classes, held-out classes
theory.valid = by_draw (accuracy(:,1));
theory.test = by_draw (accuracy(:,2));
for name = {'loo', 'evidence', 'gradnorm', 'evaluations', 'seconds'}
  theory.(name{1}) = by_draw ([cells.(name{1})]);
end
criteria = {-theory.loo, theory.valid, theory.evidence};
for c = 1:3, [theory.chosen(:,:,c), theory.T(:,:,c)] = at_best (criteria{c}, theory.test, axis_of.temperatures); end
theory.gp = permute (theory.chosen(:,end,:), [1 3 2]);
theory.gp_test = theory.test(:,:,end);
for name = {'chosen', 'T'}, theory.(name{1}) = theory.(name{1})(:,1:count,:); end
for name = {'valid', 'test', 'loo', 'evidence', 'gradnorm', 'evaluations', 'seconds'}
  theory.(name{1}) = theory.(name{1})(:,:,1:count);
end
theory.shown = solutions (cells, axis_of, theory.T(:,:,1), axis_of.shown);
theory.scored = solutions (cells, axis_of, theory.T(:,:,1), axis_of.scored);
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

function at = solutions (cells, axis_of, T, width)
n = find (axis_of.widths == width);
for d = 1:size (T, 1)
  cell_of = cells(n,axis_of.temperatures == T(d,n),d);
  at(d) = struct ('width', width, 'temperature', T(d,n), 'order', {cell_of.order});
end
end

% ---- removal of heads -------------------------------------------------------------------------------------

function heads = heads_removed (outputs, worth, axis_of, H)
% Heads removed from the trained network: one at a time, and one after the other in the order of scores.
% Inputs :  outputs, cells of oneshot_outputs_cell, seeds x 2: all classes of the test data, and new ones;  worth,
%           cells of oneshot_worth_cell, draws x (scores + 1), the last of them the search;  axis_of, struct of scores
%           and score_names;  H, 1 x L head counts
% Outputs:  struct of percentages of right answers, of all classes where nothing else is said:
%   list           heads x 2, rows [layer head]
%   full, lost     1 x 2 and 2 x heads: with all heads, and how much less without one; all and new classes
%   names, score   1 x scores cell, and draws x heads x scores
%   correlation    draws x scores x 2: rank correlation of score and lost, all and new classes
%   removed        draws x (removals + 1) x scores
%   found, error   of the search: 1 x draws cell of heads, and draws x (removals + 1);  search, as removed
%   random         (removals + 1) x 3: mean, spread and number of all choices that leave each layer a head
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

% ---- tables -----------------------------------------------------------------------------------------------

function print_tables (theory, post, heads, data, plan, axis_of)
% Print what experiment_oneshot has found.
% Inputs :  theory, from theory_of;  post, cells of oneshot_draws_cell;  heads, from heads_removed;  data, from
%           oneshot_data;  plan, axis_of, structs of settings
print_accuracies (theory, post, plan, axis_of);
print_map (theory, plan, axis_of);
print_U (theory, post, data.trained, axis_of);
print_heads (heads, plan, axis_of);
print_removal (heads);
end

function print_accuracies (theory, post, plan, axis_of)
fprintf ('\n(b) accuracy on held-out classes, %d sequences; %d training sequences, %d draws of them\n', ...
         plan.Ptest, plan.P, plan.draws);
fprintf (['  width N   T by leave-one-out  chosen T     T by validation  chosen T     T by evidence    ' ...
          'chosen T     evaluations  time per solve\n']);
for n = 1:numel (axis_of.widths)
  for r = 1:3
    temperatures{n,r} = strjoin (arrayfun (@num2str, unique (theory.T(:,n,r))', 'UniformOutput', false), ' ');
  end
end
print_rows ('  %7d   %s      %-11s  %s   %-11s  %s   %-11s  %11.1f  %11.2f s\n', axis_of.widths', ...
            percent_text (theory.chosen(:,:,1)), temperatures(:,1), percent_text (theory.chosen(:,:,2)), ...
            temperatures(:,2), percent_text (theory.chosen(:,:,3)), temperatures(:,3), ...
            squeeze (mean (mean (theory.evaluations, 1), 2)), squeeze (median (median (theory.seconds, 1), 2)));
gp = percent_text (theory.gp);
fprintf ('       GP   %s                   %s                %s\n', gp{:});
fprintf ('  largest gradnorm of all %d solutions %.1e\n', numel (theory.gradnorm), max (theory.gradnorm(:)));
for k = 1:numel (post)
  N = axis_of.sampled(k);
  fprintf (['  posterior draws, N = %d, T = %g, first training set: %.1f %% (theory %.1f %%); %.0f s; ' ...
            '1.01 and 400 are wanted:\n    %s\n'], N, post(k).T, post(k).accuracy(2), ...
           theory.chosen(1,axis_of.widths == N,1), post(k).seconds, post(k).reason);
end
end

function print_map (theory, plan, axis_of)
% Widths and temperatures together
fprintf ('\n(g) widths and temperatures together (rows: T; columns: N)\n            %s      GP\n', ...
         sprintf ('%7d', axis_of.widths));
columns = numel (axis_of.widths);
over = @(x) reshape (mean (x, 1), [], columns);
form = ['  %7.2f   ' repmat('%7.1f', 1, columns)];
fprintf ('  mean accuracy (%%)\n');
print_rows ([form ' %7.1f\n'], axis_of.temperatures', over (theory.test), mean (theory.gp_test, 1)');
fprintf ('  mean log evidence to leading order, for each example\n');
print_rows ([strrep(form, '.1f', '.3f') '\n'], axis_of.temperatures', over (theory.evidence) / plan.P);
fprintf ('  mean squared leave-one-out error, corrected\n');
print_rows ([strrep(form, '.1f', '.3f') '\n'], axis_of.temperatures', over (theory.loo));
names = {'leave-one-out', 'validation', 'evidence'};
criteria = {-theory.loo, theory.valid, theory.evidence};
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

function print_U (theory, post, trained, axis_of)
U = theory.shown(1).order{1};
for k = find (axis_of.sampled == axis_of.shown)
  fprintf (['\n(c) U at N = %d: correlation of its entries, theory and draws %.3f, ' ...
            'theory and trained network %.3f\n'], axis_of.shown, correlation (U, post(k).U), ...
           correlation (U, trained.U));
end
end

function print_heads (heads, plan, axis_of)
fprintf ('\n(e) trained network with one head removed: %d sequences of all classes of the test data, and as\n', ...
         axis_of.parts * plan.together);
fprintf ('    many of those that are not in the training data; %.1f %% and %.1f %% with all heads\n', heads.full);
fprintf ('    scores: means over the draws, the theory''s at N = %d\n', axis_of.scored);
count = numel (heads.names);
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
count = numel (heads.names);
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

function r = correlation (a, b)
both = corrcoef (a(:), b(:));
r = both(1,2);
end

% ---- the page ---------------------------------------------------------------------------------------------

function draw_page (theory, post, heads, data, plan, axis_of, folder)
% The figure of experiment_oneshot, demo_oneshot.
% Inputs :  folder, to write into;  the others as for print_tables
fig = figure_page ([12 12]);
if isempty (fig), return; end
draw_accuracies (fig, theory, post, data.accuracy(2), plan, axis_of);
draw_U (fig, theory, post, data.trained, axis_of);
draw_alignment (fig, theory, data);
draw_map (fig, theory, plan, axis_of);
draw_heads (fig, heads);
save_figure (fig, folder, 'demo_oneshot');
end

function draw_accuracies (fig, theory, post, trained, plan, axis_of)
red = [0.80 0.10 0.10];
inks = {[0.00 0.32 0.62], [0.35 0.60 0.85], [0.45 0.20 0.60]};
styles = {'-', '--', '-.'};
marks = {'x', '^', 's'};
words = {'leave-one-out', 'validation', 'evidence'};
ax = log_axes (fig, [0.07 0.71 0.38 0.25], axis_of.widths([1 end]) .* [0.8 1.3], axis_of.widths);
across = get (ax, 'xlim');
for r = 1:3
  gp(r) = curve (ax, across, [1 1] * mean (theory.gp(:,r)), red, styles{r}, 1.2);
  [m, half] = mean_error (theory.chosen(:,:,r));
  beside = axis_of.widths * (1 + 0.05 * (r - 1));   % so that none hides another
  if plan.draws > 1, error_bars (ax, beside, m, half, inks{r}, 1.2); end
  curves(r) = curve (ax, beside, m, inks{r}, styles{r}, 1.5, marks{r}, 7);
  set (curves(r), 'markerfacecolor', 'none');
end
sampled = cat (1, post.accuracy);
sampled = sampled(:,2)';                          % of held-out classes
curves(4) = curve (ax, axis_of.sampled * 0.93, sampled, [0 0 0], 'none', 1.2, 'o', 6);
curves(5) = curve (ax, across, [1 1] * trained, [0.45 0.45 0.45], ':', 1.5);
low = min ([theory.chosen(:); theory.gp(:); sampled(:)]);
high = max ([theory.chosen(:); sampled(:); trained]);
set (ax, 'ylim', [floor(low - 0.8 * (high - low)), ceil(high + 1)]);
names = [strcat('theory, T by', {' '}, words), {'posterior draws'}, strcat('GP, T by', {' '}, words), ...
         {'trained network'}];
left = legend ([curves(1:4), gp, curves(5)], names, 'location', 'south');
if isprop (left, 'numcolumns'), set (left, 'numcolumns', 2); end            % gnuplot's has none
set (left, 'box', 'off', 'fontsize', 8);
label_axes (ax, 'b', '', 'width N', 'accuracy on held-out classes (%)');
end

function draw_map (fig, theory, plan, axis_of)
% Evidence in colour, accuracy in numbers
columns = numel (axis_of.widths);
evidence = reshape (mean (theory.evidence, 1), [], columns) / plan.P;
accuracy = reshape (mean (theory.test, 1), [], columns);
ax = axes ('parent', fig, 'position', [0.57 0.71 0.33 0.25], 'box', 'on', 'layer', 'top');
imagesc (evidence, 'parent', ax);
set (ax, 'ydir', 'normal', 'xlim', [0.5, columns + 0.5], 'ylim', [0.5, numel(axis_of.temperatures) + 0.5], ...
     'xtick', 1:columns, 'ytick', 1:numel (axis_of.temperatures), 'ticklength', [0 0], ...
     'xticklabel', arrayfun (@(x) sprintf ('%d', x), axis_of.widths, 'UniformOutput', false), ...
     'yticklabel', arrayfun (@(x) sprintf ('%g', x), axis_of.temperatures, 'UniformOutput', false), ...
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

function draw_U (fig, theory, post, trained, axis_of)
images = {sprintf('theory, N = %d', axis_of.shown), theory.shown(1).order{1}};
for k = find (axis_of.sampled == axis_of.shown)
  images(end+1,:) = {sprintf('draws, N = %d', axis_of.shown), post(k).U};
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

function draw_alignment (fig, theory, data)
ax = axes ('parent', fig, 'position', [0.73 0.395 0.25 0.20]);
attnpath_plot (oneshot_solution (data, theory.shown(1)), 'alignment', 'Parent', ax, 'Components', 30);
label_axes (ax, 'd', '', '', '');
end

function draw_heads (fig, heads)
% Panels (e) and (f) of the figure of experiment_oneshot: scores of heads, and their removal.
% Inputs :  fig, the page;  heads, from heads_removed
inks = {[0.00 0.32 0.62], [0.00 0.55 0.45], [0.85 0.45 0.05], [0.45 0.20 0.60], [0.80 0.10 0.10], [0.55 0.35 0.15], ...
        [0.35 0.35 0.35]};                         % of the scores
marks = {'x', 'o', 's', 'd', '^', 'v', '+'};
draw_scores (fig, heads, inks, marks);
draw_removal (fig, heads, inks, marks);
end

function draw_scores (fig, heads, inks, marks)
% Rank correlations: a mark for each score, bars of one standard error over the draws, and small dots for the draws
count = numel (heads.names);
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

function draw_removal (fig, heads, inks, marks)
most = size (heads.removed, 2) - 1;
count = 5;                                         % of the scores: the table has all
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

function demo_progress (form, varargin)
% A line that says what a demo is at, if the last one is some seconds old.
% Inputs :  as for fprintf
persistent last
if ~isempty (last) && toc (last) < 5, return; end
last = tic ();
fprintf (['... ' form '\n'], varargin{:});
if exist ('OCTAVE_VERSION', 'builtin'), fflush (stdout); end
end
