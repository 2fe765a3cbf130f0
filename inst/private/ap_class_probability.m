function p = ap_class_probability (fit, mu, s2)
%AP_CLASS_PROBABILITY  Probabilities of C > 2 classes from means and covariances of C outputs.
%
%   p = AP_CLASS_PROBABILITY (fit, mu, s2)
%   Inputs :  fit, struct of a and b (1 x C), from ap_class_fit;  mu, P x C;  s2, C x C x P
%   Outputs:  p, P x C, rows that add up to 1
%   Equation: p_c = P (a f_c + b_c + e_c is the largest), f ~ N (mu, s2), e_c ~ N (0, 1/2) independent: for C = 2 this
%             is Phi ((a (mu_1 - mu_2) + b_1 - b_2) / sqrt (1 + a^2 var (f_1 - f_2))). See ap_class_spread for how
%             covariances enter
%   See also ap_class_fit, ap_class_spread, ap_class_largest, attnpath_probability.

% SPDX-License-Identifier: BSD-3-Clause

[P, C] = size (mu);
m = bsxfun (@plus, mu, fit.b / fit.a);
p = zeros (P, C);
for c = 1:C
  which = repmat (c, P, 1);
  [alpha, rest] = ap_class_spread (s2, 1 / fit.a, which);
  p(:,c) = exp (ap_class_largest (m, alpha, rest, which));
end
p = bsxfun (@rdivide, p, sum (p, 2));
end
