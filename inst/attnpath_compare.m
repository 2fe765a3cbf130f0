function cmp = attnpath_compare (varargin)
%ATTNPATH_COMPARE  Order models by leave-one-out, with errors of their differences, by pairs of examples.
%
%   cmp = ATTNPATH_COMPARE (a, b)
%   cmp = ATTNPATH_COMPARE (a, b, c, ..., Name, Value)
%   ATTNPATH_COMPARE (...)
%
%   Inputs :
%     a, b, ..  two models or more, of the same training set: solutions from attnpath_solve, samples from
%               attnpath_sample, or results of attnpath_loo. For solutions and samples attnpath_loo is called
%   Options, by name:
%     'Names'    {}     texts, one for each model; {} for their numbers
%     'Display'  true   print the progress of long runs
%
%   Outputs: struct of columns with a row for each model, the largest elpd first
%     names, place                  name, and place among the inputs
%     elpd, elpd_se                 log density of all labels, each given all others, and its standard error
%     elpd_diff, elpd_diff_se       elpd of the first minus this one, and the standard error of the difference:
%                                   NaN where one example is left out
%     mse, mse_diff, mse_diff_se    mean squared error; this one minus the first, and its standard error. NaN
%                                   where the two have different 'Noise', whose means are weighted differently
%     accuracy                      as from attnpath_loo
%     khat                          the largest k-hat of draws, NaN for solutions
%     examples                      number of examples that are compared
%     reason                        a sentence on the reliability of the order
%   Without an output the table is printed.
%
%   elpd_diff is positive: the model is worse than the first. mse_diff is negative where its squared error is
%   smaller all the same. The error of a difference is that of a sum of differences, example by example: it is
%   smaller than the errors of the two models if both find the same examples hard. An order is decided where
%   elpd_diff is at least two elpd_diff_se. With fewer than about 100 examples, which the reason mentions, or
%   differences of elpd below 4, this error itself is too small [2]. The warning attnpath:compare:unreliable
%   lists models with a k-hat above 0.7, and those whose difference to the first is below two standard errors.
%     The models may differ in widths, temperature, noise, attention or features of their tokens, but not in
%   the examples: labels must be equal, and where networks have the same heads, path inputs too.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> narrow = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> net.width(:) = 1000;
%     >> wide = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> cmp = attnpath_compare (wide, narrow, 'Names', {'N = 1000', 'N = 10'});
%     >> cmp.names'
%     ans =
%     {
%       [1,1] = N = 10
%       [1,2] = N = 1000
%     }
%
%
%   References:
%     [1] Vehtari, Gelman, Gabry, Practical Bayesian model evaluation using leave-one-out cross-validation
%         and WAIC, Statistics and Computing 27 (2017) 1413.
%     [2] Sivula, Magnusson, Matamoros, Vehtari, Uncertainty in Bayesian leave-one-out cross-validation based
%         model comparison, Bayesian Analysis (2025), arXiv:2008.10296.
%
%   See also attnpath_loo, attnpath_table, attnpath_evidence.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: compare.tst   REFERENCE: ref_compare.m

words = find (cellfun (@(a) ischar (a) || isa (a, 'string'), varargin), 1);
if isempty (words), words = nargin + 1; end
ap_check_call ('compare', words > 2, 'cmp = attnpath_compare (a, b, .., Name, Value)');
table = {'Names',   {},   'any',     []
         'Display', true, 'display', []};
opt = ap_options ('compare', table, varargin(words:end));
n = words - 1;
names = opt.Names;
if isequal (names, {}), names = arrayfun (@(k) sprintf ('model %d', k), 1:n, 'UniformOutput', false); end
what = ap_either (iscellstr (names), 'badShape', 'badClass');
ap_refuse ('compare', what, ~iscellstr (names) || numel (names) ~= n, ...
           'Names must be a cell of %d texts, one for each model, not %s', n, {names});
