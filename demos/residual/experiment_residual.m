function experiment_residual ()
%EXPERIMENT_RESIDUAL  Residual streams: the Markov task with skip connections, nested order parameters, trained networks
%
%   Every layer of the network adds its input to what its heads write. Panels:
%     (a) test accuracy against width N, with and without skip connections, by the theory and by draws from the exact
%         posterior
%     (b) the order parameter of all nine paths at the smallest width. Those of higher layers are its leading blocks
%     (c) labels are outputs of networks with weights from the prior, with or without skip connections: does the
%         evidence (T25) identify the kind of network? The table has the leave-one-out error as well
%     (d) the same for networks trained by gradient descent on the one-shot task with small images: the theory takes
%         their attention and the true labels. A second table has the rank correlation of scores with the accuracy
%         that a network loses without a head
%   Prints these numbers and writes demo_residual.png and demo_residual.pdf into the current directory or the folder
%   in the environment variable ATTNPATH_DEMO_DIR. It needs a graphics toolkit: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/run_demo.m residual
%
%   Ten networks are trained, half a minute each: if the environment variable ATTNPATH_CELLS names a folder, an
%   interrupted sweep resumes (see sweep_cells). Images are Omniglot's, from the folder that the environment variable
%   ATTNPATH_OMNIGLOT names or from the cache (attnpath_omniglot), and otherwise made-up characters.
%
%   See also attnpath_demo, attnpath_net, attnpath_train, attnpath_task_markov, attnpath_evidence, attnpath_loo.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_residual');
[plan, learn] = settings ();
grid = struct ('seed', 1:plan.tasks, 'part', {{'widths', 'teachers'}});
result = sweep_cells ('demo_residual', @(c) residual_cell (c, plan), grid);
r = read_off (result);
grid = struct ('seed', 1:plan.tasks, 'skip', [0 1]);
trained = sweep_cells ('demo_residual_trained', @(c) residual_trained_cell (c, learn), grid);
print_tables (r, plan);
t = print_trained (trained, plan, learn);
draw_page (r, t, plan, folder);
end

function [plan, learn] = settings ()
% plan is for the Markov task and the figure, learn for the networks that are trained. Cells hold both: if they
% change, attnpath_sweep refuses the folder
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
learn.heads = [3 3];
learn.images = {'Size', 16, 'Patch', 8, 'Channels', 1, 'Augment', true};
learn.P = 400;
learn.Ptest = 4000;
learn.training = {'Width', 64, 'Keys', 32, 'Rate', 1e-3, 'Schedule', 'cosine', 'Steps', 2000, 'Evaluate', 2000, ...
                  'Display', false};
learn.width = 20;                % of the theory: (T25) needs the number of paths, 16
learn.temperatures = [0.1 0.25 0.5 1];
learn.scores = {'order', 'predictor', 'loo', 'evidence', 'importance', 'ablation'};
learn = quick_mode (learn, struct ('heads', [2 2], 'P', 60, 'Ptest', 200, 'temperatures', 0.25, 'training', ...
                    {{'Width', 16, 'Keys', 8, 'Steps', 20, 'Batch', 16, 'Display', false}}));
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
fprintf ('\nLabels of networks with weights from the prior, N = %d, learned by the theory of either kind\n', ...
         plan.width);
fprintf ('  labels of a network         theory     left-out error   log evidence (T25)\n');
theory = {'without', 'with'};
for k = 1:2
  for j = 1:2
    fprintf ('  %-26s  %-9s  %14.4f  %19.2f\n', plan.kinds{k}, theory{j}, mean (by_seed (r.loo, k, j)), ...
             mean (by_seed (r.evidence, k, j)));
  end
  print_choice (r, k, plan);
end
end

function t = print_trained (cells, plan, learn)
% t: evidence and leave-one-out error, as in r: kinds of networks x kinds of the theory x seeds
for name = {'loo', 'evidence'}
  each = cat (1, cells.(name{1}));                 % seeds within kinds
  t.(name{1}) = permute (reshape (each, plan.tasks, 2, 2), [2 3 1]);
end
fprintf ('\nNetworks trained on one-shot sequences, heads %s, %d of each kind. Images: %s\n', mat2str (learn.heads), ...
         plan.tasks, cells(1).source);
