function draw = ap_plot_sweep (result, opt)
%AP_PLOT_SWEEP  A field of the results against a field of the grid.
%
%   draw = AP_PLOT_SWEEP (result, opt)
%   Inputs :  result, struct array from attnpath_sweep;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. What is wrong is said here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

curves = curves_of (result, opt);
draw = @(ax) draw_sweep (ax, curves, opt);
end

function h = draw_sweep (ax, c, opt)
% c, from curves_of: x, and a column of means and of standard errors for each curve
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

function c = curves_of (result, opt)
% What attnpath_plot draws of the results of a sweep.
% Inputs :  result, struct array from attnpath_sweep;  opt, options of attnpath_plot: X, Y, Curves, Over
% Outputs:  struct of x (n x 1, increasing), m and se (n x curves, NaN where no cell is done), names (of the curves),
%           scale ('log' or 'linear') and ends (of the axis)
% Errors:   attnpath:plot: badClass, missingField, badValue
f = 'plot';
if ~isstruct (result) || isempty (result) || ~all (isfield (result, {'cell', 'status', 'error'}))
  ap_fail (f, 'badClass', '''sweep'' needs results of attnpath_sweep, not %s', ap_describe (result));
end
axes_of = fieldnames (result(1).cell)';
known = fieldnames (result)';
known = known(~ismember (known, {'cell', 'status', 'error'}));
check_name ('X', opt.X, axes_of);
check_name ('Y', opt.Y, known);
by = {opt.X};
if ~isempty (opt.Curves)
  check_name ('Curves', opt.Curves, axes_of);
  by{2} = opt.Curves;
end
for name = axes_of(~ismember (axes_of, [by, {opt.Over}]))
  values = ap_sweep_axis (result, name{1});
  if numel (values) > 1
    ap_fail (f, 'badValue', ['the results have %d values of %s: take those of one of them, or let Curves or Over ' ...
             'be ''%s'''], numel (values), name{1}, name{1});
  end
end
numbers = cellfun (@(v) isempty (v) || ((isnumeric (v) || islogical (v)) && isreal (v) && numel (v) == 1), ...
                   {result.(opt.Y)});
if ~all (numbers) || all (cellfun (@isempty, {result.(opt.Y)}))
  ap_fail (f, 'badValue', 'Y, %s, must hold one real number in each cell that is done', opt.Y);
end
[m, se, ~, values] = ap_sweep_means (result, opt.Y, by);
if iscell (values{1})
  ap_fail (f, 'badValue', 'X, %s, holds texts, and an axis needs numbers', opt.X);
end
[c.x, order] = sort (values{1});
c.m = m(order,:);
c.se = se(order,:);
c.names = {};
if numel (by) > 1, c.names = cellfun (@shown, num2cell (values{2}), 'UniformOutput', false); end
[c.scale, c.ends] = axis_of (c.x);
end

function check_name (option, name, known)
if ~any (strcmp (name, known))
  ap_fail ('plot', 'badValue', '%s must be one of %s, not %s', option, strjoin (known, ', '), ap_describe (name));
end
end

function text = shown (value)
text = value;
if iscell (value)
  text = value{1};
elseif ~ischar (value)
  text = sprintf ('%.6g', value);
end
end

function [scale, ends] = axis_of (x)
% A twentieth of the axis is left on either side
if x(1) > 0 && x(end) >= 20 * x(1)
  scale = 'log';
  ends = x([1 end])' .* (x(end) / x(1)) .^ [-0.05 0.05];
else
  scale = 'linear';
  room = 0.05 * (x(end) - x(1));
  if room == 0, room = 0.5 * max (1, abs (x(1))); end
  ends = x([1 end])' + room * [-1 1];
end
end
