function classes_page (theory, post, plan, axis_of, folder)
%CLASSES_PAGE  The figure of experiment_classes, demo_classes.
%
%   classes_page (theory, post, plan, axis_of, folder)
%   Inputs :  folder, to write into;  the others as for classes_tables

% SPDX-License-Identifier: BSD-3-Clause

fig = figure_page ([12 9.6]);
if isempty (fig), return; end
d = classes_data (plan.kept, plan);
first = theory(:,axis_of.seeds == plan.kept);
draw_accuracy (fig, [0.07 0.70 0.40 0.25], theory, post, plan, axis_of);
draw_confusion (fig, {first(1).class(:,1), first(end).class}, d.ytest, plan, axis_of);
draw_U (fig, first, d, axis_of);
draw_scores (fig, [0.07 0.07 0.90 0.16], class_scores (first(1).U{1}, d.net.H, plan.classes), d.net.H, ...
             axis_of.widths(1));
save_figure (fig, folder, 'demo_classes');
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
  low = min ([low, mean_of - error_of]);
end
[mean_of, error_of] = mean_error (by_task (post, 'accuracy'));
beside = 1.12 * axis_of.sampled;               % so that neither hides the other
if size (post, 2) > 1, error_bars (ax, beside, mean_of, error_of, [0 0 0], 1.2, 0.04); end
lines(5) = curve (ax, beside, mean_of, [0 0 0], 'none', 1.2, 'd', 6);
set (lines(5), 'markerfacecolor', [0 0 0]);
rhat = cat (1, post.rhat);
names{5} = sprintf ('posterior draws, R-hat of f to %.2f', max (rhat(:,2)));
if size (post, 2) < tasks, names{5} = sprintf ('%s, tasks: %d', names{5}, size (post, 2)); end
low = min ([low, mean_of - error_of]);
set (ax, 'ylim', [floor(low / 2) * 2 - 2, 101]);
key = legend (lines, names, 'location', 'west');         % between the curve and the GP limit
set (key, 'box', 'off', 'fontsize', 9);
label_axes (ax, 'a', sprintf ('%d classes', plan.classes), 'width N', 'test accuracy (%)');
end

function draw_confusion (fig, said, y, plan, axis_of)
names = {sprintf('N = %d', axis_of.widths(1)), 'GP limit'};
for k = 1:2
  ax = axes ('parent', fig, 'position', [0.55 + 0.24 * (k - 1), 0.70, 0.19, 0.24], 'fontsize', 9);
  attnpath_plot (struct ('classes', int32 ((1:plan.classes)')), 'confusion', 'Parent', ax, 'Labels', y, ...
                 'Predicted', said{k});
  right = 100 * mean (said{k} == y);
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
