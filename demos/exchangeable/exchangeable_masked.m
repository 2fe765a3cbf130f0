function exchangeable_masked (folder)
%EXCHANGEABLE_MASKED  Attention that predicts masked tokens, and labels learned from few examples (claim (c) of [1]).
%
%   exchangeable_masked (folder)
%   Conditional-mean estimators with Gaussian kernels of several bandwidths and ridges predict masked tokens from the
%   others, without labels. Their outputs at 12 queries are then read out by a network in the GP limit, which learns
%   labels of 20 sequences. Panels: (a) error at masked tokens and (b) downstream error, against the condition number of
%   the estimator, a curve for each bandwidth; (c) downstream error against that at masked tokens.
%
%   [1] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent Variable
%       Models, arXiv:2212.14852.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('seeds', 20, 'dimension', 3, 'features', 8, 'noise', 0.5, 'tokens', 32, 'queries', 12, ...
          'labels', 5, 'labelled', 20, 'tested', 100, 'bandwidths', [0.1 0.3 1 3 10], 'ridges', 0.25 * 4 .^ (-4:1), ...
          'temperatures', 10 .^ (-3:1)), struct ('seeds', 3, 'tested', 40, 'bandwidths', [0.3 3], 'ridges', [0.004 1]));
result = sweep_cells ('masked', @(c) masked_cell (c, plan), struct ('seed', 1:plan.seeds));
fields = {'number', 'masked', 'downstream'};
for k = 1:3
  x{k} = reshape (cat (3, result.(fields{k})), [], plan.seeds)';     % seeds x points of the grid
  if k > 1, x{k} = sqrt (x{k}); end                                  % root mean squares
  [m{k}, s{k}] = mean_error (x{k});
end
of_grid = @(row) reshape (row, numel (plan.bandwidths), []);
for k = 1:3
  fprintf ('\n%s, %d seeds (rows: bandwidth; columns: ridge%s)\n', fields{k}, plan.seeds, ...
           sprintf (' %.3g', plan.ridges));
  values = of_grid (arrayfun (@(m, s) sprintf ('  %7.3g +- %-6.2g', m, s), m{k}, s{k}, 'UniformOutput', false));
  print_rows (['  %5g' repmat('%s', 1, numel (plan.ridges)) '\n'], plan.bandwidths', values);
end
for t = 1:plan.seeds
  [~, number] = sort (x{1}(t,:));
  [~, masked] = min (x{2}(t,:));
  told(t,:) = [rank_correlation(x{1}(t,:), x{3}(t,:)), rank_correlation(x{1}(t,:), x{2}(t,:)), ...
               rank_correlation(x{2}(t,:), x{3}(t,:)), x{3}(t,[number(1), number(end), masked]), min(x{3}(t,:)), ...
               sqrt([result(t).known, result(t).best])];
end
[m{4}, s{4}] = mean_error (told);
words = {'rank correlation over the grid: condition number, downstream error'; '  condition number, masked error'; ...
         '  masked error, downstream error'; 'downstream error at the smallest condition number'; ...
         '  at the largest'; '  at the smallest masked error'; '  the smallest'; '  from the posterior mean of z'; ...
         '  the same with w known'};
fprintf ('\n');
print_rows ('  %-67s %6.3f +- %.3f\n', words, m{4}', s{4}');

fig = figure_page ([12 4.2]);
if isempty (fig), return; end
inks = interp1 ([0 0.5 1], [0.90 0.55 0.15; 0.20 0.60 0.75; 0.05 0.14 0.38], linspace (0, 1, numel (plan.bandwidths)));
marks = 'osd^v';
titles = {'tokens masked', 'labels of few sequences', 'both'};
labels = {'condition number', 'error at masked tokens'; 'condition number', 'downstream error'; ...
          'error at masked tokens', 'downstream error'};
pairs = [1 2; 1 3; 2 3];
for panel = 1:3
  place = [0.06 + 0.29 * (panel - 1), 0.17, 0.21, 0.68];
  [across, up] = deal (pairs(panel,1), pairs(panel,2));
  if panel < 3
    ax = log_axes (fig, place, [min(m{1}) / 2, 2 * max(m{1})], [1 10 100 1000 10000]);
  else
    ax = axes ('parent', fig, 'position', place, 'box', 'on');
  end
  grids = cellfun (of_grid, [m([across up]), s([across up])], 'UniformOutput', false);
  for g = 1:numel (plan.bandwidths)
    error_bars (ax, grids{1}(g,:), grids{2}(g,:), grids{4}(g,:), inks(g,:), 1);
    lines(g) = curve (ax, grids{1}(g,:), grids{2}(g,:), inks(g,:), '-', 1.3, marks(g), 6);
  end
  label_axes (ax, char ('a' + panel - 1), titles{panel}, labels{panel,:});
end
names = arrayfun (@(gamma) sprintf ('bandwidth %g', gamma), plan.bandwidths, 'UniformOutput', false);
key_beside (fig, [0.86 0.17 0.14 0.68], lines, names);
save_figure (fig, fullfile (folder, 'figure_masked'));
end
