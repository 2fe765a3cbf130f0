function loo = attnpath_loo (model, varargin)
%ATTNPATH_LOO  Leave-one-out: prediction of each training example from all other examples.
%
%   loo = ATTNPATH_LOO (model)
%   loo = ATTNPATH_LOO (model, Name, Value, ...)
%   loo = ATTNPATH_LOO (model, X, y, ...)
%
%   Inputs :
%     model     solution from attnpath_solve or sample from attnpath_sample, or any struct with net, paths, y
%               (the training set) and order, or U where 'Corrected' is false
%     X, y      the training set, if the model does not contain it, as after attnpath_moments: N0 x T x P
%               tokens, or a struct from attnpath_paths, and P x 1 or P x C labels
%   Options, by name or as one struct:
%     'Leave'      ''    with the readout 'all': 'sequence', also if '', leaves out all tokens of a sequence
%                        together; 'token' one token, which its neighbours predict: the labels of a
%                        sequence tell much of each other's, so that this is no estimate for new sequences
%     'Corrected'  true  for a solution: each example is predicted at the order parameters of the other
%                        examples, to first order. false: at the order parameters of all examples,
%                        which makes the error slightly too small. Draws need no such correction
%     'Lengths'    []    1 x P numbers of tokens, where examples of X are zero-padded to a common T
%     'Noise'      []    noise of X and y, for moments with 'Noise'; other models contain their noise
%     'Display'    true  print the progress of long runs
%
%   Outputs: struct with
%     mean, variance   P x 1 mean and variance of f (x_i), given all labels but y_i; for C outputs P x C, and
%                      C x C x P covariances. With the readout 'all' T x P x C, and T x P or C x C x T x P, of
%                      labelled tokens, NaN elsewhere
%     logdensity       P x 1 log p (y_i | all other labels), including the noise, of variance T or T times
%                      'Noise'. An example of noise Inf has a mean and a variance, but NaN here, and the
%                      following fields do not count it
%                      With the readout 'all' it is joint over the tokens of a sequence, NaN for one without
%                      labels; with 'Leave', 'token' it is T x P, and so is khat
%     elpd, elpd_se    sum of logdensity, and its standard error over examples, or sequences; NaN for one
%     mse              mean of (mean - y) .^ 2, over all outputs. With 'Noise' the weight of an example is
%                      1 / noise, as in training
%     accuracy         fraction of examples with mean and label of one sign; NaN unless labels are -1 and +1.
%                      For C outputs: fraction with the largest mean at the largest label; NaN if any
%                      example has two largest labels
%     y, examples      the labels, and marks of the examples, by which attnpath_compare knows them
%     khat             for draws: P x 1 diagnostic of the importance weights. Above 0.7 the values of the
%                      example are unreliable
%     unreliable       for draws: the examples with khat above 0.7, with the warning attnpath:loo:unreliable
%   Without an output a summary is printed instead.
%
%   Nothing is trained again: for a solution the cost is about that of attnpath_solve. The prediction of an
%   example does not use its label. In the choice of temperature, width and heads elpd or mse replaces a test
%   set. The correction needs a minimum with a positive definite Hessian: a solution that has not converged, or
%   that is a saddle point, causes the warning attnpath:loo:notConverged or attnpath:loo:saddle. Draws of U
%   have the weights 1 / p (y_i | other labels, U), Pareto-smoothed.
%
%   Copies of an example tell its label. Where three in ten examples have copies, attnpath:loo:copies says so
%   once for each call, and how to give each example once with the same posterior. For copies that are not
%   exact there is no such warning.
%
%   Examples that share parts, such as sequences with images of one class, are left out one at a time too.
%   study_groups also left out all examples of a class together. On one-shot sequences of new classes the error
%   by (T24) was nearer to the test error, and probabilities fitted to it were better calibrated.
%
%   With attention maps of yours, and nearly all predictions correct, the function warns once for a training
%   set, attnpath:loo:seen: the transformer may have been trained on these examples. A transformer that is
%   right on nearly all new examples causes the same warning.
%
%   Equation: (T23), (T24) of theory.md.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> loo = attnpath_loo (sol);
%     >> [loo.elpd / 100, loo.mse, loo.accuracy]
%     ans =
%       -0.6579   0.2247   0.9700
%     >> mean ((attnpath_predict (sol, task.Xtest) - task.ytest) .^ 2)
%     ans = 0.2460
%
%
%   References:
%     [1] Rasmussen, Williams, Gaussian Processes for Machine Learning, MIT Press 2006, section 5.4.
%     [2] Vehtari, Gelman, Gabry, Practical Bayesian model evaluation using leave-one-out cross-validation
%         and WAIC, Statistics and Computing 27 (2017) 1413.
%
%   See also attnpath_compare, attnpath_solve, attnpath_sample, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: loo.tst, test_ap_loo.c   REFERENCE: ref_loo.m   SOURCE: (T23), (T24)

