function [p, logloss, ece, fit] = attnpath_probability (model, varargin)
%ATTNPATH_PROBABILITY  Calibrated probabilities of classes.
%
%   p = ATTNPATH_PROBABILITY (model, X)
%   p = ATTNPATH_PROBABILITY (model, paths)
%   p = ATTNPATH_PROBABILITY (model)
%   [p, logloss, ece, fit] = ATTNPATH_PROBABILITY (..., Name, Value)
%
%   Inputs :
%     model     solution from attnpath_solve or sample from attnpath_sample, whose labels are -1 and +1, or
%               classes
%     X         N0 x T x Ptest tokens, one example per page; without them, the training examples, each of them
%               left out
%     paths     instead of X: test examples from attnpath_paths
%   Options, by name or as one struct:
%     'Labels'   []    Ptest x 1 true labels -1 and +1, or classes of the type of model.classes, for logloss
%                      and ece; without X [] are the model's own
%     'Bins'     10    bins of equal width from 0 to 1, for ece
%     'Lengths'  []    1 x Ptest numbers of tokens, where examples are zero-padded to a common T
%     'Display'  true  progress is told, where draws take long
%
%   Outputs:
%     p         Ptest x 1 probability of +1, or of the second of two classes; of more Ptest x C, in the order
%               of model.classes
%     logloss   mean of -log of the probability of the true label; NaN without labels
%     ece       expected calibration error: the mean over examples of |mean p - share of +1| in their bin of p;
%               NaN without labels. Of a perfect predictor and few examples it is not 0 but sqrt (Bins / Ptest)
%               or so. Of more than two classes: of the largest probability, against the share of examples
%               whose class is the one that has it
%     fit       struct with a > 0 and b, and logloss, that of the training examples, each left out. a lies
%               between 1/1000 and 1000 over the size of f: it is at the upper end where s2 alone says enough
%               of what is not known, and at the lower one where predictions say nothing of labels not seen
%
%   The regression knows no classes: its mean is no probability, and its noise is Gaussian. So two numbers are
%   fitted by maximum likelihood to the training examples, each judged as attnpath_loo does, when it had not
%   been seen. Two numbers are too few to adapt to one example. Of C > 2 classes b is 1 x C with sum 0.
%
%   Equation: p = Phi ((a mu + b) / sqrt (1 + a^2 s2)), the mean of Phi (a f + b) over f ~ N (mu, s2), with mu
%   and s2 of (T10), or while a and b are fitted of (T24). Of C > 2 classes the like with a number of noise for
%   each: p_c is the probability that a f_c + b_c + e_c is the largest, e_c ~ N (0, 1/2) independent. It is
%   computed as one integral, exactly so for C = 3 and where outputs are independent or equally correlated; a
%   covariance of another kind is replaced by one of one factor, which keeps the variances of differences.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> [p, logloss, ece] = attnpath_probability (sol, task.Xtest, 'Labels', task.ytest);
%     >> logloss
%     logloss = 0.1497
%     >> ece
%     ece = 0.069...
%
%
%   References:
%     [1] J. Platt, Probabilistic outputs for support vector machines, in: Advances in Large Margin
%         Classifiers, MIT Press 2000.
%     [2] Rasmussen, Williams, Gaussian Processes for Machine Learning, MIT Press 2006, section 3.9.
%
%   See also attnpath_predict, attnpath_loo, attnpath_plot.
%
%   TESTING: probability.tst   REFERENCE: ref_probability.m   SOURCE: (T10), (T24)

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1
  ap_fail ('probability', 'usage', 'the call is p = attnpath_probability (model, X, Name, Value, ...)');
end
table = {'Labels',  [],   'any',   []
         'Bins',    10,   'count', [1 1e6]
         'Lengths', [],   'any',   []
         'Display', true, 'display',  []};
given = varargin;
asked = ~isempty (given) && ~ischar (given{1}) && ~isa (given{1}, 'string');
if asked, given = given(2:end); end
opt = ap_options ('probability', table, given);
[~, ~, y] = ap_training_set ('probability', model);
if size (y, 2) > 1
  [p, logloss, ece, fit] = of_classes (model, y, asked, varargin, opt);
  return
