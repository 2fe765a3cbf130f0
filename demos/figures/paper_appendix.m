function paper_appendix (folder)
%PAPER_APPENDIX  Parts of U, silenced heads, Hessian and kernel, at the solutions of the four-path Markov task.
%
%   paper_appendix (folder)
%   After the appendix of [1] and its published scripts. Panels:
%     (a) test accuracy with U, with its diagonal alone, and with the diagonal averaged
%     (b) accuracy lost without a head: silenced, silenced and rescaled, solved again; and the head's score
%     (c) all eigenvalues of the action's Hessian at the solution: is it a minimum?
%     (d) eigenvalues of the training kernel: is it invertible without temperature?

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('widths', [10 30 100 300 1000], 'tasks', 5, 'Ptest', 1000), ...
                   struct ('widths', [10 1000], 'tasks', 2, 'Ptest', 200));
result = sweep_cells ('appendix', @(c) appendix_cell (c, plan), struct ('width', plan.widths, 'seed', 1:plan.tasks));
tables (result, plan);

fig = figure_page ([12 8.6]);
if isempty (fig), return; end
draw_parts (fig, result, plan);
draw_silenced (fig, result, plan);
draw_hessian (fig, result, plan);
draw_kernel (fig, result, plan);
save_figure (fig, fullfile (folder, 'figure_appendix'));
end

