function draw = ap_plot_sweep (result, opt)
%AP_PLOT_SWEEP  A field of the results against a field of the grid.
%
%   draw = AP_PLOT_SWEEP (result, opt)
%   Inputs :  result, struct array from attnpath_sweep;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. What is wrong is said here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

curves = ap_sweep_curves (result, opt);
draw = @(ax) draw_sweep (ax, curves, opt);
end

function h = draw_sweep (ax, c, opt)
% c, from ap_sweep_curves: x, and a column of means and of standard errors for each curve
h.axes = ax;
n = size (c.m, 2);
shades = interp1 ([0 0.5 1], [0.05 0.14 0.38; 0.20 0.60 0.75; 0.90 0.55 0.15], linspace (0, 1, max (2, n)));
for k = 1:n
  x = [c.x c.x NaN(size (c.x))]';
  y = [c.m(:,k) - c.se(:,k), c.m(:,k) + c.se(:,k), NaN(size (c.x))]';
  h.bar(k,1) = line (x(:), y(:), 'Parent', h.axes, 'color', shades(k,:), 'linewidth', 1);
  h.line(k,1) = line (c.x, c.m(:,k), 'Parent', h.axes, 'color', shades(k,:), 'linewidth', 1.5, 'marker', 'o', ...
                      'markersize', 5, 'markerfacecolor', shades(k,:));
end
set (h.axes, 'box', 'on', 'xscale', c.scale, 'xlim', c.ends);
words = @(name) strrep (name, '_', '\_');
ap_plot_caption (h.axes, 'xlabel', words (opt.X));
ap_plot_caption (h.axes, 'ylabel', words (opt.Y));
if ~isempty (opt.Curves)
  h.legend = legend (h.line, cellfun (@(value) words ([opt.Curves ' ' value]), c.names, 'UniformOutput', false), ...
                     'location', 'best');
end
end
