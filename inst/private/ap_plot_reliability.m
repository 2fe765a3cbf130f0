function draw = ap_plot_reliability (model, opt)
%AP_PLOT_RELIABILITY  Share of +1, or of right answers, against the probability that was given.
%
%   draw = AP_PLOT_RELIABILITY (model, opt)
%   Inputs :  model, struct of net, U, paths and y;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if ap_is_expansion (model), model = model.sol; end
asked = model;
model = ap_plot_model ('reliability', model, true);
opt = check_reliability (opt, asked, model.y, model.left);
draw = @(ax) draw_reliability (ax, opt);
end

function opt = check_reliability (opt, model, y, left)
% Probabilities and labels, where they are not given those of the training examples, each left out
opt.words = {'probability of +1', 'share of +1'};
if isempty (opt.Probability) ~= isempty (opt.Labels)
  ap_fail ('plot', 'badValue', 'Probability and Labels belong together: give both or none');
end
if size (opt.Probability, 2) > 1 || (isempty (opt.Probability) && isempty (opt.Labels) && size (y, 2) > 1)
  opt = of_classes (opt, model, y, left);
elseif isfield (model, 'classes')
  names = ap_class_names (ap_model_classes ('plot', model, y));
  opt.words = {['probability of ' names{2}], ['share of ' names{2}]};
  if ~isempty (opt.Labels), opt.Labels = 2 * ap_class_of ('plot', 'Labels', opt.Labels, model.classes) - 3; end
end
if isempty (opt.Labels)
  p = attnpath_probability (model);
  [opt.Probability, opt.Labels] = deal (p(left), y(left));
end
opt.Probability = ap_check_array ('plot', 'Probability', opt.Probability, {'P', 1});
if any (opt.Probability < 0 | opt.Probability > 1)
  ap_fail ('plot', 'badValue', 'Probability must be between 0 and 1, not %g to %g', min (opt.Probability), ...
           max (opt.Probability));
end
opt.Labels = ap_labels ('plot', 'Labels', opt.Labels, numel (opt.Probability));
if any (abs (opt.Labels) ~= 1)
  ap_fail ('plot', 'badValue', 'Labels must be -1 and +1');
end
end

function opt = of_classes (opt, model, y, left)
% The largest probability of each example, and whether it is that of its class: like two classes from here on
if isempty (opt.Labels)
  p = attnpath_probability (model);
  opt.Probability = p(left,:);
  [~, number] = max (y(left,:), [], 2);
else
  classes = (1:size (opt.Probability, 2))';
  if isfield (model, 'classes'), classes = model.classes; end
  opt.Probability = ap_check_array ('plot', 'Probability', opt.Probability, {'P', numel(classes)});
  wrong = find (any (opt.Probability < 0, 2) | abs (sum (opt.Probability, 2) - 1) > 1e-6, 1);
  if ~isempty (wrong)
    ap_fail ('plot', 'badValue', 'row %d of Probability must be probabilities that add up to 1, not to %g', wrong, ...
             sum (opt.Probability(wrong,:)));
  end
  number = ap_class_of ('plot', 'Labels', opt.Labels, classes);
  if numel (number) ~= size (opt.Probability, 1)
    ap_fail ('plot', 'badShape', 'Labels must be %d x 1, not %s', size (opt.Probability, 1), ap_describe (opt.Labels));
  end
end
[~, ~, opt.Probability, opt.Labels] = ap_class_losses (opt.Probability, number, opt.Bins);
opt.words = {'largest probability', 'share of right answers'};
end

function h = draw_reliability (ax, opt)
[bins, ece] = ap_reliability (opt.Probability, opt.Labels, opt.Bins);
p = bins(:,1)';
share = bins(:,2)';
n = bins(:,3)';
middle = (n .* share + 0.5) ./ (n + 1);            % Wilson's interval: the shares that this one is one error from
half = sqrt (n .* share .* (1 - share) + 0.25) ./ (n + 1);
h.axes = ax;
h.line = [line([0 1], [0 1], 'Parent', h.axes, 'color', [0.6 0.6 0.6], 'linestyle', '--'); ...
          ap_plot_curve(ax, p, share)];
for k = 1:numel (p)
  h.line(end+1,1) = line ([p(k) p(k)], middle(k) + [-1 1] * half(k), 'Parent', h.axes, 'color', [0.00 0.32 0.62]);
end
head = {sprintf('%d examples', numel (opt.Labels)), sprintf('expected calibration error %.3f', ece)};  % for a subplot
ap_plot_axes (ax, [opt.words, {head}], 'xlim', [0 1], 'ylim', [0 1], 'dataaspectratio', [1 1 1]);
end
