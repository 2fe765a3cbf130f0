function draw = ap_plot_confusion (model, opt)
%AP_PLOT_CONFUSION  How many examples of each class are taken for which.
%
%   draw = AP_PLOT_CONFUSION (model, opt)
%   Inputs :  model, struct of net, U, paths and y, or any struct;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. What is wrong is said here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if ap_is_expansion (model), model = model.sol; end
[counts, names] = confusion (model, opt);
draw = @(ax) draw_confusion (ax, counts, names, ~isempty (opt.Parent));
end

function [counts, names] = confusion (model, opt)
% counts: class by predicted class
if isempty (opt.Labels) ~= isempty (opt.Predicted)
  ap_fail ('plot', 'badValue', 'Labels and Predicted belong together: give both or none');
elseif isempty (opt.Labels)
  checked = ap_plot_model ('confusion', model, true);
  classes = ap_model_classes ('plot', model, checked.y);
  mu = getfield (attnpath_loo (model), 'mean');
  numbers = 1:numel (classes);
  number = ap_class_decide (mu(checked.left,:), numbers);
  true_one = ap_class_decide (checked.y(checked.left,:), numbers);        % the column that is largest, like its mean's
else
  ap_plot_model ('confusion', model);
  classes = known_classes (model, opt);
  true_one = ap_class_of ('plot', 'Labels', opt.Labels, classes);
  number = ap_class_of ('plot', 'Predicted', opt.Predicted, classes);
  if numel (number) ~= numel (true_one)
    ap_fail ('plot', 'badShape', 'Labels and Predicted must be of the same length, not %d and %d', numel (true_one), ...
             numel (number));
  end
end
C = numel (classes);
counts = accumarray ([true_one, number], 1, [C C]);
names = ap_plot_names ('confusion', opt.Names, ap_class_names (classes), 'class');
end

function classes = known_classes (model, opt)
% Where the model does not list its classes: those that occur
if isfield (model, 'classes')
  classes = model.classes;
else
  classes = unique (ap_class_keys ('plot', 'Labels', opt.Labels));
  more = ap_class_keys ('plot', 'Predicted', opt.Predicted);
  if iscell (more) == iscell (classes), classes = unique ([classes; more]); end
end
end

function h = draw_confusion (ax, counts, names, fixed)
C = size (counts, 1);
total = sum (counts, 2);
rate = bsxfun (@rdivide, counts, max (1, total));
h.axes = ax;
h.image = imagesc (100 * rate, 'Parent', h.axes);
ap_plot_cells (h.image);
set (h.axes, 'clim', [0 100], 'colormap', ap_plot_colours ('sequential'), 'xlim', [0.5 C+0.5], 'ylim', [0.5 C+0.5], ...
     'ydir', 'reverse', 'dataaspectratio', [1 1 1], 'ticklength', [0 0], 'layer', 'top', 'box', 'on', 'xtick', 1:C, ...
     'ytick', 1:C);
h.text = ap_plot_labels (h.axes, names, 1:C, C + 0.5, true, fixed);
if isempty (h.text), ap_plot_caption (h.axes, 'xlabel', 'predicted class'); end
ap_plot_caption (h.axes, 'ylabel', 'class');
right = 100 * trace (counts) / max (1, sum (total));
ap_plot_caption (h.axes, 'title', sprintf ('%d examples, %.1f %% right', sum (total), right));
h.line = ap_plot_blocks (h.axes, 1, C);
set (h.line, 'linewidth', 0.5, 'color', [0.6 0.6 0.6]);
small = min (get (h.axes, 'fontsize'), ap_plot_points (h.axes) / C / 3.2);
for q = 1:C
  for p = 1:C
    ink = [1 1 1] * (rate(p,q) > 0.45);                     % the shade there is half as dark as it gets
    words = sprintf ('%d\n%.0f %%', counts(p,q), 100 * rate(p,q));
    h.text(end+1) = text (q, p, words, 'Parent', h.axes, 'color', ink, 'fontsize', small, ...
                          'horizontalalignment', 'center', 'verticalalignment', 'middle');
  end
end
end