end
check_labels ('model.y', y);
if all (y == y(1))
  ap_fail ('probability', 'badValue', 'all labels of the model are %g: probabilities need examples of both classes', ...
           y(1));
end
loo = attnpath_loo (model, 'Display', opt.Display);
fit = fitted (loo.mean, loo.variance, y);
[mu, s2] = outputs_of (model, loo, asked, varargin, opt);
if ~asked && isempty (opt.Labels), opt.Labels = y; end
z = score (fit.a, fit.b, mu, s2);
p = erfc (-z / sqrt (2)) / 2;
[logloss, ece] = deal (NaN);
if ~isempty (opt.Labels)
  known = {};
  if isfield (model, 'classes') && asked, known = {false, model.classes, false}; end
  labels = ap_labels ('probability', 'Labels', opt.Labels, numel (p), known{:});
  check_labels ('Labels', labels);
  logloss = -mean (ap_log_phi (labels .* z));
  [~, ece] = ap_reliability (p, labels, opt.Bins);
end
end

function [p, logloss, ece, fit] = of_classes (model, y, asked, given, opt)
% More than two: the class of an example is the column of y that is largest
classes = ap_model_classes ('probability', model, y);
[~, number] = max (y, [], 2);
loo = attnpath_loo (model, 'Display', opt.Display);
fit = ap_class_fit (loo.mean, loo.variance, number);
[mu, s2] = outputs_of (model, loo, asked, given, opt);
p = ap_class_probability (fit, mu, s2);
[logloss, ece] = deal (NaN);
if ~isempty (opt.Labels)
  number = ap_class_of ('probability', 'Labels', opt.Labels, classes);
  if numel (number) ~= size (p, 1)
    ap_fail ('probability', 'badShape', 'Labels must be %d x 1, not %s', size (p, 1), ap_describe (opt.Labels));
  end
elseif asked
  return
end
[logloss, ece] = ap_class_losses (p, number, opt.Bins);
end

function [mu, s2] = outputs_of (model, loo, asked, given, opt)
% Mean and variance for the examples that are asked for, or of the training examples, each left out
if asked
  [mu, s2] = attnpath_predict (model, given{1}, 'Lengths', opt.Lengths);
elseif ~isempty (opt.Lengths)
  ap_fail ('probability', 'badValue', 'Lengths belong to tokens X, which are not given');
else
  [mu, s2] = deal (loo.mean, loo.variance);
end
end

function check_labels (name, y)
wrong = find (abs (y) ~= 1, 1);
if ~isempty (wrong)
  ap_fail ('probability', 'badValue', '%s must be labels -1 and +1, but number %d is %g', name, wrong, y(wrong));
end
end

function z = score (a, b, mu, s2)
z = (a * mu + b) ./ sqrt (1 + a ^ 2 * s2);
end

function fit = fitted (mu, s2, y)
% As z = (mu + c) / sqrt (tau^2 + s2), a = 1 / tau, b = c / tau, in units of the size of f: over log tau and c, from
% three starts, for the likelihood need not be convex. Where the variances alone are large enough tau would go to 0, and
% where predictions are worthless to infinity: it stops at a thousandth and at a thousand, where p no longer depends on
% it
unit = sqrt (mean (mu .^ 2 + s2));
if unit == 0, unit = 1; end
a = @(t) exp (-max (-log (1000), min (log (1000), t(1)))) / unit;
b = @(t) t(2) * unit * a (t);
cost = @(t) -mean (ap_log_phi (y .* score (a (t), b (t), mu, s2)));
options = optimset ('TolX', 1e-8, 'TolFun', 1e-14, 'MaxIter', 2000, 'MaxFunEvals', 4000, 'Display', 'off');
best = Inf;
for start = [-2, 0, 2]
  [t, value] = fminsearch (cost, [start, 0], optimset (options, 'TolX', 1e-3, 'TolFun', 1e-6));
  if value < best
    best = value;
    found = t;
  end
end
[t, value] = fminsearch (cost, found, options);
fit = struct ('a', a (t), 'b', b (t), 'logloss', value);
end

%!error id=attnpath:probability:badValue % labels that are no classes
%! attnpath_probability (struct ('net', attnpath_net (1), 'paths', struct ('Xi', [2 1]), 'y', [5; 3], 'U', 1));
