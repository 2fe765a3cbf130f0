function paper_temperatures (folder)
%PAPER_TEMPERATURES  The four-path Markov task at ten temperatures, up to a width of 10 000.
%
%   paper_temperatures (folder)
%   Widths and temperatures are those at which the published scripts solve the one-shot task. Panels: (a) test accuracy
%   against width, a curve for each temperature; (b) the same at the temperature of the largest log evidence of each
%   width and task, at the best one for the test set, and at 0.01, the paper's.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('widths', [10 20 50 100 200 500 1000 2000 5000 10000], 'tasks', 5, 'Ptest', 1000, ...
                           'temperatures', [0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 1.5]), ...
                   struct ('widths', [10 100 10000], 'temperatures', [0.01 0.1 1], 'tasks', 2, 'Ptest', 200));
grid = struct ('width', [plan.widths Inf], 'temperature', plan.temperatures, 'seed', 1:plan.tasks);
result = sweep_cells ('temperatures', @(c) temperatures_cell (c, plan), grid);
accuracy = reshape ([result.accuracy], size (result));         % widths x temperatures x seeds
evidence = reshape ([result.evidence], size (result));
chosen = choose (accuracy(1:end-1,:,:), evidence(1:end-1,:,:));

fprintf ('\nFour-path Markov task, %d tasks, mean accuracy (rows: T; columns: N, then GP)\n            %s     GP\n', ...
         plan.tasks, sprintf ('%7d', plan.widths));
m = mean (accuracy, 3)';
print_rows (['  %7.3f   ' repmat('%7.1f', 1, size (m, 2)) '\n'], plan.temperatures', m);
fprintf ('  standard errors up to %.1f %%, largest gradnorm %.1e\n', ...
         max (max (std (accuracy, 0, 3))) / sqrt (plan.tasks), max ([result.gradnorm]));
fprintf ('  width N   T = 0.01         T by evidence    best T for the test set\n');
texts = cellfun (@(x) percent_text (x'), chosen, 'UniformOutput', false);
print_rows ('  %7d   %s  %s  %s\n', plan.widths', texts{:});

fig = figure_page ([12 4.8]);
if isempty (fig), return; end
ax = log_axes (fig, [0.07 0.15 0.42 0.72], plan.widths([1 end]) .* [0.8 1.3], [10 100 1000 10000]);
marks = 'ox+*sd^v<>';
for t = 1:numel (plan.temperatures)
  share = (t - 1) / max (1, numel (plan.temperatures) - 1);
  ink = (1 - share) * [0.00 0.32 0.62] + share * [0.95 0.65 0.25];
  [mean_of, error_of] = mean_error (reshape (accuracy(1:end-1,t,:), numel (plan.widths), [])');
  error_bars (ax, plan.widths, mean_of, error_of, ink, 1, 0.02);
  lines(t) = curve (ax, plan.widths, mean_of, ink, '-', 1.3, marks(t), 6);
  names{t} = sprintf ('T = %g', plan.temperatures(t));
end
label_axes (ax, 'a', sprintf ('means of %d tasks \\pm s.e.', plan.tasks), 'width N', 'test accuracy (%)');
key_beside (fig, [0.49 0.15 0.12 0.72], lines, names);
ax = log_axes (fig, [0.69 0.15 0.29 0.72], plan.widths([1 end]) .* [0.8 1.3], [10 100 1000 10000]);
inks = {[0 0 0], [0.80 0.10 0.10], [0.55 0.55 0.55]};
dashes = {'-', '--', ':'};
for k = 1:3
  [mean_of, error_of] = mean_error (chosen{k}');
  error_bars (ax, plan.widths, mean_of, error_of, inks{k}, 1, 0.02);
  three(k) = curve (ax, plan.widths, mean_of, inks{k}, dashes{k}, 1.4, marks(k), 6);
end
label_axes (ax, 'b', 'choice of T', 'width N', 'test accuracy (%)');
set (legend (three, {'T = 0.01', 'largest evidence', 'best for the test set'}, 'location', 'southwest'), ...
     'box', 'off', 'fontsize', 9);
save_figure (fig, fullfile (folder, 'figure_temperatures'));
end

function chosen = choose (accuracy, evidence)
% widths x seeds: accuracy at the first temperature, at that of the largest evidence, and at the best
[W, ~, S] = size (accuracy);
chosen = {reshape(accuracy(:,1,:), W, S), zeros(W, S), reshape(max (accuracy, [], 2), W, S)};
[~, at] = max (evidence, [], 2);
for w = 1:W
  for s = 1:S, chosen{2}(w,s) = accuracy(w,at(w,1,s),s); end
end
end
