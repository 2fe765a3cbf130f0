function fit = ap_class_fit (mu, s2, number, display)
%AP_CLASS_FIT  The a and b of greatest likelihood for probabilities of C > 2 classes.
%
%   fit = AP_CLASS_FIT (mu, s2, number)
%   fit = AP_CLASS_FIT (mu, s2, number, display)
%   Inputs :  mu, P x C, and s2, C x C x P, of outputs that have not seen their example;  number, P x 1, its class;
%             display, whether to print progress after two seconds; default false
%   Outputs:  fit, struct of a, b (1 x C, sum 0), logloss, as for attnpath_probability
%   The unknowns are tau = 1 / a and c = b / a, in units of the size of f. BFGS starts from three values of tau, because
%   the likelihood need not be convex. Its steps are combinations of gradients, and gradients have no part along b = 1,
%   on which nothing depends. tau stays between a thousandth and a thousand, as for two classes.
%   At most 10000 / C examples are looked at, which takes some ten seconds at C = 10: those at the fractions
%   mod (k g, 1) of the way, k = 1, 2, ..., g the golden section, so that labels in a repeating order are all met.
%   See also ap_class_probability, attnpath_probability.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 4, display = false; end
[P, C] = size (mu);
n = floor (1e4 / C);
if P > 2 * n
  some = unique (1 + floor (P * mod ((1:n)' * (sqrt (5) - 1) / 2, 1)));
  fit = ap_class_fit (mu(some,:), s2(:,:,some), number(some), display);
  return
end
mu = bsxfun (@minus, mu, mean (mu, 2));
total = reshape (sum (sum (s2, 1), 2), [], 1);
own = reshape (sum (bsxfun (@times, s2, eye (C)), 1), C, [])';
unit = sqrt (mean (sum (mu .^ 2 + own, 2) - total / C) / (C - 1));     % of what is not common to all outputs
if unit == 0, unit = 1; end
cost = @(t) negative (t, mu, s2, number, unit);
told = ap_progress_line ();
best = Inf;
for start = [-2 0 2]
  [t, value, told] = minimise (cost, [start; zeros(C, 1)], 20, 1e-3, told, display);
  if value < best, [best, found] = deal (value, t); end
end
ap_refuse ('probability', 'notFinite', isinf (best), ...
           'probabilities of outputs up to %.3g are not finite', max (abs (mu(:))));
[t, value] = minimise (cost, found, 200, 1e-7, told, display);
tau = scale (t, unit);
fit = struct ('a', 1 / tau, 'b', unit * t(2:end)' / tau, 'logloss', value);
end

function [tau, inside] = scale (t, unit)
inside = abs (t(1)) < log (1000);
tau = unit * exp (max (-log (1000), min (log (1000), t(1))));
end

function [f, g] = negative (t, mu, s2, number, unit)
[tau, inside] = scale (t, unit);
[alpha, rest] = ap_class_spread (s2, tau, number);
[l, dm, da, dr] = ap_class_largest (bsxfun (@plus, mu, unit * t(2:end)'), alpha, rest, number);
f = -mean (l);
h = 1e-4;                                                   % slopes by log tau: differences err by h^2
[a1, r1] = ap_class_spread (s2, tau * exp (h), number);
[a0, r0] = ap_class_spread (s2, tau * exp (-h), number);
along = sum (da .* (a1 - a0) + dr .* (r1 - r0), 2) / (2 * h);
g = -[inside * mean(along); unit * mean(dm, 1)'];
end

function [t, f, told] = minimise (cost, t, steps, tolerance, told, display)
% BFGS with a step that is halved until the cost falls by 1e-4 of the decrease predicted by its slope
[f, g] = cost (t);
H = eye (numel (t));
for k = 1:steps
  told = ap_progress_line (told, display, 'attnpath_probability: log loss %.4f, slope %.0e', f, norm (g, Inf));
  if norm (g, Inf) <= tolerance, return; end
  if g' * H * g <= 0, H = eye (numel (t)); end              % rounding has spoilt it
  d = -H * g;
  d = d * min (1, 2 / norm (d));
  s = d;
  [next, gn] = cost (t + s);
  while ~(next <= f + 1e-4 * (g' * s))
    s = s / 2;
    if norm (s) < 1e-12 * norm (d), return; end
    [next, gn] = cost (t + s);
  end
  y = gn - g;
  [t, f, g] = deal (t + s, next, gn);
  if s' * y > 1e-12 * norm (s) * norm (y)
    if k == 1, H = (s' * y) / (y' * y) * H; end
    rho = 1 / (s' * y);
    V = eye (numel (t)) - rho * (y * s');
    H = V' * H * V + rho * (s * s');
  end
end
end
