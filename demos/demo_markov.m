%DEMO_MARKOV  Hidden Markov chain task: accuracy against width, order parameter, alignment (Figure 2 of [1])
%
%   Two networks with fixed attention learn to tell chains that stay in their state from chains that leave
%   it. Panels as in Figure 2 of [1]:
%     (c) test accuracy against width N, by the theory and by draws from the exact posterior, with the
%         Gaussian-process (GP) limits of the whole network and of two smaller ones; below it the order
%         parameter U, which says how much each pair of paths counts, of the theory and of the draws
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) as (c), with stronger noise and a network of the good and the denoising path only
%   Prints these numbers and writes demo_markov.png and demo_markov.pdf, into the current directory or the
%   folder in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a
%   display, xvfb-run -a octave --no-gui demos/demo_markov.m
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   See also attnpath_demo, attnpath_task_markov, attnpath_solve, attnpath_predict, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

% ---- settings --------------------------------------------------------------------------------------------

clear experiment result
widths = [10 30 50 100 300 500 1000];
sampled = [10 30 100 1000];  % widths at which the posterior is sampled as well
tasks = 5;                       % drawn at random: curves are means over them, bands and bars their standard error
sampler = {'Display', false};    % 1000 draws of each of four chains
averaged = 100;                  % draws of U whose predictors are averaged
seed = 1;                        % of the first draw, whose U and kernels are shown; then seed + 1, ...
temperature = 0.01;
Ptest = 1000;
components = 30;

% Each experiment: its name, a title, the order in which its paths are shown (the task lists them as (1,1),
% (1,2), (2,1), (2,2), here the two that matter come first), the widths whose U is shown, and the GP limits:
% label, and heads to remove as rows [layer head]. A GP limit of fewer paths is that of the smaller network,
% whose kernel is the average over its own paths only.
experiment(1) = struct ('name', 'four', 'title', 'four paths', 'shown', [1 3 2 4], 'U_at', [10 100 1000], ...
                        'gp', {{'GP, all paths',        zeros(0, 2)
                                'GP, good path',        [1 2; 2 2]
                                'GP, good + denoising', [2 2]}});
experiment(2) = struct ('name', 'two', 'title', 'two paths, perpendicular noise 5', 'shown', [1 2], ...
                        'U_at', 10, ...
                        'gp', {{'GP, both paths', zeros(0, 2)
                                'GP, good path',  [1 2]}});

if strcmp (getenv ('ATTNPATH_QUICK'), '1')       % the same with fewer examples, to see whether it runs
  tasks = 1;
  Ptest = 200;
  sampled = [10 1000];
  averaged = 40;
end
if isempty (which ('figure_folder')), addpath (fileparts (mfilename ('fullpath'))); end
folder = figure_folder ('demo_markov');

% ---- theory ----------------------------------------------------------------------------------------------

accuracy = @(mu, y) 100 * mean (sign (mu) == y);
for e = 1:numel (experiment)
  gp = experiment(e).gp;
  result(e).accuracy = zeros (tasks, numel (widths));
  result(e).accuracy_gp = zeros (tasks, size (gp, 1));
  for d = 1:tasks
    task = attnpath_task_markov ('Experiment', experiment(e).name, 'Ptest', Ptest, 'Seed', seed + d - 1);
    net = attnpath_net (task.heads, 'Temperature', temperature);
    train = attnpath_paths (net, task.Xtrain);   % path inputs depend on the heads alone: once for all widths
    test = attnpath_paths (net, task.Xtest);
    for k = 1:numel (widths)
      net.width(:) = widths(k);
      started = tic ();
      sol = attnpath_solve (net, train, task.ytrain);
      result(e).seconds(d,k) = toc (started);
      result(e).accuracy(d,k) = accuracy (attnpath_predict (sol, test), task.ytest);
      result(e).gradnorm(d,k) = sol.gradnorm;
      result(e).hessian_min(d,k) = sol.hessian_min;
      result(e).evaluations(d,k) = sol.evaluations;
      if d == 1, result(e).solution{k} = sol; end
    end
    for k = 1:numel (sampled)
      net.width(:) = sampled(k);
      started = tic ();
      post = attnpath_sample (net, train, task.ytrain, 'Seed', d, sampler{:});
      result(e).sampling(d,k) = toc (started);
      U = post.U(:,:,:);
      U = U(:,:,round (linspace (1, size (U, 3), averaged)));
      result(e).accuracy_sampled(d,k) = accuracy (attnpath_predict (post, test, 'U', U), task.ytest);
      result(e).rhat(d,k) = post.diagnostics.rhat;
      result(e).ess(d,k) = post.diagnostics.ess;
      if d == 1
        result(e).sample{k} = struct ('net', net, 'U', mean (post.U(:,:,:), 3), 'mcse', post.diagnostics.U.mcse);
      end
    end
    for g = 1:size (gp, 1)
      kept = true (size (train.heads, 1), 1);    % the paths through none of the heads removed
      for head = gp{g,2}'
        kept = kept & train.heads(:,head(1)) ~= head(2);
      end
      smaller = struct ('net', attnpath_prune (net, gp{g,2}), 'y', task.ytrain, ...
                        'paths', struct ('Xi', train.Xi(:,:,kept)));
      mu = attnpath_predict (smaller, struct ('Xi', test.Xi(:,:,kept)), 'Limit', 'gp');
      result(e).accuracy_gp(d,g) = accuracy (mu, task.ytest);
    end
    if d == 1, result(e).path_names = strrep (task.path_names, 'adversarial', 'adv.'); end
  end