ap_check_call ('loo', nargin >= 1, 'loo = attnpath_loo (model, Name, Value, ...)');
ap_check_is_model ('loo', model);
given = varargin;
brought = numel (given) > 1 && ~ischar (given{1}) && ~isa (given{1}, 'string');
if brought, given = given(3:end); end
table = {'Leave',     '',   'word', {'', 'sequence', 'token'}
         'Corrected', true, 'flag', []
         'Lengths',   [],   'any',  []
         'Noise',     [],   'any',  []
         'Display',   true, 'display', []};
opt = ap_options ('loo', table, given);
if brought
  model = with_examples (model, varargin{1:2}, opt);
elseif isfield (model, 'moments') && ~all (isfield (model, {'paths', 'y'}))
  ap_fail ('loo', 'missingField', ['model is one of moments, sums over examples, and none can be left out of them: ' ...
           'give the examples as well, attnpath_loo (model, X, y). Solutions with one output, or coupled ones, ' ...
           'have attnpath_evidence (model), at widths below their paths with ''Method'', ''annealed''']);
elseif ~isempty (opt.Lengths)
  ap_fail ('loo', 'badValue', 'Lengths are those of X, in attnpath_loo (model, X, y, ...), and there is no X');
end
[net, Xi, y, noise, ~, many] = ap_training_set ('loo', model);
if isfield (model, 'moments')
  check_gathered (model.moments, Xi, y, noise);
elseif ~isempty (opt.Noise) && ~isequal (ap_check_noise ('loo', 'Noise', opt.Noise, many, y), noise)
  ap_fail ('loo', 'badValue', ['Noise differs from that of the model: solve with it, ' ...
           'attnpath_solve (net, X, y, ''Noise'', noise)']);
end
group = ap_left_groups ('loo', opt.Leave, many, noise);
[data, at] = ap_left_data ('loo', net, model, Xi, y, noise, opt.Corrected, group);
if iscell (at), ap_say_price ('loo', net, at, size (data.Xi), size (y, 2), 1, opt.Display); end
[mu, s2, l] = ap_left_out ('loo', net, data, at, 1, opt.Display == 1 || opt.Display == 2);
left = find (ap_used_examples (noise, size (y, 1)))';
summary_of = @summary;
if size (l, 2) > 1, summary_of = @of_draws; end
loo = summary_of (y(left,:), mu, s2, l, data.noise, group);
ap_warn_seen ('loo', model.paths, y(left,:), loo.mse, loo.accuracy);
ap_warn_copies ('loo', Xi(:,left,:), group);
if isstruct (many)
  loo = by_tokens (loo, many, left, group);
elseif numel (left) < size (y, 1)
  all = struct ('net', net, 'paths', struct ('Xi', Xi), 'y', y, 'noise', noise, 'U', model.U);
  loo = with_others (loo, all, left, opt.Display);
end
loo.y = ap_to_tokens (many, y);
loo.examples = mark_of (net, model.paths, Xi, noise);
if isstruct (many), loo.examples.tokens = many; end
if nargout == 0
  summarise (loo, many);
  clear -regexp ^loo$
