function experiment_classes ()
%EXPERIMENT_CLASSES  Three classes of hidden Markov chains: which paths work for which class, and at which width
%
%   A network with fixed attention learns by which step, of three on a ring of three states, a chain tends to
%   move. To each class belongs a path of its own that sees its step. Every class has 50 training examples, and
%   its own step is by 0.4 more probable than each other one, as in the task of two classes. Three ways to
%   learn them: coupled outputs, which is the theory of one network with three outputs; its approximation by
%   one U for all outputs; and three networks of one output, each of which learns one class against the rest.
%   Panels:
%     (a) test accuracy against width N, and in the Gaussian-process (GP) limit, where all three are the same
%     (b) confusion matrices of coupled outputs, at the smallest width and in the GP limit
%     (c) order parameter U of coupled outputs, in blocks of paths with the classes in them, at three widths
%     (d) scores of the heads of coupled outputs, class by class, at the smallest width
%   Prints these numbers and writes demo_classes.png and demo_classes.pdf, into the current directory or the
%   folder in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a
%   display, xvfb-run -a octave --no-gui demos/demo_classes.m
%
%   See also attnpath_demo, attnpath_task_markov, attnpath_solve, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_classes');
plan = settings ();
r = learn (plan);
print_result (r, plan);

fig = figure_page ([12 9.6]);
if isempty (fig), return; end
draw_accuracy (fig, [0.07 0.70 0.40 0.25], r, plan);
draw_confusion (fig, r, plan);
draw_U (fig, r, plan);
draw_scores (fig, [0.07 0.07 0.90 0.16], r, plan);
save_figure (fig, folder, 'demo_classes');
end

function plan = settings ()
plan.classes = 3;
plan.fits = {'coupled', 'shared', 'rest'};        % ways to learn several classes, and their names
plan.fit_names = {'coupled', 'one U for all', 'one against the rest'};
plan.widths = [10 30 100 300 1000];
plan.U_at = [10 100 1000];        % widths at which U is shown; the confusion and the scores are those at the first
plan.tasks = 5;                   % drawn at random: curves are means over them, bars their standard error
plan.seed = 1;                    % of the first task, whose U, confusion and scores are shown; then seed + 1, ...
plan.temperature = 0.01;
plan.Ptest = 1000;
plan = quick_mode (plan, struct ('widths', [10 100 1000], 'tasks', 1, 'Ptest', 300));
end

% ---- what is learned -------------------------------------------------------------------------------------

function r = learn (plan)
% accuracy: tasks x widths x fits, the GP limit's in accuracy_gp. Of the first task the solutions as well
C = plan.classes;
for d = 1:plan.tasks
  started = tic ();
  task = attnpath_task_markov ('Classes', C, 'P', 50 * C, 'Ptest', plan.Ptest, 'Stay', (1 + 0.4 * (C - 1)) / C, ...
                               'Seed', plan.seed + d - 1);
  net = attnpath_net (task.heads, 'Temperature', plan.temperature);
  train = attnpath_paths (net, task.Xtrain);     % path inputs depend on the heads alone: once for all widths
  test = attnpath_paths (net, task.Xtest);
  for k = 1:numel (plan.widths)
    net.width(:) = plan.widths(k);
    for m = 1:numel (plan.fits)
      begun = tic ();
      one = fit (plan.fits{m}, net, train, task.ytrain, test, C);
      r.seconds(d,k,m) = toc (begun);
      r.accuracy(d,k,m) = 100 * mean (one.class == task.ytest);
      r.gradnorm(d,k,m) = one.gradnorm;
      if d == 1, r.first{k,m} = one; end
    end
  end
  gp = against_rest (net, train, task.ytrain, test, C, true);
  r.accuracy_gp(d,1) = 100 * mean (gp.class == task.ytest);
  if d == 1
    r.gp = gp;
    [r.net, r.path_names, r.ytest] = deal (net, task.path_names, task.ytest);
  end
  fprintf ('task %d of %d: %.0f s\n', d, plan.tasks, toc (started));