end

% ---- a second opinion: Langevin dynamics of the weights, of the first network shown ------------------------

second = attnpath_sample (result(1).sample{1}.net, result(1).solution{1}.paths, result(1).solution{1}.y, ...
                          'Method', 'langevin', sampler{:});

% ---- numbers ---------------------------------------------------------------------------------------------

average = @(x) mean (x, 1);
deviation = @(x) std (x, 0, 1) / sqrt (size (x, 1));        % standard error of the mean
percent = @(x) sprintf ('%5.1f +- %3.1f %%', average (x), deviation (x));
if tasks == 1, percent = @(x) sprintf ('%5.1f %%       ', x); end
for e = 1:numel (experiment)
  r = result(e);
  fprintf ('\nHidden Markov chain task, %s. Tasks: %d, each of %d training and %d test sequences\n', ...
           experiment(e).title, tasks, numel (r.solution{1}.y), Ptest);
  fprintf ('  width N   test accuracy   gradnorm  hessian_min  evaluations  time per solve\n');
  for k = 1:numel (widths)
    fprintf ('  %7d   %s   %8.1e  %11.4f  %11.1f  %11.1f ms\n', widths(k), percent (r.accuracy(:,k)), ...
             max (r.gradnorm(:,k)), min (r.hessian_min(:,k)), average (r.evaluations(:,k)), ...
             1000 * median (r.seconds(:,k)));
  end
  fprintf ('  width N   sampled         largest R-hat   smallest ESS   time per sample\n');
  for k = 1:numel (sampled)
    fprintf ('  %7d   %s   %10.3f   %12.0f   %13.1f s\n', sampled(k), percent (r.accuracy_sampled(:,k)), ...
             max (r.rhat(:,k)), min (r.ess(:,k)), median (r.sampling(:,k)));
  end
  for g = 1:size (experiment(e).gp, 1)
    fprintf ('            %s   %s\n', percent (r.accuracy_gp(:,g)), experiment(e).gp{g,1});
  end
  shown = experiment(e).shown;
  for N = experiment(e).U_at
    fprintf ('  U at N = %d, seed %d: theory', N, seed);
    U = r.solution{widths == N}.U(shown,shown);
    if any (sampled == N)
      U = [U, r.sample{sampled == N}.U(shown,shown)];
      fprintf (' on the left, mean of the draws on the right, standard errors up to %.2g', ...
               max (r.sample{sampled == N}.mcse(:)));
    end
    fprintf ('\n');
    for p = 1:numel (shown)
      fprintf ('    %-10s%s\n', r.path_names{shown(p)}, sprintf ('%9.3f', U(p,:)));
    end
  end
end

fprintf ('\nU at N = %d, four paths, by Langevin dynamics of the weights (standard errors up to %.2g; %s)\n', ...
         sampled(1), max (second.diagnostics.U.mcse(:)), second.reason);
U = mean (second.U(:,:,:), 3);
for p = experiment(1).shown
  fprintf ('    %-10s%s\n', result(1).path_names{p}, sprintf ('%9.3f', U(p,experiment(1).shown)));
end

% ---- figure ----------------------------------------------------------------------------------------------

inches = [12 8.6];
try
  fig = figure ('visible', 'off', 'color', [1 1 1], 'units', 'pixels', 'position', [50 50 100*inches], ...
                'paperunits', 'inches', 'papersize', inches, 'paperposition', [0 0 inches], ...
                'defaultaxesfontsize', 10, 'defaulttextfontsize', 10);
catch err
  fprintf ('\nno figure: %s\n', err.message);
  return
