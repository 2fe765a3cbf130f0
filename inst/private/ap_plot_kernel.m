function draw = ap_plot_kernel (model, opt)
%AP_PLOT_KERNEL  Training kernel, examples sorted by label.
%
%   draw = AP_PLOT_KERNEL (model, opt)
%   Inputs :  model, struct of net, U, paths and y;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. What is wrong is said here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

model = ap_plot_model ('kernel', model, true);
draw = @(ax) draw_kernel (ax, model, attnpath_kernel (model.net, model.paths, model.U));
end

function h = draw_kernel (ax, model, K)
[labels, rank] = sort (model.y, 'descend');
K = K(rank,rank);
n = numel (labels);
shades = K(~eye (n));
if isempty (shades), shades = K; end
low = min (shades);
high = max (shades);
if high <= low, high = low + max (1, abs (low)); end
h.axes = ax;
h.image = imagesc (K, 'Parent', h.axes);
set (h.axes, 'clim', [low high], 'colormap', ap_plot_colours ('sequential'), 'xlim', [0.5 n+0.5], ...
     'ylim', [0.5 n+0.5], 'ydir', 'reverse', 'dataaspectratio', [1 1 1], 'layer', 'top', 'box', 'on');
change = find (diff (labels)) + 0.5;
h.line = [];
of = '';
sorted = ', sorted by label';
if numel (change) < 10
  of = 'label of ';
  sorted = '';
  for c = change'
    h.line = [h.line; line([c c], [0.5 n+0.5], 'Parent', h.axes, 'color', [0 0 0], 'linewidth', 1); ...
              line([0.5 n+0.5], [c c], 'Parent', h.axes, 'color', [0 0 0], 'linewidth', 1)];
  end
  middle = ([0.5; change] + [change; n+0.5]) / 2;
  names = arrayfun (@(v) sprintf ('%+g', v), labels(round (middle)), 'UniformOutput', false);
  set (h.axes, 'xtick', middle, 'ytick', middle, 'xticklabel', names, 'yticklabel', names, 'ticklength', [0 0]);
end
ap_plot_caption (h.axes, 'xlabel', [of 'example \nu' sorted]);
ap_plot_caption (h.axes, 'ylabel', [of 'example \mu' sorted]);
ap_plot_caption (h.axes, 'title', ['kernel K(\mu,\nu), ' ap_plot_width(model.net)]);
h.colorbar = colorbar (h.axes);
end
