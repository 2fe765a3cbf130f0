function paper_scheme (folder)
%PAPER_SCHEME  Schemes of three networks on the Markov task: heads, paths, and |U| of each path (after Figure 1 of [1]).
%
%   paper_scheme (folder)
%   Panels: (a) the four-path task; (b) the same heads with skip connections; (c) three layers of three heads, of which
%   the first of each layer is that of the four-path task and the others are random. U is that of the first task.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('tasks', 5, 'width', 10), struct ('tasks', 2));
networks = {'2 2', '2 2 s', '3 3 3'};
result = sweep_cells ('scheme', @(c) scheme_cell (c, plan), struct ('seed', 1:plan.tasks, 'network', {networks}));
names = {'two layers of two heads', 'the same with skip connections', 'three layers of three heads'};
for k = 1:3
  [m, s] = mean_error (vertcat (result(:,k).weight));
  [~, rank] = sort (m, 'descend');
  rank = rank(1:min (6, end));
  fprintf ('\n%s, N = %d, %d tasks: the largest of %d sums of |U| over rows\n', names{k}, plan.width, plan.tasks, ...
           numel (m));
  path = cellfun (@(heads) sprintf ('%d ', heads), num2cell (result(1,k).paths(rank,:), 2), 'UniformOutput', false);
  print_rows ('  path %-8s %6.2f +- %.2f\n', path, m(rank)', s(rank)');
end

fig = figure_page ([12 3.6]);
if isempty (fig), return; end
for k = 1:3
  ax = axes ('parent', fig, 'position', [0.045 + 0.33 * (k - 1), 0.12, 0.28, 0.74]);
  attnpath_plot (struct ('net', result(1,k).net, 'U', result(1,k).U), 'scheme', 'Parent', ax, 'Font', 9);
  label_axes (ax, char ('a' + k - 1), names{k}, '', '', 1.08);
end
save_figure (fig, fullfile (folder, 'figure_scheme'));
end
