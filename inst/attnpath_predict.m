function [mu, s2, class, answer] = attnpath_predict (model, X, varargin)
%ATTNPATH_PREDICT  Mean and variance of the trained network's output on new examples.
%
%   [mu, s2] = ATTNPATH_PREDICT (model, X)
%   [mu, s2] = ATTNPATH_PREDICT (model, paths)
%   [mu, s2] = ATTNPATH_PREDICT (..., Name, Value)
%   [mu, s2, class] = ATTNPATH_PREDICT (...)
%   [mu, s2, class, answer] = ATTNPATH_PREDICT (model, source, ...)
%
%   Inputs :
%     model     one of
%                 a solution from attnpath_solve or a sample from attnpath_sample. Of a sample of heads
%                 (Method 'attention') X must be tokens, and path inputs are made for each draw whose heads
%                 are kept
%                 an expansion from attnpath_expand: mean and variance to the next order in 1/N
%                 any struct with net, paths, y and perhaps noise (the training set; or moments instead of
%                 these) and, without the option U, the field U
%                 a network trained by attnpath_train
%               With labels P x C it has C outputs
%     X         N0 x T x Ptest tokens, one example per page, double or single
%     paths     instead of X: test examples from attnpath_paths. Required if the model was computed from
%               attention maps of yours: attnpath_paths (net, Xtest, Atest)
%     source    instead of X: attnpath_source ('held_*.mat'), examples with tokens, maps and labels. Without an
%               output the accuracy is printed, beside that of your transformer where the files have its
%               answers (answer= of export_attention.py), and what follows for scores of its heads
%   Options, by name or as one struct:
%     'Limit'    ''   'gp': the GP limit of infinite width, instead of the model's U
%     'U'        []   this order parameter, instead of the model's: Pi x Pi symmetric, positive semidefinite,
%                     or several as Pi x Pi x draws. For C outputs Pi C x Pi C, or Pi x Pi shared by all
%                     outputs
%     'Lengths'  []   1 x Ptest numbers of tokens, where examples are zero-padded to a common T
%     'Heads'    []   for a source: k x 2 rows [layer head], as for attnpath_paths, of which the network is
%     'ByPath'   false true: mu is Ptest x C x Pi, or with the readout 'all' T x Ptest x C x Pi, the
%                     contributions f_pi of the attention paths to the mean, in the order of attnpath_paths.
%                     Their sum over the paths is the mean of f
%     'Display'  true print the progress of runs of more than two seconds
%
%   Outputs:
%     mu        Ptest x 1 mean of f; its sign is the class. For C outputs Ptest x C. With the readout 'all'
%               T x Ptest, or T x Ptest x C, and NaN beyond the length of a sequence; s2 is then T x Ptest, or
%               C x C x T x Ptest, and class T x Ptest, with '' or NaN, or the first class, where no token is
%     s2        Ptest x 1 variance of f; for C outputs C x C x Ptest covariances. For several draws of U it is
%               the mean of the variances plus the variance of the means, and mu the mean of the means. An
%               expansion gives the same quantities, for the posterior of U. For a trained network s2 is 0.
%               With many draws, and of an expansion, a call for mu alone is far cheaper. That of an expansion
%               takes up to twice the time of a solution; s2 takes as long as Pi (Pi + 1) solutions
%     class     Ptest x 1 predicted class, of the type of model.classes: for two classes the second if mu > 0,
%               for more the class of the largest mean. For labels -1 and +1 it is one of these numbers. For
%               P x C labels with one value in the column of the class and a lower one in the others, it is
%               the column of the largest mean (not for moments). Other numeric labels raise an error
%     answer    for a source: the answers of the transformer, as the files have them, or []
%
%   Equation: (T10), <f> = k' A^{-1} y, Var f = kappa - k' A^{-1} k; for an expansion (T30), (T31).
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> [mu, s2] = attnpath_predict (sol, task.Xtest);
%     >> mean (sign (mu) == task.ytest)
%     ans = 0.9620
%     >> mean ((mu - task.ytest) .^ 2 + s2)      % the expected squared error
%     ans = 0.4612
%     >> gp = attnpath_predict (sol, task.Xtest, 'Limit', 'gp');
%     >> mean (sign (gp) == task.ytest)
%     ans = 0.8580
%     >> [~, ~, class] = attnpath_predict (sol, task.Xtest);
%     >> mean (class == task.ytest)
%     ans = 0.9620
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_solve, attnpath_sample, attnpath_expand, attnpath_paths, attnpath_kernel.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: predict.tst, test_ap_predict.c   REFERENCE: ref_predict.m   SOURCE: (T10)

