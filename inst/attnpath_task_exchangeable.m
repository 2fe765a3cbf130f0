function task = attnpath_task_exchangeable (varargin)
%ATTNPATH_TASK_EXCHANGEABLE  Tokens i.i.d. given a latent vector: predict the value at the query's key.
%
%   task = ATTNPATH_TASK_EXCHANGEABLE ()
%   task = ATTNPATH_TASK_EXCHANGEABLE (Name, Value, ...)
%   task = ATTNPATH_TASK_EXCHANGEABLE (settings)
%
%   Every sequence has a latent vector z, N(0, I). Its tokens are pairs of a key k and a value v = phi(k)' z +
%   noise, with a feature map phi that all sequences share, and one more key without a value, the query. The
%   conditional mean E[v | k, z] = phi(k)' z is known, and so is the posterior of z given the tokens, which is
%   Gaussian.
%
%   Inputs : options, by name or as one struct
%     'P'           200       training sequences
%     'Ptest'       1000      test sequences
%     'Tokens'      64        n, pairs of key and value in a training sequence; the query comes after them
%     'TestTokens'  []        the same for a test sequence; [] for as many as in training
%     'Dimension'   3         d, of a key
%     'Keys'        'sphere'  uniform on the unit sphere; 'gaussian': normal, mean 0, E |k|^2 = 1
%     'Condition'   1         of the covariance of normal keys: variances fall geometrically by this factor
%     'Map'         'linear'  phi(k) = k; 'cosine': phi(k) = sqrt (2/D) cos (W k + b), W_ij ~ N(0, Frequency^2)
%                             and b_i uniform in [0, 2 pi)
%     'Features'    []        D, of phi and z; [] for Dimension with the linear map, 20 with the cosine map
%     'Frequency'   2         of the cosine map
%     'Noise'       0.5       standard deviation of the noise, from 1e-4 to 1e4 (the 'Noise' of attnpath_solve
%                             is a variance)
%     'Label'       'value'   y = phi(k_q)' z, the conditional mean at the query's key k_q; 'sign': its sign;
%                             'masked': a hidden noisy value, distributed as those of the other tokens
%     'Bandwidth'   0.3       gamma of the attention heads, positive: one for each head
%     'Seed'        0         integer. Map, z, keys, noise and queries have streams of their own: a larger P
%                             extends the training set and leaves the test set unchanged
%
%   Outputs: struct with, for N0 = 2 d + 2, T = Tokens + 1 and Ttest = TestTokens + 1,
%     Xtrain      N0 x T x P      tokens: rows 1..d key, row d+1 value, rows d+2..2d+1 query, row 2d+2 marker.
%                                 The last token has the query and the marker 1, the others keys and values
%     ytrain      P x 1           labels;  Xtest, N0 x Ttest x Ptest, and ytest, Ptest x 1, likewise
%     heads       1 x 1 cell      struct of Q and K, each (d+1) x N0 x H, with softmax scores k_t' k_q / gamma
%                                 for the last token. Factors gamma^(-1/2) (d+1)^(1/4) make them suitable for
%                                 'softmax' and 'cme': leave the 'Bandwidth' of attnpath_net at 1
%     path_names  H x 1 cell      one for each bandwidth
%     latent      struct of train, D x P, and test, D x Ptest: z
%     truth       struct of train, P x 1, and test: phi(k_q)' z
%     posterior   struct of train and test: structs of mean, D x P, and cov, D x D x P, of z given the tokens;
%                 prediction and variance, P x 1, mean and variance of phi(k_q)' z
%     phi, infer  functions: d x m keys to D x m features;  [mean, cov] = task.infer (k, v), posterior of z
%                 given keys d x n and values 1 x n
%     map         struct of W, D x d, and b, D x 1, of the cosine map; [] for the linear map
%     key_variance  d x 1         variance of each coordinate of a key
%     settings    struct          all options; attnpath_task_exchangeable (task.settings) gives the same task
%   Without an output a line about the task is printed instead.
%
%   Equation: theory.md section 11, after [1]; doc/conditional_mean.md for the other kernels.
%
%   Example:
%     >> task = attnpath_task_exchangeable ('P', 100, 'Tokens', 64, 'TestTokens', 512);
%     >> net = attnpath_net (task.heads, 'Width', 50);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> f = attnpath_predict (sol, task.Xtest); % trained on 64 tokens, tested on 512
%     >> sqrt (mean ((f - task.truth.test) .^ 2))   % MATLAB draws another task
%     ans = 0.1085
%     >> best = task.posterior.test.prediction;
%     >> sqrt (mean ((best - task.truth.test) .^ 2))
%     ans = 0.039...
%
%
%   References:
%     [1] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent
%         Variable Models, arXiv:2212.14852.
%
%   See also attnpath_attend, attnpath_net, attnpath_task_markov, attnpath_demo.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: task_exchangeable.tst   REFERENCE: ref_exchangeable.m   SOURCE: theory.md section 11

