function experiment_markov ()
%EXPERIMENT_MARKOV  Hidden Markov chain task: accuracy against width, order parameter, alignment (Figure 2 of [1])
%
%   Two networks with fixed attention learn to tell chains that stay in their state from chains that leave
%   it. Panels as in Figure 2 of [1]:
%     (c) test accuracy against width N, by the theory and by draws from the exact posterior, with the
%         Gaussian-process (GP) limits of the whole network and of two smaller ones; below it the order
%         parameter U, which says how much each pair of paths counts, of the theory and of the draws
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) as (c), with stronger noise and a network of the good and the denoising path only
%   The theory comes first, with its figure, after seconds; the draws, which take a minute or more, are added then.
%   Prints these numbers and writes demo_markov.png and demo_markov.pdf, into the current directory or the
%   folder in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a
%   display, xvfb-run -a octave --no-gui demos/demo_markov.m
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   See also attnpath_demo, attnpath_task_markov, attnpath_solve, attnpath_predict, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_markov');
plan = settings ();

% Each experiment: its name, a title, the order in which its paths are shown (the task lists them as (1,1), (1,2),
% (2,1), (2,2), here the two that matter come first), the widths whose U is shown, and the GP limits: label, and heads
% to remove as rows [layer head]. A GP limit of fewer paths is that of the smaller network, whose kernel is the average
% over its own paths only.
four = struct ('name', 'four', 'title', 'four paths', 'shown', [1 3 2 4], 'U_at', [10 100 1000], ...
               'gp', {{'GP, all paths',        zeros(0, 2)
                       'GP, good path',        [1 2; 2 2]
                       'GP, good + denoising', [2 2]}});
two = struct ('name', 'two', 'title', 'two paths, perpendicular noise 5', 'shown', [1 2], 'U_at', 10, ...
              'gp', {{'GP, both paths', zeros(0, 2)
                      'GP, good path',  [1 2]}});
fprintf ('Theory: %d tasks of two kinds, %d widths\n', plan.tasks, numel (plan.widths));
result = [learn(four, plan), learn(two, plan)];
print_theory (result(1), plan);
print_theory (result(2), plan);
draw_page (result, plan, folder);

fprintf ('\nDraws from the exact posterior: %d tasks of two kinds, %d widths\n', plan.tasks, numel (plan.sampled));
result = [draw(result(1), plan), draw(result(2), plan)];

% A second opinion on the first network shown: Langevin dynamics of its weights
first = result(1).solution{1};
first.net.width(:) = plan.sampled(1);
second = attnpath_sample (first.net, first.paths, first.y, 'Method', 'langevin', plan.sampler{:});

print_draws (result(1), plan);
print_draws (result(2), plan);
fprintf ('\nU at N = %d, four paths, by Langevin dynamics of the weights (standard errors up to %.2g; %s)\n', ...
         plan.sampled(1), max (second.diagnostics.U.mcse(:)), second.reason);
U = mean (second.U(:,:,:), 3);
print_U (U(four.shown,four.shown), result(1));
draw_page (result, plan, folder);
end

function draw_page (result, plan, folder)
% The figure, with the draws where result has some
fig = figure_page ([12 8.6]);
if isempty (fig), return; end
draw_accuracy (fig, [0.07 0.645 0.44 0.305], 'c', result(1), plan);
lowest = draw_U (fig, result(1), plan, [0.07 0.2225 0.375], [0.345 0.105], [0.135 0.205]);
text (0.5 + (0.2225 - 0.07) / 0.135, -0.43, 'colours: U over the largest |U| of its image', 'units', 'normalized', ...
      'fontsize', 9, 'horizontalalignment', 'center', 'parent', lowest(1));             % below the second column
draw_accuracy (fig, [0.60 0.09 0.19 0.44], 'e', result(2), plan);
draw_U (fig, result(2), plan, 0.87, [0.355 0.09], [0.115 0.175]);
ax = axes ('parent', fig, 'position', [0.60 0.645 0.385 0.305]);
attnpath_plot (result(1).solution{1}, 'alignment', 'Parent', ax, 'Components', 30);
label_axes (ax, 'd', 'four paths', '', '');
save_figure (fig, folder, 'demo_markov');
end

