function task = attnpath_task_markov (varargin)
%ATTNPATH_TASK_MARKOV  The hidden Markov chain task: classify chains by their most probable step.
%
%   task = ATTNPATH_TASK_MARKOV ()
%   task = ATTNPATH_TASK_MARKOV (Name, Value, ...)
%   task = ATTNPATH_TASK_MARKOV (settings)
%
%   A chain of two hidden states emits one noisy token per step. It stays in its state with probability
%   0.7 (label +1) or 0.3 (label -1). One attention head of the task compares every token with the
%   previous one; the others do not help, or mislead.
%
%   With C > 2 classes chains have C hidden states on a ring. A chain of class c moves on by c - 1 states with
%   probability 0.7, and by each other number of states, 0 to C - 1, with probability 0.3 / (C - 1): class 1
%   stays, class 2 goes to the next state, and so on. Each class has a head of its own, which detects the step
%   of the class between adjacent tokens. C = 2 is the task above, where one head distinguishes both classes.
%
%   With 'Labels', 'tokens' each token has a label instead, the hidden state behind it, for networks with the
%   readout 'all'. All chains stay in their state with probability 'Stay', and noise hides it: a token alone
%   tells its state with 84 %. In each layer there are three heads that denoise, averages of a token and the
%   one before it (forward), the one after it (backward), and both.
%
%   Inputs : options, by name or as one struct
%     'P'              100     training examples, half of each label (labels alternate +1, -1); for more
%                              classes labels are 1, 2, ... C, 1, 2, ...
%     'Ptest'          1000    test examples, likewise
%     'Tokens'         30      steps of the chain
%     'Features'       []      token features, a multiple of the number of classes; [] for 200 or the nearest
%     'Classes'        2       C, number of classes and of hidden states
%     'Labels'         'sequences'  or 'tokens'
%     'Stay'           []      probability of the step of the class. For two classes: of staying for label +1;
%                              label -1 stays with 1 minus this; or 2 x 2: rows for labels +1 and -1, columns
%                              for staying in state + and in state -. [] is 0.7. With 'tokens' a number, [] is
%                              0.9
%     'Parallel'       []      standard deviation of the noise along v_+ - v_- and along v_+ + v_-, or one for
%                              each: [1 1]; of C > 2 classes in the space of the vectors v_1 ... v_C. [] is 1.
%                              With 'tokens' [] is sqrt (Features / 2), for two states along v_+ - v_- alone
%     'Perpendicular'  []      and in each direction orthogonal to both; [] for 1, or 5 in experiment 'two'
%     'Beta'           10      factor on all heads
%     'Experiment'     'four'  'four' paths, from two layers of two heads, or 'two': a good and a uniform head
%                              in layer 1, one uniform head in layer 2. For C > 2 classes these are 2 C + 2
%                              paths, C of them good, and C + 1
%     'Heads'          []      heads of each layer, two layers or more; [] for those of the experiment. Layer 1
%                              begins with the good heads, further layers with a uniform one; all other heads
%                              are random. With 'tokens' all layers begin with the three that denoise
%     'Perturbation'   0       deviation of random numbers added to the good and the uniform heads, in units of
%                              a random head; or one for each block: features, positions, between them
%     'Seed'           0       integer. Heads, perturbations, training set and test set have streams of their
%                              own: a larger P extends the training set and leaves the test set unchanged
%
%   Outputs: struct with, for N0 = Features + Tokens + 1 and T = Tokens + 1,
%     Xtrain      N0 x T x P      tokens; the first is empty but for its position, which is one-hot in the
%                                 last T rows
%     ytrain      P x 1           labels +1, -1 in double; of C > 2 classes 1 to C in int32. With 'tokens'
%                                 T x P in double, NaN for the empty token; 1 to C need 'Classes', true
%     Xtest       N0 x T x Ptest;  ytest, Ptest x 1, or T x Ptest
%     heads       1 x L cell      bilinear matrices, N0 x N0 x H_l: the score of key s for query t is
%                                 x_s' W x_t
%     path_names  Pi x 1 cell     in the order of the paths, (h_1, .., h_L) with h_L fastest: through uniform
%                                 heads good and denoising, adversarial are the others; with 'tokens' those of
%                                 their heads
%     settings    struct          all options; attnpath_task_markov (task.settings) gives the same task
%   Without an output a line about the task is printed instead.
%
%   Equation: theory.md section 9, after [1]. State s of C has v_s, sqrt (C) on the s-th of C blocks of the
%   features and 0 elsewhere. The published networks have temperature 0.01, all variances 1, readout 'last'.
%
%   Example:
%     >> task = attnpath_task_markov ('P', 50, 'Seed', 1);
%     >> size (task.Xtrain)
%     ans =
%        231    31    50
%     >> strjoin (task.path_names(:)', ', ')
%     ans = good, adversarial 1, denoising, adversarial 2
%     >> net = attnpath_net (task.heads, 'Width', 10, 'Temperature', 0.01);
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_net, attnpath_solve, attnpath_demo.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: task_markov.tst   SOURCE: theory.md section 9

table = {'P',             100,    'count',  [1 Inf]
         'Ptest',         1000,   'count',  [1 Inf]
         'Tokens',        30,     'count',  [2 Inf]
         'Features',      [],     'count',  [1 Inf]
         'Classes',       2,      'count',  [2 1000]
         'Labels',        'sequences', 'word', {'sequences', 'tokens'}
         'Stay',          [],     'any',    []
         'Parallel',      [],     'any',    []
         'Perpendicular', [],     'number', [0 Inf]
         'Beta',          10,     'number', [0 Inf]
         'Experiment',    'four', 'word',   {'four', 'two'}
         'Heads',         [],     'row',    {'L', 1, 1000}
         'Perturbation',  0,      'any',    []
         'Seed',          0,      'seed',   []};
opt = check (ap_options ('task_markov', table, varargin));

[task.Xtrain, task.ytrain] = ap_seeded ([opt.Seed, 1], @() sequences (opt, opt.P));
[task.Xtest, task.ytest] = ap_seeded ([opt.Seed, 2], @() sequences (opt, opt.Ptest));
task.heads = ap_seeded ([opt.Seed, 3], @() all_heads (opt));
if any (opt.Perturbation > 0), task.heads = ap_seeded ([opt.Seed, 4], @() perturbed (task.heads, opt)); end
task.path_names = path_names (opt);
task.settings = opt;
if nargout == 0
  ap_task_told (task);
  clear -regexp ^task$
end
end

function opt = check (opt)
if isempty (opt.Perpendicular), opt.Perpendicular = 1 + 4 * strcmp (opt.Experiment, 'two'); end
C = opt.Classes;
if isempty (opt.Features), opt.Features = C * max (1, round (200 / C)); end
each = strcmp (opt.Labels, 'tokens');
if isempty (opt.Stay), opt.Stay = ap_either (each, 0.9, 0.7); end
if isempty (opt.Parallel) && each
  opt.Parallel = [sqrt(opt.Features / 2), ones(1, C == 2)];
elseif isempty (opt.Parallel)
  opt.Parallel = 1;
end
opt.Stay = one_or_more ('Stay', opt.Stay, [2 2] * (C == 2 && ~each), 1);
opt.Parallel = one_or_more ('Parallel', opt.Parallel, [1 2] * (C == 2), Inf);
opt.Perturbation = one_or_more ('Perturbation', opt.Perturbation, [1 3], Inf);
own = own_heads (opt);
if isempty (opt.Heads), opt.Heads = own + strcmp (opt.Experiment, 'four'); end
least = [own(1), repmat(own(2), 1, max (1, numel (opt.Heads) - 1))];
if numel (opt.Heads) < 2 || any (opt.Heads < least) || any (opt.Heads ~= fix (opt.Heads))
  ap_fail ('task_markov', 'badValue', ['Heads must be whole numbers of two layers or more, and at least %d in the ' ...
           'first and %d in the others, not [%s]'], own, num2str (opt.Heads));
end
ap_refuse ('task_markov', 'badValue', C > 2 && mod (opt.Features, C) ~= 0, ...
           'Features must be a multiple of Classes: %d features are not %d blocks', opt.Features, C);
needs = {'P', 'half of each label'; 'Ptest', 'half of each label'; 'Features', 'half for each state'};
for k = 1 + 2 * each:3 * (C == 2)
  ap_refuse ('task_markov', 'badValue', mod (opt.(needs{k,1}), 2) ~= 0, '%s must be even (%s), not %d', needs{k,1}, ...
             needs{k,2}, opt.(needs{k,1}));
end
N0 = opt.Features + opt.Tokens + 1;
heads = 8 * sum (opt.Heads) * N0 ^ 2;              % computing more would take many seconds
ap_refuse ('task_markov', 'tooLarge', C > 2 && heads > 2^30, ['%d classes have %d heads, each %d x %d, which would ' ...
           'take %.3g GiB, and 1 is allowed: fewer Classes'], C, sum (opt.Heads), N0, N0, heads / 2^30);
bytes = 8 * N0 * ((opt.Tokens + 1) * (opt.P + opt.Ptest) + max (4, sum (opt.Heads)) * N0);
ap_refuse ('task_markov', 'tooLarge', bytes > 2^33, ['P = %.10g and Ptest = %.10g sequences of %.10g tokens with ' ...
           '%.10g features would take %.3g GiB, and 8 are allowed'], opt.P, opt.Ptest, opt.Tokens + 1, N0, ...
           bytes / 2^30);
end

function value = one_or_more (name, value, extent, most)
% A number from 0 to most, or so many of them, if any
if isfloat (value) && numel (value) > 1 && ~issparse (value) && all (extent > 0)
  value = ap_check_array ('task_markov', name, value, num2cell (extent));
  ap_check_value ('task_markov', name, value(:)', 'row', {numel(value), 0, most});
else
  value = ap_check_value ('task_markov', name, value, 'number', [0 most]);
end
end

function [X, y] = sequences (opt, P)
% P chains and the tokens that they emit. White noise of the perpendicular strength everywhere, then the parallel
% components scaled to their own strength: plane has an orthonormal basis of them, and clean the tokens without noise
[F, T] = deal (opt.Features, opt.Tokens);
if opt.Classes == 2
  [y, plane, clean] = two_states (opt, P);
else
  [y, plane, clean] = ring (opt, P);
end
noise = randn (F, T * P);
along = clean + bsxfun (@times, opt.Parallel(:) - opt.Perpendicular, plane' * noise);
tokens = opt.Perpendicular * noise + plane * along;

X = zeros (F + T + 1, T + 1, P);
X(1:F,2:end,:) = reshape (tokens, [F, T, P]);
X(F+1:end,:,:) = repmat (eye (T + 1), [1, 1, P]);
end

function [y, plane, clean] = two_states (opt, P)
% Unit vectors along v_+ - v_- and v_+ + v_-: v_(state) = sqrt (F/2) (state * odd + even). A chain leaves the state that
% it is in, or not
[F, T] = deal (opt.Features, opt.Tokens);
stay = opt.Stay;
if strcmp (opt.Labels, 'tokens'), y = ones (P, 1); else, y = repmat ([1; -1], P / 2, 1); end
if numel (stay) == 1, stay = 0.5 + [1 1; -1 -1] * (stay - 0.5); end       % Stay, or 1 - Stay
row = (3 - y') / 2;                                       % of this label
u = rand (T, P);
state = 1 - 2 * (u >= 0.5);                               % T x P: a chain begins in either
for t = 2:T
  column = (3 - state(t-1,:)) / 2;
  leaves = u(t,:) >= stay(row + 2 * (column - 1));
  state(t,:) = state(t-1,:) .* (1 - 2 * leaves);
end
if strcmp (opt.Labels, 'tokens'), y = [NaN(1, P); state]; end
half = ones (F / 2, 1);
plane = [[half; -half], [half; half]] / sqrt (F);
clean = sqrt (F / 2) * [state(:)'; ones(1, T * P)];
end

function [y, plane, clean] = ring (opt, P)
% Unit vectors along v_1 ... v_C: v_s = sqrt (F) times the s-th. One random number a step: below Stay it is the step of
% the class, and the rest is shared by the other C - 1, in their order
[F, T, C] = deal (opt.Features, opt.Tokens, opt.Classes);
own = mod (0:P-1, C) * strcmp (opt.Labels, 'sequences');  % by so many states its chain tends to move on
y = int32 (1 + own');
u = rand (T, P);
other = min (C - 2, floor ((u(2:end,:) - opt.Stay) / (1 - opt.Stay) * (C - 1)));
other(isnan (other)) = 0;                                 % Stay is 1: not used
own = repmat (own, T - 1, 1);
other = other + (other >= own);
moved = own;
at = u(2:end,:) >= opt.Stay;
moved(at) = other(at);
state = 1 + mod (cumsum ([floor(C * u(1,:)); moved], 1), C);              % the first: any
if strcmp (opt.Labels, 'tokens'), y = [NaN(1, P); state]; end
plane = kron (eye (C), ones (F / C, 1)) / sqrt (F / C);
clean = zeros (C, T * P);
clean(state(:)' + C * (0:T * P-1)) = sqrt (F);
end

function own = own_heads (opt)
% The numbers of constructed heads of layers 1 and 2; further layers have one
own = [opt.Classes - (opt.Classes == 2) + strcmp(opt.Experiment, 'two'), 1];
if strcmp (opt.Labels, 'tokens'), own = [3 3]; end
end

function heads = all_heads (opt)
% Good, uniform, and random ones, which are drawn layer after layer: first the first random one of each, then the second
own = own_heads (opt);
heads = repmat ({blkdiag(zeros (opt.Features), ones (opt.Tokens + 1))}, 1, numel (opt.Heads));
if strcmp (opt.Labels, 'tokens')
  heads(:) = {windows(opt)};
else
  heads{1} = one_back (opt);
  if strcmp (opt.Experiment, 'two'), heads{1}(:,:,own(1)) = 0; end
end
for r = 1:max (opt.Heads)
  for l = 1:numel (opt.Heads)
    h = own(min (l, 2)) + r;
    if h <= opt.Heads(l), heads{l}(:,:,h) = random_head (opt); end
  end
end
heads = cellfun (@(W) opt.Beta * W, heads, 'UniformOutput', false);
end

function heads = perturbed (heads, opt)
own = own_heads (opt);
F = opt.Features;
strength = opt.Perturbation .* [1 1 1];
block = strength(3) * ones (F + opt.Tokens + 1);
block(1:F,1:F) = strength(1);
block(F+1:end,F+1:end) = strength(2);
for l = 1:numel (heads)
  for h = 1:own(min (l, 2))
    heads{l}(:,:,h) = heads{l}(:,:,h) + opt.Beta * block .* random_head (opt);
  end
end
end

function W = windows (opt)
% The token itself and the one before, the one after, or both: score 1 against 0 of all others
[F, T] = deal (opt.Features, opt.Tokens);
back = diag (ones (1, T), 1);                             % key t - 1 row, query t column
kinds = {eye(T + 1) + back, eye(T + 1) + back', eye(T + 1) + back + back'};
W = zeros (F + T + 1, F + T + 1, 3);
for k = 1:3, W(F+1:end,F+1:end,k) = kinds{k}; end
end

function names = path_names (opt)
% Paths of a kind are numbered where there are several
list = ap_path_list (opt.Heads);
if strcmp (opt.Labels, 'tokens')
  kinds = [{'forward', 'backward', 'both'}, arrayfun(@(k) sprintf ('random %d', k), 1:max (opt.Heads), ...
                                                    'UniformOutput', false)];
  names = cellfun (@(path) strjoin (kinds(path), ', '), num2cell (list, 2), 'UniformOutput', false);
  return
end
uniform = all (list(:,2:end) == 1, 2);
names = repmat ({'adversarial'}, size (list, 1), 1);
names(uniform) = {'denoising'};
names(uniform & list(:,1) <= opt.Classes - (opt.Classes == 2)) = {'good'};
for kind = {'good', 'denoising', 'adversarial'}
  same = find (strcmp (names, kind{1}));
  for k = 1:numel (same) * (numel (same) > 1)
    names{same(k)} = sprintf ('%s %d', kind{1}, k);
  end
end
end

function W = one_back (opt)
% Same state: +1, other state: -1. Previous token: +1, first (empty) token: 1.5. So the previous token
% wins if it is in the query's state (2), and the empty one otherwise (1.5 against 1 at most). C > 2 classes have a
% head each, N0 x N0 x C: the c-th attends to the previous token if it is c - 1 states behind the query's.
[F, T, C] = deal (opt.Features, opt.Tokens, opt.Classes);
position = diag ([0, ones(1, T - 1)], 1);                 % key 1 row, query 1 column: first token
position(1,2:end) = 1.5;
if C == 2
  q = [ones(F / 2, 1); -ones(F / 2, 1)] * sqrt (2) / F;   % (v_+ - v_-) / (|v_+ - v_-|^2 / 2): q' v = +-1
  W = blkdiag (q * q', position);
  return
end
block = C / F ^ 2 * ones (F / C);                         % v_s' W v_s' = +-1, where |v_s|^2 = F
W = zeros (F + T + 1, F + T + 1, C);
for c = 1:C
  wanted = 2 * circshift (eye (C), -(c - 1)) - 1;         % (key, query)
  W(:,:,c) = blkdiag (kron (wanted, block), position);
end
end

function W = random_head (opt)
% feature-feature, feature-position, position-position scores all of order 1
scale = [ones(opt.Features, 1) / sqrt(opt.Features); ones(opt.Tokens + 1, 1)];
W = randn (opt.Features + opt.Tokens + 1) .* (scale * scale');
end

%!test
%! task = attnpath_task_markov ('P', 4, 'Ptest', 2, 'Features', 6, 'Tokens', 5);
%! assert (size (task.Xtrain, 3), 4);
%! assert (all (abs (task.ytrain) == 1));
%! assert (task, attnpath_task_markov ('P', 4, 'Ptest', 2, 'Features', 6, 'Tokens', 5));
