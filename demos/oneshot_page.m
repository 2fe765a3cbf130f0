function oneshot_page (theory, post, heads, data, plan, axis_of, folder)
%ONESHOT_PAGE  The figure of experiment_oneshot, demo_oneshot.
%
%   oneshot_page (theory, post, heads, data, plan, axis_of, folder)
%   Inputs :  folder, to write into;  the others as for oneshot_tables
%   See also oneshot_heads_page.

% SPDX-License-Identifier: BSD-3-Clause

fig = figure_page ([12 12]);
if isempty (fig), return; end
draw_accuracies (fig, theory, post, data.accuracy(2), plan, axis_of);
draw_U (fig, theory, post, data.trained, axis_of);
draw_alignment (fig, theory, data);
draw_map (fig, theory, plan, axis_of);
oneshot_heads_page (fig, heads);
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
left = legend ([curves(1:4), gp, curves(5)], names, 'location', 'south', 'numcolumns', 2);
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
