function in = attnpath_influence (model, varargin)
%ATTNPATH_INFLUENCE  Influence of each training example: the change of results when it is left out.
%
%   in = ATTNPATH_INFLUENCE (model)
%   in = ATTNPATH_INFLUENCE (model, X)
%   in = ATTNPATH_INFLUENCE (..., Name, Value, ...)
%
%   Inputs :
%     model     solution from attnpath_solve or sample from attnpath_sample, with its training set
%     X         inputs for predictions: N0 x T x P2 tokens, or a struct from attnpath_paths
%   Options, by name or as one struct:
%     'Groups'   []    P x 1 numbers: examples with the same number (a class, a source, duplicates) are left
%                      out together. [] leaves out each alone
%     'Leave'    ''    with the readout 'all': 'sequence', also if '', leaves out whole sequences, of which
%                      Groups has P numbers; 'token' single tokens, in the order of model.paths
%     'Lengths'  []    1 x P2 numbers of tokens, where examples of X are zero-padded to a common T
%     'Display'  true  print the progress of long runs
%
%   Outputs: struct for n groups, ordered by number; a change is the value without the group minus that with it
%     U         Pi x Pi x n change of the order parameter; Pi C x Pi C x n for coupled outputs
%     scores    n x heads change of the head scores by 'share' of attnpath_scores, undivided
%     heads     rows [layer head], in the order of the columns of scores
%     mean      n x P2 x C change of the mean of f at X; [] without X. With the readout 'all' P2 counts the
%               tokens of X, in the order of attnpath_paths
%     logp      n x 1 log p (labels of the group | all others)
%     dlogp     n x 1 the part of logp due to the change of U: logp minus its value at the U of all examples.
%               0 for draws
%     norm      n x 1 Frobenius norm of F^{-1} dU F^{-T}, U = F F': the relative change of U, for ranking
%     groups    n x 1 numbers of the groups. Examples with noise Inf do not enter training: their changes are
%               0, and logp is NaN for a group of such examples only
%     khat      for draws: n x 1 diagnostic of the importance weights. Above 0.7 the row is unreliable
%     unreliable   rows with norm above 0.5, too large a step for the first order, or khat above 0.7, with the
%               warning attnpath:influence:unreliable
%   Without an output a summary is printed: the ten examples that change U, head scores and predictions most.
%
%   This is the influence of an example on the theory of the attention, not on a trained model. A solution that
%   has not converged, or that is a saddle point, causes the warning attnpath:influence:notConverged or
%   attnpath:influence:saddle.
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

ap_check_call ('influence', nargin >= 1, 'in = attnpath_influence (model, X, Name, Value, ...)');
X = [];
if ~isempty (varargin) && (isnumeric (varargin{1}) || (isstruct (varargin{1}) && isfield (varargin{1}, 'Xi')))
  [X, varargin] = deal (varargin{1}, varargin(2:end));
end
table = {'Groups',  [],   'any',     []
         'Leave',   '',   'word',    {'', 'sequence', 'token'}
         'Lengths', [],   'any',     []
         'Display', true, 'display', []};
opt = ap_options ('influence', table, varargin);
[net, Xi, y, noise, ~, many] = ap_training_set ('influence', model);
[P, C] = size (y);
ap_left_groups ('influence', opt.Leave, many, noise);      % refuses 'Leave' of other readouts
if ~isstruct (many) || strcmp (opt.Leave, 'token')
  [group, numbers] = groups_of (opt.Groups, P);
else
  [group, numbers] = groups_of (opt.Groups, many.P);
  group = group(many.example);
end
[kept, ~, place] = unique (group(ap_used_examples (noise, P)));
if isempty (kept), ap_fail ('influence', 'badValue', 'no example is used for learning: all have noise Inf'); end
ap_refuse ('influence', 'badValue', numel (kept) < 2, ...
           '%d example(s) in one group: no other example remains without it', numel (place));