names = reshape (names, [], 1);
ap_refuse ('compare', 'badValue', numel (unique (names)) < n, 'Names must differ, and two of them are equal: %s', ...
           strjoin (names', ', '));
for k = 1:n
  if k == 2, back = ap_silent ({'loo:copies'}); end          % of the same examples once is enough
  loos{k} = flat (result_of (varargin{k}, names{k}, opt.Display));
  check_same (loos{1}, loos{k}, names([1 k]));
end
back = [];

elpd = cellfun (@(loo) loo.elpd, loos);
[elpd, place] = sort (elpd(:), 'descend');
[loos, names] = deal (loos(place), names(place));
each = @(name) cellfun (@(loo) loo.(name), loos(:));
left = ~isnan (loos{1}.logdensity);
cmp = struct ('names', {names}, 'place', place, 'elpd', elpd, 'elpd_se', each ('elpd_se'), ...
              'elpd_diff', zeros (n, 1), 'elpd_diff_se', zeros (n, 1), 'mse', each ('mse'), ...
              'mse_diff', zeros (n, 1), 'mse_diff_se', zeros (n, 1), 'accuracy', each ('accuracy'), ...
              'khat', cellfun (@(loo) max (reshape (ap_field (loo, 'khat', NaN), [], 1)), loos(:)), ...
              'examples', sum (left));
for k = 2:n
  d = loos{1}.logdensity(left) - loos{k}.logdensity(left);
  [cmp.elpd_diff(k), cmp.elpd_diff_se(k)] = deal (sum (d), ap_sum_error (d));
  [cmp.mse_diff(k), cmp.mse_diff_se(k)] = squares_differ (loos{[k 1]});
end
[cmp.reason, doubtful] = judged (cmp, loos);
if doubtful, warning ('attnpath:compare:unreliable', 'attnpath_compare: %s', cmp.reason); end
if nargout == 0
  summarise (cmp);
  clear -regexp ^cmp$
end
end

function loo = result_of (model, name, display)
if isstruct (model) && numel (model) == 1 && all (isfield (model, {'elpd', 'logdensity', 'mean'}))
  loo = model;
  ap_refuse ('compare', 'missingField', ~all (isfield (loo, {'y', 'examples'})), ['%s is a leave-one-out result ' ...
             'without the fields y and examples, by which it is known whether two results have the same examples: ' ...
             'call attnpath_loo again'], name);
  number = @(x) isnumeric (x) && isreal (x) && numel (x) == 1 && x == x;
  ap_refuse ('compare', 'badValue', ~all (isfield (loo, {'elpd_se', 'mse', 'accuracy'})) || ~number (loo.elpd), ...
             '%s is no result of attnpath_loo: elpd is %s', name, {loo.elpd});
  ap_refuse ('compare', 'badShape', ~isnumeric (loo.mean) || ~isnumeric (loo.logdensity) || ~isstruct (loo.examples) ...
             || ~isequal (size (loo.mean), size (loo.y)), ['%s is no result of attnpath_loo: y is %s, mean %s, ' ...
             'logdensity %s, examples %s'], name, {loo.y}, {loo.mean}, {loo.logdensity}, {loo.examples});
  return
end
ap_refuse ('compare', 'badClass', ~isstruct (model) || numel (model) ~= 1, ...
           '%s must be a solution, a sample or a result of attnpath_loo, not %s', name, {model});
back = ap_silent ({'loo:unreliable', 'loo:notConverged', 'loo:saddle'});      % the reason has the first of them
try
  loo = attnpath_loo (model, 'Display', display);
catch err
  ap_rethrow ('compare', err, [': ' name]);
end
back = [];
ap_warn_minimum ('compare', model);
end

function loo = flat (loo)
% left, which rows of mean and y count, and group, sequences that were left out together, [] for single rows. With
% labels at every token a row is a token
many = ap_field (loo.examples, 'tokens', []);
[loo.left, loo.group] = deal (~isnan (loo.logdensity), []);
if ~isstruct (many), return; end
for name = {'y', 'mean'}, loo.(name{1}) = ap_from_tokens (many, loo.(name{1})); end
loo.left = ~isnan (loo.mean(:,1));
loo.y(isnan (loo.y)) = Inf;                        % NaN equals nothing
if size (loo.logdensity, 2) > 1
  loo.logdensity = ap_from_tokens (many, loo.logdensity);
else
  [~, ~, loo.group] = unique (many.example(loo.left));
end
end

function check_same (a, b, names)
% Two results have the same examples, and use the same of them
[P, Q] = deal (size (a.y), size (b.y));
ap_refuse ('compare', 'badShape', ~isequal (P, Q), ['%s has %d examples with labels of %d columns, and %s %d with ' ...
           '%d: only results of the same examples can be compared'], names{1}, P, names{2}, Q);
differ = find (any (a.y ~= b.y, 2), 1);
ap_refuse ('compare', 'otherRun', ~isempty (differ), ['%s and %s have other examples, or in another order: the ' ...
           'labels of number %d differ'], names{:}, differ);
[x, z] = deal (a.examples, b.examples);
if ~isempty (x.attention) && isequal (x.attention, z.attention)
  differ = find (abs (x.length - z.length) > 1e-6 * max (x.length), 1);
  ap_refuse ('compare', 'otherRun', ~isempty (differ), ['%s and %s have other examples, or in another order: under ' ...
             'the same attention the path inputs of number %d differ'], names{:}, differ);
end
ap_refuse ('compare', 'badValue', ~isequal (isnan (a.logdensity), isnan (b.logdensity)), ['%s and %s leave other ' ...
           'examples unused, whose noise is Inf'], names{:});
end

function [diff, se] = squares_differ (a, b)
% Of weighted means: examples of smaller noise count more, and other noise is another mean
[diff, se] = deal (NaN);
[noise, left] = deal (a.examples.noise, a.left);
if ~isequal (noise, b.examples.noise), return; end
squares = @(loo) mean ((loo.mean(left,:) - loo.y(left,:)) .^ 2, 2);
d = squares (a) - squares (b);
weight = ones (size (d));
if ~isempty (noise), weight = 1 ./ reshape (noise(left), [], 1); end
[d, weight] = ap_by_group (d, weight, a.group);
diff = weight' * d / sum (weight);
se = norm (weight .* (d - diff)) / sum (weight) * sqrt (numel (d) / (numel (d) - 1));
end

function [text, doubtful] = judged (cmp, loos)
clear_cut = cmp.elpd_diff > 0 & cmp.elpd_diff >= 2 * cmp.elpd_diff_se;
clear_cut(1) = true;
bad = find (cmp.khat > ap_khat_limit ())';
text = sprintf ('%s is the best, by two standard errors or more', cmp.names{1});
if ~all (clear_cut)
  text = sprintf ('%s is not decided to be better than %s: elpd_diff is below two standard errors', cmp.names{1}, ...
                  strjoin (cmp.names(~clear_cut)', ', '));
end
for k = bad
  text = sprintf ('%s; the elpd of %s is unreliable, k-hat is above %g for %d of %d examples and up to %.2f', text, ...
                  cmp.names{k}, ap_khat_limit (), sum (loos{k}.khat(:) > ap_khat_limit ()), cmp.examples, cmp.khat(k));
end
if cmp.examples < 100, text = [text '; with fewer than 100 examples the errors of differences are too small']; end
doubtful = ~isempty (bad) || ~all (clear_cut);
end

function summarise (cmp)
fprintf ('%d examples, each predicted from all others; differences to the first, by pairs of examples\n', cmp.examples);
with_errors = @(values, se) arrayfun (@(a, b) ap_with_error (a, b), values, se, 'UniformOutput', false);
with_digits = @(values) strrep (arrayfun (@(a) sprintf ('%.4g', a), values, 'UniformOutput', false), 'NaN', '-');
worse = [with_errors(cmp.elpd_diff, cmp.elpd_diff_se), with_errors(cmp.mse_diff, cmp.mse_diff_se)];
worse(1,:) = {''};
worse(isnan (cmp.mse_diff),2) = {'other noise'};
words = [cmp.names, with_errors(cmp.elpd, cmp.elpd_se), worse(:,1), with_digits(cmp.mse), worse(:,2), ...
         with_digits(cmp.accuracy), with_digits(cmp.khat)];
heads = {'', 'elpd', 'elpd of the first - elpd', 'mse', 'mse - mse of the first', 'accuracy', 'k-hat'};
shown = [true(1, 5), ~all(isnan (cmp.accuracy)), ~all(isnan (cmp.khat))];
fprintf ('%s', ap_columns ([heads(shown); words(:,shown)]), sprintf ('%s\n', cmp.reason));
end
