function experiment_oneshot (file)
%EXPERIMENT_ONESHOT  One-shot image task: theory on a trained network's attention, scores, pruning (Figure 3 of [1])
%
%   experiment_oneshot ()
%   experiment_oneshot (file)
%
%   A network of two layers of four heads was trained by gradient descent to identify a handwritten character with one
%   of two that are shown once each, by the recipe of [1], on images with a free licence. Its attention is then fixed,
%   and the Bayesian theory predicts what a network of width N learns with it from 600 sequences. Panels as in Figure 3
%   of [1]:
%     (b) accuracy on held-out classes against width N: theory, draws from the exact posterior, the Gaussian-process
%         (GP) limit, and the trained network, over five draws of all sequences; temperature T by leave-one-out error
%     (c) the order parameter U of theory, of posterior draws, and of the trained network's weights
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) the theory's score of each head, and the accuracy that the trained network loses without it
%     (f) the trained network's accuracy while heads are removed: in order of the score, by a search for the least
%         leave-one-out error, by ablation of the network's own heads, and at random
%   A second figure has no counterpart in [1]:
%     (g) choices of T: by leave-one-out error, by a validation split, and by evidence
%     (h) the evidence of all widths and temperatures, with the accuracy at each
%     (i), (j) rank correlation of each score with the accuracy lost without a head, in this network and in one that
%         was trained for accuracy: for the mean of eight draws of the training sequences, and for single draws
%     (k), (l) both networks while heads are removed in the order of each score
%   (b) and (d) use classes that are not in the training data, (e), (f) and (i) to (l) all classes of the test data:
%   50 of the 156 classes of Omniglot's small set 2 are also in small set 1. All made-up classes are new.
%   Bars are standard errors over draws of the sequences. All choices are made on sequences of training classes.
%   Prints these numbers and writes demo_oneshot and demo_oneshot_scores, or file and file_scores, as PNG and PDF, into
%   the current directory or the folder in the environment variable ATTNPATH_DEMO_DIR. It needs a graphics toolkit: on
%   a machine without a display, xvfb-run -a octave --no-gui demos/run_demo.m oneshot
%
%   The demo runs sweeps of the theory, of posterior draws, of the trained networks' outputs and of scores. If the
%   environment variable ATTNPATH_CELLS names a folder, an interrupted sweep resumes (see sweep_cells).
%   The trained networks come with the demo (oneshot_network). ATTNPATH_TRAIN=1 trains the first one again, for 40
%   minutes of a quiet core, and writes it into the folder of the figures. Interrupted training resumes; an existing
%   file is used without training. Images are Omniglot's, from the folder that the environment variable
%   ATTNPATH_OMNIGLOT names or from the cache (attnpath_omniglot), and otherwise made-up characters, on which the
%   networks of the demo were not trained: the demo prints the source of the images.
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   See also attnpath_demo, attnpath_sweep, attnpath_task_oneshot, attnpath_train, attnpath_solve, attnpath_scores,
%   attnpath_prune.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, file = 'demo_oneshot'; end
begun = tic ();
folder = figure_folder ('demo_oneshot');
[plan, draws, axis_of] = settings ();
networks = trained_networks (folder);
plan.network = networks{1};
fprintf ('... path inputs of the sequences, with the attention of the trained network\n');
data = oneshot_data (1, plan);
plan.of = {data.source, data.trained.source, sum(data.trained.U(:))};   % else cells of other images would be reused
[~, name] = fileparts (networks{1});
if strncmp (data.source.train, 'generator', 9), name = [name '_generator']; end
fprintf ('\nOne-shot images. Training: %s\n                 test: %s\n', data.source.train, data.source.test);
fprintf ('Trained network: %s; %d steps, test accuracy %.1f %% at the end (mean of the last five)\n', ...
         data.trained.source.train, data.trained.history.step(end), 100 * data.trained.accuracy);

fprintf ('\nTheory, and the GP limit\n');
grid = struct ('width', [axis_of.widths Inf], 'temperature', axis_of.temperatures, 'seed', axis_of.seeds);
theory = theory_of (sweep_cells (['theory_' name], @(c) oneshot_cell (c, plan), grid), axis_of);