function plan = settings ()
plan.widths = [10 30 50 100 300 500 1000];
plan.sampled = [10 30 100 1000];  % widths at which the posterior is sampled as well
plan.tasks = 5;                   % drawn at random: curves are means over them, bands and bars their standard error
plan.sampler = {};                % options of attnpath_sample: 1000 draws of each of four chains
plan.averaged = 100;              % draws of U whose predictors are averaged
plan.seed = 1;                    % of the first task, whose U and kernels are shown; then seed + 1, ...
plan.temperature = 0.01;
plan.Ptest = 1000;
plan = quick_mode (plan, struct ('sampled', [10 1000], 'tasks', 1, 'averaged', 40, 'Ptest', 200));
end

function r = learn (r, plan)
% r, an experiment, gets what the theory says: rows are tasks, columns widths, or GP limits
for d = 1:plan.tasks
  [task, net, train, test] = make_task (r, plan, d);
  for k = 1:numel (plan.widths)
    net.width(:) = plan.widths(k);
    started = tic ();
    sol = attnpath_solve (net, train, task.ytrain);
    r.seconds(d,k) = toc (started);
    r.accuracy(d,k) = percent_right (attnpath_predict (sol, test), task.ytest);
    r.gradnorm(d,k) = sol.gradnorm;
    r.hessian_min(d,k) = sol.hessian_min;
    r.evaluations(d,k) = sol.evaluations;
    if d == 1, r.solution{k} = sol; end
  end
  for g = 1:size (r.gp, 1)
    [small, few] = attnpath_prune (net, r.gp{g,2}, train);
    [~, few_test] = attnpath_prune (net, r.gp{g,2}, test);
    mu = attnpath_predict (struct ('net', small, 'paths', few, 'y', task.ytrain), few_test, 'Limit', 'gp');
    r.accuracy_gp(d,g) = percent_right (mu, task.ytest);
  end
  r.path_names = strrep (task.path_names, 'adversarial', 'adv.');
end
end

function r = draw (r, plan)
% r, an experiment, gets what draws from the posterior say: rows are tasks, columns widths
for d = 1:plan.tasks
  [task, net, train, test] = make_task (r, plan, d);
  for k = 1:numel (plan.sampled)
    net.width(:) = plan.sampled(k);
    fprintf ('%s: task %d of %d, width %d\n', r.title, d, plan.tasks, plan.sampled(k));
    started = tic ();
    post = attnpath_sample (net, train, task.ytrain, 'Seed', d, plan.sampler{:});
    r.sampling(d,k) = toc (started);
    mu = attnpath_predict (post, test, 'U', spread_draws (post, plan.averaged));
    r.accuracy_sampled(d,k) = percent_right (mu, task.ytest);
    r.rhat(d,k) = post.diagnostics.rhat;
    r.ess(d,k) = post.diagnostics.ess;
    if d == 1
      r.sample{k} = struct ('net', net, 'U', mean (post.U(:,:,:), 3), 'mcse', max (post.diagnostics.U.mcse(:)));
    end
  end
end
end

function [task, net, train, test] = make_task (r, plan, d)
task = attnpath_task_markov ('Experiment', r.name, 'Ptest', plan.Ptest, 'Seed', plan.seed + d - 1);
net = attnpath_net (task.heads, 'Temperature', plan.temperature);
train = attnpath_paths (net, task.Xtrain);       % path inputs depend on the heads alone: once for all widths
test = attnpath_paths (net, task.Xtest);
end

% ---- tables ----------------------------------------------------------------------------------------------

function print_theory (r, plan)
fprintf ('\nHidden Markov chain task, %s. Tasks: %d, each of %d training and %d test sequences\n', ...
         r.title, plan.tasks, numel (r.solution{1}.y), plan.Ptest);
