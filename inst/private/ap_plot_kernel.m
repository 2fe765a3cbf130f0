function draw = ap_plot_kernel (model, opt)
%AP_PLOT_KERNEL  Training kernel, examples sorted by label; of coupled outputs a block for each pair of them.
%
%   draw = AP_PLOT_KERNEL (model, opt)
%   Inputs :  model, struct of net, U, paths and y;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

[model, C] = ap_plot_model ('kernel', model, true);
U = model.U;
if isfield (model, 'expansion'), U = model.expansion; end
K = attnpath_kernel (model.net, model.paths, U);
[P, several] = size (model.y);
if several == 1
  [labels, rank] = sort (model.y, 'descend');
else
  [~, labels] = max (model.y, [], 2);
  [labels, rank] = sort (labels);
end
if C > 1                                           % a block has its examples sorted by the largest label
  rank = reshape (bsxfun (@plus, rank, P * (0:C-1)), [], 1);
  labels = kron ((1:C)', ones (P, 1));
end
name = @(label) sprintf ('%d', label);
if several == 1, name = @(label) sprintf ('%+g', label); end
if isfield (model, 'classes') && numel (model.classes) > 0
  classes = ap_class_names (model.classes);
  name = @(label) classes{label};
  if several == 1, name = @(label) classes{1 + (label > 0)}; end
end
draw = @(ax) draw_kernel (ax, model, K(rank,rank), labels, name);
end

function h = draw_kernel (ax, model, K, labels, name)
% labels: by which rows are sorted, or of coupled outputs the output of a row; name: of a label, how it is written
n = numel (labels);
shades = K(~eye (n));
if isempty (shades), shades = K; end
low = min (shades);
high = max (shades);
if high <= low, high = low + max (1, abs (low)); end
h = ap_plot_image (ax, K, 'sequential', [low high], 'dataaspectratio', [1 1 1]);
change = find (diff (labels)) + 0.5;
h.line = [];
of = '';
sorted = ', sorted by label';
if numel (change) < 10
  of = 'label of ';
  if n > size (model.y, 1), of = 'output and '; end
  sorted = '';
  if ~isempty (change), h.line = ap_plot_blocks (ax, change', n); end
  middle = ([0.5; change] + [change; n+0.5]) / 2;
  names = arrayfun (name, labels(round (middle)), 'UniformOutput', false);
  set (ax, 'xtick', middle, 'ytick', middle, 'xticklabel', names, 'yticklabel', names, 'ticklength', [0 0]);
end
ap_plot_axes (ax, {[of 'example \nu' sorted], [of 'example \mu' sorted], ...
                   ['kernel K(\mu,\nu), ' ap_plot_width(model.net)]});
h.colorbar = colorbar (ax);
ap_plot_cells (findobj (h.colorbar, 'type', 'image'));
end
