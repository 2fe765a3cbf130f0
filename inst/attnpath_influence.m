function in = attnpath_influence (model, varargin)
%ATTNPATH_INFLUENCE  Which training examples decide: what would change had each of them not been there.
%
%   in = ATTNPATH_INFLUENCE (model)
%   in = ATTNPATH_INFLUENCE (model, X)
%   in = ATTNPATH_INFLUENCE (..., Name, Value, ...)
%
%   Inputs :
%     model     solution from attnpath_solve or sample from attnpath_sample, with its training set
%     X         inputs whose predictions are asked for: N0 x T x P2 tokens, or a struct from attnpath_paths
%   Options, by name or as one struct:
%     'Groups'   []    P x 1 numbers: examples of one number are left out together (a class, a source,
%                      duplicates). [] leaves out each alone
%     'Lengths'  []    1 x P2 numbers of tokens, where examples of X are zero-padded to a common T
%
%   Outputs: struct of n groups in the order of their numbers, all without the group minus with it:
%     U         Pi x Pi x n change of the order parameter; Pi C x Pi C x n of coupled outputs
%     scores    n x heads change of the head scores, 'share' of attnpath_scores, undivided
%     heads     rows [layer head], in the order of the columns of scores
%     mean      n x P2 x C change of the mean of f at X; [] without X
%     logp      n x 1 log p (labels of the group | all others)
%     dlogp     n x 1 how much of that is due to the move of U: logp less what it is at the U that has seen the
%               group. Of draws 0
%     norm      n x 1 Frobenius norm of F^{-1} dU F^{-T}, U = F F': the relative change of U, to rank by
%     groups    n x 1 their numbers. Of examples with noise Inf, which teach the network nothing, all changes
%               are 0, and logp is NaN where a group has no others
%     khat      of draws: n x 1 diagnostic of the importance weights. Above 0.7 the row is not to be trusted
%     unreliable   the rows whose step is too large for the first order, norm above 0.5, or khat above 0.7;
%               there is a warning, attnpath:influence:unreliable
%
%   It is the influence of an example on the theory of the attention, not on a trained model.
%
%   Equation: (T24), (T37) of theory.md.
%
%   Example:
%     >> task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%     >> sol = attnpath_solve (attnpath_net (task.heads, 'Width', 30), task.Xtrain, task.ytrain);
%     >> in = attnpath_influence (sol, task.Xtest);
%     >> size (in.scores)
%     ans =
%        50    4
%
%
%   See also attnpath_loo, attnpath_solve, attnpath_scores, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: influence.tst   REFERENCE: ref_influence.m   SOURCE: (T24), (T37)

if nargin < 1
  ap_fail ('influence', 'usage', 'the call is in = attnpath_influence (model, X, Name, Value, ...)');
end
X = [];
if mod (numel (varargin), 2) == 1 && ~(numel (varargin) == 1 && is_options (varargin{1}))
  [X, varargin] = deal (varargin{1}, varargin(2:end));
end
table = {'Groups',  [], 'any', []
         'Lengths', [], 'any', []};
opt = ap_options ('influence', table, varargin);
[net, Xi, y, noise] = ap_training_set ('influence', model);
[P, C] = size (y);
[group, numbers] = groups_of (opt.Groups, P);
left = ap_learned (noise, P);
[kept, ~, place] = unique (group(left));
if isempty (kept), ap_fail ('influence', 'badValue', 'no example is learned from: all have noise Inf'); end
if ~all (isfield (model, {'U'}))
  ap_fail ('influence', 'missingField', 'model has no field U, from attnpath_solve or attnpath_sample');
end
blocks = ap_output_blocks (net, model.U, C);
draws = size (model.U(:,:,:), 3);
data = ap_prepare ('influence', net, Xi, y, struct ('memory', 2 ^ 22, 'store', true, 'reduce', false, 'threads', 0, ...
                   'evaluations', 15, 'shared', blocks < C), noise);
data = ap_allow_gradient (data, model);
Xit = zeros (size (Xi, 1), 0, size (Xi, 3));
if isstruct (X)
  Xit = ap_check_inputs ('influence', 'X', X, net, size (Xi, 1), opt.Lengths);
elseif ~isempty (X)
  Xit = ap_inputs ('influence', net, X, opt.Lengths, []);
end
Xs = ap_by_noise (Xi, y, noise);
units = accumarray (place(:), reshape (log (noise_of (noise, left)), [], 1)) * C / 2;
list = ap_head_list (net.H);
in = struct ('U', [], 'scores', [], 'heads', list, 'mean', [], 'logp', [], 'dlogp', [], 'norm', []);
if draws > 1
  in = of_draws (in, net, data, model.U(:,:,:), place, Xs, Xit, C, blocks);
else
  if ~isfield (model, 'order')
    ap_fail ('influence', 'missingField', 'model has no field order: take a solution from attnpath_solve');
  end
  order = ap_check_order ('influence', 'model.order', model.order, net, blocks);
  ap_check_cold ('influence', net, data, order{1});
  [in.U, in.logp, seen, V] = ask (net, data, order, place, isempty (Xit));
  in.dlogp = in.logp - seen;
  if ~isempty (Xit)
    f = attnpath_predict (model, struct ('Xi', Xit), 'Display', false);
    in.mean = bsxfun (@minus, means (net, Xs, Xit, bsxfun (@plus, order{1}, in.U), V, C, blocks), ...
                      reshape (f, 1, [], C));
  end
  in = with_scores (in, net, order{1}, in.U, blocks);
