function draw = ap_plot_influence (in, opt)
%AP_PLOT_INFLUENCE  Examples against heads, or the most decisive examples of one prediction.
%
%   draw = AP_PLOT_INFLUENCE (in, opt)
%   Inputs :  in, from attnpath_influence;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
%   See also attnpath_plot, attnpath_influence.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (in) || numel (in) ~= 1 || ~all (isfield (in, {'scores', 'heads', 'mean', 'norm', 'groups'}))
  ap_fail ('plot', 'missingField', 'for ''influence'' the first argument must come from attnpath_influence, not %s', ...
           ap_describe (in));
end
most = min (20, numel (in.norm));
if isempty (opt.Entry)
  [~, rank] = sort (in.norm, 'descend');
  heads = arrayfun (@(l, h) sprintf ('%d.%d', l, h), in.heads(:,1)', in.heads(:,2)', 'UniformOutput', false);
  names = ap_plot_names ('influence', opt.Names, heads, 'head');
  draw = @(ax) draw_heads (ax, in.scores(rank,:), names, ~isempty (opt.Parent));
  return
end
if isempty (in.mean), ap_fail ('plot', 'missingField', 'in has no mean: give attnpath_influence the inputs X'); end
at = ap_check_value ('plot', 'Entry', opt.Entry, 'row', {2});
sizes = [size(in.mean, 2), size(in.mean, 3)];
for k = 1:2, ap_check_value ('plot', 'Entry (each of them)', at(k), 'count', [1, sizes(k)]); end
change = in.mean(:,at(1),at(2));
[~, rank] = sort (abs (change), 'descend');
draw = @(ax) draw_prediction (ax, change(rank(1:most)), in.groups(rank(1:most)), at);
end

function h = draw_heads (ax, scores, names, fixed)
[n, heads] = size (scores);
largest = max (max (abs (scores(:))), realmin);
h = ap_plot_image (ax, scores, 'diverging', [-largest, largest], 'ticklength', [0 0], 'xtick', 1:heads);
h.text = ap_plot_labels (ax, names, 1:heads, n + 0.5, false, fixed);
if isempty (h.text), ap_plot_axes (ax, {'head (layer.head)'}); end
h.colorbar = colorbar ('peer', ax);
ap_plot_axes (ax, {'', 'examples, most influential first', 'change of the head score without the example'});
end

function h = draw_prediction (ax, change, groups, at)
n = numel (change);
h.axes = ax;
h.bar = ap_plot_bars (ax, (1:n)' - 0.4, 0.8, change, ones (n, 1), [0.20 0.40 0.65]);
names = arrayfun (@(g) sprintf ('%g', g), groups', 'UniformOutput', false);
ap_plot_axes (ax, {'example or group', sprintf('change of output %d of input %d without it', at(2), at(1))}, ...
              'xlim', [0.3, n + 0.7], 'xtick', 1:n, 'xticklabel', names, 'ticklength', [0 0], 'layer', 'top');
end