fprintf ('\nDraws from the exact posterior\n');
draws.width = axis_of.widths;
draws.temperature = theory.T(:,:,1);               % which leave-one-out chooses for the theory
grid = struct ('width', axis_of.sampled, 'seed', axis_of.seeds);
post = sweep_cells (['draws_' name], @(c) oneshot_draws_cell (c, plan, draws), grid);

fprintf ('\nScores of the heads\n');
for k = 1:numel (networks), heads(k) = oneshot_worth (networks{k}, axis_of.worth); end

print_accuracies (theory, post, plan, axis_of);
print_map (theory, plan, axis_of);
print_U (theory, post, data.trained, axis_of);
print_shares (theory, plan, axis_of);
for k = 1:numel (networks), print_heads (heads(k), networks{k}, axis_of); end
fprintf (['\nThe paper, heads in the order of |U|: 83.8 %% with all; 81.8 83.0 79.5 75.4 76.0 76.5 74.3 74.9 %% ' ...
          'without one;\n']);
fprintf ('  rank correlation 0.86\n');
fprintf ('\nthis call took %.1f minutes\n', toc (begun) / 60);
draw_page (theory, post, heads(1), data, plan, axis_of, fullfile (folder, file));
draw_scores_page (theory, heads, data, plan, axis_of, fullfile (folder, [file '_scores']));
end

function [plan, draws, axis_of] = settings ()
% Cells hold plan, draws and worth, and the temperatures that are chosen: if these change, attnpath_sweep refuses the
% folder. The rest of axis_of are grids and what is shown
plan.P = 600;
plan.Pvalid = 600;                 % further sequences of the training classes, on which T is chosen as well
plan.Ptest = 1000;
plan.kept = 10;                    % width whose order parameters are kept: that of the figure
plan.components = [5 50];          % numbers of the kernel's first components whose share of the labels is computed
draws.sampler = {'Chains', 4, 'Warmup', 200, 'Display', true};
draws.looks = 400:200:1600;        % draws of each chain at which convergence is tested
draws.probes = 100;                % held-out sequences on which f is drawn, for its R-hat and ESS
draws.averaged = 40;               % draws of U whose predictors are averaged
axis_of.seeds = 1:5;               % draws of all sequences: curves are means over them, bars their standard error
axis_of.widths = [10 20 50 200 1000];
axis_of.temperatures = [0.05 0.1 0.25 0.5 1];
axis_of.sampled = [10 50 1000];    % widths at which the posterior is sampled
axis_of.shown = 10;                % width whose U and kernel are shown
axis_of.worth = oneshot_worth ();
plan = quick_mode (plan, struct ('P', 60, 'Pvalid', 100, 'Ptest', 200));
draws = quick_mode (draws, struct ('sampler', {{'Chains', 2, 'Warmup', 30, 'Display', false}}, 'looks', 40, ...
                                   'probes', 20));
axis_of = quick_mode (axis_of, struct ('widths', [10 20 1000], 'temperatures', [0.1 1], 'sampled', 10, 'seeds', 1:2));
end

function networks = trained_networks (folder)
% Names for oneshot_network; the figure of the paper uses the first
networks = {'published_41000_s0', 'cosine_20000_s1'};
if ~strcmp (getenv ('ATTNPATH_TRAIN'), '1'), return; end
networks = {fullfile(folder, 'oneshot_published_41000_s0.mat')};
if exist (networks{1}, 'file') == 2, return; end
oneshot_train (networks{1}, true, 'Paired', false, 'Steps', 41000, 'Seed', 0, ...
               'Checkpoint', [networks{1} '.checkpoint']);         % rotated images are separate classes
fprintf ('wrote %s\n', networks{1});
end

% ---- the theory, and the temperatures that are chosen -----------------------------------------------------