end
in.logp = in.logp - units;
in = in_place (in, numbers, kept);
wrong = in.norm > 0.5;
if draws > 1, wrong = in.khat > 0.7; end
in.unreliable = find (wrong);
if any (wrong)
  warning ('attnpath:influence:unreliable', ['attnpath_influence: %d of %d rows are not to be trusted, %s: see the ' ...
           'field unreliable'], sum (wrong), numel (wrong), reason (in));
end
end

function words = reason (in)
words = sprintf ('U moves by up to %.2f of itself, beyond the first order', max (in.norm));
if isfield (in, 'khat'), words = sprintf ('khat is up to %.2f', max (in.khat)); end
end

function yes = is_options (x)
yes = isstruct (x) && (isfield (x, 'Groups') || isfield (x, 'Lengths'));
end

function t = noise_of (noise, left)
t = ones (sum (left), 1);
if ~isempty (noise), t = noise(left); end
end

function [group, numbers] = groups_of (given, P)
group = (1:P)';
if ~isempty (given)
  if ~isnumeric (given) || ~isreal (given) || numel (given) ~= P || ~all (isfinite (given(:)))
    ap_fail ('influence', 'badShape', 'Groups must be %d finite numbers, one for each example, not %s', P, ...
             ap_describe (given));
  end
  group = double (given(:));
end
numbers = unique (group);
if numel (numbers) < 2, ap_fail ('influence', 'badValue', 'Groups has all examples in one: none are left'); end
end

function varargout = ask (net, data, order, place, no_predictions)
[varargout{1:4}] = deal ([]);
wanted = 4 - no_predictions;
try
  [varargout{1:wanted}] = attnpath_influence_mex (ap_headless (net), data, order, place(:));
catch err
  ap_rethrow ('influence', err);
end
end

function in = with_scores (in, net, U, dU, blocks)
in.scores = bsxfun (@minus, ap_order_scores (net, bsxfun (@plus, U, dU), blocks, true), ...
                    ap_order_scores (net, U, blocks, true))';
F = chol (U)';
for j = 1:size (dU, 3)
  in.norm(j,1) = norm (F \ dU(:,:,j) / F', 'fro');
end
end

function mu = means (net, Xi, Xit, U, V, C, blocks)
% n x P2 x C: mean of f at Xit from V, P x C x n, each at its own U, Pi x Pi x n, or at one
[N0, P, paths] = size (Xi);
n = size (V, 3);
P2 = size (Xit, 2);
mu = zeros (n, P2, C);
for first = 1:blocks:C
  W = zeros (N0, n, paths * blocks);
  for p = 1:paths
    for c = 1:blocks
      W(:,:,blocks * (p - 1) + c) = Xi(:,:,p) * reshape (V(:,first + c - 1,:), P, n);
    end
  end
  W = permute (W, [1 3 2]) * net.variance(1) / (N0 * paths);
  for j = 1:n, W(:,:,j) = W(:,:,j) * U(:,:,min (j, end)); end
  for p = 1:paths
    for c = 1:blocks
      mu(:,:,first + c - 1) = mu(:,:,first + c - 1) + reshape (W(:,blocks * (p - 1) + c,:), N0, n)' * Xit(:,:,p);
    end
  end
end
end

function in = of_draws (in, net, data, draws, place, Xi, Xit, C, blocks)
% Weighed by 1 / p (labels of the group | other labels, U)
S = size (draws, 3);
if S < 25, ap_fail ('influence', 'tooFew', '%d draws of U are too few: 25 at least', S); end
n = max (place);
l = zeros (n, S);
f = zeros (n * size (Xit, 2) * C, S);
whole = zeros (size (Xit, 2) * C, S);
for s = 1:S
  ap_check_cold ('influence', net, data, draws(:,:,s));
  [~, ~, l(:,s), V] = ask (net, data, draws(:,:,s), place, false);
  f(:,s) = reshape (means (net, Xi, Xit, draws(:,:,s), V, C, blocks), [], 1);
  if ~isempty (Xit)
    model = struct ('net', net, 'paths', struct ('Xi', Xi), 'y', data.y, 'U', draws(:,:,s));
    whole(:,s) = reshape (attnpath_predict (model, struct ('Xi', Xit), 'Display', false), [], 1);
  end
end
f = reshape (f, n, [], S);
flat = reshape (draws, [], S);
U = mean (draws, 3);
in.U = zeros ([size(U), n]);
in.mean = zeros (n, size (Xit, 2) * C);
for j = 1:n
  [logw, in.khat(j,1)] = ap_psis (-l(j,:)');
  w = exp (logw);
  in.U(:,:,j) = reshape (flat * (w - 1 / S), size (U));
  in.mean(j,:) = (reshape (f(j,:,:), [], S) * w - mean (whole, 2))';
  top = max (logw + l(j,:)');
  in.logp(j,1) = top + log (sum (exp (logw + l(j,:)' - top)));
end
in.mean = reshape (in.mean, n, [], C);
if isempty (Xit), in.mean = []; end
in.dlogp = zeros (n, 1);
in = with_scores (in, net, U, in.U, blocks);
end

function in = in_place (in, numbers, kept)
% Groups of which nothing was learned: nothing would change
n = numel (numbers);
at = ismember (numbers, kept);
in.groups = numbers;
for name = {'scores', 'mean', 'logp', 'dlogp', 'norm', 'khat'}
  if ~isfield (in, name{1}) || isempty (in.(name{1})), continue; end
  given = in.(name{1});
  sizes = size (given);
  whole = zeros ([n, sizes(2:end)]);
  whole(at,:,:) = given;
  in.(name{1}) = whole;
end
in.logp(~at) = NaN;
U = zeros (size (in.U, 1), size (in.U, 2), n);
U(:,:,at) = in.U;
in.U = U;
end

%!error id=attnpath:influence:badClass attnpath_influence (3)
