function [p, logloss, ece, fit] = attnpath_probability (model, varargin)
%ATTNPATH_PROBABILITY  Calibrated probabilities of classes.
%
%   p = ATTNPATH_PROBABILITY (model, X)
%   p = ATTNPATH_PROBABILITY (model)
%   [p, logloss, ece, fit] = ATTNPATH_PROBABILITY (..., Name, Value)
%
%   Inputs :
%     model     solution from attnpath_solve or sample from attnpath_sample, whose labels are -1 and +1, or
%               classes. Or an expansion from attnpath_expand: what is learnt is learnt at its solution, and
%               asked with its means and variances
%     X         N0 x T x Ptest tokens, or a struct from attnpath_paths; without it, the training examples, each
%               left out
%   Options, by name or as one struct:
%     'Labels'   []    Ptest x 1 true labels -1 and +1, or classes of the type of model.classes, for logloss
%                      and ece; without X [] are the model's own
%     'Bins'     10    bins of equal width from 0 to 1, for ece
%     'Lengths'  []    1 x Ptest numbers of tokens, where examples are zero-padded to a common T
%     'Display'  true  progress is told, where draws or many classes take long
%
%   Outputs:
%     p         Ptest x 1 probability of +1, or of the second of two classes; of more Ptest x C, in the order
%               of model.classes
%     logloss   mean of -log of the probability of the true label; NaN without labels. Neither it nor what is
%               learnt from the training examples counts those of noise Inf
%     ece       expected calibration error: the mean over examples of |mean p - share of +1| in their bin of p;
%               NaN without labels. With few examples a perfect predictor has some sqrt (Bins / Ptest), not 0.
%               For more than two classes p is the largest probability, and the share is that of examples whose
%               class has it
%     fit       struct of what the training examples, each left out, say. For two classes and each of K = 4
%               shares of the variance: share, weight (sum 1), a and b, 1 x K, and covariance of (a, b),
%               2 x 2 x K; noise, the mean variance; logloss, that of the training examples, each left out. Of
%               more: a, b (1 x C, sum 0), logloss
%
%   The regression knows no classes: its mean is no probability, and its noise is Gaussian. So a slope a and a
%   bias b are learnt from the training examples, each judged as attnpath_loo does, when it had not been seen,
%   and so is how far the variance s2 of an example tells it from others: its mean says nothing here, for with
%   +-1 as Gaussian labels it is mostly too large. P examples do not determine these numbers: what they leave
%   open is averaged over, from weak priors, so that p is not near 0 or 1 on the word of a few examples that
%   are all right.
%
%   How far p can be trusted: two numbers learnt from P examples err, whatever the method. Root mean square of
%   p - share in bins of 0.1, over new examples of the Markov task: 0.04 for P = 100, 0.03 for 300, 0.015 for
%   1000 (studies/calibration).
%
%   Equation: of two classes p = mean of Phi ((a mu + b) / sqrt (1 - w + w s2 / noise)) over a, b of a Gaussian
%   posterior at each share w = 0, 1/4, 1/2, 3/4, and over w; mu and s2 of (T10), or while a and b are learnt
%   of (T24). Prior: a ~ N (0, 25 / mean of mu^2), b ~ N (0, 1).
%   For C > 2 classes p_c is the probability that a f_c + b_c + e_c is the largest, f ~ N (mu, s2), e_c ~ N
%   (0, 1/2) independent, with the a and b of greatest likelihood, a between 1/1000 and 1000 over the size
%   of f. It is computed as one integral, exactly so for C = 3 and where outputs are independent or equally
%   correlated; a covariance of another kind is replaced by one of one factor, which keeps the variances of
%   differences.
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

if nargin < 1
  ap_fail ('probability', 'usage', 'the call is p = attnpath_probability (model, X, Name, Value, ...)');
end
ap_check_is_model ('probability', model);
table = {'Labels',  [],   'any',   []
         'Bins',    10,   'count', [1 1e6]
         'Lengths', [],   'any',   []
         'Display', true, 'display',  []};
