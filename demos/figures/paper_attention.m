function paper_attention (folder)
%PAPER_ATTENTION  Attention maps of the hidden Markov chain task, and the weights of tokens in each path.
%
%   paper_attention (folder)
%   Maps of the four heads on one sequence; below them the weight of each token in each of the four paths, Omega^1
%   Omega^2 e, and the state of each token. The figure is not in [1].

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('tasks', 5, 'P', 100), struct ('tasks', 2, 'P', 10));
result = sweep_cells ('attention', @(c) attention_cell (c, plan), struct ('seed', 1:plan.tasks));
[m, s] = mean_error (vertcat (result.mass));
fprintf ('\nAttention of the good head (1.1), %d tasks of %d sequences\n', plan.tasks, plan.P);
fprintf ('  previous token in    to the previous token   to the empty one\n');
print_rows ('  %-18s   %.3f +- %.4f          %.3f +- %.4f\n', {'the same state'; 'the other state'}, [m(1); m(2)], ...
            [s(1); s(2)], [m(3); m(4)], [s(3); s(4)]);
[m, s] = mean_error (vertcat (result.effective));
fprintf ('  effective number of tokens of a head, exp (entropy) of its attention\n');
print_rows ('  head %s   %5.2f +- %.2f\n', {'1.1'; '1.2'; '2.1'; '2.2'}, m', s');
fprintf ('  largest difference of head 2.1 from uniform attention %.1e\n', max ([result.uniform]));

fig = figure_page ([12 6.6]);
if isempty (fig), return; end
set (fig, 'colormap', 1 - gray (64));
first = result(1);
names = {'head 1.1: one back', 'head 1.2: random', 'head 2.1: uniform', 'head 2.2: random'};
T = numel (first.state);
for k = 1:4
  left = 0.06 + 0.225 * (k - 1);
  ax = axes ('parent', fig, 'position', [left 0.53 0.19 0.19 * 12 / 6.6]);
  image ('CData', first.maps{k}, 'CDataMapping', 'scaled', 'parent', ax);
  set (ax, 'xlim', [0.5 T+0.5], 'ylim', [0.5 T+0.5], 'ydir', 'reverse', 'clim', [0 1], 'box', 'on', 'layer', 'top', ...
       'xtick', [1 10 20 30], 'ytick', [1 10 20 30]);
  label_axes (ax, char ('a' + k - 1), names{k}, 'query token', '', 1.09);
  if k == 1, ylabel (ax, 'key token'); end
end
title (grey_bar (fig, [0.94 0.53 0.012 0.19 * 12 / 6.6], [0 1]), 'attention', 'fontsize', 9, 'fontweight', 'normal');

ax = axes ('parent', fig, 'position', [0.06 0.10 0.865 0.28], 'box', 'on', 'xlim', [0.5 T+0.5], 'xtick', [1 5:5:30]);
inks = {[0.00 0.45 0.20], [0.80 0.10 0.10], [0.00 0.32 0.62], [0.85 0.55 0.10]};
marks = 'o^xs';
dashes = {'-', ':', '--', '-.'};
paths = {'good (1,1)', 'adversarial 1 (1,2)', 'denoising (2,1)', 'adversarial 2 (2,2)'};
for p = 1:4
  lines(p) = curve (ax, 1:T, first.path_weights(:,p)', inks{p}, dashes{p}, 1.3, marks(p), 5);
end
top = max (first.path_weights(:));
set (ax, 'ylim', [-0.16 * top, 1.4 * top], 'ytick', 0:0.2:1);
for t = 2:T                                      % with a dot: state +
  curve (ax, t, -0.08 * top, [0 0 0], 'none', 0.8, 's', 6);
  if first.state(t) > 0, curve (ax, t, -0.08 * top, [0 0 0], 'none', 0.8, '.', 14); end
end
label_axes (ax, 'e', 'what each path reads when the last token is read out; squares: states, with a dot state +', ...
            'token (1 is the empty one)', 'share of the token');
set (legend (lines, paths, 'location', 'north', 'orientation', 'horizontal'), 'box', 'off', 'fontsize', 9);
save_figure (fig, fullfile (folder, 'figure_attention'));
end
