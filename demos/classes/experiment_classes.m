function experiment_classes ()
%EXPERIMENT_CLASSES  Three classes of hidden Markov chains: which paths serve which class, and at which width
%
%   A network with fixed attention learns which of three steps, on a ring of three states, a chain prefers. Each
%   class has a path of its own that responds to its step, and 50 training examples. Its own step is by 0.4 more
%   probable than each other one, as in the task of two classes. Outputs are treated in three ways: coupled
%   outputs, the theory of one network with three outputs; its approximation by one U for all outputs; and three
%   networks of one output, each of which learns one class against the rest.
%   Panels:
%     (a) test accuracy against width N: the theory in the three ways, draws from the exact posterior of coupled
%         outputs, and the Gaussian-process (GP) limit, where all three are equal
%     (b) confusion matrices of coupled outputs, at the smallest width and in the GP limit
%     (c) order parameter U of coupled outputs at three widths: a block for two paths, in it an entry for two classes
%     (d) scores of the heads of coupled outputs, class by class, at the smallest width
%   Bars in (a) are standard errors over tasks. The table has the number of samples that converged, with R-hat and
%   effective sample sizes of U and of the outputs f.
%   Prints these numbers and writes demo_classes.png and demo_classes.pdf into the current directory or the
%   folder in the environment variable ATTNPATH_DEMO_DIR. It needs a graphics toolkit: on a machine without a
%   display, xvfb-run -a octave --no-gui demos/run_demo.m classes
%
%   The demo runs two sweeps, of the theory and of posterior draws. If the environment variable ATTNPATH_CELLS
%   names a folder, an interrupted sweep resumes (see sweep_cells).
%
%   See also attnpath_demo, attnpath_sweep, attnpath_task_markov, attnpath_solve, attnpath_sample, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

begun = tic ();
folder = figure_folder ('demo_classes');
[plan, draws, axis_of] = settings ();

fprintf ('Theory, and the GP limit: %d tasks, %d widths\n', numel (axis_of.seeds), numel (axis_of.widths));
grid = struct ('width', [axis_of.widths Inf], 'seed', axis_of.seeds);
theory = sweep_cells ('classes_theory', @(c) classes_cell (c, plan), grid);

tasks = axis_of.seeds(1:axis_of.drawn);
fprintf ('\nDraws from the exact posterior of coupled outputs: %d of the tasks, %d widths\n', numel (tasks), ...
         numel (axis_of.sampled));
grid = struct ('width', axis_of.sampled, 'seed', tasks);
post = sweep_cells ('classes_draws', @(c) classes_draws_cell (c, plan, draws, axis_of.sampled), grid);

print_tables (theory, post, plan, axis_of);
fprintf ('\nthis call took %.1f minutes\n', toc (begun) / 60);
draw_page (theory, post, plan, axis_of, folder);
end

function [plan, draws, axis_of] = settings ()
% Cells hold plan and draws: if these change, attnpath_sweep refuses the folder. axis_of has grids and what is shown
plan.classes = 3;
plan.P = 50 * plan.classes;
plan.Ptest = 1000;
plan.lead = 0.4;                  % probability of a class's own step minus that of each other one
plan.temperature = 0.01;
plan.fits = {'coupled', 'shared', 'rest'};        % ways to learn several classes; coupled has to be the first
plan.kept = 1;                    % seed of the task whose U, confusion and scores are shown
% Options of attnpath_sample at each of the widths below. At the first, U is singular, and a chain mixes more slowly
draws.sampler = {{'Chains', 4, 'Warmup', 400}, {'Chains', 4, 'Warmup', 240}, {'Chains', 4, 'Warmup', 240}};
draws.looks = {900:300:2100, 600:300:1200, 600:300:1200};      % draws of each chain at which convergence is tested
draws.averaged = 40;              % draws of U whose predictors are averaged
draws.probes = 100;
axis_of.fit_names = {'coupled', 'one U for all', 'one against the rest'};
axis_of.widths = [10 30 100 300 1000];
axis_of.sampled = [10 100 1000];  % widths at which the posterior is sampled
axis_of.U_at = [10 100 1000];     % widths at which U is shown; the confusion and the scores are those at the first
axis_of.seeds = 1:5;              % of the tasks: curves are means over them, bars their standard error
axis_of.drawn = 5;                % of these tasks, the first, whose posterior is sampled
plan = quick_mode (plan, struct ('Ptest', 300));
few = {'Chains', 2, 'Warmup', 4, 'Display', false};
draws = quick_mode (draws, struct ('sampler', {{few, few}}, 'looks', {{4, 4}}, 'averaged', 8));
axis_of = quick_mode (axis_of, struct ('widths', [10 100 1000], 'sampled', [10 1000], 'seeds', 1, 'drawn', 1));
end