end
end

function mark = mark_of (net, paths, Xi, noise)
% What attnpath_compare recognises examples by. attention: [] where it is not known, or numbers that are equal for
% networks that make the same path inputs of the same tokens; length, norms of the path inputs of each example
mark = struct ('attention', [], 'length', sqrt (sum (sum (Xi .^ 2, 1), 3))', 'noise', noise);
of = ap_field (paths, 'of', zeros (1, 4));
if of(3), mark.attention = [of, net.skip, net.headscale{:}]; end
end

function loo = by_tokens (loo, many, left, group)
% Values of labelled tokens as T x P, those of a sequence as P x 1
[n, C] = deal (numel (many.place), size (loo.mean, 2));
all_of = NaN (C, C, n);
all_of(:,:,left) = reshape (loo.variance, C, C, []);
loo.variance = ap_to_tokens (many, all_of, true);
if C == 1, loo.variance = reshape (loo.variance, many.T, many.P); end
loo.mean = ap_to_tokens (many, among (n, left, loo.mean));
for name = intersect ({'logdensity', 'khat'}, fieldnames (loo))'
  if isempty (group)
    loo.(name{1}) = ap_to_tokens (many, among (n, left, loo.(name{1})));
  else
    loo.(name{1}) = among (many.P, unique (many.example(left)), loo.(name{1}));
  end
end
if isfield (loo, 'unreliable'), loo.unreliable = find (loo.khat > ap_khat_limit ()); end
end

function all_of = among (n, some, values)
% Rows of values among n rows, the others NaN
all_of = NaN (n, size (values, 2));
all_of(some,:) = values;
end

function summarise (loo, many)
P = sum (~isnan (loo.logdensity(:)));
right = '';
if ~isnan (loo.accuracy), right = sprintf (', %.4g %% right', 100 * loo.accuracy); end
named = 'examples';
if isstruct (many), named = ap_either (size (loo.logdensity, 2) > 1, 'tokens', 'sequences'); end
fprintf ('each of %d %s predicted from all others: mean squared error %.4g%s\n', P, named, loo.mse, right);
fprintf ('log density of their labels %.6g, standard error %.2g\n', loo.elpd, loo.elpd_se);
end

function model = with_examples (model, X, y, opt)
% X and y replace the model's paths and y; after moments, together with the option Noise
ap_refuse ('loo', 'missingField', ~isfield (model, 'net'), ...
           'model has no field net: it must be a solution from attnpath_solve, or a sample');
net = ap_check_net ('loo', model.net);
if isstruct (X)
  ap_check_inputs ('loo', 'X', X, net, net.N0, opt.Lengths);
else
  [Xi, of] = ap_inputs ('loo', net, X, opt.Lengths, []);
  X = ap_paths_struct (net, Xi, false, of, ap_tokens ('loo', 'X', net, X, size (Xi, 2), opt.Lengths));
end
known = {};
if isfield (model, 'classes'), known = {model.classes, false}; end
many = ap_tokens ('loo', 'X', net, X, size (X.Xi, 2));
y = ap_to_tokens (many, ap_labels ('loo', 'y', y, many, true, known{:}));
if all (isfield (model, {'paths', 'y'})) && ~(ap_same (y, model.y) && ap_same (X.Xi, model.paths.Xi))
  ap_fail ('loo', 'otherRun', ['X and y are not the %d examples that the model holds: give the model alone, ' ...
           'attnpath_loo (model), or solve with these, attnpath_solve (net, X, y)'], size (model.y, 1));
end
[model.paths, model.y] = deal (X, y);
if ~isfield (model, 'moments'), return; end
ap_refuse ('loo', 'badValue', isempty (opt.Noise) && isfield (model.moments, 'lognoise'), ...
           'the moments were made with ''Noise'': give it here too, attnpath_loo (model, X, y, ''Noise'', noise)');
model.noise = opt.Noise;
end

function loo = with_others (loo, model, left, display)
% Inserts the examples of noise Inf, which did not enter training: they are predicted like new examples
others = setdiff (1:size (model.y, 1), left);
[mu, s2] = attnpath_predict (model, struct ('Xi', model.paths.Xi(:,others,:)), 'Display', display);
loo.mean([left, others],:) = [loo.mean; mu];
loo.logdensity([left, others],1) = [loo.logdensity; NaN(size (mu, 1), 1)];
if size (mu, 2) == 1
  loo.variance([left, others],1) = [loo.variance; s2];
else
  loo.variance(:,:,[left, others]) = cat (3, loo.variance, s2);
end
if ~isfield (loo, 'khat'), return; end
loo.khat([left, others],1) = [loo.khat; NaN(size (mu, 1), 1)];
loo.unreliable = reshape (left(loo.unreliable), [], 1);
end

function check_gathered (m, Xi, y, noise)
% Checks that these are the examples of the moments, by their number and by u'B'B u for one vector u without zeros
[Xi, y] = ap_by_noise (Xi, y, noise);
P = size (Xi, 2);
ap_refuse ('loo', 'badShape', P ~= m.P, 'X and y must be the %d examples of the moments, not %d examples', m.P, P);
u = cos ((1:size (m.sums, 1))');
v = y * u(end-size (y, 2)+1:end);
for k = 1:size (Xi, 3), v = v + Xi(:,:,k)' * u((k-1)*m.N0+(1:m.N0)); end
if strcmp (m.form, 'square'), want = u' * m.sums * u; else, want = norm (m.sums * u) ^ 2; end
ap_refuse ('loo', 'otherRun', abs (v' * v - want) > 1e-8 * abs (want), ...
           'X and y are not the examples of the moments: other tokens, other labels, or labels in another order');
end

function loo = summary (y, mu, s2, l, noise, ~)
[mse, accuracy] = ap_mse_accuracy (mu, y, noise);
loo = struct ('mean', mu, 'variance', s2, 'logdensity', l, 'elpd', sum (l), ...
              'elpd_se', ap_sum_error (l), 'mse', mse, 'accuracy', accuracy);
end

function loo = of_draws (y, means, variances, l, noise, group)
[P, C] = size (y);
if isempty (group), group = 1:P; end
S = size (l, 2);
[w, khat, density] = ap_psis (l);
[mu, s2] = deal (zeros (P, C), zeros (C ^ 2, P));
variances = reshape (variances, C ^ 2, P, S);
for k = 1:P
  here = reshape (means(k,:,:), C, S);
  weight = w(group(k),:)';
  mu(k,:) = here * weight;
  apart = bsxfun (@minus, here, mu(k,:)');
  spread = apart(repmat (1:C, 1, C),:) .* apart(kron (1:C, ones (1, C)),:);
  s2(:,k) = (reshape (variances(:,k,:), C ^ 2, S) + spread) * weight;
end
if C == 1, s2 = s2(:); else, s2 = reshape (s2, C, C, P); end
loo = summary (y, mu, s2, density, noise);
loo.khat = khat;
loo.unreliable = find (khat > ap_khat_limit ());
if ~isempty (loo.unreliable)
  warning ('attnpath:loo:unreliable', ['attnpath_loo: of %d examples %d cannot be left out by reweighting draws, ' ...
           'khat is up to %.2f: see the field unreliable'], numel (khat), numel (loo.unreliable), max (khat));
end
end

%!test % one path at fixed U: the label of the other example, shrunk by its noise
%! model = struct ('net', attnpath_net (1, 'Temperature', 1), 'paths', struct ('Xi', [2 2]), 'y', [5; 10], 'U', 1);
%! loo = attnpath_loo (model, 'Corrected', false);
%! assert (loo.mean, [8; 4], 1e-14);
%! assert (loo.mse, ((8 - 5) ^ 2 + (4 - 10) ^ 2) / 2, 1e-13);