given = varargin;
asked = ~isempty (given) && ~ischar (given{1}) && ~isa (given{1}, 'string');
if asked, given = given(2:end); end
opt = ap_options ('probability', table, given);
asks = model;
if ap_is_expansion (model), model = model.sol; end
[~, ~, y, noise] = ap_training_set ('probability', model);
left = ap_learned (noise, size (y, 1));
several = size (y, 2) > 1;                         % the class of an example is then the column of y that is largest
if several
  classes = ap_model_classes ('probability', model, y);
  [~, own] = max (y, [], 2);
else
  own = y;
  check_labels ('model.y', y);
  if all (y(left) == y(find (left, 1)))
    ap_fail ('probability', 'badValue', ['all labels of the model are %g: probabilities need examples of both ' ...
             'classes'], y(find (left, 1)));
  end
end
loo = attnpath_loo (model, 'Display', opt.Display);
if several
  of_left = {loo.mean(left,:), loo.variance(:,:,left), own(left)};
  fit = ap_class_fit (of_left{:}, opt.Display);
else
  of_left = {loo.mean(left), loo.variance(left), own(left)};
  fit = ap_link_fit (of_left{:});
end
if asked
  [mu, s2] = attnpath_predict (asks, varargin{1}, 'Lengths', opt.Lengths, 'Display', opt.Display);
elseif ~isempty (opt.Lengths)
  ap_fail ('probability', 'badValue', 'Lengths belong to tokens X, which are not given');
else
  [mu, s2] = deal (loo.mean, loo.variance);
end
[logloss, ece] = deal (NaN);
counted = true (size (mu, 1), 1);
labels = [];
if ~isempty (opt.Labels) && several
  labels = ap_class_of ('probability', 'Labels', opt.Labels, classes);
  if numel (labels) ~= numel (counted)
    ap_fail ('probability', 'badShape', 'Labels must be %d x 1, not %s', numel (counted), ap_describe (opt.Labels));
  end
elseif ~isempty (opt.Labels)
  labels = given_labels (model, opt.Labels, numel (counted));
elseif ~asked
  [labels, counted] = deal (own, left);
end
[p, losses] = probabilities (fit, mu, s2, labels);
if isempty (labels), return; end
logloss = mean (losses(counted));
if asked
  [~, left_out] = probabilities (fit, of_left{:});
  compare (left_out, losses);
end
if several
  [~, ece] = ap_class_losses (p(counted,:), labels(counted), opt.Bins);
else
  [~, ece] = ap_reliability (p(counted), labels(counted), opt.Bins);
end
end

function [p, losses] = probabilities (fit, mu, s2, labels)
% losses: minus the logarithms of those of the labels, where there are labels
losses = [];
if size (mu, 2) > 1
  p = ap_class_probability (fit, mu, s2);
  if ~isempty (labels), losses = -log (max (p((1:numel (labels))' + size (p, 1) * (labels - 1)), realmin)); end
else
  [p, l] = ap_link (fit, mu, s2, labels);
  losses = -l;
end
end

function compare (left_out, new)
% Losses of training examples, each left out, and of new ones with their labels: are the first a guide to the second? If
% so both are of one kind, whose variance the new ones show, also where by luck no training example is wrong
[a, b] = deal (mean (left_out), mean (new));
if numel (new) < 2 || b <= 2 * a || b - a <= 3 * sqrt (var (new) * (1 / numel (left_out) + 1 / numel (new)))
  return
end
warning ('attnpath:probability:seen', ['attnpath_probability: the log loss is %.3g for these examples, and %.3g ' ...
         'for those of training, each left out, which calibrate: probabilities are too sure. Are those of training ' ...
         'what the attention was learned from? Then export examples that your transformer has not seen'], b, a);
end

function labels = given_labels (model, labels, P)
% Labels are coded as the model's own are. Without classes in the model no text can say which of the two it means
known = {};
if isfield (model, 'classes')
  known = {false, model.classes, false};
elseif isnumeric (labels)
  labels = double (labels);
elseif ~islogical (labels)
  ap_fail ('probability', 'badClass', 'Labels must be -1 and +1, as the model''s own, not %s', ap_describe (labels));
end
labels = ap_labels ('probability', 'Labels', labels, P, known{:});
check_labels ('Labels', labels);
end

function check_labels (name, y)
wrong = find (abs (y) ~= 1, 1);
if ~isempty (wrong)
  ap_fail ('probability', 'badValue', '%s must be labels -1 and +1, but number %d is %g', name, wrong, y(wrong));
end
end
