function draw = ap_plot_scores (model, opt)
%AP_PLOT_SCORES  A bar for each head, layer by layer.
%
%   draw = AP_PLOT_SCORES (model, opt)
%   Inputs :  model, struct of net and U;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. What is wrong is said here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

model = ap_plot_model ('scores', model, false);
score = sortrows (attnpath_scores (model), [1 2]);
names = arrayfun (@(l, head) sprintf ('%d.%d', l, head), score(:,1)', score(:,2)', 'UniformOutput', false);
names = ap_plot_names ('scores', opt.Names, names, 'head');
draw = @(ax) draw_scores (ax, score, names);
end

function h = draw_scores (ax, score, names)
% score: rows [layer head score], layer by layer; a gap between the layers, and shades that alternate
n = size (score, 1);
x = (1:n)' + 0.6 * (score(:,1) - 1);
shades = [0.20 0.40 0.65; 0.72 0.80 0.90];
h.axes = ax;
h.bar = [];
for l = 1:score(end,1)
  of = score(:,1) == l;
  corners = [x(of)-0.4, x(of)-0.4, x(of)+0.4, x(of)+0.4]';
  heights = [0*x(of), score(of,3), score(of,3), 0*x(of)]';
  h.bar(l,1) = patch ('XData', corners, 'YData', heights, 'facecolor', shades(2 - mod (l, 2),:), ...
                      'edgecolor', [0 0 0], 'Parent', h.axes);
end
set (h.axes, 'xlim', [x(1)-0.7, x(end)+0.7], 'ylim', [0 1.05], 'xtick', x, ...
     'ytick', 0:0.2:1, 'box', 'on', 'ticklength', [0 0], 'layer', 'top');
h.text = ap_plot_columns (h.axes, x, 0, names);
if isempty (h.text), ap_plot_caption (h.axes, 'xlabel', 'head (layer.head)'); end
ap_plot_caption (h.axes, 'ylabel', 'head score');
end