fprintf ('  network                     accuracy (new classes)   theory     left-out error   log evidence (T25)\n');
theory = {'without', 'with'};
for k = 1:2
  accuracy = [percent_text([cells(:,k).accuracy]'), {''}];
  for j = 1:2
    fprintf ('  %-26s  %-22s   %-9s  %14.4f  %19.2f\n', plan.kinds{k}, accuracy{j}, theory{j}, ...
             mean (t.loo(k,j,:)), mean (t.evidence(k,j,:)));
  end
  print_choice (t, k, plan);
end
fprintf ('  rank correlation with the accuracy lost without a head: mean +- standard error\n');
fprintf ('  %-12s  %-26s  %s\n', 'score', plan.kinds{:});
for w = 1:numel (learn.scores)
  for k = 1:2
    r = arrayfun (@(c) rank_correlation (c.worth(w,:), c.lost), cells(:,k));
    [m, half] = mean_error (r);
    texts{k} = sprintf ('%5.2f +- %.2f', m, half);
  end
  fprintf ('  %-12s  %-26s  %s\n', learn.scores{w}, texts{:});
end
end

function print_choice (r, k, plan)
right = @(x) sum ((2 * k - 3) * (x(k,2,:) - x(k,1,:)) > 0);
fprintf ('    the right kind is chosen by the left-out error in %d, by the evidence in %d of %d\n', ...
         right (-r.loo), right (r.evidence), plan.tasks);
end

function draw_page (r, t, plan, folder)
fig = figure_page ([10 9]);
if isempty (fig), return; end
draw_accuracy (fig, [0.08 0.57 0.38 0.37], r, plan);
draw_U (fig, [0.57 0.57 0.35 0.37], r, plan);
draw_choice (fig, [0.08 0.07 0.38 0.39], r.evidence, 'c', 'log evidence, labels of networks from the prior');
draw_choice (fig, [0.58 0.07 0.38 0.39], t.evidence, 'd', 'log evidence, attention of trained networks');
save_figure (fig, fullfile (folder, 'demo_residual'));
end

function [inks, marks, dashes] = kinds_in_print ()
% Networks without skip connections, and with them
inks = [0.80 0.10 0.10; 0.00 0.32 0.62];
marks = {'o', 's'};
dashes = {'-', '--'};
end

function draw_accuracy (fig, place, r, plan)
[inks, marks, dashes] = kinds_in_print ();
ax = log_axes (fig, place, plan.widths([1 end]) .* [0.8 1.3], plan.widths);
[~, drawn] = ismember (plan.sampled, plan.widths);
for j = 1:2
  of = @(x, k) reshape (permute (x(k,j,:), [3 1 2]), [], numel (k));
  beside = (1 + 0.1 * j) * plan.sampled;
  [m, bar] = mean_error (of (r.drawn, drawn));
  if plan.tasks > 1, error_bars (ax, beside, m, bar, inks(j,:), 1.2, 0.04); end
  lines(2 + j) = curve (ax, beside, m, inks(j,:), 'none', 1.2, marks{j}, 6);
  [m, bar] = mean_error (of (r.theory, 1:numel (plan.widths)));
  if plan.tasks > 1, error_bars (ax, plan.widths, m, bar, inks(j,:), 1.2, 0.04); end
  lines(j) = curve (ax, plan.widths, m, inks(j,:), dashes{j}, 1.5, 'x', 8);
end
set (ax, 'ylim', [40 100]);      % the key is below the curves
label_axes (ax, 'a', sprintf ('%d tasks, means \\pm s.e.', plan.tasks), 'width N', 'test accuracy (%)');
legend (lines, [strcat('theory,', {' '}, plan.kinds), strcat('draws (right of N),', {' '}, plan.kinds)], 'box', ...
        'off', 'fontsize', 8, 'location', 'southwest');
end

function draw_U (fig, place, r, plan)
ax = axes ('parent', fig, 'position', place, 'fontsize', 8);
net = attnpath_net ([2 2], 'Width', plan.widths(1), 'Skip', true);
attnpath_plot (struct ('net', net, 'U', r.U), 'order', 'Parent', ax);
for n = [3 1]                    % U_2 and u_a
  line (0.5 + n * [0 1 1 0 0], 0.5 + n * [0 0 1 1 0], 'parent', ax, 'color', [0.1 0.1 0.1], 'linewidth', 2);
end
label_axes (ax, 'b', sprintf ('U_1 at N = %d; outlined U_2 and u_a', plan.widths(1)), '', '');
end

function draw_choice (fig, place, evidence, letter, subject)
ax = axes ('parent', fig, 'position', place, 'box', 'on');
[inks, marks] = kinds_in_print ();
for k = 1:2
  of = @(j) reshape (evidence(k,j,:), 1, []);
  lines(k) = curve (ax, of (1), of (2), inks(k,:), 'none', 1.5, marks{k}, 7);
end
beyond = 0.06 * (max (evidence(:)) - min (evidence(:)));
ends = [min(evidence(:)), max(evidence(:))] + beyond * [-1 1];
curve (ax, ends, ends, [0.5 0.5 0.5], '--', 1);
set (ax, 'xlim', ends, 'ylim', ends);
label_axes (ax, letter, subject, 'theory without skip connections', 'theory with them');
legend (lines, {'networks without skip connections', 'networks with them'}, 'box', 'off', 'fontsize', 8, ...
        'location', 'northwest');
end
