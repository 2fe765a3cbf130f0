function experiment_copy ()
%EXPERIMENT_COPY  Attention that is learned: from how many sequences the posterior over heads learns to copy
%
%   The symbol at each token is to be named one token later. One bilinear head has to be learned, 196 numbers for eight
%   symbols and six tokens; values are integrated out. Panels:
%     (a) accuracy on new sequences against the number of training sequences, at the GP limit: draws from the exact
%         posterior over heads (attnpath_sample, Method 'attention'), maximum of the evidence, even attention, and the
%         copying head
%     (b) weight on the token that has the answer, of chains that start in the prior and at the copying head
%     (c) accuracy of the posterior at finite widths and at the limit, where outputs are the binary digits of symbols
%     (d) weight for other numbers of tokens and symbols and other prior scales of scores
%     (e) mean attention maps over the posterior, below, at and above the transition
%   Prints these numbers and writes demo_copy.png and demo_copy.pdf into the current directory or the folder in the
%   environment variable ATTNPATH_DEMO_DIR. It needs a graphics toolkit: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/run_demo.m copy
%   It takes an hour: if the environment variable ATTNPATH_CELLS names a folder, an interrupted sweep resumes (see
%   sweep_cells).
%
%   See also attnpath_demo, attnpath_sample, attnpath_attention, attnpath_task_copy.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_copy');
plan = settings ();
[beside, single] = deal (plan);
[beside.beside, single.starts] = deal (true, 1);
limit = sweep_cells ('demo_copy', @(c) copy_cell (c, beside), ...
                     struct ('P', plan.P, 'seed', 1:plan.seeds, 'width', Inf, 'where', 1));
widths = sweep_cells ('demo_copy_widths', @(c) copy_cell (c, plan), ...
                      struct ('P', plan.few, 'seed', 1:plan.fewer, 'width', plan.widths, 'where', 2));
others = sweep_cells ('demo_copy_where', @(c) copy_cell (c, single), ...
                      struct ('P', plan.some, 'seed', 1:plan.fewer, 'width', Inf, 'where', 3:size (plan.where, 1)));
print_limit (limit, plan);
print_widths (widths, plan);
print_where (others, plan);
draw_page (limit, widths, others, plan, folder);
end

function plan = settings ()
plan.P = [3 4 5 6 7 8 12 24];
plan.seeds = 5;
plan.few = [4 6 8 12];
plan.widths = [5 20 Inf];
plan.fewer = 3;
plan.some = [4 5 6 8 12 16];
%             tokens, symbols, prior scale of scores, digits
plan.where = [6 8 4 0; 6 8 4 1; 4 8 4 0; 8 8 4 0; 6 4 4 0; 6 16 4 0; 6 8 2 0; 6 8 8 0];
plan.Ptest = 100;
plan.starts = 2;
plan.beside = false;
plan.climb = 60;                 % steps uphill to the maximum of the evidence
plan.fixed = {'Display', false};
plan.sampler = {'Chains', 2, 'Draws', 400, 'Warmup', 400, 'Display', false};
plan = quick_mode (plan, struct ('P', [3 8], 'seeds', 2, 'few', 4, 'widths', [5 Inf], 'fewer', 1, 'some', 4, ...
                   'where', [4 4 4 0; 4 4 4 1; 3 4 4 0], 'Ptest', 20, 'climb', 3, 'sampler', ...
                   {{'Chains', 2, 'Draws', 40, 'Warmup', 40, 'Display', false}}));
end