end
blue = [0.00 0.32 0.62];
red = [0.80 0.10 0.10];
dashes = {'-', '--', ':'};
place = {[0.07 0.645 0.44 0.305], [0.60 0.09 0.19 0.44]};            % accuracies: left bottom width height
U_left = {[0.07 0.2225 0.375], 0.87};                                % images of U: left edges, one for each width
U_size = {[0.135 0.205], [0.115 0.175]};
U_bottom = {[0.345 0.105], [0.355 0.09]};                            % theory, draws
letters = 'ce';
sources = {'theory', 'draws'};
panel = @(ax, letter) text (-0.55 / (inches(1) * [0 0 1 0] * get (ax, 'position')'), 1.07, ['(' letter ')'], ...
                            'parent', ax, 'units', 'normalized', 'fontweight', 'bold', 'fontsize', 12);

for e = 1:numel (experiment)
  r = result(e);
  ax = axes ('parent', fig, 'position', place{e}, 'xscale', 'log', 'box', 'on', 'layer', 'top', ...
             'xlim', widths([1 end]) .* [0.8 1.3], 'xtick', [10 30 100 300 1000], ...
             'xticklabel', {'10', '30', '100', '300', '1000'}, 'xminortick', 'off');
  m = average (r.accuracy);
  s = deviation (r.accuracy);
  gp = average (r.accuracy_gp);
  set (ax, 'ylim', [floor(min ([m-s, gp]) / 2) * 2 - 2, min(100, ceil (max ([m+s, gp]) / 2) * 2 + 2)]);
  if tasks > 1
    patch ('XData', [widths, fliplr(widths)], 'YData', [m + s, fliplr(m - s)], 'parent', ax, ...
           'facecolor', 0.25 * blue + 0.75, 'edgecolor', 'none');
  end
  names = [{sprintf('theory, %d tasks \\pm s.e.', tasks); 'posterior draws \pm s.e.'}; experiment(e).gp(:,1)];
  if tasks == 1, names(1:2) = {'theory'; 'posterior draws'}; end
  curve = zeros (numel (names), 1);
  for g = 3:numel (names)
    curve(g) = line (get (ax, 'xlim'), [1 1] * gp(g-2), 'parent', ax, 'color', red, ...
                     'linestyle', dashes{g-2}, 'linewidth', 1.5);
  end
  ms = average (r.accuracy_sampled);
  beside = 1.07 * sampled;                       % so that neither hides the other
  bar = deviation (r.accuracy_sampled);
  for k = 1:numel (sampled) * (tasks > 1)
    ends = ms(k) + bar(k) * [-1 1];
    line ([1 1] * beside(k), ends, 'parent', ax, 'color', [0 0 0], 'linewidth', 1.2);
    for at = ends, line (beside(k) * [0.96 1.04], [at at], 'parent', ax, 'color', [0 0 0], 'linewidth', 1.2); end
  end
  curve(2) = line (beside, ms, 'parent', ax, 'color', [0 0 0], 'linestyle', 'none', 'marker', 'o', ...
                   'markersize', 6, 'markerfacecolor', [1 1 1], 'linewidth', 1.2);
  curve(1) = line (widths, m, 'parent', ax, 'color', blue, 'linewidth', 1.5, 'marker', 'x', 'markersize', 8);
  xlabel (ax, 'width N');
  ylabel (ax, 'test accuracy (%)');
  title (ax, experiment(e).title, 'fontweight', 'normal', 'fontsize', 10);
  panel (ax, letters(e));
  key = legend (curve, names);
  set (key, 'box', 'off', 'fontsize', 9);
  low = get (ax, 'ylim');
  levels = sort ([low(1), gp(gp < min (m(widths <= 50))), min(m(widths <= 50))]);
  [~, widest] = max (diff (levels));             % the key goes into the widest gap on the left, below the curve
  at = get (key, 'position');
  at(2) = place{e}(2) + place{e}(4) * (mean (levels(widest:widest+1)) - low(1)) / diff (low) - at(4) / 2;
  set (key, 'position', [place{e}(1) + 0.012, at(2:4)]);

  for k = 1:numel (experiment(e).U_at)
    N = experiment(e).U_at(k);
    models = {r.solution{widths == N}, r.sample{sampled == N}};
    for row = 1:numel (models)                 % one where that width was not sampled
      ax = axes ('parent', fig, 'position', [U_left{e}(k), U_bottom{e}(row), U_size{e}], 'fontsize', 9);
      if e == 1 && k == 2, U_axes = ax; end
      attnpath_plot (models{row}, 'order', 'Parent', ax, 'Names', r.path_names, 'Paths', experiment(e).shown);
      title (ax, sprintf ('U, N = %d, %s', N, sources{row}), 'fontweight', 'normal', 'fontsize', 9);
      if k > 1, set (ax, 'yticklabel', {}); end
      if row < numel (models)                  % the row below has the names
        set (ax, 'xticklabel', {});
        delete (findobj (ax, 'type', 'text', 'rotation', 90));
      end
    end
  end
end
text (0.5, -0.43, 'colours: U over the largest |U| of its image', 'units', 'normalized', 'fontsize', 9, ...
      'horizontalalignment', 'center', 'parent', U_axes);

ax = axes ('parent', fig, 'position', [0.60 0.645 0.385 0.305]);
attnpath_plot (result(1).solution{1}, 'alignment', 'Parent', ax, 'Components', components);
title (ax, 'four paths', 'fontweight', 'normal', 'fontsize', 10);
panel (ax, 'd');

print (fig, fullfile (folder, 'demo_markov.png'), '-dpng', '-r150');
fprintf ('\nwrote %s\n', fullfile (folder, 'demo_markov.png'));
print (fig, fullfile (folder, 'demo_markov.pdf'), '-dpdf');      % needs ghostscript
fprintf ('wrote %s\n', fullfile (folder, 'demo_markov.pdf'));
close (fig);
