function oneshot_heads_page (fig, heads)
%ONESHOT_HEADS_PAGE  Panels (e) and (f) of the figure of experiment_oneshot: scores of heads, and their removal.
%
%   oneshot_heads_page (fig, heads)
%   Inputs :  fig, the page;  heads, from oneshot_heads

% SPDX-License-Identifier: BSD-3-Clause

inks = {[0.00 0.32 0.62], [0.00 0.55 0.45], [0.85 0.45 0.05], [0.45 0.20 0.60], [0.80 0.10 0.10], [0.55 0.35 0.15], ...
        [0.35 0.35 0.35]};                         % of the scores
marks = {'x', 'o', 's', 'd', '^', 'v', '+'};
draw_scores (fig, heads, inks, marks);
draw_removal (fig, heads, inks, marks);
end

function draw_scores (fig, heads, inks, marks)
% Rank correlations: a mark for each score, bars of one standard error over the draws, and small dots for the draws
count = numel (heads.names);
ax = axes ('parent', fig, 'position', [0.15 0.06 0.30 0.26], 'box', 'on', 'xlim', [-1 1], ...
           'ylim', [0.4, count + 0.6], 'ydir', 'reverse', 'ytick', 1:count, 'yticklabel', heads.names);
line ([0 0], [0.4, count + 0.6], 'parent', ax, 'color', [0.7 0.7 0.7]);
for w = 1:count
  r = heads.correlation(:,w,1);
  [m, half] = mean_error (r);
  line (r, w + 0.25 + 0 * r, 'parent', ax, 'linestyle', 'none', 'marker', '.', 'markersize', 6, 'color', inks{w});
  line (m + [-1 1] * half, [w w], 'parent', ax, 'color', inks{w}, 'linewidth', 1.5);
  curve (ax, m, w, inks{w}, 'none', 1.5, marks{w}, 7);
end
label_axes (ax, 'e', '', 'rank correlation with what is lost without a head', '');
end

function draw_removal (fig, heads, inks, marks)
most = size (heads.removed, 2) - 1;
count = 5;                                         % of the scores: the table has all
ax = axes ('parent', fig, 'position', [0.57 0.06 0.41 0.26], 'box', 'on', 'layer', 'top', ...
           'xlim', [-0.1, most + 2.6], 'xtick', 0:most);
spread = [heads.random(:,1) - heads.random(:,2); flipud(heads.random(:,1) + heads.random(:,2))];
patch ('XData', [0:most, most:-1:0], 'YData', spread', 'parent', ax, 'facecolor', [0.88 0.88 0.88], ...
       'edgecolor', 'none');
for w = 1:count
  [m, half] = mean_error (heads.removed(:,:,w));
  beside = (0:most) + 0.04 * (w - (count + 1) / 2);
  error_bars (ax, beside, m, half, inks{w}, 1);
  curves(w) = curve (ax, beside, m, inks{w}, '-', 1, marks{w}, 5);
end
[m, half] = mean_error (heads.search);
error_bars (ax, 0:most, m, half, [0 0 0], 1);
curves(count+1) = curve (ax, 0:most, m, [0 0 0], '--', 1.5, 'p', 6);
curves(count+2) = curve (ax, 0:most, heads.random(:,1), [0.45 0.45 0.45], ':', 2);
set (curves, 'markerfacecolor', 'none');
key = legend (curves, [heads.names(1:count), {'search', 'at random'}], 'location', 'east');
set (key, 'box', 'off', 'fontsize', 9);
label_axes (ax, 'f', '', 'heads removed', 'accuracy, all test classes (%)');
end
