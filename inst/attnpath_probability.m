function [p, logloss, ece, fit] = attnpath_probability (model, varargin)
%ATTNPATH_PROBABILITY  Calibrated probabilities of classes.
%
%   p = ATTNPATH_PROBABILITY (model, X)
%   p = ATTNPATH_PROBABILITY (model)
%   [p, logloss, ece, fit] = ATTNPATH_PROBABILITY (..., Name, Value)
%
%   Inputs :
%     model     solution from attnpath_solve or sample from attnpath_sample, with labels -1 and +1, or
%               classes. Or an expansion from attnpath_expand: the calibration is fitted at its solution and
%               applied to its means and variances
%     X         N0 x T x Ptest tokens, or a struct from attnpath_paths; without X, the training examples, each
%               left out
%   Options, by name or as one struct:
%     'Labels'     []    Ptest x 1 true labels -1 and +1, or classes of the type of model.classes, for logloss
%                        and ece; without X, [] stands for the model's own
%     'Bins'       10    bins of equal width from 0 to 1, for ece
%     'Corrected'  true  as for attnpath_loo: false where the Hessian of a solution does not fit memory
%     'Lengths'    []    1 x Ptest numbers of tokens, where examples are zero-padded to a common T
%     'Display'    true  print the progress of long runs
%
%   Outputs:
%     p         Ptest x 1 probability of +1, or of the second of two classes; for more Ptest x C, in the order
%               of model.classes. With the readout 'all' T x Ptest, or T x Ptest x C; Labels are then T x Ptest
%     logloss   mean of -log of the probability of the true label; NaN without labels. Neither logloss nor the
%               calibration counts training examples of noise Inf
%     ece       expected calibration error: the mean over examples of |mean p - share of +1| in their bin of p;
%               NaN without labels. With few examples a perfect predictor has about sqrt (Bins / Ptest), not 0.
%               For more than two classes p is the largest probability, and the share is the fraction of
%               examples of that class
%     fit       struct of the calibration, fitted to leave-one-out predictions of the training examples. For
%               two classes and each of K = 4 shares of the variance: share, weight (sum 1), a and b, 1 x K,
%               and covariance of (a, b), 2 x 2 x K; noise, the mean variance; logloss, that of the
%               leave-one-out predictions. For more: a, b (1 x C, sum 0), logloss
%
%   The theory is a regression with Gaussian noise: its mean is not a probability. So the function fits a slope
%   a, a bias b, and the share w of the variance s2 to leave-one-out predictions of the training examples, as
%   from attnpath_loo. w depends on the differences of s2 between examples, not on the mean of s2, which is
%   mostly too large for Gaussian labels +-1. P examples do not determine these numbers: p is averaged over
%   their posterior under weak priors. So a few examples that are all predicted correctly do not bring p near
%   0 or 1.
%
%   A solution that has not converged, or that is a saddle point, causes the warning
%   attnpath:probability:notConverged or attnpath:probability:saddle.
%
%   Accuracy of p: two numbers estimated from P examples have errors in any method. Root mean square of
%   p - share in bins of 0.1, over new examples of the Markov task: 0.04 for P = 100, 0.03 for 300, 0.015 for
%   1000 (studies/calibration).
%
%   Equation: for two classes p = mean of Phi ((a mu + b) / sqrt (1 - w + w s2 / noise)) over a, b of a
%   Gaussian posterior at each share w = 0, 1/4, 1/2, 3/4, and over w; mu and s2 are those of (T10), in the fit
%   those of (T24). Prior: a ~ N (0, 25 / mean of mu^2), b ~ N (0, 1).
%   For C > 2 classes p_c is the probability that a f_c + b_c + e_c is the largest, f ~ N (mu, s2), e_c ~ N
%   (0, 1/2) independent, with a and b of maximum likelihood, a between 1/1000 and 1000 divided by the size
%   of f. One integral gives it, exactly for C = 3 and for independent or equally correlated outputs. Any other
%   covariance is approximated by a one-factor covariance with the same variances of differences.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> [p, logloss, ece] = attnpath_probability (sol, task.Xtest, 'Labels', task.ytest);
%     >> logloss
%     logloss = 0.107...
%
%
%   References:
%     [1] J. Platt, Probabilistic outputs for support vector machines, in: Advances in Large Margin
%         Classifiers, MIT Press 2000.
%     [2] Rasmussen, Williams, Gaussian Processes for Machine Learning, MIT Press 2006, section 3.9.
%     [3] D. MacKay, The evidence framework applied to classification networks, Neural Computation 4 (1992)
%         720: probabilities averaged over what data leave open.
%
%   See also attnpath_predict, attnpath_loo, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: probability.tst   REFERENCE: ref_probability.m   SOURCE: (T10), (T24)

