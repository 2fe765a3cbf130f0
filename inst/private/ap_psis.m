function [w, khat, density] = ap_psis (l)
%AP_PSIS  Weights by which draws that have seen an example stand for those that have not, Pareto-smoothed.
%
%   [w, khat, density] = AP_PSIS (l)
%   Inputs :  l, n x S, S >= 25: log p (labels | all others) of n examples, or groups of them, at each of S draws. The
%             importance ratios are 1 / p
%   Outputs:  w, n x S, weights, rows of sum 1;  khat, n x 1, shape of the generalised Pareto distribution that was
%             fitted to the largest ratios: below 0.5 their variance is finite, above ap_khat_limit no estimate is to be
%             trusted.
%             It is -Inf where the largest ratios are equal to a millionth, a flat tail, which rounding alone may shape,
%             and Inf where fewer than five of them differ from the rest;  density, n x 1, log p (labels | all others),
%             over the posterior without them
%   The largest min (S/5, 3 sqrt (S)) ratios are replaced by the expected order statistics of that distribution, none
%   above the largest ratio itself. The draws count as independent.
%   References: Vehtari, Simpson, Gelman, Yao, Gabry, Pareto smoothed importance sampling, arXiv:1507.02646;
%             the fit: Zhang, Stephens, Technometrics 51 (2009) 316.
%   See also ap_khat_limit, attnpath_loo, attnpath_influence, attnpath_compare.

% SPDX-License-Identifier: BSD-3-Clause

w = zeros (size (l));
[khat, density] = deal (zeros (size (l, 1), 1));
for k = 1:size (l, 1)
  [logw, khat(k)] = smoothed (-l(k,:)');
  w(k,:) = exp (logw)';
  top = max (logw' + l(k,:));
  density(k) = top + log (sum (exp (logw' + l(k,:) - top)));
end
end

function [logw, khat] = smoothed (logratio)
S = numel (logratio);
logw = logratio - max (logratio);
[sorted, rank] = sort (logw);
m = ceil (min (S / 5, 3 * sqrt (S)));
cut = exp (sorted(S-m));
above = sorted(S-m+1:S) - sorted(S-m);             % 1e-13 of it may be rounding, of labels with large noise all
excess = exp (sorted(S-m+1:S)) - cut;
excess = excess(excess > 1e-300 & above > 1e-8 & above(m) > 1e-6);         % a chain that stood still repeats its draws
n = numel (excess);
khat = ap_either (n > 0, Inf, -Inf);
if n >= 5
  [khat, sigma] = pareto (excess);
  p = ((1:n)' - 0.5) / n;
  logw(rank(S-n+1:S)) = min (0, log (cut + sigma * expm1 (-khat * log1p (-p)) / khat));
end
top = max (logw);
logw = logw - top - log (sum (exp (logw - top)));
end

function [k, sigma] = pareto (x)
% Shape and scale of a generalised Pareto distribution from x, sorted: the mean over a profile likelihood of
% theta = -k/sigma on a grid, with a weak prior that draws k to 0.5 as 10 observations would
n = numel (x);
grid = 30 + floor (sqrt (n));
theta = 1 / x(n) + (1 - sqrt (grid ./ ((1:grid) - 0.5))) / (3 * x(floor (n / 4 + 0.5)));
k = mean (log1p (-x * theta), 1);
profile = n * (log (-theta ./ k) - k - 1);
weight = exp (profile - max (profile));
theta = sum (theta .* weight) / sum (weight);
k = mean (log1p (-theta * x));
sigma = -k / theta;
k = (n * k + 5) / (n + 10);
end
