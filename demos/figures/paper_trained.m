function paper_trained (folder)
%PAPER_TRAINED  Three layers of three heads and two of eight, trained on images: accuracy against width, and pruning.
%
%   paper_trained (folder)
%   The larger networks of the appendix of [1], trained by gradient descent on the one-shot task; they come with the
%   demos. Panels: (a) accuracy on held-out classes against width, with GP limits and the trained networks themselves;
%   temperature by leave-one-out error; (b), (c) accuracy of each trained network while heads are removed: in order of
%   the theory's |U| as in [1], of the loss by ablation on the training sequences, and at random.
%   ATTNPATH_TRAIN=1 trains the networks again, twenty minutes each, and writes them into the folder of the figures.
%   Without Omniglot, sequences are of made-up characters, on which no network was trained: the table has the source.
%   See also oneshot_network, paper_networks, experiment_oneshot.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('P', 600, 'Pvalid', 2, 'Ptest', 1000, 'drawings', 1, 'temperatures', [0.1 0.25 0.5 1], ...
                           'pruned', 10, 'Pprune', 4000), ...
                   struct ('P', 60, 'Ptest', 60, 'temperatures', [0.25 0.5], 'Pprune', 100));
axis_of = quick_mode (struct ('widths', [10 100 1000], 'seeds', 1:5), ...
                      struct ('widths', 10, 'seeds', 1));
networks = {'3x3_cosine_12000_s1', '2x8_cosine_12000_s1'};
names = {'3 layers of 3 heads', '2 layers of 8 heads'};
if strcmp (getenv ('ATTNPATH_TRAIN'), '1'), networks = trained_anew (folder, networks); end
data = oneshot_data (1, setfield (plan, 'network', networks{1}));
characters = 'Omniglot';
if strncmp (data.source.train, 'generator', 9), characters = 'generator'; end
grid = struct ('width', [axis_of.widths Inf], 'seed', axis_of.seeds, 'network', {networks});
result = sweep_cells (['trained_' characters], @(c) trained_cell (c, plan), grid);

for e = 1:2
  r = result(:,:,e);
  fprintf ('\n%s, trained on images; here training and test sequences are of\n  %s\n  %s\n', names{e}, ...
           data.source.train, data.source.test);
  fprintf ('  width N   held-out classes   temperatures         evaluations\n');
  for w = 1:size (r, 1)
    chosen{w,1} = strjoin (arrayfun (@num2str, unique ([r(w,:).T]), 'UniformOutput', false), ' ');
  end
  print_rows ('  %7g   %s    %-18s  %9.1f\n', [axis_of.widths Inf]', percent_text (field_of (r, 'accuracy')), ...
              chosen, mean (field_of (r, 'evaluations'), 1)');
  print_rows ('  trained   %s\n', percent_text ([r(1,:).trained]'));
  fprintf ('  largest gradnorm of all solutions %.1e\n', max ([r.gradnorm]));
  [m, s] = mean_error (cat (1, r(axis_of.widths == plan.pruned,:).worth));
  fprintf ('  rank correlation with the accuracy lost: |U| %.2f +- %.2f, ablation %.2f +- %.2f\n', [m; s]);
  fprintf ('  accuracy of the trained network, all test classes, heads removed: by |U|, by ablation, at random\n');
  removal_table (removals_of (r(axis_of.widths == plan.pruned,:)));
end

fig = figure_page ([12 4.4]);
if isempty (fig), return; end
draw_accuracy (fig, result, names, axis_of);
letters = 'bc';
orders = {sprintf('in order of |U|, N = %d', plan.pruned), 'by ablation on training sequences', 'at random'};
for e = 1:2
  removal_panel (fig, [0.09 + 0.32 * e, 0.17, 0.25, 0.68], letters(e), ['trained network, ' names{e}], ...
                 removals_of (result(axis_of.widths == plan.pruned,:,e)), orders);
end
note_characters (fig, data.source.train);
save_figure (fig, fullfile (folder, 'figure_trained'));
end

function files = trained_anew (folder, networks)
heads = {[3 3 3], [8 8]};
for k = 1:numel (networks)
  files{k} = fullfile (folder, ['oneshot_' networks{k} '.mat']);
  if exist (files{k}, 'file') == 2, continue; end
  oneshot_train (files{k}, true, 'Heads', heads{k}, 'Rate', 2.5e-4, 'Schedule', 'cosine', 'Steps', 12000, 'Seed', 1, ...
                 'Checkpoint', [files{k} '.checkpoint']);
end
end

function draw_accuracy (fig, result, names, axis_of)
inks = {[0.00 0.32 0.62], [0.80 0.10 0.10]};
marks = 'xo';
count = numel (axis_of.widths);
ax = log_axes (fig, [0.07 0.17 0.25 0.68], axis_of.widths([1 end]) .* [0.8 1.3], axis_of.widths);
for e = 1:2
  [m, s] = mean_error (field_of (result(:,:,e), 'accuracy'));
  error_bars (ax, axis_of.widths, m(1:count), s(1:count), inks{e}, 1.2, 0.03);
  lines(e) = curve (ax, axis_of.widths, m(1:count), inks{e}, '-', 1.4, marks(e), 6);
  lines(e+2) = curve (ax, get (ax, 'xlim'), m([end end]), inks{e}, '--', 1.2);
  lines(e+4) = curve (ax, get (ax, 'xlim'), [1 1] * mean ([result(1,:,e).trained]), inks{e}, ':', 1.6);
end
limits = get (ax, 'ylim');
set (ax, 'ylim', [limits(1) - 0.75 * diff(limits), limits(2)]);
label_axes (ax, 'a', 'T by leave-one-out', 'width N', 'accuracy on held-out classes (%)');
what = {'%s', 'GP limit, %s', 'trained, %s'};
for k = 1:3, texts(2*k-1:2*k) = cellfun (@(name) sprintf (what{k}, name), names, 'UniformOutput', false); end
set (legend (lines, texts, 'location', 'southwest'), 'box', 'off', 'fontsize', 8);
end