[data, at] = ap_left_data ('influence', net, model, Xi, y, noise, true);
given = isstruct (X) || any (size (X));
ap_refuse ('influence', 'badValue', ~given && any (size (opt.Lengths)), ...
           'Lengths are those of X, in attnpath_influence (model, X, ...), and there is no X');
if isstruct (X)
  ap_tokens ('influence', 'X', net, X, []);                % the tokens are noted, as elsewhere
  X = struct ('Xi', ap_check_inputs ('influence', 'X', X, net, size (Xi, 1), opt.Lengths));
elseif given
  X = ap_check_array ('influence', 'X', X, {size(Xi, 1), 'T', 'P2'});          % before the work
end
ap_refuse ('influence', 'empty', given && isempty (X), 'X is %s', {X});
loo = @(weight) ap_gateway ('influence', @attnpath_loo_mex, ap_without_heads (net), data, at, place(:), weight, ...
                            2 * any (opt.Display == [1 2]));
n = numel (numbers);
some = ismember (numbers, kept);                   % leaving out any other changes nothing
in = struct ('U', [], 'scores', [], 'heads', ap_head_list (net.H), 'mean', [], 'logp', NaN (n, 1), ...
             'dlogp', zeros (n, 1), 'norm', [], 'groups', numbers);
if iscell (at)
  U = at{1};
  one = [];
  if given, one = ones (numel (kept), 1); end
  [~, ~, logp, W, dU, seen] = loo (one);
  in.dlogp(some) = logp - seen;