ap_check_call ('probability', nargin >= 1, 'p = attnpath_probability (model, X, Name, Value, ...)');
ap_check_is_model ('probability', model);
table = {'Labels',    [],   'any',     []
         'Bins',      10,   'count',   [1 1e6]
         'Corrected', true, 'flag',    []
         'Lengths',   [],   'any',     []
         'Display',   true, 'display', []};
given = varargin;
asked = ~isempty (given) && ~ischar (given{1}) && ~isa (given{1}, 'string');
if asked, given = given(2:end); end
opt = ap_options ('probability', table, given);
asks = model;
if ap_is_expansion (model), model = model.sol; end
[net, ~, y, noise, ~, many] = ap_training_set ('probability', model);
left = ap_used_examples (noise, size (y, 1));
several = size (y, 2) > 1;                         % the class of an example is then the largest column of y
own = y;
classes = [];
if several
  classes = ap_model_classes ('probability', model, y);
  [~, own] = max (y, [], 2);
else
  check_labels ('model.y', y(left));
  one = y(find (left, 1));
  ap_refuse ('probability', 'badValue', all (y(left) == one), ...
             'all labels of the model are %g: probabilities need examples of both classes', one);
end
back = ap_silent ({'loo:notConverged', 'loo:saddle'});
loo = ap_gateway ('probability', @attnpath_loo, model, 'Corrected', opt.Corrected, 'Display', opt.Display);
back = [];
ap_warn_minimum ('probability', model);            % here, since a newer Octave takes silent ones for the last warning
[loo.mean, loo.variance] = flat (many, loo.mean, loo.variance, several);
if several
  of_left = {loo.mean(left,:), loo.variance(:,:,left), own(left)};
  fit = ap_class_fit (of_left{:}, opt.Display);
else
  of_left = {loo.mean(left), loo.variance(left), own(left)};
  fit = ap_probit_fit (of_left{:});
end
[mu, s2] = deal (loo.mean, loo.variance);
if asked
  [mu, s2] = ap_gateway ('probability', @attnpath_predict, asks, varargin{1}, 'Lengths', opt.Lengths, ...
                         'Display', opt.Display);
  many = ap_tokens ('probability', 'X', net, varargin{1}, [], opt.Lengths);
  [mu, s2] = flat (many, mu, s2, several);
elseif ~isempty (opt.Lengths)
  ap_fail ('probability', 'badValue', 'Lengths belong to tokens X, which are not given');
end
[logloss, ece] = deal (NaN);
counted = true (size (mu, 1), 1);
labels = [];
if ~isempty (opt.Labels) && isstruct (many)
  [labels, counted] = of_tokens (model, opt.Labels, many, classes, several);
elseif ~isempty (opt.Labels) && several
  labels = ap_class_of ('probability', 'Labels', opt.Labels, classes);
  ap_refuse ('probability', 'badShape', numel (labels) ~= numel (counted), 'Labels must be %d x 1, not %s', ...
             numel (counted), {opt.Labels});