end
end

function one = fit (kind, net, train, y, test, C)
% 'coupled' or 'shared' outputs, or one for each class
if strcmp (kind, 'rest')
  one = against_rest (net, train, y, test, C, false);
  return
end
sol = attnpath_solve (net, train, y, 'Outputs', kind, 'Certificate', false);
[~, ~, one.class] = attnpath_predict (sol, test);
one.gradnorm = sol.gradnorm;
one.U = sol.U;
if strcmp (kind, 'shared'), one.U = kron (sol.U, eye (C)); end      % the same for every class
end

function one = against_rest (net, train, y, test, C, gp)
% C fits of one output, each on one column of the labels that classes are coded by, 1 and -1/(C-1). U as it would be
% for all outputs at once, path slowest and class fastest: blocks of two classes are zero
for c = 1:C
  label = (C * (y == c) - 1) / (C - 1);
  if gp
    mu(:,c) = attnpath_predict (struct ('net', net, 'paths', train, 'y', label), test, 'Limit', 'gp');
  else
    sol = attnpath_solve (net, train, label, 'Classes', false, 'Certificate', false);
    mu(:,c) = attnpath_predict (sol, test);
    one.U(c:C:C * size (sol.U, 1),c:C:C * size (sol.U, 1)) = sol.U;
    gradnorm(c) = sol.gradnorm;
  end
end
[~, best] = max (mu, [], 2);
one.class = int32 (best);
if ~gp, one.gradnorm = max (gradnorm); end
end

function score = class_scores (U, net, C)
% A row for each head, layer by layer, and a column for each class: the sum of |U| over all entries whose row or column
% has a path that uses the head and this class, the largest 1
row = 0;
paths = size (U, 1) / C;
for l = 1:net.L
  for head = 1:net.H(l)
    row = row + 1;
    behind = prod (net.H(l+1:end));              % paths are in lexicographic order
    uses = mod (floor ((0:paths-1) / behind), net.H(l)) == head - 1;
    for c = 1:C
      of = kron (uses, (1:C) == c) > 0;
      score(row,c) = 2 * sum (sum (abs (U(of,:)))) - sum (sum (abs (U(of,of))));
    end
  end
end
score = score / max (score(:));
end

% ---- tables ----------------------------------------------------------------------------------------------

function print_result (r, plan)
C = plan.classes;
fprintf ('\n%d classes of hidden Markov chains. Tasks: %d, each of %d training and %d test sequences\n', C, ...
         plan.tasks, 50 * C, plan.Ptest);
for m = 1:numel (plan.fits)
  fprintf ('  %s\n  width N   test accuracy   gradnorm  time per fit\n', plan.fit_names{m});
  print_rows ('  %7d   %s   %8.1e  %9.2f s\n', plan.widths', percent_text (r.accuracy(:,:,m)), ...
              max (r.gradnorm(:,:,m), [], 1)', median (r.seconds(:,:,m), 1)');
