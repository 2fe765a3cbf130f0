function experiment_markov (changes)
%EXPERIMENT_MARKOV  Hidden Markov chain task: accuracy against width, order parameter, alignment (Figure 2 of [1])
%
%   experiment_markov ()
%   experiment_markov (changes)
%
%   Two networks with fixed attention learn to distinguish chains that stay in their state from chains that leave
%   it. Panels as in Figure 2 of [1]:
%     (c) test accuracy against width N, by the theory and by draws from the exact posterior, with the
%         Gaussian-process (GP) limits of the whole network and of two smaller ones; below it the order
%         parameter U, the weight of each pair of paths, of the theory and of the draws
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) as (c), with stronger noise and a network of the good and the denoising path only
%   Prints these numbers and writes demo_markov.png and demo_markov.pdf into the current directory or the
%   folder in the environment variable ATTNPATH_DEMO_DIR. It needs a graphics toolkit: on a machine without a
%   display, xvfb-run -a octave --no-gui demos/run_demo.m markov
%   changes is a struct of settings that replace those below.
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   See also attnpath_demo, attnpath_task_markov, attnpath_solve, attnpath_predict, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, changes = struct (); end
folder = figure_folder ('demo_markov');
plan = settings (changes);
grid = struct ('width', [plan.widths, Inf], 'seed', 1:plan.tasks, 'experiment', {plan.experiments});
bare = plan;                      % the theory takes seconds, the draws minutes
bare.sampled = [];
fprintf ('Theory: %d tasks of each kind, %d widths\n', plan.tasks, numel (plan.widths));
result = sweep_cells ([plan.name '_theory'], @(c) markov_cell (c, bare), grid);
draw_page (result, plan, folder);
fprintf ('\nThe same with draws from the exact posterior, at %d widths\n', numel (plan.sampled));
grid.width = plan.sampled;
[~, place] = ismember (plan.sampled, plan.widths);
result(place,:,:) = sweep_cells (plan.name, @(c) markov_cell (c, plan), grid);
print_tables (result, plan);
draw_page (result, plan, folder);
fprintf ('Panels (c), (d) and (e) are those of Figure 2 of the paper\n');
end

function plan = settings (changes)
plan.name = 'demo_markov';
plan.widths = [10 30 50 100 300 500 1000];
plan.sampled = [10 30 100 1000];  % widths at which the posterior is sampled as well
plan.tasks = 5;                   % random tasks: curves are means over them, bands and bars their standard error
plan.sampler = {'Display', false};                % 1000 draws of each of four chains
plan.averaged = 100;              % draws of U whose predictors are averaged
plan.Ptest = 1000;
for name = fieldnames (changes)'
  plan.(name{1}) = changes.(name{1});
end
plan = quick_mode (plan, struct ('sampled', [10 1000], 'tasks', 1, 'averaged', 40, 'Ptest', 200));

% For each experiment: the order in which its paths are shown (the task lists them as (1,1), (1,2), (2,1), (2,2); here
% the two useful ones come first), the widths whose U is shown, and the GP limits: label, and heads to remove as rows
% [layer head]. A GP limit of fewer paths is that of the smaller network, with the average kernel of its own paths.
plan.experiments = {'four', 'two'};
plan.title = struct ('four', 'four paths', 'two', 'two paths, perpendicular noise 5');
plan.H = struct ('four', [2 2], 'two', [2 1]);
plan.path_names = struct ('four', {{'good'; 'adv. 1'; 'denoising'; 'adv. 2'}}, 'two', {{'good'; 'denoising'}});
plan.shown = struct ('four', [1 3 2 4], 'two', [1 2]);
plan.U_at = struct ('four', [10 100 1000], 'two', [10 100 1000]);
plan.gp = struct ('four', {{'GP, all paths',        zeros(0, 2)
                            'GP, good path',        [1 2; 2 2]
                            'GP, good + denoising', [2 2]}}, ...
                  'two', {{'GP, both paths', zeros(0, 2)
                           'GP, good path',  [1 2]}});
end

% ---- tables -----------------------------------------------------------------------------------------------

function print_tables (result, plan)
% Print the results of experiment_markov.
% Inputs :  result, of the sweep, widths (the last Inf) x seeds x experiments;  plan, struct of settings
for e = 1:numel (plan.experiments)
  print_experiment (result(:,:,e), plan.experiments{e}, plan);
end
first = result(plan.widths == plan.sampled(1),1,strcmp (plan.experiments, 'four')).langevin;
if isempty (first), return; end
fprintf ('\nU at N = %d, four paths, by Langevin dynamics of the weights (standard errors up to %.2g; %s)\n', ...
         plan.sampled(1), first.mcse, first.reason);
print_U (first.U(plan.shown.four,plan.shown.four), 'four', plan);
end

