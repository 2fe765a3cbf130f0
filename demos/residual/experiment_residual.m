function experiment_residual ()
%EXPERIMENT_RESIDUAL  Residual streams: the Markov task with skip connections, U with its nested blocks
%
%   Every layer of the network adds its input to what its heads write. Panels:
%     (a) test accuracy against width N, with and without skip connections, by the theory and by draws from the exact
%         posterior
%     (b) the order parameter of all nine paths at the smallest width. Those of higher layers are its leading blocks
%     (c) labels of networks with weights from the prior, with and without skip connections: does the evidence (T25)
%         tell which of the two they come from? The table has the error of examples left out as well
%   Prints these numbers and writes demo_residual.png and demo_residual.pdf, into the current directory or the folder
%   in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/run_demo.m residual
%
%   See also attnpath_demo, attnpath_net, attnpath_task_markov, attnpath_evidence, attnpath_loo.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_residual');
plan = settings ();
grid = struct ('seed', 1:plan.tasks, 'part', {{'widths', 'teachers'}});
result = sweep_cells ('demo_residual', @(c) residual_cell (c, plan), grid);
r = read_off (result);
print_tables (r, plan);
draw_page (r, plan, folder);
end

function plan = settings ()
plan.tasks = 5;
plan.widths = [10 30 100 300 1000];
plan.sampled = [10 100];
plan.averaged = 100;             % draws of U whose predictors are averaged
plan.sampler = {'Display', false, 'Draws', 500};
plan.Ptest = 1000;
plan.width = 30;                 % of the networks that make labels
plan.noise = 0.1;                % variance of the noise on labels of variance 1
plan.kinds = {'without skip connections', 'with skip connections'};
plan = quick_mode (plan, struct ('tasks', 2, 'widths', [10 100], 'sampled', 10, 'averaged', 20, 'Ptest', 100, ...
         'sampler', {{'Display', false, 'Draws', 50, 'Warmup', 50}}));
end

function r = read_off (result)
% Arrays with a last dimension of seeds
for name = {'theory', 'drawn'}, r.(name{1}) = cat (3, result(:,1).(name{1})); end
for name = {'loo', 'evidence'}, r.(name{1}) = cat (3, result(:,2).(name{1})); end
r.U = result(1,1).U;
end

function print_tables (r, plan)
fprintf ('\nHidden Markov chain task. Tasks: %d, each of 100 training and %d test sequences\n', plan.tasks, plan.Ptest);
by_seed = @(x, k, j) reshape (x(k,j,:), [], 1);
for j = 1:2
  fprintf ('  width N   test accuracy   sampled         %s\n', plan.kinds{j});
  for k = 1:numel (plan.widths)
    texts = [percent_text(by_seed (r.theory, k, j)), percent_text(by_seed (r.drawn, k, j))];
    if ~any (plan.sampled == plan.widths(k)), texts{2} = ''; end
    fprintf ('  %7d   %s   %s\n', plan.widths(k), texts{:});
  end
end
fprintf ('\nLabels of networks with weights from the prior, N = %d, and the theory of either kind on them\n', ...
         plan.width);
fprintf ('  labels of a network         theory     left-out error   log evidence (T25)\n');
theory = {'without', 'with'};
for k = 1:2
  for j = 1:2
    fprintf ('  %-26s  %-9s  %14.4f  %19.2f\n', plan.kinds{k}, theory{j}, mean (by_seed (r.loo, k, j)), ...
             mean (by_seed (r.evidence, k, j)));
  end
  right = @(x) sum ((2 * k - 3) * (by_seed (x, k, 2) - by_seed (x, k, 1)) > 0);
  fprintf ('    the right kind is chosen by the left-out error in %d, by the evidence in %d of %d\n', ...
           right (-r.loo), right (r.evidence), plan.tasks);
end
end

function draw_page (r, plan, folder)
fig = figure_page ([12 4.4]);
if isempty (fig), return; end
draw_accuracy (fig, [0.06 0.14 0.25 0.74], r, plan);
draw_U (fig, [0.37 0.14 0.27 0.74], r, plan);
draw_choice (fig, [0.72 0.14 0.25 0.74], r, plan);
save_figure (fig, folder, 'demo_residual');
end

function draw_accuracy (fig, place, r, plan)
inks = [0.80 0.10 0.10; 0.00 0.32 0.62];
ax = log_axes (fig, place, plan.widths([1 end]) .* [0.8 1.3], plan.widths);
[~, drawn] = ismember (plan.sampled, plan.widths);
for j = 1:2
  of = @(x, k) reshape (permute (x(k,j,:), [3 1 2]), [], numel (k));
  beside = (1 + 0.04 * j) * plan.sampled;
  [m, bar] = mean_error (of (r.drawn, drawn));
  if plan.tasks > 1, error_bars (ax, beside, m, bar, inks(j,:), 1.2, 0.04); end
  lines(2 + j) = curve (ax, beside, m, inks(j,:), 'none', 1.2, 'o', 6);
  [m, bar] = mean_error (of (r.theory, 1:numel (plan.widths)));
  if plan.tasks > 1, error_bars (ax, plan.widths, m, bar, inks(j,:), 1.2, 0.04); end
  lines(j) = curve (ax, plan.widths, m, inks(j,:), '-', 1.5, 'x', 8);
end
set (ax, 'ylim', [40 100]);      % the key goes below the curves
label_axes (ax, 'a', sprintf ('%d tasks, means \\pm s.e.', plan.tasks), 'width N', 'test accuracy (%)');
legend (lines, [strcat('theory,', {' '}, plan.kinds), strcat('draws,', {' '}, plan.kinds)], 'box', 'off', ...
        'fontsize', 8, 'location', 'southwest');
end

function draw_U (fig, place, r, plan)
ax = axes ('parent', fig, 'position', place);
net = attnpath_net ([2 2], 'Width', plan.widths(1), 'Skip', true);
attnpath_plot (struct ('net', net, 'U', r.U), 'order', 'Parent', ax);
for n = [3 1]                    % U_2 and u_a
  line (0.5 + n * [0 1 1 0 0], 0.5 + n * [0 0 1 1 0], 'parent', ax, 'color', [0.1 0.1 0.1], 'linewidth', 2);
end
label_axes (ax, 'b', sprintf ('U_1 at N = %d; outlined U_2 and u_a', plan.widths(1)), '', '');
end

function draw_choice (fig, place, r, plan)
ax = axes ('parent', fig, 'position', place, 'box', 'on');
inks = [0.80 0.10 0.10; 0.00 0.32 0.62];
for k = 1:2
  of = @(j) reshape (r.evidence(k,j,:), 1, []);
  lines(k) = curve (ax, of (1), of (2), inks(k,:), 'none', 1.5, 'o', 7);
end
ends = [min(r.evidence(:)), max(r.evidence(:))] + 5 * [-1 1];
curve (ax, ends, ends, [0.5 0.5 0.5], '--', 1);
set (ax, 'xlim', ends, 'ylim', ends);
label_axes (ax, 'c', 'log evidence', 'theory without skip connections', 'theory with them');
legend (lines, strcat ('labels', {' '}, plan.kinds), 'box', 'off', 'fontsize', 8, 'location', 'northwest');
end