else                                               % weighted by 1 / p (labels of the group | other labels, U)
  U = mean (at, 3);
  in.khat = zeros (n, 1);
  [~, ~, logp] = loo ([]);
  [w, in.khat(some), logp] = ap_psis (logp);
  S = size (w, 2);
  dU = reshape (reshape (at, [], S) * (w' - 1 / S), [size(U), numel(kept)]);
  if given, [~, ~, ~, W] = loo (w); end
end
in.U = zeros ([size(U), n]);
in.U(:,:,some) = dU;
in.norm = relative (in.U, U);
blocks = size (U, 1) / size (Xi, 3);
in.scores = bsxfun (@minus, ap_u_scores (net, bsxfun (@plus, U, in.U), blocks, true), ...
                    ap_u_scores (net, U, blocks, true))';
if given                                           % w: weights of the mean with all examples, N0 Pi x C
  if iscell (at), at = U; end
  w = ap_gateway ('influence', @attnpath_draws_mex, ap_without_heads (net), data, at, [], [], []);
  in.mean = moved (net, X, opt, some, W, reshape (permute (w, [1 3 2]), [], C));
end
in.logp(some) = logp;
if ~isempty (noise), in.logp(some) = logp - accumarray (place(:), log (data.noise)) * C / 2; end
[wrong, why] = deal (in.norm > 0.5, sprintf ('U changes by up to %.2f of its norm, past first order', max (in.norm)));
if isfield (in, 'khat')
  [wrong, why] = deal (in.khat > ap_khat_limit (), sprintf ('khat is up to %.2f', max (in.khat)));
end
in.unreliable = find (wrong);
if any (wrong)
  warning ('attnpath:influence:unreliable', ['attnpath_influence: %d of %d rows are unreliable, %s: see the ' ...
           'field unreliable'], sum (wrong), n, why);
end
if nargout == 0
  summarise (in);
  clear -regexp ^in$
end
end

function summarise (in)
% Up to ten examples by the change of U, of a head's score, of a prediction, and the head or input that changes most
n = numel (in.norm);
text_of = @(form, values) arrayfun (@(varargin) sprintf (form, varargin{:}), values{:}, 'UniformOutput', false);
example = text_of ('%g', {in.groups});
example(in.unreliable) = strcat (example(in.unreliable), '*');
[inputs, outputs] = ndgrid (1:size (in.mean, 2), 1:size (in.mean, 3));
at_input = ap_either (size (in.mean, 3) > 1, text_of ('%d, %d', {inputs(:), outputs(:)}), text_of ('%d', {inputs(:)}));
heads = text_of ('%d.%d', num2cell (in.heads, 1));
lists = {'U, relative', in.norm, '', {''}; 'head score', in.scores, 'layer.head', heads; 'mean', in.mean(:,:), ...
         ap_either(size (in.mean, 3) > 1, 'input, output', 'input'), at_input};
fprintf ('%d examples or groups; the largest changes when one is left out:\n', n);
words = {};
for row = lists(~cellfun (@isempty, lists(:,2)),:)'
  [~, at] = max (abs (row{2}), [], 2);
  change = row{2}(sub2ind (size (row{2}), (1:n)', at));
  [~, rank] = sort (abs (change), 'descend');
  rank = rank(1:min (10, n));
  words = [words, [{'  left out'}; example(rank)], [row(1); text_of('%+.3g', {change(rank)})]];
  if ~isempty (row{3}), words = [words, [row(3); reshape(row{4}(at(rank)), [], 1)]]; end
end
fprintf ('%s', ap_columns (words));
if ~isempty (in.unreliable), fprintf ('* is unreliable, see the field unreliable\n'); end
end

function change = moved (net, X, opt, some, W, w)
% n x P2 x C changes of the mean at X: of tokens in parts, as attnpath_predict has them, so that only one part's path
% inputs are held. W: weights without each group, N0 x m x groups x Pi C' (attnpath_loo_mex);  w: those with all
[N0, m, n, ~] = size (W);
C = size (w, 2);
W = reshape (permute (reshape (W, N0, m, n, C / m, []), [1 5 3 2 4]), [], n, C);
W = reshape (bsxfun (@minus, W, reshape (w, [], 1, C)), [], n * C);
if isstruct (X)
  X = X.Xi;
  parts = @(here) X(:,here,:);
  P = size (X, 2);
  ends = 0:P;
else
  P = size (X, 3);
  lengths = ap_check_lengths ('influence', opt.Lengths, N0, size (X, 2), P);
  ends = ap_token_ends (net, size (X, 2), P, lengths);
  parts = @(here) ap_inputs ('influence', net, X(:,:,here), lengths(:,min (here, end)), [], opt.Display > 0);
  if isempty (lengths), parts = @(here) ap_inputs ('influence', net, X(:,:,here), [], [], opt.Display > 0); end
end
change = zeros (numel (some), ends(end), C);
each = ceil (ends(end) / P) * max (numel (W) / (n * C), n * C);
chunk = max (1, floor (2^24 / each));              % 128 MiB of path inputs, or of changes
for first = 1:chunk:P
  here = first:min (P, first + chunk - 1);
  rows = ends(here(1))+1:ends(here(end)+1);
  f = reshape (permute (parts (here), [2 1 3]), numel (rows), []) * W;
  change(some,rows,:) = permute (reshape (f, [], n, C), [2 1 3]);
end
end

function [group, numbers] = groups_of (given, P)
if isempty (given), given = 1:P; end
group = given;
if isnumeric (given) || islogical (given), group = double (given); end
if isfloat (group) && isrow (group), group = group'; end
group = ap_check_array ('influence', 'Groups', group, {P, 1});
numbers = unique (group);
ap_refuse ('influence', 'badValue', numel (numbers) < numel (unique (given(:))), ...
           'Groups has integers of 2^53 or more, which double precision cannot distinguish');
end

function size_of = relative (dU, U)
% Frobenius norms of F^{-1} dU F^{-T}, U = F F'
[m, ~, n] = size (dU);
F = chol (U)';
half = permute (reshape (F \ reshape (dU, m, []), m, m, n), [2 1 3]);
size_of = sqrt (sum (reshape (F \ reshape (half, m, []), m ^ 2, n) .^ 2, 1))';
end

%!test % an example without tokens changes nothing
%! paths = struct ('Xi', [1 2 0; 0 1 0]);
%! in = attnpath_influence (attnpath_solve (attnpath_net (1), paths, [1; 2; 0]), paths, 'Display', false);
%! assert ([in.U(3), in.mean(3,:)], zeros (1, 4), 1e-12);