function print_experiment (r, name, plan)
theory = r(1:end-1,:);
column = @(field, of) reshape ([theory(of,:).(field)], numel (of), []);
all_widths = 1:numel (plan.widths);
[~, drawn] = ismember (plan.sampled, plan.widths);
gp = reshape ([r(end,:).gp], [], size (r, 2))';
fprintf ('\nHidden Markov chain task, %s. Tasks: %d, each of %d training and %d test sequences\n', ...
         plan.title.(name), size (r, 2), 100, plan.Ptest);
fprintf ('  width N   test accuracy   gradnorm  hessian_min  evaluations  time per solve\n');
print_rows ('  %7d   %s   %8.1e  %11.4f  %11.1f  %11.1f ms\n', plan.widths', ...
            percent_text (column ('accuracy', all_widths)'), max (column ('gradnorm', all_widths), [], 2), ...
            min (column ('hessian_min', all_widths), [], 2), mean (column ('evaluations', all_widths), 2), ...
            1000 * median (column ('seconds', all_widths), 2));
fprintf ('  width N   sampled         largest R-hat   smallest ESS   time per sample\n');
rhat = max (column ('rhat', drawn), [], 2);
ess = min (column ('ess', drawn), [], 2);
poor = rhat > 1.01 | ess < 400;
marks = {' '; '*'};
print_rows ('  %7d   %s   %10.3f   %12.0f %s %13.1f s\n', plan.sampled', percent_text (column ('sampled', drawn)'), ...
            rhat, ess, marks(1 + poor), median (column ('sampling', drawn), 2));
if any (poor)
  fprintf ('  * not converged by the rule R-hat up to 1.01, effective sample size 400 or more: errors may be larger\n');