function x = over_seeds (result, k)
% seeds x widths: accuracy of kind k
x = arrayfun (@(r) r.accuracy(k), result');
end

function x = score_of (row, k)
% seeds x 1: score of head k
x = arrayfun (@(r) r.score(k), row');
end

function tables (result, plan)
fprintf ('\nFour-path Markov task, %d tasks, test accuracy\n', plan.tasks);
fprintf ('  width N   U                its diagonal     evened out       GP limit\n');
parts = cell (numel (plan.widths), 4);
for k = 1:4, parts(:,k) = percent_text (over_seeds (result, k)); end
print_rows ('  %7d   %s  %s  %s  %s\n', plan.widths', parts(:,1), parts(:,2), parts(:,3), parts(:,4));
heads = {'1.1', '1.2', '2.1', '2.2'};
fprintf ('\nN = %d, one head fewer: score, and accuracy lost\n', plan.widths(1));
fprintf ('  head   score            silenced         and rescaled     solved anew\n');
for k = 1:4
  [m, s] = mean_error (score_of (result(1,:), k));
  texts = percent_text (lost (result(1,:), k));
  fprintf ('  %s    %4.2f +- %4.2f     %s  %s  %s\n', heads{k}, m, s, texts{:});
end
smallest = reshape ([result.hessian_min], size (result));
by_differences = cellfun (@min, reshape ({result.hessian}, size (result)));
fprintf ('\n  eigenvalues of the Hessian of S / N\n');
fprintf ('  width N     smallest    largest negative      smallest by attnpath_solve\n');
for n = 1:numel (plan.widths)
  values = [result(n,:).hessian];
  fprintf ('  %7d   %10.3g %10.3g %3d of %d      differs by at most %.1e of the largest\n', plan.widths(n), ...
           min (values(:)), max (values(:)), sum (values(:) < 0), numel (values), ...
           max (abs (smallest(n,:) - by_differences(n,:)) ./ max (values, [], 1)));
end
fprintf ('\n  kernel without temperature: smallest eigenvalue over the largest, of all tasks\n');
for n = 1:numel (plan.widths)
  ratios = cell2mat (arrayfun (@(r) r.kernel(end,:) ./ r.kernel(1,:), result(n,:)', 'UniformOutput', false));
  fprintf ('  %7d   %10.3g to %.3g   (GP limit %.3g to %.3g)\n', plan.widths(n), min (ratios(:,1)), ...
           max (ratios(:,1)), min (ratios(:,2)), max (ratios(:,2)));
end
end

function x = lost (row, k)
% seeds x 3: accuracy lost without head k, in three ways
x = cell2mat (arrayfun (@(r) r.accuracy(1) - r.without(:,k)', row', 'UniformOutput', false));
end

function draw_parts (fig, result, plan)
inks = {[0.00 0.32 0.62], [0.80 0.10 0.10], [0.85 0.55 0.10], [0 0 0]};
dashes = {'-', '--', ':', '-.'};
marks = 'xo^s';
ax = log_axes (fig, [0.07 0.59 0.40 0.35], plan.widths([1 end]) .* [0.8 1.3], [10 30 100 300 1000]);
for k = 1:4
  [m, s] = mean_error (over_seeds (result, k));
  beside = plan.widths * (1 + 0.03 * (k - 2));
  error_bars (ax, beside, m, s, inks{k}, 1.1, 0.02);
  lines(k) = curve (ax, beside, m, inks{k}, dashes{k}, 1.4, marks(k), 6);
end
set (ax, 'ylim', get (ax, 'ylim') + [0 1]);
label_axes (ax, 'a', sprintf ('means of %d tasks \\pm s.e., side by side', plan.tasks), 'width N', 'test accuracy (%)');
set (legend (lines, {'U', 'diagonal of U alone', 'diagonal evened out', 'GP limit'}, 'location', 'northeast'), ...
     'box', 'off', 'fontsize', 9);
end

function draw_silenced (fig, result, plan)
ax = axes ('parent', fig, 'position', [0.57 0.59 0.41 0.35], 'box', 'on', 'xlim', [0.4 4.6], 'xtick', 1:4);
greys = {[0.15 0.15 0.15], [0.55 0.55 0.55], [0.88 0.88 0.88]};
top = 0;
for k = 1:4
  [m, s] = mean_error (lost (result(1,:), k));
  for way = 1:3
    x = k + 0.26 * (way - 2);
    bars(way) = patch ('XData', x + 0.12 * [-1; 1; 1; -1], 'YData', m(way) * [0; 0; 1; 1], 'parent', ax, ...
                       'facecolor', greys{way});
    error_bars (ax, x, m(way), s(way), [0.80 0.10 0.10], 1.5);
    top = max ([top, m(way), m(way) + s(way)]);
  end
  [m, s] = mean_error (score_of (result(1,:), k));
  names{k} = sprintf ('%d.%d', ceil (k / 2), 2 - mod (k, 2));
  scores{k} = sprintf ('score %.2f', m);
end
set (ax, 'xticklabel', names, 'ylim', [min(get (ax, 'ylim')), 1.45 * top]);
for k = 1:4, text (k, 1.07 * top, scores{k}, 'parent', ax, 'horizontalalignment', 'center', 'fontsize', 9); end
set (legend (bars, {'silenced', 'silenced, rescaled', 'solved anew'}, 'location', 'north', 'orientation', ...
             'horizontal'), 'box', 'off', 'fontsize', 9);
label_axes (ax, 'b', sprintf ('without one head, N = %d', plan.widths(1)), 'head (layer.head)', ...
            'test accuracy lost (%)');
end

function draw_hessian (fig, result, plan)
ax = log_axes (fig, [0.07 0.09 0.40 0.36], plan.widths([1 end]) .* [0.7 1.4], [10 30 100 300 1000]);
for n = 1:numel (plan.widths)
  for s = 1:plan.tasks
    values = result(n,s).hessian;
    x = plan.widths(n) * (1 + 0.06 * (s - (plan.tasks + 1) / 2));
    dots(1) = curve (ax, x * ones (size (values)), values, [0.00 0.32 0.62], 'none', 0.8, 'o', 4);
    dots(2) = curve (ax, x, result(n,s).hessian_min, [0.80 0.10 0.10], 'none', 1, '+', 8);
  end
end
set (ax, 'yscale', 'log');
label_axes (ax, 'c', 'Hessian of the action at the solutions', 'width N', ...
            'eigenvalues of the Hessian of S / N');
limits = get (ax, 'ylim');
set (ax, 'ylim', limits .* [1 30]);
set (legend (dots, {'by differences, a column for each task', 'smallest, as the solution has it'}, 'location', ...
             'northeast'), 'box', 'off', 'fontsize', 9);
end

function draw_kernel (fig, result, plan)
ax = axes ('parent', fig, 'position', [0.57 0.09 0.41 0.36], 'box', 'on', 'yscale', 'log');
dashes = {'-', '--', '-.', ':', '-'};
for n = 1:numel (plan.widths)
  values = mean (cat (3, result(n,:).kernel), 3);
  ink = [1 1 1] * 0.7 * (n - 1) / numel (plan.widths);
  lines(n) = curve (ax, 1:size (values, 1), values(:,1)', ink, dashes{n}, 1.4);
  names{n} = sprintf ('N = %d', plan.widths(n));
end
lines(n+1) = curve (ax, 1:size (values, 1), values(:,2)', [0.80 0.10 0.10], '-', 1.4);
lines(n+2) = curve (ax, [1 size(values, 1)], [0.01 0.01], [0.00 0.32 0.62], ':', 1.4);
set (ax, 'xlim', [1 size(values, 1)]);
label_axes (ax, 'd', 'training kernel, without temperature', 'eigenvalue number', ...
            'eigenvalues of K (mean of tasks)');
set (legend (lines, [names, {'GP limit', 'temperature'}], 'location', 'northeast'), 'box', 'off', 'fontsize', 9);
end