function theory = theory_of (cells, axis_of)
% The theory at all widths and temperatures, and the temperatures that three criteria choose.
% Inputs :  cells, of oneshot_cell, widths (the last Inf, the GP limit) x temperatures x seeds;  axis_of, struct of
%           widths and temperatures, and of shown, the width whose order parameters the cells have
% Outputs:  struct of
%   test, loo, evidence, valid,
%   gradnorm, evaluations, seconds    seeds x temperatures x widths; gp_test, seeds x temperatures
%   T, chosen                         seeds x widths x 3: temperature by leave-one-out, by validation, by evidence,
%                                     never by the test set, and the test accuracy there; gp, seeds x 3, the same
%                                     accuracy in the GP limit
%   trained                           seeds x 1, accuracy of the trained network
%   shown                             1 x seeds struct array of width, temperature and order, T by leave-one-out
%   share                             seeds x components x 2: share of |y|^2 in the first components of the kernel, at
%                                     the width shown and in the GP limit
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
theory.shown = solutions (cells, axis_of, theory.T(:,:,1));
trained = cat (1, cells(1,1,:).trained);
theory.trained = trained(:,2);
for d = 1:size (cells, 3)
  at = axis_of.temperatures == theory.T(d,axis_of.widths == axis_of.shown,1);
  theory.share(d,:,1) = cells(axis_of.widths == axis_of.shown,at,d).share;
  theory.share(d,:,2) = cells(end,1,d).share;
end
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

function at = solutions (cells, axis_of, T)
n = find (axis_of.widths == axis_of.shown);
for d = 1:size (T, 1)
  cell_of = cells(n,axis_of.temperatures == T(d,n),d);
  at(d) = struct ('width', axis_of.shown, 'temperature', T(d,n), 'order', {cell_of.order});
end
end

% ---- tables -----------------------------------------------------------------------------------------------

function print_accuracies (theory, post, plan, axis_of)
fprintf ('\n(b) accuracy on held-out classes, %d sequences; %d training sequences; %d draws of both\n', ...
         plan.Ptest, plan.P, numel (axis_of.seeds));
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
print_rows ('  trained   %s\n', percent_text (theory.trained));
fprintf ('  largest gradnorm of all %d solutions %.1e\n', numel (theory.gradnorm), max (theory.gradnorm(:)));
print_draws (theory, post, axis_of);
end