fprintf ('  width N   test accuracy   gradnorm  hessian_min  evaluations  time per solve\n');
print_rows ('  %7d   %s   %8.1e  %11.4f  %11.1f  %11.1f ms\n', plan.widths', percent_text (r.accuracy), ...
            max (r.gradnorm, [], 1)', min (r.hessian_min, [], 1)', mean (r.evaluations, 1)', ...
            1000 * median (r.seconds, 1)');
print_rows ('            %s   %s\n', percent_text (r.accuracy_gp), r.gp(:,1));
end

function print_draws (r, plan)
fprintf ('\nDraws, %s\n', r.title);
fprintf ('  width N   sampled         largest R-hat   smallest ESS   time per sample\n');
print_rows ('  %7d   %s   %10.3f   %12.0f   %13.1f s\n', plan.sampled', percent_text (r.accuracy_sampled), ...
            max (r.rhat, [], 1)', min (r.ess, [], 1)', median (r.sampling, 1)');
for N = r.U_at
  fprintf ('  U at N = %d, seed %d: theory', N, plan.seed);
  U = r.solution{plan.widths == N}.U(r.shown,r.shown);
  if any (plan.sampled == N)
    draws = r.sample{plan.sampled == N};
    U = [U, draws.U(r.shown,r.shown)];
    fprintf (' on the left, mean of the draws on the right, standard errors up to %.2g', draws.mcse);
  end
  fprintf ('\n');
  print_U (U, r);
end
end

function print_U (U, r)
print_rows (['    %-10s' repmat('%9.3f', 1, size (U, 2)) '\n'], r.path_names(r.shown), U);
end

% ---- panels ----------------------------------------------------------------------------------------------

function draw_accuracy (fig, place, letter, r, plan)
blue = [0.00 0.32 0.62];
red = [0.80 0.10 0.10];
dashes = {'-', '--', ':'};
ax = log_axes (fig, place, plan.widths([1 end]) .* [0.8 1.3], [10 30 100 300 1000]);
[m, s] = mean_error (r.accuracy);
gp = mean (r.accuracy_gp, 1);
names = [{'theory'; 'posterior draws'}; r.gp(:,1)];
low = floor (min ([m-s, gp]) / 2) * 2 - 2;
high = min (100, ceil (max ([m+s, gp]) / 2) * 2 + 2);
set (ax, 'ylim', [low high]);
if plan.tasks > 1
  patch ('XData', [plan.widths, fliplr(plan.widths)], 'YData', [m + s, fliplr(m - s)], 'parent', ax, ...
         'facecolor', 0.25 * blue + 0.75, 'edgecolor', 'none');
  names(1:2) = {sprintf('theory, %d tasks \\pm s.e.', plan.tasks); 'posterior draws \pm s.e.'};
end
for g = 1:numel (gp)
  lines(g+2) = curve (ax, get (ax, 'xlim'), [1 1] * gp(g), red, dashes{g}, 1.5);
end
if isfield (r, 'accuracy_sampled')
  [ms, bar] = mean_error (r.accuracy_sampled);
  beside = 1.07 * plan.sampled;                  % so that neither hides the other
  if plan.tasks > 1, error_bars (ax, beside, ms, bar, [0 0 0], 1.2, 0.04); end
  lines(2) = curve (ax, beside, ms, [0 0 0], 'none', 1.2, 'o', 6);
end
lines(1) = curve (ax, plan.widths, m, blue, '-', 1.5, 'x', 8);
label_axes (ax, letter, r.title, 'width N', 'test accuracy (%)');
there = ishghandle (lines) & lines ~= 0;
key = legend (lines(there), names(there));
set (key, 'box', 'off', 'fontsize', 9);
above = min (m(plan.widths <= 50));              % the key goes into the widest gap on the left, below the curve
levels = sort ([low, gp(gp < above), above]);
[~, widest] = max (diff (levels));
at = get (key, 'position');
bottom = place(2) + place(4) * (mean (levels(widest:widest+1)) - low) / (high - low) - at(4) / 2;
set (key, 'position', [place(1) + 0.012, bottom, at(3:4)]);
end

function lowest = draw_U (fig, r, plan, left, bottom, extent)
% Images: a column for each width, with the theory and below it, where that width was sampled, the draws
sources = {'theory', 'draws'};
for k = 1:numel (r.U_at)
  N = r.U_at(k);
  models = r.solution(plan.widths == N);
  if isfield (r, 'sample'), models = [models, r.sample(plan.sampled == N)]; end
  for row = 1:numel (models)
    ax = axes ('parent', fig, 'position', [left(k), bottom(row), extent], 'fontsize', 9);
    attnpath_plot (models{row}, 'order', 'Parent', ax, 'Names', r.path_names, 'Paths', r.shown);
    title (ax, sprintf ('U, N = %d, %s', N, sources{row}), 'fontweight', 'normal', 'fontsize', 9);
    if k > 1, set (ax, 'yticklabel', {}); end
    if row < numel (models)                      % the row below has the names
      set (ax, 'xticklabel', {});
      delete (findobj (ax, 'type', 'text', 'rotation', 90));
    end
  end
  lowest(k) = ax;
end
end