elseif ~isempty (opt.Labels)
  labels = given_labels (model, opt.Labels, numel (counted));
elseif ~asked
  [labels, counted] = deal (own, left);
end
[p, losses] = probabilities (fit, mu, s2, labels);
flat_p = p;
p = ap_to_tokens (many, p);
if isempty (labels), return; end
logloss = mean (losses(counted));
if asked
  [~, left_out] = probabilities (fit, of_left{:});
  compare (left_out, losses(counted));
end
if several
  [~, ece] = ap_class_losses (flat_p(counted,:), labels(counted), opt.Bins);
else
  [~, ece] = ap_reliability (flat_p(counted), labels(counted), opt.Bins);
end
end

function [mu, s2] = flat (many, mu, s2, several)
mu = ap_from_tokens (many, mu);
if ~isstruct (many), return; end
if several, s2 = reshape (s2, size (s2, 1), size (s2, 2), []); s2 = s2(:,:,many.place); else, s2 = s2(many.place); end
end

function [labels, counted] = of_tokens (model, labels, many, classes, several)
% Numbers of classes, or -1 and +1, and which tokens have a label; others have the number 1
known = {};
if isfield (model, 'classes'), classes = model.classes; end
if ~isempty (classes), known = {classes, false}; end
y = ap_labels ('probability', 'Labels', labels, many, true, known{:});
counted = ~isnan (y(:,1));
if several, [~, labels] = max (y, [], 2); else, labels = y; end
if ~several, check_labels ('Labels', labels(counted)); end
labels(~counted) = 1;
end

function [p, losses] = probabilities (fit, mu, s2, labels)
% losses: minus the logarithms of the probabilities of the labels, if given
losses = [];
if size (mu, 2) > 1
  p = ap_class_probability (fit, mu, s2);
  if ~isempty (labels), losses = -log (max (p((1:numel (labels))' + size (p, 1) * (labels - 1)), realmin)); end
else
  [p, l] = ap_probit (fit, mu, s2, labels);
  losses = -l;
end
end

function compare (left_out, new)
% Compares leave-one-out losses of training examples with losses of new labelled ones. If both have one distribution,
% the new ones estimate its variance, even if by chance no training example is wrong
[a, b] = deal (mean (left_out), mean (new));
error_of = sqrt (var (new) * (1 / numel (left_out) + 1 / numel (new)));
if numel (new) > 1 && b > 2 * a && b - a > 3 * error_of
  warning ('attnpath:probability:seen', ['attnpath_probability: the log loss is %.3g for these examples, and %.3g ' ...
           'for those of training, each left out: probabilities are overconfident. Are those of training ' ...
           'what the attention was learned from? Then export examples that your transformer has not seen'], b, a);
end
end

function labels = given_labels (model, labels, P)
% Labels are coded as the model's own. Without classes in the model, texts as labels would be ambiguous
known = {};
if isfield (model, 'classes')
  known = {false, model.classes, false};
elseif isnumeric (labels)
  labels = double (labels);
elseif ~islogical (labels)
  ap_fail ('probability', 'badClass', 'Labels must be -1 and +1, as the model''s own, not %s', {labels});
end
labels = ap_labels ('probability', 'Labels', labels, P, known{:});
check_labels ('Labels', labels);
end

function check_labels (name, y)
wrong = find (abs (y) ~= 1, 1);
ap_refuse ('probability', 'badValue', ~isempty (wrong), '%s must be labels -1 and +1, but number %d is %g', name, ...
           wrong, y(wrong));
end

%!test % more examples of a class, at the same place, make it more probable
%! model = attnpath_solve (attnpath_net (1), struct ('Xi', [1 1.1 0.9 -1 -0.9 -1.1]), [1 1 1 -1 -1 -1]');
%! p = attnpath_probability (model, struct ('Xi', [1 -1]));
%! assert (p(1) > 0.5 && p(2) < 0.5);