function print_draws (theory, post, axis_of)
fprintf ('  posterior draws, T by leave-one-out of the theory; required: R-hat of 1.01 and ESS of 400\n');
fprintf ('  width N   draws            theory           converged   processor time\n');
[~, at] = ismember (axis_of.sampled, axis_of.widths);
print_rows ('  %7d   %s  %s  %4d of %d   %10.0f s\n', axis_of.sampled', percent_text (held_out (post)), ...
            percent_text (theory.chosen(:,at,1)), sum (field_of (post, 'converged'), 1)', ...
            repmat (size (post, 2), numel (at), 1), mean (field_of (post, 'seconds'), 1)');
fprintf (['  width N  sequences     T  draws a chain   largest R-hat: U       f  log posterior   least ESS: U     f' ...
          '  log posterior   processor time\n']);
[of, width] = ndgrid (axis_of.seeds, axis_of.sampled);
each = post';
print_rows ('  %7d  %9d  %4g  %13d  %17.4f  %.4f  %13.4f  %13.0f  %4.0f  %13.0f  %13.0f s\n', width(:), of(:), ...
            cat (1, each.T), cat (1, each.draws), cat (1, each.rhats), cat (1, each.esses), cat (1, each.seconds));
end

function x = held_out (post)
% seeds x widths: accuracy of posterior draws on held-out classes
accuracy = reshape (cat (1, post.accuracy), size (post, 1), size (post, 2), []);
x = accuracy(:,:,2)';
end

function print_map (theory, plan, axis_of)
% Widths and temperatures together
fprintf ('\n(h) widths and temperatures together (rows: T; columns: N)\n            %s      GP\n', ...
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
n = find (axis_of.sampled == axis_of.shown);
for d = 1:numel (theory.shown)
  U = {theory.shown(d).order{1}, post(n,d).U, trained.U};
  r(d,:) = [correlation(U{1}, U{2}), correlation(U{1}, U{3}), correlation(U{2}, U{3})];
end
[m, s] = mean_error (r);
fprintf ('\n(c) U at N = %d: correlation of its entries, means over %d draws of the sequences\n', axis_of.shown, ...
         size (r, 1));
print_rows ('  %-27s  %.3f +- %.3f\n', {'theory and draws'; 'theory and trained network'; ...
                                         'draws and trained network'}, m', s');
end

function print_shares (theory, plan, axis_of)
fprintf ('\n(d) share of |y|^2 in the first components of the kernel\n');
for k = 1:numel (plan.components)
  [m, s] = mean_error (permute (theory.share(:,k,:), [1 3 2]));
  fprintf ('  %3d of %d: N = %d %.3f +- %.3f, GP limit %.3f +- %.3f\n', plan.components(k), plan.P, axis_of.shown, ...
           m(1), s(1), m(2), s(2));
end
end

function print_heads (heads, network, axis_of)
plan = axis_of.worth;
draws = size (heads.score, 1);
fprintf ('\n(e) %s, %d sequences of all classes of the test data: %.1f +- %.2f %% with all heads\n', network, ...
         plan.together * plan.parts, heads.full, heads.full_error);
fprintf ('    scores: means over %d draws of %d training sequences, the theory''s at N = %d, T = %s\n', draws, ...
         plan.P, plan.width, strjoin (arrayfun (@num2str, unique (heads.T), 'UniformOutput', false), ' '));
count = numel (heads.names);
fprintf ('  layer head  %s   without it       lost\n', sprintf ('%14s', heads.names{:}));
score = reshape (mean (heads.score, 1), [], count);
table = [heads.list, score, heads.full - heads.lost', heads.lost', heads.lost_error'];
print_rows (['  %5d %4d  ' repmat('%14.3f', 1, count) '  %9.1f %%  %7.1f +- %.2f\n'], sortrows (table, 3));
fprintf ('  rank correlation of score and loss, mean of the draws and single draws; of the scores of two draws\n');
[m, s] = mean_error (heads.single);
print_rows ('  %-14s %6.2f  %6.2f +- %4.2f  %6.2f\n', heads.names', heads.joint', m', s', heads.agreement');
fprintf ('  U of theory and trained network: correlation %.2f +- %.2f\n', mean (heads.U), std (heads.U) / sqrt (draws));

fprintf ('\n(f) %s, heads removed in the order of each score (mean of the draws)\n', network);
fprintf ('  removed %s   by search          at random (mean and spread of all choices)\n', ...
         sprintf ('%14s', heads.names{:}));
print_rows (['  %7d ' repmat('%12.1f %%', 1, count) '   %s  %6.1f +- %4.1f %% of %d\n'], ...
            (0:size (heads.removed, 2) - 1)', heads.removed', percent_text (heads.search), heads.random);
for d = 1:numel (heads.found)
  fprintf ('  the search, draw %d: heads%s; leave-one-out error%s\n', d, sprintf (' %d.%d', heads.found{d}'), ...
           sprintf (' %.3f', heads.loo(d,:)));
end
end

% ---- the figure of the paper ------------------------------------------------------------------------------

function draw_page (theory, post, heads, data, plan, axis_of, file)
fig = figure_page ([12 11]);
if isempty (fig), return; end
draw_accuracies (fig, theory, post, axis_of);
draw_U (fig, theory, post, data.trained, axis_of);
draw_alignment (fig, theory, data, plan);
draw_heads (fig, heads, data, axis_of);
draw_removal (fig, heads);
note_characters (fig, data.source.train);
save_figure (fig, file);
end

function draw_accuracies (fig, theory, post, axis_of)
blue = [0.00 0.32 0.62];
red = [0.80 0.10 0.10];
ax = log_axes (fig, [0.07 0.70 0.40 0.25], axis_of.widths([1 end]) .* [0.8 1.3], axis_of.widths);
across = get (ax, 'xlim');
lines(3) = level (ax, across, theory.gp(:,1), red, '--');
lines(4) = level (ax, across, theory.trained, [0.30 0.30 0.30], ':');
[m, half] = mean_error (theory.chosen(:,:,1));
error_bars (ax, axis_of.widths, m, half, blue, 1.2, 0.03);
lines(1) = curve (ax, axis_of.widths, m, blue, '-', 1.5, 'x', 8);
[drawn, half] = mean_error (held_out (post));
error_bars (ax, axis_of.sampled * 1.07, drawn, half, [0 0 0], 1.2, 0.03);
lines(2) = curve (ax, axis_of.sampled * 1.07, drawn, [0 0 0], 'none', 1.2, 'o', 6);
every = [m, drawn, mean(theory.gp(:,1)), mean(theory.trained)];
room = 0.6 + 0.3 * strcmp (graphics_toolkit (fig), 'gnuplot');    % for the key, whose lines are further apart there
set (ax, 'ylim', [floor(min (every) - room * (max (every) - min (every))), ceil(max (every) + 1)]);
names = {'theory', 'posterior draws (right of N)', 'GP limit', 'trained network'};
set (legend (lines, names, 'location', 'southwest'), 'box', 'off', 'fontsize', 9);
label_axes (ax, 'b', sprintf ('%d draws of all sequences, \\pm s.e.; T by leave-one-out', numel (axis_of.seeds)), ...
            'width N', 'accuracy on held-out classes (%)');
end

function h = level (ax, across, values, ink, dash)
% A mean that has no width, with a bar of its standard error on the right
[m, s] = mean_error (values);
error_bars (ax, across(2) * 0.93, m, s, ink, 1.2, 0.03);
h = curve (ax, across, [m m], ink, dash, 1.5);
end

function draw_U (fig, theory, post, trained, axis_of)
images = {sprintf('theory, N = %d', axis_of.shown), theory.shown(1).order{1}
          sprintf('posterior draws, N = %d', axis_of.shown), post(axis_of.sampled == axis_of.shown,1).U
          'trained network', trained.U};
for k = 1:3
  ax = axes ('parent', fig, 'position', [0.31 * k - 0.23, 0.41, 0.18, 0.18 * 12 / 11], 'fontsize', 7);
  attnpath_plot (struct ('net', trained.net, 'U', images{k,2}), 'order', 'Parent', ax);
  heading = ['U, ' images{k,1}];
  if k > 1
    heading = sprintf ('%s (correlation with theory %.2f)', heading, correlation (images{k,2}, images{1,2}));
  end
  title (ax, heading, 'fontweight', 'normal', 'fontsize', 10);
  if k == 1, label_axes (ax, 'c', '', '', ''); end
  if k > 1, set (ax, 'yticklabel', {}); end
end
end

function draw_alignment (fig, theory, data, plan)
ax = axes ('parent', fig, 'position', [0.57 0.70 0.41 0.25]);
sol = struct ('net', data.net, 'paths', data.train, 'y', data.ytrain, 'U', theory.shown(1).order{1}, ...
              'order', {theory.shown(1).order});
sol.net.width(:) = theory.shown(1).width;
sol.net.temperature = theory.shown(1).temperature;
attnpath_plot (sol, 'alignment', 'Parent', ax, 'Components', plan.components(end));
label_axes (ax, 'd', '', '', '');
end

function draw_heads (fig, heads, data, axis_of)
% Bars of the score and of the loss, both divided by their largest value, in order of the score
inks = {[0.00 0.32 0.62], [0.95 0.75 0.45]};
[score, half] = mean_error (heads.score(:,:,1));
[score, order] = sort (score);
top = [score(end), max(heads.lost)];
values = [score / top(1); heads.lost(order) / top(2)];
errors = [half(order) / top(1); heads.lost_error(order) / top(2)];
count = numel (score);
ax = axes ('parent', fig, 'position', [0.07 0.06 0.40 0.26], 'box', 'on', 'layer', 'top', ...
           'xlim', [0.4, count + 0.6], 'ylim', [min(0, 1.2 * min (values(:))), ...
           0.45 + max([values(:); values(:) + errors(:)])], ...
           'xtick', 1:count, 'ytick', 0:0.25:1, ...
           'xticklabel', arrayfun (@(k) sprintf ('%d.%d', heads.list(k,:)), order, 'UniformOutput', false));
for k = 1:count
  for way = 1:2
    x = k + 0.4 * (way - 1.5);
    bars(way) = patch ('XData', x + 0.19 * [-1; 1; 1; -1], 'YData', values(way,k) * [0; 0; 1; 1], 'parent', ax, ...
                       'facecolor', inks{way});
    error_bars (ax, x, values(way,k), errors(way,k), [0 0 0], 1.2);
  end
  text (x, max (0, values(2,k)) + errors(2,k) + 0.04, sprintf ('%.1f', heads.lost(order(k))), 'parent', ax, ...
        'horizontalalignment', 'center', 'fontsize', 8);
end
names = {sprintf('score of the theory, |U| at N = %d', axis_of.worth.width), 'lost without the head (numbers: points)'};
set (legend (bars, names, 'location', 'northwest'), 'box', 'off', 'fontsize', 9);
heading = sprintf ('rank correlation %.2f', heads.joint(1));
if ~strncmp (data.source.train, 'generator', 9), heading = [heading ' (paper: 0.86)']; end
label_axes (ax, 'e', heading, 'head (layer.head)', ...
            'over the largest of all heads');
end

function draw_removal (fig, heads)
ax = removal_axes (fig, [0.57 0.06 0.41 0.26], heads);
x = 0:size (heads.removed, 2) - 1;
[m, half] = mean_error (heads.removed_single(:,:,1));
error_bars (ax, x - 0.06, m, half, [0.35 0.60 0.85], 1.2);
lines(2) = curve (ax, x - 0.06, m, [0.35 0.60 0.85], '--', 1.2, '^', 6);
[m, half] = mean_error (heads.search);
error_bars (ax, x + 0.06, m, half, [0 0 0], 1);
lines(3) = curve (ax, x + 0.06, m, [0 0 0], '-.', 1.2, 's', 5);
lines(4) = curve (ax, x, heads.removed(strcmp (heads.scores, 'ablation'),:), [0.80 0.10 0.10], '-', 1, 'v', 5);
lines(1) = curve (ax, x, heads.removed(1,:), [0.00 0.32 0.62], '-', 1.8, 'o', 6);
lines(5) = curve (ax, x, heads.random(:,1), [0.45 0.45 0.45], ':', 2);
names = {'by |U|, mean of draws', 'by |U| of a single draw', 'search by leave-one-out', 'ablation, training data', ...
         'at random'};
set (legend (lines, names, 'location', 'northeast'), 'box', 'off', 'fontsize', 9);
label_axes (ax, 'f', '', 'heads removed', 'accuracy, all test classes (%)');
end

function ax = removal_axes (fig, place, heads)
% Axes with the spread of all choices in grey, and space for the key on the right
most = size (heads.removed, 2) - 1;
ax = axes ('parent', fig, 'position', place, 'box', 'on', 'layer', 'top', 'xlim', [-0.2, most + 2.8], 'xtick', 0:most);
spread = [heads.random(:,1) - heads.random(:,2); flipud(heads.random(:,1) + heads.random(:,2))];
patch ('XData', [0:most, most:-1:0]', 'YData', spread, 'parent', ax, 'facecolor', [0.88 0.88 0.88], ...
       'edgecolor', 'none');
end

% ---- the second figure: scores ----------------------------------------------------------------------------

function draw_scores_page (theory, heads, data, plan, axis_of, file)
fig = figure_page ([12 12]);
if isempty (fig), return; end
draw_choices (fig, theory, axis_of);
draw_map (fig, theory, plan, axis_of);
names = {'the network trained as published', 'the network trained for accuracy'};
for k = 1:numel (heads)
  draw_correlations (fig, 0.5 * (k - 1), char ('h' + k), names{k}, heads(k));
  draw_orders (fig, 0.5 * (k - 1), char ('j' + k), names{k}, heads(k));
end
note_characters (fig, data.source.train);
save_figure (fig, file);
end

function draw_choices (fig, theory, axis_of)
% Accuracy at the temperatures that three criteria choose
red = [0.80 0.10 0.10];
inks = {[0.00 0.32 0.62], [0.35 0.60 0.85], [0.45 0.20 0.60]};
dashes = {'-', '--', '-.'};
marks = 'x^s';
ax = log_axes (fig, [0.07 0.73 0.38 0.23], axis_of.widths([1 end]) .* [0.8 1.3], axis_of.widths);
for r = 1:3
  lines(r+3) = curve (ax, get (ax, 'xlim'), [1 1] * mean (theory.gp(:,r)), red, dashes{r}, 1.2);
  [m, half] = mean_error (theory.chosen(:,:,r));
  beside = axis_of.widths * (1 + 0.05 * (r - 1));  % no curve hides another
  error_bars (ax, beside, m, half, inks{r}, 1.2);
  lines(r) = curve (ax, beside, m, inks{r}, dashes{r}, 1.5, marks(r), 7);
end
set (lines, 'markerfacecolor', 'none');
every = [theory.chosen(:); theory.gp(:)];
set (ax, 'ylim', [floor(min (every) - 0.7 * (max (every) - min (every))), ceil(max (every) + 1)]);
words = {'leave-one-out', 'validation', 'evidence'};
key = legend (lines, [strcat('theory, T by', {' '}, words), strcat('GP, T by', {' '}, words)], 'location', 'south');
if isprop (key, 'numcolumns'), set (key, 'numcolumns', 2); end              % gnuplot's legends lack it
set (key, 'box', 'off', 'fontsize', 8);
label_axes (ax, 'g', 'side by side at each N', 'width N', 'accuracy on held-out classes (%)');
end

function draw_map (fig, theory, plan, axis_of)
% Evidence in colour, accuracy in numbers
columns = numel (axis_of.widths);
evidence = reshape (mean (theory.evidence, 1), [], columns) / plan.P;
accuracy = reshape (mean (theory.test, 1), [], columns);
ax = axes ('parent', fig, 'position', [0.57 0.73 0.33 0.23], 'box', 'on', 'layer', 'top');
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
label_axes (ax, 'h', 'colour: log evidence per example; numbers: accuracy (%)', 'width N', 'temperature T');
end

function [inks, marks] = of_scores ()
inks = {[0.00 0.32 0.62], [0.00 0.55 0.45], [0.85 0.45 0.05], [0.55 0.55 0.55], [0.45 0.20 0.60], [0.80 0.10 0.10]};
marks = 'oxs+dv';
end

function draw_correlations (fig, left, letter, heading, heads)
% A marker for the mean score of the draws, a dot for each draw
[inks, marks] = of_scores ();
count = numel (heads.names);
ax = axes ('parent', fig, 'position', [0.14 + left, 0.40, 0.32, 0.23], 'box', 'on', 'xlim', [-1 1.05], ...
           'ylim', [0.4, count + 0.6], 'ydir', 'reverse', 'ytick', 1:count, 'yticklabel', heads.names);
line ([0 0], [0.4, count + 0.6], 'parent', ax, 'color', [0.7 0.7 0.7]);
for w = 1:count
  r = heads.single(:,w);
  line (r, w + 0.25 + 0 * r, 'parent', ax, 'linestyle', 'none', 'marker', '.', 'markersize', 7, 'color', inks{w});
  curve (ax, heads.joint(w), w, inks{w}, 'none', 1.5, marks(w), 8);
end
label_axes (ax, letter, heading, 'rank correlation with what is lost (dots: single draws)', '');
end

function draw_orders (fig, left, letter, heading, heads)
[inks, marks] = of_scores ();
count = numel (heads.names);
x = 0:size (heads.removed, 2) - 1;
ax = removal_axes (fig, [0.07 + left, 0.06, 0.40, 0.25], heads);
for w = 1:count
  lines(w) = curve (ax, x + 0.04 * (w - (count + 1) / 2), heads.removed(w,:), inks{w}, '-', 1, marks(w), 5);
end
lines(count+1) = curve (ax, x, mean (heads.search, 1), [0 0 0], '--', 1.5, 'p', 6);
lines(count+2) = curve (ax, x, heads.random(:,1), [0.45 0.45 0.45], ':', 2);
set (lines, 'markerfacecolor', 'none');
set (legend (lines, [heads.names, {'search', 'at random'}], 'location', 'northeast'), 'box', 'off', 'fontsize', 8);
label_axes (ax, letter, heading, 'heads removed', 'accuracy, all test classes (%)');
end
