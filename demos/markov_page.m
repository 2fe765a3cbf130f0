function markov_page (result, plan, folder)
%MARKOV_PAGE  The figure of experiment_markov, written as plan.name.
%
%   markov_page (result, plan, folder)
%   Inputs :  result, of the sweep, widths (the last Inf) x seeds x experiments;  plan, struct of settings;  folder

% SPDX-License-Identifier: BSD-3-Clause

fig = figure_page ([12 8.6]);
if isempty (fig), return; end
four = result(:,:,strcmp (plan.experiments, 'four'));
two = result(:,:,strcmp (plan.experiments, 'two'));
draw_accuracy (fig, [0.07 0.645 0.44 0.305], 'c', four, 'four', plan);
lowest = draw_U (fig, four, 'four', plan, [0.07 0.2225 0.375], [0.345 0.105], [0.135 0.205]);
text (0.5 + (0.2225 - 0.07) / 0.135, -0.43, 'colours: U over the largest |U| of its image', 'units', 'normalized', ...
      'fontsize', 9, 'horizontalalignment', 'center', 'parent', lowest(1));             % below the second column
draw_accuracy (fig, [0.60 0.09 0.19 0.44], 'e', two, 'two', plan);
draw_U (fig, two, 'two', plan, 0.87, [0.355 0.09], [0.115 0.175]);
ax = axes ('parent', fig, 'position', [0.60 0.645 0.385 0.305]);
d = markov_data ('Experiment', 'four', 'Ptest', plan.Ptest, 'Seed', 1);
net = d.net;
net.width(:) = plan.widths(1);
attnpath_plot (struct ('net', net, 'U', four(1).U, 'paths', d.train, 'y', d.ytrain), 'alignment', 'Parent', ax, ...
               'Components', 30);
label_axes (ax, 'd', 'four paths', '', '');
save_figure (fig, folder, plan.name);
end

function draw_accuracy (fig, place, letter, r, name, plan)
blue = [0.00 0.32 0.62];
red = [0.80 0.10 0.10];
dashes = {'-', '--', ':'};
ticks = [10 30 100 300 1000];
far = plan.widths(end) > 3000;
if far, ticks = [10 100 1000 10000]; end
ax = log_axes (fig, place, plan.widths([1 end]) .* [0.8 1.3], ticks);
theory = reshape ([r(1:end-1,:).accuracy], numel (plan.widths), [])';
[m, s] = mean_error (theory);
gp = mean (reshape ([r(end,:).gp], [], size (r, 2)), 2)';
names = [{'theory'; 'posterior draws'}; plan.gp.(name)(:,1)];
low = floor (min ([m-s, gp]) / 2) * 2 - 2;
high = min (100, ceil (max ([m+s, gp]) / 2) * 2 + 2);
if far, low = low - 0.55 * (high - low); end
set (ax, 'ylim', [low high]);
tasks = size (r, 2);
if tasks > 1
  patch ('XData', [plan.widths, fliplr(plan.widths)], 'YData', [m + s, fliplr(m - s)], 'parent', ax, ...
         'facecolor', 0.25 * blue + 0.75, 'edgecolor', 'none');
  names(1:2) = {sprintf('theory, %d tasks \\pm s.e.', tasks); 'posterior draws \pm s.e.'};
end
for g = 1:numel (gp)
  lines(g+2) = curve (ax, get (ax, 'xlim'), [1 1] * gp(g), red, dashes{g}, 1.5);
end
[~, drawn] = ismember (plan.sampled, plan.widths);
[ms, bar] = mean_error (reshape ([r(drawn,:).sampled], numel (drawn), [])');
beside = 1.07 * plan.sampled;                    % so that neither hides the other
if tasks > 1, error_bars (ax, beside, ms, bar, [0 0 0], 1.2, 0.04); end
lines(2) = curve (ax, beside, ms, [0 0 0], 'none', 1.2, 'o', 6);
lines(1) = curve (ax, plan.widths, m, blue, '-', 1.5, 'x', 8);
label_axes (ax, letter, plan.title.(name), 'width N', 'test accuracy (%)');
key = legend (lines, names);
set (key, 'box', 'off', 'fontsize', 9);
if far                                           % below everything: the curve takes less of the width
  set (key, 'location', 'southwest');
  return
end
above = min (m(plan.widths <= 50));              % the key goes into the widest gap on the left, below the curve
levels = sort ([low, gp(gp < above), above]);
[~, widest] = max (diff (levels));
at = get (key, 'position');
bottom = place(2) + place(4) * (mean (levels(widest:widest+1)) - low) / (high - low) - at(4) / 2;
set (key, 'position', [place(1) + 0.012, bottom, at(3:4)]);
end

function lowest = draw_U (fig, r, name, plan, left, bottom, extent)
% Images: a column for each width, with the theory and below it, where that width was sampled, the draws
sources = {'theory', 'draws'};
for k = 1:numel (plan.U_at.(name))
  N = plan.U_at.(name)(k);
  at = r(plan.widths == N,1);
  images = {at.U, at.Udraws};
  for row = find (~cellfun (@isempty, images))
    ax = axes ('parent', fig, 'position', [left(k), bottom(row), extent], 'fontsize', 9);
    model = struct ('net', attnpath_net (plan.H.(name)), 'U', images{row});
    attnpath_plot (model, 'order', 'Parent', ax, 'Names', plan.path_names.(name), 'Paths', plan.shown.(name));
    title (ax, sprintf ('U, N = %d, %s', N, sources{row}), 'fontweight', 'normal', 'fontsize', 9);
    if k > 1, set (ax, 'yticklabel', {}); end
    if row < 2 && ~isempty (at.Udraws)           % the row below has the names
      set (ax, 'xticklabel', {});
      delete (findobj (ax, 'type', 'text', 'rotation', 90));
    end
  end
  lowest(k) = ax;
end
end
