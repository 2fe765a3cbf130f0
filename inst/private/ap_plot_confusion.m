function draw = ap_plot_confusion (model, opt)
%AP_PLOT_CONFUSION  Confusion matrix: counts of examples by class and prediction.
%
%   draw = AP_PLOT_CONFUSION (model, opt)
%   Inputs :  model, struct of net, U, paths and y, or any struct;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
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
h = ap_plot_image (ax, 100 * rate, 'sequential', [0 100], 'dataaspectratio', [1 1 1], 'ticklength', [0 0], ...
                   'xtick', 1:C, 'ytick', 1:C);
h.text = ap_plot_labels (ax, names, 1:C, C + 0.5, true, fixed);
if isempty (h.text), ap_plot_axes (ax, {'predicted class'}); end
right = 100 * trace (counts) / max (1, sum (total));
ap_plot_axes (ax, {'', 'class', sprintf('%d examples, %.1f %% right', sum (total), right)});
h.line = ap_plot_blocks (ax, 1.5:C, C);
set (h.line, 'linewidth', 0.5, 'color', [0.6 0.6 0.6]);
words = arrayfun (@(count, share) sprintf ('%d\n%.0f %%', count, 100 * share), counts, rate, 'UniformOutput', false);
h.text = [h.text, ap_plot_numbers(ax, words, rate > 0.45)];      % where the shade is half as dark as it gets
end