function [m, half] = over_seeds (cells, name, k)
% Rows: the first dimension of cells
x = arrayfun (@(c) c.(name)(k), cells);
[m, half] = mean_error (x');
end

function print_limit (cells, plan)
fprintf ('\nCopying, %d symbols, %d tokens, GP limit: accuracy in %% on new sequences, mean +- s.e. of %d tasks\n', ...
         plan.where(1,2), plan.where(1,1), plan.seeds);
names = {'posterior', 'from copying', 'max. evidence', 'even', 'copying head'};
fprintf ('  sequences%s   weight    from copying   R-hat\n', sprintf ('  %-14s', names{:}));
for k = 1:numel (plan.P)
  texts = arrayfun (@(j) percent_text (arrayfun (@(c) c.accuracy(j), cells(k,:))'), 1:5);
  [w, half] = arrayfun (@(j) over_seeds (cells(k,:), 'weight', j), 1:2);
  fprintf ('  %9d%s  %.2f +- %.2f  %.2f +- %.2f  %.2f\n', plan.P(k), sprintf ('  %-14s', texts{:}), ...
           [w; half], max ([cells(k,:).rhat]));
end
end

function print_widths (cells, plan)
fprintf ('\nBinary digits of symbols as outputs: accuracy in %%, weight, largest R-hat of %d tasks\n', plan.fewer);
for j = 1:numel (plan.widths)
  for k = 1:numel (plan.few)
    here = cells(k,:,j);
    fprintf ('  width %4g, %3d sequences: %s  %.2f  %.2f\n', plan.widths(j), plan.few(k), ...
             first_of (percent_text (arrayfun (@(c) c.accuracy(1), here)')), over_seeds (here, 'weight', 1), ...
             max ([here.rhat]));
  end
end
end

function print_where (cells, plan)
fprintf ('\nWeight on the right token, and where it passes the middle between even attention and 1\n');
fprintf ('  tokens  symbols  scale%s   sequences\n', sprintf ('%7d', plan.some));
for j = 1:size (cells, 4)
  row = plan.where(2+j,:);
  w = arrayfun (@(k) over_seeds (cells(k,:,1,j), 'weight', 1), 1:numel (plan.some));
  fprintf ('  %6d  %7d  %5g%s   %s\n', row(1:3), sprintf ('%7.2f', w), crossing (plan.some, w, row(1)));
end
end

function text = crossing (P, w, T)
middle = (1 + 1 / T) / 2;
k = find (w > middle, 1);
text = 'beyond';
if ~isempty (k) && k > 1
  text = sprintf ('%.1f', P(k-1) + (P(k) - P(k-1)) * (middle - w(k-1)) / (w(k) - w(k-1)));
elseif ~isempty (k)
  text = sprintf ('below %d', P(1));
end
end

function draw_page (limit, widths, others, plan, folder)
fig = figure_page ([11 9]);
if isempty (fig), return; end
inks = [0.80 0.10 0.10; 0.90 0.55 0.10; 0.00 0.32 0.62; 0.50 0.50 0.50; 0.10 0.55 0.25];
marks = {'o', 's', 'd', 'x', '^'};
ax = log_axes (fig, [0.08 0.60 0.25 0.33], plan.P([1 end]) .* [0.9 1.1], plan.P);
names = {'posterior', 'max. evidence', 'even attention', 'copying head'};
lines = several (ax, plan.P, limit, 'accuracy', [1 3 4 5], inks([1 3 4 5],:), marks([1 3 4 5]));
legend (lines, names, 'box', 'off', 'fontsize', 8, 'location', 'north');
set (ax, 'ylim', [0 150], 'ytick', 0:20:100);      % the key is above the curves
label_axes (ax, 'a', 'GP limit', 'training sequences', 'accuracy (%)');
ax = log_axes (fig, [0.40 0.60 0.25 0.33], plan.P([1 end]) .* [0.9 1.1], plan.P);
lines = several (ax, plan.P, limit, 'weight', [1 2], inks, marks);
legend (lines, {'from the prior', 'from the copying head'}, 'box', 'off', 'fontsize', 8, 'location', 'southeast');
set (ax, 'ylim', [0 1]);
label_axes (ax, 'b', 'both starts', 'training sequences', 'weight on the right token');
ax = log_axes (fig, [0.72 0.60 0.25 0.33], plan.few([1 end]) .* [0.9 1.1], plan.few);
for j = 1:numel (plan.widths)
  lines(j) = several (ax, plan.few, widths(:,:,j), 'accuracy', 1, inks(j,:), marks(j));
end
names = arrayfun (@(w) sprintf ('N = %g', w), plan.widths, 'UniformOutput', false);
legend (lines, names, 'box', 'off', 'fontsize', 8, 'location', 'southeast');
set (ax, 'ylim', [0 105]);
label_axes (ax, 'c', 'finite widths', 'training sequences', 'accuracy (%)');
ax = log_axes (fig, [0.08 0.09 0.38 0.38], plan.some([1 end]) .* [0.9 1.1], plan.some);
colours = [0.8 0.1 0.1; 0.9 0.55 0.1; 0.1 0.55 0.25; 0 0.32 0.62; 0.5 0.2 0.6; 0.3 0.3 0.3];
lines = [];
for j = 1:size (others, 4)
  lines(j) = several (ax, plan.some, others(:,:,1,j), 'weight', 1, colours(mod (j - 1, 6) + 1,:), {'o'});
end
rows = plan.where(3:end,1:3);
legend (lines, arrayfun (@(j) sprintf ('T %d, C %d, s %g', rows(j,:)), 1:size (rows, 1), 'UniformOutput', false), ...
        'box', 'off', 'fontsize', 8, 'location', 'northwest');
set (ax, 'ylim', [0 1]);
label_axes (ax, 'd', 'other tasks and scales', 'training sequences', 'weight on the right token');
shown = unique ([1, ceil(numel (plan.P) / 2), numel(plan.P)]);
for k = 1:numel (shown)
  ax = axes ('parent', fig, 'position', [0.53 + 0.155 * (k - 1), 0.16, 0.14, 0.22], 'fontsize', 8);
  imagesc (limit(shown(k),1).map, 'parent', ax, [0 1]);
  axis (ax, 'square');
  heading = sprintf ('P = %d', plan.P(shown(k)));
  if k == 1
    label_axes (ax, 'e', heading, 'query', 'key', 1.15);
  else
    title (ax, heading, 'fontweight', 'normal', 'fontsize', 10);
  end
end
save_figure (fig, fullfile (folder, 'demo_copy'));
end

function lines = several (ax, P, cells, name, which, inks, marks)
for j = 1:numel (which)
  for k = 1:numel (P), [m(k), half(k)] = over_seeds (cells(k,:), name, which(j)); end
  if size (cells, 2) > 1, error_bars (ax, P, m, half, inks(j,:), 1, 0.03); end
  lines(j) = curve (ax, P, m, inks(j,:), '-', 1.3, marks{j}, 6);
end
end

function x = first_of (list)
x = list{1};
end
