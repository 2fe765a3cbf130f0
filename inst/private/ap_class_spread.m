function [alpha, rest] = ap_class_spread (s2, tau, which)
%AP_CLASS_SPREAD  Covariance of one output minus each of the others, in the form for ap_class_largest.
%
%   [alpha, rest] = AP_CLASS_SPREAD (s2, tau, which)
%   Inputs :  s2, C x C x P covariances of C > 2 outputs;  tau, of noise of variance tau^2 / 2 on each output;  which,
%             P x 1, c, the output from which the others are taken
%   Outputs:  alpha, rest, P x C, see ap_class_largest. alpha_c is 0, rest_c is 1
%
%   The differences h_e = f_c - f_e have covariances w_ee' = s_cc + s_ee' - s_ce - s_ce' (noise included in s). Their
%   variances are kept, alpha_e^2 + rest_e^2 = w_ee, and one factor stands for the others, w_ee' = alpha_e alpha_e':
%     alpha_e = (sum_{e' ~= e} w_ee' + alpha_e^2) / sqrt (sum_{e' ~= e''} w_e'e'' + sum_e' alpha_e'^2),
%   repeated. This is exact where one factor is: for C = 3, and for any C where outputs are independent, as in the GP
%   limit, or equally correlated. Otherwise it is an approximation, by which one integral takes the place of C - 1: of
%   Wishart covariances with C degrees of freedom probabilities were wrong by up to 0.006 at C = 4 and 0.014 at C = 10.
%   rest_e is at least a tenth of the deviation of h_e.
%   See also ap_class_probability, ap_class_fit.

% SPDX-License-Identifier: BSD-3-Clause

[C, ~, P] = size (s2);
[alpha, rest] = deal (zeros (P, C), ones (P, C));
flat = reshape (s2, C * C, P)';                             % covariance (i,j) in column i + C (j - 1)
for c = unique (which(:))'
  at = find (which == c);
  e = [1:c-1, c+1:C];
  all_of = reshape (flat(at,:), [], C, C);
  w = bsxfun (@minus, bsxfun (@minus, all_of(:,e,e), all_of(:,c,e)), all_of(:,e,c));
  w = bsxfun (@plus, w, all_of(:,c,c));
  w = bsxfun (@plus, w, tau ^ 2 / 2 * (1 + reshape (eye (C - 1), 1, C - 1, C - 1)));
  [alpha(at,e), rest(at,e)] = factor_of (w);
end
end

function [a, r] = factor_of (w)
% w: P x n x n covariances
[P, n, ~] = size (w);
flat = reshape (w, P, n * n);
own = flat(:,1:n+1:end);
if n == 2                                                   % also where the correlation is negative
  rho = max (-1, min (1, w(:,1,2) ./ sqrt (own(:,1) .* own(:,2))));
  rho(isnan (rho)) = 0;
  size_of = sqrt (abs (rho));
  a = sqrt (own) .* [size_of, sign(rho) .* size_of];
else
  others = sum (w, 3) - own;
  total = sum (others, 2);
  none = total <= 0;
  total(none) = 1;
  others(none,:) = 0;
  a = zeros (P, n);
  for k = 1:30
    a = bsxfun (@rdivide, others + a .^ 2, sqrt (total + sum (a .^ 2, 2)));
    a = max (-sqrt (own), min (sqrt (own), a));
  end
end
a = max (-sqrt (0.99 * own), min (sqrt (0.99 * own), a));
r = sqrt (own - a .^ 2);
end