ap_check_call ('predict', nargin >= 2, '[mu, s2, class] = attnpath_predict (model, X, Name, Value, ...)');
heads = ap_is_learned (model);
if ~heads, ap_check_is_model ('predict', model); end
table = {'Limit',   '', 'word', {'gp'}
         'U',       [], 'any',  []
         'Lengths', [], 'any',  []
         'Heads',   [], 'any',  []
         'ByPath',  false, 'flag', []
         'Display', true, 'display', []};
opt = ap_options ('predict', table, varargin);
ap_refuse ('predict', 'badValue', opt.ByPath && nargout > 1, ...
           'ByPath gives contributions to the mean alone: there is no variance and no class of a path');
if isa (X, 'function_handle')
  [mu, s2, class, answer] = of_source (model, X, opt, nargout);
  if nargout == 0, clear -regexp ^mu$; end
  return
end
ap_refuse ('predict', 'badValue', ~isempty (opt.Heads), 'Heads are those of a source, and X is none');
answer = [];
if isstruct (model) && numel (model) == 1 && all (isfield (model, {'net', 'w'}))
  [mu, s2, list, C] = trained (model, X, opt);
  if nargout > 2, class = decided (list, mu, ap_model_classes ('predict', model, [], C)); end
  [mu, s2] = shaped (list, mu, s2, C);
  return
end
if heads
  [mu, s2, list, C] = over_heads (model, X, opt, nargout > 1);
  if nargout > 2, class = decided (list, mu, ap_model_classes ('predict', model, reshape (model.y, [], C))); end
  [mu, s2] = shaped (list, mu, s2, C);
  return
end
stencil = struct ('weight', [], 'look', Inf);
if ap_is_expansion (model), [stencil, model, opt] = stencil_of (model, opt); end
[net, given, y, noise, of] = ap_training_set ('predict', model, true, isstruct (X));
if nargout > 2, classes = ap_model_classes ('predict', model, y); end          % or an error, before any work
made_of = given;
if isnumeric (given), made_of = model.paths; end
C = ap_outputs (given, y);
[U, shared] = order_parameter (model, net, opt, C);
many = ~isempty (stencil.weight);
draws = size (U, 3) * ~many;
store = (many && nargout > 1) || draws > 15;       % store kernels for many U
N0 = size (given, 1);
if isstruct (given), N0 = given.N0; end
paths = ap_path_count (net);
once = ~many && draws == 1 && ~opt.ByPath && (isstruct (X) || size (X, 3) <= together (N0, paths, net, X));
settings = struct ('memory', store * 2^31, 'store', store, 'reduce', true, 'evaluations', 0, 'threads', 0, ...
                   'shared', shared, 'of', of, 'once', once);
data = ap_prepare ('predict', net, given, y, settings, noise);
for k = 1:min (size (U, 3), stencil.look) * (net.temperature == 0)
  ap_check_cold ('predict', net, data, U(:,:,k));
end

W = [];
if many
  W = ap_expansion_weights (net, data, U(:,:,1), stencil.lines, C);
  ap_refuse ('predict', 'badValue', opt.ByPath && isempty (W), ['ByPath needs the kernel and the temperature above ' ...
             'rounding, which they are not here: give the expansion''s solution, ex.sol']);
elseif nargout < 2 && (draws > 1 || opt.ByPath)
  [W, ~] = attnpath_draws_mex (ap_without_heads (net), data, U, [], progress (opt.Display, [1 1 1]), []);
end
if opt.ByPath
  output = @(Xit, kept, place) by_path (Xit, W, C, kept);
elseif nargout < 2 && ~isempty (W)
  output = @(Xit, kept, place) weighted (Xit, W, C, kept);
elseif draws > 1
  output = @(Xit, kept, place) of_draws (net, data, U, Xit, place, kept, opt.Display);
