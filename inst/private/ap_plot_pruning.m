function draw = ap_plot_pruning (curve, opt)
%AP_PLOT_PRUNING  The criterion against the heads removed.
%
%   draw = AP_PLOT_PRUNING (curve, opt)
%   Inputs :  curve, second output of a search by attnpath_prune;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (curve) || numel (curve) ~= 1 || ~all (isfield (curve, {'by', 'heads', 'value'}))
  ap_fail ('plot', 'missingField', '''pruning'' needs the second output of a search by attnpath_prune');
end
curve.by = ap_check_value ('plot', 'curve.by', curve.by, 'word', {'loo', 'evidence'});
heads = zeros (0, 2);
if ~isempty (curve.heads), heads = ap_check_array ('plot', 'curve.heads', curve.heads, {'k', 2}); end
k = size (heads, 1);
ap_check_array ('plot', 'curve.value', curve.value, {k + 1, 1});
names = arrayfun (@(i) sprintf ('%d.%d', heads(i,:)), 1:k, 'UniformOutput', false);
names = ap_plot_names ('pruning', opt.Names, names, 'head removed');
draw = @(ax) draw_pruning (ax, curve, names, ~isempty (opt.Parent));
end

function h = draw_pruning (ax, curve, names, fixed)
n = numel (curve.value);
h.axes = ax;
h.line = ap_plot_curve (ax, 0:n-1, curve.value, 'linewidth', 1.5);
reach = max (curve.value) - min (curve.value);
if reach == 0, reach = max (1, abs (curve.value(1))); end
low = min (curve.value) - 0.05 * reach;
words = {'', 'log evidence'};
if strcmp (curve.by, 'loo'), words{2} = 'squared leave-one-out error'; end
ap_plot_axes (ax, words, 'xlim', [-0.5, n - 0.5], 'ylim', [low, max(curve.value) + 0.05 * reach], 'xtick', 0:n-1);
h.text = ap_plot_labels (ax, [{'none'}, names(:)'], 0:n-1, low, false, fixed);
if isempty (h.text), ap_plot_axes (ax, {'heads removed, one after the other (layer.head)'}); end
end