end
print_rows ('            %s   %s\n', percent_text (gp), plan.gp.(name)(:,1));
at_ends = {r(1,:).share; r(end,:).share};
[m, s] = mean_error (cell2mat (at_ends)');
fprintf (['  share of |y|^2 in the first 5 of 100 components of the kernel: N = %d %.2f +- %.2f, GP limit %.2f +- ' ...
          '%.2f\n'], plan.widths(1), [m; s]);
for N = plan.U_at.(name)
  fprintf ('  U at N = %d, seed 1: theory, with an error of O(1/N); to the next order', N);
  at = theory(plan.widths == N,1);
  part = @(U) U(plan.shown.(name),plan.shown.(name));
  U = [part(at.U), part(at.next)];
  if ~isempty (at.Udraws)
    U = [U, part(at.Udraws)];
    fprintf ('; mean of the draws, standard errors up to %.2g', at.mcse);
  end
  fprintf ('\n');
  print_U (U, name, plan);
  fprintf ('  standard deviations of U over the posterior, of the next order\n');
  print_U (part (at.next_sd), name, plan);
  if ~isempty (at.Udraws)
    fprintf (['    Theory and draws differ by up to %.2g %% of the largest entry: O(1/N) terms that the theory ' ...
              'neglects\n'], ...
             100 * max (abs (at.U(:) - at.Udraws(:))) / max (abs (at.Udraws(:))));
  end
end
end

function print_U (U, name, plan)
print_rows (['    %-10s' repmat('%9.3f', 1, size (U, 2)) '\n'], plan.path_names.(name)(plan.shown.(name)), U);
end

% ---- the page ---------------------------------------------------------------------------------------------

function draw_page (result, plan, folder)
% The figure of experiment_markov, written as plan.name.
% Inputs :  result, of the sweep, widths (the last Inf) x seeds x experiments;  plan, struct of settings;  folder
fig = figure_page ([12 8.6]);
if isempty (fig), return; end
four = result(:,:,strcmp (plan.experiments, 'four'));
two = result(:,:,strcmp (plan.experiments, 'two'));
draw_accuracy (fig, [0.07 0.645 0.44 0.305], 'c', four, 'four', plan);
[x, y] = meshgrid ([0.07 0.2225 0.375], [0.345 0.105]);
lowest = draw_U (fig, four, 'four', plan, x, y, [0.135 0.205]);
text (0.5 + (0.2225 - 0.07) / 0.135, -0.43, 'images: U; colours over the largest |U| of each', 'units', ...
      'normalized', 'fontsize', 9, 'horizontalalignment', 'center', 'parent', lowest(1));    % below the second column
draw_accuracy (fig, [0.60 0.09 0.16 0.44], 'e', two, 'two', plan);
[y, x] = meshgrid ([0.41 0.2575 0.105], [0.825 0.908]);
draw_U (fig, two, 'two', plan, x, y, [0.077 0.077*12/8.6]);
ax = axes ('parent', fig, 'position', [0.60 0.645 0.385 0.305]);
d = markov_data ('Experiment', 'four', 'Ptest', plan.Ptest, 'Seed', 1);
net = d.net;
net.width(:) = plan.widths(1);
attnpath_plot (struct ('net', net, 'U', four(1).U, 'paths', d.train, 'y', d.ytrain), 'alignment', 'Parent', ax, ...
               'Components', 30);
label_axes (ax, 'd', 'four paths', '', '');
save_figure (fig, fullfile (folder, plan.name));
end

function draw_accuracy (fig, place, letter, r, name, plan)
blue = [0.00 0.32 0.62];
red = [0.80 0.10 0.10];
dashes = {'-', '--', ':'};
ticks = [10 30 100 300 1000];
far = plan.widths(end) > 3000;
corner = strcmp (graphics_toolkit (fig), 'gnuplot');             % gnuplot puts a key only into a corner
roomy = far || corner;
if far, ticks = [10 100 1000 10000]; end
ax = log_axes (fig, place, plan.widths([1 end]) .* [0.8 1.3], ticks);
theory = reshape ([r(1:end-1,:).accuracy], numel (plan.widths), [])';
[m, s] = mean_error (theory);
gp = mean (reshape ([r(end,:).gp], [], size (r, 2)), 2)';
names = [{'theory'; 'draws (right of N)'}; plan.gp.(name)(:,1)];
low = floor (min ([m, m-s, gp]) / 2) * 2 - 2;
high = min (100, ceil (max ([m, m+s, gp]) / 2) * 2 + 2);
if roomy, low = low - (0.55 + 0.2 * corner) * (high - low); end
set (ax, 'ylim', [low high]);
tasks = size (r, 2);
if tasks > 1
  patch ('XData', [plan.widths, fliplr(plan.widths)]', 'YData', [m + s, fliplr(m - s)]', 'parent', ax, ...
         'facecolor', 0.25 * blue + 0.75, 'edgecolor', 'none');
  names(1:2) = {sprintf('theory, %d tasks \\pm s.e.', tasks); 'draws (right of N) \pm s.e.'};
end
for g = 1:numel (gp)
  lines(g+2) = curve (ax, get (ax, 'xlim'), [1 1] * gp(g), red, dashes{g}, 1.5);
end
[~, drawn] = ismember (plan.sampled, plan.widths);
[ms, bar] = mean_error (reshape ([r(drawn,:).sampled], numel (drawn), [])');
beside = 1.07 * plan.sampled;                    % draws do not hide the theory
if tasks > 1, error_bars (ax, beside, ms, bar, [0 0 0], 1.2, 0.04); end
lines(2) = curve (ax, beside, ms, [0 0 0], 'none', 1.2, 'o', 6);
lines(1) = curve (ax, plan.widths, m, blue, '-', 1.5, 'x', 8);
label_axes (ax, letter, plan.title.(name), 'width N', 'test accuracy (%)');
key = legend (lines, names);
set (key, 'box', 'off', 'fontsize', 9);
if roomy                                         % the key is below all curves
  set (key, 'location', 'southwest');
  return
end
above = min (m(plan.widths <= 50));              % the key is in the widest gap on the left, below the curve
levels = sort ([low, gp(gp < above), above]);
[~, widest] = max (diff (levels));
at = get (key, 'position');
bottom = place(2) + place(4) * (mean (levels(widest:widest+1)) - low) / (high - low) - at(4) / 2;
set (key, 'position', [place(1) + 0.012, bottom, at(3:4)]);
end

function lowest = draw_U (fig, r, name, plan, x, y, extent)
% Images of the theory and, if that width was sampled, of the draws. x and y are corners, with a row for each of the
% two and a column for each width. Only the lowest and leftmost images have names
images = cell (2, numel (plan.U_at.(name)));
for k = 1:size (images, 2)
  at = r(plan.widths == plan.U_at.(name)(k),1);
  images(:,k) = {at.U; at.Udraws};
end
there = ~cellfun (@isempty, images);
sources = {'theory', 'draws'};
for k = find (there)'
  [row, column] = ind2sub (size (images), k);
  ax = axes ('parent', fig, 'position', [x(k), y(k), extent], 'fontsize', 9);
  model = struct ('net', attnpath_net (plan.H.(name)), 'U', images{k});
  attnpath_plot (model, 'order', 'Parent', ax, 'Names', plan.path_names.(name), 'Paths', plan.shown.(name));
  title (ax, sprintf ('N = %d, %s', plan.U_at.(name)(column), sources{row}), 'fontweight', 'normal', 'fontsize', 9);
  if any (there(:) & y(:) == y(k) & x(:) < x(k)), set (ax, 'yticklabel', {}); end
  if any (there(:) & x(:) == x(k) & y(:) < y(k))
    set (ax, 'xticklabel', {});
    delete (findobj (ax, 'type', 'text', 'rotation', 90));
  end
  lowest(column) = ax;
end
end
