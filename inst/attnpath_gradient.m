function g = attnpath_gradient (model, varargin)
%ATTNPATH_GRADIENT  Derivatives of a solution's log evidence with respect to all but its order parameters.
%
%   g = ATTNPATH_GRADIENT (sol, 'With', what)
%   g = ATTNPATH_GRADIENT (sol, X, 'With', what)
%   g = ATTNPATH_GRADIENT (sol, X, A, 'With', what)
%
%   At a solution, these derivatives need no new solution: they are derivatives of the action at fixed U.
%   A positive derivative means that a larger value explains the labels better.
%
%   Inputs :
%     sol      solution from attnpath_solve, of examples or of moments
%     X        N0 x T x P tokens of its examples, for 'bandwidth', 'ridge', 'maps', 'W' and 'QK'
%     A        1 x L cell of attention maps, if the solution was computed from maps of yours
%   Options, by name or as one struct:
%     'With'     {'temperature', 'variance', 'heads'}   a word or a cell of words:
%                  'temperature'  by log T, which temperature 0 does not have: leave the word out there
%                  'variance'     by the logarithm of each prior variance
%                  'heads'        by the logarithm of each head's prior scale, net.headscale
%                  'noise'        by the logarithm of each example's noise, see attnpath_solve
%                  'bandwidth'    by its logarithm, if the rule of the heads has one
%                  'ridge'        by its logarithm, of cme heads
%                  'paths'        by the path inputs
%                  'maps'         by the attention maps
%                  'W'            by the matrices of bilinear heads
%                  'QK'           by the queries and keys of heads that have them
%     'Lengths'  []   1 x P numbers of tokens of X, where examples are zero-padded
%
%   Outputs: struct with a field for each word
%     temperature, bandwidth, ridge   scalar
%     variance                        1 x (L+2)
%     noise                           1 x P, 0 for an example of noise Inf; T x P with the readout 'all'
%     heads                           1 x L cell of 1 x H_l
%     paths                           as sol.paths.Xi, N0 x P x Pi
%     maps                            1 x L cell of T x T x H_l x P
%     W, QK                           1 x L cell in the shape of net.heads
%   and logp, the log evidence (T10b) itself.
%
%   Equation: (T33), (T34), (T35); section 19 of theory.md.
%
%   Errors:   attnpath:gradient: usage, badValue, missingField, notConverged, otherRun, noHeads, and the
%             errors of all functions for wrong options and arrays
%
%   Example:
%     >> task = attnpath_task_markov ();
%     >> net = attnpath_net (task.heads, 'Width', 30);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> g = attnpath_gradient (sol, 'With', 'heads');
%     >> g.heads{2}(2) < 0                          % less of the random head of layer 2 is better
%     ans = 1
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_solve, attnpath_tune, attnpath_evidence, attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: gradient.tst, test_ap_gradient.c, test_ap_backward.c   REFERENCE: ref_gradient.m
% SOURCE: (T33), (T34), (T35)

ap_check_call ('gradient', nargin >= 1, 'g = attnpath_gradient (sol, X, A, Name, Value, ...)');
ap_check_is_model ('gradient', model);
[X, A, given] = tokens (varargin);
table = {'With',    {'temperature', 'variance', 'heads'}, 'any', []
         'Lengths', [],                                   'any', []};
opt = ap_options ('gradient', table, given);
words = read_words (opt.With);
[net, training, y, noise, ~, many] = ap_training_set ('gradient', model, true);
inner = intersect (words, {'bandwidth', 'ridge', 'maps', 'W', 'QK'});
check_solution (model, net, words, inner, X, A);
if isempty (inner) && ~isempty (X) && ~isfield (model, 'moments')        % else it is checked where it is used
  P = size (training, 2);
  if isstruct (many), P = many.P; end
  ap_check_array ('gradient', 'X', X, {size(training, 1), 'T', P});