else
  wanted = nargout > 1;                            % here: within the handle nargout is its own
  output = @(Xit, kept, place) mixture (net, data, U, stencil, Xit, C, wanted, kept, W);
end
if isstruct (X)
  if numel (X) == 1 && isfield (X, 'of') && isnumeric (given) && isfield (model.paths, 'of') && isfloat (X.of) ...
     && isfloat (model.paths.of) && numel (X.of) == numel (model.paths.of) && all (X.of(:) == model.paths.of(:))
    X = rmfield (X, 'of');                         % of the training set's network, which has been checked
  end
  Xit = ap_check_inputs ('predict', 'X', X, net, N0, opt.Lengths, draws < 2);
  [mu, s2] = output (Xit, [], [1, size(Xit, 2) * [1, 1]]);                 % one call for all: no factor is kept
elseif ap_is_brought (made_of)
  ap_fail ('predict', 'brought', ['this model was solved with your own attention maps, which cannot be ' ...
           'computed for new tokens: give attnpath_paths (net, Xtest, Atest) instead of X']);
else
  [mu, s2] = in_chunks (net, X, N0, paths, opt, output);
end
if opt.ByPath, mu = reshape (mu, size (mu, 1), C, []); end
if many && nargout > 1 && min (min (s2(:,1:C+1:end))) <= 0
  warning ('attnpath:predict:unreliable', ['attnpath_predict: a variance comes out as %.3g: the expansion cannot ' ...
           'be used here, see ex.reason'], min (min (s2(:,1:C+1:end))));
end
list = ap_tokens ('predict', 'X', net, X, size (mu, 1), opt.Lengths);
if nargout > 2, class = decided (list, mu, classes); end
[mu, s2] = shaped (list, mu, s2, C);
end

function [mu, s2, list, C] = over_heads (post, X, opt, spread)
% Over the draws of a sample of heads
ap_refuse ('predict', 'badValue', isstruct (X), ['X must be tokens: the heads of this sample are drawn, and path ' ...
           'inputs are those of one network']);
ap_refuse ('predict', 'badValue', ~isempty (opt.Limit) || ~isempty (opt.U) || opt.ByPath, ...
           'a sample of heads has the U and the paths of each draw: Limit, U and ByPath cannot be given');
[mu, s2] = ap_predict_heads (post, X, opt.Lengths, spread, opt.Display > 0);
C = size (mu, 2);
if ~spread, s2 = NaN (size (mu, 1), C ^ 2); end
list = ap_tokens ('predict', 'X', post.net, X, size (mu, 1), opt.Lengths);
end