table = {'P',          200,      'count',  [1 Inf]
         'Ptest',      1000,     'count',  [1 Inf]
         'Tokens',     64,       'count',  [1 Inf]
         'TestTokens', [],       'count',  [1 Inf]
         'Dimension',  3,        'count',  [1 Inf]
         'Keys',       'sphere', 'word',   {'sphere', 'gaussian'}
         'Condition',  1,        'number', [1 1e12]
         'Map',        'linear', 'word',   {'linear', 'cosine'}
         'Features',   [],       'count',  [1 Inf]
         'Frequency',  2,        'number', [0 1e6]
         'Noise',      0.5,      'number', [1e-4 1e4]
         'Label',      'value',  'word',   {'value', 'sign', 'masked'}
         'Bandwidth',  0.3,      'row',    {'H', 1e-6, 1e6}
         'Seed',       0,        'seed',   []};
opt = check (ap_options ('task_exchangeable', table, varargin));

map = ap_seeded ([opt.Seed, 9], @() draw_map (opt));
s2 = opt.Condition .^ (-(0:opt.Dimension-1)' / max (1, opt.Dimension - 1));         % variances fall geometrically
s2 = s2 / sum (s2);
[task.Xtrain, task.ytrain, train] = sequences (opt, map, s2, 0, opt.Tokens, opt.P);
[task.Xtest, task.ytest, test] = sequences (opt, map, s2, 4, opt.TestTokens, opt.Ptest);
[task.heads, task.path_names] = heads_of (opt);
for name = {'latent', 'truth', 'posterior'}
  task.(name{1}) = struct ('train', train.(name{1}), 'test', test.(name{1}));
end
task.phi = @(k) features (map, k);
noise = opt.Noise;
task.infer = @(k, v) regression (features (map, k), v, noise);
task.map = map;
task.key_variance = s2;
task.settings = opt;
if nargout == 0
  ap_task_told (task);
  clear -regexp ^task$
end
end

function opt = check (opt)
f = 'task_exchangeable';
if isempty (opt.TestTokens), opt.TestTokens = opt.Tokens; end
if isempty (opt.Features)
  opt.Features = opt.Dimension;
  if strcmp (opt.Map, 'cosine'), opt.Features = 20; end
end
ap_refuse (f, 'badValue', strcmp (opt.Map, 'linear') && opt.Features ~= opt.Dimension, ...
           'Features must be Dimension = %d with the linear map, not %d', opt.Dimension, opt.Features);
ap_refuse (f, 'badValue', opt.Condition > 1 && (strcmp (opt.Keys, 'sphere') || opt.Dimension == 1), ...
           'Condition must be 1 for keys on the sphere, and in one dimension, not %g', opt.Condition);
n = [opt.Tokens, opt.TestTokens] + 1;
P = [opt.P, opt.Ptest];
bytes = 8 * ((2 * opt.Dimension + 2) * sum (n .* P) + opt.Features * (max (n) + (opt.Features + 2) * sum (P)));
ap_refuse (f, 'tooLarge', bytes > 2^33, ['P = %.10g sequences of %.10g tokens and Ptest = %.10g of %.10g, with ' ...
           '%.10g features, would take %.3g GiB, and 8 are allowed'], P(1), n(1), P(2), n(2), opt.Features, ...
           bytes / 2^30);
end

function map = draw_map (opt)
map = [];
if strcmp (opt.Map, 'cosine')
  W = opt.Frequency * randn (opt.Features, opt.Dimension);
  map = struct ('W', W, 'b', 2 * pi * rand (opt.Features, 1));
end
end

function phi = features (map, k)
phi = k;
if ~isempty (map)
  phi = sqrt (2 / numel (map.b)) * cos (map.W * k + map.b);
end
end

function k = keys (opt, s2, m)
k = randn (opt.Dimension, m);
if strcmp (opt.Keys, 'sphere')
  k = k ./ sqrt (sum (k .^ 2, 1));
else
  k = k .* sqrt (s2);
end
end

function [X, y, known] = sequences (opt, map, s2, stream, n, P)
% Latents, queries, keys and noise come from the four streams after the one given, each sequence by sequence
d = opt.Dimension;
z = ap_seeded ([opt.Seed, stream + 1], @() randn (opt.Features, P));
query = ap_seeded ([opt.Seed, stream + 2], @() keys (opt, s2, P));
k = ap_seeded ([opt.Seed, stream + 3], @() keys (opt, s2, n * P));
noise = opt.Noise * ap_seeded ([opt.Seed, stream + 4], @() randn (n + 1, P));
k = reshape (k, [d, n, P]);

X = zeros (2 * d + 2, n + 1, P);
X(1:d,1:n,:) = k;
X(d+2:2*d+1,n+1,:) = reshape (query, [d, 1, P]);
X(2*d+2,n+1,:) = 1;
phi_query = features (map, query);
known.latent = z;
known.truth = sum (phi_query .* z, 1)';
D = opt.Features;
known.posterior = struct ('mean', zeros (D, P), 'cov', zeros (D, D, P), 'prediction', zeros (P, 1), ...
                          'variance', zeros (P, 1));
for mu = 1:P
  phi = features (map, k(:,:,mu));
  v = z(:,mu)' * phi + noise(1:n,mu)';
  X(d+1,1:n,mu) = v;
  [m, S] = regression (phi, v, opt.Noise);
  known.posterior.mean(:,mu) = m;
  known.posterior.cov(:,:,mu) = S;
  known.posterior.prediction(mu) = phi_query(:,mu)' * m;
  known.posterior.variance(mu) = phi_query(:,mu)' * S * phi_query(:,mu);
end

y = known.truth;
if strcmp (opt.Label, 'sign')
  y = 2 * (y >= 0) - 1;
elseif strcmp (opt.Label, 'masked')
  y = y + noise(n+1,:)';
end
end

function [m, S] = regression (phi, v, s)
% Posterior of z for a unit normal prior and noise of standard deviation s
R = chol (eye (size (phi, 1)) + phi * phi' / s ^ 2);
F = R \ eye (size (R));
S = F * F';
m = S * (phi * v(:)) / s ^ 2;
end

function [heads, names] = heads_of (opt)
% The core divides scores by sqrt (G). The marker c, times the factor, gives the score -c^2 / gamma = -60 to the last
% token as a key. With 'cme' the last token as a key does not change the weights of the other tokens either, and its
% own weight multiplies the value 0. Its kernel with the other tokens is
%   linear       0
%   exponential  1, against exp (60) with itself
%   Gaussian     exp (-30) at most
d = opt.Dimension;
G = d + 1;
Q = zeros (G, 2 * d + 2, numel (opt.Bandwidth));
K = Q;
for h = 1:numel (opt.Bandwidth)
  factor = sqrt (sqrt (G) / opt.Bandwidth(h));
  c = sqrt (60 * opt.Bandwidth(h));
  K(1:d,1:d,h) = factor * eye (d);
  K(G,2*d+2,h) = factor * c;
  Q(1:d,d+2:2*d+1,h) = factor * eye (d);
  Q(G,2*d+2,h) = -factor * c;
  names{h,1} = sprintf ('bandwidth %g', opt.Bandwidth(h));
end
heads = {struct('Q', Q, 'K', K)};
end

%!test
%! task = attnpath_task_exchangeable ('P', 3, 'Ptest', 2, 'Tokens', 4, 'TestTokens', 7);
%! assert ([size(task.Xtrain, 2), size(task.Xtest, 2), numel(task.ytrain)], [5 8 3]);         % and the query
