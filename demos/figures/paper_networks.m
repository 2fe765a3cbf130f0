function paper_networks (folder)
%PAPER_NETWORKS  Three layers of three heads and two of eight: accuracy against width, and pruning by score.
%
%   paper_networks (folder)
%   The networks of the appendix of [1], on the Markov task: the first head of each layer is that of the four-path
%   task, the others are random. Panels: (a) test accuracy against width, with GP limits; (b), (c) accuracy while heads
%   are removed from each network, in order of score and at random. The paper trains such networks on Omniglot:
%   paper_trained has networks trained on images.
%   See also paper_trained.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('widths', [10 30 100 300 1000], 'tasks', 5, 'Ptest', 1000, 'pruned', 10), ...
                   struct ('widths', [10 100], 'tasks', 1, 'Ptest', 100));
networks = {'3 3 3', '8 8'};
if strcmp (getenv ('ATTNPATH_QUICK'), '1'), networks = {'2 2 2', '3 3'}; end
names = cellfun (@(n) strrep (sprintf ('%d layers of %s heads', (numel (n) + 1) / 2, n(1)), '  ', ' '), networks, ...
                 'UniformOutput', false);
grid = struct ('width', plan.widths, 'seed', 1:plan.tasks, 'network', {networks});
result = sweep_cells ('networks', @(c) networks_cell (c, plan), grid);

for e = 1:2
  r = result(:,:,e);
  fprintf ('\n%s, Markov task, %d tasks\n  width N   test accuracy    GP limit         evaluations\n', names{e}, ...
           plan.tasks);
  print_rows ('  %7d   %s   %s   %9.1f\n', plan.widths', percent_text (field_of (r, 'accuracy')), ...
              percent_text (field_of (r, 'gp')), mean (field_of (r, 'evaluations'), 1)');
  fprintf ('  N = %d, heads removed: by score, solved again; by score, U kept; at random, solved again\n', ...
           plan.pruned);
  removal_table (removals_of (r(1,:)));
end

fig = figure_page ([12 4.4]);
if isempty (fig), return; end
draw_accuracy (fig, result, names, plan);
letters = 'bc';
orders = {'in order of score, solved anew', 'in order of score, U as it was', 'at random, solved anew'};
for e = 1:2
  removal_panel (fig, [0.09 + 0.32 * e, 0.17, 0.25, 0.68], letters(e), ...
                 sprintf ('%s, N = %d', names{e}, plan.pruned), removals_of (result(1,:,e)), orders);
end
save_figure (fig, fullfile (folder, 'figure_networks'));
end

function draw_accuracy (fig, result, names, plan)
inks = {[0.00 0.32 0.62], [0.80 0.10 0.10]};
marks = 'xo';
ax = log_axes (fig, [0.07 0.17 0.25 0.68], plan.widths([1 end]) .* [0.8 1.3], [10 30 100 300 1000]);
for e = 1:2
  [m, s] = mean_error (field_of (result(:,:,e), 'accuracy'));
  error_bars (ax, plan.widths, m, s, inks{e}, 1.2, 0.03);
  lines(e) = curve (ax, plan.widths, m, inks{e}, '-', 1.4, marks(e), 6);
  gp = field_of (result(:,:,e), 'gp');
  lines(e+2) = curve (ax, get (ax, 'xlim'), [1 1] * mean (gp(:,1)), inks{e}, '--', 1.2);
end
set (ax, 'ylim', [25 100]);
label_axes (ax, 'a', sprintf ('means of %d tasks \\pm s.e.', plan.tasks), 'width N', 'test accuracy (%)');
limits = cellfun (@(name) ['GP limit, ' name], names, 'UniformOutput', false);
set (legend (lines, [names, limits], 'location', 'southwest'), 'box', 'off', 'fontsize', 8);
end