% ---- tables -----------------------------------------------------------------------------------------------

function print_tables (theory, post, plan, axis_of)
% Print the results of experiment_classes.
% Inputs :  theory, cells of classes_cell, widths (the last Inf) x seeds;  post, cells of classes_draws_cell, widths x
%           seeds;  plan, axis_of, structs of settings
d = classes_data (plan.kept, plan);
print_accuracies (theory, plan, axis_of);
first = theory(:,axis_of.seeds == plan.kept);
print_draws (theory, post, axis_of);
print_U (first, post(:,axis_of.seeds(1:size (post, 2)) == plan.kept), plan, axis_of);
print_confusion (first, d.ytest, plan, axis_of);
for m = 1:numel (plan.fits)
  fprintf ('  Scores of the heads at N = %d, seed %d, %s\n    head%s\n', axis_of.widths(1), plan.kept, ...
           axis_of.fit_names{m}, sprintf ('  class %d', 1:plan.classes));
  print_rows (['    %d %d' repmat('%9.3f', 1, plan.classes) '\n'], heads_of (d.net.H), ...
              class_scores (first(1).U{m}, d.net.H, plan.classes));
end
end

function print_accuracies (theory, plan, axis_of)
fprintf ('\n%d classes of hidden Markov chains. Tasks: %d, each of %d training and %d test sequences\n', ...
         plan.classes, numel (axis_of.seeds), plan.P, plan.Ptest);
accuracy = by_task (theory(1:end-1,:), 'accuracy');
gradnorm = by_task (theory(1:end-1,:), 'gradnorm');
seconds = by_task (theory(1:end-1,:), 'seconds');
for m = 1:numel (plan.fits)
  fprintf ('  %s\n  width N   test accuracy   gradnorm  time per fit\n', axis_of.fit_names{m});
  print_rows ('  %7d   %s   %8.1e  %9.2f s\n', axis_of.widths', percent_text (accuracy(:,:,m)), ...
              max (gradnorm(:,:,m), [], 1)', median (seconds(:,:,m), 1)');