end
print_rows ('       GP   %s\n', percent_text (r.accuracy_gp));
for m = 2:numel (plan.fits)
  gain = r.accuracy(:,:,1) - r.accuracy(:,:,m);            % task by task: what tasks share drops out
  fprintf ('  Coupled outputs are better than %s by (percent, means over tasks)\n', plan.fit_names{m});
  [more, error_of] = mean_error (gain);
  print_rows ('  %7d   %+5.2f +- %4.2f\n', plan.widths', more', error_of');
end
for m = 1:numel (plan.fits)
  fprintf ('  Confusion at N = %d, seed %d, %s: a row for each class\n', plan.widths(1), plan.seed, plan.fit_names{m});
  print_rows (['    ' repmat('%7d', 1, C) '\n'], counts (r.ytest, r.first{1,m}.class, C));
end
fprintf ('  Confusion of the GP limit\n');
print_rows (['    ' repmat('%7d', 1, C) '\n'], counts (r.ytest, r.gp.class, C));
fprintf ('  Scores of the heads at N = %d, seed %d: layer, head, and a column for each class\n', plan.widths(1), ...
         plan.seed);
for m = 1:numel (plan.fits)
  print_rows (['    %d %d' repmat('%9.3f', 1, C) '\n'], heads_of (r.net.H), class_scores (r.first{1,m}.U, r.net, C));
end
end

function n = counts (y, class, C)
n = accumarray (double ([y, class]), 1, [C C]);
end

% ---- panels ----------------------------------------------------------------------------------------------

function draw_accuracy (fig, place, r, plan)
inks = [0.00 0.32 0.62; 0.85 0.45 0.05; 0 0 0];
marks = {'x', 'o', 's'};
ax = log_axes (fig, place, plan.widths([1 end]) .* [0.8 1.3], [10 30 100 300 1000]);
gp = mean (r.accuracy_gp);
lines(numel (plan.fits) + 1) = curve (ax, get (ax, 'xlim'), [1 1] * gp, [0.80 0.10 0.10], '--', 1.5);
low = gp;
for m = 1:numel (plan.fits)
  [mean_of, error_of] = mean_error (r.accuracy(:,:,m));
  if plan.tasks > 1, error_bars (ax, plan.widths, mean_of, error_of, inks(m,:), 1.2, 0.04); end
  lines(m) = curve (ax, plan.widths, mean_of, inks(m,:), '-', 1.5, marks{m}, 7);
  low = min ([low, mean_of - error_of]);
end
set (ax, 'ylim', [floor(low / 2) * 2 - 2, 101]);
names = [plan.fit_names, {'GP limit'}];
if plan.tasks > 1, names{1} = sprintf ('%s, %d tasks \\pm s.e.', names{1}, plan.tasks); end
key = legend (lines, names, 'location', 'west');         % between the curve and the GP limit
set (key, 'box', 'off', 'fontsize', 9);
label_axes (ax, 'a', sprintf ('%d classes', plan.classes), 'width N', 'test accuracy (%)');
end

function draw_confusion (fig, r, plan)
said = {r.first{1,1}.class, r.gp.class};
names = {sprintf('N = %d', plan.widths(1)), 'GP limit'};
for k = 1:2
  ax = axes ('parent', fig, 'position', [0.55 + 0.24 * (k - 1), 0.70, 0.19, 0.24], 'fontsize', 9);
  attnpath_plot (struct ('classes', int32 ((1:plan.classes)')), 'confusion', 'Parent', ax, 'Labels', r.ytest, ...
                 'Predicted', said{k});
  right = 100 * mean (said{k} == r.ytest);
  title (ax, sprintf ('%s, %.1f %% right', names{k}, right), 'fontweight', 'normal', 'fontsize', 10);
  if k == 1, label_axes (ax, 'b', '', '', ''); end
end
end

function draw_U (fig, r, plan)
for k = 1:numel (plan.U_at)
  at = find (plan.widths == plan.U_at(k));
  net = r.net;
  net.width(:) = plan.U_at(k);
  ax = axes ('parent', fig, 'position', [0.12 + 0.30 * (k - 1), 0.345, 0.22, 0.26], 'fontsize', 9);
  h = attnpath_plot (struct ('net', net, 'U', r.first{at,1}.U), 'order', 'Parent', ax, 'Names', r.path_names, ...
                     'Numbers', false);
  title (ax, sprintf ('U, N = %d', plan.U_at(k)), 'fontweight', 'normal', 'fontsize', 10);
  if k > 1, set (ax, 'yticklabel', {}); end
  if k == 1, label_axes (ax, 'c', '', '', ''); end
end
end

function draw_scores (fig, place, r, plan)
C = plan.classes;
score = class_scores (r.first{1,1}.U, r.net, C);
heads = heads_of (r.net.H);
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
label_axes (ax, 'd', sprintf ('scores of the heads, class by class, N = %d', plan.widths(1)), 'head (layer.head)', ...
            'score', 1.15);
end
