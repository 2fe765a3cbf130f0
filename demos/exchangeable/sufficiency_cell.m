function out = sufficiency_cell (c, plan)
%SUFFICIENCY_CELL  What the tokens explain of a label when a statistic of theirs is known, and the loss with it alone.
%
%   out = sufficiency_cell (c, plan)
%   Inputs :  c, struct of seed;  plan, struct of P, tokens, dimension, noise and permutations
%   Outputs:  struct, with a column for each statistic of exchangeable_sufficiency, of
%     explained   2 x statistics: share of the variance of the residual, and of its square, that a regression on the
%                 tokens explains, beyond that of permuted residuals
%     p           2 x statistics: share of permutations that explain as much
%     square      1 x statistics: mean square of the residual
%     surprise    1 x statistics: mean of -log p(y | statistic), of Gaussians; all but the posterior have one variance
%   Predictions by a statistic are its conditional means. Latents and keys are isotropic: what a statistic does not
%   have of the posterior mean m has the mean 0, and signs, direction and sum of products have a factor each, which is
%   fitted on other sequences.

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_exchangeable ('Dimension', plan.dimension, 'Noise', plan.noise, 'Tokens', plan.tokens, ...
                                   'P', plan.P, 'Ptest', plan.P, 'Seed', c.seed);
fitted = statistics_of (task, task.Xtrain, task.posterior.train.mean);
s = statistics_of (task, task.Xtest, task.posterior.test.mean);
m = s.mean;
zeros_below = @(r) [m(1:r,:); 0 * m(r+1:end,:)];
powers = @(b) bsxfun (@power, sum (b .^ 2, 1)', 0:3);
z = task.latent.train;                             % the factor of the sum: a cubic in its square, least squares
factor = (powers (fitted.sum) .* sum (fitted.sum .^ 2, 1)') \ sum (fitted.sum .* z, 1)';
norm_of = @(x) sqrt (sum (x .^ 2, 1));
direction = m ./ norm_of (m) * mean (norm_of (fitted.mean));
signs = sign (m) * mean (abs (fitted.mean(:)));
estimate = {m, m, zeros_below(2), zeros_below(1), direction, signs, s.half, s.sum .* (powers(s.sum) * factor)', 0 * m};
variance = task.posterior.test.variance;
[first, second] = features_of (s);
basis = {orthonormal(first), orthonormal(second)};
for k = 1:numel (estimate)
  r = task.ytest - sum (estimate{k} .* s.q, 1)';
  out.square(k) = mean (r .^ 2);
  own = out.square(k);
  if k == 1, own = variance; end                   % which only the whole posterior has
  out.surprise(k) = mean (log (2 * pi * own) + r .^ 2 ./ own) / 2;
  r = r ./ sqrt (own);
  [out.explained(1,k), out.p(1,k)] = regress (basis{1}, r, plan.permutations);
  [out.explained(2,k), out.p(2,k)] = regress (basis{2}, r .^ 2, plan.permutations);
end
end

function s = statistics_of (task, X, m)
% q: queries;  k, v: keys and values;  mean, half: posterior means from all tokens and from the first half of them;
% sum: of the products of key and value
[N0, T, P] = size (X);
d = N0 / 2 - 1;
n = T - 1;
s.q = reshape (X(d+2:2*d+1,T,:), d, P);
s.k = X(1:d,1:n,:);
s.v = X(d+1,1:n,:);
s.mean = m;
s.sum = reshape (sum (s.k .* s.v, 2), d, P);
for mu = 1:P
  s.half(:,mu) = task.infer (s.k(:,1:n/2,mu), s.v(1,1:n/2,mu));
end
end

function [first, second] = features_of (s)
% Columns: functions of the tokens, times functions of the query. first: odd in the query, as the label is, with all
% tokens, all products of key and value, and products of their sum with the sum of key key';  second: even, with all
% values squared, all products of two coordinates of a key, and those of the sum
[d, n, P] = size (s.k);
[i, j] = find (triu (ones (d)));
pairs = @(x) x(i,:) .* x(j,:);
flat = @(x) reshape (x, [], P);
keys = reshape (s.k(i,:,:) .* s.k(j,:,:), [], n, P);
gram = reshape (sum (keys, 2), [], P);
times = @(a, b) flat (reshape (a, 1, [], P) .* reshape (b, [], 1, P))';
first = times (s.q, [ones(1, P); flat(s.v); flat(s.k); flat(s.k .* s.v); times(gram, s.sum)']);
second = times (pairs (s.q), [ones(1, P); flat(s.v .^ 2); flat(keys); pairs(s.sum)]);
end

function Q = orthonormal (A)
% Of the columns of A without their means; dependent ones are left out
A = A - mean (A, 1);
A = A ./ max (sqrt (sum (A .^ 2, 1)), realmin);
[V, D] = eig (A' * A, 'vector');
kept = D > 1e-9 * max (D);
Q = A * (V(:,kept) ./ sqrt (D(kept))');
end

function [share, p] = regress (Q, r, permutations)
% Least squares: R^2 beyond the mean of permuted residuals, as a share of what that leaves, and the share of
% permutations with an R^2 of at least that of r, itself counted
r = r - mean (r);
for k = 1:permutations, shuffled(:,k) = r(randperm (numel (r))); end
R2 = sum ((Q' * [r, shuffled]) .^ 2, 1) / sum (r .^ 2);
share = (R2(1) - mean (R2(2:end))) / (1 - mean (R2(2:end)));
p = mean (R2 >= R2(1));
end