function [mu, s2] = shaped (list, mu, s2, C)
% list: from ap_tokens. s2 has C^2 columns until here, a row a test example
mu = ap_to_tokens (list, mu);
if C > 1, s2 = ap_to_tokens (list, reshape (s2', C, C, []), true); else, s2 = ap_to_tokens (list, s2); end
end

function class = decided (list, mu, classes)
% Where there is no token '', NaN, or of types without such a value the first class
class = ap_class_decide (mu, classes);
if ~isstruct (list), return; end
none = class(1);
if iscell (class), none = {''}; elseif isfloat (class), none = NaN; else, none(:) = classes(1); end
each = class;
class = repmat (none, list.T, list.P);
class(list.place) = each;
end

function [mu, s2, class, answer] = of_source (model, source, opt, outputs)
% Part by part. Without outputs: what is right, beside the answers of the transformer
sol = model;
if isstruct (model) && isfield (model, 'sol'), sol = model.sol; end            % of an expansion
ap_refuse ('predict', 'missingField', ~isstruct (sol) || ~isfield (sol, 'net'), 'the model has no field net');
ap_refuse ('predict', 'badValue', ~isempty (opt.Lengths), 'Lengths of a source are fields of its parts');
ap_refuse ('predict', 'badValue', strcmp (sol.net.readout, 'all'), ['with the readout ''all'' a source is read by ' ...
           'attnpath_paths: give its path inputs']);
given = {'Limit', opt.Limit, 'U', opt.U, 'Display', opt.Display};
if isempty (opt.Limit), given(1:2) = []; end
[mu, s2, class, answer, y] = deal ({});
part = ap_source_part ('predict', source, 1);
while ~isempty (part)
  k = numel (mu) + 1;
  one = {some_heads(part, opt.Heads), []};
  [paths, y{k,1}] = ap_gateway ('predict', @attnpath_paths, sol.net, @(j) one{j}, 'Many', true);
  classed = numel (ap_field (sol, 'classes', [])) > 0 || ~isnumeric (y{k}) || all (abs (y{k}(:)) == 1);
  if outputs > 2 || (outputs == 0 && classed)
    [mu{k,1}, s2{k}, class{k,1}] = attnpath_predict (model, paths, given{:});
  else
    [mu{k,1}, s2{k}] = attnpath_predict (model, paths, given{:});
  end
  answer{k,1} = ap_field (part, 'answer', []);
  part = ap_source_part ('predict', source, k + 1);
end
ap_refuse ('predict', 'badSource', isempty (mu), 'there are no examples: source (1) must be a struct with X, not []');
[mu, class, answer, y] = deal (cat (1, mu{:}), cat (1, class{:}), cat (1, answer{:}), cat (1, y{:}));
s2 = cat (ap_either (size (mu, 2) > 1, 3, 1), s2{:});
if outputs > 0, return; end
ap_refuse ('predict', 'badSource', isempty (y), 'the source has no labels y to compare with');
if isempty (class), ap_say_carried (double (y), mu, double (answer), 'explained');
else, ap_say_carried (y, class, answer, 'right'); end
end

function part = some_heads (part, heads)
if isempty (heads) || ~isstruct (part) || ~isfield (part, 'A') || ~iscell (part.A), return; end
for l = 1:numel (part.A)
  which = sort (heads(heads(:,1) == l,2));
  ap_refuse ('predict', 'badValue', ~all (ismember (which, 1:size (part.A{l}, 3))), ...
             'Heads names a head of layer %d, which has %d in the source', l, size (part.A{l}, 3));
  part.A{l} = part.A{l}(:,:,which,:);
end
end

function [stencil, model, opt] = stencil_of (ex, opt)
% Order parameters at which an expansion needs predictions, as opt.U: the solution's, then pairs on both sides of it,
% along the columns of a square root of H^{-1} and, last, along the shift. stencil: their weights in the mean, those of
% squared differences in the variance, and the number of kernels to check
ap_check_expansion ('predict', ex);
ap_refuse ('predict', 'badValue', ~isempty (opt.Limit) || ~isempty (opt.U), ...
           'an expansion has neither Limit nor U: give its solution, ex.sol');
model = ex.sol;
line = ex.lines;
n = size (line.F, 1);
along = [line.root, line.shift];
count = size (along, 2);
stencil = struct ('weight', zeros (2, count), 'square', zeros (1, count), 'look', 1, 'lines', line);
opt.U = zeros (n, n, 2 * count + 1);
opt.U(:,:,1) = model.U;
for k = 1:count
  d = zeros (n);
  d(triu (true (n))) = along(:,k);
  d = d + triu (d, 1)';
  e = min (0.1, line.step / max (norm (d, 'fro'), realmin));
  for side = [1 -1]                                % the second-order retraction, which stays in the cone
    moved = line.F * (eye (n) + side * e * d + e ^ 2 / 2 * (d * d)) * line.F';
    opt.U(:,:,2 * k + (side < 0)) = (moved + moved') / 2;
  end
  if k < count
    stencil.weight(:,k) = 1 / e ^ 2;
    stencil.square(k) = 1 / (2 * e ^ 2);
  else
    stencil.weight(:,k) = [1; -1] / (2 * e);
  end
end
end


function [mu, s2, list, C] = trained (model, X, opt)
% A network trained by gradient descent: its outputs (T4), with variance 0
net = model.net;
net = ap_check_net ('predict', net);
ap_refuse ('predict', 'badValue', ~isempty (opt.Limit) || ~isempty (opt.U), ['a trained network has neither Limit ' ...
           'nor U: solve the theory on its attention, attnpath_solve (gd.net, X, y)']);
[w, C] = ap_check_blocks ('predict', 'model.w', model.w, net);
sums = ap_either (opt.ByPath, @by_path, @weighted);
output = @(Xit, none, place) sums (Xit, w / sqrt (numel (w) / C), C, none);
if isstruct (X)
  [mu, s2] = output (ap_check_inputs ('predict', 'X', X, net, size (w, 1), opt.Lengths), {}, []);
else
  [mu, s2] = in_chunks (net, X, size (w, 1), size (w, 2) / C, opt, output);
end
if opt.ByPath, mu = reshape (mu, size (mu, 1), C, []); end
list = ap_tokens ('predict', 'X', net, X, size (mu, 1), opt.Lengths);
end

function [mu, s2, none] = weighted (Xi, w, C, none)
% sum over paths a of Xi(:,mu,a)' w(:,c,a), w as N0 x C x Pi
w = reshape (permute (reshape (w, size (w, 1), C, []), [1 3 2]), [], C);
mu = reshape (permute (Xi, [2 1 3]), size (Xi, 2), []) * w;
s2 = zeros (size (mu, 1), C ^ 2);
end

function [mu, s2, none] = by_path (Xi, w, C, none)
% The terms of that sum: P2 x C Pi, a path slowly
mu = zeros (size (Xi, 2), C, size (Xi, 3));
w = reshape (w, size (w, 1), C, []);
for a = 1:size (Xi, 3), mu(:,:,a) = Xi(:,:,a)' * w(:,:,a); end
mu = mu(:,:);
s2 = zeros (size (mu, 1), C ^ 2);
end

function count = together (N0, paths, net, X)
% Examples whose path inputs take 128 MiB
each = 1;
if strcmp (net.readout, 'all'), each = size (X, 2); end
count = max (1, floor (2^24 / (N0 * paths * each)));
end

function [mu, s2] = in_chunks (net, X, N0, paths, opt, output)
% [mu, s2, kept] = output (Xit, kept, [first last all]) for so many test path inputs at a time. kept begins as {} where
% there is more than one call, and as [] otherwise. For C outputs mu has C columns (C Pi by path), s2 C^2
X = ap_check_array ('predict', 'X', X, {N0, 'T', 'Ptest'});
lengths = ap_check_lengths ('predict', opt.Lengths, size (X, 1), size (X, 2), size (X, 3));
P = size (X, 3);
ends = ap_token_ends (net, size (X, 2), P, lengths);
chunk = together (N0, paths, net, X);
[mu, s2] = deal ([]);
kept = [];
if chunk < P, kept = {}; end
for first = 1:chunk:P
  part = first:min (P, first + chunk - 1);
  tokens = lengths;
  if ~isempty (lengths), tokens = lengths(part); end
  rows = ends(first)+1:ends(part(end)+1);
  [m, v, kept] = output (ap_inputs ('predict', net, X(:,:,part), tokens, [], opt.Display > 0), kept, ...
                         [rows(1), rows(end), ends(end)]);
  if first == 1, [mu, s2] = deal (zeros (ends(end), size (m, 2)), zeros (ends(end), size (v, 2))); end
  [mu(rows,:), s2(rows,:)] = deal (m, v);
end
end

function [U, shared] = order_parameter (model, net, opt, C)
% shared: of several outputs U is one for all
shared = C > 1;
given = ~isnumeric (opt.U) || any (size (opt.U));  % isequal takes longer
if given && isempty (opt.U)
  ap_fail ('predict', 'empty', 'U holds no order parameter, but is a %s: no draw was chosen', {opt.U});
elseif ~isempty (opt.Limit) && given
  ap_fail ('predict', 'badValue', 'Limit and U exclude each other');
elseif ~isempty (opt.Limit)
  gp = ap_gp_order (net);
  U = gp{1};
  return
elseif given
  name = 'U';
  U = opt.U;
elseif isfield (model, 'U')
  name = 'model.U';
  U = model.U;
else
  ap_fail ('predict', 'missingField', 'model has no field U, and neither Limit nor U is given');
end
blocks = ap_output_blocks (net, U, C);
shared = blocks < C;                   % exact in the GP limit, where outputs are independent
n = ap_path_count (net) * blocks;
if isnumeric (U) && ndims (U) > 2, U = U(:,:,:); end           % draws of all chains in one row
if size (U, 3) == 1
  U = ap_check_symmetric ('predict', name, U, n, 'semidefinite');
else
  U = ap_check_draws ('predict', name, U, n);
end
end

function [mu, s2, pace] = of_draws (net, data, U, Xit, place, pace, display)
% All draws at once, in chunks of test examples. A chunk takes about a second a draw, or as long as the factor, which
% each chunk recomputes. pace: of progress
C = size (data.y, 2);
rows = numel (data.y);
if data.shared, rows = rows / C; end
total = size (Xit, 2);
chunk = max (128, floor (max (1e10, rows ^ 3 / 3) * size (data.y, 1) / (rows * (2 * numel (data.Xi) + rows ^ 2))));
mu = zeros (total, C);
s2 = zeros (total, C ^ 2);
if iscell (pace), pace = []; end
for first = 1:chunk:total
  part = first:min (total, first + chunk - 1);
  some = Xit;
  if numel (part) < total, some = Xit(:,part,:); end
  told = progress (display, [place(1) + [first, part(end)] - 1, place(3)]);
  [mu(part,:), spread, pace] = attnpath_draws_mex (ap_without_heads (net), data, U, some, told, pace);
  s2(part,:) = reshape (spread, C ^ 2, [])';
end
end

function place = progress (display, place)
% [first last all] of the examples of a call, or [] without progress lines
if ~any (display == [1 2]), place = []; end
end

function [mu, s2, fits] = mixture (net, data, U, stencil, Xit, C, wanted, fits, W)
% For one U, or along the lines of an expansion, whose mean is that of the weights W, if there are any.
% If more calls follow, fits is a cell: fits{k} is then the fit of the
% training set at U(:,:,k), computed once and kept, as long as all of them take at most 512 MiB
draws = size (U, 3);
P = numel (data.y);                    % rows of the matrix to be factored; of outputs that share U fewer
kept = iscell (fits) && 8 * draws * P * (P + 1) <= 2^29;
if ~iscell (fits) || isempty (fits), fits = cell (1, draws); end
for k = 1:draws
  [m, v, fit] = predictions (net, data, U(:,:,k), Xit, C, wanted, fits{k}, kept);
  if kept, fits{k} = fit; end
  if k == 1
    [mu, s2, stencil.mu, stencil.s2] = deal (m, v, m, v);
  else
    [mu, s2, stencil] = weigh (mu, s2, stencil, k - 1, m, v);
  end
end
if ~isempty (W), mu = weighted (Xit, W, C, []); end
end

function [mu, s2, stencil] = weigh (mu, s2, stencil, k, m, v)
% (T30): second differences along the lines, a first one along the shift. (T31): squares of first ones. For odd k, one
% side of a pair is kept for the other
mu = mu + stencil.weight(k) * (m - stencil.mu);
s2 = s2 + stencil.weight(k) * (v - stencil.s2);
if mod (k, 2) == 1
  stencil.side = m;
else
  C = size (m, 2);
  d = stencil.side - m;                            % each of C columns times each: C^2 columns
  s2 = s2 + stencil.square(k / 2) * (d(:,repmat (1:C, 1, C)) .* d(:,kron (1:C, ones (1, C))));
end
end

function [m, v, fit] = predictions (net, data, U, Xit, C, wanted, fit, kept)
v = zeros (size (Xit, 2), C ^ 2);
net = ap_without_heads (net, data);
if isempty (fit) && kept, fit = ap_gateway ('predict', @attnpath_predict_mex, net, data, U); end
if ~wanted
  m = ap_gateway ('predict', @attnpath_predict_mex, net, data, U, Xit, fit);
  return
end
[m, v] = ap_gateway ('predict', @attnpath_predict_mex, net, data, U, Xit, fit);
if C > 1 && data.shared
  v = v * reshape (eye (C), 1, []);
elseif C > 1
  v = reshape (v, C ^ 2, [])';
end
end

%!test % one path, one training example: k = 2, A = 4 + 1, kappa = 1
%! model = struct ('net', attnpath_net (1, 'Temperature', 1), 'paths', struct ('Xi', 2), 'y', 5, 'U', 1);
%! [mu, s2] = attnpath_predict (model, struct ('Xi', 1));
%! assert ([mu, s2], [2, 1 - 4 / 5], 1e-14);
