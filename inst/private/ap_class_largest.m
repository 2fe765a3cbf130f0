function [l, dm, da, dr] = ap_class_largest (m, alpha, rest, which)
%AP_CLASS_LARGEST  Log of the probability that one of C Gaussian numbers is the largest, and its slopes.
%
%   l = AP_CLASS_LARGEST (m, alpha, rest, which)
%   [l, dm, da, dr] = AP_CLASS_LARGEST (m, alpha, rest, which)
%   Inputs :  m, P x C means;  which, P x 1, c, from 1 to C;  alpha, rest, P x C: number c minus number e varies as
%             alpha_e z + rest_e z_e, with one z for all e and z_e of its own, all N (0,1). Entries e = c are not looked
%             at. rest_e is at least a tenth of |alpha_e|
%   Outputs:  l, P x 1;  dm, da, dr, P x C derivatives
%   Equation: p_c = int dz phi (z) prod_{e ~= c} Phi ((m_c - m_e + alpha_e z) / rest_e), by the trapezoidal rule. The
%             integrand is analytic and grows like exp ((1 + r^2) y^2 / 2) along y = Im z, r the largest of
%             alpha_e / rest_e, so that a step h errs by exp (-2 pi^2 / (h^2 (1 + r^2))): with h = 1/6 it is 1e-12 at
%             r = 5, and 1e-3 at r = 10
%   Chunks of examples hold 2^20 numbers at a time.
%   See also ap_class_probability, ap_class_spread.

% SPDX-License-Identifier: BSD-3-Clause

[P, C] = size (m);
z = -8:1/6:8;
l = zeros (P, 1);
[dm, da, dr] = deal (zeros (P, C));
chunk = max (1, floor (2^20 / (numel (z) * C)));
for first = 1:chunk:P
  k = first:min (P, first + chunk - 1);
  [l(k), dm(k,:), da(k,:), dr(k,:)] = some (m(k,:), alpha(k,:), rest(k,:), which(k), z, nargout > 1);
end
end

function [l, dm, da, dr] = some (m, alpha, rest, which, z, slopes)
% Without slopes the last three are zeros
[P, C] = size (m);
at = @(k) (1:P)' + P * mod (which + k - 1, C);              % class `which` for k = 0, and the others
own = at (0);
total = repmat (-z .^ 2 / 2 + log ((z(2) - z(1)) / sqrt (2 * pi)), P, 1);
[u, each] = deal (cell (1, C - 1));
for k = 1:C-1
  e = at (k);
  u{k} = bsxfun (@plus, (m(own) - m(e)) ./ rest(e), (alpha(e) ./ rest(e)) * z);
  each{k} = ap_log_phi (u{k});
  total = total + each{k};
end
top = max (total, [], 2);
w = exp (bsxfun (@minus, total, top));
sums = sum (w, 2);
l = top + log (sums);
[dm, da, dr] = deal (zeros (P, C));
if ~slopes, return; end
w = bsxfun (@rdivide, w, sums);
for k = 1:C-1
  e = at (k);
  slope = bsxfun (@rdivide, w .* exp (-u{k} .^ 2 / 2 - each{k}) / sqrt (2 * pi), rest(e));
  dm(e) = -sum (slope, 2);
  dm(own) = dm(own) - dm(e);
  da(e) = slope * z';
  dr(e) = -sum (slope .* u{k}, 2);
end
end