end
wanted = ~isempty (inner) || any (strcmp ('paths', words));
each = wanted || any (strcmp ('noise', words));
C = ap_outputs (training, y);
blocks = ap_output_blocks (net, model.order, C);
use = struct ('memory', 0, 'store', false, 'reduce', ~each, 'evaluations', 0, 'threads', 0, 'shared', blocks < C);
data = ap_prepare ('gradient', net, training, y, use, noise, model);
order = ap_check_order ('gradient', 'sol.order', model.order, net, blocks);
out = cell (1, 3 + wanted);
[out{:}] = ap_gateway ('gradient', @attnpath_gradient_mex, ap_without_heads (net), data, order);
out = cellfun (@(slope) -C / blocks / 2 * slope, out, 'UniformOutput', false);
if wanted, slope = out{4}; end
if wanted && ~isempty (noise)                      % by path inputs as given, from those in units of their noise (T35)
  slope = spread (bsxfun (@rdivide, slope, sqrt (data.noise')), noise);
end

for word = words
  switch word{1}
    case 'temperature', g.temperature = out{1};
    case 'variance',    g.variance = out{2};
    case 'heads',       g.heads = by_heads (out{3}, net);
    case 'noise',       g.noise = by_noise (net, data, order{1}, noise);
                        if isstruct (many), g.noise = ap_to_tokens (many, g.noise'); end
    case 'paths',       g.paths = slope;
  end
end
if ~isempty (inner)
  inside = backward (net, training, X, A, opt.Lengths, slope, inner);
  for word = inner, g.(word{1}) = inside.(word{1}); end
end
g.logp = model.evidence;
end

function [X, A, given] = tokens (given)
[X, A] = deal ([]);
if ~isempty (given) && isnumeric (given{1})
  [X, given] = deal (given{1}, given(2:end));
  if ~isempty (given) && iscell (given{1})
    [A, given] = deal (given{1}, given(2:end));
  end
end
end

function words = read_words (with)
known = {'temperature', 'variance', 'heads', 'noise', 'bandwidth', 'ridge', 'paths', 'maps', 'W', 'QK'};
if ischar (with), with = {with}; end
ap_refuse ('gradient', 'badValue', ~iscellstr (with) || isempty (with), ...
           'With must be a word or a cell of words, not %s', {with});
words = unique (cellfun (@(word) ap_check_value ('gradient', 'With', word, 'word', known), reshape (with, 1, []), ...
                         'UniformOutput', false));
end

function check_solution (model, net, words, tokens, X, A)
% tokens: those of the words that need them
ap_check_fields ('gradient', 'sol', model, {'order', 'evidence', 'converged', 'reason'}, 'attnpath_solve');
ap_refuse ('gradient', 'notConverged', ~isequal (model.converged, true), ['sol is no solution yet: only at a ' ...
           'minimum of the action is its derivative that at fixed U; %s'], model.reason);
single = [tokens, intersect(words, {'noise', 'paths'})];
of_heads = setdiff (tokens, {'maps'});
brought = isfield (model, 'paths') && ap_is_brought (model.paths);
refuse = @(wrong, varargin) ap_refuse ('gradient', 'badValue', wrong, varargin{:});
refuse (net.temperature == 0 && any (strcmp ('temperature', words)), ['the temperature is 0, where log T has no ' ...
        'derivative: leave ''temperature'' out of ''With''']);
refuse (isfield (model, 'moments') && ~isempty (single), ['sol was made of moments, in which the examples are not ' ...
        'kept: there is no derivative with respect to %s'], strjoin (single, ', '));
ap_refuse ('gradient', 'usage', ~isempty (tokens) && isempty (X), ...
           'derivatives with respect to %s need the tokens: attnpath_gradient (sol, X, ''With'', ..)', ...
           strjoin (tokens, ', '));
ap_refuse ('gradient', 'usage', isempty (A) && any (strcmp ('maps', tokens)) && brought, ['the attention maps of ' ...
           'sol are your own, and derivatives with respect to them need them again: attnpath_gradient (sol, X, A, ' ...
           '''With'', ''maps'')']);
if isempty (of_heads), return; end
text = strjoin (of_heads, ', ');
rule = ap_rules (net.attention);
pairs = cellfun (@isstruct, net.heads);
refuse (~isempty (A) || brought || isempty (net.heads), ...
        'maps of your own have no heads: there is no derivative with respect to %s', text);
refuse (~rule.slopes, 'attention %s jumps: there is no derivative with respect to %s', net.attention, text);
refuse (any (strcmp ('ridge', of_heads)) && ~rule.factors, 'attention %s has no ridge', net.attention);
refuse (any (strcmp ('W', of_heads)) && any (pairs), ...
        'the heads of layer %d have queries and keys: give ''QK'' instead of ''W''', find (pairs, 1));
refuse (any (strcmp ('QK', of_heads)) && ~all (pairs), ...
        'the heads of layer %d are bilinear: give ''W'' instead of ''QK''', find (~pairs, 1));
end

function heads = by_heads (slope, net)
% (T34): the sum over the paths through a head
list = ap_path_list (net.H, net.skip);
heads = cell (1, net.L);
for l = 1:net.L
  heads{l} = arrayfun (@(h) sum (slope(list(:,l) == h)), 1:net.H(l));
end
end

function all_of = spread (left, noise)
% Values of examples with finite noise, and 0 for the others; examples are the second index
all_of = zeros (size (left, 1), numel (noise), size (left, 3));
all_of(:,isfinite (noise),:) = left;
end

function g = by_noise (net, data, U, noise)
% -T t_i sum_c M_ii / 2, in units of the noise -T sum_c M_ii / 2: by (T23) M_ii is V^{-1} - V^{-1} e e' V^{-1}, with V
% the variance of y_i given all other labels, and e its distance from its mean
[mu, s2] = attnpath_loo_mex (ap_without_heads (net), data, U, [], [], 0);
[P, C] = size (data.y);
e = data.y - mu;
own = zeros (1, P);
for i = 1:P
  if C == 1 || data.shared, V = s2(i) * eye (C); else, V = s2(:,:,i); end
  V = inv (V + net.temperature * eye (C));
  own(i) = trace (V) - sum ((V * e(i,:)') .^ 2);
end
g = -net.temperature / 2 * own;
if ~isempty (noise), g = spread (g, noise); end
end

function inside = backward (net, Xi, X, A, lengths, slope, words)
% Through the chain (T3), after a check that these tokens are those of the solution
given = ap_either (isempty (A), 'X is not the tokens', 'X and A are not the tokens and maps');
ap_refuse ('gradient', 'otherRun', ~ap_same (ap_inputs ('gradient', net, X, lengths, A), Xi), ...
           '%s of the solution: their path inputs differ from those of sol.paths', given);
wanted = double ([any(strcmp ('maps', words)), ~isempty(setdiff (words, {'maps'}))]);
maps = [];
if ~isempty (A), maps = cellfun (@double, A, 'UniformOutput', false); end
[inside.maps, inside.W, inside.bandwidth, inside.ridge] = ...
  ap_gateway ('gradient', @attnpath_backward_mex, net, double (X), lengths, maps, slope, wanted);
inside.QK = inside.W;
end

%!test % the derivative by log T is the slope of the log evidence
%! paths = struct ('Xi', [1 2 3; 0 1 -1]);
%! at = @(T) attnpath_gradient (attnpath_solve (attnpath_net (1, 'Temperature', T), paths, [1; 2; 2]), ...
%!                              'With', 'temperature');
%! slope = (at (0.5 * exp (1e-3)).logp - at (0.5 * exp (-1e-3)).logp) / 2e-3;
%! assert (at (0.5).temperature, slope, 1e-5);