end
print_rows ('       GP   %s\n', percent_text (by_task (theory(end,:), 'accuracy')));
for m = 2:numel (plan.fits)
  gain = accuracy(:,:,1) - accuracy(:,:,m);                % task by task: variation between tasks cancels
  fprintf ('  Coupled outputs and %s\n  width N   the former are better by, percent\n', axis_of.fit_names{m});
  print_rows ('  %7d   %s\n', axis_of.widths', gain_text (gain));
end
end

function texts = gain_text (x)
% A text for each column of x: its mean, and its standard error where there are several tasks
[m, error_of_m] = mean_error (x);
texts = arrayfun (@(a, b) sprintf ('%+5.2f +- %4.2f', a, b), m', error_of_m', 'UniformOutput', false);
if size (x, 1) == 1, texts = arrayfun (@(a) sprintf ('%+5.2f (1 task)', a), m', 'UniformOutput', false); end
end

function print_draws (theory, post, axis_of)
[~, at] = ismember (axis_of.sampled, axis_of.widths);
fprintf ('  Draws from the exact posterior of coupled outputs, tasks: %d\n', size (post, 2));
fprintf ('%s\n%s\n', ...
         '  width N     test accuracy   draws - theory     largest R-hat   smallest ESS  time per sample', ...
         '                                task by task         U       f       U      f');
accuracy = by_task (post, 'accuracy');
same = by_task (theory(at,1:size (post, 2)), 'accuracy');
rhat = by_task (post, 'rhat');
ess = by_task (post, 'ess');
worst = @(x, f) reshape (f (x, [], 1), [], 2);
print_rows ('  %7d     %s   %s   %7.3f %7.3f   %5.1f  %5.1f   %12.1f s\n', axis_of.sampled', ...
            percent_text (accuracy), gain_text (accuracy - same(:,:,1)), worst (rhat, @max), worst (ess, @min), ...
            median (by_task (post, 'seconds'), 1)');
[~, k] = min (arrayfun (@(p) min (p.ess), post(:)));
fprintf ('  Required: R-hat of 1.01 and ESS of 400 throughout. %d of %d samples have it. The worst, N = %d:\n', ...
         sum ([post.converged]), numel (post), post(k).cell.width);
fprintf ('    %s\n', post(k).reason);
if ~all ([post.converged])
  fprintf ('  The other samples estimate the accuracy only roughly, and other quantities not at all\n');
end
end

function print_U (first, post, plan, axis_of)
[~, at] = ismember (axis_of.sampled, axis_of.widths);
for k = 1:numel (post)
  r = corrcoef (first(at(k)).U{1}(:), post(k).U(:));
  fprintf ('  U at N = %d, seed %d: correlation of its entries, theory and mean of the draws: %.3f\n', ...
           axis_of.sampled(k), plan.kept, r(1,2));
end
end

function print_confusion (first, y, plan, axis_of)
form = ['    ' repmat('%7d', 1, plan.classes) '\n'];
counts = @(class) accumarray (double ([y, class]), 1, [1 1] * plan.classes);
for m = 1:numel (plan.fits)
  fprintf ('  Confusion at N = %d, seed %d, %s: a row for each class, a column for each answer\n', ...
           axis_of.widths(1), plan.kept, axis_of.fit_names{m});
  print_rows (form, counts (first(1).class(:,m)));
end
fprintf ('  Confusion of the GP limit\n');
print_rows (form, counts (first(end).class));
end

% ---- the page ---------------------------------------------------------------------------------------------

function draw_page (theory, post, plan, axis_of, folder)
% The figure of experiment_classes, demo_classes.
% Inputs :  folder, to write into;  the others as for print_tables
fig = figure_page ([12 9.6]);
if isempty (fig), return; end
d = classes_data (plan.kept, plan);
first = theory(:,axis_of.seeds == plan.kept);
draw_accuracy (fig, [0.07 0.70 0.40 0.25], theory, post, plan, axis_of);
draw_confusion (fig, {first(1).class(:,1), first(end).class}, d.ytest, plan, axis_of);
draw_U (fig, first, d, axis_of);
draw_scores (fig, [0.07 0.07 0.90 0.16], class_scores (first(1).U{1}, d.net.H, plan.classes), d.net.H, ...
             axis_of.widths(1));
save_figure (fig, fullfile (folder, 'demo_classes'));
end

function draw_accuracy (fig, place, theory, post, plan, axis_of)
inks = [0.00 0.32 0.62; 0.85 0.45 0.05; 0.45 0.45 0.45];
marks = {'x', 'o', 's'};
tasks = size (theory, 2);
ax = log_axes (fig, place, axis_of.widths([1 end]) .* [0.8 1.3], [10 30 100 300 1000]);
accuracy = by_task (theory(1:end-1,:), 'accuracy');
gp = mean (by_task (theory(end,:), 'accuracy'));
lines(1,4) = curve (ax, get (ax, 'xlim'), [1 1] * gp, [0.80 0.10 0.10], '--', 1.5);
names = [axis_of.fit_names, {'GP limit'}];
if tasks > 1, names{1} = sprintf ('%s, %d tasks \\pm s.e.', names{1}, tasks); end
low = gp;
for m = 1:numel (plan.fits)
  [mean_of, error_of] = mean_error (accuracy(:,:,m));
  if tasks > 1, error_bars (ax, axis_of.widths, mean_of, error_of, inks(m,:), 1.2, 0.04); end
  lines(m) = curve (ax, axis_of.widths, mean_of, inks(m,:), '-', 1.5, marks{m}, 7);
  low = min ([low, mean_of, mean_of - error_of]);
end
[mean_of, error_of] = mean_error (by_task (post, 'accuracy'));
beside = 1.12 * axis_of.sampled;               % draws do not hide the theory
if size (post, 2) > 1, error_bars (ax, beside, mean_of, error_of, [0 0 0], 1.2, 0.04); end
lines(5) = curve (ax, beside, mean_of, [0 0 0], 'none', 1.2, 'd', 6);
set (lines(5), 'markerfacecolor', [0 0 0]);
rhat = cat (1, post.rhat);
names{5} = sprintf ('draws (right of N), R-hat of f to %.2f', max (rhat(:,2)));
if size (post, 2) < tasks, names{5} = sprintf ('%s, tasks: %d', names{5}, size (post, 2)); end
low = min ([low, mean_of, mean_of - error_of]);
set (ax, 'ylim', [floor(low / 2) * 2 - 2, 101]);
key = legend (lines, names, 'location', 'west');         % between the curve and the GP limit
set (key, 'box', 'off', 'fontsize', 9);
label_axes (ax, 'a', sprintf ('%d classes', plan.classes), 'width N', 'test accuracy (%)');
end

function draw_confusion (fig, answers, y, plan, axis_of)
names = {sprintf('N = %d', axis_of.widths(1)), 'GP limit'};
for k = 1:2
  ax = axes ('parent', fig, 'position', [0.55 + 0.24 * (k - 1), 0.70, 0.19, 0.24], 'fontsize', 9);
  attnpath_plot (struct ('classes', int32 ((1:plan.classes)')), 'confusion', 'Parent', ax, 'Labels', y, ...
                 'Predicted', answers{k});
  right = 100 * mean (answers{k} == y);
  title (ax, sprintf ('%s, %.1f %% right', names{k}, right), 'fontweight', 'normal', 'fontsize', 10);
  if k == 1, label_axes (ax, 'b', '', '', ''); end
end
end

function draw_U (fig, first, d, axis_of)
for k = 1:numel (axis_of.U_at)
  at = find (axis_of.widths == axis_of.U_at(k));
  net = d.net;
  net.width(:) = axis_of.U_at(k);
  ax = axes ('parent', fig, 'position', [0.12 + 0.30 * (k - 1), 0.345, 0.22, 0.26], 'fontsize', 9);
  attnpath_plot (struct ('net', net, 'U', first(at).U{1}), 'order', 'Parent', ax, 'Names', d.path_names, ...
                 'Numbers', false);
  title (ax, sprintf ('U, N = %d', axis_of.U_at(k)), 'fontweight', 'normal', 'fontsize', 10);
  if k > 1, set (ax, 'yticklabel', {}); end
  if k == 1, label_axes (ax, 'c', '', '', ''); end
end
end

function draw_scores (fig, place, score, H, N)
heads = heads_of (H);
C = size (score, 2);
shades = interp1 ([0 0.5 1], [0.05 0.14 0.38; 0.20 0.60 0.75; 0.90 0.55 0.15], linspace (0, 1, C));
ax = axes ('parent', fig, 'position', place, 'box', 'on', 'layer', 'top', 'ylim', [0 1.05], ...
           'xlim', [0.4, size(score, 1) + 0.6], 'ticklength', [0 0]);
for c = 1:C
  x = (1:size (score, 1)) + 0.8 * ((c - 0.5) / C - 0.5);
  half = 0.36 / C;
  bars(c) = patch ('XData', [x - half; x - half; x + half; x + half], 'parent', ax, 'facecolor', shades(c,:), ...
                   'YData', [0 * x; score(:,c)'; score(:,c)'; 0 * x], 'edgecolor', [0 0 0]);
end
set (ax, 'xtick', 1:size (score, 1), 'xticklabel', ...
     arrayfun (@(k) sprintf ('%d.%d', heads(k,:)), 1:size (score, 1), 'UniformOutput', false));
key = legend (bars, arrayfun (@(c) sprintf ('class %d', c), 1:C, 'UniformOutput', false), 'location', 'northeast');
set (key, 'box', 'off', 'fontsize', 9);
label_axes (ax, 'd', sprintf ('scores of the heads, class by class, N = %d', N), 'head (layer.head)', 'score', 1.15);
end

% ---- shared by tables and page ----------------------------------------------------------------------------

function score = class_scores (U, H, C)
% Score of each head for each class.
% Inputs :  U, Pi C x Pi C, path slowest and class fastest;  H, heads of each layer;  C, classes
% Outputs:  heads x C, layer by layer: the sum of |U| over all entries whose row or column belongs to this class and
%           to a path through the head, divided by the largest
row = 0;
for l = 1:numel (H)
  for head = 1:H(l)
    row = row + 1;
    behind = prod (H(l+1:end));                  % paths are in lexicographic order
    uses = mod (floor ((0:prod (H)-1) / behind), H(l)) == head - 1;
    for c = 1:C
      of = kron (uses, (1:C) == c) > 0;
      score(row,c) = 2 * sum (sum (abs (U(of,:)))) - sum (sum (abs (U(of,of))));
    end
  end
end
score = score / max (score(:));
end

function x = by_task (cells, name)
% A field of the cells of a sweep over widths and tasks, in the layout of mean_error.
% Inputs :  cells, struct array, widths x tasks;  name, of a field that is 1 x k in each
% Outputs:  tasks x widths x k
x = permute (reshape (cat (1, cells.(name)), size (cells, 1), size (cells, 2), []), [2 1 3]);
end
