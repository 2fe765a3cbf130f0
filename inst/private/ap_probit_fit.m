function fit = ap_probit_fit (mu, s2, y)
%AP_PROBIT_FIT  Calibration of two classes: the posterior of slope, bias, and weight of the variances.
%
%   fit = AP_PROBIT_FIT (mu, s2, y)
%   Inputs :  mu, s2, P x 1, mean and variance of outputs that have not seen their example;  y, P x 1, labels -1 and +1
%   Outputs:  fit, struct of share, weight, a, b (1 x K), covariance (2 x 2 x K), noise, logloss: see
%             attnpath_probability; p comes from ap_probit
%   With u the root of the mean square of mu, r the mean of s2, v_i = 1 - w + w s2_i / r, and labels +1 of probability
%   Phi ((alpha mu_i / u + b) / sqrt (v_i)): prior alpha ~ N (0, 25), b ~ N (0, 1), w uniform on 0, 1/4, 1/2, 3/4. At
%   each w the log posterior is concave. Its maximum, by Newton's method, and its curvature there (Laplace's
%   approximation) give the posterior of (alpha, b) as a Gaussian, and the weight of w. alpha is at least 1/1000:
%   where labels cannot be learnt, examples left out are predicted worse than by chance, and new ones are not.
%   b's prior is Laplace's rule: where mu is 0 every p is as likely as any other. 5 is large: alpha is 1 or 2 where four
%   of five and 95 % are right. Deviations of 2 and 10 for alpha and of 2 for b, the share w = 0 alone, greatest
%   likelihood, Platt's targets and Jeffreys' prior were compared by log loss on four tasks: studies/calibration.
%   See also ap_probit, attnpath_probability.

% SPDX-License-Identifier: BSD-3-Clause

unit = sqrt (mean (mu .^ 2));
noise = mean (s2);
share = 0:0.25:0.75;
if noise == 0, [noise, share] = deal (1, 0); end
if unit == 0, unit = 1; end
fit = struct ('share', share, 'weight', [], 'a', [], 'b', [], 'covariance', [], 'noise', noise, 'logloss', NaN);
for k = 1:numel (share)
  x = bsxfun (@rdivide, [mu / unit, ones(size (mu))], sqrt (1 - share(k) + share(k) * s2 / noise));
  [t, V, fit.weight(k)] = posterior (bsxfun (@times, y, x));
  fit.a(k) = t(1) / unit;
  fit.b(k) = t(2);
  scale = diag ([1 / unit, 1]);
  fit.covariance(:,:,k) = scale * V * scale;
end
fit.weight = exp (fit.weight - max (fit.weight));
fit.weight = fit.weight / sum (fit.weight);
[~, l] = ap_probit (fit, mu, s2, y);
fit.logloss = -mean (l);
end

function [t, V, evidence] = posterior (x)
% x: P x 2, rows times their labels. Newton's steps, halved until the posterior rises
least = [1e-3; -Inf];
t = [1; 0];
[f, g, H] = at (x, t);
for step = 1:100
  free = t > least | g > 0;
  d = zeros (2, 1);
  d(free) = H(free,free) \ g(free);
  [s, fn] = deal (2, -Inf);
  while fn < f && s > 1e-10
    s = s / 2;
    next = max (least, t + s * d);
    [fn, gn, Hn] = at (x, next);
  end
  if fn < f, break; end
  small = norm (next - t) <= 1e-10 * norm (t);
  [t, f, g, H] = deal (next, fn, gn, Hn);
  if small, break; end
end
evidence = f - log (det (H)) / 2;
V = zeros (2);
free = t > least;
V(free,free) = inv (H(free,free));
end

function [f, g, H] = at (x, t)
Q = diag ([1/25, 1]);
z = x * t;
l = ap_log_phi (z);
h = exp (-z .^ 2 / 2 - l) / sqrt (2 * pi);
f = sum (l) - t' * Q * t / 2;
g = x' * h - Q * t;
H = x' * bsxfun (@times, h .* (z + h), x) + Q;
end
